"""Log: what was logged day by day, and a line more."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import ScreenResume
from textual.message import Message

from memtui.agent.daily_log import Appended, DailyLog, LogDay
from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.messages import Failed, SnapshotArrived, Tell
from memtui.tui.present import log as present_log
from memtui.tui.present.lines import Line
from memtui.tui.present.parts import short_path
from memtui.tui.screens.log_line import LogLineScreen
from memtui.tui.screens.moving import Movable
from memtui.tui.screens.past_screen import PastScreen
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.row_list import RowList
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.log import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.store import Snapshot


@dataclass
class DaysRead(Message):
    """The days that have a log are known.

    Attributes:
        days: they, the latest first.
        today: the local date.
    """

    days: tuple[dt.date, ...]
    today: dt.date

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, DaysRead)


@dataclass
class DayRead(Message):
    """A day's log has been read."""

    read: LogDay


class LogScreen(PastScreen):
    """The days beside the log of the one under the cursor."""

    PLACE = "log"
    DEFAULT_CSS = """
    LogScreen #days-pane { width: 32; }
    LogScreen #day-pane { width: 1fr; }
    LogScreen #day-text { padding: 0 1; }
    LogScreen.-narrow #body { layout: vertical; }
    LogScreen.-narrow #days-pane { width: 100%; height: 8; }
    LogScreen.-narrow #day-pane { width: 100%; height: 1fr; }
    LogScreen.-narrow.-empty #days-pane { height: 1fr; }
    LogScreen.-empty #days-pane { width: 1fr; }
    LogScreen.-empty #day-pane { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("log")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-two")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "#days"

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
        """
        super().__init__(setting, snapshot)
        self._words = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        machine = setting.machine
        path = machine.config_file if machine is not None else None
        self._settings = visible(short_path(path, setting.home)) if path is not None else ""
        self._logging = setting.logging()
        self._reading = True
        self._today = dt.date.min
        self._read: LogDay | None = None

    def compose(self) -> ComposeResult:
        """Top line; the days beside one day's log; keys."""
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="days-pane", classes="pane"):
                yield PaneTitle(id="days-title")
                yield RowList[dt.date](self._draw, lambda day: day, id="days")
            with Pane(id="day-pane", classes="pane"):
                yield PaneTitle(id="day-title")
                yield TextView(id="day-text")
        with Horizontal(id="bottom"):
            yield KeyBar("log", id="keys")

    def on_mount(self) -> None:
        """Say that reading has begun, and begin."""
        self.show_header()
        self._show(())
        self._load()

    @property
    def _list(self) -> RowList[dt.date]:
        return cast("RowList[dt.date]", self.query_one("#days", RowList))

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        return Situation(
            selected=self._list.cursor is not None,
            read_only=self._setting.read_only,
            busy=self._busy,
            logging=self._logging,
            total=len(self._list.rows),
            away=True,
        )

    @property
    def moving_pane(self) -> Movable:
        """The text where it has the focus, else the days."""
        text = self.query_one(TextView)
        return text if text.has_focus else self._list

    # --- reading and writing, in threads ---

    def _log(self, manager: MemoryManager) -> DailyLog:
        return DailyLog(manager.folder, clock=self._setting.clock, zone=self._setting.zone)

    def _load(self) -> None:
        manager = self.main.manager
        if manager is not None:
            self.run_worker(
                partial(self._read_days, manager, self.app.post_message),
                thread=True,
                group="days",
                exclusive=True,
            )

    def _read_days(self, manager: MemoryManager, tell: Tell) -> None:
        log = self._log(manager)
        try:
            self.post_message(DaysRead(log.days(), log.today()))
        except MemtuiError as error:
            self.post_message(DaysRead((), log.today()))
            tell(Failed(error))

    def _read_day(self, manager: MemoryManager, day: dt.date) -> None:
        self.post_message(DayRead(self._log(manager).read(day)))

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; perhaps somebody logged something."""
        self._snapshot = message.snapshot
        self._load()

    def on_screen_resume(self, event: ScreenResume) -> None:
        """In front again: perhaps somebody logged something meanwhile."""
        super().on_screen_resume(event)
        self._load()

    def on_days_read(self, message: DaysRead) -> None:
        """Show the days, and read the one under the cursor anew."""
        self._reading, self._today = False, message.today
        self._show(message.days)
        self._show_day()

    def on_day_read(self, message: DayRead) -> None:
        """Show the day, if it is still wanted."""
        if message.read.day == self._list.cursor:
            self._read = message.read
            self.query_one("#day-title", PaneTitle).show(*present_log.day_title(self._read, self._words))
            blocks = present_log.day_blocks(self._read, self.speaks, self._words)
            self.query_one(TextView).show(blocks, key=message.read.day)

    @on(RowList.Moved)
    def _moved(self) -> None:
        self._show_day()
        self.show_keys()

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.perform("read_day")

    # --- drawing ---

    def _draw(self, day: dt.date, cells: int, cursor: bool) -> Line:
        return present_log.day_row(day, cells, cursor=cursor, today=self._today, lang=self.speaks)

    def _show(self, days: tuple[dt.date, ...]) -> None:
        say = self._words
        count = (say.days_one if len(days) == 1 else say.days).format(n=len(days)) if days else ""
        self.query_one("#days-title", PaneTitle).show(say.title, count)
        empty = present_log.empty_lines(
            reading=self._reading, switched_on=self._logging, settings=self._settings, say=say
        )
        self._list.show(days, empty=empty)
        self.set_class(not days, "-empty")
        self.show_keys()

    def _show_day(self) -> None:
        day, manager = self._list.cursor, self.main.manager
        if day is None:
            self.query_one("#day-title", PaneTitle).show("")
            self.query_one(TextView).show((), key=None)
        elif manager is not None:
            self.run_worker(partial(self._read_day, manager, day), thread=True, group="day", exclusive=True)

    # --- actions ---

    def perform(self, action_id: str) -> None:
        """Do it; whoever has switched the log on meanwhile may write at once."""
        if action_id == "append_line" and not self._logging and self._setting.logging():
            self._logging = True
            self._show(tuple(self._list.rows))
        super().perform(action_id)

    def do_append_line(self) -> None:
        """Ask for a line, and write it."""
        manager = self.main.manager
        if manager is None:
            return

        def written(done: Appended | None) -> None:
            if done is not None:
                say = self._words
                text = f"{say.logged.format(time=done.time)}  {visible(done.rel)} "
                self.query_one("#header", Bar).right = ((text, "good"),)
                self._list.move_to(0)
                self._load()

        write = partial(self._log(manager).append, manager)
        self.app.push_screen(LogLineScreen(write, self.speaks), written)

    def do_read_day(self) -> None:
        """To the text."""
        self.query_one(TextView).focus()

    def do_other_part_of_log(self) -> None:
        """From the days to the text, and back."""
        text = self.query_one(TextView)
        (self._list if text.has_focus else text).focus()

    def do_back_from_log(self) -> None:
        """Out of the text, then out of the log."""
        if self.query_one(TextView).has_focus:
            self._list.focus()
        else:
            self.dismiss(None)

    def do_close_log(self) -> None:
        """Back to the memories."""
        self.dismiss(None)
