"""Joins our memories with a tree of others: what can be merged is, what is theirs alone stays exactly as it is."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.wording.saying import Say
from memtui.team.failures import TeamError
from memtui.team.merge import TeamClash, merge_trees
from memtui.team.objects import FILE, PLAIN, Entry, Leaves, blob_oid
from memtui.team.vet import is_memory, sane

Read = Callable[[Iterable[str]], Mapping[str, bytes]]
"""Gives contents of blobs; those that are not there, or larger than a memory may be, are left out."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A tree out of two.

    Attributes:
        leaves: it.
        blobs: contents that it names, or a clash, and that may not be written yet.
        clashes: what a person has to choose.
    """

    leaves: dict[str, Entry]
    blobs: tuple[bytes, ...]
    clashes: tuple[TeamClash, ...]


def memories_of(leaves: Leaves) -> dict[str, str]:
    """The plain files of a tree that are called as memories may be, by path.

    Others are held back wherever they arrive; were one taken for a memory that was given another name, what we wrote
    would follow it there and be seen by nobody.
    """
    return {
        rel: entry.oid
        for rel, entry in leaves.items()
        if entry.mode.lstrip("0") in PLAIN and is_memory(rel) and sane(rel)
    }


def join(
    base: Mapping[str, str],
    ours: Mapping[str, str],
    theirs: Leaves,
    read: Read,
    *,
    holds_secret: Callable[[str, bytes], bool],
    algorithm: str = "sha1",
) -> Joined:
    """Merge our files into the tree of others.

    Args:
        base: by path the blob that both sides started from.
        ours: by path the blob we have.
        theirs: their whole tree. Of links, submodules, pictures and all else that is no memory, theirs is taken.
        read: gives contents.
        holds_secret: whether the guard finds something in a file. One of theirs that does is merged with nothing, or
            its secret would go out again with our name on it.
        algorithm: of the repository.

    Raises:
        TeamError: a blob of ours cannot be read.
    """
    others = memories_of(theirs)
    rels = {*base, *ours, *others}
    moving = {rel for rel in rels if not base.get(rel) == ours.get(rel) == others.get(rel)}
    wanted = (side.get(rel) for rel in moving for side in (base, ours, others))
    contents = read({oid for oid in wanted if oid is not None})
    if any(rel in ours and ours[rel] not in contents for rel in moving):
        raise TeamError("failed", detail=Say("a file of ours is not there"))
    fixed = {
        rel
        for rel in moving
        if (rel in theirs and rel not in others)
        or (
            rel in others
            and others[rel] != base.get(rel)
            and _unfit(rel, contents.get(others[rel]), holds_secret)
        )
    }
    clashes = [
        TeamClash(
            rel, "both-changed", _of(contents, base.get(rel)), _of(contents, ours[rel]), None, ("file",)
        )
        for rel in sorted(fixed)
        if rel in ours and ours[rel] not in (base.get(rel), others.get(rel))
    ]
    same = {
        rel: b"\0" + rel.encode("utf-8", "surrogateescape")
        for rel in (*(rels - moving), *fixed, *theirs.keys() - rels)
    }
    sides = [
        {
            **same,
            **{rel: contents[side[rel]] for rel in moving - fixed if rel in side and side[rel] in contents},
        }
        for side in (base, ours, others)
    ]
    merged = merge_trees(*sides)
    leaves = {rel: entry for rel, entry in theirs.items() if rel not in others or rel in fixed}
    folders = _folders(theirs)
    blobs: list[bytes] = []
    for rel, data in merged.files.items():
        if rel in same:
            leaves[rel] = theirs[rel]
            continue
        oid = blob_oid(data, algorithm)
        known = theirs.get(rel)
        if known is not None and known.oid == oid:
            leaves[rel] = known
        elif _in_the_way(rel, leaves, folders):
            clashes.append(TeamClash(rel, "both-changed", None, data, None, ("file",)))
        else:
            leaves[rel] = Entry(known.mode if known is not None and rel in others else FILE, oid)
            blobs.append(data)
    clashes += merged.clashes
    blobs += [data for clash in clashes for data in (clash.ours, clash.theirs) if data is not None]
    return Joined(leaves, tuple(dict.fromkeys(blobs)), tuple(sorted(clashes, key=lambda each: each.rel)))


def laid_over(leaves: Leaves, files: Leaves) -> dict[str, Entry]:
    """A tree with our files in it, but for those that a folder or a file of others stands in the way of."""
    folders = _folders(leaves)
    return {**leaves, **{rel: entry for rel, entry in files.items() if not _in_the_way(rel, leaves, folders)}}


def _unfit(rel: str, data: bytes | None, holds_secret: Callable[[str, bytes], bool]) -> bool:
    return data is None or len(data) > MAX_FILE_BYTES or holds_secret(rel, data)


def _of(contents: Mapping[str, bytes], oid: str | None) -> bytes | None:
    return contents.get(oid) if oid is not None else None


def _folders(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        while "/" in path and (path := path.rpartition("/")[0]) not in found:
            found.add(path)
    return found


def _in_the_way(rel: str, files: Container[str], folders: Container[str]) -> bool:
    """Whether a folder of theirs has this path as its name, or a file of theirs the name of a folder above it."""
    return rel in folders or any(folder in files for folder in _folders([rel]))
