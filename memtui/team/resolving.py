"""What both sides changed and a person has to choose: found wherever it waits, and decided in one step.

While it is not live here as others have it, a clash waits with the arrivals that would make it so; after that it is a
proposal in the inbox. Whoever decides need not know which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from memtui.memory.conventions import TEAM_PREFIX
from memtui.memory.disk.files import digest_of
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox, Proposal
from memtui.memory.wording.saying import Say
from memtui.team.clashes import as_one, pair_of, slug_at, stands_of
from memtui.team.merge import ClashKind, TeamClash
from memtui.team.results import Arrival
from memtui.team.sync import TeamSync

Now = Callable[[str], bytes | None]
Side = Literal["ours", "theirs", "both"]
"""``both``: two memories stay two; only where there are two."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person has to choose: of one memory which text, or of two whether they stay two.

    Attributes:
        slug: the memory, ``team/…``; of two, theirs.
        id: of the proposal that holds our text; empty while that has not come about.
        arrivals: what would make it so then; of a proposal none, unless the taking of theirs was undone.
        shared: whose text others have now.
        ours: our file; None if we deleted it.
        theirs: that of the others; None if they deleted it.
        at: when the two met, Unix seconds; 0.0 if nobody knows.
        kind: what happened.
        other: of two memories, ours; None where there is one.
    """

    slug: str
    id: str
    arrivals: tuple[Arrival, ...]
    shared: Side
    ours: bytes | None
    theirs: bytes | None
    at: float = 0.0
    kind: ClashKind = "both-changed"
    other: str | None = None


def decisions(sync: TeamSync, manager: MemoryManager) -> tuple[Decision, ...]:
    """Everything that waits to be chosen, by name.

    Raises:
        TeamError: git could not.
        Unreadable: the inbox or the directory cannot be read.
    """
    arrivals = {each.rel: each for each in sync.status().arrivals}

    def now(rel: str) -> bytes | None:
        """The text that a file would have with what arrived."""
        arrival = arrivals.get(rel)
        if arrival is not None:
            return sync.content(arrival.oid) if arrival.oid else None
        return _live(manager, slug_at(rel))

    found = [
        *_open(sync, arrivals, now),
        *(_proposed(manager, each, arrivals, now) for each in _from_sync(Inbox(manager))),
    ]
    return tuple(sorted(found, key=lambda each: (each.slug, each.at, each.id)))


def undecided(arrivals: Iterable[Arrival], waiting: Iterable[Decision]) -> tuple[Arrival, ...]:
    """The arrivals that are part of a decision: whoever takes all that came does not mean these."""
    known = {(each.rel, each.oid) for decision in waiting for each in decision.arrivals}
    return tuple(each for each in arrivals if (each.rel, each.oid) in known)


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
        UsageError: there is nothing to decide any more, or the text is none that a memory can be, or there is one memory
            only and ``both`` shall stay.
        Refused: the directory cannot be changed, or ours is no text.
        TeamError: git could not.
    """
    if side == "both" and decision.other is None:
        raise UsageError("there is one memory, of which one text can stand", where=decision.slug)
    inbox = Inbox(manager)
    ids = [decision.id]
    if decision.arrivals:
        known = {each.id for each in inbox.pending()}
        if sync.accept(decision.arrivals).left:
            raise Conflict(
                "others changed it again, or you did",
                where=decision.slug,
                todo="Look at it again and choose then",
            )
        about = {decision.slug, decision.other or decision.slug}
        ids = (
            [decision.id]
            if decision.id
            else [each.id for each in _from_sync(inbox) if each.id not in known and set(each.slugs) == about]
        )
        if side != decision.shared and not ids:
            raise Refused(
                "yours is no text that can take its place",
                where=decision.slug,
                todo="It is an old version now" if decision.other is None else "Both stay as they are",
            )
    for named in ids:
        if text is None and side == decision.shared:
            inbox.reject(named)
        elif decision.other is not None:
            inbox.accept_as(named, _as_one(decision, decision.other, side, text))
        else:
            _accept(inbox, named, decision, text)


