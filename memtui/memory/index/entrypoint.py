"""What a reader gets of ``MEMORY.md``: its limits, the cut and the warning (spec §6).

In the ``library`` convention sizes are UTF-8 bytes of the file. In the ``claude`` convention they are UTF-16 code units
of what the released client keeps, and the text is character for character what the client gives its model (measured;
``tests/integration/test_client_index.py`` compares over generated indexes).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from memtui.memory.conventions import MAX_ENTRYPOINT_BYTES, MAX_ENTRYPOINT_LINES, Convention, SizeUnit
from memtui.memory.index.blocks import comment_blocks, without_frontmatter
from memtui.memory.index.lines import Index, parse_index, split_lines
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Lang
from memtui.memory.wording.findings_catalogue import IndexWording
from memtui.memory.wording.findings_en import INDEX_EN
from memtui.memory.wording.findings_zh import INDEX_ZH

Bound = Literal["lines", "size"]

NEAR = 0.8
"""Share of a limit from which the index counts as near it (ours: 160 lines leave room for forty memories)."""

_JS_SPACE = "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LAST_WORD = lazy_pattern(f"[{_JS_SPACE}]+[^{_JS_SPACE}]*\\Z")
_RESERVED_TAG = lazy_pattern(r"<(?=/?\s*system-reminder)", re.IGNORECASE)
_KEPT_INVISIBLE = "\t\n\u200c\u200d\ufe0e\ufe0f"
_IGNORABLE = lazy_pattern(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0000-\U000e0fff]"
    "|[\ufdd0-\ufdef]|[\ufffe\uffff]"
)
_PREVIEW_UNITS = 80
_WORDS: dict[Lang, IndexWording] = {"en": INDEX_EN, "zh": INDEX_ZH}


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a reader gets of an index.

    Attributes:
        text: all of it, the warning line included; empty where nothing is left to load.
        warning: the warning line, None if nothing was cut.
        lines_total: lines the reader counts.
        lines_loaded: how many of them it gets; a line cut in the middle counts.
        size: what the reader measures, in its unit.
        bound: the limit that decided where the cut is, None if there is none.
        lost: the files, as the index names them, that are named only behind the cut.
        cut_line: 1-based line of the file that is the first not to load whole; None if all of it loads.
    """

    text: str
    warning: str | None
    lines_total: int
    lines_loaded: int
    size: int
    bound: Bound | None
    lost: tuple[str, ...]
    cut_line: int | None = None


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How an index stands against its limits.

    Attributes:
        exists: whether there is a ``MEMORY.md``.
        lines: lines a reader counts.
        size: size a reader measures, in ``unit``.
        unit: UTF-8 bytes, or UTF-16 code units.
        max_lines: limit of ``lines``.
        max_size: limit of ``size``.
        entries: how many different files it names.
        not_loaded: the files, as the index names them, that a reader never hears of.
        bound: the limit that cuts it, None if it fits.
    """

    exists: bool
    lines: int
    size: int
    unit: SizeUnit
    max_lines: int
    max_size: int
    entries: int
    not_loaded: tuple[str, ...]
    bound: Bound | None

    @property
    def fill(self) -> float:
        """The fuller of the two gauges; above 1 it is over a limit."""
        return max(self.lines / self.max_lines, self.size / self.max_size)

    @property
    def near(self) -> bool:
        """Whether it fits, but not for much longer."""
        return self.bound is None and self.fill >= NEAR


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The lines a reader measures, each with the end it counts, and the line of the file each one is."""

    texts: list[str]
    ends: list[str]
    numbers: list[int]


