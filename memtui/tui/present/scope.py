"""What moving memories between the scopes would do, line by line. Pure, and safe to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.secrets.team_guard import leak_said
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.tui.present.blocks import BLANK, INDENT, Block, grouped
from memtui.tui.present.bulk import index_lines
from memtui.tui.present.lines import Line, Part
from memtui.tui.wording.scope import ScopeWords, words

if TYPE_CHECKING:
    from memtui.memory.managing.scope_change import Crossing, ScopePlan


def scope_blocks(plan: ScopePlan, lang: Lang) -> list[Block]:
    """Everything that it would do; what stands in the way first."""
    say = words(lang)
    blocks = grouped(
        say.blocked, [((visible(leak_said(leak).said(lang)), "bad"),) for leak in plan.leaks], "bad"
    )
    if plan.leaks:
        blocks[-1:] = [Block(((say.blocked_hint, "warn"),), INDENT), BLANK]
    blocks += grouped(say.goes, [_crossing(each, say) for each in plan.crossings])
    private = [
        ((visible(each.slug), ""), (f"  [[{visible(slug)}]]", "dim"))
        for each in plan.crossings
        for slug in each.leads_private
    ]
    blocks += grouped(say.leads_private, private, "warn")
    blocks += grouped(say.linking, [((visible(slug), ""),) for slug in plan.linking])
    index = [line for edit in plan.plan.edits if edit.role == "index" for line in index_lines(edit)]
    blocks += grouped(say.index_lines, index)
    return [*blocks, Block(((say.one_step, "dim"),))]


def _crossing(each: Crossing, say: ScopeWords) -> Line:
    parts: list[Part] = [(visible(each.slug), ""), (" → ", "dim"), (visible(each.new_slug), "name")]
    if each.versions:
        parts.append((f"  {say.versions.format(count=each.versions)}", "dim"))
    return tuple(parts)
