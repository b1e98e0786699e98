"""What it is for two memories to be alike, and how that is told (spec §9).

Two texts are duplicates when their sets of character bigrams are alike (the seed's measure and threshold) and their
sets of word pairs confirm it. Bigram sets saturate: of unrelated English texts most share 70 % once they are long
enough. Word pairs (characters count as words where a script has no spaces) do not.

How the measure and its threshold were chosen: ``python -m tests.bench.choose_confirmation`` draws 5,400 unrelated
pairs of 20 to 20,000 characters and 3,062 small edits (words, a sentence, order, punctuation, a cut) that the bigrams
find, English, Chinese and mixed. Of the unrelated English pairs over 10,000 characters 62 % reach 0.70 by bigrams.
Wrongly confirmed / missed in the worst group of one language and length:

=============  ====================  ============  ============  ===========
sets of runs   highest of unrelated      at 0.20       at 0.30      at 0.40
=============  ====================  ============  ============  ===========
4 characters   0.39                  100 % / 0     100 % / 0     0 / 0
5 characters   0.25                  100 % / 0     0 / 0         0 / 1.7 %
7 characters   0.11                  0 / 0         0 / 1.7 %     0 / 25 %
1 word         0.80                  100 % / 0     100 % / 0.3 %  100 % / 0.8 %
**2 words**    0.17                  0 / 0.3 %     0 / 0.3 %     0 / 1.5 %
3 words        0.09                  0 / 1.3 %     0 / 1.8 %     0 / 5.3 %
=============  ====================  ============  ============  ===========

Pairs of words leave the widest gap on both sides of one threshold, 0.17 to 0.30 and on to 0.40, where runs of
characters lose either the unrelated or the edits when it is moved; and their sets are small (in English a fifth), which is
what makes comparing ten thousand texts cheap. What is missed are texts of a few words with several of them changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

THRESHOLD = 0.70
"""Bigram similarity from which two memories may be duplicates (seed)."""
CONFIRMED = 0.30
"""Word-pair similarity from which that is believed (ours, see above)."""

PairKind = Literal["content", "numbers", "title"]
"""What two memories share: their text, their text once numbers are masked, or name and description."""

THRESHOLDS: dict[PairKind, float] = {"content": THRESHOLD, "numbers": 0.90, "title": THRESHOLD}
"""Least bigram similarity of each kind. Masking leaves fewer differences, so more is asked of it (ours)."""


@dataclass(frozen=True, slots=True)
class Match:
    """A memory like the one asked about.

    Attributes:
        slug: which one.
        bigrams: the seed's similarity, 0.0 to 1.0; this is the figure to show.
        confirmed: the similarity of the measure that confirmed it, 0.0 to 1.0.
    """

    slug: str
    bigrams: float
    confirmed: float

    @property
    def rank(self) -> tuple[float, float, str]:
        """Sorts the most similar first; of equals the better confirmed, then the first slug by code point."""
        return (-self.bigrams, -self.confirmed, self.slug)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that are alike, ``first`` before ``second`` by code point.

    Attributes:
        first: slug of one.
        second: slug of the other.
        bigrams: the seed's similarity of what they share, 0.0 to 1.0.
        confirmed: the similarity of the measure that confirmed it, 0.0 to 1.0.
        kind: what they share.
    """

    first: str
    second: str
    bigrams: float
    confirmed: float
    kind: PairKind = "content"

    @property
    def rank(self) -> tuple[float, float, str, str]:
        """Sorts the most similar first; of equals the better confirmed, then by slugs."""
        return (-self.bigrams, -self.confirmed, self.first, self.second)


def clusters_of(pairs: Iterable[Pair]) -> tuple[tuple[str, ...], ...]:
    """Groups of slugs joined by pairs, directly or through others, each sorted; the groups by their first slug."""
    parent: dict[str, str] = {}

    def root(slug: str) -> str:
        parent.setdefault(slug, slug)
        while parent[slug] != slug:
            parent[slug] = slug = parent[parent[slug]]
        return slug

    for pair in pairs:
        one, other = sorted((root(pair.first), root(pair.second)))
        parent[other] = one
    groups: dict[str, list[str]] = {}
    for slug in sorted(parent):
        groups.setdefault(root(slug), []).append(slug)
    return tuple(sorted(tuple(group) for group in groups.values()))
