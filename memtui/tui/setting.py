"""What the screens are told about the world, in one value."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.memory.types import Clock, Lang
from memtui.preferences import USUAL, Preferences
from memtui.tui.machine import Machine
from memtui.tui.voice import PLAIN, Voice

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel


def forget_again(_: Preferences) -> None:
    """Keep no preferences from one run to the next."""


def never() -> bool:
    """It is switched off."""
    return False


def at_once() -> None:
    """Nobody is waited for."""


def no_model() -> None:
    """There is none."""


class Setting(NamedTuple):
    """What a screen is told about the world.

    Attributes:
        directory: the memory directory.
        title: what to call it.
        clock: gives the time, Unix seconds.
        lang: language of what goes into a prompt.
        read_only: whether changes are switched off.
        entries: most memories that the reminder takes.
        home: the home folder, for short paths.
        editor: the person's own editor, as a command to which a file is added; empty if none is set.
        preferences: what the list looks like at first.
        team: whether new memories may be the team's.
        off: why the client loads nothing of the directory; empty if it does, or if that is not known.
        remember: called with what it shall look like the next time.
        voice: gives the person's language and keys.
        machine: where the other stores are looked for; None where they are not.
        model: gives the model that may be asked; None where none is set up.
        logging: says whether the daily log is switched on.
        zone: the zone whose days count; None for the system's own.
        breathe: lets keys go first; called between the steps of a thread's work.
    """

    directory: Path
    title: str
    clock: Clock
    lang: Lang = "en"
    read_only: bool = False
    entries: int = 5
    home: Path | None = None
    editor: tuple[str, ...] = ()
    preferences: Preferences = USUAL
    team: bool = False
    off: str = ""
    remember: Callable[[Preferences], None] = forget_again
    voice: Callable[[], Voice] = lambda: PLAIN
    machine: Machine | None = None
    model: Callable[[], AnthropicModel | None] = no_model
    logging: Callable[[], bool] = never
    zone: tzinfo | None = None
    breathe: Callable[[], None] = at_once
