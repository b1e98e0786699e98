"""Versions of a memory: which old files belong to it, and what differs between two of them."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from memtui.memory.errors import UsageError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.saying import Say, joined
from memtui.memory.types import MemoryEntry

_NUMBERED = lazy_pattern(r"(?P<base>.+)_v(?P<number>[0-9]{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a memory.

    Attributes:
        id: what to call it: its number for the memory's own old versions (``"2"``), the file's slug for those that
            came from another memory by merge or rename (``"old-name_v1"``), and ``"current"``.
        entry: the file as read.
        current: whether it is the one in force.
    """

    id: str
    entry: MemoryEntry
    current: bool = False


def split_archive(slug: str) -> tuple[str, int] | None:
    """Memory and version number that an archive's name gives: ``a_v2`` → (``a``, 2). The name alone proves nothing."""
    match = _NUMBERED.fullmatch(slug)
    return (match["base"], int(match["number"])) if match else None


def next_number(slug: str, slugs: Iterable[str]) -> int:
    """The number of the next old version of ``slug``: one more than any name in use, so that numbers only grow."""
    taken = [found[1] for found in map(split_archive, slugs) if found and found[0] == slug]
    return max(taken, default=0) + 1


def owner_of(entry: MemoryEntry) -> str | None:
    """The memory that an old version belongs to: the one that superseded it, else the one its name tells of."""
    base = split_archive(entry.slug)
    return entry.superseded_by or (base[0] if base else None)


def versions_of(slug: str, entries: Iterable[MemoryEntry]) -> tuple[Version, ...]:
    """The version in force, then the old ones, newest first.

    An archive belongs to the memory that superseded it. Where that memory was itself merged or renamed away, its own
    archives come along, so that no history is lost from view.
    """
    current: MemoryEntry | None = None
    active: set[str] = set()
    archives: defaultdict[str, list[MemoryEntry]] = defaultdict(list)
    for entry in entries:
        if entry.is_active:
            active.add(entry.slug)
            if entry.slug == slug:
                current = entry
            continue
        owner = owner_of(entry)
        if owner is not None:
            archives[owner].append(entry)

    found: list[Version] = []
    seen: set[str] = set()
    queue = [slug]
    while queue:
        owner = queue.pop()
        if owner in seen:
            continue
        seen.add(owner)
        for entry in archives[owner]:
            base = split_archive(entry.slug)
            own = base is not None and base[0] == slug
            found.append(Version(str(base[1]) if base and own else entry.slug, entry))
            if base is not None and base[0] not in active:
                queue.append(base[0])
    found.sort(
        key=lambda version: (version.id.isdigit() and int(version.id), version.entry.modified), reverse=True
    )
    found.sort(key=lambda version: version.entry.modified, reverse=True)
    head = (Version("current", current, current=True),) if current else ()
    return (*head, *found)


def pick_version(slug: str, version_id: str, versions: Iterable[Version]) -> Version:
    """The version a person named.

    Raises:
        UsageError: there is none of that name; the message lists those there are.
    """
    known = tuple(versions)
    for version in known:
        if version_id in {version.id, version.entry.slug} or version_id.removeprefix("v") == version.id:
            return version
    names = joined((version.id for version in known), ", ") or Say("none")
    raise UsageError(
        Say("there is no version {version_id!r}", version_id=version_id),
        where=slug,
        todo=Say("Versions: {names}", names=names),
    )


def unified_diff(old: str, new: str, *, old_name: str, new_name: str, context: int = 3) -> str:
    """The difference of two texts in unified format; empty if they are equal. A missing final newline is said."""
    compared = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), old_name, new_name, n=context
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in compared
    )
