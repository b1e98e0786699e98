"""What changed comes onto the screen, all of it and at once: one paint a key, and no layout (design §7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from textual import events
from textual._compositor import Compositor, LayoutUpdate
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.strip import Strip

from memtui.tui.compositor import ExactCompositor, Pieces
from memtui.tui.screens.following import AT_ONCE_BYTES
from memtui.tui.screens.reading import CLAIMS_AFTER
from memtui.tui.widgets.memory_list import MemoryList

from .conftest import Write, browse, running, screen_text, until

Cell = tuple[str, object]


def cells_of(segments: Iterable[Segment]) -> list[Cell]:
    """Each cell's sign and look; the second cell of a wide sign is empty."""
    cells: list[Cell] = []
    for text, style, _ in segments:
        for char in text:
            cells.append((char, style))
            cells.extend([("", style)] * (Segment(char).cell_length - 1))
    return cells


def whole(compositor: Compositor) -> list[list[Cell]]:
    """A screen as Textual itself paints it: every widget, and of each place what comes first."""
    chops = Compositor._render_chops(compositor, compositor.size.region, lambda _: True)
    return [cells_of(Strip.join(chop.values())) for chop in chops]


class Seen:
    """What a terminal shows that got every update since."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.compositor = pilot.app.screen._compositor
        assert isinstance(self.compositor, ExactCompositor)
        self.grid = self.whole()
        self.paints: list[str] = []
        self.layouts = 0
        self._render: Callable[..., Any] = self.compositor.render_update
        self._reflow: Callable[..., Any] = self.compositor.reflow
        self.compositor.render_update = self._painted  # type: ignore[method-assign]
        self.compositor.reflow = self._laid_out  # type: ignore[assignment,method-assign]

    def whole(self) -> list[list[Cell]]:
        return whole(self.compositor)

    @property
    def text(self) -> str:
        return "\n".join("".join(sign for sign, _ in row) for row in self.grid)

    def _laid_out(self, *arguments: Any) -> Any:
        self.layouts += 1
        return self._reflow(*arguments)

    def _painted(self, *arguments: Any, **named: Any) -> Any:
        update = self._render(*arguments, **named)
        if isinstance(update, LayoutUpdate):
            self.grid = [cells_of(segment for strip in row for segment in strip) for row in update.strips]
        elif isinstance(update, Pieces):
            for (y, start, end), strip in update.strips:
                shown = cells_of(strip)
                assert len(shown) == end - start
                self.grid[y][start:end] = shown
        self.paints.append(self.text)
        return update


@pytest.fixture
def some(memory: Path, write: Write) -> Path:
    for number in range(40):
        text = f"Text number {number}.\n\n- one `{number}`\n" + "- 一行文字\n" * (number * 7 % 60)
        write(f"m{number:02}", content=text, days=number, description=f"about {number}")
    return memory


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_what_was_updated_in_parts_is_what_the_screen_is(some: Path, size: tuple[int, int]) -> None:
    async with running(some, size=size) as pilot:
        seen = Seen(pilot)
        for keys in (
            ["j", "j", "k", "G", "k", "g"],
            ["slash", "4", "backspace", "3", "enter", "j", "escape"],
            ["space", "space", "S", "s", "H", "H"],
            ["tab", "j", "pagedown", "tab", "j", "escape", "pagedown", "j"],
        ):
            await pilot.press(*keys)
            await pilot.pause()
            assert seen.grid == seen.whole()
        assert len(seen.paints) > 10


@pytest.mark.parametrize("size", [(60, 16), (100, 30), (140, 40)])
async def test_a_whole_paint_is_what_textual_would_have_painted(some: Path, size: tuple[int, int]) -> None:
    async with running(some, size=size) as pilot:
        pilot.app.notify("in front of all", timeout=600)
        for key in ("j", "tab", "question_mark", "escape", "d", "escape", "p", "slash"):
            await pilot.press(key)
            await pilot.pause()
            compositor = pilot.app.screen._compositor
            painted = compositor.render_full_update()
            lines = [cells_of(segment for strip in row for segment in strip) for row in painted.strips]
            assert lines == whole(compositor), key


async def test_a_toast_above_the_list_stays_while_rows_below_it_change(some: Path) -> None:
    async with running(some, size=(80, 24)) as pilot:
        pilot.app.notify("look at me", timeout=600)
        await until(pilot, lambda: bool(pilot.app.screen.query("Toast")))
        await pilot.press("G")
        await pilot.pause()
        seen = Seen(pilot)
        await pilot.press("k", "k", "k", "g", "j")
        await pilot.pause()
        assert "look at me" in seen.text
        assert seen.grid == seen.whole()


async def test_a_cursor_key_shows_row_and_memory_in_one_paint_and_lays_nothing_out(some: Path) -> None:
    async with running(some, size=(110, 40)) as pilot:
        for number in range(1, 12):
            # A key that comes while the one before it is worked on may show its row first.
            await pilot.pause()
            seen = Seen(pilot)

            def moved(paint: str, name: str = f"m{number:02}") -> bool:
                return any("▸" in line and name in line for line in paint.splitlines())

            await pilot.press("j")
            await until(pilot, lambda seen=seen, moved=moved: any(map(moved, seen.paints)))  # type: ignore[misc]
            # What the background tells meanwhile may have been painted before.
            first = next(paint for paint in seen.paints if moved(paint))
            assert any(f"▸ {tier}" in first for tier in ("HOT", "WARM", "COOL"))
            assert f"Text number {number}." in first
            assert f"Text number {number - 1}." not in first
            assert seen.layouts == 0


async def test_a_cursor_key_is_done_where_it_arrives_and_the_screen_alone_hears_of_it(
    some: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, str]] = []
    dispatch = MessagePump._dispatch_message

    async def note(pump: MessagePump, message: Message) -> None:
        if not isinstance(message, events.Callback):  # what the pilot waits by
            heard.append((type(pump).__name__, type(message).__name__))
        await dispatch(pump, message)

    async with running(some, size=(110, 40)) as pilot:
        await pilot.press("j")
        await pilot.pause(CLAIMS_AFTER)
        await pilot.pause()
        monkeypatch.setattr(MessagePump, "_dispatch_message", note)
        await pilot.press("j")
        await until(pilot, lambda: "Text number 2." in screen_text(pilot))
        assert [pump for pump, message in heard if message == "Key"] == ["MemtuiApp"]
        assert [pump for pump, message in heard if message == "CursorMoved"] == ["BrowseScreen"]
        assert "Update" not in {message for _, message in heard}


async def test_a_letter_of_the_filter_and_its_rows_come_in_one_paint_and_nothing_is_laid_out(
    some: Path,
) -> None:
    async with running(some, size=(140, 40)) as pilot:
        await pilot.press("slash", *"abou")
        await pilot.pause()
        for key, typed, count in (
            ("t", "about", "─ 40 ─"),
            ("space", "about ", "─ 40 ─"),
            ("7", "about 7", "4 of 40"),
            ("backspace", "about ", "─ 40 ─"),
        ):
            seen = Seen(pilot)
            await pilot.press(key)

            def typed_in(paint: str, typed: str = typed) -> bool:
                return paint.splitlines()[2][:40].strip() == typed.strip()

            await until(pilot, lambda seen=seen, typed_in=typed_in: any(map(typed_in, seen.paints)))  # type: ignore[misc]
            # What the background tells meanwhile may have been painted before, with the letters and rows of then.
            assert all(count in paint for paint in seen.paints if typed_in(paint))
            assert seen.layouts == 0


async def test_while_keys_wait_the_row_runs_ahead_and_the_last_memory_is_shown(some: Path) -> None:
    async with running(some, size=(140, 40)) as pilot:
        seen = Seen(pilot)
        for _ in range(20):
            pilot.app.post_message(events.Key("j", "j"))
        await until(pilot, lambda: "Text number 20." in seen.text)
        assert browse(pilot).query_one(MemoryList).index == 20
        shown = sum(
            any(f"Text number {number}." in paint for paint in seen.paints) for number in range(1, 20)
        )
        assert shown < 19


async def test_of_a_long_memory_the_row_is_painted_before_its_text(memory: Path, write: Write) -> None:
    write("short", content="Short text.")
    write("long", content="Long text.\n\n" + "word " * AT_ONCE_BYTES, days=2)
    async with running(memory, size=(140, 40)) as pilot:
        seen = Seen(pilot)
        await pilot.press("j")
        await until(pilot, lambda: "Long text." in seen.text)
        assert "Short text." in seen.paints[0]


@pytest.mark.parametrize("keys", [("question_mark", "f9"), ("T", "question_mark", "f9")])
async def test_what_stands_behind_dialogs_shows_through_though_only_those_behind_have_changed(
    some: Path, keys: tuple[str, ...]
) -> None:
    async with running(some, size=(80, 24)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        app = pilot.app
        *behind, front = app.screen_stack
        assert len(behind) == len(keys)
        for changed in behind[1:]:  # as a resize does, when the one in front is painted already
            changed.refresh(layout=True)
            front._set_dirty()  # to be painted again, with what shows through it kept
            painted = front._compositor.render_update(full=True, screen_stack=app._background_screens)
            assert isinstance(painted, LayoutUpdate)
            lines = ["".join(part.text for strip in row for part in strip) for row in painted.strips]
            assert lines[0].startswith(" memtui")
            assert "Help" in lines[1]
