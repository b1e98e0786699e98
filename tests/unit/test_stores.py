"""Finding the stores of a machine, and saying what is in them (needs 4, 17, 19)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import FrameType

import pytest

from memtui.claude.adoption import AdoptionCandidate, adoption_candidates, github_name, left_over
from memtui.claude.evidence import working_directories
from memtui.claude.folders import proves, work_trees
from memtui.claude.naming import Store as Named
from memtui.claude.paths import project_slug
from memtui.claude.store_search import parse_query, search_stores, seen_elsewhere
from memtui.claude.store_summary import Remembered, StoreSummary, memories_of, summarise
from memtui.claude.stores import Store, client_state, find_stores
from tests.crash.faults import tree
from tests.unit import secret_makers
from tests.unit.machine import DAY, NOW, Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def only(machine: Machine, path: Path) -> Store:
    (store,) = [store for store in find_stores(environ={}, home=machine.home) if store.path == path]
    return store


def test_every_kind_of_store_is_found_once_with_its_project(machine: Machine, tmp_path: Path) -> None:
    project = machine.project("work/astro")
    machine.known[str(project / "src")] = {}
    (project / "src").mkdir()
    machine.write_state()
    store = machine.store(project, {"a": "text"})
    (machine.projects / "-no-memory-here").mkdir()
    (machine.projects / "link").symlink_to(store.parent)
    for rel in (
        ".claude/agent-memory/reviewer",
        "work/astro/.claude/agent-memory/tester",
        "work/astro/.claude/agent-memory-local/tester",
        ".qwen/projects/-p/memory",
        ".qwen/projects/-p/pinned",
        ".openclaw/workspace/memory",
        ".codex/memories",
        ".gemini/tmp/abc/memory",
        ".letta/agents/agent-1/memory",
        "basic-memory",
    ):
        (machine.home / rel).mkdir(parents=True)
    other = tmp_path / "config"
    (other / "projects" / "-x" / "memory").mkdir(parents=True)
    remote = tmp_path / "remote"
    (remote / "projects" / "-y" / "memory").mkdir(parents=True)
    environ = {"CLAUDE_CONFIG_DIR": str(other), "CLAUDE_CODE_REMOTE_MEMORY_DIR": str(remote)}

    found = find_stores(environ=environ, home=machine.home)
    assert [(s.kind, s.slug) for s in found] == [
        ("project", "-y"),
        ("project", "-x"),
        ("project", project_slug(str(project))),
        ("agent", "reviewer"),
        ("agent-project", "tester"),
        ("agent-local", "tester"),
        ("qwen", "-p"),
        ("qwen-pinned", "-p"),
        ("openclaw", "workspace"),
        ("codex", "memories"),
        ("gemini", "abc"),
        ("letta", "agent-1"),
        ("basic-memory", "main"),
    ]
    assert found[2].project == project
    assert found[4].project == project
    assert [s.kind for s in found if s.read_only == "format"] == [
        "openclaw",
        "codex",
        "gemini",
        "letta",
        "basic-memory",
    ]


def test_a_store_that_a_setting_names_is_found(machine: Machine, tmp_path: Path) -> None:
    project = machine.project("p")
    named = tmp_path / "named"
    machine.fill(named, {"a": "text"})
    (machine.home / ".claude" / "settings.json").write_text(f'{{"autoMemoryDirectory": "{named}"}}')
    (store,) = find_stores(environ={}, home=machine.home, cwd=project)
    assert (store.path, store.project, store.kind) == (named, project, "project")


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", '{"projects": 3}', '{"projects": {"relative": {}, "/a\\u0000b": {}}}'),
        *('{"projects": {"/half\\ud800": {}}}', f'{{"projects": {{"/{"x" * 5000}": {{}}}}}}'),
    ],
)
def test_a_list_of_projects_that_makes_no_sense_names_none(machine: Machine, text: str) -> None:
    (machine.home / ".claude.json").write_text(text)
    assert client_state(environ={}, home=machine.home).projects == ()
    assert find_stores(environ={}, home=machine.home) == ()


@pytest.mark.parametrize("odd", ["loop of links", "pipe", "name that is no UTF-8", "link to nowhere"])
def test_one_odd_entry_hides_no_other_store(machine: Machine, odd: str) -> None:
    store = machine.store(machine.project("astro"), {"a": "text"})
    if odd == "loop of links":
        (machine.projects / "-loop").symlink_to("-loop")
    elif odd == "pipe":
        os.mkfifo(machine.projects / "-pipe")
        (machine.projects / "-inside").mkdir()
        os.mkfifo(machine.projects / "-inside" / "memory")
    elif odd == "link to nowhere":
        (machine.projects / "-link").symlink_to("nowhere")
    else:
        (machine.projects / os.fsdecode(b"-\xff")).mkdir()
    assert [s.path for s in find_stores(environ={}, home=machine.home)] == [store]


def test_pipes_and_odd_paths_where_gits_files_and_transcripts_belong_are_not_waited_for(
    machine: Machine,
) -> None:
    project = machine.project("astro")
    store = machine.store(project, {"a": "text"})
    os.mkfifo(project / ".git" / "config")
    (project / ".git" / "worktrees" / "w").mkdir(parents=True)
    os.mkfifo(project / ".git" / "worktrees" / "w" / "gitdir")
    os.mkfifo(store.parent / "a.jsonl")
    rows = [{"type": "user", "cwd": cwd} for cwd in ("/half\ud800", "/" + "x" * 5000, 3, str(project))]
    (store.parent / "b.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert github_name(project) is None
    assert list(work_trees(project)) == []
    assert working_directories(store.parent, "") == (project,)
    assert proves(store.parent, Named.of(store, machine.home), project) is False
    assert summarise(only(machine, store), now=NOW).project == project


def test_the_store_of_a_work_tree_is_called_by_the_work_tree(machine: Machine, tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid"]
    subprocess.run([*git, "init", "-q", str(main)], check=True)
    subprocess.run([*git, "-C", str(main), "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "-C", str(main), "worktree", "add", "-q", str(tree)], check=True)
    for directory in (main, tree):
        machine.store(directory, {"a": "text"})
        machine.session(directory)
    stores = find_stores(environ={}, home=machine.home)
    assert [summarise(store, now=NOW).project for store in stores] == [main, tree]


def test_a_summary_counts_and_touches_nothing(machine: Machine) -> None:
    project = machine.project("p")
    store = machine.store(project, {"a": "one"})
    (token, *_) = secret_makers.made(random.Random(1), "github-token")
    machine.fill(store, {"old": f"with {token} and again {token}"}, days=300)
    (store / "b_v1.md").write_text("---\nname: B\nstatus: historical\nsuperseded_by: b\n---\n\nold\n")
    (store / ".memtui" / "history").mkdir(parents=True)
    (store / ".memtui" / "history" / "c_v1.md").write_text("an older text")
    machine.session(project)
    before = tree(machine.home)
    summary = summarise(only(machine, store), now=NOW, home=machine.home)
    assert tree(machine.home) == before
    assert (summary.active, summary.historical, summary.stale, summary.secrets) == (2, 2, 1, 1)
    assert summary.stale_share == 0.5
    assert summary.last_change == NOW - DAY
    assert (summary.index.lines, summary.index.entries) == (2, 2)
    assert (summary.project, summary.problems, summary.complete) == (project, (), True)


def test_a_summary_names_a_project_that_is_gone_and_two_that_share_a_folder(machine: Machine) -> None:
    gone = machine.home / "was-here"
    store = machine.store(gone, {"a": "text"})
    machine.session(gone)
    assert summarise(only(machine, store), now=NOW).problems == ("project-gone",)

    one, two = machine.project("a/b-c"), machine.project("a/b/c")
    assert project_slug(str(one)) == project_slug(str(two))
    shared = machine.store(one, {"a": "text"})
    machine.session(one, name="s1", at=NOW - 5)
    machine.session(two, name="s2", at=NOW)
    summary = summarise(only(machine, shared), now=NOW)
    assert (summary.project, summary.others, summary.problems) == (two, (one,), ("two-projects",))


def test_a_folder_renamed_to_a_name_with_the_same_slug_keeps_its_store(machine: Machine) -> None:
    now, before = machine.project("astro-lab"), machine.home / "astro_lab"
    store = machine.store(now, {"a": "text"})
    machine.session(now, name="s1", at=NOW - 5)
    machine.session(before, name="s2", at=NOW)
    summary = summarise(only(machine, store), now=NOW)
    assert (summary.project, summary.problems) == (now, ())


def test_a_session_that_went_elsewhere_does_not_make_two_projects(machine: Machine) -> None:
    project, other = machine.project("p"), machine.project("q")
    store = machine.store(project, {"a": "text"})
    machine.session(project, other)
    summary = summarise(only(machine, store), now=NOW)
    assert (summary.project, summary.others) == (project, ())


def test_a_summary_names_an_empty_store_that_of_the_home_and_a_cut_index(machine: Machine) -> None:
    machine.session(machine.home)
    store = machine.store(machine.home)
    (store / "MEMORY.md").write_text("".join(f"line {n}\n" for n in range(201)))
    summary = summarise(only(machine, store), now=NOW, home=machine.home)
    assert summary.problems == ("index-cut", "home", "empty")
    assert summary.index.bound == "lines"
    assert (summary.last_change, summary.stale_share) == (None, 0.0)


def test_a_summary_stops_between_two_files(machine: Machine) -> None:
    store = machine.store(machine.project("p"), {f"m{n}": "text" for n in range(10)})
    asked = count()
    summary = summarise(only(machine, store), now=NOW, cancel=lambda: next(asked) >= 3)
    assert (summary.active, summary.complete) == (3, False)


def token(seed: int) -> str:
    return secret_makers.drawn(random.Random(seed), "ghp_{A36}")


def files_read(run: Callable[[], StoreSummary]) -> tuple[StoreSummary, int]:
    """A summary, and how many files were read for it, transcripts included."""
    read = 0

    def counting(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal read
        read += event == "call" and frame.f_code.co_name in {"look", "head_of"}

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        return run(), read
    finally:
        sys.setprofile(before)


def test_a_second_summary_reads_only_what_changed_and_says_what_a_fresh_one_says(machine: Machine) -> None:
    place = machine.projects / "-home-ada-lab" / "memory"
    texts = {"a": "One fact.", "b": "Another fact.", "c": f"The key is {token(1)}."}
    machine.fill(place, texts, now=NOW)
    machine.session(machine.home / "lab", slug="-home-ada-lab")
    store, remembered = only(machine, place), Remembered()

    def now() -> float:
        """Long after the last change: what has just changed is read again in any case."""
        return max(path.stat().st_ctime for path in place.rglob("*")) + 10

    def again() -> tuple[StoreSummary, int]:
        moment = now()
        summary, read = files_read(
            lambda: summarise(store, now=moment, home=machine.home, remembered=remembered)
        )
        assert summary == summarise(store, now=moment, home=machine.home)
        return summary, read

    first, read = again()
    assert (first.active, first.secrets, read) == (3, 1, 4)
    assert again() == (first, 0)
    (place / "b.md").write_text((place / "b.md").read_text() + f"And {token(2)}.\n")
    second, read = again()
    assert (second.secrets, read) == (2, 1)
    (place / "c.md").unlink()
    machine.fill(place, {"d": "A fourth fact."}, now=NOW)
    third, read = again()
    assert (third.active, third.secrets) == (3, 1)
    machine.session(machine.home / "elsewhere", slug="-home-ada-lab", name="s2", at=NOW + 5)
    fourth, read = again()
    assert read == 1
    assert again() == (fourth, 0)


def test_what_changed_just_now_is_read_again(machine: Machine) -> None:
    """It may change once more within one tick of the file system's clock, and look the same."""
    place = machine.projects / "-home-ada-lab" / "memory"
    machine.fill(place, {"a": "One fact."}, now=NOW)
    store, remembered = only(machine, place), Remembered()
    moment = (place / "a.md").stat().st_ctime + 1
    for _ in range(2):
        _, read = files_read(lambda: summarise(store, now=moment, remembered=remembered))
        assert read == 1


