"""Reads what waits for a person's review, works out what each decision does, and makes it: in threads, without a screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memtui.memory.conventions import INBOX_FOLDER, SizeUnit
from memtui.memory.document import drafting
from memtui.memory.document.draft import Draft, draft_of
from memtui.memory.errors import Conflict, MemtuiError, Refused
from memtui.memory.live.report import LiveReport
from memtui.memory.managing.merging import merge_drafts
from memtui.memory.managing.results import ChangeResult
from memtui.memory.review.proposal_checks import check_texts, draft_from
from memtui.memory.review.proposal_reading import InboxReader
from memtui.memory.review.proposals import AcceptPlan, Broken, Inbox, Proposal
from memtui.memory.review.unreviewed import OthersChange
from memtui.memory.saving.record_lines import in_inbox
from memtui.memory.saving.records import Edit
from memtui.memory.types import MemoryEntry

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.plans import Plan
    from memtui.memory.review.unreviewed import Unreviewed
    from memtui.memory.review.visits import Seen
    from memtui.tui.editing import Attempt, Editing

Item = Proposal | OthersChange | Broken
Kept = Callable[[Mapping[str, "Seen | None"]], None]
"""Is told what counted as seen before changes were kept, so that this can be taken back."""
MOST_RAW_BYTES = 64 << 10
"""So much is shown of a file that is no proposal, bytes (ours)."""


def key_of(item: Item) -> str:
    """What an item is known by; another text of it is another item."""
    if isinstance(item, Proposal):
        return f"proposal {item.id}"
    if isinstance(item, OthersChange):
        return f"change {item.rel} {hash((item.base, item.now))}"
    return f"file {item.name}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What lies in the inbox.

    Attributes:
        proposals: those that wait, oldest first.
        broken: files that are none.
        trouble: why the inbox cannot be read; None if it can.
    """

    proposals: tuple[Proposal, ...] = ()
    broken: tuple[Broken, ...] = ()
    trouble: MemtuiError | None = None


def read_inbox(inbox: InboxReader) -> Waiting:
    """Read the inbox; what cannot be read is told in the answer."""
    try:
        proposals, broken = inbox.all()
    except MemtuiError as error:
        return Waiting(trouble=error)
    return Waiting(proposals, broken)


# --- one item --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Looked:
    """One item, worked out against what stands on disk now.

    Attributes:
        item: it.
        accepting: what accepting it would write, byte for byte; None where it is no proposal, or does not fit.
        error: why it cannot be accepted, or be reverted.
        edits: what it changes, or would, file by file; old versions that are kept go without saying.
        checks: what there is to say about each text it would write, by slug.
        raw: of a file that is no proposal, its text.
    """

    item: Item
    accepting: AcceptPlan | None = None
    error: MemtuiError | None = None
    edits: tuple[Edit, ...] = ()
    checks: Mapping[str, LiveReport] = field(default_factory=dict)
    raw: str = ""


def look(manager: MemoryManager, item: Item) -> Looked:
    """Work out what an item would do now, and what the checks say of it."""
    if isinstance(item, Proposal):
        return _look_at_proposal(manager, item)
    if isinstance(item, OthersChange):
        error = None
        if not item.revertible:
            error = Refused("the text as you last saw it is not known any more", where=item.slug)
        return Looked(item, error=error, edits=(Edit(item.rel, item.base, item.now),))
    try:
        data = manager.folder.read(f"{INBOX_FOLDER}/{item.name}").data[:MOST_RAW_BYTES]
    except (MemtuiError, OSError):
        data = b""  # what is wrong with it is said anyway
    return Looked(item, raw=data.decode("utf-8", "replace"))


def _look_at_proposal(manager: MemoryManager, proposal: Proposal) -> Looked:
    checks = check_texts(manager, proposal)
    try:
        accepting = Inbox(manager).plan([proposal.id])
    except MemtuiError as error:
        return Looked(proposal, error=error, edits=_would_be(manager, proposal), checks=checks)
    edits = tuple(e for e in accepting.plan.edits if e.role != "archive" and not in_inbox(e.rel))
    return Looked(proposal, accepting, edits=edits, checks=checks)


