"""The preview's question: which memories go with it, offline at every key, and by a model when asked."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.relevance.ranking import RelevanceIndex
from memtui.memory.relevance.selecting import Selection, SelectionContext, select_memories
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.messages import QueryTyped, SelectionMade
from memtui.tui.present.selection import Choices
from memtui.tui.screens.base import ActionScreen
from memtui.tui.setting import Setting
from memtui.tui.widgets.query_line import QueryLine
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.selection import words

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel
    from memtui.store import Snapshot
    from memtui.tui.present.preview import Wish


class Asking(ActionScreen[None]):
    """Mixed into the preview."""

    _setting: Setting
    _snapshot: Snapshot
    _wish: Wish

    def __init__(self, setting: Setting) -> None:
        """Prepare; nothing is asked.

        Args:
            setting: the world.
        """
        super().__init__()
        self._model: AnthropicModel | None = setting.model()
        self._question = ""
        self._choices: Choices | None = None
        self._cancel: threading.Event | None = None
        self._index = RelevanceIndex()
        self._index_lock = threading.Lock()

    @property
    def choices(self) -> Choices | None:
        """Who goes with the question; None if there is none, or it is still looked for."""
        return self._choices

    @property
    def asking(self) -> bool:
        """Whether a model is being asked."""
        return self._cancel is not None

    @property
    def reminds(self) -> bool:
        """Whether a question has a say in the text that is shown."""
        return self._wish.mode in {"reminder", "prompt"}

    def remake(self) -> None:
        """Make the text anew; the preview's."""
        raise NotImplementedError

    def show_frame(self) -> None:
        """Show what stands around the text; the preview's."""
        raise NotImplementedError

    # --- actions ---

    def do_ask_query(self) -> None:
        """Type a question."""
        if not self.reminds:
            self.say(words(self._setting.lang).only_reminder)
            return
        self.add_class("-query")
        line = self.query_one(QueryLine)
        line.placeholder = words(self._setting.lang).placeholder
        self.call_after_refresh(line.focus)

    def do_ask_model(self) -> None:
        """Ask the model about the question; call it off if it is being asked."""
        model = self._model
        if self.call_off() or model is None:
            return
        cancel = self._cancel = threading.Event()
        work = partial(self._ask_model, model, self._wanted(), self._snapshot.entries, cancel)
        self.run_worker(work, thread=True, group="model")
        self.show_frame()

    def call_off(self) -> bool:
        """End the question to the model, if there is one."""
        if self._cancel is None:
            return False
        self._cancel.set()
        self._cancel = None
        self.say(words(self._setting.lang).called_off, severity="information")
        self.show_frame()
        return True

    # --- in threads ---

    def choose_again(self) -> None:
        """Work out the offline choice anew: question, number or memories have changed."""
        if not self._question.strip():
            return
        work = partial(self._choose, self._wanted(), self._snapshot.entries)
        self.run_worker(work, thread=True, group="select", exclusive=True)

    def _wanted(self) -> SelectionContext:
        return SelectionContext(self._question, max_entries=self._wish.entries)

    def _choose(self, context: SelectionContext, entries: Sequence[MemoryEntry]) -> None:
        now, lang = self._setting.clock(), self._wish.lang
        with self._index_lock:
            if context.query != self._question:
                return  # more was typed meanwhile
            self._index.update(entry for entry in entries if entry.is_active)
            made = select_memories(entries, context, now=now, lang=lang, index=self._index)
        self.post_message(SelectionMade(made, asked=False))

    def _ask_model(
        self,
        model: AnthropicModel,
        context: SelectionContext,
        entries: Sequence[MemoryEntry],
        cancel: threading.Event,
    ) -> None:
        from memtui.agent.selection import select  # noqa: PLC0415 – few ask a model

        now, lang = self._setting.clock(), self._wish.lang
        made = select(entries, context, now=now, lang=lang, model=model, cancel=cancel)
        if not cancel.is_set():
            self.post_message(SelectionMade(made, asked=True))

    # --- what arrives ---

    def on_query_typed(self, message: QueryTyped) -> None:
        """Another question."""
        if message.text == self._question:
            return
        self.call_off()
        had = bool(self._question.strip())
        self._question = message.text
        if message.text.strip():
            self.choose_again()
            self.show_frame()
        elif had:
            self._choices = None
            self.remake()

    def do_keep_query(self) -> None:
        """Back to the text, with the question."""
        self.query_one(TextView).focus()

    def do_clear_query(self) -> None:
        """Back to the text, without one."""
        self.query_one(QueryLine).value = ""
        self.remove_class("-query")
        self.query_one(TextView).focus()

    def on_selection_made(self, message: SelectionMade) -> None:
        """Show it, if it still is what was asked."""
        made = message.selection
        if message.asked:
            self._cancel = None
        if made.context != self._wanted():
            self.show_frame()
            return
        if not message.asked:
            self._choices = Choices(made, self._asked_before())
        elif self._choices is not None:
            self._choices = Choices(self._choices.offline, made)
        if made.notice:
            self.say(visible(made.notice.said(self._setting.lang)))
        self.remake()

    def _asked_before(self) -> Selection | None:
        """What a model said to the very same question."""
        asked = self._choices.asked if self._choices is not None else None
        return asked if asked is not None and asked.context == self._wanted() else None

    def on_unmount(self) -> None:
        """Nobody waits any more."""
        if self._cancel is not None:
            self._cancel.set()
