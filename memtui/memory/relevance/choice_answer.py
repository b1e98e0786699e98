"""Reads what a model chose out of whatever it wrote around it (spec §13)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence

MAX_ANSWER_CHARS = 50_000
"""Characters of an answer that are read (ours)."""
_MOST_STARTS = 400


def read_choice(text: str, slugs: Collection[str]) -> list[str] | None:
    """The slugs that an answer names, each once, in its order.

    ``["slug", …]`` or ``[0, 1, 3]``, places in the catalogue; bare, fenced, inside prose or inside an object. Of several
    lists the one that names most memories counts, of those the last; slugs go before numbers, which may be footnotes.
    Unknown, repeated and odd items are ignored. At most linear time but for a bounded number of starts.

    Args:
        text: the answer.
        slugs: those of the catalogue, in its order.

    Returns:
        None if there is no list, or one of which nothing is known; empty for an empty list.
    """
    order = list(slugs)
    best: tuple[tuple[int, int], list[str]] | None = None
    for found in _lists(text[:MAX_ANSWER_CHARS]):
        named, numbered = _known(found, order)
        if found and not named:
            continue
        weight = (0 if numbered or not named else 1, len(named))
        if best is None or weight >= best[0]:
            best = weight, named
    return best[1] if best is not None else None


def _lists(text: str) -> Iterator[Sequence[object]]:
    """Every JSON list in a text that stands in no other list."""
    decoder = json.JSONDecoder()
    at = text.find("[")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        end = at + 1
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            pass
        else:
            yield found
        at = text.find("[", end)


def _known(found: Sequence[object], order: Sequence[str]) -> tuple[list[str], bool]:
    """The memories that a list names, and whether any is named by its number."""
    known = set(order)
    named: dict[str, None] = {}
    numbered = False
    for item in found:
        if isinstance(item, str):
            slug = item.strip()
            slug = slug if slug in known else slug.removesuffix(".md")
            if slug in known:
                named[slug] = None
        elif isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(order):
            named[order[item]] = None
            numbered = True
    return list(named), numbered