def test_a_search_finds_all_words_everywhere_and_says_where(machine: Machine) -> None:
    machine.store(machine.project("one"), {"tabs": "We use Tabs.\nNever spaces here.", "none": "nothing"})
    machine.store(machine.project("two"), {"spaces": "four of them"})
    stores = find_stores(environ={}, home=machine.home)
    hits = list(search_stores(stores, "SPACES", now=NOW))
    assert [(hit.entry.slug, hit.place) for hit in hits] == [("tabs", "content"), ("spaces", "name")]
    text = hits[0].entry.path.read_text().split("\n")
    assert text[hits[0].line - 1] == hits[0].excerpt == "Never spaces here."
    assert [hit.entry.slug for hit in search_stores(stores, "spaces tabs", now=NOW)] == ["tabs"]
    assert [hit.entry.slug for hit in search_stores(stores, "use_TABS -", now=NOW)] == ["tabs"]
    assert list(search_stores(stores, "spaces type:user", now=NOW)) == []
    assert len(list(search_stores(stores, "type:feedback", now=NOW))) == 3
    assert list(search_stores(stores, " ", now=NOW)) == []
    assert parse_query("a type:user,feedback b:c").types == ("user", "feedback")


def test_a_condition_that_is_being_typed_asks_for_nothing_yet() -> None:
    for typed in ("type:", "tier:", "is:", "type:,"):
        assert parse_query(f"tea {typed}") == parse_query("tea")
        assert not parse_query(typed)
    assert parse_query("note: is").words == ("note:", "is")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tier:hot", {"new"}),
        ("tier:warm,cool", {"month", "old"}),
        ("is:stale", {"old"}),
        ("words is:stale", {"old"}),
        ("is:stale tier:hot", set()),
        ("is:odd", set()),
        ("tier:", set()),
    ],
)
def test_a_search_narrows_by_tier_and_to_what_is_stale(machine: Machine, query: str, found: set[str]) -> None:
    store = machine.store(machine.project("p"))
    for slug, days in (("new", 1), ("month", 20), ("old", 200)):
        machine.fill(store, {slug: "some words"}, days=days)
    hits = search_stores(find_stores(environ={}, home=machine.home), query, now=NOW)
    assert {hit.entry.slug for hit in hits} == found


