"""What accepting proposals would do, worked out before anything is written: plans that hold every byte.

Several are one change: one journal record writes the memories and the index and takes the proposals out of the inbox,
so that all of it stands or none does, and one undo takes it back. A proposal that does not fit any more, or that
touches the same memory as one before it, is left where it is and said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk.files import FileImage, Unreadable
from memtui.memory.document import frontmatter
from memtui.memory.document.slugs import check_new_slug
from memtui.memory.errors import Conflict, MemtuiError, Refused, UsageError
from memtui.memory.managing.planner import Planner
from memtui.memory.managing.plans import Plan, left_dangling
from memtui.memory.review.proposal_file import Proposal, ProposedText
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Edit
from memtui.memory.types import MemoryEntry
from memtui.memory.wording.labels import names
from memtui.memory.wording.saying import Say


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal that waits.

    Attributes:
        proposal: it.
        data: the bytes of its file.
    """

    proposal: Proposal
    data: bytes

    @property
    def out(self) -> Edit:
        """The edit that takes it out of the inbox."""
        return Edit(self.proposal.rel, self.data, None)


class Left(NamedTuple):
    """A proposal that is not part of a plan.

    Attributes:
        id: of the proposal.
        error: why it is not.
    """

    id: str
    error: MemtuiError


@dataclass(frozen=True, slots=True)
class AcceptPlan:
    """What accepting would do now; nothing of it has been done.

    Attributes:
        plan: the change; carried out exactly as it stands here, or not at all.
        ids: the proposals it accepts.
        left: those it cannot accept, and why.
    """

    plan: Plan
    ids: tuple[str, ...]
    left: tuple[Left, ...]


class _Piece(NamedTuple):
    edits: list[Edit]
    lines: Callable[[str], str]
    gone: tuple[str, ...]
    created: tuple[str, ...]


def plan_accept(
    planner: Planner,
    journal: Journal,
    items: Sequence[tuple[Pending, Proposal]],
    *,
    strict: bool,
    refuse: Callable[[Sequence[Edit]], object],
) -> AcceptPlan:
    """Plan accepting proposals as one change.

    Args:
        planner: of the directory.
        journal: knows the texts that proposals were made from.
        items: each proposal as it lies in the inbox, and what shall be done for it: itself, or what a person made
            of it.
        strict: raise where one cannot be accepted, instead of leaving it.
        refuse: raises where edits must not be made, as the secret guard does. Asked of each of several, so that one
            does not stand in the way of the others; of one alone it is asked when the plan is carried out.

    Raises:
        MemtuiError: one cannot be accepted, and ``strict``.
    """
    edits: list[Edit] = []
    used: set[str] = set()
    created: list[str] = []
    gone: list[str] = []
    ids: list[str] = []
    left: list[Left] = []
    slugs: dict[str, None] = {}
    on_index: list[Callable[[str], str]] = []
    for pending, wanted in items:
        try:
            piece = _Pieces(planner, journal).of(wanted, mechanical=wanted == pending.proposal)
            for slug in piece.created:
                check_new_slug(slug, created)
            _refuse_overlap(piece, used)
            if not strict:
                refuse(piece.edits)
        except MemtuiError as error:
            if strict or (isinstance(error, Unreadable) and error.code in {"io", "unstable", "permission"}):
                raise
            left.append(Left(pending.proposal.id, error))
            continue
        used.update(edit.rel for edit in piece.edits if edit.role == "primary")
        edits += [*piece.edits, pending.out]
        on_index.append(piece.lines)
        gone += piece.gone
        created += piece.created
        ids.append(pending.proposal.id)
        slugs.update(dict.fromkeys(wanted.slugs))

    def changed(text: str) -> str:
        for change in on_index:
            text = change(text)
        return text

    leaving = {edit.rel for edit in edits if edit.after is None}
    edits += planner.index_edit(changed, gone=leaving) if ids else []
    named = names(tuple(slugs))
    label = f"accept a proposal for {named}" if len(ids) == 1 else f"accept {len(ids)} proposals for {named}"
    dangling = left_dangling(planner.directory.entries, gone) if gone else ()
    return AcceptPlan(Plan(label, tuple(slugs), tuple(edits), dangling), tuple(ids), tuple(left))


def _refuse_overlap(piece: _Piece, used: set[str]) -> None:
    """A file is edited once in a change: the second proposal was made for the file as it is now."""
    for edit in piece.edits:
        if edit.role == "primary" and edit.rel in used:
            raise Conflict(
                "another of these proposals changes this memory too",
                where=edit.rel,
                todo="Accept it by itself afterwards",
                base=edit.before,
                mine=edit.after,
                theirs=edit.before,
            )


