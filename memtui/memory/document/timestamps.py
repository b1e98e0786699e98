"""The ``modified`` of a header: a text to Unix seconds and back (spec §3).

What counts was compared with the released client: ISO 8601 with ``Z`` or an offset, a date alone, one-digit months
and days, ``/`` for ``-``, a day that is too late for its month (it rolls over) and mail dates are moments for both;
bare numbers, week dates, compact forms and words are none. A time without an offset is UTC here, so that a file means
the same on every machine; the client takes its own local time.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from memtui.memory.lazy import lazy_pattern

_LOOSE = lazy_pattern(
    r"""(?P<year>\d{4})[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?
    (?:(?:[Tt]|[ \t]+)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,12}))?)?)?
    [ \t]*(?P<zone>[Zz]|[+-]\d{1,2}(?::?\d\d)?)?""",
    re.VERBOSE | re.ASCII,
)
_MAIL = lazy_pattern(r"(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? \S+", re.ASCII)


def parse_moment(text: str) -> float | None:
    """Unix seconds of a ``modified`` text, or None if it names no moment. Never raises."""
    if text[4:5] == "-" and text[7:8] == "-":  # the usual shape; keeps out 20260102T… and 2026-W01-1
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            pass
        else:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return _parse_loose(text.strip(" \t"))


def _parse_loose(text: str) -> float | None:
    if _MAIL.fullmatch(text):
        from email.utils import parsedate_to_datetime  # noqa: PLC0415 - 8 ms to import, and hardly a file needs it

        try:
            return parsedate_to_datetime(text).replace(microsecond=0).timestamp()
        except ValueError:
            return None
    found = _LOOSE.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second = (
        int(found[part] or default)
        for part, default in (
            ("year", 1),
            ("month", 1),
            ("day", 1),
            ("hour", 0),
            ("minute", 0),
            ("second", 0),
        )
    )
    late = hour == 24 and (minute or second)
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour <= 24 and minute < 60 and second < 60) or late:
        return None
    try:
        moment = datetime(year, month, 1, tzinfo=_zone(found["zone"]))
        moment += timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
        return moment.timestamp() + float(f"0.{found['fraction'] or 0}")
    except (ValueError, OverflowError):
        return None


def _zone(text: str | None) -> timezone:
    if not text or text in "Zz":
        return UTC
    hours, minutes = re.fullmatch(r"[+-](\d{1,2}):?(\d\d)?", text).groups()  # type: ignore[union-attr]
    offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(-offset if text[0] == "-" else offset)


def format_moment(moment: float) -> str:
    """A time in Unix seconds as the client writes it: UTC, milliseconds, ``Z``.

    Raises:
        ValueError: it lies outside the years 1 to 9999, or is not a finite number.
    """
    try:
        whole = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=round(moment * 1000))
    except OverflowError as error:
        raise ValueError("time is out of range") from error
    return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")
