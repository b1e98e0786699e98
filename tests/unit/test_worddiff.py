"""Differences of two texts (design §3, History): by lines and words, exact for small ones, bounded for all."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.versions.diffrows import Diff, Row, side_by_side, unified
from memtui.memory.versions.matching import match
from memtui.memory.versions.worddiff import changed_words, compare, compare_fields, split_words

TEXTS = st.text(st.sampled_from("ab \n\r一二。é\u0301\t"), max_size=60) | st.text(max_size=40)


def signs(diff: Diff, context: int | None = None) -> list[str]:
    letters = {"same": " ", "removed": "-", "added": "+", "gap": "@"}
    return [letters[row.kind] + row.text for row in unified(diff, context)]


def words(row: Row) -> list[str] | None:
    return None if row.changed is None else [row.text[start:end] for start, end in row.changed]


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_off_the_rows(old: str, new: str) -> None:
    rows = unified(compare(old, new), None)
    olds = [row.text for row in rows if row.kind in {"same", "removed"}]
    news = [row.text for row in rows if row.kind in {"same", "added"}]
    assert olds == old.removesuffix("\n").split("\n") if old else olds == []
    assert news == new.removesuffix("\n").split("\n") if new else news == []
    assert [row.old for row in rows if row.old is not None] == list(range(1, len(olds) + 1))
    assert [row.new for row in rows if row.new is not None] == list(range(1, len(news) + 1))


@given(TEXTS, TEXTS)
def test_side_by_side_holds_the_same_rows(old: str, new: str) -> None:
    diff = compare(old, new)
    left = [pair.left for pair in side_by_side(diff, None) if pair.left is not None]
    right = [pair.right for pair in side_by_side(diff, None) if pair.right is not None]
    rows = unified(diff, None)
    assert left == [row for row in rows if row.kind != "added"]
    assert right == [row for row in rows if row.kind != "removed"]


@given(TEXTS, TEXTS)
def test_what_is_not_marked_in_two_lines_is_equal_but_for_spaces(old: str, new: str) -> None:
    def rest(text: str, spans: tuple[tuple[int, int], ...]) -> str:
        for start, end in reversed(spans):
            text = text[:start] + text[end:]
        return "".join(text.split())

    gone, come = changed_words(old, new)
    assert rest(old, gone) == rest(new, come)
    for text, spans in ((old, gone), (new, come)):
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(first[1] <= second[0] for first, second in pairwise(spans))


@given(st.lists(st.integers(0, 3), max_size=30), st.lists(st.integers(0, 3), max_size=30))
def test_small_sequences_are_matched_by_the_longest_common_part(a: list[int], b: list[int]) -> None:
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            best[i][j] = best[i + 1][j + 1] + 1 if a[i] == b[j] else max(best[i + 1][j], best[i][j + 1])
    found = match(a, b)
    assert found.exact
    assert sum(length for _, _, length in found.blocks) == best[0][0]
    for i, j, length in found.blocks:
        assert a[i : i + length] == b[j : j + length]


@pytest.mark.parametrize("kinds", [2, 20, 200, 2000])
def test_long_sequences_are_matched_truthfully_and_in_order(kinds: int) -> None:
    rnd = random.Random(kinds)
    a = [rnd.randrange(kinds) for _ in range(1000)]
    b = [rnd.randrange(kinds) for _ in range(1000)]
    last = (0, 0)
    for i, j, length in match(a, b).blocks:
        assert i >= last[0]
        assert j >= last[1]
        assert a[i : i + length] == b[j : j + length]
        last = (i + length, j + length)


def test_words_of_a_changed_line_are_marked() -> None:
    old, new = unified(compare("the quick brown fox\n", "the slow brown dog\n"))
    assert (old.kind, words(old)) == ("removed", ["quick", "fox"])
    assert (new.kind, words(new)) == ("added", ["slow", "dog"])


def test_chinese_is_compared_by_character() -> None:
    old, new = unified(compare("我们使用真实数据库进行集成测试。", "我们使用内存数据库进行所有集成测试。"))
    assert words(old) == ["真实"]
    assert words(new) == ["内存", "所有"]


def test_words_with_only_a_space_between_are_one_change() -> None:
    old, new = unified(compare("keep one two same words here", "keep three four same words here"))
    assert words(old) == ["one two"]
    assert words(new) == ["three four"]


def test_a_short_word_between_two_long_changes_does_not_break_them() -> None:
    old, new = unified(
        compare(
            "Integration: mocks are fine for the API client", "Integration: no mocking; the migration broke"
        ),
    )
    assert words(old) == ["mocks are fine for the API client"]
    assert words(new) == ["no mocking; the migration broke"]


def test_an_insertion_marks_nothing_in_the_old_line() -> None:
    old, new = unified(compare("never push on Friday", "never push to main on Friday"))
    assert words(old) == []
    assert words(new) == ["to main"]


def test_lines_that_have_little_in_common_are_not_compared_by_word() -> None:
    rows = unified(compare("alpha beta gamma\n", "完全不同的一行\n"))
    assert [row.changed for row in rows] == [None, None]


def test_a_changed_line_finds_its_counterpart_among_new_ones() -> None:
    diff = compare(
        "Use a real database in tests.\n",
        "# Testing\n\nUse a real database in integration tests.\n",
    )
    pair = next(pair for pair in side_by_side(diff) if pair.left is not None)
    assert pair.right is not None
    assert pair.right.text == "Use a real database in integration tests."
    assert signs(diff) == [
        "+# Testing",
        "+",
        "-Use a real database in tests.",
        "+Use a real database in integration tests.",
    ]


def test_marks_and_joined_emoji_stay_together() -> None:
    assert split_words("cafe\u0301 👩\u200d💻 数据") == ["cafe\u0301", " ", "👩\u200d💻", " ", "数", "据"]


def test_the_shortest_difference_is_found() -> None:
    assert signs(compare("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n")) == [" a", "-b", "+x", " c", " d", "+e"]


def test_equal_lines_far_from_changes_become_a_gap() -> None:
    old = "".join(f"{n}\n" for n in range(20))
    new = old.replace("10\n", "ten\n")
    assert signs(compare(old, new), 2) == ["@", " 8", " 9", "-10", "+ten", " 11", " 12", "@"]
    assert [row.hidden for row in unified(compare(old, new), 2) if row.kind == "gap"] == [8, 7]


def test_a_gap_of_one_line_is_shown_instead() -> None:
    assert signs(compare("a\nb\nc\n", "a\nb\nx\n"), 1) == [" a", " b", "-c", "+x"]


def test_equal_texts_differ_in_nothing() -> None:
    assert compare("a\nb\n", "a\nb\n").is_empty
    assert compare("", "").is_empty
    assert unified(compare("a\n", "a\n"), 3) == (Row("same", "a", 1, 1),)


def test_a_lost_newline_is_said() -> None:
    assert compare("a\n", "a").notes == ("newline-lost",)
    assert compare("a", "a\n").notes == ("newline-added",)
    assert not compare("a\n", "a").is_empty


def test_changed_line_ends_show_as_a_changed_word() -> None:
    old, new = unified(compare("same words\r\n", "same words\n"))
    assert (words(old), words(new)) == (["\r"], [])


def test_counts_are_of_lines() -> None:
    diff = compare("a\nb\nc\n", "a\nc\nd\ne\n")
    assert (diff.removed, diff.added) == (1, 2)


def test_fields_show_what_differs_only() -> None:
    diff = compare_fields(
        {"name": "Tests", "type": "user", "old": "x"}, {"name": "Tests", "type": "feedback", "new": "y"}
    )
    assert signs(diff) == ["-type: user", "+type: feedback", "-old: x", "+new: y"]
    assert all(row.old is None and row.new is None for row in unified(diff))
    assert words(unified(diff)[0]) == ["user"]


# --- bounds ----------------------------------------------------------------------------------------------------------


def texts_of_100_000_lines() -> tuple[str, str]:
    rnd = random.Random(1)
    lines = [f"line {rnd.randrange(10**9)}" for _ in range(100_000)]
    shuffled = list(lines)
    rnd.shuffle(shuffled)
    return "\n".join(lines), "\n".join(shuffled)


def test_100_000_shuffled_lines_fall_back_and_say_so() -> None:
    old, new = texts_of_100_000_lines()
    diff = compare(old, new)
    assert "lines-coarse" in diff.notes
    assert [pair.left.text for pair in diff.pairs if pair.left] == old.split("\n")
    assert [pair.right.text for pair in diff.pairs if pair.right] == new.split("\n")


def test_100_000_lines_of_two_kinds_are_no_quadratic_work() -> None:
    rnd = random.Random(2)
    old, new = ("\n".join(rnd.choice("ab") for _ in range(100_000)) for _ in range(2))
    assert compare(old, new).removed > 0


def test_one_word_in_a_line_of_a_megabyte_is_found() -> None:
    line = "word " * 100_000
    old, new = unified(compare(line + line, f"{line}NEW {line}"))
    assert words(old) == []
    assert words(new) == ["NEW"]


def test_words_beyond_the_bound_are_left_and_it_is_said() -> None:
    diff = compare("-" * (1 << 20), "-+" * (1 << 19))
    assert "words-skipped" in diff.notes
    assert [row.changed for row in unified(diff)] == [None, None]
