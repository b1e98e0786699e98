"""Browse: the list, the memory under its cursor, and the reminder; everything else starts from here."""

from __future__ import annotations

from itertools import islice
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical

from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.memory.wording import saying
from memtui.tui import notices
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.facts import doubles_of, missing_things
from memtui.tui.messages import (
    ChangeDone,
    DraftsKnown,
    Failed,
    FirstPainted,
    LinkFollowed,
    RowOpened,
    SnapshotArrived,
    TeamKnown,
    Undoable,
    UsageKnown,
    UsageProgress,
)
from memtui.tui.present import parts
from memtui.tui.present.lines import Line
from memtui.tui.screens.base import ActionScreen
from memtui.tui.screens.changing import Changing
from memtui.tui.screens.copying import Copying
from memtui.tui.screens.doors import Doors
from memtui.tui.screens.following import Following
from memtui.tui.screens.memory_screen import MemoryScreen
from memtui.tui.screens.moving import Moving
from memtui.tui.screens.scoping import Scoping
from memtui.tui.screens.transferring import Transferring
from memtui.tui.setting import Setting
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import Bar, HintBar, Pane, PaneTitle
from memtui.tui.widgets.detail import DetailPane
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.list_header import ListHeader
from memtui.tui.widgets.memory_list import MemoryList
from memtui.tui.widgets.reminder import ReminderPane
from memtui.tui.wording import whole as said


