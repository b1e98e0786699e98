"""What a change would do, line by line, and the text that a merge begins with. Pure, and safe to show."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.memory.document import frontmatter
from memtui.memory.index.editing import decode_index
from memtui.memory.managing.merging import without_said
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.present.blocks import BLANK, INDENT, Block, grouped
from memtui.tui.present.lines import Line
from memtui.tui.present.parts import label
from memtui.tui.wording.bulk import BulkWords

if TYPE_CHECKING:
    from memtui.memory.managing.plans import Plan
    from memtui.memory.saving.records import Edit

"""Before a line that belongs to the one above it."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What several memories make as one.

    Attributes:
        slug: where it is saved.
        name: of the newest that has a name of its own.
        description: of the newest that has one.
        type_text: of the newest that has a known one.
        content: the texts under a heading each, the newest first; what two of them say is said once.
    """

    slug: str
    name: str
    description: str
    type_text: str
    content: str


def newest_first(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Memories by age; of equal age as they come."""
    return sorted(entries, key=lambda entry: -entry.modified)


def merged(entries: Sequence[MemoryEntry], slug: str) -> Merged:
    """The text that merging begins with: the newest memory's fields, all texts under headings, nothing said twice."""
    ordered = newest_first(entries)
    said: set[str] = set()
    texts = [(" ".join(entry.name.split()), without_said(entry.content, said)) for entry in ordered]
    kind = next((entry.memory_type for entry in ordered if entry.memory_type), None)
    name = next((e.name for e in ordered if e.name and e.name != e.slug), ordered[0].name)
    return Merged(
        slug,
        name,
        next((entry.description for entry in ordered if entry.description), name),
        str(kind or "project"),
        "\n\n".join(f"## {name}\n\n{text.strip()}" for name, text in texts if text.strip()),
    )


def cut_off(texts: Sequence[str], cells: int) -> list[Block]:
    """What stands on one line and is longer than that, to be read whole above what would happen.

    Args:
        texts: fit to be shown.
        cells: width of the line.
    """
    found = [Block(((text, "strong"),)) for text in texts if cell_len(text) > cells]
    return [*found, BLANK] if found else []


def plan_blocks(plan: Plan, say: BulkWords, *, merged_text: str = "") -> list[Block]:
    """Everything a change would do, nothing left out.

    Args:
        plan: the change.
        say: sentences.
        merged_text: what the result of a merge says.
    """
    if not plan.edits:
        return [Block(((say.nothing, "strong"),)), Block(((say.nothing_hint, "dim"),))]
    files = [edit for edit in plan.edits if edit.role == "primary"]
    result = plan.slugs[0]
    trashed = [edit for edit in files if edit.after is None and edit.trash]
    blocks = grouped(say.to_trash, [_file(edit) for edit in trashed])
    blocks += grouped(
        say.merged_in.format(slug=visible(result)),
        [_file(edit) for edit in files if edit.after is None and not edit.trash],
    )
    blocks += grouped(say.new_file, [_file(edit) for edit in files if edit.before is None])
    changed = [edit for edit in files if edit.before is not None and edit.after is not None]
    typed = [edit for edit in changed if _slug(edit) in plan.slugs and not merged_text]
    blocks += grouped(say.type_changes, [_type(edit) for edit in typed])
    if merged_text:
        blocks += grouped(say.text_of_result, [_file(edit) for edit in changed if _slug(edit) == result])
    blocks += grouped(say.rewritten, [_file(edit) for edit in changed if _slug(edit) not in plan.slugs])
    blocks += grouped(say.versions, [_file(edit) for edit in plan.edits if edit.role == "archive"])
    index = [line for edit in plan.edits if edit.role == "index" for line in index_lines(edit)]
    blocks += grouped(say.index_word, index)
    if not index:
        blocks += [Block(((say.index_same, "dim"),)), BLANK]
    blocks += grouped(say.dangling, [((visible(slug), "bad"),) for slug in plan.dangling], "bad")
    if plan.dangling:
        blocks[-1:] = [Block(((f"    {say.dangling_hint}", "dim"),)), BLANK]
    elif trashed:
        blocks += [Block(((say.dangling_none, "dim"),)), BLANK]
    if trashed:
        blocks.append(Block(((say.old_versions_stay, "dim"),)))
    blocks.append(Block(((say.one_step, "dim"),)))
    if merged_text:
        blocks += [BLANK, Block(((say.merged_text, "heading"),))]
        blocks += [
            Block(((label(line), ""),) if line else (), INDENT, INDENT) for line in merged_text.split("\n")
        ]
    return blocks


def _slug(edit: Edit) -> str:
    return edit.rel.removesuffix(".md")


def _file(edit: Edit) -> Line:
    return ((visible(edit.rel), ""),)


def _type(edit: Edit) -> Line:
    before, after = (
        label(frontmatter.read(data or b"").type_text or "–") for data in (edit.before, edit.after)
    )
    return ((visible(edit.rel), ""), (f"  {before} → ", "dim"), (after, "type"))


def index_lines(edit: Edit) -> list[Line]:
    """The lines that leave the index, and those that come."""
    old, new = (decode_index(data).splitlines() for data in (edit.before, edit.after))
    lines: list[Line] = []
    for line in difflib.unified_diff(old, new, n=0, lineterm=""):
        if line.startswith(("---", "+++", "@@")):
            continue
        role = "removed" if line.startswith("-") else "added"
        lines.append(((f"{'−' if line[0] == '-' else '+'} ", role), (label(line[1:]), role)))
    return lines
