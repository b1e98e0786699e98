"""What is in a store: counts, how full its index is, what is stale or secret, whose it is, what is wrong with it.

Reading a store of ten thousand memories takes a second or two, so it is done one store at a time, in the background,
and stops between two files when it is told to.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memtui.claude.paths import MAX_SLUG_UNITS, main_checkout, project_of, project_slug
from memtui.claude.stores import Store
from memtui.memory.age import memory_age_days
from memtui.memory.conventions import INDEX_NAME, detect
from memtui.memory.entries import kind_of, look
from memtui.memory.entrypoint import IndexReport, report
from memtui.memory.errors import MemtuiError
from memtui.memory.files import Folder, Unreadable
from memtui.memory.findings_between import STALE_DAYS
from memtui.memory.index import decode_index
from memtui.memory.secrets import find_secrets
from memtui.memory.types import MemoryEntry

StoreProblem = Literal["project-gone", "two-projects", "home", "empty", "index-cut", "unreadable"]
"""What is wrong with a store: its project is no more; several projects write to it; it is that of the home directory,
which sessions started outside any project share; there is no memory in it; its index is longer than what loads; it
cannot be listed."""

Cancel = Callable[[], bool]
"""Whether to stop."""

_TRANSCRIPTS = 20
_TRANSCRIPT_BYTES = 64 << 10


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


def summarise(
    store: Store, *, now: float, home: Path | None = None, cancel: Cancel = lambda: False
) -> StoreSummary:
    """Look at everything in a store.

    Args:
        store: which.
        now: Unix seconds.
        home: the user's home directory, to tell a store of it.
        cancel: asked between two files; what is known then is given back, not ``complete``.
    """
    owners = projects_of_store(store)
    project, others = (owners[0] if owners else None), owners[1:]
    folder = Folder(store.path)
    shapes: list[bool | None] = []
    active: list[MemoryEntry] = []
    historical = stale = 0
    values: set[str] = set()
    complete, unreadable = True, False
    try:
        for rel in _files(folder):
            if cancel():
                complete = False
                break
            known = look(folder, rel, lambda: now)
            if known is None:
                continue
            entry = known.entry
            shapes.append(known.nested)
            if not entry.is_active:
                historical += 1
                continue
            active.append(entry)
            stale += memory_age_days(entry.modified, now) >= STALE_DAYS
            text = f"{entry.name}\n{entry.description}\n{entry.content}"
            values.update(secret.fingerprint for secret in find_secrets(text))
    except (MemtuiError, OSError):
        unreadable = True
    index = report(_index_text(folder), detect(store.path.absolute(), shapes))
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
        historical=historical,
        stale=stale,
        secrets=len(values),
        index=index,
        last_change=max((entry.modified for entry in active), default=None),
        problems=tuple(found),
        complete=complete,
    )


def memories_of(store: Store, *, now: float, cancel: Cancel = lambda: False) -> Iterator[MemoryEntry]:
    """The memories in force of a store, one after the other; a store that cannot be listed has none.

    Args:
        store: which.
        now: Unix seconds.
        cancel: asked between two files; ends the walk.
    """
    folder = Folder(store.path)
    try:
        for rel in _files(folder, history=False):
            if cancel():
                return
            known = look(folder, rel, lambda: now)
            if known is not None and known.entry.is_active:
                yield known.entry
    except (MemtuiError, OSError):
        return


def _files(folder: Folder, *, history: bool = True) -> Iterator[str]:
    for rel, _ in folder.walk():
        if kind_of(rel) == "memory":
            yield rel
    if history:
        for rel, _ in folder.walk_history():
            yield rel


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


def projects_of_store(store: Store) -> tuple[Path, ...]:
    """The project of a store, then others that share it: from transcripts, the client's list, or the store's name.

    One that is gone is named only where none is left: a folder renamed to a name with the same slug keeps its store.
    """
    directories = working_directories(store.transcripts, store.slug)
    if directories:
        roots = tuple(dict.fromkeys(_root(path) for path in directories))
        fitting = tuple(root for root in roots if _slug(root) == store.slug[:MAX_SLUG_UNITS]) or roots[:1]
        return tuple(root for root in fitting if _is_folder(root)) or fitting[:1]
    if store.project is not None:
        return (store.project,)
    found = project_of(store.path) if store.kind in {"project", "qwen"} else None
    return () if found is None else (found,)


def _root(path: Path) -> Path:
    try:
        return main_checkout(path) if path.is_dir() else path
    except OSError:
        return path


def _slug(path: Path) -> str:
    return project_slug(str(path))[:MAX_SLUG_UNITS]


def working_directories(transcripts: Path | None, slug: str) -> tuple[Path, ...]:
    """Where the sessions of a project's transcripts were started, the latest first; at most 20 are looked at.

    Args:
        transcripts: the project's folder.
        slug: its name, so that a session counts with the one directory that fits it; empty for all that its beginning
            names, for a session may go elsewhere.
    """
    found: list[Path] = []
    for path in _newest(transcripts):
        started = _started_in(path)
        fitting = [directory for directory in started if _slug(directory) == slug[:MAX_SLUG_UNITS]]
        found += (fitting or started)[:1] if slug else started
    return tuple(dict.fromkeys(found))


def _newest(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    try:
        with os.scandir(folder) as children:
            times = [
                (child.stat(follow_symlinks=False).st_mtime, child.name)
                for child in children
                if child.name.endswith(".jsonl") and child.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [folder / name for _, name in sorted(times, reverse=True)[:_TRANSCRIPTS]]


def _started_in(path: Path) -> list[Path]:
    """The working directories that the beginning of a transcript names, in order."""
    try:
        with path.open("rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return []
            data = stream.read(_TRANSCRIPT_BYTES)
    except OSError:
        return []
    found: list[Path] = []
    for line in data.split(b"\n"):
        if b'"cwd"' not in line:
            continue
        try:
            cwd = json.loads(line).get("cwd")
        except (ValueError, AttributeError, RecursionError):
            continue
        if isinstance(cwd, str) and cwd.startswith("/") and "\0" not in cwd:
            found.append(Path(cwd))
    return list(dict.fromkeys(found))
