"""Which transcripts belong to a memory directory.

They are those of its project, its work trees and subfolders, and those that say that they loaded it. Transcripts are filed by working directory, memories by repository, and a setting may file them elsewhere, so a folder's
name alone does not tell. Where it does not, the beginning of a transcript or two is looked at, once for each folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memtui.claude.foreign import head_of, named_path
from memtui.claude.naming import Store
from memtui.claude.paths import config_dir, main_checkout, project_of, project_slug, store_folder
from memtui.claude.receipts import Scan
from memtui.claude.transcripts import TranscriptReader, for_the_client_alone
from memtui.memory.errors import Refused

MAX_TRANSCRIPTS = 100_000
"""How many transcripts are looked at, newest first (ours)."""

_PROBED = 2
_PROBE_BYTES = 256 << 10
_MAX_WORKTREES = 1_000


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """One transcript.

    Attributes:
        path: the ``.jsonl`` file.
        session: id of the session.
        agent: id of the subagent whose it is; empty for the session's own.
        size: bytes.
        mtime: Unix seconds.
        ino: inode number.
    """

    path: Path
    session: str
    agent: str
    size: int
    mtime: float
    ino: int


def project_roots(memory_dir: Path, *, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Folders that hold projects' transcripts: the one the directory lies in, and the one of the configuration."""
    roots: dict[str, Path] = {}
    above = memory_dir.absolute().parent.parent
    places = [config_dir(environ, home) / "projects"]
    if memory_dir.name == "memory" and above.name == "projects":
        places.insert(0, above)
    for place in places:
        roots.setdefault(os.path.realpath(place), place)
    return tuple(roots.values())


def certain_folders(
    memory_dir: Path, roots: Iterable[Path], cwd: Path | None
) -> tuple[set[Path], Path | None]:
    """The folders whose names say that they belong, and the project; whether they are there is left open."""
    found: set[Path] = set()
    where = memory_dir.absolute()
    if where.name == "memory" and where.parent.parent.name == "projects":
        found.add(where.parent)
    project = project_of(memory_dir, cwd=cwd)
    if project is None:
        project = _agents_project(memory_dir)
    for root in roots:
        if where.name == "memory" and where.parent.parent.name == "projects":
            found.add(root / where.parent.name)
        for directory in (project, *work_trees(project)) if project is not None else ():
            found.add(store_folder(root, directory))
    return found, project


def _agents_project(memory_dir: Path) -> Path | None:
    """The repository whose subagent's memories these are: ``<repo>/.claude/agent-memory*/<agent>``."""
    above = memory_dir.absolute().parents
    if len(above) > 2 and above[0].name.startswith("agent-memory") and above[1].name == ".claude":
        root = main_checkout(above[2])
        return root if (root / ".git").exists() else None
    return None


def work_trees(project: Path) -> Iterator[Path]:
    """The linked work trees that a repository knows of; reads git's own small files, runs nothing."""
    for base in (project / ".git" / "worktrees", project / "worktrees"):
        try:
            names = sorted(child.name for child in base.iterdir())[:_MAX_WORKTREES]
        except OSError:
            continue
        for name in names:
            text = os.fsdecode((head_of(base / name / "gitdir", 4096) or b"").partition(b"\n")[0].strip())
            marker = Path(os.path.normpath(base / name / text)) if text and "\0" not in text else None
            if marker is not None and marker.name == ".git":
                yield marker.parent


def may_belong(name: str, memory_dir: Path, project: Path | None) -> bool:
    """Whether a folder whose name does not tell is worth a look.

    A store filed under its own project is used from that project's subfolders; one that a setting names is used from
    anywhere.
    """
    where = memory_dir.absolute()
    slugs = {project_slug(str(project))} if project is not None else set()
    if where.name == "memory" and where.parent.parent.name == "projects":
        slugs.add(where.parent.name)
    elif project is None:
        return True
    return any(name.startswith(f"{slug}-") for slug in slugs)


def proves(folder: Path, store: Store, project: Path | None) -> bool:
    """Whether the newest transcripts of a folder say that they loaded the directory, or ran inside its project."""
    newest = sorted(transcripts_in(folder, agents=False), key=lambda file: -file.mtime)[:_PROBED]
    for file in newest:
        scan = Scan(store)
        reader = TranscriptReader(file.path, wanted=lambda data: not for_the_client_alone(data))
        try:
            for line in reader:
                scan.take(line)
                if scan.receipts or line.offset > _PROBE_BYTES:
                    break
        except (OSError, Refused):
            continue
        if scan.receipts:
            return True
        cwd = named_path(scan.cwd)
        if project is None or cwd is None or not _is_folder(cwd):
            continue
        if main_checkout(cwd) == Path(os.path.realpath(project)):
            return True
    return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name in it is too long for any folder
        return False


def transcripts_in(folder: Path, *, agents: bool = True) -> Iterator[TranscriptFile]:
    """The transcripts of a folder, and those of the sessions' subagents; follows no links."""
    for name, entry in _entries(folder):
        if name.endswith(".jsonl"):
            file = _file(entry, name.removesuffix(".jsonl"), "")
            if file is not None:
                yield file
        elif agents and entry.is_dir(follow_symlinks=False):
            for below in (folder / name / "subagents", folder / name):
                for child, found in _entries(below):
                    if child.endswith(".jsonl"):
                        file = _file(found, name, child.removesuffix(".jsonl").removeprefix("agent-"))
                        if file is not None:
                            yield file


def _entries(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        with os.scandir(folder) as children:
            yield from ((child.name, child) for child in list(children))
    except OSError:  # not there, no folder, or not ours to read
        return


def _file(entry: os.DirEntry[str], session: str, agent: str) -> TranscriptFile | None:
    try:
        if not entry.is_file(follow_symlinks=False):
            return None
        info = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    if session.startswith("agent-") and not agent:
        # Older clients filed a subagent's transcript beside the session's, and only its lines say whose it is.
        agent = session.removeprefix("agent-")
    return TranscriptFile(Path(entry.path), session, agent, info.st_size, info.st_mtime, info.st_ino)
