"""Writing files as every change does it; nothing here decides what is written or why.

New bytes are first written beside their place as ``.<name>.<pid>.<token>.part`` (may be torn), fsynced, and renamed
to ``….swap`` (never torn); from there ``saving.steps`` puts them into place in one step (reliability §1).
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

from memtui.memory.conventions import OWN_FOLDER, TRASH_FOLDER
from memtui.memory.disk.calls import APPEND_FLAGS, NEW_FLAGS, READ_FLAGS, UNSUPPORTED
from memtui.memory.disk.filenames import split, temp_base
from memtui.memory.disk.files import FileImage, Folder, Unreadable, digest_of, shut
from memtui.memory.disk.moving import Mover

OBJECTS_FOLDER = f"{OWN_FOLDER}/objects"
OWN_LIMIT = 8 << 20
"""Largest file of our own making that is read back, bytes: an archive is a little longer than what it archives."""

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


class Writer(Mover):
    """Writes below one directory; holds the folders it works in open, and closes them at the end of a ``with``."""

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self.token = os.urandom(TOKEN_DIGITS // 2).hex()
        self._serial = 0

    def __enter__(self) -> Self:
        ACTIVE.add(self.token)
        return super().__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ACTIVE.discard(self.token)
        super().__exit__(kind, error, trace)

    def temp(self, rel: str) -> str:
        """A new temporary name beside ``rel``, without ``.part`` or ``.swap``."""
        self._serial += 1
        return temp_base(rel, f"{self.token}{self._serial:02x}")

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

    def replace(self, rel: str, data: bytes) -> None:
        """Write one of our own files anew, durable: it is whole, the old one or the new. Only its owner may read it."""
        part = Part(f"{self.temp(rel)}.part", data, mode=0o600)
        self.write_parts([part])
        try:
            self.rename(part.rel, rel)
        except OSError:
            self.remove_quietly(part.rel)
            raise
        self.sync()

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
                try:
                    self.rename(part.rel, rel)
                except IsADirectoryError:
                    self._put_aside(rel)
                    self.rename(part.rel, rel)
        except OSError:
            for part in parts:
                self.remove_quietly(part.rel)
            raise
        return digest

    def _put_aside(self, rel: str) -> None:
        """Move a folder out of an object's place: no such bytes could ever be saved, and recovery would never end."""
        self.make_folder(TRASH_FOLDER)
        self.move(rel, f"{TRASH_FOLDER}/{self.token}-{split(rel)[1]}")

    def _is_stored(self, rel: str, data: bytes) -> bool:
        try:
            return self.read(rel).data == data
        except (OSError, Unreadable):
            return False
