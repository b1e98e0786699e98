"""Copying and moving memories to another directory, with their history, and adopting a whole one (needs 4, 17, 19).

First a plan, which changes nothing and which a person can look at; then it is carried out. What arrives is durable in
the target before anything leaves the source, so that a crash at any instant leaves the memory in one of the two, or in
both. Each directory's journal has its half of a move, tied by a key: undoing one half undoes the other (``tied``).
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk.writing import TOKEN_DIGITS
from memtui.memory.document.scopes import scope_of
from memtui.memory.document.slugs import check_free_slug, collision_key, free_slug
from memtui.memory.errors import Conflict, MemtuiError, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.packing import Packer, Passage, says_the_same
from memtui.memory.managing.plans import Plan, plan_forget
from memtui.memory.managing.reader import MemoryReader
from memtui.memory.managing.results import ChangeResult
from memtui.memory.managing.tied import holding, in_both
from memtui.memory.saving.records import Edit, Tie
from memtui.memory.types import MemoryEntry
from memtui.memory.versions.history import Family
from memtui.memory.wording.labels import names
from memtui.memory.wording.saying import Say

TransferVerb = Literal["copy", "move", "adopt"]


@dataclass(frozen=True, slots=True)
class Clash:
    """A slug that is taken where the memory goes. Nothing is carried out while there is one.

    Attributes:
        slug: where it comes from.
        taken_by: slug of what is there.
        mergeable: whether it can be merged into that.
        proposed: a slug that is free.
    """

    slug: str
    taken_by: str
    mergeable: bool
    proposed: str


@dataclass(frozen=True, slots=True)
class TransferPlan:
    """A copy or a move that has not been made.

    Attributes:
        verb: which; ``adopt`` is a copy of everything.
        source: the directory it comes from.
        target: the directory it goes to.
        passages: the memories.
        clashes: slugs that somebody has to decide about first.
        arriving: what is done in the target.
        leaving: what is done in the source; None for a copy.
    """

    verb: TransferVerb
    source: Path
    target: Path
    passages: tuple[Passage, ...]
    clashes: tuple[Clash, ...]
    arriving: Plan
    leaving: Plan | None

    @property
    def label(self) -> str:
        """One line for a person: the target's journal's."""
        return self.arriving.label

    @property
    def slugs(self) -> tuple[str, ...]:
        """The memories, as they are called in the target."""
        return self.arriving.slugs

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Everything that would be written, in both directories; nothing while there is a clash."""
        if self.clashes:
            return ()
        return (*self.arriving.edits, *(self.leaving.edits if self.leaving is not None else ()))

    @property
    def is_empty(self) -> bool:
        """Whether everything is so already."""
        return not self.arriving.edits and (self.leaving is None or not self.leaving.edits)


@dataclass(frozen=True, slots=True)
class TransferResult:
    """What a copy or a move did.

    Attributes:
        arrived: in the target.
        left: in the source; None for a copy.
    """

    arrived: ChangeResult
    left: ChangeResult | None


# ------------------------------------------------------------------ planning


def plan_copy(
    source: MemoryReader,
    target: MemoryManager,
    slugs: Sequence[str],
    *,
    new_slugs: Mapping[str, str] | None = None,
    merge: Collection[str] = (),
) -> TransferPlan:
    """What a copy of memories, with their old versions, would do; the source is only read.

    Args:
        source: where they are.
        target: where they go.
        slugs: which.
        new_slugs: for some of them, the slug they get.
        merge: those that are merged into what has their slug already.

    Raises:
        UsageError: one is not there or is an old version, a new slug is not allowed, or both are one directory.
        Conflict: a file is gone.
        Unreadable: a file cannot be read.
        Refused: one would be a new memory of the team there, and those are switched off.
    """
    source.directory.complete(files=False)
    return _planned("copy", source, target, _chosen(source, slugs), new_slugs or {}, merge)


