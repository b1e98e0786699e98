"""Rows of a difference as lines with roles: pure, and safe to show.

Changed words stand out by their look; where a screen has no colours or draws ASCII only, also by signs around them:
``[-gone-]`` and ``{+come+}``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.memory.text import visible
from memtui.memory.versions.diffrows import Note, Pair, Row
from memtui.tui.present.lines import Line, Part, hard_wrap, plain, wrap
from memtui.tui.wording.diff import DiffWords

MAX_EXACT_ROWS = 3000
"""With more rows, lines are broken at the edge and not at spaces, so that their height is quickly known."""
MAX_WORD_WRAPPED = 4096
"""Longer lines are broken where they reach the edge; breaking them at spaces would be felt."""

_SIGNS = {"same": " ", "removed": "-", "added": "+"}
_BRACKETS = {"removed": ("[-", "-]"), "added": ("{+", "+}")}


def note_text(note: Note, words: DiffWords) -> str:
    """What a difference has to say beside its rows."""
    return {
        "lines-coarse": words.lines_coarse,
        "words-skipped": words.words_skipped,
        "newline-lost": words.newline_lost,
        "newline-added": words.newline_added,
    }[note]


def number_cells(rows: Sequence[Row] | Sequence[Pair]) -> int:
    """Cells the line numbers need; 0 where no row has one."""
    old = new = 0
    for place in range(len(rows) - 1, -1, -1):  # numbers grow, so the last of either text is its largest
        row = rows[place]
        for side in (row.left, row.right) if isinstance(row, Pair) else (row,):
            if side is not None:
                old, new = old or side.old or 0, new or side.new or 0
        if old and new:
            break
    return len(str(max(old, new))) if old or new else 0


@dataclass(frozen=True, slots=True)
class Prepared:
    """Rows of a difference with what is to be known of all of them before the first is shown; made in a thread.

    Attributes:
        rows: the rows.
        numbers: cells the line numbers need.
        changes: numbers of the rows at which changes begin.
        lengths: of each row, or of each of its two sides, how long it is, if there are so many that they are broken at
            the edge: characters that are a cell each, negative where they have to be looked at.
    """

    rows: Sequence[Row] | Sequence[Pair]
    numbers: int
    changes: Sequence[int]
    lengths: tuple[Sequence[int], ...] = ()

    @property
    def hard(self) -> bool:
        """Whether lines are broken at the edge and not at spaces, so that their height is quickly known."""
        return bool(self.lengths)


def prepare(rows: Sequence[Row] | Sequence[Pair]) -> Prepared:
    """What is to be known of all rows; takes about 3 µs for each of many."""
    lengths: tuple[Sequence[int], ...] = ()
    if len(rows) > MAX_EXACT_ROWS:
        lengths = (
            [length_of(row.left if isinstance(row, Pair) else row) for row in rows],
            [length_of(row.right if isinstance(row, Pair) else None) for row in rows],
        )
    return Prepared(rows, number_cells(rows), _starts_of_changes(rows), lengths)


def length_of(row: Row | None) -> int:
    """How long a row is, for ``Prepared``."""
    if row is None or row.kind in {"gap", "heading"}:
        return 0
    return len(row.text) if row.text.isascii() else -len(row.text)


def _is_change(row: Row | Pair) -> bool:
    side = row if isinstance(row, Row) else (row.left or row.right)
    return side is not None and side.kind in {"added", "removed"}


def _starts_of_changes(rows: Sequence[Row] | Sequence[Pair]) -> list[int]:
    changed = [_is_change(row) for row in rows]
    return [n for n, change in enumerate(changed) if change and not (n and changed[n - 1])]


def hard_heights(prepared: Prepared, cells: Sequence[int]) -> list[int]:
    """Lines that each of many rows takes, broken at the edge.

    Args:
        prepared: the rows.
        cells: width of a row, or of its two sides.
    """
    rooms = [max(4, width - 2 - (prepared.numbers + 1 if prepared.numbers else 0)) for width in cells]
    sides = [
        [1 if 0 <= n <= room else _height(n, prepared.rows[at], room, side) for at, n in enumerate(lengths)]
        for side, (room, lengths) in enumerate(zip(rooms, prepared.lengths, strict=False))
    ]
    return sides[0] if len(sides) == 1 else [max(pair) for pair in zip(*sides, strict=True)]


def _height(length: int, row: Row | Pair, room: int, side: int) -> int:
    if length > 0:
        return -(-length // room)
    if -2 * length <= room:
        return 1
    shown = row if isinstance(row, Row) else row.right if side else row.left
    return len(hard_wrap(visible(shown.text), room)) if shown is not None else 1


def text_parts(row: Row, *, signs: bool) -> Line:
    """The text of a row, its changed words told apart.

    Args:
        row: what to show.
        signs: whether changed words are put in signs.
    """
    text = visible(row.text)
    if row.kind not in _BRACKETS:
        return ((text, ""),) if text else ()
    if row.changed is None:
        return ((text, row.kind),) if text else ()
    opening, closing = _BRACKETS[row.kind] if signs else ("", "")
    parts: list[Part] = []
    at = 0
    for start, end in row.changed:
        parts.append((text[at:start], ""))
        parts.append((f"{opening}{text[start:end]}{closing}", f"{row.kind}-word"))
        at = end
    parts.append((text[at:], ""))
    return tuple(part for part in parts if part[0])


def gutter(row: Row, numbers: int, *, right: bool = False) -> tuple[Line, Line]:
    """What stands before a row, and before the lines it is continued on: its number and its sign.

    Args:
        row: the row.
        numbers: cells for the number; 0 for none.
        right: whether the new text's number is wanted where there are two.
    """
    number = (row.new or row.old) if right or row.kind != "same" else row.old
    figure = f"{number or '':>{numbers}} " if numbers else ""
    role = row.kind if row.kind in _BRACKETS else "dim"
    return ((figure, "dim"), (f"{_SIGNS[row.kind]} ", role)), ((" " * (len(figure) + 2), ""),)


def row_lines(
    row: Row, cells: int, numbers: int, words: DiffWords, *, signs: bool, hard: bool, right: bool = False
) -> list[Line]:
    """A row as lines of at most ``cells``.

    Args:
        row: the row.
        cells: width.
        numbers: cells for line numbers.
        words: sentences.
        signs: whether changed words are put in signs.
        hard: whether to break at the edge rather than at spaces.
        right: whether it stands on the right of two.
    """
    if row.kind == "gap":
        return [((f"{'':>{numbers}}⋯ ", "dim"), (words.gap.format(n=row.hidden), "dim"))]
    if row.kind == "heading":
        return wrap(((visible(row.text), "heading"),), cells)
    first, rest = gutter(row, numbers, right=right)
    room = max(4, cells - len(plain(first)))
    line = text_parts(row, signs=signs)
    long = hard or len(row.text) > MAX_WORD_WRAPPED
    pieces = hard_lines(line, room) if long else wrap(line, room)
    return [(*(rest if number else first), *piece) for number, piece in enumerate(pieces)]


def hard_lines(line: Line, cells: int) -> list[Line]:
    """A line cut where it reaches the edge; roles stay."""
    pieces: list[Line] = []
    parts = iter(line)
    text, role = next(parts, ("", ""))
    used = 0
    for piece in hard_wrap(plain(line), cells):
        left, cut = len(piece), []
        while left > 0:
            if used == len(text):
                (text, role), used = next(parts), 0
                continue
            taken = text[used : used + left]
            cut.append((taken, role))
            used += len(taken)
            left -= len(taken)
        pieces.append(tuple(cut))
    return pieces
