"""The last walls: whatever a widget paints, nothing that a terminal obeys gets through (reliability §3)."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.containers import VerticalScroll
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import DataTable, Input, OptionList, Static, TextArea

from memtui.memory.text import visible
from memtui.tui.wall import AsciiOnly, Together, Wall

from .making import HOSTILE

BLACK = Color(0, 0, 0)


def through(wall: LineFilter, text: str, style: Style | None = None) -> Segment:
    return wall.apply([Segment(text, style)], BLACK)[0]


@given(st.text(max_size=40))
def test_nothing_unsafe_passes_and_the_width_stays(text: str) -> None:
    before = Segment(text).cell_length
    after = through(Wall(), text)
    assert visible(after.text) == after.text
    assert after.cell_length == before


@given(st.text(max_size=40))
def test_ascii_signs_and_the_width_stays(text: str) -> None:
    shown = visible(text)
    after = through(AsciiOnly(), shown)
    assert all(char.isascii() or unicodedata.category(char)[0] in "LMN" for char in after.text)
    assert after.cell_length == Segment(shown).cell_length


def test_ascii_mode_keeps_letters_as_wide_as_they_are() -> None:
    assert through(AsciiOnly(), "我们，é → ✓").text == "我们, é > +"


def test_a_hyperlink_loses_its_address_and_keeps_its_look() -> None:
    after = through(Wall(), "text", Style(bold=True, link="http://evil.example"))
    assert after.style is not None
    assert after.style.link is None
    assert after.style.bold


def test_what_is_harmless_is_the_same_object() -> None:
    segment = Segment("plain 我们 ✓", Style(bold=True))
    assert Wall().apply([segment], BLACK)[0] is segment


class StockApp(App[None]):
    """Widgets of Textual's own, given hostile text with no border in front of them."""

    def get_line_filters(self) -> list[LineFilter]:
        return [*super().get_line_filters(), Wall()]

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(Content(HOSTILE, strip_control_codes=False))
            yield Input(HOSTILE)
            yield TextArea(HOSTILE)
            yield OptionList(Content(HOSTILE, strip_control_codes=False))
            yield DataTable()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_column("Column")
        table.add_row(Content(HOSTILE, strip_control_codes=False))


async def test_without_the_first_wall_the_last_one_holds_for_stock_widgets() -> None:
    app = StockApp()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        text = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "owned" in text
        for line in text.split("\n"):
            assert visible(line) == line


def test_filters_together_are_what_they_are_one_after_the_other() -> None:
    text = "é → \x1b[31m ✓"
    one_by_one = Wall().apply(AsciiOnly().apply([Segment(text)], BLACK), BLACK)
    assert Together([AsciiOnly(), Wall()]).apply([Segment(text)], BLACK) == one_by_one
    assert Together([]).apply([Segment(text)], BLACK) == [Segment(text)]
    assert Together([]).enabled  # as Textual asks of each before it lays it over a line
