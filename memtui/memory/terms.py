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
from functools import cache, lru_cache
from itertools import pairwise
from operator import add
from typing import Any, Literal

from memtui.memory.shingles import UNSPACED

UnitKind = Literal["word", "name", "date", "pair", "sign"]

MAX_WORD_CHARS = 64
"""Characters of a word that are looked at: longer ones are data, not words (ours)."""
MAX_TEXT_CHARS = 65_536
"""Characters of a text that are looked at (ours): thirty times the median of real files."""

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d)"
    rf"|\d{{4}}年\d{{1,2}}月(?:\d{{1,2}}[日号])?"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b\.?(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTH})\b\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTH})\b\.?,?\s+\d{{4}}\b",
    re.IGNORECASE,
)
_MAY_HOLD_DATE = re.compile(r"\d{4}[-/.]\d|\d年\d")
_TOKEN = re.compile(
    rf"[{UNSPACED}]+|[^\W{UNSPACED}]+(?:[-./:'’&#@]+[^\W{UNSPACED}]+)*(?:\+\+|#)?",
)
_IS_UNSPACED = re.compile(f"[{UNSPACED}]").match
_PART = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:ll|re|ve|d|m))$", re.IGNORECASE)

# Words that say how something is asked or told and not what: closed classes of the language, not of any data set.
STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "after",
        "again",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "both",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "done",
        "during",
        "each",
        "either",
        "ever",
        "every",
        "few",
        "for",
        "from",
        "get",
        "gets",
        "getting",
        "give",
        "gives",
        "go",
        "goes",
        "going",
        "got",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "just",
        "let",
        "lets",
        "like",
        "make",
        "makes",
        "many",
        "may",
        "me",
        "might",
        "mine",
        "more",
        "most",
        "much",
        "must",
        "my",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "off",
        "on",
        "once",
        "only",
        "or",
        "other",
        "our",
        "ours",
        "out",
        "over",
        "own",
        "please",
        "same",
        "shall",
        "she",
        "should",
        "so",
        "some",
        "such",
        "sure",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "then",
        "there",
        "these",
        "they",
        "thing",
        "things",
        "this",
        "those",
        "through",
        "to",
        "too",
        "under",
        "until",
        "up",
        "us",
        "very",
        "want",
        "was",
        "way",
        "we",
        "well",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "would",
        "yes",
        "yet",
        "you",
        "your",
        "yours",
        "ain",
        "aren",
        "couldn",
        "didn",
        "doesn",
        "don",
        "hadn",
        "hasn",
        "haven",
        "isn",
        "ll",
        "mustn",
        "re",
        "shouldn",
        "ve",
        "wasn",
        "weren",
        "won",
        "wouldn",
    ]
)
_HOLLOW = frozenset(
    "的了是在有和与或及就都而也很把被让给对从到向于之其这那些个吗呢吧啊呀么什谁哪怎几请我你您他她它们"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One word of a text, as it is looked for.

    Attributes:
        text: how it was written.
        kind: a plain word, a name made of parts, a date, a pair of characters, or a lone character.
        whole: the term it stands for.
        parts: terms that it is made of; empty for a plain word.
        hollow: whether it says how something is asked, not what.
    """

    text: str
    kind: UnitKind
    whole: str
    parts: tuple[str, ...] = ()
    hollow: bool = False


@cache
def _stemmer() -> Any:  # noqa: ANN401  -- the package has no types
    import snowballstemmer  # noqa: PLC0415  -- loaded when somebody searches

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A folded word's stem: English words lose their endings, any other word stays as it is."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    found: str = _stemmer().stemWord(word)
    return found


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
    """The units of a text in order, dates last, those that say nothing included."""
    for token in _tokens(text):
        yield from units_of(token)


def counted(text: str) -> Counter[str]:
    """How often each token of a text stands in it; ``units_of`` tells what a token is."""
    found: Counter[str] = Counter()
    runs: list[str] = []
    for token, times in Counter(_tokens(text)).items():
        if len(token) > 2 and _IS_UNSPACED(token):
            runs += [token] * times
        else:
            found[token] += times
    for run in runs:
        found.update(map(add, run, run[1:]))
    return found


def _tokens(text: str) -> list[str]:
    text = text[:MAX_TEXT_CHARS]
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    found: list[str] = _TOKEN.findall(text)
    if _MAY_HOLD_DATE.search(text) or not _MONTHS.keys().isdisjoint(map(str.lower, found)):
        dates = [match.group() for match in _DATE.finditer(text)]
        if dates:
            return [*_TOKEN.findall(_DATE.sub(" ", text)), *dates]
    return found


@lru_cache(maxsize=1 << 16)
def units_of(token: str) -> tuple[Unit, ...]:
    """What one token is: a word, a name or a date; a run of characters is one for each neighbouring pair."""
    if _DATE.fullmatch(token):
        return (_date(token),)
    if _IS_UNSPACED(token):
        return tuple(_pairs(fold(token)))
    unit = _word(token[:MAX_WORD_CHARS])
    return (unit,) if unit is not None else ()


def _word(found: str) -> Unit | None:
    """A word, or a name made of parts; None for what has no letter or digit."""
    bare = _CONTRACTED.sub("", _POSSESSIVE.sub("", found)) or found
    parts = [fold(part) for piece in _HUMP.split(bare) for part in _PART.findall(piece)]
    if not parts:
        return None
    if len(parts) == 1:
        whole = parts[0]
        if whole in _MONTHS and (len(whole) > 4 or found[:1].isupper()):
            return Unit(found, "date", _month(_MONTHS[whole]))
        if found.endswith(("++", "#")):
            return Unit(found, "name", found.lower(), (whole,))
        return Unit(found, "word", stem(whole), hollow=whole in STOP_WORDS)
    stems = tuple(dict.fromkeys(stem(part) for part in parts if part not in STOP_WORDS))
    return Unit(found, "name", "".join(parts), stems)


def _pairs(run: str) -> Iterator[Unit]:
    if len(run) == 1:
        yield Unit(run, "sign", run, hollow=run in _HOLLOW)
    for one, other in pairwise(run):
        yield Unit(one + other, "pair", one + other, hollow=one in _HOLLOW or other in _HOLLOW)


def _month(number: int) -> str:
    return f"month {number:02}"


def _date(found: str) -> Unit:
    """A date of any form; the day, the month of the year, the month and the year are its parts, as far as it says."""
    numbers = [int(number) for number in re.findall(r"\d+", found)]
    named = next((_MONTHS[word] for word in re.findall(r"[a-z]+", found.lower()) if word in _MONTHS), None)
    if named is None:
        year, month, day = (*numbers, 0)[:3]
    else:
        month = named
        year = next((number for number in numbers if number > 999), 0)
        day = next((number for number in numbers if 0 < number <= 31), 0)
    parts = [_month(month)]
    if day:
        parts.insert(0, f"{month:02}-{day:02}")
    if year:
        parts += [f"{year:04}-{month:02}", f"{year:04}"]
    whole = f"{year:04}-{month:02}-{day:02}" if year and day else parts[0] if day else f"{year:04}-{month:02}"
    return Unit(found, "date", whole, tuple(part for part in parts if part != whole))
