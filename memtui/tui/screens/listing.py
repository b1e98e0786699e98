"""The list of memories on its screen: filter, order, rows and columns, marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memtui.memory.types import MemoryEntry
from memtui.preferences import Preferences
from memtui.tui import notices
from memtui.tui.actions.registry import BY_ID, keys_text
from memtui.tui.facts import Facts, gather, unloaded, with_use
from memtui.tui.filter_hints import completed, explain, hint
from memtui.tui.filter_query import Query, parse_query
from memtui.tui.filtering import NEVER_USED, SORTS, Catalogue, View
from memtui.tui.messages import FilterTyped, SortWanted
from memtui.tui.present import memories as present_memories
from memtui.tui.present import parts
from memtui.tui.present.lines import Line, wrap
from memtui.tui.screens.filtered import Filtered
from memtui.tui.screens.memory_screen import MemoryScreen
from memtui.tui.setting import Setting
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import HintBar, PaneTitle
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.list_header import ListHeader
from memtui.tui.widgets.memory_list import MemoryList
from memtui.tui.wording.browse import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.claude.usage_report import UsageReport


HINT_ROWS = 3
"""Lines that a hint may take (ours): the values of ``is:`` need two beside a text, and three where it is narrow."""


class Listing(MemoryScreen, Filtered[None]):
    """Mixed into the screen with the list."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._words = words(setting.lang)
        self._list = MemoryList(id="list")
        self._catalogue = Catalogue()
        self._known: Mapping[str, Facts] = {}
        self._facts: Mapping[str, Facts] = {}
        self._flags: Mapping[str, frozenset[str]] = {}
        self._laid: Mapping[str, Facts] | None = None  # what the two were made of; no signs of ours among it
        self._marked: frozenset[str] = frozenset()
        self._drafts: frozenset[str] = frozenset()
        self._unreviewed: frozenset[str] = frozenset()
        self._used: Mapping[str, float] = NEVER_USED
        self._tells_use = False
        self._liked = setting.preferences
        ids = [sort.id for sort in SORTS]
        sort = ids.index(self._liked.sort) if self._liked.sort in ids else 0
        self._view = View(sort=sort, reverse=self._liked.reverse)
        self._typing = False
        self._hidden: MemoryEntry | None = None

    @property
    def memories(self) -> MemoryList:
        """The list."""
        return self._list

    @property
    def memory(self) -> MemoryEntry | None:
        """What the cursor is on."""
        return self.memories.cursor

    @property
    def chosen(self) -> list[MemoryEntry]:
        """What is marked and in force, else what the cursor is on."""
        if self._marked and self._snapshot is not None:
            return [e for e in self._snapshot.entries if e.rel in self._marked and e.is_active]
        return super().chosen

    def show_memory(self) -> None:
        """Show the memory under the cursor."""
        raise NotImplementedError

    # --- drawing ---

    def gather(self) -> None:
        """Take in what a new snapshot says; marks of what is gone go, too."""
        snapshot = self._snapshot
        if snapshot is not None:
            if self._marked:
                self._marked &= {entry.rel for entry in snapshot.entries}
            self._unreviewed = frozenset(change.rel for change in snapshot.others)
            self._known = gather(snapshot.findings, snapshot.entries)
            if self._tells_use:
                self._known = with_use(self._known, snapshot.entries, self._used)
            self._lay_marks()

    def take_use(self, report: UsageReport) -> None:
        """It is known how memories were used; where no session is, nothing is said of it."""
        self._tells_use = bool(report.sessions)
        self._used = {rel: use.last_used for rel, use in report.usage.items() if use.last_used is not None}
        self.gather()
        self.show_list()

    def _lay_marks(self) -> None:
        signed = {
            "marked": self._marked,
            "draft": self._with_drafts(),
            "unreviewed": self._unreviewed,
            "unloaded": self._unloaded(),
        }
        if self._laid is not self._known or any(signed.values()):
            facts = dict(self._known)
            for flag, rels in signed.items():
                for rel in rels:
                    known = facts.get(rel, Facts())
                    facts[rel] = known._replace(flags=known.flags | {flag})
            self._facts = facts
            self._flags = {rel: known.flags for rel, known in facts.items()}
            self._laid = None if any(signed.values()) else self._known
        if self._snapshot is not None:
            self._catalogue.update(self._snapshot.entries, self._flags, self._used)

    def _unloaded(self) -> frozenset[str]:
        """Paths of the memories that no session hears of, worked out where the filter asks for them."""
        snapshot = self._snapshot
        if snapshot is None or not parse_query(self._view.text).asks_loading:
            return frozenset()
        return unloaded(snapshot)

    def _with_drafts(self) -> frozenset[str]:
        """Paths of the memories of which text was typed and not saved."""
        if not self._drafts or self._snapshot is None:
            return frozenset()
        return frozenset(e.rel for e in self._snapshot.entries if e.is_active and e.slug in self._drafts)

    def show_drafts(self, slugs: frozenset[str]) -> None:
        """Mark the memories of which text was typed and not saved."""
        if slugs != self._drafts:
            self._drafts, self._laid = slugs, None
            self._lay_marks()
            self.show_list()

    def show_list(self) -> None:
        """Bring list, titles, hints and keys up to date."""
        view, now, say = self._view, self._setting.clock(), self._words
        rows = self._catalogue.rows(view, now)
        active, past = self._catalogue.counts()
        query = parse_query(view.text)
        sort = SORTS[view.sort]
        empty = self._why_empty(query, total=active + past) if not rows else ()
        self.memories.show(
            rows,
            self._facts,
            sort=sort,
            now=now,
            empty=empty,
            narrowed=not query.is_empty,
            liked=self._liked,
            among=self._snapshot.entries if self._snapshot is not None else None,
        )
        self.query_one(ListHeader).show(sort, reverse=view.reverse, liked=self._liked)
        title, count = present_memories.list_title(
            view, len(rows), active, past, marked=len(self._marked), say=say
        )
        self.query_one("#list-title", PaneTitle).show(title, count)
        if self._hidden is not None and not self._still_hidden(self._hidden):
            self._hidden = None
        self._show_hint()
        self.show_memory()
        self.show_keys()

    def _why_empty(self, query: Query, *, total: int) -> Sequence[str]:
        """What stands where no memory is listed."""
        snapshot = self._snapshot
        return notices.empty_state(
            directory=parts.short_path(self._setting.directory, self._setting.home),
            missing=snapshot is not None and snapshot.missing,
            occupied=snapshot is not None and snapshot.occupied,
            loading=snapshot is None,
            total=total,
            filtering=not query.is_empty,
            checking=snapshot is not None and snapshot.findings_pending and query.asks_findings,
            problems=[explain(odd, self._words, self.speaks) for odd in query.problems],
            trouble=snapshot.watch.message if snapshot and not snapshot.missing else "",
            others=self._setting.machine is not None,
            voice=voice_of(self.app),
        )

    def _still_hidden(self, entry: MemoryEntry) -> bool:
        """Whether a memory is there and not listed."""
        entries = self._snapshot.entries if self._snapshot is not None else ()
        there = any(other.rel == entry.rel for other in entries)
        return there and all(row.rel != entry.rel for row in self.memories.rows)

    def _show_hint(self) -> None:
        bar, line = self.query_one("#hint", HintBar), self._hint()
        room = self.query_one(FilterLine).size.width
        rows = min(HINT_ROWS, len(wrap(line, room))) if line and room else 1
        if bar.styles.height is None or bar.styles.height.value != rows:
            bar.styles.height = rows
        bar.left = line
        if bar.display != bool(line):
            bar.display = bool(line)

    def _hint(self) -> Line:
        line: Line
        query = parse_query(self._view.text)
        if self._hidden is not None:
            key = keys_text(voice_of(self.app).action(BY_ID["back"]), first_only=True)
            name = parts.label(self._hidden.name)
            line = ((self._words.hidden_by_filter.format(name=name, back=key), "warn"),)
        elif self._typing:
            line = hint(self._view.text, query, self._words, self.speaks)
        elif query.problems:
            line = ((explain(query.problems[0], self._words, self.speaks), "warn"),)
        elif self._snapshot is not None and notices.all_unread(self._snapshot.entries):
            line = ((voice_of(self.app).with_keys(self._words, NAMED_KEYS).unread_all, "warn"),)
        else:
            return ()
        return ((" ", ""), *line)

    def tell_hidden(self, entry: MemoryEntry) -> None:
        """Say that the filter hides what a change has brought, until the filter is another one."""
        self._hidden = entry
        self._show_hint()

    # --- the filter ---

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Narrow the list."""
        message.stop()
        self._hidden = None
        asked = parse_query(self._view.text).asks_loading
        self._view = self._view._replace(text=message.text)
        if asked != parse_query(message.text).asks_loading:
            self._lay_marks()
        self.show_list()

    @property
    def narrowed(self) -> MemoryList:
        """The list."""
        return self.memories

    def completed(self, text: str) -> str:
        """The filter with its last condition completed."""
        return completed(text)

    def watch_typing(self) -> None:
        """Whether somebody types into the filter may have changed."""
        typing = self.query_one(FilterLine).has_focus
        if typing != self._typing:
            self._typing = typing
            self._show_hint()
            if typing:
                self.run_worker(self._fold_ahead, thread=True, group="fold", exclusive=True)

    def _fold_ahead(self) -> None:
        worker = get_current_worker()

        def go_on() -> bool:
            self._setting.breathe()  # whoever types goes first
            return not worker.is_cancelled

        self._catalogue.fold_ahead(go_on)

    def do_filter(self) -> None:
        """Type a filter."""
        self.type_filter()

    # --- order, rows and columns ---

    def do_sort(self) -> None:
        """The next order."""
        self._order((self._view.sort + 1) % len(SORTS), reverse=False)

    def do_reverse(self) -> None:
        """The same order from its other end."""
        self._order(self._view.sort, reverse=not self._view.reverse)

    def on_sort_wanted(self, message: SortWanted) -> None:
        """Order by a column; where it is ordered so already, the other way round."""
        wanted = next((n for n, sort in enumerate(SORTS) if sort.id == message.order), None)
        if wanted is not None:
            self._order(wanted, reverse=wanted == self._view.sort and not self._view.reverse)

    def _order(self, sort: int, *, reverse: bool) -> None:
        self._view = self._view._replace(sort=sort, reverse=reverse)
        self._like(self._liked._replace(sort=SORTS[sort].id, reverse=reverse))

    def _like(self, liked: Preferences) -> None:
        """Show the list so from now on."""
        self._liked = liked
        self._setting.remember(liked)
        self.show_list()

    def do_history(self) -> None:
        """List old versions too, or no more."""
        self._view = self._view._replace(history=not self._view.history)
        self.show_list()

    def do_density(self) -> None:
        """One line for each memory, or two."""
        compact = self._liked.density == "compact"
        self._like(self._liked._replace(density="comfortable" if compact else "compact"))

    def do_columns(self) -> None:
        """Choose what each row shows."""
        from memtui.tui.screens.pick import ColumnsScreen  # noqa: PLC0415 – loaded when asked for, not at start

        def changed(liked: Preferences) -> None:
            self._like(self._liked._replace(columns=liked.columns, density=liked.density))

        self.app.push_screen(ColumnsScreen(self._liked, changed, self.speaks))

    # --- marks ---

    def do_mark(self) -> None:
        """Mark the memory or unmark it, and go on to the next."""
        entry = self.memory
        if entry is not None:
            self._mark(self._marked ^ {entry.rel})
            self.memories.move(1)

    def do_mark_all(self) -> None:
        """Mark everything listed; where it is already, unmark it."""
        listed = self._listed
        self._mark(self._marked - listed if listed <= self._marked else self._marked | listed)

    def do_invert_marks(self) -> None:
        """Mark what is listed and not marked; unmark the rest of it."""
        self._mark(self._marked ^ self._listed)

    @property
    def _listed(self) -> frozenset[str]:
        return frozenset(entry.rel for entry in self.memories.rows)

    def _mark(self, marked: frozenset[str]) -> None:
        self._marked = marked
        self._lay_marks()
        self.show_list()
