"""Spec §16: what all transcripts of a directory prove, kept between starts, so that only what is new is read again."""

import os
import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.claude.paths import project_slug
from memtui.claude.receipt_values import LoadState
from memtui.claude.usage import UsageReader
from memtui.claude.usage_index import INDEX_FILE
from memtui.claude.usage_report import UsageReport, Written
from tests.unit.transcript_maker import CUT, START, Transcript, index_text, make_many

ONE, TWO, THREE = (f"{n}0000000-0000-4000-8000-000000000000" for n in (1, 2, 3))


class World:
    """A home with one project, its memory directory and its transcripts."""

    def __init__(self, tmp: Path) -> None:
        self.home = tmp / "home"
        self.project = self.home / "project"
        (self.project / ".git").mkdir(parents=True)
        self.projects = self.home / ".claude" / "projects"
        self.folder = self.projects / project_slug(str(self.project))
        self.memory = self.folder / "memory"
        self.memory.mkdir(parents=True)
        self.state = tmp / "state"
        self._seed = 0

    def session(
        self, session: str, *, now: float = START, agent: str = "", cwd: Path | None = None
    ) -> Transcript:
        self._seed += 1
        where = str(cwd or self.project)
        return Transcript(
            self.memory, session=session, now=now, agent=agent, cwd=where, chance=random.Random(self._seed)
        )

    def reader(self, memory: Path | None = None, *, state: Path | None = None) -> UsageReader:
        return UsageReader(
            memory or self.memory, environ={}, home=self.home, state_dir=state or self.state, cwd=self.project
        )

    def report(self) -> UsageReport:
        """A new start: everything known before comes from the file."""
        reader = self.reader()
        try:
            return reader.update()
        finally:
            reader.close()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def states(report: UsageReport) -> dict[str, LoadState]:
    return {session.session: session.state for session in report.sessions}


def test_each_memory_and_each_session_is_added_up(world: World) -> None:
    one = world.session(ONE).typed("go").context().loads(index_text(["a", "b"]))
    one.reads("a.md").reads("a.md").says('<cc-memory filenames="b.md">x</cc-memory>').writes("c.md").save(
        world.folder
    )
    two = world.session(TWO, now=START + 1000).typed("go").context().loads(index_text(["a"]) + CUT)
    two.reads("a.md").typed("remember tabs").says("Saved to memory.").save(world.folder)
    agent = world.session(TWO, now=START + 2000, agent="abc").user("look").loads(index_text(["a"]) + CUT)
    agent.reads("b.md").writes("c.md").save(world.folder)
    report = world.report()
    a, b, c = (report.of(rel) for rel in ("a.md", "b.md", "c.md"))
    assert (a.loaded, a.cut, a.reads, a.citations, a.writes, a.uses) == (2, 0, 3, 0, 0, 3)
    assert (b.loaded, b.cut, b.reads, b.citations, b.uses) == (1, 1, 1, 1, 2)
    assert (c.loaded, c.cut, c.reads, c.writes) == (0, 1, 0, 2)
    assert (a.last_used, a.last_session, a.last_loaded) == (START + 1005, TWO, START + 2002)
    assert (b.last_used, b.last_session) == (START + 2004, TWO)
    assert (c.last_used, c.last_session) == (None, "")
    assert c.written_by == (Written(START + 2006, TWO, "abc", False), Written(START + 1 + 9, ONE, "", False))
    newest, oldest = report.sessions
    assert (newest.session, newest.state, newest.loads, newest.loaded) == (
        TWO,
        LoadState.CUT,
        1,
        frozenset({"a.md"}),
    )
    assert (newest.count("read"), newest.count("written"), newest.count("cited", "saved")) == (2, 1, 0)
    assert [(claim.line, claim.agent) for claim in newest.claims] == [(7, "")]
    assert (oldest.session, oldest.state, oldest.started) == (ONE, LoadState.WHOLE, START + 1)
    assert oldest.state_of("a.md") is LoadState.WHOLE
    assert oldest.state_of("x.md") is LoadState.NONE
    assert newest.state_of("b.md") is LoadState.CUT
    assert report.session(TWO[:4]) is newest
    assert report.session("") is None


