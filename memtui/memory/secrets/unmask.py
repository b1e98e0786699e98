r"""A text without what hides a secret in it: escapes, entities, other alphabets, characters that nobody sees, broken lines.

Whoever copies a secret out of a page, a terminal or a program takes such writing along; so does whoever means to get one
past a guard. The rules look at what is read; what they find is told where it stands in the text as it is.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memtui.memory.lazy import lazy_pattern

ROUNDS = 3
"""So often is a text unmasked that stays masked, as one that was percent-encoded twice does (ours)."""
UNSEEN = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    r"\uffa0\U000e0000-\U000e01ef"
)
"""Characters that nobody sees, as the inside of a class of a pattern."""
# Beside other characters only: in pictures made of several characters such as ⚠️ they mean something.
_HIDDEN = lazy_pattern(rf"[{UNSEEN}]+(?=[ -~])")
# Wide, mathematical and encircled letters, several in a row: single ones are punctuation of Chinese, or ornaments.
_OTHER_LETTERS = lazy_pattern("[\uff01-\uff5e\U0001d400-\U0001d7ff\u24b6-\u24e9]{4,}")
_ODD = lazy_pattern(f"[{UNSEEN}\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\u24b6-\u24e9]")
_PERCENT = lazy_pattern(r"%[2-7][0-9A-Fa-f]")
_ENTITY = lazy_pattern(r"&(?:#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5}|[A-Za-z]{2,8});")
_ESCAPE = lazy_pattern(
    r"\\(?:x(?P<x>[2-7][0-9A-Fa-f])|u(?P<u>00[2-7][0-9A-Fa-f])|u\{0{0,4}(?P<b>[2-7][0-9A-Fa-f])\}|U000000(?P<w>[2-7][0-9A-Fa-f])"
    r"|(?P<o>0[4-7][0-7]|1[0-7][0-7])|(?P<slash>/)|(?P<line>\r?\n))"
)
_PLUS = lazy_pattern(r"\+\s{0,80}[\"']")
_ENDS_OF_LINES = ('"\n', "'\n", "\\\n")
_JOINED = lazy_pattern(
    r"(?P<q>[\"'])[ \t]{0,8}(?:[+.&][ \t]{0,8}(?:\\?\r?\n[ \t]{0,60})?|\\?\r?\n[ \t]{0,60}(?:[+.&][ \t]{0,8})?)(?P=q)"
)
Piece = tuple[int, int, str]
"""Start and end of what is masked, and what it stands for."""


class View(NamedTuple):
    """What a text says when it is unmasked.

    Attributes:
        text: without masks.
        starts: where each piece that was put in starts in it.
        pieces: for each, its length, and start and end of what it stands for in the text as it was.
    """

    text: str
    starts: Sequence[int]
    pieces: Sequence[tuple[int, int, int]]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of it stands in the text as it was."""
        return self._before(start, end=False), self._before(end - 1, end=True)

    def _before(self, at: int, *, end: bool) -> int:
        place = bisect_right(self.starts, at) - 1
        if place < 0:
            return at + end
        length, start, until = self.pieces[place]
        rest = at - self.starts[place] - length
        if rest < 0:
            return until if end else start
        return until + rest + end


class Reading(NamedTuple):
    """A text as it is read at last, through all rounds.

    Attributes:
        text: what it says.
        views: the rounds, the last one first.
    """

    text: str
    views: Sequence[View]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of it stands in the text as it was."""
        for view in self.views:
            start, end = view.span(start, end)
        return start, end


def unmasked(text: str) -> Reading | None:
    """A text without its masks, with the way back; None where it has none. Linear time."""
    views: list[View] = []
    while len(views) < ROUNDS:
        view = _view(views[-1].text if views else text)
        if view is None:
            break
        views.append(view)
    return Reading(views[-1].text, views[::-1]) if views else None


def _view(text: str) -> View | None:
    pieces = sorted(_pieces(text))
    if not pieces:
        return None
    written: list[str] = []
    starts: list[int] = []
    kept: list[tuple[int, int, int]] = []
    at = length = 0
    for start, end, said in pieces:
        if start < at:
            continue
        written += [text[at:start], said]
        starts.append(length + start - at)
        kept.append((len(said), start, end))
        length, at = starts[-1] + len(said), end
    return View("".join((*written, text[at:])), starts, kept)


def _pieces(text: str) -> Iterator[Piece]:
    if "&" in text:
        yield from _changed(_ENTITY, text, _entity)
    if "%" in text:
        yield from _changed(_PERCENT, text, lambda match: chr(int(match[0][1:], 16)))
    if "\\" in text:
        yield from _changed(_ESCAPE, text, _escape)
    if any(end in text for end in _ENDS_OF_LINES) or _PLUS.search(text):
        yield from _changed(_JOINED, text, lambda _: "")
    if not text.isascii() and _ODD.search(text):
        yield from _changed(_HIDDEN, text, _hidden)
        for match in _OTHER_LETTERS.finditer(text):
            for at, char in enumerate(match[0], match.start()):
                yield at, at + 1, unicodedata.normalize("NFKC", char)


def _changed(pattern: re.Pattern[str], text: str, said: Callable[[re.Match[str]], str]) -> Iterator[Piece]:
    for match in pattern.finditer(text):
        new = said(match)
        if new != match[0]:
            yield (*match.span(), new)


def _entity(match: re.Match[str]) -> str:
    from html import unescape  # noqa: PLC0415 – its table of two thousand names is loaded by those only who need it

    said = unescape(match[0])
    return said if len(said) == 1 and (" " <= said <= "~") else match[0]


def _escape(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    if kind == "slash":
        return "/"
    if kind == "line":
        return ""
    return _printable(chr(int(match[kind], 8 if kind == "o" else 16)), match[0])


def _hidden(match: re.Match[str]) -> str:
    return "" if " " <= match.string[match.start() - 1 : match.start()] <= "~" else match[0]


def _printable(char: str, otherwise: str) -> str:
    return char if " " <= char <= "~" else otherwise