class BrowseScreen(Doors, Scoping, Transferring, Changing, Copying, Following, Moving, MemoryScreen):
    """The memories of one directory."""

    PLACE = "browse"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("browse")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two"), (120, "-three")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "MemoryList"

    def __init__(self, setting: Setting, start: str = "") -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            start: slug of the memory to begin on.
        """
        super().__init__(setting)
        self._undoable = Undoable(None, None)
        self._wanted: tuple[str, ...] = (start,) if start else ()
        self._reading_use: int | None = None
        self._team_mark: Line = ()

    # --- layout ---

    def compose(self) -> ComposeResult:
        """Top line; list beside memory and reminder; gauges and keys."""
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="list-pane", classes="pane"):
                yield PaneTitle(id="list-title")
                yield FilterLine(id="filter")
                yield HintBar(id="hint")
                yield ListHeader(self._setting.lang, id="list-header")
                yield self._list
            with Vertical(id="right"):
                yield DetailPane(self._setting.lang, id="detail-pane", classes="pane")
                yield ReminderPane(id="reminder-pane", classes="pane")
        with Horizontal(id="bottom"):
            yield Bar(id="gauges")
            yield KeyBar("browse", id="keys")

    def on_mount(self) -> None:
        """Say that reading has begun, and begin when that stands on the screen."""
        self.call_after_refresh(self.post_message, FirstPainted())
        self._detail = self.query_one(DetailPane)
        self._reminder = self.query_one(ReminderPane)
        self.query_one("#hint").display = False
        self.show_list()
        self._show_frame()
        self.set_interval(300, self.show_list)  # scores and ages move on while nothing else does

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        entry, snapshot = self._list.cursor, self._snapshot
        return Situation(
            selected=entry is not None,
            active=entry is not None and entry.is_active,
            marked=len(self._marked),
            twin=snapshot is not None
            and entry is not None
            and entry.is_active
            and bool(doubles_of(entry.rel, snapshot.findings)),
            read_only=self._setting.read_only,
            missing=snapshot is not None and snapshot.missing,
            creatable=snapshot is not None and not snapshot.occupied,
            busy=self._busy,
            loading=snapshot is None,
            undo=self._undoable.undo,
            redo=self._undoable.redo,
            total=len(snapshot.entries) if snapshot else 0,
            away=bool(self._view.text or self._marked or self.moving_pane is not self._list),
            followed=bool(self._trail),
            drafts=self.unsaved_texts,
            others=self._setting.machine is not None,
            team=self._setting.team or any(each.scope == "team" for each in self.chosen),
        )

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed."""
        snapshot = message.snapshot
        if self._snapshot is not None and snapshot.generation < self._snapshot.generation:
            return
        told = self._snapshot.watch.message if self._snapshot else ""
        if snapshot.watch.message not in {"", told} and not snapshot.missing:
            self.say(
                visible(saying.said(snapshot.watch.message, self.speaks)),
                title=said.words(self.speaks).following,
            )
        self._snapshot = snapshot
        self.look_again()
        self.gather()
        self.show_list()
        self._show_frame()
        self._show_reminder()
        self._select_wanted()

    def on_usage_progress(self, message: UsageProgress) -> None:
        """The transcripts are being read."""
        self._reading_use = message.percent
        self._show_frame()

    def on_usage_known(self, message: UsageKnown) -> None:
        """It is known how memories were used."""
        if self._reading_use is not None:
            self._reading_use = None
            self._show_frame()
        self.look_again()
        self.take_use(message.report)

    def on_team_known(self, message: TeamKnown) -> None:
        """The sharing with the team stands otherwise."""
        from memtui.tui.present.team import team_mark  # noqa: PLC0415 – where a team shares only
        from memtui.tui.wording.team import words as team_words  # noqa: PLC0415 – as above

        super().on_team_known(message)
        mark = team_mark(message.status, team_words(self.speaks))
        if mark != self._team_mark:
            self._team_mark = mark
            self._show_frame()

    def on_undoable(self, message: Undoable) -> None:
        """Undo or redo would do something else now."""
        self._undoable = message
        self.show_keys()

    def on_drafts_known(self, message: DraftsKnown) -> None:
        """Text was typed and not saved: mark its memories, and say so at start."""
        drafts = message.found
        self.show_drafts(frozenset(each.base.draft.slug for each in drafts if each.base is not None))
        self.show_keys()
        if drafts and message.tell:
            from memtui.tui.present.edit import drafts_told  # noqa: PLC0415 – hardly ever needed

            title, text = drafts_told(drafts, self._setting.clock(), voice_of(self.app))
            self.notify(text, title=title, severity="warning", timeout=15, markup=False)

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk."""
        self._busy = False
        self._wanted = message.result.slugs
        self._mark(frozenset())
        self.app.clear_notifications()  # what the last change offered to take back is something else by now
        if message.verb:
            title, text = notices.change_text(message.result, message.verb, voice_of(self.app))
            self.say(text, title=title, severity="information")

    def on_failed(self, message: Failed) -> None:
        """Something was refused; say what, where and what to do."""
        self._busy = False
        self.show_keys()
        if any(
            isinstance(each, ActionScreen) and each.answers(message.error) for each in self.app.screen_stack
        ):
            return
        title, text = notices.error_text(message.error, self.speaks)
        self.say(text, title=title, severity="error")

    def on_descendant_focus(self) -> None:
        """What can be done, and what helps, depends on where one is."""
        self.watch_typing()
        self.show_keys()

    def action_do(self, action_id: str) -> None:
        """What every binding calls; a key that moved the cursor is done when its memory is shown."""
        super().action_do(action_id)
        self.follow_cursor()

    def on_row_opened(self, message: RowOpened) -> None:
        """Read the memory."""
        del message
        self.perform("open")

    def go_to(self, slug: str) -> bool:
        """Put the cursor on a memory, out of the filter if need be."""

        def wanted(entry: MemoryEntry) -> bool:
            return entry.slug == slug

        if self._list.select(wanted):
            return True
        if self._snapshot is None or not any(map(wanted, self._snapshot.entries)):
            return False
        self.query_one(FilterLine).value = ""
        self._view = self._view._replace(text="", history=self._view.history or not self._is_active(slug))
        self.show_list()
        return self._list.select(wanted)

    def _is_active(self, slug: str) -> bool:
        return (
            any(e.slug == slug and e.is_active for e in self._snapshot.entries) if self._snapshot else False
        )

    # --- drawing ---

    def _show_reminder(self) -> None:
        # Loaded with the memory system, behind the first paint.
        from memtui.memory.reminder import build_reminder, estimate_tokens, remindable  # noqa: PLC0415

        snapshot = self._snapshot
        if snapshot is None:
            return
        active, _ = self._catalogue.counts()
        recent = [*islice(filter(remindable, snapshot.entries), self._setting.entries)]
        broken = missing_things(snapshot.findings, recent)
        now, lang = self._setting.clock(), self._setting.lang
        text = build_reminder(recent, now=now, lang=lang, broken=broken, allowed=self.allowed)
        self._reminder.show(text, estimate_tokens(text), len(recent), active, self._setting.lang)

    def _show_frame(self) -> None:
        snapshot, setting = self._snapshot, self._setting
        active, _ = self._catalogue.counts()
        place = parts.short_path(setting.directory, setting.home)
        header, gauges = self.query_one("#header", Bar), self.query_one("#gauges", Bar)
        if snapshot is None:
            header.left = parts.header_left(("memtui", setting.title, place))
            return
        header.left = parts.header_left(("memtui", setting.title, snapshot.convention.name, place))
        header.right = parts.header_right(
            active,
            findings=len(snapshot.findings),
            pending=snapshot.findings_pending,
            inbox=snapshot.to_review,
            read_only=setting.read_only,
            off=bool(setting.off),
            reading=self._reading_use,
            team=self._team_mark,
            lang=setting.lang,
        )
        index = snapshot.index
        gauges.left = (
            ()
            if snapshot.missing
            else parts.index_gauges(
                index.lines,
                index.max_lines,
                index.size,
                index.max_size,
                cells=44,
                exists=index.exists,
                lang=setting.lang,
            )
        )

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        keys = self.query_one(KeyBar)
        typing = self.query_one(FilterLine).has_focus
        keys.situation = self.situation
        keys.place = "filter" if typing else "browse"

    def _select_wanted(self) -> None:
        """Put the cursor on the memory that a change has brought (back); where the filter hides it, say so."""
        for slug in self._wanted:
            if self._list.select(lambda entry, slug=slug: entry.slug == slug and entry.is_active):  # type: ignore[misc]
                if not (self._view.text and self._snapshot is not None and self._snapshot.findings_pending):
                    self._wanted = ()  # else what is found now may take it out of the filter
                return
        entries = self._snapshot.entries if self._snapshot is not None else ()
        there = [e for slug in self._wanted for e in entries if e.slug == slug and e.is_active]
        if there and self._view.text:
            self._wanted = ()
            self._list.wait_for(there[0])
            self.tell_hidden(there[0])

    # --- actions: moving ---

    @property
    def moving_pane(self) -> MemoryList | DetailPane | ReminderPane:
        """The pane with the focus; the list while none has it."""
        if self._detail.has_focus_within:
            return self._detail
        return self._reminder if self._reminder.has_focus_within else self._list

    # --- actions: looking ---

    def do_open(self) -> None:
        """Read the memory; on a link, follow it. Where the text stands beside the list, there; else whole."""
        reading = self._detail.has_focus_within
        if reading and self._detail.link is not None:
            self.post_message(LinkFollowed(self._detail.link))
        elif reading or self.has_class("-narrow") or self.has_class("-short"):
            self.do_detail_full()
        else:
            self._detail.focus_text()

    def do_detail_full(self) -> None:
        """The memory on a screen of its own; coming back, the cursor is on what was read last."""
        from memtui.tui.screens.detail import DetailScreen  # noqa: PLC0415 – loaded when asked for, not at start

        entry = self.memory
        if entry is not None and self._snapshot is not None:
            self.app.push_screen(
                DetailScreen(
                    self._setting,
                    self._snapshot,
                    entry,
                    undoable=self._undoable,
                    rows=lambda: self._list.rows,
                    seen=self._seen,
                )
            )

    def _seen(self, entry: MemoryEntry) -> None:
        if self._list.cursor is not entry:
            self._list.select(lambda known: known.rel == entry.rel)

    def do_back(self) -> None:
        """One step back: out of the text, then out of the filter, then no marks."""
        if self.moving_pane is not self._list:
            self._list.focus()
            self.show_keys()
        elif self._view.text:
            self.query_one(FilterLine).value = ""
        elif self._marked:
            self._mark(frozenset())

    def do_preview(self) -> None:
        """Show or hide the reminder."""
        shown = self._reminder.display and bool(self._reminder.size)
        self.set_class(not shown, "-preview")
        self.set_class(shown, "-no-preview")

    def do_quit(self) -> None:
        """Leave."""
        self.app.exit()
