"""The fields of a memory by themselves: what an edit, a proposal and a merge are made of."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.types import MemoryEntry


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields of a memory as they stand while it is typed.

    Attributes:
        slug: the file's name without ``.md``.
        name: title.
        description: one line.
        type_text: the type as written.
        content: the body.
    """

    slug: str
    name: str
    description: str
    type_text: str
    content: str


def changed(draft: Draft, entry: MemoryEntry) -> bool:
    """Whether a draft says anything else than the memory it was made from."""
    return draft != draft_of(entry)


def draft_of(entry: MemoryEntry) -> Draft:
    """The fields of a memory as they stand before anything is typed."""
    return Draft(entry.slug, entry.name, entry.description, entry.type_text or "", entry.content)
