"""The actions of the checks, and the key that leads there."""

from __future__ import annotations

from memtui.tui.actions.base import CHANGE, LOOK, Action, Situation, changes


def needs_finding(now: Situation) -> str | None:
    """A finding has to be selected."""
    return None if now.finding else "no finding is selected"


def mends(now: Situation) -> str | None:
    """The finding has to have a mechanical fix."""
    if reason := changes(now) or needs_finding(now):
        return reason
    return None if now.fixable else "this one takes a person: the text says what to do"


def mends_alike(now: Situation) -> str | None:
    """Some finding of the rule has to have a mechanical fix: of many that want a line only some may fit."""
    return mends(now) if not now.fixable_alike else changes(now) or needs_finding(now)


def edits_there(now: Situation) -> str | None:
    """The finding has to be about a memory; the index is mended by fixes or in an editor."""
    if reason := changes(now) or needs_finding(now):
        return reason
    return None if now.selected else "it is about the index, not about a memory"


def merges_doubles(now: Situation) -> str | None:
    """The finding has to be about two memories that say the same."""
    if reason := changes(now) or needs_finding(now):
        return reason
    return None if now.twin else "it is not about two memories that say the same"


_PLACES = ("checks",)

CHECKS = (
    Action(
        "checks",
        "c",
        "Checks",
        "Everything that was found in the directory, worst first, with its fixes.",
        LOOK,
        "checks",
        places=("browse", "detail"),
        rank=23,
    ),
    Action(
        "fix",
        "x",
        "Fix this",
        "Show what would change, then mend this finding.",
        CHANGE,
        "fix",
        _PLACES,
        mends,
        rank=15,
    ),
    Action(
        "fix_all",
        "X",
        "Fix all of this kind",
        "Show what would change, then mend every finding of this rule in one change.",
        CHANGE,
        "fix all",
        _PLACES,
        mends_alike,
        rank=16,
    ),
    Action(
        "go_to_memory",
        "enter",
        "Go to the memory",
        "Leave the checks, with the cursor on the memory it is about; of the index, look at what loads.",
        LOOK,
        "go there",
        _PLACES,
        needs_finding,
        rank=20,
    ),
    Action(
        "merge_doubles",
        "m",
        "Merge the two",
        "Make one of two memories that say the same; shows all that would happen first.",
        CHANGE,
        "merge",
        _PLACES,
        merges_doubles,
        rank=9,
        quiet=True,
    ),
    Action(
        "edit_there",
        "e",
        "Edit the memory",
        "Leave the checks, and edit the memory it is about.",
        CHANGE,
        "edit",
        _PLACES,
        edits_there,
        rank=21,
    ),
    Action(
        "this_file",
        "t",
        "Only this file",
        "Show what was found about this memory only, or about everything again.",
        LOOK,
        "this file",
        _PLACES,
        rank=30,
    ),
    Action(
        "filter_findings",
        "slash",
        "Filter",
        "Narrow as you type: words, rule: severity: is:fixable, - for not.",
        LOOK,
        "filter",
        _PLACES,
        rank=10,
    ),
    Action(
        "back_from_checks",
        "escape",
        "Back",
        "Leave the text, then the filter, then the checks.",
        LOOK,
        "back",
        _PLACES,
        rank=1,
    ),
    Action("close_checks", "q", "Close", "Back to the memories.", LOOK, "", _PLACES),
)
"""Rows of the registry."""
