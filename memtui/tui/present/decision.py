"""What a decision on several proposals and changes would do, line by line. Pure, and safe to show."""

from __future__ import annotations

from collections import Counter

from memtui.memory.errors import MemtuiError
from memtui.memory.index.tally import accept_sentence
from memtui.memory.managing.plans import Plan
from memtui.memory.saving.record_lines import in_inbox
from memtui.memory.saving.records import Edit
from memtui.memory.secrets.team_guard import SecretBlocked
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.wording.saying import said
from memtui.tui.present.blocks import Block, grouped
from memtui.tui.present.bulk import index_lines
from memtui.tui.present.lines import Line
from memtui.tui.reviewing import Decision
from memtui.tui.wording.review import ReviewWords


def decision_blocks(decision: Decision, lang: Lang, say: ReviewWords) -> list[Block]:
    """Everything it would do, nothing left out."""
    reasons = [
        ((visible(name), ""), (f"  {_why(error, lang, say)}", "warn")) for name, error in decision.left
    ]
    blocks = grouped(say.left, reasons, "warn")
    unheard = (
        accept_sentence(decision.accepting.plan.edits, decision.unit, lang) if decision.accepting else ""
    )
    blocks += [Block(((unheard, "warn"),))] if unheard else []
    for plan in (decision.accepting.plan if decision.accepting else None, decision.reverting):
        if plan is not None:
            blocks += _plan(plan, say, reverting=plan is decision.reverting)
    blocks += grouped(say.taken_out, [((visible(named), ""),) for named in decision.taken_out])
    blocks += grouped(say.taken_as_seen, [((visible(change.slug), ""),) for change in decision.kept])
    if not decision.edits:
        return [*blocks, Block(((say.nothing, "strong"),))]
    if decision.steps:
        text = say.one_step if decision.steps == 1 else say.steps.format(n=decision.steps)
        blocks.append(Block(((text, "dim"),)))
    return blocks


def _why(error: MemtuiError, lang: Lang, say: ReviewWords) -> str:
    """Why something is left, and what can be done about it here."""
    if isinstance(error, SecretBlocked):
        return say.left_leak.format(what=visible(said(error.what, lang)))
    return visible(error.said(lang))


def _plan(plan: Plan, say: ReviewWords, *, reverting: bool) -> list[Block]:
    files = [edit for edit in plan.edits if edit.role == "primary" and not in_inbox(edit.rel)]
    blocks: list[Block] = []
    if reverting:
        blocks += grouped(say.back_as_seen, [_file(edit, say) for edit in files])
    else:
        blocks += grouped(say.new_memories, [_file(edit, say) for edit in files if edit.before is None])
        changed = [edit for edit in files if edit.before is not None and edit.after is not None]
        blocks += grouped(say.changed_memories, [_file(edit, say) for edit in changed])
        gone = [edit for edit in files if edit.after is None]
        blocks += grouped(say.go_to_trash, [_file(edit, say) for edit in gone if edit.trash])
        blocks += grouped(say.merged_away, [_file(edit, say) for edit in gone if not edit.trash])
    blocks += grouped(
        say.index_line, [line for edit in plan.edits if edit.role == "index" for line in index_lines(edit)]
    )
    return blocks + grouped(say.dangling, [((visible(slug), "bad"),) for slug in plan.dangling], "bad")


def _file(edit: Edit, say: ReviewWords) -> Line:
    """A file, and how many lines it gains and loses."""
    old, new = ((data or b"").splitlines() for data in (edit.before, edit.after))
    added, removed = (Counter(new) - Counter(old)).total(), (Counter(old) - Counter(new)).total()
    return ((visible(edit.rel), ""), (f"  {say.lines.format(added=added, removed=removed)}", "dim"))
