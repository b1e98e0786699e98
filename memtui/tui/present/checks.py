"""The checks as rows and texts: grouped by rule, worst first; one finding with its place and its fix. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.checks.findings import RULES, rule_wording
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry, Severity
from memtui.memory.versions.diffrows import CONTEXT, Row, unified
from memtui.memory.versions.worddiff import compare
from memtui.memory.wording.filter_words import named
from memtui.tui import conditions
from memtui.tui.conditions import Conditions
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.diff_lines import gutter, number_cells, text_parts
from memtui.tui.present.lines import Line, Part, fit, spread
from memtui.tui.present.parts import CURSOR, ELLIPSIS, label
from memtui.tui.voice import PLAIN, Voice
from memtui.tui.wording.checks import NAMED_HAND, NAMED_KEYS, ChecksWords, words
from memtui.tui.wording.diff import words as diff_words

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding
    from memtui.memory.saving.records import Edit
    from memtui.store import Snapshot

SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.NOTE: "·"}
ROLES = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.NOTE: "dim"}
_ORDER = {rule: number for number, rule in enumerate(RULES)}
SECRET_RULE = "secret"  # noqa: S105 – the name of a rule
"""The rule of which the place is not shown."""
_AROUND = 2
"""Lines of the text shown before and behind the place."""
_MOST_SOURCE = 600
"""Characters of a line that are shown around the place."""
VALUES = {"severity": ("error", "warning", "note"), "is": ("fixable",), "rule": tuple(RULES)}
"""What each condition of the filter may be asked for."""


# --- filter ----------------------------------------------------------------------------------------------------------


FindingQuery = Conditions
"""A filter text understood: words, and ``rule: severity: is:``."""


def parse(text: str) -> FindingQuery:
    """Understand what was typed; never fails."""
    return conditions.parse(text, VALUES)


def passes(finding: Finding, query: FindingQuery, lang: Lang) -> bool:
    """Whether a finding passes a filter."""
    for key, values, negated in query.conditions:
        has = {
            "rule": finding.rule in values,
            "severity": finding.severity.name.lower() in values,
            "is": bool(values) and finding.fix is not None,
        }[key]
        if has == negated:
            return False
    if not query.words:
        return True
    title = rule_wording(finding.rule, lang).title
    return query.hold(f"{finding.message} {finding.path} {finding.rule} {title}")


# --- the list --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    """A rule above its findings."""

    rule: str
    severity: Severity
    count: int


def rows(
    findings: Iterable[Finding], query: FindingQuery, about: str | None, lang: Lang
) -> list[Heading | Finding]:
    """The rows of the list: each rule with its findings, the worst rules first.

    Args:
        findings: of the whole directory, in their order.
        query: the filter.
        about: only findings of this file; None for all.
        lang: language of the screen.
    """
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if (about is None or finding.path == about) and passes(finding, query, lang):
            groups.setdefault(finding.rule, []).append(finding)
    listed: list[Heading | Finding] = []
    for rule, found in sorted(groups.items(), key=lambda group: _weight(*group)):
        listed += [Heading(rule, found[0].severity, len(found)), *found]
    return listed


def _weight(rule: str, found: Sequence[Finding]) -> tuple[int, bool, bool, int]:
    """What sorts the rules: the worst first; of equal ones secrets, then what keeps whole memories from being known."""
    return found[0].severity.value, rule != "secret", RULES[rule].scope != "directory", _ORDER[rule]


def spoken(voice: Voice, lang: Lang) -> ChecksWords:
    """The sentences with the keys that a person has set."""
    say = voice.with_keys(words(lang), NAMED_KEYS)
    if not voice.keymap:
        return say
    hand = {rule: voice.naming(text, NAMED_HAND.get(rule, ())) for rule, text in say.hand.items()}
    return say.replaced(hand=hand)


def severity_word(severity: Severity, say: ChecksWords) -> str:
    """A severity in words."""
    return {Severity.ERROR: say.error, Severity.WARNING: say.warning, Severity.NOTE: say.note}[severity]


def heading_row(heading: Heading, cells: int, lang: Lang) -> Line:
    """A rule with its severity and how often it was found."""
    role = ROLES[heading.severity]
    left: Line = (
        (f" {SIGNS[heading.severity]} ", role),
        (rule_wording(heading.rule, lang).title, "strong"),
        (f"  {severity_word(heading.severity, words(lang))}", role),
    )
    return spread(left, ((f"{heading.count} ", "count"),), cells)


def place_in_content(finding: Finding, entry: MemoryEntry) -> tuple[int, int] | None:
    """Start and end of what a finding is about in the memory's content; None where it is about nothing in there."""
    if finding.span is not None:
        return finding.span
    if finding.line is None or finding.line < entry.body_line:
        return None
    lines = entry.content.split("\n")
    before = lines[: finding.line - entry.body_line]
    if len(before) >= len(lines):
        return None
    start = sum(len(line) + 1 for line in before)
    return start, start + len(lines[len(before)])


