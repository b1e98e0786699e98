"""Reliability §1: what a change does when somebody else acts between any two of its steps, and when a disk can do less."""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.conventions import CLAUDE
from memtui.memory.disk import filenames
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.filenames import names_from
from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.disk.own_folder import make_root
from memtui.memory.disk.writing import Part, Writer
from memtui.memory.errors import Busy, Conflict, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.saving import recovery
from memtui.memory.saving.records import Edit
from memtui.memory.versions.history import Family
from tests.crash.faults import Died, NoExchange, NoLinks, QuietDisk, is_leftover
from tests.unit.test_journal import open_journal

Acts = Mapping[tuple[str, str, int], Callable[[], object]]
"""What somebody does right before the n-th call of a kind on a name that begins so."""


def meddled(base: type[Disk], acts: Acts) -> Disk:
    """A disk beside which somebody else acts."""
    seen: Counter[tuple[str, str]] = Counter()

    def meddling(name: str) -> Callable[..., Any]:
        def call(self: Disk, *args: Any, **kwargs: Any) -> Any:
            for begins in {start for kind, start, _ in acts if kind == name and args[0].startswith(start)}:
                seen[name, begins] += 1
                acts.get((name, begins, seen[name, begins]), int)()
            return getattr(base, name)(self, *args, **kwargs)

        return call

    made: Disk = type("Meddled", (base,), {name: meddling(name) for name, *_ in acts})()
    return made


