"""What is typed to narrow a list of findings or proposals: words, and conditions such as ``kind:new``. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from memtui.memory.relevance.searchable import fold, searchable, wanted_word
from memtui.memory.wording.filter_words import meant


@dataclass(frozen=True, slots=True)
class Conditions:
    """A filter text understood; ``-`` turns each part round.

    Attributes:
        words: words as they stand in a ``searchable`` text, each with whether it must not be there.
        conditions: key, the values it may have, and whether it excludes.
        unknown: keys with a value that names nothing.
    """

    words: tuple[tuple[str, bool], ...] = ()
    conditions: tuple[tuple[str, frozenset[str], bool], ...] = ()
    unknown: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        return not (self.words or self.conditions)

    def hold(self, text: str) -> bool:
        """Whether every word that has to be in a text is, and no other."""
        haystack = searchable(text)
        return all((word in haystack) != negated for word, negated in self.words)


@cache
def _token(keys: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf'(-?)(?:({"|".join(keys)}):)?(?:"([^"]*)"?|(\S+)|(?=\s|$))')


def parse(text: str, values: Mapping[str, Sequence[str]]) -> Conditions:
    """Understand what was typed; never fails. The start of a value's name, in English or Chinese, is enough, a comma is "or".

    Args:
        text: as typed.
        values: by key, what it may be.
    """
    wanted: list[tuple[str, bool]] = []
    conditions: list[tuple[str, frozenset[str], bool]] = []
    unknown: list[tuple[str, str]] = []
    for match in _token(tuple(values)).finditer(text):
        minus, key, quoted, bare = match.groups()
        value = quoted if quoted is not None else bare
        if not value:
            continue
        if key is None:
            if word := wanted_word(value, quoted=quoted is not None):
                wanted.append((word, bool(minus)))
            continue
        picked: set[str] = set()
        for piece in filter(None, fold(value).split(",")):
            found = meant(key, piece, values[key])
            picked.update(found)
            if not found:
                unknown.append((key, piece))
        conditions.append((key, frozenset(picked), bool(minus)))
    return Conditions(tuple(wanted), tuple(conditions), tuple(unknown))
