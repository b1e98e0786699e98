"""What an action is, and what decides whether it can be done now; the tables of actions are made of this."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Situation(NamedTuple):
    """What decides whether an action makes sense now.

    Attributes:
        selected: whether the cursor stands on a memory.
        active: whether that memory is a version in force.
        marked: number of memories marked.
        read_only: whether changes are switched off.
        missing: whether the directory does not exist.
        creatable: whether a first memory would make it.
        busy: whether a change is being written.
        loading: whether the first look at the directory is still going on.
        undo: label of what undo would take back; None if nothing.
        redo: label of what redo would do again; None if nothing.
        total: memories in the directory.
        away: whether there is something to step back from: a text, a filter, marks.
        finding: whether the cursor stands on a finding.
        fixable: whether that finding has a mechanical fix.
        fixable_alike: whether one listed of its rule has.
        text: whether there is a text to take along.
        trashed: whether the cursor stands on a file in the trash.
        unsaved: whether something was typed that is in no memory yet.
        twin: whether another memory says nearly the same.
        outdated: whether the file that is edited was changed by somebody else.
        followed: whether a link was followed to get here.
        drafts: texts that were typed and not saved.
        others: whether the machine's other stores are within reach.
        adoptable: whether the cursor stands on another store than the one that is open.
        asked: whether a question was typed.
        model: whether a model is set up.
        team: whether memories may go to the team, or the one under the cursor is the team's.
        logging: whether the daily log is switched on.
        waits: what of the review the cursor stands on: ``proposal``, ``change`` or ``broken``; empty for none.
        fits: whether it can be accepted as things stand.
        takes_back: whether it can be rejected, or reverted.
        writes: whether it proposes a text.
        mergeable: whether that text may go into another memory.
        team_list: which list of the team screen is shown.
        held_secret: whether the cursor stands on something there that the secret guard holds back.
        team_pair: whether the cursor stands on two memories there that may stay two.
        arrivals: changes by others that wait.
        shared: whether the directory is shared with a team.
        syncing: whether it is being synced.
    """

    selected: bool = False
    active: bool = False
    marked: int = 0
    read_only: bool = False
    missing: bool = False
    creatable: bool = False
    busy: bool = False
    loading: bool = False
    undo: str | None = None
    redo: str | None = None
    total: int = 0
    away: bool = False
    finding: bool = False
    fixable: bool = False
    fixable_alike: bool = False
    text: bool = False
    trashed: bool = False
    unsaved: bool = False
    twin: bool = False
    outdated: bool = False
    followed: bool = False
    drafts: int = 0
    others: bool = False
    adoptable: bool = False
    asked: bool = False
    model: bool = False
    team: bool = False
    logging: bool = False
    waits: str = ""
    fits: bool = True
    takes_back: bool = True
    writes: bool = False
    mergeable: bool = False
    team_list: str = ""
    held_secret: bool = False
    team_pair: bool = False
    arrivals: int = 0
    shared: bool = False
    syncing: bool = False


Blocked = Callable[[Situation], str | None]
"""Gives the reason why something cannot be done now, or None."""


def always(_: Situation) -> str | None:
    """Nothing stands in the way, ever."""
    return None


def needs_memory(now: Situation) -> str | None:
    """A memory has to be selected."""
    if now.selected:
        return None
    if now.loading:
        return "memories are still being read"
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


def begins(now: Situation) -> str | None:
    """Something is going to be written, which makes the directory where there is none yet."""
    return changes(now._replace(missing=False) if now.creatable else now)


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


class Action(NamedTuple):
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
        typed: whether one types a text where it leads: refused, it must not let that text become commands.
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
    typed: bool = False


MOVE, LOOK, CHANGE, APP = "Move", "Look", "Change", "App"
