"""One-line widgets: the top line, the title of a pane, the gauges."""

from __future__ import annotations

from textual.containers import Vertical
from textual.reactive import reactive
from textual.strip import Strip

from memtui.tui.present.lines import Line, clip_line, spread, width, wrap
from memtui.tui.widgets.painted import LinePainted, paint


class Bar(LinePainted):
    """One line with something at its left and at its right end."""

    ALLOW_SELECT = False

    left: reactive[Line] = reactive(())
    right: reactive[Line] = reactive(())

    def line(self, cells: int) -> Line:
        """The line in a given width; subclasses draw otherwise."""
        return spread(self.left, self.right, cells)

    def render_line(self, y: int) -> Strip:
        """Paint the line."""
        cells = self.size.width
        return paint(self, self.line(cells) if y == 0 else (), cells)


class HintBar(Bar):
    """A line that goes on in the next ones where it is too long for its width."""

    def render_line(self, y: int) -> Strip:
        """Paint one of them."""
        cells = self.size.width
        rows = wrap(self.left, cells, indent=" ") if self.left else []
        return paint(self, rows[y] if y < len(rows) else (), cells)


class PaneTitle(Bar):
    """Title of a pane: the rule above it, with a name at the left and a figure at the right."""

    active: reactive[bool] = reactive(False)

    def show(self, title: str, note: str = "") -> None:
        """Put the texts, which must be fit to be shown."""
        self.left = ((title, "title"),)
        self.right = ((note, "count"),) if note else ()

    def line(self, cells: int) -> Line:
        """``─ title ────── note ─``."""
        rule = "rule-active" if self.active else "rule"
        title = tuple((text, f"{role}-active" if self.active else role) for text, role in self.left)
        right: Line = ((" ", ""), *self.right, (" ─", rule)) if self.right else (("─", rule),)
        named = any(text for text, _ in title)
        left: Line = (
            (("─ ", rule), *title, (" ", "")) if named else ()
        )  # without a title, a rule without a gap
        room = cells - width(right)
        left = clip_line(left, room) if room > 0 else ()
        return (*left, ("─" * max(0, room - width(left)), rule), *clip_line(right, cells))


class Pane(Vertical):
    """A part of the screen with a title, which shows where the focus is."""

    def on_descendant_focus(self) -> None:
        """The focus came into this pane, or moved in it."""
        self.query_one(PaneTitle).active = self.has_focus_within

    def on_descendant_blur(self) -> None:
        """The focus left it, or moved in it."""
        self.query_one(PaneTitle).active = self.has_focus_within
