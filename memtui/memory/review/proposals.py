"""The inbox: proposals that wait for a person, as plain files in ``.memtui/inbox/`` (spec §14).

Whoever proposes, be it extraction, dream or sync, only ever adds a file here. Nothing of it reaches a prompt, the list
or the index before a person accepts it. Accepting and rejecting are changes like any other: one record of the journal
each, undone and redone with every byte, and whole or not at all after a crash. What was decided is known from the
journal alone, by the names of the files it took out; so it cannot disagree with what was done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.document import drafting, frontmatter
from memtui.memory.errors import UsageError
from memtui.memory.managing.merging import merge_texts
from memtui.memory.managing.plans import Plan
from memtui.memory.review.proposal_file import (
    Evidence,
    Proposal,
    ProposedText,
)
from memtui.memory.review.proposal_plans import AcceptPlan, Left, plan_accept
from memtui.memory.review.proposal_reading import Broken, Rejected
from memtui.memory.review.proposing import Origin, Proposing
from memtui.memory.saving.record_lines import MAX_LABEL
from memtui.memory.saving.records import Edit
from memtui.memory.wording.labels import names

if TYPE_CHECKING:
    from memtui.memory.managing.results import ChangeResult

__all__ = [
    "AcceptPlan",
    "Accepted",
    "Broken",
    "Evidence",
    "Inbox",
    "Left",
    "Origin",
    "Proposal",
    "ProposedText",
    "Rejected",
]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What accepting did.

    Attributes:
        change: the one change that was made.
        ids: the proposals it accepted.
        left: those that still wait, and why.
    """

    change: ChangeResult
    ids: tuple[str, ...]
    left: tuple[Left, ...]


