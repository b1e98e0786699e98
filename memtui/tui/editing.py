"""One editing of one memory, without a screen: what it began with, what it is saved as, and where its draft lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memtui.memory.document import read_head
from memtui.memory.drafts import Base, Drafts
from memtui.memory.errors import Conflict, UsageError
from memtui.memory.frontmatter import FrontmatterError
from memtui.memory.live_report import Draft, draft_of
from memtui.memory.types import MemoryEntry

if TYPE_CHECKING:
    from memtui.memory.manager import MemoryManager
    from memtui.memory.results import ChangeResult

EMPTY = Draft("", "", "", "", "")


@dataclass(frozen=True, slots=True)
class Editing:
    """What an edit began with.

    Attributes:
        entry: the memory that is edited; None for a new one.
        base: its fields, and the digest that a save names; None for a new one.
        absorbs: slugs of the memories that a save merges into it.
        key: names its draft.
    """

    entry: MemoryEntry | None = None
    base: Base | None = None
    absorbs: tuple[str, ...] = ()
    key: str = field(default_factory=Drafts.new_key)

    @property
    def start(self) -> Draft:
        """The fields before anything was typed."""
        return self.base.draft if self.base is not None else EMPTY

    @property
    def slug(self) -> str | None:
        """The memory's slug; None for a new one."""
        return self.entry.slug if self.entry is not None else None

    def on_what_stands(self, entry: MemoryEntry | None) -> Editing:
        """The same edit, now based on what stands on disk; None where nothing does any more."""
        base = Base(entry.digest, draft_of(entry)) if entry is not None else None
        return replace(self, entry=entry, base=base)


def editing(entry: MemoryEntry) -> Editing:
    """An edit of a memory as it was read."""
    return Editing(entry, Base(entry.digest, draft_of(entry)))


def is_typed(draft: Draft, start: Draft, *, new: bool) -> bool:
    """Whether a draft holds anything that a save would write; a new memory's slug proposes itself."""
    return replace(draft, slug="") != replace(start, slug="") if new else draft != start


def saving(work: Editing, draft: Draft, *, share: bool = False) -> Callable[[MemoryManager], ChangeResult]:
    """The change that saves a draft; it names what the draft was based on.

    Args:
        work: the edit.
        draft: the fields as they are to be.
        share: whether the team shall get the secrets in it.
    """
    fields = (draft.slug, draft.name, draft.description, draft.type_text, draft.content)

    def save(manager: MemoryManager) -> ChangeResult:
        if work.base is None:
            _refuse_taken(manager, draft.slug)
            return manager.save_memory(*fields)
        _refuse_gone(manager, draft.slug)
        was, digest = work.base.draft, work.base.digest
        changes = {
            name: now
            for name, now, then in (
                ("name", draft.name, was.name),
                ("description", draft.description, was.description),
                ("memory_type", draft.type_text, was.type_text),
                ("content", draft.content, was.content),
            )
            if now != then
        }
        try:
            return manager.edit_memory(draft.slug, **changes, based_on=digest)
        except FrontmatterError:
            # The header cannot be edited; with every field at hand the memory is written anew, the old file kept.
            return manager.save_memory(*fields, based_on=digest)

    def merge(manager: MemoryManager) -> ChangeResult:
        _refuse_changed(manager, work, draft)
        return manager.merge(work.absorbs, *fields)

    made = merge if work.absorbs else save

    def sharing(manager: MemoryManager) -> ChangeResult:
        with manager.sharing_secrets((draft.slug,)):
            return made(manager)

    return sharing if share else made


def _refuse_taken(manager: MemoryManager, slug: str) -> None:
    """A new memory must not become a version of one that somebody wrote meanwhile."""
    manager.directory.refresh([f"{slug}.md"])
    found = manager.directory.get(slug)
    if found is not None and not found.aside:
        raise UsageError("a memory of that name is there by now", where=slug, todo="Choose another file name")


def _refuse_gone(manager: MemoryManager, slug: str) -> None:
    """What is gone is a conflict, too: whoever typed decides whether it shall be there again."""
    manager.directory.refresh([f"{slug}.md"])
    if manager.directory.get(slug) is None:
        raise Conflict("the file is gone", where=f"{slug}.md", todo="Nothing was written; your text is kept")


def _refuse_changed(manager: MemoryManager, work: Editing, draft: Draft) -> None:
    rel = f"{draft.slug}.md"
    manager.directory.refresh([rel])
    found = manager.directory.get(draft.slug)
    if work.base is None or found is None or found.digest == work.base.digest:
        return
    raise Conflict(
        "the file was changed by somebody else while you edited it",
        where=rel,
        todo="Nothing was written; compare the texts and save again",
        theirs=manager.folder.read(rel).data,
    )


def theirs_of(conflict: Conflict, entry: MemoryEntry) -> MemoryEntry | None:
    """What stands on disk by now, as read; None if the file is gone."""
    if conflict.theirs is None:
        return None
    head = read_head(conflict.theirs)
    return entry._replace(
        name=head.name or entry.slug.rpartition("/")[2],
        description=head.description or "",
        type_text=head.type_text,
        data=conflict.theirs,
        start=head.start,
        told=None,
    )
