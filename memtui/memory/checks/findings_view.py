"""What a check sees of a directory: the index taken apart, the memories in force, and who links to whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from posixpath import dirname, join, normpath

from memtui.memory.checks.claims import ProjectIndex
from memtui.memory.conventions import INDEX_NAME, Convention
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Unreadable
from memtui.memory.document.links import LinkResolver, WikiLink, wiki_links
from memtui.memory.doubles.dedup import Pair
from memtui.memory.doubles.near_names import NearNames
from memtui.memory.index.entrypoint import IndexReport, report
from memtui.memory.index.lines import Index, Link, find_links, parse_index
from memtui.memory.index.room import Room
from memtui.memory.index.rotation import is_notice, unnamed
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Lang, MemoryEntry


@dataclass(frozen=True, slots=True)
class Facts:
    """What one memory's text says about other files.

    Attributes:
        files: Markdown files it links to, each as the names that the link may mean.
        wiki: its wiki links.
    """

    files: tuple[tuple[str, ...], ...]
    wiki: tuple[WikiLink, ...]


_NO_FACTS = Facts((), ())


@dataclass(frozen=True, slots=True)
class CopyName:
    """What a file's name says it is a copy of.

    Attributes:
        base: the other file.
        sure: whether no other name looks like that.
    """

    base: str
    sure: bool


_COPY = lazy_pattern(
    r"(?P<base>.+?)(?:"
    r"(?P<sure>[ ._-]*\((?:[^()]*\bconflict(?:ed)?[ _-]copy\b[^()]*|SFConflict[^()]*|[^()]*冲突(?:的)?(?:副本|文件|拷贝)[^()]*)\)"
    r"|\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{1,8})?)"
    r"|[ ._-]*\([^()]*(?:conflict|冲突)[^()]*\)|[ _-]conflict(?:[ _-]?\d+)?"
    r"|[ _-](?:copy|副本|拷贝)(?:[ _-]?\d+)?| \(\d+\)| \d+)"
)


def copy_name(slug: str) -> CopyName | None:
    """What a memory's name says it is a copy of, None for a name of its own."""
    folder, _, stem = slug.rpartition("/")
    match = _COPY.fullmatch(stem)
    if match is None:
        return None
    base = f"{match['base']}.md"
    return CopyName(f"{folder}/{base}" if folder else base, match["sure"] is not None)


def facts_of(entry: MemoryEntry) -> Facts:
    """The links in one memory's text."""
    content, files = entry.content, []
    if "](" in content:
        folder = dirname(entry.rel)
        for link in find_links(content):
            near = (normpath(join(folder, link.rel)),) if folder else ()
            files.append((*near, *link.candidates))
    wiki = tuple(wiki_links(content))
    return Facts(tuple(files), wiki) if files or wiki else _NO_FACTS


@lru_cache(maxsize=2)
def _parsed(text: str) -> Index:
    """An index taken apart, kept while memories change and it does not."""
    return parse_index(text)


