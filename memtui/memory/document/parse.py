"""One memory file taken apart, and the short way to it for usual headers."""

from __future__ import annotations

from typing import NamedTuple

from memtui.memory.document.timestamps import parse_moment
from memtui.memory.document.yamltext import NULLS, unquote
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Problem


class Document(NamedTuple):
    """One file taken apart.

    Attributes:
        name: title; None where the file gives none. None or empty is not a problem of its own here.
        description: what the file says it is about.
        type_text: the type as written; a top-level ``type`` before ``memory_type`` before ``metadata.type``.
        status_text: ``status`` as written.
        superseded_by: slug of the memory that took its place.
        modified: Unix seconds of ``modified`` (``metadata`` before top level, as the client does); None if there is
            none or it names no moment.
        origin: session id that wrote the file (``originSessionId``).
        nested: True if the type stands under ``metadata``, False if at the top, None if there is none.
        body: the text after the header and the one empty line that may follow it, newlines as in the file. Bytes
            that are no UTF-8 stand in it as lone surrogates (``surrogateescape``).
        body_line: 1-based line on which ``body`` starts.
        has_header: whether the file has a closed header.
        problems: what was odd, in the order of the file as far as known.
    """

    name: str | None
    description: str | None
    type_text: str | None
    status_text: str | None
    superseded_by: str | None
    modified: float | None
    origin: str | None
    nested: bool | None
    body: str
    body_line: int
    has_header: bool
    problems: tuple[Problem, ...]

    @property
    def is_historical(self) -> bool:
        """Whether the file says that it is an old version."""
        return (self.status_text or "").strip().lower() == "historical"


_KNOWN = frozenset(
    [
        "name",
        "description",
        "metadata",
        "type",
        "node_type",
        "originSessionId",
        "modified",
        "status",
        "superseded_by",
        "memory_type",
    ]
)
# First characters that mean something to YAML, or may.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")

MAX_USUAL_CHARS = 8 * 1024
"""A longer header is looked at more closely: there are limits to what is read of it."""

Fields = tuple[dict[str, str], dict[str, str]]

_Meaning = tuple[
    str | None, str | None, str | None, str | None, str | None, float | None, str | None, bool | None
]
"""The eight values that `Document` and `Head` begin with, in their order; plain, as they are made for every file."""


def usual_fields(header: str) -> Fields | None:
    """Top-level and ``metadata`` values of a header that is valid YAML of the plainest kind, else None.

    Flat ``key: value`` lines and one ``metadata:`` with lines two spaces in; plain or quoted scalars on one line;
    no key twice. Empty values are left out.
    """
    if len(header) > MAX_USUAL_CHARS or not header.replace("\n", "").isprintable() or "---" in header:
        return None
    top: dict[str, str] = {}
    meta: dict[str, str] = {}
    into = top
    has_meta = False
    for line in header.split("\n"):
        key, colon, value = line.partition(":")
        if key[:2] == "  ":
            if into is top:
                return None
            key = key[2:]
        else:
            into = top
        if not colon or key in into or (key not in _KNOWN and not key.isidentifier()):
            return None
        if not value or value == " ":
            if key == "metadata" and into is top and not has_meta:
                has_meta = True
                into = meta
                continue
            return None
        if value[0] != " ":
            return None
        value = value.strip(" ")
        if value[:1] in _INDICATORS:
            text = unquote(value)
            if text is None:
                return None
            value = text
        elif ": " in value or " #" in value or value[-1:] == ":" or value in NULLS:
            return None
        into[key] = value
    return (top, meta) if not (has_meta and "metadata" in top) else None


def make_document(
    fields: Fields,
    body: str,
    *,
    body_line: int = 1,
    has_header: bool = True,
    problems: tuple[Problem, ...] = (),
) -> Document:
    """Say what the values of a header mean.

    Args:
        fields: top-level and ``metadata`` values.
        body: the text after the header.
        body_line: 1-based line on which it starts.
        has_header: whether the file has a closed header.
        problems: what was odd.
    """
    return Document(*_meaning(fields), body, body_line, has_header, problems)


