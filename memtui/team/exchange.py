"""One sync's talk with the remote: fetch, join, look for secrets, push; and again where others were faster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

from memtui.team.applying import Doings
from memtui.team.failures import TeamError
from memtui.team.repo import Talk
from memtui.team.sharing import Sharing
from memtui.team.state import TeamState

PUSH_TRIES = 8
"""How often a sync starts again when others were faster (ours)."""
JITTER_SECONDS = 0.4
"""Longest wait before it does, seconds; it grows with each try (ours)."""

Step = Callable[[], AbstractContextManager[TeamState]]
"""Holds the directory's lock for one step, and gives the state as it is then."""


class Exchange:
    """Talks with the remote, without a lock; what it learns becomes part of the state in steps that hold it.

    Attributes:
        doings: what was done.
        pushed: whether the remote took something.
        reached: whether the remote answered.
        fetched: commits that came.
    """

    def __init__(
        self, sharing: Sharing, step: Step, talk: Talk, doings: Doings, pause: Callable[[float], None]
    ) -> None:
        """Set up for one sync.

        Args:
            sharing: the steps on this machine.
            step: holds the lock for one of them.
            talk: whom to talk with.
            doings: where to note what is done.
            pause: waits for a part of so many seconds, by chance.
        """
        self._sharing, self._step, self._talk, self._pause = sharing, step, talk, pause
        self.doings = doings
        self.pushed = False
        self.reached = False
        self.fetched = 0

    def run(self) -> None:
        """Do all of it.

        Raises:
            TeamError: it did not come to its end; what was done until then is kept.
        """
        sharing = self._sharing
        with self._step() as state:
            sharing.mirror(state)
            begun = state.head is not None or state.tip is not None
            if begun:
                sharing.take_in(state, self.doings)
        for number in range(PUSH_TRIES):
            tip = self._fetched(begun=begun)
            with self._step() as before:
                state = self._joined(before, tip)
                state = sharing.take_in(state, self.doings)
                state = sharing.keep_secrets_back(state, self.doings)
            if state.head is None or state.head == state.tip:
                return
            try:
                sharing.repo.push(self._talk, state.head)
            except TeamError as error:
                if error.code != "rejected" or number + 1 == PUSH_TRIES:
                    raise
                self._pause(JITTER_SECONDS * (number + 1))
                continue
            self.pushed = True
            with self._step() as now:
                sharing.folder.save(replace(now, tip=state.head))
            return

    def _fetched(self, *, begun: bool) -> str | None:
        """The commit that the remote's branch is at. Where there is none of ours yet, one is made if it can't be reached."""
        try:
            tip = self._sharing.repo.fetch(self._talk)
        except TeamError:
            if not begun:
                with self._step() as state:
                    self._sharing.take_in(state, self.doings)
            raise
        self.reached = True
        return tip

    def _joined(self, state: TeamState, tip: str | None) -> TeamState:
        if tip is None:
            if state.tip is not None:
                raise TeamError("gone", where=f"{self._talk.address.shown} {self._talk.branch}")
            return state
        if tip == state.tip:
            return state
        self.fetched += self._sharing.repo.ahead_behind(tip, state.tip or state.head)[0]
        return self._sharing.take_over(state, tip, self.doings)
