"""What a dream proposes without a model: five rules over a directory, each with its reason and the lines it rests on (ours).

``duplicate`` merges memories that say the same; ``superseded`` makes a memory an old version of the one that says it
takes its place; ``stale`` forgets what nobody touched for a month and of whose claims none holds; ``relative-date``
writes days out; ``dangling-link`` repoints a link to a memory that moved or is misspelt. Better nothing than a
doubtful proposal: each rule is silent where it cannot be sure. Nothing here writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memtui.agent.dream_suggestion import DreamInput, Passage, Suggestion, line_at, line_of
from memtui.agent.dream_texts import in_the_words
from memtui.agent.dream_words import dream_words
from memtui.memory.age import memory_age_days
from memtui.memory.checks.claims import extract_claims, verify_claims
from memtui.memory.decay import Tier, activation_tier
from memtui.memory.document.links import LinkResolver, wiki_links
from memtui.memory.doubles.dedup import DuplicateIndex, Pair, active_texts, jaccard_similarity
from memtui.memory.doubles.parallels import differ_in_names, differ_in_numbers
from memtui.memory.doubles.shingles import mask_numbers, numbers_in, words
from memtui.memory.doubles.subjects import differ_in_subject
from memtui.memory.lazy import lazy_pattern
from memtui.memory.managing.merging import merge_texts
from memtui.memory.types import MemoryEntry

NEAR_LINE = 0.85
"""How alike two lines must be to say the same, as bigrams, 0.0 to 1.0 (ours)."""
MOST_MERGED = 8
"""Most memories that one proposal merges (ours): nobody reads through more."""

_LINK = r"\[\[(?P<old>[^\[\]|#\n]+)(?:[|#][^\[\]\n]*)?\]\]"
_TAKES = lazy_pattern(
    rf"\b(?:replaces|supersedes|obsoletes|overrides|takes\s+the\s+place\s+of|is\s+valid\s+instead\s+of)\s+(?:the\s+)?{_LINK}"
    rf"|(?:取代|替代|代替|推翻|作废)(?:了|旧的)?\s*{_LINK.replace('old', 'old_zh')}"
)
_GIVEN_UP = lazy_pattern(
    rf"{_LINK}\s*(?:(?:is|was|has\s+been)\s+(?:now\s+)?(?:obsolete|outdated|superseded|replaced|wrong)"
    rf"|(?:is\s+no\s+longer|no\s+longer)\s+(?:valid|true|applies|holds|in\s+force))\b"
    rf"|{_LINK.replace('old', 'old_zh')}\s*(?:已过时|已作废|已失效|不再适用|不再有效|已被取代|已废弃)"
)
_DENIED = lazy_pattern(
    r"\b(?:not|never|if|unless|when|until|once|would|may|might)\b|不|未|没有|如果|若|除非", re.IGNORECASE
)
_TURNS = lazy_pattern(
    r"\b(?:not?|never|none|without|cannot|except|only|if|unless|when|until|once)\b|n['’ ]?t\b|[不未没无非别勿禁若只仅除]|如果",
    re.IGNORECASE,
)
"""Words that make a sentence say something else than it says without them."""


def suggestions(seen: DreamInput) -> tuple[Suggestion, ...]:
    """All that the rules propose; no memory is in two of them, so that they can be accepted together."""
    found: list[Suggestion] = []
    taken: set[str] = set()
    for rule in (_superseded, _duplicates, _stale):
        for made in rule(seen):
            if taken.isdisjoint(made.slugs):
                taken.update(made.slugs)
                found.append(made)
    found += in_the_words(seen, taken)
    return tuple(found)


def _superseded(seen: DreamInput) -> Iterator[Suggestion]:
    """A memory that another, no older one says to be given up, by a link to it."""
    active = seen.active
    by_slug = {entry.slug: entry for entry in active}
    resolver = LinkResolver(active)
    for entry in active:
        content = entry.content
        if "[[" not in content:
            continue
        live = {link.start for link in wiki_links(content)}
        for pattern in (_TAKES, _GIVEN_UP):
            for match in pattern.finditer(content):
                group = "old" if match["old"] else "old_zh"
                older = by_slug.get(resolver.resolve(match[group]) or "")
                if older is None or older is entry or match.start(group) not in live:
                    continue
                if entry.memory_type is None or not entry.description.strip() or older.scope != entry.scope:
                    continue
                if older.modified > entry.modified or _doubtful(content, match.start(), match.end()):
                    continue
                quote = Passage(entry.rel, line_at(entry, match.start()), line_of(content, match.start()))
                yield Suggestion(
                    "superseded",
                    "merge",
                    (entry.slug, older.slug),
                    dream_words(seen.lang).superseded.format(
                        newer=entry.slug, older=older.slug, quote=match[0]
                    ),
                    (quote, _first(older)),
                    content=content,
                )


def _doubtful(content: str, start: int, end: int) -> bool:
    """Whether the sentence around says it under a condition, or denies it."""
    line_start = content.rfind("\n", 0, start) + 1
    before = content[line_start:start]
    before = before[max((before.rfind(mark) for mark in ".!?。！？；"), default=-1) + 1 :]
    return _DENIED.search(before) is not None or content[end : end + 1] == "?"


def _duplicates(seen: DreamInput) -> Iterator[Suggestion]:
    """Groups that say the same; pairs that differ in numbers or names are two facts, and no duplicates."""
    by_slug = {entry.slug: entry for entry in seen.active}
    index = DuplicateIndex("content")
    for slug, text in active_texts(by_slug.values()).items():
        index.add(slug, text)
    groups: dict[str, set[str]] = {}
    alike: dict[frozenset[str], float] = {}
    apart: set[frozenset[str]] = set()
    for pair in index.pairs():
        if _apart(pair, by_slug):
            apart.add(frozenset((pair.first, pair.second)))
        else:
            alike[frozenset((pair.first, pair.second))] = pair.bigrams
    for first_slug, second_slug in map(sorted, alike):
        one = groups.setdefault(first_slug, {first_slug})
        two = groups.setdefault(second_slug, {second_slug})
        if any(frozenset((each, other)) in apart for each in one for other in two):
            continue  # two facts are none because a third text is like both
        one |= two
        groups.update(dict.fromkeys(one, one))
    for group in {id(group): group for group in groups.values() if len(group) > 1}.values():
        entries = sorted(
            (by_slug[slug] for slug in group), key=lambda e: (e.memory_type is None, -e.modified, e.slug)
        )
        first, *others = entries
        least = min(alike[key] for key in alike if key <= group)
        if first.memory_type is None or not first.description.strip() or len(entries) > MOST_MERGED:
            continue
        if len({entry.scope for entry in entries}) > 1:
            continue  # what is private stays so
        text = first.content
        for other in others:
            text = _with_fuller_lines(text, other.content)
            text = merge_texts(None, text, _news(other.content, text)).text
        yield Suggestion(
            "duplicate",
            "merge",
            tuple(entry.slug for entry in entries),
            dream_words(seen.lang).duplicate.format(
                slugs=", ".join(entry.slug for entry in entries), percent=round(100 * least)
            ),
            tuple(_first(entry) for entry in entries),
            content=text,
        )


def _with_fuller_lines(text: str, other: str) -> str:
    """The merged text, each of its lines in the words of a double's line that says all of it and more."""
    fuller = other.splitlines()
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        said = next((each for each in fuller if _same_line(each, bare)), bare)
        lines.append(said + line[len(bare) :])
    return "".join(lines)


