"""Which themes there are, and which one a name means."""

from __future__ import annotations

import difflib
from typing import Any

from textual.app import App

TERMINAL = "terminal"
"""The terminal's own colours, as people ask for them; Textual knows them as two themes."""
_TERMINAL_DARK = "ansi-dark"


def theme_names(app: App[Any]) -> list[str]:
    """Every theme of an app, by name."""
    return sorted(app.available_themes)


def find_theme(app: App[Any], name: str) -> tuple[str | None, str | None]:
    """The theme that a name means, and, where it means none, the name nearest to it; either can be None."""
    wanted = _TERMINAL_DARK if name == TERMINAL else name
    if wanted in app.available_themes:
        return wanted, None
    near = difflib.get_close_matches(name, [*theme_names(app), TERMINAL], n=1, cutoff=0.5)
    return None, near[0] if near else None