def files(root: Path) -> dict[str, bytes]:
    """Every file but memtui's own; old versions are among them."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and (".memtui" not in path.parts or "history" in path.parts)
    }


def trashed(root: Path) -> list[bytes]:
    folder = root / ".memtui/trash"
    return [path.read_bytes() for path in sorted(folder.iterdir())] if folder.exists() else []


def write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        (root / f"{name}.md").write_text(text)


# -- somebody is there first ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "call", "after"),
    [
        (QuietDisk, "rename_noreplace", None),
        (QuietDisk, "exchange", b"two"),
        (NoExchange, "rename", b"two"),
        (NoLinks, "rename", b"two"),
    ],
)
def test_a_file_that_goes_in_the_last_instant_is_a_conflict_and_stays_gone(
    base: type[Disk], call: str, after: bytes | None, tmp_path: Path
) -> None:
    write(tmp_path, a="one")
    start = "a.md" if after is None else ".a.md"
    nth = 2 if call == "rename" else 1  # the first gives the prepared file its name
    disk = meddled(base, {(call, start, nth): (tmp_path / "a.md").unlink})
    journal = open_journal(tmp_path, disk)
    edits = [Edit("a.md", b"one", after, trash=after is None)]
    with pytest.raises(Conflict) as caught:
        journal.commit("x", edits, slugs=[])
    assert (caught.value.base, caught.value.mine, caught.value.theirs) == (b"one", after, None)
    assert "gone" in caught.value.said("en")
    assert files(tmp_path) == {}
    assert journal.undoable() is None


@pytest.mark.parametrize("base", [NoExchange, NoLinks])
def test_where_names_cannot_be_exchanged_a_late_write_is_seen_before_it_is_replaced(
    base: type[Disk], tmp_path: Path
) -> None:
    write(tmp_path, a="one")
    disk = meddled(base, {("rename", ".a.md", 2): lambda: write(tmp_path, a="theirs")})
    with pytest.raises(Conflict) as caught:
        open_journal(tmp_path, disk).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    assert caught.value.theirs == b"theirs"
    assert "somebody else has changed" in caught.value.said("en")
    assert files(tmp_path) == {"a.md": b"theirs"}


@pytest.mark.parametrize("base", [QuietDisk, NoExchange, NoLinks])
@pytest.mark.parametrize("also", ["gone", "rewritten", "left alone"])
def test_what_was_put_in_place_is_taken_back_unless_somebody_has_changed_it_since(
    base: type[Disk], also: str, tmp_path: Path
) -> None:
    write(tmp_path, a="one", b="one")

    def meddle() -> None:
        (tmp_path / "b.md").unlink()
        if also == "gone":
            (tmp_path / "a.md").unlink()
        if also == "rewritten":
            write(tmp_path, a="later")

    call, nth = ("exchange", 1) if base is QuietDisk else ("rename", 2)
    journal = open_journal(tmp_path, meddled(base, {(call, ".b.md", nth): meddle}))
    with pytest.raises(Conflict):
        journal.commit("x", [Edit("a.md", b"one", b"two"), Edit("b.md", b"one", b"two")], slugs=[])
    found = files(tmp_path)
    assert "b.md" not in found
    if also == "rewritten":
        assert found.pop("a.md") == b"later"
        objects = [path.read_bytes() for path in (tmp_path / ".memtui/objects").iterdir()]
        assert any(b"one" in data for data in [*found.values(), *objects])
    else:
        gone = also == "gone" and base is NoLinks  # nothing says that it was not they who removed it
        assert found == ({} if gone else {"a.md": b"one"})
    assert not [path for path in tmp_path.iterdir() if is_leftover(path.name)]


def test_of_two_that_are_forgotten_the_first_comes_back_when_the_second_is_another_one(
    tmp_path: Path,
) -> None:
    write(tmp_path, a="one", b="one")

    def meddle() -> None:
        write(tmp_path, b="theirs", a="new")  # so that the first cannot have its name back

    disk = meddled(QuietDisk, {("rename_noreplace", "b.md", 1): meddle})
    edits = [Edit("a.md", b"one", None, trash=True), Edit("b.md", b"one", None, trash=True)]
    with pytest.raises(Conflict):
        open_journal(tmp_path, disk).commit("x", edits, slugs=[])
    assert files(tmp_path) == {
        ".memtui/history/a_v1.md": b"status: historical\none",
        "a.md": b"new",
        "b.md": b"theirs",
    }


# -- the index -----------------------------------------------------------------------------------------------------

A, B, X, Y = (f"- [{name}]({name.lower()}.md)\n".encode() for name in "ABXY")


def lines(root: Path) -> set[bytes]:
    return set((root / "MEMORY.md").read_bytes().splitlines(keepends=True))


@pytest.mark.parametrize(("base", "nth"), [(NoLinks, 2), (NoExchange, 2), (NoExchange, 3)])
def test_lines_that_come_into_the_index_survive_where_names_cannot_be_exchanged(
    base: type[Disk], nth: int, tmp_path: Path
) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(A)
    journal = open_journal(
        tmp_path, meddled(base, {("rename", ".MEMORY.md", nth): lambda: index.write_bytes(A + X)})
    )
    edits = [Edit("b.md", None, b"b"), Edit("MEMORY.md", A, A + B, "index")]
    assert not journal.commit("x", edits, slugs=[]).index_pending
    assert lines(tmp_path) == {A, B, X}


def test_a_line_that_comes_while_an_index_is_put_back_survives_too(tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(A)
    acts: Acts = {
        ("exchange", ".MEMORY.md", 1): lambda: index.write_bytes(A + X),
        ("exchange", ".MEMORY.md", 2): lambda: index.write_bytes(A + X + Y),
    }
    journal = open_journal(tmp_path, meddled(QuietDisk, acts))
    assert not journal.commit(
        "x", [Edit("b.md", None, b"b"), Edit("MEMORY.md", A, A + B, "index")], slugs=[]
    ).index_pending
    assert lines(tmp_path) == {A, B, X, Y}


def test_an_index_that_somebody_never_stops_changing_is_left_to_later(tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(A)
    acts: Acts = {
        ("exchange", ".MEMORY.md", n): partial(index.write_bytes, A + f"- [X{n}](x{n}.md)\n".encode())
        for n in range(1, 60)
    }
    journal = open_journal(tmp_path, meddled(QuietDisk, acts))
    outcome = journal.commit("x", [Edit("b.md", None, b"b"), Edit("MEMORY.md", A, A + B, "index")], slugs=[])
    assert outcome.index_pending
    assert (tmp_path / "b.md").read_bytes() == b"b"
    assert A in lines(tmp_path)
    assert open_journal(tmp_path).recover() != ()
    assert lines(tmp_path) >= {A, B}


def test_a_change_of_the_index_alone_that_cannot_be_made_is_refused_and_nothing_is_left_of_it(
    tmp_path: Path,
) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_bytes(A)

    class Stubborn(QuietDisk):
        def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO), one)

    for disk, said in (
        (Stubborn(), "could not save"),
        (
            meddled(
                QuietDisk,
                {("exchange", ".MEMORY.md", n): partial(index.write_bytes, A + X * n) for n in range(60)},
            ),
            "keeps changing the index",
        ),
    ):
        index.write_bytes(A)
        journal = open_journal(tmp_path, disk)
        with pytest.raises(Refused, match=said):
            journal.commit("x", [Edit("MEMORY.md", A, A + B, "index")], slugs=[])
        assert B not in lines(tmp_path)
        assert journal.undoable() is None
        assert not any(map(is_leftover, files(tmp_path)))


def test_an_index_that_comes_or_goes_just_then_is_merged_with_ours(tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    journal = open_journal(
        tmp_path, meddled(QuietDisk, {("link", ".MEMORY.md", 1): lambda: index.write_bytes(X)})
    )
    journal.commit("x", [Edit("b.md", None, b"b"), Edit("MEMORY.md", None, B, "index")], slugs=[])
    assert lines(tmp_path) == {B, X}
    index.write_bytes(B)
    journal = open_journal(tmp_path, meddled(QuietDisk, {("rename_noreplace", "MEMORY.md", 1): index.unlink}))
    journal.commit("y", [Edit("b.md", b"b", None, trash=True), Edit("MEMORY.md", B, None, "index")], slugs=[])
    assert not index.exists()


def _die() -> None:
    raise Died


@pytest.mark.parametrize("what", ["lines", "folder"])
def test_what_an_interrupted_change_had_displaced_of_the_index_is_merged_or_kept(
    what: str, tmp_path: Path
) -> None:
    (tmp_path / "MEMORY.md").write_bytes(A)
    edits = [Edit("b.md", None, b"b"), Edit("MEMORY.md", A, A + B, "index")]
    with pytest.raises(Died):
        open_journal(tmp_path, meddled(QuietDisk, {("open", ".MEMORY.md", 2): _die})).commit(
            "x", edits, slugs=[]
        )
    (left,) = [path for path in tmp_path.iterdir() if path.name.endswith(".swap") and "MEMORY" in path.name]
    left.unlink()
    if what == "folder":
        left.mkdir()
        (left / "x").write_text("theirs")
    else:
        left.write_bytes(A + X)
    (said,) = open_journal(tmp_path).recover()
    assert "Finished" in said
    assert lines(tmp_path) == ({A, B, X} if what == "lines" else {A, B})
    assert not left.exists()
    if what == "folder":
        (kept,) = (tmp_path / ".memtui/trash").iterdir()
        assert (kept / "x").read_text() == "theirs"
    assert open_journal(tmp_path).recover() == ()


# -- undo beside somebody ------------------------------------------------------------------------------------------


def test_an_archive_that_is_gone_by_then_does_not_keep_anybody_from_undoing(tmp_path: Path) -> None:
    write(tmp_path, a="one")
    journal = open_journal(tmp_path)
    journal.commit("x", [Edit("a.md", b"one", b"two"), Edit("a_v1.md", None, b"one", "archive")], slugs=[])
    (tmp_path / "a_v1.md").unlink()
    journal.undo()
    assert files(tmp_path) == {"a.md": b"one"}


def test_an_archive_that_goes_or_changes_while_it_is_withdrawn_stays_as_it_is(tmp_path: Path) -> None:
    for act, left in (
        ((tmp_path / "a_v1.md").unlink, {"a.md": b"one"}),
        (lambda: write(tmp_path, a_v1="theirs"), {"a.md": b"one", "a_v1.md": b"theirs"}),
    ):
        write(tmp_path, a="one")
        edits = [Edit("a.md", b"one", b"two"), Edit("a_v1.md", None, b"one", "archive")]
        open_journal(tmp_path).commit("x", edits, slugs=[])
        open_journal(tmp_path, meddled(QuietDisk, {("rename_noreplace", "a_v1.md", 1): act})).undo()
        assert files(tmp_path) == left
        for path in tmp_path.glob("*.md"):
            path.unlink()


def test_a_link_that_leads_nowhere_is_not_what_a_change_was_based_on(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("gone.md")
    with pytest.raises(Conflict):
        open_journal(tmp_path).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    assert (tmp_path / "a.md").readlink() == Path("gone.md")
    assert not (tmp_path / "gone.md").exists()


# -- what the disk does not do -------------------------------------------------------------------------------------


def test_a_name_that_is_always_taken_is_refused_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filenames, "_MAX_BUMPS", 20)
    write(tmp_path, a="one")
    history = tmp_path / ".memtui/history"
    open_journal(tmp_path).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    history.mkdir()
    for name in names_from(".memtui/history/a_v1.md"):
        (tmp_path / name).touch()
    count = len(list(history.iterdir()))
    journal = open_journal(tmp_path)
    edits = [Edit("a.md", b"two", b"three"), Edit(".memtui/history/a_v1.md", None, b"two", "archive")]
    outcome = journal.commit("y", edits, slugs=[])
    assert outcome.pending == ("archive",)
    assert (tmp_path / "a.md").read_bytes() == b"three"
    assert len(list(history.iterdir())) == count
    assert outcome.record.id == 2
    trash = tmp_path / ".memtui/trash"
    trash.mkdir()
    for name in names_from(".memtui/trash/3-a.md"):
        (tmp_path / name).touch()
    outcome = journal.commit("z", [Edit("a.md", b"three", None, trash=True)], slugs=[])
    assert outcome.pending == ("trash",)
    assert b"three" in {path.read_bytes() for path in (tmp_path / ".memtui/objects").iterdir()}


def test_a_write_that_never_gets_through_is_a_full_disk_and_nothing_else_is_appended_to(
    tmp_path: Path,
) -> None:
    class Trickle(QuietDisk):
        def write(self, fd: int, data: bytes) -> int:
            return super().write(fd, data[:1])

    folder = Folder(tmp_path, Trickle())
    with Writer(folder) as writer:
        with pytest.raises(OSError, match="No space left") as caught:
            writer.append("log", b"a line")
        assert caught.value.errno == errno.ENOSPC
        os.mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        with pytest.raises(OSError, match="not supported"):
            writer.append("pipe", b"a line")
        os.close(reader)


@pytest.mark.parametrize("code", [errno.EPERM, errno.EIO])
def test_an_owner_who_cannot_be_set_costs_the_group_its_rights_and_another_error_is_told(
    code: int, tmp_path: Path
) -> None:
    class NoChown(QuietDisk):
        def fchown(self, fd: int, uid: int, gid: int) -> None:
            raise OSError(code, os.strerror(code))

    with Writer(Folder(tmp_path, NoChown())) as writer:
        part = Part("x.part", b"x", 0o664, None, (1, 1))
        if code == errno.EIO:
            with pytest.raises(OSError, match="Input/output"):
                writer.write_parts([part])
        else:
            writer.write_parts([part])
            assert stat.S_IMODE((tmp_path / "x.part").stat().st_mode) == 0o644


def test_a_directory_is_made_where_one_may_make_it_and_not_look(tmp_path: Path) -> None:
    class Blind(QuietDisk):
        def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    make_root(Blind(), tmp_path / "new/memory")
    assert (tmp_path / "new/memory").is_dir()
    (tmp_path / "file").write_text("")

    class Late(QuietDisk):
        def mkdir(self, path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
            Path(path).touch()
            super().mkdir(path, mode, dir_fd=dir_fd)

    with pytest.raises(FileExistsError):
        make_root(Late(), tmp_path / "other")


# -- looking -------------------------------------------------------------------------------------------------------


def test_what_the_system_will_not_tell_is_told_apart_from_what_is_not_there(tmp_path: Path) -> None:
    class Broken(QuietDisk):
        def lstat(self, path: str, *, dir_fd: int | None = None) -> os.stat_result:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    write(tmp_path, a="one")
    with pytest.raises(Unreadable) as caught:
        Folder(tmp_path, Broken()).stamp("a.md")
    assert caught.value.code == "io"
    folder = Folder(tmp_path)
    assert folder.stamp("n" * 300 + ".md") is None
    assert folder.stamp("\ud800.md") is None  # no name of a file can be


def test_what_goes_while_it_is_listed_is_not_listed(tmp_path: Path) -> None:
    write(tmp_path, a="one", b="one")
    for name in ("link.md", "nowhere.md"):
        (tmp_path / name).symlink_to("gone.md")
    seen: Counter[str] = Counter()

    class Vanishing(QuietDisk):
        def lstat(self, path: str, *, dir_fd: int | None = None) -> os.stat_result:
            seen[path] += 1
            if (path, seen[path]) in {("b.md", 1), ("link.md", 2)}:
                (tmp_path / path).unlink()
            return super().lstat(path, dir_fd=dir_fd)

    assert sorted(rel for rel, _ in Folder(tmp_path, Vanishing()).walk()) == ["a.md", "nowhere.md"]


def test_whoever_locks_makes_the_directory_as_only_they_may_look_into_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "new/memory")
    assert folder.exists() is False
    with folder.lock(5):
        assert stat.S_IMODE((folder.root / ".memtui").stat().st_mode) == 0o700
        (folder.root / ".memtui/.gitignore").unlink()
        with folder.lock(5):
            assert not (folder.root / ".memtui/.gitignore").exists(), "it is not made again while it is held"
    assert folder.exists() is True


def test_several_may_look_at_once_but_nobody_while_one_changes(tmp_path: Path) -> None:
    one, other = Folder(tmp_path), Folder(tmp_path)
    with one.undisturbed(), other.undisturbed():
        assert not (tmp_path / ".memtui").exists()
    open_journal(tmp_path).commit("x", [Edit("a.md", None, b"a")], slugs=[])
    with one.lock(5), pytest.raises(Busy), other.undisturbed():
        pass
    with one.undisturbed(), other.undisturbed():
        pass


# -- recovery ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [PermissionError, OverflowError, None])
def test_a_process_that_may_live_is_taken_to_live(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception] | None
) -> None:
    def kill(pid: int, signal: int) -> None:
        assert (pid, signal) == (77, 0)
        if error is not None:
            raise error

    monkeypatch.setattr(os, "kill", kill)
    assert recovery._process_lives(77, "0123456789ab")


# -- the manager ---------------------------------------------------------------------------------------------------


def opened(root: Path, disk: Disk | None = None) -> MemoryManager:
    from memtui.memory.directory.scan import Directory  # noqa: PLC0415

    directory = Directory(
        root, convention=CLAUDE, folder=Folder(root, disk or QuietDisk()), clock=lambda: 2e9
    )
    directory.refresh()
    return MemoryManager.open(root, clock=lambda: 2e9, directory=directory)


def test_a_save_on_nothing_in_particular_is_made_on_what_came_meanwhile_and_gives_up_in_the_end(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.md"
    opened(tmp_path).save_memory("a", "A", "about a", "user", "The first text of it.")
    theirs = path.read_bytes().replace(b"first", b"other")
    disk = meddled(QuietDisk, {("exchange", ".a.md", 1): lambda: path.write_bytes(theirs)})
    opened(tmp_path, disk).save_memory("a", "A", "about a", "user", "The second text of it.")
    assert b"The second text" in path.read_bytes()
    assert any(b"The other text" in data for data in files(tmp_path).values())
    # A file system that cannot exchange sees it before, and tries again.
    acts: Acts = {("rename", ".a.md", 2): lambda: path.write_bytes(theirs + b"late\n")}
    opened(tmp_path, meddled(NoExchange, acts)).save_memory(
        "a", "A", "about a", "user", "The third text of it."
    )
    assert b"The third text" in path.read_bytes()
    assert any(b"late" in data for data in files(tmp_path).values())
    always: Acts = {
        ("rename", ".a.md", n): partial(path.write_bytes, theirs + b"%d\n" % n) for n in range(1, 200)
    }
    with pytest.raises(Conflict):
        opened(tmp_path, meddled(NoExchange, always)).save_memory(
            "a", "A", "about a", "user", "A fourth text."
        )
    assert b"A fourth text" not in path.read_bytes()


def test_an_edit_of_what_says_so_already_is_no_conflict_and_one_of_a_lost_version_has_no_base(
    tmp_path: Path,
) -> None:
    manager = opened(tmp_path)
    manager.save_memory("a", "A", "about a", "user", "The first text of it.")
    first = manager.get("a").digest
    manager.edit_memory("a", name="Another", based_on=first)
    now = files(tmp_path)
    assert manager.edit_memory("a", name="Another", based_on=first).outcome == "unchanged"
    assert files(tmp_path) == now
    with pytest.raises(Conflict) as caught:
        manager.edit_memory("a", name="A third", based_on="0" * 64)
    assert caught.value.base is None
    assert caught.value.theirs == now["a.md"]


def test_what_is_not_there_or_is_there_again_is_said(tmp_path: Path) -> None:
    manager = opened(tmp_path)
    manager.save_memory("a", "A", "about a", "user", "The first text of it.")
    with pytest.raises(UsageError, match="no such file in the trash"):
        manager.restore_trashed(".memtui/trash/9-a.md")
    manager.forget("a")
    (rel,) = manager.trash()[0].trashed
    write(tmp_path, a="---\nname: A\n---\n\nnew\n")
    manager.reload()
    with pytest.raises(UsageError, match="there again"):
        manager.restore_trashed(rel)
    manager.save_memory("b", "B", "about b", "user", "The first text of it.")
    manager.save_memory("b", "B", "about b", "user", "The second text of it.")
    (tmp_path / "b.md").unlink()
    with pytest.raises(Conflict, match="gone"):
        manager.forget("b")
    manager.reload()
    manager.restore("b", 1)
    assert b"The first text" in (tmp_path / "b.md").read_bytes()


def test_an_old_version_without_an_owner_belongs_to_no_history(tmp_path: Path) -> None:
    write(tmp_path, odd="---\nname: Odd\nstatus: historical\n---\n\nx\n")
    manager = opened(tmp_path)
    assert Family(manager.entries()).of("odd") == ()


def test_links_in_what_nobody_can_read_stay_as_they_are(tmp_path: Path) -> None:
    opened(tmp_path).save_memory("a", "A", "about a", "user", "The first text of it.")
    os.mkfifo(tmp_path / "pipe.md")
    with (tmp_path / "large.md").open("wb") as stream:
        stream.truncate(1 << 40)
    manager = opened(tmp_path)
    manager.rename("a", "b")
    assert stat.S_ISFIFO((tmp_path / "pipe.md").stat().st_mode)
    # It could not be read when it was listed, and is an old version by now, which nobody writes to.
    write(tmp_path, large="---\nname: L\nstatus: historical\n---\n\nsee [[a]]\n")
    assert list(manager.planner.repointed({"a": "c"}, skip=())) == []
