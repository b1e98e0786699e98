"""Writes a text that somebody wants to keep into a file of its own, and never over another one."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from memtui.memory.disk.calls import REAL_DISK, Disk, refused
from memtui.memory.errors import Refused

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)


def write_new(path: Path, text: str, *, apart_from: Path | None = None, disk: Disk = REAL_DISK) -> None:
    """Write a new file, readable by its owner only; on success it is on disk for good.

    Args:
        path: where; its folder must be there, and nothing of that name.
        text: what; bytes that were not UTF-8 when it was read come out as they were.
        apart_from: a folder it must not come to lie in, such as a memory directory, where it would be a memory.
        disk: the system calls it uses.

    Raises:
        Refused: something of that name is there, or the system said no. No half-written file is left.
    """
    where = str(path)
    try:
        if apart_from is not None and Path(disk.realpath(str(path.parent))).is_relative_to(
            disk.realpath(str(apart_from))
        ):
            raise Refused("a file there would become a memory", where=where, todo="Choose another folder")
        fd = disk.open(where, _FLAGS, 0o600)
    except OSError as error:
        if error.errno in {errno.EEXIST, errno.ELOOP}:
            raise Refused(
                "there is something of that name already", where=where, todo="Choose another"
            ) from error
        raise refused(error, "could not make the file", where) from error
    except ValueError as error:  # a NUL in the path
        raise Refused("this is no usable path", where=where) from error
    try:
        try:
            data = text.encode("utf-8", "surrogateescape")
            while data:
                data = data[disk.write(fd, data) :]
            disk.fsync(fd)
        finally:
            disk.close(fd)
    except OSError as error:
        with suppress(OSError):
            disk.unlink(where)
        raise refused(error, "could not write the file", where) from error
