"""What transcripts prove of the places they lie in: which index a session loaded, and which directory it ran in.

A bounded look at the newest transcripts of a folder, for telling stores apart; nothing else of a session is kept.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memtui.claude.foreign import head_of, named_path
from memtui.claude.paths import MAX_SLUG_UNITS, project_slug
from memtui.claude.transcripts import for_the_client_alone, moment_in, parse_line
from memtui.memory.conventions import INDEX_NAME

_SESSIONS = 30
_STARTS = 20
_WHOLE_SESSIONS = 6
_WHOLE_BYTES = 2 << 20
_HEAD_BYTES = 64 << 10
_MAX_NAMES = 20_000
"""How much is looked at (ours): the receipt and the working directory stand at a session's beginning."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the newest sessions of some folders tell.

    Attributes:
        loaded: by memory directory, when a session last loaded its index, Unix seconds.
        ran_in: by working directory, when a session last ran in it, Unix seconds.
    """

    loaded: Mapping[Path, float] = field(default_factory=dict)
    ran_in: Mapping[Path, float] = field(default_factory=dict)


def evidence_in(folders: Iterable[Path]) -> Evidence:
    """Look at the newest sessions in each of some folders of transcripts (``<config>/projects/<slug>``).

    Newer clients write down the instructions that a session began with, the index of its memories among them; of
    older ones nothing is known. Lines that are torn, or no objects, are passed over.
    """
    loaded: dict[Path, float] = {}
    ran_in: dict[Path, float] = {}
    for folder in folders:
        for number, (path, changed) in enumerate(_newest(folder)):
            where: Path | None = None
            for line in _lines(path, _WHOLE_BYTES if number < _WHOLE_SESSIONS else _HEAD_BYTES):
                receipt = b'"AutoMem"' in line
                if not receipt and (where is not None or b'"cwd"' not in line):
                    continue
                if for_the_client_alone(line):
                    continue
                row = _object(line)
                if where is None and (where := named_path(row.get("cwd"))) is not None:
                    ran_in[where] = max(changed, ran_in.get(where, 0.0))
                if receipt:
                    at = moment_in(row, changed)
                    for index in _indexes(row):
                        loaded[index] = max(changed if at is None else at, loaded.get(index, 0.0))
    return Evidence(loaded, ran_in)


Sessions = dict[tuple[Path, float], tuple[Path, ...]]
"""By transcript and the time of its last change, the directories that its beginning names."""


def working_directories(
    transcripts: Path | None, slug: str, known: Sessions | None = None
) -> tuple[Path, ...]:
    """Where the sessions of a project's transcripts were started, the latest first; at most 20 are looked at.

    Args:
        transcripts: the project's folder.
        slug: its name, so that a session counts with the one directory that fits it; empty for all that its beginning
            names, for a session may go elsewhere.
        known: what was read before, and after this what is read now.
    """
    found: list[Path] = []
    looked: Sessions = {}
    for file in _newest(transcripts)[:_STARTS] if transcripts is not None else ():
        started = looked[file] = _named(file[0]) if known is None or file not in known else known[file]
        fitting = tuple(directory for directory in started if fits_slug(directory, slug))
        found += (fitting or started)[:1] if slug else started
    if known is not None:
        known.clear()
        known.update(looked)
    return tuple(dict.fromkeys(found))


def _named(transcript: Path) -> tuple[Path, ...]:
    """The directories that the beginning of a transcript names."""
    rows = [_object(line) for line in _lines(transcript, _HEAD_BYTES) if b'"cwd"' in line]
    named = [named_path(row.get("cwd")) for row in rows]
    return tuple(dict.fromkeys(cwd for cwd in named if cwd is not None))


def fits_slug(path: Path, slug: str) -> bool:
    """Whether a folder of transcripts called ``slug`` may be that of a directory."""
    return project_slug(str(path))[:MAX_SLUG_UNITS] == slug[:MAX_SLUG_UNITS]


def _newest(folder: Path) -> list[tuple[Path, float]]:
    """The newest transcripts of a folder with the time of their last change, the newest first."""
    found: list[tuple[float, str]] = []
    try:
        with os.scandir(folder) as children:
            for number, child in enumerate(children):
                if number >= _MAX_NAMES:
                    break
                if not child.name.endswith(".jsonl"):
                    continue
                try:
                    info = child.stat(follow_symlinks=False)
                except OSError:  # it went away
                    continue
                if stat.S_ISREG(info.st_mode):
                    found.append((info.st_mtime, child.name))
    except OSError:  # no such folder, or none that may be read: it proves nothing
        return []
    return [(folder / name, changed) for changed, name in sorted(found, reverse=True)[:_SESSIONS]]


def _lines(path: Path, limit: int) -> list[bytes]:
    """Whole lines at the beginning of a file."""
    return (head_of(path, limit, follow=False) or b"").split(b"\n")


def _object(line: bytes) -> dict[str, object]:
    try:
        return parse_line(line) or {}
    except ValueError:
        return {}


def _indexes(row: Mapping[str, object]) -> list[Path]:
    """Memory directories whose index a line says was loaded."""
    attachment = row.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "instructions":
        return []
    files = attachment.get("files")
    paths = [
        named_path(file.get("path"))
        for file in (files if isinstance(files, list) else ())
        if isinstance(file, dict) and file.get("type") == "AutoMem"
    ]
    return [path.parent for path in paths if path is not None and path.name == INDEX_NAME]
