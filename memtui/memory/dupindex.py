"""Duplicates of ten thousand memories, kept up to date and found between two keystrokes (spec §9, design §7).

The answer is exactly that of comparing everything with everything (``dedup.compare_with_all``): sketches only rule
out pairs that cannot be alike, and what is left is compared as there. A text keeps a sketch of its bigrams, 64 bytes
and up; a long one, whose bigrams say little, also one of its word pairs.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from memtui.memory.breathing import Breathe, hold_on
from memtui.memory.errors import UsageError
from memtui.memory.likeness import CONFIRMED, THRESHOLDS, Match, Pair, PairKind, clusters_of
from memtui.memory.saying import Say
from memtui.memory.shingles import (
    bigrams,
    each_bigram,
    each_word_pair,
    jaccard_of_counts,
    mask_numbers,
    word_pairs,
)
from memtui.memory.sketches import Sketch, most_apart, sizes_alike, sketch, width_for

# Found by measuring: with fewer bits too much must be compared in full, with more the bits themselves take longer.
_GRAM_BITS = 2
_PAIR_BITS = 8
# Characters to a distinct bigram: below the first, unrelated texts share so few that half the bits do; above the
# second they share so many that word pairs are needed for most comparisons.
_SPARSE = 2.5
_SATURATED = 4
# From this similarity on even long texts are told apart by their bigrams: of the unrelated hardly any comes near it.
_UNSATURATED = 0.85
_KEPT_BYTES = 1 << 25  # of the sets held while all pairs are found
_KEPT_MEMBERS = 300_000  # different word pairs among them
_RARITIES = 1 << 17  # buckets for how many hold a word pair
_CHUNK = 128  # sets of neighbouring sizes under one bound: small enough to be tight, large enough to be cheap


class Holder(Protocol):
    """Whatever gives a text when asked for it, so that the index need not keep it."""

    @property
    def content(self) -> str:
        """The text, always the same."""


class _Item:
    """One text of the index: the text itself is the caller's, only its sketches are ours."""

    __slots__ = ("_pairs", "_prepare", "grams", "shelf", "slug", "source")

    def __init__(
        self, slug: str, source: str | Holder, prepare: Callable[[str], str], *, saturates: bool
    ) -> None:
        self.slug = slug
        self.source = source
        self._prepare = prepare
        text = self.text
        grams = bigrams(text)
        self.grams = sketch(grams, width_for(len(grams), _GRAM_BITS))
        sparse = len(text) < _SPARSE * len(grams)
        self.shelf = width_for(len(grams), _GRAM_BITS // 2) if sparse else self.grams.width
        self._pairs = (
            _sketch_pairs(word_pairs(text)) if saturates and len(text) > _SATURATED * len(grams) else None
        )

    @property
    def content(self) -> str:
        """The text as it was taken in."""
        return self.source if isinstance(self.source, str) else self.source.content

    @property
    def text(self) -> str:
        """What is compared."""
        return self._prepare(self.content)

    @property
    def pairs(self) -> Sketch:
        """Of its word pairs; made when first asked for, as few short texts ever need it."""
        if self._pairs is None:
            self._pairs = _sketch_pairs(word_pairs(self.text))
        return self._pairs


class _Probe:
    """A text that is looked for: both its sets, the second made when first asked for."""

    __slots__ = ("_pairs", "_sketch", "grams", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.grams = bigrams(text)
        self._pairs: set[str] | None = None
        self._sketch: Sketch | None = None

    @property
    def pairs(self) -> set[str]:
        if self._pairs is None:
            self._pairs = word_pairs(self.text)
        return self._pairs

    @property
    def pairs_sketch(self) -> Sketch:
        if self._sketch is None:
            self._sketch = _sketch_pairs(self.pairs)
        return self._sketch


class _Numbered:
    """Sets as whole numbers with one bit for each member there is: to count what two share takes no look at each."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def bits(self, members: set[str]) -> int:
        """The set as a number."""
        numbers = self.numbers
        places = [numbers.setdefault(member, len(numbers)) for member in members]
        packed = bytearray(len(numbers) // 8 + 1)
        for place in places:
            packed[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(packed, "little")


class _Kept:
    """Both sets of the items compared last: where many memories share prose, each is compared with hundreds of others."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._grams = _Numbered()
        self._pairs = _Numbered()
        self._bits: dict[str, tuple[int, int]] = {}
        self._bytes = 0

    def compare(self, item: _Item, other: _Item, threshold: float) -> Match | None:
        """The other item as a match of the first, if it is one."""
        if self._bytes > _KEPT_BYTES or len(self._pairs.numbers) > _KEPT_MEMBERS:
            self._forget()
        (grams, pairs), (other_grams, other_pairs) = self._of(item), self._of(other)
        shared = (grams & other_grams).bit_count()
        similarity = jaccard_of_counts(item.grams.members, other.grams.members, shared)
        if similarity < threshold:
            return None
        shared = (pairs & other_pairs).bit_count()
        confirmed = jaccard_of_counts(item.pairs.members, other.pairs.members, shared)
        return Match(other.slug, similarity, confirmed) if confirmed >= CONFIRMED else None

    def _of(self, item: _Item) -> tuple[int, int]:
        bits = self._bits.get(item.slug)
        if bits is None:
            text = item.text
            bits = self._grams.bits(bigrams(text)), self._pairs.bits(word_pairs(text))
            self._bits[item.slug] = bits
            self._bytes += (len(self._grams.numbers) + len(self._pairs.numbers)) // 8
        return bits


class _Shelf:
    """Items whose sketches are compared at one width, by size."""

    __slots__ = ("bits", "items", "sizes", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self.sizes: list[int] = []
        self.bits: list[int] = []
        self.items: list[_Item] = []

    def put(self, item: _Item) -> None:
        at = bisect_right(self.sizes, item.grams.members)
        self.sizes.insert(at, item.grams.members)
        self.bits.insert(at, item.grams.at(self.width))
        self.items.insert(at, item)

    def take(self, item: _Item) -> None:
        at = self.items.index(item, bisect_left(self.sizes, item.grams.members))
        del self.sizes[at], self.bits[at], self.items[at]

    def alike(self, probe: Sketch, low: int, high: int, similarity: float) -> Iterator[_Item]:
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


class DuplicateIndex:
    """Texts by slug, and which of them are duplicates.

    Not to be used by two threads at once.

    Args:
        kind: what the texts are; given on to the pairs found. For ``numbers`` they are compared with their numbers
            masked.
        threshold: least bigram similarity, above 0.0 up to 1.0; None for that of the kind.

    Raises:
        UsageError: the threshold is out of bounds.
    """

    def __init__(self, kind: PairKind = "content", threshold: float | None = None) -> None:
        if threshold is None:
            threshold = THRESHOLDS[kind]
        if not 0 < threshold <= 1:
            raise UsageError(
                Say("a threshold is above 0 and at most 1, not {threshold}", threshold=threshold),
                where="threshold",
            )
        self.threshold = threshold
        self.kind: PairKind = kind
        self._prepare: Callable[[str], str] = mask_numbers if kind == "numbers" else str
        self._items: dict[str, _Item] = {}
        self._shelves: dict[int, _Shelf] = {}
        self._new: set[str] = set()
        self._partners: dict[str, dict[str, Pair]] = {}
        self._sorted: tuple[Pair, ...] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, slug: object) -> bool:
        return slug in self._items

    def add(self, slug: str, source: str | Holder) -> None:
        """Take a text in, in place of the one of that slug if there is one.

        Args:
            slug: what it is called here.
            source: the text, or what holds it, such as an entry. It is referred to, not copied.
        """
        known = self._items.get(slug)
        if known is not None:
            if known.content == (source if isinstance(source, str) else source.content):
                known.source = source
                return
            self.remove(slug)
        item = self._items[slug] = _Item(slug, source, self._prepare, saturates=self.threshold < _UNSATURATED)
        _put(self._shelves, item)
        self._new.add(slug)

    def remove(self, slug: str) -> None:
        """Forget a text; nothing happens if it is not there."""
        item = self._items.pop(slug, None)
        if item is None:
            return
        self._shelves[item.shelf].take(item)
        self._new.discard(slug)
        for partner in self._partners.pop(slug, ()):
            del self._partners[partner][slug]
            self._sorted = None

    def best(self, content: str, exclude: str | None = None) -> Match | None:
        """The most similar duplicate of a text, leaving out the slug ``exclude``; of equals see ``Match.rank``."""
        probe, grams = self._probe(content)
        candidates = [(grams.at_most(item.grams), item) for item in self._candidates(probe, grams, exclude)]
        candidates.sort(key=lambda candidate: -candidate[0])
        best: Match | None = None
        for at_most, item in candidates:
            if best is not None and at_most < best.bigrams:
                break  # of many copies of one memory, few need be compared in full
            match = self._compare(probe, item)
            if match is not None and (best is None or match.rank < best.rank):
                best = match
        return best

    def matches(
        self, content: str, limit: int | None = None, *, exclude: str | None = None
    ) -> tuple[Match, ...]:
        """The duplicates of a text, most similar first, at most ``limit``, leaving out the slug ``exclude``."""
        return tuple(sorted(self._matches(content, exclude), key=lambda match: match.rank)[:limit])

    def pairs(self, breathe: Breathe = hold_on) -> tuple[Pair, ...]:
        """All pairs of duplicates, most similar first. After a change this costs one query a changed text.

        Args:
            breathe: called between one text and the next.
        """
        if self._new:
            if 2 * len(self._new) > len(self._items):
                self._pair_all(breathe)
            else:
                self._pair_new(breathe)
            self._new.clear()
            self._sorted = None
        if self._sorted is None:
            found = {pair for partners in self._partners.values() for pair in partners.values()}
            self._sorted = tuple(sorted(found, key=lambda pair: pair.rank))
        return self._sorted

    def clusters(self) -> tuple[tuple[str, ...], ...]:
        """Groups of slugs that duplicate each other, directly or through others; sorted, and by first slug."""
        return clusters_of(self.pairs())

    def _probe(self, content: str) -> tuple[_Probe, Sketch]:
        """A text to look for, and the sketch of its bigrams, as wide as that of any that can be like it."""
        probe = _Probe(self._prepare(content))
        _, high = sizes_alike(len(probe.grams), self.threshold)
        return probe, sketch(probe.grams, width_for(high, _GRAM_BITS))

    def _candidates(self, probe: _Probe, grams: Sketch, exclude: str | None) -> Iterator[_Item]:
        """The texts that neither sketch rules out."""
        low, high = sizes_alike(grams.members, self.threshold)
        for shelf in self._shelves.values():
            for item in shelf.alike(grams, low, high, self.threshold):
                if item.slug != exclude and probe.pairs_sketch.may_be_like(item.pairs, CONFIRMED):
                    yield item

    def _matches(self, content: str, exclude: str | None) -> Iterator[Match]:
        probe, grams = self._probe(content)
        for item in self._candidates(probe, grams, exclude):
            match = self._compare(probe, item)
            if match is not None:
                yield match

    def _pair_all(self, breathe: Breathe) -> None:
        """Find all pairs."""
        self._partners.clear()
        kept = _Kept()
        others_of = self._sharing_rare_pairs if self.kind == "title" else self._not_larger
        for item, others in others_of(breathe):
            for other in others:
                if item.pairs.may_be_like(other.pairs, CONFIRMED):
                    match = kept.compare(item, other, self.threshold)
                    if match is not None:
                        self._pair(item.slug, match)

    def _not_larger(self, breathe: Breathe) -> Iterator[tuple[_Item, Iterable[_Item]]]:
        """Each text with those that are not larger and that its sketch does not rule out."""
        shelves: dict[int, _Shelf] = {}
        for item in sorted(self._items.values(), key=lambda item: item.grams.members):
            breathe()
            low, high = sizes_alike(item.grams.members, self.threshold)[0], item.grams.members
            for shelf in shelves.values():
                yield item, shelf.alike(item.grams, low, high, self.threshold)
            _put(shelves, item)

    def _sharing_rare_pairs(self, breathe: Breathe) -> Iterator[tuple[_Item, Iterable[_Item]]]:
        """Each text with those before it that share one of its rarer word pairs: nobody else can be confirmed.

        Sets as alike as ``CONFIRMED`` share so many members that one is among the rarest of each, as many as this
        leaves of them (the prefix filter of set similarity joins). For short texts: their word pairs are soon made.
        """
        common = array(
            "L", bytes(array("L").itemsize * _RARITIES)
        )  # how many hold a pair, or one of its bucket
        for item in self._items.values():
            breathe()
            for pair in word_pairs(item.text):
                common[hash(pair) % _RARITIES] += 1
        holders: dict[str, list[_Item]] = {}
        for item in self._items.values():
            breathe()
            low, high = sizes_alike(item.grams.members, self.threshold)
            pairs = sorted((common[hash(pair) % _RARITIES], pair) for pair in word_pairs(item.text))
            least, _ = sizes_alike(len(pairs), CONFIRMED)
            near: dict[str, _Item] = {}
            for count, pair in pairs[: len(pairs) - least + 1]:
                if count > 1:  # else nobody shares it
                    held = holders.setdefault(pair, [])
                    near.update((other.slug, other) for other in held if low <= other.grams.members <= high)
                    held.append(item)
            yield (
                item,
                [other for other in near.values() if item.grams.may_be_like(other.grams, self.threshold)],
            )

    def _pair_new(self, breathe: Breathe) -> None:
        for slug in self._new:
            breathe()
            for match in self._matches(self._items[slug].content, slug):
                self._pair(slug, match)

    def _pair(self, slug: str, match: Match) -> None:
        first, second = sorted((slug, match.slug))
        pair = Pair(first, second, match.bigrams, match.confirmed, self.kind)
        self._partners.setdefault(first, {})[second] = pair
        self._partners.setdefault(second, {})[first] = pair

    def _compare(self, probe: _Probe, item: _Item) -> Match | None:
        """What ``compare_with_all`` says of the two; the item's sets are counted, not made again."""
        shared = len(probe.grams.intersection(each_bigram(item.text)))
        similarity = jaccard_of_counts(len(probe.grams), item.grams.members, shared)
        if similarity < self.threshold:
            return None
        shared = len(probe.pairs.intersection(each_word_pair(item.text)))
        confirmed = jaccard_of_counts(len(probe.pairs), item.pairs.members, shared)
        return Match(item.slug, similarity, confirmed) if confirmed >= CONFIRMED else None


def _sketch_pairs(pairs: set[str]) -> Sketch:
    return sketch(pairs, width_for(len(pairs), _PAIR_BITS))


def _put(shelves: dict[int, _Shelf], item: _Item) -> None:
    shelf = shelves.get(item.shelf)
    if shelf is None:
        shelf = shelves[item.shelf] = _Shelf(item.shelf)
    shelf.put(item)
