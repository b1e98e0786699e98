"""Small files of ours outside the memory directories, in the state folder: put in place whole, by the door of the memories."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.memory.disk.calls import REAL_DISK, Disk
from memtui.memory.disk.files import Folder
from memtui.memory.disk.images import is_folder
from memtui.memory.disk.own_folder import make_root
from memtui.memory.disk.writing import Writer


def put(path: Path, data: bytes, disk: Disk = REAL_DISK) -> None:
    """Put a file in the place of the one before, all of it or none, durable; only its owner may read it.

    Folders that are missing above it are made, for their owner alone.

    Raises:
        OSError: as the system says; the file is as it was, or whole and new where only its name could not be made
            durable.
    """
    if not is_folder(disk, os.fspath(path.parent)):
        make_root(disk, path.parent, 0o700)
    with Writer(Folder(path.parent, disk)) as writer:
        writer.replace(path.name, data)