class _Pieces:
    """Plans one proposal on what is on disk now."""

    def __init__(self, planner: Planner, journal: Journal) -> None:
        self._planner = planner
        self._journal = journal

    def of(self, proposal: Proposal, *, mechanical: bool) -> _Piece:
        """Plan one.

        Args:
            proposal: what shall be done.
            mechanical: whether it is as it lies in the inbox. A fix that nobody edited says nothing new, so its memory
                keeps its age and gets no index line.

        Raises:
            MemtuiError: it cannot be accepted.
        """
        planner = self._planner
        planner.directory.refresh([INDEX_NAME, *(f"{slug}.md" for slug in proposal.slugs)])
        if proposal.kind == "forget":
            gone = [self._active(each) for each in proposal.texts]
            forgotten = [Edit(e.rel, planner.existing(e.rel).data, None, trash=True) for e in gone]
            return _Piece(forgotten, lambda text: planner.lines_after_forget(text, gone), proposal.slugs, ())
        if proposal.kind == "merge":
            return self._merge(proposal)
        if proposal.kind == "fix" and mechanical:
            return self._mend(proposal)
        edits: list[Edit] = []
        lines: list[tuple[str, bytes | None, bytes]] = []
        for each in proposal.texts:
            image, after = self._written(each)
            edits += planner.replaced(each.slug, image, after)
            lines.append((f"{each.slug}.md", image.data if image else None, after))

        def index(text: str) -> str:
            for line in lines:
                text = planner.line_after_save(text, *line)
            return text

        created = tuple(each.slug for each in proposal.texts if each.based_on is None)
        return _Piece([edit for edit in edits if edit.before != edit.after], index, (), created)

    def _mend(self, proposal: Proposal) -> _Piece:
        """A fix as it was proposed: age kept as a link's new target keeps it, index lines mended where there are some."""
        from memtui.memory.review.index_mending import with_mended_line  # noqa: PLC0415  -- only fixes need its rules

        edits: list[Edit] = []
        mended: list[tuple[str, bytes, bytes]] = []
        for each in proposal.texts:
            image, after = self._written(each)
            assert image is not None  # noqa: S101  -- a fix is of what is there
            if image.data == after:
                continue
            written, *archived = self._planner.replaced(each.slug, image, after)
            edits += [replace(written, mtime_ns=image.stamp.mtime_ns), *archived]
            mended.append((written.rel, image.data, after))

        def index(text: str) -> str:
            for line in mended:
                text = with_mended_line(text, *line)
            return text

        return _Piece(edits, index, (), ())

    def _merge(self, proposal: Proposal) -> _Piece:
        result, *sources = proposal.texts
        image, after = self._written(result)
        gone = [self._active(each) for each in sources]
        edits = self._planner.merged(gone, result.slug, image, after)
        created = () if result.based_on else (result.slug,)
        return _Piece(
            [edit for edit in edits if edit.before != edit.after],
            lambda text: self._planner.lines_after_merge(text, gone, result.slug, after),
            (),
            created,
        )

    def _written(self, each: ProposedText) -> tuple[FileImage | None, bytes]:
        """The file that a text takes the place of, which must be the one it was made from, and its new bytes."""
        after = (each.text or "").encode("utf-8")
        if frontmatter.read(after).is_historical:
            raise Refused(
                "the proposed text says of itself that it is an old version",
                where=each.slug,
                todo="Edit it, or reject the proposal",
            )
        rel = f"{each.slug}.md"
        image = self._planner.image(rel)
        if each.based_on is None and image is None:
            self._planner.rel_to_save(each.slug)
        else:
            self._check_base(each, image, after)
            self._active(each)
        return image, after

    def _active(self, each: ProposedText) -> MemoryEntry:
        """The memory in force that a proposal was made for, as it was then."""
        planner = self._planner
        rel = f"{each.slug}.md"
        if each.text is None:
            self._check_base(each, planner.image(rel), None)
        entry = planner.directory.get(each.slug)
        if entry is None or not entry.is_active:
            raise UsageError("this is an old version; old versions are kept for ever", where=each.slug)
        planner.refuse_link(rel)
        return entry

    def _check_base(self, each: ProposedText, image: FileImage | None, after: bytes | None) -> None:
        theirs = image.data if image else None
        if image is not None and (image.digest == each.based_on or theirs == after):
            return
        if image is None:
            what = Say("the memory that this was proposed for is gone")
        elif each.based_on is None:
            what = Say("a memory of this name has been made since this was proposed")
        else:
            what = Say("the memory was changed since this was proposed")
        raise Conflict(
            what,
            where=each.slug,
            todo="Nothing was written; edit the proposal on what stands there now, or reject it",
            base=self._remembered(each.based_on),
            mine=after,
            theirs=theirs,
        )

    def _remembered(self, digest: str | None) -> bytes | None:
        try:
            return self._journal.object(digest) if digest is not None else None
        except Refused:
            return None
