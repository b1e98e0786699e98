"""Spec §5, reliability §1: a change is made whole or not at all, and undone to the byte."""

from __future__ import annotations

import errno
import itertools
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.filenames import fitting, next_name
from memtui.memory.disk.files import MAX_FILE_BYTES, Folder
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.index.merge import merge_index
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Edit, Outcome
from tests.crash.faults import DEATH, LASTING, Died, FaultyDisk, QuietDisk

HISTORY = ".memtui/history"


def keep_as(rel: str, displaced: bytes) -> tuple[str, bytes]:
    return f"{HISTORY}/{rel.removesuffix('.md')}_v1.md", b"status: historical\n" + displaced


def open_journal(root: Path, disk: Disk | None = None, clock: Callable[[], float] = lambda: 1e9) -> Journal:
    folder = Folder(root, disk or Disk())
    return Journal(folder, clock=clock, merge_index=merge_index, keep_as=keep_as)


def names(folder: Path) -> list[str]:
    """Names in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())


def state(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file outside ``.memtui`` with bytes, mtime and mode; folders too."""
    found = {}
    for path in sorted(root.rglob("*")):
        if ".memtui" not in path.parts:
            info = path.stat()
            folder = path.is_dir()
            found[str(path.relative_to(root))] = (
                b"" if folder else path.read_bytes(),
                0 if folder else info.st_mtime_ns,
                stat.S_IMODE(info.st_mode),
            )
    return found


