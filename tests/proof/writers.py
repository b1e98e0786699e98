"""Sixteen writers of 250 saves each beside rude ones, with the lock and without it (reliability §6)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.crash import test_writers


def proof(place: Path, long: bool) -> Iterator[str]:
    """The suite's own test, larger; ten times over if long."""
    test_writers.SAVERS, test_writers.SAVES, test_writers.RUDE_WRITES = 16, 250, 1_500
    for number in range(10 if long else 1):
        for lock in (True, False):
            here = place / f"{number}-{lock}"
            here.mkdir()
            yield from (f"lock {lock}: {line}" for line in test_writers.race(here, lock=lock))
            print(f"16 × 250 saves beside in-place, renaming and index writers, lock {lock}", flush=True)
