"""What a change of one or many memories would do, worked out before anything is written, so that a person can see it.

A plan is carried out exactly as it was shown: where a file has become another one since, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memtui.memory.document import drafting, links
from memtui.memory.managing.planner import Planner
from memtui.memory.saving.records import Edit
from memtui.memory.types import MemoryEntry, MemoryType
from memtui.memory.wording.labels import names


@dataclass(frozen=True, slots=True)
class Plan:
    """A change that has not been made.

    Attributes:
        label: one line for a person; the journal's.
        slugs: the memories it is about.
        edits: what it does to which file; none if everything is so already.
        dangling: memories whose wiki links would point to nothing, by slug.
    """

    label: str
    slugs: tuple[str, ...]
    edits: tuple[Edit, ...]
    dangling: tuple[str, ...] = ()


def plan_forget(planner: Planner, entries: Sequence[MemoryEntry]) -> Plan:
    """Files to the trash, index lines out; links to them stay.

    Raises:
        Conflict: a file is gone.
        Unreadable: one cannot be read.
    """
    slugs = tuple(entry.slug for entry in entries)
    left = left_dangling(planner.directory.entries, slugs)
    return Plan(f"forget {names(slugs)}", slugs, tuple(planner.forget(entries)), left)


def plan_back(
    planner: Planner, slug: str, data: bytes, fields: drafting.Fields, mtime: float | None = None
) -> Plan:
    """A file that is gone written again from the bytes it had, with its index line; what is not changed stays as it was.

    Carried out where a file of that name is there again, it raises ``Conflict``, and nothing is written.

    Args:
        planner: of the directory.
        slug: what it was called, whether or not a new memory may be called so.
        data: its bytes.
        fields: what is changed of it; all of them are given where its header cannot be edited.
        mtime: modification time of the file, Unix seconds; None for now.
    """
    rel = f"{slug}.md"
    planner.refuse_link(rel)
    after = planner.saved_over(slug, data, fields)
    written = Edit(rel, None, after, mtime_ns=None if mtime is None else int(mtime * 1e9))
    line = planner.index_edit(lambda text: planner.line_after_save(text, rel, data, after))
    return Plan(f"create {slug}", (slug,), (written, *line))


def left_dangling(entries: Sequence[MemoryEntry], slugs: Iterable[str]) -> tuple[str, ...]:
    """The memories whose wiki links would point to nothing without these, by slug."""
    resolver, gone = links.LinkResolver(entries), set(slugs)
    return tuple(
        sorted(
            entry.slug
            for entry in entries
            if entry.is_active
            and entry.slug not in gone
            and any(resolver.resolve(link.target) in gone for link in links.wiki_links(entry.content))
        )
    )


def plan_types(planner: Planner, entries: Sequence[MemoryEntry], kind: MemoryType) -> Plan:
    """Every memory that is of another type saved again under this one; those that have it stay as they are.

    Raises:
        Conflict: a file is gone.
        Unreadable: one cannot be read.
    """
    others = [entry for entry in entries if entry.memory_type is not kind]
    slugs = tuple(entry.slug for entry in others)
    return Plan(f"type {kind} for {names(slugs)}", slugs, tuple(planner.set_types(others, kind)))


def plan_merge(planner: Planner, sources: Sequence[MemoryEntry], slug: str, fields: drafting.Fields) -> Plan:
    """The sources made old versions of the result; links and index lines follow.

    Raises:
        Conflict: a file is gone.
        UsageError: the result cannot be saved under that slug.
        Unreadable: one cannot be read.
    """
    planner.rel_to_save(slug)
    gone = [entry.slug for entry in sources]
    return Plan(
        f"merge {names(gone)} into {slug}", (slug, *gone), tuple(planner.merge(sources, slug, fields))
    )
