"""A filter as typed, understood: words and conditions. Pure; ``filtering`` does what it asks.

Every word has to stand in name, slug, description or body, where ``-``, ``_`` and blank are one; ``type: tier: is:
scope:`` narrow further, their values in English or Chinese; ``-`` in front turns a word or condition round; ``"two words"`` are one; a comma is "or"
(``type:user,project``). A condition without a value is still being typed and filters nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from memtui.memory.lazy import lazy_pattern
from memtui.memory.relevance.searchable import fold, wanted_word
from memtui.memory.wording.filter_words import meant

FLAGS = (
    "stale",
    "duplicate",
    "secret",
    "orphan",
    "unlisted",
    "unloaded",
    "unreviewed",
    "unused",
    "historical",
    "broken",
    "problem",
    "draft",
    "marked",
)
"""Values of ``is:`` (design §3), and what memtui can say on top."""

_FOUND = frozenset({"stale", "duplicate", "secret", "orphan", "unlisted", "broken", "problem"})
"""Those of them that only the checks can tell."""

VALUES: Mapping[str, tuple[str, ...]] = {
    "type": ("user", "feedback", "project", "reference", "unknown"),
    "tier": ("hot", "warm", "cool"),
    "is": FLAGS,
    "scope": ("private", "team"),
}
"""What each condition may be asked for."""

_TOKEN = lazy_pattern(r'(-?)(?:(\w+):)?(?:"([^"]*)"?|(\S+)|(?=\s|$))')


class Condition(NamedTuple):
    """One narrowing, ``type:user,project`` or ``-is:stale``.

    Attributes:
        key: one of ``VALUES``.
        values: what it may be; empty if nothing is called so.
        negated: whether it excludes.
    """

    key: str
    values: frozenset[str]
    negated: bool = False


class Odd(NamedTuple):
    """Something in a filter that was not understood.

    Attributes:
        key: what stands before the colon.
        value: what this condition does not know; None if there is no such condition.
    """

    key: str
    value: str | None = None


class Query(NamedTuple):
    """A filter text understood.

    Attributes:
        words: words that must all be there, as they stand in a ``searchable`` text.
        without: words that must not.
        conditions: narrowings that must all hold.
        problems: what could not be understood.
    """

    words: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    problems: tuple[Odd, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        return not (self.words or self.without or self.conditions)

    @property
    def asks_history(self) -> bool:
        """Whether it asks for old versions, which are not listed otherwise."""
        return any(c.key == "is" and "historical" in c.values and not c.negated for c in self.conditions)

    @property
    def asks_loading(self) -> bool:
        """Whether it asks what a session gets of the index."""
        return any(c.key == "is" and "unloaded" in c.values for c in self.conditions)

    @property
    def asks_findings(self) -> bool:
        """Whether it asks for what the checks find: before they are through, an empty answer is none."""
        return any(c.key == "is" and not _FOUND.isdisjoint(c.values) for c in self.conditions)


EVERYTHING = Query()


@lru_cache(64)  # asked at every key by all who show something of it
def parse_query(text: str) -> Query:
    """Understand what was typed; never fails."""
    if not text:
        return Query((), (), (), ())
    words: list[str] = []
    without: list[str] = []
    conditions: list[Condition] = []
    problems: list[Odd] = []
    for match in _TOKEN.finditer(text):
        minus, key, quoted, bare = match.groups()
        value = quoted if quoted is not None else bare
        if key is not None and key.lower() in VALUES:
            if value:
                conditions.append(_condition(key.lower(), value, negated=bool(minus), problems=problems))
            continue
        if key is not None:
            if quoted is None and key.isalpha() and not (value or "").startswith("/"):  # an address is none
                problems.append(Odd(key))
            value = f"{key}:{value or ''}"
        word = wanted_word(value or "", quoted=quoted is not None)
        if word:  # a lone minus is a word being typed
            (without if minus else words).append(word)
    return Query(tuple(words), tuple(without), tuple(conditions), tuple(problems))


def _condition(key: str, value: str, *, negated: bool, problems: list[Odd]) -> Condition:
    names = VALUES[key]
    wanted: set[str] = set()
    for piece in filter(None, fold(value).split(",")):
        found = meant(key, piece, names)
        wanted.update(found)
        if not found:
            problems.append(Odd(key, piece))
    return Condition(key, frozenset(wanted), negated)
