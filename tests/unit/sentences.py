"""Finds, in the source of memtui, every sentence of an error and every template of a `Say`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import memtui

ROOT = Path(memtui.__file__).parent
SAYING = "memtui.memory.wording.saying"

OTHER_PLACES = {"WrongValueError": 0, "WatchState": 1, "refused": 1}
"""Calls beside those that make an error, and which of their arguments is a sentence."""
SPOKEN = {"words", "say", "self._words"}
"""Catalogues in the person's language: what is taken from them needs no translation."""


@dataclass
class Found:
    """What was found.

    Attributes:
        templates: sentences that need a row in the catalogue, with the first place each was found in.
        odd: arguments that are no sentence anybody could look up, with their place.
    """

    templates: dict[str, str] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)


def trees() -> Mapping[str, ast.Module]:
    """Every module of memtui by its path, but the one that makes the sentences."""
    found = {path.relative_to(ROOT.parent).as_posix(): path for path in sorted(ROOT.rglob("*.py"))}
    del found["memtui/memory/wording/saying.py"]
    return {rel: ast.parse(path.read_text(encoding="utf-8")) for rel, path in found.items()}


def kinds(modules: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Every kind of `MemtuiError`, with the names of its positional parameters."""
    found = {"MemtuiError": ["what"]}
    classes = [node for tree in modules.values() for node in tree.body if isinstance(node, ast.ClassDef)]
    for _ in range(4):  # as deep as kinds of kinds go
        for node in classes:
            base = next((name for name in map(_name, node.bases) if name in found), None)
            if base is not None and node.name not in found:
                made = [
                    each
                    for each in node.body
                    if isinstance(each, ast.FunctionDef) and each.name == "__init__"
                ]
                found[node.name] = [each.arg for each in made[0].args.args[1:]] if made else found[base]
    return found


@cache
def of_memtui() -> tuple[Found, Mapping[str, list[str]]]:
    """What memtui says, and its kinds of errors.

    The trees are not kept: they are a million objects that each later collection of garbage would go through.
    """
    modules = trees()
    known = kinds(modules)
    return find(modules, known), known


def find(modules: Mapping[str, ast.Module], known: Mapping[str, list[str]]) -> Found:
    """Go through modules.

    Args:
        modules: by path.
        known: the kinds of errors there are.
    """
    found = Found()
    for path, tree in modules.items():
        _Reader(path, tree, known, found).read(tree, tree, "")
    return found


def _name(node: ast.expr) -> str:
    """The last part of a name; empty for what is none."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


class _Reader:
    def __init__(self, path: str, tree: ast.Module, known: Mapping[str, list[str]], found: Found) -> None:
        self.path, self.known, self.found = path, known, found
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.makers = {"sentence_of"} | {
            each.name
            for each in functions
            if each.returns and ast.unparse(each.returns) in {"Say", "tuple[Say, Say]"}
        }
        self.sayings = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == SAYING
            for alias in node.names
        }

    def read(self, node: ast.AST, scope: ast.AST, owner: str) -> None:
        if isinstance(node, ast.FunctionDef):
            scope = node
        elif isinstance(node, ast.ClassDef):
            owner = node.name
        elif isinstance(node, ast.Call):
            for argument in self._sentences(node, owner):
                self._sentence(argument, scope)
        for child in ast.iter_child_nodes(node):
            self.read(child, scope, owner)

    def _sentences(self, call: ast.Call, owner: str) -> Iterator[ast.expr]:
        name = _name(call.func)
        if name in self.sayings and isinstance(call.func, ast.Name):
            if name == "Say" or (name == "plain" and isinstance(call.args[0], ast.Constant)):
                yield call.args[0]
            elif name == "joined":
                yield call.args[1]
        elif name in self.known:
            yield from _given(call, self.known[name])
        elif (
            name == "__init__" and owner in self.known
        ):  # what a kind hands on to the one that it is a kind of
            yield from _given(call, self.known["MemtuiError"])
        elif name in OTHER_PLACES:
            yield from call.args[OTHER_PLACES[name] :][:1]

    def _sentence(self, node: ast.expr, scope: ast.AST) -> None:
        match node:
            case ast.Constant(value=str(text)):
                if text:
                    self.found.templates.setdefault(text, f"{self.path}:{node.lineno}")
            case ast.IfExp(body=one, orelse=other):
                self._sentence(one, scope)
                self._sentence(other, scope)
            case ast.BoolOp(values=values):
                for value in values:
                    self._sentence(value, scope)
            case ast.Call() if self._is_said(node):
                pass
            case ast.Name(id=name) if self._assigned(name, scope):
                pass
            case ast.Attribute(attr="what" | "todo" | "sentence" | "message"):
                pass  # of an error that was made somewhere else
            case ast.Subscript(value=ast.Attribute(attr="args")):
                pass  # likewise
            case ast.Attribute(value=catalogue) if ast.unparse(catalogue) in SPOKEN:
                pass
            case ast.Attribute(value=ast.Call(func=func)) if _name(func).endswith("words"):
                pass
            case ast.Subscript(value=ast.Attribute(value=ast.Call(func=func))) if _name(func).endswith(
                "words"
            ):
                pass
            case _:
                self.found.odd.append(f"{self.path}:{node.lineno}: {ast.unparse(node)}")

    def _is_said(self, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "format":
            catalogue = call.func.value
            return isinstance(catalogue, ast.Attribute) and ast.unparse(catalogue.value) in SPOKEN
        return _name(call.func) in self.sayings | self.makers

    def _assigned(self, name: str, scope: ast.AST) -> bool:
        """Whether a name is a parameter, or gets nothing but sentences in its function."""
        if isinstance(scope, ast.FunctionDef) and name in {
            each.arg for each in (*scope.args.args, *scope.args.kwonlyargs)
        }:
            return True
        found = False
        assigned = [node for node in ast.walk(scope) if isinstance(node, ast.Assign)]
        for target, value in ((target, node.value) for node in assigned for target in node.targets):
            for one, given in _pairs(target, value):
                if isinstance(one, ast.Name) and one.id == name:
                    found = True
                    self._sentence(given, scope)
        return found


def _given(call: ast.Call, names: list[str]) -> Iterator[ast.expr]:
    given = dict(zip(names, call.args, strict=False))
    given |= {key.arg: key.value for key in call.keywords if key.arg}
    yield from (given[part] for part in ("what", "todo") if part in given)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=True)
    elif isinstance(target, ast.Tuple):
        yield from ((one, value) for one in target.elts)
    else:
        yield target, value
