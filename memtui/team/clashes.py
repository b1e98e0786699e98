"""What both sides changed, as proposals in the inbox: theirs stands, ours can be taken instead, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Literal

from memtui.memory.errors import Refused, UsageError
from memtui.memory.files import Unreadable
from memtui.memory.manager import MemoryManager
from memtui.memory.proposal_file import MAX_WORDS, Evidence, Proposal, ProposedText
from memtui.memory.proposals import Inbox
from memtui.memory.saying import Say
from memtui.memory.types import Lang
from memtui.team.live import TEAM_FOLDER
from memtui.team.state import OpenClash

Read = Callable[[Iterable[str]], Mapping[str, bytes]]

_BOTH = Say("you and others changed this at the same time; theirs stands, and this is yours")
_GONE = Say("others deleted this while you changed it; yours stands")
_BACK = Say("you deleted this while others changed it; theirs stands")


def deliver(
    manager: MemoryManager,
    clashes: Iterable[OpenClash],
    there: Mapping[str, str],
    declined: Mapping[str, str],
    read: Read,
) -> tuple[OpenClash, ...]:
    """Put into the inbox what is no longer the live text; returns the clashes that go on waiting.

    Args:
        manager: of the memory directory.
        clashes: those that wait.
        there: by path below ``team/``, the blob that stands on disk.
        declined: by path, the blob of others that the person did not want, which decides a clash.
        read: gives contents of blobs.
    """
    inbox = Inbox(manager)
    waiting: list[OpenClash] = []
    for clash in clashes:
        live = there.get(clash.rel)
        if clash.kind == "both-changed" or clash.ours is None:
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


def stands_of(proposal: Proposal) -> Literal["ours", "theirs"]:
    """Whose text others have, of a clash that `deliver` put into the inbox; accepting it would make it the other one."""
    langs: tuple[Lang, ...] = ("en", "zh")
    return "ours" if proposal.reason in {_GONE.said(lang) for lang in langs} else "theirs"


def _proposal(manager: MemoryManager, clash: OpenClash, read: Read) -> Proposal | None:
    slug = f"{TEAM_FOLDER}/{clash.rel.removesuffix('.md')}"
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
    evidence: tuple[Evidence, ...] = ()
    with suppress(UnicodeDecodeError):
        if theirs is not None:
            evidence = (Evidence(f"{slug}.md", 0, theirs.decode("utf-8")[:MAX_WORDS]),)
    try:
        text = ours.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return Proposal(
        "update" if digest is not None else "create",
        (ProposedText(slug, text, digest),),
        _BOTH.said(manager.lang),
        evidence,
        source="sync",
        at=manager.clock(),
    )
