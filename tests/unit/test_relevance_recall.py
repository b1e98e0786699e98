"""Design §7: what offline relevance finds of our own dialogues, on the half that no setting was chosen by."""

from __future__ import annotations

from statistics import mean

import pytest

from memtui.memory.relevance.ranking import RelevanceIndex
from tests.bench.bench_relevance import GOALS
from tests.bench.dialogues import SHAPES, Shape, dialogues, entries


def test_each_question_names_turns_that_are_there() -> None:
    talks = dialogues()
    assert len(talks) == 8
    assert {talk.language for talk in talks if talk.held_out} == {"en", "zh"}
    for talk in talks:
        numbers = [turn.number for turn in talk.turns]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= 40
        asked = [question for question in talk.questions if question.evidence]
        assert all(set(question.evidence) <= set(numbers) for question in asked)
        assert {question.kind for question in asked} == {"single", "multi", "temporal", "open"}


@pytest.mark.parametrize("shape", SHAPES)
def test_recall_is_above_that_of_a_dense_retriever_on_a_set_of_this_kind(shape: Shape) -> None:
    talks = dialogues()
    of = {entry.slug: (talk.number, turn) for talk in talks for entry, turn in entries(talk, shape)}
    index = RelevanceIndex(entry for talk in talks for entry, _ in entries(talk, shape))
    found: list[float] = []
    for talk in (talk for talk in talks if talk.held_out):
        for question in talk.questions:
            evidence = {(talk.number, turn) for turn in question.evidence} & set(of.values())
            if evidence:
                got = {of[ranked.slug] for ranked in index.rank(question.text)}
                found.append(len(evidence & got) / len(evidence))
    assert len(found) > 70
    assert mean(found) > GOALS[shape.split()[0]] + 0.1
