"""Which memories say the same thing (spec §9), and what else is said of the memories there are (spec §12).

``likeness`` says when two are alike and why it is told that way; ``dupindex`` finds them fast.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

from memtui.memory.disk.files import Folder
from memtui.memory.doubles.dupindex import DuplicateIndex
from memtui.memory.doubles.likeness import CONFIRMED, THRESHOLD, THRESHOLDS, Match, Pair, PairKind
from memtui.memory.doubles.shingles import bigrams, has_number, jaccard, mask_numbers, word_pairs
from memtui.memory.text import for_prompt
from memtui.memory.types import MemoryEntry

__all__ = [
    "CONFIRMED",
    "THRESHOLD",
    "DuplicateIndex",
    "Match",
    "Pair",
    "PairKind",
    "active_texts",
    "build_manifest_preview",
    "compare_with_all",
    "confirm_similarity",
    "duplicate_clusters",
    "find_duplicate_by_content",
    "jaccard_similarity",
    "pairs_by_brute_force",
    "slug_exists",
]


def jaccard_similarity(a: str, b: str) -> float:
    """Similarity of two texts, ``a`` and ``b``, by their sets of character bigrams, 0.0 to 1.0 (seed).

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
    texts: Mapping[str, str], kind: PairKind = "content", threshold: float | None = None
) -> list[Pair]:
    """All pairs alike, most similar first, by comparing everything with everything.

    It says in the fewest words what ``DuplicateIndex.pairs`` must answer, and is what that is tested against.

    Args:
        texts: what is compared, by slug; see ``active_texts``.
        kind: what the texts are.
        threshold: least bigram similarity, 0.0 to 1.0; None for that of the kind.
    """
    if threshold is None:
        threshold = THRESHOLDS[kind]
    found: list[Pair] = []
    if kind == "numbers":
        texts = {slug: mask_numbers(text) for slug, text in texts.items()}
    sets = [(slug, bigrams(text), word_pairs(text)) for slug, text in sorted(texts.items())]
    for (first, grams, pairs), (second, other_grams, other_pairs) in combinations(sets, 2):
        similarity = jaccard(grams, other_grams)
        if similarity >= threshold and (confirmed := jaccard(pairs, other_pairs)) >= CONFIRMED:
            found.append(Pair(first, second, similarity, confirmed, kind))
    return sorted(found, key=lambda pair: pair.rank)


def active_texts(entries: Iterable[MemoryEntry], kind: PairKind = "content") -> dict[str, str]:
    """What of the active memories is compared, by slug; numbers are masked by whoever compares.

    In ``numbers`` only memories with a number in them take part, in ``title`` only those with a description: without
    one the name is often no more than the file's.
    """
    active = [entry for entry in entries if entry.is_active]
    if kind == "title":
        return {entry.slug: f"{entry.name}\n{entry.description}" for entry in active if entry.description}
    return {entry.slug: entry.content for entry in active if kind == "content" or has_number(entry.content)}


def duplicate_clusters(
    entries: Iterable[MemoryEntry], threshold: float = THRESHOLD
) -> tuple[tuple[str, ...], ...]:
    """Groups of active memories that duplicate each other, directly or through others.

    Exact: the same answer as comparing everything with everything. Each group is sorted, the groups by first slug.

    Args:
        entries: memories; historical ones, and those that cannot be read, are passed over.
        threshold: least bigram similarity, 0.0 to 1.0.

    Raises:
        UsageError: the threshold is not above 0.0 and at most 1.0.
    """
    index = DuplicateIndex("content", threshold)
    for slug, text in active_texts(entries).items():
        index.add(slug, text)
    return index.clusters()


def build_manifest_preview(entries: Iterable[MemoryEntry]) -> str:
    """What a model is told there is: one line for each active memory, in the order given, safe to stand in a prompt.

    ``- slug (type): name — description``; what is missing is left out, an unknown type stands as written.

    Args:
        entries: memories; historical ones are passed over.
    """
    return "\n".join(_manifest_line(entry) for entry in entries if entry.is_active)


def _manifest_line(entry: MemoryEntry) -> str:
    kind = entry.memory_type or entry.type_text or "unknown"
    texts = [text for text in (entry.name, entry.description) if text.strip()]
    line = f"- {entry.slug} ({kind})" + (f": {' — '.join(texts)}" if texts else "")
    return " ".join(for_prompt(line).split())


def slug_exists(memory_dir: Path, slug: str) -> bool:
    """Whether a memory file of that slug is there, so that saving would update rather than create.

    Args:
        memory_dir: the memory directory.
        slug: path below it without ``.md``.

    Raises:
        Unreadable: the slug is no path below the directory, or the system will not tell.
    """
    folder = Folder(memory_dir)
    stamp = folder.stamp(f"{slug}.md")
    return stamp is not None and stat.S_ISREG(stamp.mode)
