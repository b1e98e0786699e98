"""One editing of one memory, without a screen: what it began with, what it is saved as, and where its draft lies."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from memtui.memory.disk.files import Unreadable
from memtui.memory.document.draft import Draft, draft_of
from memtui.memory.document.drafting import Fields, checked_fields
from memtui.memory.document.frontmatter import FrontmatterError
from memtui.memory.document.parse import read_head
from memtui.memory.errors import Conflict, UsageError
from memtui.memory.live.drafts import Base, Drafts
from memtui.memory.managing.committing import NO_FILE
from memtui.memory.managing.merging import merge_drafts
from memtui.memory.managing.plans import Plan, plan_back
from memtui.memory.types import MemoryEntry

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult

_FIELDS = ("name", "description", "type_text", "content")
EMPTY = Draft("", "", "", "", "")
_TRIES = 200
"""How often what was decided is put over what somebody else keeps writing (ours): each try finds another text, or none."""

_PAUSE = 0.002
"""Seconds between two such looks (ours)."""
_SURE = 25
"""So many looks in a row that find the same text find no half of one (ours): who writes in place empties the file first."""


@dataclass(frozen=True, slots=True)
class Editing:
    """What an edit began with.

    Attributes:
        entry: the memory that is edited; None for a new one.
        base: its fields, and the digest that a save names; None for a new one.
        absorbs: slugs of the memories that a save merges into it.
        gone: whether the memory's file is gone, and whoever edits it wants it to be there again.
        key: names its draft.
    """

    entry: MemoryEntry | None = None
    base: Base | None = None
    absorbs: tuple[str, ...] = ()
    gone: bool = False
    key: str = field(default_factory=Drafts.new_key)

    @property
    def start(self) -> Draft:
        """The fields before anything was typed."""
        return self.base.draft if self.base is not None else EMPTY

    @property
    def slug(self) -> str | None:
        """The memory's slug; None for a new one."""
        return self.entry.slug if self.entry is not None else None

    @property
    def based_on(self) -> str:
        """Digest of the file that a save takes the place of; empty where there is to be none."""
        return self.base.digest if self.base is not None and not self.gone else NO_FILE

    def on_what_stands(self, entry: MemoryEntry | None) -> Editing:
        """The same edit of the same memory, now based on what stands on disk; None where nothing does any more."""
        if entry is None:
            return replace(self, gone=True)
        return replace(self, entry=entry, base=Base(entry.digest, draft_of(entry)), gone=False)


Attempt = Callable[["MemoryManager", Editing, Draft], "ChangeResult"]
"""Saves an edit once, or raises `Conflict`."""


def editing(entry: MemoryEntry) -> Editing:
    """An edit of a memory as it was read."""
    return Editing(entry, Base(entry.digest, draft_of(entry)))


def is_typed(draft: Draft, start: Draft, *, new: bool) -> bool:
    """Whether a draft holds anything that a save would write; a new memory's slug proposes itself."""
    return replace(draft, slug="") != replace(start, slug="") if new else draft != start


Standing = Literal["asked", "mine", "both"]
"""What was decided about what somebody else writes meanwhile: nothing yet; that ours stands and theirs becomes an old
version; that both stand, as long as they do not touch the same lines."""


def saving(
    work: Editing,
    draft: Draft,
    *,
    share: bool = False,
    standing: Standing = "asked",
    attempt: Attempt | None = None,
    joined: Callable[[], None] = lambda: None,
) -> Callable[[MemoryManager], ChangeResult]:
    """The change that saves a draft; it names what the draft was based on.

    Args:
        work: the edit.
        draft: the fields as they are to be.
        share: whether the team shall get the secrets in it.
        standing: what was decided about what somebody else writes meanwhile.
        attempt: saves it once, or raises `Conflict`; None saves the memory.
        joined: called where what somebody else wrote meanwhile went into the text.
    """
    once = attempt or _save

    def make(manager: MemoryManager) -> ChangeResult:
        if standing == "asked":
            return once(manager, work, draft)
        with manager.writing(create=True):
            now, text, looked, times = work, draft, "", 0
            for left in reversed(range(_TRIES)):
                if standing == "mine":
                    now = work.on_what_stands(_stands(manager, draft.slug))
                try:
                    result = once(manager, now, text)
                except (
                    Unreadable,
                    UsageError,
                ):  # caught in the middle of a write, or gone since it was looked for
                    if not left:
                        raise
                    time.sleep(_PAUSE)
                except Conflict:
                    theirs = _stands(manager, draft.slug) if standing == "both" else None
                    both = _with(theirs, now, text) if theirs is not None else None
                    clashes = theirs.digest if theirs is not None and both is None else ""
                    looked, times = clashes, times + 1 if clashes == looked else 1
                    if not left or (clashes and times == _SURE):
                        raise
                    if clashes:
                        time.sleep(_PAUSE)  # whoever is in the middle of writing gets to its end
                    if theirs is not None and both is not None:
                        now, text = now.on_what_stands(theirs), both
                else:
                    if now is not work and standing == "both":
                        joined()
                    return result
        raise AssertionError  # the last try gives a result or raises

    return letting_through(make, (draft.slug,)) if share else make


