"""The actions of the history and of the activity, and the keys that lead there."""

from __future__ import annotations

from memtui.tui.actions.base import CHANGE, LOOK, Action, Situation, changes, needs_memory


def needs_version(now: Situation) -> str | None:
    """There has to be a version."""
    return None if now.selected else "no version is left"


def restores(now: Situation) -> str | None:
    """An old version has to be selected."""
    if reason := changes(now) or needs_version(now):
        return reason
    return "this is the version in force" if now.active else None


def needs_row(now: Situation) -> str | None:
    """There has to be something under the cursor."""
    return None if now.selected else "there is nothing here"


def takes_out(now: Situation) -> str | None:
    """A file in the trash has to be selected whose name is free (``active`` says it is not)."""
    if reason := changes(now):
        return reason
    if not now.trashed:
        return "no file in the trash is selected; 2 shows the trash"
    return "a memory of that name is there again" if now.active else None


_HISTORY, _ACTIVITY = ("history",), ("activity",)
_DIFFS = ("history", "review")

HISTORY = (
    Action(
        "versions",
        "h",
        "History",
        "The versions of the memory: compare any two, read one, restore one.",
        LOOK,
        "history",
        places=("browse", "detail"),
        blocked=needs_memory,
        rank=40,
    ),
    Action(
        "activity",
        "a",
        "Activity",
        "What was done when and by whom, the trash, and the calls of agents.",
        LOOK,
        "activity",
        ("browse", "detail", "history"),
        rank=65,
    ),
    Action(
        "mark_version",
        "space",
        "Compare with this one",
        "Mark the version as A; the cursor's is compared with it. Again: with the one before, as at first.",
        LOOK,
        "mark A",
        _HISTORY,
        needs_version,
        rank=10,
    ),
    Action(
        "diff_layout",
        "u",
        "Unified or side by side",
        "Show the two texts one under the other, or beside each other.",
        LOOK,
        "layout",
        _DIFFS,
        rank=12,
    ),
    Action(
        "equal_lines",
        "f",
        "Equal lines too",
        "Show everything, or changes only.",
        LOOK,
        "all",
        _HISTORY,
        rank=40,
    ),
    Action(
        "next_change",
        "right_square_bracket",
        "Next change",
        "Scroll to the next change.",
        LOOK,
        "",
        _DIFFS,
    ),
    Action(
        "previous_change",
        "left_square_bracket",
        "Previous change",
        "Scroll to the change before.",
        LOOK,
        "",
        _DIFFS,
    ),
    Action(
        "read_version",
        "enter",
        "Read it whole",
        "The text of this version, by itself.",
        LOOK,
        "read",
        _HISTORY,
        needs_version,
        rank=20,
    ),
    Action(
        "restore_version",
        "R",
        "Restore",
        "Make this version the one in force; the one that is now is kept. Asks first.",
        CHANGE,
        "restore",
        _HISTORY,
        restores,
        rank=15,
    ),
    Action(
        "other_side",
        "tab,shift+tab",
        "Other pane",
        "From the list to the text, and back.",
        LOOK,
        "",
        ("history", "activity"),
    ),
    Action(
        "back_from_history",
        "escape",
        "Back",
        "Leave the text, then the history.",
        LOOK,
        "back",
        _HISTORY,
        rank=1,
    ),
    Action("close_history", "q", "Close", "Back to where you were.", LOOK, "", _HISTORY),
    Action(
        "tab_changes", "1", "Changes", "What was changed through memtui, newest first.", LOOK, "", _ACTIVITY
    ),
    Action(
        "tab_trash", "2", "Trash", "Forgotten files that can be taken out one by one.", LOOK, "", _ACTIVITY
    ),
    Action("tab_calls", "3", "Calls", "The log of tool calls.", LOOK, "", _ACTIVITY),
    Action(
        "next_tab",
        "right,l",
        "Next list",
        "Changes, trash, calls.",
        LOOK,
        "lists",
        _ACTIVITY,
        rank=12,
    ),
    Action("previous_tab", "left", "Previous list", "Calls, trash, changes.", LOOK, "", _ACTIVITY),
    Action(
        "open_row",
        "enter",
        "Look at it",
        "What the change did to the texts; of a file in the trash, its text.",
        LOOK,
        "look",
        _ACTIVITY,
        needs_row,
        rank=20,
    ),
    Action(
        "restore_file",
        "R",
        "Take out of the trash",
        "Put the file back where it was, with its line in MEMORY.md.",
        CHANGE,
        "take out",
        _ACTIVITY,
        takes_out,
        rank=15,
        quiet=True,
    ),
    Action(
        "row_history",
        "h",
        "History of the memory",
        "The versions of the memory it is about.",
        LOOK,
        "history",
        _ACTIVITY,
        needs_row,
        rank=30,
    ),
    Action(
        "back_from_activity",
        "escape",
        "Back",
        "Leave the text, then the activity.",
        LOOK,
        "back",
        _ACTIVITY,
        rank=1,
    ),
    Action("close_activity", "q", "Close", "Back to where you were.", LOOK, "", _ACTIVITY),
)
"""Rows of the registry."""
