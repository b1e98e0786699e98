"""The threads that look things up for whoever reads a memory: what it names, what it has to do with others, how it was used.

No thread touches a widget; what it has to tell goes to every screen on the stack that wants it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.types import MemoryEntry
from memtui.tui.app_choices import ChoosingApp
from memtui.tui.machine import Machine
from memtui.tui.messages import (
    ChangeDone,
    ClaimsChecked,
    ClaimsWanted,
    DraftsKnown,
    Failed,
    SeenKnown,
    SeenWanted,
    SnapshotArrived,
    TeamKnown,
    Undoable,
    UsageKnown,
    UsageProgress,
)
from memtui.tui.related import Relations

if TYPE_CHECKING:
    from memtui.claude.usage_report import UsageReport
    from memtui.store import Snapshot

UsageReading = Callable[[threading.Event, Callable[[int, int], None]], "UsageReport"]
"""Reads what is new in the transcripts until the event is set; is told how to say the bytes read, of how many."""
USAGE_TOLD_BYTES = 20_000_000
"""Bytes of transcripts from which on it is said how far they are read: less is done at once (ours)."""


class LookingApp(ChoosingApp):
    """Looks things up in threads.

    Attributes:
        snapshot: the directory as last seen; None before it was read.
        usage: what transcripts say of the memories.
    """

    snapshot: Snapshot | None
    usage: UsageReport | None
    _lookup: Callable[[str], Mapping[str, bool]] | None
    _usage: UsageReading | None
    _reading_usage: bool
    _seeing: threading.Event
    _looking: threading.Lock
    _relations: Relations
    _stop: threading.Event

    # --- what a memory names, and what it has to do with others ---

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

    # --- other stores ---

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

    # --- transcripts ---

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
