"""The palette finds by plain words, in both languages, what is called otherwise."""

from __future__ import annotations

from typing import cast

import pytest
from textual.command import CommandPalette, DiscoveryHit, Hit

from memtui.tui.app import MemtuiApp
from memtui.tui.palette import ActionProvider

from .conftest import Write, app_of, browse, running, screen_text, until


async def found(app: MemtuiApp, query: str) -> list[str]:
    provider = ActionProvider(app.screen_stack[0])
    hits = [hit async for hit in provider.search(query)]
    best = sorted((hit for hit in hits if isinstance(hit, Hit)), key=lambda hit: -hit.score)
    return [str(hit.text) for hit in best]


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("light", "Theme: textual-light"),
        ("light", "Theme"),
        ("dark", "Theme: nord"),
        ("colour", "Theme"),
        ("appearance", "Theme"),
        ("delete", "Forget"),
        ("search", "Filter"),
        ("浅色", "Theme: textual-light"),
        ("主题", "Theme"),
        ("删除", "Forget"),
    ],
)
async def test_plain_words_find_what_is_called_otherwise(write: Write, query: str, title: str) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        assert title in await found(app_of(pilot), query)


async def test_light_finds_no_dark_theme_and_titles_come_first(write: Write) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        titles = await found(app_of(pilot), "light")
        themes = [title.removeprefix("Theme: ") for title in titles if title.startswith("Theme: ")]
        assert {name for name in themes if "light" not in name} == {
            name
            for name, theme in pilot.app.available_themes.items()
            if not theme.dark and "light" not in name
        }
        assert (await found(app_of(pilot), "forget"))[0] == "Forget"
        assert await found(app_of(pilot), "zebra") == []
        listed = [hit async for hit in ActionProvider(browse(pilot)).discover()]
        assert not any("Theme:" in str(cast("DiscoveryHit", hit).text) for hit in listed)


async def test_in_chinese_english_words_find_too(write: Write) -> None:
    folder = write("a").parent
    async with running(folder, lang="zh") as pilot:
        assert "主题: textual-light" in await found(app_of(pilot), "light")
        assert "遗忘" in await found(app_of(pilot), "forget")


async def test_a_theme_taken_in_the_palette_is_put_on(write: Write) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        await pilot.press(*"textual-light")
        await until(pilot, lambda: "Theme: textual-light" in screen_text(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.theme == "textual-light")
