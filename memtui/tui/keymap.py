"""A person's own keys for the actions: read from the settings, and held against what would clash. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from textual.keys import Keys, _character_to_key

from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.tui.actions.base import Action
from memtui.tui.actions.registry import ACTIONS, BY_ID, actions_for, key_text
from memtui.tui.voice import Voice
from memtui.tui.wording.keymap import words

TYPING_PLACES = frozenset({"filter", "edit", "save_text"})
"""Where letters are text: an action there cannot have one as its key."""

_MODIFIERS = ("ctrl", "alt", "shift", "super", "meta", "hyper")
_NAMES = {"esc": "escape", "pgdn": "pagedown", "pgup": "pageup", "return": "enter", "del": "delete"} | {
    "↓": "down",
    "↑": "up",
    "←": "left",
    "→": "right",
}
"""Keys as people and the README write them."""
_KNOWN = frozenset(key.value for key in Keys if not key.value.startswith("<"))


@dataclass(frozen=True, slots=True)
class Keymap:
    """Keys that were set and can be used.

    Attributes:
        keys: by action, its keys, comma between alternatives.
        problems: what was set and cannot be used, a sentence each, fit to be shown.
    """

    keys: Mapping[str, str]
    problems: tuple[str, ...] = ()


def make_keymap(
    given: Mapping[str, Sequence[str]], sources: Mapping[str, str] | None = None, lang: Lang = "en"
) -> Keymap:
    """Understand what was set; what cannot be used is told, and the action keeps its own keys.

    Args:
        given: keys by action, as written.
        sources: the file each is from, by ``keys.<action>``.
        lang: language of the problems.
    """
    say, where = words(lang), sources or {}
    problems: list[str] = []
    keys: dict[str, str] = {}
    for name, wanted in given.items():
        source = visible(where.get(f"keys.{name}", ""))
        if name not in BY_ID:
            near = difflib.get_close_matches(name, BY_ID, n=1, cutoff=0.5)
            hint = say.did_you_mean.format(name=near[0]) if near else say.see_readme
            problems.append(say.no_action.format(name=visible(name), where=source, hint=hint))
            continue
        made = [_key(text) for text in wanted]
        bad = [text for text, key in zip(wanted, made, strict=True) if key is None]
        if bad:
            problems.append(say.no_key.format(key=visible(bad[0]), action=name, where=source))
            continue
        typed = TYPING_PLACES.intersection(BY_ID[name].places)
        if typed and any(_types(key) for key in made if key):
            problems.append(say.types_text.format(key=visible(wanted[0]), action=name, where=source))
            continue
        keys[name] = ",".join(key for key in made if key)
    while clash := _clash(keys):
        first, second, key = clash
        mine = [name for name in (second.id, first.id) if name in keys]
        voice = Voice(lang)
        problems.append(
            say.clash.format(
                key=key_text(key),
                first=f"{voice.action(first).title} ({first.id})",
                second=f"{voice.action(second).title} ({second.id})",
                where=visible(where.get(f"keys.{mine[0]}", "")),
            )
        )
        for name in mine:
            del keys[name]
    return Keymap(keys, tuple(problems))


def _key(text: str) -> str | None:
    """A key as Textual names it; None if there is none of that name."""
    *modifiers, name = text.split("+") if len(text) > 1 and not text.endswith("+") else [text]
    if text.endswith("++"):
        modifiers, name = text[:-2].split("+"), "+"
    modifiers = [modifier.lower() for modifier in modifiers]
    if any(modifier not in _MODIFIERS for modifier in modifiers):
        return None
    if len(name) == 1 and name not in _NAMES:
        if not name.isprintable():
            return None
        name = "space" if name == " " else _character_to_key(name)
    else:
        name = _NAMES.get(name.lower(), name.lower())
        if name not in _KNOWN and name not in _named_signs():
            return None
    return "+".join([*(known for known in _MODIFIERS if known in modifiers), name])


def _named_signs() -> frozenset[str]:
    """Names of the signs of a keyboard, such as ``question_mark``."""
    return frozenset(_character_to_key(chr(code)) for code in range(33, 127))


def _types(key: str) -> bool:
    """Whether a key puts a character into a text."""
    return len(key) == 1 or key in _named_signs() or key == "space"


def _clash(keys: Mapping[str, str]) -> tuple[Action, Action, str] | None:
    """Two actions of one place that would share a key, one of them set; None if there are none."""
    for place in _places(ACTIONS):
        taken: dict[str, Action] = {}
        for action in actions_for(place):
            for key in keys.get(action.id, action.keys).split(","):
                other = taken.setdefault(key, action)
                if other is not action and (other.id in keys or action.id in keys):
                    return other, action, key
    return None


def _places(actions: Iterable[Action]) -> list[str]:
    return sorted({place for action in actions for place in action.places} - {"everywhere"})
