"""The view of differences: what changed shows by look and by sign, whatever the texts hold and however long they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from memtui.memory.text import visible
from memtui.memory.versions.diffrows import Pair, Row, side_by_side, unified
from memtui.memory.versions.worddiff import compare
from memtui.tui.present.diff_lines import (
    Prepared,
    hard_heights,
    hard_lines,
    length_of,
    number_cells,
    row_lines,
    text_parts,
)
from memtui.tui.present.lines import plain, width
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.wording.diff import EN, ZH

from .making import HOSTILE

OLD = "Use a real database.\nNever mock it.\n" + "".join(f"line {n}\n" for n in range(12)) + "last\n"
NEW = OLD.replace("a real", "the real").replace("last", "the last one of all")


class Host(App[None]):
    def __init__(self, view: DiffView) -> None:
        super().__init__()
        self.view = view

    def compose(self) -> ComposeResult:
        yield self.view


@asynccontextmanager
async def shown(
    rows: Sequence[Row] | Sequence[Pair], *, size: tuple[int, int] = (60, 20), signs: bool | None = None
) -> AsyncIterator[DiffView]:
    view = DiffView(signs=signs)
    async with Host(view).run_test(size=size) as pilot:
        await pilot.pause()
        view.show(rows, key=1)
        await pilot.pause()
        yield view


def texts(view: DiffView) -> list[str]:
    return [plain(line).rstrip() for line in view.lines]


async def test_unified_rows_have_number_and_sign() -> None:
    async with shown(unified(compare(OLD, NEW), 1)) as view:
        assert texts(view) == [
            " 1 - Use a real database.",
            " 1 + Use the real database.",
            " 2   Never mock it.",
            "  ⋯ 11 equal lines",
            "14   line 11",
            "15 - last",
            "15 + the last one of all",
        ]


async def test_side_by_side_has_counterparts_beside_each_other() -> None:
    async with shown(side_by_side(compare(OLD, NEW), 1), size=(80, 20)) as view:
        first = texts(view)[0]
        left, right = first.split("│")
        assert left.rstrip() == " 1 - Use a real database."
        assert right == "  1 + Use the real database."
        assert all(width(line) <= view.cells for line in view.lines)


async def test_without_colours_changed_words_stand_in_signs() -> None:
    async with shown(unified(compare("a real one", "the real one")), signs=True) as view:
        assert texts(view) == ["1 - [-a-] real one", "1 + {+the+} real one"]


async def test_no_color_brings_the_signs_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with shown(unified(compare("a real one", "the real one"))) as view:
        assert texts(view)[0] == "1 - [-a-] real one"


async def test_changed_words_have_a_look_of_their_own() -> None:
    row = unified(compare("a real one", "the real one"))[1]
    assert text_parts(row, signs=False) == (("the", "added-word"), (" real one", ""))


async def test_equal_texts_say_so() -> None:
    async with shown(()) as view:
        assert texts(view) == ["both are equal"]


async def test_next_change_goes_from_one_to_the_next_and_back() -> None:
    old = "".join(f"{n}\n" for n in range(100))
    new = old.replace("30\n", "x\n").replace("70\n", "y\n")
    async with shown(unified(compare(old, new), None)) as view:
        assert view.next_change(1)
        assert view.scroll_offset.y == 29
        assert view.next_change(1)
        assert view.scroll_offset.y == 70
        assert not view.next_change(1)
        assert view.next_change(-1)
        assert view.scroll_offset.y == 29
        assert not view.next_change(-1)


async def test_hostile_text_shows_safely() -> None:
    async with shown(unified(compare(HOSTILE, f"{HOSTILE} x")), size=(30, 20)) as view:
        joined = "".join(texts(view))
        assert "\x1b" not in joined
        assert "\u202e" not in joined
        assert "[/]" in joined


async def test_a_line_of_a_megabyte_and_100_000_lines_show() -> None:
    long = "word " * 200_000
    async with shown(unified(compare(long, f"{long}end")), size=(60, 10)) as view:
        view.move_to_end(last=True)
        assert "end" in "".join(strip_text(view))
    many = "".join(f"line {n}\n" for n in range(100_000))
    async with shown(unified(compare(many, many.replace("line", "row"))), size=(60, 10)) as view:
        view.move_to_end(last=True)
        assert "row 99999" in "".join(strip_text(view))


def strip_text(view: DiffView) -> list[str]:
    return [view.render_line(y).text for y in range(view.rows_shown)]


async def test_resizing_breaks_lines_anew() -> None:
    view = DiffView()
    async with Host(view).run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        view.show(unified(compare("", "some words that are long enough to be broken\n" * 30)), key=1)
        before = view.virtual_size.height
        await pilot.resize_terminal(24, 10)
        await pilot.pause()
        assert view.virtual_size.height > before
        assert all(width(line) <= view.cells for line in view.lines)


LINES = st.text(st.sampled_from("ab 数据。\u0301\t\r\x1b"), max_size=80)


@given(LINES, st.integers(4, 30))
def test_hard_lines_lose_nothing_and_fit(text: str, cells: int) -> None:
    shown_text = visible(text)
    line = ((shown_text[:7], "a"), (shown_text[7:], "b")) if len(shown_text) > 7 else ((shown_text, "a"),)
    pieces = hard_lines(line, cells)
    assert "".join(map(plain, pieces)) == shown_text
    assert all(width(piece) <= cells for piece in pieces)


@given(LINES, st.integers(12, 40))
def test_heights_worked_out_quickly_are_true(text: str, cells: int) -> None:
    row = Row("added", text, None, 7)
    lines = row_lines(row, cells, 3, EN, signs=False, hard=True)
    prepared = Prepared((row,), 3, (), ([length_of(row)],))
    assert hard_heights(prepared, (cells,)) == [len(lines)]


@given(LINES, LINES, st.integers(4, 30), st.integers(4, 30))
def test_heights_side_by_side_are_those_of_the_higher_side(old: str, new: str, left: int, right: int) -> None:
    pair = Pair(Row("removed", old, 1, None), Row("added", new, None, 1))
    assert pair.left is not None
    assert pair.right is not None
    prepared = Prepared((pair,), 1, (), ([length_of(pair.left)], [length_of(pair.right)]))
    high = [
        len(row_lines(row, cells, 1, EN, signs=False, hard=True))
        for row, cells in ((pair.left, left), (pair.right, right))
    ]
    assert hard_heights(prepared, (left, right)) == [max(high)]


def test_numbers_take_the_room_they_need() -> None:
    assert number_cells(unified(compare("a\n" * 9, "a\n" * 10))) == 2
    assert number_cells((Row("added", "x"),)) == 0


def test_both_languages_have_the_same_places() -> None:
    for name in EN.names():
        english, chinese = getattr(EN, name), getattr(ZH, name)
        assert sorted(part.split("}")[0] for part in english.split("{")[1:]) == sorted(
            part.split("}")[0] for part in chinese.split("{")[1:]
        )
