"""Relative days made absolute: "yesterday" in a text of 5 March 2026 is 2026-03-04 (ours).

Only what names one day, week, month, quarter or year is changed; "a few days ago" and "next sprint" stay. Left alone is
also what says a habit ("every next week's on-call is named on Friday") or a span ("logs older than 3 days ago"), what
stands in code, addresses and quotations, and a line that gives a date already.

Weeks begin on Monday. "Next Thursday" is Thursday of the week after, "last Thursday" that of the week before, as the
Chinese 下周四 and 上周四 always are; "this" is of the same week and "coming" the first that follows.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from memtui.memory.document.prose import prose_only
from memtui.memory.lazy import lazy_pattern

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    **{name: number for number, name in enumerate(("one", "two", "three", "four", "five", "six"), 1)},
    **{name: number for number, name in enumerate("一二三四五六", 1)},
    "a": 1,
    "an": 1,
    "两": 2,
}
_STEPS = {"next": 1, "last": -1, "this": 0, "下": 1, "上": -1, "本": 0, "这": 0}
_NAMED = {
    "yesterday": -1,
    "tomorrow": 1,
    "昨天": -1,
    "明天": 1,
    "后天": 2,
    "前天": -2,
}
_NIGHTS = {"tonight": 0, "last night": -1, "昨晚": -1, "今晚": 0, "明晚": 1}
_MOST_BACK = 3_660

_RELATIVE = lazy_pattern(
    rf"""\b(?:
        (?P<step>next|last|this)\s+(?:(?P<day>{"|".join(_DAYS)})|(?P<span>week(?:end)?|month|quarter|year))
      | (?:the\s+)?coming\s+(?P<coming>{"|".join(_DAYS)})
      | (?P<count>\d{{1,4}}|a|an|one|two|three|four|five|six)\s+(?P<unit>day|week|month|year)s?\s+ago
      | (?P<named>yesterday|tomorrow) | (?P<night>tonight|last\s+night)
    )\b
    | (?P<named_zh>昨天|明天|(?<![以之今往最然随先])后天|前天) | (?P<night_zh>昨晚|今晚|明晚)
    | (?P<year_zh>去年|明年)
    | (?P<step_zh>[上下本这])一?个?(?:周|星期|礼拜)(?![期目边围末岁年])(?P<day_zh>[一二三四五六日天])?
    | (?P<step_month>[上下本])(?:一?个)?月(?![\d一二三四五六七八九十份]*[日号])
    | (?P<count_zh>\d{{1,3}}|[一两二三四五六])\s*(?P<unit_zh>天|周|个星期|个月|年)(?:之?前)(?!的|端|沿|提)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ABSOLUTE = lazy_pattern(
    r"\b\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?\b|\d{1,2}\s*月\s*\d{1,2}\s*[日号]|\d{4}\s*年"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}\b"
    r"|\b\d{1,2}\.?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b",
    re.IGNORECASE,
)
_HABIT = lazy_pattern(
    r"\b(?:every|each|always|never|usually|typically|generally|whenever|often|daily|weekly|monthly|quarterly|yearly|rolling"
    r"|if|unless|may|e\.g|such\s+as|like|words?|phrases?|examples?)\b|每|总是|通常|一律|往往|经常|如果|若|例如|比如|不要|不得|相对日期",
    re.IGNORECASE,
)
_BEFORE = lazy_pattern(
    r"(?:than|within|until\s+at\s+least|past|the|for|vs\.?|versus)\s+\Z|(?:早于|超过|至少|最近|过去|与|比|和)\s*\Z",
    re.IGNORECASE,
)
_GOVERNED = lazy_pattern(
    r"\b(?:on|by|until|till|since|from|before|after|of|to|for|in|at|and|or|is|was|are|were|be|between|about|around)\s+\Z",
    re.IGNORECASE,
)
_SENTENCE = lazy_pattern(r"[^.!?。！？；;\n]*")


@dataclass(frozen=True, slots=True)
class Made:
    """One relative day made absolute.

    Attributes:
        start: where it stood, in characters of the text given.
        end: one past its last character.
        words: what stood there.
        absolute: what takes its place.
    """

    start: int
    end: int
    words: str
    absolute: str


def find_relative(text: str, day: dt.date) -> tuple[Made, ...]:
    """What of a text can be made absolute.

    Args:
        text: a text.
        day: the day on which it was written.
    """
    return tuple(_found(text, lambda match: _absolute(match, day)))


def relative_words(text: str) -> tuple[tuple[int, int], ...]:
    """Where in a text stands what could be made absolute if the day were known: first character, one past the last."""
    return tuple((made.start, made.end) for made in _found(text, lambda match: match[0]))


def find_known(text: str, days: Mapping[str, str]) -> tuple[Made, ...]:
    """What of a text can be made absolute from what the same words became elsewhere.

    Args:
        text: a text.
        days: relative words in lower case to the day or span they mean, as `bare_day` gives it.
    """
    return tuple(_found(text, lambda match: days.get(match[0].lower(), "")))


def bare_day(absolute: str) -> str:
    """What was put in the place of a relative day, without the "on" or "in" that its sentence asked for."""
    first, space, rest = absolute.partition(" ")
    return rest if space and first.lower() in {"on", "in"} else absolute


