"""What a dream proposes without a model: five rules over a directory, each with its reason and the lines it rests on (ours).

``duplicate`` merges memories that say the same; ``superseded`` makes a memory an old version of the one that says it
takes its place; ``stale`` forgets what nobody touched for a month and of whose claims none holds; ``relative-date``
writes days out; ``dangling-link`` repoints a link to a memory that moved or is misspelt. Better nothing than a
doubtful proposal: each rule is silent where it cannot be sure. Nothing here writes.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.agent.absolute_dates import find_relative, made_absolute
from memtui.agent.dream_words import dream_words
from memtui.memory import frontmatter
from memtui.memory.age import memory_age_days
from memtui.memory.claims import ProjectIndex, extract_claims, verify_claims
from memtui.memory.decay import Tier, activation_tier
from memtui.memory.dedup import DuplicateIndex, Pair, active_texts, jaccard_similarity
from memtui.memory.errors import MemtuiError
from memtui.memory.findings_memory import prose_only
from memtui.memory.history import versions_of
from memtui.memory.lazy import lazy_pattern
from memtui.memory.links import LinkResolver, wiki_links
from memtui.memory.merging import merge_texts
from memtui.memory.parallels import differ_in_names, differ_in_numbers
from memtui.memory.shingles import mask_numbers, numbers_in
from memtui.memory.types import Lang, MemoryEntry

DreamRule = Literal["duplicate", "superseded", "stale", "relative-date", "dangling-link", "model"]
DreamKind = Literal["merge", "forget", "fix", "save"]

NEAR_NAME = 0.88
"""How alike a misspelt link and a memory's name must be, 0.0 to 1.0 (ours)."""
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


@dataclass(frozen=True, slots=True)
class Passage:
    """A line that a suggestion rests on.

    Attributes:
        rel: the file, below the memory directory.
        line: 1-based line in it.
        quote: the line as it stands; show it through ``visible``.
    """

    rel: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing that a dream would do.

    Attributes:
        rule: what found it.
        kind: ``merge`` makes the other memories old versions of the first, ``forget`` takes them to the trash,
            ``fix`` writes the first one's file anew, ``save`` makes the first one or saves it anew.
        slugs: the memories; of a merge the first is the result.
        reason: why, for a person.
        passages: what it rests on.
        content: the text that a merge or a save would leave; empty for the other kinds.
        data: the whole file that a fix would write; empty for the other kinds.
        header: name, description and type for the result of a merge or a save; None keeps those of the first memory.
    """

    rule: DreamRule
    kind: DreamKind
    slugs: tuple[str, ...]
    reason: str
    passages: tuple[Passage, ...]
    content: str = ""
    data: bytes = b""
    header: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What the rules look at.

    Attributes:
        entries: all memories of the directory, old versions too.
        now: Unix seconds.
        zone: the zone whose days count; None for the system's own.
        lang: language of the reasons.
        project: the project that the memories speak of; None if that is not known.
    """

    entries: Sequence[MemoryEntry]
    now: float
    zone: dt.tzinfo | None
    lang: Lang
    project: ProjectIndex | None = None

    @property
    def active(self) -> list[MemoryEntry]:
        """The memories in force that can be read."""
        return [entry for entry in self.entries if entry.is_active and entry.is_readable]


def suggestions(seen: Dreamt) -> tuple[Suggestion, ...]:
    """All that the rules propose; no memory is in two of them, so that they can be accepted together."""
    found: list[Suggestion] = []
    taken: set[str] = set()
    for rule in (_superseded, _duplicates, _stale):
        for made in rule(seen):
            if taken.isdisjoint(made.slugs):
                taken.update(made.slugs)
                found.append(made)
    found += _texts(seen, taken)
    return tuple(found)


# -- whole memories -------------------------------------------------------------------------------------------------------


def _superseded(seen: Dreamt) -> Iterator[Suggestion]:
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
                quote = Passage(entry.rel, _line_at(entry, match.start()), _line_of(content, match.start()))
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


def _duplicates(seen: Dreamt) -> Iterator[Suggestion]:
    """Groups that say the same; pairs that differ in numbers or names are two facts, and no duplicates."""
    by_slug = {entry.slug: entry for entry in seen.active}
    index = DuplicateIndex("content")
    for slug, text in active_texts(by_slug.values()).items():
        index.add(slug, text)
    groups: dict[str, set[str]] = {}
    alike: dict[frozenset[str], float] = {}
    for pair in index.pairs():
        if _apart(pair, by_slug):
            continue
        alike[frozenset((pair.first, pair.second))] = pair.bigrams
        joined = groups.get(pair.first, {pair.first}) | groups.get(pair.second, {pair.second})
        for slug in joined:
            groups[slug] = joined
    for group in {id(group): group for group in groups.values()}.values():
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


def _news(other: str, text: str) -> str:
    """A double's text without the lines that say what a line of the merged text says in nearly the same words.

    A line with another number in it stays. What is left out is kept in the old version.
    """
    known = text.splitlines()
    kept = []
    for line in other.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        alike = [each for each in known if jaccard_similarity(each, bare) >= NEAR_LINE]
        said = [each for each in alike if numbers_in(each) == numbers_in(bare)]
        kept.append(f"{said[0]}\n" if said else line)
    return "".join(kept)


def _apart(pair: Pair, by_slug: Mapping[str, MemoryEntry]) -> bool:
    one, other = by_slug[pair.first].content, by_slug[pair.second].content
    masked = mask_numbers(one) != one and differ_in_numbers(one, other)
    return masked or differ_in_names(one, other)


