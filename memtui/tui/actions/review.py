"""The actions of the review, and the key that leads there."""

from __future__ import annotations

from memtui.tui.actions.base import CHANGE, LOOK, Action, Situation

BROKEN_FILE = "broken"
"""What waits is a file that is no proposal."""


def needs_item(now: Situation) -> str | None:
    """There has to be something under the cursor."""
    return None if now.selected else "there is nothing here"


def decides(now: Situation) -> str | None:
    """Something that waits is going to be decided on; a decision that is being written does not stand in the way."""
    if now.read_only:
        return "this is a read-only view"
    if now.missing:
        return "the directory does not exist"
    return None if now.marked else needs_item(now)


def accepts(now: Situation) -> str | None:
    """It has to fit what stands there now."""
    if reason := decides(now):
        return reason
    if now.marked:
        return None
    if now.waits == BROKEN_FILE:
        return "this file is no proposal"
    return None if now.fits else "it does not fit what stands there now"


def rejects(now: Situation) -> str | None:
    """What was there before has to be known; a file that is no proposal has to be one that memtui may remove."""
    if reason := decides(now):
        return reason
    if now.marked or now.takes_back:
        return None
    if now.waits == BROKEN_FILE:
        return "remove this file by hand"
    return "the text as you last saw it is not known"


def edits_item(now: Situation) -> str | None:
    """It has to be a proposal that writes a text."""
    if reason := decides(now._replace(marked=0)):
        return reason
    return None if now.writes else "this one writes no text"


def merges_item(now: Situation) -> str | None:
    """It has to be a proposal of one text."""
    if reason := decides(now._replace(marked=0)):
        return reason
    return None if now.mergeable else "only a proposal to create or update one memory can go into another"


def decides_on_all(now: Situation) -> str | None:
    """The list must not be empty."""
    return decides(now._replace(marked=0, selected=bool(now.total)))


_PLACES = ("review",)

REVIEW = (
    Action(
        "review",
        "r",
        "Review",
        "What models propose, and what others changed since you last looked: accept, edit, reject, revert.",
        LOOK,
        "review",
        ("browse", "detail"),
        rank=45,
    ),
    Action(
        "accept_item",
        "a",
        "Accept or keep",
        "Make the proposal (or all marked) a memory, exactly as shown; keep what others changed as it is.",
        CHANGE,
        "accept",
        _PLACES,
        accepts,
        rank=7,
    ),
    Action(
        "reject_item",
        "x",
        "Reject or revert",
        "Take the proposal (or all marked) out, never to be proposed again; undo what others changed.",
        CHANGE,
        "reject",
        _PLACES,
        rejects,
        rank=8,
    ),
    Action(
        "edit_item",
        "e",
        "Edit, then accept",
        "Open the proposed text in the editor; what is saved there is accepted.",
        CHANGE,
        "edit",
        _PLACES,
        edits_item,
        rank=9,
        typed=True,
    ),
    Action(
        "merge_item",
        "m",
        "Merge into another",
        "Choose a memory, and go on in the editor with both texts; saved there, the proposal is accepted.",
        CHANGE,
        "merge",
        _PLACES,
        merges_item,
        rank=10,
    ),
    Action(
        "mark_item",
        "space",
        "Mark",
        "Mark what is under the cursor, or unmark it: a and x then work on all that is marked.",
        CHANGE,
        "mark",
        _PLACES,
        needs_item,
        rank=11,
    ),
    Action(
        "accept_all",
        "A",
        "Accept all listed",
        "Everything that the filter lets through; shows all that would happen first.",
        CHANGE,
        "",
        _PLACES,
        decides_on_all,
    ),
    Action(
        "reject_all",
        "X",
        "Reject all listed",
        "Everything that the filter lets through; shows all that would happen first.",
        CHANGE,
        "",
        _PLACES,
        decides_on_all,
    ),
    Action(
        "open_item",
        "enter",
        "Read",
        "To the text: reason, evidence, checks and change.",
        LOOK,
        "read",
        _PLACES,
        needs_item,
        rank=20,
    ),
    Action(
        "item_view",
        "f",
        "Changes, all lines, new text",
        "What of the change is shown.",
        LOOK,
        "all",
        _PLACES,
        needs_item,
        rank=34,
    ),
    Action(
        "fold_item",
        "w",
        "Reason, evidence and checks in full",
        "In full, or in a line each, so that a small screen has room for the text.",
        LOOK,
        "why",
        _PLACES,
        needs_item,
        rank=11,
    ),
    Action(
        "filter_items",
        "slash",
        "Filter",
        "Narrow the list as you type: words, kind: source:, - for not.",
        LOOK,
        "filter",
        _PLACES,
        rank=16,
    ),
    Action(
        "sort_items",
        "s",
        "Sort by the next order",
        "Oldest first, newest first, by name; within each group.",
        LOOK,
        "",
        _PLACES,
    ),
    Action(
        "other_part_of_review",
        "tab,shift+tab",
        "Other pane",
        "From the list to the text beside it, and back.",
        LOOK,
        "",
        _PLACES,
    ),
    Action(
        "back_from_review",
        "escape",
        "Back",
        "Leave the text, then the filter, then the marks, then the review.",
        LOOK,
        "back",
        _PLACES,
        rank=1,
    ),
    Action("close_review", "q,r", "Close", "Back to the memories.", LOOK, "", _PLACES),
    # the dialog in which a memory is chosen
    Action(
        "take_target", "enter", "Take it", "Merge into the memory under the cursor.", CHANGE, "", ("target",)
    ),
    Action("next_target", "down", "Next", "The next memory.", LOOK, "", ("target",)),
    Action("previous_target", "up", "Previous", "The memory before.", LOOK, "", ("target",)),
    Action("leave_target", "escape", "Close", "Merge into none.", LOOK, "", ("target",)),
)
"""Rows of the registry."""
