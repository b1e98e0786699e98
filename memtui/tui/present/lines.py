"""Lines of text with roles: what the pure presentation makes and the Line-API widgets paint.

A part is a piece of text and the name of its role (``name``, ``hot``, ``dim`` …); which colour a role has is the
style sheet's business. Widths are terminal cells, never characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from rich.cells import cached_cell_len, cell_len

Part = tuple[str, str]
"""A text and its role; an empty role is the widget's own style."""

Line = tuple[Part, ...]
"""One line, logical or as wide as the screen."""

# A word with the closing punctuation that must not start a line; one CJK character; a run of spaces.
_WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6"
_CLOSING = "、。，．；：？！）」』】〉》〕｝”’…"


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Pieces of a line, what starts with a wide character, pieces that are not broken, and a text of narrow signs only.

    Compiled when first needed.
    """
    return (
        re.compile(rf"\s+|[{_WIDE}][{_CLOSING}]*|[^\s{_WIDE}]+[{_CLOSING}]*"),
        re.compile(f"[{_WIDE}]"),
        re.compile(rf"\s+|[{_WIDE}][{_CLOSING}]*|(?:[^\s{_WIDE}]+[{_CLOSING}]*)+"),
        re.compile("[ -~¡-¬®-ʯ‐-‧‰-⁞]+"),
    )


class _Widths(dict[str, int]):
    """Cells of each character, worked out once."""

    def __missing__(self, char: str) -> int:
        size = self[char] = cell_len(char)
        return size


_WIDTHS = _Widths()
_JOINING = ("\u200d", "\ufe0f")
"""Characters that change how wide their neighbours are."""


def _cells(text: str) -> int:
    """What ``cell_len`` says, which for Chinese takes three times as long."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(text) if any(sign in text for sign in _JOINING) else sum(map(_WIDTHS.__getitem__, text))


def plain(line: Iterable[Part]) -> str:
    """The text of a line without its roles."""
    return "".join(text for text, _ in line)


def width(line: Iterable[Part]) -> int:
    """Cells a line takes."""
    return sum([_cells(text) for text, _ in line])


def clip(text: str, cells: int, ellipsis: str = "…") -> str:
    """The text cut to ``cells``, with an ellipsis where something is left out."""
    if len(text) * 2 <= cells or cell_len(text) <= cells:
        return text
    room = cells - cell_len(ellipsis)
    if room <= 0:
        return _head(text, max(0, cells))[0]
    return _head(text, room)[0].rstrip() + ellipsis


def clip_start(text: str, cells: int, ellipsis: str = "…") -> str:
    """Text in at most ``cells`` cells, its end kept: of a path the end tells more."""
    if cell_len(text) <= cells:
        return text
    left = max(0, cells - cell_len(ellipsis))
    taken = width = 0
    for char in reversed(text):
        width += cell_len(char)
        if width > left:
            break
        taken += 1
    return clip(ellipsis + text[len(text) - taken :], cells, "")


def fit(text: str, cells: int, ellipsis: str = "…") -> str:
    """The text cut or padded on the right to exactly ``cells``."""
    short = clip(text, cells, ellipsis)
    return short + " " * (cells - cell_len(short))


def clip_line(line: Line, cells: int, ellipsis: str = "…") -> Line:
    """A line cut to ``cells``; roles stay."""
    if width(line) <= cells:
        return line
    room, kept = cells - cell_len(ellipsis), []
    for text, role in line:
        size = cell_len(text)
        if size <= room:
            kept.append((text, role))
            room -= size
        else:
            kept.append((_head(text, max(0, room))[0].rstrip() + ellipsis, role))
            break
    return tuple(kept)


def spread(left: Line, right: Line, cells: int, ellipsis: str = "…") -> Line:
    """One line of ``cells`` with ``left`` at its start and ``right`` at its end; ``left`` gives way."""
    right = clip_line(right, cells, ellipsis)
    room = cells - width(right)
    left = clip_line(left, max(0, room - 1), ellipsis) if room > 1 else ()
    return (*left, (" " * max(0, room - width(left)), ""), *right)


def wrap(line: Line, cells: int, *, indent: str = "") -> list[Line]:
    """A line broken at spaces and between CJK characters; what is too long for a line is cut.

    Args:
        line: the logical line.
        cells: width to fit in.
        indent: what every line but the first starts with.
    """
    cells = max(cells, 2)
    if cell_len(indent) > cells // 2:
        indent = ""
    if width(line) <= cells:
        return [line]
    if not indent:
        text = line[0][0] if len(line) == 1 else plain(line)
        rows = _rows_of_simple(text, cells)
        if rows is not None:
            return _cut(line, rows)
        if len(line) == 1 and (whole := _wrap_prose(line[0], cells)) is not None:
            return whole
    return _wrap_any(line, cells, indent)


