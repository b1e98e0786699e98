"""Three-way merge of an index, line by line: nothing of either side is lost, and no conflict markers (spec §5, §6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from memtui.memory.index.lines import parse_index, split_lines


def merge_index(base: bytes, mine: bytes, theirs: bytes) -> bytes:
    """One index out of two that were changed from the same one.

    A line that one side removed and the other left alone goes; a line that either side changed or added stays. Where
    both changed the same place, their lines come first, then ours that are not among them. Line ends and order follow
    theirs, which stand on disk. A memory's line that both sides moved or changed may come out twice; the
    duplicate-line finding reports it.

    Args:
        base: what the change was made from; empty if there was none.
        mine: the index after the change.
        theirs: what stands on disk now.
    """
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    sides = [_Side(data) for data in (base, mine, theirs)]
    old, ours, disk = sides
    out = _settle(list(_merged(old, ours, disk)), old, ours, disk)
    end = disk.end or ours.end or "\n"
    return _encode(out, end, disk if disk.lines else ours)


class _Side:
    """An index as lines without their ends, the ends kept aside."""

    def __init__(self, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        self.bom = text.startswith("\ufeff")
        pairs = split_lines(text.removeprefix("\ufeff"))
        self.lines = [line for line, _ in pairs]
        self.end = next((end for _, end in pairs if end), "")
        self.closed = not pairs or bool(pairs[-1][1])
        self.ends = {line: end for line, end in pairs if end}


def _encode(lines: Sequence[str], end: str, like: _Side) -> bytes:
    text = "".join(line + like.ends.get(line, end) for line in lines)
    if lines and not like.closed:
        text = text[: len(text) - len(like.ends.get(lines[-1], end))]
    return (("\ufeff" if like.bom else "") + text).encode("utf-8", "surrogateescape")


def _merged(old: _Side, ours: _Side, disk: _Side) -> Iterator[str]:
    """The lines of both sides between the lines that all three share."""
    mine_of, theirs_of = _matches(old.lines, ours.lines), _matches(old.lines, disk.lines)
    at_old = at_mine = at_theirs = 0
    for anchor in [*(n for n in range(len(old.lines)) if n in mine_of and n in theirs_of), None]:
        to_old = len(old.lines) if anchor is None else anchor
        to_mine = len(ours.lines) if anchor is None else mine_of[anchor]
        to_theirs = len(disk.lines) if anchor is None else theirs_of[anchor]
        yield from _region(
            old.lines[at_old:to_old], ours.lines[at_mine:to_mine], disk.lines[at_theirs:to_theirs]
        )
        if anchor is not None:
            yield disk.lines[to_theirs]
            at_old, at_mine, at_theirs = to_old + 1, to_mine + 1, to_theirs + 1


def _matches(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return {a + k: b + k for a, b, size in blocks for k in range(size)}


def _region(old: list[str], mine: list[str], theirs: list[str]) -> list[str]:
    if mine in (old, theirs):
        return theirs
    if theirs == old:
        return mine
    gone_here, gone_there = _count(old, mine), _count(old, theirs)
    kept = _less(theirs, {line: n for line, n in gone_here.items() if line in old})
    seen = _tally(theirs)
    added = []
    for line in mine:
        if seen.get(line, 0):
            seen[line] -= 1
        elif gone_there.get(line, 0):
            gone_there[line] -= 1
        else:
            added.append(line)
    return kept + added


def _tally(lines: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in lines:
        counts[line] = counts.get(line, 0) + 1
    return counts


def _count(old: Sequence[str], new: Sequence[str]) -> dict[str, int]:
    """The old lines that are not in the new ones, with how often."""
    left = _tally(new)
    gone: dict[str, int] = {}
    for line in old:
        if left.get(line, 0):
            left[line] -= 1
        else:
            gone[line] = gone.get(line, 0) + 1
    return gone


def _less(lines: Sequence[str], gone: dict[str, int]) -> list[str]:
    left = dict(gone)
    kept = []
    for line in lines:
        if left.get(line, 0):
            left[line] -= 1
        else:
            kept.append(line)
    return kept


def _settle(lines: list[str], old: _Side, ours: _Side, disk: _Side) -> list[str]:
    """Without the old wording of a memory's line that we changed and they only moved."""
    before, after = set(old.lines), set(ours.lines)
    changed = {_about(line) for line in after - before} - {None}
    added = _count(disk.lines, old.lines)
    stale = {line for line in before - after - added.keys() if _about(line) in changed}
    if not stale:
        return lines
    renewed = {_about(line) for line in lines if line not in stale}
    return [line for line in lines if line not in stale or _about(line) not in renewed]


def _about(line: str) -> str | None:
    if "](" not in line:
        return None
    subject = parse_index(line).lines[0].subject
    return subject.rel if subject else None
