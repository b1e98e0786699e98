"""Lets keys go first: while somebody is at them, the checks of thousands of memories keep out of the way."""

from __future__ import annotations

import math
from collections.abc import Callable

from memtui.memory.types import Clock

BUSY_SECONDS = 0.1
"""How long after a key somebody counts as being at the keys (ours): a held one comes thirty times a second."""
AT_KEYS_SECONDS = 1.0
"""How long after a key somebody is still at it (ours), and another key may come any moment."""
NAP_SECONDS = 0.01
"""How long each step of the checks waits meanwhile (ours); a step is about a millisecond, so they go on at a tenth."""


class Courtesy:
    """Told of keys by the screen's thread, asked by those that work in the background."""

    def __init__(self, monotonic: Clock, sleep: Callable[[float], None]) -> None:
        """Prepare; nobody is at the keys yet.

        Args:
            monotonic: seconds, for how long ago a key was.
            sleep: waits for some seconds.
        """
        self._monotonic = monotonic
        self._sleep = sleep
        self._last = -math.inf

    def noticed(self) -> None:
        """Somebody has pressed a key, or moved the mouse."""
        self._last = self._monotonic()

    def breathe(self) -> None:
        """Between two steps of the background's work: wait a moment if somebody is at the keys."""
        if self._monotonic() - self._last < BUSY_SECONDS:
            self._sleep(NAP_SECONDS)

    def is_at_keys(self) -> bool:
        """Whether another key may come any moment, so that what can wait does."""
        return self._monotonic() - self._last < AT_KEYS_SECONDS