def test_a_memory_is_not_seen_in_its_own_store_under_another_path(machine: Machine, tmp_path: Path) -> None:
    store = machine.store(machine.project("p"), {"a": "Some words that stand here alone."})
    (tmp_path / "link").symlink_to(store)
    (entry,) = memories_of(Store(tmp_path / "link", "project", "p"), now=NOW)
    assert list(seen_elsewhere(entry, find_stores(environ={}, home=machine.home), now=NOW)) == []


def test_a_search_is_cancelled_between_two_files(machine: Machine) -> None:
    machine.store(machine.project("one"), {f"m{n}": "word" for n in range(10)})
    asked = count()
    hits = search_stores(
        find_stores(environ={}, home=machine.home), "word", now=NOW, cancel=lambda: next(asked) >= 4
    )
    assert len(list(hits)) == 4


def test_the_same_preference_is_seen_in_other_stores_exactly_or_nearly(machine: Machine) -> None:
    text = "Always run the whole test suite before you say that a change is finished, and name what failed."
    mine = machine.store(machine.project("one"), {"tests": text})
    machine.store(machine.project("two"), {"run": text.replace(" ", "\n", 1)})
    machine.store(machine.project("three"), {"near": text.replace("finished", "done")})
    machine.store(
        machine.project("four"), {"other": "Quite another matter, which nobody will take for the same."}
    )
    stores = find_stores(environ={}, home=machine.home)
    (entry,) = [e for store in stores if store.path == mine for e in memories_of(store, now=NOW)]
    found = {s.entry.slug: s.match.bigrams for s in seen_elsewhere(entry, stores, now=NOW)}
    assert found.keys() == {"run", "near"}
    assert found["run"] == 1.0
    assert 0.7 <= found["near"] < 1.0


