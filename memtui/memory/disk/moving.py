"""Making and removing folders below a memory directory, and moving names in them, as every change does it.

Nothing here opens what a name stands for; ``writing`` does.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import UNSUPPORTED
from memtui.memory.disk.filenames import split
from memtui.memory.disk.files import Folder, Unreadable, parts_of, shut
from memtui.memory.disk.images import sync_folder

_NO_LINKS = UNSUPPORTED | {errno.EPERM, errno.EMLINK, errno.EXDEV}


class Taken(Exception):
    """The name is taken."""


class Mover:
    """Moves names below one directory; holds the folders it works in open, and closes them at the end of a ``with``."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.disk = folder.disk
        self._open: dict[str, int] = {}
        self._touched: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for fd in self._open.values():
            shut(self.disk, fd)
        self._open.clear()

    # ------------------------------------------------------------------ folders

    def at(self, rel: str) -> tuple[int, str]:
        """The open folder that holds ``rel``, and its name there."""
        parts_of(rel)
        folder, name = split(rel)
        return self._held(folder), name

    def _held(self, folder: str) -> int:
        """A folder, opened; it stays open until the end."""
        fd = self._open.get(folder)
        if fd is None:
            fd = self._open[folder] = self.folder.open_folder(folder)
        return fd

    def make_folder(self, folder: str) -> tuple[str, ...]:
        """Make a folder and those above it; returns those that were not there, outermost first."""
        if not folder or folder in self._open:
            return ()
        above = self.make_folder(split(folder)[0])
        fd, name = self.at(folder)
        try:
            self.disk.mkdir(name, 0o700 if folder.startswith(OWN_FOLDER) else 0o755, dir_fd=fd)
        except FileExistsError:
            return above
        self.touch(folder)
        return (*above, folder)

    def drop_folders(self, folders: Sequence[str]) -> None:
        """Remove folders that are empty, innermost first; leave those that are not."""
        for folder in reversed(folders):
            with suppress(OSError, Unreadable):
                fd, name = self.at(folder)
                held = self._open.pop(folder, None)
                if held is not None:
                    shut(self.disk, held)
                self._touched.discard(folder)
                self.disk.rmdir(name, dir_fd=fd)
                self.touch(folder)

    def touch(self, rel: str) -> None:
        """Note that an entry of the folder of ``rel`` changed, for `sync`."""
        self._touched.add(split(rel)[0])

    def sync(self) -> None:
        """Make the changed folders durable."""
        for folder in sorted(self._touched):
            with suppress(FileNotFoundError):  # somebody removed it; there is nothing left to keep
                sync_folder(self.disk, self._held(folder))
        self._touched.clear()

    # ------------------------------------------------------------------ moving

    def lstat(self, rel: str) -> os.stat_result | None:
        """The state of a name, no link followed; None if there is none."""
        try:
            fd, name = self.at(rel)
            return self.disk.lstat(name, dir_fd=fd)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def rename(self, old: str, new: str) -> None:
        """Rename, replacing."""
        from_fd, from_name = self.at(old)
        to_fd, to_name = self.at(new)
        self.disk.rename(from_name, to_name, from_fd=from_fd, to_fd=to_fd)
        self.touch(old)
        self.touch(new)

    def exchange(self, one: str, other: str) -> None:
        """Two names change places; fails with one of `UNSUPPORTED` where the file system cannot."""
        from_fd, from_name = self.at(one)
        to_fd, to_name = self.at(other)
        self.disk.exchange(from_name, to_name, from_fd=from_fd, to_fd=to_fd)
        self.touch(one)
        self.touch(other)

    def link(self, old: str, new: str) -> bool:
        """A second name for a file; False where the file system has none.

        Raises:
            Taken: the new name is taken.
        """
        from_fd, from_name = self.at(old)
        to_fd, to_name = self.at(new)
        try:
            self.disk.link(from_name, to_name, from_fd=from_fd, to_fd=to_fd)
        except FileExistsError:
            raise Taken from None
        except OSError as error:
            if error.errno in _NO_LINKS:
                return False
            raise
        self.touch(new)
        return True

    def move(self, old: str, new: str) -> None:
        """Rename that never replaces.

        Raises:
            Taken: the new name is taken.
        """
        from_fd, from_name = self.at(old)
        to_fd, to_name = self.at(new)
        try:
            self.disk.rename_noreplace(from_name, to_name, from_fd=from_fd, to_fd=to_fd)
        except FileExistsError:
            self._finish_move(old, new)
        except OSError as error:
            if error.errno not in UNSUPPORTED:
                raise
            self._move_slowly(old, new)
        self.touch(old)
        self.touch(new)

    def _move_slowly(self, old: str, new: str) -> None:
        """The same by link and unlink, or where there are no links either by looking first."""
        info = self.lstat(old)
        try:
            linked = info is not None and stat.S_ISREG(info.st_mode) and self.link(old, new)
        except Taken:
            self._finish_move(old, new)
            return
        if linked:
            self.sync()  # a power failure may keep the removal and lose the new name
            self.remove(old)
        elif self.lstat(new) is not None:
            raise Taken
        else:
            self.rename(old, new)

    def _finish_move(self, old: str, new: str) -> None:
        """The new name is taken: by the same file, if a move by link and unlink was interrupted."""
        if not self.same_file(old, new):
            raise Taken
        self.remove(old)

    def same_file(self, one: str, other: str) -> bool:
        """Whether two names are of one file."""
        first, second = self.lstat(one), self.lstat(other)
        return first is not None and second is not None and first.st_ino == second.st_ino

    def remove(self, rel: str) -> None:
        """Unlink; it being gone already is fine."""
        with suppress(FileNotFoundError, NotADirectoryError):
            fd, name = self.at(rel)
            self.disk.unlink(name, dir_fd=fd)
            self.touch(rel)

    def remove_quietly(self, rel: str) -> None:
        """Unlink if the system lets us; recovery gets the rest."""
        with suppress(OSError, Unreadable):
            self.remove(rel)
