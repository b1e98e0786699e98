"""The actions of the team screen, and the key that leads there."""

from __future__ import annotations

from memtui.tui.actions.base import APP, CHANGE, LOOK, Action, Situation

_ARRIVED, _CLASHES = ("arrived",), ("clashes",)


def needs_team_row(now: Situation) -> str | None:
    """There has to be something under the cursor."""
    return None if now.selected else "there is nothing here"


def changes_team(now: Situation) -> str | None:
    """Something is going to be changed, here or for everybody."""
    if now.read_only:
        return "this is a read-only view"
    return "another change is still being written" if now.busy else None


def decides_arrival(now: Situation) -> str | None:
    """The cursor has to stand on a change by others."""
    if reason := changes_team(now):
        return reason
    if now.team_list in _ARRIVED and now.selected:
        return None
    return "no change by others is selected; 1 shows them"


def decides_arrivals(now: Situation) -> str | None:
    """There have to be changes by others, and their list be in sight."""
    if reason := changes_team(now):
        return reason
    if not now.arrivals:
        return "nothing of others waits"
    return None if now.team_list in _ARRIVED else "no change by others is selected; 1 shows them"


def decides_clash(now: Situation) -> str | None:
    """The cursor has to stand on what both sides changed."""
    if reason := changes_team(now):
        return reason
    if now.team_list in _CLASHES and now.selected:
        return None
    return "nothing that both changed is selected; 2 shows it"


def keeps_both(now: Situation) -> str | None:
    """The cursor has to stand on two memories that may stay two."""
    if reason := decides_clash(now):
        return reason
    return None if now.team_pair else "there is one memory here, of which one text can stand"


def syncs(now: Situation) -> str | None:
    """It has to be shared at all."""
    if not now.shared:
        return "these memories are not shared"
    if now.read_only:
        return "this is a read-only view"
    return "it is being synced" if now.syncing else None


def joins(now: Situation) -> str | None:
    """It must not be shared yet, and may be."""
    if now.shared:
        return "these memories are shared already; 'memtui team leave' ends it"
    return changes_team(now)


def releases(now: Situation) -> str | None:
    """The cursor has to stand on something that the secret guard holds back."""
    if reason := changes_team(now):
        return reason
    return None if now.held_secret else "nothing that the secret guard holds back is selected; 3 shows it"


_PLACES = ("team",)

TEAM = (
    Action(
        "team",
        "t",
        "Team",
        "What others shared and what waits to be decided, who changed what, how the sync stands.",
        LOOK,
        "team",
        ("browse", "detail"),
        rank=59,
        quiet=True,
    ),
    Action(
        "accept_arrival",
        "a",
        "Accept",
        "Make the change by others yours, exactly as shown.",
        CHANGE,
        "accept",
        _PLACES,
        decides_arrival,
        rank=7,
        quiet=True,
    ),
    Action(
        "decline_arrival",
        "x",
        "Decline",
        "Leave yours as it is; shown again when others change it.",
        CHANGE,
        "decline",
        _PLACES,
        decides_arrival,
        rank=8,
        quiet=True,
    ),
    Action(
        "accept_arrivals",
        "A",
        "Accept all",
        "Every change by others; names them and asks first.",
        CHANGE,
        "all",
        _PLACES,
        decides_arrivals,
        rank=14,
        quiet=True,
    ),
    Action(
        "choose_mine",
        "m",
        "Mine for everybody",
        "Of what both changed: mine is shared; theirs stays as an old version.",
        CHANGE,
        "mine",
        _PLACES,
        decides_clash,
        rank=9,
        quiet=True,
    ),
    Action(
        "choose_theirs",
        "t",
        "Theirs stays",
        "Of what both changed: theirs is what everybody has; undo brings mine back.",
        CHANGE,
        "theirs",
        _PLACES,
        decides_clash,
        rank=10,
        quiet=True,
    ),
    Action(
        "choose_both",
        "b",
        "Both stay",
        "Of two memories that met, one name or renamed by both: each stays under its own.",
        CHANGE,
        "both",
        _PLACES,
        keeps_both,
        rank=11,
        quiet=True,
    ),
    Action(
        "give_mine",
        "m",
        "Mine for everybody",
        "Of the three texts: mine is shared, at once; theirs stays as an old version.",
        CHANGE,
        "mine",
        ("team_conflict",),
        changes_team,
        rank=10,
    ),
    Action(
        "leave_theirs",
        "t",
        "Theirs stays",
        "Of the three texts: theirs is what everybody has, at once; undo brings mine back.",
        CHANGE,
        "theirs",
        ("team_conflict",),
        changes_team,
        rank=11,
    ),
    Action(
        "edit_before_sharing",
        "b",
        "Edit the merged text",
        "Of the three texts: go on with the merged one in the editor; what is saved there is shared, nothing before.",
        CHANGE,
        "merged",
        ("team_conflict",),
        changes_team,
        rank=12,
    ),
    Action(
        "close_team_conflict",
        "escape",
        "Back",
        "Back to the list; nothing is decided.",
        LOOK,
        "back",
        ("team_conflict",),
        rank=1,
    ),
    Action(
        "release_held",
        "r",
        "Let through",
        "What the secret guard holds back and is no secret: it waits like any other; asks for its name, which the audit log keeps.",
        CHANGE,
        "let through",
        _PLACES,
        releases,
        rank=13,
        quiet=True,
    ),
    Action(
        "join_team",
        "i",
        "Share",
        "Share this directory with a team: shows what would go out, and asks for the remote.",
        CHANGE,
        "share",
        _PLACES,
        joins,
        rank=6,
        quiet=True,
    ),
    Action(
        "sync_team",
        "S",
        "Sync now",
        "Share and fetch without waiting.",
        CHANGE,
        "sync",
        _PLACES,
        syncs,
        rank=12,
        quiet=True,
    ),
    Action(
        "open_team_row",
        "enter",
        "Look at it",
        "To the text; of what both changed: mine, theirs and merged beside each other.",
        LOOK,
        "look",
        _PLACES,
        needs_team_row,
        rank=20,
    ),
    Action("tab_arrived", "1", "Arrived", "Changes by others that wait.", LOOK, "", _PLACES),
    Action("tab_clashes", "2", "Both changed", "What waits to be decided.", LOOK, "", _PLACES),
    Action("tab_held", "3", "Held back", "What is not taken, or not shared, and why.", LOOK, "", _PLACES),
    Action("tab_team_log", "4", "Log", "Who changed what.", LOOK, "", _PLACES),
    Action(
        "next_team_tab",
        "right,l",
        "Next list",
        "Arrived, both changed, held back, log.",
        LOOK,
        "lists",
        _PLACES,
        rank=16,
    ),
    Action(
        "previous_team_tab",
        "left",
        "Previous list",
        "Log, held back, both changed, arrived.",
        LOOK,
        "",
        _PLACES,
    ),
    Action(
        "other_side_of_team",
        "tab,shift+tab",
        "Other pane",
        "From the list to the text, and back.",
        LOOK,
        "",
        _PLACES,
    ),
    Action(
        "back_from_team", "escape", "Back", "Leave the text, then the team.", LOOK, "back", _PLACES, rank=1
    ),
    Action("close_team", "q", "Close", "Back to the memories.", LOOK, "", _PLACES),
    Action("join_now", "enter", "Share", "Ask the remote, then share.", CHANGE, "", ("join",)),
    Action(
        "cancel_join", "escape", "Cancel", "Give up what is asked; then share nothing.", APP, "", ("join",)
    ),
)
"""Rows of the registry."""
