"""One file of a memory directory as an entry: which files count, and what is read from one (spec §3, §5)."""

from __future__ import annotations

from math import inf
from stat import S_ISDIR
from typing import Literal, NamedTuple

from memtui.memory.conventions import HISTORY_FOLDER, INDEX_NAME, LOG_FOLDER, OWN_FOLDER, TEAM_PREFIX
from memtui.memory.disk.files import FileImage, Folder, Stamp, Unreadable
from memtui.memory.document.parse import read_head
from memtui.memory.types import ACTIVE, Clock, Historical, MemoryEntry, MemoryType, Problem, Severity
from memtui.memory.wording.saying import joined, plain

HISTORY_PREFIX = f"{HISTORY_FOLDER}/"
_OWN_PLACES = frozenset({OWN_FOLDER, HISTORY_FOLDER})

# As `MemoryEntry._make`, without the way there: one of the hundred thousands.
_new_entry = tuple.__new__

Kind = Literal["memory", "index", "other", "none"]
Key = tuple[bool, float, str, bool]
"""Where an entry stands in the list: historical after active, newest first, then by slug, live before archive."""


class Known(NamedTuple):
    """What is kept of a file between two looks.

    Attributes:
        stamp: its state when it was read; None if the system would not tell.
        entry: the entry made of it.
        key: its place in the list.
        nested: whether its type stands under ``metadata``; None without a type.
        effective: the effective time before "in the future counts as now", Unix seconds.
    """

    stamp: Stamp | None
    entry: MemoryEntry
    key: Key
    nested: bool | None
    effective: float


def kind_of(rel: str) -> Kind:
    """What a path below the memory directory stands for, by its name alone.

    ``memory`` for a memory or an archived version, ``index`` for ``MEMORY.md``, ``none`` for what never concerns us
    (dot-files, dot-folders, ``logs/``, indexes of subfolders), ``other`` for what may be a folder with memories.
    """
    if rel == INDEX_NAME:
        return "index"
    below = rel.removeprefix(HISTORY_PREFIX)
    if rel in _OWN_PLACES:
        return "other"
    if below.startswith((".", "/")) or "/." in below or "//" in below or "\0" in below:
        return "none"
    if rel == LOG_FOLDER or rel.startswith(f"{LOG_FOLDER}/"):
        return "none"
    if rel.endswith(f"/{INDEX_NAME}"):
        return "none"
    return "memory" if below.endswith(".md") else "other"


def slug_of(rel: str) -> str:
    """The slug of a memory's file: its path without ``.md``, and without ``.memtui/history/`` for an archive."""
    return rel[len(HISTORY_PREFIX) if rel.startswith(HISTORY_PREFIX) else 0 : -3]


def look(
    folder: Folder, rel: str, clock: Clock, old: Known | None = None, seen: Stamp | None = None
) -> Known | None:
    """One memory file as an entry; one that cannot be read has an ``ERROR`` among its problems.

    Args:
        folder: the memory directory.
        rel: path below it, e.g. ``sub/a.md`` or ``.memtui/history/a_v1.md``.
        clock: gives the time; a date in the future counts as now (spec §3). Asked after the file was read, so that what was written just now is not future.
        old: what was known of it. Its entry is kept where bytes and mtime are the same.
        seen: its state as listed, for a file that tells nothing itself.

    Returns:
        What is known now; None if the file is gone.
    """
    try:
        image = folder.read(rel)
    except FileNotFoundError:
        return None
    except Unreadable as error:
        new = _unreadable(folder, rel, clock(), error, seen)
        return new if old is None or old.entry != new.entry else new._replace(entry=old.entry)
    if old is not None and old.entry.data == image.data and old.entry.mtime == image.stamp.mtime_ns / 1e9:
        return old._replace(stamp=image.stamp)
    return _readable(folder, rel, clock(), image)


def _readable(folder: Folder, rel: str, now: float, image: FileImage) -> Known:
    data, stamp = image
    head = read_head(data)
    aside = rel.startswith(HISTORY_PREFIX)
    slug = slug_of(rel)
    mtime = stamp.mtime_ns / 1e9
    effective = mtime if head.modified is None else head.modified
    status = head.status_text
    historical = aside or (status is not None and status.strip().lower() == "historical")
    type_text = head.type_text
    kind = MemoryType.parse(type_text) if type_text else None
    entry = _new_entry(
        MemoryEntry,
        (
            slug,
            head.name or slug.rpartition("/")[2],
            head.description or "",
            kind,
            mtime,
            data,
            head.start,
            folder.root,
            None,
            Historical(head.superseded_by) if historical else ACTIVE,
            min(effective, now),
            kind.value
            if kind is not None and type_text == kind
            else type_text,  # one text for all that say the same
            None,
            len(data),
            head.body_line,
            "team" if slug.startswith(TEAM_PREFIX) else "private",
            head.problems,
            head.origin,
            aside,
        ),
    )
    key = (historical, -inf if effective >= now else -effective, slug, aside)
    return Known(stamp, entry, key, head.nested, effective)


def _unreadable(folder: Folder, rel: str, now: float, error: Unreadable, seen: Stamp | None) -> Known:
    try:
        stamp = folder.stamp(rel) or seen
    except Unreadable:
        stamp = seen
    aside = rel.startswith(HISTORY_PREFIX)
    slug = slug_of(rel)
    # A folder's time and size tell of what is in it, which are entries of their own.
    plain = stamp if stamp is not None and not S_ISDIR(stamp.mode) else None
    mtime = plain.mtime_ns / 1e9 if plain else 0.0
    entry = MemoryEntry(
        slug=slug,
        name=slug.rpartition("/")[2],
        description="",
        memory_type=None,
        mtime=mtime,
        content="",
        path=folder.root / rel,
        status=Historical() if aside else ACTIVE,
        modified=min(mtime, now),
        size=plain.size if plain else 0,
        scope="team" if slug.startswith(TEAM_PREFIX) else "private",
        problems=(problem_of(error),),
        aside=aside,
    )
    return Known(stamp, entry, (aside, -inf if mtime >= now else -mtime, slug, aside), None, mtime)


def problem_of(error: Unreadable) -> Problem:
    """Why a file could not be read, as a problem of that file."""
    text = joined((plain(error.what), plain(error.todo)), ". ") if error.todo else error.what
    return Problem(error.code, text, severity=Severity.ERROR)


def is_torn(entry: MemoryEntry) -> bool:
    """Whether a file looks as if somebody were in the middle of writing it: empty, or its header not closed."""
    return entry.size == 0 or any(p.code in {"unclosed-header", "unstable"} for p in entry.problems)
