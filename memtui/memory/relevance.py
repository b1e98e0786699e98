"""Which memories a question is about, found without a model: BM25 over name, description and text, with reasons.

Ranking is BM25F (Robertson, Zaragoza: one saturation over weighted fields). Ours are: units instead of words (names and
dates match by their parts too, see `terms`), misspelt words that are looked up by what they could mean, one step from
a memory found to others that share a rare name with it, and the honest answer that nothing is relevant: the best
memory must hold enough of what the question says, by weight.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.memory.near_words import NearWords
from memtui.memory.terms import Unit, counted, units, units_of
from memtui.memory.types import MemoryEntry

Field = Literal["name", "description", "content"]
How = Literal["same", "part", "near", "linked"]

FIELD_WEIGHTS: Mapping[Field, float] = {"name": 2.0, "description": 1.5, "content": 1.0}
"""How much a word counts by where it stands (ours)."""
SATURATION = 1.2
"""BM25's k1: how soon a repeated word stops to count."""
LENGTH_SHARE = 0.5
"""BM25's b: how much a long memory's words count less. Memories are short, so less than the usual 0.75 (ours)."""
PART_SHARE = 0.4
"""What the parts of a name or date count together, beside the whole (ours)."""
NEAR_SHARE = 0.7
"""What a word counts that is found under another spelling (ours)."""
LEAST_COVERAGE = 0.37
"""Least share of the question, by weight, that the best memory must hold for anything to be relevant, where words of
the question stand in no memory at all; where all of them stand somewhere, ``COVERAGE_IF_KNOWN`` is enough (ours)."""
COVERAGE_IF_KNOWN = 0.12
UNKNOWN_SHARE = 0.4
"""Share of the question, by weight, that is in no memory, from which ``LEAST_COVERAGE`` is asked in full (ours)."""
LEAST_OF_BEST = 0.12
"""Memories whose score is under this share of the best one's are left out (ours)."""
LINK_SHARE = 0.5
"""What is left of a score one step on, over a name that two memories share (ours)."""
WORD_LINK = 0.8
"""What a link over a plain word counts, beside one over a name (ours)."""
MAX_LINKED = 4
"""A name that more memories hold links nothing (ours)."""
MAX_QUERY_UNITS = 64
"""Units of a question that are looked at (ours)."""

