"""Team: how the sync stands, what others shared, what both changed, what is held back, who changed what."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memtui.memory.errors import MemtuiError
from memtui.team.resolving import Decision
from memtui.team.results import Arrival
from memtui.team.vet import Held
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.messages import ChangeDone, Failed, SnapshotArrived, TeamKnown
from memtui.tui.present import team as present_team
from memtui.tui.present.diff_lines import Prepared, prepare
from memtui.tui.present.lines import Line
from memtui.tui.present.parts import DOT
from memtui.tui.present.team import TABS, Item, Tab, TeamLoaded, key_of
from memtui.tui.screens.team_deciding import TeamDeciding, TeamDone
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, PaneTitle
from memtui.tui.widgets.click_bar import ClickBar
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.team import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.store import Snapshot
    from memtui.tui.teaming import Teaming


@dataclass
class TeamRead(Message):
    """What the screen shows has been read."""

    loaded: TeamLoaded

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, TeamRead)


@dataclass
class TeamTexts(Message):
    """The difference that a row stands for has been worked out."""

    key: Hashable
    rows: Prepared


class TeamScreen(TeamDeciding):
    """Four lists, and everything about the row under the cursor."""

    PLACE = "team"
    DEFAULT_CSS = """
    TeamScreen #state { background: $panel; }
    TeamScreen #trouble { height: auto; max-height: 3; padding: 0 1; color: $text-warning; display: none; }
    TeamScreen.-trouble #trouble { display: block; }
    TeamScreen #rows-pane { width: 50%; }
    TeamScreen.-narrow #rows-pane { width: 100%; }
    TeamScreen.-narrow #row-pane { width: 100%; height: 2fr; }
    TeamScreen.-bare #rows-pane { width: 100%; height: 1fr; }
    TeamScreen.-bare #row-pane { width: 0; }
    TeamScreen.-narrow.-bare #row-pane { height: 0; }
    TeamScreen.-short #rows-pane { width: 100%; height: 1fr; }
    TeamScreen.-short.-reading #row-pane { width: 100%; height: 1fr; }
    TeamScreen.-short.-reading #rows-pane { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("team")]

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
        """
        super().__init__(setting, snapshot)
        self._words = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        self._tab: Tab = "arrived"
        self._chosen = False
        self._loaded: TeamLoaded | None = None
        self._asked: Hashable = None

    def compose(self) -> ComposeResult:
        """Top line, state and lists to choose from; the list beside its row; keys."""
        yield Bar(id="header")
        yield Bar(id="state")
        yield Static(id="trouble", markup=False)
        yield from self._panes(self._draw, key_of)

    def on_mount(self) -> None:
        """Say that reading has begun, and begin; what a notice told of the team stands here."""
        self.app.clear_notifications()
        self.show_header()
        self._show()
        self._load()
        self.main.follow_team()

    @property
    def _off(self) -> bool:
        """Whether nothing may be shared here; not yet known counts as no."""
        return not self.main.shares or (self._team is not None and not self._team.on)

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        status = self._loaded.status if self._loaded is not None else None
        item = self._list.cursor
        return Situation(
            selected=item is not None,
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            busy=self._busy,
            undo=self._words.declined if self._declined else self._undoable.undo,
            redo=self._undoable.redo,
            total=len(self._list.rows),
            away=True,
            team_list=self._tab,
            held_secret=isinstance(item, Held) and item.code == "secret",
            team_pair=isinstance(item, Decision) and item.other is not None,
            arrivals=len(present_team.plain_arrivals(self._loaded)) if self._loaded is not None else 0,
            shared=status is not None and status.configured and not self._off,
            syncing=self._team is not None and self._team.syncing,
        )

    # --- reading, in threads ---

    def _load(self) -> None:
        team = self._team
        if team is not None and not self._off:
            self.run_worker(partial(self._read, team), thread=True, group="team-read", exclusive=True)

    def _read(self, team: Teaming) -> None:
        try:
            self.post_message(TeamRead(team.load()))
        except MemtuiError as error:
            self.post_message(Failed(error))

    def _read_row(self, team: Teaming, item: Arrival | Decision) -> None:
        try:
            before, after = team.texts(item) if isinstance(item, Arrival) else (item.theirs, item.ours)
        except MemtuiError as error:
            self.post_message(Failed(error))
            return
        rows = present_team.diff_rows(before, after, f"{item.slug}.md")
        self.post_message(TeamTexts(key_of(item), prepare(rows)))

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed."""
        if message.snapshot.generation >= self._snapshot.generation:
            self._snapshot = message.snapshot
            self._load()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk."""
        del message  # the first screen tells of it
        self._busy = False
        self._load()

    def on_team_known(self, message: TeamKnown) -> None:
        """A sync has begun, or is over."""
        if message.syncing:
            self._show_state()
            self.show_keys()
        elif self._off:
            self._show()
        else:
            self._load()

    def on_team_read(self, message: TeamRead) -> None:
        """Show what was read; at first the list in which something waits."""
        first, self._loaded = self._loaded is None, message.loaded
        if first and not self._chosen:
            full = (tab for tab in TABS if present_team.items_of(message.loaded, tab))
            self._tab = next(full, "arrived")
        self._show()
        if message.loaded.status.configured:
            self.main.follow_team()

    def on_team_done(self, message: TeamDone) -> None:
        """Say what was done, and read again."""
        self._busy = False
        self._declined = message.declined
        self.app.clear_notifications()
        self.say(message.text, title=message.title, severity="information")
        self._load()

    def on_team_texts(self, message: TeamTexts) -> None:
        """Show the difference, if it is still wanted."""
        if message.key == self._asked:
            self.add_class("-diff")
            self.query_one(DiffView).show(message.rows, key=message.key)

    def on_row_list_moved(self) -> None:
        """Tell about the row the cursor is on now."""
        self._show_row()
        self.show_keys()

    def on_row_list_opened(self) -> None:
        """Look at what was clicked."""
        self.perform("open_team_row")

    # --- drawing ---

    def _draw(self, item: Item, cells: int, cursor: bool) -> Line:
        return present_team.item_row(
            item, cells, cursor=cursor, now=self._setting.clock(), lang=self._setting.lang, words=self._words
        )

    def _show(self) -> None:
        said, tab = self._words, self._tab
        names = {"arrived": said.arrived, "clashes": said.clashes, "held": said.held, "log": said.log}
        items = present_team.items_of(self._loaded, tab)
        self._show_state()
        self.query_one("#tabs", ClickBar).left = present_team.tabs_line(self._loaded, tab, said)
        self.query_one("#rows-title", PaneTitle).show(
            f"{said.title}{DOT}{names[tab]}", str(len(items)) if items else ""
        )
        self._list.show(items, empty=present_team.empty_text(self._loaded, tab, off=self._off, words=said))
        self.set_class(not items, "-bare")
        self._show_row()
        self.show_keys()

    def _show_state(self) -> None:
        loaded, setting = self._loaded, self._setting
        state = self.query_one("#state", Bar)
        if loaded is None or not loaded.status.configured:
            state.left = state.right = ()
            return
        state.left = present_team.place_line(loaded.status, self._words)
        state.right = present_team.state_line(
            loaded.status,
            syncing=self._team is not None and self._team.syncing,
            read_only=setting.read_only,
            now=setting.clock(),
            lang=setting.lang,
            words=self._words,
        )
        lines = present_team.error_lines(loaded.status, loaded.trouble, setting.lang, self._words)
        self.set_class(bool(lines), "-trouble")
        self.query_one("#trouble", Static).update(Content("\n".join(lines)))

    def _show_row(self) -> None:
        item, team = self._list.cursor, self._team
        self.query_one("#row-title", PaneTitle).show(present_team.item_title(item, self._words))
        key = key_of(item) if item is not None else None
        if isinstance(item, Arrival | Decision):
            if key != self._asked and team is not None:
                self._asked = key
                self.run_worker(
                    partial(self._read_row, team, item), thread=True, group="texts", exclusive=True
                )
            return
        self._asked = key
        self.remove_class("-diff")
        setting = self._setting
        blocks = (
            present_team.item_blocks(item, now=setting.clock(), lang=setting.lang, words=self._words)
            if item is not None
            else ()
        )
        self.query_one(TextView).show(blocks, key=key)

    # --- actions: looking ---

    def _turn_to(self, tab: Tab) -> None:
        self._chosen = True
        super()._turn_to(tab)

    def _leave_text(self) -> None:
        self._asked = None
        self._list.focus()

    def do_tab_arrived(self) -> None:
        """What others shared."""
        self._turn_to("arrived")

    def do_tab_clashes(self) -> None:
        """What both changed."""
        self._turn_to("clashes")

    def do_tab_held(self) -> None:
        """What is held back."""
        self._turn_to("held")

    def do_tab_team_log(self) -> None:
        """Who changed what."""
        self._turn_to("log")

    def do_next_team_tab(self) -> None:
        """The next list."""
        self._turn_by(TABS, 1)

    def do_previous_team_tab(self) -> None:
        """The list before."""
        self._turn_by(TABS, -1)

    def do_open_team_row(self) -> None:
        """To the text; of what both changed, to the three texts beside each other."""
        item = self._list.cursor
        if isinstance(item, Decision):
            self._compare(item)
        elif item is not None:
            self.add_class("-reading")
            self.call_after_refresh(self._text.focus)

    def do_other_side_of_team(self) -> None:
        """To the other pane."""
        (self._text if self._list.has_focus and self._list.rows else self._list).focus()

    def do_back_from_team(self) -> None:
        """Leave the text, then the screen."""
        if self._list.has_focus:
            self.dismiss(None)
        else:
            self.remove_class("-reading")
            self._list.focus()

    def do_close_team(self) -> None:
        """Leave."""
        self.dismiss(None)
