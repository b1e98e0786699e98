"""Long work in small steps: between them whoever does it may let others go first."""

from __future__ import annotations

from collections.abc import Callable

Breathe = Callable[[], None]
"""Called between two steps, each of about a millisecond; comes back when the next may begin."""


def no_pause() -> None:
    """Goes straight on and lets nobody go first: for work that somebody waits for."""
