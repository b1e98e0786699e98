"""What both sides changed, as proposals in the inbox: theirs stands, ours can be taken instead, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from memtui.memory.disk.files import Unreadable, digest_of
from memtui.memory.errors import Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposal_file import MAX_WORDS, Evidence, Proposal, ProposedText
from memtui.memory.review.proposals import Inbox
from memtui.memory.types import Lang
from memtui.memory.wording.saying import Say
from memtui.team.live import TEAM_FOLDER
from memtui.team.merge import ClashKind
from memtui.team.state import OpenClash

Read = Callable[[Iterable[str]], Mapping[str, bytes]]

_BOTH = Say("you and others changed this at the same time; theirs stands, and this is yours")
_GONE = Say("others deleted this while you changed it; yours stands")
_BACK = Say("you deleted this while others changed it; theirs stands")
_NAMED = Say(
    "you and others made a memory of this name; both are kept, and this would make them one with your text"
)
_RENAMED = Say("you and others gave this another name; both are kept, and this would leave yours alone")


def deliver(
    manager: MemoryManager,
    clashes: Iterable[OpenClash],
    there: Mapping[str, str],
    head: Mapping[str, str],
    declined: Mapping[str, str],
    read: Read,
) -> tuple[OpenClash, ...]:
    """Put into the inbox what is no longer the live text; returns the clashes that go on waiting.

    Args:
        manager: of the memory directory.
        clashes: those that wait.
        there: by path below ``team/``, the blob that stands on disk.
        head: the same as others have it, with ours joined.
        declined: by path, the blob of others that the person did not want, which decides a clash.
        read: gives contents of blobs.
    """
    inbox = Inbox(manager)
    waiting: list[OpenClash] = []
    for clash in clashes:
        live = there.get(clash.rel)
        if clash.other is not None:
            pair = (clash.rel, clash.other)
            if not all(rel in head and rel not in declined for rel in pair):
                continue  # decided: one of the two is not wanted, or gone
            if any(there.get(rel) != head[rel] for rel in pair):
                waiting.append(clash)
                continue
        elif clash.kind == "both-changed" or clash.ours is None:
            undecided = live == clash.ours
            if undecided and clash.rel in declined:
                continue
            if undecided:
                waiting.append(clash)
                continue
        try:
            proposal = _proposal(manager, clash, read)
            if proposal is not None:
                inbox.add(proposal)
        except (Unreadable, Refused):
            waiting.append(clash)  # the inbox is full, or the disk: another sync tries again
        except UsageError:
            continue  # no proposal can hold it; the journal and the old versions of this directory do
    return tuple(waiting)


def stands_of(proposal: Proposal) -> Literal["ours", "theirs", "both"]:
    """Whose text others have, of a clash that `deliver` put into the inbox; accepting it would make it the other one."""
    if proposal.kind == "merge":
        return "both"
    return "ours" if _says(proposal, _GONE) else "theirs"


def pair_of(proposal: Proposal) -> tuple[str, str]:
    """Of a merge that `deliver` proposed, the memory that is ours and the one that is theirs."""
    first, second = proposal.slugs[:2]
    return (first, second) if _says(proposal, _RENAMED) else (second, first)


def as_one(kind: ClashKind, ours: tuple[str, bytes], theirs: tuple[str, bytes], text: str | None) -> Proposal:
    """Two memories that stand beside each other made one; the other is an old version of it then.

    Args:
        kind: ``both-renamed`` where ours keeps its own name, else it gets theirs.
        ours: our memory and its file.
        theirs: theirs.
        text: the whole file that becomes of them; None for ours.

    Raises:
        UnicodeDecodeError: ours is no text.
    """
    kept, gone = (ours, theirs) if kind == "both-renamed" else (theirs, ours)
    whole = ours[1].decode("utf-8") if text is None else text
    return Proposal(
        "merge",
        (
            ProposedText(kept[0], whole, digest_of(kept[1])),
            ProposedText(gone[0], None, digest_of(gone[1])),
        ),
        source="sync",
    )


def _says(proposal: Proposal, reason: Say) -> bool:
    langs: tuple[Lang, ...] = ("en", "zh")
    return proposal.reason in {reason.said(lang) for lang in langs}


def _proposal(manager: MemoryManager, clash: OpenClash, read: Read) -> Proposal | None:
    if clash.other is not None:
        return _proposal_of_two(manager, clash, clash.other)
    slug = slug_at(clash.rel)
    image = manager.planner.image(f"{slug}.md")
    digest = image.digest if image is not None else None
    if clash.kind == "deleted-edited":
        if digest is None:
            return None
        reason = _GONE if clash.ours is not None else _BACK
        return Proposal(
            "forget",
            (ProposedText(slug, None, digest),),
            reason.said(manager.lang),
            source="sync",
            at=manager.clock(),
        )
    texts = read(oid for oid in (clash.ours, clash.theirs) if oid is not None)
    ours, theirs = texts.get(clash.ours or ""), texts.get(clash.theirs or "")
    if ours is None:
        return None
    try:
        text = ours.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return Proposal(
        "update" if digest is not None else "create",
        (ProposedText(slug, text, digest),),
        _BOTH.said(manager.lang),
        _evidence(slug, theirs),
        source="sync",
        at=manager.clock(),
    )


def _proposal_of_two(manager: MemoryManager, clash: OpenClash, other: str) -> Proposal | None:
    """Both are live by now; which texts they have is seen on disk."""
    slugs = slug_at(other), slug_at(clash.rel)
    ours, theirs = (manager.planner.image(f"{slug}.md") for slug in slugs)
    if ours is None or theirs is None:
        return None
    try:
        made = as_one(clash.kind, (slugs[0], ours.data), (slugs[1], theirs.data), None)
    except UnicodeDecodeError:
        return None
    reason = _RENAMED if clash.kind == "both-renamed" else _NAMED
    evidence = _evidence(slugs[1], theirs.data)
    return replace(made, reason=reason.said(manager.lang), evidence=evidence, at=manager.clock())


def slug_at(rel: str) -> str:
    """The memory in a file below ``team/``."""
    return f"{TEAM_FOLDER}/{rel.removesuffix('.md')}"


def _evidence(slug: str, theirs: bytes | None) -> tuple[Evidence, ...]:
    """Their text, beside ours."""
    with suppress(UnicodeDecodeError):
        if theirs is not None:
            return (Evidence(f"{slug}.md", 0, theirs.decode("utf-8")[:MAX_WORDS]),)
    return ()
