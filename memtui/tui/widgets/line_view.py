"""Base of the views that paint line by line."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.widget import Widget

from memtui.tui.widgets.scrollbar import SteadyScrollBar


class LineView(ScrollView, can_focus=True):
    """Scrolls up and down over lines as wide as itself; the scrollbar has its place whether it shows or not."""

    DEFAULT_CSS = """
    LineView {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """
    ALLOW_SELECT = False

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
        return self.scrollable_content_region.width

    @property
    def rows_shown(self) -> int:
        """Lines that fit."""
        return self.scrollable_content_region.height

    def set_line_count(self, count: int) -> None:
        """Say how many lines there are.

        Setting ``virtual_size`` itself lays out the whole screen anew, which nothing but a scrollbar that comes or goes
        needs, and that asks for it by itself.
        """
        size = Size(self.cells, count)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
