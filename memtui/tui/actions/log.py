"""The actions of the daily log, and the key that leads there."""

from __future__ import annotations

from memtui.tui.actions.base import APP, CHANGE, LOOK, Action, Situation


def needs_day(now: Situation) -> str | None:
    """There has to be a day with a log."""
    return None if now.selected else "there is nothing here"


def appends(now: Situation) -> str | None:
    """The log has to be switched on, and the directory changeable."""
    if now.read_only:
        return "this is a read-only view"
    if not now.logging:
        return "the log is switched off: set KAIROS=1, or daily_log = true in your configuration file"
    return "another change is still being written" if now.busy else None


_PLACES = ("log",)

LOG = (
    Action(
        "log",
        "l",
        "Daily log",
        "What was logged day by day, by agents and by hand; add a line.",
        LOOK,
    ),
    Action(
        "append_line",
        "n",
        "Add a line",
        "Write a line into today's log; nothing in a log is ever rewritten.",
        CHANGE,
        "add",
        _PLACES,
        appends,
        rank=10,
        typed=True,
    ),
    Action("read_day", "enter", "Read", "To the text of the day.", LOOK, "read", _PLACES, needs_day, rank=20),
    Action(
        "other_part_of_log",
        "tab,shift+tab",
        "Other pane",
        "From the days to the text, and back.",
        LOOK,
        "",
        _PLACES,
    ),
    Action("back_from_log", "escape", "Back", "Leave the text, then the log.", LOOK, "back", _PLACES, rank=1),
    Action("close_log", "q,l", "Close", "Back to the memories.", LOOK, "", _PLACES),
    # the dialog one writes a line in
    Action("write_line", "enter", "Write", "Write the line.", CHANGE, "", ("log_line",)),
    Action("cancel_line", "escape", "Cancel", "Write nothing.", APP, "", ("log_line",)),
)
"""Rows of the registry."""
