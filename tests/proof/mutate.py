"""Which small wrongs the tests of an area do not see: mutation testing by the syntax tree (reliability §6).

A copy of the project is made wrong in one place, and the tests that run the changed line are run, the quickest first,
until one fails. Which tests those are is measured once. The well-kept tools either change files in place and run
everything for each, or need their own runner.

``python -m tests.proof.mutate AREA [--count N] [--seed N]`` for one area, and another sample of it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.proof.areas import AREAS, REPOSITORY, Area
from tests.proof.covered import Lines, Measure
from tests.proof.equivalent import EQUIVALENT
from tests.proof.forked import BROKEN, CANNOT
from tests.proof.wrongs import Mutant, mutant, places

MOST_SECONDS = 60
"""Processor time of a mutant's tests, above what they took before, after which it counts as found: it hangs (ours)."""
EVERY = 1_000_000
SAMPLE = 150
"""So many wrongs of each area are made (ours): a few minutes each."""
GOAL = 0.85
"""Share that must be found of those that are no equivalents (the goal of part 6)."""


def sampled(area: Area, count: int, seed: int) -> tuple[list[Mutant], int]:
    """So many of an area's wrongs, drawn at random, and how many there are."""
    sources = {file: (REPOSITORY / file).read_text() for file in area.files}
    every = [place for file, source in sources.items() for place in places(file, source)]
    chosen = random.Random(seed).sample(every, min(count, len(every)))
    return [mutant(place, sources[place.file]) for place in chosen], len(every)


@dataclass
class Score:
    """What became of a sample.

    Attributes:
        found: how many a test saw.
        equivalent: those that no test can see, with the reason.
        survived: those that no test sees.
    """

    found: int = 0
    equivalent: list[tuple[Mutant, str]] = field(default_factory=list)
    survived: list[Mutant] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Share of those found that can be."""
        can_be = self.found + len(self.survived)
        return self.found / can_be if can_be else 1.0


def reason(mutant: Mutant) -> str | None:
    """Why no test can see it; None if one could."""
    if mutant.what.partition(" | ")[0].endswith("Return: return False"):
        return "None is as false to all that ask, and that it is no bool the types tell"
    return EQUIVALENT.get((mutant.file, mutant.what))


class Judge:
    """A copy of the project, in which wrongs are made one after another."""

    def __init__(self, area: Area, place: Path) -> None:
        self._copied = place / "copied"
        for part in ("memtui", "tests"):
            shutil.copytree(
                REPOSITORY / part, self._copied / part, ignore=shutil.ignore_patterns("__pycache__", "*.svg")
            )
        shutil.copy(REPOSITORY / "pyproject.toml", self._copied)
        measure = Measure(self._copied, place / "measured")
        measure.run(*area.tests, contexts=True)
        self._lines: Lines = measure.lines()
        names = measure.seconds().keys()
        self._loading = _Asked([sys.executable, "-c", _SERVER], self._copied, place / "unused")
        command = [
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-s",
            "-p",
            "no:cacheprovider",
            "-p",
            "tests.proof.traced",
        ]
        # Nobody reads why a test failed.
        command += ["-p", "tests.proof.forked", "--assert=plain", "--tb=no", *area.tests]
        self._collected = _Asked([sys.executable, *command], self._copied, place / "sound")

        # A test that fails without a wrong would find any.
        self._collected.ask({"tests": dict.fromkeys(sorted(names)), "place": None})
        self._seconds: dict[str, float] = json.loads((place / "sound").read_text())

    def close(self) -> None:
        self._loading.close()
        self._collected.close()

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that run what is changed, the quickest first; of what is run on import, all that use the file."""
        here = self._contexts(mutant)
        if not here or "" in here:
            here |= set().union(*self._lines.get(mutant.file, {}).values())
        if here <= {""}:  # a file of tables runs at no other time
            here |= self._seconds.keys()
        return sorted(here & self._seconds.keys(), key=lambda name: (self._seconds[name], name))

    def _contexts(self, mutant: Mutant) -> set[str]:
        ran = self._lines.get(mutant.file, {})
        first, last = mutant.lines
        return set().union(*(ran.get(line, ()) for line in range(first, last + 1)))

    def sees(self, mutant: Mutant) -> bool:
        """Whether a test fails with it."""
        tests = self.tests(mutant)
        if not tests:
            return False
        place = [mutant.place.file, mutant.place.node, mutant.place.way]
        seconds = {name: self._seconds[name] for name in tests}
        code = self._collected.ask({"tests": seconds, "place": place})
        if code == BROKEN:
            raise RuntimeError(f"this wrong cannot be made: {mutant.file}: {mutant.what}")
        if code != CANNOT and (code or "" not in self._contexts(mutant)):
            return code != 0
        # What it does when files are loaded and tests are collected may be seen, too.
        most = int(MOST_SECONDS + 3 * sum(self._seconds[name] for name in tests))
        path = self._copied / mutant.file
        was = path.read_text()
        path.write_text(mutant.source)
        try:
            # The few quickest alone first: most wrongs are seen by any test, and collecting hundreds takes its time.
            return any(
                self._loading.ask({"words": ["-x", *some], "seconds": most}) != 0
                for some in (tests[:12], tests[12:])
                if some
            )
        finally:
            path.write_text(was)


