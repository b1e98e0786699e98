"""Paths and small files that others wrote: transcripts, the client's own list, git's files. None of it is trusted."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAX_PATH_BYTES = 4096
"""Longest path that is taken for one, bytes: no call on Linux takes a longer one."""


def named_path(text: object) -> Path | None:
    """The absolute path that a value of a JSON file names; None for what no system call takes.

    Args:
        text: the value, of whatever type.
    """
    if not isinstance(text, str) or not text.startswith("/") or not is_nameable(text):
        return None
    return Path(text) if len(os.fsencode(text)) < MAX_PATH_BYTES else None


def is_nameable(text: str) -> bool:
    """Whether a text can be given to the system: no NUL, and no half characters, which JSON can spell."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def leads_to_folder(child: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a folder, or a link to one; one link that leads nowhere hides no other entry."""
    try:
        return child.is_dir()
    except OSError:  # a loop of links
        return False


def head_of(path: Path, limit: int, *, follow: bool = True) -> bytes | None:
    """The beginning of a regular file; None if there is none, or it may not be read. Never waits for a pipe.

    Args:
        path: the file.
        limit: most bytes to read.
        follow: whether the file may be a symbolic link.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        with os.fdopen(handle, "rb", closefd=False) as stream:
            return stream.read(limit)
    except OSError:
        return None
    finally:
        os.close(handle)
