"""Wiki links between memories: ``[[name]]``, ``[[name|alias]]``, ``[[name#heading]]``.

Real files link by file stem, by title, with ``-`` for ``_``, or without the type prefix; 3 % of links point to
nothing yet, which is allowed (measured). Links inside code are not links: ``[[ -f x ]]`` is shell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import MemoryEntry, MemoryType

_TOKEN = lazy_pattern(
    r"""
      ^(?P<fence>```+|~~~+)[^\n]*\n .*? (?:^(?P=fence)[^\n]*$ | \Z)
    | (?P<tick>`+)(?!`) .+? (?<!`)(?P=tick)(?!`)
    | \[\[ (?P<target>[^\s\[\]|\#](?:[^\[\]|\#\n]*[^\s\[\]|\#])?) (?:\#[^\[\]|\n]*)? (?:\|[^\[\]\n]*)? \]\]
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
_PREFIXES = tuple(f"{kind}-" for kind in MemoryType)


@dataclass(frozen=True, slots=True)
class WikiLink:
    """One link in a text.

    Attributes:
        target: what stands before ``|`` and ``#``.
        start: offset of the target in the text, in characters.
        end: offset behind the target.
    """

    target: str
    start: int
    end: int


def wiki_links(text: str) -> Iterator[WikiLink]:
    """The wiki links of a text, in order, those in code left out."""
    if "[[" not in text:
        return
    for match in _TOKEN.finditer(text):
        if match["target"]:
            yield WikiLink(match["target"], match.start("target"), match.end("target"))


def may_link(entry: MemoryEntry) -> bool:
    """Whether anything in a memory looks like the beginning of a wiki link; told from its bytes, as few have one."""
    data = entry.data
    if isinstance(data, str):
        return "[[" in data
    return b"[" in data and b"[[" in data  # a single byte is looked for many times as fast as two


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().removesuffix(".md")


def _folded(name: str) -> str:
    return re.sub(r"[-_\s]+", "-", _plain(name))


class LinkResolver:
    """Finds the memory that a link means: by stem, then title, then ``-``/``_`` folded, then without type prefix.

    Where a name fits a private memory and one of the team's, the private one is meant; ``[[team/x]]`` names the other.
    """

    def __init__(self, entries: Iterable[MemoryEntry]) -> None:
        self._tables: tuple[dict[str, str], ...] = ({}, {}, {}, {})
        stems, names, folded, bare = self._tables
        active = [entry for entry in entries if entry.is_active]
        active.sort(key=lambda entry: entry.scope == "team")
        for entry in active:
            stem = entry.slug.rpartition("/")[2]
            stems[_plain(entry.slug)] = entry.slug
            stems.setdefault(_plain(stem), entry.slug)
            names.setdefault(_plain(entry.name), entry.slug)
            folded.setdefault(_folded(stem), entry.slug)
            folded.setdefault(_folded(entry.name), entry.slug)
            for prefix in _PREFIXES:
                if _folded(stem).startswith(prefix):
                    bare.setdefault(_folded(stem)[len(prefix) :], entry.slug)

    def resolve(self, target: str) -> str | None:
        """Slug of the active memory that ``target`` means, or None."""
        stems, names, folded, bare = self._tables
        plain, fold = _plain(target), _folded(target)
        return stems.get(plain) or names.get(plain) or folded.get(fold) or bare.get(fold)


def repoint(text: str, resolver: LinkResolver, moved: Mapping[str, str]) -> str:
    """The text with every link to a key of ``moved`` pointing to its value; all else stays character for character."""
    parts, last = [], 0
    for link in wiki_links(text):
        new = moved.get(resolver.resolve(link.target) or "")
        if new is not None:
            parts += [text[last : link.start], new]
            last = link.end
    return "".join([*parts, text[last:]])
