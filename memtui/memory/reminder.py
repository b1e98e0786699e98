"""The ``<project-memory-context>`` block that goes into a system prompt, and the prompt's five sections (spec §11)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from memtui.memory.age import memory_freshness_note
from memtui.memory.lazy import lazy_pattern
from memtui.memory.text import for_prompt, neutralise, one_line
from memtui.memory.types import Lang, MemoryEntry
from memtui.memory.wording import Wording, wording

DEFAULT_REMINDER_ENTRIES = 5
"""Memories in a reminder unless told otherwise (seed)."""
PREVIEW_LINES = 3
"""Lines of the body that a block shows (first seed)."""
PREVIEW_LINE_CHARS = 200
"""Characters after which such a line is cut (spec §11)."""
MAX_BROKEN_CLAIMS = 8
"""Claims that the ✗ line names; a memory with more is out of date as a whole, and the line says so with … (ours)."""

_LOOKED_AT = 10 * PREVIEW_LINE_CHARS
_OPENING = "<project-memory-context>"
_CLOSING = "</project-memory-context>"
_NO_CLAIMS: Mapping[str, Sequence[str]] = {}


def remindable(entry: MemoryEntry) -> bool:
    """Whether a reminder may take it unasked: a version in force that could be read (the latter ours)."""
    return entry.is_active and entry.is_readable


def _clean(text: str) -> str:
    return one_line(for_prompt(text))


def _cut(line: str) -> str:
    """At most ``PREVIEW_LINE_CHARS`` characters, then …; no joiner is left hanging on the cut."""
    if len(line) <= PREVIEW_LINE_CHARS:
        return line
    return line[:PREVIEW_LINE_CHARS].rstrip(" \u200c\u200d") + "…"


def preview_lines(content: str, *, allowed: Container[str] = frozenset()) -> list[str]:
    """The first non-empty lines of a body as a reminder shows them, without the indent.

    Secrets are looked for before a line is cut, for half of one is no secret that a rule knows, and tells enough.
    """
    lines = (line.strip()[:_LOOKED_AT] for line in for_prompt(content).split("\n"))
    shown = _redacted("\n".join(islice(filter(None, lines), PREVIEW_LINES)), allowed)
    return [_cut(line) for line in shown.split("\n") if line]


def _redacted(text: str, allowed: Container[str]) -> str:
    from memtui.memory.secrets.guard import redact  # noqa: PLC0415  -- most that is done with memories needs none of its rules

    return redact(text, allowed=allowed)


def _status_label(entry: MemoryEntry, words: Wording) -> str:
    if entry.is_active:
        return ""
    successor = _clean(entry.superseded_by or "")
    return " " + (words.updated.format(slug=successor) if successor else words.updated_unnamed)


def reminder_block(
    entry: MemoryEntry,
    *,
    now: float,
    lang: Lang,
    broken: Sequence[str] = (),
    allowed: Container[str] = frozenset(),
) -> str:
    """One memory in a reminder: label, name, status and description; preview; ✗ line; note of its age.

    Args:
        entry: the memory; nothing in it can pass for markup or for another voice, and each secret is replaced by its
            rule and fingerprint (`redact`).
        now: Unix seconds.
        lang: language of labels and notes.
        broken: what the memory names and the project no longer has, as written in it.
        allowed: hashes of values that are no secrets.
    """
    words = wording(lang)
    description = _clean(entry.description)
    whose = f" {words.team}" if entry.scope == "team" else ""
    head = f"{words.type_label(entry.memory_type)} {_clean(entry.name)}{whose}{_status_label(entry, words)}"
    lines = [f"{head}: {description}" if description else head]
    lines += [f"  {line}" for line in preview_lines(entry.content, allowed=allowed)]
    if broken:
        named = [_cut(_clean(claim)) for claim in broken[:MAX_BROKEN_CLAIMS]]
        named += ["…"] if len(broken) > MAX_BROKEN_CLAIMS else []
        lines.append(words.broken_claims.format(claims=words.list_separator.join(named)))
    # Each piece is harmless by itself; once more for what two of them could spell together.
    block = neutralise(_redacted("\n".join(lines), allowed))
    note = memory_freshness_note(entry.modified, now, lang)
    return f"{block}\n{note}" if note else block


def build_reminder(
    entries: Iterable[MemoryEntry],
    *,
    now: float,
    lang: Lang,
    broken: Mapping[str, Sequence[str]] = _NO_CLAIMS,
    footer: str | None = None,
    allowed: Container[str] = frozenset(),
) -> str:
    """The reminder for these memories, in this order; empty if there are none.

    Args:
        entries: what to inject.
        now: Unix seconds.
        lang: language of labels, notes and guardrails.
        broken: by slug, what a memory names and the project no longer has.
        footer: what stands behind the memories, for a reader who has no ``save_memory`` tool; None for the usual line.
        allowed: hashes of values that are no secrets; every other secret is left out, as for ``reminder_block``.
    """
    blocks = [
        reminder_block(e, now=now, lang=lang, broken=broken.get(e.slug, ()), allowed=allowed) for e in entries
    ]
    return framed(blocks, lang=lang, footer=footer)


def framed(blocks: Sequence[str], *, lang: Lang, footer: str | None = None) -> str:
    """The reminder of memories whose blocks are made already; empty if there are none.

    Args:
        blocks: of ``reminder_block``, in order.
        lang: language of the guardrails.
        footer: as for ``build_reminder``.
    """
    if not blocks:
        return ""
    words = wording(lang)
    parts = [
        _OPENING,
        words.reminder_title,
        *blocks,
        words.reminder_footer if footer is None else footer,
        f"{words.verify_before_recommending}\n{_CLOSING}",
    ]
    return "\n\n".join(parts)


class Fitting(NamedTuple):
    """The memories that a reminder takes under a budget.

    Attributes:
        entries: those taken, in order.
        sizes: characters of each memory asked for, taken or not, with the blank line that follows it.
        left: characters left of the budget after those taken; 0 without a budget.
    """

    entries: tuple[MemoryEntry, ...]
    sizes: tuple[int, ...]
    left: int


def fit_reminder(
    entries: Sequence[MemoryEntry],
    budget: int | None,
    *,
    now: float,
    lang: Lang,
    broken: Mapping[str, Sequence[str]] = _NO_CLAIMS,
    allowed: Container[str] = frozenset(),
) -> Fitting:
    """Take memories in order until the budget is full: the first that does not fit ends it (ours).

    Args:
        entries: what is wanted.
        budget: most characters of the whole reminder, its frame included; None for no bound.
        now: Unix seconds.
        lang: language of the reminder.
        broken: as for ``build_reminder``.
        allowed: the same.
    """
    blocks = [
        reminder_block(e, now=now, lang=lang, broken=broken.get(e.slug, ()), allowed=allowed) for e in entries
    ]
    sizes = tuple(len(block) + len("\n\n") for block in blocks)
    if budget is None or not entries:
        return Fitting(tuple(entries), sizes, 0)
    frame = len(framed(blocks[:1], lang=lang)) - sizes[0]
    left, count = budget - frame, 0
    while count < len(sizes) and sizes[count] <= left:
        left -= sizes[count]
        count += 1
    return Fitting(tuple(entries[:count]), sizes, max(0, left))


def assemble_system_prompt(identity: str, tools: str, skills: str, memory: str, principles: str) -> str:
    """A system prompt of five sections in the seed's order, memory fourth; empty ones are left out.

    Args:
        identity: who the agent is.
        tools: what it can use.
        skills: what it can do with them.
        memory: the block of ``build_system_reminder``, or none.
        principles: how it behaves.
    """
    sections = (section.strip("\n") for section in (identity, tools, skills, memory, principles))
    return "\n\n".join(section for section in sections if section.strip())


_IDEOGRAPH = lazy_pattern("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_OTHER_SCRIPT = lazy_pattern("[^\x00-\x7f]")


def estimate_tokens(text: str) -> int:
    """About how many tokens a model counts in a text: an estimate (ours), never a count; show it as one ("≈").

    Four ASCII characters a token, one CJK character a token, two characters of anything else.
    """
    wide = len(_IDEOGRAPH.findall(text))
    other = len(_OTHER_SCRIPT.findall(text)) - wide
    return round((len(text) - wide - other) / 4 + wide + other / 2)
