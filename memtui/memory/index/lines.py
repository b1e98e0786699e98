"""``MEMORY.md`` taken apart: its lines, and the memories that each of them names (spec §6)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from posixpath import normpath
from urllib.parse import unquote

from memtui.memory.index.blocks import comment_blocks, without_frontmatter
from memtui.memory.lazy import lazy_pattern

_LINE = lazy_pattern(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
# A Markdown link: text with escaped or balanced brackets, target bare or in <>, perhaps a "title".
_LINK = lazy_pattern(
    r"""(?<![!\\])\[(?P<text>(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*)\]
        \((?P<open>\s*)(?:<(?P<angle>[^<>]*)>|(?P<bare>(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))+))
        (?:\s+(?:"[^"]*"|'[^']*'))?\s*\)""",
    re.VERBOSE,
)
_QUOTING = lazy_pattern(r"(?<!\\)`+|(?<!\\)<!--|-->")
_MOST_LINES = 50  # of one comment within text (ours); what is not closed by then was not meant as one
_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_MD_ANCHOR = lazy_pattern(r"(?<=\.md)[#?].*$", re.DOTALL)
_LEAD = lazy_pattern(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_MARKS = "~*_"
_SEPARATOR = lazy_pattern(r"\s*(?:—|–|--?|:|：)\s*")
_TYPE = lazy_pattern(r"\(type: ([^()]*)\)")
_HOME = ("memory/", "../memory/")


class Form(Enum):
    """How a line names a memory."""

    LIST = "list"
    """``- [Title](a.md) — description``, also struck through or set off otherwise: the memory's own line."""
    TABLE = "table"
    HEADING = "heading"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Link:
    """One link to a Markdown file.

    Attributes:
        rel: the file it names, relative to the memory directory as far as the text alone tells: percent-encoding
            undone, ``./`` and anchors dropped.
        raw: the same without undoing the percent-encoding.
        text: what is shown, escapes undone.
        start: where the link begins in its line.
        end: where it ends.
        target: where its target stands in the line, without the anchor.
    """

    rel: str
    raw: str
    text: str
    start: int
    end: int
    target: tuple[int, int]

    @property
    def outside(self) -> bool:
        """Whether it leads out of the memory directory, whatever the directory is called."""
        up = self.rel.startswith("../") and not self.rel.startswith(_HOME[1])
        return up or self.rel.startswith(("/", "~"))

    def names(self, rel: str) -> bool:
        """Whether it means this file of the memory directory; ``memory/a.md`` means ``a.md`` too."""
        return rel in self.candidates

    @property
    def candidates(self) -> tuple[str, ...]:
        """The files of the directory that it may mean, the likeliest first."""
        names = dict.fromkeys((self.rel, self.raw))
        return tuple(names) + tuple(n.removeprefix(h) for n in names for h in _HOME if n.startswith(h))


@dataclass(frozen=True, slots=True)
class Entry:
    """A line's word on one memory.

    Attributes:
        rel: the file named, see ``Link.rel``.
        title: the link's text.
        description: what follows the link in a ``LIST`` line, without ``(type: …)``; empty in the other forms.
        type_text: what ``(type: …)`` says, None where it is not there.
        line: 1-based line of the index.
        form: how the line names it.
        link: the link itself.
    """

    rel: str
    title: str
    description: str
    type_text: str | None
    line: int
    form: Form
    link: Link


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the index.

    Attributes:
        number: 1-based.
        text: without its end.
        end: its line end; empty for a last line without one.
        hidden: whether it is part of the frontmatter or of an HTML comment, which no reader gets.
        fenced: whether it stands in a code fence: a reader gets it, but it may be an example.
        entries: the memories it names, in order. In a ``LIST`` line the first is the one it is about.
    """

    number: int
    text: str
    end: str
    hidden: bool
    fenced: bool
    entries: tuple[Entry, ...]

    @property
    def subject(self) -> Entry | None:
        """The memory whose own line this is, if it is a list line."""
        return self.entries[0] if self.entries and self.entries[0].form is Form.LIST else None


@dataclass(frozen=True, slots=True)
class Index:
    """``MEMORY.md`` taken apart; joining ``text`` and ``end`` of all lines gives it back."""

    lines: tuple[Line, ...]
    _naming: dict[str, tuple[Line, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every mention of a memory, in order."""
        return tuple(entry for line in self.lines for entry in line.entries)

    def naming(self, rel: str) -> tuple[Line, ...]:
        """The lines that name a file: looked up, since whoever transfers or rebuilds asks once for each memory."""
        if not self._naming:
            for line in self.lines:
                for name in dict.fromkeys(name for entry in line.entries for name in entry.link.candidates):
                    self._naming[name] = (*self._naming.get(name, ()), line)
        return self._naming.get(rel, ())


def split_lines(text: str) -> list[tuple[str, str]]:
    """Lines with their ends; only LF, CRLF and CR end a line."""
    pairs = [(m[1], m[2]) for m in _LINE.finditer(text)]
    return pairs[:-1] if pairs and pairs[-1] == ("", "") else pairs


def find_links(text: str) -> Iterator[Link]:
    """The links of one line that lead to a Markdown file; addresses with a scheme are none."""
    for match in _LINK.finditer(text):
        group = "angle" if match["angle"] is not None else "bare"
        start, written = match.start(group), _MD_ANCHOR.sub("", match[group])
        plain = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written)
        if not plain.endswith(".md") or _SCHEME.match(plain):
            continue
        shown = re.sub(r"\\([\[\]\\`<])", r"\1", match["text"])
        yield Link(
            rel=normpath(unquote(plain, errors="surrogateescape")),
            raw=normpath(plain),
            text=shown,
            start=match.start(),
            end=match.end(),
            target=(start, start + len(written)),
        )


def lead_of(text: str) -> str:
    """Indent, bullet and check box of a list line, e.g. ``  - [x] ``; empty for any other line."""
    match = _LEAD.match(text.removeprefix("\ufeff"))
    return match[0] if match else ""


@lru_cache(maxsize=8)
def parse_index(text: str) -> Index:
    """Take an index apart.

    Lines in HTML comment blocks and frontmatter hold no entries, nor do code spans and comments within a line: readers
    get those (measured), but whoever wrote them meant to show a link, or to take it out. Lines in a code fence hold
    entries, since they are often all there is; they are marked ``fenced``.
    """
    pairs = split_lines(text)
    texts = [pair[0] for pair in pairs]
    header, rest = without_frontmatter(texts)
    hidden = set(range(header))
    for block in comment_blocks(rest):
        if "<!--" not in block.rest:  # the text behind an unclosed comment loads like any other
            hidden.update(range(header + block.first, header + block.after))
    fenced = _fenced(texts, hidden)
    quoted = _quoted([text.removeprefix("\ufeff") for text in texts]) if "`" in text or "<!--" in text else {}
    lines = []
    for at, (line, end) in enumerate(pairs):
        entries: tuple[Entry, ...] = ()
        if at not in hidden:
            entries = _entries(line.removeprefix("\ufeff") if at == 0 else line, at + 1, quoted.get(at, ()))
        lines.append(Line(at + 1, line, end, at in hidden, at in fenced, entries))
    return Index(tuple(lines))


def _fenced(texts: list[str], hidden: set[int]) -> set[int]:
    inside: set[int] = set()
    mark = ""
    for at, line in enumerate(texts):
        if at in hidden:
            continue
        opening = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark:
            inside.add(at)
            if opening and opening[1].startswith(mark) and not line.strip().strip(mark[0]):
                mark = ""
        elif opening and not (opening[1][0] == "`" and "`" in line.strip().lstrip("`")):
            mark = opening[1]
            inside.add(at)
    return inside


def _quoted(texts: list[str]) -> dict[int, tuple[tuple[int, int], ...]]:
    """By line, the places in code spans and comments; a comment goes on over the lines of its paragraph."""
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    inside = False
    for at, text in enumerate(texts):
        if not inside and "`" not in text and "<!--" not in text:
            continue
        spans = _spans(text, inside=inside)
        inside = bool(spans) and spans[-1][1] > len(text)
        if inside and not _closes(texts, at + 1):
            inside = False
            spans.pop()
        found[at] = tuple(spans)
    return found


def _spans(text: str, *, inside: bool) -> list[tuple[int, int]]:
    """The code spans and comments of one line; a comment that goes on ends behind the line. Which begins first decides."""
    spans: list[tuple[int, int]] = []
    if inside:
        end = text.find("-->")
        if end < 0:
            return [(0, len(text) + 1)]
        spans.append((0, end + 3))
    marks = list(_QUOTING.finditer(text, spans[0][1] if spans else 0))
    places: dict[str, list[int]] = {}
    for number, mark in enumerate(marks):
        places.setdefault(mark[0], []).append(number)
    number = 0
    while number < len(marks):
        opening = marks[number]
        closing = "-->" if opening[0] == "<!--" else opening[0]
        closers = places.get(closing, [])
        following = bisect_right(closers, number)
        if opening[0] != "-->" and following < len(closers):
            number = closers[following]
            spans.append((opening.start(), marks[number].end()))
        elif opening[0] == "<!--":
            spans.append((opening.start(), len(text) + 1))
            break
        number += 1
    return spans


def _closes(texts: list[str], at: int) -> bool:
    """Whether a comment is closed before its paragraph ends."""
    for text in texts[at : at + _MOST_LINES]:
        if not text.strip() or _LEAD.match(text) or text.startswith("#"):
            return False
        if "-->" in text:
            return True
    return False


@lru_cache(
    maxsize=1024
)  # a change of many memories parses the index again for each, and hardly a line is another
def _entries(text: str, number: int, quoted: tuple[tuple[int, int], ...]) -> tuple[Entry, ...]:
    if "](" not in text:
        return ()
    links = tuple(
        link
        for link in find_links(text)
        if not any(start <= place < end for place in (link.start, link.target[0]) for start, end in quoted)
    )
    if not links:
        return ()
    lead = _LEAD.match(text)
    first = links[0]
    if lead and not text[lead.end() : first.start].strip(_MARKS):
        description, type_text = _tail(text[first.end :])
        led = Entry(first.rel, first.text, description, type_text, number, Form.LIST, first)
        return (led, *(Entry(x.rel, x.text, "", None, number, Form.PROSE, x) for x in links[1:]))
    stripped = text.lstrip()
    form = Form.PROSE
    if stripped.startswith("|"):
        form = Form.TABLE
    elif re.match(r"#{1,6}\s", stripped):
        form = Form.HEADING
    return tuple(Entry(x.rel, x.text, "", None, number, form, x) for x in links)


def _tail(rest: str) -> tuple[str, str | None]:
    rest, type_text = rest.lstrip(_MARKS).rstrip(), None
    at = rest.rfind("(type: ")
    if at >= 0 and (match := _TYPE.fullmatch(rest, at)) is not None:
        rest, type_text = rest[:at], match[1].strip()
    separator = _SEPARATOR.match(rest)
    return (rest[separator.end() :] if separator else rest).strip(), type_text
