"""Three machines, one remote, edits, crashes and times without a network: all end alike, and no word is lost.

Hundreds of seeds: ``python -m tests.team.world 300``, and with ``--kill`` each crash is a real ``SIGKILL``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.team.world import run

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_machines_end_alike_and_no_text_is_lost(tmp_path: Path, seed: int) -> None:
    run(tmp_path, seed, steps=24)


def test_a_process_that_is_really_killed_loses_nothing(tmp_path: Path) -> None:
    world = run(tmp_path, 11, steps=24, kill=True)
    assert world.seen["killed"]
