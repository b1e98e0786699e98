"""The actions of the editor and of the dialogs around it, and the keys that lead there."""

from __future__ import annotations

from memtui.tui.actions.base import APP, CHANGE, LOOK, MOVE, Action, Situation, begins, changes, needs_memory


def edits(now: Situation) -> str | None:
    """The memory under the cursor has to be in force."""
    if reason := changes(now) or needs_memory(now):
        return reason
    return None if now.active else "this is an old version; only its successor can be changed"


def saves(now: Situation) -> str | None:
    """There has to be something to save."""
    return begins(now) or (None if now.unsaved else "nothing was changed")


def needs_twin(now: Situation) -> str | None:
    """Some memory has to say nearly the same."""
    return None if now.twin else "no memory says nearly the same"


def merges_in(now: Situation) -> str | None:
    """The same, and something is going to be written."""
    return changes(now) or needs_twin(now)


def compares(now: Situation) -> str | None:
    """The file has to be another one than the edit began with."""
    return None if now.outdated else "nobody has changed the file meanwhile"


_PLACES = ("edit",)
_LIST = ("edit_checks",)

EDIT = (
    Action(
        "new",
        "n",
        "New memory",
        "Write a new memory, checked as you type.",
        CHANGE,
        "new",
        blocked=begins,
        rank=24,
        typed=True,
    ),
    Action(
        "edit",
        "e",
        "Edit",
        "Edit the memory, checked as you type; the old text stays as a version.",
        CHANGE,
        "edit",
        places=("browse", "detail"),
        blocked=edits,
        rank=25,
        typed=True,
    ),
    Action(
        "edit_outside",
        "E",
        "Edit in $EDITOR",
        "Open a copy in your own editor, and save what it leaves.",
        CHANGE,
        places=("browse", "detail"),
        blocked=edits,
    ),
    Action(
        "save",
        "ctrl+s",
        "Save",
        "Save; what stood there stays as a version.",
        CHANGE,
        "save",
        _PLACES,
        saves,
        rank=2,
    ),
    Action(
        "next_problem",
        "ctrl+n,f8",
        "Next finding",
        "Go to the next marked word of the text.",
        MOVE,
        "next",
        _PLACES,
        rank=10,
    ),
    Action(
        "previous_problem",
        "ctrl+b,shift+f8",
        "Previous finding",
        "Go to the marked word before.",
        MOVE,
        places=_PLACES,
    ),
    Action(
        "to_checks",
        "ctrl+l",
        "List of findings",
        "Go to the list of findings, or back to the text.",
        MOVE,
        "list",
        _PLACES,
        rank=20,
    ),
    Action(
        "beside",
        "ctrl+t",
        "Double beside the text",
        "Show the memory that says nearly the same beside the text, or hide it.",
        LOOK,
        "beside",
        _PLACES,
        needs_twin,
        rank=30,
        quiet=True,
    ),
    Action(
        "merge_into",
        "ctrl+o",
        "Merge into the double",
        "Go on with both texts in the memory that says nearly the same; saving makes them one.",
        CHANGE,
        "merge",
        _PLACES,
        merges_in,
        rank=31,
        quiet=True,
    ),
    Action(
        "compare",
        "ctrl+r",
        "Compare with the disk",
        "Mine, theirs and merged, where somebody changed the file meanwhile.",
        LOOK,
        "compare",
        _PLACES,
        compares,
        rank=3,
        quiet=True,
    ),
    Action("edit_help", "f1", "Keys", "Every key of the editor.", APP, "help", _PLACES, rank=40),
    Action(
        "leave",
        "escape",
        "Back",
        "Back to the text, then to the memories; asks first.",
        LOOK,
        "back",
        _PLACES,
        rank=1,
    ),
    Action("finding_down", "j,down", "Next", "The next finding.", MOVE, places=_LIST),
    Action("finding_up", "k,up", "Previous", "The finding before.", MOVE, places=_LIST),
    Action(
        "go_to_finding",
        "enter",
        "Go there",
        "Into the text, where it stands.",
        MOVE,
        "go there",
        _LIST,
        rank=10,
    ),
    Action("typed_yes", "enter", "Go on", "Once the word stands there.", CHANGE, "", ("typed",)),
    Action("typed_no", "escape", "Cancel", "Change nothing.", APP, "", ("typed",)),
    Action("take_draft", "y,enter", "Take it up", "Go on with the unsaved text.", CHANGE, "take", ("draft",)),
    Action(
        "drop_draft",
        "delete",
        "Throw it away",
        "Remove the unsaved text for good.",
        CHANGE,
        "drop",
        ("draft",),
    ),
    Action("keep_draft", "escape", "Later", "Leave it where it is.", APP, "later", ("draft",)),
    Action("save_and_leave", "s", "Save", "Save, then leave.", CHANGE, "save", ("leave",)),
    Action("discard", "d", "Discard", "Throw away what was typed.", CHANGE, "discard", ("leave",)),
    Action("stay", "escape", "Stay", "Go on typing.", APP, "stay", ("leave",)),
    Action(
        "write_again",
        "s",
        "Save mine",
        "Write the file again, with what was typed.",
        CHANGE,
        "save",
        ("gone",),
    ),
    Action(
        "put_back",
        "r",
        "Put it back",
        "Write the file again as it was, then go on typing.",
        CHANGE,
        "back",
        ("gone",),
    ),
    Action("discard_gone", "d", "Discard", "Throw away what was typed.", CHANGE, "discard", ("gone",)),
    Action("stay_gone", "escape", "Stay", "Go on typing; nothing is decided.", APP, "stay", ("gone",)),
    Action(
        "keep_mine",
        "m",
        "Keep mine",
        "Save mine over whatever stands there by then; that stays as an old version.",
        CHANGE,
        "mine",
        ("conflict",),
        rank=10,
    ),
    Action(
        "take_theirs",
        "t",
        "Take theirs",
        "Go on with theirs; nothing is written.",
        CHANGE,
        "theirs",
        ("conflict",),
        rank=11,
    ),
    Action(
        "take_both",
        "b",
        "Take both",
        "Go on with the merged text; nothing is written.",
        CHANGE,
        "merged",
        ("conflict",),
        rank=12,
    ),
    Action(
        "next_side",
        "tab,right",
        "Next text",
        "Mine, theirs or merged.",
        LOOK,
        "text",
        ("conflict", "team_conflict"),
        rank=20,
    ),
    Action(
        "previous_side",
        "shift+tab,left",
        "Previous text",
        "The one before.",
        LOOK,
        "",
        ("conflict", "team_conflict"),
    ),
    Action(
        "close_conflict",
        "escape",
        "Back",
        "Back to your text; nothing is decided.",
        LOOK,
        "back",
        ("conflict",),
        rank=1,
    ),
)
"""Rows of the registry."""
