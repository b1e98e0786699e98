"""Every action of the app in one table: bindings, key bar, palette, help and the README's table are made from it.

A screen names its place and implements ``do_<id>`` for each action of that place; whether an action can be done now,
and why not, is answered from a ``Situation`` and nothing else. A part of the app added later adds rows, no code: a few
here, a screen's own in a module named after its place that the table takes in.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from textual.binding import Binding

from memtui.tui.actions.base import (
    APP,
    CHANGE,
    LOOK,
    MOVE,
    Action,
    Situation,
    changes_active,
    needs_memory,
    redoes,
    steps_back,
    undoes,
)
from memtui.tui.actions.browse import BROWSE
from memtui.tui.actions.checks import CHECKS
from memtui.tui.actions.edit import EDIT
from memtui.tui.actions.history import HISTORY
from memtui.tui.actions.log import LOG
from memtui.tui.actions.preview import PREVIEW
from memtui.tui.actions.projects import PROJECTS
from memtui.tui.actions.review import REVIEW
from memtui.tui.actions.team import TEAM

__all__ = [
    "ACTIONS",
    "BY_ID",
    "MOVE",
    "Action",
    "Situation",
    "actions_for",
    "bindings_for",
    "groups",
    "hints_for",
]

_TEXTS = (
    "browse",
    "detail",
    "bulk",
    "pick",
    "columns",
    "help",
    "theme",
    "checks",
    "preview",
    "fix",
    "confirm",
    "draft",
    "conflict",
    "team_conflict",
    "refused",
    "history",
    "activity",
    "projects",
    "review",
    "log",
    "team",
)
"""Places with a list or a text to move in."""

ACTIONS = (
    Action("down", "j,down", "Next", "Next memory; in a text, the next line.", MOVE, places=_TEXTS),
    Action(
        "up",
        "k,up",
        "Previous",
        "Previous memory; in a text, the line before.",
        MOVE,
        places=_TEXTS,
    ),
    Action("page_down", "ctrl+d,pagedown", "Page down", "A screenful down.", MOVE, places=_TEXTS),
    Action("page_up", "ctrl+u,pageup", "Page up", "A screenful up.", MOVE, places=_TEXTS),
    Action("top", "g,home", "Top", "The first memory or line.", MOVE, places=_TEXTS),
    Action("bottom", "G,end", "Bottom", "The last memory or line.", MOVE, places=_TEXTS),
    Action(
        "next_link",
        "right_square_bracket",
        "Next link",
        "Go to the next link to another memory.",
        MOVE,
        places=("browse", "detail"),
    ),
    Action(
        "previous_link",
        "left_square_bracket",
        "Previous link",
        "Go to the link before.",
        MOVE,
        places=("browse", "detail"),
    ),
    Action(
        "filter",
        "slash",
        "Filter",
        "Narrow the list as you type: words, type: tier: is: scope:, - for not.",
        LOOK,
        "filter",
        rank=10,
    ),
    Action(
        "open",
        "enter",
        "Open",
        "Read the memory, or follow the link gone to.",
        LOOK,
        "open",
        blocked=needs_memory,
        rank=20,
    ),
    Action(
        "back",
        "escape",
        "Back",
        "Leave the text, the link or the filter; then clear filter and marks.",
        LOOK,
        "back",
        blocked=steps_back,
        rank=1,
        quiet=True,
    ),
    Action(
        "sort",
        "s",
        "Sort by the next order",
        "Score, age, name, type, size, last use.",
        LOOK,
        "sort",
        rank=60,
    ),
    Action("reverse", "S", "Reverse the order", "Turn the list round.", LOOK),
    Action(
        "history", "H", "Old versions in the list", "List superseded versions too, or hide them again.", LOOK
    ),
    Action(
        "preview",
        "p",
        "Reminder preview",
        "Show or hide the exact text that is injected.",
        LOOK,
        "preview",
        rank=55,
    ),
    Action(
        "forget",
        "d",
        "Forget",
        "Move the memory (or all marked) to the trash and take it out of the index; asks first.",
        CHANGE,
        "forget",
        places=("browse", "detail"),
        blocked=changes_active,
        rank=30,
    ),
    Action(
        "still_true",
        "v",
        "Still true",
        "Say that it still holds: its date becomes today.",
        CHANGE,
        places=("browse", "detail"),
        blocked=changes_active,
    ),
    Action(
        "mark",
        "space",
        "Mark",
        "Mark the memory for bulk work, or unmark it.",
        CHANGE,
        "mark",
        blocked=needs_memory,
        rank=70,
    ),
    Action(
        "undo",
        "z",
        "Undo",
        "Take the last change back, to the byte.",
        CHANGE,
        "undo",
        places=("browse", "detail", "checks", "history", "activity", "review", "team"),
        blocked=undoes,
        rank=45,
    ),
    Action(
        "redo",
        "Z",
        "Redo",
        "Make the change taken back again.",
        CHANGE,
        places=("browse", "detail", "checks", "history", "activity", "review", "team"),
        blocked=redoes,
    ),
    *EDIT,
    *BROWSE,
    *CHECKS,
    *HISTORY,
    *PREVIEW,
    *PROJECTS,
    *REVIEW,
    *LOG,
    *TEAM,
    Action(
        "palette", "ctrl+p", "Command palette", "Find any action by its name.", APP, places=("everywhere",)
    ),
    Action(
        "help",
        "question_mark",
        "Help",
        "Every key, and why one cannot be used now.",
        APP,
        "help",
        places=("everywhere",),
        rank=5,
    ),
    Action(
        "theme",
        "f9",
        "Theme",
        "Choose a theme and see it at once, light or dark; it holds from then on.",
        APP,
        places=("everywhere",),
    ),
    Action(
        "close",
        "escape,q",
        "Close",
        "Back to where you were.",
        APP,
        "close",
        places=("help", "preview"),
        rank=1,
    ),
    Action(
        "keep_filter",
        "enter,down",
        "Keep the filter",
        "Back to the list, narrowed.",
        LOOK,
        "keep",
        places=("filter",),
    ),
    Action(
        "clear_filter",
        "escape",
        "Clear the filter",
        "Back to the whole list.",
        LOOK,
        "clear",
        places=("filter",),
    ),
    Action("keep_theme", "enter", "Keep it", "Go on with this theme.", APP, places=("theme",)),
    Action("drop_theme", "escape,q", "As it was", "Back to the theme before.", APP, places=("theme",)),
    Action("close_refused", "enter,escape", "Close", "Back to where you were.", APP, places=("refused",)),
    Action("yes", "y", "Yes", "Go on.", APP, places=("confirm", "fix", "bulk")),
    Action("no", "n,escape", "No", "Change nothing.", APP, places=("confirm", "fix", "bulk")),
    Action(
        "other_button",
        "left,right,h,l",
        "Other button",
        "Go to the other button.",
        APP,
        places=("confirm", "fix"),
    ),
    Action("quit", "q", "Quit", "Leave memtui; everything is on disk already.", APP, "quit", rank=90),
)
"""The registry."""

BY_ID = {action.id: action for action in ACTIONS}


_TYPED_IN = frozenset({"filter", "edit", "target", "typed", "log_line", "join"})
"""Places where letters are text."""


def actions_for(place: str) -> tuple[Action, ...]:
    """The actions of a screen, those that are everywhere included; where one types, only its own."""
    common = "" if place in _TYPED_IN else "everywhere"
    return tuple(action for action in ACTIONS if place in action.places or common in action.places)


def bindings_for(place: str) -> list[Binding]:
    """The bindings of a screen; each has an id, so that a user's keymap can move it."""
    return [
        Binding(action.keys, f"do('{action.id}')", action.title, show=False, id=action.id)
        for action in actions_for(place)
        if action.id != "palette"  # Textual binds its palette itself
    ]


