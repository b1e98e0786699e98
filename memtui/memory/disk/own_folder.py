"""``.memtui/``: made with the first change, ours alone, and invisible to git."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import FOLDER_FLAGS, NEW_FLAGS, Disk
from memtui.memory.disk.images import is_folder, shut, sync_folder
from memtui.memory.errors import Refused


def make_root(disk: Disk, root: Path, mode: int = 0o777) -> None:
    """Make a folder and what is missing above it, so that it is still there after a power failure.

    Args:
        disk: the system calls it uses.
        root: the folder, such as a memory directory.
        mode: who may enter what is made, as far as the person's umask lets them.

    Raises:
        OSError: as the system says.
    """
    missing = [root]
    while not _is_there(disk, missing[-1].parent):
        missing.append(missing[-1].parent)
    for path in reversed(missing):
        try:
            disk.mkdir(os.fspath(path), mode)
        except FileExistsError:
            if not is_folder(disk, os.fspath(path)):
                raise
            continue
        try:
            above = disk.open(os.fspath(path.parent), FOLDER_FLAGS & ~os.O_NOFOLLOW)
        except PermissionError:
            continue  # one may be allowed to make a folder there and not to look; nor to sync it then
        try:
            sync_folder(disk, above)
        finally:
            shut(disk, above)


def _is_there(disk: Disk, path: Path) -> bool:
    try:
        disk.lstat(os.fspath(path))
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


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
        sync_folder(disk, root)
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
