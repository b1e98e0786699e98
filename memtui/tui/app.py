"""The app: holds the store and the manager, lets threads do what takes time, and passes on what they tell."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.command import Provider
from textual.filter import LineFilter

from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.types import Clock, Lang, MemoryEntry
from memtui.tui.messages import (
    ChangeDone,
    ChangeWanted,
    ClaimsChecked,
    ClaimsWanted,
    Failed,
    SnapshotArrived,
    Undoable,
)
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.setting import Setting
from memtui.tui.wall import AsciiOnly, Wall

if TYPE_CHECKING:
    from memtui.memory.manager import MemoryManager
    from memtui.store import MemoryStore, Snapshot


def _palette() -> type[Provider]:
    from memtui.tui.palette import ActionProvider  # noqa: PLC0415 – loaded when the palette opens

    return ActionProvider


class MemtuiApp(App[None]):
    """See and curate one memory directory.

    What the store sees arrives as a ``SnapshotArrived`` message and goes to every screen on the stack that wants it;
    what a screen wants changed arrives as a ``ChangeWanted`` and is done in a thread.
    """

    CSS_PATH = "memtui.tcss"
    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS = {_palette}  # noqa: RUF012 – Textual reads it off the class
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        directory: Path,
        opening: Callable[[], tuple[MemoryStore, MemoryManager]],
        *,
        clock: Clock,
        lang: Lang = "en",
        ascii_mode: bool = False,
        read_only: bool = False,
        title: str = "",
        home: Path | None = None,
        painted: Callable[[], None] | None = None,
        lookup: Callable[[str], Mapping[str, bool]] | None = None,
    ) -> None:
        """Prepare the app.

        Args:
            directory: the memory directory; it need not exist.
            opening: makes the store that watches it, and the manager that changes it and shares the store's
                ``Directory``. It is called in a thread behind the first paint: loading the memory system takes as
                long as loading Textual.
            clock: gives the time, Unix seconds.
            lang: language of what goes into a prompt.
            ascii_mode: whether to draw with ASCII only.
            read_only: whether changes are switched off.
            title: what to call the directory.
            home: the home folder, for short paths.
            painted: called once something stands on the screen.
            lookup: says what of the things a text names is there; called in one thread at a time.
        """
        super().__init__()
        self.ascii_mode = ascii_mode
        self.undoable = Undoable(None, None)
        self.snapshot: Snapshot | None = None
        self.manager: MemoryManager | None = None
        self.store: MemoryStore | None = None
        self._opening = opening
        self._painted = painted
        self._lookup = lookup
        self._looking = threading.Lock()
        self._stop = threading.Event()
        self._walls: tuple[LineFilter, ...] = (AsciiOnly(), Wall()) if ascii_mode else (Wall(),)
        self._setting = Setting(directory, title, clock, lang, read_only=read_only, home=home)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own filters, and behind them the walls that let no escape through."""
        return [*super().get_line_filters(), *self._walls]

    def get_default_screen(self) -> BrowseScreen:
        """Browse is where everything starts."""
        return BrowseScreen(self._setting)

    def on_first_painted(self) -> None:
        """Read and watch, now that the screen is not kept waiting by it."""
        if self._painted is not None:
            self._painted()
        self.run_worker(self._follow, thread=True, group="watch")

    def on_app_focus(self) -> None:
        """Somebody looks: look at the directory often."""
        self._look_often(True)

    def on_app_blur(self) -> None:
        """Nobody looks: full looks may come rarely."""
        self._look_often(False)

    def _look_often(self, often: bool) -> None:
        if self.store is not None:
            self.store.in_front = often

    def on_unmount(self) -> None:
        """Let the watching thread end."""
        self._stop.set()

    async def action_quit(self) -> None:
        """Leave; everything is on disk already."""
        self._stop.set()
        self.exit()

    # --- threads: they touch no widget, they post messages ---

    def _follow(self) -> None:
        """Read the directory, and follow it until the app ends."""
        self.store, self.manager = store, manager = self._opening()
        self._look(store, manager)
        store.watch(self._stop, lambda snapshot: self._publish(snapshot, manager))

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
                Failed(Refused(f"the system said no: {error.strerror}", where=str(error.filename)))
            )
        else:
            self.post_message(ChangeDone(result, wanted.verb))
        # The watcher tells of our own changes as of anybody's; where it can only poll, this look is sooner.
        self._look(store, manager)

    def _look_up(self, entry: MemoryEntry, lookup: Callable[[str], Mapping[str, bool]]) -> None:
        with self._looking:
            self.post_message(ClaimsChecked(entry, lookup(entry.content)))

    # --- messages ---

    def on_change_wanted(self, message: ChangeWanted) -> None:
        """Let a thread make the change."""
        if self.store is not None and self.manager is not None:
            self.run_worker(
                partial(self._change, message, self.store, self.manager), thread=True, group="change"
            )

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """Pass the directory's new state on to every screen that shows it."""
        self.snapshot = message.snapshot
        self._pass_on(message)

    def on_undoable(self, message: Undoable) -> None:
        """Keep it for screens to come, and pass it on."""
        self.undoable = message
        self._pass_on(message)

    def on_change_done(self, message: ChangeDone) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_claims_wanted(self, message: ClaimsWanted) -> None:
        """Let a thread look up what a memory names."""
        if self._lookup is not None:
            self.run_worker(partial(self._look_up, message.entry, self._lookup), thread=True, group="claims")

    def on_claims_checked(self, message: ClaimsChecked) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_failed(self, message: Failed) -> None:
        """Pass it on."""
        self._pass_on(message)

    def _pass_on(self, message: SnapshotArrived | Undoable | ChangeDone | ClaimsChecked | Failed) -> None:
        for screen in self.screen_stack:
            handler = getattr(screen, message.handler_name, None)
            if handler is not None:
                handler(message)
