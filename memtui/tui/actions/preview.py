"""The actions of the preview and of saving its text, and the key that leads there."""

from __future__ import annotations

from memtui.tui.actions.base import APP, LOOK, Action, Situation

TEXT, PROMPT = "Text", "What is in it"


def needs_text(now: Situation) -> str | None:
    """There has to be a text."""
    return None if now.text else "there is no text"


def needs_question(now: Situation) -> str | None:
    """There has to be a question, and a model to ask."""
    if not now.model:
        return "no model is set up: set ANTHROPIC_API_KEY"
    return None if now.asked else "no question was typed"


_PLACES = ("preview",)

PREVIEW = (
    Action(
        "preview_full",
        "P",
        "Preview, whole",
        "Every text that is injected: reminder, index, system prompt, after a compaction; and why each memory is in or out.",
        LOOK,
        places=("browse", "detail"),
    ),
    Action(
        "preview_reminder", "1", "Reminder", "The block of memories in a system prompt.", TEXT, "", _PLACES
    ),
    Action("preview_index", "2", "Index load", "What a session gets of MEMORY.md.", TEXT, "", _PLACES),
    Action(
        "preview_prompt", "3", "System prompt", "All five sections; four are examples.", TEXT, "", _PLACES
    ),
    Action("preview_compaction", "4", "After compaction", "What is left then.", TEXT, "", _PLACES),
    Action("next_text", "tab", "Next text", "The next of the four.", TEXT, "text", _PLACES, rank=10),
    Action("previous_text", "shift+tab", "Previous text", "The one before.", TEXT, "", _PLACES),
    Action(
        "why",
        "w",
        "In or out, and why",
        "Go to the list of memories, or back to the text.",
        LOOK,
        "why",
        _PLACES,
        rank=15,
    ),
    Action(
        "ask_query",
        "slash",
        "Ask a question",
        "See which memories go with a question, offline at every key, and why the others do not.",
        PROMPT,
        "",
        _PLACES,
        rank=12,
    ),
    Action(
        "ask_model",
        "m",
        "Ask the model",
        "Let the model choose for the question, beside the offline choice; it costs the tokens that are then shown. Again calls it off.",
        PROMPT,
        "",
        _PLACES,
        needs_question,
        rank=13,
        quiet=True,
    ),
    Action(
        "keep_query", "enter", "Keep the question", "Back to the text.", PROMPT, "keep", ("query",), rank=10
    ),
    Action("clear_query", "escape", "No question", "Clear the line.", PROMPT, "clear", ("query",), rank=11),
    Action(
        "more",
        "plus,equals_sign",
        "One entry more",
        "Take one memory more.",
        PROMPT,
        "more",
        _PLACES,
        rank=20,
    ),
    Action("fewer", "minus", "One entry fewer", "Take one memory less.", PROMPT, "fewer", _PLACES, rank=21),
    Action(
        "next_budget",
        "b",
        "Next budget",
        "Most characters: none, 500, 1,000 and so on; entries are taken in order until it is full.",
        PROMPT,
        "budget",
        _PLACES,
        rank=30,
    ),
    Action("previous_budget", "B", "Previous budget", "The budget before.", PROMPT, "", _PLACES),
    Action(
        "later", "right", "A day later", "As it will read one day later.", PROMPT, "later", _PLACES, rank=40
    ),
    Action("earlier", "left", "A day earlier", "One day less.", PROMPT, "", _PLACES),
    Action(
        "month_later", "shift+right", "30 days later", "As it will read 30 days later.", PROMPT, "", _PLACES
    ),
    Action("month_earlier", "shift+left", "30 days earlier", "30 days less.", PROMPT, "", _PLACES),
    Action("today", "T", "As of today", "Back to today.", PROMPT, "", _PLACES),
    Action(
        "prompt_language",
        "L",
        "Language of the text",
        "Chinese or English labels and notes in what is injected.",
        PROMPT,
        "zh/en",
        _PLACES,
        rank=60,
    ),
    Action(
        "copy_text",
        "y",
        "Copy",
        "The text as it is, into the clipboard, where the terminal allows it.",
        APP,
        "copy",
        _PLACES,
        needs_text,
        rank=25,
    ),
    Action(
        "save_text",
        "s",
        "Save to a file",
        "The text as it is, into a new file.",
        APP,
        "save",
        _PLACES,
        needs_text,
        rank=26,
    ),
    Action("write_text", "enter", "Save", "Write the new file.", APP, "save", ("save_text",), rank=10),
    Action("cancel_text", "escape", "Cancel", "Write nothing.", APP, "cancel", ("save_text",), rank=11),
)
"""Rows of the registry."""
