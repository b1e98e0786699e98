"""What both sides changed and a person has to choose: found wherever it waits, and decided in one step.

While our text still stands here, a clash waits with the arrival that would replace it; after that it is a proposal in
the inbox. Whoever decides need not know which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.manager import MemoryManager
from memtui.memory.proposals import Inbox, Proposal
from memtui.memory.saying import Say
from memtui.team.clashes import stands_of
from memtui.team.results import Arrival
from memtui.team.sync import TeamSync

Side = Literal["ours", "theirs"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One memory of which a person has to choose.

    Attributes:
        slug: it, ``team/…``.
        id: of the proposal that holds our text; empty while that still stands here.
        arrival: what would replace it then; None for a proposal.
        shared: whose text others have now.
        ours: our file; None if we deleted it.
        theirs: that of the others; None if they deleted it.
        at: when the two met, Unix seconds; 0.0 if nobody knows.
    """

    slug: str
    id: str
    arrival: Arrival | None
    shared: Side
    ours: bytes | None
    theirs: bytes | None
    at: float = 0.0


def decisions(sync: TeamSync, manager: MemoryManager) -> tuple[Decision, ...]:
    """Everything that waits to be chosen, by name.

    Raises:
        TeamError: git could not.
        Unreadable: the inbox or the directory cannot be read.
    """
    found = [*_open(sync), *(_proposed(manager, each) for each in _from_sync(Inbox(manager)))]
    return tuple(sorted(found, key=lambda each: (each.slug, each.at, each.id)))


def decide(
    sync: TeamSync, manager: MemoryManager, decision: Decision, side: Side, text: str | None = None
) -> None:
    """Make one side the text that everybody gets, or a text out of both. One undo takes each step back.

    Args:
        sync: of the directory.
        manager: of the directory.
        decision: from `decisions`.
        side: whose text; ``ours`` for one out of both.
        text: the whole file that it shall be instead of ours.

    Raises:
        Conflict: one of the two is another text by now. Nothing of it was lost.
        UsageError: there is nothing to decide any more, or the text is none that a memory can be.
        Refused: the directory cannot be changed, or ours is no text.
        TeamError: git could not.
    """
    inbox = Inbox(manager)
    ids = [decision.id]
    if decision.arrival is not None:
        known = {each.id for each in inbox.pending()}
        if sync.accept([decision.arrival]).left:
            raise Conflict(
                "others changed it again, or you did",
                where=decision.slug,
                todo="Look at it again and choose then",
            )
        ids = [
            each.id for each in _from_sync(inbox) if each.id not in known and each.main.slug == decision.slug
        ]
        if side == "ours" and not ids:
            raise Refused(
                "yours is no text that can take its place",
                where=decision.slug,
                todo="It is an old version now",
            )
    for named in ids:
        if text is not None:
            inbox.accept(named, text=text)
        elif side == decision.shared:
            inbox.reject(named)
        else:
            inbox.accept(named)


def chosen(waiting: Iterable[Decision], named: str) -> Decision:
    """The one that a person means: its id, or the name of its memory with or without ``team/``.

    Raises:
        UsageError: there is none, or several.
    """
    names = {named, f"team/{named}", f"team/{named.removesuffix('.md')}"}
    found = [each for each in waiting if each.slug in names or (each.id and each.id.startswith(named))]
    if not found:
        raise UsageError(
            Say("nothing waits to be decided about {name!r}", name=named),
            todo="'memtui team resolve' lists what does",
        )
    if len(found) > 1:
        raise UsageError(
            Say("several texts of {name!r} wait", name=named),
            todo=Say("Name one by its id: {ids}", ids=", ".join(each.id for each in found if each.id)),
        )
    return found[0]


def _open(sync: TeamSync) -> Iterable[Decision]:
    arrivals = {each.rel: each for each in sync.status().arrivals}
    for clash in sync.open_clashes():
        arrival = arrivals.get(clash.rel)
        if arrival is not None:
            theirs = sync.content(arrival.oid) if arrival.oid else None
            yield Decision(arrival.slug, "", arrival, "theirs", clash.ours, theirs, arrival.when)


def _from_sync(inbox: Inbox) -> list[Proposal]:
    return [each for each in inbox.pending() if each.source == "sync"]


def _proposed(manager: MemoryManager, proposal: Proposal) -> Decision:
    slug = proposal.main.slug
    image = manager.planner.image(manager.planner.rel_to_save(slug))
    live = image.data if image is not None else None
    other = None if proposal.main.text is None else proposal.main.text.encode("utf-8")
    shared = stands_of(proposal)
    ours, theirs = (other, live) if shared == "theirs" else (live, other)
    return Decision(slug, proposal.id, None, shared, ours, theirs, proposal.at)
