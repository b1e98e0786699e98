"""Searching all stores at once, and where else a memory has been taught (needs 17)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memtui.claude.store_summary import Cancel, memories_of
from memtui.claude.stores import Store
from memtui.memory.age import memory_age_days
from memtui.memory.checks.findings_between import STALE_DAYS
from memtui.memory.decay import activation_tier
from memtui.memory.doubles.dedup import compare_with_all
from memtui.memory.doubles.likeness import Match
from memtui.memory.relevance.searchable import searchable, wanted_word
from memtui.memory.types import MemoryEntry, MemoryType
from memtui.memory.wording.filter_words import meant

Place = Literal["name", "description", "slug", "content"]
_EXCERPT = 120
_TYPES = (*(str(kind.value) for kind in MemoryType), "unknown")
_TIERS = ("hot", "warm", "cool")


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for.

    Attributes:
        words: all of them must stand in a memory, as ``searchable`` has them.
        types: one of them must be its type; empty for any. ``unknown`` is a type that is none of the four.
        tiers: one of them must be its tier (``hot``, ``warm``, ``cool``); empty for any.
        stale: whether only memories are wanted that nobody has touched for 200 days.
    """

    words: tuple[str, ...]
    types: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    stale: bool = False

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.words or self.types or self.tiers or self.stale)

    def narrows(self, entry: MemoryEntry, now: float) -> bool:
        """Whether a memory fits all but the words."""
        return (
            (not self.types or str(entry.memory_type or "unknown") in self.types)
            and (not self.tiers or activation_tier(entry.modified, now).name.lower() in self.tiers)
            and (not self.stale or memory_age_days(entry.modified, now) >= STALE_DAYS)
        )


@dataclass(frozen=True, slots=True)
class StoreHit:
    """A memory that was found.

    Attributes:
        store: where.
        entry: which.
        place: the first of its texts that holds the first word; ``name`` where only a type was asked for.
        line: 1-based line of the file, for ``content``; 0 otherwise.
        excerpt: the words around it, one line; text of a file, not fit to be shown as it is.
    """

    store: Store
    entry: MemoryEntry
    place: Place
    line: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """The same in another store.

    Attributes:
        store: where.
        entry: which.
        match: how alike; 1.0 for the same words.
    """

    store: Store
    entry: MemoryEntry
    match: Match

    @property
    def same(self) -> bool:
        """Whether it says the same, word for word."""
        return self.match.bigrams == 1.0 and self.match.confirmed == 1.0


def _meant(key: str, parts: Iterable[str], values: Sequence[str]) -> list[str]:
    """The values that words mean, whole words in English or Chinese; what means none stays, and finds nothing."""
    return [
        value
        for part in parts
        for value in (
            [part] if part in values else (not part.isascii() and meant(key, part, values)) or [part]
        )
    ]


def parse_query(text: str) -> Query:
    """Words, ``type:feedback``, ``tier:hot,warm`` and ``is:stale`` as in the app's filter; all else is a word.

    A condition without a value is one that is being typed, and asks for nothing yet.
    """
    words: list[str] = []
    types: list[str] = []
    tiers: list[str] = []
    stale = False
    for typed in text.split():
        word = typed.casefold()
        key, colon, value = word.partition(":")
        parts = [part for part in value.split(",") if part]
        if key == "type" and parts:
            types += _meant(key, parts, _TYPES)
        elif key == "tier" and parts:
            tiers += _meant(key, parts, _TIERS)
        elif key == "is" and "stale" in _meant(key, parts, ("stale",)):
            stale = True
        elif parts or not colon or key not in ("type", "tier", "is"):
            words += filter(None, (wanted_word(typed),))
    return Query(tuple(words), tuple(types), tuple(tiers), stale)


def search_stores(
    stores: Iterable[Store], query: Query | str, *, now: float, cancel: Cancel = lambda: False
) -> Iterator[StoreHit]:
    """The memories in force that hold every word, store by store, as they are found.

    Args:
        stores: where to look, in this order.
        query: what for; nothing is found by an empty one.
        now: Unix seconds.
        cancel: asked between two files; ends the search.
    """
    wanted = parse_query(query) if isinstance(query, str) else query
    if not wanted:
        return
    for store in stores:
        for entry in memories_of(store, now=now, cancel=cancel):
            if not wanted.narrows(entry, now):
                continue
            hit = _hit(store, entry, wanted.words)
            if hit is not None:
                yield hit
        if cancel():
            return


def _hit(store: Store, entry: MemoryEntry, words: tuple[str, ...]) -> StoreHit | None:
    texts: tuple[tuple[Place, str], ...] = (
        ("name", entry.name),
        ("description", entry.description),
        ("slug", entry.slug),
        ("content", entry.content),
    )
    if not words:
        return StoreHit(store, entry, "name", 0, entry.description or entry.name)
    folded = [searchable(text) for _, text in texts]
    if not all(any(word in text for text in folded) for word in words):
        return None
    for (place, text), low in zip(texts, folded, strict=True):
        at = low.find(words[0])
        if at < 0:
            continue
        if place != "content":
            return StoreHit(store, entry, place, 0, " ".join(text.split())[:_EXCERPT])
        # Folding may make a text longer, so lines are counted in the folded one, which has as many.
        number = low.count("\n", 0, at)
        lines = text.split("\n")
        line = lines[min(number, len(lines) - 1)]
        return StoreHit(store, entry, place, entry.body_line + number, _around(line, words[0]))
    return None


def _around(line: str, word: str) -> str:
    flat = " ".join(line.split())
    at = max(0, searchable(flat).find(word))
    start = max(0, at - _EXCERPT // 3) if len(flat) > _EXCERPT else 0
    return flat[start : start + _EXCERPT]


def seen_elsewhere(
    entry: MemoryEntry, stores: Iterable[Store], *, now: float, cancel: Cancel = lambda: False
) -> Iterator[Sighting]:
    """Where else a memory stands: the same words, or a confirmed duplicate; at most one memory of each store.

    Args:
        entry: the memory.
        stores: where to look; the one it stands in is passed over.
        now: Unix seconds.
        cancel: asked between two files; ends the search.
    """
    wanted = " ".join(entry.content.split())
    if not wanted:
        return
    where = Path(os.path.realpath(entry.path))
    for store in stores:
        if where.is_relative_to(os.path.realpath(store.path)):
            continue
        best: Sighting | None = None
        for other in memories_of(store, now=now, cancel=cancel):
            if " ".join(other.content.split()) == wanted:
                best = Sighting(store, other, Match(other.slug, 1.0, 1.0))
                break
            for match in compare_with_all(entry.content, {other.slug: other.content}):
                if best is None or match.rank < best.match.rank:
                    best = Sighting(store, other, match)
        if cancel():
            return
        if best is not None:
            yield best
