"""Memtui's hooks in the text of a settings file: only the lines that are ours come and go. Bytes in, bytes out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memtui.claude.hook_commands import TIMEOUTS, hook_command, is_ours
from memtui.claude.hooks import EVENTS
from memtui.claude.json_edit import (
    Node,
    NotPlainJson,
    fresh,
    parse_json,
    with_item,
    with_member,
    with_value,
    without,
)
from memtui.memory.errors import Refused
from memtui.memory.wording.saying import Say

_BOM = "\ufeff"


def parsed(data: bytes, path: Path) -> tuple[str, Node]:
    """The text of a settings file without its BOM, and what it says: an object.

    Raises:
        Refused: it is no plain JSON object.
    """
    todo = "Correct the file first; nothing was changed"
    try:
        text = data.decode("utf-8").removeprefix(_BOM)
        root = parse_json(text)
    except UnicodeDecodeError:
        raise Refused("the settings are not UTF-8", where=str(path), todo=todo) from None
    except NotPlainJson as error:
        raise Refused(
            Say("the settings cannot be edited: {reason}", reason=error.what), where=str(path), todo=todo
        ) from None
    if not isinstance(root.value, dict):
        raise Refused("the settings are not a JSON object", where=str(path), todo=todo)
    return text, root


def _group(word: str, program: Sequence[str]) -> dict[str, object]:
    hook = {"type": "command", "command": hook_command(word, program), "timeout": TIMEOUTS[word]}
    return {"hooks": [hook]}


def with_hooks(before: bytes | None, path: Path, program: Sequence[str], words: Sequence[str]) -> bytes:
    """A settings file's bytes with the hooks in it.

    Args:
        before: its bytes now; None if it is not there.
        path: what an error names.
        program: what the hooks run.
        words: which hooks, keys of ``EVENTS``.

    Raises:
        Refused: it is no plain JSON, or has something else where hooks belong.
    """
    wanted = {EVENTS[word]: [_group(word, program)] for word in EVENTS if word in words}
    if before is None or not before.strip():
        return fresh({"hooks": wanted}).encode()
    bom = _BOM if before.startswith(_BOM.encode()) else ""
    text, root = parsed(before, path)
    hooks = root.get("hooks")
    if hooks is None:
        text = with_member(text, root, "hooks", wanted)
        return _checked(text, {**root.value, "hooks": wanted}, bom, path)
    expected = json.loads(text)
    for word in (word for word in EVENTS if word in words):
        text = _with_hook(text, path, word, program)
    for word in words:
        _expect(expected, word, program)
    return _checked(text, expected, bom, path)


def _with_hook(text: str, path: Path, word: str, program: Sequence[str]) -> str:
    event = EVENTS[word]
    root = parse_json(text)
    hooks = root.get("hooks")
    if hooks is None or not isinstance(hooks.value, dict):
        raise _odd(path, "hooks", Say("an object"))
    groups = hooks.get(event)
    if groups is None:
        return with_member(text, hooks, event, [_group(word, program)])
    if not isinstance(groups.value, list):
        raise _odd(path, f"hooks.{event}", Say("a list"))
    ours = our_commands(root, event)
    if not ours:
        return with_item(text, groups, _group(word, program))
    command = hook_command(word, program)
    return text if ours[0].value == command else with_value(text, ours[0], command)


def _expect(settings: dict[str, Any], word: str, program: Sequence[str]) -> None:
    """Do to the plain data what is done to the text."""
    groups = settings["hooks"].setdefault(EVENTS[word], [])
    for group in groups:
        for hook in group.get("hooks", ()) if isinstance(group, dict) else ():
            if isinstance(hook, dict) and is_ours(hook.get("command")):
                hook["command"] = hook_command(word, program)
                return
    groups.append(_group(word, program))


def _checked(text: str, expected: object, bom: str, path: Path) -> bytes:
    """The text's bytes, if they say what is meant; a mistake of ours must not cost a person their settings."""
    if json.loads(text) != expected:
        raise Refused("the settings cannot be edited safely", where=str(path), todo="Edit them by hand")
    return (bom + text).encode()


def _odd(path: Path, what: str, kind: Say) -> Refused:
    return Refused(
        Say("{what!r} is not {kind}", what=what, kind=kind),
        where=str(path),
        todo="Correct the file first; nothing was changed",
    )


def our_commands(root: Node, event: str) -> list[Node]:
    """The commands of ours under an event, as nodes."""
    return [
        command
        for group in _items(_items_of(root, event))
        for hook in _items(group.get("hooks"))
        if (command := hook.get("command")) is not None and is_ours(command.value)
    ]


def _items_of(root: Node, event: str) -> Node | None:
    hooks = root.get("hooks")
    return hooks.get(event) if hooks is not None else None


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if node is not None and isinstance(node.value, list) else ()


def without_hooks(before: bytes, path: Path) -> bytes:
    """A settings file's bytes without the hooks of ours, and without what they leave empty."""
    bom = _BOM if before.startswith(_BOM.encode()) else ""
    text, _ = parsed(before, path)
    for event in EVENTS.values():
        while True:
            shorter = _without_one(text, event)
            if shorter == text:
                break
            text = shorter
    return (bom + text).encode()


def _without_one(text: str, event: str) -> str:
    """The text without the first hook of ours under an event; the same text if there is none."""
    root = parse_json(text)
    hooks, groups = root.get("hooks"), _items_of(root, event)
    if hooks is None or groups is None:
        return text
    for number, group in enumerate(_items(groups)):
        inner = group.get("hooks")
        for place, hook in enumerate(_items(inner)):
            command = hook.get("command")
            if inner is None or command is None or not is_ours(command.value):
                continue
            if len(inner.items) > 1:
                return without(text, inner, place)
            if len(groups.items) > 1:
                return without(text, groups, number)
            if len(hooks.items) > 1:
                return without(text, hooks, hooks.keys.index(event))
            return without(text, root, root.keys.index("hooks"))
    return text
