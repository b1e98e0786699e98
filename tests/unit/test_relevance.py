"""Ranking for a question: what is found, in which order, why, and when the answer is that nothing is relevant."""

from __future__ import annotations

import string
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.memory.doubles.neighbours import LEAST_OF_SERIES, Neighbours
from memtui.memory.relevance.ranking import Ranked, RelevanceIndex
from memtui.memory.types import ACTIVE, MemoryEntry


def entry(
    slug: str,
    content: str,
    *,
    name: str = "",
    description: str = "",
    modified: float = 0.0,
    origin: str | None = None,
) -> MemoryEntry:
    """A memory with what ranking reads."""
    return MemoryEntry(
        slug, name, description, None, modified, content, Path(slug), ACTIVE, modified, origin=origin
    )


_FEW = (
    entry("db", "Integration tests must hit a real PostgreSQL database, never mocks.", name="Real databases"),
    entry("deploy", "Deploys go out on Tuesdays; Maria signs them off.", description="who deploys and when"),
    entry("style", "The user prefers terse answers without emojis.", name="Answer style"),
    entry("ledger", "LedgerSync runs nightly and is owned by Team Brine.", name="LedgerSync owner"),
    entry("pager", "Team Brine is paged through brine-22.", name="Brine pager"),
    entry("zh", "数据库每天凌晨三点备份，由王强负责。", name="备份"),
    entry("cpp", "The renderer is written in C++ and built with CMake."),
)


def _slugs(found: Iterable[Ranked]) -> list[str]:
    return [ranked.slug for ranked in found]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("do our tests mock the database?", "db"),
        ("who signs off a deployment", "deploy"),
        ("how terse should an answer be", "style"),
        ("who owns LedgerSync", "ledger"),
        ("ledger sync", "ledger"),
        ("数据库什么时候备份？", "zh"),
        ("王强负责什么", "zh"),
        ("C++ renderer", "cpp"),
        ("the databse tests", "db"),
        ("Postgresql", "db"),
    ],
)
def test_the_memory_that_a_question_is_about_comes_first(query: str, first: str) -> None:
    assert RelevanceIndex(_FEW).rank(query)[0].slug == first


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "?!",
        "what about that",
        "的",
        "xylophone festival",
        "Oracle licence renewal invoice",
        "\x00\x1b[31m",
    ],
)
def test_where_nothing_is_relevant_nothing_is_said(query: str) -> None:
    assert RelevanceIndex(_FEW).rank(query) == ()
    assert RelevanceIndex().rank(query) == ()


def test_a_known_name_in_a_question_of_unknown_words_is_not_enough() -> None:
    index = RelevanceIndex(_FEW)
    assert index.rank("Has LedgerSync migrated its invoices to Oracle Cloud Frankfurt?") == ()
    assert _slugs(index.rank("Who owns LedgerSync in Frankfurt?"))[0] == "ledger"


def test_no_more_than_asked_for() -> None:
    index = RelevanceIndex(entry(f"m{n}", "the harbour crane") for n in range(30))
    assert len(index.rank("harbour crane", 7)) == 7
    assert index.rank("harbour crane", 0) == ()


def test_memories_that_say_the_same_come_by_slug() -> None:
    index = RelevanceIndex(entry(slug, "the harbour crane") for slug in ("c", "a", "b"))
    assert _slugs(index.rank("harbour crane")) == ["a", "b", "c"]


def test_a_word_counts_more_in_the_name_than_in_the_description_than_in_the_text() -> None:
    rest = "words that are the same"
    index = RelevanceIndex(
        [
            entry("content", f"{rest} harbour", name="one", description="two"),
            entry("description", f"{rest} one", name="two", description="harbour"),
            entry("name", f"{rest} two", name="harbour", description="one"),
        ]
    )
    found = index.rank("harbour")
    assert _slugs(found) == ["name", "description", "content"]
    assert [ranked.reasons[0].field for ranked in found] == ["name", "description", "content"]


def test_a_memory_that_tells_comes_before_one_that_asks() -> None:
    index = RelevanceIndex([entry("a", "Is the crane red?"), entry("b", "Yes the crane red.")])
    assert _slugs(index.rank("red crane")) == ["b", "a"]


