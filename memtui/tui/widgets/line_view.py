"""Base of the views that paint line by line."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.widgets.painted import LinePainted, Piece
from memtui.tui.widgets.scrollbar import SteadyScrollBar


class LineView(LinePainted, ScrollView, can_focus=True):
    """Scrolls up and down over lines as wide as itself; the scrollbar has its place whether it shows or not."""

    DEFAULT_CSS = """
    LineView {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """
    ALLOW_SELECT = False
    _room_for: tuple[Size, int] | None = None
    _room_known = Size(0, 0)
    _window: tuple[int, int, bool] | None = None

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar, made when first asked for (as Textual makes its own)."""
        known = self._vertical_scrollbar
        if known is None:
            known = SteadyScrollBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            self._vertical_scrollbar = known
            known.display = False
            self.app._start_widget(self, known)  # noqa: SLF001  -- there is no other way to have one of one's own
        return known

    @property
    def cells(self) -> int:
        """Width of a line."""
        return self._room.width

    @property
    def rows_shown(self) -> int:
        """Lines that fit."""
        return self._room.height

    @property
    def _room(self) -> Size:
        """What of the widget shows lines; asked for at each of them, and worked out when size or looks change."""
        state = (self._size, self.styles._cache_key)  # noqa: SLF001  -- counts what the style sheet changes
        if state != self._room_for:
            room = self.scrollable_content_region.size
            if not room:
                return room  # not in sight: it may be of the same size, and have room, when it is
            self._room_for, self._room_known = state, room
        return self._room_known

    @property
    def window(self) -> tuple[int, int, bool]:
        """The first line shown, the width of one, and whether the view has the focus: what each line is painted by."""
        return self._window or (self.scroll_offset.y, self.cells, self.has_focus)

    def render_pieces(self, region: Region, pieces: Sequence[Piece]) -> list[tuple[Piece, Strip]]:
        """Paint pieces of the screen; what is the same for all lines is asked for once."""
        self._window = self.window
        try:
            return super().render_pieces(region, pieces)
        finally:
            self._window = None

    def show_from(self, y: int) -> None:
        """Have a line stand at the top, at once."""
        if y != self.scroll_y or y != self.scroll_target_y:
            self.scroll_to(y=y, animate=False, force=True)

    def set_line_count(self, count: int) -> None:
        """Say how many lines there are.

        Setting ``virtual_size`` itself lays out the whole screen anew, which nothing needs: the scrollbar has its place
        whether it shows or not.
        """
        size = Size(self.cells, count)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            if self._size and isinstance(bar := self._vertical_scrollbar, SteadyScrollBar):
                bar.show_size(self.rows_shown, count)
                self.scroll_y = self.validate_scroll_y(self.scroll_y)
            else:
                self._scroll_update(size)