def hints_for(place: str) -> tuple[Action, ...]:
    """The actions of the key bar, most useful first."""
    return tuple(sorted((a for a in actions_for(place) if a.hint), key=lambda action: action.rank))


def groups(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Actions by group, in the order of the registry."""
    found: dict[str, list[Action]] = {}
    for action in actions:
        found.setdefault(action.group, []).append(action)
    return found


_KEY_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "escape": "esc",
    "full_stop": ".",
    "backspace": "⌫",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "shift+left": "shift+←",
    "shift+right": "shift+→",
    "plus": "+",
    "minus": "-",
    "greater_than_sign": ">",
    "equals_sign": "=",
}


def key_text(key: str) -> str:
    """A key as people write it: ``?`` for ``question_mark``, ``ctrl+.`` for ``ctrl+full_stop``."""
    if key in _KEY_NAMES:
        return _KEY_NAMES[key]
    *modifiers, name = key.split("+")
    try:
        sign = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        sign = ""
    shown = sign if len(name) > 1 and sign.isascii() and sign.isprintable() and sign != " " else ""
    return "+".join([*modifiers, shown or _KEY_NAMES.get(name, name)])


def keys_text(action: Action, *, first_only: bool = False) -> str:
    """The keys of an action as people write them."""
    keys = action.keys.split(",")
    return " ".join(key_text(key) for key in keys[: 1 if first_only else None])


def readme_table() -> str:
    """The README's table of keys, in Markdown."""
    lines = ["| key | what it does |", "|---|---|"]
    for action in ACTIONS:
        keys = " ".join(f"`{key_text(key)}`" for key in action.keys.split(","))
        lines.append(f"| {keys} | **{action.title}**: {action.help} |")
    return "\n".join(lines) + "\n"
