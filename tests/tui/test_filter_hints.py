"""Help while a filter is typed: values, unknown conditions, completion (issue part 2 point 1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.claude import store_search
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.wording.filter_words import meant, named
from memtui.tui.filter_hints import completed, explain, hint
from memtui.tui.filter_query import VALUES, Odd, parse_query
from memtui.tui.present import checks as present_checks
from memtui.tui.present import review as present_review
from memtui.tui.present.lines import plain
from memtui.tui.present.projects import SEARCH_VALUES
from memtui.tui.wording import projects
from memtui.tui.wording.browse import words

from .making import HOSTILE

EN = words("en")


def hinted(text: str, lang: Lang = "en") -> str:
    return plain(hint(text, parse_query(text), words(lang)))


def test_an_empty_filter_shows_what_there_is() -> None:
    assert hinted("").startswith("type: tier: is: scope: ")
    assert '-not  "as one"' in hinted("")
    assert "-排除" in hinted("", "zh")


def test_a_condition_shows_its_values_and_which_still_fit() -> None:
    line = hint("words type:f", parse_query("words type:f"), EN)
    assert plain(line) == "type: user feedback project reference unknown "
    assert {text.strip() for text, role in line if role == "accent"} == {"feedback"}
    taken = hint("type:user,", parse_query("type:user,"), EN)
    assert {text.strip() for text, role in taken if role == "off"} == {"user"}
    assert "stale duplicate secret orphan" in hinted("-is:")


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("is:陈旧", "is:stale"),
        ("-type:反馈,用户", "-type:feedback,user"),
        ("tier:热", "tier:hot"),
        ("is:不加载", "is:unloaded"),
        ("scope:团队", "scope:team"),
    ],
)
def test_words_of_either_language_mean_the_same_whatever_the_screen_speaks(zh: str, en: str) -> None:
    assert parse_query(zh) == parse_query(en)
    assert store_search.parse_query("type:反馈 tier:热 is:陈旧") == store_search.parse_query(
        "type:feedback tier:hot is:stale"
    )


def test_every_value_that_a_filter_knows_has_its_word_in_chinese() -> None:
    for known in (VALUES, present_review.VALUES, present_checks.VALUES):
        for key, values in known.items():
            for value in values if key != "rule" else ():
                assert named(key, value, "zh") != value
                assert value in meant(key, named(key, value, "zh"), values)
    assert present_review.parse("kind:合并") == present_review.parse("kind:merge")
    assert present_checks.parse("severity:错误 is:可修") == present_checks.parse("severity:error is:fixable")
    shown = plain(hint("is:", parse_query("is:"), words("zh"), "zh"))
    assert "陈旧" in shown
    assert "stale" not in shown


def test_an_unknown_condition_is_explained_and_still_a_word() -> None:
    assert "“typ:” is no condition" in hinted("typ:user")
    assert "is type: meant?" in hinted("typ:user")
    assert "there are type: tier: is: scope:" in hinted("zzz:1")
    assert parse_query("typ:user").words == ("typ:user",)
    assert parse_query("http://example.org").problems == ()
    assert parse_query('note:"a b"').problems == ()


def test_an_unknown_value_is_explained() -> None:
    assert hinted("type:zebra") == "type: knows no “zebra”; user feedback project reference unknown  "
    assert explain(Odd("tier", "x"), words("zh"), "zh") == "tier: 没有“x”；可用 热 温 凉"


@pytest.mark.parametrize(
    ("typed", "done"),
    [
        ("ty", "type:"),
        ("t", "t"),
        ("words sc", "words scope:"),
        ("-i", "-is:"),
        ("type:fe", "type:feedback"),
        ("type:user,pr", "type:user,project"),
        ("type:", "type:"),
        ("type:zzz", "type:zzz"),
        ("is:s", "is:s"),
        ("is:陈", "is:陈旧"),
        ("is:un", "is:un"),
        ("is:unlo", "is:unloaded"),
        ("is:sta", "is:stale"),
        ('"type', '"type'),
        ("", ""),
    ],
)
def test_tab_completes_what_is_clear(typed: str, done: str) -> None:
    assert completed(typed) == done


@given(st.text(alphabet=st.sampled_from('typeishorc:-,"/ 天\x1b\u202e'), max_size=30))
def test_whatever_is_typed_the_hint_is_harmless_and_completion_only_adds(text: str) -> None:
    shown = plain(hint(text, parse_query(text), EN))
    assert visible(shown) == shown
    assert completed(text).startswith(text) or completed(text.lower()).startswith(text.lower())


def test_hostile_conditions_show_harmless() -> None:
    shown = explain(Odd(HOSTILE), EN)
    assert visible(shown) == shown


@pytest.mark.parametrize(
    ("typed", "done"),
    [
        ("ty", "type:"),
        ("words is:s", "words is:stale"),
        ("is:", "is:stale"),
        ("tier:", "tier:"),
        ("sc", "sc"),
        ("is:dup", "is:dup"),
        ("tier:h", "tier:hot"),
    ],
)
def test_a_search_through_all_stores_is_completed_with_what_it_knows(typed: str, done: str) -> None:
    assert completed(typed, SEARCH_VALUES) == done


def test_what_a_search_is_completed_with_narrows_it() -> None:
    for key, values in SEARCH_VALUES.items():
        for value in values:
            assert store_search.parse_query(f"{key}:{value}").words == ()
            assert f"{key}:" in projects.words("en").search_note
            assert f"{key}:" in projects.words("zh").search_note
