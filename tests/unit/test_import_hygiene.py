"""Design §1: the floors hold at run time too, and what is slow to import waits until it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import memtui
from tests.children import unmeasured

PACKAGE = Path(memtui.__file__).parent
SCREEN_AND_MODEL = {"textual", "rich", "anthropic", "httpx", "httpx2", "mcp"}


def loaded_by(code: str, *argv: str) -> set[str]:
    """Top-level names in ``sys.modules`` after some code ran in an interpreter of its own."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script, *argv], capture_output=True, text=True, check=True, env=unmeasured()
    )
    return set(done.stderr.split())


def modules_below(*parts: str) -> list[str]:
    root = PACKAGE.joinpath(*parts)
    return sorted(
        ".".join(("memtui", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        for path in root.rglob("*.py")
    )


def test_import_memtui_loads_nothing_but_itself() -> None:
    loaded = loaded_by("import memtui\nfrom memtui import __version__")
    assert not {name for name in loaded if name.startswith("memtui.")}
    assert not {*SCREEN_AND_MODEL, "click", "yaml"} & loaded


def test_the_manager_needs_neither_screen_nor_model_nor_command_line(tmp_path: Path) -> None:
    code = f"from memtui import MemoryManager\nMemoryManager({str(tmp_path)!r}).build_system_reminder()"
    assert not {*SCREEN_AND_MODEL, "click"} & loaded_by(code)


def test_memory_store_and_team_need_neither_screen_nor_model_nor_command_line() -> None:
    names = [*modules_below("memory"), *modules_below("team"), "memtui.store", "memtui.config"]
    assert len(names) > 30
    assert not {*SCREEN_AND_MODEL, "click"} & loaded_by("\n".join(f"import {name}" for name in names))


@pytest.mark.parametrize(
    "argv",
    [
        ["list"],
        ["show", "a"],
        [
            "save",
            "b",
            "--name",
            "B",
            "--description",
            "d",
            "--type",
            "user",
            "--content",
            "tea, never coffee",
        ],
        ["check", "--fail-on", "never"],
        ["index", "--loaded"],
        ["reminder"],
        ["--help"],
        ["--version"],
    ],
)
def test_commands_run_without_screen_and_model(tmp_path: Path, argv: list[str]) -> None:
    (tmp_path / "a.md").write_text(
        "---\nname: A\ndescription: d\ntype: user\n---\n\nA body of some length.\n"
    )
    words = argv if argv[0].startswith("-") else [*argv, "-d", str(tmp_path)]
    code = "import sys\nfrom memtui.__main__ import main\nassert main(sys.argv[1:]) == 0"
    assert not SCREEN_AND_MODEL & loaded_by(code, *words)


def test_list_does_without_the_manager(tmp_path: Path) -> None:
    code = f"from memtui.__main__ import main\nassert main(['list', '-d', {str(tmp_path)!r}]) == 0"
    assert not {"memtui.memory.managing.manager", "sqlite3", "memtui.demo"} & loaded_by(code)


def test_listing_a_directory_loads_nothing_that_it_does_without(tmp_path: Path) -> None:
    """Each of these takes as long to load as a small directory to read."""
    (tmp_path / "a.md").write_text(
        '---\nname: A\ndescription: "d — e"\ntype: user\n---\n\nA body.\n', "utf-8"
    )
    code = f"from memtui.__main__ import main\nassert main(['list', '-d', {str(tmp_path)!r}]) == 0"
    slow = {
        "ctypes",
        "filelock",
        "platformdirs",
        "tomllib",
        "yaml",
        "memtui.memory.document.headers",
        "memtui.memory.index.editing",
    }
    assert not slow & loaded_by(code)


def test_output_is_the_only_writer_to_stdout_and_stderr() -> None:
    for path in (PACKAGE / "cli").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "print" not in calls, path
        if path.name != "output.py":
            assert not {"echo", "secho", "confirm", "prompt", "write_text", "write_bytes"} & names, path
        if path.name not in {"output.py", "app.py"}:
            assert not {"stdout", "stderr"} & names, path
