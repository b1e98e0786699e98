"""Makes what shares a directory's team memories, from what a person has set: for the command line and for the app."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memtui.config import Config
from memtui.memory.managing.manager import MemoryManager
from memtui.team.git import Git
from memtui.team.sync import TeamSync


def team_of(
    manager: MemoryManager,
    state_dir: Path,
    environ: Mapping[str, str],
    config: Config,
) -> TeamSync:
    """What shares the team memories of a directory; nothing is read or run.

    Args:
        manager: of the directory, with the person's list of secrets that are let through.
        state_dir: the person's state folder for memtui.
        environ: environment variables, of which git gets what it needs.
        config: what the person has set.
    """
    return TeamSync(manager, state_dir, Git(environ), review=config.team_review is not False)
