"""Puts proposals into the inbox: whoever proposes, be it extraction, dream or sync, only ever adds a file there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.disk.calls import refused
from memtui.memory.disk.files import FileImage, Unreadable
from memtui.memory.disk.writing import Part, Writer
from memtui.memory.document import drafting
from memtui.memory.errors import Refused, UsageError
from memtui.memory.review.proposal_file import (
    Evidence,
    Proposal,
    ProposalKind,
    ProposedText,
    Source,
    check,
    dump,
    key_of,
)
from memtui.memory.review.proposal_reading import InboxReader
from memtui.memory.wording.saying import Say

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


class Proposing(InboxReader):
    """The proposals for one directory, for who adds to them."""

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
                    if writer.lstat(proposal.rel) is None:
                        raise
                    # It waits there, whatever the system said, and it would be wrong to say that nothing was changed.
        except OSError as error:
            raise refused(error, "could not save", proposal.rel) from error


def _proposed(slug: str, data: bytes, image: FileImage | None) -> ProposedText:
    try:
        return ProposedText(slug, data.decode("utf-8"), image.digest if image else None)
    except UnicodeDecodeError:
        raise UsageError("the file is not UTF-8, so no change of it can be proposed", where=slug) from None
