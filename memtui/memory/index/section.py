"""The team's section of ``MEMORY.md``: a heading of its own at the end, made with the first line below it.

A line belongs to the team by its link, ``](team/…)``, wherever it stands; the section only says where new ones go, and
that private ones do not go there. A heading "Team" over a person's own lines is theirs, and no section of ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memtui.memory.conventions import TEAM_PREFIX
from memtui.memory.index.lines import Form, Index, Line, parse_index
from memtui.memory.index.rotation import is_notice
from memtui.memory.lazy import lazy_pattern

HEADINGS = {"en": "## Team", "zh": "## 团队"}
"""What a section is headed with; which of the two, the words of the index decide."""

_HEADING = lazy_pattern(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<words>.*?)[ \t]*#*[ \t]*")
_TEAM = lazy_pattern(r"team|团队", re.IGNORECASE)
_HAN = lazy_pattern("[\u3400-\u9fff]")
_LATIN = lazy_pattern("[A-Za-z]{2,}")


class Section(NamedTuple):
    """The team's section.

    Attributes:
        head: place of its heading among the index's lines, from 0.
        end: one past the place of its last line, the notice of a rotation left out.
        last: whether nothing else follows it.
    """

    head: int
    end: int
    last: bool


def is_team(line: Line) -> bool:
    """Whether a line names a memory of the team."""
    return any(name.startswith(TEAM_PREFIX) for entry in line.entries for name in entry.link.candidates)


def team_section(index: Index) -> Section | None:
    """The team's section, None where there is none: a heading over the team's lines, or over no memory at all."""
    headings = [
        (place, len(match["marks"]), match["words"])
        for place, line in enumerate(index.lines)
        if not line.hidden and not line.fenced and (match := _HEADING.fullmatch(line.text.lstrip("\ufeff")))
    ]
    for number, (head, level, words) in enumerate(headings):
        if not _TEAM.fullmatch(words):
            continue
        end = next((place for place, other, _ in headings[number + 1 :] if other <= level), len(index.lines))
        last = end == len(index.lines)
        while end > head + 1 and is_notice(index.lines[end - 1].text):
            end -= 1
        within = [line for line in index.lines[head + 1 : end] if line.entries]
        if not within or any(is_team(line) for line in within):
            return Section(head, end, last)
    return None


def heading_for(text: str, new: str) -> str:
    """The heading in the language that an index, and the line that comes into it, are written in."""
    written = f"{text}\n{new}"
    return HEADINGS["zh" if len(_HAN.findall(written)) > len(_LATIN.findall(written)) else "en"]


def listed(text: str, new: Sequence[str], *, team: bool) -> str:
    """The index with new lines at the end of where they belong; every other line stays as it is.

    Args:
        text: the index.
        new: the lines, without their ends.
        team: whether they are of the team.
    """
    if not new:
        return text
    index = parse_index(text)
    lines = index.lines
    section = team_section(index)
    if team and section is not None:
        place = _after_words(index, section.head, section.end)
        lead = ("",) if place == section.head + 1 else ()
        return _inserted(index, text, place, (*lead, *new))
    if not team and section is not None and section.last and _holds_team(index, section):
        place = _after_words(index, -1, section.head)
        return _inserted(index, text, place, tuple(new) if place else (*new, ""))
    at = len(lines)
    while at and is_notice(lines[at - 1].text):
        at -= 1
    if not team:
        return _inserted(index, text, at, tuple(new))
    blank = not at or not lines[at - 1].text.strip("\ufeff \t")
    return _inserted(index, text, at, (*(() if blank else ("",)), heading_for(text, new[0]), "", *new))


def _holds_team(index: Index, section: Section) -> bool:
    return any(is_team(line) for line in index.lines[section.head + 1 : section.end])


def _after_words(index: Index, head: int, end: int) -> int:
    """The place behind the last line with words before ``end``; behind ``head`` where there is none."""
    while end > head + 1 and not index.lines[end - 1].text.strip("\ufeff \t"):
        end -= 1
    return end


def _inserted(index: Index, text: str, place: int, new: tuple[str, ...]) -> str:
    lines = index.lines
    end = next((line.end for line in lines if line.end), "\n")
    at = sum(len(line.text) + len(line.end) for line in lines[:place])
    if place and place == len(lines) and not lines[-1].end and text != "\ufeff":
        return text + end + end.join(new)
    return text[:at] + "".join(words + end for words in new) + text[at:]


def without_empty_section(text: str) -> str:
    """The index without the team's section where that holds nothing any more and is headed as we head it."""
    index = parse_index(text)
    section = team_section(index)
    if section is None or not section.last or index.lines[section.head].text not in HEADINGS.values():
        return text
    if any(line.text.strip() for line in index.lines[section.head + 1 : section.end]):
        return text
    first = section.head
    if first and not index.lines[first - 1].text.strip("\ufeff \t"):
        first -= 1
    kept = [*index.lines[:first], *index.lines[section.end :]]
    left = "".join(line.text + line.end for line in kept)
    if kept and not index.lines[-1].end:
        left = left[: len(left) - len(kept[-1].end)]
    return left


def taken_out(text: str, rel: str, *, team: bool) -> tuple[str, str] | None:
    """The index without a memory's own line, and that line, where the memory goes over to the other scope.

    A line that is set in, or has others set in below it, stays where its author put it; so does one of the team's that
    stands outside the section.

    Args:
        text: the index.
        rel: the file, as it is called there.
        team: whether it goes to the team.

    Returns:
        None where the line is to stay.
    """
    index = parse_index(text)
    section = team_section(index)
    for place, line in enumerate(index.lines):
        subject = line.subject
        if subject is None or subject.form is not Form.LIST or not subject.link.names(rel):
            continue
        inside = section is not None and section.head < place < section.end
        if team == inside or not _stands_alone(index, place):
            return None
        left = "".join(each.text + each.end for each in index.lines if each is not line)
        bom = "\ufeff" if line.text.startswith("\ufeff") else ""
        return without_empty_section(bom + left), line.text.removeprefix(bom)
    return None


def _stands_alone(index: Index, place: int) -> bool:
    lines = index.lines
    below = lines[place + 1].text if place + 1 < len(lines) else ""
    return not lines[place].text.lstrip("\ufeff").startswith((" ", "\t")) and not (
        below.startswith((" ", "\t")) and below.strip()
    )
