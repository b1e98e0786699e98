"""What several screens show alike: signs, labels, the top line, gauges, a memory's facts, the reminder's lines. Pure.

Every text from a file goes through ``visible`` here, the border of the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.memory.age import memory_age_label
from memtui.memory.decay import Tier, explain_score
from memtui.memory.text import one_line, visible
from memtui.memory.types import Lang, MemoryEntry, MemoryType, Problem, Severity
from memtui.tui.facts import FindingLike
from memtui.tui.present.lines import Line, Part, clip_line
from memtui.tui.present.lines import width as cells_of
from memtui.tui.wording.present import words

NEVER = "–"
ELLIPSIS = "…"
CURSOR = "▸"
MARKED = "●"
PROBLEM = "!"
DUPLICATE = "≈"
BROKEN = "✗"
DRAFT = "*"
UNREVIEWED = "?"
FOUND = "✓"
DOT = " · "
_MOST_FINDINGS = 5
FULL, EMPTY = "▓", "░"

TYPE_CODES = {
    MemoryType.USER: "us",
    MemoryType.FEEDBACK: "fb",
    MemoryType.PROJECT: "pr",
    MemoryType.REFERENCE: "rf",
}
TIER_ROLES = {Tier.HOT: "hot", Tier.WARM: "warm", Tier.COOL: "cool"}
SEVERITY_ROLES = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.NOTE: "dim"}


def label(text: str) -> str:
    """A text from a file on one line, as it may be shown."""
    return visible(one_line(text))


def score(value: float) -> str:
    """A score in at most four cells: ``1.0``, ``.98``, ``.01``."""
    return "1.0" if value >= 0.995 else f"{value:.2f}"[1:]


# --- the top and bottom line -----------------------------------------------------------------------------------------


def header_left(texts: Iterable[str]) -> Line:
    """The top line's left end: the app, what is open, its convention and place."""
    first, *rest = [label(text) for text in texts if text]
    parts: list[Part] = [(" ", ""), (first, "brand")]
    parts += [(f"  {text}", "title") for text in rest[:1]]
    parts += [(f"{DOT}{text}", "dim") for text in rest[1:]]
    return tuple(parts)


def header_right(
    active: int,
    *,
    findings: int,
    pending: bool,
    inbox: int,
    read_only: bool,
    off: bool = False,
    reading: int | None = None,
    team: Line = (),
    lang: Lang = "en",
) -> Line:
    """The top line's right end: how much there is, and what waits for somebody."""
    say = words(lang)
    parts: list[Part] = [((say.memory if active == 1 else say.memories).format(count=active), "count")]
    if inbox:
        parts.append((DOT + say.to_review.format(count=inbox), "warn"))
    if pending:
        parts.append((DOT + say.checking, "dim"))
    elif findings:
        parts.append((DOT + (say.finding if findings == 1 else say.findings).format(count=findings), "dim"))
    if reading is not None:
        parts.append((DOT + say.reading_use.format(percent=reading), "dim"))
    if team:
        parts += [(DOT, "dim"), *team]
    if off:
        parts.append((DOT + say.memory_off, "warn"))
    if read_only:
        parts.append((DOT + say.read_only, "warn"))
    return (*parts, (" ", ""))


def short_path(path: Path, home: Path | None) -> str:
    """A path with the home folder as ``~``."""
    if home is not None and path.is_relative_to(home):
        rest = path.relative_to(home).as_posix()
        return "~" if rest == "." else f"~/{rest}"
    return str(path)


def directory_title(path: Path) -> str:
    """What to call a memory directory: the project's name rather than ``memory``."""
    parts = [part for part in path.parts if part not in {"/", "memory", "memories"}]
    name = parts[-1] if parts else str(path)
    # Claude Code's project folders are sanitised paths; their last words are the project.
    return (
        name.rsplit("-", 2)[-2] + "-" + name.rsplit("-", 1)[-1]
        if name.startswith("-") and name.count("-") > 2
        else name
    )


def gauge(used: int, most: int, cells: int) -> Line:
    """A bar that fills; its colour and the figures beside it say the same."""
    share = used / most if most else 0.0
    full = min(cells, round(share * cells))
    role = "bad" if share > 1 else "warn" if share >= 0.85 else "gauge"
    return ((FULL * full, role), (EMPTY * (cells - full), "dim"))


