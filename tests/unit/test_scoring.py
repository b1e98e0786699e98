"""What scores best is what weighing every memory finds, whatever is passed over on the way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui.memory.relevance import scoring
from memtui.memory.relevance.ranking import Ranked, RelevanceIndex
from memtui.memory.relevance.scoring import TIE, Scored, Scorer
from memtui.memory.relevance.termindex import TermIndex
from memtui.memory.types import ACTIVE, MemoryEntry

WORDS = [f"word{chr(97 + n % 26)}{n}" for n in range(300)] + ["数据库迁移", "发布窗口", "测试数据"]


def text(rng: random.Random, most: int) -> str:
    """Words of which a few stand in most texts, and most in a few."""
    return " ".join(WORDS[min(len(WORDS) - 1, int(rng.paretovariate(0.5)) - 1)] for _ in range(most))


def memories(rng: random.Random, count: int) -> list[MemoryEntry]:
    made = []
    for number in range(count):
        slug = f"talk-{number % 3}/turn-{number}"
        body = text(rng, rng.randint(3, 80)) + rng.choice(["", "", "?"])
        made.append(MemoryEntry(slug, text(rng, 3), "", None, 0.0, body, Path(slug), ACTIVE, 0.0))
    return made


def plainly(index: TermIndex, terms: Sequence[tuple[float, int]]) -> Scored:
    """Every memory weighed."""
    scorer = Scorer(index)
    scorer.weigh()
    every = {
        place: sum(scorer.one(number, gain, place) for gain, number in terms)
        for place in range(index.places)
        if index.entry(place) is not None
    }
    return Scored({place: score for place, score in every.items() if score > 0.0}, 0.0)


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done at thousands is done at dozens."""
    monkeypatch.setattr(scoring, "COMMON", 12)
    monkeypatch.setattr(scoring, "MOST_KEPT", 4_000)


@pytest.mark.parametrize("pool", [1, 5, 40])
def test_the_best_are_those_of_weighing_each_and_no_other_one_is_above_the_cut(pool: int) -> None:
    rng = random.Random(pool)
    index = TermIndex()
    index.update(memories(rng, 300))
    scorer = Scorer(index)
    left_out = 0
    for _ in range(60):
        numbers = {index.number(word) for word in text(rng, rng.randint(1, 9)).split()}
        terms = [
            (scorer.gain(number, rng.choice([1.0, 0.4])), number) for number in numbers if number is not None
        ]
        found, plain = scorer.best(terms, pool), plainly(index, terms)
        assert all(score == pytest.approx(plain.best[place]) for place, score in found.best.items())
        assert len(found.best) >= min(pool, len(plain.best))
        others = plain.best.keys() - found.best.keys()
        assert all(plain.best[place] <= found.cut + TIE for place in others)
        left_out += len(others)
    assert left_out > 1_000  # or nothing was left out, and nothing tested


def ranked(found: Sequence[Ranked]) -> list[tuple[str, float, list[tuple[str, str]]]]:
    return [(one.slug, round(one.score, 7), [(r.how, r.found) for r in one.reasons]) for one in found]


def test_an_answer_is_that_of_weighing_each_memory_also_after_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(7)
    held = memories(rng, 250)
    index, plain = RelevanceIndex(held), RelevanceIndex(held)
    lent = 0
    for turn in range(3):
        for _ in range(25):
            plain._scorer.weigh()
            query, limit = text(rng, rng.randint(1, 10)), rng.choice([1, 5, 30])
            with monkeypatch.context() as patched:
                patched.setattr(plain._scorer, "best", lambda terms, _pool: plainly(plain._index, terms))
                expected = ranked(plain.rank(query, limit))
            assert ranked(index.rank(query, limit)) == expected
            lent += any(how == "beside" for _, _, reasons in expected for how, _ in reasons)
        held = [*memories(rng, 60 * turn), *held[60 * turn :]]
        index.update(held)
        plain.update(held)
    assert lent > 20
