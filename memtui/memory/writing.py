"""The small writing moves that every change is made of; nothing here decides what is written or why.

New bytes are first written beside their place as ``.<name>.<pid>.<token>.part`` (may be torn), fsynced, and renamed
to ``….swap`` (never torn); from there they go into place in one step (reliability §1).
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from types import TracebackType
from typing import Self

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk import APPEND_FLAGS, NEW_FLAGS, READ_FLAGS, UNSUPPORTED
from memtui.memory.files import FileImage, Folder, Unreadable, parts_of, shut

OBJECTS_FOLDER = f"{OWN_FOLDER}/objects"
OWN_LIMIT = 8 << 20
"""Largest file of our own making that is read back, bytes: an archive is a little longer than what it archives."""

_NO_LINKS = UNSUPPORTED | {errno.EPERM, errno.EMLINK, errno.EXDEV}
TOKEN_DIGITS = 12
SETTLE_TRIES = 20
SETTLE_SECONDS = 0.005
_NAME_PART = 40  # characters of the name kept in a temporary name, so that any name fits into 255 bytes
_NUMBER = re.compile(r"_v(\d+)(\.md)\Z")
_TEMP = re.compile(
    r"\.(?P<name>.+)\.(?P<pid>\d{1,10})\.(?P<token>[0-9a-f]{14,20})\.(?P<kind>part|swap)", re.DOTALL
)
_NAME_BYTES = 240  # of the 255 that file systems take
_MAX_BUMPS = 100_000


def split(rel: str) -> tuple[str, str]:
    """A path as its folder (empty for the root) and its name."""
    folder, _, name = rel.rpartition("/")
    return folder, name


ACTIVE: set[str] = set()
"""Tokens of the writers at work in this process: their temporary files are not leftovers."""


def temp_base(rel: str, token: str) -> str:
    """Path of a change's temporary file for ``rel``, without ``.part`` or ``.swap``.

    Args:
        rel: the file it is for.
        token: the writer's token, possibly with more hex digits behind it.
    """
    folder, name = split(rel)
    base = f".{name[:_NAME_PART]}.{os.getpid()}.{token}"
    return f"{folder}/{base}" if folder else base


def is_temp(rel: str) -> re.Match[str] | None:
    """A temporary name in its parts ``name``, ``pid``, ``token`` and ``kind``, or None."""
    return _TEMP.fullmatch(split(rel)[1])


def next_name(rel: str) -> str:
    """The next name to try for a file whose name is taken: ``a_v3.md`` after ``a_v2.md``, else ``x-2.md``."""
    found = _NUMBER.search(rel)
    if found:
        return f"{rel[: found.start()]}_v{int(found[1]) + 1}{found[2]}"
    stem, dot, ending = rel.rpartition(".") if "." in split(rel)[1] else (rel, "", "")
    again = re.fullmatch(r"(.*)-(\d+)", stem, re.DOTALL)
    head, number = (again[1], int(again[2])) if again else (stem, 1)
    return f"{head}-{number + 1}{dot}{ending}"


def fitting(rel: str) -> str:
    """The path with a name short enough for any file system, with room for a number; a cut one has a hash in it."""
    folder, name = split(rel)
    if len(os.fsencode(name)) <= _NAME_BYTES:
        return rel
    found = re.search(r"(_v\d+)?(\.[A-Za-z0-9]{1,8})?\Z", name)
    ending = found[0] if found else ""
    stem = name.removesuffix(ending)
    tail = f"~{sha256(os.fsencode(stem)).hexdigest()[:10]}{ending}"
    while len(os.fsencode(stem + tail)) > _NAME_BYTES:
        stem = stem[:-1]
    return f"{folder}/{stem}{tail}" if folder else stem + tail


def names_from(rel: str) -> Iterator[str]:
    """``rel``, cut to fit, and the names to try after it."""
    rel = fitting(rel)
    for _ in range(_MAX_BUMPS):
        yield rel
        rel = next_name(rel)


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

    def write_part(
        self, rel: str, data: bytes, *, mode: int | None, mtime_ns: int | None, owner: tuple[int, int] | None
    ) -> None:
        """Write a new file, durable; on failure it is gone again.

        A failed fsync says nothing about a second one on the same file, so the file is thrown away and written anew
        from memory, once.
        """
        try:
            self._write_once(rel, data, mode, mtime_ns, owner)
        except OSError as error:
            self.remove_quietly(rel)
            if error.errno != errno.EIO:
                raise
            try:
                self._write_once(rel, data, mode, mtime_ns, owner)
            except OSError:
                self.remove_quietly(rel)
                raise

    def _write_once(
        self, rel: str, data: bytes, mode: int | None, mtime_ns: int | None, owner: tuple[int, int] | None
    ) -> None:
        disk = self.disk
        folder, name = self.at(rel)
        fd = disk.open(name, NEW_FLAGS, 0o644 if mode is None else mode & 0o700, dir_fd=folder)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[disk.write(fd, bytes(rest)) :]
            if owner is not None:
                disk.fchown(fd, *owner)
            if mode is not None:
                disk.fchmod(fd, mode & 0o7777)
            if mtime_ns is not None:
                disk.utime(fd, mtime_ns)
            disk.fsync(fd)
        finally:
            shut(disk, fd)

    def append(self, rel: str, line: bytes) -> None:
        """Add a line to a file, durable. It starts with a newline, so that a torn line before it stays alone."""
        disk = self.disk
        folder, name = self.at(rel)
        fd = disk.open(name, APPEND_FLAGS, 0o600, dir_fd=folder)
        try:
            if not stat.S_ISREG(disk.fstat(fd).st_mode):
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

    def store(self, data: bytes) -> str:
        """Keep bytes under their SHA-256; call `sync` to make the name durable too."""
        digest = sha256(data).hexdigest()
        rel = f"{OBJECTS_FOLDER}/{digest}"
        self.make_folder(OBJECTS_FOLDER)
        self.touch(rel)
        if self.lstat(rel) is not None:
            with suppress(OSError, Unreadable):
                if self.folder.read(rel, OWN_LIMIT).data == data:
                    return digest
        temp = f"{self.temp(f'{OBJECTS_FOLDER}/{digest[:12]}')}.part"
        self.write_part(temp, data, mode=0o600, mtime_ns=None, owner=None)
        try:
            self.rename(temp, rel)
        except OSError:
            self.remove_quietly(temp)
            raise
        return digest


@contextmanager
def writing(folder: Folder) -> Iterator[Writer]:
    """A `Writer` for one change."""
    with Writer(folder) as writer:
        yield writer
