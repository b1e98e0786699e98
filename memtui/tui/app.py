"""The app: holds the store and the manager, lets threads do what takes time, and passes on what they tell."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.events import Event, InputEvent, Key, Paste
from textual.filter import LineFilter
from textual.worker import WorkerFailed

from memtui.choices import Choices, ChoicesFile
from memtui.config import NOTHING_SET, Config
from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.saying import Say, said, system_said
from memtui.memory.text import visible
from memtui.memory.types import Clock, Lang, MemoryEntry
from memtui.preferences import Preferences
from memtui.tui import themes
from memtui.tui.machine import Machine
from memtui.tui.messages import (
    ChangeDone,
    ChangeWanted,
    ClaimsChecked,
    ClaimsWanted,
    DraftsChanged,
    DraftsKnown,
    Failed,
    Faulted,
    Recovered,
    SeenKnown,
    SeenWanted,
    SnapshotArrived,
    TeamKnown,
    TeamTold,
    ThemeKept,
    Undoable,
    UsageKnown,
    UsageProgress,
)
from memtui.tui.related import Relations
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.setting import Setting, never, no_model
from memtui.tui.typeahead import TypeAhead
from memtui.tui.voice import PLAIN, Voice
from memtui.tui.wall import AsciiOnly, Together, Wall
from memtui.tui.warming import AFTER_SECONDS, load_doors

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel
    from memtui.claude.stores import Store
    from memtui.claude.usage_report import UsageReport
    from memtui.memory.drafts import SavedDraft
    from memtui.memory.manager import MemoryManager
    from memtui.memory.unreviewed import Unreviewed
    from memtui.store import MemoryStore, Snapshot
    from memtui.tui.teaming import Teaming


def _palette() -> type[Provider]:
    from memtui.tui.palette import ActionProvider  # noqa: PLC0415 – loaded when the palette opens

    return ActionProvider


UsageReading = Callable[[threading.Event, Callable[[int, int], None]], "UsageReport"]
"""Reads what is new in the transcripts until the event is set; is told how to say the bytes read, of how many."""


class Opened(NamedTuple):
    """A directory that was opened.

    Attributes:
        store: watches it.
        manager: changes it.
        unreviewed: knows what others changed since the person last looked; None where that is not kept.
        team: makes what shares it with a team; None where nothing is kept of that.
        joined: whether it is shared with one, so that it is synced from the start.
    """

    store: MemoryStore
    manager: MemoryManager
    unreviewed: Unreviewed | None = None
    team: Callable[[], Teaming] | None = None
    joined: bool = False


class NextStore(NamedTuple):
    """A store that is to be opened next, and the memory to begin on."""

    store: Store
    slug: str


USAGE_TOLD_BYTES = 20_000_000
"""Bytes of transcripts from which on it is said how far they are read: less is done at once (ours)."""
FOLLOW_AGAIN_AFTER = 1.0
"""Seconds after which a directory is followed again when following it failed (ours)."""


class MemtuiApp(App[None]):
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
        painted: Callable[[], None] | None = None,
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
            painted: called once something stands on the screen.
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
        """
        super().__init__()
        self._at_keys = at_keys
        self.ahead = TypeAhead(self, super().on_event)
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
        self._painted = painted
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
        )

        if config.entries is not None:
            self._setting = replace(self._setting, entries=config.entries)
        self._choices = choices
        self._chosen, self._unread = choices.read() if choices is not None else (Choices(), False)
        self._choice = 0
        given: dict[str, Any] = {"density": config.density, "columns": config.columns}
        self._given = {name: value for name, value in given.items() if value is not None}
        preferences = replace(self._chosen.liked, **self._given)
        self._setting = replace(
            self._setting, preferences=preferences, remember=self._remember, voice=lambda: self.voice
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

    def on_mount(self) -> None:
        """Put on what the person has set; what cannot be used is told."""
        config, lang = self._config, self._setting.lang
        if self._greeting:
            self.notify(
                visible(self._greeting, keep_newlines=True), severity="warning", timeout=15, markup=False
            )
        if lang != "en" or config.keys:
            keys: Mapping[str, str] = {}
            if config.keys:
                from memtui.tui.keymap import make_keymap  # noqa: PLC0415 – few have keys of their own

                keymap = make_keymap(config.keys, config.sources, lang)
                keys = keymap.keys
                self.set_keymap(dict(keys))
                for problem in keymap.problems:
                    self._tell_setting(problem)
            self.voice = Voice(lang, keys)
        if config.theme is not None:
            name, near = themes.find_theme(self, config.theme)
            if name is not None:
                self.theme = name
            else:
                from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

                say = words(lang)
                hint = say.did_you_mean.format(name=near) if near else say.see_readme
                where = visible(config.sources.get("theme", ""))
                self._tell_setting(say.no_theme.format(name=visible(config.theme), where=where, hint=hint))

        elif self._chosen.theme in self.available_themes:
            self.theme = str(self._chosen.theme)
        if self._unread and self._choices is not None:
            from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

            self._tell_setting(words(lang).choices_unread.format(path=visible(str(self._choices.path))))

    # --- what is kept from one run to the next ---

    def _remember(self, liked: Preferences) -> None:
        """Keep how the list is liked, but for what the configuration says anyway."""
        before = self._chosen.liked
        kept = replace(liked, **{name: getattr(before, name) for name in self._given})
        self._keep(replace(self._chosen, liked=kept))

    def on_theme_kept(self, message: ThemeKept) -> None:
        """Put on a theme somebody has decided for, and keep it."""
        self.theme = message.name
        self._keep(replace(self._chosen, theme=message.name))

    def _keep(self, chosen: Choices) -> None:
        if self._choices is None or chosen == self._chosen:
            return
        self._chosen = chosen
        self._choice += 1
        self.run_worker(
            partial(self._write, self._choices, chosen, self._choice), thread=True, group="choices"
        )

    def _write(self, file: ChoicesFile, chosen: Choices, serial: int) -> None:
        try:
            file.write(chosen, serial)
        except OSError as error:
            from memtui.memory.disk import refused  # noqa: PLC0415 – hardly ever needed
            from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

            self.post_message(
                Failed(refused(error, words(self._setting.lang).choices_unwritten, str(file.path)))
            )

    def open_store(self, store: Store, slug: str = "") -> None:
        """End, and let the next app open another store; everything is on disk already.

        Args:
            store: which.
            slug: the memory to begin on there.
        """
        self.next_store = NextStore(store, slug)
        self._stop.set()
        self.exit()

    def _tell_setting(self, problem: str) -> None:
        from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

        title = words(self._setting.lang).title
        self.notify(problem, title=title, severity="warning", timeout=15, markup=False)

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
        if self._painted is not None:
            self._painted()
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

    # --- threads: they touch no widget, they post messages ---

    def _follow(self) -> None:
        """Read the directory, and follow it until the app ends."""
        store, manager, self.unreviewed, self._make_team, joined = self._opening()
        self.store, self.manager = store, manager
        self._look(store, manager)
        self._recover(store, manager)
        self._look_for_drafts(manager, tell=True)
        if joined:
            self.call_later(self.follow_team)
        while not self._stop.is_set():
            try:
                store.watch(self._stop, lambda snapshot: self._publish(snapshot, manager))
            except Exception as error:  # noqa: BLE001  -- a mistake of ours must not leave a list that stands still
                self.post_message(Faulted(error))
                if self._stop.wait(FOLLOW_AGAIN_AFTER):
                    return
                self._look(store, manager)
            else:
                return

    def on_faulted(self, message: Faulted) -> None:
        """Report a mistake in a thread that goes on."""
        self._survive(message.error)

    def _recover(self, store: MemoryStore, manager: MemoryManager) -> None:
        """Finish or take back what a crash interrupted."""
        try:
            done = manager.recover()
        except MemtuiError as error:
            self.post_message(Failed(error))
        else:
            if done:
                self.post_message(Recovered(done))
                self._look(store, manager)

    def _look_for_drafts(self, manager: MemoryManager, *, tell: bool = False) -> None:
        from memtui.memory.drafts import Drafts  # noqa: PLC0415 – loaded behind the first paint

        if not self._setting.read_only:  # where nothing can be written, nothing can be gone on with
            self.post_message(DraftsKnown(Drafts(manager.folder, self._setting.clock).all(), tell=tell))

    def _look(self, store: MemoryStore, manager: MemoryManager) -> None:
        try:
            self._publish(store.refresh(), manager)
        except MemtuiError as error:
            self.post_message(Failed(error))

    def _publish(self, snapshot: Snapshot, manager: MemoryManager) -> None:
        self.post_message(SnapshotArrived(snapshot))
        try:
            undo, redo = manager.undoable(), manager.redoable()
        except MemtuiError:  # whoever presses undo is told; a directory can be followed without its journal
            undo = redo = None
        self.post_message(Undoable(undo.label if undo else None, redo.label if redo else None))

    def _change(self, wanted: ChangeWanted, store: MemoryStore, manager: MemoryManager) -> None:
        try:
            result = wanted.do(manager)
        except MemtuiError as error:
            self.post_message(Failed(error))
        except OSError as error:
            self.post_message(
                Failed(
                    Refused(
                        Say("the system said no: {reason}", reason=system_said(error)),
                        where=str(error.filename),
                    )
                )
            )
        else:
            self.post_message(ChangeDone(result, wanted.verb))
        # The watcher tells of our own changes as of anybody's; where it can only poll, this look is sooner.
        self._look(store, manager)

    def _look_up(self, entry: MemoryEntry, snapshot: Snapshot) -> None:
        with self._looking:
            found = self._lookup(entry.content) if self._lookup is not None else {}
            related = self._relations.of(entry, snapshot)._replace(usage=self._used(entry))
            self.post_message(ClaimsChecked(entry, found, related))

    def _used(self, entry: MemoryEntry) -> tuple[str, ...]:
        """How transcripts say that a memory was used."""
        report = self.usage
        if report is None or not report.sessions or not entry.is_active:
            return ()
        from memtui.claude.usage_words import usage_line  # noqa: PLC0415 – where there are transcripts only

        setting = self._setting
        return (usage_line(report.of(entry.rel, entry.modified), report, setting.clock(), setting.lang),)

    # --- messages ---

    def on_change_wanted(self, message: ChangeWanted) -> None:
        """Let a thread make the change."""
        if self.store is not None and self.manager is not None:
            self.run_worker(
                partial(self._change, message, self.store, self.manager), thread=True, group="change"
            )

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """Pass the directory's new state on to every screen that shows it."""
        first = self.snapshot is None
        self.snapshot = message.snapshot
        self._pass_on(message)
        if self.team is not None:
            self.team.seen(message.snapshot)
        if first:
            self._ask_for_usage()
            self.set_timer(AFTER_SECONDS, self._load_doors)

    def _load_doors(self) -> None:
        """Have the screens loaded that the next key may open."""
        self.run_worker(load_doors, thread=True, group="doors")

    def _ask_for_usage(self) -> None:
        """Let a thread read what is new in the transcripts, unless one is at it."""
        if self._usage is not None and not self._reading_usage:
            self._reading_usage = True
            self.run_worker(partial(self._read_usage, self._usage), thread=True, group="usage")

    def _read_usage(self, read: UsageReading) -> None:
        told = 0

        def progress(done: int, total: int) -> None:
            nonlocal told
            percent = 100 * done // max(1, total)
            if total >= USAGE_TOLD_BYTES and percent > told:
                told = percent
                self.post_message(UsageProgress(percent))

        try:
            self.post_message(UsageKnown(read(self._stop, progress)))
        finally:
            self._reading_usage = False

    def on_usage_progress(self, message: UsageProgress) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_usage_known(self, message: UsageKnown) -> None:
        """Keep it for screens to come, and pass it on."""
        self.usage = message.report
        self._pass_on(message)

    def on_undoable(self, message: Undoable) -> None:
        """Keep it for screens to come, and pass it on."""
        self.undoable = message
        self._pass_on(message)

    def on_drafts_changed(self, message: DraftsChanged) -> None:
        """Let a thread see what is unsaved by now."""
        del message
        if self.manager is not None:
            self.run_worker(partial(self._look_for_drafts, self.manager), thread=True, group="drafts")

    def on_drafts_known(self, message: DraftsKnown) -> None:
        """Keep it for screens to come, and pass it on."""
        self.drafts = message.found
        self._pass_on(message)

    def on_change_done(self, message: ChangeDone) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_claims_wanted(self, message: ClaimsWanted) -> None:
        """Let a thread look up what a memory names, and what it has to do with others."""
        if self.snapshot is not None:
            self.run_worker(
                partial(self._look_up, message.entry, self.snapshot),
                thread=True,
                group="claims",
                description="what a memory names",  # else Textual writes out the parts
            )

    def on_claims_checked(self, message: ClaimsChecked) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_seen_wanted(self, message: SeenWanted) -> None:
        """Let a thread look through the other stores; it drops the memory that was asked about before."""
        self._seeing.set()
        self._seeing = threading.Event()
        machine, entry = self._setting.machine, message.entry
        if machine is not None and entry is not None:
            self.run_worker(
                partial(self._look_elsewhere, machine, entry, self._seeing),
                thread=True,
                group="seen",
            )

    def _look_elsewhere(self, machine: Machine, entry: MemoryEntry, drop: threading.Event) -> None:
        sentence = machine.seen(entry, lambda: drop.is_set() or self._stop.is_set())
        if not drop.is_set():
            self.post_message(SeenKnown(entry, sentence))

    def on_seen_known(self, message: SeenKnown) -> None:
        """Pass it on."""
        self._pass_on(message)

    # --- the team ---

    @property
    def shares(self) -> bool:
        """Whether a directory can be shared with a team at all; not yet known counts as yes."""
        return self.store is None or self._make_team is not None

    def follow_team(self) -> None:
        """Let a thread sync what is shared with a team, unless one does, or nothing is."""
        if self._make_team is not None and not self._following_team:
            self._following_team = True
            self.run_worker(partial(self._sync_team, self._make_team), thread=True, group="watch")

    def _sync_team(self, make: Callable[[], Teaming]) -> None:
        try:
            if self.team is None:
                self.team = make()
            if not self._stop.is_set():
                self.team.run(self.post_message)
        except MemtuiError as error:
            self.post_message(Failed(error))
        finally:
            self._following_team = False

    def on_team_known(self, message: TeamKnown) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_team_told(self, message: TeamTold) -> None:
        """Say what a sync brought, each thing once; whoever looks at the team screen sees it there."""
        from memtui.tui.notices_team import team_notice  # noqa: PLC0415 – where a team shares only

        notice = team_notice(message.news, self.voice)
        if notice is not None and getattr(self.screen, "PLACE", "") != "team":
            title, text, severity = notice
            self.notify(text, title=title, severity=severity, timeout=15, markup=False)

    def on_recovered(self, message: Recovered) -> None:
        """Say what a crash had interrupted, and what was done about it."""
        from memtui.tui.wording.whole import words  # noqa: PLC0415 – hardly ever needed

        text = "\n".join(visible(said(sentence, self._setting.lang)) for sentence in message.sentences)
        self.notify(text, title=words(self._setting.lang).recovered, timeout=15, markup=False)

    def on_failed(self, message: Failed) -> None:
        """Pass it on."""
        self._pass_on(message)

    def _pass_on(
        self,
        message: SnapshotArrived
        | Undoable
        | UsageKnown
        | UsageProgress
        | ChangeDone
        | ClaimsChecked
        | SeenKnown
        | DraftsKnown
        | TeamKnown
        | Failed,
    ) -> None:
        if not self.is_running:
            return  # it is ending, and its screens are being taken down
        for screen in self.screen_stack:
            handler = getattr(screen, message.handler_name, None)
            if handler is not None:
                handler(message)
