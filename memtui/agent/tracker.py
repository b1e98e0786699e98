"""When memories are extracted: the settings, what is known of each session, and the rules to skip it (spec §14, seed).

What is known of a session must outlive the process, since every hook of a client is a process of its own. It is one small
file a session in the user's state folder, written whole or not at all.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memtui.memory.text import one_line, visible
from memtui.memory.types import Clock
from memtui.memory.wording.saying import Say

EXTRACTION_FOLDER = "extraction"
"""Name of the folder below the user's state folder."""
MAX_SESSIONS = 500
"""So many sessions are known; the oldest give way (ours)."""
MAX_DAYS = 30
"""Days after which a session is forgotten: its transcript is gone by then (the client's default, documented)."""
MOST_TURNS = 1_000
"""Largest throttle (ours)."""
MOST_STEPS = 20
"""Most rounds of the sub-agent that can be set (ours): each is a request that costs."""

SkipReason = Literal["disabled", "throttled", "main agent saved"]
"""Why a session is not read now, by the first rule that holds."""

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_MAX_BYTES = 4_096
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class ExtractionConfig:
    """The settings.

    Attributes:
        enabled: whether sessions are read at all without being asked; off unless set, for it may cost money.
        throttle_turns: turns of the person between two extractions.
        max_steps: rounds of the sub-agent.
        review: whether what is found waits for a person; otherwise it is saved at once, as in the seed.
        problems: variables that cannot be read, as sentences; their defaults hold.
    """

    enabled: bool = False
    throttle_turns: int = 3
    max_steps: int = 3
    review: bool = True
    problems: tuple[Say, ...] = ()

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> ExtractionConfig:
        """Read ``EXTRACT_MEMORY_ENABLED``, ``_THROTTLE_TURNS``, ``_MAX_STEPS`` and ``_REVIEW``; never raises.

        Args:
            environ: environment variables. Case and spaces around do not matter; an empty value is none.
        """
        problems: list[Say] = []

        def given(name: str) -> str:
            return environ.get(name, "").strip().lower()

        def problem(name: str, used: str) -> None:
            value = one_line(visible(environ[name]))[:_SHOWN]
            problems.append(
                Say("{name} cannot be {value!r}; {used} holds", name=name, value=value, used=used)
            )

        def switch(name: str, default: bool) -> bool:
            text = given(name)
            if not text or text in _TRUE or text in _FALSE:
                return text in _TRUE or (not text and default)
            problem(name, str(default).lower())
            return default

        def count(name: str, default: int, least: int, most: int) -> int:
            text = given(name)
            if not text:
                return default
            if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
                return int(text)
            problem(name, str(default))
            return default

        return cls(
            enabled=switch("EXTRACT_MEMORY_ENABLED", default=False),
            throttle_turns=count("EXTRACT_MEMORY_THROTTLE_TURNS", 3, 0, MOST_TURNS),
            max_steps=count("EXTRACT_MEMORY_MAX_STEPS", 3, 1, MOST_STEPS),
            review=switch("EXTRACT_MEMORY_REVIEW", default=True),
            problems=tuple(problems),
        )


DEFAULT_CONFIG = ExtractionConfig()


@dataclass(frozen=True, slots=True)
class SessionState:
    """What is known of a session.

    Attributes:
        turns: turns of the person since the last extraction.
        main_agent_wrote: whether the session's own agent has saved a memory since then.
    """

    turns: int = 0
    main_agent_wrote: bool = False


class ExtractionTracker:
    """Turns and the main agent's own saves, per session, across processes. Making one creates nothing."""

    def __init__(self, state_dir: Path, session_id: str, clock: Clock) -> None:
        """Name the record of a session.

        Args:
            state_dir: the user's state folder for memtui.
            session_id: the session; any text.
            clock: gives the time.
        """
        self._folder = state_dir / EXTRACTION_FOLDER / "sessions"
        name = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._path = self._folder / f"{name}.json"
        self._clock = clock

    @property
    def state(self) -> SessionState:
        """What is known; nothing where there is no readable record."""
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as stream:
                found = json.loads(stream.read(_MAX_BYTES))
            turns, wrote = found["turns"], found["main_agent_wrote"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return SessionState()
        if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
            return SessionState()
        return SessionState(turns, wrote is True)

    def see_turns(self, turns: int) -> SessionState:
        """So many turns stand in the transcript since the last extraction: the same however often they are counted.

        Raises:
            OSError: the folder cannot be written.
        """
        with self._held():
            return self._write(replace(self.state, turns=turns))

    def mark_main_agent_wrote(self) -> None:
        """The session's own agent has saved a memory, so there is no need to read after it.

        Raises:
            OSError: the folder cannot be written.
        """
        with self._held():
            self._write(replace(self.state, main_agent_wrote=True))

    def reset(self) -> None:
        """Begin anew: an extraction was made, or the main agent's own save took its place.

        Raises:
            OSError: the folder cannot be written.
        """
        with self._held():
            self._write(SessionState())

    def skip(self, config: ExtractionConfig) -> SkipReason | None:
        """Whether the rules say to skip, and which; None to go on. Changes nothing.

        After ``main agent saved`` the caller resets, as the seed does.
        """
        return skip_reason(config, self.state)

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        """Between reading and writing nobody else writes; a lock of the system, which goes with its process."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open_lock(self._folder / ".lock") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def _write(self, state: SessionState) -> SessionState:
        part = self._path.with_suffix(".part")
        part.unlink(missing_ok=True)  # of a writer that was killed: the lock is ours
        value = {"turns": state.turns, "main_agent_wrote": state.main_agent_wrote}
        write_new(part, json.dumps(value).encode("ascii"))
        fresh = not self._path.exists()
        part.rename(self._path)
        if fresh:
            tidy(self._folder, self._clock(), MAX_SESSIONS, MAX_DAYS, keep=self._path.name)
        return state


def skip_reason(config: ExtractionConfig, state: SessionState) -> SkipReason | None:
    """The seed's rules in its order: switched off, too few turns, the main agent saved; None to extract."""
    if not config.enabled:
        return "disabled"
    if state.turns < config.throttle_turns:
        return "throttled"
    return "main agent saved" if state.main_agent_wrote else None


@contextlib.contextmanager
def open_lock(path: Path) -> Iterator[int]:
    """A file to hold with ``flock``, open; closing it lets go.

    Raises:
        OSError: it cannot be opened, or is a link.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there.

    Raises:
        OSError: it is, or cannot be written.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)


def tidy(folder: Path, now: float, most: int, days: float, *, keep: str) -> None:
    """Remove the records that are too old or too many; whatever cannot be removed stays.

    Args:
        folder: where they lie.
        now: Unix seconds.
        most: so many stay, the last written ones.
        days: older ones go; ``math.inf`` for none.
        keep: name of one that stays in any case.
    """
    found: list[tuple[float, str]] = []
    with contextlib.suppress(OSError), os.scandir(folder) as children:
        for child in children:
            if child.name.endswith(".json") and child.name != keep:
                with contextlib.suppress(OSError):
                    found.append((child.stat(follow_symlinks=False).st_mtime, child.name))
    oldest = -math.inf if math.isinf(days) else now - days * 86_400
    for number, (mtime, name) in enumerate(sorted(found, reverse=True), start=2):
        if number > most or mtime < oldest:
            with contextlib.suppress(OSError):
                (folder / name).unlink()
