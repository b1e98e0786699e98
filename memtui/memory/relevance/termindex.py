"""Which terms stand in which memories, how often and where, kept up to date at the cost of what changed (ours).

A posting is one number: the memory's place times 256, plus how often the term counts there in halves, fields weighed. A
term that stands in one memory, as most do, has its posting and no list.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memtui.memory.dates import time_terms
from memtui.memory.relevance.terms import counted, units_of
from memtui.memory.types import MemoryEntry

Field = Literal["name", "description", "content", "modified"]
FIELD_HALVES: Mapping[Field, int] = {"name": 4, "description": 3, "content": 2, "modified": 1}
"""How much a word counts by where it stands, in halves of a word of the text (ours)."""
SHORT_NAME_HALVES: Mapping[int, int] = {1: 20, 2: 8, 3: 3}
"""How much a word of a name counts beside that, by how many words the name has, in halves (ours): a memory called "CI" is
about that, however often another one speaks of it."""
COUNT_BITS = 8
"""Bits of a posting that hold the count; those above are the place."""
MOST_HALVES = (1 << COUNT_BITS) - 1
"""Highest count of a posting."""
_MAX_KNOWN_TOKENS = 1 << 15
_REBUILD_AT = 0.3
_MIN_DEAD = 64
_END_CHARS = 64
_SHORT_NAME_CHARS = 32


@dataclass(frozen=True, slots=True)
class _Doc:
    """One memory in the index.

    Attributes:
        entry: as it was read.
        terms: numbers of its terms, ascending.
        length: its weighted length, in terms.
        asks: whether it ends with a question mark.
    """

    entry: MemoryEntry
    terms: array[int]
    length: float
    asks: bool


class TermIndex:
    """The terms of a directory's memories. Not for several threads at once.

    Attributes:
        words: the terms by number; only ever added at the end, but for a new list when the index is made anew.
        mean_length: of the memories, in terms.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.words: list[str] = []
        self._number: dict[str, int] = {}
        self._postings: list[int | array[int]] = []
        self._frequency = array("I")
        self._names: set[int] = set()
        self._known: dict[str, tuple[int, ...]] = {}
        self._docs: list[_Doc | None] = []
        self._place: dict[str, int] = {}
        self._length = 0.0

    def __len__(self) -> int:
        return len(self._place)

    @property
    def places(self) -> int:
        """Places of memories, those given up included."""
        return len(self._docs)

    @property
    def mean_length(self) -> float:
        """Mean weighted length of the memories, in terms; 1.0 without any."""
        return self._length / len(self._place) if self._length else 1.0

    # -- keeping -------------------------------------------------------------------------------------------------------

    def update(self, entries: Iterable[MemoryEntry]) -> tuple[list[MemoryEntry], list[MemoryEntry]]:
        """Hold exactly these memories from now on.

        Returns:
            Those that are not held any more, and those that are new; one that changed is in both.
        """
        wanted = {entry.slug: entry for entry in entries}
        stale = [slug for slug, entry in wanted.items() if self._differs(slug, entry)]
        gone = [slug for slug in self._place if slug not in wanted]
        removed = [entry for slug in (*gone, *stale) if (entry := self._remove(slug)) is not None]
        added = [wanted[slug] for slug in stale]
        dead = len(self._docs) - len(self._place)
        if dead > _MIN_DEAD and dead > _REBUILD_AT * len(self._docs):
            self._begin()
            for entry in wanted.values():
                self._add(entry)
        else:
            for entry in added:
                self._add(entry)
        return removed, added

    def _differs(self, slug: str, entry: MemoryEntry) -> bool:
        """Whether a memory's terms have to be read; where only other things changed, they are taken over."""
        place = self._place.get(slug)
        if place is None:
            return True
        doc = self._docs[place]
        if doc is None or (doc.entry is not entry and _read(doc.entry) != _read(entry)):
            return True
        if doc.entry is not entry:
            self._docs[place] = replace(doc, entry=entry)
        return False

    def _add(self, entry: MemoryEntry) -> None:
        halves: dict[int, int] = {}
        length = 0
        self._count_short(entry.name, halves)
        for text, weight in zip(
            (entry.name, entry.description, entry.content), FIELD_HALVES.values(), strict=False
        ):
            if text:
                length += weight * self._count(text, weight, halves)
        for term in time_terms(entry.modified):
            number = self._numbered(term)
            halves[number] = halves.get(number, 0) + FIELD_HALVES["modified"]
        place = len(self._docs)
        terms = array("I", sorted(halves))
        base = place << COUNT_BITS
        postings, frequency = self._postings, self._frequency
        if halves and max(halves.values()) > MOST_HALVES:
            halves = {number: min(count, MOST_HALVES) for number, count in halves.items()}
        for number, count in halves.items():
            posting = base | count
            frequency[number] += 1
            held = postings[number]
            if not isinstance(held, int):
                held.append(posting)
            elif held < 0:
                postings[number] = posting
            else:
                postings[number] = array("I", (held, posting))
        asks = entry.content[-_END_CHARS:].rstrip().endswith(("?", "\uff1f"))
        self._docs.append(_Doc(entry, terms, length / 2, asks))
        self._place[entry.slug] = place
        self._length += length / 2

    def _count_short(self, name: str, halves: dict[int, int]) -> None:
        """Let the words of a name of few count more: they say what the memory is about, and nothing beside it."""
        if len(name) <= _SHORT_NAME_CHARS:
            counts: dict[int, int] = {}
            more = SHORT_NAME_HALVES.get(self._count(name, 1, counts), 0)
            if more:
                for number, count in counts.items():
                    halves[number] = count * more

    def _count(self, text: str, weight: int, halves: dict[int, int]) -> int:
        """Add a text's terms, and give its length in units."""
        length = 0
        tokens, pairs = counted(text)
        known = self._known
        for token, times in tokens.items():
            numbers = known.get(token)
            if numbers is None:
                numbers = self._learn(token)
            if numbers:
                length += times
                gain = times * weight
                for number in numbers:
                    halves[number] = halves.get(number, 0) + gain
        numbered = self._number
        for pair, times in pairs.items():
            known_number = numbered.get(pair)
            number = known_number if known_number is not None else self._numbered(pair)
            halves[number] = halves.get(number, 0) + times * weight
        return length + pairs.total() // 2

    def _learn(self, token: str) -> tuple[int, ...]:
        """The numbers of a token's terms, the whole first; none for what says nothing."""
        numbers: list[int] = []
        for unit in units_of(token):
            numbers += map(self._numbered, (unit.whole, *unit.parts))
            if unit.kind == "name":
                self._names.add(numbers[0])
        if len(self._known) >= _MAX_KNOWN_TOKENS:
            self._known.clear()
        found = self._known[token] = tuple(numbers)
        return found

    def _numbered(self, term: str) -> int:
        number = self._number.get(term)
        if number is None:
            number = self._number[term] = len(self.words)
            self.words.append(term)
            self._postings.append(-1)
            self._frequency.append(0)
        return number

    def _remove(self, slug: str) -> MemoryEntry | None:
        place = self._place.pop(slug, None)
        doc = self._docs[place] if place is not None else None
        if place is None or doc is None:
            return None
        self._docs[place] = None
        self._length = self._length - doc.length if self._place else 0.0
        for term in doc.terms:
            self._frequency[term] -= 1
        return doc.entry

    # -- asking --------------------------------------------------------------------------------------------------------

    def entry(self, place: int) -> MemoryEntry | None:
        """The memory at a place; None where it was given up."""
        doc = self._docs[place]
        return doc.entry if doc is not None else None

    def place(self, slug: str) -> int | None:
        """Where a memory is held."""
        return self._place.get(slug)

    def number(self, term: str) -> int | None:
        """A term's number, if any memory holds it."""
        number = self._number.get(term)
        return number if number is not None and self.frequency(number) else None

    def frequency(self, number: int) -> int:
        """How many memories hold a term."""
        return self._frequency[number]

    def rarity(self, number: int | None) -> float:
        """BM25's inverse document frequency; None stands for a term that nobody holds, the rarest."""
        held = self.frequency(number) if number is not None else 0
        return math.log(1.0 + (len(self._place) - held + 0.5) / (held + 0.5))

    def postings(self, number: int) -> Sequence[int]:
        """The postings of a term, by place ascending, those of places given up included."""
        held = self._postings[number]
        return held if isinstance(held, array) else (held,) if held >= 0 else ()

    def count(self, number: int, place: int) -> float:
        """How often a term counts in a memory, fields weighed."""
        held = self.postings(number)
        at = bisect_left(held, place << COUNT_BITS)
        if at < len(held) and held[at] >> COUNT_BITS == place:
            return (held[at] & MOST_HALVES) / 2
        return 0.0

    def terms(self, place: int) -> Sequence[int]:
        """The numbers of a memory's terms."""
        doc = self._docs[place]
        return doc.terms if doc is not None else ()

    def shared_terms(self, place: int, most: int) -> list[int]:
        """The terms of a memory that others hold too, but no more than ``most`` memories altogether."""
        frequency = self._frequency
        return [term for term in self.terms(place) if 1 < frequency[term] <= most]

    def terms_of(self, text: str) -> set[int]:
        """The numbers of a text's terms, as far as any memory has them."""
        tokens, pairs = counted(text)
        found = {number for pair in pairs if (number := self._number.get(pair)) is not None}
        for token in tokens:
            numbers = self._known.get(token)
            if numbers is not None:
                found.update(numbers)
                continue
            for unit in units_of(token):
                named = map(self._number.get, (unit.whole, *unit.parts))
                found.update(number for number in named if number is not None)
        return found

    def length(self, place: int) -> float:
        """A memory's weighted length, in terms."""
        doc = self._docs[place]
        return doc.length if doc is not None else 0.0

    def asks(self, place: int) -> bool:
        """Whether a memory ends with a question: it raises more than it tells."""
        doc = self._docs[place]
        return doc is not None and doc.asks

    def is_name(self, number: int) -> bool:
        """Whether a term is a name made of parts."""
        return number in self._names


def _read(entry: MemoryEntry) -> tuple[str, str, str, float, str | None]:
    """What of a memory is read."""
    return entry.name, entry.description, entry.content, entry.modified, entry.origin
