"""Which small wrongs the tests of an area do not see: mutation testing by the syntax tree (reliability §6).

One file at a time is changed in one place, in a copy of the project; the tests of its area run until the first fails. The
well-kept tools either change files in place and run everything for each, or need their own runner; this is a hundred lines.
"""

from __future__ import annotations

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SECONDS = 300.0
"""Longest run of an area's tests before a mutant counts as found: it hangs (ours)."""


@dataclass(frozen=True)
class Area:
    """Files, and the tests that hold them."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


def _memory(*names: str) -> tuple[str, ...]:
    return tuple(f"memtui/memory/{name}.py" for name in names)


AREAS: dict[str, Area] = {
    "frontmatter": Area(
        _memory("frontmatter", "document", "header_edit", "yamlsafe", "headers"),
        (
            "tests/unit/test_frontmatter_read.py",
            "tests/unit/test_frontmatter_yaml.py",
            "tests/unit/test_frontmatter_checks.py",
            "tests/unit/test_frontmatter_edit.py",
            "tests/unit/test_findings_fields.py",
            "tests/unit/test_frontmatter_properties.py",
        ),
    ),
    "saving": Area(
        _memory("journal", "committing", "recovery", "writing", "steps", "keeping", "moving", "preflight"),
        (
            "tests/unit/test_moving.py",
            "tests/unit/test_journal.py",
            "tests/crash/test_power_loss.py",
            "tests/unit/test_manager.py",
            "tests/hostile/test_forged_journal.py",
            "tests/crash/test_faults.py",
        ),
    ),
    "guard": Area(
        _memory("secrets", "secret_context", "secret_rules", "secret_values", "secret_formats", "team_guard"),
        ("tests/unit/test_secrets.py", "tests/unit/test_team_guard.py"),
    ),
    "sanitiser": Area(
        ("memtui/memory/text.py", "memtui/tui/wall.py"), ("tests/unit/test_text.py", "tests/tui/test_wall.py")
    ),
}

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
class Mutant:
    """One wrong.

    Attributes:
        file: which.
        line: where.
        what: what is wrong about it.
        source: the whole file with it.
    """

    file: str
    line: int
    what: str
    source: str


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Every one of a file: comparisons, operators, constants, conditions turned round, statements left out."""
    tree = ast.parse(source)
    types = {id(below) for node in ast.walk(tree) for kind in _types(node) for below in ast.walk(kind)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in types:
            continue
        for which in range(_ways(node)):
            changed = copy.deepcopy(tree)
            twin = next(other for n, other in enumerate(ast.walk(changed)) if n == number)
            what = _change(twin, which)
            yield Mutant(
                file, getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(changed))
            )


def _types(node: ast.AST) -> list[ast.expr]:
    """What a node says of types, which nothing does at run time."""
    found = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [each for each in found if isinstance(each, ast.expr)]


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
        or (isinstance(node, ast.Return) and node.value is not None)
    )


def _can_go(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _change(node: ast.AST, which: int) -> str:
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
            place = [n for n, statement in enumerate(node.body) if _can_go(statement)][which]
            was = ast.unparse(node.body[place])[:70]
            node.body[place] = ast.Pass()
    return f"{type(node).__name__}: {was}"


def survivors(name: str, place: Path, count: int, seed: int = 1) -> Iterator[Mutant]:
    """Change so many places of an area, drawn at random, and give those that no test sees."""
    area = AREAS[name]
    copied = place / name
    shutil.copytree(REPOSITORY / "memtui", copied / "memtui", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(
        REPOSITORY / "tests", copied / "tests", ignore=shutil.ignore_patterns("__pycache__", "*.svg")
    )
    shutil.copy(REPOSITORY / "pyproject.toml", copied)
    every = [m for file in area.files for m in mutants(file, (copied / file).read_text())]
    chosen = random.Random(seed).sample(every, min(count, len(every)))
    found = 0
    for number, mutant in enumerate(chosen, 1):
        path = copied / mutant.file
        was = path.read_text()
        path.write_text(mutant.source)
        if _passes(copied, area):
            yield mutant
        else:
            found += 1
        path.write_text(was)
        print(f"{name}: {found} of {number} found ({len(every)} in all)", flush=True)


def _passes(copied: Path, area: Area) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *area.tests]
    environment = {**os.environ, "PYTHONPATH": str(copied), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copied, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def proof(place: Path, long: bool) -> Iterator[str]:
    """A sample of each area; what survives is told, to be looked at by a person: not every survivor is a gap."""
    for name in AREAS:
        for mutant in survivors(name, place, 10_000 if long else 60):
            yield f"{mutant.file}:{mutant.line}: nobody sees it changed: {mutant.what}"
