"""What of a text its writer says, and what only stands in it: code, addresses, quotations (ours)."""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.memory.lazy import lazy_pattern

_NOT_PROSE = lazy_pattern(
    r"^(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^(?P=fence)[^\n]*$|\Z)"
    r"|(?P<tick>`+)(?!`)[^\n]+?(?<!`)(?P=tick)(?!`)"
    r"|https?://\S+|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|‘[^’\n]{1,200}’",
    re.MULTILINE | re.DOTALL,
)


@lru_cache(maxsize=4)
def prose_only(content: str) -> str:
    """The text with code, addresses and quotations blanked, so that every character stays at its place."""
    return _NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), content)
