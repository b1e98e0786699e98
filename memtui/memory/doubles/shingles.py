"""The sets by which two texts are compared: character bigrams (seed) and word pairs (ours)."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import pairwise
from operator import add

from memtui.memory.lazy import lazy_pattern

# Scripts written without spaces between words (Han, kana, Thai, Lao, Burmese, Khmer): each character is a word.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf"
    r"\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_WORD = lazy_pattern(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")
_NUMBER = lazy_pattern(r"\d+(?:[.,:/-]\d+)*")


def each_bigram(text: str) -> Iterable[str]:
    """Neighbouring characters, as they come; of a single character, that character; of nothing, nothing (seed)."""
    return map(add, text, text[1:]) if len(text) > 1 else text


def bigrams(text: str) -> set[str]:
    """The set of ``each_bigram``."""
    return set(each_bigram(text))


def words(text: str) -> list[str]:
    """The words in lower case; where a script has no spaces each character; where there are no words each sign."""
    return _WORD.findall(text.lower()) or list("".join(text.split()))


def each_word_pair(text: str) -> Iterable[str]:
    """Neighbouring words joined by a space, as they come; of a single word, that word."""
    found = words(text)
    return map(" ".join, pairwise(found)) if len(found) > 1 else found


def word_pairs(text: str) -> set[str]:
    """The set of ``each_word_pair``."""
    return set(each_word_pair(text))


def jaccard(a: AbstractSet[str], b: AbstractSet[str]) -> float:
    """Shared members over all members, 0.0 to 1.0; two empty sets share nothing."""
    return jaccard_of_counts(len(a), len(b), len(a & b))


def jaccard_of_counts(a: int, b: int, shared: int) -> float:
    """The same from the sizes of the sets and of what they share."""
    return shared / (a + b - shared) if shared else 0.0


def mask_numbers(text: str) -> str:
    """The text with every number, date, time and version replaced by one ``0``."""
    return _NUMBER.sub("0", text)


def masking(text: str) -> tuple[set[str], set[str]]:
    """The bigrams that ``mask_numbers`` takes from those of a text, and those that it puts in; never more than it takes."""
    gone: set[str] = set()
    come: set[str] = set()
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        before, after = text[max(start - 1, 0) : start], text[end : end + 1]
        gone.update(each_bigram(before + match[0] + after))
        come.update(each_bigram(f"{before}0{after}"))
    return gone, come


def numbers_in(text: str) -> tuple[str, ...]:
    """What ``mask_numbers`` would replace, in order."""
    return tuple(_NUMBER.findall(text))


def has_number(text: str) -> bool:
    """Whether there is anything in it that ``mask_numbers`` would replace."""
    return _NUMBER.search(text) is not None
