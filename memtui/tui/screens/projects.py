"""Projects: every store of the machine with what is in it, a search through all, and the way into another one."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from memtui.memory.types import Lang
from memtui.tui.actions.registry import BY_ID, Situation, bindings_for, keys_text
from memtui.tui.filter_hints import completed
from memtui.tui.messages import ChangeDone, Failed, FilterTyped
from memtui.tui.present import parts
from memtui.tui.present import projects as present_projects
from memtui.tui.present.lines import Line
from memtui.tui.present.projects import StoreRow
from memtui.tui.screens.adopting import Adopting
from memtui.tui.screens.filtered import Filtered
from memtui.tui.screens.moving import Movable, Moving
from memtui.tui.screens.projects_reading import (
    CandidatesFound,
    HitsFound,
    StoreReading,
    StoresListed,
    SummaryRead,
)
from memtui.tui.setting import Setting
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.row_list import RowList
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.projects import words

if TYPE_CHECKING:
    from memtui.claude.store_search import StoreHit
    from memtui.claude.stores import Store
    from memtui.tui.app import MemtuiApp
    from memtui.tui.machine import Machine


class ProjectsScreen(Moving, Adopting, Filtered[str]):
    """The stores beside the one under the cursor; gives the slug of a memory of the open store, or None."""

    PLACE = "projects"
    DEFAULT_CSS = """
    ProjectsScreen { background: $background; }
    ProjectsScreen #stores-pane { width: 60%; }
    ProjectsScreen #store-pane { width: 1fr; }
    ProjectsScreen #store-text { padding: 0 1; }
    ProjectsScreen.-narrow #body { layout: vertical; }
    ProjectsScreen.-narrow #stores-pane { width: 100%; height: 1fr; }
    ProjectsScreen.-narrow #store-pane { width: 100%; height: 1fr; }
    ProjectsScreen.-short #store-pane { display: none; }
    ProjectsScreen.-short.-reading #store-pane { display: block; }
    ProjectsScreen.-short.-reading #stores-pane { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("projects")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "#stores"

    def __init__(self, setting: Setting, machine: Machine) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            machine: where the stores are.
        """
        super().__init__()
        self._setting = setting
        self.machine = machine
        self._words = words(setting.lang)
        self._rows: dict[str, StoreRow] = {}
        self._listed = False
        self._drawing = False
        self._reading = StoreReading(machine, self.post_message)
        self._search = threading.Event()
        self._query = ""
        self._hits: tuple[StoreHit, ...] = ()
        self._searching = False

    def compose(self) -> ComposeResult:
        """Top line; the stores beside the one under the cursor; keys."""
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="stores-pane", classes="pane"):
                yield PaneTitle(id="stores-title")
                yield FilterLine(id="filter")
                yield Bar(id="stores-head")
                yield RowList["StoreRow | StoreHit"](self._draw, _key, id="stores")
            with Pane(id="store-pane", classes="pane"):
                yield PaneTitle(id="store-title")
                yield TextView(id="store-text")
        with Horizontal(id="bottom"):
            yield KeyBar("projects", id="keys")

    def on_mount(self) -> None:
        """Begin to look."""
        setting = self._setting
        place = parts.short_path(setting.directory, setting.home)
        self.query_one("#header", Bar).left = parts.header_left(("memtui", setting.title, place))
        self._show()
        self.call_after_refresh(self._name_search)
        self.run_worker(self._reading.list_stores, thread=True, group="stores")

    def _name_search(self) -> None:
        action = voice_of(self.app).action(BY_ID["search_stores"])
        hint = f"{keys_text(action, first_only=True)} {self._words.search_hint}"
        self.query_one(FilterLine).placeholder = hint

    def on_unmount(self) -> None:
        """Let the threads end."""
        self._reading.stop.set()
        self._search.set()

    # --- what arrives ---

    def on_stores_listed(self, message: StoresListed) -> None:
        """Show the stores, with what is known of them."""
        here = os.path.realpath(self._setting.directory)
        self._rows = {
            str(store.path): StoreRow(store, current=os.path.realpath(store.path) == here)
            for store in message.stores
        }
        self._listed = True
        self._show()

    def on_summary_read(self, message: SummaryRead) -> None:
        """Show what is in a store; many arrive at once, and are drawn together."""
        key = str(message.summary.store.path)
        if key in self._rows:
            self._rows[key] = replace(self._rows[key], summary=message.summary)
        if not self._drawing:
            self._drawing = True
            self.call_after_refresh(self._show)

    def on_candidates_found(self, message: CandidatesFound) -> None:
        """Mark what may be this project's old store, where this one has nothing yet."""
        if any(row.current and row.summary is not None and row.summary.active for row in self._rows.values()):
            return
        for candidate in message.candidates:
            key = str(candidate.summary.store.path)
            if key in self._rows:
                self._rows[key] = replace(self._rows[key], candidate=candidate)
        self._show()
        if message.candidates and not self._query:
            first = message.candidates[0].summary.store.path
            places = [
                n
                for n, row in enumerate(self._list.rows)
                if isinstance(row, StoreRow) and row.store.path == first
            ]
            if places:
                self._list.move_to(places[0])

    def on_hits_found(self, message: HitsFound) -> None:
        """Show what was found, if it is still looked for."""
        if message.query == self._query:
            self._hits, self._searching = message.hits, not message.done
            self._show()

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Look for something else; for nothing, back to the stores."""
        self._search.set()
        self._search = threading.Event()
        self._query = message.text.strip()
        self._hits, self._searching = (), bool(self._query)
        if self._query:
            stores = [row.store for row in sorted(self._rows.values(), key=present_projects.row_order)]
            self.run_worker(
                partial(self._reading.look_for, self._query, stores, self._search),
                thread=True,
                group="search",
            )
        self._show()

    @property
    def narrowed(self) -> RowList[StoreRow | StoreHit]:
        """The stores, or what was found in them."""
        return self._list

    def completed(self, text: str) -> str:
        """The search with its last condition completed."""
        return completed(text, present_projects.SEARCH_VALUES)

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk: look at the store again."""
        del message  # the first screen tells of it
        self.busy = False
        self.dismiss(None)

    def on_failed(self, message: Failed) -> None:
        """Something was refused."""
        del message  # the first screen says it
        self.busy = False
        self.show_keys()

    def on_row_list_moved(self) -> None:
        """Tell about the row the cursor is on now."""
        self._show_row()
        self.show_keys()

    def on_row_list_opened(self) -> None:
        """Open what was clicked."""
        self.perform("open_store")

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self.show_keys()

    # --- drawing ---

    @property
    def _list(self) -> RowList[StoreRow | StoreHit]:
        return cast("RowList[StoreRow | StoreHit]", self.query_one("#stores", RowList))

    @property
    def speaks(self) -> Lang:
        """Language of the screen."""
        return self._setting.lang

    @property
    def old_store(self) -> tuple[Store, str] | None:
        """The store under the cursor, if it may be taken over."""
        item = self._list.cursor
        return (item.store, self._called(item.store)) if isinstance(item, StoreRow) else None

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        item = self._list.cursor
        return Situation(
            selected=item is not None,
            read_only=self._setting.read_only,
            busy=self.busy,
            total=len(self._list.rows),
            away=True,
            others=True,
            adoptable=isinstance(item, StoreRow) and not item.current,
        )

    @property
    def moving_pane(self) -> Movable:
        """The text where it has the focus, else the list."""
        text = self.query_one(TextView)
        return text if text.has_focus else self._list

    def _draw(self, item: StoreRow | StoreHit, cells: int, cursor: bool) -> Line:
        home, now = self.machine.home, self.machine.clock()
        if isinstance(item, StoreRow):
            return present_projects.store_row(
                item, cells, cursor=cursor, now=now, home=home, lang=self.speaks
            )
        return present_projects.hit_row(item, cells, cursor=cursor, store=self._called(item.store))

    def _called(self, store: Store) -> str:
        row = self._rows.get(str(store.path))
        summary = row.summary if row is not None else None
        return present_projects.store_name(
            store, summary.project if summary is not None else None, self.machine.home
        )

    def _show(self) -> None:
        self._drawing = False
        if not self.is_mounted:
            return
        say, lang = self._words, self.speaks
        title, head = self.query_one("#stores-title", PaneTitle), self.query_one("#stores-head", Bar)
        if self._query:
            title.show(*present_projects.hit_title(len(self._hits), searching=self._searching, lang=lang))
            self._list.show(self._hits, empty=(say.searching,) if self._searching else (say.no_hits,))
        else:
            rows = sorted(self._rows.values(), key=present_projects.row_order)
            left = sum(row.summary is None for row in rows)
            title.show(*present_projects.list_title(len(rows), left, lang))
            where = say.no_stores_where.format(home=parts.label(str(self.machine.home)))
            empty = (say.no_stores, where) if self._listed else (say.being_read,)
            self._list.show(rows, empty=empty)
        room = self._list.cells
        beside: Line = ((" " * max(0, title.size.width - room), ""),)  # the list's scrollbar
        names = () if self._query else present_projects.head_line(room, lang)
        head.right = (*names, *beside) if names else ()
        head.display = bool(head.right)
        self._show_row()
        self.show_keys()

    def on_resize(self) -> None:
        """The heading has other room."""
        self.call_after_refresh(self._show)

    def _show_row(self) -> None:
        item, view = self._list.cursor, self.query_one(TextView)
        title = self.query_one("#store-title", PaneTitle)
        now, home, lang = self.machine.clock(), self.machine.home, self.speaks
        if item is None:
            title.show("")
            view.show((), key=None)
        elif isinstance(item, StoreRow):
            title.show(self._called(item.store))
            blocks = present_projects.store_blocks(item, now=now, home=home, lang=lang)
            view.show(blocks, key=(_key(item), id(item)))
        else:
            title.show(parts.label(item.entry.name))
            view.show(present_projects.hit_blocks(item, now=now, home=home, lang=lang), key=_key(item))

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        keys = self.query_one(KeyBar)
        typing = self.query_one(FilterLine).has_focus
        keys.situation = self.situation
        keys.place = "filter" if typing else "projects"
        keys.note = self._words.search_note if typing else ""

    # --- actions ---

    def do_search_stores(self) -> None:
        """Type what to look for."""
        self.type_filter()

    def do_other_pane(self) -> None:
        """From the list to the text, and back."""
        text = self.query_one(TextView)
        if text.has_focus:
            self._leave_text()
        else:
            self.add_class("-reading")
            self.call_after_refresh(text.focus)

    def _leave_text(self) -> None:
        self.remove_class("-reading")
        self._list.focus()

    def do_open_store(self) -> None:
        """Open the store, on the memory that was found."""
        item = self._list.cursor
        if item is None:
            return
        slug = "" if isinstance(item, StoreRow) else item.entry.slug
        row = self._rows.get(str(item.store.path))
        if row is not None and row.current:
            self.dismiss(slug or None)
        else:
            summary = row.summary if row is not None else None
            there = summary is not None and "project-gone" not in summary.problems
            project = summary.project if summary is not None and there else None
            cast("MemtuiApp", self.app).open_store(replace(item.store, project=project), slug)

    def do_back_from_projects(self) -> None:
        """Out of the text, then out of the search, then out of the projects."""
        if self.query_one(TextView).has_focus:
            self._leave_text()
        elif self._query:
            self.query_one(FilterLine).value = ""
        else:
            self.dismiss(None)

    def do_close_projects(self) -> None:
        """Back to the memories."""
        self.dismiss(None)


def _key(item: StoreRow | StoreHit) -> Hashable:
    if isinstance(item, StoreRow):
        return str(item.store.path)
    return item.entry.path
