"""Two changes to one index become one index (spec §5 conflict, §6; reliability §1 step 7)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.index.merge import merge_index

BASE = b"# I\n- [A](a.md) \xe2\x80\x94 a\n- [B](b.md) \xe2\x80\x94 b\n\nprose\n"
LINES = st.lists(
    st.sampled_from(
        ["# I", "", "prose", "- [A](a.md) — 1", "- [A](a.md) — 2", "- [B](b.md)", "- [C](c.md)", "x"]
    ),
    max_size=8,
)


def join(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def test_one_side_only() -> None:
    assert merge_index(BASE, BASE, b"other\n") == b"other\n"
    assert merge_index(BASE, b"other\n", BASE) == b"other\n"
    assert merge_index(b"", b"- [A](a.md)\n", b"") == b"- [A](a.md)\n"


def test_both_append_a_line() -> None:
    merged = merge_index(BASE, BASE + b"- [M](m.md)\n", BASE + b"- [T](t.md)\n")
    assert merged == BASE + b"- [T](t.md)\n- [M](m.md)\n"


def test_ours_changed_theirs_appended() -> None:
    mine = BASE.replace(b"\xe2\x80\x94 a", b"\xe2\x80\x94 A!")
    assert merge_index(BASE, mine, BASE + b"new\n") == mine + b"new\n"


def test_ours_removed_theirs_changed_elsewhere() -> None:
    mine = BASE.replace(b"- [B](b.md) \xe2\x80\x94 b\n", b"")
    theirs = BASE.replace(b"prose", b"Prose!")
    assert merge_index(BASE, mine, theirs) == mine.replace(b"prose", b"Prose!")


def test_ours_removed_what_theirs_changed_stays() -> None:
    mine = BASE.replace(b"- [B](b.md) \xe2\x80\x94 b\n", b"")
    theirs = BASE.replace(b"\xe2\x80\x94 b", b"\xe2\x80\x94 better")
    assert b"better" in merge_index(BASE, mine, theirs)


def test_both_changed_one_line_and_both_words_stay() -> None:
    mine, theirs = (BASE.replace(b"\xe2\x80\x94 a", word) for word in (b"-- mine", b"-- theirs"))
    merged = merge_index(BASE, mine, theirs)
    assert b"-- mine" in merged
    assert b"-- theirs" in merged
    assert b"<<<<" not in merged


def test_ours_changed_a_line_that_they_moved() -> None:
    mine = BASE.replace(b"\xe2\x80\x94 a", b"\xe2\x80\x94 A!")
    moved = b"# I\n- [B](b.md) \xe2\x80\x94 b\n\nprose\n- [A](a.md) \xe2\x80\x94 a\n"
    merged = merge_index(BASE, mine, moved)
    assert merged.count(b"(a.md)") == 1
    assert b"A!" in merged


def test_they_changed_every_line_end() -> None:
    mine = BASE.replace(b"\xe2\x80\x94 a", b"\xe2\x80\x94 A!")
    merged = merge_index(BASE, mine, BASE.replace(b"\n", b"\r\n"))
    assert merged == mine.replace(b"\n", b"\r\n")


def test_missing_last_line_end_and_bom_follow_theirs() -> None:
    merged = merge_index(b"a\nb\n", b"a\nb\nc\n", b"\xef\xbb\xbfA\nb")
    assert merged == b"\xef\xbb\xbfA\nb\nc"


def test_bytes_that_are_not_utf8_survive() -> None:
    assert merge_index(b"\xff\n", b"\xff\nm\n", b"t\n\xff\n") == b"t\n\xff\nm\n"


@pytest.mark.parametrize("mine", [b"", b"- [A](a.md)\n"])
def test_they_removed_the_index(mine: bytes) -> None:
    merged = merge_index(b"- [A](a.md)\n- [B](b.md)\n", mine, b"")
    assert b"b.md" not in merged


@given(LINES, LINES, LINES)
def test_nothing_that_either_side_wrote_is_lost(base: list[str], mine: list[str], theirs: list[str]) -> None:
    merged = merge_index(join(base), join(mine), join(theirs)).decode().splitlines()
    known = Counter(base)
    for side in (mine, theirs):
        fresh = [line for line, count in Counter(side).items() if count > known[line]]
        for line in fresh:
            assert line in merged, (line, merged)
    assert set(merged) <= set(mine) | set(theirs)


@given(LINES, LINES, LINES)
def test_what_one_side_removed_and_the_other_kept_goes(
    base: list[str], mine: list[str], theirs: list[str]
) -> None:
    merged = merge_index(join(base), join(mine), join(theirs)).decode().splitlines()
    for line in set(base) - set(mine) - set(theirs):
        assert line not in merged


@given(LINES, LINES)
def test_equal_changes_come_once(base: list[str], both: list[str]) -> None:
    assert merge_index(join(base), join(both), join(both)) == join(both)
