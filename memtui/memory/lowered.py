"""A text in the forms in which words are looked for, each made once for all the checks that look for some."""

from __future__ import annotations

from functools import lru_cache

_KEPT = 4
"""So many texts' forms are kept: a memory's own, and its name with its description (ours)."""
_NO_LETTERS = bytes(code if 97 <= code <= 122 else 32 for code in range(256))


@lru_cache(maxsize=_KEPT)
def lowered(text: str) -> str:
    """The text in lower case; it may be longer than the text."""
    return text.lower()


@lru_cache(maxsize=_KEPT)
def letters_of(text: str) -> str:
    """What of that is ASCII: a word in ASCII that stands in the text stands here too, and is found much sooner."""
    low = lowered(text)
    return low if low.isascii() else low.encode("ascii", "ignore").decode("ascii")


@lru_cache(maxsize=_KEPT)
def words_of(text: str) -> frozenset[str]:
    """The runs of Latin letters in a text, in lower case."""
    # Not by a pattern, which takes three times as long.
    return frozenset(lowered(text).encode("ascii", "replace").translate(_NO_LETTERS).decode("ascii").split())
