"""The difference of two texts by lines, and within changed lines by words; ``diffrows`` lays it out.

Pure and bounded: lines and words are matched by ``matching``, and beyond a fixed amount of words only lines are compared,
which the result says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from memtui.memory.lazy import lazy_pattern
from memtui.memory.versions.diffrows import Diff, Note, Pair, Row, Span
from memtui.memory.versions.matching import match

_MAX_WORDS = 500_000
"""Words of changed lines that are compared; beyond, only lines are (ours: about a second)."""
_MAX_PAIRS = 900
"""Pairs of lines of a changed run whose likeness is worked out; beyond, lines are paired by their order."""
_SLIGHT = 3
"""Characters that two changes of more than twice that may have between them and be shown as one (ours)."""
_ALIKE = 0.3
"""Share of words two lines must have in common to be shown as one line changed (ours)."""

# Chinese and Japanese have no spaces: a character is a word. Marks stay with their letter, and parts of an emoji together.
_CJK = "\u3005-\u3007\u3041-\u309f\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff"
_WORD = lazy_pattern(
    rf"[{_CJK}]|(?:[^\W{_CJK}][{_MARKS}]*)+|[^\S\r]+|[^\w](?:[{_MARKS}]+[^\w\s]?)*|.", re.DOTALL
)


def split_words(text: str) -> list[str]:
    """A line taken apart into words, single CJK characters, runs of spaces and signs; joined they are the line again."""
    return _WORD.findall(text)


def compare(old: str, new: str) -> Diff:
    """Compare two texts.

    A CR before a newline belongs to its line, so that a change of line ends shows. The time grows with the length
    of the texts, whatever they hold.
    """
    olds, news = _lines(old), _lines(new)
    return _compare(olds, news, _newline_note(old, new))


def compare_fields(old: Mapping[str, str], new: Mapping[str, str]) -> Diff:
    """Compare two sets of named values: a line ``name: value`` for each, only those that differ."""
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]

    def lines(fields: Mapping[str, str], name: str) -> list[str]:
        return [f"{name}: {' '.join(fields[name].split())}"] if name in fields else []

    words = _Budget(_MAX_WORDS)
    pairs: list[Pair] = []
    for name in names:
        before, after = lines(old, name), lines(new, name)
        pairs.extend(_beside(before, after, 0, 0, words, always=True))
    bare = tuple(Pair(_unnumbered(pair.left), _unnumbered(pair.right)) for pair in pairs)
    return Diff(bare, sum(name in old for name in names), sum(name in new for name in names))


# --- lines -----------------------------------------------------------------------------------------------------------


class _Budget:
    """Words that may still be compared."""

    def __init__(self, words: int) -> None:
        self.left = words
        self.spent = False

    def take(self, words: int) -> bool:
        """Take so many; False, and ever after, if there are not enough."""
        if self.spent or words > self.left:
            self.spent = True
            return False
        self.left -= words
        return True


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _newline_note(old: str, new: str) -> tuple[Note, ...]:
    if not old or not new or old.endswith("\n") == new.endswith("\n"):
        return ()
    return ("newline-lost",) if old.endswith("\n") else ("newline-added",)


def _compare(olds: Sequence[str], news: Sequence[str], notes: tuple[Note, ...]) -> Diff:
    matching = match(olds, news)
    words = _Budget(_MAX_WORDS)
    pairs: list[Pair] = []
    i = j = equal = 0
    for block_i, block_j, length in (*matching.blocks, (len(olds), len(news), 0)):
        pairs.extend(_beside(olds[i:block_i], news[j:block_j], i, j, words))
        for k in range(length):
            row = Row("same", olds[block_i + k], block_i + k + 1, block_j + k + 1)
            pairs.append(Pair(row, row))
        i, j = block_i + length, block_j + length
        equal += length
    if not matching.exact:
        notes = ("lines-coarse", *notes)
    if words.spent:
        notes = ("words-skipped", *notes)
    return Diff(tuple(pairs), len(olds) - equal, len(news) - equal, notes)


def _beside(
    olds: Sequence[str], news: Sequence[str], i: int, j: int, words: _Budget, *, always: bool = False
) -> Iterator[Pair]:
    """The lines of a changed run, those that are alike beside each other.

    Args:
        olds: lines removed.
        news: lines added.
        i: lines of the old text before them.
        j: lines of the new text before them.
        words: what may still be compared.
        always: whether lines count as alike whatever they say.
    """
    at_i = at_j = 0
    for like_i, like_j in (*_alike(olds, news, words, always=always), (len(olds), len(news))):
        while at_i < like_i or at_j < like_j:
            left = Row("removed", olds[at_i], i + at_i + 1) if at_i < like_i else None
            right = Row("added", news[at_j], None, j + at_j + 1) if at_j < like_j else None
            yield Pair(left, right)
            at_i, at_j = min(at_i + 1, like_i), min(at_j + 1, like_j)
        if like_i < len(olds) and like_j < len(news):
            gone, come = changed_words(olds[like_i], news[like_j])
            yield Pair(
                Row("removed", olds[like_i], i + like_i + 1, None, gone),
                Row("added", news[like_j], None, j + like_j + 1, come),
            )
            at_i, at_j = like_i + 1, like_j + 1


def _alike(
    olds: Sequence[str], news: Sequence[str], words: _Budget, *, always: bool
) -> list[tuple[int, int]]:
    """Which lines of a changed run are the same line changed, in order."""
    if not olds or not news:
        return []
    if always and len(olds) == len(news) == 1:
        return [(0, 0)]
    by_order = len(olds) * len(news) > _MAX_PAIRS
    most = min(len(olds), len(news))
    left, right = (olds[:most], news[:most]) if by_order else (olds, news)
    bags_a, bags_b = _bags(left, words), _bags(right, words)
    if bags_a is None or bags_b is None:
        return []
    if by_order:
        return [(k, k) for k in range(most) if _likeness(bags_a[k], bags_b[k]) >= _ALIKE]
    return _best_pairs(bags_a, bags_b)


_Bag = tuple[Counter[str], int]


def _bags(lines: Sequence[str], words: _Budget) -> list[_Bag] | None:
    bags: list[_Bag] = []
    for line in lines:
        if words.spent:
            return None
        found = [word for word in split_words(line) if not word.isspace()]
        if not words.take(len(found)):
            return None
        bags.append((Counter(found), sum(map(len, found))))
    return bags


def _likeness(a: _Bag, b: _Bag) -> float:
    """Share of what two lines say that both say, by characters: 0 … 1."""
    total = a[1] + b[1]
    few, many = (a[0], b[0]) if len(a[0]) < len(b[0]) else (b[0], a[0])
    common = sum(len(word) * min(count, many[word]) for word, count in few.items() if word in many)
    return 2 * common / total if total else 0.0


def _best_pairs(bags_a: Sequence[_Bag], bags_b: Sequence[_Bag]) -> list[tuple[int, int]]:
    """The pairs in order with the most likeness together."""
    rows, columns = len(bags_a), len(bags_b)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    alike = [[0.0] * columns for _ in range(rows)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            likeness = _likeness(bags_a[i], bags_b[j])
            alike[i][j] = likeness if likeness >= _ALIKE else 0.0
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    chosen: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            chosen.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return chosen


# --- words -----------------------------------------------------------------------------------------------------------


def changed_words(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """What each of two lines has that the other has not, by words; changes with next to nothing between are one."""
    a, b = split_words(old), split_words(new)
    gaps: list[tuple[int, int, int, int]] = []
    i = j = 0
    for block_i, block_j, length in (*match(a, b).blocks, (len(a), len(b), 0)):
        if i < block_i or j < block_j:
            gap = (i, block_i, j, block_j)
            if gaps and _is_slight(a[gaps[-1][1] : i], _size(a, b, gaps[-1]), _size(a, b, gap)):
                from_i, _, from_j, _ = gaps.pop()
                gap = (from_i, block_i, from_j, block_j)
            gaps.append(gap)
        i, j = block_i + length, block_j + length
    places_a, places_b = _places(a), _places(b)
    return (
        tuple(_trimmed(old, places_a[i], places_a[to]) for i, to, _, _ in gaps if i < to),
        tuple(_trimmed(new, places_b[j], places_b[to]) for _, _, j, to in gaps if j < to),
    )


def _trimmed(text: str, start: int, end: int) -> Span:
    """A part without the spaces at its ends, if there is more to it."""
    part = text[start:end]
    if part.isspace():
        return start, end
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def _size(a: Sequence[str], b: Sequence[str], gap: tuple[int, int, int, int]) -> int:
    """Characters of a change, in the text where it has more."""
    return max(_letters(a[gap[0] : gap[1]]), _letters(b[gap[2] : gap[3]]))


def _letters(words: Sequence[str]) -> int:
    return sum(len(word) for word in words if not word.isspace())


def _is_slight(words: Sequence[str], before: int, after: int) -> bool:
    """Whether what stands between two changes is too little to read: spaces, or one short word between long changes."""
    letters = _letters(words)
    return letters == 0 or (letters <= _SLIGHT and min(before, after) > 2 * letters)


def _places(words: Sequence[str]) -> list[int]:
    places = [0]
    for word in words:
        places.append(places[-1] + len(word))
    return places


def _unnumbered(row: Row | None) -> Row | None:
    return Row(row.kind, row.text, changed=row.changed) if row is not None else None