def plan_move(
    source: MemoryReader,
    target: MemoryManager,
    slugs: Sequence[str],
    *,
    new_slugs: Mapping[str, str] | None = None,
    merge: Collection[str] = (),
) -> TransferPlan:
    """The same for a move: then they and their old versions go to the source's trash, and their index lines out."""
    source.directory.complete(shut=True)
    return _planned("move", source, target, _chosen(source, slugs), new_slugs or {}, merge)


def plan_adoption(
    old: MemoryReader,
    new: MemoryManager,
    *,
    new_slugs: Mapping[str, str] | None = None,
    merge: Collection[str] = (),
) -> TransferPlan:
    """What taking over another directory's memories would do, all of them in one step; the old one stays as it is.

    Into a directory without an index the old index comes whole, headings and prose included.

    Raises:
        UsageError: there is nothing to adopt, or both are one directory.
        Conflict, Unreadable: as for `plan_copy`.
    """
    old.directory.complete(shut=True)
    entries = [entry for entry in old.entries() if entry.is_active]
    if not entries:
        raise UsageError("there are no memories in force", where=str(old.root), todo="Name another store")
    return _planned("adopt", old, new, entries, new_slugs or {}, merge)


def _chosen(source: MemoryReader, slugs: Sequence[str]) -> list[MemoryEntry]:
    entries = [source.get(slug) for slug in dict.fromkeys(slugs)]
    for entry in entries:
        if not entry.is_active:
            raise UsageError(
                "this is an old version",
                where=entry.slug,
                todo="Name the memory it belongs to; it goes along",
            )
    return entries


def _planned(
    verb: TransferVerb,
    source: MemoryReader,
    target: MemoryManager,
    entries: Sequence[MemoryEntry],
    new_slugs: Mapping[str, str],
    merge: Collection[str],
) -> TransferPlan:
    if source.folder.real_path() == target.folder.real_path():
        raise UsageError("this is the same directory", where=str(target.root), todo="Name another one")
    asked, merge = {entry.slug for entry in entries}, frozenset(merge)
    unknown = [slug for slug in (*new_slugs, *merge) if slug not in asked]
    if unknown:
        raise UsageError("this memory is not among those that are transferred", where=unknown[0])
    target.directory.complete(files=False)
    places, clashes = _places(target, entries, new_slugs, merge)
    refusal = target.planner.team_off() if verb != "adopt" and _new_to_team(target, places) else None
    if refusal is not None:
        raise refusal
    packer = Packer(source, target, places)
    packed = [packer.pack(entry) for entry in entries if entry.slug in places]
    if verb == "adopt":
        packer.pack_orphans()
    slugs = tuple(entry.slug for entry in entries)
    arriving = Plan(
        f"{verb} {names(slugs)} from {source.root}",
        tuple(places.values()),
        (*packer.edits, *packer.index_edits(whole=verb == "adopt")),
    )
    leaving = _leaving(source, target, entries) if verb == "move" else None
    return TransferPlan(verb, source.root, target.root, tuple(packed), clashes, arriving, leaving)


def _places(
    target: MemoryManager,
    entries: Sequence[MemoryEntry],
    new_slugs: Mapping[str, str],
    merge: Collection[str],
) -> tuple[dict[str, str], tuple[Clash, ...]]:
    """The slug that each memory gets, and those that are taken."""
    there = {collision_key(e.slug): e for e in target.entries() if not e.aside}
    taken = {key: entry.slug for key, entry in there.items()}
    offered = {collision_key(slug): slug for slug in (new_slugs.get(e.slug, e.slug) for e in entries)}
    spoken_for = ChainMap(taken, offered)  # all that is proposed can be taken together
    places: dict[str, str] = {}
    clashes: list[Clash] = []
    for entry in entries:
        wanted = new_slugs.get(entry.slug, entry.slug)
        key = collision_key(wanted)
        held = taken.get(key)
        if wanted != entry.slug:
            check_free_slug(wanted, taken)
        if held is None:
            places[entry.slug] = taken[key] = wanted
            continue
        other = there.get(key)
        if other is not None and other.is_active and (entry.slug in merge or says_the_same(entry, other)):
            places[entry.slug] = other.slug
            continue
        proposed = free_slug(wanted.rpartition("/")[2], spoken_for)
        offered[collision_key(proposed)] = proposed
        clashes.append(Clash(entry.slug, held, other is not None and other.is_active, proposed))
    return places, tuple(clashes)


