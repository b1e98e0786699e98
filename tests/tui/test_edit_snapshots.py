"""How the editor looks, as named pictures: small and large, dark and light, ASCII, Chinese, and the conflict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.edit import EditScreen

from .conftest import Write, until
from .test_snapshots import LARGE, SMALL, Compare, app_on, loaded

BODY = (
    "Integration tests use a **real** database and never mocks, because mocks hid a broken migration.\n\n"
    "It might be that `tests/db/conftest.py` is enough. Currently see [[role]] and [[nobody]].\n"
)


@pytest.fixture
def lab(tmp_path: Path, memory: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a memory that has something to be said about, and its double."""
    monkeypatch.chdir(tmp_path)
    write("tests", name="Integration tests", description="Real database", kind="feedback", content=BODY)
    write("db", name="Db tests", description="Same", kind="feedback", content=BODY + "Always.", days=9)
    write(
        "role",
        name="用户角色",
        description="天体物理学博士后",
        content="偏好用 Julia 做恒星演化的拟合。",
        days=3,
    )
    return Path("astro-lab/memory")


def editing(*keys: str) -> Callable[[Pilot[None]], object]:
    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, EditScreen)
        await until(pilot, lambda: screen.report is not None and screen.report.draft == screen.draft)
        await pilot.wait_for_scheduled_animations()

    return run


def conflicting(folder: Path) -> Callable[[Pilot[None]], object]:
    async def run(pilot: Pilot[None]) -> None:
        await editing("e", *"Mine. ")(pilot)  # type: ignore[misc]
        screen = pilot.app.screen
        path = folder / "tests.md"
        path.write_text(path.read_text("utf-8") + "\nTheirs.\n", "utf-8")
        await until(pilot, lambda: screen.has_class("-outdated"))
        await pilot.press("ctrl+r")
        await until(
            pilot,
            lambda: isinstance(pilot.app.screen, ConflictScreen) and pilot.app.screen._merged is not None,
        )
        await pilot.pause()

    return run


def test_edit_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=editing("e"))


def test_edit_160x48(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=LARGE, run_before=editing("e", "ctrl+n"))


def test_edit_light_beside_160x48(snap_compare: Compare, lab: Path) -> None:
    app = app_on(lab, theme="textual-light")
    assert snap_compare(app, terminal_size=LARGE, run_before=editing("e", "ctrl+t"))


def test_edit_ascii_120x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab, ascii_mode=True), terminal_size=(120, 30), run_before=editing("e"))


def test_new_zh_100x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab, lang="zh"), terminal_size=(100, 30), run_before=editing("n", *"Freeze"))


def test_conflict_160x48(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=LARGE, run_before=conflicting(lab))


def test_conflict_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=conflicting(lab))
