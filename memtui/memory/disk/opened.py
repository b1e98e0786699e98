"""A folder held open, and whatever is below it opened step by step, so that nobody can lead us out of it meanwhile."""

from __future__ import annotations

import os
import stat
import weakref
from contextlib import suppress
from pathlib import Path

from memtui.memory.disk.calls import FOLDER_FLAGS, Disk
from memtui.memory.disk.images import Stamp, is_folder, parts_of, shut, stamp_of


class Handle:
    """An open folder, closed when nobody uses it any more: another thread may be reading through it."""

    __slots__ = ("__weakref__", "dev", "fd", "ino")

    def __init__(self, disk: Disk, fd: int, info: os.stat_result) -> None:
        self.fd = fd
        self.ino = info.st_ino
        self.dev = info.st_dev
        weakref.finalize(self, shut, disk, fd)


class OpenedFolder:
    """A folder that is opened when it is needed, and stays open.

    Attributes:
        root: where it is; may itself be a link.
        disk: the system calls it uses.
    """

    def __init__(self, root: Path, disk: Disk) -> None:
        self.root = root
        self.disk = disk
        self._path = os.fspath(root)
        self._handle: Handle | None = None

    def exists(self) -> bool:
        """Whether it is there and a folder."""
        return is_folder(self.disk, self._path)

    def is_other(self) -> bool:
        """Whether something is there that is no folder."""
        try:
            return not stat.S_ISDIR(self.disk.stat(self._path).st_mode)
        except OSError:
            return False

    def real_path(self) -> str:
        """Where it is, without links: the same for two names of one folder."""
        return self.disk.realpath(self._path)

    def is_same_as(self, other: OpenedFolder) -> bool:
        """Whether two folders are one; raises ``OSError`` where one of them is not there."""
        one, two = self.disk.stat(self._path), other.disk.stat(other._path)
        return os.path.samestat(one, two)

    def fresh_root(self) -> Handle:
        """The root, opened; opened again when another folder stands there by now."""
        handle = self._handle
        if handle is not None:
            try:
                info = self.disk.stat(self._path)
            except FileNotFoundError:
                self._handle = None
                raise
            if (info.st_ino, info.st_dev) == (handle.ino, handle.dev):
                return handle
        return self._open_root()

    def _open_root(self) -> Handle:
        fd = self.disk.open(self._path, FOLDER_FLAGS & ~os.O_NOFOLLOW)
        try:
            info = self.disk.fstat(fd)
        except OSError:
            shut(self.disk, fd)
            raise
        handle = self._handle = Handle(self.disk, fd, info)
        return handle

    def open_folder(self, rel: str) -> int:
        """A new descriptor of a folder below the root, no link followed; ``""`` is the root itself.

        Raises:
            OSError: as the system says.
            Unreadable: the path leaves the directory.
        """
        handle = self.fresh_root()
        if not rel:
            return self.disk.open(".", FOLDER_FLAGS, dir_fd=handle.fd)
        return self._open_parts(parts_of(rel), FOLDER_FLAGS)

    def listed(self, rel: str) -> list[tuple[str, Stamp]]:
        """What lies in a folder below the root, by name, and its state; nothing that begins with a dot.

        Raises:
            OSError: as the system says.
            Unreadable: the path leaves the directory.
        """
        disk = self.disk
        fd = self.open_folder(rel)
        try:
            found: list[tuple[str, Stamp]] = []
            for entry in disk.scandir(fd):
                if entry.name[0] != ".":
                    with suppress(FileNotFoundError):
                        found.append((entry.name, stamp_of(disk.lstat(entry.name, dir_fd=fd))))
        finally:
            shut(disk, fd)
        return sorted(found)

    def _open_parts(self, parts: list[str], flags: int) -> int:
        """Open step by step, so that no part of the way can be a link."""
        disk = self.disk
        handle = self._handle or self._open_root()
        at = handle.fd
        try:
            for part in parts[:-1]:
                below = disk.open(part, FOLDER_FLAGS, dir_fd=at)
                if at != handle.fd:
                    shut(disk, at)
                at = below
            return disk.open(parts[-1], flags, dir_fd=at)
        finally:
            if at != handle.fd:
                shut(disk, at)
