"""Every table that is annotated as being by a code has a word for each code, in each language."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args, get_origin

import memtui

_TABLE = re.compile(r"^\w+: (?:Final\[)?(?:Mapping|dict)\[", re.MULTILINE)
_PARTIAL = {"memtui.memory.checks.findings._BY_PLACE"} | {
    f"memtui.memory.text.{name}" for name in ("_CLASSES", "_CLASSES_BEYOND_BMP", "_SYMBOLS")
}
"""Those that are of some codes only, which their readers ask about with ``in`` or ``get``."""


def missing(name: str, kind: object, table: object) -> Iterator[tuple[str, object]]:
    """What codes a table lacks, and those below it."""
    if get_origin(kind) not in {Mapping, dict} or not isinstance(table, Mapping):
        return
    key, value = get_args(kind)
    if get_origin(key) is Literal:
        yield from ((name, code) for code in get_args(key) if code not in table)
    for each, below in table.items():
        yield from missing(f"{name}[{each}]", value, below)


def tables() -> Iterator[tuple[str, object, object]]:
    root = Path(memtui.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if not _TABLE.search(path.read_text()):
            continue
        parts = ("memtui", *path.relative_to(root).with_suffix("").parts)
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        for name, kind in module.__annotations__.items():
            if ("Mapping[" in kind or "dict[" in kind) and name in vars(module):
                yield (
                    f"{module.__name__}.{name}",
                    eval(kind, vars(module)),  # noqa: S307 – our own annotation
                    getattr(module, name),
                )


def test_no_code_is_without_its_words() -> None:
    found = [each for each in tables() if each[0] not in _PARTIAL]
    assert "memtui.team.wording.REASONS" in {name for name, _, _ in found}
    assert [gap for each in found for gap in missing(*each)] == []


def test_a_table_that_lacks_a_code_is_found() -> None:
    kind = Mapping[Literal["en", "zh"], Mapping[Literal["a", "b"], str]]
    assert list(missing("t", kind, {"en": {"a": "x"}, "zh": {"a": "x", "b": "y"}})) == [("t[en]", "b")]
