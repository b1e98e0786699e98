"""A question before a change: it names what will happen, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Static

from memtui.tui.actions.registry import bindings_for
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.voice import voice_of
from memtui.tui.widgets.dialog import Dialog, DialogButtons
from memtui.tui.wording.whole import words


class ConfirmScreen(Moving, ActionModal[bool]):
    """Asks whether to go on; gives True for yes."""

    PLACE = "confirm"
    DEFAULT_CSS = """
    ConfirmScreen { align: center middle; background: $background 60%; }
    ConfirmScreen Dialog { border-left: thick $error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("confirm")]

    def __init__(self, question: str, consequences: Sequence[str], *, yes: str, no: str = "") -> None:
        """Prepare the question.

        Args:
            question: what is asked; texts from files in it must have gone through ``visible``.
            consequences: what will happen, one sentence each; the same holds.
            yes: what the button says that goes on.
            no: what the button says that does not; empty for the usual word.
        """
        super().__init__()
        self._question = question
        self._consequences = consequences
        self._yes = yes
        self._no = no

    def compose(self) -> ComposeResult:
        """Question, consequences, two buttons."""
        voice = voice_of(self.app)
        cancel = self._no or words(voice.lang).cancel
        with Dialog():
            yield Static(Content(self._question), classes="dialog-question", markup=False)
            for line in self._consequences:
                yield Static(Content(f"· {line}"), classes="dialog-line", markup=False)
            with DialogButtons():
                yield Button(Content(voice.button(self._yes, "yes")), id="yes", variant="error", compact=True)
                yield Button(Content(voice.button(cancel, "no")), id="no", compact=True)

    def on_mount(self) -> None:
        """Enter is not yes: the focus starts on the button that changes nothing."""
        self.query_one("#no", Button).focus()

    @property
    def moving_pane(self) -> Dialog:
        """What it says."""
        return self.query_one(Dialog)

    def do_yes(self) -> None:
        """Go on."""
        self.dismiss(True)

    def do_no(self) -> None:
        """Do not."""
        self.dismiss(False)

    def do_other_button(self) -> None:
        """Go to the other button."""
        self.focus_next()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")
