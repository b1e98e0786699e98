"""Memory files: reading their header tolerantly, editing it line by line, writing a new one (spec §4).

Reading never fails for what a file holds: it gives what can be read and a ``Problem`` for each oddity. Usual files,
nearly all of them, are read by hand, without YAML (which costs many times as much); the rest goes through
``oddities``, ``headers`` and ``yamlsafe``.
"""

from __future__ import annotations

from memtui.memory.document.header_edit import KEEP, Keep, edit
from memtui.memory.document.parse import Document, read
from memtui.memory.document.yamltext import MAX_HEADER_BYTES, FrontmatterError, encode, stamp, written

__all__ = ["KEEP", "Document", "FrontmatterError", "Keep", "compose", "edit", "parse_frontmatter", "read"]


def parse_frontmatter(raw: str | bytes) -> Document:
    """Take a file's text or bytes apart: ``read`` under the seed's name. Never raises for what it holds.

    Args:
        raw: the file; in a text, lone surrogates stand for bytes that are no UTF-8.
    """
    return read(raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass"))


def compose(
    *,
    name: str,
    description: str,
    memory_type: str,
    body: str,
    nested: bool,
    status: str | None = None,
    superseded_by: str | None = None,
    modified: float | None = None,
    origin: str | None = None,
) -> bytes:
    """The bytes of a new memory file: header, an empty line, and the body exactly as given.

    Args:
        name: title.
        description: what it is about; newlines are written as escapes.
        memory_type: type as text.
        body: the text; no final newline is added.
        nested: True for the client's shape (``type`` under ``metadata``), False for the flat one, which always
            states its ``status`` (spec §2).
        status: None leaves it out of a nested header and writes ``active`` into a flat one.
        superseded_by: slug of the memory that took its place.
        modified: Unix seconds.
        origin: session id that wrote it.

    Raises:
        FrontmatterError: a text holds half a character, or the header would be too large.
    """
    own = [
        ("type", memory_type),
        ("originSessionId", origin),
        ("modified", None if modified is None else stamp(modified)),
    ]
    life = [("status", status), ("superseded_by", superseded_by)]
    top: list[tuple[str, str | None]] = [("name", name), ("description", description)]
    if nested:
        lines = [
            *_lines(top + life),
            "metadata:",
            "  node_type: memory",
            *(f"  {line}" for line in _lines(own)),
        ]
    else:
        life[0] = ("status", status or "active")
        lines = _lines(top + own[:1] + life + own[1:])
    header = "".join(f"{line}\n" for line in lines)
    if len(header.encode()) > MAX_HEADER_BYTES:
        raise FrontmatterError("the header would be larger than 64 KiB", code="header-too-large")
    return encode(f"---\n{header}---\n\n{body}")


def _lines(fields: list[tuple[str, str | None]]) -> list[str]:
    return [f"{key}: {written(key, value)}" for key, value in fields if value is not None]
