"""What the app is opened with: said by the command line, carried by the process, read by the app; neither knows the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from memtui.config import NOTHING_SET, Config
from memtui.memory.conventions import Convention
from memtui.memory.types import Clock, Lang


def known_loaded(_directory: Path, _project: Path | None) -> str:
    """For whoever knows nothing of a client that might not load a directory."""
    return ""


class Launch(NamedTuple):
    """The directory to begin with, and what holds for it and for the stores opened after it.

    Attributes:
        memory_dir: the directory; it need not exist.
        environ: asked for ``HOME``, for the person's editor and for where the stores are; ``NO_COLOR`` and what the
            terminal can do are Textual's to read.
        convention: the habits the directory follows; detected when None. Another store's comes of its settings.
        lang: language of the app, and of what goes into a prompt.
        clock: gives the time, Unix seconds.
        ascii_mode: draw with ASCII only.
        read_only: switch changes off, in every store.
        project_root: the project that the memories talk about.
        config: what the person has set for the directory.
        off: why the client loads nothing of the directory, for a person; empty if it does, or if nobody knows.
        off_of: the same of another store that is opened later, by its directory and its project.
        greeting: what to say first; empty for nothing.
        choices: the folder where what a person chooses in the app is kept for the next run; None to keep nothing.
        state: a state folder that goes with the directory, as the demo's; None for the person's own, or for none where
            nothing is kept. Nothing is shared with a team out of it.
    """

    memory_dir: Path
    environ: Mapping[str, str]
    convention: Convention | None = None
    lang: Lang = "en"
    clock: Clock = time.time
    ascii_mode: bool = False
    read_only: bool = False
    project_root: Path | None = None
    config: Config = NOTHING_SET
    off: str = ""
    off_of: Callable[[Path, Path | None], str] = known_loaded
    greeting: str = ""
    choices: Path | None = None
    state: Path | None = None
