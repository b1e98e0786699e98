"""The texts that a change writes: a memory as saved, as archived, as restored. Pure: bytes in, bytes out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.memory import frontmatter
from memtui.memory.conventions import Convention
from memtui.memory.errors import UsageError
from memtui.memory.files import MAX_FILE_BYTES
from memtui.memory.frontmatter import FrontmatterError
from memtui.memory.types import MemoryType

_EDGE_LINES = re.compile(r"(?P<head>(?:[ \t]*(?:\r\n|\n|\r))*)(?P<text>.*?)(?P<tail>\s*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fields:
    """What a person or a model gives when saving. Checked: see ``checked_fields``."""

    name: str
    description: str
    memory_type: MemoryType
    content: str


def checked_type(memory_type: str) -> MemoryType:
    """The type that a person or a model names.

    Raises:
        UsageError: it is not one of the four.
    """
    kind = MemoryType.parse(memory_type)
    if kind is None:
        raise UsageError(
            f"memory type {memory_type!r} is not known",
            where="memory_type",
            todo=f"Use one of: {', '.join(MemoryType)}",
        )
    return kind


def checked_fields(name: str, description: str, memory_type: str, content: str) -> Fields:
    """The fields of a save, or a refusal.

    Raises:
        UsageError: a field is empty, the type is not one of the four, or the text is larger than a memory may be.
    """
    kind = checked_type(memory_type)
    for field, value in (("name", name), ("description", description), ("content", content)):
        if not value.strip():
            raise UsageError(f"{field} is empty", where=field, todo="Give it at least a few words")
    if len(content.encode("utf-8", "surrogateescape")) > MAX_FILE_BYTES // 2:
        raise UsageError(
            f"content is larger than {MAX_FILE_BYTES // 2:,} bytes",
            where="content",
            todo="Split it: a memory holds one fact or rule",
        )
    return Fields(" ".join(name.split()), " ".join(description.split()), kind, content)


def _fitted(body: str, content: str) -> str | None:
    """``content`` laid into the blank edges and line ends of ``body``; None if it says the same already."""
    old = _EDGE_LINES.fullmatch(body)
    new = _EDGE_LINES.fullmatch(content)
    assert old is not None  # noqa: S101  -- the pattern matches every text
    assert new is not None  # noqa: S101
    text = new["text"]
    if "\r\n" in old["text"] and "\n" not in old["text"].replace("\r\n", ""):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    if text == old["text"]:
        return None
    return (old["head"] if old["text"] else "\n") + text + (old["tail"] if old["text"] else "\n")


def saved_text(
    current: bytes | None,
    fields: Fields,
    *,
    nested: bool,
    convention: Convention,
    now: float,
    stamp_new: bool,
) -> bytes:
    """The bytes of a memory after a save.

    A file that exists keeps its shape and everything it was not asked to change; one whose header cannot be edited
    safely is written anew (what stood there is archived byte for byte). Equal bytes mean that nothing changes.

    Args:
        current: bytes in force, None for a new memory.
        fields: what is saved.
        nested: shape of a new file's header.
        convention: of the directory.
        now: Unix seconds.
        stamp_new: whether a new file carries ``modified``.
    """
    if current is not None:
        doc = frontmatter.read(current)
        try:
            return _edited(current, doc, fields, now)
        except FrontmatterError:
            nested = nested if doc.nested is None else doc.nested
    return frontmatter.compose(
        name=fields.name,
        description=fields.description,
        memory_type=str(fields.memory_type),
        body=f"{fields.content.strip()}\n",
        nested=nested,
        status=None if convention.name == "claude" else "active",
        modified=now if stamp_new else None,
    )


def _edited(current: bytes, doc: frontmatter.Document, fields: Fields, now: float) -> bytes:
    body = _fitted(doc.body, fields.content)
    same_type = MemoryType.parse(doc.type_text) is fields.memory_type
    changed = frontmatter.edit(
        current,
        name=frontmatter.KEEP if doc.name == fields.name else fields.name,
        description=frontmatter.KEEP if doc.description == fields.description else fields.description,
        memory_type=frontmatter.KEEP if same_type else str(fields.memory_type),
        body=frontmatter.KEEP if body is None else body,
    )
    if changed == current or doc.modified is None:
        return changed
    return frontmatter.edit(changed, modified=now)


def confirmed_text(current: bytes, now: float) -> bytes:
    """The bytes after "still true": ``modified`` set to ``now`` where the file has one, else unchanged."""
    if frontmatter.read(current).modified is None:
        return current
    return frontmatter.edit(current, modified=now)


def archived_text(data: bytes, superseded_by: str) -> tuple[bytes, bool]:
    """The bytes of an old version, and whether they say so themselves.

    A header that cannot be edited safely stays as it is; such a file is known as historical by its place.
    """
    try:
        return frontmatter.edit(data, status="historical", superseded_by=superseded_by), True
    except FrontmatterError:
        return data, False


def revived_text(data: bytes, convention: Convention, now: float) -> bytes:
    """The bytes of an old version made the current one again."""
    doc = frontmatter.read(data)
    status = "active" if convention.name == "library" and doc.status_text is not None else None
    text = frontmatter.edit(data, status=status, superseded_by=None) if doc.status_text is not None else data
    return text if doc.modified is None else frontmatter.edit(text, modified=now)
