"""Which small wrongs the tests of an area do not see: mutation testing by the syntax tree (reliability §6).

One file at a time is changed in one place, in a copy of the project, and the tests that run the changed line are run,
the quickest first, until one fails. Which tests those are is measured once. The well-kept tools either change files in
place and run everything for each, or need their own runner.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.proof.areas import AREAS, REPOSITORY, Area
from tests.proof.covered import Lines, Measure
from tests.proof.equivalent import EQUIVALENT

MOST_SECONDS = 60
"""Processor time of a mutant's tests, above what they took before, after which it counts as found: it hangs (ours)."""
EVERY = 1_000_000
GOAL = 0.85
"""Share that must be found of those that are no equivalents (the goal of part 6)."""

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_BINARY: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Place:
    """Where one wrong can be made.

    Attributes:
        file: which.
        node: number of the node in a walk of its tree.
        way: which of the wrongs that can be made of it.
    """

    file: str
    node: int
    way: int


@dataclass(frozen=True)
class Mutant:
    """One wrong.

    Attributes:
        file: which.
        lines: first and last line of what is changed.
        what: what is changed and the line that it stands on, as `EQUIVALENT` names it.
        source: the whole file with it.
    """

    file: str
    lines: tuple[int, int]
    what: str
    source: str


def places(file: str, source: str) -> Iterator[Place]:
    """Every one of a file: comparisons, operators, constants, conditions turned round, statements left out."""
    tree = ast.parse(source)
    types = {id(below) for node in ast.walk(tree) for kind in _types(node) for below in ast.walk(kind)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in types:
            for way in range(_ways(node)):
                yield Place(file, number, way)


def mutant(place: Place, source: str) -> Mutant:
    """The wrong made there."""
    changed = ast.parse(source)
    nodes = list(ast.walk(changed))
    twin = nodes[place.node]
    inside = [
        node.name
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node is not twin and _within(twin, node)
    ]
    spot = _spot(twin, place.way)
    lines = (spot.lineno, spot.end_lineno or spot.lineno)
    on = source.splitlines()[spot.lineno - 1].strip()
    what = f"{'.'.join([*inside, _change(twin, place.way)])} | {on}"
    return Mutant(place.file, lines, what, ast.unparse(ast.fix_missing_locations(changed)))


def _within(node: ast.AST, outer: ast.FunctionDef | ast.ClassDef) -> bool:
    first = getattr(node, "lineno", 0)
    return outer.lineno <= first <= (outer.end_lineno or 0)


def _types(node: ast.AST) -> list[ast.expr]:
    """What a node says of types, which nothing does at run time."""
    found = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _names_types(node.value):
        found.append(node.value)
    return [each for each in found if isinstance(each, ast.expr)]


def _names_types(value: ast.BinOp) -> bool:
    """Whether it is another name for a union of types."""
    last = value.right
    return isinstance(value.op, ast.BitOr) and (
        (isinstance(last, ast.Constant) and last.value is None)
        or (isinstance(last, ast.Name) and last.id[0].isupper() and not last.id.isupper())
    )


def _ways(node: ast.AST) -> int:
    if isinstance(node, ast.Compare):
        return int(type(node.ops[0]) in _COMPARE)
    if isinstance(node, ast.BinOp):
        return int(type(node.op) in _BINARY)
    if isinstance(node, ast.FunctionDef):
        return sum(map(_can_go, node.body))
    return int(
        isinstance(node, (ast.BoolOp, ast.If, ast.IfExp, ast.While))
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        or (isinstance(node, ast.Constant) and isinstance(node.value, bool | int))
        or (isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value))
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _can_go(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _spot(node: ast.AST, way: int) -> ast.expr | ast.stmt:
    """The part of a node that is changed."""
    match node:
        case ast.FunctionDef():
            return [statement for statement in node.body if _can_go(statement)][way]
        case ast.If() | ast.While():
            return node.test
    assert isinstance(node, ast.expr | ast.stmt)
    return node


def _change(node: ast.AST, way: int) -> str:
    was = ast.unparse(node).splitlines()[0][:70]
    match node:
        case ast.Compare():
            node.ops[0] = _COMPARE[type(node.ops[0])]()
        case ast.BinOp():
            node.op = _BINARY[type(node.op)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp():
            node.op = ast.UAdd()
            node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
        case ast.If() | ast.IfExp() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int(number)):
            node.value = number + 1
        case ast.Return():
            node.value = ast.Constant(None)
        case ast.FunctionDef():
            place = [n for n, statement in enumerate(node.body) if _can_go(statement)][way]
            was = f"{node.name}: {ast.unparse(node.body[place])[:70]}"
            node.body[place] = ast.Pass()
    return f"{type(node).__name__}: {was}"


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
        self._seconds = measure.seconds()
        self._server = subprocess.Popen(
            [sys.executable, "-c", _SERVER],
            cwd=self._copied,
            env={
                **os.environ,
                "PYTHONPATH": str(self._copied),
                "PYTHONDONTWRITEBYTECODE": "1",
                "MEMTUI_TIMES": str(place / "sound"),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

        # A test that fails without a wrong would find any.
        self._ask(["-p", "tests.proof.traced", *sorted(self._seconds)], 3600)
        self._seconds = {
            name: seconds
            for name, seconds in json.loads((place / "sound").read_text()).items()
            if name in self._seconds
        }

    def close(self) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that run what is changed, the quickest first; of what is run on import, all that use the file."""
        ran = self._lines.get(mutant.file, {})
        first, last = mutant.lines
        here = set().union(*(ran.get(line, ()) for line in range(first, last + 1)))
        if not here or "" in here:
            here |= set().union(*ran.values())
        return sorted(here & self._seconds.keys(), key=lambda name: (self._seconds[name], name))

    def sees(self, mutant: Mutant) -> bool:
        """Whether a test fails with it."""
        tests = self.tests(mutant)
        if not tests:
            return False
        path = self._copied / mutant.file
        was = path.read_text()
        path.write_text(mutant.source)
        try:
            return not self._pass(tests)
        finally:
            path.write_text(was)

    def _pass(self, tests: Sequence[str]) -> bool:
        seconds = int(MOST_SECONDS + 3 * sum(self._seconds[name] for name in tests))
        # The few quickest alone first: most wrongs are seen by any test, and collecting hundreds takes its time.
        return all(self._ask(["-x", *some], seconds) == 0 for some in (tests[:12], tests[12:]) if some)

    def _ask(self, words: list[str], seconds: int) -> int:
        """Run pytest with these words in a process of its own, for so much processor time at most; its exit code."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps({"words": words, "seconds": seconds}) + "\n")
        self._server.stdin.flush()
        code: int = json.loads(self._server.stdout.readline())
        return code


_SERVER = textwrap.dedent('''
    """Runs tests in a child of a process that has loaded all but the project itself."""
    import json, os, resource, sys
    import pytest, _pytest.assertion.rewrite, hypothesis, hypothesis.stateful, yaml, frontmatter, anthropic
    import filelock, snowballstemmer, textual.app, textual.widgets, click, watchfiles
    for line in sys.stdin:
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
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)
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
        for one in survivors(name, place / name, EVERY if long else 150, 1, score):
            yield f"{one.file}:{one.lines[0]}: nobody sees it changed: {one.what}"
        if score.share < GOAL:
            yield f"{name}: only {score.share:.1%} are found"
        if long:
            met = {(one.file, one.what) for one, _ in score.equivalent}
            yield from (
                f"{file}: no wrong is called {what!r} any more, so it needs no explanation"
                for file, what in EQUIVALENT
                if file in area.files and (file, what) not in met
            )
