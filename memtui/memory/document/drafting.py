"""The texts that a change writes: a memory as saved, as archived, as restored. Pure: bytes in, bytes out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.memory.conventions import Convention
from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.document import frontmatter
from memtui.memory.document.frontmatter import FrontmatterError
from memtui.memory.errors import UsageError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import MemoryType
from memtui.memory.wording.saying import Say, joined

MAX_CONTENT_BYTES = MAX_FILE_BYTES - (64 << 10)
"""Largest text of a memory, UTF-8 bytes (ours): what a file may have, less the largest header that is read."""

_EDGE_LINES = lazy_pattern(r"(?P<head>(?:[ \t]*(?:\r\n|\n|\r))*)(?P<text>.*?)(?P<tail>\s*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fields:
    """What a person or a model gives when saving. Checked: see ``checked_fields``. None keeps what the file says."""

    name: str | None = None
    description: str | None = None
    memory_type: MemoryType | None = None
    content: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all four are given, so that a memory can be written from nothing."""
        return None not in (self.name, self.description, self.memory_type, self.content)


def checked_type(memory_type: str) -> MemoryType:
    """The type that a person or a model names.

    Raises:
        UsageError: it is not one of the four.
    """
    kind = MemoryType.parse(memory_type)
    if kind is None:
        raise UsageError(
            Say("memory type {memory_type!r} is not known", memory_type=memory_type),
            where="memory_type",
            todo=Say("Use one of: {types}", types=joined(MemoryType, ", ")),
        )
    return kind


def checked_fields(
    name: str | None, description: str | None, memory_type: str | None, content: str | None
) -> Fields:
    """The fields of a save, or a refusal; None is passed on.

    Raises:
        UsageError: a field is empty or no text, the type is not one of the four, or the text is larger than a memory
            may be.
    """
    kind = None if memory_type is None else checked_type(memory_type)
    for field, value in ((Say("name"), name), (Say("description"), description), (Say("content"), content)):
        if value is None:
            continue
        if not value.strip():
            raise UsageError(
                Say("{field} is empty", field=field), where=field, todo="Give it at least a few words"
            )
        if len(_encoded(field, value)) > MAX_CONTENT_BYTES:
            raise UsageError(
                Say("{field} is larger than {most:,} bytes", field=field, most=MAX_CONTENT_BYTES),
                where=field,
                todo="Split it: a memory holds one fact or rule",
            )
    return Fields(_one_line(name), _one_line(description), kind, content)


def _encoded(field: str, text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise UsageError(
            Say("{field} holds half a character (a lone surrogate)", field=field),
            where=field,
            todo="Send whole characters",
        ) from None


def _one_line(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


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
    stamp: bool = False,
) -> bytes:
    """The bytes of a memory after a save.

    A file that exists keeps its shape and everything it was not asked to change. One whose header cannot be edited
    safely gives way to a new file if all fields are given (what stood there is archived byte for byte). Equal bytes
    mean that nothing changes.

    Args:
        current: bytes in force, None for a new memory.
        fields: what is saved.
        nested: shape of a new file's header.
        convention: of the directory.
        now: Unix seconds.
        stamp_new: whether a new file carries ``modified``.
        stamp: whether one that is there gets it, too.

    Raises:
        FrontmatterError: a field cannot be edited safely, and the others are not given.
        UsageError: the memory is new, and a field is missing.
    """
    if current is not None:
        doc = frontmatter.read(current)
        try:
            return _edited(current, doc, fields, now, stamp=stamp)
        except FrontmatterError:
            if not fields.is_whole:
                raise
            nested = nested if doc.nested is None else doc.nested
    if (
        fields.name is None
        or fields.description is None
        or fields.memory_type is None
        or fields.content is None
    ):
        raise UsageError("a new memory needs name, description, type and content")
    return frontmatter.compose(
        name=fields.name,
        description=fields.description,
        memory_type=str(fields.memory_type),
        body=f"{fields.content.strip()}\n",
        nested=nested,
        status=None if convention.name == "claude" else "active",
        modified=now if stamp_new else None,
    )


def _edited(current: bytes, doc: frontmatter.Document, fields: Fields, now: float, *, stamp: bool) -> bytes:
    body = None if fields.content is None else _fitted(doc.body, fields.content)
    same_type = fields.memory_type in (None, MemoryType.parse(doc.type_text))
    # A field that says the same once its spaces are folded is left as it is written.
    changed = frontmatter.edit(
        current,
        name=frontmatter.KEEP if fields.name in (None, _one_line(doc.name)) else fields.name,
        description=(
            frontmatter.KEEP
            if fields.description in (None, _one_line(doc.description))
            else fields.description
        ),
        memory_type=frontmatter.KEEP if same_type else str(fields.memory_type),
        body=frontmatter.KEEP if body is None else body,
    )
    if changed == current or (doc.modified is None and not stamp):
        return changed
    return frontmatter.edit(changed, modified=now)


def dated_text(data: bytes, moment: float) -> bytes:
    """A memory's bytes with a ``modified`` where it has none: its file's time means nothing on another machine.

    Args:
        data: the file.
        moment: its effective time, Unix seconds.
    """
    if frontmatter.read(data).modified is not None:
        return data
    try:
        return frontmatter.edit(data, modified=moment)
    except FrontmatterError:
        return data  # what cannot be edited safely stays as it is


def confirmed_text(current: bytes, now: float, *, stamp: bool = False) -> bytes:
    """The bytes after "still true": ``modified`` set to ``now`` where the file has one or gets one, else unchanged."""
    if frontmatter.read(current).modified is None and not stamp:
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
