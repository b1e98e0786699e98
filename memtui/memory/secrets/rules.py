"""What a rule of the secret guard is, and the table of all of them (reliability §4).

A rule's pattern is tried only where one of its hints stands, and every repetition in it is bounded: a text of any make is
read in time that grows with its length. Patterns are compiled when first tried.
"""

from __future__ import annotations

import binascii
import json
import re
import string
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets import context
from memtui.memory.secrets.formats import FORMATS
from memtui.memory.secrets.values import is_drawn, is_identifier, is_strong, unwrap_base64

Span = tuple[int, int]
Check = Callable[[re.Match[str]], "Span | list[Span] | None"]
Where = Literal["token", "text"]

MIN_TOKEN = 16
"""No documented token is shorter, in characters."""
_LEFT = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F]))"
_RIGHT = r"(?![A-Za-z0-9])"
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


_RUN = lazy_pattern("A{4,}")


class Rule(NamedTuple):
    """One kind of secret.

    Attributes:
        id: stable kebab-case name.
        provider: who gives out such secrets, or ``generic``.
        description: what it is, for a person.
        hints: literals, one of which stands in every match; at its start unless ``floating``.
        pattern: the format, a regular expression.
        check: the span of the value in a match, or the spans of several; None if it is none: an example, a placeholder, a
            wrong structure.
        floating: whether a match may start before its hint.
        where: ``token`` for formats without blanks, whose hints are looked for as they are, in long words only; ``text``
            for what needs its surroundings, whose hints are looked for in lower case, everywhere.
        begins: whether a match may begin at a hint, for a pattern that takes long to be made ready; None if it may always.
    """

    id: str
    provider: str
    description: str
    hints: tuple[str, ...]
    pattern: str
    check: Check
    floating: bool = False
    where: Where = "token"
    begins: Callable[[str, int], bool] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, made ready at its first use."""
        return _compiled(self.pattern, self.where)


@cache
def _compiled(pattern: str, where: Where) -> re.Pattern[str]:
    return lazy_pattern(pattern, re.IGNORECASE if where == "text" else 0)


def github_checksum(body: str) -> str:
    """The last six characters of GitHub's classic tokens and npm's: CRC-32 of those before, in base 62, zero-padded."""
    number, digits = binascii.crc32(body.encode("ascii")), ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits.rjust(6, "0")


def _body(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _drawn(match: re.Match[str]) -> Span | None:
    """The usual check: what follows the prefix must look drawn, not typed into a manual."""
    return match.span() if is_drawn(_body(match)) else None


def _inner(match: re.Match[str]) -> Span | None:
    return match.span(1) if is_drawn(match[1]) else None


def _mixed(match: re.Match[str]) -> Span | None:
    body = _body(match)
    mixed = any(c.isdigit() for c in body) and any(c.isalpha() for c in body)
    return _drawn(match) if mixed or not is_identifier(body) else None


def _unnamed(match: re.Match[str]) -> Span | None:
    return _drawn(match) if not is_identifier(_body(match)) else None


def _gaps(match: re.Match[str]) -> Span | None:
    body = _RUN.sub("A", _body(match))
    return match.span() if is_drawn(body) and any(c.isdigit() for c in body) else None


def _strong(match: re.Match[str]) -> Span | None:
    """For what no provider documents: digits and letters of both cases, which ids, hashes and names rarely have all of."""
    body = _body(match)
    return _drawn(match) if is_strong(body) else None


def _checksummed(match: re.Match[str]) -> Span | None:
    # A right checksum proves a token, whatever it looks like. A wrong one proves nothing: formats have changed before.
    body = _body(match)
    return match.span() if github_checksum(body[:-6]) == body[-6:] else _drawn(match)


def _jwt(match: re.Match[str]) -> Span | None:
    header, payload, signature = match.groups()
    try:
        said = json.loads(unwrap_base64(header) or "")
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not {"alg", "typ", "enc", "kid"} & said.keys():
        return None
    if "John Doe" in (unwrap_base64(payload) or ""):  # jwt.io's own example stands in every manual
        return None
    return match.span() if is_drawn(signature) else None


_CHECKS: dict[str, Check] = {
    "mixed": _mixed,
    "unnamed": _unnamed,
    "strong": _strong,
    "gaps": _gaps,
    "checksummed": _checksummed,
    "jwt": _jwt,
    "inner": _inner,
}


def _formats() -> Iterator[Rule]:
    for line in FORMATS.strip().splitlines():
        if line.startswith("#"):
            continue
        rule_id, provider, hints, pattern, description, *marks = line.split(" | ")
        flags = " ".join(marks).split()
        check = next((_CHECKS[flag] for flag in flags if flag in _CHECKS), _drawn)
        floating = "floating" in flags
        bounded = pattern if floating else f"{_LEFT}{pattern}{_RIGHT}"
        yield Rule(rule_id, provider, description, tuple(hints.split()), bounded, check, floating)


def _contexts() -> Iterator[Rule]:
    for shape in context.SHAPES:
        yield Rule(
            shape.id,
            "generic" if shape.provider is None else shape.provider,
            shape.description,
            shape.hints,
            shape.pattern,
            shape.check,
            where="text",
            begins=shape.begins,
        )


_ALL = [*_formats(), *_contexts()]
RULES: dict[str, Rule] = {rule.id: rule for rule in sorted(_ALL, key=lambda rule: rule.id != "private-key")}
"""Every rule by id, the most specific first: where two claim the same text, the earlier one has it."""
