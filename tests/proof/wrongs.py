"""Small wrongs made in a program by its syntax tree: which there are, and a tree with one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

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
        place: where.
        lines: first and last line of what is changed.
        what: what is changed and the line that it stands on, as `EQUIVALENT` names it.
        tree: the whole file with it, each part with the lines that it had.
    """

    place: Place
    lines: tuple[int, int]
    what: str
    tree: ast.Module

    @property
    def file(self) -> str:
        """Which file it is in."""
        return self.place.file

    @property
    def source(self) -> str:
        """The whole file with it, in other lines."""
        return ast.unparse(self.tree)


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
    return Mutant(place, lines, what, ast.fix_missing_locations(changed))


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
