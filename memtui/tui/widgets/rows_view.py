"""A view of many rows that are made when they are painted: what nobody sees costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.strip import Strip

from memtui.tui.present.lines import Line
from memtui.tui.widgets.line_view import LineView
from memtui.tui.widgets.painted import paint

MakeRow = Callable[[int, int], Sequence[Line]]
"""Makes the lines of a row from its number and the width in cells."""


class RowsView(LineView):
    """Rows of equal height to scroll over."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._count = 0
        self._height = 1
        self._make: MakeRow = lambda row, cells: ()  # noqa: ARG005 – nothing is shown yet

    def show(self, count: int, height: int, make: MakeRow) -> None:
        """Replace the rows; the place scrolled to stays as far as there are rows.

        Args:
            count: how many there are.
            height: lines of each.
            make: gives the lines of one.
        """
        self._count, self._height, self._make = count, height, make
        self.set_line_count(count * height)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Paint one line."""
        row, part = divmod(y + self.scroll_offset.y, self._height)
        lines = self._make(row, self.cells) if row < self._count else ()
        return paint(self, lines[part] if part < len(lines) else (), self.cells)

    def on_resize(self) -> None:
        """The rows are as wide as this is now."""
        self.set_line_count(self._count * self._height)
        self.refresh()

    def move(self, lines: int) -> None:
        """Scroll by rows."""
        self.scroll_to(y=self.scroll_offset.y + lines * self._height, animate=False)

    def move_page(self, pages: int) -> None:
        """Scroll by a screenful."""
        self.move(pages * max(1, self.rows_shown // self._height - 1))

    def move_to_end(self, *, last: bool) -> None:
        """Scroll to an end."""
        self.scroll_to(y=self._count * self._height if last else 0, animate=False)