class Inbox(Proposing):
    """The proposals for one directory. Looking makes nothing; everything else goes through the manager's journal."""

    # -- looking ahead ---------------------------------------------------------------------------------------------

    def plan(
        self,
        ids: Sequence[str],
        *,
        text: str | None = None,
        into: str | None = None,
        based_on: str | None = None,
        strict: bool | None = None,
    ) -> AcceptPlan:
        """What accepting would do now, byte for byte; pass it to `accept` as ``shown``.

        Args:
            ids: the proposals. One that cannot be accepted is in ``left`` if there are several.
            text: what a person made of the proposed text; for one proposal that writes.
            into: another memory that the text is for, instead of the one proposed.
            based_on: digest of what stood there when the person wrote ``text``; the proposal's own if None, empty if
                nothing stood there.
            strict: raise where one cannot be accepted, instead of leaving it; None does so for one alone.

        Raises:
            UsageError: there is no such proposal, or it writes no text that could be another.
            Conflict: of one proposal alone: the memory was changed since it was proposed.
            Refused: of one proposal alone: it cannot be accepted.
        """
        waiting = list(dict.fromkeys(self._find_all(ids)))
        wanted = [each.proposal for each in waiting]
        if text is not None or into is not None:
            if len(waiting) != 1:
                raise UsageError("name one proposal to accept with another text")
            wanted = [self._altered(wanted[0], text, into, based_on)]
        items = list(zip(waiting, wanted, strict=True))
        manager = self._manager
        return plan_accept(
            manager.planner,
            manager.journal,
            items,
            strict=len(items) == 1 if strict is None else strict,
            refuse=manager.refuse_secrets,
        )

    def merged_text(self, named: str, into: str) -> str:
        """A text for a memory that holds what it says and what a proposal says: where a person starts to edit.

        Raises:
            UsageError: there is no such proposal or memory, or it writes no text.
        """
        proposal = self.get(named)
        if proposal.main.text is None:
            raise UsageError("this proposal writes no text", where=proposal.id)
        entry = self._manager.get(into)
        mine = frontmatter.read(proposal.main.text.encode("utf-8")).body
        merged = merge_texts(None, entry.content.strip("\n"), mine.strip("\n")).text
        after = self._manager.planner.saved(
            into, self._manager.planner.existing(entry.rel), drafting.Fields(content=merged)
        )
        return after.decode("utf-8", "surrogateescape")

    def retyped(self, text: str, fields: drafting.Fields) -> str:
        """A text with what a person typed into its fields; everything else of its header stays.

        Args:
            text: whole file of a memory, as proposed or as it stands.
            fields: all four, checked.
        """
        planner = self._manager.planner
        after = drafting.saved_text(
            text.encode("utf-8", "surrogateescape"),
            fields,
            nested=planner.new_files_nest(),
            convention=self._manager.convention,
            now=self._manager.clock(),
            stamp_new=self._manager.convention.name == "claude",
        )
        return after.decode("utf-8", "surrogateescape")

    # -- deciding --------------------------------------------------------------------------------------------------

    def accept(
        self,
        named: str,
        *,
        text: str | None = None,
        into: str | None = None,
        based_on: str | None = None,
        shown: AcceptPlan | None = None,
    ) -> Accepted:
        """Accept one proposal, as it is or as a person edited it.

        Args:
            named: which, as for `get`.
            text: as in `plan`.
            into: as in `plan`.
            based_on: as in `plan`.
            shown: what the person saw, from `plan`; exactly that is written. None plans it now.

        Raises:
            UsageError: there is no such proposal.
            Conflict: the memory or the proposal was changed since. Nothing was written.
            Refused: it cannot be accepted, or not be written. Nothing was changed.
        """
        return self._carry_out(shown or self.plan([named], text=text, into=into, based_on=based_on))

    def accept_as(self, named: str, wanted: Proposal) -> Accepted:
        """Accept one proposal as what a person chose instead, of the same memories.

        Raises:
            UsageError: there is no such proposal, or that one is about other memories.
            Conflict: a memory was changed since. Nothing was written.
            Refused: it cannot be accepted, or not be written. Nothing was changed.
        """
        waiting = self._find(named)
        if set(wanted.slugs) != set(waiting.proposal.slugs):
            raise UsageError("that is about other memories", where=waiting.proposal.id)
        manager = self._manager
        return self._carry_out(
            plan_accept(
                manager.planner,
                manager.journal,
                [(waiting, wanted)],
                strict=True,
                refuse=manager.refuse_secrets,
            )
        )

    def accept_all(self, ids: Sequence[str], *, shown: AcceptPlan | None = None) -> Accepted:
        """Accept several proposals in one change, which one undo takes back; those that do not fit are left.

        Raises:
            UsageError: one is not there.
            Conflict: something was changed since. Nothing was written.
            Refused: it could not be written. Nothing was changed.
        """
        return self._carry_out(shown or self.plan(ids))

    def reject(self, *named: str, reason: str = "") -> ChangeResult:
        """Take proposals out of the inbox and remember that they were not wanted; one undo brings all back.

        Args:
            named: proposals as for `get`, or names of files that are none.
            reason: why, for the journal.

        Raises:
            UsageError: one is not there.
            Conflict: one was decided on meanwhile. Nothing was changed.
        """
        return self._manager.carry_out(self.plan_reject(*named, reason=reason))

    def plan_reject(self, *named: str, reason: str = "") -> Plan:
        """What `reject` would do now; raises as it does."""
        edits: dict[str, Edit] = {}
        slugs: dict[str, None] = {}
        exact = {each: found for each in named if (found := self._exactly(each)) is not None}
        waiting, others = self._read() if len(exact) < len(set(named)) else ((), ())
        broken = {each.name for each in others if each.removable}
        for each in named:
            if each in broken:
                rel = f"{INBOX_FOLDER}/{each}"
                edits[rel] = Edit(rel, self._manager.folder.read(rel).data, None)
                continue
            found = exact.get(each) or self._one_of(each, waiting)
            edits[found.out.rel] = found.out
            slugs.update(dict.fromkeys(found.proposal.slugs))
        return Plan(_reject_label(len(edits), tuple(slugs), reason), tuple(slugs), tuple(edits.values()))

    def _carry_out(self, accepting: AcceptPlan) -> Accepted:
        change = self._manager.carry_out(accepting.plan)
        return Accepted(change, accepting.ids, accepting.left)

    # -- within ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _altered(proposal: Proposal, text: str | None, into: str | None, based_on: str | None) -> Proposal:
        """What a person made of a proposal; its evidence and reason go with the one in the inbox."""
        main = proposal.main
        if main.text is None or (into is not None and proposal.kind not in {"create", "update"}):
            raise UsageError("this proposal writes no text that could be another", where=proposal.id)
        try:
            (text or "").encode("utf-8")
        except UnicodeEncodeError:
            raise UsageError("the text is not UTF-8", where=proposal.id, todo="Convert it first") from None
        changed = replace(
            main,
            slug=into or main.slug,
            text=main.text if text is None else text,
            based_on=main.based_on if based_on is None and into in (None, main.slug) else based_on or None,
        )
        kind = proposal.kind
        if kind in {"create", "update"}:
            kind = "update" if changed.based_on else "create"
        return replace(proposal, kind=kind, texts=(changed, *proposal.texts[1:]))


def _reject_label(count: int, slugs: Sequence[str], reason: str) -> str:
    if not slugs:
        return f"take out files that are no proposals ({count})"
    label = (
        f"reject a proposal for {names(slugs)}"
        if count == 1
        else f"reject {count} proposals for {names(slugs)}"
    )
    return f"{label}: {' '.join(reason.split())}"[:MAX_LABEL] if reason.strip() else label
