"""The inbox: proposals that wait for a person, as plain files in ``.memtui/inbox/`` (spec §14).

Whoever proposes, be it extraction, dream or sync, only ever adds a file here. Nothing of it reaches a prompt, the list
or the index before a person accepts it. Accepting and rejecting are changes like any other: one record of the journal
each, undone and redone with every byte, and whole or not at all after a crash. What was decided is known from the
journal alone, by the names of the files it took out; so it cannot disagree with what was done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.memory import drafting, frontmatter
from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.disk import refused
from memtui.memory.errors import Refused, UsageError
from memtui.memory.files import FileImage, Unreadable
from memtui.memory.journal import Edit
from memtui.memory.labels import names
from memtui.memory.merging import merge_texts
from memtui.memory.plans import Plan
from memtui.memory.proposal_file import (
    Evidence,
    Proposal,
    ProposalKind,
    ProposedText,
    Source,
    check,
    dump,
    key_of,
)
from memtui.memory.proposal_plans import AcceptPlan, Left, plan_accept
from memtui.memory.proposal_reading import Broken, InboxReader, Rejected
from memtui.memory.record_lines import MAX_LABEL
from memtui.memory.saying import Say
from memtui.memory.writing import Part, Writer

if TYPE_CHECKING:
    from memtui.memory.results import ChangeResult

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

MAX_PENDING = 1_000
"""So many proposals wait at most (ours); a model that runs wild fills no disk."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Why something is proposed, and by whom; see `Proposal`."""

    source: Source
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    by: str = ""
    session: str = ""


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


