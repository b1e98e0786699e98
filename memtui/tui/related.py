"""What a memory has to do with others: links both ways, the index, its versions. Worked out in a thread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memtui.memory.types import MemoryEntry

if TYPE_CHECKING:
    from memtui.memory.document.links import LinkResolver
    from memtui.memory.index.lines import Index
    from memtui.store import Snapshot


class Related(NamedTuple):
    """What is known about a memory beyond itself.

    Attributes:
        links: what it links to: the target as written, and the slug it means; None if it points to nothing.
        backlinks: slugs of the memories that link to it.
        index_lines: number and text of the lines of ``MEMORY.md`` that name it, and whether a session gets them.
        has_index: whether there is a ``MEMORY.md``.
        place: its place by score among the memories in force, from 1; None for an old version.
        total: memories in force.
        usage: how transcripts say that it was used, as sentences; empty where there are none.
        seen: in which other stores it stands too, as a sentence; empty where in none, or where nobody looked.
    """

    links: tuple[tuple[str, str | None], ...] = ()
    backlinks: tuple[str, ...] = ()
    index_lines: tuple[tuple[int, str, bool], ...] = ()
    has_index: bool = True
    place: int | None = None
    total: int = 0
    usage: tuple[str, ...] = ()
    seen: str = ""


class Relations:
    """Works out what a memory has to do with others; keeps what serves the next one. One thread at a time."""

    def __init__(self) -> None:
        self._entries: Sequence[MemoryEntry] = ()
        self._active: list[MemoryEntry] = []
        self._linking: list[MemoryEntry] = []
        self._resolver: LinkResolver | None = None
        self._sources: Mapping[str, list[str]] | None = None
        self._targets: dict[str, tuple[MemoryEntry, frozenset[str]]] = {}
        self._meant: dict[str, str | None] = {}
        self._text: str | None = None
        self._index: Index | None = None

    def of(self, entry: MemoryEntry, snapshot: Snapshot) -> Related:
        """What ``entry`` has to do with the other memories of a snapshot."""
        from memtui.memory.document.links import may_link  # noqa: PLC0415 – loaded behind the first paint
        from memtui.memory.index.lines import parse_index  # noqa: PLC0415 – as above

        if snapshot.entries is not self._entries:
            self._entries = snapshot.entries
            self._active = [known for known in snapshot.entries if known.is_active]
            self._linking = [known for known in self._active if may_link(known)]
            self._resolver = None
            self._sources = None
            self._meant = {}
        if snapshot.index_text != self._text or self._index is None:
            self._text, self._index = snapshot.index_text, parse_index(snapshot.index_text)
        unheard = set(snapshot.index.not_loaded)
        place = next((n for n, known in enumerate(self._active, 1) if known is entry), None)
        return Related(
            self._links(entry),
            self._backlinks(entry),
            tuple(
                (line.number, line.text, not line.hidden and entry.rel not in unheard)
                for line in self._index.naming(entry.rel)
            ),
            snapshot.index.exists,
            place,
            len(self._active),
        )

    def _links(self, entry: MemoryEntry) -> tuple[tuple[str, str | None], ...]:
        from memtui.memory.document.links import wiki_links  # noqa: PLC0415 – loaded behind the first paint

        targets = dict.fromkeys(link.target for link in wiki_links(entry.content))
        return tuple((target, self._resolve(target)) for target in targets)

    def _backlinks(self, entry: MemoryEntry) -> tuple[str, ...]:
        if self._sources is None:
            found: defaultdict[str, list[str]] = defaultdict(list)
            for known in self._linking:
                for slug in {self._resolve(target) for target in self._targets_of(known)}:
                    if slug is not None and slug != known.slug:
                        found[slug].append(known.slug)
            self._sources = found
        return tuple(self._sources.get(entry.slug, ())) if entry.is_active else ()

    def _targets_of(self, entry: MemoryEntry) -> frozenset[str]:
        """What a memory links to as written; kept as long as its text."""
        from memtui.memory.document.links import wiki_links  # noqa: PLC0415 – loaded behind the first paint

        held = self._targets.get(entry.slug)
        if held is None or held[0] is not entry:
            held = (entry, frozenset(link.target for link in wiki_links(entry.content)))
            self._targets[entry.slug] = held
        return held[1]

    def _resolve(self, target: str) -> str | None:
        from memtui.memory.document.links import LinkResolver  # noqa: PLC0415 – loaded behind the first paint

        if target not in self._meant:
            if self._resolver is None:
                self._resolver = LinkResolver(self._entries)
            self._meant[target] = self._resolver.resolve(target)
        return self._meant[target]
