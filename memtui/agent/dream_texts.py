"""What a dream would change in the words of a memory: days written out, links repointed. Nothing here writes."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.agent.dream_suggestion import (
    DreamInput,
    DreamRule,
    Passage,
    Suggestion,
    line_at,
    line_of,
    local_day,
    whole_file,
)
from memtui.agent.dream_words import dream_words
from memtui.memory.checks.absolute_dates import find_relative, made_absolute
from memtui.memory.document import frontmatter
from memtui.memory.document.links import LinkResolver, wiki_links
from memtui.memory.document.prose import prose_only
from memtui.memory.doubles.near_names import NearNames
from memtui.memory.errors import MemtuiError
from memtui.memory.types import MemoryEntry
from memtui.memory.versions.history import versions_of


def in_the_words(seen: DreamInput, taken: set[str]) -> Iterator[Suggestion]:
    """Days written out and links repointed: of each memory one new text."""
    resolver = LinkResolver(seen.entries)
    names = NearNames(entry.slug for entry in seen.active)
    for entry in seen.active:
        if entry.slug in taken:
            continue
        content, passages, reasons = entry.content, list[Passage](), list[str]()
        dated = _dates(seen, entry, content, passages, reasons)
        linked = _links(seen, entry, dated, passages, reasons, resolver, names)
        described = _described(seen, entry, passages, reasons)
        if (linked, described) == (content, entry.description):
            continue
        try:
            data = frontmatter.edit(
                whole_file(entry),
                body=frontmatter.KEEP if linked == content else linked,
                description=frontmatter.KEEP if described == entry.description else described,
            )
        except MemtuiError:
            continue  # its header cannot be edited safely
        links_only = (dated, described) == (content, entry.description)
        rule: DreamRule = "dangling-link" if links_only else "relative-date"
        reason = dream_words(seen.lang).and_also.join(dict.fromkeys(reasons))
        yield Suggestion(rule, "fix", (entry.slug,), reason, tuple(passages), data=data)


def _dates(
    seen: DreamInput, entry: MemoryEntry, content: str, passages: list[Passage], reasons: list[str]
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
            passages.append(Passage(entry.rel, line_at(entry, at), line.strip()))
            reasons += [
                say.relative_one.format(words=made.words, absolute=made.absolute, day=day) for made in found
            ]
            done.append((at, line))
        parts.append(made_absolute(line, found))
        at += len(line)
    if done and not sure:
        reasons.append(say.from_file)
    return "".join(parts)


def _described(seen: DreamInput, entry: MemoryEntry, passages: list[Passage], reasons: list[str]) -> str:
    """The description with its days written out, counted from the day on which it was first written."""
    description = entry.description
    if not find_relative(description, local_day(entry.modified, seen.zone)):
        return description
    say = dream_words(seen.lang)
    versions = [version.entry for version in versions_of(entry.slug, seen.entries)]
    alike = [each for each in versions if each.description == description]
    first = min(alike, key=lambda each: each.modified, default=entry)
    day = local_day(first.modified, seen.zone)
    found = find_relative(description, day)
    if not found:
        return description
    head = whole_file(entry).decode("utf-8", "surrogateescape").splitlines()[: entry.body_line]
    line = next((at for at, text in enumerate(head, 1) if text.startswith("description:")), 1)
    passages.append(Passage(entry.rel, line, description))
    reasons += [say.relative_one.format(words=made.words, absolute=made.absolute, day=day) for made in found]
    if frontmatter.read(whole_file(first)).modified is None and say.from_file not in reasons:
        reasons.append(say.from_file)
    return made_absolute(description, found)


def _links(
    seen: DreamInput,
    entry: MemoryEntry,
    content: str,
    passages: list[Passage],
    reasons: list[str],
    resolver: LinkResolver,
    names: NearNames,
) -> str:
    """The text with each dangling link repointed whose memory is known."""
    say = dream_words(seen.lang)
    parts, last = [], 0
    for link in wiki_links(content):
        if resolver.resolve(link.target) is not None:
            continue
        moved = _moved(link.target, seen)
        near = moved or names.nearest(link.target)
        if near is None or near == entry.slug:
            continue
        sentence = say.link_moved if moved else say.link
        reasons.append(sentence.format(target=link.target, slug=near))
        passages.append(Passage(entry.rel, line_at(entry, link.start), line_of(content, link.start)))
        parts += [content[last : link.start], near]
        last = link.end
    return "".join([*parts, content[last:]])


def _moved(target: str, seen: DreamInput) -> str | None:
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
