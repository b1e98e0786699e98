"""What is in a store: counts, how full its index is, what is stale or secret, whose it is, what is wrong with it.

Reading a store of ten thousand memories takes a second or two, so it is done one store at a time, in the background,
and stops between two files when it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from memtui.claude.evidence import Sessions, fits_slug, working_directories
from memtui.claude.paths import main_checkout, project_of
from memtui.claude.stores import Store
from memtui.memory.age import memory_age_days
from memtui.memory.checks.findings_between import STALE_DAYS
from memtui.memory.conventions import INDEX_NAME, detect
from memtui.memory.disk.files import Folder, Stamp, Unreadable
from memtui.memory.document.entries import kind_of, look
from memtui.memory.errors import MemtuiError
from memtui.memory.index.editing import decode_index
from memtui.memory.index.entrypoint import IndexReport, report
from memtui.memory.secrets.guard import find_secrets, secret_hash
from memtui.memory.types import MemoryEntry

StoreProblem = Literal["project-gone", "two-projects", "home", "empty", "index-cut", "unreadable"]
"""What is wrong with a store: its project is no more; several projects write to it; it is that of the home directory,
which sessions started outside any project share; there is no memory in it; its index is longer than what loads; it
cannot be listed."""

Cancel = Callable[[], bool]
"""Whether to stop."""

_SETTLED_SECONDS = 2.0
"""A file changed as short a time ago may be changed once more within the same tick of its file system (ours; FAT: 2 s)."""


@dataclass(frozen=True, slots=True)
class StoreSummary:
    """A store as it was when it was looked at.

    Attributes:
        store: which.
        project: the directory whose memories these are; None if nobody knows.
        others: other directories whose sessions write here as well.
        active: memories in force.
        historical: old versions.
        stale: memories in force that nobody has touched for 200 days.
        secrets: different values in memories in force that look like secrets.
        index: how the index stands.
        last_change: effective time of the newest memory, Unix seconds; None without one.
        problems: what is wrong, worst first.
        complete: whether everything was looked at; False after a cancel.
    """

    store: Store
    project: Path | None
    others: tuple[Path, ...]
    active: int
    historical: int
    stale: int
    secrets: int
    index: IndexReport
    last_change: float | None
    problems: tuple[StoreProblem, ...]
    complete: bool = True

    @property
    def stale_share(self) -> float:
        """Part of the memories in force that is stale, 0.0 to 1.0."""
        return self.stale / self.active if self.active else 0.0


class _File(NamedTuple):
    """What a summary needs of one file.

    Attributes:
        stamp: its state when it was read; None where that could not be told.
        nested: the shape of its header.
        active: whether it is a memory in force.
        modified: its effective time, Unix seconds.
        secrets: hashes of the values in it that look like secrets, let through or not.
    """

    stamp: Stamp | None
    nested: bool | None
    active: bool
    modified: float
    secrets: frozenset[str]


class Remembered:
    """What summaries found, so that the next ones read only files that changed; kept in memory by whoever wants it."""

    def __init__(self) -> None:
        self._files: dict[Path, dict[str, _File]] = {}
        self._sessions: dict[Path, Sessions] = {}

    def files(self, store: Path) -> dict[str, _File]:
        """The files of a store as they were read last."""
        return self._files.get(store, {})

    def keep(self, store: Path, files: dict[str, _File]) -> None:
        """Remember the files of a store, in place of those of before."""
        self._files[store] = files

    def sessions(self, transcripts: Path) -> Sessions:
        """Where the sessions of a folder of transcripts were started, as far as that was read."""
        return self._sessions.setdefault(transcripts, {})


def summarise(
    store: Store,
    *,
    now: float,
    home: Path | None = None,
    cancel: Cancel = lambda: False,
    allowed: Container[str] = frozenset(),
    remembered: Remembered | None = None,
) -> StoreSummary:
    """Look at everything in a store.

    Args:
        store: which.
        now: Unix seconds.
        home: the user's home directory, to tell a store of it.
        cancel: asked between two files; what is known then is given back, not ``complete``.
        allowed: hashes of values that are let through.
        remembered: what was found before; files in the same state are not read again.
    """
    before = remembered.files(store.path) if remembered is not None else {}
    files: dict[str, _File] = {}
    owners = projects_of_store(store, remembered)
    project, others = (owners[0] if owners else None), owners[1:]
    folder = Folder(store.path)
    complete, unreadable = True, False
    try:
        for rel, stamp in _files(folder):
            if cancel():
                complete = False
                break
            old = before.get(rel)
            file = old if old is not None and old.stamp == stamp else _read(folder, rel, now)
            if file is not None:
                files[rel] = file
    except (MemtuiError, OSError):
        unreadable = True
    if remembered is not None:
        settled = (now - _SETTLED_SECONDS) * 1e9
        kept = {rel: file for rel, file in files.items() if file.stamp and file.stamp.ctime_ns < settled}
        remembered.keep(store.path, kept)
    active = [file for file in files.values() if file.active]
    index = report(_index_text(folder), detect(store.path.absolute(), [f.nested for f in files.values()]))
    found: list[StoreProblem] = []
    if unreadable:
        found.append("unreadable")
    if project is not None and not _is_folder(project):
        found.append("project-gone")
    if others:
        found.append("two-projects")
    if index.bound is not None:
        found.append("index-cut")
    if home is not None and project is not None and project == home:
        found.append("home")
    if not active and complete and not unreadable:
        found.append("empty")
    return StoreSummary(
        store=store,
        project=project,
        others=others,
        active=len(active),
        historical=len(files) - len(active),
        stale=sum(memory_age_days(file.modified, now) >= STALE_DAYS for file in active),
        secrets=sum(found not in allowed for found in frozenset[str]().union(*(f.secrets for f in active))),
        index=index,
        last_change=max((file.modified for file in active), default=None),
        problems=tuple(found),
        complete=complete,
    )


def _read(folder: Folder, rel: str, now: float) -> _File | None:
    known = look(folder, rel, lambda: now)
    if known is None:
        return None
    entry, secrets = known.entry, frozenset[str]()
    if entry.is_active:
        text = f"{entry.name}\n{entry.description}\n{entry.content}"
        secrets = frozenset(secret_hash(text[found.start : found.end]) for found in find_secrets(text))
    return _File(known.stamp, known.nested, entry.is_active, entry.modified, secrets)


def memories_of(store: Store, *, now: float, cancel: Cancel = lambda: False) -> Iterator[MemoryEntry]:
    """The memories in force of a store, one after the other; a store that cannot be listed has none.

    Args:
        store: which.
        now: Unix seconds.
        cancel: asked between two files; ends the walk.
    """
    folder = Folder(store.path)
    try:
        for rel, _ in _files(folder, history=False):
            if cancel():
                return
            known = look(folder, rel, lambda: now)
            if known is not None and known.entry.is_active:
                yield known.entry
    except (MemtuiError, OSError):
        return


def _files(folder: Folder, *, history: bool = True) -> Iterator[tuple[str, Stamp]]:
    for rel, stamp in folder.walk():
        if kind_of(rel) == "memory":
            yield rel, stamp
    if history:
        yield from folder.walk_history()


def _index_text(folder: Folder) -> str | None:
    try:
        return decode_index(folder.read(INDEX_NAME).data)
    except (FileNotFoundError, Unreadable, OSError):
        return None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


# ------------------------------------------------------------------ whose it is


def projects_of_store(store: Store, remembered: Remembered | None = None) -> tuple[Path, ...]:
    """The project of a store, then others that share it: from transcripts, the client's list, or the store's name.

    One that is gone is named only where none is left: a folder renamed to a name with the same slug keeps its store.

    Args:
        store: which.
        remembered: what was found before; transcripts in the same state are not read again.
    """
    place = store.transcripts
    known = remembered.sessions(place) if remembered is not None and place is not None else None
    directories = working_directories(place, store.slug, known)
    if directories:
        roots = tuple(dict.fromkeys(_owner(path, store.slug) for path in directories))
        fitting = tuple(root for root in roots if fits_slug(root, store.slug)) or roots[:1]
        return tuple(root for root in fitting if _is_folder(root)) or fitting[:1]
    if store.project is not None:
        return (store.project,)
    found = project_of(store.path) if store.kind in {"project", "qwen"} else None
    return () if found is None else (found,)


def _owner(path: Path, slug: str) -> Path:
    """The project of a directory; the directory itself where the store is named by it, as older clients do."""
    try:
        root = main_checkout(path) if path.is_dir() else path
    except OSError:
        return path
    return path if fits_slug(path, slug) and not fits_slug(root, slug) else root
