"""What a live report looks like: pure functions from the report to rows of text, fit to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memtui.memory.checks.findings import rule_wording
from memtui.memory.checks.rules import RULES
from memtui.memory.live.drafts import SavedDraft
from memtui.memory.live.report import FieldName, LiveFinding, LiveReport
from memtui.memory.text import visible
from memtui.memory.types import Lang, Severity
from memtui.memory.wording.units import unit_word
from memtui.tui.actions.registry import BY_ID, keys_text
from memtui.tui.present.lines import Line
from memtui.tui.present.parts import BROKEN, DOT, DUPLICATE, FOUND, label
from memtui.tui.voice import Voice
from memtui.tui.wording.edit import EditWords, words

_ROLES = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.NOTE: "accent"}
_SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.NOTE: "·"}
_OWN_SIGNS = {"duplicate": DUPLICATE, "broken-claim": BROKEN}


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One row of the list of findings.

    Attributes:
        sign: what stands before it, with its role.
        line: what it says; longer than the list is wide it goes on in the next line.
        where: the field to go to; None if there is nowhere to go.
        span: the words to go to there.
        other: slug of the memory it names, for a duplicate.
    """

    sign: Line
    line: Line
    where: FieldName | None = None
    span: tuple[int, int] | None = None
    other: str | None = None


def drafts_told(found: Sequence[SavedDraft], now: float, voice: Voice) -> tuple[str, str]:
    """Title and text of what is said at start of texts that were not saved.

    Args:
        found: the texts, newest first, at least one.
        now: Unix seconds.
        voice: language, and the key that goes on with one.
    """
    said, newest = words(voice.lang), found[0]
    text = (said.draft_told_more if len(found) > 1 else said.draft_told).format(
        name=draft_name(newest, said),
        age=age_text(newest.at, now, said),
        count=len(found) - 1,
        open_draft=keys_text(voice.action(BY_ID["open_draft"]), first_only=True),
    )
    return said.draft_told_title, text


def draft_name(found: SavedDraft, said: EditWords) -> str:
    """What to call an unsaved text."""
    return label(found.draft.name) or visible(found.draft.slug) or said.title_new


def finding_rows(report: LiveReport, words: EditWords, lang: Lang) -> list[FindingRow]:
    """Everything there is to say about a draft: findings, what was looked up, index, reminder."""
    rows = [_of_finding(found, words, lang) for found in report.findings]
    if not rows:
        rows.append(FindingRow(((f"{FOUND} ", "good"),), ((words.fine, "good"),)))
    if report.claims_pending:
        rows.append(FindingRow((("· ", "dim"),), ((words.project_pending, "dim"),)))
    for verdict in report.claims:
        if verdict.found is False:
            continue
        claim, span = verdict.claim, (verdict.claim.start, verdict.claim.end)
        template = words.claim_found if verdict.found else words.claim_unknown
        sign, role = (FOUND, "good") if verdict.found else ("?", "dim")
        text = template.format(claim=label(claim.text))
        rows.append(FindingRow(((f"{sign} ", role),), ((text, "dim"),), "content", span))
    rows.append(FindingRow((("  ", ""),), _index_line(report, words, lang)))
    rows.append(FindingRow((("  ", ""),), _place_line(report, words)))
    return rows


def _of_finding(found: LiveFinding, words: EditWords, lang: Lang) -> FindingRow:
    role = _ROLES[found.severity]
    sign = _OWN_SIGNS.get(found.rule, _SIGNS[found.severity])
    text = finding_text(found, words, lang)
    other = str(found.parts["other"]) if found.rule == "duplicate" else None
    line: Line = ((text, role if found.severity is Severity.ERROR else ""),)
    return FindingRow(((f"{sign} ", role),), line, found.where, found.span, other)


def finding_text(found: LiveFinding, words: EditWords, lang: Lang) -> str:
    """What a finding says."""
    parts = {name: label(part) if isinstance(part, str) else part for name, part in found.parts.items()}
    match found.rule:
        case "field":
            if found.parts["empty"]:
                return words.empty.format(field=field_label(found.where, words))
            return words.wrong_type if found.where == "type" else words.too_large
        case "team-secret":
            return words.team_leak.format(**parts)
        case "slug":
            return words.slug_bad.format(**parts)
        case "duplicate":
            return (words.said_in if parts.get("whole") else words.duplicate).format(**parts)
        case "index-lost":
            return words.index_lost
        case "index-rotates":
            return words.index_rotates.format(**parts)
    return rule_wording(found.rule, lang).filled(parts) if found.rule in RULES else found.rule


def field_label(name: FieldName, words: EditWords) -> str:
    """What a field is called."""
    return {
        "name": words.name,
        "description": words.description,
        "type": words.type,
        "slug": words.slug,
        "content": words.text,
    }[name]


def _index_line(report: LiveReport, words: EditWords, lang: Lang) -> Line:
    fit = report.index
    text = words.index_word.format(
        lines=fit.lines,
        max_lines=fit.max_lines,
        size=f"{fit.size:,}",
        max_size=f"{fit.max_size:,}",
        unit=unit_word(fit.unit, lang),
    )
    return ((text, "dim"),)


def _place_line(report: LiveReport, words: EditWords) -> Line:
    place = report.place
    if place.rank == 1:
        text = words.place_first.format(total=place.total)
    else:
        text = words.place.format(rank=place.rank, total=place.total, taken=place.taken)
    if place.pushed_out is not None:
        text += DOT + words.place_pushes.format(other=label(place.pushed_out))
    return ((text, "dim"),)


def counts_text(report: LiveReport, words: EditWords) -> str:
    """How much was found, for the title of the list."""
    notes = sum(found.severity is Severity.NOTE for found in report.findings)
    problems = len(report.findings) - notes
    counts = words.counts_one if notes == 1 else words.counts
    return counts.format(problems=problems, notes=notes) if report.findings else FOUND


def marked(report: LiveReport) -> Iterator[tuple[tuple[int, int], str]]:
    """The spans of the text to underline, each with its role."""
    size = len(report.draft.content)
    for found in report.findings:
        if found.where == "content" and found.span is not None and found.span != (0, size):
            yield (
                found.span,
                "bad" if found.rule in {"secret", "team-secret", "broken-claim"} else _ROLES[found.severity],
            )


def age_text(at: float, now: float, words: EditWords) -> str:
    """How long ago something was, in a word or two."""
    minutes = max(0, int(now - at)) // 60
    if minutes < 1:
        return words.just_now
    if minutes < 60:
        return words.minutes.format(n=minutes)
    hours = minutes // 60
    return words.hours.format(n=hours) if hours < 48 else words.days.format(n=hours // 24)
