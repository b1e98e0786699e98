"""Which memories a question is about, found without a model: BM25 over name, description and text, with reasons.

Ranking is BM25F (Robertson, Zaragoza: one saturation over weighted fields). Ours are: units instead of words (names and
dates match by their parts too, see `terms`), misspelt words that are looked up by what they could mean, one step from
a memory found to others that share a rare name with it, a share for what was written just before or after it, and the
honest answer that nothing is relevant: the best memory must hold enough of what the question says, by weight.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from memtui.memory.doubles.neighbours import Neighbours
from memtui.memory.relevance.english import ASKING_WORDS
from memtui.memory.relevance.near_words import NearWords
from memtui.memory.relevance.scoring import TIE, Scored, Scorer
from memtui.memory.relevance.termindex import COUNT_BITS, Field, TermIndex
from memtui.memory.relevance.terms import Unit, asked_units, fold
from memtui.memory.types import MemoryEntry

How = Literal["same", "part", "near", "linked", "beside"]

PART_SHARE = 0.6
"""What the parts of a name or date count together, beside the whole (ours)."""
NEAR_SHARE = 0.7
"""What a word counts that is found under another spelling (ours)."""
PAIR_WEIGHT = 0.5
"""What a pair of characters weighs beside a word: words in Chinese overlap in pairs (ours)."""
LEAST_COVERAGE = 0.28
"""Least share of the question, by weight, that the best memory must hold for anything to be relevant, where much of
the question stands in no memory at all (ours); see ``UNKNOWN_SHARE`` and ``UNKNOWN_WORDS``."""
LEAST_IF_KNOWN = 0.1
"""The same where most of the question stands in one memory or another: they may be told in other words (ours)."""
UNKNOWN_SHARE = 0.55
"""Share of the question, by weight, from which much of it is unknown (ours)."""
UNKNOWN_WORDS = 2.0
"""Words of which that takes at least; a single one is often a synonym or the kind of the thing asked for (ours)."""
LEAST_OF_BEST = 0.12
"""Memories whose score is under this share of the best one's are left out (ours)."""
LINK_SHARE = 0.5
"""What is left of a score one step on, over a name that two memories share (ours)."""
WORD_LINK = 0.8
"""What a link over a plain word counts, beside one over a name (ours)."""
MAX_LINKED = 4
"""A name that more memories hold links nothing (ours)."""
AFTER_SHARE = 0.4
"""What a memory lends to the one that was written just after it: an answer says less than its question (ours)."""
BEFORE_SHARE = 0.2
"""What a memory lends to the one that was written just before it (ours)."""
MAX_QUERY_UNITS = 64
"""Units of a question that are looked at (ours)."""

