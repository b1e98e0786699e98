"""needs.md 4: which store is it? Every place that may hold a project's memories, on real folders and repositories."""

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from memtui.claude.evidence import Evidence, evidence_in
from memtui.claude.paths import MAX_SLUG_UNITS, project_slug
from memtui.claude.survey import Place, Survey, survey
from tests.unit.test_paths import git

NOW = 1_780_000_000.0


class Machine:
    """A home with a configuration folder, and projects beside it."""

    def __init__(self, tmp: Path) -> None:
        self.tmp = tmp
        self.home = tmp / "home"
        self.config = self.home / ".claude"
        self.projects = self.config / "projects"
        self.environ: dict[str, str] = {}

    def project(self, name: str) -> Path:
        path = self.tmp / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def repo(self, name: str) -> Path:
        path = self.project(name)
        git("init", "-q", at=path)
        git("commit", "-q", "--allow-empty", "-m", "first", at=path)
        return path

    def store(self, path: Path, memories: int = 1, projects: Path | None = None) -> Path:
        return self.fill((projects or self.projects) / project_slug(str(path)) / "memory", memories)

    def fill(self, memory: Path, memories: int = 1) -> Path:
        memory.mkdir(parents=True)
        (memory / "MEMORY.md").write_text("- [A](m0.md) — a\n")
        for number in range(memories):
            (memory / f"m{number}.md").write_text("A body.\n")
        for path in memory.iterdir():
            os.utime(path, (NOW, NOW))
        return memory

    def session(self, cwd: Path, loaded: Path | None = None, *, at: float = NOW, name: str = "s") -> Path:
        """A transcript as the released client writes one, its receipt included."""
        rows: list[dict[str, Any]] = [
            {"type": "queue-operation", "timestamp": "2026-05-28T00:00:00Z"},
            {"type": "user", "cwd": str(cwd), "message": {"role": "user", "content": "hello"}},
        ]
        if loaded is not None:
            file = {"path": f"{loaded}/MEMORY.md", "type": "AutoMem", "content": "- [A](m0.md) — a"}
            rows.append(
                {
                    "type": "attachment",
                    "cwd": str(cwd),
                    "attachment": {"type": "instructions", "files": [file]},
                }
            )
        folder = self.projects / project_slug(str(cwd))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.utime(path, (at, at))
        return path

    def look(self, cwd: Path) -> Survey:
        return survey(cwd, environ=self.environ, home=self.home)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def shown(found: Survey) -> list[tuple[str, Path, int | None]]:
    return [(place.kind, place.path, place.memories) for place in found.places]


def odd(found: Survey) -> list[tuple[str, Path]]:
    return [(oddity.code, oddity.place.path) for oddity in found.oddities]


def by_kind(found: Survey, kind: str) -> Place:
    (place,) = [place for place in found.places if place.kind == kind]
    return place


def test_the_store_in_force_comes_first_with_what_is_in_it(machine: Machine) -> None:
    project = machine.project("app")
    memory = machine.store(project, 3)
    found = machine.look(project)
    assert found.places == (Place(memory, "project", str(project), None, True, True, 3, NOW, None, None),)
    assert found.in_force.rule() == f"the project {project}"
    assert found.in_force.rule("zh") == f"项目 {project}"
    assert (found.root, found.switch.on, found.oddities, found.stand_in) == (project, True, (), None)


def test_looking_changes_nothing(machine: Machine) -> None:
    project = machine.repo("app")
    machine.store(project)
    machine.session(project)

    def state() -> dict[Path, tuple[int, int, int]]:
        infos = {path: path.lstat() for path in sorted(machine.tmp.rglob("*"))}
        return {path: (info.st_mode, info.st_mtime_ns, info.st_ctime_ns) for path, info in infos.items()}

    before = state()
    machine.look(project)
    assert state() == before


def test_a_subfolder_and_a_work_tree_show_the_store_of_the_main_checkout_first_and_their_own_as_unseen(
    machine: Machine,
) -> None:
    repo = machine.repo("app")
    tree = machine.tmp / "tree"
    git("worktree", "add", "-q", str(tree), at=repo)
    below = tree / "src"
    below.mkdir()
    main = machine.store(repo, 2)
    of_tree, of_below = machine.store(tree, 1), machine.store(below, 4)
    found = machine.look(below)
    assert found.root == repo
    assert shown(found) == [
        ("project", main, 2),
        ("worktree", of_tree, 1),
        ("working_directory", of_below, 4),
    ]
    assert odd(found) == [("unseen", of_tree), ("unseen", of_below)]
    assert found.oddities[0].said("en") == f"1 memory that the client does not see here: {of_tree}"
    assert found.oddities[1].said("en") == f"4 memories that the client does not see here: {of_below}"


