"""Selection with a model: which memories go with a question (spec §13). What needs no model is in ``memory.relevance.selecting``."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from memtui.agent.llm import AnthropicModel, Model, Question, Request, user
from memtui.memory.errors import MemtuiError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.relevance.selecting import (
    DEFAULT_MAX_ENTRIES,
    Chooser,
    Reply,
    Selection,
    SelectionContext,
    select_memories,
)
from memtui.memory.types import Clock, Lang, MemoryEntry

__all__ = [
    "Chooser",
    "ModelChooser",
    "Selection",
    "SelectionContext",
    "find_relevant_memories",
    "planned_request",
    "select",
]

SECONDS = 20.0
"""Time that a model has to choose, all of it (ours)."""
MAX_TOKENS = 512
"""Tokens of an answer: a list of a few slugs, and a word around it (ours)."""


class ModelChooser:
    """A model as somebody who can be asked which memories go with a question."""

    def __init__(
        self, model: Model, *, deadline: float = SECONDS, cancel: threading.Event | None = None
    ) -> None:
        """Prepare; nothing is asked.

        Args:
            model: whom to ask.
            deadline: seconds for all of it.
            cancel: ends it when set, from any thread.
        """
        self._model = model
        self._deadline = deadline
        self._cancel = cancel

    def __call__(self, system: str, question: str) -> Reply:
        """Ask.

        Raises:
            ModelFailed: there is no answer.
        """
        asked = Question([user(question)], system, max_tokens=MAX_TOKENS)
        answer = self._model.ask(asked, deadline=self._deadline, cancel=self._cancel)
        return Reply(answer.text, answer.usage.input_tokens, answer.usage.output_tokens)


def select(
    entries: Sequence[MemoryEntry],
    context: SelectionContext,
    *,
    now: float,
    lang: Lang,
    model: Model | None = None,
    deadline: float = SECONDS,
    cancel: threading.Event | None = None,
) -> Selection:
    """Choose, with a model where one is given; see `select_memories`. Never raises.

    Args:
        entries: all memories.
        context: what they are wanted for.
        now: Unix seconds.
        lang: language of what the model is asked.
        model: whom to ask; None for nobody.
        deadline: seconds that it has.
        cancel: ends the question when set; the choice is the offline one then.
    """
    chooser = ModelChooser(model, deadline=deadline, cancel=cancel) if model is not None else None
    return select_memories(entries, context, now=now, lang=lang, chooser=chooser)


class _PlannedError(Exception):
    """Ends a selection at the point where the model would be asked."""


def planned_request(
    entries: Sequence[MemoryEntry],
    context: SelectionContext,
    model: AnthropicModel,
    *,
    now: float,
    lang: Lang,
) -> Request | None:
    """What `select` would send; None where it would ask nothing, since all memories fit.

    Args:
        entries: all memories.
        context: what they are wanted for.
        model: who would be asked.
        now: Unix seconds.
        lang: language.
    """
    planned: list[Request] = []

    def note(system: str, question: str) -> Reply:
        planned.append(model.request(Question([user(question)], system, max_tokens=MAX_TOKENS)))
        raise _PlannedError

    select_memories(entries, context, now=now, lang=lang, chooser=note)
    return planned[0] if planned else None


def find_relevant_memories(
    query: str,
    memory_dir: str | PathLike[str],
    *,
    model: Model | None = None,
    recent_tools: Sequence[str] = (),
    already_surfaced: Sequence[str] = (),
    deadline: float = SECONDS,
    cancel: threading.Event | None = None,
    clock: Clock = time.time,
    lang: Lang = "en",
) -> list[tuple[Path, float]]:
    """The memories of a directory that go with a question (second seed).

    Args:
        query: the question.
        memory_dir: the directory; one that is not there, or cannot be read, holds nothing.
        model: whom to ask; without, and where it fails, what the memories say decides.
        recent_tools: tools used lately; plain notes about them rank lower.
        already_surfaced: slugs of what was shown already.
        deadline: seconds that the model has.
        cancel: set from any thread, it ends the search; nothing is found then.
        clock: gives the time, Unix seconds.
        lang: language of what the model is asked.

    Returns:
        At most five pairs of path and effective time (Unix seconds), best first.
    """
    if cancel is not None and cancel.is_set():
        return []
    try:
        entries = MemoryManager.open(Path(memory_dir), clock=clock, lang=lang, read_only=True).entries()
    except (MemtuiError, OSError):
        return []
    context = SelectionContext(query, already_surfaced, recent_tools, DEFAULT_MAX_ENTRIES)
    found = select(
        entries, context, now=clock(), lang=lang, model=model, deadline=deadline, cancel=cancel
    ).entries
    if cancel is not None and cancel.is_set():
        return []
    return [(entry.path, entry.modified) for entry in found]
