"""Three-way merge of a header, field by field, on the lines as they stand: quotes, order and comments stay.

Only what a strict YAML parser reads is taken apart. The merged header is read again, and must say what was meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from memtui.memory.document.headers import Item, items
from memtui.memory.document.oddities import metadata_items
from memtui.memory.document.timestamps import parse_moment
from memtui.memory.document.yamltext import FrontmatterError

if TYPE_CHECKING:
    from memtui.memory.document.yamlsafe import Tree

_TRAILING = ""
"""Stands for the comments and blank lines after the last key; no key is empty."""


@dataclass(frozen=True, slots=True)
class MergedHeader:
    """A header out of two.

    Attributes:
        text: its lines.
        doubtful: the fields that both sides changed differently, in which theirs stand; ``metadata.type`` style.
    """

    text: str
    doubtful: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Field:
    """One key: the comments and blank lines above it, its lines, and what they say.

    Of a ``metadata`` that is taken apart, ``lines`` is the line of the key only, and ``inner`` has the rest.
    """

    above: str
    lines: str
    value: Tree = ""
    inner: tuple[tuple[str, _Field], ...] | None = None

    @property
    def said(self) -> tuple[object, ...]:
        """All but what stands above."""
        return self.lines, self.inner


_Fields = Mapping[str, _Field]


def merge_headers(base: str | None, ours: str, theirs: str) -> MergedHeader | None:
    """Merge what stands between the fences of a file's header.

    A field that one side changed, added or took out is as that side has it. Of two times of ``modified`` the later
    counts. Where the result is clean, it does not matter which side is called ours.

    Args:
        base: what both were made from; None if nobody knows: then what only one side has was added by it.
        ours: one side.
        theirs: the side that stands where both want something else.

    Returns:
        None if one of them, or what would come out, is not read as strict YAML key by key.
    """
    sides = [_fields(text) if text is not None else {} for text in (base, ours, theirs)]
    if any(side is None for side in sides):
        return None
    old, mine, other = (side or {} for side in sides)
    doubtful: list[str] = []
    merged = _merge(old, mine, other, (), doubtful)
    text = "".join(_written(merged))
    read = _fields(text)
    if read is None or _meaning(read) != _meaning(merged):
        return None
    return MergedHeader(text, tuple(doubtful))


def _fields(text: str) -> _Fields | None:
    """A header's fields in order; None if it is not strict YAML, or not line by line."""
    from memtui.memory.document import yamlsafe  # noqa: PLC0415 - YAML costs 20 ms to import

    try:
        tree = yamlsafe.HeaderHandler().load(text)
    except FrontmatterError:
        return None
    found = items(text, 0, len(text))
    if found.stray or [item.key for item in found.items] != list(tree):
        return None
    out: dict[str, _Field] = {}
    at = 0
    for item in found.items:
        value, head = tree[item.key], text.find("\n", item.line_end, item.end) + 1 or item.end
        above, inner = text[at : item.start], _inner(text, item, head, value)
        if inner is None:
            out[item.key] = _Field(above, text[item.start : item.end], value)
        else:
            out[item.key] = _Field(above, text[item.start : head], "", inner)
        at = item.end
    return out | {_TRAILING: _Field("", text[at:])}


def _inner(text: str, item: Item, start: int, value: Tree) -> tuple[tuple[str, _Field], ...] | None:
    found = metadata_items(text, item) if item.key == "metadata" else None
    if found is None or not isinstance(value, dict) or found.stray or not found.items:
        return None
    if [inner.key for inner in found.items] != list(value):
        return None
    out = []
    for inner in found.items:
        lines = text[inner.start : inner.end]
        out.append((inner.key, _Field(text[start : inner.start], lines, value[inner.key])))
        start = inner.end
    return (*out, (_TRAILING, _Field("", text[start : item.end])))


def _merge(
    old: _Fields, ours: _Fields, theirs: _Fields, path: tuple[str, ...], doubtful: list[str]
) -> dict[str, _Field]:
    out: dict[str, _Field] = {}
    for key in [*_order(list(old), list(ours), list(theirs)), _TRAILING]:
        chosen = _choose(old.get(key), ours.get(key), theirs.get(key), (*path, key), doubtful)
        if chosen is not None:
            out[key] = chosen
    return out


def _choose(
    old: _Field | None, ours: _Field | None, theirs: _Field | None, path: tuple[str, ...], doubtful: list[str]
) -> _Field | None:
    if ours in (theirs, old):
        return theirs
    if theirs == old:
        return ours
    label = ".".join(part or "#" for part in path)
    if ours is None or theirs is None:
        doubtful.append(label)
        return theirs
    above = _three(old.above if old else None, ours.above, theirs.above)
    if ours.inner is not None and theirs.inner is not None:
        head = _three(old.lines if old else None, ours.lines, theirs.lines)
        before = dict(old.inner) if old is not None and old.inner is not None else {}
        inner = _merge(before, dict(ours.inner), dict(theirs.inner), path, doubtful)
        if above is None or head is None:
            doubtful.append(label)
        return _Field(
            theirs.above if above is None else above,
            theirs.lines if head is None else head,
            inner=tuple(inner.items()),
        )
    stands = _stands(old, ours, theirs, path[-1])
    if above is None or stands is None:
        doubtful.append(label)
    stands = stands or theirs
    return _Field(theirs.above if above is None else above, stands.lines, stands.value, stands.inner)


_T = TypeVar("_T")


def _three(old: _T | None, ours: _T, theirs: _T) -> _T | None:
    if ours in (theirs, old):
        return theirs
    return ours if theirs == old else None


def _stands(old: _Field | None, ours: _Field, theirs: _Field, key: str) -> _Field | None:
    """The side whose line stands; None if both want something else."""
    chosen = _three(old.said if old else None, ours.said, theirs.said)
    if chosen is not None:
        return theirs if chosen == theirs.said else ours
    if (
        key == _TRAILING
        or "#" in ours.lines + theirs.lines
        or ours.inner is not None
        or theirs.inner is not None
    ):
        return None
    if ours.value == theirs.value:
        # Written differently, saying the same.
        return min(ours, theirs, key=lambda field: field.lines)
    if key == "modified":
        moments = [_moment(side) for side in (ours, theirs)]
        if None not in moments:
            return max(ours, theirs, key=lambda field: (_moment(field) or 0.0, field.lines))
    return None


def _moment(field: _Field) -> float | None:
    return parse_moment(field.value) if isinstance(field.value, str) else None


def _order(old: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """All keys: as the side has them that moved some, new ones behind the key they stand behind on their side."""
    kept = [key for key in old if key in ours and key in theirs]
    mine, other = ([key for key in side if key in kept] for side in (ours, theirs))
    out = other if mine == kept else mine if other == kept else min(mine, other)
    # In an order of their own, so that it does not matter who merges.
    for side in sorted((ours, theirs), key=list):
        last = -1
        for key in side:
            if key in out:
                last = out.index(key)
            elif key != _TRAILING:
                last += 1
                out.insert(last, key)
    return [key for key in out if key != _TRAILING]


def _written(fields: _Fields) -> list[str]:
    out: list[str] = []
    for field in fields.values():
        out += field.above, field.lines, *_written(dict(field.inner or ()))
    return out


def _meaning(fields: _Fields) -> list[tuple[str, object]]:
    """What the keys say, in their order."""
    return [
        (key, field.value if field.inner is None else _meaning(dict(field.inner)))
        for key, field in fields.items()
        if key != _TRAILING
    ]
