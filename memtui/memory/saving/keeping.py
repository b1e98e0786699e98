"""Keeping what a change displaces: archives under free numbers, the trash, and what is left of a replaced file."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from memtui.memory.conventions import OWN_FOLDER, TRASH_FOLDER
from memtui.memory.disk.calls import UNSUPPORTED
from memtui.memory.disk.filenames import names_from, split
from memtui.memory.disk.files import FileImage, Stamp, Unreadable
from memtui.memory.disk.moving import Taken
from memtui.memory.disk.writing import Part, Writer
from memtui.memory.errors import Conflict, Refused
from memtui.memory.saving.records import Change, Pending

MergeIndex = Callable[[bytes, bytes, bytes], bytes]
"""(base, mine, theirs) -> an index with the changes of both, line-wise."""
KeepAs = Callable[[str, bytes], tuple[str, bytes]]
"""(path, displaced bytes) -> (path of its version 1, bytes to archive)."""

FAILURES = (OSError, Refused)

_PROBE = len(TRASH_FOLDER) + 13  # a little of the name is enough


class Missed(Exception):
    """The file is not what it was a moment ago, so it was left alone.

    Attributes:
        theirs: bytes that somebody wrote meanwhile and that no longer stand there; None if there are none.
    """

    def __init__(self, theirs: bytes | None = None) -> None:
        super().__init__()
        self.theirs = theirs


@dataclass(slots=True)
class Step:
    """One file of a change while it is being made.

    Attributes:
        change: what is to happen; brought up to date with what did.
        before: the bytes the change is based on; None for no file.
        after: the bytes that take their place; None for a removal.
        owner: user and group to give the new file; None for our own.
        seen: state of the displaced file when it was last looked at.
        busy: somebody still had the displaced file open for writing then.
    """

    change: Change
    before: bytes | None
    after: bytes | None
    owner: tuple[int, int] | None = None
    seen: Stamp | None = None
    busy: bool = False

    @property
    def creates(self) -> bool:
        """Whether it makes a file that was not there."""
        return self.before is None


def mode_of(stamp: Stamp) -> int:
    """The permission bits."""
    return stat.S_IMODE(stamp.mode)


class Keeper:
    """The moves shared by making a change, finishing it and taking it back.

    Attributes:
        kept: archives made of versions by others, and what of them went to the trash.
        pending: what of the change could not be finished yet.
    """

    def __init__(self, writer: Writer, record_id: int, merge_index: MergeIndex, keep_as: KeepAs) -> None:
        self.writer = writer
        self.record_id = record_id
        self.merge_index = merge_index
        self.keep_as = keep_as
        self.kept: list[str] = []
        self.pending: list[Pending] = []

    # ------------------------------------------------------------------ looking

    def current(self, rel: str) -> FileImage | None:
        """What stands at a name, no link followed; None if nothing does."""
        try:
            return self.writer.read(rel)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def theirs(self, rel: str) -> bytes | None:
        """The bytes that stand at a name; None if nothing readable does."""
        try:
            image = self.current(rel)
        except Unreadable:
            return None
        return image.data if image else None

    def conflict(self, step: Step) -> Conflict:
        """The error for a file that is not what the change was based on."""
        theirs = self.theirs(step.change.rel)
        if step.before is None:
            what, todo = "a file of this name is there already", "Choose another name, or edit that one"
        elif theirs is None:
            what, todo = "the file is gone, or no longer a readable file", "Look at the directory again"
        else:
            what, todo = "somebody else has changed this file", "Compare both texts and decide"
        return Conflict(
            what, where=step.change.rel, todo=todo, base=step.before, mine=step.after, theirs=theirs
        )

    # ------------------------------------------------------------------ putting in place

    def part_of(self, step: Step, data: bytes, mtime_ns: int | None) -> Part:
        """What to write beside the place of a step's file."""
        change = step.change
        mode = change.mode if change.mode is not None else change.was_mode
        return Part(change.part, data, mode, mtime_ns, step.owner)

    def write_swap(self, step: Step, data: bytes, mtime_ns: int | None) -> None:
        """Write new bytes beside their place, durable and whole."""
        self.writer.write_parts([self.part_of(step, data, mtime_ns)])
        self.writer.rename(step.change.part, step.change.swap)

    def install(self, temp: str, rel: str) -> None:
        """Give a prepared file a name that is free; its temporary one stays where the file system has links.

        Raises:
            Taken: the name is not free.
        """
        if not self.writer.link(temp, rel):
            self.writer.move(temp, rel)

    def replace(self, change: Change, expected: bytes | None) -> None:
        """Put the prepared file in place of the one that stands there, which then has the temporary name.

        Raises:
            Missed: nothing stands there, or (limited file system only) not what was expected.
        """
        writer = self.writer
        if not writer.folder.limited:
            try:
                writer.exchange(change.swap, change.rel)
            except FileNotFoundError:
                raise Missed from None
            except OSError as error:
                if error.errno not in UNSUPPORTED:
                    raise
                writer.folder.limited = True
            else:
                return
        writer.rename(change.swap, change.part)
        with suppress(Taken, FileNotFoundError):
            writer.link(change.rel, change.swap)
            writer.sync()
        if self.theirs(change.rel) != expected:
            writer.remove(change.swap)
            raise Missed
        writer.rename(change.part, change.rel)

    def put_back(self, step: Step) -> None:
        """Give a displaced file its name again; if that is taken by now, keep it as an archive."""
        try:
            self.writer.move(step.change.swap, step.change.rel)
        except Taken:
            self.keep_displaced(step, ())

    def withdraw(self, step: Step, expected: bytes | None) -> bool:
        """Take a file away if it is still as we made it; whether it was."""
        change, writer = step.change, self.writer
        if writer.lstat(change.swap) is None:
            if self.theirs(change.rel) != expected:
                return False
            try:
                writer.move(change.rel, change.swap)
            except FileNotFoundError:
                return False
        elif writer.same_file(change.swap, change.rel):
            writer.remove(change.rel)  # an interrupted move by link and unlink
        if self.theirs(change.swap) == expected:
            return True
        self.put_back(step)
        return False

    # ------------------------------------------------------------------ keeping

    def keep_displaced(self, step: Step, known: Sequence[bytes | None]) -> FileImage | None:
        """Archive what a step displaced, unless those bytes are known; None if there is nothing to look at."""
        change, writer = step.change, self.writer
        try:
            image, step.busy = writer.settle(change.swap)
        except FileNotFoundError:
            return None
        except (Unreadable, OSError) as error:
            if not _is_no_file(error):
                raise
            self.kept.append(self.to_trash(change.swap, change.rel))
            return None
        step.seen = image.stamp
        if image.data not in known:
            self.keep(change.rel, image)
        return image

    def keep(self, rel: str, image: FileImage) -> None:
        """Keep a version by somebody else: its bytes as an object, and an archive under the next free number."""
        writer = self.writer
        first, archived = self.keep_as(rel, image.data)
        writer.store(image.data, archived)
        temp = writer.temp(first)
        part = Part(f"{temp}.part", archived, mode_of(image.stamp) & ~0o111, image.stamp.mtime_ns)
        name = self.archive(first, part, again=True)
        writer.sync()
        self.kept.append(name)

    def archive(self, rel: str, part: Part, *, again: bool) -> str:
        """Install a file under the first free name; a name that is taken is never written to.

        Args:
            rel: first name to try.
            part: the file; one that stands prepared under the ``.swap`` name is used as it is.
            again: it may have been done before, so the same bytes under one of the names are it, and what stands
                under temporary names is not trusted.

        Returns:
            The name it has.
        """
        writer = self.writer
        writer.make_folder(split(rel)[0])
        swap = f"{part.rel.removesuffix('.part')}.swap"
        if again:
            writer.remove(part.rel)
            writer.remove(swap)
        try:
            if again or writer.lstat(swap) is None:
                writer.write_parts([part])
                writer.rename(part.rel, swap)
            return self._install_first(swap, rel, part.data, again=again)
        finally:
            writer.remove_quietly(part.rel)
            writer.remove_quietly(swap)

    def _install_first(self, swap: str, rel: str, data: bytes, *, again: bool) -> str:
        for name in names_from(rel):
            if again and self.theirs(name) == data:
                return name
            with suppress(Taken):
                self.install(swap, name)
                return name
        raise Refused("there is no free version number", where=rel)

    def to_trash(self, temp: str, rel: str) -> str:
        """Move what stands at a temporary name to the trash; returns where it is."""
        writer = self.writer
        writer.make_folder(TRASH_FOLDER)
        for name in names_from(self.trash_name(rel)):
            with suppress(Taken):
                writer.move(temp, name)
                return name
        raise Refused("there is no free name in the trash", where=rel)

    def check_trash(self, rel: str) -> None:
        """See that a file can be moved to the trash, before anything is removed.

        Raises:
            OSError: the trash is a link or no folder, or nothing can be written to it.
        """
        writer = self.writer
        if writer.make_folder(TRASH_FOLDER):
            writer.sync()  # what is moved there must not be where nothing leads after a power failure
        probe = f"{writer.temp(self.trash_name(rel)[:_PROBE])}.part"
        try:
            writer.write_parts([Part(probe, b"")])
        finally:
            writer.remove_quietly(probe)

    def trash_name(self, rel: str) -> str:
        """First name to try in the trash."""
        flat = rel.removeprefix(f"{OWN_FOLDER}/").replace("/", "--")
        return f"{TRASH_FOLDER}/{self.record_id}-{flat}"

    def let_go(self, step: Step) -> None:
        """Remove what is left under the temporary names, unless somebody is still writing to it."""
        change, writer = step.change, self.writer
        writer.remove(change.part)
        info = writer.lstat(change.swap)
        if info is None:
            return
        if step.busy:
            self.kept.append(self.to_trash(change.swap, change.rel))
            return
        seen = step.seen
        if seen is not None and (info.st_ino, info.st_size, info.st_mtime_ns) != (
            seen.ino,
            seen.size,
            seen.mtime_ns,
        ):
            self.keep_displaced(step, (step.before, step.after))
        writer.remove(change.swap)


def _is_no_file(error: Unreadable | OSError) -> bool:
    """Whether what was displaced can never be read, so that it is kept as it is."""
    if isinstance(error, Unreadable):
        return error.code in {"not-regular", "too-large"}
    return error.errno in {errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.EACCES}


def with_displaced(change: Change, digest: str, stamp: Stamp) -> Change:
    """The change as it truly was: it displaced other bytes than those it was based on."""
    return replace(change, before=digest, was_mtime_ns=stamp.mtime_ns, was_mode=mode_of(stamp))
