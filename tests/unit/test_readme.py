"""The README tells the truth: commands, keys, settings, public names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import memtui
from memtui.config import KEYS
from memtui.tui.actions import readme_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_key_table_is_the_registrys() -> None:
    between = README.split("held by a test -->\n", 1)[1].split("<!-- /keys -->", 1)[0]
    assert between == readme_table()


def test_every_command_is_named() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "memtui", "--help"], capture_output=True, text=True, check=True
    ).stdout
    commands = re.findall(r"^  ([a-z-]+)  ", help_text.split("Commands:")[1], re.MULTILINE)
    assert len(commands) > 10
    assert [name for name in commands if not re.search(rf"`(memtui )?{name}\b|, `{name}\b", README)] == []


def test_every_setting_is_named() -> None:
    assert [key for key in KEYS if f"| `{key}` |" not in README] == []


@pytest.mark.parametrize("name", memtui.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(memtui, name)
    assert value is not None
    if callable(value):
        assert value.__doc__


def test_the_version_is_the_packages() -> None:
    assert f'version = "{memtui.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
