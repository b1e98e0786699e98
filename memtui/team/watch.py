"""Syncing all the time: one thread that syncs when it is due and tells what came of it, until it is stopped.

It knows neither terminal nor screen; whoever runs it says when something was changed here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition
from typing import Protocol

from memtui.memory.errors import Busy, MemtuiError
from memtui.memory.types import Clock
from memtui.team.git import Cancelled
from memtui.team.pacing import POLL_SECONDS, Pace
from memtui.team.results import SyncReport

BUSY_SECONDS = 5.0
"""Seconds until it is tried again after another memtui was syncing the directory (ours)."""


class Syncs(Protocol):
    """What is needed of `memtui.team.sync.TeamSync`."""

    def sync(self, *, cancelled: Cancelled | None = None) -> SyncReport:
        """Sync once."""


class TeamWatch:
    """Syncs a directory until it is told to stop. `run` is for one thread, all else for any."""

    def __init__(
        self,
        sync: Syncs,
        tell: Callable[[SyncReport | MemtuiError], None],
        *,
        begin: Callable[[], None] = lambda: None,
        poll: float = POLL_SECONDS,
        clock: Clock = time.monotonic,
    ) -> None:
        """Prepare.

        Args:
            sync: what syncs.
            tell: told after every sync, in the thread of `run`; an error is one that kept it from happening. `Busy`
                is none to tell anybody: another memtui does it, and it is tried again soon.
            begin: called before every sync, in that thread too.
            poll: seconds between two syncs when nothing happens here.
            clock: gives seconds, and never goes back.
        """
        self._sync, self._tell, self._begin, self._clock = sync, tell, begin, clock
        self._pace = Pace(poll)
        self._news = Condition()
        self._stopped = False

    def changed(self) -> None:
        """Something was changed here."""
        with self._news:
            self._pace.changed(self._clock())
            self._news.notify()

    def now(self) -> None:
        """Sync without waiting."""
        with self._news:
            self._pace.asked(self._clock())
            self._news.notify()

    def stop(self) -> None:
        """Give up, a sync that goes on too."""
        with self._news:
            self._stopped = True
            self._news.notify()

    def run(self) -> None:
        """Sync whenever it is due."""
        while self._wait():
            came: SyncReport | MemtuiError
            reached, again = False, None
            self._begin()
            try:
                report = self._sync.sync(cancelled=lambda: self._stopped)
            except MemtuiError as error:
                came = error
                again = BUSY_SECONDS if isinstance(error, Busy) else None
            else:
                came = report
                reached = report.status.last_error is None
            if not self._stopped:
                self._tell(came)
            with self._news:
                now = self._clock()
                self._pace.ended(now, reached=reached or again is not None)
                if again is not None:
                    self._pace.asked(now + again)

    def _wait(self) -> bool:
        """Until a sync is due; False when there will be none."""
        with self._news:
            while not self._stopped:
                pause = self._pace.wait(self._clock())
                if pause <= 0.0:
                    self._pace.begun()
                    return True
                self._news.wait(pause)
        return False
