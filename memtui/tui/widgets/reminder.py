"""The reminder pane: the exact text that goes into a system prompt, and what it costs."""

from __future__ import annotations

from textual.app import ComposeResult

from memtui.memory.types import Lang
from memtui.tui.present import parts
from memtui.tui.present.blocks import Block
from memtui.tui.widgets.bar import Pane, PaneTitle
from memtui.tui.widgets.text_view import TextView


class ReminderPane(Pane):
    """A title with the figures, and the text."""

    def compose(self) -> ComposeResult:
        """Title and text."""
        yield PaneTitle()
        yield TextView(id="reminder-text")

    def show(self, text: str, tokens: int, shown: int, total: int, lang: Lang = "en") -> None:
        """Show a reminder.

        Args:
            text: exactly what is injected; empty if nothing is.
            tokens: what a model takes it for, roughly.
            shown: memories in it.
            total: active memories.
            lang: language of the title.
        """
        self.query_one(PaneTitle).show(*parts.reminder_title(text, tokens, shown, total, lang))
        blocks = [Block(parts.reminder_line(line)) for line in text.split("\n")]
        self.query_one(TextView).show(blocks if text else (), key="reminder")

    def move(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one(TextView).move(lines)

    def move_page(self, pages: int) -> None:
        """Scroll by a screenful."""
        self.query_one(TextView).move_page(pages)

    def move_to_end(self, *, last: bool) -> None:
        """Scroll to an end."""
        self.query_one(TextView).move_to_end(last=last)
