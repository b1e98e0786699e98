"""One item of the review as text: whether it still fits, its reason, evidence and checks, and what it changes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from memtui.memory.age import memory_age_label
from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.live.report import LiveFinding
from memtui.memory.managing.authors import author_said
from memtui.memory.review.proposals import Broken, Evidence, Proposal
from memtui.memory.review.unreviewed import OthersChange
from memtui.memory.saving.records import Edit
from memtui.memory.text import visible
from memtui.memory.types import Lang, Severity
from memtui.memory.versions.diffrows import CONTEXT, Pair, Row, side_by_side, unified
from memtui.memory.versions.worddiff import compare
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.edit import finding_text
from memtui.tui.present.parts import DOT, label, short_path
from memtui.tui.present.review import kind_of, slugs_of, trouble_lines
from memtui.tui.reviewing import Item, Looked
from memtui.tui.wording.edit import EditWords
from memtui.tui.wording.review import ReviewWords

View = Literal["changes", "all", "new"]
VIEWS: tuple[View, ...] = ("changes", "all", "new")
"""What of a change is shown: what differs, every line of both texts, the new text alone."""

_SIGNS = {Severity.ERROR: ("✗ ", "bad"), Severity.WARNING: ("! ", "warn"), Severity.NOTE: ("· ", "accent")}


def item_title(item: Item, view: View, say: ReviewWords) -> tuple[str, str]:
    """Title of the text beside the list, and what of the change it shows."""
    kind: str = getattr(say, f"kind_{kind_of(item)}")
    views = {"changes": say.view_changes, "all": say.view_all, "new": say.view_new}
    note = "" if isinstance(item, Broken) else views[view]
    return f"{kind} {', '.join(map(visible, slugs_of(item)))}", note


def lead_blocks(
    looked: Looked,
    *,
    now: float,
    home: Path | None,
    lang: Lang,
    say: ReviewWords,
    edit_words: EditWords,
    folded: bool = False,
) -> list[Block]:
    """What stands above the change: whether it still fits, where it comes from, why, what was said, what checks say.

    Args:
        looked: the item, worked out.
        now: Unix seconds.
        home: the home folder, for short paths.
        lang: language of the screen.
        say: sentences.
        edit_words: what the checks say.
        folded: in a line each, so that a small screen has room for the text that is decided on.
    """
    item, blocks = looked.item, list[Block]()
    if isinstance(item, Broken):
        return _broken_blocks(item, looked.raw, say)
    if looked.error is not None:
        blocks += _refusal(looked, lang, say)
    if folded:
        return [
            *(block for block in blocks if block != BLANK),
            *_folded(looked, item, now, lang, say, edit_words),
        ]
    blocks.append(Block(((DOT.join(_origin(item, now, lang, say)), "dim"),)))
    if isinstance(item, OthersChange):
        return [*blocks, BLANK]
    blocks.append(BLANK)
    reason = visible(item.reason, keep_newlines=True).strip() or say.no_reason
    blocks += [Block(((line, ""),) if line else ()) for line in reason.split("\n")]
    for each in item.evidence:
        blocks += [BLANK, *_evidence(each, home, say)]
    if looked.checks:
        blocks += [BLANK, *_checks(looked, lang, say, edit_words)]
    return [*blocks, BLANK]


def _folded(
    looked: Looked,
    item: Proposal | OthersChange,
    now: float,
    lang: Lang,
    say: ReviewWords,
    edit_words: EditWords,
) -> Iterator[Block]:
    """Where it comes from, why, the first passage and the worst finding, in a line each."""
    origin = DOT.join(_origin(item, now, lang, say, short=True))
    yield Block(((origin, "dim"),), breaks="never")
    if isinstance(item, OthersChange):
        return
    yield Block(((label(item.reason.strip()) or say.no_reason, ""),), breaks="never")
    if item.evidence:
        more = _more(len(item.evidence) - 1)
        yield Block(
            ((label(item.evidence[0].quote.strip()), ""),), ((f">{more} ", "accent"),), breaks="never"
        )
    found = _findings(looked)
    if found:
        slug, finding = min(found, key=lambda each: list(_SIGNS).index(each[1].severity))
        text = _finding_text(slug, finding, looked, lang, say, edit_words)
        (sign, role) = _SIGNS[finding.severity]
        yield Block(((text, ""),), ((f"{sign.rstrip()}{_more(len(found) - 1)} ", role),), breaks="never")
    elif looked.checks:
        yield Block(((say.no_checks, "dim"),), (("✓ ", "good"),), breaks="never")


def _more(count: int) -> str:
    return f" +{count}" if count else ""


def _origin(
    item: Proposal | OthersChange, now: float, lang: Lang, say: ReviewWords, *, short: bool = False
) -> Iterator[str]:
    if isinstance(item, Proposal) and not short:  # its group stands in the list above it
        yield getattr(say, f"group_{item.source}")
    if item.by or isinstance(item, OthersChange):
        yield (
            say.by.format(by=label(item.by)) if isinstance(item, Proposal) else author_said(item.author, lang)
        )
    if isinstance(item, Proposal) and item.session:
        yield say.session.format(id=label(item.session)[: 8 if short else None])
    if item.at:
        yield memory_age_label(item.at, now, lang)


def _refusal(looked: Looked, lang: Lang, say: ReviewWords) -> Iterator[Block]:
    item, error = looked.item, looked.error
    if isinstance(item, OthersChange) or error is None:
        yield Block(((say.unknown_base, "warn"),))
    else:
        for line in trouble_lines(error, lang):
            yield Block(((say.fits_not.format(reason=line), "bad"),))
        writes = isinstance(item, Proposal) and item.main.text is not None
        yield Block(((say.go_edit if writes else say.go_reject, "accent"),))
    yield BLANK


def _evidence(each: Evidence, home: Path | None, say: ReviewWords) -> Iterator[Block]:
    """Where it was said, and the passage between what was said around it."""
    where = (say.said_at if each.line else say.said_line).format(
        path=label(short_path(Path(each.transcript), home)), line=each.line
    )
    yield Block(((where, "type"),))
    for text, mark, role in ((each.before, "  ", "dim"), (each.quote, "> ", ""), (each.after, "  ", "dim")):
        for line in (
            visible(text.replace("\r\n", "\n").expandtabs(4), keep_newlines=True).split("\n") if text else ()
        ):
            lead = ((mark, "accent"),)
            yield Block(((line, role),) if line else (), lead, lead)


def _checks(looked: Looked, lang: Lang, say: ReviewWords, edit_words: EditWords) -> Iterator[Block]:
    found = _findings(looked)
    yield Block(((say.checks, "heading"),))
    if not found:
        yield Block(((say.no_checks, "good"),), (("✓ ", "good"),), (("  ", ""),))
    for slug, finding in found:
        text = _finding_text(slug, finding, looked, lang, say, edit_words)
        yield Block(((text, ""),), (_SIGNS[finding.severity],), (("  ", ""),))


def _findings(looked: Looked) -> list[tuple[str, LiveFinding]]:
    """What the checks found, with the memory it is about; of several at once, nothing about the room in the index."""
    several = len(looked.checks) > 1
    return [
        (slug, finding)
        for slug, report in looked.checks.items()
        for finding in report.findings
        if finding.rule not in {"index-lost", "index-rotates"} or not several
    ]


def _finding_text(
    slug: str, finding: LiveFinding, looked: Looked, lang: Lang, say: ReviewWords, edit_words: EditWords
) -> str:
    text = finding_text(finding, edit_words, lang)
    return say.about.format(slug=visible(slug), text=text) if len(looked.checks) > 1 else text


def _broken_blocks(item: Broken, raw: str, say: ReviewWords) -> list[Block]:
    why: str = getattr(say, f"code_{item.code.replace('-', '_')}", say.code_other)
    path = visible(f"{INBOX_FOLDER}/{item.name}")
    go = say.remove if item.removable else say.by_hand.format(path=path)
    blocks = [Block(((path, "dim"),)), Block(((why, "bad"),)), Block(((go, "accent"),)), BLANK]
    shown = visible(raw.replace("\r\n", "\n").expandtabs(4), keep_newlines=True).split("\n") if raw else ()
    return [*blocks, *(Block(((line, "dim"),) if line else (), breaks="hard") for line in shown)]


def change_rows(
    edits: Sequence[Edit], view: View, say: ReviewWords, *, beside: bool = False
) -> tuple[Row, ...] | tuple[Pair, ...]:
    """What edits change, file by file; takes as long as the files are large."""
    found: list[Row | Pair] = []
    between = Row("heading")
    for edit in edits:
        if found:
            found.append(Pair(between, between) if beside else between)
        heading = (
            say.gone_file if edit.after is None else say.new_file if edit.before is None else say.changed_file
        )
        head = Row("heading", heading.format(path=edit.rel))
        found.append(Pair(head, head) if beside else head)
        if view == "new":
            found += _new_text(edit, beside=beside)
            continue
        context = None if view == "all" else CONTEXT
        diff = compare(_text(edit.before), _text(edit.after))
        found += side_by_side(diff, context) if beside else unified(diff, context)
    return tuple(found)  # type: ignore[return-value]  # all of them are of one kind


def _new_text(edit: Edit, *, beside: bool) -> Iterator[Row | Pair]:
    text = _text(edit.after)
    lines = text.removesuffix("\n").split("\n") if text else []
    for number, line in enumerate(lines, 1):
        row = Row("same", line, number, number)
        yield Pair(row, row) if beside else row


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")
