"""A question with several answers; each answer is an action of the registry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from memtui.tui.actions import Action, actions_for, bindings_for, keys_text
from memtui.tui.screens.base import ActionModal
from memtui.tui.voice import voice_of


class ChoiceScreen(ActionModal[str]):
    """Gives the id of the action chosen. The first button has the focus."""

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; background: $background 60%; }
    ChoiceScreen > Vertical {
        width: 66; max-width: 100%; height: auto; max-height: 100%;
        background: $surface; border-left: thick $primary; padding: 1 2;
    }
    .choice-question { text-style: bold; margin-bottom: 1; }
    .choice-line { color: $foreground 75%; }
    .choice-buttons { height: auto; margin-top: 1; }
    .choice-buttons Button { margin-right: 2; }
    """

    def __init__(self, question: str, lines: Sequence[str]) -> None:
        """Prepare the question.

        Args:
            question: what is asked, fit to be shown.
            lines: what to know about it, fit to be shown.
        """
        super().__init__()
        self._question = question
        self._lines = lines

    def _choices(self) -> list[Action]:
        return [action for action in actions_for(self.PLACE) if self.PLACE in action.places]

    def compose(self) -> ComposeResult:
        """Question, lines, a button for each answer."""
        with Vertical():
            yield Static(Content(self._question), classes="choice-question", markup=False)
            for line in self._lines:
                yield Static(Content(line), classes="choice-line", markup=False)
            with Horizontal(classes="choice-buttons"):
                for action in map(voice_of(self.app).action, self._choices()):
                    text = f"{action.title}  {keys_text(action, first_only=True)}"
                    yield Button(Content(text), id=action.id, compact=True)

    def on_mount(self) -> None:
        """The first answer is the one that loses nothing."""
        for button in self.query(Button):  # none, where a key was quicker than the first paint
            button.focus()
            break

    def perform(self, action_id: str) -> None:
        """An answer was given."""
        if any(action.id == action_id for action in self._choices()):
            self.dismiss(action_id)
        else:
            super().perform(action_id)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id)


class LeaveScreen(ChoiceScreen):
    """Asks what to do with text that is not saved."""

    PLACE = "leave"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("leave")]


class DraftScreen(ChoiceScreen):
    """Offers text that was not saved the last time."""

    PLACE = "draft"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("draft")]
