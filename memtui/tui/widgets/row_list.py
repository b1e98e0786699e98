"""A list of one-line rows with a cursor: Line API, for whatever a presenter can draw as a line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from memtui.tui.messages import ActionWanted
from memtui.tui.present.lines import Line
from memtui.tui.widgets.cursor_view import CursorView
from memtui.tui.widgets.painted import ACTION_META, paint

T = TypeVar("T")


def _none(_: object) -> bool:
    """No row is a heading."""
    return False


class RowList(CursorView, Generic[T]):
    """Rows with a cursor that stays on its row when the rows change."""

    EMPTY_TOP = 1

    @dataclass
    class Moved(Message):
        """The cursor stands on another row."""

        rows: RowList[object]

        @property
        def control(self) -> RowList[object]:
            """The list."""
            return self.rows

    @dataclass
    class Opened(Message):
        """The row under the cursor was clicked."""

        rows: RowList[object]

        @property
        def control(self) -> RowList[object]:
            """The list."""
            return self.rows

    def __init__(
        self,
        draw: Callable[[T, int, bool], Line],
        key: Callable[[T], Hashable],
        *,
        heading: Callable[[T], bool] = _none,
        id: str | None = None,  # noqa: A002 – Textual's own name
    ) -> None:
        """Prepare the list.

        Args:
            draw: (row, cells, whether the cursor is on it) -> the row as a line of at most ``cells``.
            key: what a row is known by when the rows change.
            heading: which rows are headings, which the cursor passes by.
            id: the widget's.
        """
        super().__init__(id=id)
        self._draw = draw
        self._key = key
        self._heading = heading
        self._stops: Sequence[int] = ()
        self._rows: Sequence[T] = ()
        self._index = 0

    # --- what it shows ---

    @property
    def rows(self) -> Sequence[T]:
        """The rows, in order."""
        return self._rows

    @property
    def index(self) -> int:
        """Row of the cursor, from 0."""
        return self._index

    @property
    def cursor(self) -> T | None:
        """The row under the cursor."""
        return self._rows[self._index] if self._stops else None

    def show(self, rows: Sequence[T], *, empty: Sequence[str] = ()) -> None:
        """Replace the rows; the cursor stays on its row, or where it was: on what has taken the place of a row that went.

        Args:
            rows: in order.
            empty: what to say where there is none, fit to be shown.
        """
        before, at = self.cursor, self._at
        self._rows, self._empty = rows, () if rows else empty
        self._stops = [n for n, row in enumerate(rows) if not self._heading(row)]
        place = None
        if before is not None:
            wanted = self._key(before)
            place = next((n for n in self._stops if self._key(rows[n]) == wanted), None)
        if place is None:
            place = self._stops[min(at, len(self._stops) - 1)] if self._stops else 0
        self._index = place
        self.set_line_count(len(rows))
        self._reveal()
        self.refresh()
        now = self.cursor
        if (before is None) != (now is None) or (
            before is not None and now is not None and self._key(before) != self._key(now)
        ):
            self.post_message(self.Moved(self))  # type: ignore[arg-type]

    # --- moving ---

    @property
    def _at(self) -> int:
        """Which of the rows that the cursor stops at it is on."""
        return min(bisect_left(self._stops, self._index), max(0, len(self._stops) - 1))

    def move(self, lines: int) -> None:
        """Move the cursor down, or up; headings do not count."""
        if self._stops:
            self.move_to(self._stops[max(0, min(self._at + lines, len(self._stops) - 1))])

    def move_to_end(self, *, last: bool) -> None:
        """Put the cursor on the first or last row."""
        self.move_to(len(self._rows) - 1 if last else 0)

    def move_to(self, index: int) -> None:
        """Put the cursor on a row, of a heading on the first below it; beyond the ends is the end."""
        if not self._stops:
            return
        at = bisect_left(self._stops, index)
        index = self._stops[min(at, len(self._stops) - 1)]
        if index == self._index:
            return
        self._index = index
        self._reveal()
        self.refresh()
        self.post_message(self.Moved(self))  # type: ignore[arg-type]

    def _reveal(self) -> None:
        if self._stops:
            above = self._index - 1
            # The first of a group shows its heading too.
            top = above if above >= 0 and self._heading(self._rows[above]) else self._index
            region = Region(0, top, 1, self._index - top + 1)
            self.scroll_to_region(region, animate=False, force=True, x_axis=False)

    # --- painting ---

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        place, cells = y + self.scroll_offset.y, self.cells
        if place >= len(self._rows):
            return paint(self, self.empty_line(y, cells), cells)
        at_cursor = place == self._index and bool(self._stops)
        over = self.cursor_style() if at_cursor else None
        return paint(self, self._draw(self._rows[place], cells, at_cursor), cells, over)

    # --- events ---

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.set_line_count(len(self._rows))
        self._reveal()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the clicked row; a click on the cursor opens it, one on a part with an action does that."""
        action_id = event.style.meta.get(ACTION_META)
        if action_id:
            event.stop()
            self.post_message(ActionWanted(str(action_id)))
            return
        place = event.y + self.scroll_offset.y
        if not 0 <= place < len(self._rows):
            return
        if place == self._index:
            self.post_message(self.Opened(self))  # type: ignore[arg-type]
        else:
            self.move_to(place)
