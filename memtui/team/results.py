"""What sharing comes to, for whoever asked: the state of things, and what one sync did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memtui.team.failures import TeamError
from memtui.team.merge import TeamClash
from memtui.team.vet import Held

ArrivalKind = Literal["new", "changed", "deleted"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A change by others that waits to be accepted; until then nothing here reads it.

    Attributes:
        rel: the file, below ``team/``.
        oid: what it would be, as git names it; empty for a deletion. Another one is another arrival.
        kind: what it does here.
        author: who made it, as the commit says, which anybody may have written; empty if nobody knows.
        when: when that was, Unix seconds by the clock of whoever made it; 0.0 if nobody knows.
        commit: in which commit; empty if nobody knows.
    """

    rel: str
    oid: str
    kind: ArrivalKind
    author: str = ""
    when: float = 0.0
    commit: str = ""

    @property
    def slug(self) -> str:
        """The memory it is about."""
        return f"team/{self.rel.removesuffix('.md')}"


@dataclass(frozen=True, slots=True)
class Blocked:
    """A memory of ours that is not shared as it is.

    Attributes:
        rel: the file, below ``team/``; where the name holds a secret, without it.
        rule: of the secret guard; ``name`` for a file name that not every system can hold.
        line: 1-based line of the secret; 0 for one in the name.
        fingerprint: of the secret; empty for a name.
    """

    rel: str
    rule: str
    line: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class TeamStatus:
    """How things stand, as far as is known without asking the remote.

    Attributes:
        configured: whether this directory is shared at all.
        remote: where, without who signs in.
        branch: which branch there.
        ahead: commits of ours that the remote has not.
        behind: commits of the remote that ours do not go back to; 0 after every sync that reached it.
        last_sync: when the remote was last reached, Unix seconds.
        last_error: what went wrong last; None if the last sync was fine.
        arrivals: changes by others that wait.
        held: what others share and does not become a memory here, and why.
        blocked: what of ours is not shared, and why.
        clashes: how many wait to be decided: in the inbox, or for an arrival to be accepted.
        unsaved: live files that no commit of ours has yet.
        left: live files that could not be read, or are links, and are left alone.
        declined: files whose change by others the person did not want, below ``team/``; `TeamSync.reconsider` shows
            them again.
        rebuilt: whether what was known was damaged, so that sharing has to be set up again.
    """

    configured: bool
    remote: str = ""
    branch: str = ""
    ahead: int = 0
    behind: int = 0
    last_sync: float | None = None
    last_error: TeamError | None = None
    arrivals: tuple[Arrival, ...] = ()
    held: tuple[Held, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    clashes: int = 0
    unsaved: int = 0
    left: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    rebuilt: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What a first sync would share, seen before anything is set up; nothing was run or asked.

    Attributes:
        rels: the files, below ``team/``.
        blocked: those that would stay here, and why.
        left: those that cannot be read, or are links.
    """

    rels: tuple[str, ...]
    blocked: tuple[Blocked, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did.

    Attributes:
        status: how things stand now; its ``last_error`` says what kept the sync from its end.
        committed: files that were taken into a commit of ours, below ``team/``.
        pushed: whether the remote took something of ours.
        fetched: commits that came.
        applied: files that were changed here, below ``team/``.
        clashes: what both sides changed; each is in the inbox, or will be once our text leaves the live file.
        offline: whether the remote was not reached, so that what is ours waits.
        squashed: whether commits of ours that held a secret were replaced before anybody saw them.
        rewritten: whether the remote's history is no longer the one we knew; ours was put on top of the new one.
    """

    status: TeamStatus
    committed: tuple[str, ...] = ()
    pushed: bool = False
    fetched: int = 0
    applied: tuple[str, ...] = ()
    clashes: tuple[TeamClash, ...] = ()
    offline: bool = False
    squashed: bool = False
    rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Applied:
    """What accepting did.

    Attributes:
        rels: files that were changed here, below ``team/``.
        left: arrivals that were not applied, since they are not what was shown any more, or something stands in the way.
    """

    rels: tuple[str, ...]
    left: tuple[Arrival, ...] = ()
