"""Dates as people write them: where they stand in a text, and the terms by which each is found (ours)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from memtui.memory.lazy import lazy_pattern

_NAMES = (
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
)
MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
"""Number of a month by its folded English names."""

_HAN = "一二三四五六七八九十"
_LONGEST_PLAIN = 4
_YEAR_FROM = 1000
_LAST_DAY = 31
_SHORT_TEXT = 400
_AROUND = 24
_MOST_NAMED = 200


# It begins with a set of characters, which makes it fast: most texts hold no date.
_NUMERIC = lazy_pattern(
    rf"[\d{_HAN}](?<![\d{_HAN}][\d{_HAN}])(?:(?<=\d)\d{{3}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d)"
    rf"|(?:(?<=\d)\d{{3}}年[\d{_HAN}])?[\d{_HAN}]?月(?:[\d{_HAN}]{{1,3}}[日号])?)"
)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_NAMED = lazy_pattern(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b\.?(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTH})\b\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTH})\b\.?,?\s+(?:of\s+)?\d{{4}}\b",
    re.IGNORECASE,
)
# As written; "may" and "mar" in small letters are other words far more often.
_WRITTEN = frozenset(
    form for name in MONTHS for form in (name, name.title(), name.upper()) if form not in {"may", "mar"}
)


def take_dates(text: str, words: list[str]) -> tuple[str, list[str]]:
    """A text without its dates, and the dates; cheap where there are none.

    Args:
        text: any text.
        words: its words, to tell quickly whether a month is named.
    """
    spans = [match.span() for match in _NUMERIC.finditer(text)]
    if len(text) <= _SHORT_TEXT:
        spans += [match.span() for match in _NAMED.finditer(text)]
    else:
        for month in _WRITTEN.intersection(words):
            spans += _named_near(text, month)
    if not spans:
        return text, []
    kept: list[str] = []
    found: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            kept.append(text[done:start])
            found.append(text[start:end])
            done = end
    return " ".join((*kept, text[done:])), found


def _named_near(text: str, month: str) -> Iterator[tuple[int, int]]:
    """Where dates with this month stand."""
    at = text.find(month)
    for _ in range(_MOST_NAMED):
        if at < 0:
            return
        for match in _NAMED.finditer(text, max(0, at - _AROUND), at + len(month) + _AROUND):
            if match.start() <= at < match.end():
                yield match.span()
        at = text.find(month, at + len(month))


def is_date(text: str) -> bool:
    """Whether a text is one whole date."""
    return bool(_NUMERIC.fullmatch(text) or _NAMED.fullmatch(text))


def is_month(written: str, folded: str) -> bool:
    """Whether a lone word names a month; "may" and "mar" only with a capital, as they are words as well."""
    return folded in MONTHS and (len(folded) > _LONGEST_PLAIN or written[:1].isupper())


def month_term(number: int) -> str:
    """The term of a month of any year."""
    return f"month {number:02}"


def date_terms(written: str) -> tuple[str, tuple[str, ...]]:
    """The term of a date as a whole, and those of its parts: the day of any year, the month, its year, as far as it says.

    Args:
        written: a text for which ``is_date`` holds.
    """
    numbers = [_number(found) for found in re.findall(rf"\d+|[{_HAN}]+", written)]
    named = next((MONTHS[word] for word in re.findall(r"[a-z]+", written.lower()) if word in MONTHS), None)
    if named is not None:
        year = next((number for number in numbers if number >= _YEAR_FROM), 0)
        day = next((number for number in numbers if 0 < number <= _LAST_DAY), 0)
        return _terms(year, named, day)
    if numbers[0] < _YEAR_FROM:
        numbers.insert(0, 0)
    year, month, day = (*numbers, 0)[:3]
    return _terms(year, month, day)


def _number(written: str) -> int:
    """A number in digits, or a Chinese one up to 99."""
    if written.isdigit():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (_HAN.find(tens) + 1 or 1) * 10 * bool(ten) + (_HAN.find(ones) + 1 if ones else 0)


def time_terms(time: float) -> tuple[str, ...]:
    """The terms of the day on which something happened.

    Args:
        time: Unix seconds; the day is that of UTC.
    """
    try:
        day = datetime.fromtimestamp(time, UTC)
    except (OverflowError, OSError, ValueError):
        return ()
    whole, parts = _terms(day.year, day.month, day.day)
    return whole, *parts


def _terms(year: int, month: int, day: int) -> tuple[str, tuple[str, ...]]:
    parts = [month_term(month)]
    if day:
        parts.insert(0, f"{month:02}-{day:02}")
    if year:
        parts += [f"{year:04}-{month:02}", f"{year:04}"]
    whole = parts[0] if not year else f"{year:04}-{month:02}-{day:02}" if day else f"{year:04}-{month:02}"
    return whole, tuple(part for part in parts if part != whole)
