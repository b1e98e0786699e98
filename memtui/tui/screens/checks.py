"""Checks: everything that was found, worst first, with its place, its reason, and its fix as a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.worker import get_current_worker

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry
from memtui.tui import present, present_checks
from memtui.tui.actions import Situation, bindings_for
from memtui.tui.messages import (
    ChangeDone,
    ChangeWanted,
    Failed,
    FilterLeft,
    FilterTyped,
    SnapshotArrived,
    Undoable,
)
from memtui.tui.present_checks import FindingQuery, Planned
from memtui.tui.screens.base import ActionScreen
from memtui.tui.screens.moving import Movable, Moving
from memtui.tui.screens.undoing import Undoing
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.checks_list import ChecksList, FindingMoved, FindingOpened
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.checks import words

if TYPE_CHECKING:
    from memtui.memory.findings import Finding
    from memtui.memory.manager import MemoryManager
    from memtui.memory.results import ChangeResult
    from memtui.store import Snapshot

FILTER_NOTE = "words  rule: severity: is:fixable  - for not"


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


class ChecksScreen(Moving, Undoing):
    """The findings of a directory; gives the slug of the memory to go to, or None."""

    PLACE = "checks"
    DEFAULT_CSS = """
    ChecksScreen { background: $background; }
    ChecksScreen #findings-pane { width: 50%; }
    ChecksScreen #finding-pane { width: 1fr; }
    ChecksScreen.-narrow #body { layout: vertical; }
    ChecksScreen.-narrow #findings-pane { width: 100%; height: 1fr; }
    ChecksScreen.-narrow #finding-pane { width: 100%; height: 1fr; }
    ChecksScreen.-short #finding-pane { display: none; }
    ChecksScreen.-short.-reading #finding-pane { display: block; }
    ChecksScreen.-short.-reading #findings-pane { display: none; }
    ChecksScreen ChecksList { padding: 0; }
    ChecksScreen LineView {
        scrollbar-background: $background; scrollbar-background-hover: $background; scrollbar-background-active: $background;
        scrollbar-color: $foreground 20%; scrollbar-color-hover: $foreground 35%; scrollbar-color-active: $primary;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("checks")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "ChecksList"

    def __init__(self, setting: Setting, snapshot: Snapshot, about: str | None = None) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
            about: path of the memory one came from, for "only this file" until the cursor moves.
        """
        super().__init__()
        self._setting = setting
        self._snapshot = snapshot
        self._about = about
        self._narrowed = False
        self._query = FindingQuery()
        self._plans: dict[int, Planned] = {}
        self._planning: Finding | None = None
        self._undoable = Undoable(None, None)
        self._busy = False

    def compose(self) -> ComposeResult:
        """Top line; the findings beside the one under the cursor; keys."""
        lang = self._setting.lang
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="findings-pane", classes="pane"):
                yield PaneTitle(id="findings-title")
                yield FilterLine(id="filter")
                yield ChecksList(lang, id="findings")
            with Pane(id="finding-pane", classes="pane"):
                yield PaneTitle(id="finding-title")
                yield TextView(id="finding-text")
        with Horizontal(id="bottom"):
            yield KeyBar("checks", id="keys")

    def on_mount(self) -> None:
        """Fill everything in; the cursor starts on the worst."""
        manager = self._manager
        if manager is not None:
            undo, redo = manager.undoable(), manager.redoable()
            self._undoable = Undoable(undo.label if undo else None, redo.label if redo else None)
        self._show()
        self._show_finding()

    @property
    def _list(self) -> ChecksList:
        return self.query_one(ChecksList)

    @property
    def _manager(self) -> MemoryManager | None:
        manager: MemoryManager | None = getattr(self.app, "manager", None)
        return manager

    @property
    def speaks(self) -> Lang:
        """Language of the screen."""
        return self._setting.lang

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        finding = self._list.cursor
        return Situation(
            selected=finding is not None and finding.slug is not None,
            active=True,
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            busy=self._busy,
            undo=self._undoable.undo,
            redo=self._undoable.redo,
            total=len(self._snapshot.entries),
            away=True,
            finding=finding is not None,
            fixable=finding is not None and finding.fix is not None,
        )

    @property
    def moving_pane(self) -> Movable:
        """The text where it has the focus, else the list."""
        text = self.query_one(TextView)
        return text if text.has_focus else self._list

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; what fixes would write has to be worked out anew."""
        if message.snapshot.generation <= self._snapshot.generation:
            return
        self._snapshot = message.snapshot
        self._forget_plans()
        self._show()
        self._show_finding()

    def on_undoable(self, message: Undoable) -> None:
        """Undo or redo would do something else now."""
        self._undoable = message
        self._show_keys()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk; the list follows with the next snapshot."""
        del message
        self._busy = False
        self._show_keys()

    def on_failed(self, message: Failed) -> None:
        """A change was refused; the first screen says why, and the next try sees what is there now."""
        del message
        self._busy = False
        self._forget_plans()
        self._show_finding()
        self._show_keys()

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Narrow the list."""
        self._query = present_checks.parse(message.text)
        self._show()

    def on_filter_left(self, message: FilterLeft) -> None:
        """Back to the list."""
        if message.clear:
            self.query_one(FilterLine).value = ""
        self._list.focus()

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self._show_keys()

    def action_do(self, action_id: str) -> None:
        """What every binding calls; what belongs to the filter is told to it."""
        if action_id in {"keep_filter", "clear_filter"}:
            self.post_message(FilterLeft(clear=action_id == "clear_filter"))
        else:
            super().action_do(action_id)

    @on(FindingMoved)
    def _moved(self, message: FindingMoved) -> None:
        finding = self._list.cursor
        if message.by_hand and finding is not None and not self._narrowed:
            self._about = finding.path
        self._show_finding()
        self._show_keys()

    @on(FindingOpened)
    def _opened(self) -> None:
        self.perform("go_to_memory")

    # --- drawing ---

    def _show(self) -> None:
        snapshot, setting = self._snapshot, self._setting
        about = self._about if self._narrowed else None
        rows = present_checks.rows(snapshot.findings, self._query, about, setting.lang)
        manager = self._manager
        project = manager is not None and manager.project_root is not None
        empty = present_checks.empty_lines(snapshot, self._query, about, setting.lang, project=project)
        self._list.show(rows, empty)
        shown = sum(not isinstance(row, present_checks.Heading) for row in rows)
        self.query_one("#findings-title", PaneTitle).show(
            *present_checks.list_title(
                shown,
                len(snapshot.findings),
                about,
                pending=snapshot.findings_pending,
                lang=setting.lang,
            )
        )
        place = present.short_path(setting.directory, setting.home)
        header = self.query_one("#header", Bar)
        header.left = present.header_left(("memtui", setting.title, snapshot.convention.name, place))
        header.right = present.header_right(
            sum(entry.is_active for entry in snapshot.entries),
            findings=len(snapshot.findings),
            pending=snapshot.findings_pending,
            inbox=snapshot.inbox_count,
            read_only=setting.read_only,
            lang=setting.lang,
        )
        self._show_keys()

    def _entry(self, finding: Finding) -> MemoryEntry | None:
        return next((entry for entry in self._snapshot.entries if entry.rel == finding.path), None)

    def _show_finding(self) -> None:
        finding, title, text = (
            self._list.cursor,
            self.query_one("#finding-title", PaneTitle),
            self.query_one(TextView),
        )
        if finding is None:
            title.show("")
            text.show((), key=None)
            return
        planned = None
        if finding.fix is not None:
            planned = self._plans.get(id(finding), Planned())
            if planned.edits is None and not planned.problem and self._planning is not finding:
                self._planning = finding
                self._plan((finding,), ask=False)
        title.show(words(self._setting.lang).finding, visible(present_checks.place_text(finding)))
        blocks = present_checks.detail_blocks(
            finding,
            self._entry(finding),
            self._snapshot.index_text,
            planned,
            self._setting.lang,
            signs=self.app.no_color,
        )
        text.show(blocks, key=id(finding))

    def _show_keys(self) -> None:
        keys = self.query_one(KeyBar)
        typing = self.query_one(FilterLine).has_focus
        keys.situation = self.situation
        keys.place = "filter" if typing else "checks"
        keys.note = FILTER_NOTE if typing else ""

    # --- working fixes out, in a thread ---

    def _forget_plans(self) -> None:
        self._plans.clear()
        self._planning = None

    def _plan(self, findings: tuple[Finding, ...], *, ask: bool) -> None:
        manager = self._manager
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
            planned = Planned(problem=visible(str(error)))
        except OSError as error:
            planned = Planned(problem=visible(error.strerror or str(error)))
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
            if self._list.cursor is finding:
                self._show_finding()
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

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(say.fixed, lambda manager: manager.apply_all(fixes, shown=planned.edits))

        self.app.push_screen(FixScreen(question, planned.rows, self._setting.lang), answered)

    def change(self, verb: str, do: Callable[[MemoryManager], ChangeResult]) -> None:
        """Have a change made."""
        self._busy = True
        self._show_keys()
        self.post_message(ChangeWanted(verb, do))

    # --- actions ---

    def do_fix(self) -> None:
        """Show what would change, then mend this finding."""
        finding = self._list.cursor
        if finding is not None:
            self._plan((finding,), ask=True)

    def do_fix_all(self) -> None:
        """Show what would change, then mend all of this rule."""
        self._plan(tuple(self._alike()), ask=True)

    def _alike(self) -> Sequence[Finding]:
        finding = self._list.cursor
        if finding is None:
            return ()
        listed = (row for row in self._list.rows if not isinstance(row, present_checks.Heading))
        return [each for each in listed if each.rule == finding.rule and each.fix is not None]

    def do_go_to_memory(self) -> None:
        """To the memory; of the index, to what of it loads."""
        finding = self._list.cursor
        if finding is None:
            return
        if finding.slug is not None:
            self.dismiss(finding.slug)
            return
        from memtui.tui.screens.preview import PreviewScreen  # noqa: PLC0415 – loaded when asked for, not at start

        if finding.path == INDEX_NAME:
            self.app.push_screen(PreviewScreen(self._setting, self._snapshot, "index"))

    def do_edit_there(self) -> None:
        """To the memory, and into the editor."""
        finding, below = self._list.cursor, self.app.screen_stack[-2]
        if finding is not None and finding.slug is not None and isinstance(below, ActionScreen):
            self.dismiss(finding.slug)
            below.call_after_refresh(below.perform, "edit")

    def do_this_file(self) -> None:
        """Only what was found about this file, or everything again."""
        if self._about is not None:
            self._narrowed = not self._narrowed
            self._show()
            self._show_finding()

    def do_filter_findings(self) -> None:
        """Type a filter."""
        self.query_one(FilterLine).focus()

    def do_back_from_checks(self) -> None:
        """Out of the text, then out of the filter, then out of the checks."""
        if self.query_one(TextView).has_focus:
            self._list.focus()
        elif not self._query.is_empty:
            self.query_one(FilterLine).value = ""
        elif self._narrowed:
            self.do_this_file()
        else:
            self.dismiss(None)

    def do_close_checks(self) -> None:
        """Back to the memories."""
        self.dismiss(None)