class View:
    """One look at a directory.

    Attributes:
        directory: where fixes read what is on disk when they are planned.
        entries: the memories in force by file.
        copies: what files are copies of, going by their names, by file.
        facts: the links in a memory's text, by file.
        pairs: duplicates of all three kinds, most similar first.
        project: the project that memories speak of, if there is one.
        now: Unix seconds.
        lang: language of what a fix writes.
    """

    def __init__(
        self,
        directory: Directory,
        entries: Mapping[str, MemoryEntry],
        copies: Mapping[str, CopyName],
        facts: Callable[[str], Facts],
        pairs: Callable[[], tuple[Pair, ...]],
        links: Callable[[], LinkResolver],
        linked: Callable[[View], frozenset[str]],
        *,
        project: ProjectIndex | None,
        now: float,
        lang: Lang,
    ) -> None:
        self.directory = directory
        self.entries = entries
        self.copies = copies
        self.facts = facts
        self.pairs = pairs
        self._links = links
        self._linked = linked
        self.project = project
        self.now = now
        self.lang = lang
        self._there: dict[str, bool] = {}

    @property
    def convention(self) -> Convention:
        """The habits the directory follows."""
        return self.directory.convention

    @cached_property
    def text(self) -> str | None:
        """The index's text, None where there is no index."""
        return None if self.directory.index_data is None else self.directory.index_text

    @cached_property
    def index(self) -> Index:
        """The index taken apart."""
        return _parsed(self.text or "")

    @cached_property
    def report(self) -> IndexReport:
        """The index against its limits."""
        return report(self.text, self.convention)

    @cached_property
    def resolver(self) -> LinkResolver:
        """Finds what a wiki link means."""
        return self._links()

    @cached_property
    def near_names(self) -> NearNames:
        """Finds what a misspelt wiki link means."""
        return NearNames(entry.slug for entry in self.entries.values())

    def memory_of(self, names: tuple[str, ...]) -> str | None:
        """The file of the memory in force that one of these names means, or None."""
        return next((name for name in names if name in self.entries), None)

    def names_of(self, link: Link) -> tuple[str, ...]:
        """The files an index link may mean; an absolute path into this directory names one, too."""
        root = str(self.directory.root).rstrip("/") + "/"
        inside = tuple(name.removeprefix(root) for name in link.candidates if name.startswith(root))
        return inside or link.candidates

    def is_there(self, rel: str) -> bool:
        """Whether a file is there, memory or not; unreadable ones are."""
        if rel in self.entries or self.directory.get_rel(rel) is not None or rel == INDEX_NAME:
            return True
        if rel not in self._there:
            try:
                self._there[rel] = self.directory.folder.stamp(rel) is not None
            except Unreadable:
                self._there[rel] = True
        return self._there[rel]

    @cached_property
    def alike(self) -> frozenset[tuple[str, str]]:
        """The pairs with like texts, as their slugs."""
        return frozenset((pair.first, pair.second) for pair in self.pairs() if pair.kind == "content")

    @cached_property
    def alike_masked(self) -> frozenset[tuple[str, str]]:
        """The pairs with like texts once numbers are masked."""
        return frozenset((pair.first, pair.second) for pair in self.pairs() if pair.kind == "numbers")

    @cached_property
    def named(self) -> frozenset[str]:
        """Files of the memories that some line of the index names."""
        found = (self.memory_of(self.names_of(entry.link)) for entry in self.index.entries)
        return frozenset(rel for rel in found if rel)

    @cached_property
    def notice(self) -> int | None:
        """Number of the line that says how many memories rotated out; None where there is none."""
        return next((line.number for line in self.index.lines if is_notice(line.text)), None)

    @cached_property
    def unlisted(self) -> tuple[str, ...]:
        """Files of the memories in force that no line of the index names, as the notice counts them."""
        return unnamed(self.index.lines, self.entries)

    @cached_property
    def unheard(self) -> Mapping[str, int]:
        """Files of the memories that are named behind the cut only, each with the first line that names it."""
        lost, found = set(self.report.not_loaded), dict[str, int]()
        for entry in self.index.entries:
            rel = self.memory_of(self.names_of(entry.link)) if entry.rel in lost else None
            if rel:
                found.setdefault(rel, entry.line)
        return found

    @cached_property
    def linked(self) -> frozenset[str]:
        """Files of the memories that another one links to."""
        return self._linked(self)

    @cached_property
    def announced_before(self) -> float | None:
        """A rotation notice speaks for the memories last changed before this moment; None where there is no notice.

        Those that rotated out are older than those listed. A tenth of the listed ones may be older all the same, since
        somebody put them there by hand or a link kept them, and does not count.
        """
        if self.notice is None:
            return None
        ages = sorted(self.entries[rel].modified for rel in self.named - self.linked)
        ages = ages or sorted(self.entries[rel].modified for rel in self.named)
        return ages[len(ages) // 10] if ages else float("inf")

    @cached_property
    def fitting(self) -> frozenset[str]:
        """Files of the orphans, then of those reached through a link, whose lines there is room for; the best scores first."""
        room = Room.left(self.report, self.convention)
        orphans = (rel for rel in self.unlisted if self.is_orphan(self.entries[rel]))
        wanted = [
            rel
            for group in (orphans, self.through)
            for rel in sorted(group, key=lambda rel: self.entries[rel].modified, reverse=True)
        ]
        return frozenset(rel for rel in wanted if not room.full and room.takes(self.entries[rel]))

    def is_orphan(self, entry: MemoryEntry) -> bool:
        """Whether neither a line of the index nor a memory that one leads to leads here, and no notice speaks for it."""
        rel, before = entry.rel, self.announced_before
        if self.text is None or rel in self.named or rel in self.through or not entry.is_readable:
            return False
        return before is None or entry.modified > before

    def leads_to(self, rel: str) -> Iterator[str]:
        """Files of the memories that a memory links to."""
        facts = self.facts(rel)
        for names in facts.files:
            found = self.memory_of(names)
            if found:
                yield found
        for link in facts.wiki:
            slug = self.resolver.resolve(link.target)
            if slug:
                yield f"{slug}.md"

    @cached_property
    def through(self) -> Mapping[str, str]:
        """Memories that the index does not name but a memory does that can be reached: file to the file that links."""
        reached: dict[str, str] = {}
        todo = sorted(self.named)
        while todo:
            rel = todo.pop()
            for other in self.leads_to(rel):
                if other not in self.named and other not in reached:
                    reached[other] = rel
                    todo.append(other)
        return reached
