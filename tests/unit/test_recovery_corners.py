"""Reliability §1, §3: what recovery and the journal do with what they cannot read, and with what somebody else wrote."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder, Unreadable, digest_of
from memtui.memory.disk.own_folder import make_root
from memtui.memory.disk.writing import Part, Writer
from memtui.memory.errors import Conflict
from memtui.memory.saving import record_lines
from memtui.memory.saving.journal import stacks_of
from memtui.memory.saving.records import Edit, Record
from tests.crash.faults import Died, NoExchange, QuietDisk, is_leftover
from tests.hostile.forging import DEAD, MEMORY, PAYLOAD, change, put_object, write_journal
from tests.unit.test_journal import open_journal
from tests.unit.test_saving_corners import files, meddled, trashed, write


def die() -> None:
    raise Died


class DiesOnceThrown(QuietDisk):
    """A process that dies when a file has come to the trash, and before the record is ended."""

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().rename_noreplace(old, new, from_fd=from_fd, to_fd=to_fd)
        if new.startswith("1-"):
            raise Died


def left_by_a_crash(root: Path, edits: list[Edit], disk: Disk) -> None:
    """What stands there once a process died in a change."""
    with pytest.raises(Died):
        open_journal(root, disk).commit("x", edits, slugs=[])


def settled(root: Path) -> None:
    """Recovered, and for good."""
    journal = open_journal(root)
    journal.recover()
    now = files(root)
    assert journal.recover() == ()
    assert files(root) == now
    assert not [path for path in root.rglob("*") if is_leftover(path.name)]


def test_a_forgotten_file_that_is_in_the_trash_already_is_found_there_by_its_bytes(tmp_path: Path) -> None:
    for others, place in (([], "1-a.md"), (["one", "two"], "1-a-3.md")):
        shutil.rmtree(tmp_path / ".memtui", ignore_errors=True)
        write(tmp_path, a="text of a")
        (tmp_path / ".memtui/trash").mkdir(parents=True)
        for name, text in zip(("1-a.md", "1-a-2.md"), others, strict=False):
            (tmp_path / ".memtui/trash" / name).write_text(text)
        # After the move to the trash nothing but the end of the record is missing.
        left_by_a_crash(tmp_path, [Edit("a.md", b"text of a", None, trash=True)], DiesOnceThrown())
        settled(tmp_path)
        (record,) = open_journal(tmp_path).records()
        assert record.trashed == {f".memtui/trash/{place}": "a.md"}
        assert trashed(tmp_path).count(b"text of a") == 1
        open_journal(tmp_path).undo()
        assert files(tmp_path) == {"a.md": b"text of a"}


def test_a_forgotten_file_whose_folder_is_gone_by_then_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", a="one")
    left_by_a_crash(tmp_path, [Edit("sub/a.md", b"one", None, trash=True)], DiesOnceThrown())
    shutil.rmtree(tmp_path / "sub")
    settled(tmp_path)
    assert files(tmp_path) == {}
    open_journal(tmp_path).undo()
    assert files(tmp_path) == {"sub/a.md": b"one"}


def test_an_archive_of_two_names_is_withdrawn_by_both(tmp_path: Path) -> None:
    write(tmp_path, a="one")
    edits = [Edit("a.md", b"one", b"two"), Edit("a_v1.md", None, b"one", "archive")]
    open_journal(tmp_path).commit("x", edits, slugs=[])
    with pytest.raises(Died):
        open_journal(tmp_path, meddled(NoExchange, {("unlink", "a_v1.md", 1): die})).undo()
    assert (tmp_path / "a_v1.md").stat().st_nlink == 2
    settled(tmp_path)
    assert files(tmp_path) == {"a.md": b"one"}


def test_what_is_written_to_a_displaced_file_at_the_very_end_is_kept(tmp_path: Path) -> None:
    write(tmp_path, a="one")
    fd = os.open(tmp_path / "a.md", os.O_WRONLY | os.O_APPEND)
    disk = meddled(QuietDisk, {("unlink", ".a.md", 1): lambda: os.write(fd, b" and more")})
    outcome = open_journal(tmp_path, disk).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    os.close(fd)
    assert (tmp_path / "a.md").read_bytes() == b"two"
    kept = [data for rel, data in files(tmp_path).items() if "history" in rel] + trashed(tmp_path)
    assert any(b"one and more" in data for data in kept)
    assert outcome.kept


def test_a_folder_that_took_the_place_in_the_last_instant_is_kept_in_the_trash(tmp_path: Path) -> None:
    write(tmp_path, a="one")

    def swap() -> None:
        (tmp_path / "a.md").unlink()
        (tmp_path / "a.md").mkdir()
        write(tmp_path / "a.md", inside="theirs")

    disk = meddled(QuietDisk, {("exchange", ".a.md", 1): swap})
    outcome = open_journal(tmp_path, disk).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    assert (tmp_path / "a.md").read_bytes() == b"two"
    (kept,) = outcome.kept
    assert (tmp_path / kept / "inside.md").read_text() == "theirs"


def test_a_file_that_is_not_there_is_not_what_a_change_was_based_on(tmp_path: Path) -> None:
    with pytest.raises(Conflict):
        open_journal(tmp_path).commit("x", [Edit("sub/a.md", b"one", b"two")], slugs=[])
    assert files(tmp_path) == {}


# -- what cannot be read -------------------------------------------------------------------------------------------


def test_a_disk_that_fails_stops_recovery_and_a_text_that_is_no_file_ends_the_record(tmp_path: Path) -> None:
    write(tmp_path, a="one")
    left_by_a_crash(
        tmp_path, [Edit("a.md", b"one", b"two")], meddled(QuietDisk, {("exchange", ".a.md", 1): die})
    )
    (digest, *_) = sorted(path.name for path in (tmp_path / ".memtui/objects").iterdir())

    class Broken(QuietDisk):
        def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            if path == digest:
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)
            return super().open(path, flags, mode, dir_fd=dir_fd)

    with pytest.raises(Unreadable):
        open_journal(tmp_path, Broken()).recover()
    assert files(tmp_path)["a.md"] == b"one"
    place = tmp_path / ".memtui/objects" / digest
    place.unlink()
    place.mkdir()
    write(place, inside="theirs")
    (said, *_) = open_journal(tmp_path).recover()
    assert "whose texts are gone" in said
    assert files(tmp_path)["a.md"] == b"one"
    assert open_journal(tmp_path).recover() == ()


def test_a_folder_in_the_place_of_an_object_keeps_nobody_from_saving_those_bytes(tmp_path: Path) -> None:
    place = tmp_path / ".memtui/objects" / digest_of(b"two")
    place.mkdir(parents=True)
    write(place, inside="theirs")
    write(tmp_path, a="one")
    open_journal(tmp_path).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    assert place.read_bytes() == b"two"
    (aside,) = (tmp_path / ".memtui/trash").iterdir()
    assert (aside / "inside.md").read_text() == "theirs"
    open_journal(tmp_path).undo()
    assert files(tmp_path) == {"a.md": b"one"}


def test_a_leftover_too_large_to_read_stays_and_one_that_goes_meanwhile_is_no_trouble(tmp_path: Path) -> None:
    large, going = (f".{name}.md.{DEAD}.00112233445501.swap" for name in "xy")
    with (tmp_path / large).open("wb") as stream:
        stream.truncate(1 << 40)
    (tmp_path / going).write_bytes(b"y")

    class Vanishing(QuietDisk):
        def lstat(self, path: str, *, dir_fd: int | None = None) -> os.stat_result:
            if path == going:
                (tmp_path / going).unlink(missing_ok=True)
            return super().lstat(path, dir_fd=dir_fd)

    assert open_journal(tmp_path, Vanishing()).recover() == ()
    assert [path.name for path in tmp_path.glob(".*.swap")] == [large]


def test_a_leftover_of_which_there_is_another_name_is_no_version_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, a="now", b="the same bytes as left")
    os.link(tmp_path / "b.md", tmp_path / f".a.md.{DEAD}.00112233445501.swap")
    assert open_journal(tmp_path).recover() == ()
    assert files(tmp_path) == {"a.md": b"now", "b.md": b"the same bytes as left"}


def test_a_file_that_did_not_open_is_looked_for_in_the_directory_that_stands_there_now(
    tmp_path: Path,
) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    write(root, a="one")
    folder = Folder(root)
    assert folder.read("a.md").data == b"one"
    root.rename(tmp_path / "aside")
    (tmp_path / "aside/b.md").write_text("old")
    root.mkdir()
    write(root, c="new")
    assert folder.read("c.md").data == b"new"
    with pytest.raises(FileNotFoundError):
        folder.read("b.md")


def test_a_file_that_is_being_written_is_unstable_and_a_file_system_without_locks_lets_one_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Leased(QuietDisk):
        def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            if path == "a.md":
                raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), path)
            return super().open(path, flags, mode, dir_fd=dir_fd)

    write(tmp_path, a="one")
    with pytest.raises(Unreadable) as caught:
        Folder(tmp_path, Leased()).read("a.md")
    assert caught.value.code == "unstable"
    folder = Folder(tmp_path)
    folder.make_own_folder()
    with folder.lock(5):
        pass

    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    with folder.undisturbed():
        assert (tmp_path / ".memtui/lock").exists()


def test_a_disk_whose_sync_always_fails_keeps_nothing_and_a_directory_that_came_by_itself_is_taken(
    tmp_path: Path,
) -> None:
    class Unsynced(Disk):
        def fsync(self, fd: int) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Writer(Folder(tmp_path, Unsynced())) as writer, pytest.raises(OSError, match="Input/output"):
        writer.write_parts([Part("x.part", b"x")])
    assert list(tmp_path.iterdir()) == []

    class Late(QuietDisk):
        def mkdir(self, path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
            Path(path).mkdir()
            super().mkdir(path, mode, dir_fd=dir_fd)

    make_root(Late(), tmp_path / "new/memory")
    assert (tmp_path / "new/memory").is_dir()


# -- the journal's lines -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "value", "error"),
    [
        (record_lines._time, "1", TypeError),
        (record_lines._time, float("nan"), ValueError),
        (record_lines._time, -1, ValueError),
        (record_lines._time, record_lines._MAX_TIME, ValueError),
        (record_lines._number, 1 << 63, TypeError),
        (record_lines._number, 1.5, TypeError),
        (record_lines._count, 0, ValueError),
        (record_lines._count, None, ValueError),
        (record_lines._count, record_lines.MAX_ID + 1, ValueError),
        (record_lines._digest, "0" * 63, ValueError),
        (record_lines._digest, 7, TypeError),
        (record_lines._key, "0123", ValueError),
        (record_lines._key, None, TypeError),
        (record_lines._tie, {"key": "0123456789ab", "half": "left", "other": "relative"}, ValueError),
        (record_lines._tie, {"key": "0123456789ab", "half": "left", "other": "/a\0b"}, ValueError),
        (record_lines._tie, {"key": "0123456789ab", "half": "left", "other": "/" + "a" * 4096}, ValueError),
    ],
)
def test_no_value_stands_for_another_kind(
    read: Callable[[Any], object], value: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        read(value)


def test_values_at_their_limits_are_taken() -> None:
    assert record_lines._time(0) == 0.0
    assert record_lines._number((1 << 63) - 1) == (1 << 63) - 1
    assert record_lines._number(None) is None
    assert record_lines._count(1) == 1
    assert record_lines._count(record_lines.MAX_ID) == record_lines.MAX_ID
    assert record_lines._mode(0o100777) == 0o666
    assert record_lines._mode(None) is None
    assert record_lines._digest("0" * 64) == "0" * 64
    assert record_lines._digest(None) is None
    assert record_lines._temp("", "a.md", "primary", "0123456789ab") == ""
    assert record_lines.may_change("n" * 4094 + ".md") is False
    assert record_lines.may_change("n" * 200 + ".md") is True


def test_foreign_records_are_counted_and_an_undo_of_what_never_was_undoes_nothing(tmp_path: Path) -> None:
    put_object(tmp_path, MEMORY)
    path = write_journal(tmp_path, [change(tmp_path, "run.sh", "primary", None, PAYLOAD, 1)], "open")
    one = path.read_bytes()
    (said,) = open_journal(tmp_path).recover()
    assert "(run.sh)" in said
    other = one.replace(b"58feb004e2f8", b"58feb004e2f9").replace(b"run.sh", b"Makefile")
    path.write_bytes(one + other)
    (said,) = open_journal(tmp_path).recover()
    assert " and 1 more" in said
    first = Record(1, 1.0, "x", (), "user", None, "do", None, key="a")
    undo = Record(2, 2.0, "x", (), "user", None, "undo", 7, key="b", of_key="none of these")
    assert stacks_of([first, undo]) == ([first], [undo])
