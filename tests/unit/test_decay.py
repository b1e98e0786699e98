"""Spec §7: exponential decay, tiers, effective scores, and the order they give."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.decay import (
    DEFAULT_HALF_LIFE_DAYS,
    HISTORICAL_SCORE,
    Tier,
    activation_tier,
    apply_decay_scoring,
    decay_score,
    effective_score,
    explain_score,
)
from memtui.memory.types import ACTIVE, Historical, MemoryEntry, MemoryStatus, MemoryType

NOW = 1_780_000_000.0
DAY = 86_400.0


def entry(slug: str, days: float, status: MemoryStatus = ACTIVE) -> MemoryEntry:
    """A memory whose effective time is ``days`` back, and whose file was touched just now."""
    return MemoryEntry(
        slug=slug,
        name=slug,
        description="",
        memory_type=MemoryType.USER,
        mtime=NOW,
        content="",
        path=Path(f"{slug}.md"),
        status=status,
        modified=NOW - days * DAY,
    )


@pytest.mark.parametrize(("days", "score"), [(0, 1.0), (30, 0.5), (60, 0.25), (15, 0.5**0.5), (-4, 1.0)])
def test_spec_7_decay_score_halves_every_30_days(days: float, score: float) -> None:
    assert DEFAULT_HALF_LIFE_DAYS == 30
    assert decay_score(NOW - days * DAY, NOW) == pytest.approx(score, abs=1e-12)


def test_decay_score_takes_another_half_life_and_refuses_nonsense() -> None:
    assert decay_score(NOW - 7 * DAY, NOW, 7) == pytest.approx(0.5)
    for bad in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="half_life_days"):
            decay_score(NOW, NOW, bad)


@pytest.mark.parametrize(
    ("days", "tier"),
    [
        (0, Tier.HOT),
        (7, Tier.HOT),
        (7.99, Tier.HOT),
        (8, Tier.WARM),
        (30.99, Tier.WARM),
        (31, Tier.COOL),
        (9999, Tier.COOL),
        (-2, Tier.HOT),
    ],
)
def test_spec_7_tiers_count_whole_days(days: float, tier: Tier) -> None:
    assert activation_tier(NOW - days * DAY, NOW) is tier


def test_spec_7_tier_weights() -> None:
    assert [tier.weight for tier in Tier] == [1.0, 0.7, 0.3]


def test_spec_7_effective_score_uses_the_effective_time_not_the_file_s() -> None:
    assert effective_score(entry("a", 10), NOW) == pytest.approx(0.5 ** (10 / 30) * 0.7)
    assert effective_score(entry("a", 40), NOW) == pytest.approx(0.5 ** (40 / 30) * 0.3)
    assert effective_score(entry("a", 0, Historical("b")), NOW) == HISTORICAL_SCORE == 0.01


def test_spec_7_historical_is_always_last_even_behind_what_scores_less() -> None:
    old, gone, new = entry("old", 500), entry("gone", 0, Historical("new")), entry("new", 1)
    assert effective_score(old, NOW) < HISTORICAL_SCORE
    ranked = apply_decay_scoring([gone, old, new], NOW)
    assert [(e.slug, score) for e, score in ranked] == [
        ("new", effective_score(new, NOW)),
        ("old", effective_score(old, NOW)),
        ("gone", 0.01),
    ]


def test_equal_scores_keep_the_order_of_the_selection() -> None:
    chosen = [entry(slug, 3) for slug in ("c", "a", "b")]
    assert [e.slug for e, _ in apply_decay_scoring(chosen, NOW)] == ["c", "a", "b"]


def test_the_formula_multiplies_out() -> None:
    parts = explain_score(entry("a", 12.5), NOW)
    assert parts.days == 12.5
    assert parts.tier is Tier.WARM
    assert parts.score == parts.decay * parts.tier.weight == effective_score(entry("a", 12.5), NOW)
    assert not parts.historical
    gone = explain_score(entry("a", 12.5, Historical()), NOW)
    assert (gone.historical, gone.score) == (True, 0.01)


@given(st.floats(0, 20_000), st.floats(0, 20_000))
def test_an_active_memory_never_scores_above_a_newer_one(one: float, other: float) -> None:
    newer, older = sorted((one, other))
    assert effective_score(entry("n", newer), NOW) >= effective_score(entry("o", older), NOW)
