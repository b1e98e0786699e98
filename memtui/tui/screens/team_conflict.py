"""Mine, theirs and both in one, of a memory that a team changed on both sides: what is chosen here is shared."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.present.conflict import Conflicting
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.wording.edit import EditWords


class TeamConflictScreen(ConflictScreen, inherit_bindings=False):
    """The same three texts; its keys say what becomes of them for everybody."""

    PLACE = "team_conflict"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("team_conflict")]

    def __init__(self, texts: Conflicting, words: EditWords, *, read_only: bool, busy: bool) -> None:
        """Prepare the screen.

        Args:
            texts: the two; what both were made from nobody knows.
            words: sentences.
            read_only: whether changes are switched off.
            busy: whether another change is still being written.
        """
        super().__init__(texts, words)
        self._situation = Situation(selected=True, text=True, read_only=read_only, busy=busy)

    @property
    def situation(self) -> Situation:
        """Nothing is decided where nothing can be changed."""
        return self._situation

    def do_give_mine(self) -> None:
        """Mine is shared."""
        self.do_keep_mine()

    def do_leave_theirs(self) -> None:
        """Theirs is what everybody has."""
        self.do_take_theirs()

    def do_edit_before_sharing(self) -> None:
        """On to the editor."""
        self.do_take_both()

    def do_close_team_conflict(self) -> None:
        """Decide nothing."""
        self.do_close_conflict()
