"""``MemoryStore``: what a screen shows of a memory directory, as immutable snapshots (design §2).

One direction: disk → ``Directory`` → ``Snapshot``. Our own writes come the same way as everybody's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.directory.changes import Changes
from memtui.memory.directory.scan import SETTLE_SECONDS, Directory
from memtui.memory.disk.files import Unreadable
from memtui.memory.errors import MemtuiError
from memtui.memory.index.entrypoint import report
from memtui.memory.types import Clock
from memtui.snapshot import Checker, Reviewer, Snapshot, WaitingFile
from memtui.watching import FolderWatch, WatchState

__all__ = ["Checker", "MemoryStore", "Reviewer", "Snapshot", "WatchState"]

CHECK_AFTER_SECONDS = 0.1
"""How long nothing has to change before the checks begin (ours)."""
_MOST_WAITS = 10
"""So many changes in a row do not put the checks off any more."""
_NONE = Changes()


class MemoryStore:
    """Follows one directory and publishes what it holds. Methods may be called from any thread.

    Attributes:
        directory: what is followed; may be shared with a ``MemoryManager``.
        in_front: whether somebody looks at the result now. If not, full looks come rarely.
        at_keys: says whether somebody is at the keys: full looks wait for a while then.
    """

    def __init__(
        self,
        directory: Directory,
        *,
        checker: Checker | None = None,
        reviewer: Reviewer | None = None,
        clock: Clock = time.time,
        polling: bool = False,
    ) -> None:
        """Prepare to follow a directory; nothing is read yet.

        Args:
            directory: what to follow.
            checker: finds what is wrong; None finds nothing.
            reviewer: finds what others changed; None finds nothing.
            clock: gives the time, Unix seconds.
            polling: do without the system's events, for file systems that lose them.
        """
        self.directory = directory
        self.in_front = True
        self.at_keys: Callable[[], bool] = lambda: False
        self._checker = checker
        self._reviewer = reviewer
        self._clock = clock
        self._polling = polling
        self._lock = threading.RLock()
        self._check_lock = threading.Lock()
        self._review_lock = threading.Lock()
        self._publish_lock = threading.Lock()
        self._wake = threading.Event()
        self._failure: BaseException | None = None
        self._unchecked: Changes | None = None
        self._unreviewed: Changes | None = None
        self._review_again = False
        self._snapshot = Snapshot(
            directory=directory.root,
            convention=directory.convention,
            entries=(),
            index=report(None, directory.convention),
            index_text="",
            findings=(),
            findings_pending=checker is not None,
            inbox=(),
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
            self.directory.refresh(wanted, settle=SETTLE_SECONDS)
            old, directory = self._snapshot, self.directory
            changes = directory.take_changes()
            convention = directory.convention
            inbox, watch = old.inbox, state or old.watch
            if wanted is None or any(rel.startswith(INBOX_FOLDER) for rel in wanted):
                inbox = self._waiting()
            if self._unreviewed is not None:
                self._unreviewed = self._unreviewed.then(changes)
            if wanted is None and self._reviewer is not None and not self._review_again:
                self._review_again = True  # a change through memtui is known as such once it is done
                self._wake.set()
            same = (convention, directory.missing, directory.occupied, inbox, watch)
            if (
                old.generation
                and not changes
                and same == (old.convention, old.missing, old.occupied, old.inbox, old.watch)
            ):
                return old
            if self._unchecked is not None:
                self._unchecked = self._unchecked.then(changes)
            text, index = old.index_text, old.index
            if changes.index or convention is not old.convention or not old.generation:
                text = directory.index_text
                there = directory.index_data is not None or directory.index_problem is not None
                index = report(text if there else None, convention)
            new = replace(
                old,
                convention=convention,
                entries=directory.entries,
                index=index,
                index_text=text,
                findings_pending=self._checker is not None and (old.findings_pending or bool(changes)),
                inbox=inbox,
                watch=watch,
                missing=directory.missing,
                occupied=directory.occupied,
            )
            self._follow_with(new, changes)
            if self._snapshot.findings_pending or self._reviewer is not None:
                self._wake.set()
            return self._snapshot

    def _follow_with(self, new: Snapshot, changes: Changes = _NONE) -> Snapshot:
        """Put a snapshot in the place of the one it was made from, as the next one."""
        self._snapshot = replace(
            new, changes=changes, generation=self._snapshot.generation + 1, loaded_at=self._clock()
        )
        return self._snapshot

    def _waiting(self) -> tuple[WaitingFile, ...]:
        try:
            found = self.directory.folder.listed(INBOX_FOLDER)
        except (OSError, Unreadable):
            return ()
        return tuple(WaitingFile(name, at.mtime_ns, at.size) for name, at in found if at.is_regular)

    def review(self) -> Snapshot:
        """Bring what others changed up to date; what cannot be found out stays as it was.

        Returns:
            The newest snapshot: the same object as before if nothing became different.
        """
        with self._review_lock:
            with self._lock:
                if self._reviewer is None or not self._snapshot.generation:
                    return self._snapshot
                changes, self._unreviewed = self._unreviewed, Changes()
                again, self._review_again = self._review_again, False
            if changes == Changes() and not again and not self._reviewer.is_outdated:
                return self._snapshot
            try:
                others = self._reviewer.update(changes)
            except MemtuiError:  # whoever wants to review is told; a directory can be followed without it
                return self._snapshot
            with self._lock:
                if others is not self._snapshot.others:
                    self._follow_with(replace(self._snapshot, others=others))
                return self._snapshot

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
                pending = bool(self._unchecked)
                return self._follow_with(replace(self._snapshot, findings=findings, findings_pending=pending))

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
            at_keys=self.at_keys,
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
                    after = self._follow_with(replace(self._snapshot, watch=said))
            if after is not before and not stop.is_set():
                publish(after)

    def _publish_newer(
        self, before: Snapshot, after: Snapshot, stop: threading.Event, publish: Callable[[Snapshot], None]
    ) -> None:
        with self._publish_lock:
            # A newer one has what was found too, and goes out by itself.
            if after is not before and after is self._snapshot and not stop.is_set():
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
                self._publish_newer(before, self.review(), stop, publish)
                before = self._snapshot
                after = self.check()
                self._publish_newer(before, after, stop, publish)
                if after.findings_pending and self._checker is not None:
                    self._wake.set()
        except BaseException as error:  # noqa: BLE001  -- carried to the thread that watches, which raises it
            self._failure = error
