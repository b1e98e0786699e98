"""What two long sequences have in common, in order: exact where they differ little, quick where they differ a lot.

Every step is bounded, so that no text makes a comparison quadratic. A few differences are found exactly (Myers' greedy
algorithm, up to a fixed number of them); where there are more, elements that occur once on both sides divide the
sequences (patience), and each part is tried again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

Block = tuple[int, int, int]
"""``length`` equal elements from a place in the old sequence and a place in the new one: (old, new, length)."""

_MAX_DIFFERENCES = 200
"""Most insertions and deletions that are looked for exactly (ours)."""
_EXTRA_STEPS, _ALL_EXTRA_STEPS = 20_000, 1_000_000
"""Steps that one exact look, and all of them together, may take beyond four for each element (ours)."""
_MAX_DEPTH = 8
"""How often a part is divided again (ours)."""


@dataclass(frozen=True, slots=True)
class Matching:
    """What two sequences have in common.

    Attributes:
        blocks: runs of equal elements, in order, as long as they get.
        exact: whether no more was given up than the shortest description would; False where the work was bounded.
    """

    blocks: tuple[Block, ...]
    exact: bool


def match(old: Sequence[Hashable], new: Sequence[Hashable]) -> Matching:
    """Find what ``old`` and ``new`` have in common, in order; the time grows with their length, not with its square."""
    start, end = _ends(old, new, 0, len(old), 0, len(new))
    old_end, new_end = len(old) - end, len(new) - end
    # What stands on one side only matches nothing; leaving it out first makes the rest short.
    shared = set(old[start:old_end]) & set(new[start:new_end])
    olds = [i for i in range(start, old_end) if old[i] in shared]
    news = [j for j in range(start, new_end) if new[j] in shared]
    codes: dict[Hashable, int] = {}
    a = [codes.setdefault(old[i], len(codes)) for i in olds]
    b = [codes.setdefault(new[j], len(codes)) for j in news]
    found, exact = _match_parts(a, b)
    blocks: list[Block] = [(0, 0, start)] if start else []
    for i, j, length in found:
        for k in range(length):
            _append(blocks, olds[i + k], news[j + k], 1)
    if end:
        _append(blocks, old_end, new_end, end)
    return Matching(tuple(blocks), exact)


def _append(blocks: list[Block], i: int, j: int, length: int) -> None:
    if blocks:
        was_i, was_j, was = blocks[-1]
        if was_i + was == i and was_j + was == j:
            blocks[-1] = (was_i, was_j, was + length)
            return
    blocks.append((i, j, length))


def _ends(
    a: Sequence[Hashable], b: Sequence[Hashable], a_from: int, a_to: int, b_from: int, b_to: int
) -> tuple[int, int]:
    """How many elements are equal at the start and at the end of two parts."""
    most = min(a_to - a_from, b_to - b_from)
    start = 0
    while start < most and a[a_from + start] == b[b_from + start]:
        start += 1
    end = 0
    while end < most - start and a[a_to - 1 - end] == b[b_to - 1 - end]:
        end += 1
    return start, end


def _match_parts(a: Sequence[int], b: Sequence[int]) -> tuple[list[Block], bool]:
    found: list[Block] = []
    exact = True
    extra = _ALL_EXTRA_STEPS
    todo = [(0, len(a), 0, len(b), 0)]
    while todo:
        a_from, a_to, b_from, b_to, depth = todo.pop()
        start, end = _ends(a, b, a_from, a_to, b_from, b_to)
        if start:
            found.append((a_from, b_from, start))
        if end:
            found.append((a_to - end, b_to - end, end))
        a_from, a_to, b_from, b_to = a_from + start, a_to - end, b_from + start, b_to - end
        if a_from == a_to or b_from == b_to:
            continue
        part_a, part_b = a[a_from:a_to], b[b_from:b_to]
        blocks, steps = _few_differences(part_a, part_b, min(extra, _EXTRA_STEPS))
        extra -= max(0, steps - 4 * (len(part_a) + len(part_b)))
        if blocks is not None:
            found.extend((a_from + i, b_from + j, length) for i, j, length in blocks)
            continue
        anchors = _anchors(part_a, part_b) if depth < _MAX_DEPTH else []
        if not anchors:
            exact = exact and not set(part_a) & set(part_b)
            continue
        exact = False
        last_i = last_j = 0
        for i, j in anchors:
            found.append((a_from + i, b_from + j, 1))
            todo.append((a_from + last_i, a_from + i, b_from + last_j, b_from + j, depth + 1))
            last_i, last_j = i + 1, j + 1
        todo.append((a_from + last_i, a_to, b_from + last_j, b_to, depth + 1))
    found.sort()
    return found, exact


def _few_differences(a: Sequence[int], b: Sequence[int], extra: int) -> tuple[list[Block] | None, int]:
    """The longest common part if it takes few differences and few steps, else None; and the steps it took.

    Myers' greedy algorithm (1986).
    """
    m, n = len(a), len(b)
    most, steps = 4 * (m + n) + extra, 0
    reached = {
        1: 0
    }  # by diagonal (place in a less place in b), the place in a got to with so many differences
    trace: list[dict[int, int]] = []
    for differences in range(min(_MAX_DIFFERENCES, m + n) + 1):
        trace.append({k: reached[k] for k in range(-differences, differences + 2) if k in reached})
        for k in range(-differences, differences + 1, 2):
            x = reached[k + 1] if _goes_down(reached, k, differences) else reached[k - 1] + 1
            y = before = x - k
            while x < m and y < n and a[x] == b[y]:
                x += 1
                y += 1
            steps += 1 + y - before
            reached[k] = x
            if x >= m and y >= n:
                return _walk_back(trace, m, n), steps
        if steps > most:
            break
    return None, steps


def _goes_down(reached: dict[int, int], k: int, differences: int) -> bool:
    """Whether the farthest way to a diagonal is by an insertion."""
    return k == -differences or (k != differences and reached[k - 1] < reached[k + 1])


def _walk_back(trace: Sequence[dict[int, int]], x: int, y: int) -> list[Block]:
    blocks: list[Block] = []
    for differences in range(len(trace) - 1, 0, -1):
        reached, k = trace[differences], x - y
        down = _goes_down(reached, k, differences)
        was_k = k + 1 if down else k - 1
        was_x = reached[was_k]
        was_y = was_x - was_k
        start = was_x if down else was_x + 1
        if x > start:
            blocks.append((start, start - k, x - start))
        x, y = was_x, was_y
    if x:
        blocks.append((0, 0, x))
    return blocks[::-1]


def _anchors(a: Sequence[int], b: Sequence[int]) -> list[tuple[int, int]]:
    """Elements that occur once on both sides and stand in the same order, as many as there are (patience)."""
    count_a, count_b = Counter(a), Counter(b)
    place_b = {code: j for j, code in enumerate(b) if count_b[code] == 1}
    both = [(i, place_b[code]) for i, code in enumerate(a) if count_a[code] == 1 and code in place_b]
    # The longest run of growing places in `both`.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(both):
        place = bisect_left(ends, j)
        before.append(last[place - 1] if place else -1)
        if place == len(ends):
            ends.append(j)
            last.append(number)
        else:
            ends[place] = j
            last[place] = number
    chosen: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        chosen.append(both[number])
        number = before[number]
    return chosen[::-1]
