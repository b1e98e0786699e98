"""What the screens say is there in both languages, with the same parts (issue 3 §7: zh and en interface)."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import memtui.tui
import memtui.tui.wording
from memtui.tui.actions.registry import ACTIONS
from memtui.tui.wording.actions_zh import GROUPS, REASONS, ROWS

_PART = re.compile(r"\{(\w+)[^}]*\}")


def modules() -> list[ModuleType]:
    names = [found.name for found in pkgutil.iter_modules(memtui.tui.wording.__path__)]
    made = [importlib.import_module(f"memtui.tui.wording.{name}") for name in names]
    return [module for module in made if hasattr(module, "EN")]


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__.rsplit(".", 1)[-1])
def test_a_sentence_has_the_same_parts_in_both_languages(module: ModuleType) -> None:
    for name in module.EN.names():
        english, chinese = (
            list(texts(getattr(module.EN, name))),
            list(texts(getattr(module.ZH, name))),
        )
        assert len(english) == len(chinese), name
        for first, second in zip(english, chinese, strict=True):
            assert sorted(_PART.findall(first)) == sorted(_PART.findall(second)), name
            assert bool(first) == bool(second), name
    words = getattr(module, "words", {"en": module.EN, "zh": module.ZH}.get)
    assert words("en") is module.EN
    assert words("zh") is module.ZH


def test_every_action_is_there_in_chinese() -> None:
    assert [action.id for action in ACTIONS if action.id not in ROWS] == []
    assert sorted({action.group for action in ACTIONS} - GROUPS.keys()) == []
    for action in ACTIONS:
        title, hint, text = ROWS[action.id]
        assert title, action.id
        assert text, action.id
        assert bool(hint) or not action.hint, action.id


def reasons() -> Iterator[str]:
    """Every sentence that says why an action cannot be done: string constants in what such a function returns."""
    for path in sorted(Path(memtui.tui.__file__).parent.glob("actions/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.returns is None:
                continue
            if ast.unparse(node.returns) != "str | None":
                continue
            for back in (part for part in ast.walk(node) if isinstance(part, ast.Return) and part.value):
                for part in ast.walk(back):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
                        yield part.value


def test_every_reason_is_there_in_chinese() -> None:
    found = set(reasons())
    assert len(found) > 10
    assert sorted(found - REASONS.keys()) == []
