"""What bash, zsh and fish are offered: slugs and versions of the directory, rules of ``check``.

A directory that cannot be read offers nothing: a completion is no place for words.
"""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from memtui.cli.session import Session
from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry


def complete_slug(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The memories whose slug begins with what was typed."""
    active = [entry for entry in _entries(context) if entry.is_active]
    return _items(((entry.slug, entry.name) for entry in active), incomplete)


def complete_version(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The versions of the memory that was named before."""
    from memtui.memory.versions.history import versions_of  # noqa: PLC0415  -- no other completion needs it

    slug = context.params.get("slug")
    versions = versions_of(slug, _entries(context)) if isinstance(slug, str) else ()
    return _items(((version.id, version.entry.description) for version in versions), incomplete)


def complete_rule(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The rules of ``check``."""
    from memtui.memory.checks.findings import RULES  # noqa: PLC0415  -- no other completion needs it

    return _items(((rule, "") for rule in RULES), incomplete)


def _entries(context: click.Context) -> tuple[MemoryEntry, ...]:
    session = context.find_object(Session)
    try:
        return session.read().entries if session else ()
    except (MemtuiError, OSError):
        return ()


def _items(named: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    """Those that begin with what was typed, and that a terminal shows as they are."""
    return [
        CompletionItem(value, help=visible(text) or None)
        for value, text in named
        if value.startswith(incomplete) and visible(value) == value
    ]
