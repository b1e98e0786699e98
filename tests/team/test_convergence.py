"""Three machines, one remote, edits, crashes and times without a network: all end alike, and no word is lost.

Hundreds of seeds: ``python -m tests.team.world 300``, and with ``--kill`` each crash is a real ``SIGKILL``.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.team.making import memory, share, take
from tests.team.world import Machine, killed, run

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_machines_end_alike_and_no_text_is_lost(tmp_path: Path, seed: int) -> None:
    run(tmp_path, seed, steps=24)


def test_a_process_that_is_really_killed_loses_nothing(ada: Machine, bob: Machine) -> None:
    """At several calls of git, before and after their work: the next sync goes on from there."""
    ada.write("deploy.md", memory("deploy", "run make", "then wait"))
    share(ada, bob)
    wanted = set()
    for number, (left, after) in enumerate([(2, 0), (4, 1), (6, 0), (9, 1)]):
        wanted |= {
            memory(f"n{number}", f"of ada {number}").encode(),
            memory(f"b{number}", f"of bob {number}").encode(),
        }
        ada.write(f"n{number}.md", memory(f"n{number}", f"of ada {number}"))
        bob.write(f"b{number}.md", memory(f"b{number}", f"of bob {number}"))
        share(ada)
        assert killed(bob, left, after=bool(after)) == -signal.SIGKILL
    for one in (bob, ada, bob):
        one.manager().recover()
        take(one)
    assert ada.team() == bob.team()
    assert wanted <= set(bob.team().values())
