"""Which memories score best by their own words, exactly, without weighing every one of them (BM25F).

Common words stand in thousands of memories. For these a score is first bounded from above, for all memories at once:
the counts of a term are bytes in one row, ordered by what they are weighed against; a table turns each into the most
that it can add, and rows are added as one large number, two bytes a memory. Only memories whose bound reaches what the
best ones really score are weighed. The bounds round up, so what is left out is out (ours; after MaxScore, Turtle, Flood).
"""

from __future__ import annotations

import heapq
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, inf

from memtui.memory.relevance.termindex import COUNT_BITS, MOST_HALVES, TermIndex

SATURATION = 1.2
"""BM25's k1: how soon a repeated word stops to count."""
LENGTH_SHARE = 0.4
"""BM25's b: how much a long memory's words count less. Memories are short, so less than the usual 0.75 (ours)."""
ASKING_SHARE = 0.8
"""What a memory counts that ends with a question: it raises more than it tells (ours)."""
COMMON = 500
"""Memories from which a term is a common one (ours)."""
MOST_KEPT = 8 << 20
"""Bytes of rows that are kept for the next question (ours)."""
TIE = 1e-8
"""Scores that are nearer to each other are one: they are sums of the same numbers in different orders."""

_CLASSES = 8
_TOLD_APART = 16
# Higher counts are bounded by all that a term can add: they are rare.
_MOST_COMMON = 250
# Rows of one byte a memory that can be added in two.
_BYTE = 255
_AT_FIRST = 3
# So many times the memories that are wanted are weighed before the others are judged by them.


@dataclass(frozen=True, slots=True)
class Scored:
    """What memories score by their own words.

    Attributes:
        best: by place, the score of those that score best, with all that tie.
        cut: what any other one scores at most.
    """

    best: dict[int, float]
    cut: float


