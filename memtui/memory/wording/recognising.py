"""Knowing a sentence again that was written down in English, so that it can be said in another language."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from memtui.memory.wording.saying import said

if TYPE_CHECKING:
    from memtui.memory.types import Lang

_LEAST_LETTERS = 8
"""Letters that a template must have of its own to be known by them (ours)."""


def written_said(text: str, lang: Lang) -> str:
    """A line of a log in a language; one that is no sentence of the catalogue stands as it is.

    Of the templates that fit, the one with the most letters of its own is meant; what stands in their places is
    shown as it was written.

    Args:
        text: the English sentence.
        lang: the language.
    """
    if lang == "en":
        return text
    plainly = said(text, lang)
    if plainly != text:
        return plainly
    for pattern, template in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            return "".join(
                literal + (found[name] if name else "") for literal, name in _parts(said(template, lang))
            )
    return text


def _parts(template: str) -> Iterator[tuple[str, str]]:
    """What stands before each placeholder, and its name; an empty one at the end."""
    for literal, name, _, _ in string.Formatter().parse(template):
        yield literal, name or ""


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    from memtui.memory.wording.errors_zh import ERRORS_ZH  # noqa: PLC0415  -- loaded by those who read it only

    own = {template: sum(len(literal) for literal, _ in _parts(template)) for template in ERRORS_ZH}
    known = [template for template, letters in own.items() if "{" in template and letters >= _LEAST_LETTERS]
    return tuple(
        (re.compile(_pattern(template), re.DOTALL), template)
        for template in sorted(known, key=own.__getitem__, reverse=True)
    )


def _pattern(template: str) -> str:
    seen: set[str] = set()
    made = ""
    for literal, name in _parts(template):
        made += re.escape(literal)
        if name:
            made += f"(?P={name})" if name in seen else f"(?P<{name}>.*)"
            seen.add(name)
    return made
