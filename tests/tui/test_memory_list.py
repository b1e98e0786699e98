"""The Line-API list: the cursor stays on its memory across reloads, cost is what is visible (design §3, needs 21)."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.facts import NO_FACTS
from memtui.tui.filtering import SORTS
from memtui.tui.messages import CursorMoved, RowOpened
from memtui.tui.widgets.memory_list import MemoryList

from .making import HOSTILE, NOW, make


class ListApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[str | None] = []
        self.opened: list[str] = []

    def compose(self) -> ComposeResult:
        yield MemoryList()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self.told.append(message.entry.slug if message.entry else None)

    def on_row_opened(self, message: RowOpened) -> None:
        assert message.entry
        self.opened.append(message.entry.slug)

    @property
    def list(self) -> MemoryList:
        return self.query_one(MemoryList)

    def put(self, *entries: MemoryEntry) -> None:
        self.list.show(entries, {}, sort=SORTS[0], now=NOW, empty=("Nothing here.",))


def many(count: int, first: int = 0) -> list[MemoryEntry]:
    return [make(f"m{number:05}") for number in range(first, first + count)]


def at(app: ListApp) -> str:
    assert app.list.cursor
    return app.list.cursor.slug


def on_screen(app: ListApp) -> int:
    return app.list.index - app.list.scroll_offset.y


async def test_cursor_and_scroll_stay_on_the_memory_when_others_come_and_go() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.put(*many(100, 100))
        await pilot.pause()
        app.list.move_to(50)
        app.list.move(-3)
        await pilot.pause()
        slug, line = at(app), on_screen(app)
        app.put(*many(30), *many(100, 100))
        await pilot.pause()
        assert (at(app), on_screen(app)) == (slug, line)
        app.put(*many(60, 130))
        await pilot.pause()
        assert (at(app), on_screen(app)) == (slug, line)


async def test_when_its_memory_goes_the_cursor_takes_the_next() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        entries = many(5)
        app.put(*entries)
        app.list.move_to(2)
        app.put(*entries[:2], *entries[3:])
        await pilot.pause()
        assert at(app) == "m00003"
        app.put(*entries[:2])
        await pilot.pause()
        assert at(app) == "m00001"
        assert app.told[-1] == "m00001"


async def test_a_memory_that_changed_while_a_filter_hid_it_gets_the_cursor_back() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)):
        old, new = many(10), many(10)  # equal, and other objects: the directory was read again

        def put(entries: list[MemoryEntry], among: object) -> None:
            narrowed = len(entries) < len(old)
            app.list.show(entries, {}, sort=SORTS[0], now=NOW, narrowed=narrowed, among=among)

        put(old, old)
        app.list.move_to(6)
        put(old[:3], old)
        assert at(app) == "m00002"
        put(old, old)
        assert (at(app), app.list.index) == ("m00006", 6)
        put(old[:3], old)
        put(new[:3], new)
        assert app.list.cursor is new[2]
        put(new[:4], new)
        put(new, new)
        assert app.list.cursor is new[6]


async def test_moving_ends_at_the_ends() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.put(*many(40))
        app.list.move(-1)
        assert app.list.index == 0
        app.list.move_to_end(last=True)
        app.list.move(1)
        assert app.list.index == 39
        await pilot.pause()
        assert on_screen(app) == 19
        app.list.move_page(-1)
        assert app.list.index == 20
        assert app.list.select(lambda entry: entry.slug == "m00007")
        assert app.list.index == 7
        assert not app.list.select(lambda entry: entry.slug == "zzz")


async def test_an_empty_list_says_so_and_has_no_cursor() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.put(*many(3))
        app.put()
        await pilot.pause()
        assert app.list.cursor is None
        assert app.told[-1] is None
        assert any("Nothing here." in app.list.render_line(y).text for y in range(20))
        app.list.move(1)
        app.put(*many(3))
        await pilot.pause()
        assert at(app) == "m00000"


async def test_a_click_selects_and_a_double_click_opens() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.put(*many(5))
        await pilot.pause()
        await pilot.click(MemoryList, offset=(5, 3))
        assert at(app) == "m00003"
        assert app.opened == []
        await pilot.click(MemoryList, offset=(5, 2), times=2)
        assert app.opened == ["m00002"]
        await pilot.click(MemoryList, offset=(5, 15))
        assert at(app) == "m00002"


@pytest.mark.parametrize("size", [(20, 5), (80, 24), (160, 48)])
async def test_hostile_names_are_painted_harmless(size: tuple[int, int]) -> None:
    app = ListApp()
    async with app.run_test(size=size) as pilot:
        app.put(make(HOSTILE, name=HOSTILE, description=HOSTILE), make("b", name="我" * 90))
        await pilot.pause()
        for y in range(2):
            strip = app.list.render_line(y)
            assert visible(strip.text) == strip.text
            assert strip.cell_length == app.list.scrollable_content_region.width


async def test_rows_far_below_cost_nothing() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.put(*many(10_000))
        await pilot.pause()
        app.list.move_to(9_000)
        await pilot.pause()
        assert len(app.list._strips) < 100
        assert NO_FACTS.flags == frozenset()
