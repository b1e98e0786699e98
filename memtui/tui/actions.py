"""Every action of the app in one table: bindings, key bar, palette, help and the README's table are made from it.

A screen names its place and implements ``do_<id>`` for each action of that place; whether an action can be done now,
and why not, is answered here from a ``Situation`` and nothing else. Part of the app added later adds rows, no code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides whether an action makes sense now.

    Attributes:
        selected: whether the cursor stands on a memory.
        active: whether that memory is a version in force.
        marked: number of memories marked.
        read_only: whether changes are switched off.
        missing: whether the directory does not exist.
        busy: whether a change is being written.
        loading: whether the first look at the directory is still going on.
        undo: label of what undo would take back; None if nothing.
        redo: label of what redo would do again; None if nothing.
        total: memories in the directory.
        away: whether there is something to step back from: a text, a filter, marks.
    """

    selected: bool = False
    active: bool = False
    marked: int = 0
    read_only: bool = False
    missing: bool = False
    busy: bool = False
    loading: bool = False
    undo: str | None = None
    redo: str | None = None
    total: int = 0
    away: bool = False


Blocked = Callable[[Situation], str | None]
"""Gives the reason why something cannot be done now, or None."""


def always(_: Situation) -> str | None:
    """Nothing stands in the way, ever."""
    return None


def needs_memory(now: Situation) -> str | None:
    """A memory has to be selected."""
    if now.selected:
        return None
    return "no memory is selected" if now.total else "there is no memory here"


def changes(now: Situation) -> str | None:
    """Something is going to be written."""
    if now.read_only:
        return "this is a read-only view"
    if now.missing:
        return "the directory does not exist"
    if now.loading:
        return "memories are still being read"
    return "another change is still being written" if now.busy else None


def changes_active(now: Situation) -> str | None:
    """A memory in force is going to be changed."""
    if reason := changes(now):
        return reason
    if now.marked:
        return None
    return needs_memory(now) or (
        None if now.active else "this is an old version; only its successor can be changed"
    )


def steps_back(now: Situation) -> str | None:
    """There has to be something to step back from."""
    return None if now.away else "there is nothing to step back from"


def undoes(now: Situation) -> str | None:
    """There has to be something to take back."""
    return changes(now) or (None if now.undo is not None else "nothing to undo")


def redoes(now: Situation) -> str | None:
    """There has to be something taken back."""
    return changes(now) or (None if now.redo is not None else "nothing to redo")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    Attributes:
        id: stable name: method ``do_<id>``, binding id in a user's keymap.
        keys: keys in Textual's names, comma between alternatives; the first is shown.
        title: what it does, as in palette and help.
        hint: one word for the key bar; empty keeps it out.
        help: one sentence more.
        group: heading in the help.
        places: screens, or the line one types the filter into, that it belongs to; ``everywhere`` for all screens.
        blocked: why it cannot be done now.
        rank: order in the key bar, lowest first; what does not fit is left out from the end.
        quiet: whether the key bar leaves it out while it cannot be done.
    """

    id: str
    keys: str
    title: str
    help: str
    group: str
    hint: str = ""
    places: tuple[str, ...] = ("browse",)
    blocked: Blocked = always
    rank: int = 50
    quiet: bool = False


MOVE, LOOK, CHANGE, APP = "Move", "Look", "Change", "App"

ACTIONS = (
    Action(
        "down", "j,down", "Next", "Next memory; in a text, the next line.", MOVE, places=("browse", "help")
    ),
    Action(
        "up",
        "k,up",
        "Previous",
        "Previous memory; in a text, the line before.",
        MOVE,
        places=("browse", "help"),
    ),
    Action("page_down", "ctrl+d,pagedown", "Page down", "A screenful down.", MOVE, places=("browse", "help")),
    Action("page_up", "ctrl+u,pageup", "Page up", "A screenful up.", MOVE, places=("browse", "help")),
    Action("top", "g,home", "Top", "The first memory or line.", MOVE, places=("browse", "help")),
    Action("bottom", "G,end", "Bottom", "The last memory or line.", MOVE, places=("browse", "help")),
    Action("next_link", "right_square_bracket", "Next link", "Go to the next link to another memory.", MOVE),
    Action("previous_link", "left_square_bracket", "Previous link", "Go to the link before.", MOVE),
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
    Action("sort", "s", "Sort by the next order", "Score, age, name, type, size.", LOOK, "sort", rank=60),
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
        blocked=changes_active,
        rank=30,
    ),
    Action(
        "still_true",
        "v",
        "Still true",
        "Say that it still holds: its date becomes today.",
        CHANGE,
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
        blocked=undoes,
        rank=40,
    ),
    Action("redo", "Z", "Redo", "Make the change taken back again.", CHANGE, blocked=redoes),
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
    Action("close", "escape,q", "Close", "Back to where you were.", APP, "close", places=("help",), rank=1),
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
    Action("yes", "y", "Yes", "Go on.", APP, places=("confirm",)),
    Action("no", "n,escape", "No", "Change nothing.", APP, places=("confirm",)),
    Action(
        "other_button", "left,right,h,l", "Other button", "Go to the other button.", APP, places=("confirm",)
    ),
    Action("quit", "q", "Quit", "Leave memtui; everything is on disk already.", APP, "quit", rank=90),
)
"""The registry."""

BY_ID = {action.id: action for action in ACTIONS}


def actions_for(place: str) -> tuple[Action, ...]:
    """The actions of a screen, those that are everywhere included; of the line one types into, only its own."""
    common = "" if place == "filter" else "everywhere"
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
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "down": "↓",
    "up": "↑",
}


def key_text(key: str) -> str:
    """A key as people write it: ``?`` for ``question_mark``."""
    return _KEY_NAMES.get(key, key)


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
