"""Duplicates of ten thousand memories, kept up to date and found between two keystrokes (spec §9, design §7)."""

from __future__ import annotations

from memtui.memory.dedup import (
    THRESHOLD,
    Match,
    Pair,
    PairKind,
    clusters_of,
    compare_with_all,
    pairs_by_brute_force,
)


class DuplicateIndex:
    """Texts by slug, and which of them are duplicates."""

    def __init__(self, threshold: float = THRESHOLD, kind: PairKind = "content") -> None:
        self.threshold = threshold
        self.kind: PairKind = kind
        self._texts: dict[str, str] = {}

    def add(self, slug: str, content: str) -> None:
        """Take a text in, in place of the one of that slug if there is one."""
        self._texts[slug] = content

    def remove(self, slug: str) -> None:
        """Forget a text; nothing happens if it is not there."""
        self._texts.pop(slug, None)

    def best(self, content: str, exclude: str | None = None) -> Match | None:
        """The most similar duplicate of a text, leaving out the slug ``exclude``."""
        found = self.matches(content, 1, exclude=exclude)
        return found[0] if found else None

    def matches(
        self, content: str, limit: int | None = None, *, exclude: str | None = None
    ) -> tuple[Match, ...]:
        """The duplicates of a text, most similar first, at most ``limit``, leaving out the slug ``exclude``."""
        others = {slug: text for slug, text in self._texts.items() if slug != exclude}
        return tuple(compare_with_all(content, others, self.threshold)[:limit])

    def pairs(self) -> tuple[Pair, ...]:
        """All pairs of duplicates, most similar first."""
        return tuple(pairs_by_brute_force(self._texts, self.threshold, self.kind))

    def clusters(self) -> tuple[tuple[str, ...], ...]:
        """Groups of slugs that duplicate each other, directly or through others."""
        return clusters_of(self.pairs())
