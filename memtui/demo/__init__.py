"""A small believable memory directory to try memtui on: an astrophysicist's project, with its warts.

About thirty memories in English and Chinese; old versions, a near-duplicate pair, a stale note, paths that have gone,
a file without an index line and a line without a file, the project they talk about, transcripts that tell which of
them were loaded, read, cited and written, daily logs, and what waits to be decided about.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from memtui.claude.paths import store_folder
from memtui.demo.sessions import index_then, write_sessions
from memtui.demo.waiting import log_days, propose, visit
from memtui.memory.age import SECONDS_PER_DAY
from memtui.memory.conventions import HISTORY_FOLDER, INDEX_NAME
from memtui.memory.document.timestamps import format_moment
from memtui.memory.errors import Refused, UsageError
from memtui.memory.wording.saying import Say, system_said

PROJECT_NAME = "astro-lab"
_VISIT_DAYS = 1.0

_MARK = re.compile(r"\{(?:(modified)|day([+-][0-9]{1,4}))\}")


@dataclass(frozen=True, slots=True)
class DemoPaths:
    """Where a copy of the sample lies.

    Attributes:
        memory_dir: its memory directory, below a Claude Code configuration folder of its own.
        project_root: the project that the memories are about.
        state_dir: a state folder of its own, in which its person has seen the memories a day ago.
    """

    memory_dir: Path
    project_root: Path
    state_dir: Path


def build_demo(target: Path, now: float, *, store: str = "") -> DemoPaths:
    """Write a copy of the sample, as old as its manifest says, with proposals that wait.

    Args:
        target: folder to write it to; made where it is missing, and it must be empty.
        now: the time that ages count from, Unix seconds.
        store: what the client's folder for the project is called, for pictures that look the same wherever it lies; empty
            for what the client would call it.

    Raises:
        UsageError: ``target`` is not an empty folder.
        Refused: it could not be written.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise UsageError(
                "the folder is not empty", where=str(target), todo="Name one that is empty or new"
            )
        return _write(target.resolve(), now, store)
    except FileExistsError:
        raise UsageError(
            "this is not a folder", where=str(target), todo="Name one that is empty or new"
        ) from None
    except OSError as error:
        what = Say("the demo could not be written: {reason}", reason=system_said(error))
        raise Refused(what, where=error.filename or str(target)) from error


def _write(target: Path, now: float, store: str) -> DemoPaths:
    sample = resources.files(__package__) / "sample"
    project = target / PROJECT_NAME
    folder = store_folder(target / ".claude" / "projects", project)
    memory = (folder.with_name(store) if store else folder) / "memory"
    ages = tomllib.loads((sample / "manifest.toml").read_text(encoding="utf-8"))
    _copy(sample / "project", project, {}, now)
    _copy(sample / "memory", memory, ages["memory"], now)
    _copy(sample / "history", memory / HISTORY_FOLDER, ages["history"], now)
    first = dict(ages["memory"])
    for name, age in ages["history"].items():
        slug = name.rpartition("_v")[0]
        first[slug] = max(first.get(slug, 0.0), age)
    index = index_then((memory / INDEX_NAME).read_text(encoding="utf-8"), first)
    sessions = (sample / "sessions.toml").read_text(encoding="utf-8")
    write_sessions(sessions, memory.parent, memory, project, now, index)
    log_days((sample / "logs.toml").read_text(encoding="utf-8"), memory, now)
    propose(memory, project, now)
    state = target / ".local" / "state" / "memtui"
    visit(memory, state, now - _VISIT_DAYS * SECONDS_PER_DAY)
    return DemoPaths(memory, project, state)


def _copy(source: Traversable, target: Path, ages: Mapping[str, float], now: float) -> None:
    """Copy a part of the sample; files with an age get that time and have their dates filled in."""
    for rel, data in _files(source, ""):
        path = target / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        age = ages.get(rel.removesuffix(".md"))
        if age is None:
            path.write_bytes(data)
            continue
        then = now - age * SECONDS_PER_DAY
        path.write_bytes(_dated(data.decode(), then, now).encode())
        os.utime(path, (then, then))


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for child in folder.iterdir():
        if child.is_dir():
            yield from _files(child, f"{prefix}{child.name}/")
        else:
            yield prefix + child.name, child.read_bytes()


def _dated(text: str, then: float, now: float) -> str:
    """Put moments in: ``{modified}`` is the file's own time, ``{day+12}`` the date twelve days from now."""

    def moment(match: re.Match[str]) -> str:
        if match[1]:
            return format_moment(then)
        day = datetime.fromtimestamp(now + int(match[2]) * SECONDS_PER_DAY, UTC)
        return day.date().isoformat()

    return _MARK.sub(moment, text)
