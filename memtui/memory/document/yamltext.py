"""One YAML value on one line: undoing its quotes, and quoting a text exactly when YAML needs it (spec §4)."""

from __future__ import annotations

import re
from typing import Final

from memtui.memory.document.timestamps import format_moment
from memtui.memory.errors import MemtuiError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.wording.saying import Say


class FrontmatterError(MemtuiError):
    """A header that can't be read as strict YAML, or a change to a file that can't be made safely.

    Attributes:
        code: stable kebab-case name of the reason, the same names as in ``Problem.code``.
        line: 1-based line of the text that was given, or None.
    """

    def __init__(self, what: str, *, code: str, line: int | None = None, todo: str = "") -> None:
        super().__init__(what, todo=todo)
        self.code = code
        self.line = line


MAX_HEADER_BYTES: Final = 64 * 1024
"""A larger header is not read as YAML and not written (spec §4)."""

MAX_SCALAR_CHARS: Final = 32 * 1024
"""A longer value is not read as YAML and not written."""

NULLS = frozenset(["", "~", "null", "Null", "NULL"])
"""What YAML reads as "no value" where it stands without quotes."""

_SINGLE = lazy_pattern(r"'((?:[^']|'')*)'")
_DOUBLE = lazy_pattern(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = lazy_pattern(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_NAMED = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


def unquote(value: str) -> str | None:
    """The text of a value that is one quoted scalar and nothing else; None if it is not that, or wrongly escaped."""
    if found := _SINGLE.fullmatch(value):
        return found[1].replace("''", "'")
    found = _DOUBLE.fullmatch(value)
    if not found:
        return None
    inner = found[1]
    if "\\" not in inner:
        return inner
    try:
        return _ESCAPE.sub(_unescape, inner)
    except (KeyError, ValueError):
        return None


def _unescape(found: re.Match[str]) -> str:
    name = found[4]
    if name:
        return _NAMED[name]
    code = int(found[1] or found[2] or found[3], 16)
    if 0xD800 <= code < 0xE000:
        raise ValueError
    return chr(code)


# What one YAML reader or another takes for something else than text: PyYAML (1.1), or the client (1.2).
_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off"])
_NUMBER_12 = lazy_pattern(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
)
# Not printable in YAML, or a line break in YAML 1.1: written as an escape.
_UNPRINTABLE = lazy_pattern("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\x1b": "\\e", '"': '\\"', "\\": "\\\\"}


def quote(value: str, *, always: bool = False) -> str:
    """A text as a YAML scalar on one line, which a strict parser reads back exactly.

    It stays as typed where that is safe, takes the quotes that leave it readable where not, and escapes only what
    can't stand on the line. ``---`` is broken up by an escape, because the released client ends the header at the
    first one, wherever it stands (measured).

    Args:
        value: the text.
        always: give it quotes even where it needs none.

    Raises:
        FrontmatterError: it holds a lone surrogate, which no file can hold, or is over ``MAX_SCALAR_CHARS`` long.
    """
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise FrontmatterError("the text holds half a character (a lone surrogate)", code="invalid-text")
    if len(value) > MAX_SCALAR_CHARS:
        raise FrontmatterError(
            Say("a value of {count} characters is too long", count=len(value)), code="header-too-large"
        )
    if _UNPRINTABLE.search(value) or "---" in value:
        return _double(value)
    if not always and is_plain(value):
        return value
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return "'" + value.replace("'", "''") + "'" if value.count("'") < 3 else _double(value)


def _double(value: str) -> str:
    text = re.sub(r'["\\]', lambda found: _SHORT[found[0]], value)
    text = _UNPRINTABLE.sub(lambda found: _SHORT.get(found[0]) or _hex(found[0]), text)
    return '"' + re.sub("(?<=-)-(?=-)", r"\\x2D", text) + '"'


def _hex(char: str) -> str:
    return f"\\x{ord(char):02X}" if ord(char) < 0x100 else f"\\u{ord(char):04X}"


def is_plain(value: str) -> bool:
    """Whether a text of printable characters needs no quotes: every YAML reader takes it for this very text."""
    if (
        not value
        or value[0] in " \t"
        or value[-1] in " \t:"
        or ": " in value
        or " #" in value
        or "\t" in value
    ):
        return False
    if value.lower() in _WORDS or _NUMBER_12.fullmatch(value):
        return False
    if value[0].isalpha():
        return True
    from memtui.memory.document import yamlsafe  # noqa: PLC0415 - YAML costs 20 ms to import, and few values need it

    return yamlsafe.reads_as_text(value)


def stamp(moment: float) -> str:
    """A time in Unix seconds as ``modified`` states it.

    Raises:
        FrontmatterError: it lies outside the years 1 to 9999.
    """
    try:
        return format_moment(moment)
    except ValueError as error:
        raise FrontmatterError("the time is outside the years 1 to 9999", code="invalid-modified") from error


def written(key: str, value: str, *, always: bool = False) -> str:
    """A field's value as it goes into a header: quoted where needed; a time bare, as the client writes it.

    Raises:
        FrontmatterError: see ``quote``.
    """
    return value if key == "modified" else quote(value, always=always)


def encode(text: str) -> bytes:
    """The bytes of a file's text; surrogates that stand for odd bytes become those bytes again.

    Raises:
        FrontmatterError: it holds any other surrogate.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise FrontmatterError(
            "the text holds half a character (a lone surrogate)", code="invalid-text"
        ) from error