def _accept(inbox: Inbox, named: str, decision: Decision, text: str | None) -> None:
    """Make our text, or one out of both, the one that stands."""
    mine = inbox.get(named).main.text if text is None else text
    if decision.arrivals and mine is not None and decision.theirs is not None:
        # Theirs may be newer than what the proposal was made for.
        inbox.accept(named, text=mine, based_on=digest_of(decision.theirs))
    else:
        inbox.accept(named, text=text)


def _as_one(decision: Decision, other: str, side: Side, text: str | None) -> Proposal:
    """One of two memories, as a person chose it."""
    if decision.ours is None or decision.theirs is None:
        raise Conflict(
            "others changed it again, or you did",
            where=decision.slug,
            todo="Look at it again and choose then",
        )
    ours, theirs = (other, decision.ours), (decision.slug, decision.theirs)
    try:
        if side == "theirs":
            return as_one("both-renamed", theirs, ours, None)  # theirs keeps name and text
        return as_one(decision.kind, ours, theirs, text)
    except UnicodeDecodeError:
        raise Refused(
            "this is no text that can take the place of the other",
            where=decision.slug,
            todo="Both stay as they are",
        ) from None


def chosen(waiting: Iterable[Decision], named: str) -> Decision:
    """The one that a person means: its id, or the name of its memory with or without ``team/``.

    Raises:
        UsageError: there is none, or several.
    """
    names = {named, f"team/{named}", f"team/{named.removesuffix('.md')}"}
    found = [
        each
        for each in waiting
        if not names.isdisjoint({each.slug, each.other}) or (each.id and each.id.startswith(named))
    ]
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


def _open(sync: TeamSync, arrivals: Mapping[str, Arrival], now: Now) -> Iterable[Decision]:
    for clash in sync.open_clashes():
        found = [arrivals[rel] for rel in (clash.rel, clash.other) if rel is not None and rel in arrivals]
        if found:
            yield _waiting(
                clash, tuple(found), clash.ours if clash.other is None else now(clash.other), now(clash.rel)
            )


def _waiting(
    clash: TeamClash, arrivals: tuple[Arrival, ...], ours: bytes | None, theirs: bytes | None
) -> Decision:
    return Decision(
        slug_at(clash.rel),
        "",
        arrivals,
        "theirs" if clash.other is None else "both",
        ours,
        theirs,
        arrivals[0].when,
        clash.kind,
        slug_at(clash.other) if clash.other is not None else None,
    )


def _from_sync(inbox: Inbox) -> list[Proposal]:
    return [each for each in inbox.pending() if each.source == "sync"]


def _proposed(
    manager: MemoryManager, proposal: Proposal, arrivals: Mapping[str, Arrival], now: Now
) -> Decision:
    """What a proposal lets a person choose.

    Where the taking of theirs was undone, ours is live again and theirs waits again: that is one choice and not two.
    """
    shared = stands_of(proposal)
    if shared == "both":
        mine, slug = pair_of(proposal)
        rels = (_rel_of(slug), _rel_of(mine))
        came = tuple(arrivals[rel] for rel in rels if rel in arrivals)
        kind: ClashKind = "both-renamed" if proposal.main.slug == mine else "same-name"
        ours, theirs = now(rels[1]), now(rels[0])
        return Decision(slug, proposal.id, came, shared, ours, theirs, proposal.at, kind, mine)
    slug = proposal.main.slug
    live = _live(manager, slug)
    other = None if proposal.main.text is None else proposal.main.text.encode("utf-8")
    kind = "both-changed" if other is not None else "deleted-edited"
    arrival = arrivals.get(_rel_of(slug))
    if shared == "theirs" and arrival is not None and live == other:
        theirs = now(arrival.rel)
        return Decision(slug, proposal.id, (arrival,), shared, live, theirs, proposal.at, kind)
    ours, theirs = (other, live) if shared == "theirs" else (live, other)
    return Decision(slug, proposal.id, (), shared, ours, theirs, proposal.at, kind)


def _rel_of(slug: str) -> str:
    """The file of a memory of the team, below ``team/``."""
    return f"{slug.removeprefix(TEAM_PREFIX)}.md"


def _live(manager: MemoryManager, slug: str) -> bytes | None:
    image = manager.planner.image(f"{slug}.md")
    return image.data if image is not None else None
