"""From one's own memories to the team's, and back: what is marked, or the memory one is on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.tui.messages import TeamKnown
from memtui.tui.present.parts import label
from memtui.tui.screens.memory_screen import MemoryScreen

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.scope_change import ScopePlan, ScopeVerb
    from memtui.memory.types import Scope
    from memtui.tui.screens.bulk import Agreed, Choice
    from memtui.tui.wording.scope import ScopeWords


class Scoping(MemoryScreen):
    """Mixed into the screens on which memories are changed."""

    def on_team_known(self, message: TeamKnown) -> None:
        """Once the directory is shared, memories may be the team's, whoever set that up and when."""
        if message.status.configured and not self.setting.team:
            self._setting = self.setting._replace(team=True)
            self.show_keys()

    def do_change_scope(self) -> None:
        """Show what moving or copying to the other scope would do, and ask."""
        from memtui.tui.screens.bulk import BulkScreen  # noqa: PLC0415 – loaded when asked for, not at start
        from memtui.tui.wording.scope import words  # noqa: PLC0415

        say, chosen = words(self.speaks), self.chosen
        if not chosen:
            return
        scopes = {entry.scope for entry in chosen}
        ways: list[tuple[ScopeVerb, Scope]] = []
        if "private" in scopes and self.setting.team:
            ways += [("move", "team"), ("copy", "team")]
        if "team" in scopes:
            ways += [("move", "private"), ("copy", "private")]
        slugs = tuple(entry.slug for entry in chosen)
        choices = [_way(slugs, verb, scope, say) for verb, scope in ways]
        question = say.question_many.format(count=len(chosen))
        if len(chosen) == 1:
            question = say.question_one.format(name=label(chosen[0].name))

        def answered(agreed: Agreed | None) -> None:
            if agreed is not None:
                self._crossed(agreed, say)

        self.app.push_screen(BulkScreen(question, choices, yes=say.yes, lang=self.speaks), answered)

    def _crossed(self, agreed: Agreed, say: ScopeWords) -> None:
        from memtui.memory.managing.scope_change import ScopePlan  # noqa: PLC0415 – as above

        found = agreed.plan
        if isinstance(found, ScopePlan):
            self.change(say.done, lambda manager: manager.carry_out(found.plan))


def _way(slugs: tuple[str, ...], verb: ScopeVerb, scope: Scope, say: ScopeWords) -> Choice:
    from memtui.tui.screens.bulk import Choice  # noqa: PLC0415 – as above

    title, note = {
        ("move", "team"): (say.to_team, say.to_team_note),
        ("copy", "team"): (say.copy_to_team, say.copy_note),
        ("move", "private"): (say.to_own, say.to_own_note),
        ("copy", "private"): (say.copy_to_own, say.copy_note),
    }[verb, scope]
    return Choice(title, note, partial(_plan, slugs, verb, scope))


def _plan(slugs: tuple[str, ...], verb: ScopeVerb, scope: Scope, manager: MemoryManager) -> ScopePlan:
    """What it would do; runs in a thread."""
    return manager.plan_scope(slugs, scope, verb=verb)
