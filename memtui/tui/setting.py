"""What the screens are told about the world, in one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.memory.types import Clock, Lang


@dataclass(frozen=True, slots=True)
class Setting:
    """What a screen is told about the world.

    Attributes:
        directory: the memory directory.
        title: what to call it.
        clock: gives the time, Unix seconds.
        lang: language of what goes into a prompt.
        read_only: whether changes are switched off.
        entries: most memories that the reminder takes.
        home: the home folder, for short paths.
    """

    directory: Path
    title: str
    clock: Clock
    lang: Lang = "en"
    read_only: bool = False
    entries: int = 5
    home: Path | None = None
