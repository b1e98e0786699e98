"""Design §3 Browse: filter as you type over name, description, body; ``type: tier: is: scope:``; orders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.relevance.searchable import fold, searchable
from memtui.memory.types import MemoryEntry, MemoryType
from memtui.tui.filter_query import EVERYTHING, Odd, parse_query
from memtui.tui.filtering import NO_FLAGS, SORTS, Catalogue, View, matches, ordered

from .making import NOW, make

ENTRIES = (
    make(
        "tests",
        name="Integration Tests",
        description="no mocks",
        content="Real database.",
        days=1,
        kind=MemoryType.FEEDBACK,
    ),
    make("role", name="用户角色", description="天体物理学博士后", content="研究恒星演化", days=3),
    make("freeze", name="Release freeze", content="Until Thursday", days=20, kind=MemoryType.PROJECT),
    make("team/oncall", name="On-call", content="See wiki", days=40, kind=None, scope="team"),
    make(
        "tests_v1",
        name="Integration Tests",
        content="Mocks are fine",
        days=90,
        old=True,
        superseded_by="tests",
    ),
)
FLAGS = {"freeze.md": frozenset({"stale", "problem"}), "role.md": frozenset({"marked"})}


def found(text: str, **view: object) -> list[str]:
    catalogue = Catalogue()
    catalogue.update(ENTRIES, FLAGS)
    return [entry.slug for entry in catalogue.rows(View(text, **view), NOW)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("", ["tests", "role", "freeze", "team/oncall"]),
        ("INTEGRATION", ["tests"]),
        ("mocks", ["tests"]),
        ("database real", ["tests"]),
        ('"real database"', ["tests"]),
        ('"database real"', []),
        ("恒星", ["role"]),
        ("type:fb", []),
        ("type:f", ["tests"]),
        ("type:user,project", ["role", "freeze"]),
        ("type:unknown", ["team/oncall"]),
        ("-type:user,project", ["tests", "team/oncall"]),
        ("tier:hot", ["tests", "role"]),
        ("tier:warm", ["freeze"]),
        ("tier:COOL", ["team/oncall"]),
        ("is:stale", ["freeze"]),
        ("is:marked", ["role"]),
        ("scope:team", ["team/oncall"]),
        ("scope:private -mocks", ["role", "freeze"]),
        ("is:historical", ["tests_v1"]),
        ("type:", ["tests", "role", "freeze", "team/oncall"]),
        ("-", ["tests", "role", "freeze", "team/oncall"]),
        ("nosuchkey:x", []),
        ("tier:hot mocks", ["tests"]),
        ('"release freeze"', ["freeze"]),
        ("release_freeze", ["freeze"]),
        ("Release-Freeze", ["freeze"]),
        ("on-", ["tests", "team/oncall"]),
        ("on_call", ["team/oncall"]),
        ('"on call"', ["team/oncall"]),
        ("-on_call", ["tests", "role", "freeze"]),
        ("_", ["tests", "role", "freeze", "team/oncall"]),
    ],
)
def test_filter_finds(text: str, slugs: list[str]) -> None:
    assert found(text) == slugs


def test_old_versions_are_listed_on_demand_and_last() -> None:
    assert found("", history=True)[-1] == "tests_v1"
    assert found("mocks", history=True) == ["tests", "tests_v1"]


def test_a_value_that_is_none_matches_nothing_and_says_what_there_is() -> None:
    query = parse_query("type:zebra")
    assert query.problems == (Odd("type", "zebra"),)
    assert found("type:zebra") == []


@pytest.mark.parametrize(
    ("sort", "slugs"),
    [
        ("score", ["tests", "role", "freeze", "team/oncall"]),
        ("age", ["tests", "role", "freeze", "team/oncall"]),
        ("name", ["tests", "team/oncall", "freeze", "role"]),
        ("type", ["tests", "freeze", "role", "team/oncall"]),
        ("size", ["tests", "freeze", "team/oncall", "role"]),
    ],
)
def test_orders(sort: str, slugs: list[str]) -> None:
    number = [s.id for s in SORTS].index(sort)
    assert found("", sort=number) == slugs
    assert found("", sort=number, reverse=True) == slugs[::-1]


def test_reversed_order_keeps_old_versions_last() -> None:
    assert ordered(ENTRIES, SORTS[0], reverse=True)[-1].slug == "tests_v1"


WORDS = st.sampled_from(
    ["a", "b", "ab", "-a", "type:user", "type:", "-type:user", "tier:hot", "is:stale", '"a b"', '"', "x:"]
)


@given(st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=3))
def test_typing_on_gives_the_same_as_starting_anew(first: list[str], more: list[str]) -> None:
    entries = tuple(
        make(f"s{i}", content="ab ba a b"[: i % 9], days=i * 3, kind=MemoryType.USER if i % 2 else None)
        for i in range(24)
    )
    flags = {f"s{i}.md": frozenset({"stale"}) for i in range(0, 24, 5)}
    catalogue = Catalogue()
    catalogue.update(entries, flags)
    text = ""
    for piece in [*first, *more]:
        for char in f"{piece} ":
            text += char
            rows = catalogue.rows(View(text), NOW)
            assert list(rows) == _brute_force(entries, text, flags)


def _brute_force(
    entries: tuple[MemoryEntry, ...], text: str, flags: dict[str, frozenset[str]]
) -> list[MemoryEntry]:
    query = parse_query(text)
    return [
        e
        for e in entries
        if matches(
            e,
            searchable(f"{e.name}\n{e.slug}\n{e.description}\n{e.content}"),
            query,
            flags.get(e.rel, NO_FLAGS),
            NOW,
        )
    ]


def test_a_query_knows_whether_only_the_checks_can_answer_it() -> None:
    assert parse_query("deploy is:stale").asks_findings
    assert parse_query("is:marked,orphan").asks_findings
    assert not parse_query("is:marked type:user stale").asks_findings


@given(st.text(max_size=60))
def test_any_text_is_a_query(text: str) -> None:
    query = parse_query(text)
    assert query == parse_query(text)
    Catalogue().rows(View(text), NOW)


def test_a_changed_entry_is_found_by_its_new_text() -> None:
    catalogue = Catalogue()
    catalogue.update((make("a", content="old words"),), {})
    assert catalogue.rows(View("old"), NOW)
    catalogue.update((make("a", content="new words"),), {})
    assert not catalogue.rows(View("old"), NOW)
    assert catalogue.rows(View("new"), NOW)


def test_flags_that_change_are_seen_with_the_same_entries() -> None:
    catalogue = Catalogue()
    entries = (make("a"),)
    catalogue.update(entries, {})
    assert not catalogue.rows(View("is:stale"), NOW)
    catalogue.update(entries, {"a.md": frozenset({"stale"})})
    assert catalogue.rows(View("is:stale"), NOW)


def test_nothing_typed_is_everything() -> None:
    assert parse_query("  ") == EVERYTHING
    assert EVERYTHING.is_empty


@pytest.mark.parametrize("word", ["ÉCLAIR", "日志", "é", "\udcff", "e\u0301cl", "straße", "STRASSE", "志监"])
def test_folded_ahead_or_not_the_same_memories_are_found(word: str) -> None:
    entries = [
        make("a", content="An éclair, 日志监控 and \udcff\n"),
        make("b", content="e\u0301clair STRASSE\n"),
        make("c", content="Straße 日 志\n"),
    ]
    ahead, late = Catalogue(), Catalogue()
    ahead.update(entries, {})
    late.update(entries, {})
    ahead.fold_ahead()
    expected = [e.slug for e in entries if fold(word) in fold(e.content)]
    assert expected
    for catalogue in (ahead, late):
        assert [entry.slug for entry in catalogue.rows(View(text=word), NOW)] == expected


@given(
    st.lists(
        st.sampled_from(
            ["t", "te", "tes", "re", "r", "e t", "-e", "t -mock", "type:fe", "is:historical t", ""]
        ),
        max_size=12,
    )
)
def test_whatever_was_typed_before_the_answer_is_the_same(typed: list[str]) -> None:
    kept = Catalogue()
    kept.update(ENTRIES, {})
    for text in typed:
        fresh = Catalogue()
        fresh.update(ENTRIES, {})
        assert kept.rows(View(text=text), NOW) == fresh.rows(View(text=text), NOW)


_WRITTEN = st.text(st.sampled_from("ab d-_.日志é"), min_size=1, max_size=4)
_MANY = tuple(
    make(
        f"m{number}",
        content=f"{'abdé日'[number % 5]}{'b-d 志'[number // 5 % 5]}{'ad_'[number // 25]}\n",
        old=number > 70,
    )
    for number in range(75)
)


@given(
    st.lists(st.one_of(_WRITTEN, st.lists(_WRITTEN, max_size=3).map(" ".join)), max_size=8), st.integers(0, 8)
)
def test_the_answer_is_that_of_looking_through_every_text_whenever_the_signs_are_made(
    typed: list[str], signed_after: int
) -> None:
    catalogue = Catalogue()
    catalogue.update(_MANY, {})
    for number, text in enumerate(typed):
        if number == signed_after:
            catalogue.fold_ahead()
        found = [
            entry
            for entry in _MANY
            if entry.is_active
            and matches(
                entry,
                searchable(f"{entry.name}\n{entry.slug}\n{entry.description}\n{entry.content}"),
                parse_query(text),
                NO_FLAGS,
                NOW,
            )
        ]
        assert list(catalogue.rows(View(text), NOW)) == found


def test_signs_that_were_not_gone_on_with_are_done_without_and_made_the_next_time() -> None:
    catalogue = Catalogue()
    catalogue.update(_MANY, {})
    answers = iter([True, True, True, False])
    catalogue.fold_ahead(lambda: next(answers))
    assert next(answers, None) is None
    expected = catalogue.rows(View("ab"), NOW)
    assert expected
    catalogue.fold_ahead()
    again = Catalogue()
    again.update(_MANY, {})
    assert catalogue.rows(View("ab"), NOW) == again.rows(View("ab"), NOW) == expected


def test_a_memory_that_is_new_is_found_among_many_that_have_signs() -> None:
    catalogue = Catalogue()
    catalogue.update(_MANY, {})
    catalogue.fold_ahead()
    changed = (make("new", content="a new word"), *_MANY)
    catalogue.update(changed, {})
    assert [entry.slug for entry in catalogue.rows(View("wor"), NOW)] == ["new"]
    many = tuple(make(f"n{number}", content=f"n{number} newer") for number in range(200))
    catalogue.update((*many, *changed), {})  # too many to be given signs at once
    assert catalogue.rows(View("newer"), NOW) == many
    catalogue.update(changed, {})
    assert [entry.slug for entry in catalogue.rows(View("new wor"), NOW)] == ["new"]


def test_what_lets_everything_through_gives_the_list_itself_and_a_word_asked_again_is_not_looked_for_again() -> (
    None
):
    entries = tuple(make(f"m{number}", content=f"note {number}") for number in range(9))
    catalogue = Catalogue()
    catalogue.update(entries, {})
    whole = catalogue.rows(View(), NOW)
    assert catalogue.rows(View("note"), NOW) is whole
    narrowed = catalogue.rows(View("note 7"), NOW)
    assert [entry.slug for entry in narrowed] == ["m7"]
    assert catalogue.rows(View("note 7 -8"), NOW) is narrowed
