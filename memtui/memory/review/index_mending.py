"""The index's line of a memory whose words were only mended: what was mended there is mended here, and nothing else.

A day written out or a link that leads where it meant to says nothing new, so a line is neither made nor written anew:
nearly every line says something else than its memory's header (measured: 93 of 100), and its title often stands nowhere
else.
"""

from __future__ import annotations

import re

from memtui.memory.checks.absolute_dates import bare_day, find_known, made_absolute, relative_words
from memtui.memory.document import frontmatter
from memtui.memory.index.editing import one_line
from memtui.memory.index.lines import parse_index


def with_mended_line(text: str, rel: str, before: bytes, after: bytes) -> str:
    """The index once a memory was mended; the same text where its own line says nothing of what was.

    Args:
        text: the index.
        rel: the memory's file.
        before: its bytes before.
        after: its bytes now.
    """
    old, new = frontmatter.read(before), frontmatter.read(after)
    days = days_written_out(old.body, new.body)
    days.update(days_written_out(old.description or "", new.description or ""))
    hooks = one_line(old.description or ""), one_line(new.description or "")
    lines = []
    for line in parse_index(text).lines:
        words, subject = line.text, line.subject
        if subject is not None and subject.link.names(rel):
            said = words[subject.link.end :]
            mended = said.replace(*hooks, 1) if hooks[0] and hooks[0] in said else said
            words = words[: subject.link.end] + made_absolute(mended, find_known(mended, days))
        lines.append(words + line.end)
    return "".join(lines)


def days_written_out(before: str, after: str) -> dict[str, str]:
    """Which relative words of a text became which day in another that is the same otherwise, line by line.

    Gives the words in lower case to the bare day. Words that became two different days are left out.
    """
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for old, new in zip(before.splitlines(), after.splitlines(), strict=False):
        spans = relative_words(old) if old != new else ()
        if not spans:
            continue
        ends = [0, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), len(old)]
        kept = [re.escape(old[end:start]) for end, start in zip(ends, starts, strict=True)]
        match = re.fullmatch("(.+?)".join(kept), new)
        for (start, end), absolute in zip(spans, match.groups() if match else (), strict=False):
            words = old[start:end].lower()
            if absolute.lower() == words:
                continue
            day = bare_day(absolute)
            if found.setdefault(words, day) != day:
                doubtful.add(words)
    return {words: day for words, day in found.items() if words not in doubtful}
