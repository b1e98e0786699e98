"""Undo and redo on every screen: where more than one memory changes, what comes back is shown first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from textual.message import Message

from memtui.memory.errors import MemtuiError
from memtui.memory.types import Lang
from memtui.tui.messages import Failed
from memtui.tui.screens.base import ActionScreen

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult
    from memtui.memory.saving.records import Record
    from memtui.tui.app import MemtuiApp

Verb = Literal["undo", "redo"]
_DONE: dict[Verb, str] = {"undo": "Undone", "redo": "Done again"}


@dataclass
class ReplayPlanned(Message):
    """What undo or redo would do, read from the journal.

    Attributes:
        verb: which.
        record: what it acts on; None if there is nothing.
    """

    verb: Verb
    record: Record | None


class Undoing(ActionScreen[Any]):
    """Mixed into a screen that has the actions ``undo`` and ``redo``, can ``change``, and ``speaks`` a language."""

    if TYPE_CHECKING:  # the screen has them, wherever it stands in the order of its bases

        def change(self, verb: str, do: Callable[[MemoryManager], ChangeResult]) -> None:
            """Have a change made; ``verb`` is what will have been done."""

        @property
        def speaks(self) -> Lang:
            """Language of the question."""

    def do_undo(self) -> None:
        """Take the last change back."""
        self._plan_replay("undo")

    def do_redo(self) -> None:
        """Make it again."""
        self._plan_replay("redo")

    def _plan_replay(self, verb: Verb) -> None:
        manager = cast("MemtuiApp", self.app).manager
        if manager is not None:
            self.run_worker(
                partial(self._read_replay, verb, manager), thread=True, group="undo", exclusive=True
            )

    def _read_replay(self, verb: Verb, manager: MemoryManager) -> None:
        try:
            record = manager.undoable() if verb == "undo" else manager.redoable()
        except MemtuiError as error:
            self.post_message(Failed(error))
        else:
            self.post_message(ReplayPlanned(verb, record))

    def on_replay_planned(self, message: ReplayPlanned) -> None:
        """Do it, or ask first."""
        from memtui.tui.present.activity import memories_of, undo_question  # noqa: PLC0415 – loaded when asked for
        from memtui.tui.wording.activity import words  # noqa: PLC0415

        verb, record = message.verb, message.record
        said = words(self.speaks)
        if record is None:
            self.say(said.nothing_to_undo if verb == "undo" else said.nothing_to_redo)
            return
        number = record.id

        def go() -> None:
            self.change(
                _DONE[verb],
                lambda manager: manager.undo(number) if verb == "undo" else manager.redo(number),
            )

        elsewhere = cast("MemtuiApp", self.app).made_elsewhere if verb == "undo" else ""
        if memories_of(record) <= 1 and record.tie is None and not elsewhere:
            go()
            return
        from memtui.tui.screens.confirm import ConfirmScreen  # noqa: PLC0415 – loaded when asked for, not at start

        def answered(yes: bool | None) -> None:
            if yes:
                go()

        question, lines = undo_question(record, verb, self.speaks, said)
        if elsewhere:
            lines.insert(0, said.made_elsewhere.format(path=elsewhere))
        yes = said.undo if verb == "undo" else said.redo
        self.app.push_screen(ConfirmScreen(question, lines, yes=yes, no=said.cancel), answered)