def test_a_line_from_the_future_is_as_old_as_its_file(world: World) -> None:
    """A transcript is not written after its last change; a year 9999 in one would be the latest use for ever."""
    late = world.session(ONE, now=253_370_764_800.0).typed("go").context().loads(index_text(["a"]))
    path = late.reads("a.md").save(world.folder)
    os.utime(path, (START, START))
    hours = world.session(TWO, now=START + 7200).typed("go").context().loads(index_text(["b"]))
    path = hours.reads("b.md").save(world.folder)
    os.utime(path, (START + 3600, START + 3600))  # kept in another time zone
    report = world.report()
    assert (report.of("a.md").last_used, report.of("b.md").last_used) == (START, START + 7205)
    assert [(found.session, found.started) for found in report.sessions] == [
        (TWO, START + 7201),
        (ONE, START),
    ]


def test_a_session_without_receipts_is_unknown_and_one_that_tells_is_none(world: World) -> None:
    world.session(ONE).typed("go").says("hello").reads("a.md").save(world.folder)
    world.session(TWO).typed("go").context().says("hello").save(world.folder)
    report = world.report()
    assert states(report) == {ONE: LoadState.UNKNOWN, TWO: LoadState.NONE}
    assert report.knows
    assert report.of("a.md").reads == 1
    assert report.of("never.md").uses == 0


def test_a_cut_counts_from_when_the_memory_is_known_to_be_there(world: World) -> None:
    world.session(ONE).typed("go").loads(index_text(["a"]) + CUT).save(world.folder)
    report = world.report()
    assert report.of("z.md").cut == 0
    assert report.of("z.md", since=START).cut == 1
    assert report.of("z.md", since=START + 3600).cut == 0
    assert report.of("a.md", since=START).cut == 0


def test_the_next_start_reads_only_what_is_new(world: World) -> None:
    one = world.session(ONE).typed("go").context().loads(index_text(["a"])).reads("a.md")
    one.save(world.folder)
    first = world.report()
    assert first.read == len(one.data())
    assert world.report().read == 0
    before = len(one.data())
    one.reads("a.md").save(world.folder)
    world.session(TWO, now=START + 5000).typed("go").save(world.folder)
    second = world.report()
    assert second.of("a.md").reads == 2
    assert 0 < second.read < before + 2000
    assert len(second.sessions) == 2


def test_adding_line_by_line_ends_equal_to_one_reading(world: World, tmp_path: Path) -> None:
    one = world.session(ONE).typed("go").context().loads(index_text(["a", "b"])).reads("a.md").writes("b.md")
    one.typed("remember").says("Saved to memory.").typed("and").says("Saved to memory.").writes("a.md")
    lines, one.lines = one.lines, []
    for line in lines:
        one.raw(line).save(world.folder)
        grown = world.report()
    reader = world.reader(state=tmp_path / "fresh")
    whole = reader.update()
    reader.close()
    assert (grown.usage, grown.sessions) == (whole.usage, whole.sessions)
    assert [claim.line for session in whole.sessions for claim in session.claims] == [9]


def test_what_a_deleted_transcript_proved_stays(world: World) -> None:
    path = world.session(ONE).typed("go").loads(index_text(["a"])).reads("a.md").save(world.folder)
    before = world.report()
    path.unlink()
    after = world.report()
    assert after.of("a.md") == before.of("a.md")
    assert after.transcripts == 0
    assert [session.gone for session in (*before.sessions, *after.sessions)] == [False, True]


def test_a_copy_of_a_session_counts_once(world: World) -> None:
    one = world.session(ONE).typed("go").loads(index_text(["a"])).reads("a.md")
    one.save(world.folder)
    copy = world.session(TWO)
    copy.lines = [line.replace(ONE.encode(), TWO.encode()) for line in one.lines]
    copy.typed("on").reads("a.md").save(world.folder)
    assert world.report().of("a.md").reads == 2


def test_a_background_save_that_is_also_a_call_counts_once(world: World) -> None:
    saved = [str(world.memory / "a.md")]
    one = (
        world.session(ONE)
        .typed("go")
        .writes("a.md")
        .put("system", subtype="memory_saved", writtenPaths=saved)
    )
    one.now += 3600
    one.put("system", subtype="memory_saved", writtenPaths=saved).save(world.folder)
    usage = world.report().of("a.md")
    assert [writer.background for writer in usage.written_by] == [True, False]


def test_a_transcript_of_the_same_name_that_is_another_is_read_anew(world: World) -> None:
    path = world.session(ONE).typed("go").typed("remember").says("Saved to memory.").save(world.folder)
    assert len(world.report().sessions[0].claims) == 1
    path.unlink()
    world.session(ONE).typed("go").reads("a.md").reads("a.md").says("ok").save(world.folder)
    report = world.report()
    assert report.of("a.md").reads == 2
    assert report.sessions[0].claims == ()


# ------------------------------------------------------------------ which transcripts


