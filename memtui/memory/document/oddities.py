"""Reading files that are not the usual ones: odd bytes, odd fences, odd headers. Each oddity is a ``Problem``.

Codes: ``empty-file no-header unclosed-header empty-header header-not-mapping header-too-large header-too-deep
invalid-yaml duplicate-key yaml-alias yaml-tag yaml-directive hash-in-value dashes-in-header not-text
invalid-modified second-header rule-in-body not-utf8 invalid-utf8 nul-byte binary bom crlf mixed-line-ends no-final-newline``.
"""

from __future__ import annotations

import re

from memtui.memory.document.headers import (
    FIELDS,
    PROSE,
    Item,
    Items,
    Parts,
    items,
    split,
    value_of,
    value_span,
    without_comment,
)
from memtui.memory.document.parse import Document, Fields, make_document, usual_fields
from memtui.memory.document.timestamps import parse_moment
from memtui.memory.document.yamltext import MAX_HEADER_BYTES, FrontmatterError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Problem, Severity

MAX_PROBLEMS = 50
"""A header that is odd in more places is told about the first ones."""

_RULE = lazy_pattern(r"^---[ \t]*\r?$", re.MULTILINE)
_SECOND = lazy_pattern(r"(?:[ \t]*\r?\n)*---[ \t]*\r?\n(?:[ \t#].*\n|\r?\n)*[\w\"'][^\n:]*:(?:[ \t]|\r?\n)")
WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
"""How UTF-16 and UTF-32 files start."""


def read_odd(data: bytes) -> Document:
    """Take any file apart. Never raises for what it holds."""
    text = data.decode("utf-8", "surrogateescape")
    parts = split(text)
    problems = list(_byte_problems(data, text))
    body = text[parts.body :]
    body_line = text.count("\n", 0, parts.body) + 1
    if not parts.has_header:
        problems.append(_headless(text, parts))
        return make_document(({}, {}), body, body_line=body_line, has_header=False, problems=tuple(problems))
    fields = usual_fields(parts.header.replace("\r\n", "\n").rstrip("\n"))
    if fields is None or not _modified_parses(fields):
        fields = _unusual_fields(parts, problems)
    problems.extend(_body_problems(body, body_line))
    return make_document(fields, body, body_line=body_line, problems=tuple(problems))


def _byte_problems(data: bytes, text: str) -> list[Problem]:
    found = []
    if data.startswith(WIDE_BOMS):
        found.append(Problem("not-utf8", "The file is UTF-16 or UTF-32, not UTF-8", 1, Severity.ERROR))
    elif bad := re.search("[\udc80-\udcff]", text):
        line = text.count("\n", 0, bad.start()) + 1
        found.append(Problem("invalid-utf8", "The file holds bytes that are not UTF-8", line))
    if text.startswith("\ufeff"):
        found.append(Problem("bom", "The file starts with a byte order mark", 1, Severity.NOTE))
    if "\r" in text:
        pairs = text.count("\r\n")
        if pairs == text.count("\n") == text.count("\r"):
            found.append(Problem("crlf", "Lines end in CRLF", None, Severity.NOTE))
        else:
            found.append(Problem("mixed-line-ends", "Lines end in different ways", None, Severity.NOTE))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        # Both together are what programs and pictures are made of; either alone stands in texts that somebody can read.
        if any(problem.code == "invalid-utf8" for problem in found):
            message = "The file holds NUL bytes and bytes that are not UTF-8: it is no text"
            found.append(Problem("binary", message, line, Severity.ERROR))
        else:
            found.append(Problem("nul-byte", "The file holds NUL bytes", line))
    if text and text[-1] != "\n":
        line = text.count("\n") + 1
        found.append(Problem("no-final-newline", "The last line has no line end", line, Severity.NOTE))
    return found


def _headless(text: str, parts: Parts) -> Problem:
    if not text.strip():
        return Problem("empty-file", "The file is empty", None, Severity.ERROR)
    if parts.unclosed:
        message = "The header starts with --- but never ends with another ---"
        return Problem("unclosed-header", message, 1, Severity.ERROR)
    return Problem("no-header", "The file has no header", 1, Severity.NOTE)


def _body_problems(body: str, body_line: int) -> list[Problem]:
    if second := _SECOND.match(body):
        line = body_line + body.count("\n", 0, body.index("---", second.start()))
        return [Problem("second-header", "A second header follows the first; it is read as text", line)]
    if rule := _RULE.search(body):
        line = body_line + body.count("\n", 0, rule.start())
        return [
            Problem(
                "rule-in-body", "A line of the text is ---, as if a header ended there", line, Severity.NOTE
            )
        ]
    return []


def _modified_parses(fields: Fields) -> bool:
    moment = fields[1].get("modified") or fields[0].get("modified")
    return not moment or parse_moment(moment) is not None


