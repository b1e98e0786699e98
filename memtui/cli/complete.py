"""Completion of slugs in bash, zsh and fish."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from memtui.cli.session import Session
from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible


def complete_slug(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The slugs that begin with what was typed. A directory that cannot be read completes nothing: no place for words."""
    session = context.find_object(Session)
    if session is None:
        return []
    try:
        entries = session.read().entries
    except (MemtuiError, OSError):
        return []
    return [
        CompletionItem(entry.slug, help=visible(entry.name))
        for entry in entries
        if entry.is_active and entry.slug.startswith(incomplete) and visible(entry.slug) == entry.slug
    ]