def candidates(machine: Machine, project: Path) -> tuple[AdoptionCandidate, ...]:
    summaries = [summarise(s, now=NOW) for s in find_stores(environ={}, home=machine.home)]
    return adoption_candidates(
        project,
        summaries,
        state=client_state(environ={}, home=machine.home),
        transcripts=machine.projects / project_slug(str(project)),
        now=NOW,
        monotonic=lambda: 0.0,
    )


def test_a_store_of_a_project_that_is_gone_is_offered_with_the_reasons(machine: Machine) -> None:
    old = machine.home / "old-place" / "astro"
    new = machine.project("new-place/astro", remote="git@github.com:Ada/Astro.git")
    for name in ("src/fit.py", "src/plot.py", "docs/use.md"):
        (new / name).parent.mkdir(exist_ok=True)
        (new / name).write_text("x")
    machine.repositories["ada/astro"] = [str(new), str(old)]
    machine.write_state()
    store = machine.store(old, {"files": "See `src/fit.py`, `src/plot.py` and `docs/use.md`."})
    machine.session(old, new)
    unrelated = machine.home / "unrelated"
    machine.store(unrelated, {"a": "text"})
    machine.session(unrelated)
    (found,) = candidates(machine, new)
    assert found.summary.store.path == store
    assert [reason.code for reason in found.reasons] == ["remote", "sessions", "files", "name"]
    assert found.reasons[2].parts == {"found": 3, "named": 3}


