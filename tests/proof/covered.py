"""Which lines and branches the tests run: measured by coverage, also in processes that tests start.

``python -m tests.proof.covered AREA …`` for some areas, by their own tests.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage

from tests.proof.areas import AREAS, REPOSITORY

GOAL = 90.0
"""Branch coverage of the whole, percent (the goal of part 6); that of the four areas is all of it."""
WORKERS = 4
"""Tests at a time (ours): those of the screen wait for half of their time, and two cores are enough for four."""

Lines = dict[str, dict[int, set[str]]]
"""By file and line, which tests run it; "" stands for what is run when the file is imported, or by no test."""


@dataclass(frozen=True)
class Covered:
    """What was run of a file.

    Attributes:
        parts: lines and branches that it has.
        ran: those that were run.
        branches: branches that it has.
        taken: those that were taken.
        missing: lines and branches that were not, for a person.
    """

    parts: int
    ran: int
    branches: int
    taken: int
    missing: str = ""

    def __add__(self, other: Covered) -> Covered:
        return Covered(
            self.parts + other.parts,
            self.ran + other.ran,
            self.branches + other.branches,
            self.taken + other.taken,
        )

    @property
    def percent(self) -> float:
        return 100.0 * self.ran / self.parts if self.parts else 100.0


class Measure:
    """Runs tests of a copy of the project, and says what they ran.

    Args:
        repository: folder with ``memtui`` and ``tests``.
        place: folder to keep the records in; made if it is not there.
    """

    def __init__(self, repository: Path, place: Path) -> None:
        self._repository = repository
        self._place = place
        self._settings = place / "settings"
        place.mkdir(parents=True, exist_ok=True)
        self._settings.write_text(
            "[run]\nbranch = true\nparallel = true\npatch = subprocess, _exit\n"
            f"source = {repository / 'memtui'}\ndata_file = {place / 'data'}\n"
        )

    def run(self, *tests: str, contexts: bool, workers: int = 0) -> int:
        """Run tests; pytest's exit code. With ``contexts``, which line is run by which is kept too."""
        command = [sys.executable, "-m", "coverage", "run", f"--rcfile={self._settings}", "-m", "pytest"]
        command += ["-q", "-n", str(workers), "-p", "no:cacheprovider", "--timeout=900", *tests]
        command += ["-p", "tests.proof.measuring"]
        if contexts:
            command += ["-p", "tests.proof.traced"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._repository),
            "MEMTUI_TIMES": str(self._place / "times"),
        }
        return subprocess.run(command, cwd=self._repository, env=environment, check=False).returncode

    def seconds(self) -> dict[str, float]:
        """Processor time of each test that passed."""
        found: dict[str, float] = json.loads((self._place / "times").read_text())
        return found

    def lines(self) -> Lines:
        """Which tests run which line."""
        data = self._combined().get_data()
        return {
            str(Path(file).relative_to(self._repository)): {
                line: set(names) for line, names in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }

    def files(self) -> dict[str, Covered]:
        """What was run of each file; one that nothing loads counts as not run at all."""
        report = self._place / "report.json"
        measured = self._combined()
        measured.json_report(outfile=str(report))
        told = json.loads(report.read_text())["files"]
        here = self._repository
        return {
            str(Path(here, name).relative_to(here)): _covered(values) for name, values in sorted(told.items())
        }

    def _combined(self) -> coverage.Coverage:
        measured = coverage.Coverage(config_file=str(self._settings), data_file=str(self._place / "whole"))
        parts = [str(path) for path in self._place.glob("data.*")]
        if parts:
            measured.load()  # what was run before stays
            measured.combine(parts)
            measured.save()
        measured.load()
        return measured

    def end(self) -> None:
        """Throw the records away."""
        shutil.rmtree(self._place)


def _covered(values: dict[str, Any]) -> Covered:
    told = values["summary"]
    branches, taken = told["num_branches"], told["covered_branches"]
    missing = [str(line) for line in values["missing_lines"]]
    missing += [f"{before}->{after}" for before, after in values["missing_branches"]]
    return Covered(
        told["num_statements"] + branches,
        told["covered_lines"] + taken,
        branches,
        taken,
        ", ".join(missing),
    )


def _sum(files: Iterable[Covered]) -> Covered:
    return sum(files, Covered(0, 0, 0, 0))


def _figures(name: str, covered: Covered) -> str:
    return (
        f"{name}: {covered.percent:.2f} % of lines and branches, "
        f"{covered.taken:,} of {covered.branches:,} branches"
    )


def _areas(names: Iterable[str], files: dict[str, Covered]) -> Iterator[str]:
    """Print what was run of areas; what was not."""
    for name in names:
        print(_figures(name, _sum(files[file] for file in AREAS[name].files)), flush=True)
        for file in AREAS[name].files:
            if files[file].missing:
                yield f"{name}: {file}: not run: {files[file].missing}"


def _measured(place: Path, *tests: str) -> dict[str, Covered]:
    measure = Measure(REPOSITORY, place / "measured")
    code = measure.run(*tests, contexts=False, workers=WORKERS)
    if code:
        print(
            f"tests failed while they were measured (exit code {code}); the figures tell what ran", flush=True
        )
    return measure.files()


def proof(place: Path, long: bool) -> Iterator[str]:
    """The whole suite, some tests at a time; under the measurement it takes about twice as long as without."""
    del long
    files = _measured(place, "tests")
    everything = _sum(files.values())
    print(_figures("everything", everything), flush=True)
    if everything.percent < GOAL:
        yield f"{everything.percent:.2f} % of everything is run, less than {GOAL:.0f}"
    yield from _areas(AREAS, files)


def main(arguments: Iterable[str]) -> int:
    """Some areas by their own tests; the exit code is 1 if something of them is not run."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof.covered", description=__doc__)
    parser.add_argument("areas", nargs="+", choices=AREAS, metavar="AREA", help=", ".join(AREAS))
    names: list[str] = parser.parse_args(list(arguments)).areas
    bad = 0
    with tempfile.TemporaryDirectory() as place:
        tests = dict.fromkeys(test for name in names for test in AREAS[name].tests)
        for line in _areas(names, _measured(Path(place), *tests)):
            bad += 1
            print(f"WRONG {line}", flush=True)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
