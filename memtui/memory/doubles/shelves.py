"""Texts that are compared with many others: their sketches, kept by width and size, rule out nearly all of them.

A text keeps a sketch of its bigrams, 64 bytes and up; a long one, whose bigrams say little, also one of its word pairs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from typing import Protocol

from memtui.memory.doubles.likeness import CONFIRMED, Match
from memtui.memory.doubles.shingles import (
    bigrams,
    each_bigram,
    each_word_pair,
    jaccard_of_counts,
    mask_numbers,
    masking,
    word_pairs,
)
from memtui.memory.doubles.sketches import Sketch, most_apart, sizes_alike, sketch, width_for

# Found by measuring: with fewer bits too much must be compared in full, with more the bits themselves take longer.
_GRAM_BITS = 2
_PAIR_BITS = 8
# Characters to a distinct bigram: below the first, unrelated texts share so few that half the bits do; above the
# second they share so many that word pairs are needed for most comparisons.
_SPARSE = 2.5
_SATURATED = 4
_BANDS = (
    (0.0, 0.32),
    (0.32, 0.64),
    (0.64, 1.0),
)  # shares of bigrams beyond ASCII: a language, both, the other
_ROUNDING = 1e-6  # a bound is only ever rounded towards looking closer
_CHUNK = 128  # sets of neighbouring sizes under one bound: small enough to be tight, large enough to be cheap


class Holder(Protocol):
    """Whatever gives a text when asked for it, so that the index need not keep it."""

    @property
    def content(self) -> str:
        """The text, always the same."""


class Item:
    """One text that others are compared with: the text itself is the caller's, only its sketches are ours.

    Attributes:
        slug: what it is called.
        source: the text, or what holds it.
        grams: the sketch of its bigrams.
        shelf: the width at which it is compared, and the number of its band.
    """

    __slots__ = ("_masked", "_pairs", "_wide", "grams", "shelf", "slug", "source")

    def __init__(self, slug: str, source: str | Holder, *, masked: bool, saturates: bool) -> None:
        self.slug = slug
        self.source = source
        self._masked = masked
        text = self.content
        self.grams, self._wide = _masked_grams(text) if masked else _grams(text)
        members = self.grams.members
        sparse = len(text) < _SPARSE * members
        width = width_for(members, _GRAM_BITS // 2) if sparse else self.grams.width
        self.shelf = _place(width, next(n for n, (_, high) in enumerate(_BANDS) if self.share <= high))
        self._pairs = (
            _sketch_pairs(word_pairs(self.text)) if saturates and len(text) > _SATURATED * members else None
        )

    @property
    def content(self) -> str:
        """The text as it was taken in."""
        return self.source if isinstance(self.source, str) else self.source.content

    @property
    def text(self) -> str:
        """What is compared."""
        return mask_numbers(self.content) if self._masked else self.content

    @property
    def share(self) -> float:
        """How many of its bigrams are beyond ASCII, 0.0 to 1.0."""
        return self._wide / self.grams.members if self._wide else 0.0

    @property
    def pairs(self) -> Sketch:
        """Of its word pairs; made when first asked for, as few short texts ever need it."""
        if self._pairs is None:
            self._pairs = _sketch_pairs(word_pairs(self.text))
        return self._pairs


class Probe:
    """A text that is looked for: both its sets, and the sketches of them, made when first asked for.

    Attributes:
        text: what is compared.
        threshold: least bigram similarity that is looked for.
        grams: its bigrams.
        sketch: their sketch, as wide as that of any set that can be like it.
        share: how many of them are beyond ASCII, 0.0 to 1.0.
    """

    def __init__(self, text: str, threshold: float) -> None:
        self.text = text
        self.threshold = threshold
        self.grams = bigrams(text)
        _, high = sizes_alike(len(self.grams), threshold)
        self.sketch = sketch(self.grams, width_for(high, _GRAM_BITS))
        self.share = _wide(self.grams) / max(len(self.grams), 1)

    @cached_property
    def pairs(self) -> set[str]:
        """Its word pairs."""
        return word_pairs(self.text)

    @cached_property
    def pairs_sketch(self) -> Sketch:
        """Of its word pairs."""
        return _sketch_pairs(self.pairs)

    def compare(self, item: Item) -> Match | None:
        """What ``compare_with_all`` says of the two; the item's sets are counted, not made again."""
        shared = len(self.grams.intersection(each_bigram(item.text)))
        similarity = jaccard_of_counts(len(self.grams), item.grams.members, shared)
        if similarity < self.threshold:
            return None
        shared = len(self.pairs.intersection(each_word_pair(item.text)))
        confirmed = jaccard_of_counts(len(self.pairs), item.pairs.members, shared)
        return Match(item.slug, similarity, confirmed) if confirmed >= CONFIRMED else None