def _meaning(fields: Fields) -> _Meaning:
    """What the values of a header mean."""
    top, meta = fields
    type_text = top.get("type") or top.get("memory_type")
    nested: bool | None = False
    if not type_text:
        type_text = meta.get("type") or None
        nested = True if type_text else None
    moment = meta.get("modified") or top.get("modified")
    return (
        top.get("name"),
        top.get("description"),
        type_text,
        top.get("status"),
        top.get("superseded_by"),
        parse_moment(moment) if moment else None,
        meta.get("originSessionId") or top.get("originSessionId"),
        nested,
    )


_VALUE = r"""([^-?:,\[\]{}#&*!|>'"%@`~\s][^\n]*|"[^"\\\n]*")"""
_WRITTEN = lazy_pattern(
    rf"name: {_VALUE}\ndescription: {_VALUE}\n"
    r"(?:type: ([a-z]+)|metadata:\n  node_type: memory\n  type: ([a-z]+)"
    r"(?:\n  originSessionId: ([0-9a-f][0-9a-f-]*))?(?:\n  modified: ([0-9]\S*))?)"
)


def written_fields(header: str) -> Fields | None:
    """What `usual_fields` gives for a header as the client and memtui write it, in a quarter of the time; else None.

    It may say None where `usual_fields` has an answer, but never says anything else.
    """
    found = _WRITTEN.fullmatch(header)
    if (
        found is None
        or len(header) > MAX_USUAL_CHARS
        or " #" in header
        or " \n" in header
        or header[-1] == ":"
        or "---" in header
        or not header.replace("\n", "").isprintable()
    ):
        return None
    name, description, flat, nested, origin, modified = found.groups()
    kind = flat or nested
    keys = 3 if flat else 4 + (origin is not None) + (modified is not None)
    if header.count(": ") != keys or header.count(":\n") != (flat is None) or kind in NULLS or name in NULLS:
        return None
    if description in NULLS:
        return None
    top = {
        "name": name[1:-1] if name[0] == '"' else name,
        "description": description[1:-1] if description[0] == '"' else description,
    }
    if flat:
        top["type"] = flat
        return top, {}
    meta = {"type": nested}
    if origin:
        meta["originSessionId"] = origin
    if modified:
        meta["modified"] = modified
    return top, meta


class Head(NamedTuple):
    """What a file says before its body.

    Attributes:
        start: byte on which the body starts.
    """

    name: str | None
    description: str | None
    type_text: str | None
    status_text: str | None
    superseded_by: str | None
    modified: float | None
    origin: str | None
    nested: bool | None
    start: int
    body_line: int
    has_header: bool
    problems: tuple[Problem, ...]


def read_head(data: bytes) -> Head:
    """What a file says before its body, which is left as it is. Never raises for what it holds.

    Args:
        data: the bytes of the file.
    """
    head = _usual_head(data)
    if head is not None:
        return head
    odd = _read_odd(data)
    start = len(data) - len(odd.body.encode("utf-8", "surrogateescape"))
    return Head(*odd[:8], start, *odd[9:])


def read(data: bytes) -> Document:
    """Take a file apart. Never raises for what it holds.

    Args:
        data: the bytes of the file.
    """
    head = _usual_head(data)
    if head is None:
        return _read_odd(data)
    return Document(*head[:8], data[head.start :].decode(), *head[9:])


def _usual_head(data: bytes) -> Head | None:
    """The same for a file with nothing odd about it, None for any other."""
    end = data.find(b"\n---\n", 3)
    if (
        end <= 3
        or not data.startswith(b"---\n")
        or data[-1:] != b"\n"
        or b"\r" in data
        or b"\0" in data
        or data.find(b"\n---", end + 4) >= 0
    ):
        return None
    try:
        header = data[4:end].decode()
        if not data.isascii():
            data.decode()
    except UnicodeDecodeError:
        return None
    start = end + 6 if data[end + 5 : end + 6] == b"\n" else end + 5
    fields = written_fields(header) or usual_fields(header)
    if fields is None:
        return None
    top, meta = fields
    meaning = _meaning(fields)
    _, _, _, _, _, modified, _, _ = meaning
    if modified is None and ("modified" in meta or "modified" in top):
        return None
    return Head(*meaning, start, data.count(b"\n", 0, start) + 1, has_header=True, problems=())


def _read_odd(data: bytes) -> Document:
    from memtui.memory.document.oddities import read_odd  # noqa: PLC0415 – few files need it, and it stands on this module

    return read_odd(data)
