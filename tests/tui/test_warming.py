"""What the next key needs is loaded before it is pressed, and not before the memories are listed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import Write, running, until

_TOLD = """
import sys
from memtui.tui.warming import load_doors
doors = [f"memtui.tui.screens.{name}" for name in ("checks", "confirm", "edit", "preview")]
assert not sys.modules.keys() & set(doors)
load_doors()
assert sys.modules.keys() >= set(doors)
"""


def test_the_doors_that_are_gone_through_most_are_loaded() -> None:
    subprocess.run([sys.executable, "-c", _TOLD], check=True)


async def test_they_are_loaded_behind_the_list(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("a").parent
    loaded: list[None] = []
    monkeypatch.setattr("memtui.tui.app_threads.load_doors", lambda: loaded.append(None))
    async with running(folder) as pilot:
        await until(pilot, lambda: bool(loaded))
    assert len(loaded) == 1
