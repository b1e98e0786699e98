"""Which memories say the same thing (spec §9).

Two texts are duplicates when their sets of character bigrams are alike (the seed's measure, threshold 0.70) and a
second measure confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

from memtui.memory.shingles import bigrams, jaccard, mask_numbers, word_pairs
from memtui.memory.types import MemoryEntry

THRESHOLD = 0.70
"""Bigram similarity from which two memories may be duplicates (seed)."""
CONFIRMED = 0.30
"""Word-pair similarity from which that is believed (ours; see ``confirm_similarity``)."""

PairKind = Literal["content", "numbers", "title"]
"""What two memories share: their text, their text once numbers are masked, or name and description."""


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


def jaccard_similarity(a: str, b: str) -> float:
    """Similarity of two texts by their sets of character bigrams, 0.0 to 1.0 (seed).

    A single character stands for itself; two empty texts have nothing in common: 0. On long text it saturates, so
    alone it proves nothing.
    """
    return jaccard(bigrams(a), bigrams(b))


def confirm_similarity(a: str, b: str) -> float:
    """Similarity of two texts by their sets of neighbouring words, 0.0 to 1.0 (ours)."""
    return jaccard(word_pairs(a), word_pairs(b))


def find_duplicate_by_content(
    content: str,
    entries: Iterable[MemoryEntry],
    threshold: float = THRESHOLD,
    *,
    exclude: str | None = None,
) -> str | None:
    """The slug of the active memory most similar to a text, if it is a duplicate.

    Args:
        content: the text.
        entries: memories to compare it with; historical ones are passed over.
        threshold: least bigram similarity, 0.0 to 1.0.
        exclude: slug of the memory being edited.

    Returns:
        The most similar of those that reach the threshold and are confirmed; None if there is none.
    """
    texts = {entry.slug: entry.content for entry in entries if entry.is_active and entry.slug != exclude}
    found = compare_with_all(content, texts, threshold)
    return found[0].slug if found else None


def compare_with_all(content: str, texts: Mapping[str, str], threshold: float = THRESHOLD) -> list[Match]:
    """The texts that are duplicates of one, most similar first, by comparing it with each of them."""
    grams, pairs = bigrams(content), word_pairs(content)
    found: list[Match] = []
    for slug, text in texts.items():
        similarity = jaccard(grams, bigrams(text))
        if similarity >= threshold and (confirmed := jaccard(pairs, word_pairs(text))) >= CONFIRMED:
            found.append(Match(slug, similarity, confirmed))
    return sorted(found, key=lambda match: match.rank)


def pairs_by_brute_force(
    texts: Mapping[str, str], threshold: float = THRESHOLD, kind: PairKind = "content"
) -> list[Pair]:
    """All pairs of duplicates, most similar first, by comparing everything with everything.

    It says in the fewest words what ``DuplicateIndex.pairs`` must answer, and is what that is tested against.
    """
    found: list[Pair] = []
    sets = [(slug, bigrams(text), word_pairs(text)) for slug, text in sorted(texts.items())]
    for (first, grams, pairs), (second, other_grams, other_pairs) in combinations(sets, 2):
        similarity = jaccard(grams, other_grams)
        if similarity >= threshold and (confirmed := jaccard(pairs, other_pairs)) >= CONFIRMED:
            found.append(Pair(first, second, similarity, confirmed, kind))
    return sorted(found, key=lambda pair: pair.rank)


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


def active_texts(entries: Iterable[MemoryEntry], kind: PairKind = "content") -> dict[str, str]:
    """What is compared, by slug of the active memories.

    For ``numbers`` only texts with a number in them; for ``title`` only memories with a description: without one the
    name is often but the file's.
    """
    texts: dict[str, str] = {}
    for entry in entries:
        if not entry.is_active:
            continue
        if kind == "content":
            texts[entry.slug] = entry.content
        elif kind == "numbers":
            masked = mask_numbers(entry.content)
            if masked != entry.content:
                texts[entry.slug] = masked
        elif entry.description:
            texts[entry.slug] = f"{entry.name}\n{entry.description}"
    return texts


def duplicate_clusters(
    entries: Iterable[MemoryEntry], threshold: float = THRESHOLD
) -> tuple[tuple[str, ...], ...]:
    """Groups of active memories that duplicate each other, directly or through others.

    Exact: the same answer as comparing everything with everything. Each group is sorted, the groups by first slug.
    """
    return clusters_of(pairs_by_brute_force(active_texts(entries), threshold))


def build_manifest_preview(entries: Iterable[MemoryEntry]) -> str:
    """What a model is told it has: one line for each active memory, in the order given."""
    return "\n".join(
        f"- {entry.slug} ({entry.memory_type or entry.type_text or 'unknown'}): "
        + " — ".join(" ".join(text.split()) for text in (entry.name, entry.description) if text.strip())
        for entry in entries
        if entry.is_active
    )


def slug_exists(memory_dir: Path, slug: str) -> bool:
    """Whether a memory file of that slug is there, so that saving would update rather than create."""
    return (memory_dir / f"{slug}.md").is_file()
