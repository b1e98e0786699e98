"""Taking over another store's memories from the projects screen: what it would do is shown first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.message import Message

from memtui.memory.errors import MemtuiError
from memtui.memory.types import Lang
from memtui.tui.messages import ChangeWanted, Failed, Tell
from memtui.tui.screens.base import ActionScreen
from memtui.tui.screens.transferring import names_taken
from memtui.tui.wording.projects import words

if TYPE_CHECKING:
    from memtui.claude.stores import Store
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult
    from memtui.memory.managing.transfer import TransferPlan
    from memtui.tui.app import MemtuiApp
    from memtui.tui.machine import Machine
    from memtui.tui.screens.bulk import Agreed


@dataclass
class OldStoreOpened(Message):
    """A store that is to be adopted, opened.

    Attributes:
        name: what to call it.
        source: it.
        taken: whether a name in it is taken here.
    """

    name: str
    source: MemoryManager
    taken: bool


class Adopting(ActionScreen[str]):
    """Mixed into the projects screen.

    Attributes:
        machine: where the stores are.
        busy: whether a change is under way.
    """

    machine: Machine
    busy: bool = False

    @property
    def speaks(self) -> Lang:
        """Language of the screen."""
        raise NotImplementedError

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        raise NotImplementedError

    @property
    def old_store(self) -> tuple[Store, str] | None:
        """The store whose memories may be taken over, and what to call it."""
        raise NotImplementedError

    def do_adopt(self) -> None:
        """Show what taking the store's memories over would do, then do it."""
        if self.old_store is not None:
            app = cast("MemtuiApp", self.app)
            look = partial(self._open_old, *self.old_store, app.manager, app.post_message)
            self.run_worker(look, thread=True, group="adopt", exclusive=True)

    def _open_old(self, store: Store, name: str, here: MemoryManager | None, tell: Tell) -> None:
        try:
            source = self.machine.manager(store, read_only=True)
            taken = here is not None and names_taken((e.slug for e in source.entries() if e.is_active), here)
            self.post_message(OldStoreOpened(name, source, taken))
        except MemtuiError as error:
            tell(Failed(error))

    def on_old_store_opened(self, message: OldStoreOpened) -> None:
        """Ask."""
        from memtui.tui.screens.bulk import BulkScreen, Choice  # noqa: PLC0415 – loaded when asked for, not at start

        say, source = words(self.speaks), message.source
        choices = [Choice(say.adopt, say.adopt_note, partial(_adoption, source=source, join=False))]
        if message.taken:
            joined = partial(_adoption, source=source, join=True)
            choices.append(Choice(say.adopt + say.joined, say.joined_note, joined))

        def answered(agreed: Agreed | None) -> None:
            if agreed is not None:
                self._take_over(agreed, source)

        question = say.adopt_question.format(source=message.name)
        self.app.push_screen(BulkScreen(question, choices, yes=say.yes, lang=self.speaks), answered)

    def _take_over(self, agreed: Agreed, source: MemoryManager) -> None:
        from memtui.memory.managing.transfer import TransferPlan, carry_out_transfer  # noqa: PLC0415 – as above

        plan = agreed.plan
        if not isinstance(plan, TransferPlan):
            return

        def do(manager: MemoryManager) -> ChangeResult:
            return carry_out_transfer(plan, source, manager).arrived

        self.busy = True
        self.show_keys()
        self.post_message(ChangeWanted(words(self.speaks).adopted, do))


def _adoption(manager: MemoryManager, *, source: MemoryManager, join: bool) -> TransferPlan:
    """What it would do; runs in a thread."""
    from memtui.memory.managing.transfer import plan_adoption  # noqa: PLC0415 – loaded when asked for, not at start

    source.reload()
    taken = [entry.slug for entry in source.entries() if entry.is_active] if join else []
    return plan_adoption(source, manager, merge=taken)
