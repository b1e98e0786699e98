"""Catalogues of sentences: every name has one, and no other."""

from __future__ import annotations

import pytest

from memtui.memory.wording.sentences import Sentences


class Greetings(Sentences):
    """Two sentences, and a word made of one."""

    hello: str
    goodbye: str

    @property
    def loud(self) -> str:
        """A sentence that is made."""
        return self.hello.upper()


EN = Greetings(hello="hello", goodbye="goodbye")


def test_a_catalogue_has_its_sentences_by_name_in_the_order_of_the_class() -> None:
    assert Greetings.names() == ("hello", "goodbye")
    assert (EN.hello, EN.goodbye, EN.loud) == ("hello", "goodbye", "HELLO")


@pytest.mark.parametrize("said", [{"hello": "hello"}, {"hello": "a", "goodbye": "b", "welcome": "c"}])
def test_a_sentence_that_is_missing_or_unknown_is_an_error_when_the_catalogue_is_made(
    said: dict[str, str],
) -> None:
    with pytest.raises(TypeError, match=r"Greetings: (goodbye|welcome)"):
        Greetings(**said)


def test_some_sentences_replaced_give_another_catalogue() -> None:
    other = EN.replaced(hello="good day")
    assert (other.hello, other.goodbye, EN.hello) == ("good day", "goodbye", "hello")
    with pytest.raises(TypeError, match="Greetings: welcome"):
        EN.replaced(welcome="come in")
