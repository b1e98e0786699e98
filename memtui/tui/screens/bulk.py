"""A change of one or many memories, shown with all it would do before it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button

from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.types import Lang
from memtui.memory.wording.saying import Say, system_said
from memtui.tui import notices
from memtui.tui.actions.registry import bindings_for
from memtui.tui.present.blocks import Block
from memtui.tui.present.bulk import cut_off, plan_blocks
from memtui.tui.present.lines import Line, clip_line
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Movable, Moving
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.row_list import RowList
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.bulk import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.plans import Plan
    from memtui.memory.managing.scope_change import ScopePlan
    from memtui.memory.managing.transfer import TransferPlan
    from memtui.tui.app import MemtuiApp
    from memtui.tui.reviewing import Decision

AnyPlan: TypeAlias = "Plan | TransferPlan | ScopePlan | Decision"

_MOST_CHOICES = 6
"""Choices in sight; more are scrolled."""
_FRAMES = 4
"""Cells of a title or a choice that are not its text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to make the change.

    Attributes:
        title: fit to be shown.
        note: the same, dim.
        plan: works out what it would do; runs in a thread.
        text: what the result would say, where that is one text.
        show: puts into blocks what it would do, for a plan that this dialog knows nothing of.
    """

    title: str
    note: str
    plan: Callable[[MemoryManager], AnyPlan]
    text: str = ""
    show: Callable[[Any], list[Block]] | None = None


@dataclass
class _Planned(Message):
    """What a choice would do, or why it cannot be done."""

    number: int
    outcome: AnyPlan | MemtuiError


@dataclass(frozen=True, slots=True)
class Agreed:
    """What somebody decided on.

    Attributes:
        choice: number of the choice.
        plan: the change exactly as it was shown; None to go on in the editor.
    """

    choice: int
    plan: AnyPlan | None


class BulkScreen(Moving, ActionModal[Agreed]):
    """Gives what was agreed to; None for no change."""

    PLACE = "bulk"
    DEFAULT_CSS = """
    BulkScreen { align: center middle; background: $background 60%; }
    #bulk-box {
        width: 92%; max-width: 110; height: 90%; background: $surface; border-left: thick $primary; padding: 1 2;
    }
    #bulk-choices { height: auto; max-height: 6; margin-bottom: 1; }
    #bulk-text { padding: 0; }
    #bulk-buttons { height: auto; margin-top: 1; }
    #bulk-buttons Button { margin-right: 2; }
    BulkScreen LineView {
        scrollbar-background: $surface; scrollbar-background-hover: $surface; scrollbar-background-active: $surface;
        scrollbar-color: $foreground 20%; scrollbar-color-hover: $foreground 35%; scrollbar-color-active: $primary;
    }
    .-narrow #bulk-box { width: 100%; height: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("bulk")]

    def __init__(
        self,
        question: str,
        choices: Sequence[Choice],
        *,
        yes: str,
        lang: Lang,
        start: int = 0,
        editable: bool = False,
    ) -> None:
        """Prepare the question.

        Args:
            question: what is asked, fit to be shown.
            choices: ways to make the change, at least one.
            yes: what the button says that goes on.
            lang: language of the screen.
            start: the choice to begin with.
            editable: whether the result may be edited before it is saved.
        """
        super().__init__()
        self._question = question
        self._choices = choices
        self._yes = yes
        self._say = voice_of(self.app).with_keys(words(lang), NAMED_KEYS)
        self._lang: Lang = lang
        self._start = start
        self._editable = editable
        self._plan: AnyPlan | None = None

    def compose(self) -> ComposeResult:
        """Question, choices, everything that would happen, buttons."""
        voice = voice_of(self.app)
        with Vertical(id="bulk-box"):
            yield PaneTitle(id="bulk-title")
            if len(self._choices) > 1:
                yield RowList[Choice](_choice_line, lambda choice: choice.title, id="bulk-choices")
            yield TextView(id="bulk-text")
            with Horizontal(id="bulk-buttons"):
                yield Button(
                    Content(voice.button(self._yes, "yes")), id="yes", variant="primary", compact=True
                )
                if self._editable:
                    yield Button(
                        Content(voice.button(self._say.edit_first, "edit_merged")), id="edit", compact=True
                    )
                yield Button(Content(voice.button(self._say.cancel, "no")), id="no", compact=True)

    def on_mount(self) -> None:
        """Show the choices and work out the first."""
        self.query_one(PaneTitle).show(self._question)
        self.query_one("#yes", Button).disabled = True
        if self._rows is not None:
            self._rows.styles.height = min(len(self._choices), _MOST_CHOICES)
            self._rows.show(self._choices)
            self._rows.move_to(self._start)
            self._rows.focus()
        else:
            self.query_one(TextView).focus()
        self._work_out()

    # --- the plan ---

    @property
    def _rows(self) -> RowList[Choice] | None:
        found = self.query("#bulk-choices")
        return cast("RowList[Choice]", found.first()) if found else None

    @property
    def _number(self) -> int:
        return self._rows.index if self._rows is not None else 0

    @property
    def plan(self) -> AnyPlan | None:
        """What the choice would do; None while that is worked out, or if it cannot be done."""
        return self._plan

    def _work_out(self) -> None:
        manager = cast("MemtuiApp", self.app).manager
        if manager is None:
            return
        self._plan = None
        self.query_one("#yes", Button).disabled = True
        number = self._number
        self.query_one(TextView).show([Block(((self._say.planning, "dim"),))], key=number)
        self.run_worker(partial(self._in_thread, number, manager), thread=True, group="plan", exclusive=True)

    def _in_thread(self, number: int, manager: MemoryManager) -> None:
        try:
            outcome: AnyPlan | MemtuiError = self._choices[number].plan(manager)
        except MemtuiError as error:
            outcome = error
        except OSError as error:
            outcome = Refused(
                Say("the system said no: {reason}", reason=system_said(error)), where=str(error.filename)
            )
        self.post_message(_Planned(number, outcome))

    @on(_Planned)
    def _shown(self, message: _Planned) -> None:
        if message.number != self._number:
            return
        outcome = message.outcome
        if isinstance(outcome, MemtuiError):
            title, text = notices.error_text(outcome, self._lang)
            blocks = [Block(((title, "bad"),)), *(Block(((line, ""),)) for line in text.split("\n"))]
        else:
            self._plan = outcome
            blocks = self._blocks(outcome, self._choices[message.number])
            self.query_one("#yes", Button).disabled = not outcome.edits
        view = self.query_one(TextView)
        whole = cut_off((self._question, self._choices[message.number].title), view.size.width - _FRAMES)
        view.show([*whole, *blocks], key=(message.number, "plan"))

    def _blocks(self, plan: AnyPlan, choice: Choice) -> list[Block]:
        if choice.show is not None:
            return choice.show(plan)
        from memtui.memory.managing.plans import Plan  # noqa: PLC0415 – loaded behind the first paint
        from memtui.memory.managing.scope_change import ScopePlan  # noqa: PLC0415 – as above
        from memtui.memory.managing.transfer import TransferPlan  # noqa: PLC0415 – as above

        if isinstance(plan, TransferPlan):
            from memtui.tui.present.projects import transfer_blocks  # noqa: PLC0415 – as above

            return transfer_blocks(plan, self._lang)
        if isinstance(plan, ScopePlan):
            from memtui.tui.present.scope import scope_blocks  # noqa: PLC0415 – as above

            return scope_blocks(plan, self._lang)
        return plan_blocks(plan, self._say, merged_text=choice.text) if isinstance(plan, Plan) else []

    @on(RowList.Moved)
    def _moved(self) -> None:
        self._work_out()

    # --- actions ---

    @property
    def moving_pane(self) -> Movable:
        """The choices while they have the focus, else the text."""
        rows = self._rows
        return rows if rows is not None and rows.has_focus else self.query_one(TextView)

    def do_yes(self) -> None:
        """Make the change that is shown."""
        if self._plan is not None and self._plan.edits:
            self.dismiss(Agreed(self._number, self._plan))

    def do_no(self) -> None:
        """Change nothing."""
        self.dismiss(None)

    def do_other_part(self) -> None:
        """From the choices to the text, and back."""
        rows = self._rows
        if rows is not None:
            (self.query_one(TextView) if rows.has_focus else rows).focus()

    def do_edit_merged(self) -> None:
        """Go on in the editor."""
        if self._editable:
            self.dismiss(Agreed(self._number, None))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        {"yes": self.do_yes, "edit": self.do_edit_merged}.get(event.button.id or "", self.do_no)()


def _choice_line(choice: Choice, cells: int, at_cursor: bool) -> Line:
    sign = "▸ " if at_cursor else "  "
    return clip_line(((sign, "cursor-sign"), (choice.title, "name"), (f"  {choice.note}", "dim")), cells)
