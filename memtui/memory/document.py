"""One memory file taken apart, and the short way to it for usual headers."""

from __future__ import annotations

from typing import NamedTuple

from memtui.memory.timestamps import parse_moment
from memtui.memory.types import Problem
from memtui.memory.yamltext import NULLS, unquote


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
    top, meta = fields
    type_text = top.get("type") or top.get("memory_type")
    nested: bool | None = False
    if not type_text:
        type_text = meta.get("type") or None
        nested = True if type_text else None
    moment = meta.get("modified") or top.get("modified")
    return Document(
        top.get("name"),
        top.get("description"),
        type_text,
        top.get("status"),
        top.get("superseded_by"),
        parse_moment(moment) if moment else None,
        meta.get("originSessionId") or top.get("originSessionId"),
        nested,
        body,
        body_line,
        has_header,
        problems,
    )


def read(data: bytes) -> Document:
    """Take a file apart. Never raises for what it holds.

    Args:
        data: the bytes of the file.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _read_odd(data)
    end = text.find("\n---\n", 3)
    if (
        end <= 3
        or not text.startswith("---\n")
        or text[-1] != "\n"
        or "\r" in text
        or "\0" in text
        or text.find("\n---", end + 4) >= 0
    ):
        return _read_odd(data)
    fields = usual_fields(text[4:end])
    if fields is None:
        return _read_odd(data)
    start = end + 6 if text.startswith("\n", end + 5) else end + 5
    document = make_document(fields, text[start:], body_line=text.count("\n", 0, start) + 1)
    if document.modified is None and ("modified" in fields[0] or "modified" in fields[1]):
        return _read_odd(data)
    return document


def _read_odd(data: bytes) -> Document:
    from memtui.memory.oddities import read_odd  # noqa: PLC0415 – few files need it, and it stands on this module

    return read_odd(data)
