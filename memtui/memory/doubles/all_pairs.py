"""All pairs of duplicates among many texts, found without comparing everything with everything (spec §9, design §7)."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator

from memtui.memory.breathing import Breathe
from memtui.memory.doubles.likeness import CONFIRMED, Match
from memtui.memory.doubles.shelves import Item, Shelves
from memtui.memory.doubles.shingles import bigrams, jaccard_of_counts, word_pairs
from memtui.memory.doubles.sketches import LEAST_WIDTH, most_apart, sizes_alike

# Enough for the few hundred texts that one is compared with where many share prose; what is freed stays the process's.
_KEPT_BYTES = 1 << 22  # of the sets held while all pairs are found
_KEPT_MEMBERS = 30_000  # different word pairs among them
_RARITIES = 1 << 17  # buckets for how many hold a word pair


def all_pairs(
    items: Collection[Item], threshold: float, breathe: Breathe, *, short: bool
) -> Iterator[tuple[Item, Match]]:
    """Each pair once, as one of the two and the other as its match.

    Args:
        items: the texts.
        threshold: least bigram similarity.
        breathe: called between one text and the next.
        short: whether they are short: then those are looked for that share a rare word pair.
    """
    kept = _Kept()
    others_of = _sharing_rare_pairs if short else _not_larger
    for item, others in others_of(items, threshold, breathe):
        for other in others:
            if item.pairs.may_be_like(other.pairs, CONFIRMED):
                match = kept.compare(item, other, threshold)
                if match is not None:
                    yield item, match


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

    def compare(self, item: Item, other: Item, threshold: float) -> Match | None:
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

    def _of(self, item: Item) -> tuple[int, int]:
        bits = self._bits.get(item.slug)
        if bits is None:
            text = item.text
            bits = self._grams.bits(bigrams(text)), self._pairs.bits(word_pairs(text))
            self._bits[item.slug] = bits
            self._bytes += (len(self._grams.numbers) + len(self._pairs.numbers)) // 8
        return bits


def _not_larger(
    items: Collection[Item], threshold: float, breathe: Breathe
) -> Iterator[tuple[Item, Iterable[Item]]]:
    """Each text with those that are not larger and that its sketch does not rule out."""
    shelves = Shelves()
    for item in sorted(items, key=lambda item: item.grams.members):
        breathe()
        low, high = sizes_alike(item.grams.members, threshold)[0], item.grams.members
        yield item, shelves.alike(item.grams, item.share, low, high, threshold)
        shelves.put(item)


def _sharing_rare_pairs(
    items: Collection[Item], threshold: float, breathe: Breathe
) -> Iterator[tuple[Item, Iterable[Item]]]:
    """Each text with those before it that share one of its rarer word pairs: nobody else can be confirmed.

    Sets as alike as ``CONFIRMED`` share so many members that one is among the rarest of each, as many as this
    leaves of them (the prefix filter of set similarity joins). For short texts: their word pairs are soon made.
    """
    common = array("L", bytes(array("L").itemsize * _RARITIES))  # how many hold a pair, or one of its bucket
    for item in items:
        breathe()
        for bucket in _buckets(item):
            common[bucket] += 1
    numbered = list(items)
    bits = [item.grams.at(LEAST_WIDTH) for item in numbered]
    sizes = [item.grams.members for item in numbered]
    most = [most_apart(both, threshold) for both in range(2 * max(sizes, default=0) + 1)]
    # By bucket, not by pair: a hundred thousand texts in between what stays would leave holes behind. It is not less
    # exact, since of the pairs that two texts share one of the rarest bucket is among the rarer ones of each.
    holders: dict[int, list[int]] = {}
    for number, item in enumerate(numbered):
        breathe()
        own, size = bits[number], sizes[number]
        low, high = sizes_alike(size, threshold)
        buckets = sorted((common[bucket], bucket) for bucket in _buckets(item))
        least, _ = sizes_alike(len(buckets), CONFIRMED)
        near: set[int] = set()
        for count, bucket in buckets[: len(buckets) - least + 1]:
            if count > 1:  # else nobody shares it
                held = holders.setdefault(bucket, [])
                near.update(held)
                held.append(number)
        near.discard(number)  # where two of its pairs share a bucket
        yield (
            item,
            [
                numbered[other]
                for other in near
                if low <= sizes[other] <= high
                and (own ^ bits[other]).bit_count() <= most[size + sizes[other]]
            ],
        )


def _buckets(item: Item) -> list[int]:
    """The bucket of each of its word pairs."""
    return [hash(pair) % _RARITIES for pair in word_pairs(item.text)]
