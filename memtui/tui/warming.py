"""Loads what the first key of its kind needs, once the memories are listed and before that key is pressed."""

from __future__ import annotations

AFTER_SECONDS = 1.0
"""How long the memories have been listed when the loading begins (ours): the listing and its paint come first."""


def load_doors() -> None:
    """Load the screens that are gone to most: a quarter of a second, which would be felt at the key.

    For a thread. Who goes there meanwhile waits for the rest of it only.
    """
    from memtui.tui.screens import checks, confirm, edit, preview, review  # noqa: F401, PLC0415 – loaded for later
