"""The text of a memory that goes to another directory: links, name and the shape of its header. Pure: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.document import frontmatter, links
from memtui.memory.document.frontmatter import FrontmatterError
from memtui.memory.document.parse import usual_fields

_TOP = frozenset({"name", "description", "type", "memory_type", "status", "superseded_by", "modified"})
_META = frozenset({"node_type", "type", "modified", "originSessionId"})


def travelled(
    data: bytes,
    *,
    slug: str,
    new_slug: str,
    moved: Mapping[str, str],
    resolver: links.LinkResolver,
    nested: bool,
    modified: float,
) -> bytes:
    """A memory's bytes as they arrive: in the shape of the new directory, links following what moves along.

    A header with keys that memtui does not know keeps its shape, for none may get lost. Nothing else changes.

    Args:
        data: the bytes where it comes from.
        slug: its slug there.
        new_slug: its slug here.
        moved: of what moves along under another slug, slug there to slug here.
        resolver: finds what a link means there.
        nested: the shape of a new file's header here.
        modified: its effective time, Unix seconds.
    """
    document = frontmatter.read(data)
    body = links.repoint(document.body, resolver, moved)
    try:
        if body != document.body:
            data = frontmatter.edit(data, body=body)
        if slug != new_slug and document.name == slug:
            data = frontmatter.edit(data, name=new_slug)
    except FrontmatterError:
        pass  # what cannot be edited safely arrives as it is
    return reshaped(data, nested=nested, modified=modified)


def reshaped(data: bytes, *, nested: bool, modified: float) -> bytes:
    """A memory with its header in the other shape; the same bytes where that would lose anything.

    Args:
        data: the file.
        nested: whether the type is to stand under ``metadata``, with a ``modified``.
        modified: its effective time, Unix seconds: it must not become younger by this.
    """
    document = frontmatter.read(data)
    if document.nested in (None, nested) or document.is_historical or not _is_plain(data):
        return data
    name, description, kind = document.name, document.description, document.type_text
    if name is None or description is None or kind is None:
        return data
    try:
        made = frontmatter.compose(
            name=name,
            description=description,
            memory_type=kind,
            body=document.body,
            nested=nested,
            modified=modified if nested or document.modified is not None else None,
            origin=document.origin,
        )
    except FrontmatterError:
        return data
    again = frontmatter.read(made)
    parts = ("name", "description", "type_text", "origin", "body")
    return made if all(getattr(again, part) == getattr(document, part) for part in parts) else data


def _is_plain(data: bytes) -> bool:
    """Whether a header is read by hand and holds nothing but what both shapes have a place for."""
    text = data.decode("utf-8", "replace")
    end = text.find("\n---\n", 3)
    if not text.startswith("---\n") or end <= 3 or "\r" in text or "\ufffd" in text:
        return False
    fields = usual_fields(text[4:end])
    return fields is not None and fields[0].keys() <= _TOP | {"originSessionId"} and fields[1].keys() <= _META
