"""Editing a memory file line by line: every byte that need not change stays (spec §4).

Each edit is checked before it is given back: the new file is read again, and what was not to change must read as
before, tolerantly and (where the header was strict YAML) strictly. What fails that is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from memtui.memory.document.headers import PROSE, Item, Items, Parts, items, split, value_span
from memtui.memory.document.oddities import WIDE_BOMS, metadata_items, read_odd
from memtui.memory.document.parse import Document
from memtui.memory.document.timestamps import parse_moment
from memtui.memory.document.yamltext import MAX_HEADER_BYTES, FrontmatterError, encode, stamp, written
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.memory.document.yamlsafe import Tree


class Keep(Enum):
    """The type of ``KEEP``."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP
"""Stands for "leave this as it is"; None stands for "take the line out"."""

_TOP_ORDER = ("name", "description", "type", "memory_type", "status", "superseded_by", "modified")
_META_ORDER = ("node_type", "type", "originSessionId", "modified")


def edit(
    data: bytes,
    *,
    name: str | Keep | None = KEEP,
    description: str | Keep | None = KEEP,
    memory_type: str | Keep | None = KEEP,
    status: str | Keep | None = KEEP,
    superseded_by: str | Keep | None = KEEP,
    modified: float | Keep | None = KEEP,
    body: str | Keep = KEEP,
) -> bytes:
    r"""The bytes of a file with some of its fields changed, and nothing else.

    A value equal to what ``read`` gives changes nothing, so that saving what was loaded is byte-identical. A missing
    key goes where the file's shape wants it: ``type`` and ``modified`` under ``metadata`` where there is one. Where
    a file states its type or time in two places, both change. A file without a header gets one above its bytes.

    Args:
        data: the file's bytes.
        name: the title; None takes the line out (as for all fields).
        description: what the file says it is about.
        memory_type: the type as text.
        status: ``active`` or ``historical``.
        superseded_by: slug of the memory that took its place.
        modified: Unix seconds; written in UTC with milliseconds.
        body: the text after the header. With ``\n`` alone as line ends it takes over those of the file: unchanged
            lines keep theirs, others get the body's usual one.

    Raises:
        FrontmatterError: it can't be done safely; ``code`` and the message say why.
    """
    before = read_odd(data)
    moment = KEEP if modified is KEEP else None if modified is None else stamp(modified)
    asked: dict[str, str | Keep | None] = {
        "name": name,
        "description": description,
        "type": memory_type,
        "status": status,
        "superseded_by": superseded_by,
        "modified": moment,
    }
    now = {
        "name": before.name,
        "description": before.description,
        "type": before.type_text,
        "status": before.status_text,
        "superseded_by": before.superseded_by,
        "modified": None if before.modified is None else stamp(before.modified),
    }
    changes = {
        key: value for key, value in asked.items() if not isinstance(value, Keep) and value != now[key]
    }
    after, expected = data, before
    if changes:
        _refuse_wide(data)
        after = _edit_header(data, changes)
        expected = _expected(before, changes)
        _check(expected, read_odd(after))
    if not isinstance(body, Keep) and body != before.body:
        _refuse_wide(data)
        after = _edit_body(after, body)
        expected = expected._replace(body=body)
        _check(expected, read_odd(after))
    return after


def _refuse_wide(data: bytes) -> None:
    if data.startswith(WIDE_BOMS):
        raise FrontmatterError(
            "the file is UTF-16 or UTF-32, not UTF-8", code="not-utf8", todo="Save it as UTF-8 first"
        )


def _expected(before: Document, changes: dict[str, str | None]) -> Document:
    values: dict[str, str | float | None] = {}
    for key, value in changes.items():
        if key == "modified":
            values["modified"] = None if value is None else parse_moment(value)
        else:
            values[{"type": "type_text", "status": "status_text"}.get(key, key)] = value
    return before._replace(**values)  # type: ignore[arg-type]


def _check(expected: Document, got: Document) -> None:
    """Refuse an edit after which the file does not read as meant."""
    for part in ("name", "description", "type_text", "status_text", "superseded_by", "modified", "origin"):
        if getattr(expected, part) != getattr(got, part):
            raise FrontmatterError(
                Say(
                    "the header is too unusual to change safely: '{part}' would not read as meant", part=part
                ),
                code="unsafe-edit",
                todo="Edit the file by hand",
            )
    if expected.body != got.body and expected.body != got.body.replace("\r\n", "\n"):
        raise FrontmatterError("the text would not read as meant in this file", code="unsafe-edit")


