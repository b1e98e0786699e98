"""Patterns that are compiled when first used: together they take longer than reading a hundred memories."""

from __future__ import annotations

import re
from typing import cast


class _LazyPattern:
    """Stands for a pattern until one of its methods is asked for; from then on its methods are the pattern's own."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use.

    Not for ``re.compile`` or ``copy`` of it, and what is wrong with it shows at that first use only.

    Args:
        source: the expression.
        flags: as for ``re.compile``.
    """
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
