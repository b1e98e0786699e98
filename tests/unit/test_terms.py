"""Texts as terms: words, names, dates of all forms, and scripts without spaces."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.memory.dates import is_date, time_terms
from memtui.memory.relevance.english import stem
from memtui.memory.relevance.terms import MAX_TEXT_CHARS, counted, fold, units, units_of

_8_MAY_2023 = ("2023-05-08", "05-08", "month 05", "2023-05", "2023")


def _terms(text: str) -> list[tuple[str, ...]]:
    return [(unit.whole, *unit.parts) for unit in units(text)]


@pytest.mark.parametrize(
    "written",
    [
        "8 May 2023",
        "8th of May, 2023",
        "May 8, 2023",
        "may 8th 2023",
        "2023-05-08",
        "2023/5/8",
        "2023.05.08",
        "2023年5月8日",
        "2023年五月八号",
    ],
)
def test_a_date_of_any_form_is_the_same_day_month_and_year(written: str) -> None:
    assert _terms(written) == [_8_MAY_2023]
    assert is_date(written)


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("February 14th", ("02-14", "month 02")),
        ("the 14th of February", ("02-14", "month 02")),
        ("Oct 2024", ("2024-10", "month 10", "2024")),
        ("October", ("month 10",)),
        ("六月八号", ("06-08", "month 06")),
        ("十二月二十五日", ("12-25", "month 12")),
        ("2024年1月", ("2024-01", "month 01", "2024")),
    ],
)
def test_a_date_says_as_much_as_is_written(written: str, terms: tuple[str, ...]) -> None:
    assert _terms(written) == [terms]


def test_a_long_text_gives_the_dates_that_its_sentences_give_alone() -> None:
    filler = "We may walk along the river again and talk. " * 20
    text = f"{filler}Then on 8 May 2023 we met. {filler}It was 2024-02-01 when he left. {filler}"
    dates = [unit.whole for unit in units(text) if unit.kind == "date"]
    assert sorted(dates) == ["2023-05-08", "2024-02-01"]


@pytest.mark.parametrize("text", ["it may rain", "mar the finish", "version 12.5.20234", "1.2.3"])
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert [unit for unit in units(text) if unit.kind == "date"] == []


def test_the_day_of_a_time_is_found_as_the_day_written_out() -> None:
    assert time_terms(1_683_504_000.0) == _8_MAY_2023
    assert time_terms(float("inf")) == time_terms(float("nan")) == time_terms(1e30) == ()


def test_a_name_is_found_as_a_whole_and_by_its_parts() -> None:
    assert _terms("NebulaLatch") == [("nebulalatch", "nebula", "latch")]
    assert _terms("save_memory") == [("savememory", "save", "memori")]
    assert _terms("src/dune/vector.rs") == [("srcdunevectorrs", "src", "dune", "vector", "rs")]
    assert _terms("HTTPServer2") == [("httpserver2", "http", "server", "2")]
    assert _terms("e-mail") == [("email", "e", "mail")]


def test_the_marks_of_a_language_name_are_kept() -> None:
    assert _terms("C++ and C#") == [("c++", "c"), ("c#", "c")]


@pytest.mark.parametrize("written", ["Anna", "anna", "Anna's", "Anna’s", "ANNA'S", "Anna'"])
def test_possession_and_case_do_not_make_another_word(written: str) -> None:
    assert _terms(written) == [("anna",)]


def test_contractions_say_nothing() -> None:
    assert _terms("don't can't we'll they've I'm isn’t") == []


def test_words_lose_their_endings_and_irregular_ones_their_forms() -> None:
    assert stem("deployments") == stem("deploying") == stem("deployed") == "deploy"
    assert stem("ran") == stem("running") == stem("runs") == "run"
    assert stem("taught") == stem("teaching") == "teach"
    assert stem("children") == "child"
    assert stem("größe") == "größe"


def test_words_that_say_how_something_is_asked_are_left_out() -> None:
    assert _terms("What did the team do about the outage?") == [("team",), ("outag",)]
    assert _terms("这是什么") == []


def test_chinese_gives_each_pair_and_its_characters() -> None:
    assert _terms("数据库") == [("数据", "数", "据"), ("据库", "据", "库")]
    assert _terms("猫") == [("猫",)]
    found, pairs = counted("部署数据库 now")
    assert found == {"now": 1}
    assert set(pairs) == {"部署", "署数", "数据", "据库", "部", "署", "数", "据", "库"}


def test_a_particle_ends_a_chinese_word() -> None:
    assert [unit.whole for unit in units("团队的数据")] == ["团队", "数据"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Café", "cafe"), ("naïve", "NAIVE"), ("ＡＢＣ", "abc"), ("Straße", "strasse"), ("ﬁle", "file")],
)
def test_letters_that_people_take_for_the_same_are_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)
    assert _terms(one) == _terms(other)


@settings(max_examples=60)
@given(st.text(max_size=100))
def test_composed_and_decomposed_texts_give_the_same_terms(text: str) -> None:
    nfc, nfd = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert [unit.whole for unit in units(nfc)] == [unit.whole for unit in units(nfd)]


@settings(max_examples=60)
@given(st.text(max_size=100) | st.text("数据的库 a1月年日8-/.'", max_size=60))
def test_counting_finds_what_the_units_say(text: str) -> None:
    tokens, pairs = counted(text)
    found = {term for token in tokens for unit in units_of(token) for term in (unit.whole, *unit.parts)}
    assert found | set(pairs) == {term for unit in units(text) for term in (unit.whole, *unit.parts)}


def test_only_the_beginning_of_a_text_is_looked_at() -> None:
    tokens, _ = counted("word " * MAX_TEXT_CHARS + "end")
    assert "end" not in tokens
