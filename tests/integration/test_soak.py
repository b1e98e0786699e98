"""Reliability §2: two thousand changes under a watch; ``python -m tests.proof soak --long`` makes a hundred thousand."""

from pathlib import Path

from tests.proof.soak import soak


def test_reliability_2_a_storm_with_odd_names_and_lost_roots_ends_equal_to_a_fresh_look(
    tmp_path: Path,
) -> None:
    soak(tmp_path / "memory", 2_000, seed=3, patience=60)
