"""Review: what models propose and what others changed, each with its reason, evidence, checks and difference."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message

from memtui.memory.review.proposal_reading import InboxReader
from memtui.memory.review.proposals import Broken, Proposal
from memtui.memory.review.unreviewed import OthersChange
from memtui.tui import reviewing
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.conditions import Conditions
from memtui.tui.messages import FilterTyped, SnapshotArrived
from memtui.tui.present import review as present_review
from memtui.tui.present.lines import Line
from memtui.tui.present.review import ORDERS, Group, Order
from memtui.tui.reviewing import Item, Waiting, key_of
from memtui.tui.screens.filtered import Filtered
from memtui.tui.screens.moving import Movable
from memtui.tui.screens.review_showing import ReviewShowing
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from memtui.store import Snapshot


@dataclass
class InboxRead(Message):
    """What lies in the inbox has been read."""

    waiting: Waiting

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, InboxRead)


class ReviewScreen(ReviewShowing, Filtered[Any]):
    """What waits, beside everything about the item under the cursor."""

    PLACE = "review"
    DEFAULT_CSS = """
    ReviewScreen #items-pane { width: 42%; }
    ReviewScreen #item-pane { width: 1fr; }
    ReviewScreen.-narrow #body { layout: vertical; }
    ReviewScreen.-narrow #items-pane { width: 100%; height: 9; }
    ReviewScreen.-narrow.-low #items-pane { height: 4; }
    ReviewScreen.-narrow.-low.-filtering #items-pane { height: 5; }
    ReviewScreen.-narrow.-low #filter { display: none; }
    ReviewScreen.-narrow.-low.-filtering #filter { display: block; }
    ReviewScreen.-narrow.-nothing #items-pane { height: 1fr; }
    ReviewScreen.-narrow.-nothing #item-pane { display: none; }
    ReviewScreen.-narrow #item-pane { width: 100%; height: 1fr; }
    ReviewScreen.-narrow.-reading #items-pane { display: none; }
    ReviewScreen.-short #items-pane { height: 1fr; }
    ReviewScreen.-short #item-pane { display: none; }
    ReviewScreen.-short.-reading #item-pane { display: block; }
    ReviewScreen.-short.-reading #items-pane { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("review")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-low"), (34, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "#items"

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
        """
        super().__init__(setting, snapshot)
        self._waiting: Waiting | None = None
        self._inbox: InboxReader | None = None
        self._query = Conditions()
        self._order: Order = "oldest"

    def compose(self) -> ComposeResult:
        """Top line; what waits beside the item under the cursor; keys."""
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="items-pane", classes="pane"):
                yield PaneTitle(id="items-title")
                yield FilterLine(id="filter")
                yield RowList["Group | Item"](
                    self._draw, _row_key, heading=lambda row: isinstance(row, Group), id="items"
                )
            with Pane(id="item-pane", classes="pane"):
                yield PaneTitle(id="item-title")
                yield DiffView(self._setting.lang, signs=self.signs, id="item-text")
        with Horizontal(id="bottom"):
            yield KeyBar("review", id="keys")

    def on_mount(self) -> None:
        """Say that reading has begun, and begin."""
        self.show_header()
        self.show_list()
        self.read_again()

    # --- where one is ---

    @property
    def _list(self) -> RowList[Group | Item]:
        return cast("RowList[Group | Item]", self.query_one("#items", RowList))

    @property
    def item(self) -> Item | None:
        """What the cursor is on."""
        row = self._list.cursor
        return None if row is None or isinstance(row, Group) else row

    @property
    def listed(self) -> Sequence[Item]:
        """Everything that the filter lets through."""
        return [row for row in self._list.rows if not isinstance(row, Group)]

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        item, looked = self.item, self.looked
        kinds = {Proposal: "proposal", OthersChange: "change", Broken: "broken"}
        proposal = item if isinstance(item, Proposal) else None
        return Situation(
            selected=item is not None,
            waits=kinds[type(item)] if item is not None else "",
            fits=proposal is None or looked is None or looked.accepting is not None,
            takes_back=proposal is not None
            or (isinstance(item, Broken) and item.removable)
            or (isinstance(item, OthersChange) and item.revertible),
            writes=proposal is not None and proposal.main.text is not None,
            mergeable=proposal is not None and proposal.kind in {"create", "update"},
            marked=len(self._marked),
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            busy=self._busy,
            undo=self._words.kept if self._kept else self._undoable.undo,
            redo=self._undoable.redo,
            total=len(self.listed),
            away=True,
        )

    @property
    def moving_pane(self) -> Movable:
        """The text where it has the focus, else the list."""
        return self.text_view if self.text_view.has_focus else self._list

    # --- reading, in threads ---

    def read_again(self) -> None:
        """Read what waits, and look at the item under the cursor anew."""
        manager = self.main.manager
        if manager is not None:
            self._inbox = self._inbox or InboxReader(manager)
            self.run_worker(partial(self._read, self._inbox), thread=True, group="inbox", exclusive=True)

    def _read(self, inbox: InboxReader) -> None:
        self.post_message(InboxRead(reviewing.read_inbox(inbox)))

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed: what waits, or what a proposal would do."""
        snapshot, old = message.snapshot, self._snapshot
        if snapshot.generation <= old.generation:
            return
        self._snapshot = snapshot
        if snapshot.inbox != old.inbox or snapshot.changes or snapshot.generation != old.generation + 1:
            self.read_again()
        elif snapshot.others is not old.others:
            self.show_list()
            self._go_to_wanted()

    def on_inbox_read(self, message: InboxRead) -> None:
        """Show what waits."""
        self._waiting = message.waiting
        there = {key_of(item) for item in self._items()}
        self._decided &= there  # what is gone from the disk needs no hiding, and may come back
        self._marked &= there
        self._looking = ""
        self.show_list()
        self._go_to_wanted()

    def _go_to_wanted(self) -> None:
        """Put the cursor on what undo brought back, once it is there."""
        wanted = set(self._wanted)
        for place, row in enumerate(self._list.rows) if wanted else ():
            if not isinstance(row, Group) and wanted & set(present_review.slugs_of(row)):
                self._wanted = ()
                self._list.move_to(place)
                return

    def on_filter_typed(self, message: FilterTyped) -> None:
        """Narrow the list."""
        self._query = present_review.parse(message.text)
        self.show_list()

    @property
    def narrowed(self) -> RowList[Group | Item]:
        """What waits."""
        return self._list

    @on(RowList.Moved)
    def _moved(self) -> None:
        self.show_item()
        self.show_keys()

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.perform("open_item")

    # --- drawing ---

    def _draw(self, row: Group | Item, cells: int, cursor: bool) -> Line:
        if isinstance(row, Group):
            return present_review.group_row(row, cells, self._words)
        return present_review.item_row(
            row,
            cells,
            cursor=cursor,
            marked=key_of(row) in self._marked,
            now=self._setting.clock(),
            lang=self.speaks,
            say=self._words,
        )

    def _items(self) -> list[Item]:
        waiting = self._waiting
        if waiting is None:
            return []
        return [*waiting.proposals, *self._snapshot.others, *waiting.broken]

    def show_list(self) -> None:
        """Bring the list, and what it says of itself, up to date."""
        items = [item for item in self._items() if key_of(item) not in self._decided]
        rows = present_review.rows(items, self._query, self._order)
        empty = present_review.empty_lines(self._waiting, len(items), self._query, self.speaks, self._words)
        self._list.show(rows, empty=empty)
        shown = len(self.listed)
        self.set_class(not shown, "-nothing")
        self.query_one("#items-title", PaneTitle).show(
            *present_review.list_title(shown, len(items), len(self._marked), self._order, self._words)
        )
        self._list.refresh()
        self.show_item()
        self.show_keys()

    def show_done(self, text: str) -> None:
        """Say in the top line what was done."""
        self.query_one("#header", Bar).right = ((f"{text} ", "good"),)

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        keys = self.query_one(KeyBar)
        typing = self.query_one(FilterLine).has_focus
        self.set_class(typing or not self._query.is_empty, "-filtering")
        keys.situation = self.situation
        keys.place = "filter" if typing else "review"
        keys.note = self._words.filter_note if typing else ""

    # --- actions: looking ---

    def do_mark_item(self) -> None:
        """Mark what the cursor is on or unmark it, and go on to the next."""
        item = self.item
        if item is not None:
            self._marked ^= {key_of(item)}
            self._list.move(1)
            self.show_list()

    def do_filter_items(self) -> None:
        """Type a filter."""
        self.add_class("-filtering")  # where there is little room, its line is there only while it is wanted
        self.type_filter()

    def do_sort_items(self) -> None:
        """The next order."""
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self.show_list()

    def do_open_item(self) -> None:
        """To the text."""
        self.add_class("-reading")
        self.call_after_refresh(self.text_view.focus)

    def do_other_part_of_review(self) -> None:
        """From the list to the text, and back."""
        if self.text_view.has_focus:
            self._leave_text()
        else:
            self.do_open_item()

    def _leave_text(self) -> None:
        self.remove_class("-reading")
        self._list.focus()

    def do_back_from_review(self) -> None:
        """Out of the text, then out of the filter, then without marks, then out of the review."""
        if self.text_view.has_focus:
            self._leave_text()
        elif not self._query.is_empty:
            self.query_one(FilterLine).value = ""
        elif self._marked:
            self._marked = frozenset()
            self.show_list()
        else:
            self.dismiss(None)

    def do_close_review(self) -> None:
        """Back to the memories."""
        self.dismiss(None)


def _row_key(row: Group | Item) -> Hashable:
    return row.name if isinstance(row, Group) else key_of(row)
