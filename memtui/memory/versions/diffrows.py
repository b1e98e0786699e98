"""The difference of two texts as rows: one under the other, or side by side, equal lines left out.

Pure; what differs is worked out in ``worddiff``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
"""A part of a line: index of its first code point, and of the one behind its last."""

RowKind = Literal["same", "removed", "added", "gap", "heading"]

Note = Literal["lines-coarse", "words-skipped", "newline-lost", "newline-added"]
"""What a difference has to say beside its rows: lines or words were not compared to the last (too long), or the last
line lost or got its newline."""

CONTEXT = 3
"""Equal lines shown around a change unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a difference.

    Attributes:
        kind: ``same`` on both sides, ``removed`` from the old or ``added`` in the new text; ``gap`` stands for equal
            lines left out, ``heading`` for nothing in either text.
        text: the line as it is in the file, without its newline; not yet fit to be shown.
        old: its number in the old text, from 1; None if it is not there.
        new: its number in the new text.
        changed: of a line that has a counterpart, the words that are not in it; None where the whole line is new or gone.
        hidden: of a gap, lines left out.
    """

    kind: RowKind
    text: str = ""
    old: int | None = None
    new: int | None = None
    changed: tuple[Span, ...] | None = None
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of a side-by-side view; a gap and an equal line are the same row twice.

    Attributes:
        left: the old text's line; None where there is none.
        right: the new text's.
    """

    left: Row | None
    right: Row | None


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference of two texts.

    Attributes:
        pairs: every line of both texts, counterparts beside each other.
        removed: lines of the old text that the new one has not, or not like this.
        added: lines of the new text likewise.
        notes: what there is to say beside.
    """

    pairs: tuple[Pair, ...]
    removed: int
    added: int
    notes: tuple[Note, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether both texts are equal."""
        return not (self.removed or self.added or self.notes)


def unified(diff: Diff, context: int | None = CONTEXT) -> tuple[Row, ...]:
    """The rows one under the other: what was removed above what took its place.

    Args:
        diff: the difference.
        context: equal lines to keep around changes; None for all.
    """
    rows: list[Row] = []
    added: list[Row] = []
    for pair in _shown(diff.pairs, context):
        left, right = pair.left, pair.right
        if left is not None and left is right:
            rows += [*added, left]
            added = []
            continue
        paired = left is not None and right is not None and left.changed is not None
        if paired and added:
            rows += added
            added = []
        if left is not None:
            rows.append(left)
        if right is not None:
            if paired:
                rows.append(right)
            else:
                added.append(right)
    return (*rows, *added)


def side_by_side(diff: Diff, context: int | None = CONTEXT) -> tuple[Pair, ...]:
    """The rows with counterparts beside each other.

    Args:
        diff: the difference.
        context: equal lines to keep around changes; None for all.
    """
    return tuple(_shown(diff.pairs, context))


def _shown(pairs: Sequence[Pair], context: int | None) -> Iterator[Pair]:
    if context is None:
        yield from pairs
        return
    start = 0
    while start < len(pairs):
        if not _is_same(pairs[start]):
            yield pairs[start]
            start += 1
            continue
        end = start
        while end < len(pairs) and _is_same(pairs[end]):
            end += 1
        head = context if start else 0
        tail = context if end < len(pairs) else 0
        hidden = end - start - head - tail
        if hidden <= 1:  # a gap of one line saves nothing
            yield from pairs[start:end]
        else:
            yield from pairs[start : start + head]
            gap = Row("gap", hidden=hidden)
            yield Pair(gap, gap)
            yield from pairs[end - tail : end]
        start = end


def _is_same(pair: Pair) -> bool:
    return pair.left is not None and pair.left.kind == "same"
