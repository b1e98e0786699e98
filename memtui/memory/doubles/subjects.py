"""Telling facts of one template about different subjects by what their memories are called (spec §9; ours).

``queue-migration`` and ``auth-migration`` say the same of two things. Their texts alone do not tell: a short one has no
other name than the word for the thing. But where two names are one but for a word on either side, and the texts are
one but for words that stand in the same places, and those are the words of the names, the subjects are two.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from memtui.memory.doubles.judged import judged_once
from memtui.memory.doubles.shingles import numbers_in, words
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import MemoryEntry

_SHORT_LINE = 4  # words beside a link in a line that only points elsewhere
_BETWEEN = 1  # words that two changes of one phrase may have between them
_MOST_WORDS = 600  # of a text that is compared; longer ones are no facts of one template
_LINK = lazy_pattern(r"\[\[[^\[\]\n]*\]\]")
_PARTS = lazy_pattern(r"[^\W_]+")
_NO_SUBJECT = lazy_pattern(r"v?\d+|v|old|new|copy|draft|final|latest|legacy|updated?|zh|en|旧|新|副本|草稿")
_HAN = lazy_pattern("[\u4e00-\u9fff]+")


def differ_in_subject(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Whether two memories with like texts say the same of two subjects, as their slugs or names tell."""
    for first, second in ((one.slug, other.slug), (one.name, other.name)):
        own = _own_parts(first, second)
        if own is not None and _same_but_for(one.content, other.content, *own):
            return True
    return False


def _own_parts(first: str, second: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """What each of two names has that the other has not, where they are one otherwise."""
    parts = [frozenset(_PARTS.findall(name.rpartition("/")[2].lower())) for name in (first, second)]
    one, other = (frozenset(p for p in each if not _NO_SUBJECT.fullmatch(p)) for each in parts)
    if not one & other or not one - other or not other - one:
        return None
    return one - other, other - one


@judged_once
def _same_but_for(one: str, other: str, own: frozenset[str], others: frozenset[str]) -> bool:
    first, second = _said(one), _said(other)
    if not first or not second or max(len(first), len(second)) > _MOST_WORDS:
        return False
    swapped = _swapped(first, second)
    if not swapped:
        return False
    if any(own & set(a) and others & set(b) for a, b in swapped):
        return True
    # The names are in another script than the texts: each time, the same Chinese word stands for the same other one.
    pairs = {(_han(a), _han(b)) for a, b in swapped if _han(a) or _han(b)}
    return len(pairs) == 1 and all(all(pair) for pair in pairs)


def _said(text: str) -> list[str]:
    """The words of a text without its links, and without lines that are hardly more than a link."""
    found: list[str] = []
    for line in text.splitlines():
        said = words(bare) if (bare := _LINK.sub("", line)).strip() else []
        if bare != line and len(said) <= _SHORT_LINE:
            continue
        found += said
    return found


def _swapped(first: list[str], second: list[str]) -> list[tuple[list[str], list[str]]] | None:
    """The phrases that stand in each other's place; None where one text has something where the other has nothing."""
    spans: list[tuple[int, int, int, int]] = []
    for tag, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if spans and a - spans[-1][1] <= _BETWEEN:
            spans[-1] = (spans[-1][0], b, spans[-1][2], d)
        else:
            spans.append((a, b, c, d))
    swapped = [(first[a:b], second[c:d]) for a, b, c, d in spans]
    if any(not one or not other for one, other in swapped):
        return None
    return [
        pair for pair in swapped if not all(numbers_in(word) == (word,) for side in pair for word in side)
    ]


def _han(said: list[str]) -> str:
    return "".join(_HAN.findall("".join(said)))
