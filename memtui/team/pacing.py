"""When to sync while somebody works: soon after a change here, now and then to see what others did, seldom if it fails."""

from __future__ import annotations

DEBOUNCE_SECONDS = 2.0
"""Quiet after a change before it is shared, seconds: an agent saves a memory and its index line after it (ours)."""
MOST_SECONDS = 15.0
"""Longest time that changes without a pause between them wait, seconds (ours)."""
POLL_SECONDS = 60
"""Seconds between two looks at the remote where nothing else is set (ours)."""
LONGEST_POLL_SECONDS = 900.0
"""So seldom at most a remote is tried that fails every time, seconds (ours)."""


class Pace:
    """Says how long to wait until the next sync. Times are seconds of a clock that never goes back."""

    def __init__(self, poll: float = POLL_SECONDS) -> None:
        """Begin with a sync that is due at once.

        Args:
            poll: seconds between two syncs when nothing happens here.
        """
        self._poll = poll
        self._next = 0.0
        self._first: float | None = None
        self._last = 0.0
        self._failures = 0

    def changed(self, now: float) -> None:
        """Something was changed here."""
        if self._first is None:
            self._first = now
        self._last = now

    def asked(self, now: float) -> None:
        """Somebody wants it now."""
        self._next = now

    def begun(self) -> None:
        """A sync begins, and takes in all that was changed so far."""
        self._first = None

    def ended(self, now: float, *, reached: bool) -> None:
        """It is over.

        Args:
            now: when.
            reached: whether the remote was reached.
        """
        self._failures = 0 if reached else self._failures + 1
        slower = self._poll * 2 ** min(max(self._failures - 1, 0), 10)
        self._next = now + min(slower, max(LONGEST_POLL_SECONDS, self._poll))

    def wait(self, now: float) -> float:
        """Seconds until the next one; 0.0 if it is due."""
        due = self._next
        if self._first is not None:
            due = min(due, self._last + DEBOUNCE_SECONDS, self._first + MOST_SECONDS)
        return max(0.0, due - now)
