"""What stands below a memory's text: its score worked out, its links, the index, where it comes from. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from memtui.memory.decay import Tier, explain_score
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.lines import Line, Part
from memtui.tui.present.parts import TIER_ROLES, label, problem_line
from memtui.tui.related import Related
from memtui.tui.wording.browse import BrowseWords

_INDENT: Line = (("  ", ""),)


def about_blocks(
    entry: MemoryEntry, related: Related | None, *, versions: int, now: float, say: BrowseWords
) -> list[Block]:
    """Everything about a memory that its text does not say.

    Args:
        entry: the memory.
        related: what it has to do with others; None while that is worked out.
        versions: how many there are, itself included.
        now: Unix seconds.
        say: sentences.
    """
    blocks: list[Block] = []

    def section(title: str, lines: list[Line]) -> None:
        if lines:
            blocks.extend((BLANK, Block(((title, "heading"),))))
            blocks.extend(Block(line, _INDENT, _INDENT) for line in lines)

    if related is not None:
        section(say.links_title, [_link(target, slug, say) for target, slug in related.links])
        section(
            say.linked_title,
            [((visible(slug), f"link={slug}"),) for slug in related.backlinks]
            or [((say.linked_none, "dim"),)],
        )
        section(say.index_title, _index_lines(related, say))
        section(say.use_title, [((label(sentence), ""),) for sentence in related.usage])
        if related.seen:
            section(say.seen_title, [((label(related.seen), ""),), ((say.seen_copy, "dim"),)])
    section(say.score_title, _score(entry, related, now=now, say=say))
    section(say.comes_title, _origin(entry, versions, say))
    section(say.problems_title, [problem_line(problem) for problem in entry.problems])
    return blocks


def _link(target: str, slug: str | None, say: BrowseWords) -> Line:
    if slug is None:
        return ((label(target), "dim"), (f"  {say.nowhere_yet}", "warn"))
    return ((label(target), f"link={slug}"), *(((f"  {visible(slug)}", "dim"),) if slug != target else ()))


def _index_lines(related: Related, say: BrowseWords) -> list[Line]:
    if not related.has_index:
        return [((say.index_missing, "warn"),)]
    lines: list[Line] = []
    for number, text, loaded in related.index_lines:
        lines.append(((f"{say.index_line.format(line=number)}  ", "dim"), (label(text.strip()), "")))
        if not loaded:
            lines.append(((say.index_cut, "warn"),))
    return lines or [((say.index_none, "warn"),)]


def _score(entry: MemoryEntry, related: Related | None, *, now: float, say: BrowseWords) -> list[Line]:
    parts = explain_score(entry, now)
    if parts.historical:
        return [((say.score_old.format(score=f"{parts.score:.2f}"), ""),)]
    tier = parts.tier
    name, why = {
        Tier.HOT: (say.tier_hot, say.score_hot),
        Tier.WARM: (say.tier_warm, say.score_warm),
        Tier.COOL: (say.tier_cool, say.score_cool),
    }[tier]
    decay, score, weight = f"{parts.decay:.2f}", f"{parts.score:.2f}", f"{tier.weight:.1f}"
    before, _, after = say.score_tier.partition("{tier}")
    last: list[Part] = [(say.score_product.format(decay=decay, weight=weight, score=score), "strong")]
    if related is not None and related.place is not None:
        last.append((f"  {say.score_rank.format(place=related.place, total=related.total)}", "dim"))
    return [
        ((say.score_decay.format(days=f"{parts.days:.1f}", decay=decay), ""),),
        ((before, ""), (name, TIER_ROLES[tier]), (after.format(why=why, weight=weight), "")),
        tuple(last),
    ]


def _origin(entry: MemoryEntry, versions: int, say: BrowseWords) -> list[Line]:
    dated = say.comes_mtime if entry.modified == entry.mtime else say.comes_modified
    session = say.comes_session.format(id=label(entry.origin)) if entry.origin else say.comes_no_session
    count = say.comes_versions.format(n=versions) if versions > 1 else say.comes_one_version
    return [
        ((session, "" if entry.origin else "dim"),),
        ((dated.format(date=_date(entry.modified)), ""),),
        ((say.comes_scope.format(scope=entry.scope), ""),),
        ((count, ""),),
    ]


def _date(when: float) -> str:
    try:
        return f"{datetime.fromtimestamp(when, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{when:.0f}"
