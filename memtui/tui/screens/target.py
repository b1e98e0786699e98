"""A dialog to choose one of many memories: those most alike first, narrowed as one types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from memtui.memory.relevance.searchable import searchable
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry
from memtui.tui.actions.registry import bindings_for
from memtui.tui.present.lines import Line, clip_line
from memtui.tui.present.parts import CURSOR, DUPLICATE, label
from memtui.tui.screens.base import ActionModal
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.line_input import LineInput
from memtui.tui.widgets.row_list import RowList
from memtui.tui.wording.review import words


class TargetScreen(ActionModal[str]):
    """Gives the slug of the memory that was chosen; None for none."""

    PLACE = "target"
    DEFAULT_CSS = """
    TargetScreen { align: center middle; background: $background 60%; }
    #target-box { width: 76; max-width: 100%; height: 80%; background: $surface; padding: 0 1 1 1; }
    #target-box RowList { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("target")]
    AUTO_FOCUS = "#target-words"

    def __init__(self, entries: Sequence[MemoryEntry], alike: Sequence[str], lang: Lang) -> None:
        """Prepare the dialog.

        Args:
            entries: the memories to choose from, in their order.
            alike: slugs of those that say nearly the same; they come first.
            lang: language of the dialog.
        """
        super().__init__()
        self._alike = alike
        first = [entry for slug in alike for entry in entries if entry.slug == slug]
        self._entries = [*first, *(entry for entry in entries if entry.slug not in alike)]
        self._say = words(lang)

    def compose(self) -> ComposeResult:
        """Title, what is typed, memories."""
        with Vertical(id="target-box"):
            yield PaneTitle(id="target-title")
            yield LineInput(id="target-words")
            yield RowList[MemoryEntry](self._draw, lambda entry: entry.rel, id="target-list")

    def on_mount(self) -> None:
        """Show all."""
        self.query_one(PaneTitle).show(self._say.choose, self._say.choose_note)
        self._narrow("")

    @property
    def _list(self) -> RowList[MemoryEntry]:
        return cast("RowList[MemoryEntry]", self.query_one(RowList))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._narrow(event.value)

    def _narrow(self, text: str) -> None:
        wanted = searchable(text).split()
        found = [
            entry
            for entry in self._entries
            if all(word in searchable(f"{entry.name} {entry.slug} {entry.description}") for word in wanted)
        ]
        self._list.show(found, empty=(self._say.none_match if self._entries else self._say.no_target,))

    def _draw(self, entry: MemoryEntry, cells: int, at_cursor: bool) -> Line:
        sign = DUPLICATE if entry.slug in self._alike else " "
        line: Line = (
            (f"{CURSOR if at_cursor else ' '} ", "cursor-sign"),
            (f"{sign} ", "warn"),
            (label(entry.name) or visible(entry.slug), "name"),
            (f"  {visible(entry.slug)}", "dim"),
        )
        return clip_line(line, cells)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.do_take_target()

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.do_take_target()

    def do_take_target(self) -> None:
        """Take the memory under the cursor."""
        entry = self._list.cursor
        if entry is not None:
            self.dismiss(entry.slug)

    def do_next_target(self) -> None:
        """The next one."""
        self._list.move(1)

    def do_previous_target(self) -> None:
        """The one before."""
        self._list.move(-1)

    def do_leave_target(self) -> None:
        """None."""
        self.dismiss(None)
