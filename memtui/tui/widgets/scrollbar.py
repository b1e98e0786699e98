"""A scrollbar that is painted when it looks otherwise, not at every line one moves."""

from __future__ import annotations

from textual.scrollbar import ScrollBar
from textual.widget import Widget

_EIGHTHS = 8
"""Steps of a cell that the end of a scrollbar can be drawn at."""


class SteadyScrollBar(ScrollBar):
    """Keeps its position while another would be drawn alike: of ten thousand lines, that is dozens of them."""

    def validate_position(self, position: float) -> float:
        """The position, or the one before where the two look the same."""
        position = super().validate_position(position)
        return self.position if self._drawn_at(position) == self._drawn_at(self.position) else position

    def _drawn_at(self, position: float) -> int:
        """Where it starts for that position, in eighths of a cell."""
        size, window, virtual = self.size.height, self.window_size, self.window_virtual_size
        if not size or not 0 < window < virtual:
            return int(position * _EIGHTHS)
        thumb = max(1.0, size * window / virtual)
        return int((size - thumb) * position / (virtual - window) * _EIGHTHS)

    def watch_window_virtual_size(self) -> None:
        """What looked the same in the longer text may not in the shorter one."""
        self._catch_up()

    def watch_window_size(self) -> None:
        """The same with what is shown of it."""
        self._catch_up()

    def on_resize(self) -> None:
        """The same with its own length."""
        self._catch_up()

    def _catch_up(self) -> None:
        if isinstance(self.parent, Widget):
            self.position = self.parent.scroll_y
