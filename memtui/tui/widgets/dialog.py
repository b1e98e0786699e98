"""The box of a question: what it says scrolls where there is little room, its buttons always stay in sight."""

from __future__ import annotations

from textual.containers import Horizontal, Vertical


class Dialog(Vertical):
    """A box in the middle of a screen; everything but its ``DialogButtons`` scrolls."""

    DEFAULT_CSS = """
    Dialog {
        width: 66; max-width: 100%; height: auto; max-height: 100%; overflow-y: auto; scrollbar-size-vertical: 1;
        background: $surface; border-left: thick $primary; padding: 1 2;
    }
    Dialog .dialog-question { text-style: bold; margin-bottom: 1; }
    Dialog .dialog-line { color: $foreground 75%; }
    """

    def move(self, lines: int) -> None:
        """Scroll down by lines, or up."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False)

    def move_page(self, pages: int) -> None:
        """Scroll by a screenful."""
        self.move(pages * max(1, self.scrollable_content_region.height - 2))

    def move_to_end(self, *, last: bool) -> None:
        """Scroll to an end."""
        self.scroll_to(y=self.max_scroll_y if last else 0, animate=False)


class DialogButtons(Horizontal):
    """The answers, at the foot of the box; one under the other where they would not fit beside each other."""

    DEFAULT_CSS = """
    DialogButtons { dock: bottom; height: auto; padding-top: 1; background: $surface; }
    DialogButtons Button { margin-right: 2; }
    """
