"""The actions of the projects screen, and the keys that lead from a memory to another store."""

from __future__ import annotations

from memtui.tui.actions.base import CHANGE, LOOK, Action, Situation, changes_active, needs_memory


def looks_elsewhere(now: Situation) -> str | None:
    """The machine's other stores have to be within reach."""
    return None if now.others else "other stores are not looked for here"


def transfers(now: Situation) -> str | None:
    """A memory in force, or several, are going to another store."""
    if reason := looks_elsewhere(now):
        return reason
    if now.busy:
        return "another change is still being written"
    if now.marked:
        return None
    return needs_memory(now) or (
        None if now.active else "this is an old version; only its successor can be changed"
    )


def needs_store(now: Situation) -> str | None:
    """The cursor has to stand on a store, or on a memory in one."""
    if now.busy:
        return "another change is still being written"
    return None if now.selected else "no store is selected"


def adopts(now: Situation) -> str | None:
    """The cursor has to stand on another store than the one that is open, and that one be changeable."""
    if now.read_only:
        return "this is a read-only view"
    if reason := needs_store(now):
        return reason
    return None if now.adoptable else "this is the store that is open"


def crosses(now: Situation) -> str | None:
    """A memory in force, or several, go to the team or come back from it."""
    if not now.team:
        return "team memory is switched off: set TEAMMEM=1, or team = true"
    return changes_active(now)


_PLACES = ("projects",)

PROJECTS = (
    Action(
        "projects",
        "o",
        "Projects",
        "Every memory store on this machine, and a search through all of them.",
        LOOK,
        "projects",
        ("browse", "detail"),
        looks_elsewhere,
        rank=58,
        quiet=True,
    ),
    Action(
        "transfer",
        "greater_than_sign",
        "Copy or move to another store",
        "The memory (or all marked), with its old versions; shows all that would happen first.",
        CHANGE,
        "",
        ("browse", "detail"),
        transfers,
    ),
    Action(
        "change_scope",
        "W",
        "To the team, or back",
        "The memory (or all marked) goes to the team or becomes private, or a copy does; shows all that would happen first.",
        CHANGE,
        "",
        ("browse", "detail"),
        crosses,
    ),
    Action(
        "open_store",
        "enter",
        "Open it",
        "Leave this store, and open the one under the cursor.",
        LOOK,
        "open",
        _PLACES,
        needs_store,
        rank=20,
    ),
    Action(
        "search_stores",
        "slash",
        "Search everywhere",
        "Find the memories of all stores that hold every word; type: tier: is:stale narrow.",
        LOOK,
        "search",
        _PLACES,
        rank=10,
    ),
    Action(
        "adopt",
        "a",
        "Take its memories over",
        "Copy everything of the store under the cursor into the one that is open: after a project was renamed or moved.",
        CHANGE,
        "adopt",
        _PLACES,
        adopts,
        rank=30,
    ),
    Action(
        "other_pane",
        "tab",
        "Other pane",
        "From the list to the text beside it, and back.",
        LOOK,
        "",
        _PLACES,
    ),
    Action(
        "back_from_projects",
        "escape",
        "Back",
        "Leave the text, then what was found, then the projects.",
        LOOK,
        "back",
        _PLACES,
        rank=1,
    ),
    Action("close_projects", "q,o", "Close", "Back to the memories.", LOOK, "", _PLACES),
)
"""Rows of the registry."""