def _found(text: str, resolve: Callable[[re.Match[str]], str]) -> Iterator[Made]:
    prose = prose_only(text)
    for match in _RELATIVE.finditer(prose):
        if _left_alone(prose, match):
            continue
        try:
            absolute = resolve(match)
        except (ValueError, OverflowError):  # before the year 1, or after 9999
            continue
        if absolute:
            yield Made(match.start(), match.end(), match[0], _governed(prose, match, absolute))


def made_absolute(text: str, found: tuple[Made, ...]) -> str:
    """The text with what was found in it put in its place."""
    parts, last = [], 0
    for made in found:
        parts += [text[last : made.start], made.absolute]
        last = made.end
    return "".join([*parts, text[last:]])


def _governed(prose: str, match: re.Match[str], absolute: str) -> str:
    """With "on" or "in" in front where English asks for it, and nothing governs the words already."""
    if not match[0].isascii() or prose[match.end() : match.end() + 1] in {"'", "’"}:
        return absolute
    start = prose.rfind("\n", 0, match.start()) + 1
    before = prose[start : match.start()]
    word = "in" if match["span"] or (match["unit"] and match["unit"].lower() != "day") else "on"
    if match["span"] and match["span"].lower() == "weekend":
        word = "on"
    if match[0][0].isupper():
        return f"{word.capitalize()} {absolute}"
    ends_in_word = before.rstrip() != before and before.rstrip()[-1:].isalnum()
    return f"{word} {absolute}" if ends_in_word and not _GOVERNED.search(before) else absolute


def _left_alone(prose: str, match: re.Match[str]) -> bool:
    start = prose.rfind("\n", 0, match.start()) + 1
    end = prose.find("\n", match.end())
    end = end if end >= 0 else len(prose)
    if _ABSOLUTE.search(prose, start, end):
        return True
    before = prose[start : match.start()]
    cut = max((before.rfind(mark) for mark in ".!?。！？；;"), default=-1) + 1
    after = _SENTENCE.match(prose, match.end())
    sentence = before[cut:] + (after[0] if after else "")
    if _HABIT.search(sentence):
        return True
    counted = match["count"] or match["count_zh"] or match["step"] or match["step_zh"] or match["step_month"]
    return bool(counted and _BEFORE.search(before))


def _absolute(match: re.Match[str], day: dt.date) -> str:
    monday = day - dt.timedelta(days=day.weekday())
    lower = re.sub(r"\s+", " ", match[0].lower())
    if match["named"] or match["named_zh"]:
        return str(day + dt.timedelta(days=_NAMED[lower]))
    if match["night"]:
        return f"the evening of {day + dt.timedelta(days=_NIGHTS[lower])}"
    if match["night_zh"]:
        return f"{day + dt.timedelta(days=_NIGHTS[lower])} 晚"
    if match["year_zh"]:
        return f"{day.year + (1 if lower == '明年' else -1)} 年"
    if match["coming"]:
        ahead = (_DAYS.index(match["coming"].lower()) - day.weekday() - 1) % 7 + 1
        return str(day + dt.timedelta(days=ahead))
    if match["day"]:
        offset = 7 * _STEPS[match["step"].lower()] + _DAYS.index(match["day"].lower())
        return str(monday + dt.timedelta(days=offset))
    if match["span"]:
        return _span(match["span"].lower(), _STEPS[match["step"].lower()], day)
    if match["step_zh"]:
        start = monday + dt.timedelta(days=7 * _STEPS[match["step_zh"]])
        if match["day_zh"]:
            number = 6 if match["day_zh"] in "日天" else "一二三四五六".index(match["day_zh"])
            return str(start + dt.timedelta(days=number))
        return f"{start} 那一周"
    if match["step_month"]:
        return _month(day, _STEPS[match["step_month"]])
    count = match["count"] or match["count_zh"]
    number = int(count) if count.isdecimal() else _NUMBERS[count.lower()]
    return _back(number, (match["unit"] or match["unit_zh"]).lower(), day)


def _span(span: str, step: int, day: dt.date) -> str:
    monday = day - dt.timedelta(days=day.weekday()) + dt.timedelta(days=7 * step)
    if span == "week":
        return f"the week of {monday}"
    if span == "weekend":
        return f"the weekend of {monday + dt.timedelta(days=5)}"
    if span == "month":
        return _month(day, step)
    if span == "year":
        return str(day.year + step)
    quarters = day.year * 4 + (day.month - 1) // 3 + step
    return f"{quarters // 4}-Q{quarters % 4 + 1}"


def _month(day: dt.date, step: int) -> str:
    months = day.year * 12 + day.month - 1 + step
    return f"{months // 12:04}-{months % 12 + 1:02}"


def _back(number: int, unit: str, day: dt.date) -> str:
    """So long ago, as exactly as it was said."""
    if unit in {"day", "天"} and number <= _MOST_BACK:
        return str(day - dt.timedelta(days=number))
    if unit in {"week", "周", "个星期"} and number <= _MOST_BACK:
        gone = day - dt.timedelta(weeks=number)
        monday = gone - dt.timedelta(days=gone.weekday())
        return f"the week of {monday}" if unit == "week" else f"{monday} 那一周"
    if unit in {"month", "个月"}:
        return _month(day, -number)
    if unit in {"year", "年"} and number < day.year:
        return str(day.year - number) + (" 年" if unit == "年" else "")
    return ""
