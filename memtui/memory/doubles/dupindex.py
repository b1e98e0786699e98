"""Duplicates of ten thousand memories, kept up to date and found between two keystrokes (spec §9, design §7).

The answer is exactly that of comparing everything with everything (``dedup.compare_with_all``): sketches only rule
out pairs that cannot be alike (``shelves``), and what is left is compared as there.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.breathing import Breathe, no_pause
from memtui.memory.doubles.all_pairs import all_pairs
from memtui.memory.doubles.likeness import CONFIRMED, THRESHOLDS, Match, Pair, PairKind, clusters_of
from memtui.memory.doubles.shelves import Holder, Item, Probe, Shelves
from memtui.memory.doubles.shingles import mask_numbers
from memtui.memory.doubles.sketches import sizes_alike
from memtui.memory.errors import UsageError
from memtui.memory.wording.saying import Say

# From this similarity on even long texts are told apart by their bigrams: of the unrelated hardly any comes near it.
_UNSATURATED = 0.85


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
        self._masked = kind == "numbers"
        self._items: dict[str, Item] = {}
        self._shelves = Shelves()
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
        saturates = self.threshold < _UNSATURATED
        item = self._items[slug] = Item(slug, source, masked=self._masked, saturates=saturates)
        self._shelves.put(item)
        self._new.add(slug)

    def remove(self, slug: str) -> None:
        """Forget a text; nothing happens if it is not there."""
        item = self._items.pop(slug, None)
        if item is None:
            return
        self._shelves.take(item)
        self._new.discard(slug)
        for partner in self._partners.pop(slug, ()):
            del self._partners[partner][slug]
            self._sorted = None

    def best(self, content: str, exclude: str | None = None) -> Match | None:
        """The most similar duplicate of a text, leaving out the slug ``exclude``; of equals see ``Match.rank``."""
        probe = self._probe(content)
        candidates = [(probe.sketch.at_most(item.grams), item) for item in self._candidates(probe, exclude)]
        candidates.sort(key=lambda candidate: -candidate[0])
        best: Match | None = None
        for at_most, item in candidates:
            if best is not None and at_most < best.bigrams:
                break  # of many copies of one memory, few need be compared in full
            match = probe.compare(item)
            if match is not None and (best is None or match.rank < best.rank):
                best = match
        return best

    def matches(
        self, content: str, limit: int | None = None, *, exclude: str | None = None
    ) -> tuple[Match, ...]:
        """The duplicates of a text, most similar first, at most ``limit``, leaving out the slug ``exclude``."""
        return tuple(sorted(self._matches(content, exclude), key=lambda match: match.rank)[:limit])

    def pairs(self, breathe: Breathe = no_pause) -> tuple[Pair, ...]:
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

    def _probe(self, content: str) -> Probe:
        return Probe(mask_numbers(content) if self._masked else content, self.threshold)

    def _candidates(self, probe: Probe, exclude: str | None) -> Iterator[Item]:
        """The texts that neither sketch rules out."""
        low, high = sizes_alike(probe.sketch.members, self.threshold)
        for item in self._shelves.alike(probe.sketch, probe.share, low, high, self.threshold):
            if item.slug != exclude and probe.pairs_sketch.may_be_like(item.pairs, CONFIRMED):
                yield item

    def _matches(self, content: str, exclude: str | None) -> Iterator[Match]:
        probe = self._probe(content)
        for item in self._candidates(probe, exclude):
            match = probe.compare(item)
            if match is not None:
                yield match

    def _pair_all(self, breathe: Breathe) -> None:
        self._partners.clear()
        items = self._items.values()
        for item, match in all_pairs(items, self.threshold, breathe, short=self.kind == "title"):
            self._pair(item.slug, match)

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
