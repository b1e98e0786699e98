"""The findings beside the text: rows as high as they need, with a cursor that leads into the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from memtui.tui.actions.registry import bindings_for
from memtui.tui.present.edit import FindingRow
from memtui.tui.present.lines import Line, width, wrap
from memtui.tui.widgets.line_view import LineView
from memtui.tui.widgets.painted import looks, paint


class FindingList(LineView):
    """Rows of findings."""

    DEFAULT_CSS = "FindingList { padding: 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("edit_checks")]

    @dataclass
    class Chosen(Message):
        """Somebody wants to go where a finding stands."""

        row: FindingRow

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._rows: Sequence[FindingRow] = ()
        self._lines: list[list[Line]] = []
        self._starts = [0]
        self._index = 0
        self._laid_out = -1

    @property
    def rows(self) -> Sequence[FindingRow]:
        """The rows, in order."""
        return self._rows

    @property
    def cursor(self) -> FindingRow | None:
        """The row under the cursor."""
        return self._rows[self._index] if self._rows else None

    def show(self, rows: Sequence[FindingRow]) -> None:
        """Replace the rows; the cursor stays on what it was on, or at its place."""
        before = self.cursor
        if list(rows) == list(self._rows):
            return
        self._rows = rows
        place = next(
            (n for n, row in enumerate(rows) if before is not None and row.line == before.line), None
        )
        self._index = place if place is not None else max(0, min(self._index, len(rows) - 1))
        self._laid_out = -1
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        cells = self.cells
        if cells <= 0 or cells == self._laid_out:
            return
        self._laid_out = cells
        self._lines = []
        for row in self._rows:
            lead = width(row.sign)
            pieces = wrap(row.line, max(8, cells - lead - 1))
            blank: Line = ((" " * lead, ""),)
            self._lines.append(
                [(*(blank if number else row.sign), *piece) for number, piece in enumerate(pieces)]
            )
        self._starts = [0, *accumulate(len(lines) for lines in self._lines)]
        self.set_line_count(self._starts[-1])

    # --- moving ---

    def move(self, rows: int) -> None:
        """Move the cursor."""
        self._index = max(0, min(self._index + rows, len(self._rows) - 1))
        self._reveal()
        self.refresh()

    def _reveal(self) -> None:
        if self._index < len(self._lines):
            top, height = self._starts[self._index], len(self._lines[self._index])
            self.scroll_to_region(Region(0, top, 1, height), animate=False, force=True, x_axis=False)

    def action_do(self, action_id: str) -> None:
        """What its bindings call: the screen knows."""
        self.screen.action_do(action_id)  # type: ignore[attr-defined]

    def choose(self) -> None:
        """Ask to go where the finding under the cursor stands."""
        row = self.cursor
        if row is not None and row.where is not None:
            self.post_message(self.Chosen(row))

    # --- painting ---

    def render_line(self, y: int) -> Strip:
        """Paint one line."""
        at, cells = y + self.scroll_offset.y, self.cells
        if at >= self._starts[-1]:
            return paint(self, (), cells)
        row = bisect_right(self._starts, at) - 1
        over = looks(self.app)["cursor-active"] if row == self._index and self.has_focus else None
        return paint(self, self._lines[row][at - self._starts[row]], cells, over)

    def on_resize(self) -> None:
        """Break the rows to the new width."""
        self._lay_out()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Go where the clicked finding stands."""
        at = event.y + self.scroll_offset.y
        if at < self._starts[-1]:
            event.stop()
            self._index = bisect_right(self._starts, at) - 1
            self.refresh()
            self.choose()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()