def test_a_gone_neighbour_with_a_similar_name_is_offered_and_others_are_listed_before_the_rest(
    machine: Machine,
) -> None:
    new = machine.project("orders-service")
    for name in ("orders-api", "blog", "far/away"):
        old = machine.home / name
        machine.store(old, {"a": "text"})
        machine.session(old)
    (found,) = candidates(machine, new)
    assert [reason.code for reason in found.reasons] == ["alike", "place"]
    assert found.reasons[0].parts == {"name": "orders-api", "word": "orders"}
    summaries = [summarise(s, now=NOW) for s in find_stores(environ={}, home=machine.home)]
    left = [summary.project for summary in left_over(new, summaries)]
    assert left[-1] == machine.home / "far" / "away"
    assert len(left) == 3


def test_a_store_whose_project_is_there_or_merely_stood_beside_is_not_offered(machine: Machine) -> None:
    new, living = machine.project("new"), machine.project("sub/new")
    machine.store(living, {"a": "text"})
    machine.session(living)
    beside = machine.home / "beside"
    machine.store(beside, {"a": "text"})
    machine.session(beside)
    assert candidates(machine, new) == ()


def test_a_store_without_transcripts_is_offered_by_what_its_memories_name_and_never_a_neighbours(
    machine: Machine,
) -> None:
    new, living = machine.project("new-name"), machine.project("living")
    for name in ("src/fit.py", "src/plot.py", "docs/use.md"):
        (new / name).parent.mkdir(exist_ok=True)
        (new / name).write_text("x")
    named = {"files": "See `src/fit.py`, `src/plot.py` and `docs/use.md`."}
    store = machine.store(machine.home / "old-name", named)
    machine.store(living, named)
    machine.store(machine.home / "elsewhere" / "new-name", {"a": "named alike, and no more than that"})
    (found,) = candidates(machine, new)
    assert found.summary.store.path == store
    assert found.summary.project is None
    assert [reason.code for reason in found.reasons] == ["files"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/Ada/astro", "ada/astro"),
        ("https://github.com/ada/astro.git", "ada/astro"),
        ("ssh://git@github.com/ada/astro.git", "ada/astro"),
        ("https://example.org/ada/astro", None),
    ],
)
def test_a_repository_is_named_by_its_origin(machine: Machine, url: str, name: str | None) -> None:
    assert github_name(machine.project("p", remote=url)) == name


def test_a_checkout_without_origin_or_with_a_broken_configuration_names_none(machine: Machine) -> None:
    project = machine.project("p")
    assert github_name(project) is None
    (project / ".git" / "config").write_bytes(b"\xff[[[\n=x\n")
    assert github_name(project) is None
