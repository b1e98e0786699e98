"""Three-way merge of a memory's fields: what two people, or a person and an agent, made of the same text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from memtui.memory.document.draft import Draft
from memtui.memory.lazy import lazy_pattern

_EXACT_LINES = 2_000
_SENTENCE = lazy_pattern(r".+?(?:[。！？；]+[”」』）*]*|[.!?][*_)\"'”]*(?=\s)\s*|\Z)")
_MARKS = lazy_pattern(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+|\*\*|__|[.。]?\s*$")
_BLANKS = lazy_pattern(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class MergedText:
    """A text out of two.

    Attributes:
        text: it.
        both: spans where both sides changed the same lines differently; there ours stand first, then theirs.
    """

    text: str
    both: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MergedDraft:
    """A draft out of two.

    Attributes:
        draft: it; of a field of one line that both sides changed, ours.
        both: spans in its content where both sides changed the same lines differently.
        fields: names of one-line fields that both sides changed differently.
    """

    draft: Draft
    both: tuple[tuple[int, int], ...]
    fields: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing has to be chosen."""
        return not self.both and not self.fields


def merge_drafts(base: Draft | None, mine: Draft, theirs: Draft) -> MergedDraft:
    """Both sides' changes in one draft; no line of either is lost.

    Args:
        base: what both were made from; None if nobody knows, so that every difference is one of both sides.
        mine: ours.
        theirs: the other one.
    """
    taken: dict[str, str] = {}
    doubtful: list[str] = []
    for name in ("name", "description", "type_text"):
        old = getattr(base, name) if base is not None else None
        ours, other = getattr(mine, name), getattr(theirs, name)
        taken[name] = other if ours == old else ours
        if ours != other and old not in (ours, other):
            doubtful.append(name)
    content = merge_texts(base.content if base is not None else None, mine.content, theirs.content)
    merged = Draft(mine.slug, taken["name"], taken["description"], taken["type_text"], content=content.text)
    return MergedDraft(merged, content.both, tuple(doubtful))


def merge_texts(base: str | None, mine: str, theirs: str) -> MergedText:
    """Merge line by line.

    A line that one side changed, added or took out is as that side has it. Where both changed the same lines
    differently, ours come first, then those of theirs that ours do not hold; such places are named.
    """
    if theirs in (mine, base):
        return MergedText(mine, ())
    if mine == base:
        return MergedText(theirs, ())
    ours, others = mine.splitlines(keepends=True), theirs.splitlines(keepends=True)
    old = base.splitlines(keepends=True) if base is not None else _common(ours, others)
    parts: list[str] = []
    both: list[tuple[int, int]] = []
    at = 0
    for lines, doubtful in _regions(old, ours, others):
        text = "".join(lines)
        if doubtful and text:
            both.append((at, at + len(text)))
        parts.append(text)
        at += len(text)
    return MergedText("".join(parts), tuple(both))


def without_said(text: str, said: set[str]) -> str:
    """A text without the lines and sentences that were said already; what is left of it is remembered as said.

    Fenced code stays whole, for a line of it means something only there, and so do headings. A paragraph, list point or
    sentence counts as said where another has the same words.

    Args:
        text: Markdown.
        said: what other texts say; this one's is added.
    """
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        bare = line.strip()
        fence = bare.startswith(("```", "~~~"))
        if fenced or fence or not bare or bare.startswith("#"):
            lines.append(line)
        else:
            sentences: list[str] = _SENTENCE.findall(line)
            kept = [each for each in sentences if _bare(each) not in said or not _bare(each)]
            said.update(map(_bare, sentences))
            if _bare("".join(kept)):
                lines.append("".join(kept).rstrip() if len(kept) < len(sentences) else line)
        fenced ^= fence
    return _BLANKS.sub("\n\n", "\n".join(lines)).strip("\n")


def _bare(sentence: str) -> str:
    """A sentence without its list mark, emphasis, full stop and case; empty where it says nothing."""
    return " ".join(_MARKS.sub("", sentence.casefold()).split())


def _common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    return [one[place] for place in _matches(one, other)]


def _matches(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    # Exact where that is quick; thousands of blank lines would be compared with one another.
    junk = len(old) > _EXACT_LINES
    blocks = SequenceMatcher(None, old, new, autojunk=junk).get_matching_blocks()
    return {a + step: b + step for a, b, size in blocks for step in range(size)}


def _regions(
    old: Sequence[str], ours: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[Sequence[str], bool]]:
    """The merged lines piece by piece, and whether both sides want a piece to be something else."""
    in_ours, in_others = _matches(old, ours), _matches(old, others)
    o = a = b = 0
    for line in [*(n for n in range(len(old)) if n in in_ours and n in in_others), None]:
        end_o, end_a, end_b = (
            (len(old), len(ours), len(others)) if line is None else (line, in_ours[line], in_others[line])
        )
        yield _region(old[o:end_o], ours[a:end_a], others[b:end_b])
        if line is not None:
            yield old[line : line + 1], False
            o, a, b = end_o + 1, end_a + 1, end_b + 1


def _region(old: Sequence[str], ours: Sequence[str], others: Sequence[str]) -> tuple[Sequence[str], bool]:
    if ours in (old, others):
        return others, False
    if others == old:
        return ours, False
    known = {*ours, *old}
    added = [line for line in others if line not in known]
    if not added:
        return ours, True
    first = [*ours[:-1], _ended(ours[-1])] if ours else []
    return [*first, *added], True


def _ended(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else f"{line}\n"
