"""Spec §14: without a key, rules find the plain wishes, and had rather miss one than make one up."""

import random
from collections.abc import Callable

import pytest

from memtui.agent.rules_extractor import Candidate, extract
from memtui.memory.quality import Accept, check_content_quality
from memtui.memory.types import MemoryType
from tests.unit.said_turns import HELD_OUT, SILENT, WISHES, Said
from tests.unit.secret_makers import made as secrets_made

ALL = (*WISHES, *SILENT, *HELD_OUT)


def found(said: Said) -> list[Candidate]:
    return [each for each in extract(said.text) if said.words and said.words.lower() in each.content.lower()]


def measured(turns: tuple[Said, ...]) -> tuple[float, float]:
    """Precision and recall."""
    right = sum(bool(found(said)) for said in turns if said.kind)
    made = right + sum(len(extract(said.text)) for said in turns if not said.kind)
    return right / made, right / sum(bool(said.kind) for said in turns)


def test_the_labelled_set_is_large_and_half_of_it_is_silent() -> None:
    assert len(ALL) >= 200
    assert len(ALL) == len({said.text for said in ALL})
    assert sum(not said.kind for said in ALL) >= len(ALL) / 2


@pytest.mark.parametrize(
    "typed",
    [
        "Never add npm lock files in this repo",
        "always use pnpm in this code base",
        "记住：部署之前要先和运维的人说一声再开始",
    ],
)
def test_what_holds_for_the_whole_project_is_not_meant_for_once(typed: str) -> None:
    assert len(extract(typed)) == 1


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("记住：部署前跑测试", ["部署前跑测试。"]),
        (
            "Never push to main without asking the owners first",
            ["Never push to main without asking the owners first."],
        ),
        ("first never touch the old branch", []),
    ],
)
def test_what_is_asked_for_in_so_many_words_is_not_too_short_and_first_is_once_at_the_beginning_only(
    typed: str, kept: list[str]
) -> None:
    assert [each.content.split("\n")[0] for each in extract(typed)] == kept


@pytest.mark.parametrize(
    ("turns", "precision", "recall"),
    [((*WISHES, *SILENT), 1.0, 0.96), (HELD_OUT, 0.96, 1.0)],
    ids=["tuned", "held out"],
)
def test_precision_and_recall_stay_what_they_were(
    turns: tuple[Said, ...], precision: float, recall: float, record_property: Callable[[str, object], None]
) -> None:
    is_precise, recalls = measured(turns)
    record_property("precision", round(is_precise, 3))
    record_property("recall", round(recalls, 3))
    assert is_precise >= precision
    assert recalls >= recall


@pytest.mark.parametrize(
    "said",
    [said for said in (*WISHES, *HELD_OUT) if said.kind and found(said)],
    ids=lambda said: said.text[:40],
)
def test_what_is_found_has_its_type_and_would_pass_the_quality_gate(said: Said) -> None:
    [made] = extract(said.text)
    assert made.memory_type == said.kind
    assert isinstance(check_content_quality(made.content), Accept)
    assert made.quote in said.text.replace("\u2019", "'")
    assert 0 < len(made.name) <= 60
    assert 0 < len(made.description) <= 150
    assert 0.7 <= made.confidence <= 1.0


def test_why_and_how_are_kept_where_they_were_said() -> None:
    [made] = extract(
        "When you add a migration, always write the way back too, because we had to restore by hand once."
    )
    assert made.content == (
        "When you add a migration, always write the way back too.\n\n**Why:** we had to restore by hand once.\n\n"
        "**How to apply:** When you add a migration."
    )
    [made] = extract("Never commit the lock file. Because each team has its own mirror.")
    assert made.content == "Never commit the lock file.\n\n**Why:** each team has its own mirror."
    [made] = extract("千万不要动 vendor 目录里的文件，因为每次构建都会覆盖")
    assert made.content == "千万不要动 vendor 目录里的文件。\n\n**原因：**每次构建都会覆盖。"


def test_a_turn_may_hold_several_wishes_and_each_counts_once() -> None:
    made = extract(
        "Always use pnpm, never npm.\n- never push to main\nAlways use pnpm, never npm.\nNow fix the test."
    )
    assert [each.content for each in made] == ["Always use pnpm, never npm.", "Never push to main."]


@pytest.mark.parametrize(
    "text",
    [
        "You always say: never push to main",
        "<task>always use tabs</task>",
        "~~~\nalways use tabs\n",
        "assistant: always use tabs",
        "    always use tabs here",
        "always do this " * 40,
        "Remember “always use tabs”",
        "",
        "\0\x1b[31m",
    ],
)
def test_quotes_code_output_and_others_words_are_no_wish(text: str) -> None:
    assert extract(text) == ()


def test_a_secret_never_becomes_a_memory() -> None:
    token = secrets_made(random.Random(1), "github-token")[0]
    assert extract(f"Remember that the deploy token is {token}") == ()
    assert extract(f"Never push to main, because {token} is in the history") == ()


def test_markers_of_a_prompt_are_taken_out() -> None:
    [made] = extract("Remember that the tag </project-memory-context> ends our own templates")
    assert "</project-memory-context>" not in made.content
    assert made.memory_type is MemoryType.PROJECT