_MAX_SEEN = 1 << 16
_LINK_FROM = 3
_LINK_CHARS = 3
_REBUILD_AT = 0.3
_MIN_DEAD = 64


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that a memory has in common with a question.

    Attributes:
        term: the word of the question; for ``linked`` the name that two memories share.
        found: what stands in the memory for it, stemmed; of a link, the slug of the memory it leads from.
        how: the same word, a part of a name or date, another spelling, or over another memory.
        field: where it counts most.
        score: what it adds.
    """

    term: str
    found: str
    how: How
    field: Field
    score: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory and how relevant it is.

    Attributes:
        slug: which one.
        score: comparable within one answer only.
        coverage: share of the question that it holds, by weight, 0.0 to 1.0.
        reasons: what the score is made of, most first.
    """

    slug: str
    score: float
    coverage: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One unit of a question: its terms with their shares, and what it weighs."""

    unit: Unit
    terms: tuple[tuple[str, float, How], ...]
    weight: float


@dataclass(slots=True)
class _Doc:
    """One memory in the index.

    Attributes:
        terms: numbers of its terms, ascending.
        counts: for each, how often it stands there, weighted by field.
        names: numbers of its terms that are rare by nature: names, numbers.
        length: its weighted length, in terms.
    """

    slug: str
    digest: object
    terms: array[int]
    counts: array[float]
    names: frozenset[int]
    length: float


class RelevanceIndex:
    """The memories of one directory, ready to be asked. Not for several threads at once.

    Building it costs about what reading the texts costs; bringing it up to date costs what changed.
    """

    def __init__(self, entries: Iterable[MemoryEntry] = ()) -> None:
        self._begin()
        self.update(entries)

    def _begin(self) -> None:
        self._number: dict[str, int] = {}
        self._seen: dict[str, tuple[tuple[bool, tuple[int, ...]], ...]] = {}
        self._norm: list[float] = []
        self._changed = True
        self._term: list[str] = []
        self._holders: list[array[int]] = []
        self._counts: list[array[float]] = []
        self._frequency: list[int] = []
        self._docs: list[_Doc | None] = []
        self._doc_of: dict[str, int] = {}
        self._entries: dict[str, MemoryEntry] = {}
        self._length = 0.0
        self._near = NearWords(self._term)

    def __len__(self) -> int:
        return len(self._doc_of)

    # -- keeping -------------------------------------------------------------------------------------------------------

    def update(self, entries: Iterable[MemoryEntry]) -> None:
        """Hold exactly these memories from now on; those that were held already and are unchanged cost nothing."""
        wanted = {entry.slug: entry for entry in entries}
        for slug in [slug for slug in self._doc_of if slug not in wanted]:
            self._remove(slug)
        for slug, entry in wanted.items():
            held = self._entries.get(slug)
            if held is entry:
                continue
            if held is not None:
                if _texts(held) == _texts(entry):
                    self._entries[slug] = entry
                    continue
                self._remove(slug)
            self._add(entry)
        dead = len(self._docs) - len(self._doc_of)
        if dead > _MIN_DEAD and dead > _REBUILD_AT * len(self._docs):
            self._begin()
            for entry in wanted.values():
                self._add(entry)

    def _add(self, entry: MemoryEntry) -> None:
        weights: dict[int, float] = {}
        names: set[int] = set()
        length = 0.0
        for text, share in zip(_texts(entry), FIELD_WEIGHTS.values(), strict=True):
            for token, times in counted(text).items():
                weight = share * times
                known = self._seen.get(token)
                for is_name, numbers in self._learn(token) if known is None else known:
                    length += weight
                    if is_name:
                        names.add(numbers[0])
                    for number in numbers:
                        weights[number] = weights.get(number, 0.0) + weight
        doc = len(self._docs)
        terms = sorted(weights)
        for number in terms:
            self._holders[number].append(doc)
            self._counts[number].append(weights[number])
            self._frequency[number] += 1
        self._docs.append(
            _Doc(
                entry.slug,
                entry.digest,
                array("I", terms),
                array("f", map(weights.__getitem__, terms)),
                frozenset(names),
                length,
            )
        )
        self._doc_of[entry.slug] = doc
        self._entries[entry.slug] = entry
        self._length += length
        self._changed = True

    def _learn(self, token: str) -> tuple[tuple[bool, tuple[int, ...]], ...]:
        """For each unit of a token: whether it is a name, and the numbers of its terms."""
        found = tuple(
            (unit.kind == "name", tuple(map(self._numbered, (unit.whole, *unit.parts))))
            for unit in units_of(token)
            if not unit.hollow
        )
        if len(self._seen) >= _MAX_SEEN:
            self._seen.clear()
        self._seen[token] = found
        return found

    def _numbered(self, term: str) -> int:
        number = self._number.get(term)
        if number is None:
            number = self._number[term] = len(self._term)
            self._term.append(term)
            self._holders.append(array("I"))
            self._counts.append(array("f"))
            self._frequency.append(0)
        return number

    def _remove(self, slug: str) -> None:
        number = self._doc_of.pop(slug)
        del self._entries[slug]
        doc = self._docs[number]
        if doc is None:
            return
        self._docs[number] = None
        self._length -= doc.length
        self._changed = True
        for term in doc.terms:
            self._frequency[term] -= 1

    # -- asking --------------------------------------------------------------------------------------------------------

    def rank(self, query: str, limit: int = 5) -> tuple[Ranked, ...]:
        """The memories that a question is about, most relevant first; none where nothing is relevant.

        Args:
            query: in words, of any length; what is asked counts, how it is asked does not.
            limit: most memories to give.
        """
        wanted = self._wanted(query)
        if not wanted or limit < 1:
            return ()
        scores, reached = self._scores(wanted)
        links = self._linked(wanted, scores, reached)
        best = heapq.nsmallest(limit + _LINK_FROM, reached, key=lambda doc: (-scores[doc], self._slug(doc)))
        total = sum(one.weight for one in wanted)
        answer = [self._explain(doc, wanted, scores[doc], total, links.get(doc)) for doc in best]
        unknown = sum(one.weight for one in wanted if not one.terms) / total
        least = COVERAGE_IF_KNOWN + (LEAST_COVERAGE - COVERAGE_IF_KNOWN) * min(1.0, unknown / UNKNOWN_SHARE)
        if max((ranked.coverage for ranked in answer), default=0.0) < least:
            return ()
        floor = answer[0].score * LEAST_OF_BEST
        return tuple(ranked for ranked in answer if ranked.score >= floor)[:limit]

    def _slug(self, number: int) -> str:
        doc = self._docs[number]
        return doc.slug if doc is not None else ""

    def _wanted(self, query: str) -> list[_Wanted]:
        """What a question asks for, each thing once, with the terms that would answer it."""
        found: dict[str, _Wanted] = {}
        for unit in units(query):
            if unit.hollow or unit.whole in found or len(found) >= MAX_QUERY_UNITS:
                continue
            whole = self._holding(unit.whole)
            parts = [part for part in unit.parts if self._holding(part)] if unit.kind != "pair" else []
            terms: list[tuple[str, float, How]] = []
            if whole:
                terms.append((unit.whole, 1.0 - (PART_SHARE if parts else 0.0), "same"))
            if parts:
                share = PART_SHARE if whole else NEAR_SHARE
                terms += [(part, share / len(unit.parts), "part") for part in parts]
            if not terms and unit.kind == "sign":
                pairs = [
                    term
                    for term in self._term
                    if len(term) == 2 and unit.whole in term and self._holding(term)
                ]
                terms = [(pair, 1.0, "part") for pair in pairs]
            elif not terms:
                near = self._near.nearest(unit.whole, lambda number: self._frequency[number] > 0)
                terms = [(self._term[number], NEAR_SHARE, "near") for number in near]
            found[unit.whole] = _Wanted(unit, tuple(terms), self._weight(unit, terms))
        return list(found.values())

    def _holding(self, term: str) -> int:
        number = self._number.get(term)
        return 0 if number is None else self._frequency[number]

    def _rarity(self, term: str) -> float:
        """BM25's inverse document frequency; a term that nobody holds is the rarest."""
        held, all_docs = self._holding(term), len(self._doc_of)
        return math.log(1.0 + (all_docs - held + 0.5) / (held + 0.5))

    def _weight(self, unit: Unit, terms: Sequence[tuple[str, float, How]]) -> float:
        """What a unit weighs in the question: by its rarest term; a pair of characters is half a word."""
        rarity = max((self._rarity(term) for term, _, _ in terms), default=self._rarity(unit.whole))
        return rarity * (0.5 if unit.kind == "pair" else 1.0)

    def _scores(self, wanted: Sequence[_Wanted]) -> tuple[list[float], set[int]]:
        """Score of every memory by number, and the numbers of those that have one."""
        scores = [0.0] * len(self._docs)
        reached: set[int] = set()
        norms = self._norms()
        for one in wanted:
            for term, share, _ in one.terms:
                number = self._number[term]
                gain = share * self._rarity(term) * (SATURATION + 1.0)
                holders = self._holders[number]
                for doc, count in zip(holders, self._counts[number], strict=True):
                    scores[doc] += gain * count / (count + norms[doc])
                reached.update(holders)
        return scores, {doc for doc in reached if self._docs[doc] is not None}

    def _norms(self) -> list[float]:
        """What a term's count is weighed against, by memory; kept until a memory changes."""
        if len(self._norm) == len(self._docs) and not self._changed:
            return self._norm
        self._changed = False
        mean = self._length / max(1, len(self._doc_of)) or 1.0
        base, slope = SATURATION * (1.0 - LENGTH_SHARE), SATURATION * LENGTH_SHARE / mean
        self._norm = [base + slope * doc.length if doc is not None else 1.0 for doc in self._docs]
        return self._norm

    def _linked(
        self, wanted: Sequence[_Wanted], scores: list[float], reached: set[int]
    ) -> dict[int, tuple[int, int, float]]:
        """Pass a part of the best memories' scores on to those that share a rare name with them.

        Returns:
            By memory: the name, the memory it came from, and what was passed on.
        """
        asked = {self._number[term] for one in wanted for term, _, _ in one.terms}
        links: dict[int, tuple[int, int, float]] = {}
        mean = self._length / max(1, len(self._doc_of)) or 1.0
        start = heapq.nsmallest(_LINK_FROM, reached, key=lambda doc: (-scores[doc], self._slug(doc)))
        for source in start:
            doc = self._docs[source]
            if doc is None:
                continue
            # A word of a short note says what the note is about; one of a long text may stand there by chance.
            share = LINK_SHARE * min(1.0, 2.0 * mean / (mean + doc.length))
            for term in doc.terms:
                if (
                    term in asked
                    or not 1 < self._frequency[term] <= MAX_LINKED
                    or len(self._term[term]) < _LINK_CHARS
                ):
                    continue
                gain = scores[source] * (share if term in doc.names else share * WORD_LINK)
                for other in self._holders[term]:
                    if other == source or self._docs[other] is None or other in start:
                        continue
                    if gain > links.get(other, (0, 0, 0.0))[2]:
                        links[other] = (term, source, gain)
        for other, (_, _, gain) in links.items():
            scores[other] += gain
            reached.add(other)
        return links

    def _explain(
        self,
        number: int,
        wanted: Sequence[_Wanted],
        score: float,
        total: float,
        link: tuple[int, int, float] | None,
    ) -> Ranked:
        doc = self._docs[number]
        if doc is None:
            raise LookupError(number)
        norm = self._norms()[number]
        held = dict(zip(doc.terms, doc.counts, strict=True))
        entry = self._entries[doc.slug]
        in_name, in_description = _terms_of(entry.name), _terms_of(entry.description)
        reasons: list[Reason] = []
        covered = 0.0
        for one in wanted:
            best = 0.0
            for term, share, how in one.terms:
                count = held.get(self._number[term])
                if count is None:
                    continue
                gain = share * self._rarity(term) * (SATURATION + 1.0) * count / (count + norm)
                field: Field = "content"
                if term in in_name:
                    field = "name"
                elif term in in_description:
                    field = "description"
                reasons.append(Reason(one.unit.text, term, how, field, gain))
                best += share if how != "near" else NEAR_SHARE
            covered += one.weight * min(1.0, best)
        if link is not None:
            name, source, gain = link
            reasons.append(Reason(self._term[name], self._slug(source), "linked", "content", gain))
        reasons.sort(key=lambda reason: (-reason.score, reason.term))
        return Ranked(doc.slug, score, covered / total if total else 0.0, tuple(reasons))


def _texts(entry: MemoryEntry) -> tuple[str, str, str]:
    return entry.name, entry.description, entry.content


def _terms_of(text: str) -> set[str]:
    return {term for token in counted(text) for unit in units_of(token) for term in (unit.whole, *unit.parts)}