class Inbox(InboxReader):
    """The proposals for one directory. Looking makes nothing; everything else goes through the manager's journal."""

    # -- looking ahead ---------------------------------------------------------------------------------------------

    def plan(
        self,
        ids: Sequence[str],
        *,
        text: str | None = None,
        into: str | None = None,
        based_on: str | None = None,
    ) -> AcceptPlan:
        """What accepting would do now, byte for byte; pass it to `accept` as ``shown``.

        Args:
            ids: the proposals. One that cannot be accepted is in ``left`` if there are several.
            text: what a person made of the proposed text; for one proposal that writes.
            into: another memory that the text is for, instead of the one proposed.
            based_on: digest of what stood there when the person wrote ``text``; the proposal's own if None, empty if
                nothing stood there.

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
        return plan_accept(manager.planner, manager.journal, items, strict=len(items) == 1)

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

    # -- proposing -------------------------------------------------------------------------------------------------

    def propose_save(
        self, slug: str, name: str, description: str, memory_type: str, content: str, origin: Origin
    ) -> Proposal:
        """A proposal to create or update a memory; nothing is written, see `add`.

        Raises:
            UsageError: as ``MemoryManager.save_memory``.
        """
        planner = self._manager.planner
        fields = drafting.checked_fields(name, description, memory_type, content)
        image = planner.image(planner.rel_to_save(slug))
        written = _proposed(slug, planner.saved(slug, image, fields), image)
        return self._made("update" if image else "create", (written,), origin)

    def propose_merge(
        self,
        sources: Sequence[str],
        slug: str,
        name: str,
        description: str,
        memory_type: str,
        content: str,
        origin: Origin,
    ) -> Proposal:
        """A proposal to merge memories into one, which may be one of them, another, or new.

        Raises:
            UsageError: as ``MemoryManager.merge``.
        """
        planner = self._manager.planner
        fields = drafting.checked_fields(name, description, memory_type, content)
        image = planner.image(planner.rel_to_save(slug))
        gone = [source for source in dict.fromkeys(sources) if source != slug]
        if not gone:
            raise UsageError("nothing to merge", where=slug, todo="Name at least one other memory")
        result = _proposed(slug, planner.saved(slug, image, fields), image)
        return self._made("merge", (result, *map(self._leaving, gone)), origin)

    def propose_forget(self, slugs: Sequence[str], origin: Origin) -> Proposal:
        """A proposal to forget memories.

        Raises:
            UsageError: one is not there.
        """
        return self._made("forget", tuple(map(self._leaving, dict.fromkeys(slugs))), origin)

    def propose_fix(self, texts: Mapping[str, bytes], origin: Origin) -> Proposal:
        """A proposal to write memories that are there anew, all in one change.

        Args:
            texts: the whole file that each shall be, by slug.
            origin: why.

        Raises:
            UsageError: one is not there, or its file is not UTF-8.
        """
        planner = self._manager.planner
        changed = [
            _proposed(slug, data, planner.existing(self._manager.get(slug).rel))
            for slug, data in texts.items()
        ]
        return self._made("fix", tuple(changed), origin)

    def add(self, proposal: Proposal) -> bool:
        """Put a proposal into the inbox.

        Returns:
            Whether it waits there now and did not before: False if the same is pending, or was accepted or rejected
            before, or if the memories are so already.

        Raises:
            UsageError: it makes no sense, or is too large.
            Refused: the inbox is full, or the disk or the directory does not allow it.
        """
        check(proposal)
        manager = self._manager
        with manager.writing(create=True):
            waiting = [key_of(f"{INBOX_FOLDER}/{name}") for name in self._names()]
            if proposal.key in waiting or proposal.key in self._decided() or self._is_so(proposal):
                return False
            if len(waiting) >= MAX_PENDING:
                raise Refused(
                    Say("{count} proposals wait already", count=len(waiting)),
                    where=INBOX_FOLDER,
                    todo="Review some of them first: 'memtui review'",
                )
            self._write(proposal)
            return True

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
            plan_accept(manager.planner, manager.journal, [(waiting, wanted)], strict=True)
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

    def _made(self, kind: ProposalKind, texts: tuple[ProposedText, ...], origin: Origin) -> Proposal:
        return Proposal(
            kind=kind,
            texts=texts,
            reason=origin.reason,
            evidence=origin.evidence,
            source=origin.source,
            by=origin.by,
            session=origin.session,
            at=self._manager.clock(),
        )

    def _leaving(self, slug: str) -> ProposedText:
        entry = self._manager.get(slug)
        if not entry.is_active:
            raise UsageError("this is an old version; old versions are kept for ever", where=slug)
        return ProposedText(slug, None, self._manager.planner.existing(entry.rel).digest)

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

    def _is_so(self, proposal: Proposal) -> bool:
        """Whether every memory is as the proposal would have it, however it is set."""
        planner = self._manager.planner
        for each in proposal.texts:
            try:
                image = planner.image(f"{each.slug}.md")
            except Unreadable:
                return False
            if (image is None) != (each.text is None):
                return False
            if image is not None and image.data != (each.text or "").encode("utf-8"):
                return False
        return True

    def _write(self, proposal: Proposal) -> None:
        folder = self._manager.folder
        try:
            folder.make_own_folder()
            with Writer(folder) as writer:
                writer.make_folder(INBOX_FOLDER)
                part = Part(f"{writer.temp(proposal.rel)}.part", dump(proposal), mode=0o600)
                try:
                    writer.write_parts([part])
                    writer.rename(part.rel, proposal.rel)
                    writer.sync()
                except OSError:
                    writer.remove_quietly(part.rel)
                    writer.remove_quietly(proposal.rel)  # what may not last is not said to wait
                    raise
        except OSError as error:
            raise refused(error, "could not save", proposal.rel) from error


def _proposed(slug: str, data: bytes, image: FileImage | None) -> ProposedText:
    try:
        return ProposedText(slug, data.decode("utf-8"), image.digest if image else None)
    except UnicodeDecodeError:
        raise UsageError("the file is not UTF-8, so no change of it can be proposed", where=slug) from None


def _reject_label(count: int, slugs: Sequence[str], reason: str) -> str:
    if not slugs:
        return f"take out files that are no proposals ({count})"
    label = (
        f"reject a proposal for {names(slugs)}"
        if count == 1
        else f"reject {count} proposals for {names(slugs)}"
    )
    return f"{label}: {' '.join(reason.split())}"[:MAX_LABEL] if reason.strip() else label
