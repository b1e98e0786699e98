"""What a check sees of a directory: the index taken apart, the memories in force, and who links to whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from posixpath import dirname, join, normpath

from memtui.memory.claims import ProjectIndex
from memtui.memory.conventions import INDEX_NAME, Convention
from memtui.memory.dedup import Pair
from memtui.memory.entrypoint import IndexReport, is_notice, report
from memtui.memory.files import Unreadable
from memtui.memory.index_lines import Index, Link, find_links, parse_index
from memtui.memory.lazy import lazy_pattern
from memtui.memory.links import LinkResolver, WikiLink, wiki_links
from memtui.memory.scan import Directory
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
    return Facts(tuple(files), tuple(wiki_links(content)))


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
    def oldest_listed(self) -> float | None:
        """When the oldest memory that the index names was last changed, where a rotation notice speaks for older ones.

        None where there is no such notice.
        """
        if not any(is_notice(line.text) for line in self.index.lines):
            return None
        return min((self.entries[rel].modified for rel in self.named), default=0.0)

    @cached_property
    def through(self) -> Mapping[str, str]:
        """Memories that the index does not name but a memory does that can be reached: file to the file that links."""
        reached: dict[str, str] = {}
        todo = sorted(self.named)
        while todo:
            rel = todo.pop()
            facts = self.facts(rel)
            linked = [self.memory_of(names) for names in facts.files]
            slugs = (self.resolver.resolve(link.target) for link in facts.wiki)
            linked += [f"{slug}.md" for slug in slugs if slug]
            for other in linked:
                if other and other not in self.named and other not in reached:
                    reached[other] = rel
                    todo.append(other)
        return reached
