"""Whether a memory directory is synced with a team's remote, told cheaply: most people have no team, and wait for the app."""

from __future__ import annotations

from pathlib import Path

TEAM_STATES = "team"
"""Folder of the user's state folder in which the states of all shared directories lie."""


def is_joined(state_dir: Path, memory_dir: Path) -> bool:
    """Whether `memtui team init` was run for a directory; not if its state cannot be read.

    Args:
        state_dir: the user's state folder for memtui.
        memory_dir: the memory directory.
    """
    if not (state_dir / TEAM_STATES).is_dir():
        return False
    from memtui.team.failures import TeamError  # noqa: PLC0415  -- as the module says
    from memtui.team.state import StateFolder  # noqa: PLC0415

    try:
        return StateFolder(state_dir, memory_dir).load().url != ""
    except TeamError:
        return False
