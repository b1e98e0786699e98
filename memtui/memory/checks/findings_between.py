"""Checks of memories against each other, the day and the project (spec §§7, 9, 10, needs 9, 11, 18)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

from memtui.memory.age import SECONDS_PER_DAY, memory_age_days
from memtui.memory.checks import index_fixes
from memtui.memory.checks.claims import extract_claims, verify_claims
from memtui.memory.checks.findings_view import View
from memtui.memory.checks.rules import Hit, directory_rule, place_rule
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.document.slugs import collision_key
from memtui.memory.doubles.dedup import THRESHOLD, Pair, jaccard_similarity
from memtui.memory.doubles.parallels import differ_in_names, differ_in_numbers
from memtui.memory.doubles.subjects import differ_in_subject
from memtui.memory.types import MemoryEntry, Severity

STALE_DAYS = 200
"""Whole days after which a memory asks to be looked at again (ours): from then on its score is at most 0.01, no more
than a superseded version's."""


MOST_DAYS = 1_000_000
"""Most days that are said of a date ahead (ours): some are written in thousandths of a second, and mean the year 50000."""
FUTURE_DAYS = 1
"""Days that a date may lie ahead (ours): clocks of two machines, and their time zones, differ by less."""


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
    """Names that are one name on systems that fold case or Unicode forms; the index has one, too."""
    keys = {collision_key(INDEX_NAME.removesuffix(".md")): [INDEX_NAME]}
    for entry in view.entries.values():
        keys.setdefault(collision_key(entry.slug), []).append(entry.slug)
    for slugs in keys.values():
        for slug in slugs[1:]:
            yield Hit(f"{slug}.md", parts={"other": slugs[0]})


@directory_rule("duplicate", Severity.WARNING, "texts")
def duplicate(view: View) -> Iterator[Hit]:
    """Two memories that say the same."""
    yield from _nearest(pair for pair in view.pairs() if pair.kind == "content" and not _apart(pair, view))


@directory_rule("same-but-numbers", Severity.NOTE, "texts")
def same_but_numbers(view: View) -> Iterator[Hit]:
    """Two memories that differ in numbers or names only: an update that became a second file, or two of one template."""
    parted = {_key(pair): pair for pair in view.pairs() if pair.kind == "content" and _apart(pair, view)}
    masked = [pair for pair in view.pairs() if pair.kind == "numbers" and _key(pair) not in view.alike]
    yield from _nearest(sorted((*masked, *parted.values()), key=lambda pair: pair.rank))


@directory_rule("same-title", Severity.NOTE, "texts")
def same_title(view: View) -> Iterator[Hit]:
    """Two memories whose names and descriptions are alike: nobody can choose between them."""
    yield from _nearest(
        pair for pair in view.pairs() if pair.kind == "title" and _key(pair) not in view.alike
    )


def _key(pair: Pair) -> tuple[str, str]:
    return pair.first, pair.second


def _apart(pair: Pair, view: View) -> bool:
    """Whether two memories with like texts state two facts: alike once numbers are masked, or of one template."""
    entries = view.entries.get(f"{pair.first}.md"), view.entries.get(f"{pair.second}.md")
    if entries[0] is None or entries[1] is None:
        return False  # it came after this look began, or went; the next one is under way
    one, other = entries[0].content, entries[1].content
    masked_alike = _key(pair) in view.alike_masked
    parted = (masked_alike and differ_in_numbers(one, other)) or differ_in_names(one, other)
    return parted or differ_in_subject(entries[0], entries[1])


def _nearest(pairs: Iterable[Pair]) -> Iterator[Hit]:
    """For each memory its nearest double and how many there are: telling every pair grows with the square."""
    nearest: dict[str, tuple[str, int]] = {}
    count: Counter[str] = Counter()
    for pair in pairs:
        count.update((pair.first, pair.second))
        nearest.setdefault(pair.first, (pair.second, round(100 * pair.bigrams)))
        nearest.setdefault(pair.second, (pair.first, round(100 * pair.bigrams)))
    for slug, (other, percent) in nearest.items():
        yield Hit(f"{slug}.md", parts={"other": other, "percent": percent, "count": count[slug]})


@place_rule("dangling-link", Severity.NOTE)
def dangling_link(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """A wiki link to no memory: allowed, it may be one to be written; one that is misspelt can be mended."""
    for link in view.facts(entry.rel).wiki:
        if view.resolver.resolve(link.target) is None:
            near = view.near_names.nearest(link.target)
            plan = None
            if near is not None and near != entry.slug:
                plan = index_fixes.mend_link(view.directory, entry.rel, link.target, near)
            yield Hit(span=(link.start, link.end), parts={"target": link.target}, plan=plan)


@place_rule("stale", Severity.NOTE)
def stale(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """Nobody has touched it for so long that it ranks with the superseded ones."""
    days = memory_age_days(entry.modified, view.now)
    if days >= STALE_DAYS:
        yield Hit(parts={"days": days})


@place_rule("future-date", Severity.WARNING)
def future_date(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """It is dated in the future, so it ranks as new until that day; a clock was wrong, or somebody wants it on top."""
    dated = view.directory.dated(entry.rel) or 0.0  # what ranks counts it as today
    ahead = (dated - view.now) / SECONDS_PER_DAY
    if ahead > FUTURE_DAYS:
        plan = index_fixes.date_today(view.directory, entry.rel, view.now) if dated != entry.mtime else None
        yield Hit(parts={"days": min(math.ceil(ahead), MOST_DAYS)}, plan=plan)


@place_rule("broken-claim", Severity.WARNING, "project")
def broken_claim(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """It names a path, symbol or flag that the project does not have (any more)."""
    if view.project is None:
        return
    for verdict in verify_claims(extract_claims(entry.content), view.project):
        if verdict.found is False:
            claim = verdict.claim
            yield Hit(span=(claim.start, claim.end), parts={"claim": claim.text, "kind": claim.kind})
