"""Long texts as blocks: logical lines with what stands before them, and how they are broken to a width. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from memtui.memory.lazy import lazy_pattern
from memtui.memory.text import visible
from memtui.tui.present.lines import Line, Part, clip_line, hard_wrap, join, width, wrap

Marks = Callable[[str], bool | None]
"""Says of a code span whether what it names is there; None for one that names nothing."""
FOUND, BROKEN = "✓", "✗"


def no_marks(_: str) -> bool | None:
    """Says nothing of any code span."""
    return None


class Block(NamedTuple):
    """One logical line.

    Attributes:
        line: its text.
        first: what stands before it, such as a bullet.
        rest: what stands before every line it is continued on; as wide as ``first``.
        breaks: ``words`` for prose, ``hard`` for source that is cut where it reaches the edge, ``never`` for what is one
            line and ends in … where it is too long.
    """

    line: Line = ()
    first: Line = ()
    rest: Line = ()
    breaks: Literal["words", "hard", "never"] = "words"


BLANK = Block()
INDENT: Line = (("    ", ""),)


def grouped(title: str, lines: Sequence[Line], role: str = "heading") -> list[Block]:
    """Lines under a title that counts them, with a blank one behind; nothing where there are none.

    Args:
        title: what they are.
        lines: they, fit to be shown.
        role: how the title looks.
    """
    if not lines:
        return []
    head = Block(((title, role), (f"  {len(lines)}", "count")))
    return [head, *(Block(line, INDENT, INDENT) for line in lines), BLANK]


def layout(blocks: Iterable[Block], cells: int) -> list[Line]:
    """The blocks as lines of at most ``cells``."""
    lines: list[Line] = []
    for block in blocks:
        if not block.first and not block.rest and width(block.line) <= cells:
            lines.append(block.line)
            continue
        if block.breaks == "never":
            lines.append(clip_line((*block.first, *block.line), cells))
            continue
        room = max(4, cells - width(block.first))
        if block.breaks == "hard":
            pieces: Sequence[Line] = [
                ((piece, block.line[0][1]),) if block.line else ()
                for piece in hard_wrap("".join(text for text, _ in block.line), room)
            ]
        else:
            pieces = wrap(block.line, room)
        lines.append((*block.first, *pieces[0]))
        lines.extend((*block.rest, *piece) for piece in pieces[1:])
    return lines


_SOURCE_TOKEN = lazy_pattern(
    r"(?P<code>`+[^`\n]+`+)|(?P<strong>\*\*[^*\n]+\*\*|__[^_\n]+__)|(?P<link>\[\[[^\[\]\n]+\]\])",
)


def source_blocks(lines: Iterable[str], marks: Marks = no_marks) -> list[Block]:
    """Text as it stands, each line lightly coloured; for what is too long to be rendered.

    Args:
        lines: fit to be shown, see ``present.source_lines``.
        marks: what is known of the code spans in it.
    """
    blocks: list[Block] = []
    fence = ""
    for line in lines:
        mark = line.lstrip()[:3]
        if mark in {"```", "~~~"} and (not fence or mark == fence):
            fence = "" if fence else mark
            blocks.append(Block(((line, "dim"),), breaks="hard"))
        elif fence:
            blocks.append(Block(((line, "code"),), breaks="hard"))
        elif len(line) > 2000:
            blocks.append(Block(((line, ""),), breaks="hard"))
        else:
            blocks.append(Block(source_line(line, marks)))
    return blocks


def source_line(line: str, marks: Marks = no_marks) -> Line:
    """One line of Markdown source with its markers left in place."""
    if line.startswith("#"):
        return ((line, "heading"),)
    if "`" not in line and "**" not in line and "[[" not in line and "__" not in line:
        return ((line, ""),) if line else ()
    parts: list[Part] = []
    last = 0
    for match in _SOURCE_TOKEN.finditer(line):
        parts.append((line[last : match.start()], ""))
        kind = match.lastgroup or ""
        role = f"link={wiki_target(match[0][2:-2])}" if kind == "link" else kind
        parts.append((match[0], role))
        found = marks(match[0].strip("`")) if kind == "code" else None
        if found is not None:
            parts.append((f" {FOUND}" if found else f" {BROKEN}", "good" if found else "bad"))
        last = match.end()
    parts.append((line[last:], ""))
    return join(parts)


def wiki_target(inner: str) -> str:
    """What ``[[inner]]`` points to: before ``|`` and ``#``."""
    return re.split(r"[|#]", inner, maxsplit=1)[0].strip()


_INLINE = lazy_pattern(r"\[\[(?P<inner>[^\[\]\n]+)\]\]")


def with_links(text: str, role: str) -> list[Part]:
    """Prose with its wiki links as links; the brackets are not shown, an alias is."""
    parts: list[Part] = []
    last = 0
    for match in _INLINE.finditer(text):
        inner = match["inner"]
        shown = inner.partition("|")[2].strip() or inner.strip()
        parts.append((visible(text[last : match.start()]), role))
        parts.append((visible(shown), f"link={wiki_target(inner)}"))
        last = match.end()
    parts.append((visible(text[last:]), role))
    return [part for part in parts if part[0]]
