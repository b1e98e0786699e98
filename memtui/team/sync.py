"""Team memories kept the same on many machines, through one branch of a git remote (spec §15).

A sync takes in what was changed here, fetches, joins, looks for secrets, pushes without force, and has what came from
others wait until a person accepts it. Steps on this machine hold its lock and never wait for a network; the network
is asked without it, so that nobody waits who only saves, reads, accepts or declines.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.errors import Busy, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.types import Clock
from memtui.team.address import DEFAULT_BRANCH, Address, checked_address, checked_branch
from memtui.team.applying import Doings
from memtui.team.clashes import deliver
from memtui.team.exchange import Exchange
from memtui.team.failures import TeamError
from memtui.team.git import NETWORK_SECONDS, Cancelled, Git
from memtui.team.merge import TeamClash
from memtui.team.noting import Notes
from memtui.team.repo import LogEntry, Repo, Talk
from memtui.team.results import Applied, Arrival, Preview, SyncReport, TeamStatus
from memtui.team.sharing import Sharing
from memtui.team.standing import standing
from memtui.team.state import StateFolder, TeamState
from memtui.team.vet import Held

SYNC_SECONDS = 180.0
"""How long a whole sync may take, seconds (ours)."""
SYNC_LOCK_SECONDS = 1.0
"""How long a sync waits for another one on the same directory, seconds (ours): that one does the work."""
ROUNDS = 3
"""How often what was changed during a sync is taken in by it (ours)."""
REPOSITORY = "repo.git"

_WAITS_FOR_NETWORK = frozenset({"offline", "timeout", "gone", "auth", "cancelled", "no-git", "old-git"})


class TeamSync:
    """Shares the team memories of one directory. Making one reads and runs nothing.

    Methods may be called from any thread, and in several processes at once.
    """

    def __init__(
        self,
        manager: MemoryManager,
        state_dir: Path,
        git: Git,
        *,
        review: bool = True,
        seconds: float = NETWORK_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
        clock: Clock = time.monotonic,
        wall: Clock = time.time,
    ) -> None:
        """Set up for one directory.

        Args:
            manager: of the memory directory; its clock dates commits, its ``allowed_secrets`` pass the guard.
            state_dir: the user's state folder for memtui.
            git: runs git.
            review: whether what others share waits until it is accepted.
            seconds: how long one call to the remote may take.
            sleep: waits, seconds.
            chance: gives numbers from 0 to 1, so that machines which collide do not collide again.
            clock: measures how long a sync takes, seconds.
            wall: the time that the system stamps files with, Unix seconds.
        """
        self._manager = manager
        self._folder = StateFolder(state_dir, manager.root, sleep=sleep)
        self._repo = Repo(git, self._folder.path / REPOSITORY)
        self._sharing = Sharing(manager, self._folder, self._repo, wall, review=review)
        self._notes = Notes(manager)
        self._review = review
        self._seconds = seconds
        self._clock = clock
        self._pause: Callable[[float], None] = lambda most: sleep(most * chance())

    # -- setting up ------------------------------------------------------------------------------------------------

    @property
    def configured(self) -> bool:
        """Whether this directory is shared."""
        return self._folder.load().url != ""

    def init(
        self, remote: str, branch: str = DEFAULT_BRANCH, *, cwd: Path, cancelled: Cancelled | None = None
    ) -> TeamStatus:
        """Share this directory's team memories through a remote, which is asked once whether it is there.

        Nothing is sent or changed yet; the first `sync` does that. The same remote again keeps what is known of it.

        Args:
            remote: its address.
            branch: the branch that holds the memories; it need not exist.
            cwd: what a relative path is below.
            cancelled: asked now and then whether to give up.

        Raises:
            TeamError: the address is none that memtui shares with, or the remote cannot be reached.
            Busy: another memtui is at it.
        """
        address, branch = checked_address(remote, cwd=cwd), checked_branch(branch)
        tip = self._repo.look(Talk(address, branch, self._seconds, cancelled))
        algorithm = "sha256" if tip is not None and len(tip) == 64 else "sha1"
        with self._folder.held("sync", seconds=SYNC_LOCK_SECONDS), self._syncing_step() as before:
            state = before
            if not self._repo.exists() or self._repo.algorithm != algorithm:
                self._repo.make(algorithm)
                state = TeamState()
            if (state.url, state.branch) != (address.url, branch):
                state = TeamState(url=address.url, branch=branch)
            self._folder.save(replace(state, tip=state.tip if tip is not None else None, error=None))
        return self.status()

    def leave(self) -> None:
        """Share no more. Memories, inbox and git's own storage stay as they are.

        Raises:
            Busy: another memtui is at it.
            TeamError: the state cannot be removed.
        """
        with self._folder.held("sync", seconds=SYNC_LOCK_SECONDS), self._folder.held():
            self._folder.remove()

    def preview(self) -> Preview:
        """What a first sync would share. Nothing is run, asked or written.

        Raises:
            Unreadable: the memory directory cannot be listed.
        """
        live = self._sharing.look(TeamState())
        return Preview(tuple(sorted(live.data)), live.blocked, live.left) if live is not None else Preview(())

    # -- looking ---------------------------------------------------------------------------------------------------

    def status(self) -> TeamStatus:
        """How things stand, without asking the remote; never raises for what git or the remote do.

        Raises:
            Unreadable: the memory directory cannot be listed.
        """
        state = self._folder.load()
        return standing(self._manager, self._sharing, state, {})

    def log(self, most: int = 50) -> list[LogEntry]:
        """The last commits, newest first.

        Raises:
            TeamError: git could not.
        """
        state = self._folder.load()
        return self._repo.log(state.head, most) if state.head is not None else []

    def content(self, oid: str) -> bytes | None:
        """What an arrival or something that is held would be; None if it is larger than a memory, or not there.

        Raises:
            TeamError: git could not.
        """
        return self._repo.blobs([oid], most=MAX_FILE_BYTES).get(oid)

    def open_clashes(self) -> tuple[TeamClash, ...]:
        """What both sides changed, and is not live here yet as others have it; of the rest `deliver` made proposals.

        Raises:
            TeamError: git could not.
        """
        clashes = self._folder.load().clashes
        oids = [oid for each in clashes for oid in (each.ours, each.theirs) if oid is not None]
        texts = self._repo.blobs(oids, most=MAX_FILE_BYTES) if oids else {}
        return tuple(
            TeamClash(
                each.rel,
                each.kind,
                None,
                texts.get(each.ours or ""),
                texts.get(each.theirs or ""),
                other=each.other,
            )
            for each in clashes
        )

    # -- syncing ---------------------------------------------------------------------------------------------------

    def sync(self, *, cancelled: Cancelled | None = None) -> SyncReport:
        """Share what was changed here and bring what others changed.

        What goes wrong with git or the remote is in the report; what is on this machine is safe then and waits.

        Args:
            cancelled: asked ten times a second whether to give up.

        Raises:
            UsageError: this directory is not shared.
            Busy: another memtui is syncing it, and does this too.
            Refused: the memory directory cannot be read or changed.
        """
        address, branch = self._remote()
        late = self._clock() + SYNC_SECONDS

        def stop() -> bool:
            return (cancelled is not None and cancelled()) or self._clock() > late

        doings = Doings()
        talk = Talk(address, branch, self._seconds, stop)
        run = Exchange(self._sharing, self._syncing_step, talk, doings, self._pause)
        error: TeamError | None = None
        with self._folder.held("sync", seconds=SYNC_LOCK_SECONDS):
            with self._folder.held():
                self._repo.clear_leftovers()
            try:
                self._with_rounds(run)
            except TeamError as caught:
                over = caught.code == "cancelled" and not (cancelled is not None and cancelled())
                error = TeamError("timeout", where=caught.where) if over else caught
            status = self._close(doings, run, error)
        return SyncReport(
            status,
            tuple(dict.fromkeys(doings.committed)),
            run.pushed,
            run.fetched,
            tuple(dict.fromkeys(doings.applied)),
            tuple(doings.clashes),
            offline=error is not None and error.code in _WAITS_FOR_NETWORK,
            squashed=doings.squashed,
            rewritten=doings.rewritten,
        )

    def _with_rounds(self, run: Exchange) -> None:
        for _ in range(ROUNDS):
            run.run()
            with self._syncing_step() as before:
                state = before
                if not self._review:
                    waiting = self._sharing.waiting(state)
                    state, _left = self._sharing.apply(state, waiting.arrivals, run.doings)
                if self._sharing.take_in(state, run.doings).head == before.head:
                    return

    def _close(self, doings: Doings, run: Exchange, error: TeamError | None) -> TeamStatus:
        """Deliver clashes, note what went wrong, write the audit log; a fault here is told as the sync's own."""
        try:
            with self._syncing_step() as before:
                state = self._delivered(before)
                if error is not None:
                    state = state.failed(error)
                elif run.reached:
                    state = replace(state, error=None, last_sync=self._manager.clock())
                state = self._notes.noted(self._sharing.still_declined(state), doings)
                self._folder.save(state)
                self._repo.tidy()
        except TeamError as caught:
            error = error or caught
            state = self._folder.load()
        status = standing(self._manager, self._sharing, state, doings.blocked)
        return replace(status, last_error=error or status.last_error)

    def _delivered(self, state: TeamState) -> TeamState:
        if not state.clashes:
            return state
        live = self._sharing.look(state)
        if live is None:
            return state
        left = deliver(
            self._manager,
            state.clashes,
            live.there,
            self._sharing.memories(state.head),
            state.declined,
            lambda oids: self._repo.blobs(oids, most=MAX_FILE_BYTES),
        )
        return replace(state, clashes=left)

    # -- deciding --------------------------------------------------------------------------------------------------

    def accept(self, arrivals: Sequence[Arrival]) -> Applied:
        """Take what others changed into the live files: exactly the arrivals that were shown, or none of them.

        Args:
            arrivals: from `status`; their ``rel`` and ``oid`` count.

        Returns:
            What was changed, and which of them are other arrivals by now, or cannot be applied.

        Raises:
            UsageError: this directory is not shared.
            Busy: another memtui is at it.
            TeamError: git could not.
            Refused: the memory directory cannot be changed.
        """
        self._remote()
        doings = Doings()
        with self._step() as before:
            state = self._sharing.take_in(before, doings)
            state, left = self._sharing.apply(state, arrivals, doings)
            state = self._delivered(state)
            self._folder.save(self._notes.noted(state, doings))
        return Applied(tuple(doings.applied), left)

    def decline(self, arrivals: Sequence[Arrival]) -> None:
        """Leave the live files as they are; an arrival is not shown again until it is another one.

        Others keep what they shared.

        Raises:
            UsageError: this directory is not shared.
            Busy, TeamError: as for `accept`.
        """
        self._remote()
        with self._step() as state:
            declined = {**state.declined, **{each.rel: each.oid for each in arrivals}}
            self._folder.save(self._delivered(replace(state, declined=declined)))

    def reconsider(self, rels: Iterable[str]) -> None:
        """Show again what was declined, by paths below ``team/``; raises as `decline`."""
        self._remote()
        gone = set(rels)
        with self._step() as state:
            left = {rel: oid for rel, oid in state.declined.items() if rel not in gone}
            self._folder.save(replace(state, declined=left))

    def release(self, held: Held) -> None:
        """Let something through that the secret guard holds back; it becomes an arrival. Raises as `decline`.

        Raises:
            UsageError: it is not held for a secret.
        """
        self._remote()
        if held.code != "secret":
            raise UsageError("only what the secret guard holds back can be let through", where=held.rel)
        with self._step() as state:
            self._folder.save(replace(state, released=state.released | {held.oid}))
            self._notes.write("released", held.rel, held.rule or "")

    # -- within ----------------------------------------------------------------------------------------------------

    def _remote(self) -> tuple[Address, str]:
        state = self._folder.load()
        if not state.url:
            raise UsageError(
                "this directory is not shared",
                where=str(self._manager.root),
                todo="Begin with 'memtui team init REMOTE'",
            )
        return checked_address(state.url, cwd=self._manager.root), checked_branch(state.branch)

    @contextlib.contextmanager
    def _step(self, *, syncing: bool = False) -> Iterator[TeamState]:
        """One step on the state, alone; git that is started in it holds the lock too, should we die.

        Args:
            syncing: whether we hold the lock of a whole sync, which has cleared up.
        """
        with self._folder.held() as handle:
            self._repo.inherit = handle
            try:
                state = self._folder.load()
                if state.url and not syncing:
                    with contextlib.suppress(Busy), self._folder.held("sync", seconds=0):
                        self._repo.clear_leftovers()  # while somebody fetches, they may not be left over
                yield self._sound(state)
            finally:
                self._repo.inherit = None

    def _syncing_step(self) -> contextlib.AbstractContextManager[TeamState]:
        return self._step(syncing=True)

    def _sound(self, state: TeamState) -> TeamState:
        """The state as far as our repository holds what it speaks of; what is missing is begun anew."""
        if not state.url:
            return state
        if not self._repo.exists():
            self._repo.make()
        if self._repo.have(oid for oid in (state.head, state.tip) if oid is not None):
            return state
        return replace(state, head=None, tip=None, seen={}, clashes=())
