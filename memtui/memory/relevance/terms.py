"""Texts as the terms by which memories are found: words folded and stemmed, names and dates taken apart (ours).

One text gives *units*, in order: what a reader takes for one word. A unit has a whole, and parts that it is made of:
``NebulaLatch`` is ``nebulalatch`` of ``nebula`` and ``latch``; ``30 July 2026`` is that day, its month and its year,
however it is written. Scripts without spaces give each pair of neighbouring characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import add
from typing import Literal

from memtui.memory.dates import MONTHS, date_terms, is_date, is_month, month_term, take_dates
from memtui.memory.doubles.shingles import UNSPACED
from memtui.memory.lazy import lazy_pattern
from memtui.memory.relevance.english import STOP_WORDS, stem

UnitKind = Literal["word", "name", "date", "pair", "sign"]

MAX_WORD_CHARS = 64
"""Characters of a word that are looked at: longer ones are data, not words (ours)."""
MAX_TEXT_CHARS = 65_536
"""Characters of a text that are looked at (ours): thirty times the median of real files."""

_TOKEN = lazy_pattern(
    rf"[{UNSPACED}]+|[^\W{UNSPACED}]+(?:[-./:'’&#@]+[^\W{UNSPACED}]+)*(?:\+\+|#)?",
)
_UNSPACED_RUN = lazy_pattern(f"[{UNSPACED}]")
_FIRST_UNSPACED = "\u0e00"
_PART = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_CONTRACTED = re.compile(r"['’](?:ll|re|ve|d|m)$", re.IGNORECASE)
_NEGATED = re.compile(r"n['’]t$", re.IGNORECASE)

_HOLLOW = "的了是在有和与或及就都而也很把被让给对从到向于之其这那些个吗呢吧啊呀么什谁哪怎几请我你您他她它们"
# Chinese characters that say how something is asked: they end a word.
_BETWEEN = re.compile(f"[{_HOLLOW}]+")

_ASKING_ZH = lazy_pattern(
    r"(?P<verb>能|会|要|该|行|对|好|可|是|应|用)不(?P=verb)(?:以|该|用)?|可不可以用?|应不应该|需不需要|有没有|能否|可否|是否|会否"
    r"|为何|为什么|怎么样?|怎样|如何|多少|什么时候|不(?:可以|允许|应该|能|许|准|让|该)|(?:可以|允许|应该|需要)(?=[\u4e00-\u9fff])|吗"
)
# What only asks, or says that something may be or may not: the seams of it with what stands beside are no words.


@dataclass(frozen=True, slots=True)
class Unit:
    """One word of a text, as it is looked for.

    Attributes:
        text: how it was written.
        kind: a plain word, a name made of parts, a date, a pair of characters, or a lone character.
        whole: the term it stands for.
        parts: terms that it is made of; empty for a plain word.
    """

    text: str
    kind: UnitKind
    whole: str
    parts: tuple[str, ...] = ()


def fold(text: str) -> str:
    """One form for letters that people take for the same: compatibility forms, case, accents on Latin letters."""
    if text.isascii():
        return text.lower()
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept: list[str] = []
    for char in bare:
        if "\u0300" <= char <= "\u036f" and kept and kept[-1].isascii():
            continue
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def units(text: str) -> Iterator[Unit]:
    """The units of a text in order, dates last; those that say nothing are left out."""
    for token in _tokens(text):
        yield from units_of(token)


def asked_units(question: str) -> Iterator[Unit]:
    """The units of a question, without what only asks: 能不能, 为什么, 周五不能发布 asks for 周五 and 发布."""
    yield from units(_ASKING_ZH.sub(" ", question))


def counted(text: str) -> tuple[Counter[str], Counter[str]]:
    """How often each token of a text stands in it, and each pair of characters and character of unspaced scripts.

    ``units_of`` says what a token is.
    """
    tokens = _tokens(text)
    if text.isascii():
        return Counter(tokens), Counter()
    runs = [token for token in tokens if token >= _FIRST_UNSPACED and _UNSPACED_RUN.match(token)]
    pairs = Counter(chain.from_iterable(map(add, run, run[1:]) for run in runs))
    pairs.update("".join(runs))
    found = Counter(tokens)
    for run in runs:
        found.pop(run, None)
    return found, pairs


def _tokens(text: str) -> list[str]:
    text = text[:MAX_TEXT_CHARS]
    if not text.isascii():
        text = _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text)[:MAX_TEXT_CHARS])
    found: list[str] = _TOKEN.findall(text)
    rest, dates = take_dates(text, found)
    return [*_TOKEN.findall(rest), *dates] if dates else found


def units_of(token: str) -> tuple[Unit, ...]:
    """What one token is: a word, a name or a date, or nothing; a run of characters is one for each neighbouring pair."""
    if is_date(token):
        return (Unit(token, "date", *date_terms(token)),)
    if _UNSPACED_RUN.match(token):
        return tuple(_pairs(token))
    unit = _word(token[:MAX_WORD_CHARS])
    return (unit,) if unit is not None else ()


def _word(found: str) -> Unit | None:
    """A word, or a name made of parts; None for what has no letter or digit, and for words that say nothing."""
    if _NEGATED.search(found):
        return None
    bare = _CONTRACTED.sub("", _POSSESSIVE.sub("", found)) or found
    parts = [fold(part) for piece in _HUMP.split(bare) for part in _PART.findall(piece)]
    if not parts:
        return None
    if len(parts) == 1:
        whole = parts[0]
        if is_month(found, whole):
            return Unit(found, "date", month_term(MONTHS[whole]))
        if found.endswith(("++", "#")):
            return Unit(found, "name", found.lower(), (whole,))
        return Unit(found, "word", stem(whole)) if whole not in STOP_WORDS else None
    stems = tuple(dict.fromkeys(stem(part) for part in parts if part not in STOP_WORDS))
    return Unit(found, "name", "".join(parts), stems)


def _pairs(run: str) -> Iterator[Unit]:
    if len(run) == 1:
        yield Unit(run, "sign", run)
    for one, other in pairwise(run):
        yield Unit(one + other, "pair", one + other, (one, other))
