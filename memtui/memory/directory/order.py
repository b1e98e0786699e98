"""The order of a directory's memories, kept at the cost of what changed."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple

from memtui.memory.document.entries import Key, Known
from memtui.memory.types import MemoryEntry

_BULK = 64
"""Fewer changed files than this are always placed one by one."""
_BY_KEY = attrgetter("key")


class Move(NamedTuple):
    """One file before and after a look; None where it was not there."""

    old: Known | None
    new: Known | None


class Order:
    """All files in the order of their keys, and what is counted over all of them. Not thread-safe.

    Attributes:
        nested: how many live files hold their type under ``metadata``.
        flat: how many live files hold it at the top.
        ready: the entries in order; None if something changed since they were last asked for.
    """

    def __init__(self, files: dict[str, Known]) -> None:
        """Order what is in ``files``, which the owner brings up to date before every `place`."""
        self.nested = self.flat = 0
        self.ready: tuple[MemoryEntry, ...] | None = ()
        self._files = files
        self._keys: list[Key] = []
        self._sorted: list[MemoryEntry] = []
        self._below: Counter[str] = Counter()
        self._future: set[str] = set()

    def entries(self) -> tuple[MemoryEntry, ...]:
        """All entries in order; the same tuple until something changes."""
        if self.ready is None:
            self.ready = tuple(self._sorted)
        return self.ready

    def any_below(self, rel: str) -> bool:
        """Whether a file stands in this folder or deeper."""
        return rel in self._below

    def place(self, moves: Sequence[Move], now: float) -> None:
        """Bring order, counts and dates in line with what was read.

        Args:
            moves: what became of each file whose entry changed, in the order in which it did.
            now: Unix seconds; what a date in the future counts as.
        """
        if not moves:
            return
        for old, new in moves:
            if old is not None:
                self._count(old, -1)
            if new is not None:
                self._count(new, 1)
        if len(moves) > _BULK and len(moves) > len(self._files) // 8:
            ordered = sorted(self._files.values(), key=_BY_KEY)
            self._keys = [known.key for known in ordered]
            self._sorted = [known.entry for known in ordered]
        else:
            for old, new in moves:
                self._swap(old, new)
        if self._future:
            self._date_again(now)
        self.ready = None

    def _swap(self, old: Known | None, new: Known | None) -> None:
        if old is not None:
            at = bisect_left(self._keys, old.key)
            del self._keys[at], self._sorted[at]
        if new is not None:
            at = bisect_left(self._keys, new.key)
            self._keys.insert(at, new.key)
            self._sorted.insert(at, new.entry)

    def _count(self, known: Known, step: int) -> None:
        rel = known.entry.rel
        if known.nested is not None and not known.entry.aside:
            if known.nested:
                self.nested += step
            else:
                self.flat += step
        if known.key[1] == -inf:
            (self._future.add if step > 0 else self._future.discard)(rel)
        at = rel.find("/")
        while at >= 0:
            above = rel[:at]
            self._below[above] += step
            if not self._below[above]:
                del self._below[above]
            at = rel.find("/", at + 1)

    def _date_again(self, now: float) -> None:
        """Let dates in the future count as the new now, and place those that are past by now."""
        for rel in tuple(self._future):
            old = self._files[rel]
            past = old.effective < now
            key = (old.key[0], -old.effective, *old.key[2:]) if past else old.key
            new = old._replace(entry=old.entry._replace(modified=min(old.effective, now)), key=key)
            self._files[rel] = new
            self._swap(old, new)
            if past:
                self._future.discard(rel)