class _Shelf:
    """Items whose sketches are compared at one width, by size."""

    __slots__ = ("bits", "items", "sizes", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self.sizes: list[int] = []
        self.bits: list[int] = []
        self.items: list[Item] = []

    def put(self, item: Item) -> None:
        at = bisect_right(self.sizes, item.grams.members)
        self.sizes.insert(at, item.grams.members)
        self.bits.insert(at, item.grams.at(self.width))
        self.items.insert(at, item)

    def take(self, item: Item) -> None:
        at = self.items.index(item, bisect_left(self.sizes, item.grams.members))
        del self.sizes[at], self.bits[at], self.items[at]

    def alike(self, probe: Sketch, low: int, high: int, similarity: float) -> Iterator[Item]:
        """Those from size ``low`` to ``high`` that can be that similar to a set."""
        first, last = bisect_left(self.sizes, low), bisect_right(self.sizes, high)
        if first == last:
            return
        bits = probe.at(self.width)
        for start in range(first, last, _CHUNK):
            stop = min(start + _CHUNK, last)
            most = most_apart(probe.members + self.sizes[stop - 1], similarity)
            others = self.bits[start:stop]
            if any_near := [other for other in others if (bits ^ other).bit_count() <= most]:
                near = set(any_near)
                yield from [
                    item for item, other in zip(self.items[start:stop], others, strict=True) if other in near
                ]


class Shelves:
    """All shelves, one for each width and band there is."""

    def __init__(self) -> None:
        self._shelves: dict[tuple[int, int], _Shelf] = {}

    def put(self, item: Item) -> None:
        """Take an item in."""
        shelf = self._shelves.get(item.shelf)
        if shelf is None:
            shelf = self._shelves[item.shelf] = _Shelf(item.shelf[0])
        shelf.put(item)

    def take(self, item: Item) -> None:
        """Forget an item that was taken in."""
        self._shelves[item.shelf].take(item)

    def alike(self, probe: Sketch, share: float, low: int, high: int, similarity: float) -> Iterator[Item]:
        """Those of all widths, from size ``low`` to ``high``, that can be that similar to a set.

        Args:
            probe: the sketch of the set.
            share: how many of its bigrams are beyond ASCII, 0.0 to 1.0.
            low: least size.
            high: largest size.
            similarity: the least wanted.
        """
        near = [_shares_alike(share, min(max(share, least), most), similarity) for least, most in _BANDS]
        for (_, band), shelf in self._shelves.items():
            if near[band]:
                yield from shelf.alike(probe, low, high, similarity)


def _shares_alike(one: float, other: float, similarity: float) -> bool:
    """Whether sets of which such shares are of one kind can be that similar.

    Of each kind they share at most what the one has that has less of it. So they are the most alike where both have as
    much of one kind, and the larger one more of the other: by the ratio of what is not of that other kind.
    """
    less, more = sorted((one, other))
    return less == more or max((1 - more) / (1 - less), less / more) >= similarity - _ROUNDING


@cache
def _place(width: int, band: int) -> tuple[int, int]:
    """One object for all texts of one shelf."""
    return width, band


def _wide(grams: set[str]) -> int:
    """How many are beyond ASCII."""
    return len(grams) - sum(map(str.isascii, grams))


@lru_cache(maxsize=2)
def _grams(text: str) -> tuple[Sketch, int]:
    """Of the bigrams of a text, and how many are beyond ASCII; kept a while, as the next index takes the same text in."""
    grams = bigrams(text)
    return sketch(grams, width_for(len(grams), _GRAM_BITS)), 0 if text.isascii() else _wide(grams)


def _masked_grams(text: str) -> tuple[Sketch, int]:
    """The same with numbers masked: all is as in the text but for the few bigrams that hold a digit."""
    (whole, wide), (gone, come) = _grams(text), masking(text)
    members = whole.members - len(gone) + len(come)
    width = width_for(members, _GRAM_BITS)  # not more than the whole's, as there are never more members
    masked = Sketch(members, width, whole.at(width) ^ sketch(gone ^ come, width).bits)
    return masked, wide - _wide(gone) + _wide(come)


def _sketch_pairs(pairs: set[str]) -> Sketch:
    return sketch(pairs, width_for(len(pairs), _PAIR_BITS))
