"""The memory shown follows the list's cursor: in one paint with its row, or behind it while keys wait."""

from __future__ import annotations

from textual.events import Key

from memtui.tui.messages import CursorMoved
from memtui.tui.screens.listing import Listing
from memtui.tui.screens.reading import Reading
from memtui.tui.setting import Setting
from memtui.tui.typeahead import keys_held

AT_ONCE_BYTES = 8_192
"""Longer memories are shown after the row has been painted that the cursor has come to (ours)."""
LATER_SECONDS = 0.02
"""How long the row is ahead of its memory where they are not painted together: a frame (ours)."""


class Following(Reading, Listing):
    """Mixed into the screen with the list and a ``DetailPane``."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._following = False

    def on_cursor_moved(self, message: CursorMoved) -> None:
        """Show the memory the cursor is on now; a key has done so already, unless others waited behind it."""
        message.stop()  # the list knows better: the cursor may have moved on
        self.follow_cursor()

    def follow_cursor(self) -> None:
        """Show the memory the cursor is on, in one paint with the row.

        While more waits, or where the text is long, the row is painted first: whoever holds the key down sees it run.
        """
        entry = self._list.cursor
        if entry is self.shown:
            return
        if self._key_waits or (entry is not None and entry.size > AT_ONCE_BYTES):
            if not self._following:
                self._following = True
                self.set_timer(
                    LATER_SECONDS, self._follow_later
                )  # a callback would never let the keys have their turn
            return
        self._show_cursor()

    @property
    def _key_waits(self) -> bool:
        """Whether another key has been pressed already: it is held down, or somebody is quick."""
        waiting = getattr(self.app._message_queue, "_queue", ())  # noqa: SLF001  -- neither queue can be asked otherwise
        return any(isinstance(message, Key) for message in waiting) or keys_held(self.app)

    def _follow_later(self) -> None:
        self._following = False
        if self._list.cursor is self.shown:
            return
        if self._key_waits:
            self.follow_cursor()
        else:
            self._show_cursor()

    def _show_cursor(self) -> None:
        self.show_memory()
        self.show_keys()
