"""Says why nothing can be typed now, and takes up what is typed all the same: as commands it would do anything."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Static

from memtui.tui.actions.registry import BY_ID, bindings_for
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.voice import voice_of
from memtui.tui.widgets.dialog import Dialog, DialogButtons


class RefusedScreen(Moving, ActionModal[None]):
    """Stands until it is closed."""

    PLACE = "refused"
    DEFAULT_CSS = """
    RefusedScreen { align: center middle; background: $background 60%; }
    RefusedScreen Dialog { border-left: thick $warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("refused")]

    def __init__(self, title: str, reason: str) -> None:
        """Prepare the sentence.

        Args:
            title: of the action.
            reason: why it cannot be done now.
        """
        super().__init__()
        self._title = title
        self._reason = reason

    def compose(self) -> ComposeResult:
        """What was asked for, why not, and the way back."""
        voice = voice_of(self.app)
        with Dialog():
            yield Static(Content(self._title), classes="dialog-question", markup=False)
            yield Static(Content(self._reason), classes="dialog-line", markup=False)
            with DialogButtons():
                close = voice.action(BY_ID["close_refused"])
                yield Button(Content(voice.button(close.title, close.id)), id="close", compact=True)

    @property
    def moving_pane(self) -> Dialog:
        """What it says."""
        return self.query_one(Dialog)

    def do_close_refused(self) -> None:
        """Back to where one was."""
        self.dismiss(None)

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss(None)
