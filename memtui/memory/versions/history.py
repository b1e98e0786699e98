"""Versions of a memory: which old files belong to it, and what differs between two of them."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from memtui.memory.errors import UsageError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import MemoryEntry
from memtui.memory.wording.saying import Say, joined

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


def last_numbers(slugs: Iterable[str]) -> dict[str, int]:
    """The highest version number that any name in use gives, for each memory that one tells of."""
    last: dict[str, int] = {}
    for base, number in filter(None, map(split_archive, slugs)):
        last[base] = max(number, last.get(base, 0))
    return last


def next_number(slug: str, slugs: Iterable[str]) -> int:
    """The number of the next old version of ``slug``: one more than any name in use, so that numbers only grow."""
    return last_numbers(slugs).get(slug, 0) + 1


def owner_of(entry: MemoryEntry) -> str | None:
    """The memory that an old version belongs to: the one that superseded it, else the one its name tells of."""
    base = split_archive(entry.slug)
    return entry.superseded_by or (base[0] if base else None)


class Family:
    """Which versions belong to which memory, for whoever asks of many.

    An archive belongs to the memory that superseded it. Where that memory was itself merged or renamed away, its own
    archives come along, so that no history is lost from view.
    """

    def __init__(self, entries: Iterable[MemoryEntry]) -> None:
        self._active: dict[str, MemoryEntry] = {}
        self._archives: defaultdict[str, list[MemoryEntry]] = defaultdict(list)
        for entry in entries:
            if entry.is_active:
                self._active[entry.slug] = entry
            elif (owner := owner_of(entry)) is not None:
                self._archives[owner].append(entry)

    def of(self, slug: str) -> tuple[Version, ...]:
        """The version in force, then the old ones, newest first."""
        found: list[Version] = []
        seen: set[str] = set()
        queue = [slug]
        while queue:
            owner = queue.pop()
            if owner in seen:
                continue
            seen.add(owner)
            for entry in self._archives.get(owner, ()):
                base = split_archive(entry.slug)
                own = base is not None and base[0] == slug
                found.append(Version(str(base[1]) if base and own else entry.slug, entry))
                if base is not None and base[0] not in self._active:
                    queue.append(base[0])
        found.sort(
            key=lambda version: (version.id.isdigit() and int(version.id), version.entry.modified),
            reverse=True,
        )
        found.sort(key=lambda version: version.entry.modified, reverse=True)
        current = self._active.get(slug)
        head = (Version("current", current, current=True),) if current else ()
        return (*head, *found)

    def old(self, slug: str) -> list[MemoryEntry]:
        """The old versions alone, oldest first."""
        return [version.entry for version in reversed(self.of(slug)) if not version.current]


def versions_of(slug: str, entries: Iterable[MemoryEntry]) -> tuple[Version, ...]:
    """The version in force, then the old ones, newest first; see `Family`."""
    return Family(entries).of(slug)


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


def unified_diff(old: str, new: str, *, old_name: str, new_name: str) -> str:
    """The difference of two texts in unified format; empty if they are equal. A missing final newline is said."""
    compared = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), old_name, new_name
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in compared
    )
