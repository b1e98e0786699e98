"""Reliability §3: no bytes at all break what reads them; ``python -m tests.proof fuzz`` tries far more."""

from tests.proof.fuzz import SEEDS, fuzz_one, run


def test_reliability_6_mutations_of_well_formed_files_are_read_without_a_crash() -> None:
    for seed in SEEDS:
        fuzz_one(seed)
    assert list(run(1_500, seed=20261201)) == []
