"""How much a memory counts as it ages: exponential decay and activation tiers (spec §7, first seed).

Times are Unix seconds and ``now`` is always passed in, so a view "as of" any day is the same code.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from memtui.memory.age import SECONDS_PER_DAY, memory_age_days, memory_age_seconds
from memtui.memory.types import MemoryEntry

DEFAULT_HALF_LIFE_DAYS = 30
"""Days after which a score has halved (first seed)."""
HISTORICAL_SCORE = 0.01
"""The fixed score of a superseded memory (first seed)."""
HOT_DAYS = 7
"""The last whole day on which a memory is hot (first seed)."""
WARM_DAYS = 30
"""The last whole day on which a memory is warm (first seed)."""


class Tier(Enum):
    """How active a memory is by its age; the value is the weight of its score (first seed)."""

    HOT = 1.0
    WARM = 0.7
    COOL = 0.3

    @property
    def weight(self) -> float:
        """What the decay score is multiplied by."""
        return float(self.value)


def decay_score(t: float, now: float, half_life_days: float = DEFAULT_HALF_LIFE_DAYS) -> float:
    """``exp(-λ·days)`` with ``λ = ln 2 / half_life_days`` and days fractional: 1.0 now, 0.5 after one half-life.

    The first seed's; a time that lies in the future counts as now.

    Args:
        t: effective time of the memory, Unix seconds.
        now: Unix seconds.
        half_life_days: days after which a score has halved.

    Raises:
        ValueError: ``half_life_days`` is not a positive number.
    """
    if not half_life_days > 0:
        raise ValueError(f"half_life_days is {half_life_days}, it must be above 0")
    days = memory_age_seconds(t, now) / SECONDS_PER_DAY
    return math.exp(-math.log(2) / half_life_days * days)


def activation_tier(t: float, now: float) -> Tier:
    """Hot up to 7 whole days, warm up to 30, cool beyond (first seed).

    Args:
        t: effective time of the memory, Unix seconds.
        now: Unix seconds.
    """
    days = memory_age_days(t, now)
    if days <= HOT_DAYS:
        return Tier.HOT
    return Tier.WARM if days <= WARM_DAYS else Tier.COOL


class ScoreParts(NamedTuple):
    """A score with its formula, for showing: ``score = decay × tier.weight``, or the fixed one of a superseded memory.

    Attributes:
        days: age in days, fractional.
        decay: ``decay_score`` of that age.
        tier: its tier.
        historical: whether the memory is superseded; then ``score`` is ``HISTORICAL_SCORE`` whatever the rest says.
        score: the effective score.
    """

    days: float
    decay: float
    tier: Tier
    historical: bool
    score: float


def explain_score(entry: MemoryEntry, now: float) -> ScoreParts:
    """The parts that make up ``effective_score``."""
    decay, tier = decay_score(entry.modified, now), activation_tier(entry.modified, now)
    return ScoreParts(
        days=memory_age_seconds(entry.modified, now) / SECONDS_PER_DAY,
        decay=decay,
        tier=tier,
        historical=not entry.is_active,
        score=effective_score(entry, now),
    )


def effective_score(entry: MemoryEntry, now: float) -> float:
    """``decay_score × tier weight`` of the entry's effective time; ``HISTORICAL_SCORE`` for a superseded one."""
    if not entry.is_active:
        return HISTORICAL_SCORE
    return decay_score(entry.modified, now) * activation_tier(entry.modified, now).weight


def apply_decay_scoring(entries: Iterable[MemoryEntry], now: float) -> list[tuple[MemoryEntry, float]]:
    """Entries with their effective score, best first; equals keep their order.

    Superseded ones come last, also behind active ones whose score has sunk below theirs (after about 147 days).

    Args:
        entries: memories, in any order.
        now: Unix seconds.
    """
    scored = [(entry, effective_score(entry, now)) for entry in entries]
    return sorted(scored, key=lambda pair: (not pair[0].is_active, -pair[1]))