@pytest.mark.parametrize("name", ["CI", "k8s", "Docker build"])
def test_a_memory_of_that_name_comes_before_one_that_speaks_of_it_often(name: str) -> None:
    index = RelevanceIndex(
        [
            entry(
                "often",
                f"Before a release {name} is green. " * 8,
                name=f"Release gates, and {name} for all packages",
            ),
            entry(
                "named", "Runs on every push, with two systems; caches are keyed by the lock file.", name=name
            ),
            *_FEW,
        ]
    )
    assert _slugs(index.rank(f"how is {name} set up?"))[0] == "named"


def test_one_that_shares_a_rare_name_with_the_best_is_found_over_it() -> None:
    found = {ranked.slug: ranked for ranked in RelevanceIndex(_FEW).rank("Which pager is LedgerSync's?")}
    assert "pager" in found
    index = RelevanceIndex(
        [
            *_FEW,
            entry("file", "The latch is in src/dune/vector.rs."),
            entry("fix", "src/dune/vector.rs: amber"),
        ]
    )
    linked = next(ranked for ranked in index.rank("where is the latch") if ranked.slug == "fix")
    assert [(reason.how, reason.found) for reason in linked.reasons] == [("linked", "file")]


def test_a_memory_is_found_by_the_day_of_its_time() -> None:
    index = RelevanceIndex(
        [
            entry("may", "The roof leaked.", modified=1_683_504_000.0),
            entry("june", "The roof was mended.", modified=1_686_182_400.0),
        ]
    )
    found = index.rank("what happened on 8 May 2023")
    assert _slugs(found) == ["may"]
    assert {reason.field for reason in found[0].reasons} == {"modified"}


def test_an_answer_is_found_by_the_question_before_it() -> None:
    talk = [f"Nothing of note in turn number {word}" for word in string.ascii_lowercase[:LEAST_OF_SERIES]]
    talk[3:5] = ["Did you ever learn to sail?", "Last year, on Mull."]
    index = RelevanceIndex(entry(f"talk-{number}", text) for number, text in enumerate(talk))
    found = index.rank("When did he learn sailing?")
    assert _slugs(found)[:2] == ["talk-3", "talk-4"]
    assert [(reason.how, reason.found) for reason in found[1].reasons] == [("beside", "talk-3")]


def test_memories_of_one_session_are_neighbours_by_time_and_numbered_ones_by_number() -> None:
    known = Neighbours()
    by_time = [
        entry(slug, "", modified=time, origin="s") for slug, time in (("x", 3.0), ("y", 1.0), ("z", 2.0))
    ]
    series = [entry(f"t-{number}", "") for number in range(8, 8 + LEAST_OF_SERIES)]
    few = [entry(f"few-{number}", "") for number in range(LEAST_OF_SERIES - 1)]
    for one in (*by_time, *series, *few):
        known.add(one)
    assert known.of(by_time[2]) == ("y", "x")
    assert known.of(by_time[1]) == (None, "z")
    assert known.of(series[1]) == ("t-8", "t-10")
    assert known.of(few[1]) == (None, None)
    assert known.of(entry("alone", "")) == (None, None)
    known.remove(by_time[2])
    assert known.of(by_time[1]) == (None, "x")


_WORD = st.sampled_from(
    (
        "harbor",
        "harbour",
        "crane",
        "ledger sync",
        "Team Brine",
        "NebulaLatch",
        "数据库",
        "May",
        "2023-05-08",
        "tests?",
    )
)
_TEXT = st.lists(_WORD, max_size=8).map(" ".join)
_ENTRY = st.builds(
    entry,
    st.sampled_from([f"{stem}{number}" for stem in "ab" for number in range(10)]),
    _TEXT,
    name=_TEXT,
    description=_TEXT,
    modified=st.sampled_from([0.0, 1_683_504_000.0]),
    origin=st.sampled_from([None, "s"]),
)
_ENTRIES = st.lists(_ENTRY, max_size=14, unique_by=lambda one: one.slug)


def _rounded(found: Iterable[Ranked]) -> list[tuple[str, float, float]]:
    return [(ranked.slug, round(ranked.score, 6), round(ranked.coverage, 6)) for ranked in found]


