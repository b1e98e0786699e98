"""Checks of memories against each other, the day and the project (spec §§7, 9, 10, needs 9, 11, 18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from memtui.memory import index_fixes
from memtui.memory.age import memory_age_days
from memtui.memory.claims import extract_claims, verify_claims
from memtui.memory.dedup import THRESHOLD, PairKind, jaccard_similarity
from memtui.memory.findings_view import View
from memtui.memory.rules import Hit, directory_rule, place_rule
from memtui.memory.slugs import collision_key
from memtui.memory.types import MemoryEntry, Severity

STALE_DAYS = 200
"""Whole days after which a memory asks to be looked at again (ours): from then on its score is at most 0.01, no more
than a superseded version's."""


@directory_rule("sync-copy", Severity.WARNING, "texts")
def sync_copy(view: View) -> Iterator[Hit]:
    """A second copy that some sync tool left, or a person who copied a file: readers take it for a memory."""
    for rel, copied in view.copies.items():
        entry, base = view.entries[rel], copied.base
        original = view.entries.get(base)
        alike = original is not None and jaccard_similarity(entry.content, original.content) >= THRESHOLD
        if not (copied.sure or alike):
            continue
        plan = None
        if original is not None and original.digest == entry.digest:
            plan = index_fixes.trash_copy(view.directory, rel, base)
        yield Hit(rel, parts={"original": base}, plan=plan)


@directory_rule("slug-collision", Severity.WARNING)
def slug_collision(view: View) -> Iterator[Hit]:
    """Names that are one name on systems that fold case or Unicode forms."""
    keys: dict[str, list[str]] = {}
    for entry in view.entries.values():
        keys.setdefault(collision_key(entry.slug), []).append(entry.slug)
    for slugs in keys.values():
        for slug in slugs[1:]:
            yield Hit(f"{slug}.md", parts={"other": slugs[0]})


@directory_rule("duplicate", Severity.WARNING, "texts")
def duplicate(view: View) -> Iterator[Hit]:
    """Two memories that say the same."""
    yield from _pairs(view, "content")


@directory_rule("same-but-numbers", Severity.NOTE, "texts")
def same_but_numbers(view: View) -> Iterator[Hit]:
    """Two memories that differ in their numbers only: an update that became a second file, often."""
    yield from _pairs(view, "numbers")


@directory_rule("same-title", Severity.NOTE, "texts")
def same_title(view: View) -> Iterator[Hit]:
    """Two memories whose names and descriptions are alike: nobody can choose between them."""
    yield from _pairs(view, "title")


def _pairs(view: View, kind: PairKind) -> Iterator[Hit]:
    """For each memory its nearest double and how many there are: telling every pair grows with the square."""
    pairs = view.pairs()
    told = {(p.first, p.second) for p in pairs if p.kind == "content"} if kind != "content" else set()
    nearest: dict[str, tuple[str, int]] = {}
    count: Counter[str] = Counter()
    for pair in pairs:
        if pair.kind == kind and (pair.first, pair.second) not in told:
            count.update((pair.first, pair.second))
            nearest.setdefault(pair.first, (pair.second, round(100 * pair.bigrams)))
            nearest.setdefault(pair.second, (pair.first, round(100 * pair.bigrams)))
    for slug, (other, percent) in nearest.items():
        yield Hit(f"{slug}.md", parts={"other": other, "percent": percent, "count": count[slug]})


@place_rule("dangling-link", Severity.NOTE)
def dangling_link(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """A wiki link to no memory: allowed, it may be one to be written."""
    for link in view.facts(entry.rel).wiki:
        if view.resolver.resolve(link.target) is None:
            yield Hit(span=(link.start, link.end), parts={"target": link.target})


@place_rule("stale", Severity.NOTE)
def stale(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """Nobody has touched it for so long that it ranks with the superseded ones."""
    days = memory_age_days(entry.modified, view.now)
    if days >= STALE_DAYS:
        yield Hit(parts={"days": days})


@place_rule("broken-claim", Severity.WARNING, "project")
def broken_claim(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """It names a path, symbol or flag that the project does not have (any more)."""
    if view.project is None:
        return
    for verdict in verify_claims(extract_claims(entry.content), view.project):
        if verdict.found is False:
            claim = verdict.claim
            yield Hit(span=(claim.start, claim.end), parts={"claim": claim.text, "kind": claim.kind})
