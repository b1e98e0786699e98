"""A draft of one sentence that another memory says word for word among other things (ours).

As a whole the two are not alike: the other one says more. A longer draft is found by its likeness.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import AnyStr

from memtui.memory.doubles.dedup import confirm_similarity, jaccard_similarity
from memtui.memory.doubles.likeness import Match
from memtui.memory.quality import MIN_CHARS
from memtui.memory.types import MemoryEntry

_ENDS = "。．.!！?？;；"
_MOST_CHARS = 300
_AFTER = (*_ENDS, "\n")
_AFTER_BYTES = tuple(end.encode() for end in _AFTER)


class WordForWord:
    """Looks for a sentence while it is typed, in all memories the first time and then in the few that can hold it.

    Who holds a sentence holds each part of it. So the holders of a few parts are kept, each part in the next, and a
    sentence is looked for among those of the longest part that is still in it. Not for two threads at once.
    """

    def __init__(self) -> None:
        self._entries: Sequence[MemoryEntry] = ()
        self._parts: list[tuple[str, Sequence[MemoryEntry]]] = []
        self._last = ""

    def said(
        self, content: str, entries: Sequence[MemoryEntry], left_out: Container[str] = ()
    ) -> Match | None:
        """The first memory that says a draft as a sentence or line of its own; None for a longer draft.

        Args:
            content: the draft; its last full stop does not count.
            entries: where to look; what is known of them is used again while they are the same object.
            left_out: slugs of those that may well say it.
        """
        sentence = content.strip().rstrip(_ENDS)
        if "\n" in sentence or not MIN_CHARS <= len("".join(sentence.split())) <= _MOST_CHARS:
            return None
        for entry in self._holders(sentence, entries):
            if entry.slug not in left_out and _says(entry, sentence):
                text = entry.content
                return Match(entry.slug, jaccard_similarity(content, text), confirm_similarity(content, text))
        return None

    def _holders(self, sentence: str, entries: Sequence[MemoryEntry]) -> Sequence[MemoryEntry]:
        """The entries in which a sentence stands, somehow."""
        if entries is not self._entries:
            self._entries, self._parts, self._last = entries, [], ""
        while self._parts and self._parts[-1][0] not in sentence:
            self._parts.pop()
        if not self._parts and (untouched := _untouched(self._last, sentence)):
            self._parts.append((untouched, _holding(untouched, entries)))
        self._last = sentence
        among = self._parts[-1][1] if self._parts else entries
        found = _holding(sentence, among)
        if 2 * len(found) < len(among):
            self._parts.append((sentence, found))
        return found


def _untouched(before: str, after: str) -> str:
    """Half of what an edit left in place on its longer side: what the next edits there will leave, too."""
    first, last = _alike(before, after), _alike(before[::-1], after[::-1])
    half = after[: first // 2] if first >= last else after[len(after) - last // 2 :]
    return half if len(half) >= MIN_CHARS else ""


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common from the first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _holding(part: str, entries: Sequence[MemoryEntry]) -> Sequence[MemoryEntry]:
    wanted = part.encode("utf-8", "surrogateescape")
    return [
        entry
        for entry in entries
        if (wanted in entry.data if isinstance(entry.data, bytes) else part in entry.data)
    ]


def _says(entry: MemoryEntry, sentence: str) -> bool:
    """Whether a sentence stands there from where one may begin to where one ends."""
    data = entry.data
    if isinstance(data, bytes):  # to make no text of the many that go on where the sentence is not yet typed
        wanted = sentence.encode("utf-8", "surrogateescape")
        if not any(True for _ in _ended(data, wanted, _AFTER_BYTES)):
            return False
    text = entry.content
    return any(_may_begin(text, at) for at in _ended(text, sentence, _AFTER))


def _ended(text: AnyStr, sentence: AnyStr, ends: tuple[AnyStr, ...]) -> Iterator[int]:
    """Where in a text a sentence stands at whose end the text ends one."""
    at = text.find(sentence)
    while at != -1:
        end = at + len(sentence)
        if end == len(text) or text.startswith(ends, end):
            yield at
        at = text.find(sentence, at + 1)


def _may_begin(text: str, at: int) -> bool:
    """Whether a sentence may begin there: on a new line, after another one and its emphasis, after a list's mark."""
    if not at or text[at - 1] == "\n":
        return True
    last = at - 1
    while last >= 0 and text[last].isspace():
        last -= 1
    if last < at - 1 and text[last : last + 1] in ("-", "*", ">"):
        return True
    while last >= 0 and (text[last] in "*_" or text[last].isspace()):
        last -= 1
    return last >= 0 and text[last] in _ENDS