_POOL = 40
_LINK_FROM = 3
_LINK_CHARS = 3
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that a memory has in common with a question.

    Attributes:
        term: the word of the question; for ``linked`` the name that two memories share; empty for ``beside``.
        found: what stands in the memory for it, stemmed; for ``linked`` and ``beside`` the slug of the other memory.
        how: the same word, a part of a name or date, another spelling, over a name shared with another memory, or as
            the neighbour of one.
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
class _Term:
    """A term that answers a part of a question: its number, the share of the unit that it makes up, and how."""

    number: int
    share: float
    how: How


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One unit of a question: the terms that answer it, what it weighs, and whether any memory holds it."""

    unit: Unit
    terms: tuple[_Term, ...]
    weight: float
    known: bool


class RelevanceIndex:
    """The memories of one directory, ready to be asked. Not for several threads at once.

    Building it costs about what reading the texts costs; bringing it up to date costs what changed.
    """

    def __init__(self, entries: Iterable[MemoryEntry] = ()) -> None:
        self._index = TermIndex()
        self._near = NearWords(self._index.words)
        self._beside = Neighbours()
        self._scorer = Scorer(self._index)
        self.update(entries)

    def __len__(self) -> int:
        return len(self._index)

    def update(self, entries: Iterable[MemoryEntry]) -> None:
        """Hold exactly these memories from now on; those that were held already and are unchanged cost next to nothing."""
        removed, added = self._index.update(entries)
        for entry in removed:
            self._beside.remove(entry)
        for entry in added:
            self._beside.add(entry)
        if removed or added:
            self._scorer.forget()
        if self._near.words is not self._index.words:
            self._near = NearWords(self._index.words)

    def rank(self, query: str, limit: int = 5) -> tuple[Ranked, ...]:
        """The memories that a question is about, most relevant first; none where nothing is relevant.

        Args:
            query: in words, of any length; what is asked counts, how it is asked does not.
            limit: most memories to give.
        """
        wanted = self._wanted(query)
        if not wanted or limit < 1:
            return ()
        terms = [(self._gain(term), term.number) for one in wanted for term in one.terms]
        scored = self._scorer.best(terms, max(_POOL, 2 * limit))
        if not scored.best:
            return ()
        lent = self._lent(wanted, scored.best)
        totals = self._totals(wanted, scored, lent, limit)
        best = self._best(totals, limit)
        answer = [self._explained(place, wanted, lent.get(place, ())) for place in best]
        if not self._is_enough(wanted, answer):
            return ()
        floor = answer[0].score * LEAST_OF_BEST
        return tuple(ranked for ranked in answer if ranked.score >= floor)

    def _totals(
        self, wanted: Sequence[_Wanted], scored: Scored, lent: Mapping[int, Sequence[Reason]], limit: int
    ) -> dict[int, float]:
        """What memories score by their own words and by what they are lent, as far as they may be among the best."""
        totals = dict(scored.best)
        given = {place: _sum(reasons) for place, reasons in lent.items()}
        for place in totals.keys() & given.keys():
            totals[place] += given[place]
        enough = heapq.nlargest(limit, totals.values())[-1] if len(totals) >= limit else -inf
        for place in given.keys() - scored.best.keys():
            if given[place] + scored.cut < enough - TIE:
                continue
            totals[place] = given[place] + sum(score for _, _, score in self._held(place, wanted))
        return totals

    def _best(self, scores: Mapping[int, float], count: int) -> list[int]:
        """The places with the best scores, most first, by slug where they tie."""
        # Numbers alone are compared first: most memories are out of question, and their slugs need no look.
        least = heapq.nlargest(count, scores.values())[-1] - TIE
        near = [place for place, score in scores.items() if score >= least]
        near.sort(key=lambda place: (-round(scores[place], _DIGITS), self._slug(place)))
        return near[:count]

    def _is_enough(self, wanted: Sequence[_Wanted], answer: Sequence[Ranked]) -> bool:
        """Whether the best memories hold enough of the question to say that they are about it."""
        total = sum(one.weight for one in wanted)
        unknown = [one for one in wanted if not one.known]
        words = sum(PAIR_WEIGHT if one.unit.kind == "pair" else 1.0 for one in unknown)
        much = words >= UNKNOWN_WORDS and sum(one.weight for one in unknown) >= UNKNOWN_SHARE * total
        least = LEAST_COVERAGE if much else LEAST_IF_KNOWN
        return max(ranked.coverage for ranked in answer) >= least

    def _slug(self, place: int) -> str:
        entry = self._index.entry(place)
        return entry.slug if entry is not None else ""

    # -- the question --------------------------------------------------------------------------------------------------

    def _wanted(self, query: str) -> list[_Wanted]:
        """What a question asks for, each thing once, with the terms that would answer it."""
        found: dict[str, _Wanted] = {}
        for unit in asked_units(query):
            if len(found) >= MAX_QUERY_UNITS:
                break
            if unit.whole not in found:
                found[unit.whole] = self._sought(unit)
        wanted = list(found.values())
        missing = [one for one in wanted if one.known or fold(one.unit.text) not in ASKING_WORDS]
        return missing or wanted

    def _sought(self, unit: Unit) -> _Wanted:
        index = self._index
        whole = index.number(unit.whole)
        # A pair of characters that is known is a word, or the seam of two: its halves alone would be noise.
        sought = unit.parts if unit.kind != "pair" or whole is None else ()
        parts = [number for part in sought if (number := index.number(part)) is not None]
        terms: list[_Term] = []
        if whole is not None:
            terms.append(_Term(whole, 1.0 - (PART_SHARE if parts else 0.0), "same"))
        known = whole is not None or (bool(parts) and unit.kind != "pair")
        if parts:
            share = PART_SHARE if whole is not None or unit.kind == "pair" else NEAR_SHARE
            terms += [_Term(part, share / len(unit.parts), "part") for part in parts]
        if not terms:
            nearest = self._near.nearest(unit.whole, index.frequency)
            terms = [_Term(number, NEAR_SHARE, "near") for number in nearest]
            known = bool(terms)
        rarity = max(index.rarity(term.number) for term in terms) if known else index.rarity(None)
        return _Wanted(unit, tuple(terms), rarity * (PAIR_WEIGHT if unit.kind == "pair" else 1.0), known)

    # -- the memories --------------------------------------------------------------------------------------------------

    def _gain(self, term: _Term) -> float:
        """The most that a term can add to a score."""
        return self._scorer.gain(term.number, term.share)

    def _lent(self, wanted: Sequence[_Wanted], own: dict[int, float]) -> dict[int, list[Reason]]:
        """What the best memories pass on to others: to neighbours, and to those that share a rare name with them."""
        best = self._best(own, _POOL)
        lent: dict[int, list[Reason]] = {}
        asked = {term.number for one in wanted for term in one.terms}
        for place in best[:_LINK_FROM]:
            for other, reason in self._links(place, own[place], asked):
                if other not in best[:_LINK_FROM]:
                    held = lent.get(other, [reason])
                    lent[other] = [max(held[0], reason, key=lambda one: (one.score, one.term, one.found))]
        for place in best:
            entry = self._index.entry(place)
            if entry is None:
                continue
            for slug, share in zip(self._beside.of(entry), (BEFORE_SHARE, AFTER_SHARE), strict=True):
                near = self._index.place(slug) if slug is not None else None
                if near is not None:
                    reason = Reason("", entry.slug, "beside", "content", share * own[place])
                    lent.setdefault(near, []).append(reason)
        return lent

    def _links(self, place: int, score: float, asked: set[int]) -> Iterable[tuple[int, Reason]]:
        index = self._index
        mean = index.mean_length
        # A word of a short note says what the note is about; one of a long text may stand there by chance.
        share = LINK_SHARE * score * min(1.0, 2.0 * mean / (mean + index.length(place)))
        for term in index.shared_terms(place, MAX_LINKED):
            word = index.words[term]
            if term in asked or len(word) < _LINK_CHARS:
                continue
            if index.count(term, place) < 1.0:  # the day of its time says nothing of what it is about
                continue
            gain = share if index.is_name(term) else share * WORD_LINK
            for posting in index.postings(term):
                other = posting >> COUNT_BITS
                if other != place and index.entry(other) is not None:
                    yield other, Reason(word, self._slug(place), "linked", "content", gain)

    def _held(self, place: int, wanted: Sequence[_Wanted]) -> Iterator[tuple[_Wanted, _Term, float]]:
        """The terms of a question that a memory holds, and what each adds."""
        for one in wanted:
            for term in one.terms:
                score = self._scorer.one(term.number, self._gain(term), place)
                if score:
                    yield one, term, score

    def _explained(self, place: int, wanted: Sequence[_Wanted], lent: Sequence[Reason]) -> Ranked:
        index = self._index
        entry = index.entry(place)
        if entry is None:
            raise LookupError(place)
        in_name, in_description = index.terms_of(entry.name), index.terms_of(entry.description)
        reasons = list(lent)
        shares: dict[str, float] = {}
        for one, term, score in self._held(place, wanted):
            found = index.words[term.number]
            field: Field = "content"
            if term.number in in_name:
                field = "name"
            elif term.number in in_description:
                field = "description"
            elif index.count(term.number, place) < 1.0:
                field = "modified"
            reasons.append(Reason(one.unit.text, found, term.how, field, score))
            shares[one.unit.whole] = shares.get(one.unit.whole, 0.0) + term.share
        covered = sum(one.weight * min(1.0, shares.get(one.unit.whole, 0.0)) for one in wanted)
        reasons.sort(key=lambda reason: (-reason.score, reason.term, reason.found))
        total = sum(one.weight for one in wanted)
        return Ranked(entry.slug, _sum(reasons), covered / total if total else 0.0, tuple(reasons))


def _sum(reasons: Iterable[Reason]) -> float:
    return sum(reason.score for reason in reasons)
