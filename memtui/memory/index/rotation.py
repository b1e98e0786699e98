"""Makes an index fit its limits: lines leave it, the least worth a line first, and one line says how many are not listed (spec §6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from memtui.memory.conventions import MAX_ENTRYPOINT_BYTES, MAX_ENTRYPOINT_LINES, SizeUnit
from memtui.memory.index.entrypoint import load_entrypoint
from memtui.memory.index.lines import Index, Line, parse_index
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Lang
from memtui.memory.wording.findings_catalogue import IndexWording
from memtui.memory.wording.findings_en import INDEX_EN
from memtui.memory.wording.findings_zh import INDEX_ZH

SHORTENED_TO = 0.9
"""Share of both limits that an index is shortened to when a person asks for it (ours): the next twenty memories load."""
FILLED_TO = 0.95
"""Share of both limits up to which lines are added to an index by fixes (ours): what is saved next still loads."""

_WORDS: dict[Lang, IndexWording] = {"en": INDEX_EN, "zh": INDEX_ZH}
_NOTICE = lazy_pattern("|".join(f"(?:{words.notice_pattern})" for words in _WORDS.values()))


@dataclass(frozen=True, slots=True)
class Rotation:
    """An index made to fit.

    Attributes:
        text: the index.
        dropped: the files whose lines left, oldest first.
    """

    text: str
    dropped: tuple[str, ...]


def is_notice(line: str) -> bool:
    """Whether a line is the one that tells how many memories rotated out."""
    return bool(_NOTICE.fullmatch(line.strip()))


def noticed(line: str) -> int | None:
    """How many memories that line says are not listed; None for any other line."""
    if not is_notice(line):
        return None
    return int("".join(char for char in line if char.isdigit()))


def fits(text: str, unit: SizeUnit, share: float = 1.0) -> bool:
    """Whether an index stays within a share of both limits."""
    loaded = load_entrypoint(text, unit)
    return loaded.lines_total <= share * MAX_ENTRYPOINT_LINES and loaded.size <= share * MAX_ENTRYPOINT_BYTES


def rotate(
    text: str,
    modified: Mapping[str, float],
    unit: SizeUnit = "bytes",
    *,
    lang: Lang = "en",
    share: float = 1.0,
) -> Rotation:
    """The index made to fit its limits by taking out the own lines of the oldest memories.

    Only list lines that begin with a memory's link leave: lines whose memory is gone first, then by age; never prose,
    table rows, headings, links out of the directory, or the only mention of a younger memory. One notice line, kept
    up to date on later calls, says how many memories are not listed. An index that fits is only touched where it
    already bears a notice; one that would not fit without any such line either is left as it is.

    Args:
        text: the index.
        modified: file (``sub/a.md``) to effective time in Unix seconds, or whatever else they are to be ranked by, for
            every active memory.
        unit: unit of the size limit.
        lang: language of the notice.
        share: of both limits, what it shall keep within; where that cannot be, the limits themselves.
    """
    index = parse_index(text)
    if fits(text, unit, share):
        return Rotation(
            _with_notice(index, frozenset(), modified, lang) if _bears_notice(index) else text, ()
        )
    leaving = _by_age(index, modified)

    def without(count: int) -> str:
        return _with_notice(index, frozenset(line.number for line in leaving[:count]), modified, lang)

    if not leaving or not fits(without(len(leaving)), unit, share):
        return rotate(text, modified, unit, lang=lang) if share < 1.0 else Rotation(text, ())
    low, high = 1, len(leaving)
    while low < high:
        middle = (low + high) // 2
        if fits(without(middle), unit, share):
            high = middle
        else:
            low = middle + 1
    return Rotation(without(low), tuple(line.entries[0].rel for line in leaving[:low]))


def renumbered(text: str, active: Callable[[], Collection[str]], lang: Lang = "en") -> str:
    """The index with its notice saying how many memories it does not list now; without one, as it is.

    Args:
        text: the index.
        active: the files of the memories in force; asked for only where there is a notice.
        lang: language of the notice.
    """
    if not any(is_notice(line) for line in text.splitlines()):
        return text
    return _with_notice(parse_index(text), frozenset(), active(), lang)


def unnamed(lines: Iterable[Line], active: Iterable[str]) -> tuple[str, ...]:
    """The files that no link of these lines may mean."""
    named = {name for line in lines for entry in line.entries for name in entry.link.candidates}
    return tuple(rel for rel in active if rel not in named)


def _bears_notice(index: Index) -> bool:
    return any(is_notice(line.text) for line in index.lines)


def _by_age(index: Index, modified: Mapping[str, float]) -> list[Line]:
    """The lines that may leave, oldest first; of equal age, the upper one first."""

    def age(line: Line) -> float:
        known = [modified[c] for e in line.entries for c in e.link.candidates if c in modified]
        return max(known, default=float("-inf"))

    own = [line for line in index.lines if line.subject and not line.subject.link.outside]
    return sorted(own, key=lambda line: (age(line), line.number))


def _with_notice(index: Index, gone: frozenset[int], active: Collection[str], lang: Lang) -> str:
    kept = [line for line in index.lines if line.number not in gone]
    missing = len(unnamed(kept, active))
    notice = _WORDS[lang].notice.format(n=missing)
    end = next((line.end for line in index.lines if line.end), "\n")
    parts, placed = [], False
    for line in kept:
        said = noticed(line.text)
        if said is None:
            parts.append(line.text + line.end)
        elif missing and not placed:
            placed = True
            parts.append((line.text if said == missing else notice) + line.end)
    body = "".join(parts)
    if not missing or placed:
        return body
    return (
        body
        + ("" if body.endswith(("\n", "\r")) or not body else end)
        + notice
        + (end if index.lines[-1].end else "")
    )
