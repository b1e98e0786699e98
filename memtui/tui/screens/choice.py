"""A question with several answers; each answer is an action of the registry."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import MouseDown
from textual.timer import Timer
from textual.widgets import Button, Static

from memtui.tui.actions.registry import Action, actions_for, bindings_for, keys_text
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.typeahead import typed_ahead
from memtui.tui.voice import voice_of
from memtui.tui.widgets.dialog import Dialog, DialogButtons

EARLY = 0.4
"""Seconds without a key after which a question that comes unasked takes an answer (ours)."""


class ChoiceScreen(Moving, ActionModal[str]):
    """Gives the id of the action chosen. The first button has the focus."""

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; background: $background 60%; }
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
        return [action for action in actions_for(self.PLACE) if action.places == (self.PLACE,)]

    def compose(self) -> ComposeResult:
        """Question, lines, a button for each answer."""
        with Dialog():
            yield Static(Content(self._question), classes="dialog-question", markup=False)
            for line in self._lines:
                yield Static(Content(line), classes="dialog-line", markup=False)
            with DialogButtons():
                for action in map(voice_of(self.app).action, self._choices()):
                    text = f"{action.title}  {keys_text(action, first_only=True)}"
                    yield Button(Content(text), id=action.id, compact=True)

    def on_mount(self) -> None:
        """The first answer is the one that loses nothing."""
        for button in self.query(Button):  # none, where a key was quicker than the first paint
            button.focus()
            break

    @property
    def moving_pane(self) -> Dialog:
        """What it says."""
        return self.query_one(Dialog)

    def perform(self, action_id: str) -> None:
        """An answer was given."""
        if not self.listens():
            return
        if any(action.id == action_id for action in self._choices()):
            self.dismiss(action_id)
        else:
            super().perform(action_id)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if self.listens():
            self.dismiss(event.button.id)

    def listens(self) -> bool:
        """Whether what is typed now is an answer, rather than meant for what stood here before."""
        return True


class LeaveScreen(ChoiceScreen):
    """Asks what to do with text that is not saved."""

    PLACE = "leave"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("leave")]


class GoneScreen(ChoiceScreen):
    """Asks what becomes of a memory whose file is gone while it is edited."""

    PLACE = "gone"
    DEFAULT_CSS = "GoneScreen DialogButtons { layout: vertical; }"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("gone")]


class DraftScreen(ChoiceScreen):
    """Offers text that was not saved the last time."""

    PLACE = "draft"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("draft")]
    _pause: Timer | None = None
    _asked_at: float | None = None  # seconds of the monotonic clock, that of events; None while keys come
    _clicked_at = 0.0

    def on_mount(self) -> None:
        """It comes unasked: what somebody goes on typing meanwhile answers nothing."""
        self._wait()

    def _wait(self) -> None:
        self._asked_at = None
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(EARLY, self._listen)

    def _listen(self) -> None:
        self._asked_at = time.monotonic()

    @property
    def is_asking(self) -> bool:
        """Whether what is typed now is an answer."""
        return self._asked_at is not None

    def on_mouse_down(self, event: MouseDown) -> None:
        """A click is judged by its own time, not by that of the last key."""
        self._clicked_at = event.time

    def listens(self) -> bool:
        """Whether what is worked off now was given after the question had stood there and the keys had rested.

        By the time it was given at, for a busy app takes up the keys of one burst with any pause between them.
        """
        ahead = typed_ahead(self.app)
        given_at = self._clicked_at if ahead is None else max(self._clicked_at, ahead.typed_at)
        if self._asked_at is not None and given_at >= self._asked_at:
            return True
        self._wait()  # the rest has to begin anew
        return False