class _Asked:
    """A process that is asked to run tests in children of its own."""

    def __init__(self, command: list[str], place: Path, times: Path) -> None:
        told_here, told = os.pipe()
        asked, asked_here = os.pipe()
        self._process = subprocess.Popen(
            command,
            cwd=place,
            env={
                **os.environ,
                "PYTHONPATH": str(place),
                "PYTHONDONTWRITEBYTECODE": "1",
                "MEMTUI_TIMES": str(times),
                "MEMTUI_PIPES": f"{asked} {told}",
            },
            pass_fds=(asked, told),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(asked)
        os.close(told)
        self._questions = os.fdopen(asked_here, "w")
        self._answers = os.fdopen(told_here)

    def ask(self, question: Mapping[str, Any]) -> int:
        """Its answer: the exit code of the child, not 0 if a test failed."""
        self._questions.write(json.dumps(question) + "\n")
        self._questions.flush()
        return int(self._answers.readline())

    def close(self) -> None:
        self._questions.close()
        self._answers.close()
        self._process.wait()


_SERVER = textwrap.dedent('''
    """Runs tests in a child of a process that has loaded all but the project itself."""
    import json, os, resource
    import pytest, _pytest.assertion.rewrite, hypothesis, hypothesis.stateful, yaml, frontmatter, anthropic
    import filelock, snowballstemmer, textual.app, textual.widgets, click, watchfiles
    questions, answers = map(os.fdopen, map(int, os.environ["MEMTUI_PIPES"].split()), "rw")
    for line in questions:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"] + 5))
            null = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
            code = 99
            try:
                code = int(pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *asked["words"]]))
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)
''')


def survivors(name: str, place: Path, count: int, seed: int, score: Score) -> Iterator[Mutant]:
    """Change so many places of an area, one after another, and give each that no test sees; the score is filled in."""
    area = AREAS[name]
    chosen, total = sampled(area, count, seed)
    judge = Judge(area, place)
    try:
        for number, one in enumerate(chosen, 1):
            why = reason(one)
            if why is not None:
                score.equivalent.append((one, why))
                continue
            if judge.sees(one):
                score.found += 1
            else:
                score.survived.append(one)
                yield one
            if number % 25 == 0 or number == len(chosen):
                print(_figures(name, score, number, total, seed), flush=True)
    finally:
        judge.close()
    for one, why in score.equivalent:
        print(f"no test can see {one.file}:{one.lines[0]}: {one.what}: {why}", flush=True)


def _figures(name: str, score: Score, number: int, total: int, seed: int) -> str:
    return (
        f"{name}: {score.found} of {number} found, {len(score.equivalent)} explained, "
        f"{len(score.survived)} survive: {score.share:.1%} (seed {seed}, {total:,} in all)"
    )


def proof(place: Path, long: bool) -> Iterator[str]:
    """A sample of each area, or all of them; what survives and is not explained is told, to be looked at by a person."""
    for name, area in AREAS.items():
        score = Score()
        yield from _told(name, place / name, EVERY if long else SAMPLE, 1, score)
        if long:
            met = {(one.file, one.what) for one, _ in score.equivalent}
            yield from (
                f"{file}: no wrong is called {what!r} any more, so it needs no explanation"
                for file, what in EQUIVALENT
                if file in area.files and (file, what) not in met
            )


def _told(name: str, place: Path, count: int, seed: int, score: Score) -> Iterator[str]:
    for one in survivors(name, place, count, seed, score):
        yield f"{one.file}:{one.lines[0]}: nobody sees it changed: {one.what}"
    if score.share < GOAL:
        yield f"{name}: only {score.share:.1%} are found"


def main(arguments: Iterable[str]) -> int:
    """One area; the exit code is 1 if less than the goal is found."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof.mutate", description=__doc__)
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--count", type=int, default=SAMPLE, help="so many wrongs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (%(default)s)")
    chosen = parser.parse_args(list(arguments))
    score = Score()
    with tempfile.TemporaryDirectory() as place:
        for line in _told(chosen.area, Path(place) / "judge", chosen.count, chosen.seed, score):
            print(f"WRONG {line}", flush=True)
    return int(score.share < GOAL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
