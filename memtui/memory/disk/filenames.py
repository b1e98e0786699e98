"""Names on disk: temporary ones, numbered ones, and ones short enough to exist."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import sha256

from memtui.memory.lazy import lazy_pattern

NAME_PART = 40
"""Characters of the name kept in a temporary name, so that any name fits into 255 bytes."""
_NUMBER = lazy_pattern(r"_v(\d+)(\.md)\Z")
_TEMP = lazy_pattern(
    r"\.(?P<name>.+)\.(?P<pid>\d{1,10})\.(?P<token>[0-9a-f]{14,20})\.(?P<kind>part|swap)", re.DOTALL
)
_NAME_BYTES = 240  # of the 255 that file systems take
_MAX_BUMPS = 100_000


def split(rel: str) -> tuple[str, str]:
    """A path as its folder (empty for the root) and its name."""
    folder, _, name = rel.rpartition("/")
    return folder, name


def temp_base(rel: str, token: str) -> str:
    """Path of a change's temporary file for ``rel``, without ``.part`` or ``.swap``.

    Args:
        rel: the file it is for.
        token: the writer's token, possibly with more hex digits behind it.
    """
    folder, name = split(rel)
    base = f".{name[:NAME_PART]}.{os.getpid()}.{token}"
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
