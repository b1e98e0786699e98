"""What moving memories between the scopes would do, line by line. Pure, and safe to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.team_guard import leak_said
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.tui.blocks import BLANK, Block
from memtui.tui.lines import Line, Part
from memtui.tui.present_bulk import INDENT, index_lines
from memtui.tui.wording.scope import ScopeWords, words

if TYPE_CHECKING:
    from memtui.memory.scope_change import Crossing, ScopePlan


def scope_blocks(plan: ScopePlan, lang: Lang) -> list[Block]:
    """Everything that it would do; what stands in the way first."""
    say = words(lang)
    blocks: list[Block] = []

    def group(title: str, lines: Sequence[Line], role: str = "heading") -> None:
        if lines:
            blocks.append(Block(((title, role), (f"  {len(lines)}", "count"))))
            blocks.extend(Block(line, INDENT, INDENT) for line in lines)
            blocks.append(BLANK)

    group(say.blocked, [((visible(leak_said(leak).said(lang)), "bad"),) for leak in plan.leaks], "bad")
    if plan.leaks:
        blocks[-1:] = [Block(((say.blocked_hint, "warn"),), INDENT), BLANK]
    group(say.goes, [_crossing(each, say) for each in plan.crossings])
    private = [
        ((visible(each.slug), ""), (f"  [[{visible(slug)}]]", "dim"))
        for each in plan.crossings
        for slug in each.leads_private
    ]
    group(say.leads_private, private, "warn")
    group(say.linking, [((visible(slug), ""),) for slug in plan.linking])
    index = [line for edit in plan.plan.edits if edit.role == "index" for line in index_lines(edit)]
    group(say.index_lines, index)
    return [*blocks, Block(((say.one_step, "dim"),))]


def _crossing(each: Crossing, say: ScopeWords) -> Line:
    parts: list[Part] = [(visible(each.slug), ""), (" → ", "dim"), (visible(each.new_slug), "name")]
    if each.versions:
        parts.append((f"  {say.versions.format(count=each.versions)}", "dim"))
    return tuple(parts)
