"""The lines of a header: where it starts and ends in a file, which lines hold which key, and what stands there.

Nothing here raises for content or loses a byte. Offsets count characters of the decoded text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memtui.memory.document.yamltext import NULLS, FrontmatterError, unquote
from memtui.memory.lazy import lazy_pattern

_OPEN = lazy_pattern(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = lazy_pattern(r"^-{3,}[ \t]*\r?(?:\n|\Z)", re.MULTILINE)

PROSE = frozenset(["name", "description"])
"""Fields that hold a person's sentence: a `` #`` in them is text, and ``null`` a word."""
FIELDS = PROSE | {"type", "memory_type", "status", "superseded_by", "modified"}

_KEY = lazy_pattern(
    r"""(?:(?:"(?P<double>[^"\\\n]*)"|'(?P<single>[^'\n]*)')[ \t]*
        |(?P<plain>[^\s"'\#\[\]{},&*!|>%@`:-][^:\n]*|-[^\s:\n][^:\n]*))
    :(?:[ \t]+|$)""",
    re.VERBOSE,
)
_TIGHT_KEY = lazy_pattern(rf"(?P<plain>{'|'.join(sorted(FIELDS))}):(?=\S)")
_KINDS = ("plain", "double", "single")
_BLOCK = lazy_pattern(r"[|>][-+0-9]{0,2}(?:[ \t]+#.*)?[ \t]*\r?$")
_QUOTED_THEN_COMMENT = lazy_pattern(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=[ \t]+#)""")


@dataclass(frozen=True, slots=True)
class Parts:
    """Where the parts of a file are.

    Attributes:
        text: the whole file.
        start: where the header's first line starts; without a header, where the body starts.
        end: where the closing fence starts; equal to ``start`` without a header.
        body: where the body starts: after the closing fence and one empty line, if there is one.
        has_header: whether there are two fences.
        unclosed: whether there is an opening fence only.
        separated: whether an empty line stands between the closing fence and the body.
    """

    text: str
    start: int
    end: int
    body: int
    has_header: bool
    unclosed: bool
    separated: bool

    @property
    def header(self) -> str:
        """The lines between the fences."""
        return self.text[self.start : self.end]

    @property
    def newline(self) -> str:
        """The line end of the file's first line."""
        first = self.text.find("\n")
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"


def split(text: str) -> Parts:
    """Find the header of a file and its body. An unclosed header is part of the body."""
    opened = _OPEN.match(text)
    closed = _CLOSE.search(text, opened.end()) if opened else None
    if not opened or not closed:
        start = 1 if text.startswith("\ufeff") else 0
        return Parts(text, start, start, start, has_header=False, unclosed=bool(opened), separated=False)
    body = closed.end()
    blank = 2 if text.startswith("\r\n", body) else 1 if text.startswith("\n", body) else 0
    return Parts(
        text,
        opened.end(),
        closed.start(),
        body + blank,
        has_header=True,
        unclosed=False,
        separated=bool(blank),
    )


@dataclass(frozen=True, slots=True)
class Item:
    """One key of a mapping with the lines that belong to it.

    Attributes:
        key: without quotes.
        start: where its first line starts.
        value: where its value starts; the end of the line if it is empty.
        line_end: end of the first line, without its line end.
        end: end of its last line, with its line end.
        indent: what stands before the key.
    """

    key: str
    start: int
    value: int
    line_end: int
    end: int
    indent: str


@dataclass(frozen=True, slots=True)
class Items:
    """The keys of a mapping in order, and where lines start that belong to none of them."""

    items: tuple[Item, ...]
    stray: tuple[int, ...]

    def all(self, key: str) -> list[Item]:
        """Every item of that key."""
        return [item for item in self.items if item.key == key]

    def last(self, key: str) -> Item | None:
        """The item of that key that counts: the last, as for the client and for PyYAML."""
        return next((item for item in reversed(self.items) if item.key == key), None)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Start, end without line end, and end of each line."""
    while start < end:
        after = text.find("\n", start, end) + 1 or end
        stop = after
        if text[stop - 1] == "\n":
            stop -= 1
            if stop > start and text[stop - 1] == "\r":
                stop -= 1
        yield start, stop, after
        start = after


def items(text: str, start: int, end: int) -> Items:
    """Take the lines of a mapping apart. Comments and blank lines between keys belong to none."""
    found: list[Item] = []
    stray: list[int] = []
    base: str | None = None
    block = False  # within `|` or `>`, where a `#` is text
    astray = False  # after a line that is no key: what is indented below it belongs to no key either
    for begin, stop, after in _lines(text, start, end):
        line = text[begin:stop]
        bare = line.lstrip(" \t")
        if not bare:
            continue
        indent = line[: len(line) - len(bare)]
        if base is None and not bare.startswith("#"):
            base = indent
        if found and base is not None and len(indent) > len(base):
            if astray:
                stray.append(begin)
            elif block or not bare.startswith("#"):
                found[-1] = _longer(found[-1], after)
            continue
        if bare.startswith("#"):
            continue
        key = _KEY.match(bare) or _TIGHT_KEY.match(bare)
        if key and indent == base:
            groups = key.groupdict()
            name = next(text for text in (groups.get(kind) for kind in _KINDS) if text is not None).rstrip(
                " \t"
            )
            value = begin + len(indent) + key.end()
            found.append(Item(name, begin, value, stop, after, indent))
            astray = False
            block = bool(_BLOCK.match(text[value:stop]))
        elif (
            found
            and indent == base
            and (bare.startswith("- ") or bare == "-")
            and _list_may_follow(text, found[-1])
        ):
            found[-1] = _longer(found[-1], after)
        else:
            stray.append(begin)
            astray = True
    return Items(tuple(found), tuple(stray))


def _longer(item: Item, end: int) -> Item:
    return Item(item.key, item.start, item.value, item.line_end, end, item.indent)


def _list_may_follow(text: str, item: Item) -> bool:
    return not without_comment(text[item.value : item.line_end]).strip(" \t")


def without_comment(line: str) -> str:
    """A plain value's line up to where YAML sees a comment."""
    at = line.find("#")
    while at > 0 and line[at - 1] not in " \t":
        at = line.find("#", at + 1)
    return line if at < 0 else line[:at]


def field_line(data: bytes, field: str) -> int | None:
    """The 1-based line of a file that ``name``, ``description`` or ``type`` stands on; None if it has none.

    The type counts at the top before ``metadata``, as in reading.
    """
    text = data.decode("utf-8", "surrogateescape")
    parts = split(text)
    if not parts.has_header:
        return None
    top = items(text, parts.start, parts.end)
    found = top.last(field) or (top.last("memory_type") if field == "type" else None)
    holder = top.last("metadata")
    if found is None and field == "type" and holder is not None:
        below = text.find("\n", holder.line_end, holder.end) + 1
        found = (items(text, below, holder.end).last("type") if below else None) or holder
    return text.count("\n", 0, found.start) + 1 if found else None


def value_span(text: str, item: Item) -> tuple[int, int]:
    """Where the value itself stands: without blanks and comments after it; over all its lines if it has several."""
    if text[item.line_end : item.end].strip("\r\n"):
        stop = item.end
        while stop > item.value and text[stop - 1] in "\r\n":
            stop -= 1
        return item.value, stop
    line = text[item.value : item.line_end]
    if quoted := _QUOTED_THEN_COMMENT.match(line):
        line = quoted[0]
    elif item.key not in PROSE and line[:1] not in {'"', "'"}:
        line = without_comment(line)
    return item.value, item.value + len(line.rstrip(" \t"))


def value_of(text: str, item: Item) -> str | None:
    """What a key's value says, as a person wrote it; None if it is empty, a list or a mapping."""
    start, stop = value_span(text, item)
    value = text[start:stop]
    if "\n" in value:
        return _value_of_lines(item, value)
    if value[:1] in {'"', "'"}:
        inner = unquote(value)
        return value if inner is None else inner
    if value in NULLS and (item.key not in PROSE or not value):
        return None
    return value


def _value_of_lines(item: Item, value: str) -> str | None:
    """A value over several lines: as YAML reads it, else its lines joined."""
    from memtui.memory.document import yamlsafe  # noqa: PLC0415 - YAML costs 20 ms to import, and few values need it

    # The snippet keeps the depth of its lines, so that the indentation of a block stays what it was.
    snippet = f"{item.indent}k: {value}\n"
    loses_text = value[:1] not in {"|", ">", '"', "'"} and " #" in value
    if not loses_text:
        try:
            tree = yamlsafe.load_tree(snippet)
        except FrontmatterError:
            pass
        else:
            node = tree.get("k") if isinstance(tree, dict) else None
            if not isinstance(node, str):
                return None
            return node.rstrip("\n") if value[0] in "|>" else node
    return " ".join(line.strip(" \t\r") for line in value.split("\n"))
