"""Every text of every theme can be read: on the background, and on the cursor's row."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.strip import Strip

from memtui.tui import app as app_module
from memtui.tui.wall import Wall
from memtui.tui.widgets.line_input import LineInput
from memtui.tui.widgets.painted import (
    BACKGROUNDS,
    READABLE,
    READABLE_UNDER_CURSOR,
    ROLES,
    SMALL,
    UNREAD,
    LineStrip,
    contrast,
    looks_of,
)

APP: App[None] = App()


def test_contrast_is_that_of_wcag() -> None:
    black, white, grey = Color(0, 0, 0), Color(255, 255, 255), Color(118, 118, 118)
    assert contrast(black, white) == contrast(white, black) == pytest.approx(21)
    assert contrast(white, white) == 1
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize(
    "theme", sorted(name for name in APP.available_themes if not name.startswith("ansi"))
)
def test_every_text_can_be_read_in(theme: str) -> None:
    found = APP.get_theme(theme)
    assert found is not None
    variables = found.to_color_system().generate()
    background = Color.parse(variables["background"])
    name, strength = BACKGROUNDS["cursor-active"]
    row = background.blend(Color.parse(variables[name]), strength)
    made = looks_of(variables)
    for role in ROLES.keys() - UNREAD:
        colour = made[role].color
        assert colour is not None, role
        shown = Color.from_rich_color(colour)
        assert contrast(shown, background) >= READABLE, role
        assert contrast(shown, row) >= (READABLE if role in SMALL else READABLE_UNDER_CURSOR), role


class Asking(App[None]):
    """A line to type into, by the app's own style sheet."""

    CSS_PATH = Path(app_module.__file__).with_name("memtui.tcss")

    def compose(self) -> ComposeResult:
        yield LineInput(placeholder="/ filter")


async def test_what_an_empty_line_says_can_be_read_in_every_theme() -> None:
    app = Asking()
    async with app.run_test() as pilot:
        line = app.query_one(LineInput)
        for theme in sorted(name for name in APP.available_themes if not name.startswith("ansi")):
            app.theme = theme
            await pilot.pause()
            style = line.get_component_rich_style("input--placeholder")
            assert style.color is not None
            assert style.bgcolor is not None
            shown, below = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
            assert contrast(shown, below) >= READABLE, theme


def test_what_need_not_be_read_stays_faint() -> None:
    found = APP.get_theme("textual-dark")
    assert found is not None
    variables = found.to_color_system().generate()
    made, background = looks_of(variables), Color.parse(variables["background"])
    rule, text = made["rule"].color, made["dim"].color
    assert rule is not None
    assert text is not None
    assert contrast(Color.from_rich_color(rule), background) < contrast(
        Color.from_rich_color(text), background
    )


def test_a_line_strip_is_what_textuals_is() -> None:
    segments = [Segment("abc", Style(bold=True)), Segment(" 界x", Style(color="red")), Segment("  ")]
    ours, theirs = LineStrip(list(segments), 9), Strip(segments, 9)
    wall, black = Wall(), Color(0, 0, 0)
    assert ours == theirs
    assert ours.text == theirs.text
    for crop in ((0, 4), (2, 9), (4, 5)):
        assert ours.crop(*crop) == theirs.crop(*crop)
    assert ours.divide([3, 7, 9]) == theirs.divide([3, 7, 9])
    assert ours.adjust_cell_length(12) == theirs.adjust_cell_length(12)
    assert ours.apply_style(Style(italic=True)) == theirs.apply_style(Style(italic=True))
    assert ours.apply_offsets(1, 2) == theirs.apply_offsets(1, 2)
    assert ours.apply_filter(wall, black) == theirs.apply_filter(wall, black)
    assert ours.apply_filter(wall, black) is ours.apply_filter(wall, black)
    assert ours.crop_extend(1, 12, None) == theirs.crop_extend(1, 12, None)
    with pytest.raises(AttributeError):
        _ = ours._no_such_thing
