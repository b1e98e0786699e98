"""Shared by the unit tests: a clock that stands where a test puts it, and directories of both conventions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.manager import MemoryManager

NOW = 1_780_000_000.0
DAY = 86_400.0


class Clock:
    """A clock that only moves when told to."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def forward(self, days: float) -> None:
        self.now += days * DAY


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_manager(tmp_path: Path, clock: Clock) -> Callable[..., MemoryManager]:
    def make(convention: str = "claude", **options: object) -> MemoryManager:
        root = tmp_path / "memory"
        root.mkdir(exist_ok=True)
        return MemoryManager.open(root, convention, clock=clock, **options)  # type: ignore[arg-type]

    return make
