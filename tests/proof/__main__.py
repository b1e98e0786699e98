"""``python -m tests.proof [NAME …] [--long]``: the proofs that take too long for the test suite.

Each prints what it looked at, and what it found wrong; the exit code is 1 if anything was. Without names all are run.
``--long`` looks at far more, in hours instead of minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tests.proof import (
    covered,
    fuzz,
    killing,
    machine,
    matrix,
    mutate,
    power_cases,
    recovering,
    soak,
    writers,
)

Proof = Callable[[Path, bool], Iterator[str]]
"""(folder to work in, whether to be long) -> what is wrong, as it is found."""


PROOFS: dict[str, Proof] = {
    "faults": matrix.proof,
    "power": power_cases.proof,
    "recovery": recovering.proof,
    "machine": machine.proof,
    "killing": killing.proof,
    "writers": writers.proof,
    "soak": soak.proof,
    "fuzz": fuzz.proof,
    "coverage": covered.proof,
    "mutants": mutate.proof,
}


def main(arguments: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PROOFS, []], metavar="NAME", help=", ".join(PROOFS))
    parser.add_argument("--long", action="store_true", help="look at far more")
    chosen = parser.parse_args(list(arguments))
    bad = 0
    for name in chosen.names or PROOFS:
        print(f"== {name}", flush=True)
        with tempfile.TemporaryDirectory() as place:
            for line in PROOFS[name](Path(place), chosen.long):
                bad += 1
                print(f"WRONG {line}", flush=True)
    print("nothing is wrong" if not bad else f"{bad} things are wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
