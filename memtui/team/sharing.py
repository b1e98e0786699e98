"""The steps of a sync that stay on this machine: take in, join, keep secrets back, apply. Each is whole or did not happen.

A step writes objects first, then the state that speaks of them, then git's own references, which only mirror it. A
process that dies between two of these leaves the state of before, from which the step is made again with the same
outcome: objects that nothing names are nobody's, and a live file that is already as ``head`` has it was applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memtui.memory.managing.manager import MemoryManager
from memtui.memory.types import Clock
from memtui.memory.wording.labels import names
from memtui.team.applying import Applying, Doings, instead
from memtui.team.failures import TeamError
from memtui.team.guard import OutgoingGuard
from memtui.team.joining import join, laid_over
from memtui.team.live import TEAM_FOLDER
from memtui.team.merge import TeamClash
from memtui.team.objects import FILE, Entry, GitObject, Leaves, blob_oid
from memtui.team.repo import MAX_ENTRIES, Repo
from memtui.team.state import OpenClash, StateFolder, Taken, TeamState
from memtui.team.vet import secret_in


class Sharing(Applying):
    """The steps for one directory. Whoever calls them holds its lock."""

    def __init__(
        self, manager: MemoryManager, folder: StateFolder, repo: Repo, wall: Clock, *, review: bool = True
    ) -> None:
        super().__init__(manager, folder, repo, wall)
        self._review = review
        self._guard = OutgoingGuard(repo, lambda: manager.allowed_secrets)

    # -- ours ------------------------------------------------------------------------------------------------------

    def take_in(self, state: TeamState, doings: Doings) -> TeamState:
        """Take what was changed here into a commit of ours, joined with what waits of others; returns the new state.

        Raises:
            TeamError: git could not.
            Unreadable: the directory cannot be listed.
        """
        live = self.look(state)
        if live is None:
            return state
        if live.gone:
            return self._kept(replace(state, seen={}, clashes=()))
        doings.blocked = {each.rel: each for each in live.blocked}
        moved = {rel for rel in {*live.oids, *state.seen} if live.oids.get(rel) != state.seen.get(rel)}
        if not moved:
            return state
        leaves, head = self.repo.tree(state.head), self.memories(state.head)
        clashes = tuple(_still_open(state, live.oids, head))
        after = replace(state, seen=dict(live.oids), clashes=clashes)
        back = self.undone(state, live)
        if not self._review:  # or the next sync would make again at once what a person has just undone
            declined = {**state.declined, **{rel: head.get(rel, "") for rel in back}}
            after = replace(after, declined=declined)
        ours = instead(live.oids, back)
        changed = sorted(rel for rel in moved if ours.get(rel) != head.get(rel))
        if not changed:
            return self._kept(after)
        known = {live.oids[rel]: live.data[rel] for rel in changed if rel in live.data}

        def read(oids: Iterable[str]) -> Mapping[str, bytes]:
            wanted = set(oids)
            here = {oid: data for oid, data in known.items() if oid in wanted}
            return {**self._read(wanted - here.keys()), **here}

        joined = join(
            state.seen,
            ours,
            leaves,
            read,
            holds_secret=self._holds_secret,
            algorithm=self.repo.algorithm,
        )
        blobs = [*known.values(), *joined.blobs]
        plain = {rel: Entry(FILE, ours[rel]) for rel in changed if rel in ours}
        stand = {entry.oid for entry in joined.leaves.values()}
        parents = (state.head,) if state.head is not None else ()
        message, now = _message(leaves, joined.leaves), self.manager.clock()
        if any(entry.oid not in stand for entry in plain.values()):
            # What was written here stands in no file once it is joined, and whoever wrote it may write over it.
            parents = (self.repo.commit(laid_over(leaves, plain), parents, now, message, blobs),)
            message = _JOINED
        elif joined.leaves == leaves:
            self.repo.write(GitObject("blob", data) for data in dict.fromkeys(blobs))
            doings.committed += changed
            return self._kept(self._with_clashes(after, joined.clashes, doings))
        commit = self.repo.commit(joined.leaves, parents, now, message, blobs)
        after = replace(after, head=commit)
        doings.committed += changed
        return self._kept(self._with_clashes(after, joined.clashes, doings))

    # -- theirs ----------------------------------------------------------------------------------------------------

    def take_over(self, state: TeamState, tip: str, doings: Doings) -> TeamState:
        """Join our commits with what the remote has now; returns the new state.

        A remote whose history was written anew is followed: what is ours and was not shared yet is put on top of it,
        and nothing that was taken out there is brought back.

        Args:
            state: as it is.
            tip: the commit the remote's branch is at.
            doings: what was done.

        Raises:
            TeamError: git could not.
        """
        theirs = self.repo.tree(
            tip, most=MAX_ENTRIES
        )  # what cannot be read must not become ours, or all would end
        head, old = state.head, state.tip
        after = replace(state, tip=tip)
        if head is None or head == tip:
            return self._kept(replace(after, head=tip))
        rewritten = old is not None and self.repo.merge_base(old, tip) != old
        doings.rewritten |= rewritten
        base = old if rewritten else self.repo.merge_base(head, tip)
        if base == tip:
            return self._kept(after)
        if base == head:
            return self._kept(replace(after, head=tip))
        joined = join(
            self.memories(base),
            self.memories(head),
            theirs,
            self._read,
            holds_secret=self._holds_secret,
            algorithm=self.repo.algorithm,
        )
        parents = (tip,) if rewritten else (head, tip)
        if joined.leaves == theirs and rewritten:
            self.repo.write(GitObject("blob", data) for data in joined.blobs)
            commit = tip
        else:
            commit = self.repo.commit(joined.leaves, parents, self.manager.clock(), _JOINED, joined.blobs)
        return self._kept(self._with_clashes(replace(after, head=commit), joined.clashes, doings))

    # -- secrets ---------------------------------------------------------------------------------------------------

    def keep_secrets_back(self, state: TeamState, doings: Doings) -> TeamState:
        """See that nothing which is about to be shared holds a secret; returns the new state.

        Commits of ours that do are replaced by one that does not, on top of what the remote has, and git's storage
        forgets them. Their texts are in this directory and its journal.

        Raises:
            TeamError: ``blocked``, if a secret is left all the same; git could not.
        """
        if state.unclean:  # whoever took them out died before git had forgotten them
            state = self._forgotten(state)
        if state.head is None or state.head == state.tip:
            return state
        scan = self._guard.scan(state.head, state.tip)
        if scan.clean:
            return state
        there, leaves, seen = self.repo.tree(state.tip), self.repo.tree(state.head), dict(state.seen)
        for rel, each in scan.blocked.items():
            doings.blocked.setdefault(each.rel, each)
            leaves.pop(rel, None)
            seen.pop(rel, None)
            if rel in there:
                leaves[rel] = there[rel]
                seen[rel] = there[rel].oid
        if leaves == there and state.tip is not None:
            commit: str | None = state.tip
        else:
            parents = (state.tip,) if state.tip is not None else ()
            commit = self.repo.commit(leaves, parents, self.manager.clock(), _message(there, leaves))
        if commit is not None and commit != state.tip and not self._guard.scan(commit, state.tip).clean:
            raise TeamError("blocked", where=TEAM_FOLDER)
        doings.squashed = True
        clashes = tuple(each for each in state.clashes if not {each.ours, each.theirs} & scan.objects)
        accepted = {rel: each for rel, each in state.accepted.items() if not _results(each) & scan.objects}
        known = {rel: oid for rel, oid in seen.items() if oid not in scan.objects}
        return self._forgotten(
            self._kept(
                replace(state, head=commit, seen=known, clashes=clashes, accepted=accepted, unclean=True)
            )
        )

    def _forgotten(self, state: TeamState) -> TeamState:
        """The state, once git has forgotten every object that it does not need."""
        taken = (oid for each in state.accepted.values() for oid in _results(each) if oid)
        self.repo.prune(self.repo.sizes((*state.seen.values(), *taken, *_texts_of(state.clashes))))
        return self._kept(replace(state, unclean=False))

    # -- within ----------------------------------------------------------------------------------------------------

    def _holds_secret(self, rel: str, data: bytes) -> bool:
        return secret_in(rel, data, allowed=self.manager.allowed_secrets) is not None

    def _with_clashes(self, state: TeamState, clashes: Sequence[TeamClash], doings: Doings) -> TeamState:
        doings.clashes += clashes
        algorithm = self.repo.algorithm
        made = [
            OpenClash(
                each.rel,
                each.kind,
                None if each.ours is None else blob_oid(each.ours, algorithm),
                None if each.theirs is None else blob_oid(each.theirs, algorithm),
                each.other,
            )
            for each in clashes
        ]
        return replace(state, clashes=tuple(dict.fromkeys((*state.clashes, *made))))


_JOINED = "memtui: join what others shared"


def _still_open(state: TeamState, live: Mapping[str, str], head: Mapping[str, str]) -> Iterable[OpenClash]:
    """The clashes that wait, each with our text as it is now: a person goes on writing while they do."""
    for each in state.clashes:
        now = live.get(each.rel)
        if (
            each.other is not None
            or each.ours is None
            or each.ours != state.seen.get(each.rel)
            or now == each.ours
        ):
            yield each
        elif now is not None and now != head.get(each.rel):
            yield replace(each, ours=now)


def _results(taken: Iterable[Taken]) -> set[str]:
    return {each.after for each in taken}


def _texts_of(clashes: Iterable[OpenClash]) -> Iterable[str]:
    return (oid for each in clashes for oid in (each.ours, each.theirs) if oid is not None)


def _message(before: Leaves, after: Leaves) -> str:
    """What a commit did: names of memories and never a word of them."""
    added = sorted(after.keys() - before.keys())
    gone = sorted(before.keys() - after.keys())
    changed = sorted(rel for rel in before.keys() & after.keys() if before[rel] != after[rel])
    parts = [
        f"{verb} {names([rel.removesuffix('.md') for rel in rels])}"
        for verb, rels in (("add", added), ("update", changed), ("remove", gone))
        if rels
    ]
    return f"memtui: {'; '.join(parts) or 'nothing'}"
