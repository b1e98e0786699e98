"""The app's side of sharing with a team: what syncs behind the screens, and what they ask of it. For threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.memory.errors import Busy, MemtuiError
from memtui.memory.text import visible
from memtui.team.local import LocalChanges
from memtui.team.news import News, news_of
from memtui.team.resolving import Decision, Side, decide, decisions
from memtui.team.results import SyncReport, TeamStatus
from memtui.team.watch import TeamWatch
from memtui.tui.messages import TeamKnown, TeamTold
from memtui.tui.present.team import MOST_LOGGED, TeamLoaded

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.snapshot import Snapshot
    from memtui.team.results import Applied, Arrival, Preview
    from memtui.team.sync import TeamSync
    from memtui.team.vet import Held


class Teaming:
    """Syncs a directory while the app runs. It touches no widget: it posts messages.

    Attributes:
        on: whether sharing is allowed here; otherwise nothing is synced.
        status: how things stood last; None before the first look.
        syncing: whether a sync goes on.
    """

    def __init__(
        self,
        sync: TeamSync,
        manager: MemoryManager,
        *,
        poll: float,
        on: bool,
        read_only: bool,
        cwd: Path | None = None,
    ) -> None:
        """Prepare; nothing is read or run.

        Args:
            sync: of the directory.
            manager: of the directory.
            poll: seconds between two looks at the remote.
            on: whether sharing is allowed here.
            read_only: whether changes are switched off: the state is shown, and nothing synced.
            cwd: what the path of a remote is below, where it is a relative one; None for the directory itself.
        """
        self._sync, self._manager = sync, manager
        self._cwd = cwd if cwd is not None else manager.root
        self.on = on
        self._active = on and not read_only
        self.status: TeamStatus | None = None
        self.syncing = False
        self._synced = False
        self._local = LocalChanges()
        self._post: Callable[[Message], object] = lambda _: None
        self._watch = TeamWatch(sync, self._told, begin=self._begins, poll=poll)

    # --- the thread that syncs ---

    def run(self, post: Callable[[Message], object]) -> None:
        """Sync whenever it is due, until `stop`; where nothing is shared there is nothing to do.

        Args:
            post: posts a message to the app.
        """
        self._post = post
        self._known(self._sync.status() if self.on else TeamStatus(configured=False))
        if self._active and self.status is not None and self.status.configured:
            self._watch.run()

    def stop(self) -> None:
        """Give up, a sync that goes on too."""
        self._watch.stop()

    def _begins(self) -> None:
        self.syncing = True
        if self.status is not None:
            self._post(TeamKnown(self.status, syncing=True))

    def _told(self, came: SyncReport | MemtuiError) -> None:
        self.syncing = False
        if isinstance(came, Busy):
            if self.status is not None:
                self._known(self.status)
            return
        before = self.status if self._synced else None
        self._synced = True
        if isinstance(came, MemtuiError):
            self._post(TeamTold((News("failed", (), came),)))
            if self.status is not None:
                self._known(self.status)
            return
        self._known(came.status)
        if news := news_of(before, came):
            self._post(TeamTold(news))

    def _known(self, status: TeamStatus) -> None:
        self.status = status
        self._post(TeamKnown(status, syncing=self.syncing))

    # --- the app's own thread ---

    def seen(self, snapshot: Snapshot) -> None:
        """The directory has changed; what is the team's will be shared soon."""
        if self._local.seen(snapshot):
            self._watch.changed()

    def now(self) -> None:
        """Sync without waiting."""
        self._watch.now()

    # --- threads of the screen ---

    def load(self) -> TeamLoaded:
        """Everything that the screen shows; what cannot be read is told."""
        status = self._sync.status()
        self.status = status
        if not status.configured:
            return TeamLoaded(status)
        try:
            return TeamLoaded(
                status, decisions(self._sync, self._manager), tuple(self._sync.log(MOST_LOGGED))
            )
        except MemtuiError as error:
            return TeamLoaded(status, trouble=visible(error.said(self._manager.lang)))

    def preview(self) -> Preview:
        """See `TeamSync.preview`."""
        return self._sync.preview()

    def join(self, remote: str, branch: str, cancelled: Callable[[], bool]) -> None:
        """See `TeamSync.init`."""
        if (hindrance := self._manager.hindrance) is not None:
            raise hindrance
        self._sync.init(remote, branch, cwd=self._cwd, cancelled=cancelled)

    def release(self, held: Held) -> None:
        """See `TeamSync.release`."""
        self._sync.release(held)

    def sharing_secrets(self, slugs: Iterable[str]) -> AbstractContextManager[None]:
        """What a person let through by its name, for the changes made within; the audit log says so."""
        return self._manager.sharing_secrets(slugs)

    def texts(self, arrival: Arrival) -> tuple[bytes | None, bytes | None]:
        """A memory as it is here, and as accepting would make it; None where it is not there.

        Raises:
            MemtuiError: one of them cannot be read.
        """
        image = self._manager.planner.image(f"{arrival.slug}.md")
        after = self._sync.content(arrival.oid) if arrival.oid else None
        return image.data if image is not None else None, after

    def accept(self, arrivals: Sequence[Arrival]) -> Applied:
        """See `TeamSync.accept`."""
        return self._sync.accept(arrivals)

    def decline(self, arrivals: Sequence[Arrival]) -> None:
        """See `TeamSync.decline`."""
        self._sync.decline(arrivals)

    def reconsider(self, rels: Iterable[str]) -> None:
        """See `TeamSync.reconsider`."""
        self._sync.reconsider(rels)

    def decide(self, decision: Decision, side: Side, text: str | None) -> None:
        """See `memtui.team.resolving.decide`; what was chosen is shared at once."""
        decide(self._sync, self._manager, decision, side, text)
        self._watch.now()
