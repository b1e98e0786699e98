"""Words that a misspelt one could mean: one slip in words from five letters, two from eight (ours)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

LEAST_LETTERS = 5
"""Shorter words have too many neighbours to guess at."""
TWO_SLIPS_FROM = 8
"""Letters from which a word may have two slips."""


def slips(one: str, other: str, most: int) -> int:
    """How many slips lie between two words: a letter left out, put in, taken for another, or swapped with the next.

    Optimal string alignment; gives ``most + 1`` for anything above ``most``.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, older[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
    return row[-1]


class NearWords:
    """Finds words of a growing list by their beginning and length.

    Args:
        words: the list; words may be added to its end, never taken out.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._seen = 0
        self._by_start: dict[tuple[str, int], list[int]] = {}
        self._number: dict[str, int] = {}
        self._first: set[str] = set()

    def _catch_up(self) -> None:
        for number in range(self._seen, len(self.words)):
            word = self.words[number]
            if len(word) >= LEAST_LETTERS - 1 and word.isalpha():
                self._by_start.setdefault((word[0], len(word)), []).append(number)
                self._number[word] = number
                self._first.add(word[0])
        self._seen = len(self.words)

    def nearest(self, word: str, alive: Callable[[int], int]) -> list[int]:
        """Numbers of the words with the fewest slips from ``word``, all that tie; none for words with digits.

        Args:
            word: what is looked for.
            alive: how often a word of the list stands anywhere; 0 for one that is not to be found.
        """
        if len(word) < LEAST_LETTERS or not word.isalpha():
            return []
        self._catch_up()
        most = 2 if len(word) >= TWO_SLIPS_FROM else 1
        found: dict[int, int] = {}
        for length in range(len(word) - most, len(word) + most + 1):
            for number in self._by_start.get((word[0], length), ()):
                if alive(number):
                    distance = slips(word, self.words[number], most)
                    if distance <= most:
                        found[number] = distance
        # A slip in the first letter: there are few ways for that, so they are tried.
        tail = word[1:]
        tried = [
            tail,
            word[1] + word[0] + word[2:],
            *(c + tail for c in self._first),
            *(c + word for c in self._first),
        ]
        for spelling in tried:
            known = self._number.get(spelling)
            if known is not None and alive(known) and spelling != word:
                found[known] = min(1, found.get(known, 1))
        least = min(found.values(), default=0)
        return sorted(number for number, distance in found.items() if distance == least)