@dataclass(slots=True)
class _Plan:
    """Replacements in a header that are made together, and what a strict parser should read afterwards."""

    parts: Parts
    spans: list[tuple[int, int, str]] = field(default_factory=list)
    values: list[tuple[tuple[str, ...], str | None]] = field(default_factory=list)

    def set(self, item: Item, path: tuple[str, ...], value: str | None) -> None:
        """Replace an item's value, or take its lines out."""
        self.values.append((path, value))
        if value is None:
            self.spans.append((item.start, item.end, ""))
            return
        start, stop = value_span(self.parts.text, item)
        gap = "" if self.parts.text[start - 1] in " \t" else " "
        # A person's sentence has no comment behind it unless quotes say where it ends.
        comment = "#" in self.parts.text[stop : item.line_end]
        new = written(path[-1], value, always=comment and item.key in PROSE)
        tail = " " if self.parts.text.startswith("#", stop) else ""
        self.spans.append((start, stop, gap + new + tail))

    def add(self, at: int, indent: str, path: tuple[str, ...], value: str) -> None:
        """Add a line before the line that starts at an offset."""
        self.values.append((path, value))
        self.spans.append((at, at, f"{indent}{path[-1]}: {written(path[-1], value)}{self.parts.newline}"))

    def result(self) -> str:
        """The whole text with all replacements made."""
        pieces, at = [], 0
        for start, stop, new in sorted(self.spans, key=lambda span: span[:2]):
            pieces += [self.parts.text[at:start], new]
            at = stop
        return "".join([*pieces, self.parts.text[at:]])


def _edit_header(data: bytes, changes: dict[str, str | None]) -> bytes:
    parts = split(data.decode("utf-8", "surrogateescape"))
    if parts.unclosed:
        raise FrontmatterError(
            "the header is not closed",
            code="unclosed-header",
            line=1,
            todo="End it with a line that is just ---",
        )
    if not parts.has_header:
        return encode(_with_new_header(parts, changes))
    _refuse_large(parts)
    found = items(parts.text, parts.start, parts.end)
    if not found.items and found.stray:
        raise FrontmatterError(
            "the header is not a list of 'key: value' lines",
            code="header-not-mapping",
            todo="Edit it by hand",
        )
    plan = _Plan(parts)
    for key in _TOP_ORDER:
        if key in changes:
            _plan_field(plan, found, key, changes[key])
    after = plan.result()
    _refuse_large(split(after))
    _check_strictly(parts, split(after), plan)
    return encode(after)


def _refuse_large(parts: Parts) -> None:
    if len(parts.header.encode("utf-8", "surrogateescape")) > MAX_HEADER_BYTES:
        raise FrontmatterError("the header is larger than 64 KiB", code="header-too-large")


def _with_new_header(parts: Parts, changes: dict[str, str | None]) -> str:
    newline = parts.newline
    lines = [f"{key}: {written(key, value)}" for key in _TOP_ORDER if (value := changes.get(key)) is not None]
    block = newline.join(["---", *lines, "---", "", ""])
    return parts.text[: parts.start] + block + parts.text[parts.start :]


def _plan_field(plan: _Plan, found: Items, key: str, value: str | None) -> None:
    text = plan.parts.text
    keys = {"type": ("type", "memory_type")}.get(key, (key,))
    places: list[tuple[Item, tuple[str, ...]]] = [
        (item, (item.key,)) for name in keys for item in _only(text, found, name)
    ]
    holder, inner = None, None
    if key in {"type", "modified"}:
        for item in _only(text, found, "metadata"):
            holder, inner = item, metadata_items(text, item)
            if inner is None and f"{key}" in text[item.value : item.end]:
                raise FrontmatterError(
                    "'metadata' is written on one line",
                    code="unsafe-edit",
                    todo="Give each of its keys its own line",
                )
        if inner is not None:
            places += [(item, ("metadata", key)) for item in _only(text, inner, key)]
    for item, path in places:
        plan.set(item, path, value)
    if places or value is None:
        return
    if holder is not None and inner is not None:
        first = text.find("\n", holder.line_end) + 1
        indent = inner.items[0].indent if inner.items else holder.indent + "  "
        plan.add(_place(inner, _META_ORDER, key, first), indent, ("metadata", key), value)
    else:
        indent = found.items[0].indent if found.items else ""
        plan.add(_place(found, _TOP_ORDER, key, plan.parts.start), indent, (key,), value)