def _news(other: str, text: str) -> str:
    """A double's text without the lines of which a line of the merged text says every word, in the same order.

    A line with another word, or another number, stays. What is left out is kept in the old version.
    """
    known = text.splitlines()
    kept: list[str] = []
    for line in other.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        said = next((each for each in known if _same_line(each, bare)), None)
        kept.append(line if said is None else f"{said}\n")
    return "".join(kept)


def _same_line(line: str, other: str) -> bool:
    """Whether a line is nearly the other one and says all that it says."""
    alike = jaccard_similarity(line, other) >= NEAR_LINE and numbers_in(line) == numbers_in(other)
    return alike and _holds(line, other)


def _holds(line: str, other: str) -> bool:
    """Whether a line says all that another says, and does not deny it by what it says more."""
    rest = iter(words(line))
    more: list[str] = []
    for word in words(other):
        for each in rest:
            if each == word:
                break
            more.append(each)
        else:
            return False
    return _TURNS.search(" ".join([*more, *rest])) is None


def _apart(pair: Pair, by_slug: Mapping[str, MemoryEntry]) -> bool:
    one, other = by_slug[pair.first].content, by_slug[pair.second].content
    masked = mask_numbers(one) != one and differ_in_numbers(one, other)
    return (
        masked or differ_in_names(one, other) or differ_in_subject(by_slug[pair.first], by_slug[pair.second])
    )


def _stale(seen: DreamInput) -> Iterator[Suggestion]:
    """A cool memory that names things of the project, at least two or nothing else, none of which is there."""
    if seen.project is None:
        return
    for entry in seen.active:
        if activation_tier(entry.modified, seen.now) is not Tier.COOL:
            continue
        verdicts = list(verify_claims(extract_claims(entry.content), seen.project))
        if len(verdicts) < 2 or any(verdict.found is not False for verdict in verdicts):
            continue
        names = list(dict.fromkeys(verdict.claim.text for verdict in verdicts))
        if len(names) < 2:
            continue
        yield Suggestion(
            "stale",
            "forget",
            (entry.slug,),
            dream_words(seen.lang).stale.format(
                days=memory_age_days(entry.modified, seen.now), claims=", ".join(names[:5])
            ),
            tuple(
                Passage(
                    entry.rel,
                    line_at(entry, verdict.claim.start),
                    line_of(entry.content, verdict.claim.start),
                )
                for verdict in verdicts[:5]
            ),
        )


def _first(entry: MemoryEntry) -> Passage:
    """The first line of a memory that says something."""
    content = entry.content
    offset = len(content) - len(content.lstrip())
    return Passage(entry.rel, line_at(entry, offset), line_of(content, offset))