def index_gauges(
    lines: int,
    max_lines: int,
    size: int,
    max_size: int,
    cells: int,
    *,
    exists: bool = True,
    lang: Lang = "en",
) -> Line:
    """How full ``MEMORY.md`` is, by lines and by size, in at most ``cells``; the bars give way first."""
    say = words(lang)
    if not exists:
        return ((f" {say.no_index}", "dim"),)
    count = f"{say.index_word} {lines}/{max_lines}"
    volume = f"{size / 1000:.1f}/{max_size / 1000:.0f}k"
    bar = min(8, (cells - cells_of(((count, ""), (volume, ""))) - 5) // 2)
    if bar < 3:
        over = lines > max_lines or size > max_size
        return clip_line(((f" {count}{DOT}{volume}", "bad" if over else "dim"),), cells, ELLIPSIS)
    return (
        (f" {count} ", "bad" if lines > max_lines else "dim"),
        *gauge(lines, max_lines, bar),
        (f"  {volume} ", "bad" if size > max_size else "dim"),
        *gauge(size, max_size, bar),
    )


# --- one memory ------------------------------------------------------------------------------------------------------


def detail_title(entry: MemoryEntry, versions: int, lang: Lang = "en") -> tuple[str, str]:
    """Title of the detail: the name, and its kind, scope and number of versions."""
    say = words(lang)
    kind = (
        say.kinds[list(TYPE_CODES).index(entry.memory_type)]
        if entry.memory_type
        else f"{say.unknown_type} {label(entry.type_text or '')}".rstrip()
    )
    facts = [kind, say.team if entry.scope == "team" else say.private]
    if versions > 1:
        facts.append(say.versions.format(count=versions))
    return label(entry.name) or visible(entry.slug), DOT.join(facts)


def detail_facts(entry: MemoryEntry, *, now: float, lang: Lang) -> list[Line]:
    """Age, score with its formula, size and file of a memory; then its description."""
    say = words(lang)
    parts = explain_score(entry, now)
    age = memory_age_label(entry.modified, now, lang)
    if parts.historical:
        successor = entry.superseded_by
        formula = say.old_version.format(score=parts.score)
        if successor:
            formula += DOT + say.now
        first: Line = (
            (age, ""),
            (DOT + formula, "dim"),
            *(((label(successor), f"link={successor}"),) if successor else ()),
        )
    else:
        tier = parts.tier
        named = {Tier.HOT: say.tier_hot, Tier.WARM: say.tier_warm, Tier.COOL: say.tier_cool}
        first = (
            (age, ""),
            (DOT + say.score, "dim"),
            (f"{parts.score:.2f}", "score"),
            (say.decay.format(decay=parts.decay), "dim"),
            (f"{named[tier]} {tier.weight:.1f}", TIER_ROLES[tier]),
        )
    lines: list[Line] = [first, ((visible(entry.rel), "dim"), (f"{DOT}{size(entry.size)}", "dim"))]
    description = label(entry.description)
    lines.append(((description, "description"),) if description else ((say.no_description, "dim"),))
    return lines


def problem_line(problem: Problem, lang: Lang = "en") -> Line:
    """What was odd while reading, in one line."""
    from memtui.memory.wording.problems import problem_message  # noqa: PLC0415 – most files have nothing odd

    where = words(lang).line.format(line=problem.line) if problem.line else ""
    return (
        (f"{PROBLEM} ", SEVERITY_ROLES[problem.severity]),
        (where + label(problem_message(problem.code, problem.message, lang)), ""),
    )


def finding_lines(findings: Sequence[FindingLike], lang: Lang = "en") -> list[Line]:
    """What was found about a memory, worst first, each in one line; beyond five only how many more."""
    say = words(lang)
    lines: list[Line] = []
    for finding in findings[:_MOST_FINDINGS]:
        where = say.line.format(line=finding.line) if finding.line else ""
        lines.append(
            ((f"{PROBLEM} ", SEVERITY_ROLES[finding.severity]), (where + label(finding.message), ""))
        )
    if len(findings) > _MOST_FINDINGS:
        lines.append(((say.and_more.format(count=len(findings) - _MOST_FINDINGS), "dim"),))
    return lines


def size(count: int) -> str:
    """A number of bytes for a person."""
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB"


def source_lines(text: str) -> list[str]:
    """A text from a file as lines that may be shown: line ends dropped, tabs spread, controls made visible."""
    return [visible(line.removesuffix("\r").expandtabs(4)) for line in text.split("\n")]


# --- the reminder ----------------------------------------------------------------------------------------------------


def reminder_title(text: str, tokens: int, shown: int, total: int, lang: Lang = "en") -> tuple[str, str]:
    """Title of the reminder: how many memories it holds of how many, and what it costs."""
    say = words(lang)
    if not text:
        return say.reminder, say.nothing_injected
    count = say.some_of.format(shown=shown, total=total)
    return f"{say.reminder}{DOT}{count}", say.cost.format(chars=len(text), tokens=tokens)


def reminder_line(line: str) -> Line:
    """One line of the reminder, its frame told apart from what memories say."""
    shown = visible(line)
    if line.startswith(("<", "[")):
        head, bracket, rest = shown.partition("] ")
        if line.startswith("[") and bracket:
            return ((head + bracket, "accent"), (rest, "name"))
        return ((shown, "dim"),)
    if line.startswith("## "):
        return ((shown, "heading"),)
    return ((shown, ""),)