def _only(text: str, found: Items, key: str) -> list[Item]:
    """The one item of a key, if any; refused where it can't be changed on its own."""
    all_items = found.all(key)
    if len(all_items) > 1:
        line = text.count("\n", 0, all_items[1].start) + 1
        raise FrontmatterError(
            Say("the key '{key}' stands twice in the header", key=key),
            code="duplicate-key",
            line=line,
            todo="Take one out by hand",
        )
    for item in all_items:
        value = text[item.value : item.line_end]
        if (
            value.startswith("&")
            and f"*{value[1:].split(maxsplit=1)[0] if value[1:].strip() else ''}" in text
        ):
            raise FrontmatterError(
                Say("other values refer to '{key}' by a YAML alias", key=key),
                code="yaml-alias",
                todo="Write them out by hand",
            )
    return all_items


def _place(found: Items, order: tuple[str, ...], key: str, first: int) -> int:
    """Where a new key's line goes: behind the keys that usually stand before it, else first."""
    before = order[: order.index(key)]
    return max((item.end for item in found.items if item.key in before), default=first)


def _check_strictly(old: Parts, new: Parts, plan: _Plan) -> None:
    """Refuse an edit that a strict parser would not read as meant, where it could read the header before."""
    from memtui.memory.document import yamlsafe  # noqa: PLC0415 - YAML costs 20 ms to import, and reading does not need it

    try:
        want: dict[str, Tree] = yamlsafe.HeaderHandler().load(old.header)
    except FrontmatterError:
        return
    for path, value in plan.values:
        holder = want
        for key in path[:-1]:
            inner = holder.get(key) or {}
            if not isinstance(inner, dict):
                raise FrontmatterError(Say("'{key}' is not a mapping", key=key), code="unsafe-edit")
            holder[key] = inner
            holder = inner
        if value is None:
            holder.pop(path[-1], None)
        else:
            holder[path[-1]] = value
    try:
        fits = _without_empty(yamlsafe.HeaderHandler().load(new.header)) == _without_empty(want)
    except FrontmatterError:
        fits = False
    if not fits:
        raise FrontmatterError(
            "the header is too unusual to change safely", code="unsafe-edit", todo="Edit the file by hand"
        )


def _without_empty(tree: dict[str, Tree]) -> dict[str, Tree]:
    return {key: value for key, value in tree.items() if value not in ({}, "")}


def _edit_body(data: bytes, body: str) -> bytes:
    parts = split(data.decode("utf-8", "surrogateescape"))
    head, old = parts.text[: parts.body], parts.text[parts.body :]
    if "\r" in old and "\r" not in body:
        body = _with_line_ends(old, body)
    elif not old and "\r" not in body and parts.newline == "\r\n":
        body = body.replace("\n", "\r\n")
    if parts.has_header and not parts.separated:
        if head[-1:] != "\n":
            head += parts.newline
        if not old or body.startswith(("\n", "\r\n")):
            head += parts.newline
    return encode(head + body)


def _with_line_ends(old: str, body: str) -> str:
    r"""Give a body with bare ``\\n`` the line ends of the old one: its own for lines at both ends that stay."""
    olds, news = old.split("\n"), body.split("\n")
    usual = "\r" if old.count("\r\n") * 2 > old.count("\n") else ""
    same = min(len(olds), len(news))
    head = next((i for i in range(same) if olds[i].removesuffix("\r") != news[i]), same)
    tail = next(
        (i for i in range(same - head) if olds[-1 - i].removesuffix("\r") != news[-1 - i]), same - head
    )
    middle = [line + usual for line in news[head : len(news) - tail]]
    lines = olds[:head] + middle + olds[len(olds) - tail :]
    if not tail:  # the last piece has no line end after it
        lines[-1] = lines[-1].removesuffix("\r")
    return "\n".join(lines)
