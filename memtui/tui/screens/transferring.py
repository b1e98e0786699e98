"""From a memory to the machine's other stores: the projects screen, and copying or moving what is marked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual import on
from textual.message import Message

from memtui.tui.present.parts import label
from memtui.tui.screens.memory_screen import MemoryScreen

if TYPE_CHECKING:
    from memtui.claude.stores import Store
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult
    from memtui.memory.managing.transfer import TransferPlan
    from memtui.tui.machine import Machine
    from memtui.tui.screens.bulk import Agreed, Choice

Names = Literal["ask", "join", "rename"]


@dataclass
class TargetsListed(Message):
    """The stores that memories may go to.

    Attributes:
        slugs: the memories.
        targets: each store with what to call it.
    """

    slugs: tuple[str, ...]
    targets: tuple[tuple[Store, str], ...]


@dataclass
class TargetOpened(Message):
    """The store that was chosen, opened.

    Attributes:
        slugs: the memories.
        name: what to call the store.
        target: it.
        taken: whether one of their names is taken there.
    """

    slugs: tuple[str, ...]
    name: str
    target: MemoryManager
    taken: bool


class Transferring(MemoryScreen):
    """Mixed into the screens on which memories are changed."""

    def do_projects(self) -> None:
        """Every store of the machine; back from there, to the memory that was found."""
        from memtui.tui.screens.projects import ProjectsScreen  # noqa: PLC0415 – loaded when asked for, not at start

        def closed(slug: str | None) -> None:
            if slug is not None:
                self.go_to(slug)

        machine = self.setting.machine
        if machine is not None:
            self.app.push_screen(ProjectsScreen(self.setting, machine), closed)

    def do_transfer(self) -> None:
        """Choose a store for what is marked, or for the memory one is on."""
        machine, slugs = self.setting.machine, tuple(entry.slug for entry in self.chosen)
        if machine is not None and slugs:
            self.run_worker(
                partial(self._list_targets, machine, slugs), thread=True, group="targets", exclusive=True
            )

    def _list_targets(self, machine: Machine, slugs: tuple[str, ...]) -> None:
        from memtui.tui.present.projects import store_name  # noqa: PLC0415 – as above

        here = os.path.realpath(self.setting.directory)
        found: list[tuple[Store, str]] = []
        for store in machine.stores():
            if store.writable and os.path.realpath(store.path) != here:
                project = next(iter(machine.projects_of(store)), None)
                found.append((store, store_name(store, project, machine.home)))
        self.post_message(TargetsListed(slugs, tuple(found)))

    @on(TargetsListed)
    def _choose_target(self, message: TargetsListed) -> None:
        from memtui.tui.screens.pick import Item, PickScreen  # noqa: PLC0415 – as above
        from memtui.tui.wording.projects import words  # noqa: PLC0415

        say, machine = words(self.speaks), self.setting.machine
        if not message.targets:
            self.say(say.no_target)
            return
        items = [Item(str(number), name) for number, (_, name) in enumerate(message.targets)]

        def taken(number: str | None) -> None:
            if number is not None and machine is not None:
                store, name = message.targets[int(number)]
                self.run_worker(
                    partial(self._open_target, machine, message.slugs, store, name),
                    thread=True,
                    group="targets",
                    exclusive=True,
                )

        self.app.push_screen(PickScreen(say.pick_title, say.pick_note, items), taken)

    def _open_target(self, machine: Machine, slugs: tuple[str, ...], store: Store, name: str) -> None:
        from memtui.memory.errors import MemtuiError  # noqa: PLC0415 – as above
        from memtui.tui.messages import Failed  # noqa: PLC0415

        try:
            target = machine.manager(store)
            self.post_message(TargetOpened(slugs, name, target, names_taken(slugs, target)))
        except MemtuiError as error:
            self.post_message(Failed(error))

    @on(TargetOpened)
    def _ask_how(self, message: TargetOpened) -> None:
        from memtui.tui.screens.bulk import BulkScreen  # noqa: PLC0415 – as above
        from memtui.tui.wording.projects import words  # noqa: PLC0415

        say, slugs, target = words(self.speaks), message.slugs, message.target
        name = label(slugs[0])
        question = (
            say.question_one.format(name=name, target=message.name)
            if len(slugs) == 1
            else say.question_many.format(count=len(slugs), target=message.name)
        )
        ways: list[tuple[bool, Names]] = [(False, "ask"), (True, "ask")]
        if message.taken:
            ways += [(False, "join"), (True, "join"), (False, "rename"), (True, "rename")]
        if self.setting.read_only:
            ways = [(move, names) for move, names in ways if not move]
        choices = [_way(slugs, target, move=move, names=names, lang_words=say) for move, names in ways]

        def answered(agreed: Agreed | None) -> None:
            if agreed is not None:
                self._transfer(agreed, target)

        self.app.push_screen(BulkScreen(question, choices, yes=say.yes, lang=self.speaks), answered)

    def _transfer(self, agreed: Agreed, target: MemoryManager) -> None:
        from memtui.memory.managing.transfer import TransferPlan  # noqa: PLC0415 – as above
        from memtui.tui.wording.projects import words  # noqa: PLC0415

        plan, say = agreed.plan, words(self.speaks)
        if isinstance(plan, TransferPlan):
            self.change(
                say.moved if plan.verb == "move" else say.copied, partial(_carry_out, plan, target=target)
            )


def names_taken(slugs: Iterable[str], target: MemoryManager) -> bool:
    """Whether a memory of one of these names is in a directory already."""
    from memtui.memory.document.slugs import collision_key  # noqa: PLC0415 – loaded when asked for, not at start

    there = {collision_key(entry.slug) for entry in target.entries() if not entry.aside}
    return any(collision_key(slug) in there for slug in slugs)


def _way(
    slugs: Sequence[str], target: MemoryManager, *, move: bool, names: Names, lang_words: object
) -> Choice:
    from memtui.tui.screens.bulk import Choice  # noqa: PLC0415 – loaded when asked for, not at start
    from memtui.tui.wording.projects import ProjectsWords  # noqa: PLC0415

    assert isinstance(lang_words, ProjectsWords)  # noqa: S101 – the caller's own
    say = lang_words
    title = (say.move if move else say.copy) + {"ask": "", "join": say.joined, "rename": say.renamed}[names]
    note = {
        "ask": say.move_note if move else say.copy_note,
        "join": say.joined_note,
        "rename": say.renamed_note,
    }[names]
    return Choice(title, note, partial(_plan, tuple(slugs), target=target, move=move, names=names))


def _plan(
    slugs: tuple[str, ...], manager: MemoryManager, *, target: MemoryManager, move: bool, names: Names
) -> TransferPlan:
    """What it would do; runs in a thread."""
    from memtui.memory.managing.transfer import plan_copy, plan_move  # noqa: PLC0415 – loaded when asked for, not at start

    plan = plan_move if move else plan_copy
    target.reload()
    found = plan(manager, target, slugs, merge=slugs if names == "join" else ())
    if names == "rename" and found.clashes:
        found = plan(
            manager, target, slugs, new_slugs={clash.slug: clash.proposed for clash in found.clashes}
        )
    return found


def _carry_out(plan: TransferPlan, manager: MemoryManager, *, target: MemoryManager) -> ChangeResult:
    """Make the change; what is told is what was done here."""
    from memtui.memory.managing.results import ChangeResult  # noqa: PLC0415 – loaded when asked for, not at start
    from memtui.memory.managing.transfer import carry_out_transfer  # noqa: PLC0415

    done = carry_out_transfer(plan, manager, target)
    if done.left is not None:
        return done.left
    slugs = tuple(passage.slug for passage in plan.passages)
    return ChangeResult(plan.arriving.label, slugs, elsewhere=str(plan.target))