@settings(max_examples=60)
@given(st.lists(_ENTRIES, min_size=1, max_size=5), _TEXT)
def test_an_index_brought_up_to_date_answers_as_a_fresh_one(
    states: list[list[MemoryEntry]], query: str
) -> None:
    index = RelevanceIndex()
    for state in states:
        index.update(state)
        index.rank(query)
        assert len(index) == len(state)
        assert _rounded(index.rank(query)) == _rounded(RelevanceIndex(state).rank(query))


@settings(max_examples=60)
@given(_ENTRIES, _TEXT)
def test_the_order_in_which_memories_are_given_does_not_matter(
    entries: list[MemoryEntry], query: str
) -> None:
    turned = list(reversed(entries))
    assert _rounded(RelevanceIndex(entries).rank(query)) == _rounded(RelevanceIndex(turned).rank(query))


@settings(max_examples=60)
@given(_ENTRIES, _TEXT)
def test_the_reasons_add_up_to_the_score_and_the_order_is_that_of_the_scores(
    entries: list[MemoryEntry], query: str
) -> None:
    found = RelevanceIndex(entries).rank(query)
    for ranked in found:
        assert sum(reason.score for reason in ranked.reasons) == pytest.approx(ranked.score)
        assert all(reason.score >= 0 for reason in ranked.reasons)
        assert 0.0 <= ranked.coverage <= 1.0
    scores = [(-round(ranked.score, 6), ranked.slug) for ranked in found]
    assert scores == sorted(scores)


def test_many_changes_rebuild_the_index_and_misspelt_words_are_still_found() -> None:
    index = RelevanceIndex(entry(f"m{n}", f"alphabet{'bcdefghij'[n % 9]} crane") for n in range(200))
    assert index.rank("crnae crane")
    index.update([entry("new", "the lighthouse keeper"), entry("other", "a crane")])
    assert _slugs(index.rank("lighthose keeper")) == ["new"]


def test_common_words_do_not_keep_the_best_of_many_memories_from_being_found() -> None:
    many = [
        entry(f"m{n:04}", f"the crane in the harbour stands at pier {n % 7} word{n}") for n in range(1_500)
    ]
    index = RelevanceIndex([*many, entry("best", "crane harbour pier stands lighthouse")])
    found = index.rank("harbour crane that stands at the pier of the lighthouse")
    assert found[0].slug == "best"
    alone = index.rank("harbour crane stands pier lighthouse word77 word78", 3)
    assert set(_slugs(alone)) == {"best", "m0077", "m0078"}
    assert [ranked.score for ranked in alone] == sorted((ranked.score for ranked in alone), reverse=True)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "數" * 1_000_000,
        "1-" * 500_000,
        "May " * 250_000,
        "\x00\x1b\x07\u202e" * 10_000,
        "ﷺ" * 50_000,
    ],
    ids=["one word", "one run", "one name", "months", "controls", "ligatures"],
)
def test_hostile_texts_are_read_within_bounds(text: str) -> None:
    index = RelevanceIndex([entry("hostile", text, name=text[:1000]), *_FEW])
    assert index.rank("LedgerSync owner")[0].slug == "ledger"
    index.rank(text)
    index.rank(" ".join(f"word{n}" for n in range(10_000)))
    assert len(index) == len(_FEW) + 1


@pytest.mark.parametrize(
    ("query", "bare"),
    [
        ("why are deploys not allowed on friday", "deploys friday"),
        ("is it okay to use emojis in answers", "emojis answers"),
        ("测试能不能用 mock 数据库", "测试 mock 数据库"),
        ("为什么周五不能发布", "周五 发布"),
        ("可不可以用 CMake", "CMake"),
        ("备份应不应该每天做", "备份 每天做"),
    ],
)
def test_how_it_is_asked_and_what_may_not_be_changes_nothing(query: str, bare: str) -> None:
    index = RelevanceIndex([*_FEW, entry("friday", "周五下午不要发布，出了问题没人值班。")])
    found = index.rank(query)
    assert found
    assert [(each.slug, each.score) for each in found] == [
        (each.slug, each.score) for each in index.rank(bare)
    ]


def test_a_word_that_asks_counts_where_a_memory_has_it() -> None:
    index = RelevanceIndex([*_FEW, entry("perm", "The linter rules that we allow are listed in lint.toml.")])
    assert _slugs(index.rank("what do we allow"))[0] == "perm"
