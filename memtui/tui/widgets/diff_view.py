"""A view of a difference, one text under the other or side by side: Line API, only what is seen is laid out to the last."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from textual.strip import Strip

from memtui.memory.types import Lang
from memtui.memory.versions.diffrows import Pair, Row
from memtui.tui.present.blocks import Block, layout
from memtui.tui.present.diff_lines import Prepared, hard_heights, prepare, row_lines
from memtui.tui.present.lines import Line, clip_line, width
from memtui.tui.widgets.line_view import LineView
from memtui.tui.widgets.painted import paint
from memtui.tui.wording.diff import words

_KEPT = 400
"""Rows whose lines are kept."""


class DiffView(LineView):
    """Rows of a difference; long lines are wrapped."""

    def __init__(self, lang: Lang = "en", *, signs: bool | None = None, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        """Prepare the view.

        Args:
            lang: language of what it says itself.
            signs: whether changed words are put in signs; None for where the screen has no colours.
            id: the widget's.
        """
        super().__init__(id=id)
        self._words = words(lang)
        self._signs = signs
        self._prepared = prepare(())
        self._starts: list[int] = [0]
        self._laid_out = -1
        self._kept: dict[int, list[Line]] = {}
        self._key: object = None
        self._blocks: Sequence[Block] = ()
        self._lead: Sequence[Line] = ()
        self._empty: Sequence[str] = ()

    # --- what it shows ---

    def show(
        self,
        rows: Prepared | Sequence[Row] | Sequence[Pair],
        *,
        key: object,
        empty: Sequence[str] | None = None,
        lead: Sequence[Block] = (),
    ) -> None:
        """Replace the rows.

        Args:
            rows: from ``diffrows.unified`` or ``diffrows.side_by_side``; headings may stand among them.
                Where they can be many, a thread prepares them.
            key: what it is about; the place scrolled to is kept while this stays equal.
            empty: what to say where there are no rows, fit to be shown; None for "both are equal".
            lead: a text that stands above the rows and is scrolled with them, fit to be shown.
        """
        same, self._key = key == self._key, key
        self._prepared = rows if isinstance(rows, Prepared) else prepare(rows)
        self._empty = (self._words.equal,) if empty is None else empty
        self._blocks = lead
        self._laid_out = -1
        self._lay_out()
        if not same:
            self.scroll_to(y=0, animate=False, force=True)
        self.refresh()

    @property
    def signs(self) -> bool:
        """Whether changed words are put in signs."""
        return self.app.no_color if self._signs is None else self._signs

    @property
    def lines(self) -> list[Line]:
        """Every line as laid out; for tests and for copying."""
        if not self._rows:
            return [*self._lead, *(((text, "dim"),) for text in self._empty)]
        rows = [line for number in range(len(self._rows)) for line in self._lines_of(number)]
        return [*self._lead, *rows]

    def _lay_out(self) -> None:
        cells = self.cells
        if cells <= 0 or cells == self._laid_out:
            return
        self._laid_out = cells
        self._kept = {}
        self._lead = layout(self._blocks, cells)
        if self._hard:
            beside = isinstance(self._rows[0], Pair)
            heights = hard_heights(self._prepared, self._sides if beside else (cells,))
        else:
            heights = [len(self._lines_of(number)) for number in range(len(self._rows))]
        self._starts = [0, *accumulate(heights)]
        self.set_line_count(self._total)

    @property
    def _total(self) -> int:
        """Lines there are."""
        return len(self._lead) + (self._starts[-1] if self._rows else len(self._empty))

    @property
    def _hard(self) -> bool:
        return self._prepared.hard

    @property
    def _rows(self) -> Sequence[Row] | Sequence[Pair]:
        return self._prepared.rows

    @property
    def _sides(self) -> tuple[int, int]:
        """Cells of the left and the right text, side by side."""
        left = (self.cells - 3) // 2
        return left, self.cells - 3 - left

    def _lines_of(self, number: int) -> list[Line]:
        kept = self._kept.get(number)
        if kept is None:
            if len(self._kept) >= _KEPT and self._hard:
                self._kept.clear()
            row = self._rows[number]
            kept = self._lines_of_row(row, self.cells) if isinstance(row, Row) else self._lines_of_pair(row)
            self._kept[number] = kept
        return kept

    def _lines_of_row(self, row: Row, cells: int, *, right: bool = False) -> list[Line]:
        # Signs would change the height that was worked out without them.
        signs = self.signs and not self._hard
        return row_lines(
            row, cells, self._prepared.numbers, self._words, signs=signs, hard=self._hard, right=right
        )

    def _lines_of_pair(self, pair: Pair) -> list[Line]:
        if pair.left is not None and pair.left.kind in {"gap", "heading"}:
            return self._lines_of_row(pair.left, self.cells)
        left_cells, right_cells = self._sides
        left = self._lines_of_row(pair.left, left_cells) if pair.left is not None else []
        right = self._lines_of_row(pair.right, right_cells, right=True) if pair.right is not None else []
        lines: list[Line] = []
        for number in range(max(len(left), len(right))):
            before = clip_line(left[number], left_cells) if number < len(left) else ()
            after = right[number] if number < len(right) else ()
            lines.append((*before, (" " * (left_cells - width(before)), ""), (" │ ", "rule"), *after))
        return lines

    # --- moving ---

    def move(self, lines: int) -> None:
        """Scroll by lines."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False)

    def move_page(self, pages: int) -> None:
        """Scroll by a screenful."""
        self.move(pages * max(1, self.rows_shown - 1))

    def move_to_end(self, *, last: bool) -> None:
        """Scroll to the first or last line."""
        self.scroll_to(y=self._total if last else 0, animate=False)

    def next_change(self, step: int) -> bool:
        """Scroll to the next (or previous, -1) change that is not at the top already; False if there is none."""
        top = self.scroll_offset.y
        places = [len(self._lead) + self._starts[number] for number in self._prepared.changes]
        if step > 0:
            found = next((place for place in places if place - 1 > top), None)
            if found is not None and top >= self._total - self.rows_shown:
                found = None  # everything below is in sight
        else:
            found = next((place for place in reversed(places) if place - 1 < top), None)
            if top == 0:
                found = None
        if found is None:
            return False
        self.scroll_to(y=max(0, found - 1), animate=False)
        return True

    # --- painting ---

    def render_line(self, y: int) -> Strip:
        """Paint one line."""
        at, cells = y + self.scroll_offset.y, self.cells
        if at < len(self._lead):
            return paint(self, self._lead[at], cells)
        at -= len(self._lead)
        if not self._rows:
            texts = self._empty
            return paint(self, ((texts[at], "dim"),) if at < len(texts) else (), cells)
        if at >= self._starts[-1]:
            return paint(self, (), cells)
        number = bisect_right(self._starts, at) - 1
        lines, place = self._lines_of(number), at - self._starts[number]
        return paint(self, lines[place] if place < len(lines) else (), cells)

    # --- events ---

    def on_resize(self) -> None:
        """Break the lines to the new width."""
        self._lay_out()
        self.refresh()
