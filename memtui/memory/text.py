"""The border between text from files and whatever shows or reads it: screens, terminals, prompts (spec §11, reliability §3).

Two doors. ``visible`` is for people: every code point that a terminal would obey or hide becomes one symbol, so the
reader sees that something stands there and columns stay where they are. ``for_prompt`` is for models: what is
invisible is dropped, and what could pass for our own tags or for a turn of the conversation is made harmless.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from memtui.memory.lazy import lazy_pattern

UnsafeKind = Literal[
    "control",
    "bidi",
    "separator",
    "invisible",
    "tag",
    "surrogate",
    "noncharacter",
    "reserved-tag",
    "role-marker",
]

_CLASSES: dict[UnsafeKind, str] = {
    "control": "\\x00-\\x1f\\x7f-\\x84\\x86-\\x9f",
    "bidi": "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069",
    "separator": "\\x85\\u2028\\u2029",
    # Soft hyphen, joiners of nothing, fillers, variation selectors, format characters without a look of their own:
    # Unicode's Default_Ignorable_Code_Point and the Cf category, less those that draw something (U+0600 and kin).
    "invisible": (
        "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164"
        "\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb"
    ),
    "surrogate": "\\ud800-\\udfff",
    "noncharacter": "\\ufdd0-\\ufdef\\ufffe\\uffff",
}
_CLASSES_BEYOND_BMP: dict[UnsafeKind, str] = {
    "tag": "\\U000e0000-\\U000e007f",
    "invisible": (
        "\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0080-\\U000e0fff"
    ),
    "noncharacter": "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 0x11)),
}
_SYMBOLS: dict[UnsafeKind, str] = {
    "control": "␦",
    "bidi": "⇆",
    "separator": "␤",
    "invisible": "▯",
    "tag": "▯",
    "surrogate": "␦",
    "noncharacter": "␦",
}

# Code points that carry emoji: what may stand before U+FE0F and on either side of a joiner.
_EMOJI = (
    "[\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2194-\\u21aa\\u231a-\\u23ff\\u24c2\\u25aa-\\u25fe\\u2600-\\u27bf"
    "\\u2934\\u2935\\u2b05-\\u2b55\\u3030\\u303d\\u3297\\u3299\\U0001f000-\\U0001faff]"
)
# Scripts whose spelling uses joiners between letters: Arabic and its kin, those of India, Burmese, Khmer.
_JOINING = "[\\u0620-\\u06dc\\u06de-\\u070d\\u0710-\\u07ff\\u08a0-\\u08e1\\u08e3-\\u0dff\\u1000-\\u109f\\u1780-\\u17b3\\u17b6-\\u17ff]"


# Patterns are compiled when they are first needed: together they take longer than reading a hundred memories.


@cache
def _belongs() -> re.Pattern[str]:
    return re.compile(
        f"(?<={_EMOJI})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f\\u20e3"
        f"|(?:(?<={_EMOJI})|(?<={_EMOJI}\\ufe0f))\\u200d{_EMOJI}|(?<={_JOINING})[\\u200c\\u200d]{_JOINING}"
    )


_CONTEXTUAL = "\u200c\u200d\ufe0e\ufe0f"
# What may be unsafe, in one class that `re` looks up in a table. That takes no ranges beyond the BMP, so everything
# there is suspect. Ten times faster than the exact class on Chinese text, and run for every row that is painted.
_SUSPECTS = "".join(_CLASSES.values()) + _CONTEXTUAL + "\\U00010000-\\U0010ffff"
_SUSPECT = lazy_pattern(f"[{_SUSPECTS}]")


@cache
def _suspect_in_lines() -> re.Pattern[str]:
    return re.compile(f"[{_SUSPECTS}]".replace("\\x00-\\x1f", "\\x00-\\x09\\x0b-\\x1f"))


@cache
def _by_kind() -> tuple[tuple[UnsafeKind, re.Pattern[str]], ...]:
    return tuple(
        (kind, re.compile(f"[{chars}]"))
        for classes in (_CLASSES, _CLASSES_BEYOND_BMP)
        for kind, chars in classes.items()
    )


@lru_cache(maxsize=4096)
def _kind(char: str) -> UnsafeKind | None:
    """What a code point is, whatever stands around it; None for one that is safe everywhere."""
    for kind, pattern in _by_kind():
        if pattern.match(char):
            return kind
    return "invisible" if char in _CONTEXTUAL else None


def _unsafe(match: re.Match[str]) -> UnsafeKind | None:
    """What a suspect code point is where it stands; None if it is safe there."""
    kind = _kind(match[0])
    if kind == "invisible" and match[0] in _CONTEXTUAL and _belongs().match(match.string, match.start()):
        return None
    return kind


def _symbol(match: re.Match[str]) -> str:
    char = match[0]
    if char < " ":
        return chr(0x2400 + ord(char))
    if char == "\x7f":
        return "␡"
    kind = _unsafe(match)
    return _SYMBOLS[kind] if kind else char


def visible(text: str, *, keep_newlines: bool = False, keep_tabs: bool = False) -> str:
    """Text as it may go to a screen, a terminal, a log line: the only door to any of them.

    One code point in, one code point out, so positions and cursors hold. C0 controls become control pictures
    (ESC ``␛``, tab ``␉``, newline ``␊``), DEL ``␡``, C1 controls, surrogates and noncharacters ``␦``, bidi controls
    ``⇆``, line separators ``␤``, zero-width, TAG and other invisible characters ``▯``. Joiners and selectors inside
    emoji stay, and so do joiners between letters of scripts that are spelled with them.

    Args:
        text: anything, lone surrogates too.
        keep_newlines: leave U+000A, for text that is shown as several lines.
        keep_tabs: leave U+0009, for a view that expands tabs itself.
    """
    if text.isascii() and text.isprintable():
        return text
    pattern = _suspect_in_lines() if keep_newlines else _SUSPECT
    if keep_tabs and "\t" in text:
        return "\t".join(pattern.sub(_symbol, part) for part in text.split("\t"))
    return pattern.sub(_symbol, text)


_ASCII = str.maketrans(
    {
        **dict.fromkeys("✓✔✅", "+"),
        **dict.fromkeys("✗✘✖❌", "x"),
        **dict.fromkeys("·•●◆▪■", "*"),
        **dict.fromkeys("○◇▫□", "o"),  # hollow: what is not chosen must not look like what is
        **dict.fromkeys("…␤⋯。．", "."),
        **dict.fromkeys("、﹑", ","),
        **dict.fromkeys("–—‐‑‒―−─━┄┈╌═▔", "-"),
        **dict.fromkeys("│┃┆┊╎║▏▕", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬", "+"),
        **dict.fromkeys("▓█▉▊▋▌▍▎▆▇", "#"),
        **dict.fromkeys("░▒▂▃▄▅", "."),
        **dict.fromkeys("→➜➔▶▸►›»〉》", ">"),
        **dict.fromkeys("←◀◂◄‹«〈《", "<"),
        **dict.fromkeys("↑▲△▴", "^"),
        **dict.fromkeys("↓▼▽▾", "v"),
        **dict.fromkeys("‘’‚′『』", "'"),
        **dict.fromkeys("“”„″「」", '"'),
        **dict.fromkeys("【〔", "["),
        **dict.fromkeys("】〕", "]"),
        **dict.fromkeys("≈≃∼", "~"),
        **dict.fromkeys("×", "x"),
        **dict.fromkeys("⚠", "!"),
        "▁": "_",
        "⌫": "<",
        "🔎": "/",
        "\u00a0": " ",
        "\u3000": " ",
    }
)


def _ascii_char(char: str, *, keep_letters: bool) -> str:
    if char < "\x7f":
        return char if char >= " " else "?"
    if keep_letters and unicodedata.category(char)[0] in "LMN":
        return char
    plain = unicodedata.normalize("NFKD", char)[0]
    return plain if " " <= plain < "\x7f" else "?"


def ascii_only(text: str, *, keep_letters: bool = False) -> str:
    """Text for a screen that draws nothing but ASCII, one column for each code point.

    Signs of ours get a likeness (``✓`` → ``+``, ``▓`` → ``#``, ``→`` → ``>``), Latin letters lose their accents, a newline
    stays, and everything else is ``?``.

    Args:
        text: what to show; controls need no ``visible`` first.
        keep_letters: leave letters, marks and digits of every script, and translate only signs.
    """
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(
        "".join(_ascii_char(char, keep_letters=keep_letters) for char in line.translate(_ASCII))
        for line in text.split("\n")
    )


def one_line(text: str) -> str:
    """Text on one line: every run of white space, newlines included, becomes one space; none at either end."""
    return " ".join(text.split())


# --- prompts ---------------------------------------------------------------------------------------------------------

_LINE_BREAK = lazy_pattern("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_GAP = r"[\s\-_.\u2010-\u2015\u2212]{0,3}"
_LOOKALIKES = dict(zip("аеорсухіѕјһԁтмοριτυα", "aeopcyxisjhdtmopitua", strict=True))
_TAG_NAME = rf"[\s/\\!?]*(?i:project{_GAP}memory{_GAP}context|system{_GAP}reminder|\|[\w ]{{1,40}}\|)"


@cache
def _reserved_words() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<tag><)(?={_TAG_NAME})"
        r"|^[^\S\n]*(?:#+[^\S\n]*)?(?P<role>Human|HUMAN|Assistant|ASSISTANT|System|SYSTEM|User|USER)(?=[^\S\n]*:)",
        re.MULTILINE,
    )


class _Fold(dict[int, str]):
    """What a code point looks like to a reader that takes look-alikes for the letter: NFKD, marks dropped."""

    _LIMIT = 1 << 16  # a hostile text could otherwise fill the table with every code point there is

    def __missing__(self, code: int) -> str:
        parts = unicodedata.normalize("NFKD", chr(code))
        folded = "".join(_LOOKALIKES.get(c, c) for c in parts if unicodedata.category(c) != "Mn")
        if len(self) < self._LIMIT:
            self[code] = folded
        return folded


_FOLD = _Fold()


# What no look-alike of a letter or of "<" is among: ASCII, dashes and quotation marks, Han, CJK and full-width signs.
# No pattern, since one with so many characters in it takes longer to be made ready than a prompt to be put together.
_ALIKE_NONE = tuple(
    range(ord(first), ord(last) + 1)
    for first, last in (
        "\x00\x7f",
        "\u2010\u2027",
        "\u3000\u303f",
        "\u3400\u4dbf",
        "\u4e00\u9fff",
        "\uff01\uff0f",
        "\uff1a\uff1b",
        "\uff1f\uff1f",
    )
)
_ROLE = lazy_pattern("[HASU](?:uman|UMAN|ssistant|SSISTANT|ystem|YSTEM|ser|SER)")


def _may_be_alike(char: str) -> bool:
    return not any(ord(char) in signs for signs in _ALIKE_NONE)


def _may_be_reserved(text: str) -> bool:
    """Whether it is worth folding a text: most hold nothing that a tag or a role needs."""
    if "<" in text or (not text.isascii() and any(map(_may_be_alike, set(text)))):
        return True
    return _ROLE.search(text) is not None


def _reserved(text: str) -> list[tuple[UnsafeKind, int, int]]:
    """Where ``text`` holds what a prompt must not: the ``<`` of a reserved tag, or the word of a role marker."""
    if not _may_be_reserved(text):
        return []
    folded = text if text.isascii() else text.translate(_FOLD)
    matches = list(_reserved_words().finditer(folded))
    if not matches:
        return []
    origin = range(len(text)) if text.isascii() else [i for i, c in enumerate(text) for _ in _FOLD[ord(c)]]
    return [
        ("reserved-tag" if m["tag"] else "role-marker", origin[m.start(g)], origin[m.end(g) - 1] + 1)
        for m in matches
        for g in (m.lastgroup or "tag",)
    ]


def tag_at(text: str, start: int) -> str:
    """The reserved tag that starts there, without what stands in it or behind it; the one character if none does."""
    piece = text[start : start + 80]
    match = re.match(rf"<{_TAG_NAME}\s*>?", piece.translate(_FOLD))
    if match is None:
        return piece[:1]
    origin = [i for i, c in enumerate(piece) for _ in _FOLD[ord(c)]]
    return piece[: origin[match.end() - 1] + 1].rstrip()


def neutralise(text: str, *, roles: bool = True) -> str:
    """Text in which nothing passes for a tag of ours or for a turn of the conversation.

    The ``<`` of a ``project-memory-context`` or ``system-reminder`` tag and of a ``<|special token|>`` becomes ``&lt;``;
    opening or closing, in any case, with spaces, slashes, full-width or look-alike letters. A role at the start of
    a line (``Human:``) is put in parentheses (``(Human):``). A second pass changes nothing.

    Args:
        text: any.
        roles: whether it may stand at the start of a line; False for what always follows something else there.
    """
    found = [each for each in _reserved(text) if roles or each[0] != "role-marker"]
    if not found:
        return text
    pieces, at = [], 0
    for kind, start, end in found:
        pieces += [text[at:start], "&lt;" if kind == "reserved-tag" else f"({text[start:end]})"]
        at = end
    return "".join([*pieces, text[at:]])


def for_prompt(text: str, *, roles: bool = True) -> str:
    """Text from a file as it may stand in a prompt (spec §11), or in a file that goes into one, as the index does.

    Line breaks of every kind become U+000A. Control, bidi and invisible characters are dropped, except tab and
    the joiners that ``visible`` keeps; what was no text at all (lone surrogates) becomes U+FFFD. Then ``neutralise``,
    with ``roles``.
    """
    if not (text.isascii() and text.isprintable()):
        text = _suspect_in_lines().sub(_dropped, _LINE_BREAK.sub("\n", text))
    return neutralise(text, roles=roles)


def sendable(text: str) -> str:
    """Text that can be sent as UTF-8: what was no text (lone surrogates) becomes U+FFFD, and all else stays."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _dropped(match: re.Match[str]) -> str:
    kind = None if match[0] == "\t" else _unsafe(match)
    if kind == "surrogate":
        return "\ufffd"
    return "" if kind else match[0]


# --- findings --------------------------------------------------------------------------------------------------------


class UnsafeSpan(NamedTuple):
    """A run of text that ``visible`` or ``for_prompt`` changes.

    Attributes:
        kind: what it is.
        start: index of its first code point.
        end: index behind its last.
        text: the run itself; show it through ``visible`` only.
    """

    kind: UnsafeKind
    start: int
    end: int
    text: str

    @property
    def hidden_text(self) -> str:
        """The ASCII text that a run of TAG characters spells; empty for every other kind."""
        if self.kind != "tag":
            return ""
        return "".join(chr(ord(c) - 0xE0000) for c in self.text if 0xE0020 <= ord(c) < 0xE007F)


def unsafe_spans(text: str) -> tuple[UnsafeSpan, ...]:
    """What in ``text`` is not what it looks like, in order; neighbours of one kind are one span.

    Newline, tab and the CR of a CRLF are ordinary. Reserved tags and role markers are found as ``for_prompt`` finds
    them, also where invisible characters stand between their letters only if those are removed first; so a text
    with invisible characters in it deserves a second look after ``for_prompt``.
    """
    spans: list[tuple[UnsafeKind, int, int]] = []
    if not (text.isascii() and text.isprintable()):
        for match in _suspect_in_lines().finditer(text):
            char, start = match[0], match.start()
            kind = None if char == "\t" or text.startswith("\r\n", start) else _unsafe(match)
            if kind is None:
                continue
            if spans and spans[-1][0] == kind and spans[-1][2] == start:
                spans[-1] = (kind, spans[-1][1], start + 1)
            else:
                spans.append((kind, start, start + 1))
    spans += _reserved(text)
    return tuple(
        UnsafeSpan(kind, start, end, text[start:end])
        for kind, start, end in sorted(spans, key=lambda s: s[1])
    )
