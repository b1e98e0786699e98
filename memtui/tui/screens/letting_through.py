"""Asks whether the team shall get what the secret guard takes for a secret: only who types the name says yes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.memory.secrets.team_guard import SecretBlocked, leak_said
from memtui.memory.text import visible

if TYPE_CHECKING:
    from textual.app import App

    from memtui.memory.types import Lang


def ask_to_share(app: App[object], found: str, slug: str, lang: Lang, yes: Callable[[], object]) -> None:
    """Ask.

    Args:
        app: where.
        found: what the guard found, fit to be shown.
        slug: the memory, whose name has to be typed.
        lang: language of the question.
        yes: called once it was.
    """
    from memtui.tui.screens.typed import TypedScreen  # noqa: PLC0415 – hardly ever needed
    from memtui.tui.wording.edit import words  # noqa: PLC0415 – as above

    say = words(lang)

    def answered(typed: bool | None) -> None:
        if typed:
            yes()

    lines = [found, say.share_line, say.share_audit]
    app.push_screen(TypedScreen(say.share_title, lines, slug, yes=say.share_yes), answered)


def ask_about(
    app: App[object], error: SecretBlocked, lang: Lang, yes: Callable[[frozenset[str]], object]
) -> None:
    """Ask about the first memory that a change was refused for.

    Args:
        app: where.
        error: the refusal.
        lang: language of the question.
        yes: called with that memory, once its name was typed; another one may be refused then.
    """
    leak = error.leaks[0]
    found = visible(leak_said(leak).said(lang))
    ask_to_share(app, found, leak.slug, lang, lambda: yes(frozenset({leak.slug})))
