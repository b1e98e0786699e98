"""What can be done to a memory, or to all that are marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry, MemoryType
from memtui.tui import notices
from memtui.tui.facts import doubles_of
from memtui.tui.present.parts import label
from memtui.tui.screens.edit_doors import EditDoors
from memtui.tui.screens.undoing import Undoing
from memtui.tui.voice import voice_of

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.plans import Plan
    from memtui.tui.present.bulk import Merged
    from memtui.tui.screens.bulk import Choice
    from memtui.tui.wording.bulk import BulkWords


def words(lang: Lang) -> BulkWords:
    """The sentences, loaded when something is going to be changed."""
    from memtui.tui.wording import bulk  # noqa: PLC0415 – as the docstring says

    return bulk.words(lang)


class Changing(EditDoors, Undoing):
    """Mixed into the screens on which memories are changed."""

    def do_forget(self) -> None:
        """Ask, then move to the trash what is marked, or the memory one is on."""
        from memtui.tui.screens.confirm import ConfirmScreen  # noqa: PLC0415 – loaded when asked for, not at start

        snapshot, chosen = self._snapshot, self.chosen
        if snapshot is None or not chosen:
            return
        slugs = [entry.slug for entry in chosen]
        if len(chosen) > 1:
            say = words(self.speaks)
            choice = _choice("", "", lambda manager: manager.plan_forget(slugs))
            self._ask(say.forget_many.format(n=len(chosen)), [choice], say.forget_yes, say.forgotten)
            return
        voice = voice_of(self.app)
        question, consequences = notices.forget_question(chosen, snapshot.entries, voice)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change("Forgotten", lambda manager: manager.forget(*slugs))

        yes = words(self.speaks).forget_yes
        self.app.push_screen(ConfirmScreen(question, consequences, yes=yes), answered)

    def do_set_type(self) -> None:
        """Choose another type for what is marked, or for the memory one is on."""
        chosen = self.chosen
        if not chosen:
            return
        say, slugs = words(self.speaks), [entry.slug for entry in chosen]
        counts = Counter(entry.memory_type for entry in chosen)
        choices = [
            _choice(
                kind.value,
                _now(counts[kind], len(chosen), say),
                partial(_typing, slugs, kind),
            )
            for kind in MemoryType
        ]
        one = say.retype.format(name=label(chosen[0].name))
        question = say.retype_many.format(n=len(chosen)) if len(chosen) > 1 else one
        start = next((n for n, kind in enumerate(MemoryType) if not counts[kind]), 0)
        self._ask(question, choices, say.retype_yes, say.retyped, start=start)

    @property
    def to_merge(self) -> list[MemoryEntry]:
        """What is marked; else the memory one is on and the one that says the same, if there is one."""
        chosen, snapshot = self.chosen, self._snapshot
        if len(chosen) != 1 or snapshot is None:
            return chosen
        doubles = doubles_of(chosen[0].rel, snapshot.findings)
        return [*chosen, *(each for each in snapshot.entries if each.slug in doubles and each.is_active)]

    def do_merge(self) -> None:
        """Choose which of the marked memories, or of two that say the same, the others are merged into."""
        self.merge_these(self.to_merge)

    def merge_these(self, entries: Sequence[MemoryEntry]) -> None:
        """Choose which of several memories the others are merged into."""
        from memtui.tui.present.bulk import merged, newest_first  # noqa: PLC0415 – loaded when asked for, not at start

        chosen = newest_first(entries)
        if len(chosen) < 2:
            return
        say = words(self.speaks)
        choices, texts = [], []
        for number, entry in enumerate(chosen):
            text = merged(chosen, entry.slug)
            note = "" if number else say.result_newest
            title = say.result.format(slug=visible(entry.slug))
            choices.append(
                _choice(title, note, partial(_merging, [e.slug for e in chosen], text), text.content)
            )
            texts.append(text)

        def edit(number: int) -> None:
            gone = tuple(e.slug for e in chosen if e is not chosen[number])
            self.edit_merged(chosen[number], texts[number], gone)

        self._ask(say.merge.format(n=len(chosen)), choices, say.merge_yes, say.merged, edit=edit)

    def _ask(
        self,
        question: str,
        choices: Sequence[Choice],
        yes: str,
        done: str,
        *,
        start: int = 0,
        edit: Callable[[int], None] | None = None,
    ) -> None:
        from memtui.tui.screens.bulk import Agreed, BulkScreen  # noqa: PLC0415 – loaded when asked for, not at start

        def answered(agreed: Agreed | None) -> None:
            if agreed is None:
                return
            from memtui.memory.managing.plans import Plan  # noqa: PLC0415 – loaded behind the first paint

            plan = agreed.plan
            if isinstance(plan, Plan):
                self.change(done, lambda manager: manager.carry_out(plan))
            elif edit is not None:
                edit(agreed.choice)

        screen = BulkScreen(
            question, choices, yes=yes, lang=self.speaks, start=start, editable=edit is not None
        )
        self.app.push_screen(screen, answered)

    def do_still_true(self) -> None:
        """Bring the memory's date up to today."""
        entry = self.memory
        if entry is not None:
            slug = entry.slug
            self.change("Still true", lambda manager: manager.still_true(slug))


def _choice(title: str, note: str, plan: Callable[[MemoryManager], Plan], text: str = "") -> Choice:
    from memtui.tui.screens.bulk import Choice  # noqa: PLC0415 – loaded when asked for, not at start

    return Choice(title, note, plan, text)


def _now(count: int, of: int, say: BulkWords) -> str:
    if not count:
        return ""
    return say.type_is if of == 1 else say.type_now.format(n=count)


def _typing(slugs: Sequence[str], kind: MemoryType, manager: MemoryManager) -> Plan:
    return manager.plan_types(slugs, kind)


def _merging(slugs: Sequence[str], text: Merged, manager: MemoryManager) -> Plan:
    return manager.plan_merge(slugs, text.slug, text.name, text.description, text.type_text, text.content)
