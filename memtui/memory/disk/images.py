"""One file as it was read: its bytes, its state, and why some are not read."""

from __future__ import annotations

import errno
import os
import stat
from typing import NamedTuple

from memtui.memory.disk.calls import UNSUPPORTED, Disk
from memtui.memory.errors import Refused

MAX_FILE_BYTES = 1 << 20
"""Largest file that is read, bytes; a larger one is listed as too large (reliability §3)."""


class Stamp(NamedTuple):
    """What tells one state of a file from the next without reading it.

    Attributes:
        ino: inode number.
        size: bytes.
        mtime_ns: last change of the content, nanoseconds since 1970.
        ctime_ns: last change of the inode, nanoseconds since 1970.
        mode: type and permission bits, as in ``st_mode``.
    """

    ino: int
    size: int
    mtime_ns: int
    ctime_ns: int
    mode: int

    @property
    def is_regular(self) -> bool:
        """Whether it is a plain file, the only kind that is ever read."""
        return stat.S_ISREG(self.mode)


def digest_of(data: bytes) -> str:
    """SHA-256, hex: the name of these bytes."""
    from hashlib import sha256  # noqa: PLC0415 – OpenSSL takes long to load, and who only looks needs no digest

    return sha256(data).hexdigest()


class FileImage(NamedTuple):
    """The bytes of a file and the state they were read in."""

    data: bytes
    stamp: Stamp

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, hex."""
        return digest_of(self.data)


class Unreadable(Refused):
    """A file that is there, but is not read.

    Attributes:
        code: ``not-regular`` (a folder, pipe, device or socket), ``too-large``, ``outside`` (a link that leaves the
            directory, or a path that does), ``permission``, ``unstable`` (somebody is writing it) or ``io``.
    """

    def __init__(self, code: str, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what, where=where, todo=todo)
        self.code = code


def shut(disk: Disk, fd: int) -> None:
    """Close a descriptor; what matters was read, or fsynced, before."""
    try:  # noqa: SIM105  -- done for each file that is read, and `suppress` takes twice as long
        disk.close(fd)
    except OSError:
        pass


def is_folder(disk: Disk, path: str) -> bool:
    """Whether a folder is there, or a link to one; what cannot be looked at is none."""
    try:
        return stat.S_ISDIR(disk.stat(path).st_mode)
    except OSError:
        return False


def sync_folder(disk: Disk, fd: int) -> None:
    """Make the names in an open folder durable, where the file system can; raises ``OSError``."""
    try:
        disk.fsync(fd)
    except OSError as error:
        if error.errno not in UNSUPPORTED | {errno.EBADF}:
            raise


def stamp_of(info: os.stat_result) -> Stamp:
    """The part of a ``stat`` that `Stamp` keeps."""
    return Stamp(info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_mode)


def parts_of(rel: str) -> list[str]:
    """A relative path in its parts.

    Raises:
        Unreadable: it is empty, absolute, or has an empty, ``.`` or ``..`` part, or a NUL.
    """
    parts = rel.split("/")
    if "\0" in rel or any(part in {"", ".", ".."} for part in parts):
        raise Unreadable("outside", "this is not a path below the memory directory", where=rel)
    return parts
