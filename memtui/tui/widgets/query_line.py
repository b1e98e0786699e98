"""The line one types a question into, to see which memories go with it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.widgets import Input

from memtui.tui.actions.registry import bindings_for
from memtui.tui.messages import ActionWanted, QueryTyped
from memtui.tui.widgets.line_input import LineInput


class QueryLine(LineInput):
    """Tells every change of its text; what its keys stand for, the screen does."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("query")]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(select_on_focus=False, id=id)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.screen.post_message(QueryTyped(event.value))

    def action_do(self, action_id: str) -> None:
        """Have the screen do what a key here stands for."""
        self.post_message(ActionWanted(action_id))
