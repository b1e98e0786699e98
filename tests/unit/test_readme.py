"""The README tells the truth: commands, keys, settings, public names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import memtui
from memtui.config import SETTINGS
from tests.readme import BLOCKS, block

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_made_from_the_program_is_current(name: str) -> None:
    start, end = block(README, name)
    assert README[start:end] == BLOCKS[name](), "run: python -m tests.readme"


def test_every_command_is_named() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "memtui", "--help"], capture_output=True, text=True, check=True
    ).stdout
    commands = re.findall(r"^  ([a-z-]+)  ", help_text.split("Commands:")[1], re.MULTILINE)
    assert len(commands) > 10
    assert [name for name in commands if not re.search(rf"`(memtui )?{name}\b|, `{name}\b", README)] == []


def test_every_setting_is_in_its_table() -> None:
    assert [row.key for row in SETTINGS if f"| `{row.key}` |" not in BLOCKS["settings"]()] == []


@pytest.mark.parametrize("name", memtui.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(memtui, name)
    assert value is not None
    if callable(value):
        assert value.__doc__


def test_the_version_is_the_packages() -> None:
    assert f'version = "{memtui.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_library_example_runs_in_an_empty_folder(tmp_path: Path) -> None:
    example = README.split("## Library\n\n```python\n", 1)[1].split("```", 1)[0]
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("created ")
    assert "<project-memory-context>" in done.stdout
    assert not (tmp_path / "notes" / "memory" / "test-policy.md").exists()
