"""What the app says in passing, before a change, and where there is nothing to show. Pure, and safe to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.lines import clip
from memtui.tui.present import ELLIPSIS, label

if TYPE_CHECKING:
    from memtui.memory.results import ChangeResult


def error_text(error: MemtuiError) -> tuple[str, str]:
    """Title and text of a notice: what happened; where and what to do."""
    rest = [visible(part, keep_newlines=True) for part in (error.where, error.todo) if part]
    return visible(error.what), "\n".join(rest)


def empty_state(
    *,
    directory: str,
    missing: bool,
    loading: bool,
    total: int,
    filtering: bool,
    problems: Sequence[str] = (),
    trouble: str = "",
) -> Sequence[str]:
    """What the empty list says: why there is nothing, and what to do next."""
    if loading:
        return (f"Reading memories{ELLIPSIS}",)
    if missing:
        return (
            "This directory does not exist:",
            visible(directory),
            "",
            "As soon as somebody creates it, it shows here.",
            "A sample to look at:  memtui demo",
        )
    if trouble and not total:
        return ("The directory cannot be read:", visible(trouble))
    if filtering and total:
        return ("No memory matches the filter.", *map(visible, problems), "esc clears it.")
    if total:
        return ("Only old versions here.", "H lists them.")
    return (
        "No memories here yet.",
        "The first one shows by itself when it is saved.",
        "A sample to look at:  memtui demo",
    )


def change_text(result: ChangeResult, verb: str) -> tuple[str, str]:
    """Title and text of the notice after a change."""
    names = ", ".join(label(slug) for slug in result.slugs[:3])
    if len(result.slugs) > 3:
        names += f" and {len(result.slugs) - 3} more"
    lines = [names or label(result.label)]
    if result.archived:
        lines.append(f"kept as {', '.join(map(label, result.archived[:3]))}")
    if result.kept:
        lines.append(f"somebody else's version was kept as {', '.join(map(label, result.kept))}")
    if result.dangling:
        lines.append(f"links to it remain in {', '.join(map(label, result.dangling[:3]))}")
    if result.index_pending:
        lines.append("the index follows with the next change")
    if verb not in {"Undone", "Done again"}:
        lines.append("z undoes it")
    elif verb == "Undone":
        lines.append("Z does it again")
    return verb, "\n".join(lines)


def forget_question(chosen: Sequence[MemoryEntry], entries: Iterable[MemoryEntry]) -> tuple[str, list[str]]:
    """What is asked before forgetting, and what will happen, one sentence each."""
    if len(chosen) == 1:
        entry = chosen[0]
        question = f"Forget “{clip(label(entry.name), 60, ELLIPSIS)}”?"
        lines = [f"{label(entry.rel)} goes to .memtui/trash", "its line leaves MEMORY.md"]
    else:
        names = ", ".join(label(entry.slug) for entry in chosen[:3])
        more = f" and {len(chosen) - 3} more" if len(chosen) > 3 else ""
        question = f"Forget {len(chosen)} memories?"
        lines = [f"{names}{more} go to .memtui/trash", "their lines leave MEMORY.md"]
    sources = _linking(chosen, entries)
    if sources:
        names = ", ".join(label(slug) for slug in sources[:3]) + (ELLIPSIS if len(sources) > 3 else "")
        lines.append(f"links in {names} stay and will point to nothing")
    lines.append("old versions stay; z brings it all back")
    return question, lines


def _linking(chosen: Sequence[MemoryEntry], entries: Iterable[MemoryEntry]) -> list[str]:
    """Slugs of the memories that link to one of ``chosen``."""
    from memtui.memory.links import LinkResolver, wiki_links  # noqa: PLC0415 – loaded behind the first paint

    resolver = LinkResolver(chosen)
    gone = {entry.slug for entry in chosen}
    return [
        entry.slug
        for entry in entries
        if entry.is_active
        and entry.slug not in gone
        and any(resolver.resolve(link.target) for link in wiki_links(entry.content))
    ]
