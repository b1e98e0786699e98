"""Actions of the list and of one memory that work on what is marked or shown, and of the dialogs around them."""

from __future__ import annotations

from memtui.tui.actions.base import (
    APP,
    CHANGE,
    LOOK,
    MOVE,
    Action,
    Situation,
    changes,
    changes_active,
    needs_memory,
)


def needs_rows(now: Situation) -> str | None:
    """There has to be a memory in the list."""
    return None if now.total else "there is no memory here"


def merges(now: Situation) -> str | None:
    """Two memories have to be marked at least, or another one say the same."""
    ready = now.marked > 1 or (now.twin and not now.marked)
    return changes(now) or (None if ready else "mark two memories or more first")


def goes_back(now: Situation) -> str | None:
    """A link has to have been followed."""
    return None if now.followed else "no link was followed"


def resumes(now: Situation) -> str | None:
    """There has to be text that was not saved."""
    return changes(now) or (None if now.drafts else "no text is unsaved")


_BOTH = ("browse", "detail")

BROWSE = (
    Action(
        "link_back",
        "backspace",
        "Back along the link",
        "To the memory that a followed link stood in.",
        MOVE,
        "link back",
        _BOTH,
        goes_back,
        rank=3,
        quiet=True,
    ),
    Action(
        "open_draft",
        "U",
        "Unsaved text",
        "Go on with text that was typed and not saved: of the memory one is on, else the newest.",
        CHANGE,
        "unsaved",
        ("browse",),
        resumes,
        rank=2,
        quiet=True,
    ),
    Action(
        "detail_full",
        "D",
        "Whole screen",
        "Read the memory on a screen of its own.",
        LOOK,
        blocked=needs_memory,
    ),
    Action(
        "source_view",
        "M",
        "Source or rendered",
        "Show the text as it stands in the file, or rendered again.",
        LOOK,
        "",
        _BOTH,
        needs_memory,
    ),
    Action(
        "columns",
        "C",
        "Columns and rows",
        "Choose what each row shows, and whether it has one line or two.",
        LOOK,
        blocked=needs_rows,
    ),
    Action("density", "full_stop", "Compact or comfortable", "One line for each memory, or two.", LOOK),
    Action(
        "mark_all",
        "A",
        "Mark all listed",
        "Mark every memory that the list shows now; again: unmark them.",
        CHANGE,
        blocked=needs_rows,
    ),
    Action(
        "invert_marks",
        "I",
        "Invert the marks",
        "Mark what is listed and not marked, and unmark the rest.",
        CHANGE,
        blocked=needs_rows,
    ),
    Action(
        "merge",
        "m",
        "Merge",
        "Make one of the marked memories, or of this one and its double; shows all that would happen first.",
        CHANGE,
        "merge",
        blocked=merges,
        rank=72,
        quiet=True,
    ),
    Action(
        "set_type",
        "T",
        "Change the type",
        "Another type for the memory (or all marked); shows all that would happen first.",
        CHANGE,
        "",
        _BOTH,
        changes_active,
    ),
    Action(
        "copy",
        "y",
        "Copy",
        "Path, file name, text or link of the memory, into the clipboard where the terminal allows it.",
        APP,
        "copy",
        _BOTH,
        needs_memory,
        rank=75,
    ),
    # the line one types the filter into
    Action(
        "complete_filter",
        "tab",
        "Complete",
        "Complete the condition one is typing.",
        LOOK,
        "complete",
        ("filter",),
        rank=60,
    ),
    # one memory on a screen of its own
    Action(
        "follow",
        "enter",
        "Follow the link",
        "Go to the memory of the link gone to.",
        LOOK,
        "follow",
        ("detail",),
        rank=20,
    ),
    Action(
        "next_memory",
        "right,l",
        "Next memory",
        "The next one of the list.",
        MOVE,
        "next",
        ("detail",),
        rank=22,
    ),
    Action("previous_memory", "left", "Previous memory", "The one before.", MOVE, "", ("detail",)),
    Action(
        "close_detail",
        "escape,q",
        "Back to the list",
        "Back to the list, on this memory.",
        LOOK,
        "back",
        ("detail",),
        rank=1,
    ),
    # dialogs
    Action(
        "other_part",
        "tab,shift+tab",
        "Other part",
        "From the choices to the text, and back.",
        MOVE,
        "",
        ("bulk",),
    ),
    Action(
        "edit_merged",
        "e",
        "Edit it first",
        "Go on with the merged text in the editor.",
        CHANGE,
        "",
        ("bulk",),
    ),
    Action("pick", "enter", "Take it", "Take what the cursor is on.", APP, "", ("pick",)),
    Action("toggle", "space,enter", "On or off", "Show it or not.", APP, "", ("columns",)),
    Action("leave_dialog", "escape,q", "Close", "Close the dialog.", APP, "", ("pick", "columns")),
)
"""Rows of the registry."""