def place_text(finding: Finding) -> str:
    """The file and line a finding is about."""
    return f"{visible(finding.path)}:{finding.line}" if finding.line else visible(finding.path)


def finding_row(finding: Finding, cells: int, lang: Lang, *, cursor: bool) -> Line:
    """One finding: where, what, and whether there is a fix."""
    sign: Part = (f" {CURSOR} " if cursor else "   ", "cursor-sign")
    tail: Line = ((f" {words(lang).fixable} ", "good"),) if finding.fix else ()
    place_cells = max(18, min(34, (cells - 3) * 2 // 5))
    body: Line = (
        (fit(place_text(finding), place_cells, ELLIPSIS) + "  ", "name"),
        (label(finding.message), "dim"),
    )
    return spread((sign, *body), tail, cells)


def list_title(shown: int, total: int, about: str | None, *, pending: bool, lang: Lang) -> tuple[str, str]:
    """Title and count of the list."""
    say = words(lang)
    title = say.title if about is None else say.title_file.format(path=visible(about))
    if pending:
        return title, say.pending
    if shown == total:
        return title, say.counted.format(count=total)
    return title, say.count_filtered.format(shown=shown, count=total)


def empty_lines(
    snapshot: Snapshot, query: FindingQuery, about: str | None, lang: Lang, *, project: bool
) -> list[str]:
    """What the list says where there is nothing in it: still checking, hidden by the filter, or all clear."""
    say = words(lang)
    if snapshot.missing:
        return [say.missing]
    if snapshot.findings_pending and not snapshot.findings:
        return [say.pending]
    if not query.is_empty and snapshot.findings:
        known = [
            say.knows_no.format(
                key=key, value=visible(value), names=", ".join(named(key, each, lang) for each in VALUES[key])
            )
            for key, value in query.unknown
        ]
        return [say.none_match, *known]
    active = sum(entry.is_active for entry in snapshot.entries)
    index = snapshot.index
    first = (
        say.clear if about is None or not snapshot.findings else say.clear_file.format(path=visible(about))
    )
    lines = [first, "", say.checked.format(count=active, rules=len(RULES))]
    if index.exists:
        lines.append(
            say.checked_index.format(lines=index.lines, max_lines=index.max_lines, entries=index.entries)
        )
    lines.append(say.checked_project if project else say.not_checked_project)
    return lines


# --- one finding -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Planned:
    """What a fix would write.

    Attributes:
        edits: its edits; None while they are being worked out.
        problem: why they cannot be worked out; empty if they can.
        rows: the difference they make, with a heading for each file.
    """

    edits: tuple[Edit, ...] | None = None
    problem: str = ""
    rows: tuple[Row, ...] = ()


def diff_rows(edits: Sequence[Edit], lang: Lang, context: int | None = CONTEXT) -> tuple[Row, ...]:
    """What edits change, file by file; takes as long as the files are large."""
    say, found = words(lang), []
    for edit in edits:
        heading = (
            say.removed_file
            if edit.after is None
            else say.new_file
            if edit.before is None
            else say.changed_file
        )
        found.append(Row("heading", heading.format(path=edit.rel)))
        found += unified(compare(_text(edit.before), _text(edit.after)), context)
    return tuple(found)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")


def detail_blocks(
    finding: Finding,
    entry: MemoryEntry | None,
    index_text: str,
    planned: Planned | None,
    lang: Lang,
    *,
    signs: bool,
    voice: Voice = PLAIN,
) -> list[Block]:
    """One finding as a text: what, where and why, and its fix with the difference it makes.

    Args:
        finding: the finding.
        entry: the memory it is about; None for the index.
        index_text: the index.
        planned: the fix worked out; None if it has none.
        lang: language of the screen.
        signs: whether changed words are put in signs, where a screen has no colours.
        voice: which keys the person has.
    """
    say = spoken(voice, lang)
    rule, role = rule_wording(finding.rule, lang), ROLES[finding.severity]
    blocks = [
        Block(
            ((label(finding.message), "strong"),),
            ((f"{SIGNS[finding.severity]} ", role),),
            (("  ", ""),),
        ),
        Block(
            (
                (severity_word(finding.severity, say), role),
                (f" · {rule.title} · {finding.rule}", "dim"),
            )
        ),
        BLANK,
        Block(((rule.why, ""),)),
        BLANK,
    ]
    where = place_text(finding) if finding.line else say.whole_file.format(path=visible(finding.path))
    blocks.append(Block(((where, "heading"),)))
    blocks += _source(finding, entry, index_text)
    blocks.append(BLANK)
    if finding.names:
        blocks += [Block(((visible(", ".join(finding.names)), ""),)), BLANK]
    if planned is None:
        blocks += _by_hand(finding, say)
    else:
        blocks += _fix_blocks(finding, planned, say, lang, signs=signs)
    return blocks


def _by_hand(finding: Finding, say: ChecksWords) -> Iterator[Block]:
    yield Block(((say.by_hand, "heading"),))
    hint = say.hand.get(finding.rule)
    if hint:
        yield Block(((hint, ""),))
    go = say.by_hand_index if finding.path == INDEX_NAME else say.by_hand_memory
    yield Block(((go, "dim"),))


def _fix_blocks(
    finding: Finding, planned: Planned, say: ChecksWords, lang: Lang, *, signs: bool
) -> Iterator[Block]:
    title = finding.fix.label if finding.fix else ""
    yield Block(((say.fix.format(label=title), "heading"),))
    if planned.problem:
        yield Block(((say.no_plan.format(problem=planned.problem), "bad"),))
    elif planned.edits is None:
        yield Block(((say.planning, "dim"),))
    elif not planned.edits:
        yield Block(((say.nothing_to_do, "dim"),))
    else:
        yield from diff_blocks(planned.rows, lang, signs=signs)


def diff_blocks(rows: Sequence[Row], lang: Lang, *, signs: bool) -> Iterator[Block]:
    """Rows of a difference as blocks, to stand in a text."""
    say, numbers = diff_words(lang), number_cells(rows)
    for row in rows:
        if row.kind == "heading":
            yield Block(((visible(row.text), "strong"),))
        elif row.kind == "gap":
            yield Block(((f"{'':>{numbers}}⋯ {say.gap.format(n=row.hidden)}", "dim"),))
        else:
            first, rest = gutter(row, numbers)
            yield Block(text_parts(row, signs=signs), first, rest)


def _source(finding: Finding, entry: MemoryEntry | None, index_text: str) -> Iterator[Block]:
    """The lines around the place; the place itself stands out."""
    if finding.line is None:
        return
    source, first = (entry.content, entry.body_line) if entry is not None else (index_text, 1)
    if finding.rule == SECRET_RULE:  # no screen shows a secret that it warns of, nor another beside it
        source = _without_secrets(source, finding.span if entry is not None else None)
    lines = source.split("\n")
    if not lines[-1] and len(lines) > 1:
        lines.pop()  # what stands behind the last line end is no line
    at = finding.line - first
    if not 0 <= at < len(lines):
        return  # it stands in the header, which the message names
    start, end = finding.span if finding.span and entry is not None else (-1, -1)
    begin = max(0, at - _AROUND)
    offset = sum(len(line) + 1 for line in lines[:begin])
    cells = len(str(first + min(len(lines), at + _AROUND + 1)))
    for number in range(begin, min(len(lines), at + _AROUND + 1)):
        line = lines[number]
        span = (
            (max(0, start - offset), min(len(line), end - offset)) if number >= at and start >= 0 else (0, 0)
        )
        text = _with_span(line, span, role="" if number == at else "dim")
        gutter_role = "cursor-sign" if number == at else "dim"
        yield Block(text, ((f"{first + number:>{cells}} ", gutter_role),), ((" " * (cells + 1), ""),))
        offset += len(line) + 1


def _without_secrets(text: str, span: tuple[int, int] | None) -> str:
    """A text with a dot for every character of what looks like a secret, and of the place told; lines stay."""
    from memtui.memory.secrets.guard import find_secrets  # noqa: PLC0415 – many rules, for few findings

    spans = [(found.start, found.end) for found in find_secrets(text)]
    for start, end in (*spans, *((span,) if span else ())):
        hidden = "".join(char if char == "\n" else "•" for char in text[start:end])
        text = text[:start] + hidden + text[end:]
    return text


def _with_span(line: str, span: tuple[int, int], role: str) -> Line:
    """A line of source cut around the place, which stands out by its look and, where it is whole words, by signs."""
    start, end = span
    cut = max(0, start - _MOST_SOURCE // 2)
    shown = line[cut : cut + _MOST_SOURCE].removesuffix("\r").replace("\t", " ")
    start, end = max(0, start - cut), min(len(shown), end - cut)
    before: list[Part] = [(ELLIPSIS, "dim")] if cut else []
    after: list[Part] = [(ELLIPSIS, "dim")] if cut + _MOST_SOURCE < len(line) else []
    if end <= start:
        return (*before, (visible(shown), role), *after) if shown else ()
    parts = (
        (visible(shown[:start]), role),
        (visible(shown[start:end]), "found"),
        (visible(shown[end:]), role),
    )
    return (*before, *(part for part in parts if part[0]), *after)
