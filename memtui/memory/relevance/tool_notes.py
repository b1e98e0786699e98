"""Which memories are plain notes about tools that are in use (spec §13): whoever uses a tool knows how.

What warns of a tool is no plain note; it is wanted most while the tool is in use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import MemoryEntry, MemoryType

_WARNS = lazy_pattern(
    r"(?i)\b(?:warn(?:s|ing|ings)?|caution|pitfalls?|gotchas?|known issues?|caveats?|beware|careful|never|do not|don'?t"
    r"|bugs?|broken|fails?|breaks?|dangerous|workarounds?|limitations?|quirks?)\b"
    r"|警告|注意|陷阱|踩坑|的坑|大坑|有坑|已知问题|小心|切勿|不要|禁止|缺陷|故障|失败|局限"
)
_GAPS = lazy_pattern(r"[\s_\-./]+")
_LEAST = 2


def about_tools(entries: Iterable[MemoryEntry], tools: Sequence[str]) -> dict[str, str]:
    """By slug, the tool that a memory is a plain note about.

    A plain note is of type ``reference``, has the tool's name in slug, name or description, and warns of nothing.

    Args:
        entries: the memories.
        tools: tools used lately, as a client names them: ``Bash``, ``mcp__github__create_issue``; the latter stands for
            its server too.
    """
    wanted = {tool: pattern for tool in tools if (pattern := _pattern(tool)) is not None}
    found: dict[str, str] = {}
    if not wanted:
        return found
    for entry in entries:
        if entry.memory_type is not MemoryType.REFERENCE:
            continue
        head = _flat(f"{entry.slug} | {entry.name} | {entry.description}")
        tool = next((name for name, pattern in wanted.items() if pattern.search(head)), None)
        if tool is not None and not _WARNS.search(f"{entry.name}\n{entry.description}\n{entry.content}"):
            found[entry.slug] = tool
    return found


def _flat(text: str) -> str:
    return _GAPS.sub(" ", text.casefold()).strip()


def _pattern(tool: str) -> re.Pattern[str] | None:
    names = [tool]
    if tool.startswith("mcp__"):
        names += tool.split("__")[1:2]
    flat = {name for each in names if len(name := _flat(each)) >= _LEAST}
    if not flat:
        return None
    either = "|".join(map(re.escape, sorted(flat)))
    # A letter or digit of the same script beside it would make it another word; Chinese has no gaps.
    return re.compile(rf"(?<![a-z0-9])(?:{either})(?![a-z0-9])")
