"""Lines of cells: clipping, spreading and breaking count cells, never characters (design §6)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.tui.present.lines import (
    _wrap_any,
    clip,
    clip_line,
    clip_start,
    fit,
    hard_wrap,
    join,
    plain,
    spread,
    width,
    wrap,
)

TEXTS = st.text(alphabet=st.sampled_from("ab c,.-我们，。é—🎉\u0301"), max_size=80)


@given(TEXTS, st.integers(1, 60))
def test_clip_never_exceeds_its_cells(text: str, cells: int) -> None:
    assert cell_len(clip(text, cells)) <= cells


@given(TEXTS, st.integers(0, 60))
def test_fit_takes_exactly_its_cells(text: str, cells: int) -> None:
    assert cell_len(fit(text, cells)) == cells


@given(TEXTS, st.integers(2, 40))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, cells: int) -> None:
    lines = wrap(((text, ""),), cells)
    assert all(width(line) <= cells for line in lines)
    assert "".join(map(plain, lines)).replace(" ", "") == text.replace(" ", "")


@given(TEXTS, st.integers(2, 40))
def test_hard_wrapped_pieces_fit_and_lose_nothing(text: str, cells: int) -> None:
    pieces = hard_wrap(text, cells)
    assert "".join(pieces) == text
    assert all(cell_len(piece) <= cells for piece in pieces)


def test_clip_puts_an_ellipsis_where_something_is_left_out() -> None:
    assert clip("integration tests", 11) == "integratio…"
    assert clip("我们的数据库", 8) == "我们的…"
    assert clip("short", 11) == "short"


def test_clip_line_keeps_roles() -> None:
    line = (("one ", "a"), ("two three", "b"))
    assert clip_line(line, 8) == (("one ", "a"), ("two…", "b"))


def test_spread_puts_both_ends_at_the_edges_and_the_left_gives_way() -> None:
    line = spread((("left", ""),), (("right", ""),), 20)
    assert plain(line) == "left           right"
    assert plain(spread((("a long left end", ""),), (("right", ""),), 12)) == "a lon… right"


def test_words_that_change_their_role_stay_together() -> None:
    lines = wrap((("see ", ""), ("bold", "strong"), (", then", "")), 9)
    assert [plain(line) for line in lines] == ["see bold,", "then"]


def test_chinese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    lines = [plain(line) for line in wrap((("测试必须使用真实数据库。", ""),), 22)]
    assert lines == ["测试必须使用真实数据", "库。"]


def test_continued_lines_are_indented() -> None:
    lines = [plain(line) for line in wrap((("one two three", ""),), 8, indent="  ")]
    assert lines == ["one two", "  three"]


@given(
    st.text("ab cd  中文，。”’…\u2014\u3000(é\u0301👍\u200d\t", max_size=80),
    st.integers(1, 24),
    st.integers(0, 80),
)
def test_a_line_is_broken_alike_whether_its_text_is_one_part_or_two(text: str, cells: int, at: int) -> None:
    while 0 < at < len(text) and not (
        text[at - 1].isascii() and text[at - 1].isalpha() and text[at].isalpha()
    ):
        at -= 1  # a cut within a word is none between words
    if 0 < at < len(text) and text[at].isascii():
        whole, cut = wrap(((text, "r"),), cells), wrap(((text[:at], "r"), (text[at:], "r")), cells)
        assert whole == [join(line) for line in cut]  # what fits into one line is given back as it is


@given(
    st.lists(
        st.tuples(st.text("abc de  ,.'’“—`-中 \t\u200b。", max_size=30), st.sampled_from("xyz")), max_size=4
    ),
    st.integers(2, 40),
)
def test_the_short_way_breaks_a_line_as_the_way_word_by_word(
    parts: list[tuple[str, str]], cells: int
) -> None:
    line = tuple(parts)
    assert wrap(line, cells) == ([line] if width(line) <= cells else _wrap_any(line, cells, ""))


@given(TEXTS, st.integers(0, 60))
def test_a_path_keeps_its_end_and_never_exceeds_its_cells(text: str, cells: int) -> None:
    kept = clip_start(text, cells)
    assert cell_len(kept) <= cells
    assert kept == text or text.endswith(kept.removeprefix("…"))
    assert (kept == text) == (cell_len(text) <= cells)


def test_of_a_path_the_folders_above_give_way() -> None:
    assert clip_start("~/work/数据 · ab", 12) == "…k/数据 · ab"
    assert clip_start("~/work/数据 · ab", 16) == "~/work/数据 · ab"
