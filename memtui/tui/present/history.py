"""The history of a memory: which versions there are, what differs between two, what restoring one does. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memtui.memory.age import memory_age_label
from memtui.memory.lazy import lazy_pattern
from memtui.memory.managing.authors import Author, author_said
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry
from memtui.memory.versions.diffrows import CONTEXT, Diff, Pair, Row, side_by_side, unified
from memtui.memory.versions.history import Version, next_number, split_archive, versions_of
from memtui.memory.versions.worddiff import compare, compare_fields
from memtui.tui.present.diff_lines import note_text
from memtui.tui.present.lines import Line, Part, clip_line, fit, spread, width
from memtui.tui.present.parts import CURSOR, DOT, ELLIPSIS, label, size
from memtui.tui.wording.diff import DiffWords
from memtui.tui.wording.history import HistoryWords

# Lines of a header that memtui writes itself or that are shown by name; the rest is compared as it stands.
_MACHINE = {
    "status",
    "superseded_by",
    "modified",
    "metadata",
    "name",
    "description",
    "type",
    "originSessionId",
}
_FIELD = lazy_pattern(r"\s*(?P<key>[A-Za-z_][\w.-]*)\s*:(?P<value>.*)")


@dataclass(frozen=True, slots=True)
class Compared:
    """Two versions compared.

    Attributes:
        fields: what differs in the headers.
        body: what differs in the texts.
    """

    fields: Diff
    body: Diff

    @property
    def is_empty(self) -> bool:
        """Whether header and text are equal."""
        return self.fields.is_empty and self.body.is_empty


def owner_of(entry: MemoryEntry, entries: Iterable[MemoryEntry]) -> str:
    """The memory whose history holds ``entry``: itself if it is in force, else what superseded it."""
    if entry.is_active:
        return entry.slug
    if entry.superseded_by:
        return entry.superseded_by
    base = split_archive(entry.slug)
    return base[0] if base and versions_of(base[0], entries) else entry.slug


def version_name(version: Version, words: HistoryWords) -> str:
    """What to call a version: ``now``, ``v2``, or the file it came from."""
    if version.current:
        return words.current
    return words.version.format(id=version.id) if version.id.isdigit() else label(version.id)


def version_row(
    version: Version,
    cells: int,
    *,
    author: Author | None,
    marked: bool,
    cursor: bool,
    now: float,
    lang: Lang,
    words: HistoryWords,
) -> Line:
    """A version as a line: mark, name, age, who wrote it as far as that is known, where it came from, and its size."""
    entry = version.entry
    head: list[Part] = [(CURSOR if cursor else " ", "cursor-sign"), ("A " if marked else "  ", "mark")]
    name = version_name(version, words) if version.current or version.id.isdigit() else _number(version)
    head.append((fit(name, 5, ELLIPSIS), "good" if version.current else "name"))
    head.append((fit(memory_age_label(entry.modified, now, lang), 13, ELLIPSIS), ""))
    said = author_said(author, lang) if author is not None else ""
    head.append((DOT.join(text for text in (said, _from(version, words)) if text), "dim"))
    right: Line = ((f" {size(entry.size)} ", "dim"),)
    if width(tuple(head)) + width(right) >= cells:  # who wrote it comes first
        return clip_line(tuple(head), cells, ELLIPSIS)
    return spread(tuple(head), right, cells, ELLIPSIS)


def _number(version: Version) -> str:
    base = split_archive(version.entry.slug)
    return f"·{base[1]}" if base else "·"


def _from(version: Version, words: HistoryWords) -> str:
    if version.current or version.id.isdigit():
        return ""
    base = split_archive(version.entry.slug)
    return words.from_other.format(slug=label(base[0] if base else version.entry.slug))


def title(slug: str, versions: Sequence[Version], words: HistoryWords) -> tuple[str, str]:
    """Title of the list: the memory; how many versions, and that none is in force, if so."""
    count = (words.counted_one if len(versions) == 1 else words.counted).format(n=len(versions))
    forgotten = bool(versions) and not versions[0].current
    return f"{words.title}{DOT}{visible(slug)}", f"{count}{DOT}{words.forgotten}" if forgotten else count


def chosen(
    versions: Sequence[Version], cursor: Version | None, mark: str | None
) -> tuple[Version | None, Version | None]:
    """The two versions to compare, the older one first.

    Without a mark, the cursor's and the one before it; of the first one, it and the version in force. A version that is
    the only one stands alone.
    """
    if cursor is None:
        return None, None
    at = versions.index(cursor)
    other = next((n for n, version in enumerate(versions) if version.entry.rel == mark), None)
    if other is None or other == at:
        other = at + 1
    if other >= len(versions):
        other = 0
    if other == at:
        return None, cursor
    return versions[max(at, other)], versions[min(at, other)]


# --- what differs ----------------------------------------------------------------------------------------------------


def fields_of(entry: MemoryEntry, header: str, words: HistoryWords) -> dict[str, str]:
    """The fields of a memory that a person set, by the name to show.

    Args:
        entry: the memory.
        header: the file's text above the body, for what ``entry`` does not hold; may be empty.
        words: sentences.
    """
    known = {
        words.name: entry.name,
        words.description: entry.description,
        words.type: entry.type_text or "",
        words.origin: entry.origin or "",
    }
    for line in header.split("\n"):
        found = _FIELD.match(line)
        if found and found["key"] not in _MACHINE:
            known.setdefault(found["key"], found["value"].strip())
    return {key: value for key, value in known.items() if value}


def header_of(text: str, entry: MemoryEntry) -> str:
    """The part of a file above its body."""
    return "\n".join(text.split("\n")[: entry.body_line - 1])


def compared(
    old: MemoryEntry | None,
    new: MemoryEntry,
    words: HistoryWords,
    headers: tuple[str, str] = ("", ""),
) -> Compared:
    """Compare two versions; one that stands alone is compared with itself, to be shown whole."""
    after = fields_of(new, headers[1], words)
    before = fields_of(old, headers[0], words) if old is not None else after
    return Compared(compare_fields(before, after), compare(_text(old or new), _text(new)))


def _text(entry: MemoryEntry) -> str:
    return f"{entry.content.strip(chr(10))}\n" if entry.content.strip("\n") else ""


def diff_rows(
    found: Compared, words: HistoryWords, *, beside: bool, whole: bool
) -> tuple[Row, ...] | tuple[Pair, ...]:
    """The difference as rows: header fields, then text, each under its heading if it differs.

    Args:
        found: the difference.
        words: sentences.
        beside: side by side rather than one under the other.
        whole: equal lines, too.
    """
    context = None if whole else CONTEXT
    parts = [(words.fields, found.fields), (words.text, found.body)]
    shown = [(heading, diff) for heading, diff in parts if not diff.is_empty or (whole and diff.pairs)]
    if beside:
        pairs: list[Pair] = []
        for heading, diff in shown:
            row = Row("heading", heading)
            pairs += [Pair(row, row), *side_by_side(diff, context)]
        return tuple(pairs)
    rows: list[Row] = []
    for heading, diff in shown:
        rows += [Row("heading", heading), *unified(diff, context)]
    return tuple(rows)


def diff_title(
    old: Version | None,
    new: Version,
    found: Compared | None,
    words: HistoryWords,
    diff_words: DiffWords,
) -> tuple[str, str]:
    """Title of the difference: which two; how many lines, and what else there is to say."""
    name = version_name(new, words)
    heading = (
        words.difference.format(old=version_name(old, words), new=name)
        if old is not None
        else f"{name}{DOT}{words.first}"
    )
    if found is None:
        return heading, words.reading
    if old is None:
        return heading, ""
    if found.is_empty:
        return heading, diff_words.equal
    removed, added = (
        found.fields.removed + found.body.removed,
        found.fields.added + found.body.added,
    )
    notes = [note_text(note, diff_words) for note in found.body.notes]
    return heading, DOT.join([words.counts.format(removed=removed, added=added), *notes])


# --- restoring -------------------------------------------------------------------------------------------------------


def restore_question(
    slug: str,
    version: Version,
    versions: Sequence[Version],
    entries: Iterable[MemoryEntry],
    words: HistoryWords,
) -> tuple[str, list[str]]:
    """What is asked before restoring, and what will happen, one sentence each."""
    name = version_name(version, words)
    rel = label(f"{slug}.md")
    lines = []
    if versions[0].current:
        number = next_number(slug, (entry.slug for entry in entries))
        lines.append(words.restore_kept.format(archive=label(f"{slug}_v{number}")))
    else:
        lines.append(words.restore_back.format(rel=rel))
    lines += [words.restore_text.format(rel=rel, version=name), words.restore_index, words.restore_undo]
    shown = clip_line(((label(version.entry.name) or visible(slug), ""),), 60, ELLIPSIS)
    return words.restore_question.format(version=name, name="".join(text for text, _ in shown)), lines
