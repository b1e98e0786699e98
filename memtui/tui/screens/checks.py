"""Checks: everything that was found, worst first, with its place, its reason, and its fix as a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.messages import (
    ChangeDone,
    Failed,
    FilterTyped,
    SnapshotArrived,
    Undoable,
)
from memtui.tui.present import checks as present_checks
from memtui.tui.present import parts
from memtui.tui.present.checks import FindingQuery
from memtui.tui.screens.changing import Changing
from memtui.tui.screens.edit_doors import EditDoors
from memtui.tui.screens.filtered import Filtered
from memtui.tui.screens.fixing import Fixing
from memtui.tui.screens.moving import Movable, Moving
from memtui.tui.setting import Setting
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.checks_list import ChecksList, FindingMoved, FindingOpened
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.checks import words

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding
    from memtui.store import Snapshot

FILTER_NOTE = "words  rule: severity: is:fixable  - for not"


class ChecksScreen(Moving, Fixing, Filtered[Any]):
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
        super().__init__(setting)
        self._snapshot = snapshot
        self._about = about
        self._narrowed = False
        self._query = FindingQuery()
        self._undoable = Undoable(None, None)

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
        manager = self.manager
        if manager is not None:
            undo, redo = manager.undoable(), manager.redoable()
            self._undoable = Undoable(undo.label if undo else None, redo.label if redo else None)
        self._show()
        self.show_finding()

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        finding = self.findings.cursor
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
            fixable_alike=bool(self._alike()),
            twin=finding is not None and bool(finding.double),
        )

    @property
    def moving_pane(self) -> Movable:
        """The text where it has the focus, else the list."""
        text = self.query_one(TextView)
        return text if text.has_focus else self.findings

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; what fixes would write has to be worked out anew."""
        if message.snapshot.generation <= self._snapshot.generation:
            return
        self._snapshot = message.snapshot
        self.forget_plans()
        self._show()
        self.show_finding()

    def on_undoable(self, message: Undoable) -> None:
        """Undo or redo would do something else now."""
        self._undoable = message
        self.show_keys()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk; the list follows with the next snapshot."""
        del message
        self._busy = False
        self.show_keys()

    def on_failed(self, message: Failed) -> None:
        """A change was refused; the first screen says why, and the next try sees what is there now."""
        del message
        self._busy = False
        self.forget_plans()
        self.show_finding()
        self.show_keys()

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Narrow the list."""
        self._query = present_checks.parse(message.text)
        self._show()

    @property
    def narrowed(self) -> ChecksList:
        """The findings."""
        return self.findings

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self.show_keys()

    @on(FindingMoved)
    def _moved(self, message: FindingMoved) -> None:
        finding = self.findings.cursor
        if message.by_hand and finding is not None and not self._narrowed:
            self._about = finding.path
        self.show_finding()
        self.show_keys()

    @on(FindingOpened)
    def _opened(self) -> None:
        self.perform("go_to_memory")

    # --- drawing ---

    def _show(self) -> None:
        snapshot, setting = self._snapshot, self._setting
        about = self._about if self._narrowed else None
        rows = present_checks.rows(snapshot.findings, self._query, about, setting.lang)
        manager = self.manager
        project = manager is not None and manager.project_root is not None
        empty = present_checks.empty_lines(snapshot, self._query, about, setting.lang, project=project)
        self.findings.show(rows, empty)
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
        place = parts.short_path(setting.directory, setting.home)
        header = self.query_one("#header", Bar)
        header.left = parts.header_left(("memtui", setting.title, snapshot.convention.name, place))
        header.right = parts.header_right(
            sum(entry.is_active for entry in snapshot.entries),
            findings=len(snapshot.findings),
            pending=snapshot.findings_pending,
            inbox=snapshot.to_review,
            read_only=setting.read_only,
            lang=setting.lang,
        )
        self.show_keys()

    def _entry(self, finding: Finding) -> MemoryEntry | None:
        return next((entry for entry in self._snapshot.entries if entry.rel == finding.path), None)

    def show_finding(self) -> None:
        """Show the finding under the cursor: its place, its reason and what its fix would write."""
        finding, title, text = (
            self.findings.cursor,
            self.query_one("#finding-title", PaneTitle),
            self.query_one(TextView),
        )
        if finding is None:
            title.show("")
            text.show((), key=None)
            return
        title.show(words(self._setting.lang).finding, visible(present_checks.place_text(finding)))
        blocks = present_checks.detail_blocks(
            finding,
            self._entry(finding),
            self._snapshot.index_text,
            self.plan_of(finding),
            self._setting.lang,
            signs=self.app.no_color,
            voice=voice_of(self.app),
        )
        text.show(blocks, key=id(finding))

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        keys = self.query_one(KeyBar)
        typing = self.query_one(FilterLine).has_focus
        keys.situation = self.situation
        keys.place = "filter" if typing else "checks"
        keys.note = FILTER_NOTE if typing else ""

    # --- actions ---
    def do_go_to_memory(self) -> None:
        """To the memory; of the index, to what of it loads."""
        finding = self.findings.cursor
        if finding is None:
            return
        if finding.slug is not None:
            self.dismiss(finding.slug)
            return
        from memtui.tui.screens.preview import PreviewScreen  # noqa: PLC0415 – loaded when asked for, not at start

        if finding.path == INDEX_NAME:
            self.app.push_screen(PreviewScreen(self._setting, self._snapshot, "index"))

    def do_edit_there(self) -> None:
        """To the memory, and into the editor, where the finding stands."""
        finding, below = self.findings.cursor, self.app.screen_stack[-2]
        if finding is None or finding.slug is None or not isinstance(below, EditDoors):
            return
        entry = self._entry(finding)
        self.dismiss(finding.slug)
        if entry is None:
            below.call_after_refresh(below.perform, "edit")
        elif entry.is_active:
            below.call_after_refresh(below.edit_at, entry, present_checks.place_in_content(finding, entry))
        else:
            below.call_after_refresh(below.perform, "edit")  # which says why an old version cannot be edited

    def do_merge_doubles(self) -> None:
        """To the memory, and into the question what becomes of it and its double."""
        finding, below = self.findings.cursor, self.app.screen_stack[-2]
        if finding is None or not finding.double or not isinstance(below, Changing):
            return
        pair = {finding.slug, finding.double}
        both = [entry for entry in self._snapshot.entries if entry.slug in pair and entry.is_active]
        self.dismiss(finding.slug)
        below.call_after_refresh(below.merge_these, both)

    def do_this_file(self) -> None:
        """Only what was found about this file, or everything again."""
        if self._about is not None:
            self._narrowed = not self._narrowed
            self._show()
            self.show_finding()

    def do_filter_findings(self) -> None:
        """Type a filter."""
        self.type_filter()

    def do_back_from_checks(self) -> None:
        """Out of the text, then out of the filter, then out of the checks."""
        if self.query_one(TextView).has_focus:
            self.findings.focus()
        elif not self._query.is_empty:
            self.query_one(FilterLine).value = ""
        elif self._narrowed:
            self.do_this_file()
        else:
            self.dismiss(None)

    def do_close_checks(self) -> None:
        """Back to the memories."""
        self.dismiss(None)
