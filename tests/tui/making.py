"""Makes entries and directories for the tests of the screens."""

from __future__ import annotations

from pathlib import Path

from memtui.memory.types import ACTIVE, Historical, MemoryEntry, MemoryType, Problem, Scope

NOW = 1_800_000_000.0
DAY = 86_400.0

HOSTILE = (
    "[/] [@click=app.exit]x[/] \x1b]52;c;ZXZpbA==\x07 \x1b]0;owned\x07\x1b[31m \x9b31m \x00\x7f "
    "\u202eright\u2066left \u200bzero \U000e0041tag [[x]] {bold} \\["
)
"""Markup that crashes or runs, terminal controls, C1, bidi, invisible characters."""


def make(
    slug: str,
    *,
    name: str | None = None,
    description: str = "",
    kind: MemoryType | None = MemoryType.USER,
    content: str = "Text.\n",
    days: float = 0,
    old: bool = False,
    superseded_by: str | None = None,
    scope: Scope = "private",
    problems: tuple[Problem, ...] = (),
    size: int | None = None,
) -> MemoryEntry:
    """An entry ``days`` old at ``NOW``."""
    modified = NOW - days * DAY
    return MemoryEntry(
        slug=slug,
        name=slug if name is None else name,
        description=description,
        memory_type=kind,
        mtime=modified,
        content=content,
        path=Path(f"/memory/{slug}.md"),
        status=Historical(superseded_by) if old else ACTIVE,
        modified=modified,
        type_text=kind.value if kind else None,
        size=len(content) if size is None else size,
        scope=scope,
        problems=problems,
    )
