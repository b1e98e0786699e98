"""A draft of one sentence that another memory says (spec §9; ours), against looking through each memory for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.doubles.verbatim import WordForWord
from memtui.memory.types import ACTIVE, MemoryEntry, MemoryType

ENDS = "。．.!！?？;；"
LEADS = (
    "",
    ".",
    "。 ",
    "! **",
    "?_",
    "- ",
    "* ",
    ">\t",
    "x",
    "x ",
    "-",
    "x\n",
    "x\n ",
    ".\n  ",
    "**",
    ";\u3000",
)
TRAILS = ("", ".", "。x", "!\n", "\n", "\r\n", "x", " ", " .", "；")
PIECES = ("ask ada ", "question", "周五下午", "不要发布，", "aaaa", "* ", "_", "。", "\udcff", "Σσς")


def entry(slug: str, text: str, *, raw: bool) -> MemoryEntry:
    made = MemoryEntry(slug, slug, "", MemoryType.USER, 0.0, text, Path(f"/m/{slug}.md"), ACTIVE, 0.0)
    if not raw:
        return made
    head = f"---\nname: {slug}\n---\n".encode()
    return made._replace(data=head + text.encode("utf-8", "surrogateescape"), start=len(head))


def by_looking_at_each(draft: str, entries: Sequence[MemoryEntry], left_out: set[str]) -> str | None:
    """What is to be answered, in the fewest words."""
    sentence = draft.strip().rstrip(ENDS)
    if "\n" in sentence or not 10 <= len("".join(sentence.split())) <= 300:
        return None
    whole = re.compile(rf"(?:^|[{ENDS}][*_\s]*|[-*>]\s+){re.escape(sentence)}(?:[{ENDS}]|$)", re.MULTILINE)
    found = (each.slug for each in entries if each.slug not in left_out and whole.search(each.content))
    return next(found, None)


@dataclass(frozen=True)
class Typing:
    """A sentence, the memories there are, and the places at which it is edited."""

    sentence: str
    entries: tuple[MemoryEntry, ...]
    edits: tuple[tuple[int, int, str], ...]


@st.composite
def typing(draw: st.DrawFn) -> Typing:
    sentence = "".join(draw(st.lists(st.sampled_from(PIECES), min_size=2, max_size=6)))
    entries = []
    for number in range(draw(st.integers(1, 6))):
        said = sentence[draw(st.integers(0, 3)) : len(sentence) - draw(st.integers(0, 3))]
        text = "".join(
            draw(st.sampled_from(LEADS)) + said + draw(st.sampled_from(TRAILS))
            for _ in range(draw(st.integers(1, 2)))
        )
        entries.append(entry(f"m{number}", text, raw=draw(st.booleans())))
    edit = st.tuples(st.integers(0, 30), st.integers(0, 3), st.sampled_from(("", "a", "问", ".", *PIECES)))
    return Typing(sentence, tuple(entries), tuple(draw(st.lists(edit, max_size=5))))


@given(typing(), st.sets(st.sampled_from(("m0", "m1"))))
def test_spec_9_a_sentence_is_found_at_each_key_as_by_looking_at_each_memory(
    case: Typing, left_out: set[str]
) -> None:
    looking = WordForWord()
    draft = ""
    states = [case.sentence[:end] for end in range(len(case.sentence) + 1)]
    for at, gone, typed in case.edits:
        draft = states[-1]
        states.append(draft[:at] + typed + draft[at + gone :])
    states += reversed(states)
    for draft in states:
        match = looking.said(draft, case.entries, left_out)
        expected = by_looking_at_each(draft, case.entries, left_out)
        assert (match.slug if match is not None else None) == expected, draft


def test_spec_9_a_directory_that_changed_is_looked_through_anew() -> None:
    looking = WordForWord()
    said, unsaid = (
        entry("a", "Before. Ask Ada first. After.", raw=True),
        entry("a", "Before. After.", raw=True),
    )
    draft = "Ask Ada first"
    answers = [looking.said(draft, entries) for entries in ((unsaid,), (said,), (unsaid,))]
    assert [match is not None for match in answers] == [False, True, False]


def test_spec_9_while_a_sentence_is_typed_only_those_are_read_that_can_hold_it() -> None:
    class Watched(bytes):
        """Bytes that tell when they are looked into."""

        def __contains__(self, part: object) -> bool:
            looked.append(part)
            return super().__contains__(part)  # type: ignore[operator]  # as typeshed has it, of bytes or a number

    looked: list[object] = []
    entries = [entry(f"m{n}", f"Number {n} of many. Ask someone first.", raw=True) for n in range(50)]
    entries = [each._replace(data=Watched(each.data)) for each in entries if isinstance(each.data, bytes)]
    looking = WordForWord()
    sentence = "Number 7 of many, and of these the one that nobody else has"
    for end in range(1, len(sentence) + 1):
        looking.said(sentence[:end], entries)
    typed, looked[:] = len(looked), []
    for end in range(len(sentence), 9, -1):
        looking.said(sentence[:end], entries)
    deleted, looked[:] = len(looked), []
    for end in range(1, len(sentence)):  # at each key in the middle
        looking.said(f"{sentence[:20]}{'x' * end}{sentence[20:]}", entries)
    assert typed <= 2 * len(entries) + 2 * len(sentence)
    assert deleted <= len(entries) + 2 * len(sentence)
    assert len(looked) <= 2 * len(entries) + 2 * len(sentence)


def test_spec_9_the_head_of_a_file_says_nothing() -> None:
    text = "Nothing else."
    head = b"---\nname: a\ndescription: Ask Ada first\nOr:\nAsk Ada first\n---\n"
    asked = entry("a", text, raw=False)._replace(data=head + text.encode(), start=len(head))
    assert WordForWord().said("Ask Ada first", (asked,)) is None
