"""Dialogs: their buttons stay in sight at every size, a notice hides nothing that one must answer, keys typed early answer nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Button
from textual.widgets._toast import Toast

from memtui.tui.app import MemtuiApp
from memtui.tui.screens.bulk import BulkScreen
from memtui.tui.screens.choice import LeaveScreen
from memtui.tui.screens.confirm import ConfirmScreen
from memtui.tui.widgets.dialog import Dialog

from .conftest import Write, app_of, browse, running, screen_text, until

LONG = [f"consequence number {number}, in words that take more than one line" for number in range(12)]


def shown(screen: Screen[Any]) -> list[Region]:
    """Where the buttons stand."""
    return [button.region for button in screen.query(Button)]


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (30, 9), (160, 48)])
async def test_the_buttons_of_a_question_are_in_sight_and_its_text_scrolls(
    write: Write, size: tuple[int, int]
) -> None:
    folder = write("a").parent
    async with running(folder, size=size) as pilot:
        screen = ConfirmScreen("Really?", LONG, yes="Do it")
        pilot.app.push_screen(screen)
        await until(pilot, lambda: len(screen.query(Button)) == 2 and all(shown(screen)))
        whole = Region(0, 0, *size)
        assert all(whole.contains_region(region) and region.height == 1 for region in shown(screen))
        dialog = screen.query_one(Dialog)
        await pilot.press("G")
        last = screen.query(".dialog-line").last()
        await until(pilot, lambda: dialog.max_scroll_y == dialog.scroll_offset.y)
        assert last.region.bottom <= min(region.y for region in shown(screen))
        assert all(whole.contains_region(region) for region in shown(screen))


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (160, 48)])
@pytest.mark.parametrize("kind", ["confirm", "leave", "bulk"])
async def test_a_notice_hides_nothing_of_a_question(write: Write, size: tuple[int, int], kind: str) -> None:
    folder = write("a").parent
    write("b")
    async with running(folder, size=size) as pilot:
        for number in range(3):
            browse(pilot).say(f"Notice {number}, which says a good deal more than its number", title="Told")
        if kind == "bulk":
            await pilot.press("space", "space", "d")
            await until(pilot, lambda: isinstance(pilot.app.screen, BulkScreen))
        elif kind == "leave":
            pilot.app.push_screen(LeaveScreen("Leave?", LONG[:2]))
        else:
            pilot.app.push_screen(ConfirmScreen("Really?", LONG[:3], yes="Do it"))
        screen = pilot.app.screen
        await until(pilot, lambda: bool(screen.query(Toast)) and all(shown(screen)))
        screen.notify("One more, said by the dialog itself", markup=False)
        await until(pilot, lambda: len(screen.query(Toast)) == 4)
        painted = screen._compositor.visible_widgets
        seen = [
            region.intersection(clip)
            for widget, (region, clip) in painted.items()
            if isinstance(widget, Toast)
        ]
        assert seen
        for hiding in seen:
            assert not hiding.overlaps(screen.query_one("Dialog, #bulk-box").region)
        assert all(Region(0, 0, *size).contains_region(region) for region in shown(screen))


@pytest.mark.parametrize(("key", "pane"), [("c", "#findings-pane"), ("h", "#versions-pane"), ("P", None)])
async def test_the_first_frame_of_a_screen_is_laid_out_for_the_terminal(
    write: Write, monkeypatch: pytest.MonkeyPatch, key: str, pane: str | None
) -> None:
    folder = write("a").parent
    async with running(folder, size=(80, 24)) as pilot:
        frames: list[tuple[str, bool, int]] = []
        display = MemtuiApp._display

        def noting(app: MemtuiApp, screen: Screen[object], renderable: object) -> None:
            width = screen.query(pane).first().region.width if pane and screen.query(pane) else 0
            frames.append((type(screen).__name__, screen.has_class("-narrow"), width))
            display(app, screen, renderable)  # type: ignore[arg-type]  # what Textual hands on

        monkeypatch.setattr(MemtuiApp, "_display", noting)
        await pilot.press(key)
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
        name = type(pilot.app.screen).__name__
        await until(pilot, lambda: any(frame[0] == name for frame in frames))
        first = next(frame for frame in frames if frame[0] == name)
        assert first[1]
        assert first[2] in ({80, 0} if pane else {0})
    assert app_of(pilot).faults == []


async def test_a_notice_stands_once_while_a_question_is_asked_and_is_back_behind_it(write: Write) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        browse(pilot).say("The one notice")
        await until(pilot, lambda: screen_text(pilot).count("The one notice") == 1)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await until(pilot, lambda: screen_text(pilot).count("The one notice") == 1)
        behind = browse(pilot)._compositor
        await until(
            pilot, lambda: all("The one notice" not in strip.text for strip in behind.render_strips())
        )
        await pilot.press("n")
        await until(pilot, lambda: pilot.app.screen is browse(pilot))
        await until(pilot, lambda: screen_text(pilot).count("The one notice") == 1)


async def test_the_theme_under_the_cursor_stays_in_view_in_a_smaller_terminal(
    memory: Path, write: Write
) -> None:
    write("one")
    async with running(memory, size=(80, 30)) as pilot:
        await pilot.press("f9", "G")
        await until(pilot, lambda: "tokyo-night" in screen_text(pilot))
        await pilot.resize_terminal(80, 14)
        await until(pilot, lambda: "tokyo-night" in screen_text(pilot))
