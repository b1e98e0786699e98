"""Browse: the list, the memory under its cursor, and the reminder; everything else starts from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui import notices, present
from memtui.tui.actions import Situation, bindings_for
from memtui.tui.facts import Facts, gather, missing_things
from memtui.tui.filtering import SORTS, Catalogue, View, parse_query
from memtui.tui.messages import (
    ChangeDone,
    ClaimsChecked,
    ClaimsWanted,
    CursorMoved,
    Failed,
    FilterLeft,
    FilterTyped,
    FirstPainted,
    LinkFollowed,
    RowOpened,
    SnapshotArrived,
    Undoable,
)
from memtui.tui.screens.changing import Changing
from memtui.tui.screens.doors import Doors
from memtui.tui.screens.memory_screen import MemoryScreen
from memtui.tui.screens.moving import Moving
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.detail import DetailPane
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.memory_list import MemoryList
from memtui.tui.widgets.reminder import ReminderPane


CLAIMS_AFTER = 0.15
"""Seconds the cursor rests before what the memory names is looked up."""
FILTER_NOTE = "words  type: tier: is: scope:  - for not"


class BrowseScreen(Doors, Changing, Moving, MemoryScreen):
    """The memories of one directory."""

    PLACE = "browse"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("browse")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two"), (120, "-three")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "MemoryList"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._catalogue = Catalogue()
        self._facts: Mapping[str, Facts] = {}
        self._view = View()
        self._marked: frozenset[str] = frozenset()
        self._undoable = Undoable(None, None)
        self._wanted: tuple[str, ...] = ()
        self._claims: ClaimsChecked | None = None
        self._asked: MemoryEntry | None = None
        self._pause: Timer | None = None

    # --- layout ---

    def compose(self) -> ComposeResult:
        """Top line; list beside memory and reminder; gauges and keys."""
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="list-pane", classes="pane"):
                yield PaneTitle(id="list-title")
                yield FilterLine(id="filter")
                yield MemoryList(id="list")
            with Vertical(id="right"):
                yield DetailPane(self._setting.lang, id="detail-pane", classes="pane")
                yield ReminderPane(id="reminder-pane", classes="pane")
        with Horizontal(id="bottom"):
            yield Bar(id="gauges")
            yield KeyBar("browse", id="keys")

    def on_mount(self) -> None:
        """Say that reading has begun, and begin when that stands on the screen."""
        self.call_after_refresh(self.post_message, FirstPainted())
        self._list = self.query_one(MemoryList)
        self._detail = self.query_one(DetailPane)
        self._reminder = self.query_one(ReminderPane)
        self._show()
        self._show_frame()
        self.set_interval(300, self._show)  # scores and ages move on while nothing else does

    @property
    def memory(self) -> MemoryEntry | None:
        """What the cursor is on."""
        return self._list.cursor

    @property
    def chosen(self) -> list[MemoryEntry]:
        """What is marked and in force, else what the cursor is on."""
        if self._marked and self._snapshot is not None:
            return [e for e in self._snapshot.entries if e.rel in self._marked and e.is_active]
        return super().chosen

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        entry, snapshot = self._list.cursor, self._snapshot
        return Situation(
            selected=entry is not None,
            active=entry is not None and entry.is_active,
            marked=len(self._marked),
            read_only=self._setting.read_only,
            missing=snapshot is not None and snapshot.missing,
            busy=self._busy,
            loading=snapshot is None,
            undo=self._undoable.undo,
            redo=self._undoable.redo,
            total=len(snapshot.entries) if snapshot else 0,
            away=bool(
                self._view.text
                or self._marked
                or self.moving_pane is not self._list
                or self.has_class("-reading")
            ),
        )

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed."""
        snapshot = message.snapshot
        if self._snapshot is not None and snapshot.generation < self._snapshot.generation:
            return
        told = self._snapshot.watch.message if self._snapshot else ""
        if snapshot.watch.message not in {"", told} and not snapshot.missing:
            self.say(visible(snapshot.watch.message), title="Following the directory")
        self._snapshot = snapshot
        self._marked &= {entry.rel for entry in snapshot.entries} if self._marked else frozenset()
        self._gather()
        self._show()
        self._show_frame()
        self._show_reminder()
        self._select_wanted()

    def on_undoable(self, message: Undoable) -> None:
        """Undo or redo would do something else now."""
        self._undoable = message
        self.show_keys()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk."""
        self._busy = False
        self._marked = frozenset()
        self._gather()
        self._wanted = message.result.slugs
        self._show()
        title, text = notices.change_text(message.result, message.verb)
        self.say(text, title=title, severity="information")

    def on_failed(self, message: Failed) -> None:
        """Something was refused; say what, where and what to do."""
        self._busy = False
        self.show_keys()
        title, text = notices.error_text(message.error)
        self.say(text, title=title, severity="error")

    def on_cursor_moved(self, message: CursorMoved) -> None:
        """Show the memory the cursor is on now."""
        del message  # the list knows better: the cursor may have moved on
        self._show_detail()
        self.show_keys()

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self.show_keys()

    def action_do(self, action_id: str) -> None:
        """What every binding calls; what belongs to the filter is told to it."""
        if action_id in {"keep_filter", "clear_filter"}:
            self.post_message(FilterLeft(clear=action_id == "clear_filter"))
        else:
            super().action_do(action_id)

    def on_row_opened(self, message: RowOpened) -> None:
        """Read the memory."""
        del message
        self.perform("open")

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Narrow the list."""
        self._view = replace(self._view, text=message.text)
        self._show()

    def on_filter_left(self, message: FilterLeft) -> None:
        """Back to the list."""
        if message.clear:
            self.query_one(FilterLine).value = ""
        self._list.focus()

    def on_link_followed(self, message: LinkFollowed) -> None:
        """Go to the memory a link means."""
        from memtui.memory.links import LinkResolver  # noqa: PLC0415 – loaded behind the first paint

        snapshot = self._snapshot
        slug = LinkResolver(snapshot.entries).resolve(message.target) if snapshot else None
        slug = slug or message.target
        if not self.go_to(slug):
            self.say(f"{present.label(message.target)} points to no memory yet")

    def go_to(self, slug: str) -> bool:
        """Put the cursor on a memory, out of the filter if need be."""

        def wanted(entry: MemoryEntry) -> bool:
            return entry.slug == slug

        if self._list.select(wanted):
            return True
        if self._snapshot is None or not any(map(wanted, self._snapshot.entries)):
            return False
        self.query_one(FilterLine).value = ""
        self._view = replace(self._view, text="", history=self._view.history or not self._is_active(slug))
        self._show()
        return self._list.select(wanted)

    def _is_active(self, slug: str) -> bool:
        return (
            any(e.slug == slug and e.is_active for e in self._snapshot.entries) if self._snapshot else False
        )

    # --- drawing ---

    def _gather(self) -> None:
        if self._snapshot is not None:
            self._facts = gather(self._snapshot.findings, self._snapshot.entries, self._marked)
            flags = {rel: facts.flags for rel, facts in self._facts.items()}
            self._catalogue.update(self._snapshot.entries, flags)

    def _show(self) -> None:
        snapshot, view, now = self._snapshot, self._view, self._setting.clock()
        rows = self._catalogue.rows(view, now)
        active, past = self._catalogue.counts()
        query = parse_query(view.text)
        empty = notices.empty_state(
            directory=present.short_path(self._setting.directory, self._setting.home),
            missing=snapshot is not None and snapshot.missing,
            loading=snapshot is None,
            total=active + past,
            filtering=not query.is_empty,
            problems=query.problems,
            trouble=snapshot.watch.message if snapshot and not snapshot.missing else "",
        )
        self._list.show(
            rows, self._facts, sort=SORTS[view.sort], now=now, empty=empty, narrowed=not query.is_empty
        )
        title, count = present.list_title(view, len(rows), active, past)
        self.query_one("#list-title", PaneTitle).show(title, count)
        self._show_detail()
        self.show_keys()

    def _show_detail(self) -> None:
        snapshot, entry = self._snapshot, self._list.cursor
        known = self._claims.found if self._claims is not None and self._claims.entry is entry else {}
        self._detail.show(
            entry,
            snapshot.entries if snapshot else (),
            snapshot.findings if snapshot else (),
            now=self._setting.clock(),
            found=known,
        )
        if entry is not None and entry is not self._asked:
            self._asked = entry
            if self._pause is not None:
                self._pause.stop()
            self._pause = self.set_timer(CLAIMS_AFTER, partial(self.post_message, ClaimsWanted(entry)))

    def on_claims_checked(self, message: ClaimsChecked) -> None:
        """What the memory names has been looked up."""
        self._claims = message
        self._show_detail()

    def _show_reminder(self) -> None:
        # Loaded with the memory system, behind the first paint.
        from memtui.memory.reminder import build_reminder, estimate_tokens  # noqa: PLC0415

        snapshot = self._snapshot
        if snapshot is None:
            return
        active, _ = self._catalogue.counts()
        recent = [entry for entry in snapshot.entries[: self._setting.entries] if entry.is_active]
        broken = missing_things(snapshot.findings, recent)
        text = build_reminder(recent, now=self._setting.clock(), lang=self._setting.lang, broken=broken)
        self._reminder.show(text, estimate_tokens(text), len(recent), active, self._setting.lang)

    def _show_frame(self) -> None:
        snapshot, setting = self._snapshot, self._setting
        active, _ = self._catalogue.counts()
        place = present.short_path(setting.directory, setting.home)
        header, gauges = self.query_one("#header", Bar), self.query_one("#gauges", Bar)
        if snapshot is None:
            header.left = present.header_left(("memtui", setting.title, place))
            return
        header.left = present.header_left(("memtui", setting.title, snapshot.convention.name, place))
        header.right = present.header_right(
            active,
            findings=len(snapshot.findings),
            pending=snapshot.findings_pending,
            inbox=snapshot.inbox_count,
            read_only=setting.read_only,
            lang=setting.lang,
        )
        index = snapshot.index
        gauges.left = (
            ()
            if snapshot.missing
            else present.index_gauges(
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
        keys.note = FILTER_NOTE if typing else ""

    def _select_wanted(self) -> None:
        """Put the cursor on the memory that a change has brought (back)."""
        for slug in self._wanted:
            if self._list.select(lambda entry, slug=slug: entry.slug == slug and entry.is_active):  # type: ignore[misc]
                self._wanted = ()
                return

    # --- actions: moving ---

    @property
    def moving_pane(self) -> MemoryList | DetailPane | ReminderPane:
        """The pane with the focus; the list while none has it."""
        if self._detail.has_focus_within:
            return self._detail
        return self._reminder if self._reminder.has_focus_within else self._list

    def do_next_link(self) -> None:
        """To the next link of the memory."""
        self._link(1)

    def do_previous_link(self) -> None:
        """To the link before."""
        self._link(-1)

    def _link(self, step: int) -> None:
        if self._detail.next_link(step):
            self._detail.focus_text()
        else:
            self.say("this memory links to no other")

    # --- actions: looking ---

    def do_filter(self) -> None:
        """Type a filter."""
        self.remove_class("-reading")
        self.query_one(FilterLine).focus()

    def do_open(self) -> None:
        """Read the memory; on a link, follow it."""
        if self._detail.has_focus_within and self._detail.link is not None:
            self.post_message(LinkFollowed(self._detail.link))
            return
        self.add_class("-reading")
        self.show_keys()
        self.call_after_refresh(self._detail.focus_text)

    def do_back(self) -> None:
        """One step back: out of the text, then out of the filter, then no marks."""
        if self.moving_pane is not self._list or self.has_class("-reading"):
            self.remove_class("-reading")
            self._list.focus()
            self.show_keys()
        elif self._view.text:
            self.query_one(FilterLine).value = ""
        elif self._marked:
            self._marked = frozenset()
            self._gather()
            self._show()

    def do_sort(self) -> None:
        """The next order."""
        self._view = replace(self._view, sort=(self._view.sort + 1) % len(SORTS), reverse=False)
        self._show()

    def do_reverse(self) -> None:
        """The same order from its other end."""
        self._view = replace(self._view, reverse=not self._view.reverse)
        self._show()

    def do_history(self) -> None:
        """List old versions too, or no more."""
        self._view = replace(self._view, history=not self._view.history)
        self._show()

    def do_preview(self) -> None:
        """Show or hide the reminder."""
        shown = self._reminder.display and bool(self._reminder.size)
        self.set_class(not shown, "-preview")
        self.set_class(shown, "-no-preview")

    # --- actions: changing ---

    def do_mark(self) -> None:
        """Mark the memory or unmark it, and go on to the next."""
        entry = self._list.cursor
        if entry is None:
            return
        self._marked ^= {entry.rel}
        self._gather()
        self._show()
        self._list.move(1)

    def do_quit(self) -> None:
        """Leave."""
        self.app.exit()
