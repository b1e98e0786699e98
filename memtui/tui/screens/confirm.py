"""A question before a change: it names what will happen, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from memtui.tui.actions import BY_ID, bindings_for, keys_text
from memtui.tui.screens.base import ActionModal
from memtui.tui.voice import voice_of
from memtui.tui.wording.whole import words


class ConfirmScreen(ActionModal[bool]):
    """Asks whether to go on; gives True for yes."""

    PLACE = "confirm"
    DEFAULT_CSS = """
    ConfirmScreen { align: center middle; background: $background 60%; }
    #confirm-box {
        width: 66; max-width: 100%; height: auto; max-height: 100%;
        background: $surface; border-left: thick $error; padding: 1 2;
    }
    #confirm-question { text-style: bold; margin-bottom: 1; }
    .confirm-line { color: $foreground 75%; }
    #confirm-buttons { height: auto; margin-top: 1; }
    #confirm-buttons Button { margin-right: 2; }
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
        yes, no = (keys_text(voice.action(BY_ID[name]), first_only=True) for name in ("yes", "no"))
        cancel = self._no or words(voice.lang).cancel
        with Vertical(id="confirm-box"):
            yield Static(Content(self._question), id="confirm-question", markup=False)
            for line in self._consequences:
                yield Static(Content(f"· {line}"), classes="confirm-line", markup=False)
            with Horizontal(id="confirm-buttons"):
                yield Button(Content(f"{self._yes}  {yes}"), id="yes", variant="error", compact=True)
                yield Button(Content(f"{cancel}  {no}"), id="no", compact=True)

    def on_mount(self) -> None:
        """Enter is not yes: the focus starts on the button that changes nothing."""
        self.query_one("#no", Button).focus()

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
