"""A question that only a typed word answers with yes: for what cannot be called back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static

from memtui.memory.text import visible
from memtui.tui.actions.registry import bindings_for
from memtui.tui.screens.base import ActionModal
from memtui.tui.voice import voice_of
from memtui.tui.widgets.dialog import Dialog, DialogButtons
from memtui.tui.widgets.fields import TextField
from memtui.tui.wording.whole import words


class TypedScreen(ActionModal[bool]):
    """Gives True once the word was typed and taken; None or False otherwise."""

    PLACE = "typed"
    DEFAULT_CSS = """
    TypedScreen { align: center middle; background: $background 60%; }
    TypedScreen Dialog { border-left: thick $error; }
    TypedScreen TextField { margin-top: 1; background: $boost; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("typed")]

    def __init__(self, question: str, lines: Sequence[str], word: str, *, yes: str) -> None:
        """Prepare the question.

        Args:
            question: what is asked; texts from files in it must have gone through ``visible``.
            lines: what to know before; the same holds.
            word: what has to be typed.
            yes: what the button says that goes on.
        """
        super().__init__()
        self._question = question
        self._lines = lines
        self._word = word
        self._yes = yes

    def compose(self) -> ComposeResult:
        """Question, what to know, a line to type into, two buttons."""
        voice = voice_of(self.app)
        with Dialog():
            yield Static(Content(self._question), classes="dialog-question", markup=False)
            for line in self._lines:
                yield Static(Content(f"· {line}"), classes="dialog-line", markup=False)
            yield TextField(placeholder=visible(self._word), id="typed")
            with DialogButtons():
                yield Button(
                    Content(voice.button(self._yes, "typed_yes")), id="yes", variant="error", compact=True
                )
                yield Button(
                    Content(voice.button(words(voice.lang).cancel, "typed_no")), id="no", compact=True
                )

    def on_mount(self) -> None:
        """Nothing is typed yet."""
        self.query_one("#yes", Button).disabled = True
        self.query_one(TextField).focus()

    @property
    def _is_typed(self) -> bool:
        return self.query_one(TextField).value.strip() == self._word

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one("#yes", Button).disabled = not self._is_typed

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.do_typed_yes()

    def do_typed_yes(self) -> None:
        """Go on, if the word stands there."""
        if self._is_typed:
            self.dismiss(True)

    def do_typed_no(self) -> None:
        """Do not."""
        self.dismiss(False)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.do_typed_yes() if event.button.id == "yes" else self.do_typed_no()