def _unusual_fields(parts: Parts, problems: list[Problem]) -> Fields:
    """Read a header line by line, with YAML proper where a value needs it, and say what is odd about it."""
    text = parts.text
    found = items(text, parts.start, min(parts.end, parts.start + MAX_HEADER_BYTES))
    noted = _strict_problems(parts)
    top = _values(text, found, noted)
    meta: dict[str, str] = {}
    dated = found.last("modified")
    holder = found.last("metadata")
    if holder:
        inner = metadata_items(text, holder)
        if inner is None:
            meta = _flow_values(text, holder)
            dated = holder if "modified" in meta else dated
        else:
            meta = _values(text, inner, noted)
            dated = inner.last("modified") if "modified" in meta else dated
            noted += _duplicates(text, inner)
    noted += _duplicates(text, found)
    noted += _hashes(text, found)
    moment = meta.get("modified") or top.get("modified")
    if dated and moment and parse_moment(moment) is None:
        line = text.count("\n", 0, dated.start) + 1
        noted.append(
            Problem("invalid-modified", "'modified' is not a date; the file's own time counts", line)
        )
    dashes = parts.header.find("---")
    if dashes >= 0:
        line = text.count("\n", 0, parts.start + dashes) + 1
        message = "Claude Code ends the header at the --- in this line and loses what follows"
        noted.append(Problem("dashes-in-header", message, line))
    seen: set[tuple[str, int | None]] = set()
    for problem in noted[:MAX_PROBLEMS]:
        if (problem.code, problem.line) not in seen:
            seen.add((problem.code, problem.line))
            problems.append(problem)
    return top, meta


def metadata_items(text: str, holder: Item) -> Items | None:
    """The keys below ``metadata:``; None if its value stands on its own line (``{type: user}``)."""
    first = without_comment(text[holder.value : holder.line_end]).strip(" \t")
    if first:
        return None
    start = text.find("\n", holder.line_end, holder.end) + 1 or holder.end
    return items(text, start, holder.end)


def _values(text: str, found: Items, noted: list[Problem]) -> dict[str, str]:
    values: dict[str, str] = {}
    for item in found.items:
        if item.key not in FIELDS and item.key != "originSessionId":
            continue
        value = value_of(text, item)
        if value is not None:
            values[item.key] = value
            continue
        values.pop(item.key, None)  # a later line without a value takes back an earlier one, as in YAML
        start, stop = value_span(text, item)
        if "\n" in text[start:stop]:
            line = text.count("\n", 0, item.start) + 1
            noted.append(Problem("not-text", f"'{item.key}' is a list or a mapping, not text", line))
    return values


def _flow_values(text: str, holder: Item) -> dict[str, str]:
    from memtui.memory.document import yamlsafe  # noqa: PLC0415 - YAML costs 20 ms to import, and few files need it

    start, stop = value_span(text, holder)
    try:
        tree = yamlsafe.load_tree(f"k: {text[start:stop]}\n")
    except FrontmatterError:
        return {}
    inner = tree.get("k") if isinstance(tree, dict) else None
    return {k: v for k, v in inner.items() if isinstance(v, str)} if isinstance(inner, dict) else {}


def _strict_problems(parts: Parts) -> list[Problem]:
    """What keeps a strict YAML parser from reading the header, at most one thing: it stops there."""
    from memtui.memory.document import yamlsafe  # noqa: PLC0415 - YAML costs 20 ms to import, and few files need it

    first_line = parts.text.count("\n", 0, parts.start) + 1
    if not parts.header.strip():
        return [Problem("empty-header", "The header is empty", first_line, Severity.NOTE)]
    try:
        yamlsafe.HeaderHandler().load(parts.header)
    except FrontmatterError as error:
        line = first_line + error.line - 1 if error.line else None
        return [Problem(error.code, error.what[0].upper() + error.what[1:], line)]
    return []


def _duplicates(text: str, found: Items) -> list[Problem]:
    noted: list[Problem] = []
    seen: set[str] = set()
    for item in found.items:
        if item.key in seen and len(noted) < MAX_PROBLEMS:
            line = text.count("\n", 0, item.start) + 1
            message = f"The key '{item.key}' stands twice; the last one counts"
            noted.append(Problem("duplicate-key", message, line))
        seen.add(item.key)
    return noted


def _hashes(text: str, found: Items) -> list[Problem]:
    """Plain text with `` #`` in it, which strict parsers cut there without a word."""
    noted = []
    for item in filter(None, map(found.last, sorted(PROSE))):
        start, stop = value_span(text, item)
        value = text[start:stop]
        if value[:1] not in {'"', "'", "|", ">", "["} and without_comment(value) != value:
            line = text.count("\n", 0, item.start) + 1
            message = f"'{item.key}' has a ' #' in it; strict YAML parsers lose what follows"
            noted.append(Problem("hash-in-value", message, line))
    return noted
