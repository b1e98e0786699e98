"""Searching all stores at once, and where else a memory has been taught (needs 17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from memtui.claude.store_summary import Cancel, memories_of
from memtui.claude.stores import Store
from memtui.memory.dedup import compare_with_all
from memtui.memory.likeness import Match
from memtui.memory.types import MemoryEntry

Place = Literal["name", "description", "slug", "content"]
_EXCERPT = 120


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for.

    Attributes:
        words: all of them must stand in a memory, in whatever case.
        types: one of them must be its type; empty for any. ``unknown`` is a type that is none of the four.
    """

    words: tuple[str, ...]
    types: tuple[str, ...]


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


def parse_query(text: str) -> Query:
    """Words, and ``type:feedback`` as in the app's filter."""
    words, types = [], []
    for word in text.casefold().split():
        key, colon, value = word.partition(":")
        if key == "type" and colon and value:
            types += [part for part in value.split(",") if part]
        else:
            words.append(word)
    return Query(tuple(words), tuple(types))


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
    if not wanted.words and not wanted.types:
        return
    for store in stores:
        for entry in memories_of(store, now=now, cancel=cancel):
            if wanted.types and str(entry.memory_type or "unknown") not in wanted.types:
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
    folded = [text.casefold() for _, text in texts]
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
    at = max(0, flat.casefold().find(word))
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
    for store in stores:
        if entry.path.is_relative_to(store.path):
            continue
        there = {other.slug: other for other in memories_of(store, now=now, cancel=cancel)}
        if cancel():
            return
        same = next((o for o in there.values() if " ".join(o.content.split()) == wanted), None)
        if same is not None:
            yield Sighting(store, same, Match(same.slug, 1.0, 1.0))
            continue
        alike = compare_with_all(entry.content, {slug: other.content for slug, other in there.items()})
        if alike:
            yield Sighting(store, there[alike[0].slug], alike[0])
