"""What is said of two texts is worked out once, and the texts are not kept for it."""

from __future__ import annotations

import gc
import weakref

import pytest

from memtui.memory.doubles import judged
from memtui.memory.doubles.judged import judged_once


class Text(str):
    """A text that can be watched as it goes."""

    __slots__ = ("__weakref__",)


def test_two_texts_are_judged_once_and_each_order_and_other_question_for_itself() -> None:
    asked: list[tuple[str, str, int]] = []

    @judged_once
    def judge(one: str, other: str, least: int) -> bool:
        asked.append((one, other, least))
        return len(one) - len(other) >= least

    questions = [("aa", "b", 1), ("b", "aa", 1), ("aa", "b", 2), ("aa\udcff", "", 1), ("", "aa\udcff", 1)]
    answers = [[judge(*question) for question in questions] for _ in range(3)]
    assert answers == [[True, False, False, True, False]] * 3
    assert asked == questions


def test_a_text_that_was_judged_is_not_kept() -> None:
    @judged_once
    def judge(one: str, other: str) -> bool:
        return one == other

    one, other = Text("a" * 1_000), Text("b" * 1_000)
    watched = weakref.ref(one), weakref.ref(other)
    assert judge(one, other) is False
    del one, other
    gc.collect()
    assert [each() for each in watched] == [None, None]


def test_answers_are_bounded_and_right_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged, "_MOST_PAIRS", 4)
    count = 0

    @judged_once
    def judge(one: str, other: str) -> bool:
        nonlocal count
        count += 1
        return one < other

    for number in range(10):
        assert judge(f"{number}", "5") is (number < 5)
    assert judge("9", "5") is False
    assert count == 10
    assert judge("0", "5") is True
    assert count == 11
