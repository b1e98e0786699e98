"""The app: what it is made of, how a key reaches it, and how it starts, fails and ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.events import Event, InputEvent, Key, Paste
from textual.filter import LineFilter
from textual.notifications import Notify, SeverityLevel
from textual.worker import WorkerFailed

from memtui.choices import Choices, ChoicesFile
from memtui.config import NOTHING_SET, Config
from memtui.memory.errors import Refused
from memtui.memory.types import Clock, Lang
from memtui.tui.app_lookups import UsageReading
from memtui.tui.app_threads import FollowingApp, Opened
from memtui.tui.direct import DirectApp
from memtui.tui.machine import Machine
from memtui.tui.messages import Failed, Undoable
from memtui.tui.notices import NOTICE_CELLS, NOTICE_FRAME, notice_text
from memtui.tui.related import Relations
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.setting import Setting, at_once, never, no_model
from memtui.tui.typeahead import TypeAhead
from memtui.tui.voice import PLAIN, Voice
from memtui.tui.wall import AsciiOnly, Together, Wall

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel
    from memtui.claude.stores import Store
    from memtui.claude.usage_report import UsageReport
    from memtui.memory.live.drafts import SavedDraft
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.review.unreviewed import Unreviewed
    from memtui.store import MemoryStore, Snapshot
    from memtui.tui.teaming import Teaming


def _palette() -> type[Provider]:
    from memtui.tui.palette import ActionProvider  # noqa: PLC0415 – loaded when the palette opens

    return ActionProvider


class NextStore(NamedTuple):
    """A store that is to be opened next, and the memory to begin on."""

    store: Store
    slug: str


class MemtuiApp(DirectApp, FollowingApp):
    """See and curate one memory directory.

    What the store sees arrives as a ``SnapshotArrived`` message and goes to every screen on the stack that wants it;
    what a screen wants changed arrives as a ``ChangeWanted`` and is done in a thread.
    """

    CSS_PATH = "memtui.tcss"
    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS = {_palette}  # noqa: RUF012 – Textual reads it off the class
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", id="palette", show=False, priority=True)
    ]

    def __init__(
        self,
        directory: Path,
        opening: Callable[[], Opened],
        *,
        clock: Clock,
        lang: Lang = "en",
        ascii_mode: bool = False,
        read_only: bool = False,
        title: str = "",
        home: Path | None = None,
        editor: Sequence[str] = (),
        loaded: Callable[[], None] | None = None,
        lookup: Callable[[str], Mapping[str, bool]] | None = None,
        usage: UsageReading | None = None,
        config: Config = NOTHING_SET,
        team: bool = False,
        off: str = "",
        greeting: str = "",
        report: Callable[[BaseException], Path | None] | None = None,
        choices: ChoicesFile | None = None,
        machine: Machine | None = None,
        start: str = "",
        at_keys: Callable[[], None] | None = None,
        breathe: Callable[[], None] = at_once,
        model: Callable[[], AnthropicModel | None] = no_model,
        logging: Callable[[], bool] = never,
        zone: tzinfo | None = None,
    ) -> None:
        """Prepare the app.

        Args:
            directory: the memory directory; it need not exist.
            opening: makes the store that watches it, the manager that changes it and shares the store's
                ``Directory``, and what knows what others changed. It is called in a thread behind the first paint: loading the memory system takes as
                long as loading Textual.
            clock: gives the time, Unix seconds.
            lang: language of what goes into a prompt.
            ascii_mode: whether to draw with ASCII only.
            read_only: whether changes are switched off.
            title: what to call the directory.
            home: the home folder, for short paths.
            editor: the person's own editor, as a command to which a file is added.
            loaded: called when what stays has come: once something stands on the screen, and once all was checked.
            lookup: says what of the things a text names is there; called in one thread at a time.
            usage: reads what is new in the transcripts, until the event is set; called in one thread at a time.
            model: gives the model that may be asked; None where none is set up.
            logging: says whether the daily log is switched on.
            zone: the zone whose days count; None for the system's own.
            config: what the person has set.
            team: whether new memories may be the team's.
            off: why the client loads nothing of the directory; empty if it does, or if that is not known.
            greeting: what to say first; empty for nothing.
            report: writes down an error of memtui's own, and gives where; None if it could not.
            choices: what the person chose in earlier runs; None to keep nothing.
            machine: where the other stores are looked for.
            start: slug of the memory to begin on.
            at_keys: called at each key, and each move of the mouse.
            breathe: lets keys go first; called between the steps of a thread's work.
        """
        super().__init__()
        self._at_keys = at_keys
        self.ahead = TypeAhead(self, self.give)
        self.next_store: NextStore | None = None
        self._start = start
        self.voice: Voice = PLAIN
        self.faults: list[BaseException] = []
        self._config = config
        self._greeting = greeting
        self._report = report
        self.ascii_mode = ascii_mode
        self.undoable = Undoable(None, None)
        self.drafts: tuple[SavedDraft, ...] = ()
        self.snapshot: Snapshot | None = None
        self.manager: MemoryManager | None = None
        self.store: MemoryStore | None = None
        self.unreviewed: Unreviewed | None = None
        self.team: Teaming | None = None
        self._make_team: Callable[[], Teaming] | None = None
        self._following_team = False
        self._opening = opening
        self._loaded = loaded
        self._all_checked = False
        self._lookup = lookup
        self._usage = usage
        self._reading_usage = False
        self._seeing = threading.Event()
        self.usage: UsageReport | None = None
        self._looking = threading.Lock()
        self._relations = Relations()
        self._stop = threading.Event()
        self._walls: tuple[LineFilter, ...] = (AsciiOnly(), Wall()) if ascii_mode else (Wall(),)
        self._filtering = Together(self._walls)
        self._setting = Setting(
            directory,
            title,
            clock,
            lang,
            read_only=read_only,
            home=home,
            editor=tuple(editor),
            team=team,
            off=off,
            machine=machine,
            model=model,
            logging=logging,
            zone=zone,
            breathe=breathe,
        )

        if config.entries is not None:
            self._setting = self._setting._replace(entries=config.entries)
        self._choices = choices
        self._chosen, self._unread = choices.read() if choices is not None else (Choices(), False)
        self._choice = 0
        given: dict[str, Any] = {"density": config.density, "columns": config.columns}
        self._given = {name: value for name, value in given.items() if value is not None}
        preferences = self._chosen.liked._replace(**self._given)
        self._setting = self._setting._replace(
            preferences=preferences, remember=self._remember, voice=lambda: self.voice
        )

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own filters, and behind them the walls that let no escape through."""
        filters = (*super().get_line_filters(), *self._walls)
        if filters != self._filtering.filters:
            self._filtering = Together(filters)
        return (self._filtering,)

    @property
    def fault(self) -> Exception | None:
        """The error that ended the app; None if it was left in order."""
        return self._exception

    def get_default_screen(self) -> BrowseScreen:
        """Browse is where everything starts."""
        return BrowseScreen(self._setting, self._start)

    def open_store(self, store: Store, slug: str = "") -> None:
        """End, and let the next app open another store; everything is on disk already.

        Args:
            store: which.
            slug: the memory to begin on there.
        """
        self.next_store = NextStore(store, slug)
        self._stop.set()
        self.exit()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Tell something in passing; a long path in it is shortened, and broken where its parts end.

        Whatever is asked, no markup is read: notices hold what stands in files.
        """
        del markup
        cells = min(NOTICE_CELLS, self.size.width // 2) - NOTICE_FRAME
        text = notice_text(message, self._setting.home, max(1, cells))
        super().notify(text, title=title, severity=severity, timeout=timeout, markup=False)

    def on_notify(self, message: Notify) -> None:
        """The same thing said again takes the place of what was said: a pile of equal notices hides what one reads."""
        new = message.notification
        said = (new.title, new.message, new.severity)
        for old in list(self._notifications):
            if (old.title, old.message, old.severity) == said:
                self._unnotify(old, refresh=False)

    def action_help_quit(self) -> None:
        """Ctrl+C copies in a terminal; say how to leave."""
        from memtui.tui.wording.whole import words  # noqa: PLC0415 – not needed at start

        self.notify(words(self._setting.lang).leaves, markup=False)

    # --- errors of memtui's own ---

    def _handle_exception(self, error: Exception) -> None:
        """Go on when something failed in a thread; end in order when a screen did."""
        if isinstance(error, WorkerFailed):
            self._survive(error.error)
        else:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without a word: Textual's own would print the values of variables, and with them memories."""
        self._close_messages_no_wait()

    def _survive(self, error: BaseException) -> None:
        from memtui.tui.wording.whole import words  # noqa: PLC0415 – on the way to an error only

        self.faults.append(error)
        path = self._report(error) if self._report is not None else None
        say = words(self._setting.lang)
        where = say.fault_report.format(path=path) if path is not None else say.fault_unwritten
        self.on_failed(Failed(Refused(say.fault, todo=where)))

    # --- keys ---

    async def on_event(self, event: Event) -> None:
        """Let a key wait until the one before has done its work: typed ahead, it must not become another command.

        Who works in the background is told that somebody is at the keys.
        """
        if self._at_keys is not None and isinstance(event, InputEvent):
            self._at_keys()
        if (
            isinstance(event, Key | Paste)
            and not event.is_forwarded
            and self.is_running
            and self.screen_stack
        ):
            await self.ahead.take(event)
        else:
            await super().on_event(event)

    # --- what starts and ends ---

    def on_first_painted(self) -> None:
        """Read and watch, now that the screen is not kept waiting by it."""
        if self._loaded is not None:
            self._loaded()
        self.run_worker(self._follow, thread=True, group="watch")

    def on_app_focus(self) -> None:
        """Somebody looks: look at the directory often."""
        self._look_often(True)
        if self.snapshot is not None:
            self._ask_for_usage()

    def on_app_blur(self) -> None:
        """Nobody looks: full looks may come rarely."""
        self._look_often(False)

    def _look_often(self, often: bool) -> None:
        if self.store is not None:
            self.store.in_front = often

    def on_unmount(self) -> None:
        """Let the watching thread end."""
        self._stop.set()
        if self.team is not None:
            self.team.stop()

    async def action_quit(self) -> None:
        """Leave; everything is on disk already."""
        self.leave()

    def leave(self, code: int = 0) -> None:
        """End in order with an exit code, and open no other store."""
        self.next_store = None
        self._stop.set()
        self.exit(return_code=code)
