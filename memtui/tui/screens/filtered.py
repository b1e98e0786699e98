"""The line that narrows a list, on its screen: what its keys do, whichever list it is."""

from __future__ import annotations

from textual.widget import Widget

from memtui.tui.screens.base import ActionScreen, Result
from memtui.tui.widgets.filter_line import FilterLine


class Filtered(ActionScreen[Result]):
    """Mixed into a screen with a ``FilterLine``; what is typed reaches it as `FilterTyped`.

    It stands behind the screen's own base: Textual takes the style sheet of the first one alone.
    """

    @property
    def narrowed(self) -> Widget:
        """The list that the filter narrows."""
        raise NotImplementedError

    def completed(self, text: str) -> str:
        """A filter with its last condition completed, where the screen knows how."""
        return text

    def type_filter(self) -> None:
        """Let somebody type into it."""
        self.query_one(FilterLine).focus()

    def do_keep_filter(self) -> None:
        """Back to the list, narrowed."""
        self.narrowed.focus()

    def do_clear_filter(self) -> None:
        """Back to the whole list."""
        self.query_one(FilterLine).value = ""
        self.narrowed.focus()

    def do_complete_filter(self) -> None:
        """Complete the condition that is being typed."""
        line = self.query_one(FilterLine)
        line.value = self.completed(line.value)
        line.cursor_position = len(line.value)
