"""Spec §7: ages in whole days, relative labels, and the caveat beyond one day, in both languages."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.age import (
    memory_age_days,
    memory_age_label,
    memory_age_seconds,
    memory_freshness_note,
    memory_freshness_text,
)
from memtui.memory.types import Lang

NOW = 1_780_000_000.0
DAY = 86_400.0


@pytest.mark.parametrize(
    ("age", "days"),
    [(0, 0), (1, 0), (DAY - 0.001, 0), (DAY, 1), (2 * DAY - 1, 1), (47.9 * DAY, 47), (-5 * DAY, 0)],
)
def test_spec_7_days_are_whole_and_never_negative(age: float, days: int) -> None:
    assert memory_age_days(NOW - age, NOW) == days


@pytest.mark.parametrize("time", [math.nan, math.inf, -math.inf])
def test_a_time_that_is_no_number_counts_as_now(time: float) -> None:
    assert memory_age_seconds(time, NOW) == 0.0
    assert memory_age_days(time, NOW) == 0


@pytest.mark.parametrize(
    ("days", "zh", "en"),
    [
        (0, "今天", "today"),
        (1, "昨天", "yesterday"),
        (2, "2 天前", "2 days ago"),
        (400, "400 天前", "400 days ago"),
        (-3, "今天", "today"),
    ],
)
def test_spec_7_labels(days: int, zh: str, en: str) -> None:
    assert memory_age_label(NOW - days * DAY, NOW, "zh") == zh
    assert memory_age_label(NOW - days * DAY, NOW, "en") == en


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_spec_7_freshness_is_silent_up_to_one_day_and_then_names_the_days(lang: Lang) -> None:
    for age in (0.0, DAY, 2 * DAY - 1, -9 * DAY):
        assert memory_freshness_text(NOW - age, NOW, lang) == ""
        assert memory_freshness_note(NOW - age, NOW, lang) == ""
    text = memory_freshness_text(NOW - 47 * DAY, NOW, lang)
    assert "47" in text
    assert "\n" not in text
    assert memory_freshness_note(NOW - 47 * DAY, NOW, lang) == f"<system-reminder>{text}</system-reminder>"


def test_first_seed_freshness_wording() -> None:
    assert memory_freshness_text(NOW - 3 * DAY, NOW, "zh").startswith(
        "此记忆已过 3 天。记忆是某个时间点的快照，不是实时状态",
    )
    assert memory_freshness_text(NOW - 3 * DAY, NOW, "en").startswith("This memory is 3 days old.")


@given(st.floats(), st.floats())
def test_any_two_times_give_an_age(time: float, now: float) -> None:
    assert 0 <= memory_age_days(time, now) <= memory_age_seconds(time, now)