def measure(text: str, unit: SizeUnit) -> int:
    """Size of a text in UTF-8 bytes or UTF-16 code units."""
    if unit == "bytes":
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def load_entrypoint(text: str, unit: SizeUnit = "bytes", *, lang: Lang = "en") -> Loaded:
    """What a reader gets of an index: whole lines within both limits, then a warning that says what is missing.

    A first line that is over the size limit by itself is cut at the limit.

    Args:
        text: the index, as ``decode_index`` gives it.
        unit: ``bytes`` for the ``library`` convention, ``utf16`` for ``claude``.
        lang: language of the warning in the ``library`` convention; the client's is English.
    """
    pieces = _client_pieces(text) if unit == "utf16" else _file_pieces(text)
    total = len(pieces.texts)
    reach = list(accumulate(measure(t + e, unit) for t, e in zip(pieces.texts, pieces.ends, strict=True)))
    last_end = measure(pieces.ends[-1], unit) if total else 0
    size = reach[-1] - last_end if total else 0
    if total <= MAX_ENTRYPOINT_LINES and size <= MAX_ENTRYPOINT_BYTES:
        whole = text if unit == "bytes" else _sent("\n".join(pieces.texts))
        return Loaded(whole, None, total, total, size, None, ())
    count = min(total, MAX_ENTRYPOINT_LINES)
    bodies = [r - measure(e, unit) for r, e in zip(reach, pieces.ends, strict=True)]
    fitting = bisect_right(bodies, MAX_ENTRYPOINT_BYTES, 0, count)
    bound: Bound = "size" if fitting < count else "lines"
    kept = "".join(t + e for t, e in zip(pieces.texts[:fitting], pieces.ends[:fitting], strict=True))
    kept = kept[: len(kept) - len(pieces.ends[fitting - 1])] if fitting else _head(pieces.texts[0], unit)
    warning = _warning(pieces, size, fitting, unit, lang)
    if unit == "utf16":
        kept, warning = _sent(kept), _sent(warning)
    lost = _lost(parse_index(text), set(pieces.numbers[:fitting]), pieces, kept if not fitting else "")
    cut = pieces.numbers[fitting]
    return Loaded(f"{kept}\n\n{warning}", warning, total, max(fitting, 1), size, bound, lost, cut)


def truncate_entrypoint(text: str, unit: SizeUnit = "bytes", *, lang: Lang = "en") -> str:
    """The text a reader gets of an index: whole lines within 200 lines and 25,000 units, then a warning (seed, measured).

    A first line that is over the size limit by itself is cut at the limit.

    Args:
        text: the index.
        unit: what its size is counted in: ``bytes`` for the ``library`` convention, ``utf16`` units for ``claude``.
        lang: language of the warning in the ``library`` convention; the client's is English.
    """
    return load_entrypoint(text, unit, lang=lang).text


def report(text: str | None, convention: Convention) -> IndexReport:
    """How an index stands against its limits; None for a directory without one."""
    loaded = load_entrypoint(text or "", convention.unit)
    return IndexReport(
        exists=text is not None,
        lines=loaded.lines_total,
        size=loaded.size,
        unit=convention.unit,
        max_lines=MAX_ENTRYPOINT_LINES,
        max_size=MAX_ENTRYPOINT_BYTES,
        entries=len({entry.rel for entry in parse_index(text or "").entries}),
        not_loaded=loaded.lost,
        bound=loaded.bound,
    )


def _file_pieces(text: str) -> _Pieces:
    pairs = split_lines(text)
    return _Pieces([t for t, _ in pairs], [e for _, e in pairs], list(range(1, len(pairs) + 1)))


def _client_pieces(text: str) -> _Pieces:
    try:
        text.encode()
    except UnicodeEncodeError:  # the client reads bytes that are not UTF-8 as U+FFFD
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    dropped, all_lines = without_frontmatter([line for line, _ in split_lines(text.removeprefix("\ufeff"))])
    lines: list[str] = []
    numbers: list[int] = []
    at = 0
    for block in comment_blocks(all_lines):
        lines += all_lines[at : block.first]
        numbers += range(at, block.first)
        if block.rest:
            rest = block.rest.split("\n")
            lines += rest
            numbers += [block.first] * len(rest)
        at = block.after
    lines += all_lines[at:]
    numbers += range(at, len(all_lines))
    numbers = [number + dropped + 1 for number in numbers]
    first, last = 0, len(lines)
    while first < last and not lines[first].strip(_JS_SPACE):
        first += 1
    while last > first and not lines[last - 1].strip(_JS_SPACE):
        last -= 1
    lines, numbers = lines[first:last], numbers[first:last]
    if lines:
        lines[0] = lines[0].lstrip(_JS_SPACE)
        lines[-1] = lines[-1].rstrip(_JS_SPACE)
    return _Pieces(lines, ["\n"] * (len(lines) - 1) + [""] * bool(lines), numbers)


