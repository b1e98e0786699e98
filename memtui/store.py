"""``MemoryStore``: what a screen shows of a memory directory, as immutable snapshots (design §2).

One direction: disk → ``Directory`` → ``Snapshot``. Our own writes come the same way as everybody's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memtui.memory.conventions import INBOX_FOLDER, Convention
from memtui.memory.files import Unreadable
from memtui.memory.index import IndexReport, report
from memtui.memory.scan import SETTLE_SECONDS, Changes, Directory
from memtui.memory.types import Clock, MemoryEntry
from memtui.watching import FolderWatch, WatchState

if TYPE_CHECKING:
    from memtui.memory.findings import Finding

__all__ = ["Checker", "MemoryStore", "Snapshot", "WatchState"]

CHECK_AFTER_SECONDS = 0.1
"""How long nothing has to change before the checks begin (ours)."""
_MOST_WAITS = 10
"""So many changes in a row do not put the checks off any more."""


class Checker(Protocol):
    """Looks for what is wrong in a directory."""

    def update(self, changes: Changes | None) -> tuple[Finding, ...]:
        """All findings, worst first, after these changes; None stands for any change."""
        ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A memory directory at one moment. Nothing in it ever changes.

    Its ``repr`` leaves out what the files say: whoever logs it or makes a worker with it would wait for megabytes.

    Attributes:
        directory: the folder.
        convention: the habits it follows.
        entries: all memories, active before historical, then by score (which is newest first), then by slug.
        index: how ``MEMORY.md`` stands against its limits.
        index_text: its text; empty if there is none.
        findings: what the last check found, worst first.
        findings_pending: whether something changed since that check; another snapshot brings its result.
        inbox_count: proposals that wait for review.
        changes: what became different since the snapshot of the generation before.
        watch: how changes on disk are noticed.
        generation: counts up by one from snapshot to snapshot; 0 before anything was read. Whoever missed one takes
            everything as changed.
        missing: whether the folder is not there.
        occupied: whether something that is no folder stands in its place.
        loaded_at: when it was made, Unix seconds.
    """

    directory: Path
    convention: Convention
    entries: tuple[MemoryEntry, ...] = field(repr=False)
    index: IndexReport = field(repr=False)
    index_text: str = field(repr=False)
    findings: tuple[Finding, ...] = field(repr=False)
    findings_pending: bool
    inbox_count: int
    changes: Changes = field(repr=False)
    watch: WatchState
    generation: int
    missing: bool
    loaded_at: float
    occupied: bool = False


