"""Activity: what was done when and by whom, the trash, and the calls of agents."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from memtui.memory.audit import AuditRow
from memtui.memory.errors import MemtuiError, sentence_of
from memtui.memory.managing.trash import TrashedFile
from memtui.memory.text import visible
from memtui.memory.versions.history import versions_of
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.messages import ChangeDone, Failed, SnapshotArrived
from memtui.tui.present import activity as present_activity
from memtui.tui.present import parts
from memtui.tui.present.activity import TABS, Done, Loaded, Tab
from memtui.tui.present.blocks import Block, source_blocks
from memtui.tui.present.diff_lines import Prepared, prepare
from memtui.tui.present.lines import Line
from memtui.tui.reading_past import read_activity
from memtui.tui.screens.tabbed import Tabbed
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, PaneTitle
from memtui.tui.widgets.click_bar import ClickBar
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.activity import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.store import Snapshot

Item = Done | TrashedFile | AuditRow


@dataclass
class ActivityLoaded(Message):
    """Journal, trash and calls have been read."""

    loaded: Loaded

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, ActivityLoaded)


@dataclass
class TextsRead(Message):
    """What a change did to the texts, or a file in the trash, has been read.

    Attributes:
        key: the row it is about.
        rows: the difference; None for a text.
        text: the text.
    """

    key: Hashable
    rows: Prepared | None
    text: str = ""


class ActivityScreen(Tabbed[Tab, Item]):
    """One of three lists, and everything about the row under its cursor."""

    PLACE = "activity"
    DEFAULT_CSS = """
    ActivityScreen #rows-pane { width: 55%; }
    ActivityScreen.-narrow #rows-pane { width: 100%; }
    ActivityScreen.-narrow #row-pane { width: 100%; height: 1fr; }
    ActivityScreen.-narrow.-reading #rows-pane { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("activity")]

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
        """
        super().__init__(setting, snapshot)
        self._tab: Tab = "changes"
        self._words = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        self._loaded: Loaded | None = None
        self._asked: Hashable = None

    def compose(self) -> ComposeResult:
        """Top line and lists to choose from; the list beside its row; keys."""
        yield Bar(id="header")
        yield from self._panes(self._draw, _key)

    def on_mount(self) -> None:
        """Say that reading has begun, and begin."""
        self.show_header()
        self._show()
        self._load()

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        item = self._list.cursor
        return Situation(
            selected=item is not None,
            active=isinstance(item, TrashedFile) and item.taken,
            trashed=isinstance(item, TrashedFile),
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            busy=self._busy,
            undo=self._undoable.undo,
            redo=self._undoable.redo,
            total=len(self._list.rows),
            away=True,
        )

    # --- reading, in threads ---

    def _load(self) -> None:
        manager = self.main.manager
        if manager is not None:
            present_rels = frozenset(entry.rel for entry in self._snapshot.entries)
            self.run_worker(
                partial(self._read_all, manager, present_rels), thread=True, group="activity", exclusive=True
            )

    def _read_all(self, manager: MemoryManager, rels: frozenset[str]) -> None:
        self.post_message(ActivityLoaded(read_activity(manager, rels)))

    def _read_change(self, done: Done, manager: MemoryManager) -> None:
        rows = present_activity.change_rows(done.record, manager.journal.object, self._words)
        self.post_message(TextsRead(_key(done), prepare(rows)))

    def _read_trashed(self, file: TrashedFile, manager: MemoryManager) -> None:
        try:
            text = manager.folder.read(file.rel).data.decode("utf-8", "replace")
        except MemtuiError as error:
            self.post_message(Failed(error))
        except OSError as error:
            self.say(visible(sentence_of(error).said(self.speaks)))
        else:
            self.post_message(TextsRead(_key(file), None, text))

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; perhaps something was done."""
        if message.snapshot.generation >= self._snapshot.generation:
            self._snapshot = message.snapshot
            self._load()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk."""
        del message  # the first screen tells of it
        self._busy = False
        self._leave_text()
        self._load()
        self.show_keys()

    def on_activity_loaded(self, message: ActivityLoaded) -> None:
        """Show what was read."""
        self._loaded = message.loaded
        self._show()

    def on_texts_read(self, message: TextsRead) -> None:
        """Show the texts, if they are still wanted."""
        if message.key != self._asked:
            return
        if message.rows is not None:
            self.add_class("-diff")
            self.query_one(DiffView).show(message.rows, key=message.key)
        else:
            blocks = source_blocks(parts.source_lines(message.text.removesuffix("\n")))
            self.query_one(TextView).show(blocks, key=("text", message.key))
        self.add_class("-reading")
        self.call_after_refresh(self._text.focus)

    def on_row_list_moved(self) -> None:
        """Tell about the row the cursor is on now."""
        item = self._list.cursor
        if (
            item is None or _key(item) != self._asked
        ):  # this may arrive after what was asked for at the new row
            self.remove_class("-reading", "-diff")
            self._asked = None
        self._show_row()
        self.show_keys()

    def on_row_list_opened(self) -> None:
        """Look at what was clicked."""
        self.perform("open_row")

    # --- drawing ---

    def _draw(self, item: Item, cells: int, cursor: bool) -> Line:
        now, lang, said = self._setting.clock(), self._setting.lang, self._words
        if isinstance(item, Done):
            return present_activity.done_row(item, cells, cursor=cursor, now=now, lang=lang, words=said)
        if isinstance(item, TrashedFile):
            return present_activity.trash_row(item, cells, cursor=cursor, now=now, lang=lang, words=said)
        return present_activity.call_row(item, cells, cursor=cursor, now=now, lang=lang, words=said)

    def _items(self) -> tuple[Item, ...]:
        if self._loaded is None:
            return ()
        if self._tab == "changes":
            return present_activity.done_rows(self._loaded)
        return self._loaded.trash if self._tab == "trash" else self._loaded.calls

    def _show(self) -> None:
        said = self._words
        names = {"changes": said.changes, "trash": said.trash, "calls": said.calls}
        items = self._items()
        self.query_one("#tabs", ClickBar).left = present_activity.tabs_line(self._loaded, self._tab, said)
        self.query_one("#rows-title", PaneTitle).show(
            f"{said.title}{parts.DOT}{names[self._tab]}", str(len(items)) if items else ""
        )
        self._list.show(items, empty=present_activity.empty_text(self._loaded, self._tab, said))
        self._show_row()
        self.show_keys()

    def _show_row(self) -> None:
        item = self._list.cursor
        self.query_one("#row-title", PaneTitle).show(self._row_title(item))
        if self.has_class("-reading"):
            return
        view = self.query_one(TextView)
        if item is None:
            view.show((), key=None)
            return
        view.show(self._blocks(item), key=_key(item))

    def _row_title(self, item: Item | None) -> str:
        if isinstance(item, Done):
            return self._words.change_number.format(n=item.record.id)
        if isinstance(item, TrashedFile):
            return self._words.in_trash
        return self._words.call if item is not None else ""

    def _blocks(self, item: Item) -> list[Block]:
        now, lang, said = self._setting.clock(), self._setting.lang, self._words
        if isinstance(item, Done):
            return present_activity.done_blocks(item, now=now, lang=lang, words=said)
        if isinstance(item, TrashedFile):
            return present_activity.trash_blocks(item, now=now, lang=lang, words=said)
        return present_activity.call_blocks(item, now=now, lang=lang, words=said)

    # --- actions ---

    def do_tab_changes(self) -> None:
        """What was changed."""
        self._turn_to("changes")

    def do_tab_trash(self) -> None:
        """What was forgotten."""
        self._turn_to("trash")

    def do_tab_calls(self) -> None:
        """What was called."""
        self._turn_to("calls")

    def do_next_tab(self) -> None:
        """The next list."""
        self._turn_by(TABS, 1)

    def do_previous_tab(self) -> None:
        """The list before."""
        self._turn_by(TABS, -1)

    def do_open_row(self) -> None:
        """What the change did to the texts; of a file in the trash, its text."""
        item, manager = self._list.cursor, self.main.manager
        if item is None or manager is None:
            return
        self._asked = _key(item)
        if isinstance(item, Done):
            self.run_worker(
                partial(self._read_change, item, manager), thread=True, group="texts", exclusive=True
            )
        elif isinstance(item, TrashedFile):
            self.run_worker(
                partial(self._read_trashed, item, manager), thread=True, group="texts", exclusive=True
            )
        else:
            self.add_class("-reading")
            self.call_after_refresh(self._text.focus)

    def do_other_side(self) -> None:
        """To the other pane."""
        (self._text if self._list.has_focus else self._list).focus()

    def do_restore_file(self) -> None:
        """Put a file back where it was; there is nothing to ask, undo takes it back."""
        item = self._list.cursor
        if isinstance(item, TrashedFile):
            rel = item.rel
            self.change(self._words.taken_out, lambda manager: manager.restore_trashed(rel))

    def do_row_history(self) -> None:
        """The versions of the memory the row is about."""
        from memtui.tui.screens.history import HistoryScreen  # noqa: PLC0415 – the two lead to each other

        item = self._list.cursor
        slugs: tuple[str, ...] = ()
        if isinstance(item, Done):
            slugs = item.record.slugs
        elif isinstance(item, TrashedFile):
            slugs = (item.slug,)
        elif isinstance(item, AuditRow):
            slugs = (item.slug,) if item.slug else ()
        entries = self._snapshot.entries
        if not slugs:
            self.say(self._words.no_memory)
            return
        chosen = next((slug for slug in slugs if versions_of(slug, entries)), slugs[0])
        self.app.push_screen(HistoryScreen(self._setting, self._snapshot, chosen))

    def _leave_text(self) -> None:
        if self.has_class("-reading"):
            self.remove_class("-reading", "-diff")
            self._asked = None
            self._show_row()
            self._list.focus()

    def do_back_from_activity(self) -> None:
        """Leave the text, then the screen."""
        if self.has_class("-reading"):
            self._leave_text()
        elif not self._list.has_focus:
            self._list.focus()
        else:
            self.dismiss(None)

    def do_close_activity(self) -> None:
        """Leave."""
        self.dismiss(None)


def _key(item: Item) -> Hashable:
    if isinstance(item, Done):
        return item.record.key
    if isinstance(item, TrashedFile):
        return item.rel
    return (item.at, item.tool_name, item.slug, item.elapsed_ms)
