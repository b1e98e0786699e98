"""Shared by the unit tests: a clock that stands where a test puts it, and directories of both conventions."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.memory.managing.manager import MemoryManager

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


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB; skips where it may not be mounted."""
    path = tmp_path / "small"
    path.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("needs to mount a file system")
    made = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=256k", "tmpfs", path], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("needs to mount a file system")
    yield path
    subprocess.run(["umount", path], capture_output=True, check=False)
