"""The titles of the list's columns; a click orders by one."""

from __future__ import annotations

from textual import events

from memtui.memory.types import Lang
from memtui.preferences import USUAL, Preferences
from memtui.tui.filtering import SORTS, Sort
from memtui.tui.messages import SortWanted
from memtui.tui.present import memories as present_memories
from memtui.tui.present.lines import Line
from memtui.tui.widgets.bar import Bar
from memtui.tui.widgets.painted import ACTION_META
from memtui.tui.wording.browse import words


class ListHeader(Bar):
    """One line above the rows, as wide as they are: the scrollbar's column stays free."""

    def __init__(self, lang: Lang, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._say = words(lang)
        self._state: tuple[Sort, bool, Preferences] = (SORTS[0], False, USUAL)

    def show(self, sort: Sort, *, reverse: bool, liked: Preferences) -> None:
        """Show the columns liked, and by which the list is ordered."""
        state = (sort, reverse, liked)
        if state != self._state:
            self._state = state
            self.refresh()

    def line(self, cells: int) -> Line:
        """``tier score↓ type name description``."""
        sort, reverse, liked = self._state
        return present_memories.header(max(0, cells - 1), sort, reverse=reverse, liked=liked, say=self._say)

    def on_click(self, event: events.Click) -> None:
        """Order by what was clicked; again: the other way round."""
        order = event.style.meta.get(ACTION_META)
        if order:
            event.stop()
            self.post_message(SortWanted(str(order)))
