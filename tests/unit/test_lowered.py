"""The forms of a text in which words are looked for first say no more than the text and miss none of its words."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.lowered import letters_of, lowered, words_of

TEXTS = st.text() | st.text(st.sampled_from("aZ kKİſé中-_'\n\udc80"))


@given(TEXTS)
def test_words_are_the_runs_of_latin_letters(text: str) -> None:
    assert words_of(text) == set(re.findall("[a-z]+", text.lower()))


@given(TEXTS)
def test_every_ascii_part_of_a_text_stands_among_its_letters(text: str) -> None:
    assert all(part in letters_of(text) for part in re.findall(r"[\x00-\x7f]+", lowered(text)))
    assert letters_of(text).isascii()
