"""How a filter compares what is typed with a text: whoever looks for ``deploy prod`` means ``deploy-prod`` too. Pure."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """A text composed and without case; it has as many line ends as before."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text).casefold()


def searchable(text: str) -> str:
    """A text folded, in which hyphen, underscore and blank are one: names of files and people's words for them meet."""
    return fold(text).replace("-", " ").replace("_", " ")


def wanted_word(typed: str, *, quoted: bool = False) -> str:
    """One word to look for, as it stands in a ``searchable`` text; empty while it is only signs that join words.

    Args:
        typed: without the quotes.
        quoted: whether it stood in quotes, where blanks at its ends are meant.
    """
    word = searchable(typed)
    bare = word.strip(" ")
    return word if quoted and bare else bare
