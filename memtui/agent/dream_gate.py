"""When a dream is due that nobody asked for, and what a directory remembers of its last one.

Hooks ask this in the client's time, so it loads nothing that a dream needs.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.files import Unreadable

if TYPE_CHECKING:
    from memtui.config import Config
    from memtui.memory.disk.files import Folder

DREAM_STATE = f"{OWN_FOLDER}/dream.json"
DREAM_HOURS = 24
"""Hours after which a directory is due for the next dream (ours: the second seed dreams by night)."""
DREAM_SESSIONS = 5
"""Sessions that must have come since the last dream (ours): fewer hardly leave anything to put in order."""

_MAX_STATE_BYTES = 4_096
_HOUR = 3_600.0


@dataclass(frozen=True, slots=True)
class Gate:
    """What has to have come since the last dream; all of it.

    Attributes:
        hours: so much time.
        sessions: so many sessions.
    """

    hours: float = DREAM_HOURS
    sessions: int = DREAM_SESSIONS

    @classmethod
    def of(cls, config: Config) -> Gate:
        """The gate that a person set, or the usual one."""
        hours, sessions = config.dream_hours, config.dream_sessions
        return cls(DREAM_HOURS if hours is None else hours, DREAM_SESSIONS if sessions is None else sessions)

    def waited(self, now: float, last: float | None) -> bool:
        """Whether enough time has passed.

        Args:
            now: Unix seconds.
            last: when the last dream ended, Unix seconds; None if there was none. One in the future counts as none, for
                a clock was wrong.
        """
        return last is None or last > now or now - last >= self.hours * _HOUR

    def is_open(self, now: float, last: float | None, sessions: int) -> bool:
        """Whether it is time for a dream that nobody asked for.

        Args:
            now: as for `waited`.
            last: as for `waited`.
            sessions: how many sessions came since.
        """
        return self.waited(now, last) and sessions >= self.sessions


@dataclass(frozen=True, slots=True)
class DreamState:
    """What a directory remembers of its dreams.

    Attributes:
        last: when the last one ended, Unix seconds; None if there was none, or nobody can tell.
        logs: up to when a model has read the daily logs, Unix seconds; None if none has. A dream without a model, or
            with one that failed, leaves it: the rules read no logs.
    """

    last: float | None = None
    logs: float | None = None

    def data(self) -> bytes:
        """As it is kept."""
        known = {"last": self.last, "logs": self.logs}
        return json.dumps({key: at for key, at in known.items() if at is not None}).encode("ascii") + b"\n"


def dream_state(folder: Folder) -> DreamState:
    """What a directory remembers; nothing where it cannot be read."""
    try:
        found = json.loads(folder.read(DREAM_STATE, _MAX_STATE_BYTES).data)
    except (FileNotFoundError, Unreadable, ValueError, RecursionError):
        return DreamState()
    if not isinstance(found, dict):
        return DreamState()
    return DreamState(_time(found.get("last")), _time(found.get("logs")))


def _time(value: object) -> float | None:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if usable and isinstance(value, int | float) else None