def test_work_trees_and_subfolders_of_the_project_belong_and_neighbours_do_not(world: World) -> None:
    tree = world.home / "tree"
    names = world.project / ".git" / "worktrees" / "tree"
    for folder in (tree, names, world.project / "sub", world.home / "project-sub"):
        folder.mkdir(parents=True)
    (names / "gitdir").write_text(f"{tree}/.git\n")
    for number, cwd in enumerate(
        (world.project, tree, world.project / "sub", world.home / "project-other", world.home / "else")
    ):
        session = world.session(f"{number}" * 8, cwd=cwd).typed("go").context().reads("a.md")
        session.save(world.projects / project_slug(str(cwd)))
    assert {session.session for session in world.report().sessions} == {"0" * 8, "1" * 8, "2" * 8}


def test_a_folder_that_says_it_loaded_the_directory_belongs(world: World) -> None:
    memory = world.home / "notes" / "memory"
    memory.mkdir(parents=True)
    loaded = Transcript(memory, session=ONE, cwd="/gone").typed("go").loads(index_text(["a"]))
    loaded.save(world.projects / "-gone")
    world.session(TWO).typed("go").loads(index_text(["b"])).save(world.folder)
    reader = world.reader(memory)
    report = reader.update()
    reader.close()
    assert states(report) == {ONE: LoadState.WHOLE}
    assert set(report.usage) == {"a.md"}


def test_a_folder_is_looked_at_again_when_it_has_changed(world: World) -> None:
    other = world.projects / f"{world.folder.name}-sub"
    world.session(ONE, cwd=Path("/gone")).typed("go").save(other)
    assert world.report().sessions == ()
    world.session(TWO, cwd=Path("/gone"), now=START + 99).typed("go").loads(index_text(["a"])).save(other)
    assert set(states(world.report())) == {ONE, TWO}


def test_two_stores_share_the_file_and_keep_apart(world: World) -> None:
    world.session(ONE).typed("go").loads(index_text(["a"])).save(world.folder)
    other = World(world.home.parent / "second")
    other.state = world.state
    other.session(TWO).typed("go").loads(index_text(["b"])).save(other.folder)
    assert set(world.report().usage) == {"a.md"}
    assert set(other.report().usage) == {"b.md"}
    assert set(world.report().usage) == {"a.md"}


def test_no_transcripts_at_all_is_an_empty_report(world: World, tmp_path: Path) -> None:
    reader = UsageReader(tmp_path / "nowhere", environ={}, home=tmp_path / "nobody", state_dir=None)
    report = reader.update()
    assert (report.sessions, dict(report.usage), report.transcripts, report.knows) == ((), {}, 0, False)


def test_links_and_pipes_among_the_transcripts_are_passed_by(world: World) -> None:
    real = world.session(ONE).typed("go").reads("a.md").save(world.home)
    (world.folder / f"{TWO}.jsonl").symlink_to(real)
    (world.folder / "folder.jsonl").mkdir()
    assert world.report().transcripts == 0