class Meddler(Disk):
    """Somebody else acts right before the n-th call of one kind."""

    def __init__(self, call: str, act: Callable[[], None], nth: int = 1) -> None:
        self.act = act
        self.call = call
        self.left = nth

    def _meddle(self, call: str) -> None:
        if call == self.call:
            self.left -= 1
            if self.left == 0:
                self.act()

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        self._meddle("exchange")
        super().exchange(one, other, from_fd=from_fd, to_fd=to_fd)

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        self._meddle("rename_noreplace")
        super().rename_noreplace(old, new, from_fd=from_fd, to_fd=to_fd)

    def link(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        self._meddle("link")
        super().link(old, new, from_fd=from_fd, to_fd=to_fd)

    def pause(self, seconds: float) -> None:
        self._meddle("pause")


def test_spec_5_a_new_memory_its_folder_and_its_index_line(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    journal = open_journal(root)
    outcome = journal.commit(
        "new", [Edit("sub/a.md", None, b"a"), Edit("MEMORY.md", None, b"- a\n", "index")], slugs=["sub/a"]
    )
    assert (root / "sub" / "a.md").read_bytes() == b"a"
    assert (root / "MEMORY.md").read_bytes() == b"- a\n"
    assert not outcome.index_pending
    assert outcome.kept == ()
    assert outcome.record.id == 1
    assert outcome.record.slugs == ("sub/a",)
    own = root / ".memtui"
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert {path.name for path in own.iterdir()} == {".gitignore", "journal.jsonl", "objects"}
    journal.undo()
    assert state(root) == {}


def test_spec_5_undo_and_redo_restore_bytes_times_and_modes_across_restarts(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"# N\n- a\n")
    (tmp_path / "a.md").write_bytes(b"one")
    os.utime(tmp_path / "a.md", ns=(1, 1_234_567_890_123_456_789))
    (tmp_path / "a.md").chmod(0o600)
    (tmp_path / "b.md").write_bytes(b"b")
    changes = [
        [
            Edit("a.md", b"one", b"two"),
            Edit("a_v1.md", None, b"old one", "archive", mtime_ns=1_234_567_890_123_456_789),
            Edit("MEMORY.md", b"# N\n- a\n", b"# N\n- a2\n", "index"),
        ],
        [Edit("x/y/c.md", None, b"c")],
        [Edit("a.md", b"two", None, trash=True), Edit("MEMORY.md", b"# N\n- a2\n", b"# N\n", "index")],
        [Edit("b.md", b"b", None), Edit("x/y/c.md", b"c", b"merged")],
        [Edit("MEMORY.md", b"# N\n", None, "index")],
    ]
    states = [state(tmp_path)]
    for edits in changes:
        open_journal(tmp_path).commit("change", edits, slugs=[])
        states.append(state(tmp_path))
    assert states[1]["a_v1.md"] == (b"old one", 1_234_567_890_123_456_789, 0o600)
    assert states[1]["a.md"][2] == 0o600
    for _ in range(2):
        for expected in reversed(states[:-1]):
            open_journal(tmp_path).undo()
            assert state(tmp_path) == expected
        assert open_journal(tmp_path).undoable() is None
        with pytest.raises(UsageError):
            open_journal(tmp_path).undo()
        for expected in states[1:]:
            open_journal(tmp_path).redo()
            assert state(tmp_path) == expected
        assert open_journal(tmp_path).redoable() is None


def test_spec_5_a_new_change_after_an_undo_leaves_nothing_to_redo(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.commit("one", [Edit("a.md", None, b"1")], slugs=[])
    journal.undo()
    redoable = journal.redoable()
    assert redoable is not None
    assert (redoable.kind, redoable.of) == ("undo", 1)
    journal.commit("two", [Edit("b.md", None, b"2")], slugs=[])
    assert journal.redoable() is None
    with pytest.raises(UsageError):
        journal.redo()
    undoable = journal.undoable()
    assert undoable is not None
    assert undoable.label == "two"
    assert [record.kind for record in journal.records()] == ["do", "undo", "do"]


@pytest.mark.parametrize("theirs", [b"theirs", None])
def test_spec_5_a_conflict_writes_nothing_and_gives_all_three_texts(
    theirs: bytes | None, tmp_path: Path
) -> None:
    (tmp_path / "b.md").write_bytes(b"b")
    if theirs is not None:
        (tmp_path / "a.md").write_bytes(theirs)
    before = state(tmp_path)
    with pytest.raises(Conflict) as caught:
        open_journal(tmp_path).commit(
            "x", [Edit("b.md", b"b", b"B"), Edit("a.md", b"base", b"mine")], slugs=[]
        )
    assert (caught.value.base, caught.value.mine, caught.value.theirs) == (b"base", b"mine", theirs)
    assert state(tmp_path) == before
    assert not (tmp_path / ".memtui").exists()


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_spec_5_a_new_memory_never_replaces(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    if kind == "file":
        target.write_bytes(b"theirs")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to("nowhere")
    with pytest.raises((Conflict, Refused)):
        open_journal(tmp_path).commit("x", [Edit("a.md", None, b"mine")], slugs=[])
    assert names(tmp_path) == ["a.md"]


def test_spec_5_undo_is_refused_with_the_texts_when_somebody_changed_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    journal = open_journal(tmp_path)
    journal.commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    (tmp_path / "a.md").write_bytes(b"theirs")
    with pytest.raises(Conflict) as caught:
        journal.undo()
    assert (caught.value.base, caught.value.mine, caught.value.theirs) == (b"two", b"one", b"theirs")
    assert (tmp_path / "a.md").read_bytes() == b"theirs"


def test_spec_5_undo_leaves_an_archive_that_is_no_longer_as_written(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    journal = open_journal(tmp_path)
    journal.commit("x", [Edit("a.md", b"one", b"two"), Edit("a_v1.md", None, b"old", "archive")], slugs=[])
    (tmp_path / "a_v1.md").write_bytes(b"annotated by hand")
    journal.undo()
    assert (tmp_path / "a_v1.md").read_bytes() == b"annotated by hand"
    journal.redo()
    assert (tmp_path / "a_v1.md").read_bytes() == b"annotated by hand"
    assert (tmp_path / "a.md").read_bytes() == b"two"


def test_spec_5_undo_of_an_index_that_others_changed_takes_back_only_our_lines(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"- [A](a.md)\n")
    journal = open_journal(tmp_path)
    journal.commit(
        "x",
        [
            Edit("b.md", None, b"b"),
            Edit("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md)\n- [B](b.md)\n", "index"),
        ],
        slugs=[],
    )
    with (tmp_path / "MEMORY.md").open("ab") as file:
        file.write(b"- [C](c.md)\n")
    journal.undo()
    assert (tmp_path / "MEMORY.md").read_bytes() == b"- [A](a.md)\n- [C](c.md)\n"


def test_reliability_1_a_version_written_in_the_last_instant_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"one")
    (tmp_path / HISTORY).mkdir(parents=True)
    (tmp_path / HISTORY / "a_v1.md").write_bytes(b"taken")

    def replace() -> None:
        (tmp_path / "new").write_bytes(b"late")
        os.utime(tmp_path / "new", ns=(5 * 10**17, 5 * 10**17))
        (tmp_path / "new").replace(target)

    journal = open_journal(tmp_path, Meddler("exchange", replace))
    outcome = journal.commit("x", [Edit("a.md", b"one", b"two")], slugs=["a"])
    assert outcome.kept == (f"{HISTORY}/a_v2.md",)
    kept = tmp_path / HISTORY / "a_v2.md"
    assert kept.read_bytes() == b"status: historical\nlate"
    assert kept.stat().st_mtime_ns == 5 * 10**17
    assert (tmp_path / HISTORY / "a_v1.md").read_bytes() == b"taken"
    assert target.read_bytes() == b"two"
    journal.undo()
    assert target.read_bytes() == b"late"


def test_reliability_1_bytes_written_through_a_descriptor_opened_before_are_kept(tmp_path: Path) -> None:
    """An agent opens the file, we replace it, and only then the agent writes: into the file that lost its name."""
    target = tmp_path / "a.md"
    target.write_bytes(b"one")
    agent = os.open(target, os.O_WRONLY)

    def write() -> None:
        os.write(agent, b"through an old descriptor")
        os.close(agent)

    disk = Meddler("pause", write, nth=3)
    outcome = open_journal(tmp_path, disk).commit("x", [Edit("a.md", b"one", b"two")], slugs=["a"])
    if disk.left > 0:
        os.close(agent)
        pytest.skip("this system does not tell who has a file open for writing")
    assert target.read_bytes() == b"two"
    (kept,) = outcome.kept
    assert (tmp_path / kept).read_bytes() == b"status: historical\nthrough an old descriptor"


def test_reliability_1_a_file_that_stays_open_for_writing_goes_to_the_trash(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"one")
    agent = os.open(target, os.O_WRONLY)
    disk = Meddler("pause", lambda: None)
    outcome = open_journal(tmp_path, disk).commit("x", [Edit("a.md", b"one", b"two")], slugs=["a"])
    os.write(agent, b"much later")
    os.close(agent)
    if disk.left > 0:
        pytest.skip("this system does not tell who has a file open for writing")
    (kept,) = outcome.kept
    assert (tmp_path / kept).read_bytes() == b"much later"


def test_a_change_of_several_files_is_taken_back_when_a_later_one_conflicts(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    (tmp_path / "b.md").write_bytes(b"b")
    (tmp_path / "c.md").write_bytes(b"c")
    before = state(tmp_path)
    journal = open_journal(
        tmp_path, Meddler("rename_noreplace", lambda: void((tmp_path / "c.md").write_bytes(b"late")), nth=2)
    )
    edits = [
        Edit("a.md", b"a", b"A"),
        Edit("n/d.md", None, b"d"),
        Edit("b.md", b"b", None),
        Edit("c.md", b"c", None),
    ]
    with pytest.raises(Conflict) as caught:
        journal.commit("merge", edits, slugs=[])
    assert caught.value.theirs == b"late"
    after = state(tmp_path)
    assert after.pop("c.md")[0] == b"late"
    before.pop("c.md")
    assert after == before
    assert journal.records() == []
    assert journal.recover() == ()


def void(_: object) -> None:
    """For a callback whose result nobody wants."""


def test_reliability_1_archive_names_are_never_taken_twice(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    for number in (2, 3):
        (tmp_path / f"a_v{number}.md").write_bytes(b"taken")
    outcome = open_journal(tmp_path).commit(
        "x", [Edit("a.md", b"one", b"two"), Edit("a_v2.md", None, b"old", "archive")], slugs=[]
    )
    assert outcome.record.archived == ("a_v4.md",)
    assert (tmp_path / "a_v4.md").read_bytes() == b"old"
    assert (tmp_path / "a_v2.md").read_bytes() == b"taken"


def test_reliability_1_lines_that_come_into_the_index_meanwhile_survive(tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"- [A](a.md)\n")
    disk = Meddler("exchange", lambda: void(index.write_bytes(b"- [A](a.md)\n- [X](x.md)\n")))
    journal = open_journal(tmp_path, disk)
    edit = Edit("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md)\n- [B](b.md)\n", "index")
    outcome = journal.commit("x", [Edit("b.md", None, b"b"), edit], slugs=[])
    assert not outcome.index_pending
    assert set(index.read_bytes().splitlines()) == {b"- [A](a.md)", b"- [X](x.md)", b"- [B](b.md)"}
    journal.undo()
    assert index.read_bytes() == b"- [A](a.md)\n- [X](x.md)\n"


def test_reliability_1_an_index_in_the_way_leaves_the_memory_saved_and_the_index_pending(
    tmp_path: Path,
) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"- [A](a.md)\n")
    (tmp_path / "a.md").write_bytes(b"a")

    def block() -> None:
        index.unlink()
        index.mkdir()

    journal = open_journal(tmp_path, Meddler("exchange", block))
    edit = Edit("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md) - new\n", "index")
    outcome = journal.commit("x", [Edit("a.md", b"a", b"A"), edit], slugs=[])
    assert outcome.index_pending
    assert (tmp_path / "a.md").read_bytes() == b"A"
    assert len(journal.records()) == 1
    journal.commit("y", [Edit("a.md", b"A", b"AA")], slugs=[])  # work goes on
    index.rmdir()
    index.write_bytes(b"- [A](a.md)\n")
    (said,) = open_journal(tmp_path).recover()
    assert "Finished" in said
    assert index.read_bytes() == b"- [A](a.md) - new\n"
    assert open_journal(tmp_path).recover() == ()


def test_spec_5_forget_keeps_the_file_in_the_trash_until_undone(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_bytes(b"a")
    journal = open_journal(tmp_path)
    outcome = journal.commit("forget", [Edit("sub/a.md", b"a", None, trash=True)], slugs=["sub/a"])
    assert outcome.record.trashed == {".memtui/trash/1-sub--a.md": "sub/a.md"}
    trashed = tmp_path / ".memtui" / "trash" / "1-sub--a.md"
    assert trashed.read_bytes() == b"a"
    journal.undo()
    assert not trashed.exists()
    assert (tmp_path / "sub" / "a.md").read_bytes() == b"a"
    redone = journal.redo()
    assert redone.record.trashed == {".memtui/trash/1-sub--a.md": "sub/a.md"}
    assert trashed.read_bytes() == b"a"


def test_reliability_3_a_link_inside_is_written_through_and_one_outside_refused(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "b.md").write_bytes(b"b")
    (root / "l.md").symlink_to("sub/b.md")
    (tmp_path / "secret").write_bytes(b"s")
    (root / "out.md").symlink_to("../secret")
    (root / "away").symlink_to(tmp_path)
    journal = open_journal(root)
    journal.commit("x", [Edit("l.md", b"b", b"B")], slugs=[])
    assert (root / "l.md").is_symlink()
    assert (root / "sub" / "b.md").read_bytes() == b"B"
    for edit in (
        Edit("out.md", b"s", b"S"),
        Edit("away/secret", b"s", b"S"),
        Edit("away/new.md", None, b"n"),
        Edit("../secret", b"s", b"S"),
        Edit("l.md", b"B", None),
    ):
        with pytest.raises(Refused):
            journal.commit("x", [edit], slugs=[])
    assert (tmp_path / "secret").read_bytes() == b"s"
    assert sorted(names(tmp_path)) == ["memory", "secret"]


def test_a_text_larger_than_what_is_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="more than"):
        open_journal(tmp_path).commit("x", [Edit("a.md", None, b"x" * (MAX_FILE_BYTES + 1))], slugs=[])
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission"),
        (errno.EDQUOT, "quota"),
        (errno.EMFILE, "too many files"),
        (errno.EIO, "disk reported an error"),
    ],
)
def test_design_7_disk_errors_say_what_where_and_what_to_do(number: int, words: str, tmp_path: Path) -> None:
    class Failing(Disk):
        def fsync(self, fd: int) -> None:
            raise OSError(number, os.strerror(number))

    with pytest.raises(Refused) as caught:
        open_journal(tmp_path, Failing()).commit("x", [Edit("a.md", None, b"a")], slugs=[])
    assert words in str(caught.value)
    assert caught.value.where == "a.md"
    assert caught.value.todo
    assert not (tmp_path / "a.md").exists()


def test_reliability_1_a_failed_fsync_is_not_tried_again_on_the_same_file(tmp_path: Path) -> None:
    opened: list[str] = []
    failed: list[str] = []

    class FailsOnce(Disk):
        def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            if flags & os.O_EXCL:
                opened.append(path)
            return super().open(path, flags, mode, dir_fd=dir_fd)

        def fsync(self, fd: int) -> None:
            if opened and opened[-1].endswith(".part") and not failed:
                failed.append(opened[-1])
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            super().fsync(fd)

    open_journal(tmp_path, FailsOnce()).commit("x", [Edit("a.md", None, b"a")], slugs=[])
    assert (tmp_path / "a.md").read_bytes() == b"a"
    parts = [path for path in opened if path.endswith(".part")]
    assert len(parts) == 3  # the object twice, the file once
    assert parts[0] == parts[1]


def test_reliability_3_a_journal_of_nonsense_is_passed_over(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.commit("x", [Edit("a.md", None, b"a")], slugs=[])
    path = tmp_path / ".memtui" / "journal.jsonl"
    begin = path.read_bytes().splitlines()[1]
    with path.open("ab") as file:
        file.write(b"\nnull\n[1]\n{}\n\xff\xfe\n" + b"[" * 100_000 + b"\n")
        file.write(begin.replace(b'"a.md"', b'"../../evil.md"').replace(b'"key":"', b'"key":"f') + b"\n")
        file.write(begin.replace(b'"before"', b'"x"').replace(b'"temp":".', b'"temp":"a') + b"\n")
        file.write(b'{"t":"begin","id":7,"at"')
    again = open_journal(tmp_path)
    assert [record.label for record in again.records()] == ["x"]
    again.commit("y", [Edit("b.md", None, b"b")], slugs=[])
    assert [record.label for record in open_journal(tmp_path).records()] == ["x", "y"]
    open_journal(tmp_path).undo()
    assert not (tmp_path / "b.md").exists()


def test_reliability_3_a_journal_that_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".memtui").mkdir()
    os.mkfifo(tmp_path / ".memtui" / "journal.jsonl")
    with pytest.raises(Refused):
        open_journal(tmp_path).commit("x", [Edit("a.md", None, b"a")], slugs=[])
    assert not (tmp_path / "a.md").exists()


def test_a_journal_object_is_checked_before_it_is_believed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one")
    journal = open_journal(tmp_path)
    journal.commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    (change,) = journal.records()[0].changes
    assert change.before is not None
    assert journal.object(change.before) == b"one"
    (tmp_path / ".memtui" / "objects" / change.before).write_bytes(b"forged")
    with pytest.raises(Refused, match="damaged"):
        journal.undo()
    assert (tmp_path / "a.md").read_bytes() == b"two"
    journal.commit("y", [Edit("b.md", None, b"one")], slugs=[])
    assert journal.object(change.before) == b"one"  # mended from the same bytes


def test_reliability_1_files_left_by_an_unknown_crash_are_cleared_up(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_bytes(b"now")
    dead = "4194303.00112233445501"
    (tmp_path / f".x.md.{dead}.part").write_bytes(b"torn")
    (tmp_path / "sub" / f".a.md.{dead}.swap").write_bytes(b"a version nobody else has")
    (tmp_path / "sub" / f".a.md.{dead}7.swap").write_bytes(b"now")
    (tmp_path / ".mine.part").write_bytes(b"not ours")
    os.mkfifo(tmp_path / f".p.md.{dead}.swap")
    before = names(tmp_path)
    journal = open_journal(tmp_path)
    assert names(tmp_path) == before
    (said,) = journal.recover()
    assert f"{HISTORY}/sub/a_v1.md" in said
    assert (tmp_path / HISTORY / "sub" / "a_v1.md").read_bytes().endswith(b"a version nobody else has")
    assert names(tmp_path / "sub") == ["a.md"]
    assert (tmp_path / ".mine.part").exists()
    assert not (tmp_path / f".x.md.{dead}.part").exists()
    assert journal.recover() == ()


def test_spec_5_recovering_where_there_is_nothing_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    journal = open_journal(tmp_path)
    assert journal.recover() == ()
    assert journal.records() == []
    assert journal.undoable() is None
    assert names(tmp_path) == ["a.md"]


@given(st.text(min_size=1, max_size=20).filter(lambda name: "/" not in name and "\0" not in name))
def test_next_names_are_new(name: str) -> None:
    seen = {name}
    for _ in range(4):
        name = next_name(name)
        assert name not in seen
        seen.add(name)


def test_next_name_counts_versions() -> None:
    assert next_name("h/a_v9.md") == "h/a_v10.md"
    assert next_name("t/3-a.md") == "t/3-a-2.md"
    assert next_name("t/3-a-2.md") == "t/3-a-3.md"


NAMES = st.sampled_from(["a.md", "b.md", "sub/c.md", "长名字" * 25 + ".md", "n" * 250 + ".md"])


@settings(max_examples=25)
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(NAMES, st.one_of(st.none(), st.binary(max_size=30))), st.sampled_from(["undo", "redo"])
        ),
        max_size=12,
    )
)
def test_spec_5_any_sequence_of_changes_undos_and_redos_equals_a_model(
    steps: list[tuple[str, bytes | None] | str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("model")
    model: dict[str, bytes] = {}
    done: list[dict[str, bytes]] = []
    undone: list[dict[str, bytes]] = []
    for step in steps:
        journal = open_journal(root)
        if isinstance(step, tuple):
            rel, after = step
            before = model.get(rel)
            if before is None and after is None:
                continue
            journal.commit("step", [Edit(rel, before, after, trash=after is None)], slugs=[])
            done.append(dict(model))
            undone.clear()
            model.pop(rel, None)
            if after is not None:
                model[rel] = after
        else:
            source, target = (done, undone) if step == "undo" else (undone, done)
            if source:
                target.append(dict(model))
                model = source.pop()
                journal.undo() if step == "undo" else journal.redo()
            else:
                with pytest.raises(UsageError):
                    journal.undo() if step == "undo" else journal.redo()
        files = {rel: data for rel, (data, _, _) in state(root).items() if not (root / rel).is_dir()}
        assert files == model


@given(st.text(min_size=1, max_size=300).filter(lambda name: "/" not in name and "\0" not in name))
def test_a_cut_name_fits_and_keeps_its_ending(name: str) -> None:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return
    cut = fitting(f"h/{name}_v12.md")
    assert len(os.fsencode(cut)) <= 242
    assert cut.endswith("_v12.md")
    assert cut.startswith("h/")


def test_a_memory_with_the_longest_possible_name_can_be_changed_archived_and_forgotten(
    tmp_path: Path,
) -> None:
    rel = "n" * 252 + ".md"
    (tmp_path / rel).write_bytes(b"one")
    journal = open_journal(tmp_path)
    edits = [Edit(rel, b"one", b"two"), Edit(f"{'n' * 252}_v1.md", None, b"old", "archive")]
    outcome = journal.commit("x", edits, slugs=[])
    assert not outcome.index_pending
    assert (tmp_path / outcome.record.archived[0]).read_bytes() == b"old"
    assert not journal.commit("y", [Edit(rel, b"two", None, trash=True)], slugs=[]).index_pending
    journal.undo()
    journal.undo()
    assert (tmp_path / rel).read_bytes() == b"one"


def test_reliability_1_an_index_displaced_in_the_last_instant_is_back_before_anybody_misses_its_line(
    tmp_path: Path,
) -> None:
    """An agent that read our index in between would write its own without the line it had just added."""
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"- [A](a.md)\n")
    theirs = b"- [A](a.md)\n- [X](x.md)\n"
    seen: list[bytes] = []

    class Watching(Meddler):
        def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            if flags & os.O_EXCL and self.left <= 0:
                seen.append(index.read_bytes())
            return super().open(path, flags, mode, dir_fd=dir_fd)

    journal = open_journal(tmp_path, Watching("exchange", lambda: void(index.write_bytes(theirs))))
    edit = Edit("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md)\n- [B](b.md)\n", "index")
    journal.commit("x", [Edit("b.md", None, b"b"), edit], slugs=[])
    assert seen
    assert all(b"(x.md)" in text for text in seen)
    assert set(index.read_bytes().splitlines()) == {b"- [A](a.md)", b"- [X](x.md)", b"- [B](b.md)"}


class Adding(QuietDisk):
    """Somebody adds a line to the index, by a rename, right before each of the first so many exchanges or renames."""

    def __init__(self, index: Path, most: int) -> None:
        self.index, self.most, self.lines = index, most, list[bytes]()

    def _add(self, *names: str) -> None:
        if self.index.name in names and len(self.lines) < self.most:
            self.lines.append(b"- [X](x%d.md)" % len(self.lines))
            other = self.index.with_name(".other")
            other.write_bytes(self.index.read_bytes() + self.lines[-1] + b"\n")
            other.rename(self.index)

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        self._add(one, other)
        super().exchange(one, other, from_fd=from_fd, to_fd=to_fd)


def _add_b(root: Path, disk: Disk) -> Outcome:
    edit = Edit("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md)\n- [B](b.md)\n", "index")
    return open_journal(root, disk).commit("x", [Edit("b.md", None, b"b"), edit], slugs=[])


def test_reliability_1_lines_of_somebody_who_never_stops_are_kept_until_the_index_can_be_put_in_place(
    tmp_path: Path,
) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"- [A](a.md)\n")
    disk = Adding(index, 1_000)
    assert _add_b(tmp_path, disk).index_pending
    assert len(disk.lines) > 8
    open_journal(tmp_path).recover()
    assert sorted(index.read_bytes().splitlines()) == sorted([b"- [A](a.md)", b"- [B](b.md)", *disk.lines])
    assert open_journal(tmp_path).recover() == ()
    assert names(tmp_path) == [".memtui", "MEMORY.md", "b.md"]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_reliability_1_a_death_loses_no_line_that_came_into_the_index_meanwhile(
    tmp_path: Path, most: int
) -> None:
    for at in itertools.count(1):
        root = tmp_path / str(at)
        root.mkdir()
        index = root / "MEMORY.md"
        index.write_bytes(b"- [A](a.md)\n")
        theirs = Adding(index, most)
        disk = FaultyDisk(at, DEATH, theirs, LASTING)
        with suppress(Died):
            _add_b(root, disk)
        for again in itertools.count(1):  # the recovery dies at each of its calls, too
            second = FaultyDisk(again, DEATH, QuietDisk(), LASTING)
            with suppress(Died):
                open_journal(root, second).recover()
            if second.struck is None:
                break
        lines = index.read_bytes().splitlines()
        assert set(theirs.lines) <= set(lines), (at, disk.struck)
        assert len(lines) == len(set(lines)), (at, disk.struck)
        if disk.struck is None:
            break


@pytest.mark.parametrize("most", range(1, 8))
def test_spec_5_undo_leaves_the_lines_that_came_into_the_index_meanwhile(tmp_path: Path, most: int) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"- [A](a.md)\n")
    disk = Adding(index, most)
    assert not _add_b(tmp_path, disk).index_pending
    open_journal(tmp_path).undo()
    assert sorted(index.read_bytes().splitlines()) == sorted([b"- [A](a.md)", *disk.lines])
