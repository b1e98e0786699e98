"""The daily log (spec §15): by day, the newest first, with a line added; switched off, empty, read-only, unreadable."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from textual.pilot import Pilot

from memtui.agent.daily_log import LogDay, log_rel
from memtui.config import load_config
from memtui.memory.errors import Refused
from memtui.memory.text import visible
from memtui.tui.given import logging_of
from memtui.tui.launch import make_app
from memtui.tui.machine import Machine
from memtui.tui.present import log as present_log
from memtui.tui.present.blocks import layout
from memtui.tui.present.lines import plain, width
from memtui.tui.screens.log import LogScreen
from memtui.tui.screens.log_line import LogLineScreen
from memtui.tui.screens.refused import RefusedScreen
from memtui.tui.wording.log import EN, ZH

from .conftest import Write, running, screen_text, until
from .making import HOSTILE, NOW

TODAY = dt.datetime.fromtimestamp(NOW, dt.UTC).date()


def logged(memory: Path, days_ago: int, text: str) -> Path:
    path = memory / log_rel(TODAY - dt.timedelta(days=days_ago))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def tree(memory: Path) -> list[Path]:
    return sorted(memory.rglob("*"))


async def opened(pilot: Pilot[None], text: str) -> LogScreen:
    await pilot.press("l")
    await until(pilot, lambda: isinstance(pilot.app.screen, LogScreen) and text in screen_text(pilot))
    screen = pilot.app.screen
    assert isinstance(screen, LogScreen)
    return screen


# --- what it says, without a screen ----------------------------------------------------------------------------------


def test_hostile_text_is_shown_and_obeyed_nowhere() -> None:
    for say in (EN, ZH):
        for read in (
            LogDay(TODAY, log_rel(TODAY), f"- 09:12 {HOSTILE}\n  {HOSTILE}\n{HOSTILE}"),
            LogDay(TODAY, log_rel(TODAY), "", Refused(HOSTILE, where=HOSTILE)),
        ):
            lines = [plain(line) for line in layout(present_log.day_blocks(read, "en", say), 60)]
            assert all(visible(line) == line for line in lines)


def test_an_entry_stands_beside_its_time_and_what_is_none_stands_as_it_is() -> None:
    read = LogDay(TODAY, log_rel(TODAY), "# Notes\n- 09:12 Ran the grid\n  twice\n* Deleted nothing\n")
    lines = [plain(line) for line in layout(present_log.day_blocks(read, "en", EN), 60)]
    assert lines[2:] == ["       # Notes", "09:12  Ran the grid", "       twice", "       Deleted nothing"]
    assert present_log.day_title(read, EN) == (TODAY.isoformat(), "3 entries")


def test_a_day_says_how_long_ago_it_was() -> None:
    row = present_log.day_row(TODAY - dt.timedelta(days=1), 30, cursor=True, today=TODAY, lang="en")
    assert plain(row).split() == ["▸", (TODAY - dt.timedelta(days=1)).isoformat(), "yesterday"]
    assert width(row) == 30


# --- on the screen ---------------------------------------------------------------------------------------------------


async def test_days_stand_newest_first_and_a_line_goes_to_the_end_of_todays(
    memory: Path, write: Write
) -> None:
    write("a")
    logged(memory, 3, "- 08:00 Three days ago\n")
    torn = logged(memory, 0, "- 07:30 Today, by an agent")
    async with running(memory, logging=True) as pilot:
        screen = await opened(pilot, "Today, by an agent")
        assert [day.isoformat() for day in screen._list.rows] == [
            TODAY.isoformat(),
            (TODAY - dt.timedelta(days=3)).isoformat(),
        ]
        await pilot.press("j")
        await until(pilot, lambda: "Three days ago" in screen_text(pilot))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, LogLineScreen))
        await pilot.press("enter")
        await until(pilot, lambda: "there is no text to log" in screen_text(pilot))
        await pilot.press(*"Cleared it", "enter")
        await until(pilot, lambda: "08:00  Cleared it" in screen_text(pilot))
        assert torn.read_text("utf-8") == "- 07:30 Today, by an agent\n- 08:00 Cleared it\n"
        assert f"Logged at 08:00  {log_rel(TODAY)}" in screen_text(pilot)


async def test_nothing_logged_and_switched_off_says_what_fills_it_and_how_to_switch_it_on(
    memory: Path, write: Write
) -> None:
    write("a")
    before = tree(memory)
    async with running(memory, size=(80, 24)) as pilot:
        await opened(pilot, "No day has a log yet.")
        text = screen_text(pilot)
        assert "memtui log TEXT" not in text  # which would be refused
        assert "Set KAIROS=1" in text
        await pilot.press("n")
        await until(pilot, lambda: "the log is switched off" in screen_text(pilot))
        await pilot.press(*"lq n", "enter")  # what is typed all the same is no command
        await until(pilot, lambda: isinstance(pilot.app.screen, LogScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, LogScreen))
    assert tree(memory) == before


async def test_a_log_that_cannot_be_read_says_why_and_a_read_only_view_writes_none(
    memory: Path, write: Write
) -> None:
    write("a")
    path = logged(memory, 1, "")
    path.write_bytes(b"x" * (8 << 20))
    before = tree(memory)
    async with running(memory, logging=True, read_only=True) as pilot:
        await opened(pilot, "This log cannot be read.")
        await pilot.press("n")
        await until(pilot, lambda: "this is a read-only view" in screen_text(pilot))
    assert tree(memory) == before


def test_switched_off_it_names_the_file_that_switches_it_on_and_offers_no_line() -> None:
    for say in (EN, ZH):
        off = present_log.empty_lines(reading=False, switched_on=False, settings="~/.config/x.toml", say=say)
        assert any("~/.config/x.toml" in line for line in off)
        assert say.empty_write not in off
        assert say.empty_write in present_log.empty_lines(reading=False, switched_on=True, say=say)
        assert "dream --model" in say.empty_agents


async def test_a_log_switched_on_while_the_app_runs_takes_a_line_at_once(tmp_path: Path) -> None:
    settings, memory = tmp_path / "config.toml", tmp_path / "memory"
    memory.mkdir()
    machine = Machine(
        {},
        tmp_path,
        lambda: NOW,
        config_of=lambda directory: load_config(settings, directory),
        config_file=settings,
    )
    app = make_app(
        memory,
        clock=lambda: NOW,
        home=tmp_path,
        machine=machine,
        logging=logging_of({}, lambda: machine.config_of(memory)),
    )
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None)
        await opened(pilot, "~/config.toml")
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, RefusedScreen))
        await pilot.press("escape")
        settings.write_text("daily_log = true\n", "utf-8")
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, LogLineScreen))
    assert not app.faults
