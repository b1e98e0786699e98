"""Sessions that wait to be read for memories: one small file each, in a folder of the user's own state.

Hooks put them in within milliseconds; whoever extracts takes them out when there is time. A file is written once and
never changed, so nothing can be half read, and of two writers none can undo the other: a later note of the same
session is another file, which takes the place of the earlier ones. What is lost with the machine's power is at most a
hint; the transcript itself is the client's.
"""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

QUEUE_FOLDER = "queue"
"""Name of the folder below the user's state folder."""
MAX_PENDING = 500
"""Most sessions that wait; the oldest give way (ours)."""
MAX_DAYS = 30
"""Days after which a session waits no longer: by then the client has deleted its transcript (documented default)."""
MAX_FIELD = 4096
"""Longest text in a note, characters: a path is no longer than that on Linux."""

_MAX_BYTES = 64 << 10
_SUFFIX = ".json"
_PART = ".part"
_PART_SECONDS = 600
_STAMP_DIGITS = 20


class Queued(NamedTuple):
    """One session that waits.

    Attributes:
        session_id: the session.
        transcript_path: its transcript, as the client names it.
        cwd: the directory it worked in.
        event: ``SessionEnd`` or ``Stop``.
        at: when it was put in, Unix seconds.
        name: its file; given by the queue.
    """

    session_id: str
    transcript_path: str
    cwd: str
    event: str
    at: float
    name: str = ""


class Queue:
    """The sessions that wait. Making one creates nothing.

    Attributes:
        folder: where they lie.
    """

    def __init__(self, state_dir: Path) -> None:
        """Name the queue of a state folder.

        Args:
            state_dir: the user's state folder for memtui.
        """
        self.folder = state_dir / QUEUE_FOLDER

    def enqueue(self, item: Queued) -> Queued:
        """Put a session in; a note of the same session that waits already gives way.

        Returns:
            The item with its name.

        Raises:
            ValueError: a text of it is empty or too long.
            OSError: the folder cannot be written; nothing was put in.
        """
        for text in (item.session_id, item.transcript_path, item.cwd, item.event):
            if not text or len(text) > MAX_FIELD:
                raise ValueError("a note of a session needs its id, transcript, directory and event")
        made = _named(item)
        data = {key: value for key, value in made._asdict().items() if key != "name"}
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self.folder / f".{made.name}{_PART}"
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                json.dump(data, stream)
            part.rename(self.folder / made.name)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            if error.filename is None:
                error.filename = os.fspath(self.folder)  # a disk that is full does not say which
            raise
        self._tidy(made)
        return made

    def pending(self) -> tuple[Queued, ...]:
        """Every session that waits, the one that waits longest first; changes nothing.

        Files that are no notes are passed over.
        """
        newest: dict[str, Queued] = {}
        for name in self._names():
            item = self._read(name)
            if item is not None:
                newest[_session_part(name)] = item
        return tuple(sorted(newest.values(), key=lambda item: (item.at, item.name)))

    def done(self, item: Queued) -> None:
        """Take a session out; a later note of the same session stays.

        Raises:
            OSError: a file cannot be removed.
        """
        for name in self._names():
            if _session_part(name) == _session_part(item.name) and name <= item.name:
                (self.folder / name).unlink(missing_ok=True)

    def _names(self) -> list[str]:
        """The notes' files, those of a session from old to new."""
        try:
            with os.scandir(self.folder) as children:
                found = [child.name for child in children]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(name for name in found if name.endswith(_SUFFIX) and not name.startswith("."))

    def _read(self, name: str) -> Queued | None:
        try:
            handle = os.open(self.folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as stream:
                found = json.loads(stream.read(_MAX_BYTES))
            session, transcript, cwd, event = (
                found[key] for key in ("session_id", "transcript_path", "cwd", "event")
            )
            if not all(isinstance(text, str) for text in (session, transcript, cwd, event)):
                return None
            return Queued(session, transcript, cwd, event, float(found["at"]), name)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _tidy(self, made: Queued) -> None:
        """Remove what the new note replaces, what waits too long or is too much, and what a killed writer left."""
        names = self._names()
        waiting = sorted(names, key=_stamp, reverse=True)
        too_old = made.at - MAX_DAYS * 86_400
        for number, name in enumerate(waiting):
            replaced = _session_part(name) == _session_part(made.name) and name < made.name
            if replaced or number >= MAX_PENDING or _stamp(name) / 1e9 < too_old:
                with contextlib.suppress(OSError):
                    (self.folder / name).unlink()
        with contextlib.suppress(OSError), os.scandir(self.folder) as children:
            for child in children:
                if child.name.startswith(".") and child.name.endswith(_PART):
                    with contextlib.suppress(OSError):
                        if made.at - child.stat(follow_symlinks=False).st_mtime > _PART_SECONDS:
                            (self.folder / child.name).unlink()


def _named(item: Queued) -> Queued:
    """The item with the name of its file: session, time, and a bit of chance against two in one instant."""
    session = sha256(item.session_id.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    stamp = max(0, int(item.at * 1e9))
    name = f"{session}-{stamp:0{_STAMP_DIGITS}}-{os.urandom(4).hex()}{_SUFFIX}"
    return Queued(item.session_id, item.transcript_path, item.cwd, item.event, item.at, name)


def _session_part(name: str) -> str:
    return name.partition("-")[0]


def _stamp(name: str) -> int:
    """When a note was put in, nanoseconds; 0 for a file that is no note."""
    parts = name.split("-")
    return int(parts[1]) if len(parts) == 3 and parts[1].isascii() and parts[1].isdigit() else 0
