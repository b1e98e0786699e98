"""The line one types the filter into."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from memtui.tui.actions.registry import BY_ID, bindings_for, keys_text
from memtui.tui.messages import ActionWanted, FilterTyped
from memtui.tui.voice import voice_of
from memtui.tui.widgets.line_input import LineInput


class FilterLine(LineInput):
    """Tells every change of its text; what its keys stand for, the screen does."""

    # Of a line as wide as its pane, a longer text changes nothing but where it is scrolled to: no layout at every key.
    virtual_size = Reactive(Size(0, 0))

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("filter")]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(select_on_focus=False, id=id)
        self._told = ""

    def on_mount(self) -> None:
        """Name the key that leads here."""
        action = voice_of(self.app).action(BY_ID["filter"])
        self.placeholder = f"{keys_text(action, first_only=True)} {action.hint}"

    def watch_value(self, value: str) -> None:
        """Tell the screen with the change itself: a message later, a paint could come between letter and rows."""
        if value != self._told:
            self._told = value
            self.screen.post_message(FilterTyped(value))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()

    def action_do(self, action_id: str) -> None:
        """Have the screen do what a key here stands for."""
        self.post_message(ActionWanted(action_id))
