"""The small writing moves that every change is made of; nothing here decides what is written or why.

New bytes are first written beside their place as ``.<name>.<pid>.<token>.part`` (may be torn), fsynced, and renamed
to ``….swap`` (never torn); from there they go into place in one step (reliability §1).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk import APPEND_FLAGS, NEW_FLAGS, READ_FLAGS, UNSUPPORTED
from memtui.memory.filenames import split, temp_base
from memtui.memory.files import FileImage, Folder, Unreadable, digest_of, parts_of, shut

OBJECTS_FOLDER = f"{OWN_FOLDER}/objects"
OWN_LIMIT = 8 << 20
"""Largest file of our own making that is read back, bytes: an archive is a little longer than what it archives."""

_NO_LINKS = UNSUPPORTED | {errno.EPERM, errno.EMLINK, errno.EXDEV}
_NO_CHOWN = UNSUPPORTED | {errno.EPERM, errno.EACCES}
TOKEN_DIGITS = 12
SETTLE_TRIES = 20
SETTLE_SECONDS = 0.005

ACTIVE: set[str] = set()
"""Tokens of the writers at work in this process: their temporary files are not leftovers."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file to be written beside its place.

    Attributes:
        rel: its temporary path.
        data: its bytes.
        mode: permission bits; None for the usual.
        mtime_ns: modification time, nanoseconds since 1970; None for now.
        owner: user and group, where the system lets us give it away; -1 and None for our own.
    """

    rel: str
    data: bytes
    mode: int | None = None
    mtime_ns: int | None = None
    owner: tuple[int, int] | None = None


class Taken(Exception):
    """The name is taken."""


class Writer:
    """Writes below one directory; holds the folders it works in open, and closes them at the end of a ``with``."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.disk = folder.disk
        self.token = os.urandom(TOKEN_DIGITS // 2).hex()
        self._serial = 0
        self._open: dict[str, int] = {}
        self._touched: set[str] = set()

    def __enter__(self) -> Self:
        ACTIVE.add(self.token)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ACTIVE.discard(self.token)
        for fd in self._open.values():
            shut(self.disk, fd)
        self._open.clear()

    def temp(self, rel: str) -> str:
        """A new temporary name beside ``rel``, without ``.part`` or ``.swap``."""
        self._serial += 1
        return temp_base(rel, f"{self.token}{self._serial:02x}")

    # ------------------------------------------------------------------ folders

    def at(self, rel: str) -> tuple[int, str]:
        """The open folder that holds ``rel``, and its name there."""
        parts_of(rel)
        folder, name = split(rel)
        fd = self._open.get(folder)
        if fd is None:
            fd = self._open[folder] = self.folder.open_folder(folder)
        return fd, name

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
            fd = self._open.get(folder)
            if fd is None:
                try:
                    fd = self._open[folder] = self.folder.open_folder(folder)
                except FileNotFoundError:
                    continue  # somebody removed it; there is nothing left to keep
            self._sync_folder(fd)
        self._touched.clear()

    def _sync_folder(self, fd: int) -> None:
        try:
            self.disk.fsync(fd)
        except OSError as error:
            if error.errno not in UNSUPPORTED | {errno.EBADF}:  # some file systems cannot sync a folder
                raise

    # ------------------------------------------------------------------ writing

    def write_parts(self, parts: Sequence[Part]) -> None:
        """Write new files, durable; on failure they are gone again.

        A failed fsync says nothing about a second one on the same file, so the file is thrown away and written anew
        from memory, once.
        """
        try:
            for part in self._write_all(parts):
                self.remove(part.rel)
                self._check(self._write_all([part]))
        except OSError:
            for part in parts:
                self.remove_quietly(part.rel)
            raise

    @staticmethod
    def _check(failed: Sequence[Part]) -> None:
        if failed:
            raise OSError(errno.EIO, os.strerror(errno.EIO), failed[0].rel)

    def _write_all(self, parts: Sequence[Part]) -> list[Part]:
        """Write files and sync them together; returns those whose fsync failed."""
        disk = self.disk
        fds: list[int] = []
        failed: list[Part] = []
        try:
            for part in parts:
                fds.append(self._write_one(part))  # noqa: PERF401  -- those open so far are closed if one fails
            for fd in fds:
                with suppress(OSError):
                    disk.start_sync(fd)
            for part, fd in zip(parts, fds, strict=True):
                try:
                    disk.fsync(fd)
                except OSError as error:
                    if error.errno != errno.EIO:
                        raise
                    failed.append(part)
        finally:
            for fd in fds:
                shut(disk, fd)
        return failed

    def _write_one(self, part: Part) -> int:
        disk = self.disk
        folder, name = self.at(part.rel)
        mode = part.mode
        fd = disk.open(name, NEW_FLAGS, 0o644 if mode is None else mode & 0o700, dir_fd=folder)
        try:
            rest = memoryview(part.data)
            while rest:
                rest = rest[disk.write(fd, bytes(rest)) :]
            if part.owner is not None:
                mode = self._give_owner(fd, *part.owner, mode)
            if mode is not None:
                disk.fchmod(fd, mode & 0o777)
            if part.mtime_ns is not None:
                disk.utime(fd, part.mtime_ns)
        except BaseException:
            shut(disk, fd)
            raise
        return fd

    def _give_owner(self, fd: int, user: int, group: int, mode: int | None) -> int | None:
        """Give a new file the user and group of the old one as far as the system allows; returns its mode.

        Where it refuses, the file is our own: in a folder that others share with us they may replace it as we do.
        What the old group was allowed is nothing that another group shall be.
        """
        for owner in dict.fromkeys((user, -1)):
            try:
                self.disk.fchown(fd, owner, group)
            except OSError as error:
                if error.errno not in _NO_CHOWN:
                    raise
            else:
                return mode
        return None if mode is None else mode & ~0o070 | (mode & 0o007) << 3

    def append(self, rel: str, line: bytes) -> None:
        """Add a line to a file, durable. It starts with a newline, so that a torn line before it stays alone."""
        disk = self.disk
        folder, name = self.at(rel)
        fd = disk.open(name, APPEND_FLAGS, 0o600, dir_fd=folder)
        try:
            info = disk.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), rel)
            data = b"\n" + line + b"\n"
            for _ in range(3):
                if disk.write(fd, data) == len(data):
                    break
            else:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), rel)
            disk.fsync(fd)
        finally:
            shut(disk, fd)
        if info.st_size == 0:
            self.touch(rel)

    # ------------------------------------------------------------------ reading

    def read(self, rel: str) -> FileImage:
        """One of our own names as it stands, no link followed; raises as `Folder.read` does, and ``OSError``."""
        return self.settle(rel, tries=0)[0]

    def settle(self, rel: str, tries: int = SETTLE_TRIES) -> tuple[FileImage, bool]:
        """A file that has lost its name, once those who opened it for writing before are done with it.

        Returns:
            What it holds, and whether somebody still has it open for writing.
        """
        folder, name = self.at(rel)
        fd = self.disk.open(name, READ_FLAGS, dir_fd=folder)
        try:
            busy = False
            for _ in range(tries):
                busy = self.disk.writers(fd) is True
                if not busy:
                    break
                self.disk.pause(SETTLE_SECONDS)
            return self.folder.read_open(fd, rel, OWN_LIMIT), busy
        finally:
            shut(self.disk, fd)

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

    # ------------------------------------------------------------------ objects

    def store(self, *contents: bytes) -> str:
        """Keep bytes under their SHA-256; call `sync` to make the names durable too.

        Returns:
            The digest of the last.
        """
        self.make_folder(OBJECTS_FOLDER)
        missing: dict[str, bytes] = {}
        digest = ""
        for data in contents:
            digest = digest_of(data)
            rel = f"{OBJECTS_FOLDER}/{digest}"
            self.touch(rel)
            if rel not in missing and not self._is_stored(rel, data):
                missing[rel] = data
        parts = [
            Part(f"{self.temp(rel[: len(OBJECTS_FOLDER) + 13])}.part", data, mode=0o600)
            for rel, data in missing.items()
        ]
        self.write_parts(parts)
        try:
            for part, rel in zip(parts, missing, strict=True):
                self.rename(part.rel, rel)
        except OSError:
            for part in parts:
                self.remove_quietly(part.rel)
            raise
        return digest

    def _is_stored(self, rel: str, data: bytes) -> bool:
        try:
            return self.read(rel).data == data
        except (OSError, Unreadable):
            return False