def _would_be(manager: MemoryManager, proposal: Proposal) -> tuple[Edit, ...]:
    """What a proposal that does not fit any more would make of what stands there."""
    found: list[Edit] = []
    for each in proposal.texts:
        entry = manager.directory.get_rel(f"{each.slug}.md")
        there = entry.data if entry is not None and isinstance(entry.data, bytes) else None
        after = None if each.text is None else each.text.encode("utf-8", "surrogateescape")
        found.append(Edit(f"{each.slug}.md", there, after))
    return tuple(found)


# --- many items ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person is about to decide on several items; nothing of it has been done.

    Attributes:
        accepting: the proposals to accept, as one change.
        rejecting: those to take out, as one change.
        taken_out: what each of them is about.
        reverting: changes by others to take back, as one change.
        kept: changes by others to take as seen.
        left: what cannot be decided so, by slug or file, and why.
        unit: what the index is measured in.
    """

    accepting: AcceptPlan | None = None
    rejecting: Plan | None = None
    taken_out: tuple[str, ...] = ()
    reverting: Plan | None = None
    kept: tuple[OthersChange, ...] = ()
    left: tuple[tuple[str, MemtuiError], ...] = ()
    unit: SizeUnit = "bytes"

    @property
    def edits(self) -> tuple[object, ...]:
        """Everything it does; empty if it does nothing."""
        plans = (self.accepting.plan if self.accepting else None, self.rejecting, self.reverting)
        return (*(edit for plan in plans if plan is not None for edit in plan.edits), *self.kept)

    @property
    def steps(self) -> int:
        """How many changes it makes, each of which is undone by itself."""
        return sum((bool(self.accepting and self.accepting.ids), bool(self.rejecting), bool(self.reverting)))


def plan_acceptance(manager: MemoryManager, items: Sequence[Item]) -> Decision:
    """What accepting the proposals, and keeping the changes by others, would do."""
    proposals = {item.id: item for item in items if isinstance(item, Proposal)}
    left: list[tuple[str, MemtuiError]] = [
        (item.name, _no_proposal(item)) for item in items if isinstance(item, Broken)
    ]
    accepting = None
    if proposals:
        try:
            accepting = Inbox(manager).plan(list(proposals), strict=False)
        except MemtuiError as error:
            if len(proposals) > 1:
                raise
            left += [(each.main.slug, error) for each in proposals.values()]
        else:
            left += [(proposals[each.id].main.slug, each.error) for each in accepting.left]
    kept = tuple(item for item in items if isinstance(item, OthersChange))
    fitting = accepting if accepting and accepting.ids else None
    unit = manager.directory.convention.unit
    return Decision(fitting, kept=kept, left=tuple(left), unit=unit)


def plan_rejection(manager: MemoryManager, unreviewed: Unreviewed | None, items: Sequence[Item]) -> Decision:
    """What taking the proposals out, and reverting the changes by others, would do."""
    left: list[tuple[str, MemtuiError]] = []
    named: dict[str, str] = {}
    reverted: list[OthersChange] = []
    for item in items:
        if isinstance(item, Proposal):
            named[item.id] = ", ".join(item.slugs)
        elif isinstance(item, Broken):
            if item.removable:
                named[item.name] = item.name
            else:
                left.append((item.name, _no_proposal(item)))
        elif item.revertible:
            reverted.append(item)
        else:
            error = Refused("the text as you last saw it is not known any more", where=item.slug)
            left.append((item.slug, error))
    rejecting = Inbox(manager).plan_reject(*named) if named else None
    reverting = unreviewed.plan_revert(reverted) if reverted and unreviewed is not None else None
    return Decision(
        rejecting=rejecting, taken_out=tuple(named.values()), reverting=reverting, left=tuple(left)
    )


def _no_proposal(item: Broken) -> Refused:
    return Refused(
        "this file is no proposal",
        where=f"{INBOX_FOLDER}/{item.name}",
        todo="Reject it, or remove it by hand",
    )


def carry_out(
    manager: MemoryManager, unreviewed: Unreviewed | None, decision: Decision, told: Kept
) -> ChangeResult:
    """Do what was shown, exactly; of several changes the last one is told.

    Raises:
        Conflict: something was changed since. Of that change nothing was written.
        Refused: it could not be written.
    """
    result = ChangeResult("", tuple(change.slug for change in decision.kept))
    if decision.accepting is not None:
        accepted = decision.accepting
        result = Inbox(manager).accept_all(accepted.ids, shown=accepted).change
    for plan in (decision.rejecting, decision.reverting):
        if plan is not None:
            result = manager.carry_out(plan)
    if decision.kept and unreviewed is not None:
        told(unreviewed.keep(decision.kept))
    return result


# --- in the editor ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """Where editing a proposal begins.

    Attributes:
        proposal: it.
        entry: the memory it becomes a text of; None for a new one.
        typed: the fields to begin with.
        headed: the whole file whose header the result keeps.
    """

    proposal: Proposal
    entry: MemoryEntry | None
    typed: Draft
    headed: str


def begin_edit(manager: MemoryManager, proposal: Proposal) -> Start:
    """Where to begin with a proposal that writes a text: with that, or merged with what stands there by now.

    Raises:
        Refused: what stands there cannot be merged, for it is not UTF-8.
    """
    slug, text = proposal.main.slug, proposal.main.text or ""
    base: bytes | None = None
    try:
        Inbox(manager).plan([proposal.id])
    except Conflict as conflict:
        base = conflict.base
    except MemtuiError:
        pass  # the text says of itself that it is an old version; that is what is edited
    entry = manager.directory.get_rel(f"{slug}.md")
    mine = draft_from(slug, text)
    if entry is None or not entry.is_active:
        return Start(proposal, None, mine, text)
    if entry.digest == proposal.main.based_on:
        return Start(proposal, entry, mine, text)
    old = draft_from(slug, base.decode("utf-8", "surrogateescape")) if base is not None else None
    return Start(proposal, entry, merge_drafts(old, mine, draft_of(entry)).draft, _whole(entry))


def begin_merge(manager: MemoryManager, proposal: Proposal, into: str) -> Start:
    """Where to begin with both texts: that of another memory, and what is proposed.

    Raises:
        UsageError: there is no such proposal or memory, or it writes no text.
        Refused: the memory's file is not UTF-8.
    """
    text = Inbox(manager).merged_text(proposal.id, into)
    entry = manager.get(into)
    _whole(entry)
    return Start(proposal, entry, draft_from(into, text), text)


def _whole(entry: MemoryEntry) -> str:
    data = entry.data if isinstance(entry.data, bytes) else b""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("the file is not UTF-8, so no change of it can be proposed", where=entry.slug) from None


def accepting(start: Start) -> Attempt:
    """What saving in the editor does: the proposal is accepted with what was made of its text."""
    proposal = start.proposal

    def accept(manager: MemoryManager, work: Editing, draft: Draft) -> ChangeResult:
        inbox = Inbox(manager)
        # Merged into another memory in the editor, the text gets the header of that one.
        begun_there = work.slug == (start.entry.slug if start.entry is not None else None)
        headed = start.headed if begun_there or work.entry is None else _whole(work.entry)
        fields = drafting.checked_fields(draft.name, draft.description, draft.type_text, draft.content)
        return inbox.accept(
            proposal.id,
            text=inbox.retyped(headed, fields),
            into=draft.slug if draft.slug != proposal.main.slug else None,
            based_on=work.based_on,
        ).change

    return accept
