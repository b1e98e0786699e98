"""Which memories were written one after the other: those of one session, and those of one numbered series (ours)."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from memtui.memory.types import MemoryEntry

_NUMBER = re.compile(r"\d{1,18}")
LEAST_OF_SERIES = 8
"""Fewer memories with numbered names are no log of one thing after the other."""


class _Series(NamedTuple):
    """What memories have in common that follow each other: a session, or a slug but for its last number."""

    session: str | None
    before: str
    after: str


_Member = tuple[float, int, str]
"""Time, number and slug, by which members follow each other."""


class Neighbours:
    """Tells the memories just before and after one.

    Memories of one session follow each other by time; others are neighbours if their slugs differ in the last number
    alone, as ``talk-2/turn-7`` and ``talk-2/turn-8`` do.
    """

    def __init__(self) -> None:
        self._members: dict[_Series, set[_Member]] = {}
        self._sorted: dict[_Series, list[_Member]] = {}

    def add(self, entry: MemoryEntry) -> None:
        """Know a memory."""
        if placed := _placed(entry):
            series, member = placed
            self._members.setdefault(series, set()).add(member)
            self._sorted.pop(series, None)

    def remove(self, entry: MemoryEntry) -> None:
        """Forget a memory."""
        if placed := _placed(entry):
            series, member = placed
            self._members.get(series, set()).discard(member)
            self._sorted.pop(series, None)

    def of(self, entry: MemoryEntry) -> tuple[str | None, str | None]:
        """Slugs of the memories just before and just after a known one."""
        placed = _placed(entry)
        if placed is None:
            return None, None
        series, member = placed
        order = self._sorted.get(series)
        if order is None:
            order = self._sorted[series] = sorted(self._members.get(series, ()))
        if series.session is None and len(order) < LEAST_OF_SERIES:
            return None, None
        at = bisect_left(order, member)
        return (order[at - 1][2] if at else None), (order[at + 1][2] if at + 1 < len(order) else None)


def _placed(entry: MemoryEntry) -> tuple[_Series, _Member] | None:
    """The series that a memory belongs to, and its place there; None for one that stands alone."""
    numbers = list(_NUMBER.finditer(entry.slug))
    last = int(numbers[-1].group()) if numbers else 0
    if entry.origin is not None:
        return _Series(entry.origin, "", ""), (entry.modified, last, entry.slug)
    if not numbers:
        return None
    start, end = numbers[-1].span()
    return _Series(None, entry.slug[:start], entry.slug[end:]), (0.0, last, entry.slug)
