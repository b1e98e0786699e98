"""Three-way merge of lines, change by change: changes of different lines are both made, whoever made them.

The unit is the single change, not the region between lines that all three sides share: two neighbours that changed
two neighbouring lines have not touched the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_EXACT_LINES = 2_000


@dataclass(frozen=True, slots=True)
class MergedLines:
    """Lines out of two sides.

    Attributes:
        lines: them, each with its line end; the last may have none.
        clean: False if both sides want the same lines to be different things; there stand theirs.
    """

    lines: tuple[str, ...]
    clean: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """Old lines ``start`` to ``stop`` become ``new``."""

    start: int
    stop: int
    new: tuple[str, ...]

    def meets(self, other: _Change) -> bool:
        """Whether both touch the same lines, or add at the same place."""
        if self == other or (self.start, self.stop) == (other.start, other.stop):
            return True
        return self.start < other.stop and other.start < self.stop


def split_lines(text: str) -> list[str]:
    r"""Lines with their ends; only ``\n`` ends one, so that joining them gives the text again."""
    pieces = text.split("\n")
    return [f"{piece}\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def merge_lines(base: Sequence[str] | None, ours: Sequence[str], theirs: Sequence[str]) -> MergedLines:
    """Merge two sides of the same lines.

    Where the result is clean, it does not matter which side is called ours.

    Args:
        base: what both were made from; None if nobody knows: then what both have in common.
        ours: one side.
        theirs: the side that stands where both want something else.
    """
    old = base if base is not None else _common(*sorted((ours, theirs), key=list))
    out: list[str] = []
    clean = True
    at = 0
    for mine, other in _clusters(_changes(old, ours), _changes(old, theirs)):
        start = min(change.start for change in (*mine, *other))
        stop = max(change.stop for change in (*mine, *other))
        out += old[at:start]
        new, agreed = _settle(
            old[start:stop], _applied(old, start, stop, mine), _applied(old, start, stop, other)
        )
        out += new
        clean &= agreed
        at = stop
    out += old[at:]
    return MergedLines(_closed(out), clean)


def _common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    blocks = _matcher(one, other).get_matching_blocks()
    return [line for block in blocks for line in one[block.a : block.a + block.size]]


def _matcher(old: Sequence[str], new: Sequence[str]) -> SequenceMatcher[str]:
    # Exact where that is quick; thousands of blank lines would be compared with one another.
    return SequenceMatcher(None, old, new, autojunk=len(new) > _EXACT_LINES)


def _changes(old: Sequence[str], new: Sequence[str]) -> list[_Change]:
    return [
        _Change(a, b, tuple(new[c:d]))
        for tag, a, b, c, d in _matcher(old, new).get_opcodes()
        if tag != "equal"
    ]


def _clusters(
    ours: Sequence[_Change], theirs: Sequence[_Change]
) -> Iterator[tuple[list[_Change], list[_Change]]]:
    """Changes of both sides in order, those that meet together."""
    order = sorted(
        [(change, 0) for change in ours] + [(change, 1) for change in theirs],
        key=lambda pair: (pair[0].start, pair[0].stop),
    )
    sides: tuple[list[_Change], list[_Change]] = ([], [])
    for change, side in order:
        if any(change.meets(other) for other in sides[1 - side]) or not (sides[0] or sides[1]):
            sides[side].append(change)
            continue
        yield sides
        sides = ([], [])
        sides[side].append(change)
    if sides[0] or sides[1]:
        yield sides


def _applied(old: Sequence[str], start: int, stop: int, changes: Sequence[_Change]) -> list[str]:
    out: list[str] = []
    for change in changes:
        out += old[start : change.start]
        out += change.new
        start = change.stop
    return [*out, *old[start:stop]]


def _settle(old: Sequence[str], ours: list[str], theirs: list[str]) -> tuple[list[str], bool]:
    if ours in (old, theirs):
        return theirs, True
    if theirs == old:
        return ours, True
    if not old:
        short, long = sorted((ours, theirs), key=len)
        if long[: len(short)] == short or long[len(long) - len(short) :] == short:
            return long, True
    return theirs, False


def _closed(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines, none glued to the next: one that was a side's last may stand before others now."""
    newline = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    inner = (line if line.endswith("\n") else f"{line}{newline}" for line in lines[:-1])
    return (*inner, *lines[-1:])
