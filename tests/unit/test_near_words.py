"""Words that a misspelt one could mean: the same answer as comparing with every word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.relevance.near_words import LEAST_LETTERS, TWO_SLIPS_FROM, NearWords, slips

_WORDS = st.text("abcd", min_size=3, max_size=11)


def _by_brute_force(word: str, known: list[str], most: int) -> list[int]:
    """Numbers of the nearest words: any one slip, or two slips behind the first letter."""
    found: dict[int, int] = {}
    for number, other in enumerate(known):
        distance = slips(word, other, most)
        near = distance <= most and (other[0] == word[0] or distance == 1)
        if near and len(other) >= LEAST_LETTERS - 1:
            found[number] = distance
    least = min(found.values(), default=0)
    return [number for number, distance in found.items() if distance == least]


@given(_WORDS, st.lists(_WORDS, unique=True, max_size=30), st.data())
def test_the_nearest_words_are_those_of_comparing_with_each(
    word: str, known: list[str], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(known)))
    words = known[:cut]
    near = NearWords(words)
    near.nearest(word, lambda _: 1)
    words += known[cut:]
    most = 2 if len(word) >= TWO_SLIPS_FROM else 1
    known = [other for other in known if other != word]
    expected = [] if len(word) < LEAST_LETTERS else [known[i] for i in _by_brute_force(word, known, most)]
    found = near.nearest(word, lambda number: words[number] != word)
    assert sorted(words[number] for number in found) == sorted(expected)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("database", "databse", 1),
        ("password", "pasword", 1),
        ("recieve", "receive", 1),
        ("kitten", "sitting", 3),
        ("same", "same", 0),
        ("", "ab", 2),
    ],
)
def test_a_slip_is_a_letter_left_out_put_in_taken_for_another_or_swapped(
    one: str, other: str, distance: int
) -> None:
    assert slips(one, other, 3) == slips(other, one, 3) == distance
    assert slips(one, other, max(0, distance - 1)) == distance


def test_short_words_and_those_with_digits_are_not_guessed_at() -> None:
    near = NearWords(["tost", "v1234", "toasts"])
    assert near.nearest("test", lambda _: 1) == []
    assert near.nearest("v1235", lambda _: 1) == []


def test_words_that_no_memory_holds_any_more_are_not_found() -> None:
    near = NearWords(["harbor", "harbour"])
    assert near.nearest("harbous", lambda number: number == 0) == []
    assert near.nearest("harbous", lambda number: number == 1) == [1]