def _new_to_team(target: MemoryManager, places: Mapping[str, str]) -> bool:
    """Whether something would be a new memory of the team; one that is the team's there already is none."""
    new = (slug for slug in places.values() if scope_of(slug) == "team")
    return any(target.directory.get(slug) is None for slug in new)


def _leaving(source: MemoryReader, target: MemoryManager, entries: Sequence[MemoryEntry]) -> Plan:
    """Memories and their old versions to the source's trash, index lines out; links to them stay."""
    for entry in entries:
        source.planner.refuse_link(entry.rel)
    plan = plan_forget(source.planner, entries)
    known = Family(source.entries())
    old = dict.fromkeys(old.rel for entry in entries for old in known.old(entry.slug))
    gone = [Edit(rel, source.planner.existing(rel).data, None, trash=True) for rel in old]
    label = f"move {names(plan.slugs)} to {target.root}"
    return replace(plan, label=label, edits=(*plan.edits, *gone))


# ------------------------------------------------------------------ carrying out


def carry_out_transfer(plan: TransferPlan, source: MemoryReader, target: MemoryManager) -> TransferResult:
    """Make a copy or a move exactly as it was planned, and shown.

    Args:
        plan: from `plan_copy`, `plan_move` or `plan_adoption` with the same two directories.
        source: where the memories are; for a move it must be one that changes them.
        target: where they go; made where it is not there.

    Raises:
        UsageError: a slug is taken; the plan's ``clashes`` say which.
        Conflict: a file was changed since. Nothing was written.
        Refused: a directory cannot be changed. Nothing was written, or what had arrived was taken back; where even
            that failed, the message says that the memories are in both.
    """
    if plan.clashes:
        first = plan.clashes[0]
        todo = Say("Give it another slug, such as {free!r}", free=first.proposed)
        raise UsageError(
            Say("there is a memory {slug!r} already", slug=first.taken_by),
            where=str(plan.target),
            todo=Say("{todo}, or merge it", todo=todo) if first.mergeable else todo,
        )
    if plan.leaving is None:
        return TransferResult(target.carry_out(plan.arriving, create=True), None)
    if not isinstance(source, MemoryManager):
        raise UsageError("this directory is only looked at", where=str(plan.source))
    with holding(source, target, create=True):
        _refuse_changed(plan, source)
        key = os.urandom(TOKEN_DIGITS // 2).hex()
        tied = Tie(key, "arrived", str(source.root.absolute()))
        arrived = target.carry_out(plan.arriving, tie=tied)
        try:
            left = source.carry_out(plan.leaving, tie=Tie(key, "left", str(target.root.absolute())))
        except MemtuiError as error:
            if arrived.record_id:
                _take_back(target, arrived.record_id, source, error)
            raise
    return TransferResult(
        replace(arrived, elsewhere=str(source.root)), replace(left, elsewhere=str(target.root))
    )


def _take_back(target: MemoryManager, arrived: int, source: MemoryManager, why: MemtuiError) -> None:
    """Undo what arrived, since nothing leaves.

    Raises:
        Refused: that failed too.
    """
    try:
        target.recover()  # what a failing disk left half done is first made whole, so that it can be undone
        target.replay_half("undo", arrived)
    except MemtuiError:
        raise in_both(target.root, source.root, why) from why


def _refuse_changed(plan: TransferPlan, source: MemoryReader) -> None:
    """See that what leaves is still what arrives.

    Raises:
        Conflict: a memory was changed since.
    """
    for edit in plan.leaving.edits if plan.leaving is not None else ():
        if edit.rel == INDEX_NAME:
            continue
        image = source.planner.image(edit.rel)
        if image is None or image.data != edit.before:
            raise Conflict(
                "the file was changed since the change was shown",
                where=str(source.root / edit.rel),
                todo="Nothing was written; look at the change as it would be now",
                base=edit.before,
                mine=edit.before,
                theirs=image.data if image else None,
            )
