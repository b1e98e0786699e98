"""Which memory a misspelt wiki link means: the one whose name is nearly that (ours)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from memtui.memory.doubles.shingles import mask_numbers

NEAR_NAME = 0.88
"""How alike a misspelt link and a memory's name must be, 0.0 to 1.0 (ours)."""
_ENDS = (
    3  # characters of which a misspelt name shares the first or the last: who misspells both misspells much
)


class NearNames:
    """The names that links may mean, ready to be asked: each is compared with few others."""

    def __init__(self, slugs: Iterable[str]) -> None:
        self._slugs = {slug.rpartition("/")[2]: slug for slug in slugs}
        self._by_end: dict[tuple[str, str], list[str]] = {}
        for name in self._slugs:
            for end in self._ends(name):
                self._by_end.setdefault(end, []).append(name)

    def nearest(self, target: str) -> str | None:
        """The slug of the one memory whose name is nearly this; None if none is, or two are, or only a number differs."""
        names = dict.fromkeys(name for end in self._ends(target) for name in self._by_end.get(end, ()))
        near = [
            name
            for name in difflib.get_close_matches(target, names, n=2, cutoff=NEAR_NAME)
            if mask_numbers(name) != mask_numbers(target)
        ]
        return self._slugs[near[0]] if len(near) == 1 else None

    @staticmethod
    def _ends(name: str) -> tuple[tuple[str, str], tuple[str, str]]:
        return ("first", name[:_ENDS]), ("last", name[-_ENDS:])
