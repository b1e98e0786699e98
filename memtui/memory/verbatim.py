"""A draft of one sentence that another memory says word for word among other things (ours).

As a whole the two are not alike: the other one says more. A longer draft is found by its likeness.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from memtui.memory.dedup import confirm_similarity, jaccard_similarity
from memtui.memory.likeness import Match
from memtui.memory.quality import MIN_CHARS
from memtui.memory.types import MemoryEntry

_ENDS = "。．.!！?？;；"
_MOST_CHARS = 300


def said_word_for_word(
    content: str, entries: Iterable[MemoryEntry], left_out: Container[str]
) -> Match | None:
    """The first memory that says a draft as a sentence or line of its own; None for a longer draft.

    Args:
        content: the draft; its last full stop does not count.
        entries: where to look.
        left_out: slugs of those that may well say it.
    """
    sentence = content.strip().rstrip(_ENDS)
    if "\n" in sentence or not MIN_CHARS <= len("".join(sentence.split())) <= _MOST_CHARS:
        return None
    wanted = sentence.encode("utf-8", "surrogateescape")
    whole = re.compile(rf"(?:^|[{_ENDS}][*_\s]*|[-*>]\s+){re.escape(sentence)}(?:[{_ENDS}]|$)", re.MULTILINE)
    for entry in entries:
        data = entry.data
        if not (wanted in data if isinstance(data, bytes) else sentence in data) or entry.slug in left_out:
            continue
        text = entry.content
        if whole.search(text):
            return Match(entry.slug, jaccard_similarity(content, text), confirm_similarity(content, text))
    return None
