"""What the review shows of the item under the cursor: worked out in a thread, and laid out as one likes it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.tui import reviewing
from memtui.tui.present import review_item
from memtui.tui.present.diff_lines import Prepared, prepare
from memtui.tui.present.review_item import VIEWS, View
from memtui.tui.reviewing import Item, Looked, key_of
from memtui.tui.screens.review_deciding import ReviewDeciding
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.wording import edit as edit_wording

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.store import Snapshot


@dataclass
class ItemLooked(Message):
    """An item has been worked out against what stands on disk."""

    looked: Looked


@dataclass
class ChangeLaid(Message):
    """The rows of an item's change have been made.

    Attributes:
        key: of which item, in which view.
        rows: they.
    """

    key: Hashable
    rows: Prepared


class ReviewShowing(ReviewDeciding):
    """Mixed into the review."""

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        super().__init__(setting, snapshot)
        self._view: View = "changes"
        self._beside = False
        self._looked: Looked | None = None
        self._looking = ""
        self._on_screen: Looked | None = None
        self._laid: Prepared | None = None
        self._unfolded: bool | None = None

    @property
    def text_view(self) -> DiffView:
        """Where the item is shown."""
        return self.query_one(DiffView)

    @property
    def looked(self) -> Looked | None:
        """What is known of the item under the cursor; None while that is worked out."""
        item, looked = self.item, self._looked
        return looked if item is not None and looked is not None and looked.item == item else None

    @property
    def on_screen(self) -> Looked | None:
        """The same once it stands on the screen: nothing is accepted before it was shown."""
        looked = self.looked
        return looked if looked is self._on_screen else None

    # --- in threads ---

    def _look(self, manager: MemoryManager, item: Item) -> None:
        self.post_message(ItemLooked(reviewing.look(manager, item)))

    def _lay(self, key: Hashable, looked: Looked, view: View, *, beside: bool) -> None:
        rows = review_item.change_rows(looked.edits, view, self._words, beside=beside)
        self.post_message(ChangeLaid(key, prepare(rows)))

    # --- what arrives ---

    def on_item_looked(self, message: ItemLooked) -> None:
        """Show the item, if it is still wanted."""
        item = self.item
        if item is None or key_of(message.looked.item) != key_of(item):
            return
        self._looked = message.looked
        self._show_change()
        self.show_keys()

    def on_change_laid(self, message: ChangeLaid) -> None:
        """Show the rows, if they are still wanted."""
        looked = self.looked
        if looked is not None and message.key == self._key_of_view(looked):
            self._on_screen, self._laid = looked, message.rows
            self._show_laid()
            self.accept_if_wanted(looked)

    # --- drawing ---

    @property
    def folded(self) -> bool:
        """Whether what stands above the change takes a line each: as chosen, else where there is little room."""
        if self._unfolded is None:
            return self.has_class("-narrow") and not self.has_class("-tall")
        return not self._unfolded

    def _show_laid(self) -> None:
        looked = self.on_screen
        if looked is None or self._laid is None:
            return
        lead = review_item.lead_blocks(
            looked,
            now=self._setting.clock(),
            home=self._setting.home,
            lang=self.speaks,
            say=self._words,
            edit_words=edit_wording.words(self.speaks),
            folded=self.folded,
        )
        self.text_view.show(self._laid, key=key_of(looked.item), empty=(), lead=lead)

    def on_resize(self) -> None:
        """There is room for more now, or for less."""
        self.call_after_refresh(self._show_laid)

    def show_item(self) -> None:
        """Have the item under the cursor worked out, unless it is shown or under way."""
        item, manager = self.item, self.main.manager
        self.forget_wish(item)
        if item is None:
            self._looked, self._looking, self._on_screen = None, "", None
            self.query_one("#item-title", PaneTitle).show("")
            self.text_view.show((), key=None, empty=())
            return
        self._show_title(item)
        key = key_of(item)
        if key == self._looking or manager is None:
            return
        self._looking = key
        self.run_worker(partial(self._look, manager, item), thread=True, group="look", exclusive=True)

    def _show_title(self, item: Item) -> None:
        title = review_item.item_title(item, self._view, self._words)
        self.query_one("#item-title", PaneTitle).show(*title)

    def _key_of_view(self, looked: Looked) -> Hashable:
        return key_of(looked.item), id(looked), self._view, self._beside

    def _show_change(self) -> None:
        looked = self.looked
        if looked is not None:
            lay = partial(self._lay, self._key_of_view(looked), looked, self._view, beside=self._beside)
            self.run_worker(lay, thread=True, group="lay", exclusive=True)

    # --- actions ---

    def do_page_down(self) -> None:
        """A screenful of the text, whichever pane one is in."""
        self.text_view.move_page(1)

    def do_page_up(self) -> None:
        """A screenful back."""
        self.text_view.move_page(-1)

    def do_item_view(self) -> None:
        """What differs, every line, or the new text alone."""
        self._view = VIEWS[(VIEWS.index(self._view) + 1) % len(VIEWS)]
        if self.item is not None:
            self._show_title(self.item)
        self._show_change()

    def do_fold_item(self) -> None:
        """What stands above the change in full, or in a line each."""
        self._unfolded = self.folded
        self._show_laid()

    def do_diff_layout(self) -> None:
        """Unified or side by side."""
        self._beside = not self._beside
        self._show_change()

    def do_next_change(self) -> None:
        """To the next change."""
        self.text_view.next_change(1)

    def do_previous_change(self) -> None:
        """To the change before."""
        self.text_view.next_change(-1)
