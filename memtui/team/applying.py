"""What others share that is not live on this machine: what waits, and how it becomes live."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.errors import Conflict, Refused
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.plans import Plan
from memtui.memory.types import Clock
from memtui.memory.wording.labels import names
from memtui.memory.wording.saying import Say
from memtui.team.arriving import Waiting, plan, waiting
from memtui.team.joining import memories_of
from memtui.team.live import Live, LiveFiles
from memtui.team.merge import TeamClash
from memtui.team.repo import TIP, Repo
from memtui.team.results import Arrival, Blocked
from memtui.team.state import StateFolder, TeamState
from memtui.team.undone import undone, with_taken

AT_ONCE = 200
"""So many arrivals are one change that one undo takes back (ours)."""
MOST_FINE = 20_000
"""Of so many texts it is remembered that the guard found nothing in them (ours)."""
LOG_FOR_ARRIVALS = 300
"""So many commits are looked through for who made an arrival (ours)."""
_KEPT_COMMITS = 4


@dataclass
class Doings:
    """What the steps of one sync did, as it goes on."""

    committed: list[str] = field(default_factory=list)
    applied: list[str] = field(default_factory=list)
    clashes: list[TeamClash] = field(default_factory=list)
    blocked: dict[str, Blocked] = field(default_factory=dict)
    squashed: bool = False
    rewritten: bool = False


class Applying:
    """The steps that make live what others share. Whoever calls them holds the directory's lock."""

    def __init__(self, manager: MemoryManager, folder: StateFolder, repo: Repo, wall: Clock) -> None:
        self.manager = manager
        self.folder = folder
        self.repo = repo
        self._live = LiveFiles(manager, wall=wall)
        self._fine: set[tuple[str, str]] = set()
        self._waiting: tuple[object, Waiting] | None = None
        self._memories: dict[str, dict[str, str]] = {}

    # -- looking ---------------------------------------------------------------------------------------------------

    def memories(self, commit: str | None) -> Mapping[str, str]:
        """The plain files of a commit that are called as memories may be: their blobs by path. Nothing for None.

        Raises:
            TeamError: the commit is not there.
        """
        if commit is None:
            return {}
        known = self._memories.get(commit)
        if known is None:
            if len(self._memories) >= _KEPT_COMMITS:
                self._memories.clear()
            known = self._memories[commit] = memories_of(self.repo.tree(commit))
        return known

    def look(self, state: TeamState) -> Live | None:
        """The live files; see `LiveFiles.look`."""
        return self._live.look(state.seen, self.repo.algorithm)

    def undone(self, state: TeamState, live: Live) -> dict[str, str]:
        """What was accepted and undone, see `memtui.team.undone`; nothing where the journal cannot be read."""
        try:
            return undone(state, live, lambda: self.manager.journal, self._read)
        except Refused:
            return {}

    def foreseen(self, state: TeamState, live: Live) -> TeamState:
        """The state as the next `take_in` will have it, as far as that shares nothing.

        That is where something accepted was undone, and where files are by now as others have them.

        Raises:
            TeamError: git could not.
        """
        now = {rel: live.oids.get(rel, "") for rel in {*live.oids, *state.seen}}
        moved = {rel for rel, oid in now.items() if oid != state.seen.get(rel, "")}
        if not moved:
            return state
        back, head = self.undone(state, live), self.memories(state.head)
        stands = {
            rel: now[rel]
            for rel in moved
            if head.get(rel, "") == now[rel] or back.get(rel) == state.seen.get(rel, "")
        }
        return replace(state, seen=instead(state.seen, stands))

    def waiting(self, state: TeamState) -> Waiting:
        """What others share and is not live here.

        Raises:
            TeamError: git could not.
        """
        allowed = self.manager.allowed_secrets
        asked = (state.head, state.seen, state.declined, state.released, allowed)
        if self._waiting is not None and self._waiting[0] == asked:
            return self._waiting[1]
        if len(self._fine) > MOST_FINE:
            self._fine.clear()
        found = waiting(state, self.repo.tree(state.head), self.repo.sizes, self._read, allowed, self._fine)
        whole = not any(each.code == "missing" for each in found.held)
        self._waiting = (asked, found) if whole else None
        return found

    def still_declined(self, state: TeamState) -> TeamState:
        """The state without what was declined and is not what others share any more."""
        if not state.declined:
            return state
        head = self.memories(state.head)
        left = {rel: oid for rel, oid in state.declined.items() if head.get(rel, "") == oid}
        return replace(state, declined=left)

    def with_authors(self, state: TeamState, arrivals: Sequence[Arrival]) -> tuple[Arrival, ...]:
        """Arrivals with who made them, as far as the last commits tell."""
        if not arrivals:
            return ()
        log = self.repo.log(state.head, LOG_FOR_ARRIVALS, [each.rel for each in arrivals])

        def told(each: Arrival) -> Arrival:
            made = [entry for entry in log if each.rel in entry.changes]
            exact = [entry for entry in made if (entry.changes[each.rel] or "") == each.oid]
            found = next(iter(exact or made), None)  # what was joined was made by the last one who wrote
            if found is None:
                return each
            return replace(each, author=found.author, when=found.when, commit=found.commit)

        return tuple(map(told, arrivals))

    # -- applying --------------------------------------------------------------------------------------------------

    def apply(
        self, state: TeamState, arrivals: Sequence[Arrival], doings: Doings
    ) -> tuple[TeamState, tuple[Arrival, ...]]:
        """Change the live files as others changed theirs, through the manager; returns the new state, and what was left.

        Raises:
            MemtuiError: the directory cannot be changed at all, such as a full disk. What was applied stays.
        """
        now = self.waiting(state)
        here = {(each.rel, each.oid) for each in now.arrivals}
        fitting = [each for each in arrivals if (each.rel, each.oid) in here]
        left = [each for each in arrivals if (each.rel, each.oid) not in here]
        for start in range(0, len(fitting), AT_ONCE):
            some = fitting[start : start + AT_ONCE]
            texts = self._read({each.oid for each in some if each.oid})
            contents = {each.rel: texts[each.oid] for each in some if each.oid in texts}
            planned = plan(self.manager.planner, state, some, contents, self.repo.algorithm)
            ready = planned.ready
            left += planned.left
            if not ready:
                continue
            state = replace(state, accepted=with_taken(state.accepted, planned.taken))
            self.folder.save(
                state
            )  # before it is done: whoever undoes it may do so before we know that it was
            slugs = tuple(each.slug for each in ready)
            let_through = [each.slug for each in ready if each.oid in state.released]
            with self.manager.writing(create=True), self.manager.sharing_secrets(let_through):
                edits = (*planned.edits, *self.manager.planner.index_edit(planned.lines))
                label = Say("sync {names}", names=names(slugs))
                try:
                    self.manager.carry_out(Plan(label, slugs, edits), create=True)
                except Conflict:
                    left += ready
                    continue
            seen = dict(state.seen)
            for each in ready:
                seen.pop(each.rel, None)
                if each.oid:
                    seen[each.rel] = each.oid
            state = self._kept(replace(state, seen=seen))
            doings.applied += [each.rel for each in ready]
        return state, tuple(left)

    # -- within ----------------------------------------------------------------------------------------------------

    def _read(self, oids: Iterable[str]) -> Mapping[str, bytes]:
        return self.repo.blobs(oids, most=MAX_FILE_BYTES)

    def _kept(self, state: TeamState) -> TeamState:
        """The state, once it is on disk, with git's references brought up to it."""
        self.folder.save(state)
        self.mirror(state)
        return state

    def mirror(self, state: TeamState) -> None:
        """Bring git's references up to the state, so that its own tools see what we see."""
        refs = {f"refs/heads/{state.branch}": state.head, TIP: state.tip}
        self.repo.point({name: oid for name, oid in refs.items() if oid is not None})


def instead(oids: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """Blobs by path with other ones for some; an empty one is none."""
    return {rel: oid for rel, oid in {**oids, **others}.items() if oid}
