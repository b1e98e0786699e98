"""How it is said that a memory stands in other stores too, in both languages (needs 17)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from memtui.claude.store_search import Sighting
from memtui.claude.store_summary import projects_of_store
from memtui.memory.types import Lang

MOST_NAMED = 5
"""Stores that are named; the others are counted (ours)."""


class Seen(NamedTuple):
    """Another store that holds a memory.

    Attributes:
        sighting: which, and how alike.
        name: what the store is called: its project, else its folder, with ``~`` for the home.
    """

    sighting: Sighting
    name: str


class _Words(NamedTuple):
    one: str
    many: str
    alike: str
    more: str
    join: str


_EN = _Words("Seen in 1 other store: {names}", "Seen in {count} other stores: {names}", "{name} (alike)", "{names} and {count} more", ", ")  # fmt: skip
_ZH = _Words("另有 1 个记忆库也有：{names}", "另有 {count} 个记忆库也有：{names}", "{name}（相近）", "{names} 等，另有 {count} 个", "、")  # fmt: skip


def named(sightings: Iterable[Sighting], home: Path | None) -> list[Seen]:
    """The sightings with what their stores are called; looks into a transcript or two of each."""
    found = []
    for sighting in sightings:
        store = sighting.store
        path = next(iter(projects_of_store(store)), store.project) or store.path
        below = home is not None and path.is_relative_to(home)
        name = f"~/{path.relative_to(home)}".removesuffix("/.") if home is not None and below else str(path)
        agent = store.kind.startswith("agent") and path != store.path
        found.append(Seen(sighting, f"{name} · {store.slug}" if agent else name))
    return found


def seen_line(seen: Iterable[Seen], lang: Lang) -> str:
    """One sentence: in how many other stores a memory stands, and which; empty if in none.

    The names are text of a file system, not fit to be shown as they are.
    """
    say = _ZH if lang == "zh" else _EN
    names = [one.name if one.sighting.same else say.alike.format(name=one.name) for one in seen]
    if not names:
        return ""
    text = say.join.join(names[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        text = say.more.format(names=text, count=len(names) - MOST_NAMED)
    return (say.one if len(names) == 1 else say.many).format(count=len(names), names=text)