class Scorer:
    """Weighs the memories of an index. Not for several threads at once."""

    def __init__(self, index: TermIndex) -> None:
        """Prepare; nothing is weighed.

        Args:
            index: the terms and their memories; whoever changes it calls `forget`.
        """
        self._index = index
        self._norms: list[float] = []
        self._worths: list[float] = []
        self._order: list[int] = []
        self._rank: list[int] = []
        self._classes: list[tuple[int, int, list[float]]] = []
        self._rows: dict[int, bytearray] = {}

    def forget(self) -> None:
        """A memory has changed, and with it the mean length: nothing that was kept holds."""
        self._norms = []
        self._rows.clear()

    def weigh(self) -> None:
        """Know of each memory what a term's count in halves is weighed against, and what its words are worth."""
        if self._norms:
            return
        index = self._index
        base = 2 * SATURATION * (1.0 - LENGTH_SHARE)
        slope = 2 * SATURATION * LENGTH_SHARE / index.mean_length
        places = range(index.places)
        norms = [
            base + slope * index.length(place) if index.entry(place) is not None else inf for place in places
        ]
        self._norms = norms
        self._worths = [ASKING_SHARE if index.asks(place) else 1.0 for place in places]
        self._order = order = sorted(places, key=norms.__getitem__)
        self._rank = [0] * len(order)
        for rank, place in enumerate(order):
            self._rank[place] = rank
        edges = sorted({len(order) * number // _CLASSES for number in range(_CLASSES + 1)})
        self._classes = [
            (start, end, [count / (count + norms[order[start]]) for count in range(1, _TOLD_APART)])
            for start, end in pairwise(edges)
        ]

    def gain(self, number: int, share: float) -> float:
        """The most that a term can add to a score, where it makes up a share of what is asked."""
        return share * self._index.rarity(number) * (SATURATION + 1.0)

    def one(self, number: int, gain: float, place: int) -> float:
        """What a term adds to the score of a memory; 0.0 where it does not stand."""
        count = 2 * self._index.count(number, place)
        return self._worths[place] * gain * count / (count + self._norms[place]) if count else 0.0

    def best(self, terms: Sequence[tuple[float, int]], pool: int) -> Scored:
        """What scores best.

        Args:
            terms: the gain of each term of a question, and its number.
            pool: how many memories are wanted; more come where they tie, fewer where fewer score.
        """
        self.weigh()
        norms, worths = self._norms, self._worths
        scores: dict[int, float] = {}
        common: list[tuple[float, bytearray]] = []
        for gain, number in terms:
            postings = self._index.postings(number)
            if len(postings) > COMMON and len(common) < _MOST_COMMON:
                common.append((gain, self._row(number, postings)))
                continue
            for posting in postings:
                count = posting & MOST_HALVES
                place = posting >> COUNT_BITS
                scores[place] = scores.get(place, 0.0) + gain * count / (count + norms[place])
        if common:
            scores = self._with_common(scores, common, pool)
        weighed = {place: score * worths[place] for place, score in scores.items() if score}
        if len(weighed) <= pool:
            return Scored(weighed, 0.0 if len(weighed) < pool else min(weighed.values()))
        cut = heapq.nlargest(pool, weighed.values())[-1] - TIE
        return Scored({place: score for place, score in weighed.items() if score >= cut}, cut)

    def _with_common(
        self, scores: dict[int, float], common: Sequence[tuple[float, bytearray]], pool: int
    ) -> dict[int, float]:
        """What memories score with common terms too, of those that may be among the best.

        Args:
            scores: what they score without, by place.
            common: gain and row of each common term.
            pool: how many are wanted.
        """
        rank, worths = self._rank, self._worths
        step = max(gain for gain, _ in common) / _BYTE
        added = self._bounds(common, step)
        # By rank, what those that hold a rare term may score; the others have their common terms alone.
        bounds = {rank[place]: score + step * added[rank[place]] for place, score in scores.items()}
        looked_at = _AT_FIRST * pool
        likely = heapq.nlargest(looked_at, bounds, key=bounds.__getitem__)
        if len(likely) < looked_at:
            others = (number for number in range(len(added)) if added[number] and number not in bounds)
            likely += heapq.nlargest(looked_at - len(likely), others, key=added.__getitem__)
        found = self._weighed(scores, common, likely)
        cut = 0.0
        if len(found) >= pool:
            cut = heapq.nlargest(pool, [score * worths[place] for place, score in found.items()])[-1] - TIE
        left = {number for number, bound in bounds.items() if bound >= cut}
        least = max(1, ceil(cut / step))
        left.update([number for number, sum_ in enumerate(added) if sum_ >= least])
        left.difference_update(likely)
        return found | self._weighed(scores, common, tuple(left))

    def _weighed(
        self, scores: dict[int, float], common: Sequence[tuple[float, bytearray]], ranks: Sequence[int]
    ) -> dict[int, float]:
        """What memories score, by place; ``ranks`` says which."""
        order, norms = self._order, self._norms
        against = [norms[order[number]] for number in ranks]
        sums = [scores.get(order[number], 0.0) for number in ranks]
        for gain, row in common:
            sums = [
                known + gain * count / (count + norm) if (count := row[number]) else known
                for known, number, norm in zip(sums, ranks, against, strict=True)
            ]
        return {order[number]: score for number, score in zip(ranks, sums, strict=True)}

    def _bounds(self, common: Sequence[tuple[float, bytearray]], step: float) -> array[int]:
        """The most that common terms can add to each memory, by rank, in steps."""
        size = len(self._order)
        total = 0
        wide = bytearray(2 * size)
        for gain, row in common:
            steps = gain / step
            most = bytes([min(_BYTE, ceil(steps))]) * (256 - _TOLD_APART)
            added = []
            for start, end, shares in self._classes:
                table = b"\0" + bytes([int(steps * share) + 1 for share in shares]) + most
                added.append(row[start:end].translate(table))
            wide[::2] = b"".join(added)
            total += int.from_bytes(wide, "little")
        sums = array("H", total.to_bytes(2 * size, "little"))
        if sys.byteorder == "big":
            sums.byteswap()
        return sums

    def _row(self, number: int, postings: Sequence[int]) -> bytearray:
        """How often a common term counts in each memory, in halves, by rank; kept for the next question."""
        row = self._rows.get(number)
        if row is None:
            if (len(self._rows) + 1) * len(self._order) > MOST_KEPT:
                self._rows.clear()
            row = self._rows[number] = bytearray(len(self._order))
            rank = self._rank
            for posting in postings:
                row[rank[posting >> COUNT_BITS]] = posting & MOST_HALVES
        return row
