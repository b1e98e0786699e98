"""Shows what a fix would write, and asks; enter is not yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Static

from memtui.memory.types import Lang
from memtui.memory.versions.diffrows import Row
from memtui.tui.actions.registry import bindings_for
from memtui.tui.present.checks import spoken
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.voice import voice_of
from memtui.tui.widgets.diff_view import DiffView

_AROUND = 9
"""Lines that the dialog needs besides the difference and the summary."""


class FixScreen(Moving, ActionModal[bool]):
    """The change, to be agreed to; gives True for yes."""

    PLACE = "fix"
    DEFAULT_CSS = """
    FixScreen { align: center middle; background: $background 60%; }
    #fix-box {
        width: 92%; max-width: 120; height: auto; max-height: 100%;
        background: $surface; border-left: thick $primary; padding: 1 2;
    }
    #fix-question { text-style: bold; margin-bottom: 1; }
    #fix-summary { margin-bottom: 1; }
    #fix-diff { height: 3; background: $background; padding: 0 1; }
    #fix-note { color: $foreground 75%; margin-top: 1; }
    #fix-buttons { height: auto; margin-top: 1; }
    #fix-buttons Button { margin-right: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("fix")]

    def __init__(self, question: str, rows: Sequence[Row], lang: Lang, *, summary: str = "") -> None:
        """Prepare the question.

        Args:
            question: what is asked; texts from files in it must have gone through ``visible``.
            rows: the difference that would be made.
            lang: language of the screen.
            summary: what the difference comes to, in sentences; empty where it is short enough to say so itself.
        """
        super().__init__()
        self._summary = summary
        self._question = question
        self._rows = rows
        self._lang: Lang = lang

    def compose(self) -> ComposeResult:
        """Question, difference, buttons."""
        voice = voice_of(self.app)
        say = spoken(voice, self._lang)
        with Vertical(id="fix-box"):
            yield Static(Content(self._question), id="fix-question", markup=False)
            if self._summary:
                yield Static(Content(self._summary), id="fix-summary", markup=False)
            yield DiffView(self._lang, id="fix-diff")
            yield Static(Content(say.undo_note), id="fix-note", markup=False)
            with Horizontal(id="fix-buttons"):
                yield Button(
                    Content(voice.button(say.fix_yes, "yes")), id="yes", variant="primary", compact=True
                )
                yield Button(Content(voice.button(say.fix_no, "no")), id="no", compact=True)

    def on_mount(self) -> None:
        """Show the difference; the focus starts on the button that changes nothing."""
        self.screen_layout_refresh_signal.subscribe(self, self._laid_out)  # a notice comes or goes
        self.query_one(DiffView).show(self._rows, key="fix")
        self.query_one("#no", Button).focus()

    def on_resize(self) -> None:
        """Give the difference as much room as it needs and there is: question and buttons stay in sight."""
        self.call_after_refresh(self._fit)

    def _laid_out(self, screen: Screen[object]) -> None:
        if screen is self:
            self._fit()

    def _fit(self) -> None:
        view = self.query_one(DiffView)
        around = _AROUND + sum(each.outer_size.height + 1 for each in self.query("#fix-summary"))
        # Notices stand above the box, in a rack that shows no more than some lines of them and tells no height of its own.
        notices = max((each.region.bottom for each in self.query("Toast")), default=0)
        racks = [
            each.styles.max_height for each in self.query("ToastRack")
        ]  # none, where an app shows no notices
        around += min([notices, *(round(most.value) for most in racks if most is not None)])
        view.styles.height = max(1, min(view.virtual_size.height, self.size.height - around))

    @property
    def moving_pane(self) -> DiffView:
        """The difference."""
        return self.query_one(DiffView)

    def do_yes(self) -> None:
        """Write it."""
        self.dismiss(True)

    def do_no(self) -> None:
        """Write nothing."""
        self.dismiss(False)

    def do_other_button(self) -> None:
        """Go to the other button."""
        yes, no = self.query_one("#yes", Button), self.query_one("#no", Button)
        (no if yes.has_focus else yes).focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")