def _with(theirs: MemoryEntry, work: Editing, draft: Draft) -> Draft | None:
    """A draft with what somebody else wrote since; None where both changed the same, or a field would end up empty."""
    merged = merge_drafts(work.start, draft, draft_of(theirs))
    emptied = any(getattr(draft, name) and not getattr(merged.draft, name) for name in _FIELDS)
    return None if merged.both or merged.fields or emptied else merged.draft


def letting_through(
    do: Callable[[MemoryManager], ChangeResult], slugs: Collection[str]
) -> Callable[[MemoryManager], ChangeResult]:
    """The same change, with the secrets in these memories of the team let through, whose names a person typed."""

    def sharing(manager: MemoryManager) -> ChangeResult:
        with manager.sharing_secrets(slugs):
            return do(manager)

    return sharing


def putting_back(entry: MemoryEntry) -> Callable[[MemoryManager], ChangeResult]:
    """The change that writes a memory's file again as it was when it was read, its age too."""

    def put_back(manager: MemoryManager) -> ChangeResult:
        return manager.carry_out(
            plan_back(manager.planner, entry.slug, _bytes(entry), Fields(), entry.mtime), create=True
        )

    return put_back


def _save(manager: MemoryManager, work: Editing, draft: Draft) -> ChangeResult:
    fields = (draft.slug, draft.name, draft.description, draft.type_text, draft.content)
    absorbs = tuple(slug for slug in work.absorbs if _stands(manager, slug) is not None)
    if work.entry is not None:
        _refuse_other(manager, work, whole=bool(absorbs))
    if absorbs:
        return manager.merge(absorbs, *fields)
    if work.entry is None:
        _refuse_taken(manager, draft.slug)
        return manager.save_memory(*fields, based_on=NO_FILE)
    if work.gone:
        return manager.carry_out(_written_again(manager, work.entry, draft), create=True)
    try:
        return manager.edit_memory(draft.slug, **_changes(work.start, draft), based_on=work.based_on)
    except FrontmatterError:
        # The header cannot be edited; with every field at hand the memory is written anew, the old file kept.
        return manager.save_memory(*fields, based_on=work.based_on)


def _written_again(manager: MemoryManager, entry: MemoryEntry, draft: Draft) -> Plan:
    """A memory whose file is gone, with what was typed, in the shape that it had."""
    data = _bytes(entry)
    try:
        return plan_back(
            manager.planner, entry.slug, data, checked_fields(**_changes(draft_of(entry), draft))
        )
    except FrontmatterError:
        whole = checked_fields(draft.name, draft.description, draft.type_text, draft.content)
        return plan_back(manager.planner, entry.slug, data, whole)


def _changes(was: Draft, now: Draft) -> dict[str, str | None]:
    """The fields that are to become something else; None for those that stay."""
    return {
        argument: None if getattr(now, name) == getattr(was, name) else getattr(now, name)
        for argument, name in (
            ("name", "name"),
            ("description", "description"),
            ("memory_type", "type_text"),
            ("content", "content"),
        )
    }


def _bytes(entry: MemoryEntry) -> bytes:
    return entry.data if isinstance(entry.data, bytes) else entry.data.encode("utf-8", "surrogateescape")


def _stands(manager: MemoryManager, slug: str) -> MemoryEntry | None:
    """The memory of that name as it stands on disk now."""
    manager.directory.refresh([f"{slug}.md"])
    found = manager.directory.get(slug)
    return found if found is not None and not found.aside else None


def _refuse_taken(manager: MemoryManager, slug: str) -> None:
    """A new memory must not become a version of one that somebody wrote meanwhile."""
    if _stands(manager, slug) is not None:
        raise UsageError("a memory of that name is there by now", where=slug, todo="Choose another file name")


def _refuse_other(manager: MemoryManager, work: Editing, *, whole: bool) -> None:
    """What is gone, or there again, is a conflict too: whoever typed decides what becomes of it.

    Args:
        manager: of the directory.
        work: the edit.
        whole: whether another text is refused as well, where the change itself does not ask what it takes the place of.
    """
    slug = work.slug or ""
    found = _stands(manager, slug)
    if found is None:
        if not work.gone:
            raise Conflict(
                "the file is gone", where=f"{slug}.md", todo="Nothing was written; your text is kept"
            )
    elif work.gone or (whole and found.digest != work.based_on):
        raise Conflict(
            "the file was changed by somebody else while you edited it",
            where=found.rel,
            todo="Nothing was written; compare the texts and save again",
            theirs=_bytes(found),
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
