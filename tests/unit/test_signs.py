"""The signs of texts: they rule out nothing that is there, and where they are the whole answer they are right."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from memtui.memory.relevance.signs import Signs, bits_of, is_whole_answer, sign

_TEXTS = st.text(st.sampled_from("aeknz09 ./:,-(\n\t\0é日志监控𝄞\udcff"), max_size=40)


def _packed(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _has(text: str, word: str) -> bool:
    signs = Signs()
    place = signs.add(_packed(text))
    return all(all(signs.have(bit, [place])) for bit in bits_of(_packed(word)))


@given(_TEXTS, st.integers(0, 40), st.integers(1, 12))
@example("k", 0, 1)
@example("日", 0, 1)
def test_whatever_stands_in_a_text_has_its_bits(text: str, start: int, length: int) -> None:
    assert _has(text, text[start : start + length])


@given(_TEXTS, st.text(st.sampled_from("aekn09 ./:,日"), min_size=1, max_size=2))
@example("a", "k")
@example("ba", "ab")
@example("a\nb", "ab")
def test_where_the_sign_is_the_whole_answer_it_is_the_right_one(text: str, word: str) -> None:
    if is_whole_answer(_packed(word)):
        assert _has(text, word) == (word in text)


def test_letters_and_digits_alone_and_in_pairs_need_no_look_at_the_text() -> None:
    assert all(map(is_whole_answer, (b"a", b"z9", b" a", b"e.")))
    assert not any(map(is_whole_answer, (b"abc", b",", b"a(", "日".encode())))


def test_all_signs_are_of_one_length_and_each_keeps_its_place() -> None:
    texts = ["", "a", "日志", "real database", "x" * 5_000]
    assert len({len(sign(_packed(text))) for text in texts}) == 1
    signs = Signs()
    places = [signs.add(_packed(text)) for text in texts]
    [bit] = bits_of(b"da")
    assert list(map(bool, signs.have(bit, places))) == ["da" in text for text in texts]
    assert list(map(bool, signs.have(bit, places[::-1]))) == ["da" in text for text in texts[::-1]]
