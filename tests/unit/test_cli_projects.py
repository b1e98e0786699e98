"""``projects``, ``copy``, ``move`` and ``adopt``: what they print, ask and leave behind."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memtui.claude.paths import project_slug
from memtui.claude.store_words import store_words
from tests.crash.faults import tree
from tests.unit import secret_makers
from tests.unit.cli_support import Cli
from tests.unit.machine import Machine


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    made.memory_file("deploys", "Deploys happen on Mondays, see [[calendar]].", days_old=1)
    made.memory_file("calendar", "The calendar is kept by the office.", days_old=2)
    made.write("MEMORY.md", "- [Deploys](deploys.md) — when\n- [Calendar](calendar.md) — where\n")
    return made


@pytest.fixture
def other(cli: Cli) -> Path:
    """The store of another project, ``home/other``."""
    machine = Machine.__new__(Machine)
    machine.home, machine.projects = cli.home, cli.home / ".claude" / "projects"
    project = machine.project("other")
    store = machine.store(project)
    machine.fill(store, {"habits": "Other habits altogether, of another project."}, days=5)
    machine.session(project)
    return store


def test_projects_lists_every_store_the_one_changed_last_first(cli: Cli, other: Path) -> None:
    (cli.home / ".codex" / "memories").mkdir(parents=True)
    done = cli("projects")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split() == [
        "PROJECT",
        "KIND",
        "MEMORIES",
        "INDEX",
        "STALE",
        "SECRETS",
        "CHANGED",
        "PROBLEMS",
    ]
    assert [line.split()[0] for line in lines[1:]] == [str(cli.project), "~/other", "~/.codex/memories"]
    assert "3 stores; 'memtui --dir DIR' opens one" in done.err
    stores = {Path(store["path"]): store for store in cli("projects", "--json").json}
    assert stores[other]["project"] == str(cli.home / "other")
    assert (stores[other]["active"], stores[other]["problems"]) == (1, [])
    assert stores[cli.home / ".codex" / "memories"]["read_only"] == "format"
    assert "个记忆库" in cli("projects", "--lang", "zh").err


def test_projects_without_a_store_says_where_it_looked(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    for folder in (cli.memory, cli.memory.parent):
        folder.rmdir()
    done = cli("projects")
    assert (done.code, done.out) == (0, "")
    assert f"looked below {cli.home}" in done.err
    assert cli("projects", "--json").json == []


def test_projects_search_names_file_line_and_words(cli: Cli, other: Path) -> None:
    done = cli("projects", "search", "HABITS", "altogether")
    assert (done.code, done.err) == (0, "1 memory found\n")
    assert done.out == f"{other / 'habits.md'}: Habits: Habits\n"
    (hit,) = cli("projects", "search", "mondays", "--json").json
    assert (hit["slug"], hit["place"], hit["line"]) == ("deploys", "content", 7)
    assert cli("projects", "search", "nowhere-to-be-found").err == "nothing found\n"
    assert cli("projects", "search").code == 2


@pytest.mark.parametrize("name", ["home/other", "other", "slug", "store"])
def test_copy_takes_a_store_by_its_directory_its_project_or_a_name(cli: Cli, other: Path, name: str) -> None:
    to = {"home/other": str(cli.home / "other"), "slug": other.parent.name, "store": str(other)}.get(
        name, name
    )
    before = cli.files()
    done = cli("copy", "deploys", "--to", to, "--yes")
    assert done.code == 0, done.err
    assert done.out == f"copied deploys to {other}\n"
    assert "links that lead nowhere there: calendar" in done.err
    assert f"'memtui undo --dir {other}' takes it back" in done.err
    assert (other / "deploys.md").exists()
    assert cli.files() == before
    assert cli("undo", "--dir", str(other)).code == 0
    assert not (other / "deploys.md").exists()


def test_copy_to_the_team_of_another_store_needs_the_switch_there(cli: Cli, other: Path) -> None:
    for verb in ("copy", "move"):
        done = cli(verb, "deploys", "--to", str(other), "--as", "team/deploys", "--yes")
        assert (done.code, "TEAMMEM=1" in done.err) == (4, True)
    assert not (other / "team").exists()
    cli.environ["TEAMMEM"] = "1"
    assert cli("copy", "deploys", "--to", str(other), "--as", "team/deploys", "--yes").code == 0
    assert (other / "team" / "deploys.md").exists()


def test_copy_to_a_project_without_a_store_makes_it(cli: Cli) -> None:
    (cli.home / "fresh" / ".git").mkdir(parents=True)
    assert cli("copy", "deploys", "--to", str(cli.home / "fresh"), "--yes").code == 0
    slug = project_slug(str(cli.home / "fresh"))
    assert (cli.home / ".claude" / "projects" / slug / "memory" / "deploys.md").exists()


def test_move_leaves_here_arrives_there_and_one_undo_takes_both_back(cli: Cli, other: Path) -> None:
    before = cli.files()
    done = cli("move", "deploys", "calendar", "--to", "other", "--json", "--yes")
    assert done.code == 0
    assert [memory["fate"] for memory in done.json["memories"]] == ["new", "new"]
    assert done.json["arrived"]["elsewhere"] == str(cli.memory)
    assert done.json["left"]["elsewhere"] == str(other)
    assert cli.files().keys() == {"MEMORY.md"}
    done = cli("undo")
    assert f"the other half of the move was done in {other}" in done.err
    assert cli.files() == before
    assert not (other / "deploys.md").exists()


def test_nothing_moves_without_yes_where_nobody_can_be_asked(cli: Cli, other: Path) -> None:
    before = tree(cli.tmp)
    done = cli("move", "deploys", "--to", "other")
    assert (done.code, done.out) == (4, "")
    assert "Add --yes" in done.err
    dry = cli("move", "deploys", "--to", "other", "--dry-run")
    assert (dry.code, dry.out) == (0, "")
    assert "move 1 memory from" in dry.err
    assert tree(cli.tmp) == before
    cli.tty = True
    assert cli("move", "deploys", "--to", "other", stdin="n\n").code == 0
    assert "deploys.md" in cli.files()
    assert cli("move", "deploys", "--to", "other", stdin="y\n").code == 0
    assert "deploys.md" not in cli.files()


def test_a_taken_name_is_code_2_with_both_ways_out(cli: Cli, other: Path) -> None:
    cli.memory_file("habits", "Our own habits, which are not the others'.")
    before = tree(cli.tmp)
    done = cli("copy", "habits", "--to", "other", "--yes")
    assert done.code == 2
    assert "--as habits-2 gives it another, --merge joins the two" in done.err
    assert cli("copy", "habits", "--to", "other", "--dry-run").code == 2
    assert tree(cli.tmp) == before
    assert cli("copy", "habits", "--to", "other", "--as", "our-habits", "--yes").code == 0
    assert (other / "our-habits.md").exists()
    assert cli("copy", "habits", "--to", "other", "--merge", "--yes").code == 0
    assert "Our own habits" in (other / "habits.md").read_text()
    assert cli("copy", "habits", "deploys", "--to", "other", "--as", "x", "--yes").code == 2


def test_secrets_are_named_by_rule_and_never_shown(cli: Cli, other: Path) -> None:
    (token, *_) = secret_makers.made(random.Random(1), "github-token")
    cli.memory_file("keys", f"The key is {token}, keep it.")
    done = cli("copy", "keys", "--to", "other", "--yes", "--json")
    assert done.json["memories"][0]["secrets"] == ["github-token"]
    assert "looks like a secret: github-token" in done.err
    assert token not in done.out + done.err


def test_a_store_of_another_program_is_not_written_to(cli: Cli) -> None:
    codex = cli.home / ".codex" / "memories"
    codex.mkdir(parents=True)
    for to in ("memories", str(codex)):
        done = cli("copy", "deploys", "--to", to, "--yes")
        assert done.code == 4
        assert "does not rewrite" in done.err
    assert list(codex.iterdir()) == []


def test_a_project_that_is_gone_without_a_trace_is_found_by_its_old_path_or_name(cli: Cli) -> None:
    gone = cli.home / "work" / "old.name"
    store = cli.home / ".claude" / "projects" / project_slug(str(gone)) / "memory"
    store.mkdir(parents=True)
    (store / "kept.md").write_text(
        "---\nname: kept\ndescription: what was kept\ntype: project\n---\n\nKept.\n"
    )
    for named in (str(gone), "old.name"):
        done = cli("adopt", named)
        assert "kept: new" in done.out + done.err
    assert "there is no store or project 'name.old'" in cli("adopt", "name.old").err


def test_what_is_no_store_or_several_is_code_2(cli: Cli, other: Path) -> None:
    assert "there is no store or project 'nope'" in cli("copy", "deploys", "--to", "nope", "--yes").err
    assert cli("copy", "deploys", "--to", str(cli.memory / "MEMORY.md"), "--yes").code == 2
    assert cli("copy", "deploys", "--to", str(cli.memory), "--yes").code == 2
    assert cli("copy", "nope", "--to", "other", "--yes").code == 2
    (cli.home / ".qwen" / "projects" / other.parent.name / "memory").mkdir(parents=True)
    done = cli("copy", "deploys", "--to", other.parent.name, "--yes")
    assert done.code == 2
    assert "several stores are called" in done.err


def test_read_only_moves_and_adopts_nothing(cli: Cli, other: Path) -> None:
    before = tree(cli.tmp)
    for argv in (
        ["copy", "deploys", "--to", "other"],
        ["move", "deploys", "--to", "other"],
        ["adopt", "other"],
    ):
        assert cli(*argv, "--read-only", "--yes").code == 4
    assert tree(cli.tmp) == before


@pytest.fixture
def renamed(cli: Cli) -> Path:
    """The store of a project that stood beside the current one under nearly its name, and is gone."""
    machine = Machine.__new__(Machine)
    machine.home, machine.projects = cli.home, cli.home / ".claude" / "projects"
    old = cli.project.parent / "Project"
    for path in (*cli.memory.iterdir(), cli.memory):
        path.unlink() if path.is_file() else path.rmdir()
    store = machine.store(old, {"habits": "What was learned before the folder was renamed."})
    machine.session(old)
    return store


def test_adopt_finds_the_old_store_says_why_and_takes_all_of_it_over(cli: Cli, renamed: Path) -> None:
    before = tree(renamed)
    done = cli("adopt", "--yes")
    assert done.code == 0, done.err
    assert f"{renamed} may be this project's old store:" in done.err
    assert "- the folder had the same name, project" in done.err
    assert done.out == f"took over 1 memory from {renamed}\n"
    assert (cli.memory / "habits.md").exists()
    assert tree(renamed) == before
    assert cli("undo").code == 0
    assert not (cli.memory / "habits.md").exists()


def test_adopt_with_a_name_asks_nobody_which_and_without_a_candidate_is_code_2(cli: Cli, other: Path) -> None:
    lone = other.parent.parent / "-gone-place" / "memory"
    lone.mkdir(parents=True)
    Machine.fill(lone, {"x": "Nothing says whose this was."})
    done = cli("adopt")
    assert done.code == 2
    assert "no store of a project that is gone resembles this one" in done.err
    assert (
        f"{lone} holds 1 memory of no project that is known to be there:\n  memtui adopt {lone}" in done.err
    )
    assert cli("adopt", "other", "--yes").code == 0
    assert {"habits.md", "deploys.md", "calendar.md"} <= cli.files().keys()


def test_the_words_for_stores_are_there_in_both_languages() -> None:
    en, zh = store_words("en"), store_words("zh")
    for part in ("kinds", "problems", "explained", "reasons", "read_only"):
        ours, theirs = getattr(en, part), getattr(zh, part)
        assert ours.keys() == theirs.keys()
        assert all(text.strip() for text in (*ours.values(), *theirs.values()))


def test_show_names_the_other_stores_that_hold_the_memory_and_how_to_copy_it(cli: Cli, other: Path) -> None:
    text = "The calendar is kept by the office."
    Machine.fill(other, {"office": text})
    done = cli("show", "calendar")
    assert "Seen in 1 other store: ~/other\n" in done.out
    assert "'memtui copy calendar --to STORE'" in done.err
    assert "另有 1 个记忆库也有：~/other" in cli("show", "calendar", "--lang", "zh").out
    seen = cli("show", "calendar", "--json").json["seen"]
    assert seen == {
        "complete": True,
        "stores": [
            {
                "store": str(other),
                "name": "~/other",
                "slug": "office",
                "path": str(other / "office.md"),
                "same": True,
                "similarity": 1.0,
            }
        ],
    }
    assert "Seen in" not in cli("show", "deploys").out
    assert cli("show", "deploys", "--json").json["seen"] == {"complete": True, "stores": []}