def _head(line: str, unit: SizeUnit) -> str:
    if unit == "bytes":
        data = line.encode("utf-8", "surrogateescape")[:MAX_ENTRYPOINT_BYTES]
        while data:
            text = data.decode("utf-8", "surrogateescape")
            if line.startswith(text):
                return text
            data = data[:-1]
        return ""
    return _units(line, MAX_ENTRYPOINT_BYTES)


def _units(text: str, count: int) -> str:
    """The first UTF-16 units of a text; half a surrogate pair at the end is dropped, as on the way to the model."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * count].decode("utf-16-le", "ignore")


def _sent(text: str) -> str:
    """A text as it arrives at the model: the client takes invisible characters out and disarms its reserved tag.

    Measured over the whole Basic Multilingual Plane. Characters that this Python's Unicode version does not know yet
    are kept, since the client's is newer.
    """
    if not text.isascii() or not text.replace("\n", "").isprintable():
        text = text.replace("\u2028", "\n").replace("\u2029", "\n\n")
        text = _IGNORABLE.sub("", text)
        text = "".join(
            c for c in text if c in _KEPT_INVISIBLE or unicodedata.category(c) not in {"Cc", "Cf", "Co", "Cs"}
        )
    return _RESERVED_TAG.sub(lambda m: m[0] + "\\", text)


def _warning(pieces: _Pieces, size: int, loaded: int, unit: SizeUnit, lang: Lang) -> str:
    total = len(pieces.texts)
    words = INDEX_EN if unit == "utf16" else _WORDS[lang]
    if size <= MAX_ENTRYPOINT_BYTES:
        what = words.over_lines.format(lines=total, limit=MAX_ENTRYPOINT_LINES)
    elif total <= MAX_ENTRYPOINT_LINES:
        what = words.over_size.format(size=kilobytes(size), limit=kilobytes(MAX_ENTRYPOINT_BYTES))
    else:
        what = words.over_both.format(lines=total, size=kilobytes(size))
    if not loaded:
        return words.cut.format(what=what, where=words.cut_head.format(limit=MAX_ENTRYPOINT_BYTES))
    first = pieces.texts[loaded].strip(_JS_SPACE)
    if measure(first, "utf16") > _PREVIEW_UNITS:
        first = _shortened(first) + "…"
    preview = words.preview.format(line=first) if first else ""
    lost = total - loaded
    where = words.cut_tail.format(lost=lost, total=total, first=loaded + 1, preview=preview)
    return words.cut.format(what=what, where=where)


def _shortened(line: str) -> str:
    """The start of a line as the client quotes it: cut before a space where one stands in the second half."""
    head = _units(line, _PREVIEW_UNITS - 1)
    words = _LAST_WORD.sub("", head)
    return words if measure(words, "utf16") > _PREVIEW_UNITS // 2 else head


def kilobytes(size: int) -> str:
    """A size as the client prints it: KB, from 1,024 KB on MB; one decimal, ``.0`` left out."""
    amount, name = size / 1024, "KB"
    if amount >= 1024:
        amount, name = amount / 1024, "MB"
    return f"{int(amount * 10 + 0.5) / 10:.1f}".removesuffix(".0") + name


def _lost(index: Index, loaded: set[int], pieces: _Pieces, head: str) -> tuple[str, ...]:
    heard = {entry.rel for entry in index.entries if entry.line in loaded}
    if head:
        line = index.lines[pieces.numbers[0] - 1]
        heard = {e.rel for e in line.entries if line.text[e.link.start : e.link.end] in head}
    return tuple(dict.fromkeys(e.rel for e in index.entries if e.rel not in heard))