def test_the_stores_of_other_work_trees_are_found_from_the_main_checkout(machine: Machine) -> None:
    repo = machine.repo("app")
    tree = machine.tmp / "tree"
    git("worktree", "add", "-q", str(tree), at=repo)
    main, of_tree = machine.store(repo), machine.store(tree, 2)
    assert shown(machine.look(repo)) == [("project", main, 1), ("worktree", of_tree, 2)]


def test_a_submodule_is_a_project_of_its_own(machine: Machine) -> None:
    inner, outer = machine.repo("inner"), machine.repo("outer")
    git("submodule", "add", "-q", str(inner), "mod", at=outer)
    machine.store(outer)
    found = machine.look(outer / "mod")
    assert shown(found) == [("project", machine.projects / project_slug(str(outer / "mod")) / "memory", 0)]


def test_several_configuration_folders_are_told_apart(machine: Machine) -> None:
    project = machine.project("app")
    usual = machine.store(project, 2)
    other = machine.store(project, 1, machine.home / ".claude-work" / "projects")
    machine.environ["CLAUDE_CONFIG_DIR"] = str(machine.tmp / "cfg")
    found = machine.look(project)
    assert shown(found) == [
        ("project", machine.tmp / "cfg" / "projects" / project_slug(str(project)) / "memory", 0),
        ("config", usual, 2),
        ("config", other, 1),
    ]
    assert found.places[1].rule() == f"the project {project}, in the configuration folder {machine.config}"
    assert found.stand_in == found.places[1]


def test_a_moved_project_finds_the_store_it_left_behind(machine: Machine) -> None:
    old = machine.project("old/app")
    left = machine.store(old, 5)
    machine.session(old)
    alive = machine.project("other/app")
    machine.store(alive)
    machine.session(alive)
    (machine.tmp / "new").mkdir()
    new = old.rename(machine.tmp / "new" / "app")
    found = machine.look(new)
    assert [(kind, path) for kind, path, _ in shown(found)][1:] == [("moved", left)]
    assert found.places[1].rule() == f"the project {old}, which is no longer there"
    assert found.stand_in == found.places[1]


def test_a_store_of_an_unknown_project_of_the_same_name_is_shown_as_such(machine: Machine) -> None:
    left = machine.store(machine.tmp / "gone" / "app", 2)
    found = machine.look(machine.project("app"))
    assert shown(found)[1:] == [("alike", left, 2)]


def test_paths_that_give_the_same_folder_are_told(machine: Machine) -> None:
    one, two = machine.project("项目"), machine.project("笔记")
    machine.store(one)
    found = machine.look(one)
    (oddity,) = found.oddities
    assert (oddity.code, oddity.others) == ("shared", (two,))
    assert str(two) in oddity.said("en")


def test_a_transcript_tells_of_another_project_in_the_same_folder(machine: Machine) -> None:
    one, far = machine.project("a-b"), machine.project("a/b")
    machine.store(one)
    machine.session(one, name="x")
    machine.session(far, name="y")
    (oddity,) = machine.look(one).oddities
    assert (oddity.code, oddity.others) == ("shared", (far,))


def test_a_transcript_proves_which_store_was_used(machine: Machine) -> None:
    repo = machine.repo("app")
    below = repo / "src"
    below.mkdir()
    main, own = machine.store(repo), machine.store(below)
    machine.session(below, own, at=NOW - 50, name="old")
    machine.session(below, main, at=NOW, name="new")
    found = machine.look(below)
    assert [(place.path, place.used, place.used_at) for place in found.places] == [
        (main, True, NOW),
        (own, True, NOW - 50),
    ]
    assert odd(found) == [("unseen", own)]
    machine.session(below, own, at=NOW + 5, name="newest")
    assert odd(machine.look(below)) == [("unseen", own), ("used_elsewhere", own)]


def test_without_receipts_it_is_not_known_what_was_used(machine: Machine) -> None:
    project = machine.project("app")
    machine.store(project)
    machine.session(project)
    assert machine.look(project).in_force.used is None


def test_a_folder_that_only_a_transcript_names_is_shown(machine: Machine) -> None:
    project = machine.project("app")
    far = machine.fill(machine.tmp / "far", 2)
    machine.session(project, far)
    found = machine.look(project)
    assert [(place.kind, place.path, place.used) for place in found.places] == [
        ("project", machine.projects / project_slug(str(project)) / "memory", False),
        ("used", far, True),
    ]
    assert found.stand_in == found.places[1]


def test_a_folder_that_a_projects_own_settings_name_is_shown_and_not_in_force(machine: Machine) -> None:
    project = machine.project("app")
    far = machine.fill(machine.tmp / "far")
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"autoMemoryDirectory": str(far)}))
    found = machine.look(project)
    place = by_kind(found, "untrusted")
    assert (place.path, place.where, place.in_force, place.memories) == (far, settings, False, 1)
    assert odd(found) == [("unseen", far)]


