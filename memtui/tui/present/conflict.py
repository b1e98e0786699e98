"""The three texts of a memory that was changed underneath, as blocks: pure, and fit to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memtui.memory.document.draft import Draft
from memtui.memory.managing.merging import MergedDraft, merge_drafts
from memtui.memory.text import visible
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.parts import label
from memtui.tui.wording.edit import EditWords

Side = Literal["mine", "theirs", "together"]
SIDES: tuple[Side, ...] = ("mine", "theirs", "together")
_PROSE_CHARS = 2_000
_SHOWN_LINES = 5_000


@dataclass(frozen=True, slots=True)
class Conflicting:
    """Three texts of one memory.

    Attributes:
        base: what both were made from; None if nobody knows.
        mine: ours.
        theirs: what stands on disk; None if the file is gone.
        again: whether the same was decided before, and somebody else went on writing.
    """

    base: Draft | None
    mine: Draft
    theirs: Draft | None
    again: bool = False

    def merged(self) -> MergedDraft:
        """Both in one."""
        if self.theirs is None:
            return MergedDraft(self.mine, (), ())
        return merge_drafts(self.base, self.mine, self.theirs)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided.

    Attributes:
        side: whose text.
        draft: that text.
        theirs: what stood on disk when it was decided.
    """

    side: Side
    draft: Draft
    theirs: Draft | None


def side_title(side: Side, words: EditWords) -> str:
    """What a side is called."""
    return {"mine": words.mine, "theirs": words.theirs, "together": words.together}[side]


def conflict_lines(texts: Conflicting, merged: MergedDraft | None, words: EditWords) -> list[str]:
    """What there is to say about a conflict."""
    if texts.theirs is None:
        return [words.conflict_gone]
    lines = [words.conflict_again if texts.again else words.conflict_line]
    if merged is not None:
        count = len(merged.both) + len(merged.fields)
        both = words.conflict_both_one if count == 1 else words.conflict_both
        lines.append(both.format(count=count) if count else words.conflict_clean)
    return lines


def draft_blocks(
    draft: Draft, base: Draft | None, words: EditWords, both: tuple[tuple[int, int], ...] = ()
) -> list[Block]:
    """A draft as text: its fields, then its lines; what the base does not say stands out.

    Args:
        draft: what to show.
        base: what it was made from.
        words: sentences.
        both: spans of its content that both sides want otherwise.
    """
    blocks: list[Block] = []
    for title, name in ((words.name, "name"), (words.description, "description"), (words.type, "type_text")):
        value = getattr(draft, name)
        role = "added" if base is None or value != getattr(base, name) else ""
        blocks.append(Block(((f"{title}: ", "dim"), (label(value), role))))
    blocks.append(BLANK)
    known = set(base.content.splitlines()) if base is not None else set()
    at = 0
    for number, line in enumerate(draft.content.splitlines(keepends=True)):
        if number == _SHOWN_LINES:
            blocks.append(Block((("…", "dim"),)))
            break
        bare = line.rstrip("\r\n")
        role = "" if bare in known else "added"
        if any(start < at + len(line) and at < end for start, end in both):
            role = "warn"
        at += len(line)
        breaks: Literal["words", "hard"] = "hard" if len(bare) > _PROSE_CHARS else "words"
        blocks.append(Block(((visible(bare), role),) if bare else (), breaks=breaks))
    return blocks
