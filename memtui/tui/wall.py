"""The last walls before the terminal: filters over every line that any widget paints (reliability §3).

``visible`` at the border is the first wall and shows the reader what stood there. These filters look at what is
about to be written, whoever painted it, and let no control character and no hyperlink through.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from memtui.memory.text import ascii_only, visible


class Together(LineFilter):
    """Several filters as one: Textual asks for each line of each widget, at every paint, once for each filter.

    Args:
        filters: in the order in which they are laid over a line.
    """

    def __init__(self, filters: Sequence[LineFilter]) -> None:
        super().__init__()
        self.filters = tuple(filters)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments as they come out of the last filter."""
        for line_filter in self.filters:
            segments = line_filter.apply(segments, background)
        return segments


class Wall(LineFilter):
    """Lets nothing through that a terminal would obey, and keeps every width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments, harmless."""
        del background
        return [segment if _is_plain(segment) else _harmless(segment) for segment in segments]


class AsciiOnly(LineFilter):
    """Draws every sign with ASCII, for terminals and fonts without more; letters of any script stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments in ASCII, each as wide as before."""
        del background
        return [
            segment
            if segment.text.isascii()
            else Segment(_ascii_as_wide(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def _is_plain(segment: Segment) -> bool:
    text, style, _ = segment
    if style is not None and style.link:
        return False
    return (text.isascii() and text.isprintable()) or visible(text) == text


def _harmless(segment: Segment) -> Segment:
    text, style, control = segment
    shown = "".join(
        # A character without width is dropped, one with width is replaced: the line stays as long as it was.
        char if char == sign else ("" if cell_len(char) == 0 else sign)
        for char, sign in zip(text, visible(text), strict=True)
    )
    return Segment(shown, style.update_link(None) if style is not None else None, control)


def _ascii_as_wide(text: str) -> str:
    shown = []
    for char in text:
        sign = ascii_only(char, keep_letters=True)
        if sign == char:
            shown.append(char)
        elif cells := cell_len(char):  # a wide sign becomes a narrow one and a space
            shown.append(sign.ljust(cells)[:cells])
    return "".join(shown)