def _stale(seen: Dreamt) -> Iterator[Suggestion]:
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
                    _line_at(entry, verdict.claim.start),
                    _line_of(entry.content, verdict.claim.start),
                )
                for verdict in verdicts[:5]
            ),
        )


# -- words of a memory ----------------------------------------------------------------------------------------------------


def _texts(seen: Dreamt, taken: set[str]) -> Iterator[Suggestion]:
    """Days written out and links repointed: of each memory one new text."""
    resolver = LinkResolver(seen.entries)
    names = {entry.slug.rpartition("/")[2]: entry.slug for entry in seen.active}
    for entry in seen.active:
        if entry.slug in taken:
            continue
        content, passages, reasons = entry.content, list[Passage](), list[str]()
        dated = _dates(seen, entry, content, passages, reasons)
        linked = _links(seen, entry, dated, passages, reasons, resolver, names)
        if linked == content:
            continue
        try:
            data = frontmatter.edit(whole_file(entry), body=linked)
        except MemtuiError:
            continue  # its header cannot be edited safely
        rule: DreamRule = "relative-date" if dated != content else "dangling-link"
        reason = dream_words(seen.lang).and_also.join(dict.fromkeys(reasons))
        yield Suggestion(rule, "fix", (entry.slug,), reason, tuple(passages), data=data)


def whole_file(entry: MemoryEntry) -> bytes:
    """The bytes of a memory's file as it was read."""
    return entry.data if isinstance(entry.data, bytes) else entry.data.encode("utf-8", "surrogateescape")


def _dates(
    seen: Dreamt, entry: MemoryEntry, content: str, passages: list[Passage], reasons: list[str]
) -> str:
    """The text with its days written out, counted from the day on which each line was first written."""
    if not find_relative(content, local_day(entry.modified, seen.zone)):
        return content  # as almost always; the versions are looked for in all memories
    say = dream_words(seen.lang)
    versions = [version.entry for version in versions_of(entry.slug, seen.entries)]
    versions.sort(key=lambda each: each.modified)
    done: list[tuple[int, str]] = []
    parts: list[str] = []
    at = 0
    prose = prose_only(content)  # a fence spans lines, so it is blanked before the text is cut
    sure = True
    for line in content.splitlines(keepends=True):
        blanked = prose[at : at + len(line)]
        first = next((each for each in versions if line.strip() and line.strip() in each.content), entry)
        day = local_day(first.modified, seen.zone)
        found = find_relative(blanked, day) if len(blanked) == len(line) else ()
        if found:
            sure = sure and frontmatter.read(whole_file(first)).modified is not None
            passages.append(Passage(entry.rel, _line_at(entry, at), line.strip()))
            reasons += [
                say.relative_one.format(words=made.words, absolute=made.absolute, day=day) for made in found
            ]
            done.append((at, line))
        parts.append(made_absolute(line, found))
        at += len(line)
    if done and not sure:
        reasons.append(say.from_file)
    return "".join(parts)


def local_day(moment: float, zone: dt.tzinfo | None) -> dt.date:
    """The local date of a time in Unix seconds."""
    return dt.datetime.fromtimestamp(moment, dt.UTC).astimezone(zone).date()


def _links(
    seen: Dreamt,
    entry: MemoryEntry,
    content: str,
    passages: list[Passage],
    reasons: list[str],
    resolver: LinkResolver,
    names: Mapping[str, str],
) -> str:
    """The text with each dangling link repointed whose memory is known."""
    say = dream_words(seen.lang)
    parts, last = [], 0
    for link in wiki_links(content):
        if resolver.resolve(link.target) is not None:
            continue
        moved = _moved(link.target, seen)
        near = moved or _near(link.target, names)
        if near is None or near == entry.slug:
            continue
        sentence = say.link_moved if moved else say.link
        reasons.append(sentence.format(target=link.target, slug=near))
        passages.append(Passage(entry.rel, _line_at(entry, link.start), _line_of(content, link.start)))
        parts += [content[last : link.start], near]
        last = link.end
    return "".join([*parts, content[last:]])


def _moved(target: str, seen: Dreamt) -> str | None:
    """The memory in force that took the place of a superseded one of this name."""
    active = {entry.slug for entry in seen.entries if entry.is_active}
    after = {
        entry.slug.rpartition("_v")[0] or entry.slug: entry.superseded_by
        for entry in seen.entries
        if not entry.is_active and entry.superseded_by
    }
    slug = after.get(target)
    for _ in range(20):  # no longer chain is believed
        if slug is None or slug in active:
            return slug
        slug = after.get(slug)
    return None


def _near(target: str, names: Mapping[str, str]) -> str | None:
    """The one memory whose name is nearly this; None if none is, or two are, or only a number differs."""
    near = [
        name
        for name in difflib.get_close_matches(target, names, n=2, cutoff=NEAR_NAME)
        if mask_numbers(name) != mask_numbers(target)
    ]
    return names[near[0]] if len(near) == 1 else None


# -- where it stands ------------------------------------------------------------------------------------------------------


def _line_at(entry: MemoryEntry, offset: int) -> int:
    return entry.body_line + entry.content.count("\n", 0, offset)


def _line_of(content: str, offset: int) -> str:
    start = content.rfind("\n", 0, offset) + 1
    end = content.find("\n", offset)
    return content[start : end if end >= 0 else len(content)].strip()


def _first(entry: MemoryEntry) -> Passage:
    """The first line of a memory that says something."""
    content = entry.content
    offset = len(content) - len(content.lstrip())
    return Passage(entry.rel, _line_at(entry, offset), _line_of(content, offset))
