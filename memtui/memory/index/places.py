"""Where a memory's own line stood in the index, so that it can be put back there when the memory comes back."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from memtui.memory.conventions import TEAM_PREFIX
from memtui.memory.index.lines import parse_index
from memtui.memory.index.section import listed


class Stood(NamedTuple):
    """A memory's own line as it stood.

    Attributes:
        line: it, without its end; empty where the index did not name the memory at all.
        above: the line before it; None at the top.
        below: the line after it; None at the end.
    """

    line: str = ""
    above: str | None = None
    below: str | None = None


def places(text: str) -> dict[str, Stood | None]:
    """By file, how it stands in an index; None for one that is named there, but has no line of its own.

    Of several lines of its own the first counts. A file that is not there is not named.
    """
    lines = parse_index(text).lines
    found: dict[str, Stood | None] = {}
    for at, line in enumerate(lines):
        for rel in (name for entry in line.entries for name in entry.link.candidates):
            if line.subject is None or not line.subject.link.names(rel):
                found.setdefault(rel, None)
            elif found.get(rel) is None:
                above = lines[at - 1].text if at else None
                below = lines[at + 1].text if at + 1 < len(lines) else None
                found[rel] = Stood(line.text, above, below)
    return found


def put_back(text: str, rel: str, stood: Stood) -> str:
    """The index with a line again where it stood, as far as its neighbours are there; else where new ones go."""
    lines = parse_index(text).lines
    texts = [None, *(line.text for line in lines), None]
    gaps = list(pairwise(texts))
    wanted = (
        [at for at, gap in enumerate(gaps) if gap == (stood.above, stood.below)]
        or [at for at, gap in enumerate(gaps) if stood.above and gap[0] == stood.above]
        or [at for at, gap in enumerate(gaps) if stood.below and gap[1] == stood.below]
    )
    if len(wanted) != 1 or text.startswith("\ufeff"):
        return listed(text, [stood.line], team=rel.startswith(TEAM_PREFIX))
    parts = [line.text + line.end for line in lines]
    end = next((line.end for line in lines if line.end), "\n")
    (at,) = wanted
    if at == len(lines) and lines and not lines[-1].end:
        return text + end + stood.line
    return "".join([*parts[:at], stood.line + end, *parts[at:]])
