"""Keys that come faster than the app works them off reach what they were meant for (reliability §3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from memtui.tui.screens.confirm import ConfirmScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.typeahead import TypeAhead
from memtui.tui.widgets.editor import Editor
from memtui.tui.widgets.filter_line import FilterLine

from .conftest import Write, rows, running, until


@pytest.fixture
def two(memory: Path, write: Write) -> Path:
    write("tests", name="Integration tests", content="No mocks.")
    write("style", name="Style", content="Short.", days=3)
    return memory


def at_once(pilot: Pilot[None], *keys: str) -> None:
    """Put keys into the app's queue in one go, as a terminal does after the app was busy."""
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))


async def test_a_filter_typed_together_with_its_key_is_a_filter_and_no_commands(two: Path) -> None:
    async with running(two) as pilot:
        at_once(pilot, "slash", *"dyse")
        line = pilot.app.screen.query_one(FilterLine)
        await until(pilot, lambda: line.value == "dyse")
        assert not isinstance(pilot.app.screen, ConfirmScreen)
        assert (two / "tests.md").exists()


async def test_keys_typed_together_with_the_end_of_a_filter_are_commands(two: Path) -> None:
    async with running(two) as pilot:
        at_once(pilot, "slash", *"sty", "enter", "e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        line = pilot.app.screen_stack[0].query_one(FilterLine)
        assert line.value == "sty"


async def test_text_typed_together_with_the_key_that_opens_the_editor_is_in_it(two: Path) -> None:
    async with running(two) as pilot:
        at_once(pilot, "e", *"abc")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        await until(pilot, lambda: pilot.app.screen.query_one(Editor).text.startswith("abcNo mocks."))


async def test_a_question_is_answered_by_the_keys_behind_it_and_the_next_key_is_a_command_again(
    two: Path,
) -> None:
    async with running(two) as pilot:
        at_once(pilot, "d", "n", "j", "d", "y")
        await until(pilot, lambda: rows(pilot) == ["tests"])
        assert (two / "tests.md").exists()


async def test_what_is_pasted_comes_behind_the_key_before_it(two: Path) -> None:
    async with running(two) as pilot:
        at_once(pilot, "slash")
        pilot.app.post_message(Paste("sty"))
        at_once(pilot, "l")
        line = pilot.app.screen.query_one(FilterLine)
        await until(pilot, lambda: line.value == "styl")


async def test_a_walk_that_is_slow_but_goes_on_is_not_begun_anew(
    two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a key that opens something came too late for ever: each second began the walk anew."""
    begun: list[int] = []
    set_out = TypeAhead._set_out

    def counted(self: TypeAhead) -> None:
        begun.append(1)
        set_out(self)

    step = TypeAhead._step

    def slow(self: TypeAhead, way: Iterator[MessagePump], walk: int) -> None:
        if walk == self._walk:
            pilot.app.set_timer(0.03, lambda: step(self, way, walk))

    monkeypatch.setattr("memtui.tui.typeahead.LOST_AFTER", 0.1)
    monkeypatch.setattr(TypeAhead, "_set_out", counted)
    monkeypatch.setattr(TypeAhead, "_step", slow)
    async with running(two) as pilot:
        at_once(pilot, "slash", *"sty")
        line = pilot.app.screen.query_one(FilterLine)
        await until(pilot, lambda: line.value == "sty")
    assert len(begun) <= 4
