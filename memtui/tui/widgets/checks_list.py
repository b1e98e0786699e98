"""The list of the checks: rules with their findings below, a cursor that stands on findings only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from memtui.memory.types import Lang
from memtui.tui.present.checks import Heading, finding_row, heading_row
from memtui.tui.widgets.cursor_view import CursorView
from memtui.tui.widgets.painted import paint

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding


@dataclass
class FindingMoved(Message):
    """The cursor stands on another finding, or on none.

    Attributes:
        by_hand: whether somebody moved it, rather than the list having changed under it.
    """

    by_hand: bool

    def can_replace(self, message: Message) -> bool:
        """While the key is held down only the last place matters."""
        return isinstance(message, FindingMoved)


@dataclass
class FindingOpened(Message):
    """The finding under the cursor was clicked again."""


class ChecksList(CursorView):
    """Rows of findings; the cursor stays on its finding, or near where that was."""

    EMPTY_ROLE = "strong"

    def __init__(self, lang: Lang, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._lang: Lang = lang
        self._rows: Sequence[Heading | Finding] = ()
        self._places: list[int] = []
        self._at = 0

    # --- what it shows ---

    @property
    def rows(self) -> Sequence[Heading | Finding]:
        """The rows, headings among them."""
        return self._rows

    @property
    def cursor(self) -> Finding | None:
        """The finding under the cursor."""
        if not self._places:
            return None
        row = self._rows[self._places[self._at]]
        return None if isinstance(row, Heading) else row

    def show(self, rows: Sequence[Heading | Finding], empty: Sequence[str]) -> None:
        """Replace the rows. The cursor stays on its finding; if that is gone, on the one that took its place.

        Args:
            rows: headings and findings.
            empty: what to say when there is none.
        """
        before = self.cursor
        self._rows, self._empty = rows, () if rows else empty
        self._places = [place for place, row in enumerate(rows) if not isinstance(row, Heading)]
        self._at = max(0, min(self._at, len(self._places) - 1))
        if before is not None:
            self._find(lambda row: _key(row) == _key(before))
        self.set_line_count(len(rows))
        self._reveal()
        self.refresh()
        if self.cursor is not before:
            self.post_message(FindingMoved(by_hand=False))

    def _find(self, wanted: Callable[[Finding], bool]) -> bool:
        for at, place in enumerate(self._places):
            row = self._rows[place]
            if not isinstance(row, Heading) and wanted(row):
                self._at = at
                return True
        return False

    # --- moving ---

    def move(self, lines: int) -> None:
        """Move the cursor by findings."""
        at = max(0, min(self._at + lines, len(self._places) - 1))
        if at != self._at:
            self._at = at
            self._reveal()
            self.refresh()
            self.post_message(FindingMoved(by_hand=True))

    def move_to_end(self, *, last: bool) -> None:
        """Put the cursor on the first or last finding."""
        self.move(len(self._places) if last else -len(self._places))

    def _reveal(self) -> None:
        if not self._places:
            return
        place = self._places[self._at]
        # The first of a rule shows its heading too.
        top = place - 1 if place and isinstance(self._rows[place - 1], Heading) else place
        self.scroll_to_region(Region(0, top, 1, place - top + 1), animate=False, force=True, x_axis=False)

    # --- painting ---

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        place, cells = y + self.scroll_offset.y, self.cells
        if place >= len(self._rows):
            return paint(self, self.empty_line(y, cells), cells)
        row = self._rows[place]
        if isinstance(row, Heading):
            return paint(self, heading_row(row, cells, self._lang), cells)
        at_cursor = place == self._places[self._at]
        line = finding_row(row, cells, self._lang, cursor=at_cursor)
        return paint(self, line, cells, self.cursor_style() if at_cursor else None)

    # --- events ---

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.set_line_count(len(self._rows))
        self._reveal()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the clicked finding, of a heading on its first; a click on the cursor opens it."""
        place = event.y + self.scroll_offset.y
        if not 0 <= place < len(self._rows):
            return
        if isinstance(self._rows[place], Heading):
            place += 1
        at = self._places.index(place)
        if at == self._at:
            self.post_message(FindingOpened())
        else:
            self.move(at - self._at)


def _key(finding: Finding) -> tuple[object, ...]:
    """What makes a finding the same one after the directory was looked at again."""
    return finding.rule, finding.path, finding.line, finding.span, finding.message