def _rows_of_simple(text: str, cells: int) -> list[tuple[int, int]] | None:
    """Where a text is broken, as most are written: one space between words, of signs that are all one cell wide.

    Gives the first and one past the last character of each row; None for any other text, or where a word is longer than
    a row.
    """
    if not _patterns()[3].fullmatch(text) or "  " in text or text[0] == " " or text[-1] == " ":
        return None
    rows: list[tuple[int, int]] = []
    start, size = 0, len(text)
    while size - start > cells:
        end = text.rfind(" ", start, start + cells + 1)
        if end <= start:
            return None
        rows.append((start, end))
        start = end + 1
    rows.append((start, size))
    return rows


def _cut(line: Line, rows: Iterable[tuple[int, int]]) -> list[Line]:
    """The rows of a line, given where they start and end."""
    if len(line) == 1:
        [(text, role)] = line
        return [((text[start:end], role),) for start, end in rows]
    cut: list[Line] = []
    place, passed = 0, 0  # the part one is in, and the characters before it
    for start, end in rows:
        while passed + len(line[place][0]) <= start:
            passed += len(line[place][0])
            place += 1
        parts: list[Part] = []
        number, before = place, passed
        while before < end:
            text, role = line[number]
            parts.append((text[max(0, start - before) : end - before], role))
            before += len(text)
            number += 1
        cut.append(join(parts))
    return cut


def _wrap_any(line: Line, cells: int, indent: str) -> list[Line]:
    """What `wrap` makes of any line, word by word."""
    lines: list[Line] = []
    current: list[Part] = []
    used = 0
    lead = cell_len(indent)

    def close() -> None:
        nonlocal current, used
        while current and current[-1][0].isspace() and len(current) > 1:
            current.pop()
        lines.append(join(current))
        current, used = ([(indent, "")], lead) if indent else ([], 0)

    for word in _words(line):
        size = width(word)
        if used + size > cells and plain(word).isspace():
            continue  # the space a line is broken at is not shown
        if used + size > cells and used > (lead if lines else 0):
            close()
            if plain(word).isspace():
                continue
        for text, role in word:
            rest = text
            while cell_len(rest) > cells - used:
                head, rest = _head(rest, cells - used)
                if not head:
                    if used <= (lead if lines else 0):
                        head, rest = rest[:1], rest[1:]
                    else:
                        close()
                        continue
                current.append((head, role))
                close()
            if rest:
                current.append((rest, role))
                used += cell_len(rest)
    lines.append(join(current))
    return lines


def _wrap_prose(part: Part, cells: int) -> list[Line] | None:
    """What `wrap` makes of a line of one role, as nearly all prose is; None where a word is longer than a line."""
    text, role = part
    plain_ascii = text.isascii() and text.isprintable()
    words = _patterns()[2].findall(text)
    measure: Callable[[str], int] = len if plain_ascii else cached_cell_len  # words are short
    rows: list[list[str]] = [[]]
    used = 0
    for word in words:
        size = measure(word)
        if used + size > cells:
            if word.isspace():
                continue  # the space a line is broken at is not shown
            if size > cells:
                return None
            if len(rows[-1]) > 1 and rows[-1][-1].isspace():
                rows[-1].pop()
            rows.append([])
            used = 0
        rows[-1].append(word)
        used += size
    return [((made, role),) if (made := "".join(row)) else () for row in rows]


def join(parts: Iterable[Part]) -> Line:
    """The same line with neighbours of one role in one part."""
    joined: list[Part] = []
    for text, role in parts:
        if joined and joined[-1][1] == role:
            joined[-1] = (joined[-1][0] + text, role)
        elif text:
            joined.append((text, role))
    return tuple(joined)


def hard_wrap(text: str, cells: int) -> list[str]:
    """A text cut into pieces of at most ``cells``; at least one piece."""
    cells = max(cells, 2)
    if text.isascii():
        return [text[i : i + cells] for i in range(0, len(text), cells)] or [""]
    pieces, start = [], 0
    while start < len(text):
        # A window, not the whole rest, keeps the work linear in the text.
        head = _head(text[start : start + 2 * cells], cells)[0] or text[start]
        pieces.append(head)
        start += len(head)
    return pieces or [""]


def _head(text: str, cells: int) -> tuple[str, str]:
    """The longest start of ``text`` that fits into ``cells``, and the rest."""
    if text.isascii():
        return text[:cells], text[cells:]
    used = end = 0
    for char in text:
        size = cell_len(char)
        if used + size > cells:
            break
        used += size
        end += 1
    return text[:end], text[end:]


def _words(line: Line) -> Iterator[Line]:
    """The pieces a line may be broken between; a word that changes its role half-way stays one piece."""
    word: list[Part] = []
    for text, role in line:
        for match in _patterns()[0].finditer(text):
            token = match[0]
            if word and (_breaks(word[-1][0]) or _breaks_before(token)):
                yield tuple(word)
                word = []
            word.append((token, role))
    if word:
        yield tuple(word)


def _breaks(token: str) -> bool:
    return token.isspace() or _patterns()[1].match(token) is not None


def _breaks_before(token: str) -> bool:
    return token[0] not in _CLOSING and _breaks(token)