def test_rules_before_the_project_hide_its_store(machine: Machine) -> None:
    project = machine.project("app")
    own = machine.store(project)
    mine = machine.fill(machine.home / "mine")
    (machine.config / "settings.json").write_text(json.dumps({"autoMemoryDirectory": "~/mine"}))
    assert shown(machine.look(project)) == [("setting", mine, 1), ("project", own, 1)]
    machine.environ["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = str(own)
    assert shown(machine.look(project)) == [("override", own, 1), ("setting", mine, 1)]


def test_the_home_directory_as_a_project(machine: Machine) -> None:
    machine.home.mkdir()
    memory = machine.store(machine.home)
    (machine.config / "settings.json").write_text(json.dumps({"autoMemoryEnabled": False}))
    found = machine.look(machine.home)
    assert shown(found) == [("project", memory, 1)]
    assert (found.switch.on, found.problems) == (False, ())


def test_both_forms_of_a_name_are_found(machine: Machine) -> None:
    project = machine.project(unicodedata.normalize("NFD", "café"))
    composed = machine.fill(
        machine.projects / project_slug(unicodedata.normalize("NFC", str(project))) / "memory"
    )
    as_is = machine.store(project, 2)
    found = machine.look(project)
    assert {(place.path, place.memories) for place in found.places} == {(composed, 1), (as_is, 2)}
    assert by_kind(found, "form").path == as_is


def test_long_paths_that_begin_alike_are_found(machine: Machine) -> None:
    project = machine.project("/".join(["long-name" * 4] * 7))
    begin = project_slug(str(project))[:MAX_SLUG_UNITS]
    one = machine.fill(machine.projects / f"{begin}-aa" / "memory")
    two = machine.fill(machine.projects / f"{begin}-bb" / "memory")
    assert shown(machine.look(project)) == [("project", one, 1), ("long", two, 1)]


def test_memories_of_subagents_are_shown_and_are_nothing_odd(machine: Machine) -> None:
    project = machine.project("app")
    machine.store(project)
    mine = machine.fill(machine.config / "agent-memory" / "reviewer")
    its = machine.fill(project / ".claude" / "agent-memory" / "tester", 2)
    local = machine.fill(project / ".claude" / "agent-memory-local" / "tester")
    found = machine.look(project)
    assert shown(found)[1:] == [("agent", mine, 1), ("agent", its, 2), ("agent", local, 1)]
    assert found.places[1].rule() == "the agent reviewer"
    assert (found.oddities, found.stand_in) == ((), None)


def test_a_project_that_is_gone_can_be_asked_about(machine: Machine) -> None:
    gone = machine.tmp / "gone"
    memory = machine.store(gone, 3)
    assert shown(machine.look(gone)) == [("project", memory, 3)]


def test_two_names_of_one_folder_are_one_place(machine: Machine) -> None:
    project = machine.project("app")
    memory = machine.store(project)
    machine.environ["CLAUDE_CONFIG_DIR"] = str(machine.home / "link")
    (machine.home / "link").symlink_to(machine.config)
    assert len(machine.look(project).places) == 1
    assert machine.look(project).in_force.path.resolve() == memory


def test_nothing_odd_in_a_transcript_is_fatal(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(
        b'{"cwd": 3, "type": "user"}\n[1]\n{"cwd": "relative"}\n{torn "cwd" "AutoMem"\n\xff\xfe"cwd"\n'
        b'{"attachment": {"type": "instructions", "files": [3, {"type": "AutoMem"}, {"type": "AutoMem", "path": 1},'
        b' {"type": "AutoMem", "path": "MEMORY.md"}, {"type": "AutoMem", "path": "/x/OTHER.md"}]}}\n'
        b'{"attachment": {"type": "instructions", "files": "AutoMem AutoMem"}}\n'
        b'{"type": "user", "cwd": "/half\\ud800"}\n{"cwd": "/' + b"x" * 5000 + b'"}\n'
        b'{"attachment": {"type": "instructions", "files": [{"type": "AutoMem", "path": "/\\udfff/MEMORY.md"}]}}\n'
        + b"[" * 100_000
        + b'"cwd"\n{"cwd": "/there", "timestamp": "never"'
    )
    (tmp_path / "dir.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert evidence_in([tmp_path, tmp_path / "none", tmp_path / "a.jsonl"]) == Evidence()


def test_the_time_of_a_receipt_is_its_own(tmp_path: Path) -> None:
    file = {"path": "/m/MEMORY.md", "type": "AutoMem"}
    row = {"timestamp": "2026-05-28T20:26:40Z", "attachment": {"type": "instructions", "files": [file]}}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    assert evidence_in([tmp_path]).loaded == {Path("/m"): NOW}