# ------------------------------------------------------------------ the file


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def old(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("CREATE TABLE files (a)")


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE notes (text)")


def torn(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


@pytest.mark.parametrize("harm", [garbage, old, foreign, torn])
def test_a_file_that_is_no_index_of_ours_is_made_anew(world: World, harm: Callable[[Path], None]) -> None:
    world.session(ONE).typed("go").loads(index_text(["a"])).reads("a.md").save(world.folder)
    right = world.report()
    path = world.state / INDEX_FILE
    if harm is not torn:
        path.unlink()
    harm(path)
    report = world.report()
    assert report.trouble == "rebuilt"
    assert (report.usage, report.sessions) == (right.usage, right.sessions)
    assert world.report().trouble == ""
    assert world.report().read == 0


def test_a_file_that_somebody_holds_is_done_without(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.claude.usage_index._BUSY_SECONDS", 0.01)
    world.session(ONE).typed("go").reads("a.md").save(world.folder)
    world.report()
    held = sqlite3.connect(world.state / INDEX_FILE, isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    report = world.report()
    held.execute("ROLLBACK")
    held.close()
    assert report.trouble == "locked"
    assert report.of("a.md").reads == 1
    assert world.report().trouble == ""


def test_a_file_that_is_taken_away_while_open_is_done_without(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.claude.usage_index._BUSY_SECONDS", 0.01)
    one = world.session(ONE).typed("go").reads("a.md")
    one.save(world.folder)
    reader = world.reader()
    reader.update()
    held = sqlite3.connect(world.state / INDEX_FILE, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    one.reads("a.md").save(world.folder)
    report = reader.update()
    held.close()
    assert (report.trouble, report.of("a.md").reads) == ("locked", 2)
    assert reader.update().of("a.md").reads == 2
    reader.close()


def test_a_state_folder_that_cannot_be_made_is_done_without(world: World) -> None:
    world.session(ONE).typed("go").reads("a.md").save(world.folder)
    world.state.write_text("a file stands where the folder should be")
    report = world.report()
    assert (report.trouble, report.of("a.md").reads) == ("unusable", 1)
    assert world.state.read_text().startswith("a file")


def test_a_link_in_place_of_the_file_is_not_followed(world: World, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    world.state.mkdir()
    (world.state / INDEX_FILE).symlink_to(target)
    world.session(ONE).typed("go").reads("a.md").save(world.folder)
    assert world.report().of("a.md").reads == 1
    assert target.read_text() == "precious"


def test_the_file_keeps_no_words_of_anybody_and_is_its_owners(world: World) -> None:
    world.session(ONE).typed("zebra prompt").loads("- [A](a.md) — zebra description").does(
        "Write", file_path=str(world.memory / "a.md"), content="zebra content"
    ).typed("remember zebra").says("zebra saved. Saved to memory.").says(
        '<cc-memory filenames="a.md">zebra sentence</cc-memory>'
    ).save(world.folder)
    assert len(world.report().sessions[0].claims) == 1
    path = world.state / INDEX_FILE
    assert b"zebra" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


def test_nothing_is_changed_where_the_transcripts_and_memories_lie(world: World) -> None:
    world.session(ONE).typed("go").reads("a.md").save(world.folder)
    before = {path: path.lstat().st_mtime_ns for path in world.home.rglob("*")}
    world.report()
    assert {path: path.lstat().st_mtime_ns for path in world.home.rglob("*")} == before


def test_two_processes_at_once_lose_nothing_and_count_nothing_twice(world: World) -> None:
    make_many(world.folder, world.memory, 40, 400_000, [f"t{n}" for n in range(200)])
    code = (
        "import sys; from pathlib import Path; from memtui.claude.usage import UsageReader;"
        "h, m, s = map(Path, sys.argv[1:]); UsageReader(m, environ={}, home=h, state_dir=s).update()"
    )
    argv = [sys.executable, "-c", code, str(world.home), str(world.memory), str(world.state)]
    running = [subprocess.Popen(argv) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    together = world.report()
    reader = world.reader(state=world.home.parent / "alone")
    alone = reader.update()
    reader.close()
    assert (together.read, together.usage, together.sessions) == (0, alone.usage, alone.sessions)


# ------------------------------------------------------------------ progress and cancel


def test_progress_grows_to_the_whole_and_a_cancel_keeps_what_was_read(world: World) -> None:
    make_many(world.folder, world.memory, 10, 600_000, [f"t{n}" for n in range(200)])
    cancel = threading.Event()
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 3:
            cancel.set()

    reader = world.reader()
    first = reader.update(progress, cancel)
    assert len(seen) == 3
    assert 0 < first.read < seen[0][1]
    assert first.unread == seen[0][1] - first.read
    assert first.sessions
    second = reader.update(lambda done, total: seen.append((done, total)))
    reader.close()
    assert second.read == first.unread
    assert seen[-1] == (first.unread, first.unread)
    assert second.unread == 0
    fresh = world.reader(state=world.home.parent / "fresh")
    assert fresh.update().usage == second.usage
    fresh.close()


def test_a_cancel_within_one_long_transcript_goes_on_at_its_line(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.claude.transcripts._CHUNK_BYTES", 2000)
    one = world.session(ONE).typed("go").loads(index_text(["a"]))
    for _ in range(20):
        one.reads("a.md")
    one.save(world.folder)
    cancel = threading.Event()
    reader = world.reader()
    calls = 0
    while True:
        cancel.clear()
        report = reader.update(lambda done, total: cancel.set(), cancel)
        calls += 1
        if not report.unread:
            break
    reader.close()
    assert calls > 5
    assert report.of("a.md").reads == 20


def test_a_time_limit_ends_a_reading_and_the_next_one_goes_on(world: World) -> None:
    make_many(world.folder, world.memory, 5, 100_000, [f"t{n}" for n in range(200)])
    ticks = iter(range(1000))
    reader = UsageReader(
        world.memory,
        environ={},
        home=world.home,
        state_dir=world.state,
        cwd=world.project,
        timer=lambda: next(ticks),
    )
    report = reader.update(seconds=4)
    assert report.unread > 0
    assert reader.update().unread == 0
    reader.close()
