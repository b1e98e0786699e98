"""What the commands of ``review`` share: the proposals a filter fits, a change as a difference, and the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from memtui.cli.inspecting import edits_diff
from memtui.cli.session import Session
from memtui.cli.wording_review import ReviewWording, review_words
from memtui.memory.errors import UsageError
from memtui.memory.review.proposal_file import ProposalKind, Source
from memtui.memory.review.proposals import AcceptPlan, Proposal
from memtui.memory.review.unreviewed import Unreviewed
from memtui.memory.review.visits import Visits
from memtui.memory.saving.record_lines import in_inbox
from memtui.memory.wording.filter_words import meant
from memtui.memory.wording.saying import Say, joined


def matching(proposals: Iterable[Proposal], words: Sequence[str]) -> tuple[Proposal, ...]:
    """The proposals that every word fits: ``kind:…``, ``source:…``, or what stands in slugs or reason.

    Raises:
        UsageError: there is no such kind or source.
    """
    found = tuple(proposals)
    for word in words:
        name, colon, value = word.partition(":")
        known = {"kind": get_args(ProposalKind), "source": get_args(Source)}.get(name, ()) if colon else ()
        if known and value not in known and not value.isascii():
            value = next(iter(meant(name, value, known)), value)
        if known and value not in known:
            raise UsageError(
                Say("there is no {name} {value!r}", name=name, value=value),
                todo=Say("Use one of: {types}", types=joined(known, ", ")),
            )
        if known:
            found = tuple(each for each in found if getattr(each, name) == value)
        else:
            low = word.casefold()
            found = tuple(e for e in found if low in " ".join((*e.slugs, e.reason)).casefold())
    return found


def accept_diff(shown: AcceptPlan) -> str:
    """What accepting changes; that the proposals leave the inbox goes without saying."""
    return edits_diff(edit for edit in shown.plan.edits if not in_inbox(edit.rel))


def unreviewed_of(session: Session) -> Unreviewed:
    """What knows what others changed in the session's directory."""
    return Unreviewed(session.manager(), Visits(session.world.state_dir, session.memory_dir()))


def say_of(session: Session) -> ReviewWording:
    """The sentences, in the session's language."""
    return review_words(session.lang())