class MemoryStore:
    """Follows one directory and publishes what it holds. Methods may be called from any thread.

    Attributes:
        directory: what is followed; may be shared with a ``MemoryManager``.
        in_front: whether somebody looks at the result now. If not, full looks come rarely.
    """

    def __init__(
        self,
        directory: Directory,
        *,
        checker: Checker | None = None,
        clock: Clock = time.time,
        settle: float = SETTLE_SECONDS,
        polling: bool = False,
    ) -> None:
        """Prepare to follow a directory; nothing is read yet.

        Args:
            directory: what to follow.
            checker: finds what is wrong; None finds nothing.
            clock: gives the time, Unix seconds.
            settle: how long the last good view of a half-written file stays, seconds.
            polling: do without the system's events, for file systems that lose them.
        """
        self.directory = directory
        self.in_front = True
        self._checker = checker
        self._clock = clock
        self._settle = settle
        self._polling = polling
        self._lock = threading.RLock()
        self._check_lock = threading.Lock()
        self._publish_lock = threading.Lock()
        self._wake = threading.Event()
        self._failure: BaseException | None = None
        self._unchecked: Changes | None = None
        self._snapshot = Snapshot(
            directory=directory.root,
            convention=directory.convention,
            entries=(),
            index=report(None, directory.convention),
            index_text="",
            findings=(),
            findings_pending=checker is not None,
            inbox_count=0,
            changes=Changes(),
            watch=WatchState(),
            generation=0,
            missing=False,
            loaded_at=clock(),
        )

    @property
    def snapshot(self) -> Snapshot:
        """The newest one."""
        return self._snapshot

    def refresh(self, hints: Iterable[str] | None = None) -> Snapshot:
        """Look at the directory again.

        Args:
            hints: paths below it to look at; None looks at everything.

        Returns:
            The newest snapshot: the same object as before if nothing became different.

        Raises:
            Unreadable: the folder cannot be listed. The snapshot stays as it is.
        """
        return self._refresh(hints, None)

    def _refresh(self, hints: Iterable[str] | None, state: WatchState | None) -> Snapshot:
        with self._lock:
            wanted = None if hints is None else frozenset(hints)
            self.directory.refresh(wanted, settle=self._settle)
            old, directory = self._snapshot, self.directory
            changes = directory.take_changes()
            convention = directory.convention
            inbox, watch = old.inbox_count, state or old.watch
            if wanted is None or any(rel.startswith(INBOX_FOLDER) for rel in wanted):
                inbox = self._count_inbox()
            same = (convention, directory.missing, directory.occupied, inbox, watch)
            if (
                old.generation
                and not changes
                and same == (old.convention, old.missing, old.occupied, old.inbox_count, old.watch)
            ):
                return old
            if self._unchecked is not None:
                self._unchecked = self._unchecked.then(changes)
            text, index = old.index_text, old.index
            if changes.index or convention is not old.convention or not old.generation:
                text = directory.index_text
                there = directory.index_data is not None or directory.index_problem is not None
                index = report(text if there else None, convention)
            self._snapshot = Snapshot(
                directory=directory.root,
                convention=convention,
                entries=directory.entries,
                index=index,
                index_text=text,
                findings=old.findings,
                findings_pending=self._checker is not None and (old.findings_pending or bool(changes)),
                inbox_count=inbox,
                changes=changes,
                watch=watch,
                generation=old.generation + 1,
                missing=directory.missing,
                occupied=directory.occupied,
                loaded_at=self._clock(),
            )
            if self._snapshot.findings_pending:
                self._wake.set()
            return self._snapshot

    def _count_inbox(self) -> int:
        folder = self.directory.folder
        try:
            fd = folder.open_folder(INBOX_FOLDER)
        except (OSError, Unreadable):
            return 0
        try:
            found = folder.disk.scandir(fd)
            return sum(entry.name[0] != "." and entry.is_file(follow_symlinks=False) for entry in found)
        except OSError:
            return 0
        finally:
            folder.disk.close(fd)

    def check(self) -> Snapshot:
        """Bring the findings up to date; takes as long as the checks do.

        Returns:
            The newest snapshot. Its findings are pending again if something changed during the checks.
        """
        with self._check_lock:
            with self._lock:
                if (
                    self._checker is None
                    or not self._snapshot.generation
                    or not self._snapshot.findings_pending
                ):
                    return self._snapshot
                changes, self._unchecked = self._unchecked, Changes()
            findings = self._checker.update(changes)
            with self._lock:
                self._snapshot = replace(
                    self._snapshot,
                    findings=findings,
                    findings_pending=bool(self._unchecked),
                    changes=Changes(),
                    generation=self._snapshot.generation + 1,
                    loaded_at=self._clock(),
                )
                return self._snapshot

    # -- following -------------------------------------------------------------------------------------------------

    def watch(self, stop: threading.Event, publish: Callable[[Snapshot], None]) -> None:
        """Follow the directory until ``stop`` is set. Blocks: for a thread of its own.

        Args:
            stop: set from outside to end it.
            publish: gets every new snapshot, from this thread or from the one that checks, never from both at once.
                Snapshots that `refresh` or `check` gave to another caller are not repeated.
        """
        watching = FolderWatch(
            self.directory.folder,
            stop,
            in_front=lambda: self.in_front,
            unsettled=lambda: self.directory.unsettled,
            polling=self._polling,
        )
        ended = threading.Event()
        checking = threading.Thread(
            target=self._check_on_demand, args=(stop, ended, publish), name="memtui-checks", daemon=True
        )
        self._failure = None
        checking.start()
        try:
            for look in watching.looks():
                self._look(look.hints, look.state, stop, publish)
                if self._failure is not None:
                    raise self._failure
        finally:
            ended.set()
            self._wake.set()
            with self._lock:
                self._snapshot = replace(self._snapshot, watch=WatchState())

    def _look(
        self,
        hints: frozenset[str] | None,
        state: WatchState,
        stop: threading.Event,
        publish: Callable[[Snapshot], None],
    ) -> None:
        with self._publish_lock:
            before = self._snapshot
            try:
                after = self._refresh(hints, state)
            except Unreadable as error:
                with self._lock:
                    said = WatchState(state.mode, error.sentence)
                    if self._snapshot.watch == said:
                        return
                    after = self._snapshot = replace(
                        self._snapshot,
                        watch=said,
                        changes=Changes(),
                        generation=self._snapshot.generation + 1,
                        loaded_at=self._clock(),
                    )
            if after is not before and not stop.is_set():
                publish(after)

    def _check_on_demand(
        self, stop: threading.Event, ended: threading.Event, publish: Callable[[Snapshot], None]
    ) -> None:
        try:
            while True:
                self._wake.wait()
                self._wake.clear()
                # What was published is painted first: the checks would keep the screen from the processor.
                waits = 0
                while self._wake.wait(CHECK_AFTER_SECONDS) and waits < _MOST_WAITS and not ended.is_set():
                    self._wake.clear()
                    waits += 1
                if stop.is_set() or ended.is_set():
                    return
                before = self._snapshot
                after = self.check()
                with self._publish_lock:
                    # A newer one has these findings too, and goes out by itself.
                    if after is not before and after is self._snapshot and not stop.is_set():
                        publish(after)
                if after.findings_pending and self._checker is not None:
                    self._wake.set()
        except BaseException as error:  # noqa: BLE001  -- carried to the thread that watches, which raises it
            self._failure = error
