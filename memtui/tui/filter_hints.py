"""What helps while a filter is typed: the values a condition knows, what is odd, and completion. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Lang
from memtui.memory.wording.filter_words import meant, named, spelled
from memtui.tui.filter_query import VALUES, Odd, Query
from memtui.tui.present.lines import Line, Part
from memtui.tui.present.parts import DOT, label
from memtui.tui.wording.browse import BrowseWords

_LAST = lazy_pattern(r"(?:^|\s)(?P<minus>-?)(?:(?P<key>\w+):)?(?P<value>[^\s\"]*)\Z")


def explain(odd: Odd, say: BrowseWords, lang: Lang = "en") -> str:
    """What could not be understood of a filter, and what can be."""
    key = label(odd.key)
    if odd.value is not None:
        return say.no_value.format(
            key=key,
            value=label(odd.value),
            values=" ".join(named(odd.key, value, lang) for value in VALUES[odd.key]),
        )
    near = difflib.get_close_matches(odd.key.lower(), VALUES, n=1)
    keys = " ".join(f"{name}:" for name in VALUES)
    return say.no_key_near.format(key=key, near=near[0]) if near else say.no_key.format(key=key, keys=keys)


def hint(text: str, query: Query, say: BrowseWords, lang: Lang = "en") -> Line:
    """What may be typed next, and what is odd about what was typed.

    Args:
        text: the filter so far.
        query: the same, understood.
        say: sentences.
        lang: the language that values are named in; both are understood.
    """
    odd: Line = tuple((f"{explain(one, say, lang)}  ", "warn") for one in query.problems[:1])
    match = _LAST.search(text)
    if match is None:
        return odd
    key, value = (match["key"] or "").lower(), match["value"].lower()
    if key in VALUES:
        if odd and query.problems[-1].key == key:
            return odd
        done, _, piece = value.rpartition(",")
        fitting, taken = meant(key, piece, VALUES[key]), set()
        for each in filter(None, done.split(",")):
            taken.update(meant(key, each, VALUES[key]))
        parts: list[Part] = [(f"{key}: ", "dim")]
        for name in VALUES[key]:
            fits = name in fitting and name not in taken
            parts.append(
                (f"{named(key, name, lang)} ", "accent" if fits and piece else "" if fits else "off")
            )
        return tuple(parts)
    if odd or key:
        return odd
    names: list[Part] = [
        (f"{name}: ", "accent" if value and name.startswith(value) else "dim") for name in VALUES
    ]
    return (*names, (f"{DOT.lstrip()}{say.hint_words}  {say.hint_not}  {say.hint_quotes}", "dim"))


def completed(text: str, values: Mapping[str, Sequence[str]] = VALUES) -> str:
    """The filter with its last condition completed: ``ty`` to ``type:``, ``type:f`` to ``type:feedback``.

    Args:
        text: the filter.
        values: by condition, what it may be asked for.
    """
    match = _LAST.search(text)
    if match is None:
        return text
    key, value = (match["key"] or "").lower(), match["value"].lower()
    if key in values:
        piece = value.rpartition(",")[2]
        names = spelled(key, piece, values[key])
        return (
            text[: len(text) - len(piece)] + _common(names) if names and (piece or len(names) == 1) else text
        )
    if match["key"] is None and value:
        names = [name for name in values if name.startswith(value)]
        if len(names) == 1:
            return f"{text[: len(text) - len(value)]}{names[0]}:"
    return text


def _common(names: list[str]) -> str:
    """The longest start that all have."""
    first, last = min(names), max(names)
    size = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:size]
