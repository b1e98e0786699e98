"""What became different in a directory between two moments, by the slugs of its memories."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memtui.memory.document.entries import HISTORY_PREFIX, slug_of
from memtui.memory.types import MemoryEntry, Problem

IndexState = tuple[bytes | None, Problem | None]
"""The bytes of ``MEMORY.md``, and why it cannot be read."""


class Changes(NamedTuple):
    """What became different between two moments.

    Attributes:
        added: slugs of memories that were not there before.
        changed: slugs of memories that read differently now.
        removed: slugs of memories that are gone.
        index: whether the index file's bytes changed, or it came or went.
    """

    added: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    index: bool = False  # type: ignore[assignment]  # nobody asks such a tuple where something stands

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.index)

    def then(self, later: Changes) -> Changes:
        """Both as one step; what came and went between is not named."""
        added = (self.added - later.removed) | (later.added - self.removed)
        removed = (self.removed - later.added) | (later.removed - self.added)
        back = self.removed & later.added
        changed = (self.changed | later.changed | back) - added - removed
        return Changes(added, changed, removed, self.index or later.index)


class ChangeLog:
    """Remembers what each file was when it first became another, until somebody asks what is different by now."""

    def __init__(self) -> None:
        self._before: dict[str, MemoryEntry | None] = {}
        self._index_before: IndexState = (None, None)

    def note(self, rel: str, before: MemoryEntry | None) -> None:
        """A file became another: what it was; None if it was not there."""
        self._before.setdefault(rel, before)

    def take(self, now_of: Callable[[str], MemoryEntry | None], index: IndexState) -> Changes:
        """What became different since the last call, as one step; what came and went between is not named.

        Args:
            now_of: gives the memory of a file as it is now.
            index: the index as it is now.
        """
        added: set[str] = set()
        changed: set[str] = set()
        removed: set[str] = set()
        for rel, before in self._before.items():
            now = now_of(rel)
            if now == before:
                continue
            slug = slug_of(rel)
            # An archive and a live memory may share a slug: what becomes of one of them changes that slug.
            twin = f"{slug}.md" if rel.startswith(HISTORY_PREFIX) else f"{HISTORY_PREFIX}{slug}.md"
            twin_now = now_of(twin)
            was = before is not None or self._before.get(twin, twin_now) is not None
            here = now is not None or twin_now is not None
            (changed if was and here else added if here else removed).add(slug)
        index_changed = index != self._index_before
        self._before, self._index_before = {}, index
        return Changes(frozenset(added), frozenset(changed), frozenset(removed), index_changed)
