"""The manual's page of the library, made from what stands in the code: signatures and docstrings."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from types import FunctionType, ModuleType

import memtui

_SECTIONS = {"Args": "", "Attributes": "", "Returns": "Returns:", "Raises": "Raises:"}
_LISTED = {"Args", "Attributes", "Raises"}
_ITEM = re.compile(r"    ([\w, ]+): (.*)")
_SHOWN_DECORATORS = {"classmethod", "contextmanager"}


def public_names() -> list[str]:
    """What the library promises."""
    return [name for name in memtui.__all__ if not name.startswith("_")]


def api_page() -> str:
    """Every public name with all that is public of it, then what they give back."""
    parts = [part for name in public_names() for part in _entry(name, getattr(memtui, name))]
    parts += [
        "# What they give back\n",
        "These are no names of `memtui` itself; each says where it stands.\n",
    ]
    parts += [part for value in given_back() for part in _entry(value.__name__, value, value.__module__)]
    return "\n".join(parts)


def told_below(name: str) -> str:
    """The documentation of a constant, which stands in a string below it; empty for anything else."""
    for node, after in pairwise(_tree(_home(name)).body):
        named = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
        if named and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            return str(after.value.value)
    return ""


def members(cls: type) -> Iterator[tuple[str, FunctionType]]:
    """The public methods and properties of a class and its bases in memtui, as functions."""
    seen: set[str] = set()
    for home in _ours(cls):
        for name, value in vars(home).items():
            function = _function(value)
            if function is not None and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, function


def fields(cls: type) -> list[str]:
    """The public values that a class of memtui is made of."""
    return [name for home in _ours(cls) for name in vars(home).get("__annotations__", {}) if name[0] != "_"]


def given_back() -> list[type]:
    """The classes of memtui that the public names return, and that are none of them; by name."""
    found: dict[str, type] = {}
    for name in public_names():
        value = getattr(memtui, name)
        made = [function for _, function in members(value)] if isinstance(value, type) else [value]
        for function in (each for each in made if isinstance(each, FunctionType)):
            returns = _parsed(function).returns
            for node in ast.walk(returns) if returns is not None else ():
                if isinstance(node, ast.Name):
                    other = _imported(function.__module__, node.id)
                    if (
                        isinstance(other, type)
                        and _ours(other)[:1] == [other]
                        and other.__name__ not in memtui.__all__
                    ):
                        found[other.__name__] = other
    return [found[name] for name in sorted(found)]


def _home(name: str) -> ModuleType:
    getattr(memtui, name)  # loads it
    return sys.modules[f"memtui.{memtui._HOME_OF[name]}"]


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _ours(cls: type) -> list[type]:
    return [each for each in cls.__mro__ if each.__module__.partition(".")[0] == "memtui"]


def _function(value: object) -> FunctionType | None:
    if isinstance(value, property):
        value = value.fget
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    return value if isinstance(value, FunctionType) else None


def _imported(module: str, name: str) -> object:
    """What a name means in a module, also where it is imported for the types only."""
    known = getattr(sys.modules[module], name, None)
    if known is not None:
        return known
    for node in ast.walk(_tree(sys.modules[module])):
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return getattr(__import__(str(node.module), fromlist=[name]), name)
    return None


def _entry(name: str, value: object, home: str = "") -> Iterator[str]:
    yield f"## `{name}`\n"
    if home:
        yield f"`{home}.{name}`\n"
    if isinstance(value, FunctionType):
        yield _code(value)
    if not isinstance(value, type):
        yield markdown((home == "" and told_below(name)) or inspect.getdoc(value) or "")
        return
    yield markdown(inspect.getdoc(value) or "")
    for base in _ours(value)[1:]:
        told = "\n".join(inspect.cleandoc(base.__doc__ or "").partition("\nAttributes:")[1:])
        if told.strip() and base.__name__[0] != "_" and base.__name__ not in memtui.__all__:
            yield markdown(told)
    if issubclass(value, enum.Enum):
        yield "Members: " + ", ".join(f"`{each.name}` (`{each.value!r}`)" for each in value) + ".\n"
    told = "".join(base.__doc__ or "" for base in _ours(value))
    made = next((vars(home)["__init__"] for home in _ours(value) if "__init__" in vars(home)), None)
    if isinstance(made, FunctionType) and made.__doc__:
        yield _code(made, value.__name__)
        yield markdown(inspect.getdoc(made) or "")
    for member, function in members(value):
        if _is_property(function):
            if f"{member}:" not in told:
                yield f"`{member}`: {markdown(inspect.getdoc(function) or '')}"
        else:
            yield _code(function)
            yield markdown(inspect.getdoc(function) or "")


def _is_property(function: FunctionType) -> bool:
    return "property" in map(ast.unparse, _parsed(function).decorator_list)


def _parsed(function: FunctionType) -> ast.FunctionDef:
    wrapped = inspect.unwrap(function)
    [made] = ast.parse(textwrap.dedent(inspect.getsource(wrapped))).body
    assert isinstance(made, ast.FunctionDef)
    return made


def _code(function: FunctionType, name: str = "") -> str:
    """The head of a function as it stands in the code, without ``self`` or ``cls``, its default values filled in."""
    made = _parsed(function)
    for default in (*made.args.defaults, *filter(None, made.args.kw_defaults)):
        if isinstance(default, ast.Name):
            value = inspect.unwrap(function).__globals__.get(default.id)
            if isinstance(value, int | float | str):
                default.id = repr(value)
    if made.args.args[:1] and made.args.args[0].arg in {"self", "cls"}:
        del made.args.args[0]
    marks = [f"@{mark}\n" for mark in map(ast.unparse, made.decorator_list) if mark in _SHOWN_DECORATORS]
    made.decorator_list, made.body, made.name = [], [ast.Pass()], name or made.name
    if name:
        made.returns = None
    head = ast.unparse(made).removeprefix("def ").removesuffix(":\n    pass")
    head = re.sub(r"(\w\]?)=(?=\S)", r"\1 = ", head)
    if len(head) > 100:
        start, end = head.index("(") + 1, head.rindex(")")
        parts = re.split(r", (?![^\[]*\])", head[start:end])
        head = head[:start] + "".join(f"\n    {part}," for part in parts) + "\n" + head[end:]
    return f"```python\n{''.join(marks)}{head}\n```\n"


def markdown(doc: str) -> str:
    """A docstring in Markdown: its sections as lists."""
    lines: list[str] = []
    section = ""
    for line in doc.splitlines():
        if line.endswith(":") and line[:-1] in _SECTIONS:
            section = line[:-1]
            lines += [_SECTIONS[section], ""] if _SECTIONS[section] else []
            continue
        item = _ITEM.fullmatch(line) if section in _LISTED else None
        if item is not None:
            names = ", ".join(f"`{name}`" for name in item[1].split(", "))
            lines.append(f"- {names}: {item[2]}")
        else:
            lines.append(("  " if line.startswith("        ") else "") + line.strip())
    return re.sub(r"``([^`]+)``", r"`\1`", "\n".join(lines)).strip() + "\n"
