"""``.memtui/``: made with the first change, ours alone, and invisible to git."""

from __future__ import annotations

import stat

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk import FOLDER_FLAGS, NEW_FLAGS, Disk
from memtui.memory.errors import Refused
from memtui.memory.images import shut


def make_own_folder(disk: Disk, root: int) -> None:
    """Make ``.memtui/`` and its ``.gitignore`` below an open directory, where they are missing.

    Raises:
        OSError: as the system says; ``ENOTDIR`` or ``ELOOP`` where something else stands in its place.
        Refused: its lock is not a regular file.
    """
    try:
        disk.mkdir(OWN_FOLDER, 0o700, dir_fd=root)
    except FileExistsError:
        pass
    else:
        disk.fsync(root)
    fd = disk.open(OWN_FOLDER, FOLDER_FLAGS, dir_fd=root)
    try:
        _ignore_for_git(disk, fd)
        try:
            info = disk.lstat("lock", dir_fd=fd)
        except FileNotFoundError:
            return
        if not stat.S_ISREG(info.st_mode):
            raise Refused(
                "the lock is not a regular file", where=f"{OWN_FOLDER}/lock", todo="Remove it and try again"
            )
    finally:
        shut(disk, fd)


def _ignore_for_git(disk: Disk, own: int) -> None:
    try:
        fd = disk.open(".gitignore", NEW_FLAGS, 0o600, dir_fd=own)
    except FileExistsError:
        return
    try:
        disk.write(fd, b"*\n")
        disk.fsync(fd)
    finally:
        shut(disk, fd)
