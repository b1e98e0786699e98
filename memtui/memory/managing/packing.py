"""Packing memories for another directory: what arrives there, with old versions and index lines. Nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memtui.memory.conventions import HISTORY_FOLDER
from memtui.memory.disk.files import FileImage, digest_of
from memtui.memory.document import drafting, frontmatter, links, passage_text
from memtui.memory.doubles.dupindex import DuplicateIndex
from memtui.memory.doubles.likeness import Match
from memtui.memory.index.editing import NewLine, repoint
from memtui.memory.index.lines import Form, parse_index
from memtui.memory.managing.merging import merge_texts
from memtui.memory.managing.reader import MemoryReader
from memtui.memory.saving.records import Edit
from memtui.memory.secrets.guard import SecretFinding, find_secrets
from memtui.memory.types import MemoryEntry
from memtui.memory.versions.history import Family, last_numbers

Fate = Literal["new", "merged", "same"]


@dataclass(frozen=True, slots=True)
class Passage:
    """One memory on its way.

    Attributes:
        slug: where it comes from.
        new_slug: where it goes.
        fate: ``new``; ``merged`` into the memory of that slug; or ``same``, it is there already, word for word.
        versions: how many old versions go with it.
        dangling: targets of its wiki links that mean nothing where it goes.
        secrets: what in it looks like a secret; places count within name, description and text, one after the other.
        alike: what says nearly the same where it goes, if anything does.
    """

    slug: str
    new_slug: str
    fate: Fate
    versions: int
    dangling: tuple[str, ...]
    secrets: tuple[SecretFinding, ...]
    alike: Match | None


def says_the_same(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Whether two memories say the same, whatever the shape of their headers."""
    return one.is_readable and (one.name, one.description, one.memory_type, one.content) == (
        other.name,
        other.description,
        other.memory_type,
        other.content,
    )


class Packer:
    """Collects what arrives in the target."""

    def __init__(self, source: MemoryReader, target: MemoryReader, places: Mapping[str, str]) -> None:
        self.source = source
        self.target = target
        self.places = places
        self.edits: list[Edit] = []
        self._renamed = {old: new for old, new in places.items() if old != new}
        self._lines: list[NewLine] = []
        self._modified: dict[str, float] = {}
        self._resolver = links.LinkResolver(source.entries())
        self._there = links.LinkResolver(target.entries())
        self._family = Family(source.entries())
        self._doubles: DuplicateIndex | None = None
        self._numbers = last_numbers(entry.slug for entry in target.entries())
        self._held = {entry.digest for entry in target.entries()}

    def pack(self, entry: MemoryEntry) -> Passage:
        """One memory with its old versions."""
        source, target, slug = self.source.planner, self.target.planner, self.places[entry.slug]
        image, rel = source.existing(entry.rel), f"{slug}.md"
        data = passage_text.travelled(
            image.data,
            slug=entry.slug,
            new_slug=slug,
            moved=self._renamed,
            resolver=self._resolver,
            nested=target.new_files_nest(),
            modified=entry.modified,
        )
        there = target.image(rel)
        fate: Fate = "new"
        if there is None:
            self.edits.append(Edit(rel, None, data, mtime_ns=image.stamp.mtime_ns, mode=_mode(image)))
        else:
            other = self.target.get(slug)
            fate = "same" if says_the_same(entry, other) else "merged"
            if fate == "merged":
                data = self._merge(slug, there, data, image)
        versions = sum(self._archive(slug, source.existing(old.rel)) for old in self._family.old(entry.slug))
        if fate == "new":
            self._lines.append(self._line(entry, rel, data))
            self._modified[rel] = entry.modified
        told = f"{entry.name}\n{entry.description}\n{entry.content}"
        return Passage(
            entry.slug,
            slug,
            fate,
            versions,
            self._dangling(entry),
            find_secrets(told, allowed=self.target.allowed_secrets),
            None if fate == "same" else self._alike(entry, slug),
        )

    def pack_orphans(self) -> None:
        """Old versions whose memory is no more, under the names they have: history is adopted whole."""
        taken = {entry.slug for entry in self.source.entries() if entry.is_active}
        gone = {entry.slug for slug in taken for entry in self._family.old(slug)}
        for entry in self.source.entries():
            if entry.is_active or entry.slug in gone or entry.digest in self._held:
                continue
            image = self.source.planner.existing(entry.rel)
            rel = f"{HISTORY_FOLDER}/{entry.slug}.md" if entry.aside else entry.rel
            self.edits.append(
                Edit(rel, None, image.data, "archive", mtime_ns=image.stamp.mtime_ns, mode=_mode(image))
            )

    def index_edits(self, *, whole: bool) -> list[Edit]:
        """The target's index with lines for what arrives."""

        def listed(text: str) -> str:
            if whole and not text.strip():
                text = self.source.directory.index_text
                for old, new in self._renamed.items():
                    text = repoint(text, f"{old}.md", f"{new}.md")
            return self.target.planner.with_missing_lines(text, self._lines, self._modified)

        return self.target.planner.index_edit(listed)

    # ------------------------------------------------------------------ one memory

    def _merge(self, slug: str, there: FileImage, data: bytes, image: FileImage) -> bytes:
        planner = self.target.planner
        mine, other = frontmatter.read(there.data), frontmatter.read(data)
        text = merge_texts(None, mine.body, other.body).text
        merged = planner.saved(slug, there, drafting.Fields(content=text))
        if merged != there.data:
            self.edits.append(Edit(f"{slug}.md", there.data, merged))
            self._archive(slug, there)
        self._archive(slug, image)
        return merged

    def _archive(self, slug: str, image: FileImage) -> bool:
        """An old version of ``slug`` under the next number; whether it was not there already."""
        text, says_so = drafting.archived_text(image.data, slug)
        if digest_of(text) in self._held:
            return False
        number = self._numbers[slug] = self._numbers.get(slug, 0) + 1
        rel = self.target.convention.archive_rel(slug, number)
        if not says_so:
            rel = f"{HISTORY_FOLDER}/{slug}_v{number}.md"
        self.edits.append(Edit(rel, None, text, "archive", mtime_ns=image.stamp.mtime_ns, mode=_mode(image)))
        return True

    def _line(self, entry: MemoryEntry, rel: str, data: bytes) -> NewLine:
        """The line for a memory in the index: as it stood in the source's, else from its header."""
        document = frontmatter.read(data)
        title = document.name or rel.removesuffix(".md").rpartition("/")[2]
        words = (title, document.description or "")
        for line in parse_index(self.source.directory.index_text).naming(entry.rel):
            subject = line.subject
            if subject is not None and subject.form is Form.LIST and subject.link.names(entry.rel):
                words = (subject.title, subject.description)
                break
        return NewLine(rel, *words, document.type_text or "")

    def _dangling(self, entry: MemoryEntry) -> tuple[str, ...]:
        """Targets of links that mean something in the source, or nothing anywhere, and nothing in the target."""
        lost = []
        for link in links.wiki_links(entry.content):
            along = self.places.get(self._resolver.resolve(link.target) or "")
            if along is None and self._there.resolve(link.target) is None:
                lost.append(link.target)
        return tuple(dict.fromkeys(lost))

    def _alike(self, entry: MemoryEntry, slug: str) -> Match | None:
        if self._doubles is None:
            self._doubles = DuplicateIndex("content")
            for other in self.target.entries():
                if other.is_active:
                    self._doubles.add(other.slug, other.content)
        return self._doubles.best(entry.content, slug)


def _mode(image: FileImage) -> int:
    return image.stamp.mode & 0o666
