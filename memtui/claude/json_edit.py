"""Changing a JSON text in place: what is not meant stays, byte by byte.

A text is parsed into nodes that know where they stand. A new member or item is put behind the last one, in the style
of the one before; taking it out again gives the text as it was. Every change gives a new text, to be parsed anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from memtui.memory.errors import Refused
from memtui.memory.wording.saying import Say, plain

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_COMMENT = re.compile(r"\s*(?://|/\*)")
_USUAL_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands.

    Attributes:
        start: its first character.
        end: one past its last.
        value: what it says.
        items: of an array its items, of an object its members' values.
        keys: of an object its members' keys, in order.
        starts: where each item begins: of a member, its key.
    """

    start: int
    end: int
    value: Any
    items: tuple[Node, ...] = ()
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()

    def get(self, key: str) -> Node | None:
        """A member's value; None if there is none."""
        return self.items[self.keys.index(key)] if key in self.keys else None


class NotPlainJson(Refused):
    """The text is no JSON, or one that cannot be changed without doubt."""


def parse_json(text: str) -> Node:
    """Parse a text.

    Raises:
        NotPlainJson: it is not JSON (comments and trailing commas are not), or an object has a key twice.
    """
    try:
        json.loads(text)
        return _node(text, _after_space(text, 0))
    except json.JSONDecodeError as error:
        at = Say("line {line}, column {column}", line=error.lineno, column=error.colno)
        if _COMMENT.match(text, error.pos) or "//" in text[max(0, error.pos - 1) : error.pos + 1]:
            raise NotPlainJson(Say("it has a comment ({at}), and plain JSON has none", at=at)) from None
        raise NotPlainJson(Say("it is not JSON: {reason} ({at})", reason=plain(error.msg), at=at)) from None
    except RecursionError:
        raise NotPlainJson("it is nested too deeply") from None


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _node(text: str, at: int) -> Node:
    """The value that begins here; the text is known to be JSON."""
    opening = text[at]
    if opening not in "{[":
        value, end = _DECODER.raw_decode(text, at)
        return Node(at, end, value)
    items: list[Node] = []
    keys: list[str] = []
    starts: list[int] = []
    here = _after_space(text, at + 1)
    while text[here] not in "}]":
        starts.append(here)
        if opening == "{":
            key, here = _DECODER.raw_decode(text, here)
            if key in keys:
                raise NotPlainJson(Say("it says {key!r} twice, and only one of them counts", key=key))
            keys.append(key)
            here = _after_space(text, _after_space(text, here) + 1)
        items.append(_node(text, here))
        here = _after_space(text, items[-1].end)
        if text[here] == ",":
            here = _after_space(text, here + 1)
    values = [item.value for item in items]
    value = dict(zip(keys, values, strict=True)) if opening == "{" else values
    return Node(at, here + 1, value, tuple(items), tuple(keys), tuple(starts))


def with_member(text: str, node: Node, key: str, value: object) -> str:
    """The text with one more member behind the last one of an object."""
    return _with(text, node, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def with_item(text: str, node: Node, value: object) -> str:
    """The text with one more item behind the last one of an array."""
    return _with(text, node, "", value)


def with_value(text: str, node: Node, value: object) -> str:
    """The text with another value in place of one."""
    return text[: node.start] + json.dumps(value, ensure_ascii=False) + text[node.end :]


def without(text: str, node: Node, number: int) -> str:
    """The text without one item or member, with the comma and the space that belong to it."""
    items, starts = node.items, node.starts
    if number:
        return text[: items[number - 1].end] + text[items[number].end :]
    if len(items) > 1:
        return text[: starts[0]] + text[starts[1] :]
    return text[: node.start + 1] + text[node.end - 1 :]


def _with(text: str, node: Node, head: str, value: object) -> str:
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if node.items:
        last, start, several = node.items[-1], node.starts[-1], len(node.items) > 1
        before = text[node.items[-2].end if several else node.start + 1 : start].rpartition(",")[2]
        if "\n" in before:
            new = _written(value, unit, before.rpartition("\n")[2], end_of_line)
        else:
            new = json.dumps(value, ensure_ascii=False)
            before = before if several else " "
        return f"{text[: last.end]},{before}{head}{new}{text[last.end :]}"
    if unit is None:
        return text[: node.start + 1] + head + json.dumps(value, ensure_ascii=False) + text[node.end - 1 :]
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    outer = line[: len(line) - len(line.lstrip(" \t"))]
    inner = outer + unit
    body = end_of_line + inner + head + _written(value, unit, inner, end_of_line) + end_of_line + outer
    return text[: node.start + 1] + body + text[node.end - 1 :]


def _unit(text: str) -> str | None:
    """One step of indentation; None for a text that is written on one line."""
    root = _node(text, _after_space(text, 0))
    if not root.items:
        return _USUAL_INDENT
    before = text[root.start + 1 : root.starts[0]]
    return before.rpartition("\n")[2] or _USUAL_INDENT if "\n" in before else None


def _written(value: object, unit: str | None, indent: str, end_of_line: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=unit or _USUAL_INDENT).split("\n")
    return (end_of_line + indent).join(lines)


def fresh(value: object) -> str:
    """A text of its own, as editors write it."""
    return json.dumps(value, ensure_ascii=False, indent=_USUAL_INDENT) + "\n"
