"""How far each transcript was read for memories: one small file each, so that a second reading finds nothing new."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from dataclasses import asdict
from pathlib import Path

from memtui.claude.transcripts import Cursor

CURSOR_FOLDER = "cursors"
"""Name of the folder below that of extraction."""
MAX_CURSORS = 20_000
"""So many are kept; the oldest give way (ours). One that is lost costs a reading, nothing is proposed twice by it."""

_MAX_BYTES = 4_096
_TIDY_EVERY = 64


class CursorStore:
    """The cursors. Making one creates nothing.

    Attributes:
        folder: where they lie.
    """

    def __init__(self, state_dir: Path, memory_dir: Path) -> None:
        """Name the cursors of a memory directory: each reads for itself.

        Args:
            state_dir: the user's state folder for memtui.
            memory_dir: the memories that are read for.
        """
        self.folder = state_dir / "extraction" / CURSOR_FOLDER
        self._memory_dir = os.path.realpath(memory_dir)

    def get(self, transcript: Path) -> Cursor | None:
        """How far a transcript was read; None if it was not, or if nobody knows."""
        try:
            handle = os.open(
                self._path(transcript), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            )
            with os.fdopen(handle, "rb") as stream:
                found = json.loads(stream.read(_MAX_BYTES))
            numbers = [found[key] for key in ("offset", "number", "ino", "head_size")]
            if any(isinstance(each, bool) or not isinstance(each, int) or each < 0 for each in numbers):
                return None
            return Cursor(numbers[0], numbers[1], numbers[2], str(found["head"]), numbers[3])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def put(self, transcript: Path, cursor: Cursor) -> None:
        """Remember how far a transcript was read; whole or not at all.

        Raises:
            OSError: the folder cannot be written.
        """
        path = self._path(transcript)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = path.with_name(f".{path.stem}-{secrets.token_hex(4)}.part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                json.dump(asdict(cursor), stream)
            part.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
        if secrets.randbelow(_TIDY_EVERY) == 0:
            self.tidy()

    def tidy(self) -> None:
        """Remove the oldest of too many, and what killed writers left."""
        found: list[tuple[float, str]] = []
        with contextlib.suppress(OSError), os.scandir(self.folder) as children:
            for child in children:
                with contextlib.suppress(OSError):
                    found.append((child.stat(follow_symlinks=False).st_mtime, child.name))
        found.sort(reverse=True)
        for number, (_, name) in enumerate(found):
            if number >= MAX_CURSORS or (name.endswith(".part") and number > _TIDY_EVERY):
                with contextlib.suppress(OSError):
                    (self.folder / name).unlink()

    def _path(self, transcript: Path) -> Path:
        name = f"{self._memory_dir}\0{os.path.realpath(transcript)}".encode("utf-8", "surrogateescape")
        return self.folder / f"{hashlib.sha256(name).hexdigest()[:40]}.json"
