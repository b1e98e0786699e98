"""How history, activity and the question before undo look: small and large, dark and light, ASCII, Chinese, empty."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from .conftest import screen_text, until
from .past import Past, busy
from .test_snapshots import LARGE, SMALL, Compare, app_on, loaded


@pytest.fixture
def past(tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a past, seen from where its path is short and always the same."""
    monkeypatch.chdir(tmp_path)
    busy(memory)
    return Path("astro-lab/memory")


def after(*keys: str) -> Callable[[Pilot[None]], object]:
    """Press keys one after the other, each when what the one before asked for has been read."""

    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)
            await until(pilot, lambda: all(w.is_finished or w.group == "watch" for w in pilot.app.workers))
            await until(pilot, lambda: not {"Reading…", "正在读取…"} & set(screen_text(pilot).split()))
        await pilot.wait_for_scheduled_animations()

    return run


def test_history_80x24(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=SMALL, run_before=after("h"))


def test_history_side_by_side_160x48(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=LARGE, run_before=after("h", "G", "space", "g", "u"))


def test_history_light_120x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(
        app_on(past, theme="textual-light"), terminal_size=(120, 30), run_before=after("h", "j")
    )


def test_history_ascii_100x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past, ascii_mode=True), terminal_size=(100, 30), run_before=after("h"))


def test_history_no_color_100x30(snap_compare: Compare, past: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_on(past), terminal_size=(100, 30), run_before=after("h"))


def test_history_zh_100x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past, lang="zh"), terminal_size=(100, 30), run_before=after("h", "j"))


def test_history_reading_80x24(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=SMALL, run_before=after("h", "G", "enter"))


def test_history_restore_100x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=(100, 30), run_before=after("h", "j", "R"))


def test_activity_80x24(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=SMALL, run_before=after("a"))


def test_activity_160x48(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=LARGE, run_before=after("a", "j", "j"))


def test_activity_texts_120x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=(120, 30), run_before=after("a", "enter"))


def test_activity_trash_light_120x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(
        app_on(past, theme="textual-light"), terminal_size=(120, 30), run_before=after("a", "2")
    )


def test_activity_calls_ascii_120x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past, ascii_mode=True), terminal_size=(120, 30), run_before=after("a", "3"))


def test_activity_zh_100x30(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past, lang="zh"), terminal_size=(100, 30), run_before=after("a"))


def test_activity_empty_80x24(
    snap_compare: Compare, tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Past(memory)
    assert snap_compare(app_on(Path("astro-lab/memory")), terminal_size=SMALL, run_before=after("a", "2"))


def test_undo_asks_80x24(snap_compare: Compare, past: Path) -> None:
    assert snap_compare(app_on(past), terminal_size=SMALL, run_before=after("z"))
