"""Habits of the screens that a machine can check: lean start, no markup sinks, panes that touch no file (design §§2, 6)."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import memtui.tui
from memtui.tui import screens
from memtui.tui.screens.base import ActionScreen
from tests.children import unmeasured

ROOT = Path(memtui.tui.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))
SINKS = {"Static", "Label", "Button", "Select", "Option", "Checkbox", "RadioButton", "Collapsible", "notify"}
MARKUP_ATTRIBUTES = {"border_title", "border_subtitle", "tooltip"}
FILE_CALLS = {
    "open", "read_text", "write_text", "read_bytes", "write_bytes", "unlink", "rename", "replace", "mkdir", "exists", "stat",
    "iterdir", "glob", "rglob", "is_file", "is_dir",
}  # fmt: skip


HANDS_OVER = {"external.py"}
"""What lies beside screens and panes and gives a copy in a folder of its own to another program."""


def calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_safe(call: ast.Call) -> bool:
    if any(
        k.arg == "markup" and isinstance(k.value, ast.Constant) and k.value.value is False
        for k in call.keywords
    ):
        return True
    first = call.args[0] if call.args else None
    return first is None or (isinstance(first, ast.Call) and name_of(first) == "Content")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_design_6_no_text_goes_where_markup_is_read(path: Path) -> None:
    for call in calls(path):
        if name_of(call) in SINKS:
            assert is_safe(call), f"line {call.lineno}: {name_of(call)} needs Content or markup=False"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            assert node.attr not in MARKUP_ATTRIBUTES, f"line {node.lineno}: {node.attr} reads markup"


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if path.name not in HANDS_OVER],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_design_2_no_screen_or_pane_touches_a_file(path: Path) -> None:
    for call in calls(path):
        name = name_of(call)
        if name == "open" and not isinstance(call.func, ast.Name):
            continue  # a method of something that is no path
        if name in FILE_CALLS and not (
            name == "replace" and (isinstance(call.func, ast.Name) or len(call.args) >= 2)
        ):
            pytest.fail(f"line {call.lineno}: {name}()")


def test_design_7_what_is_not_needed_for_the_first_paint_is_loaded_behind_it() -> None:
    code = "import sys; import memtui.tui.launch; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env=unmeasured(),
    )
    loaded = set(done.stdout.split())
    late = {
        "anthropic",
        "click",
        "json",
        "markdown_it",
        "memtui.claude.settings",
        "memtui.cli.shapes",
        "memtui.memory.checks.claims",
        "memtui.memory.index.entrypoint",
        "memtui.memory.checks.findings",
        "memtui.memory.document.frontmatter",
        "memtui.memory.index.lines",
        "memtui.memory.saving.journal",
        "memtui.memory.managing.manager",
        "memtui.memory.directory.scan",
        "memtui.memory.wording.en",
        "memtui.memory.wording.problems",
        "memtui.memory.wording.zh",
        "memtui.store",
        "memtui.tui.palette",
        "memtui.tui.screens.confirm",
        "memtui.tui.screens.help",
        "sqlite3",
        "textual.widgets._markdown",
        "watchfiles",
        "yaml",
    }
    assert loaded.isdisjoint(late), loaded & late


def handed_over(path: Path) -> set[str]:
    """Methods that are started in a thread, or made ready to be called later."""
    given = [
        argument
        for call in calls(path)
        if name_of(call) in {"partial", "run_worker"}
        for argument in call.args[:1]
    ]
    return {ast.unparse(argument).rpartition(".")[2] for argument in given}


def test_every_screen_has_the_looks_of_all_it_is_made_of() -> None:
    """Textual goes up the first base alone: a mixin in front of it takes the looks away that stand behind."""
    for module in pkgutil.iter_modules(screens.__path__):
        importlib.import_module(f"{screens.__name__}.{module.name}")
    wanting: dict[str, set[str]] = {}
    seen: list[type[ActionScreen[Any]]] = [ActionScreen]
    for kind in seen:
        seen += [each for each in kind.__subclasses__() if each not in seen]
        made_of = {
            each.__name__
            for each in kind.__mro__
            if each.__module__.startswith("memtui.") and each.__dict__.get("DEFAULT_CSS")
        }
        if missing := made_of - kind._css_type_names:
            wanting[kind.__name__] = missing
    assert len(seen) > 30
    assert wanting == {}


def test_no_thread_asks_its_screen_for_the_app() -> None:
    """A screen that was closed meanwhile has none any more, and the thread's last word would be an error."""
    asking = [
        f"{path.name}: {function.name}"
        for path in SOURCES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        and function.name in handed_over(path)
        and "self.app.post_message(" in ast.unparse(function)
    ]
    assert asking == []
