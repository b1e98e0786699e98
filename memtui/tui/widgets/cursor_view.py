"""Base of the lists with a cursor: how its row looks, and what stands there when there is no row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style

from memtui.tui.present.lines import Line, wrap
from memtui.tui.widgets.line_view import LineView
from memtui.tui.widgets.painted import looks

_BOLD = Style(bold=True)


class CursorView(LineView):
    """A list of rows, one of which has the cursor."""

    EMPTY_ROLE: ClassVar[str] = ""
    """Look of the first line that is said where there is no row; the others are dim."""
    EMPTY_TOP: ClassVar[int] = 2
    """Blank lines above it, at most."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._empty: Sequence[str] = ()

    def move(self, lines: int) -> None:
        """Move the cursor down, or up (negative), as far as there are rows."""
        raise NotImplementedError

    def move_page(self, pages: int) -> None:
        """Move the cursor by a screenful."""
        self.move(pages * max(1, self.rows_shown - 1))

    def cursor_style(self) -> Style:
        """What is laid over the row of the cursor."""
        known = looks(self.app)
        return known["cursor-active"] + _BOLD if self.has_focus else known["cursor"]

    def empty_line(self, y: int, cells: int) -> Line:
        """A line of what is said where there is no row.

        Args:
            y: line of the view, from 0.
            cells: width.
        """
        if not self._empty:
            return ()
        lines = [
            piece
            for number, text in enumerate(self._empty)
            for piece in wrap(((text, "dim" if number else self.EMPTY_ROLE),), max(4, cells - 4))
        ]
        top = min(self.EMPTY_TOP, max(0, self.rows_shown - len(lines)))
        return (("  ", ""), *lines[y - top]) if top <= y < top + len(lines) else ()

    def repaint_cursor(self) -> None:
        """Paint the row of the cursor anew."""
        self.refresh()

    def on_focus(self) -> None:
        """The cursor looks otherwise with the focus."""
        self.repaint_cursor()

    def on_blur(self) -> None:
        """The cursor looks otherwise without the focus."""
        self.repaint_cursor()
