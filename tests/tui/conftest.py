"""Real directories, a real store and manager, and a frozen clock for the tests of the screens."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.config import NOTHING_SET, Config
from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.launch import make_app
from memtui.tui.machine import Machine
from memtui.tui.screens.browse import BrowseScreen

from .making import DAY, NOW
from .quiet import wait_no_longer_than_it_takes

wait_no_longer_than_it_takes()

Write = Callable[..., Path]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """An empty memory directory."""
    folder = tmp_path / "astro-lab" / "memory"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def write(memory: Path) -> Write:
    """Writes a memory file that is ``days`` old."""

    def write_file(
        slug: str,
        *,
        name: str | None = None,
        description: str = "",
        kind: str = "user",
        content: str = "Text.",
        days: float = 0,
    ) -> Path:
        path = memory / f"{slug}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"---\nname: {slug if name is None else name}\ndescription: {description}\ntype: {kind}\n---\n\n{content}\n",
            encoding="utf-8",
        )
        os.utime(path, (NOW - days * DAY,) * 2)
        return path

    return write_file


@asynccontextmanager
async def running(
    folder: Path,
    *,
    size: tuple[int, int] = (120, 30),
    read_only: bool = False,
    ascii_mode: bool = False,
    project_root: Path | None = None,
    lang: Lang = "en",
    config: Config = NOTHING_SET,
    fails: bool = False,
    machine: Machine | None = None,
    team: bool = False,
    state: Path | None = None,
    logging: bool = False,
) -> AsyncIterator[Pilot[None]]:
    """The app on a directory, with its first snapshot on the screen; unless ``fails``, nothing may go wrong in a thread."""
    app = make_app(
        folder,
        lang=lang,
        clock=lambda: NOW,
        read_only=read_only,
        ascii_mode=ascii_mode,
        project_root=project_root,
        config=config,
        team=team,
        machine=machine,
        home=machine.home if machine is not None else None,
        logging=lambda: logging,
        zone=UTC,
        state=(lambda: state) if state is not None else None,
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        yield pilot
    if app.faults and not fails:
        raise app.faults[0]


async def until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds; fail if it never does."""
    for _ in range(int(seconds / 0.02)):
        await pilot.pause()
        if holds():
            await pilot.pause()
            return
    raise AssertionError("what was waited for did not happen")


def app_of(pilot: Pilot[None]) -> MemtuiApp:
    """The app of a pilot."""
    assert isinstance(pilot.app, MemtuiApp)
    return pilot.app


def browse(pilot: Pilot[None]) -> BrowseScreen:
    """Its first screen."""
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, BrowseScreen)
    return screen


def rows(pilot: Pilot[None]) -> list[str]:
    """Slugs in the list."""
    return [entry.slug for entry in browse(pilot).query_one("#list").rows]  # type: ignore[attr-defined]


def cursor(pilot: Pilot[None]) -> str | None:
    """Slug under the cursor."""
    entry = browse(pilot).query_one("#list").cursor  # type: ignore[attr-defined]
    return entry.slug if entry else None


def screen_text(pilot: Pilot[None]) -> str:
    """What stands on the screen, as text."""
    width, height = pilot.app.size
    lines = pilot.app.screen._compositor.render_strips()
    del width
    return "\n".join(strip.text for strip in lines[:height])


def notices(pilot: Pilot[None]) -> list[str]:
    """Texts of the notices shown, with the paths in one piece, which are broken where the folder's name is long."""
    return [f"{note.title}: {note.message}".replace("/\n", "/") for note in pilot.app._notifications]
