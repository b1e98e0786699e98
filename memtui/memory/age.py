"""How old a memory is, in words: relative days, which a model judges better than a date (spec §7, first seed).

Every function takes the time it is about (``t``) and the time it is (``now``), both in Unix seconds. A time in the future, or
one that is no number, counts as now.
"""

from __future__ import annotations

import math

from memtui.memory.types import Lang
from memtui.memory.wording import wording

SECONDS_PER_DAY = 86_400


def memory_age_seconds(t: float, now: float) -> float:
    """Seconds from ``t`` to ``now``, never negative, always finite."""
    age = now - t
    return max(0.0, age) if math.isfinite(age) else 0.0


def memory_age_days(t: float, now: float) -> int:
    """Whole days (of 24 hours) from ``t`` to ``now``, both Unix seconds; never negative (first seed)."""
    return int(memory_age_seconds(t, now) // SECONDS_PER_DAY)


def memory_age_label(t: float, now: float, lang: Lang) -> str:
    """The age for a person: 今天 · 昨天 · ``N 天前``, or today · yesterday · ``N days ago`` (first seed).

    Args:
        t: effective time of the memory, Unix seconds.
        now: Unix seconds.
        lang: language of the answer.
    """
    days = memory_age_days(t, now)
    words = wording(lang)
    if days == 0:
        return words.age_today
    return words.age_yesterday if days == 1 else words.age_days.format(days=days)


def memory_freshness_text(t: float, now: float, lang: Lang) -> str:
    """The caveat for a memory older than one day, with its age in days; empty up to one day (first seed).

    Args:
        t: effective time of the memory, Unix seconds.
        now: Unix seconds.
        lang: language of the answer.
    """
    days = memory_age_days(t, now)
    return wording(lang).freshness.format(days=days) if days > 1 else ""


def memory_freshness_note(t: float, now: float, lang: Lang) -> str:
    """``memory_freshness_text`` inside a ``<system-reminder>``, which models heed; empty up to one day (first seed).

    Args:
        t: effective time of the memory, Unix seconds.
        now: Unix seconds.
        lang: language of the answer.
    """
    text = memory_freshness_text(t, now, lang)
    return f"<system-reminder>{text}</system-reminder>" if text else ""
