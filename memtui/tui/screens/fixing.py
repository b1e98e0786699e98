"""The fixes of findings: worked out in a thread, shown as a difference, and made when agreed to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.worker import get_current_worker

from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.wording.saying import system_said
from memtui.tui.messages import ChangeWanted
from memtui.tui.present import checks as present_checks
from memtui.tui.present.checks import Planned
from memtui.tui.screens.undoing import Undoing
from memtui.tui.setting import Setting
from memtui.tui.widgets.checks_list import ChecksList
from memtui.tui.wording.checks import words

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult


@dataclass
class FixPlanned(Message):
    """What fixes would write, from a thread.

    Attributes:
        findings: whose fixes.
        planned: the edits with their difference, or why there are none.
        ask: whether somebody wants to make the change.
    """

    findings: tuple[Finding, ...]
    planned: Planned
    ask: bool


class Fixing(Undoing):
    """Mixed into the screen with the findings."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self._setting = setting
        self._plans: dict[int, Planned] = {}
        self._planning: Finding | None = None
        self._busy = False

    @property
    def speaks(self) -> Lang:
        """Language of the screen."""
        return self._setting.lang

    @property
    def findings(self) -> ChecksList:
        """The list."""
        return self.query_one(ChecksList)

    @property
    def manager(self) -> MemoryManager | None:
        """What makes the changes; None before the directory was read."""
        manager: MemoryManager | None = getattr(self.app, "manager", None)
        return manager

    def show_finding(self) -> None:
        """Bring up to date what stands about the finding under the cursor."""
        raise NotImplementedError

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        raise NotImplementedError

    # --- working them out ---

    def plan_of(self, finding: Finding) -> Planned | None:
        """What the fix of a finding would write, as far as it is known; a thread goes on with it."""
        if finding.fix is None:
            return None
        planned = self._plans.get(id(finding), Planned())
        if planned.edits is None and not planned.problem and self._planning is not finding:
            self._planning = finding
            self._plan((finding,), ask=False)
        return planned

    def forget_plans(self) -> None:
        """What fixes would write has to be worked out anew."""
        self._plans.clear()
        self._planning = None

    def _plan(self, findings: tuple[Finding, ...], *, ask: bool) -> None:
        manager = self.manager
        if manager is None:
            return
        self.run_worker(
            partial(self._work_out, findings, manager, ask=ask),
            thread=True,
            group="ask" if ask else "plan",
            exclusive=True,
        )

    def _work_out(self, findings: tuple[Finding, ...], manager: MemoryManager, *, ask: bool) -> None:
        worker, lang = get_current_worker(), self._setting.lang
        try:
            edits = manager.planned([finding.fix for finding in findings if finding.fix is not None])
        except MemtuiError as error:
            planned = Planned(problem=visible(error.said(lang)))
        except OSError as error:
            planned = Planned(problem=visible(system_said(error).said(lang)))
        else:
            if worker.is_cancelled:
                return
            planned = Planned(edits, "", present_checks.diff_rows(edits, lang))
        if not worker.is_cancelled:
            self.post_message(FixPlanned(findings, planned, ask))

    @on(FixPlanned)
    def _planned(self, message: FixPlanned) -> None:
        planned = message.planned
        if not message.ask:
            (finding,) = message.findings
            if self._planning is not finding:
                return  # it was worked out on a directory that is another one by now
            self._planning = None
            self._plans[id(finding)] = planned
            if self.findings.cursor is finding:
                self.show_finding()
            return
        say = words(self._setting.lang)
        if planned.problem:
            self.say(say.no_plan.format(problem=planned.problem), severity="error")
        elif not planned.edits:
            self.say(say.nothing_to_do)
        else:
            self._ask(message.findings, planned)

    def _ask(self, findings: tuple[Finding, ...], planned: Planned) -> None:
        from memtui.tui.screens.fix import FixScreen  # noqa: PLC0415 – loaded when asked for, not at start

        say = words(self._setting.lang)
        fixes = [finding.fix for finding in findings if finding.fix is not None]
        one = say.fix_question if len(fixes) == 1 else say.fix_all_question
        question = one.format(label=visible(fixes[0].label), count=len(fixes))

        summary = "\n".join(self._sentences(findings, planned))

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(say.fixed, lambda manager: manager.apply_all(fixes, shown=planned.edits))

        self.app.push_screen(FixScreen(question, planned.rows, self._setting.lang, summary=summary), answered)

    def _sentences(self, findings: tuple[Finding, ...], planned: Planned) -> tuple[str, ...]:
        from memtui.memory.index.tally import fix_sentences  # noqa: PLC0415 – loaded when asked for, not at start

        manager, edits = self.manager, planned.edits
        if manager is None or not edits:
            return ()
        rule, lang = findings[0].rule, self._setting.lang
        rest = (
            sum(each.rule == rule and each.fix is None for each in self._listed()) if len(findings) > 1 else 0
        )
        return fix_sentences(rule, edits, manager.directory.convention.unit, lang, rest=rest)

    def change(self, verb: str, do: Callable[[MemoryManager], ChangeResult]) -> None:
        """Have a change made."""
        self._busy = True
        self.show_keys()
        self.post_message(ChangeWanted(verb, do))

    # --- actions ---

    def do_fix(self) -> None:
        """Show what would change, then mend this finding."""
        finding = self.findings.cursor
        if finding is not None:
            self._plan((finding,), ask=True)

    def do_fix_all(self) -> None:
        """Show what would change, then mend all of this rule."""
        self._plan(tuple(self._alike()), ask=True)

    def _alike(self) -> Sequence[Finding]:
        finding = self.findings.cursor
        if finding is None:
            return ()
        return [each for each in self._listed() if each.rule == finding.rule and each.fix is not None]

    def _listed(self) -> Iterator[Finding]:
        return (row for row in self.findings.rows if not isinstance(row, present_checks.Heading))
