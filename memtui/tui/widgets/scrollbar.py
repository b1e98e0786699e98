"""A scrollbar that is painted when it looks otherwise, not at every line one moves."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.color import TRANSPARENT
from textual.geometry import Region, Size
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.widgets.painted import LinePainted, LineStrip, blank

_EIGHTHS = 8
"""Steps of a cell that the end of a scrollbar can be drawn at."""
_MOST_KNOWN = 300


class SteadyScrollBar(LinePainted, ScrollBar):
    """Keeps its position while another would be drawn alike: of ten thousand lines, that is dozens of them.

    Where nothing is to be scrolled it is as blank as what it stands beside, so that it need not come and go, for which
    the whole screen would be laid out anew.
    """

    _drawn: tuple[Size, Sequence[Segment]] = (Size(0, 0), ())
    _looked: tuple[object, ...] = ()
    _made: Sequence[Segment] = ()

    def __init__(self, *, vertical: bool, name: str, thickness: int) -> None:
        super().__init__(vertical=vertical, name=name, thickness=thickness)
        self._known: dict[tuple[object, ...], list[Segment]] = {}
        self._alike: dict[Segment, Segment] = {}

    def show_size(self, window: int, lines: int) -> None:
        """Stand for a text of so many lines, of which a window shows so many; one look at it for both."""
        if (window, lines) != (self.window_size, self.window_virtual_size):
            self.set_reactive(ScrollBar.window_size, window)
            self.set_reactive(ScrollBar.window_virtual_size, lines)
            self._catch_up()
            self.refresh()

    def _cells(self, looks: tuple[object, ...]) -> list[Segment]:
        """What stands in each line; of what looked the same before it is kept."""
        made = self._known.get(looks)
        if made is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
                self._alike.clear()
            made = self._known[looks] = self._new_cells()
        return made

    def _new_cells(self) -> list[Segment]:
        height, parent = self._size.height, self.parent
        if not isinstance(parent, Widget):
            return []
        if self.window_size >= self.window_virtual_size:
            return [blank(1, parent.visual_style.background or TRANSPARENT)] * height
        bar = self.render()
        if not isinstance(bar, ScrollBarRender) or not isinstance(bar.style, Style):
            return []
        look = bar.style
        made = bar.render_bar(
            size=height,
            virtual_size=bar.virtual_size,
            window_size=bar.window_size,
            position=bar.position,
            back_color=look.bgcolor,  # type: ignore[arg-type]  # Textual's own types; it hands these on itself
            bar_color=look.color,  # type: ignore[arg-type]
        )
        base = self.visual_style.rich_style
        cells = [
            Segment(text, base + style if style is not None else base) for text, style, _ in made.segments
        ]
        return [
            self._alike.setdefault(cell, cell) for cell in cells
        ]  # the same objects are compared quickest

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Have painted again what looks otherwise now."""
        if regions or layout or recompose or not repaint or self._drawn[0] != self._size:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        looks = self._looks()
        if looks == self._looked:
            return self
        self._looked, self._made = looks, self._cells(looks)
        changed = [
            Region(0, y, 1, 1)
            for y, (cell, drawn) in enumerate(zip(self._made, self._drawn[1], strict=False))
            if cell != drawn
        ]
        return super().refresh(*changed) if changed else self

    def _looks(self) -> tuple[object, ...]:
        """Everything that what it looks like is made of."""
        parent = self.parent
        style = parent.visual_style if isinstance(parent, Widget) else None
        counted = parent.styles._cache_key if isinstance(parent, Widget) else 0  # noqa: SLF001
        if self.window_size >= self.window_virtual_size:
            return (self._size, style, counted)
        return (self._size, style, counted, self._thumb(), self.mouse_over, self.grabbed is not None)

    def _thumb(self) -> tuple[int, int]:
        """Where what one grabs starts and ends, in eighths of a cell: as ``ScrollBarRender`` works it out."""
        size, window, virtual = self._size.height, self.window_size, self.window_virtual_size
        thumb = max(1.0, window / (virtual / size)) if size else 1.0
        start = int((size - thumb) * (self.position / (virtual - window)) * _EIGHTHS)
        return start, start + ceil(thumb * _EIGHTHS)

    def _render_content(self) -> None:
        """Draw it line by line; Textual's own goes through a console."""
        looks = self._looks()
        if looks != self._looked:
            self._looked, self._made = looks, self._cells(looks)
        self._drawn = (self._size, self._made)
        self._dirty_regions.clear()

    def render_line(self, y: int) -> Strip:
        """One cell of it."""
        if self._dirty_regions or self._drawn[0] != self._size:
            self._render_content()
        cells = self._drawn[1]
        return LineStrip([cells[y]], 1) if y < len(cells) else Strip.blank(1)

    def validate_position(self, position: float) -> float:
        """The position, or the one before where the two look the same."""
        position = super().validate_position(position)
        return self.position if self._drawn_at(position) == self._drawn_at(self.position) else position

    def _drawn_at(self, position: float) -> int:
        """Where it starts for that position, in eighths of a cell."""
        # Not ``size``: Textual asks where everything stands for that, which while it is laid out nothing else wants.
        size, window, virtual = self._size.height, self.window_size, self.window_virtual_size
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
