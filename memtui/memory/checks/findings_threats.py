"""Checks for text that is not what it looks like, or that talks to the model instead of informing it (reliability §3).

Heuristics: they warn and never block, and are kept narrow. On the generated benign memories of the tests and in any real
directory at most 2 % of the files may be warned about; a rule that says "never do X" is good memory, and silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from memtui.memory.checks.rules import Hit, memory_rule
from memtui.memory.checks.threat_shapes import INSTRUCTIONS, Shape
from memtui.memory.lazy import lazy_pattern
from memtui.memory.lowered import letters_of, lowered, words_of
from memtui.memory.secrets.guard import find_secrets
from memtui.memory.text import UnsafeSpan, tag_at, unsafe_spans, visible
from memtui.memory.types import MemoryEntry, Severity

HIDDEN_COMMENT_CHARS = 200
"""An HTML comment from this length on holds more than a marker of some tool (ours)."""
BASE64_CHARS = 200
"""Unbroken base64 from this length on is a payload; digests of integrity fields have 88 (ours)."""
BLANK_LINES = 30
"""So many empty lines in a row push what follows out of any window (ours)."""
BLANK_COLUMNS = 200
"""The same for spaces within a line (ours)."""

# "Never upload credentials to https://…" forbids what the pattern looks for. A "do not" that belongs to the pattern
# itself (hiding from the person) stands inside the match, so only what comes before it is asked.
_FORBIDS = lazy_pattern(
    r"(?:\b(?:never|do\s+not|don'?t|must\s+not|mustn'?t|should\s+not|shouldn'?t|avoid|refuse\s+to|cannot|can't"
    r"|attempts?\s+to|tries\s+to|tr(?:y|ied)\s+to|such\s+as|like|e\.g\.|says?|said|phrases?|detects?|injections?)\b"
    r"[^.!?\n]{0,60}"
    r"|(?:不要|不得|不能|不可|切勿|禁止|严禁|绝不|避免|拒绝|防止|例如|比如|诸如|试图|检测|注入)[^。！？\n]{0,30})$",
    re.IGNORECASE,
)
_ENGLISH = [shape for shape in INSTRUCTIONS if all(word.isascii() for word in shape.first)]
_CHINESE = [shape for shape in INSTRUCTIONS if shape not in _ENGLISH]
_COMMENT = lazy_pattern(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_BASE64 = lazy_pattern(
    r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{40,}\s{0,2})*[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=])"
)
_BASE64_PIECE = 40
_SOME_BLANKS = lazy_pattern(rf"\s\s{{{BLANK_LINES - 1}}}")  # a class first, so that `re` skips what is none
_BLANKS = lazy_pattern(
    rf"(?:[^\S\n]*\n){{{BLANK_LINES + 1},}}(?=[^\S\n]*\S)|[^\S\n]{{{BLANK_COLUMNS},}}(?=\S)"
)


def _texts(entry: MemoryEntry) -> Iterator[tuple[str, bool]]:
    """What reaches a model of a memory; True for the body, in which alone spans are counted."""
    yield entry.content, True
    yield f"{entry.name}\n{entry.description}", False


def _hit(entry: MemoryEntry, start: int, end: int, parts: Mapping[str, object], *, is_body: bool) -> Hit:
    """A hit in one of the two texts."""
    if is_body:
        return Hit(span=(start, end), parts=parts)
    return Hit(field="name" if start < len(entry.name) else "description", parts=parts)


@lru_cache(maxsize=4)
def _spans(text: str) -> tuple[UnsafeSpan, ...]:
    """What in a text is not what it looks like, worked out once for the two rules that share it."""
    return unsafe_spans(text)


SECRET_RULE = "secret"  # noqa: S105  -- the name of the rule


@memory_rule(SECRET_RULE, Severity.WARNING)
def secret(entry: MemoryEntry) -> Iterator[Hit]:
    """A password, key or token (reliability §4): said by rule and fingerprint, never by its value."""
    for text, is_body in _texts(entry):
        for found in find_secrets(text):
            parts = {"kind": found.rule, "fingerprint": found.fingerprint}
            yield _hit(entry, found.start, found.end, parts, is_body=is_body)
    for found in find_secrets(entry.slug):
        yield Hit(field="slug", parts={"kind": found.rule, "fingerprint": found.fingerprint})


@memory_rule("invisible-text", Severity.WARNING)
def invisible_text(entry: MemoryEntry) -> Iterator[Hit]:
    """Characters that nobody sees but a model reads, or that turn the order of what is seen."""
    for text, is_body in _texts(entry):
        kinds: dict[str, tuple[int, int, str]] = {}
        for found in _spans(text):
            if found.kind in {"bidi", "invisible", "tag", "control", "noncharacter"}:
                kinds.setdefault(found.kind, (found.start, found.end, found.hidden_text or found.text))
        for kind, (start, end, shown) in kinds.items():
            yield _hit(entry, start, end, {"kind": kind, "shown": visible(shown[:60])}, is_body=is_body)


@memory_rule("reserved-tag", Severity.WARNING)
def reserved_tag(entry: MemoryEntry) -> Iterator[Hit]:
    """A tag that would close the reminder's block, or open another."""
    for text, is_body in _texts(entry):
        for found in _spans(text):
            if found.kind == "reserved-tag":
                parts = {"shown": tag_at(text, found.start)}
                yield _hit(entry, found.start, found.end, parts, is_body=is_body)
                break


def _shapes_of(text: str) -> Iterator[Shape]:
    """The shapes whose words stand in a text."""
    words, letters = words_of(text), letters_of(text)
    for shape in _ENGLISH:
        if not words.isdisjoint(shape.first) and _holds_each(shape.further, letters):
            yield shape
    if not text.isascii():
        for shape in _CHINESE:
            if _holds_each((shape.first, *shape.further), lowered(text)):
                yield shape


def _holds_each(sets: Iterable[Iterable[str]], text: str) -> bool:
    for words in sets:
        for word in words:
            if word in text:
                break
        else:
            return False
    return True


@memory_rule("instruction-shaped", Severity.WARNING)
def instruction_shaped(entry: MemoryEntry) -> Iterator[Hit]:
    """Text that gives orders to the model: ignore this, hide that, send those, allow everything."""
    for text, is_body in _texts(entry):
        for shape in _shapes_of(text):
            for match in shape.pattern.finditer(text):
                line = text.rfind("\n", 0, match.start()) + 1
                if _FORBIDS.search(text, line, match.start()) is None:
                    yield _hit(entry, *match.span(), {"words": match[0][:80]}, is_body=is_body)
                    break


@memory_rule("hidden-comment", Severity.WARNING)
def hidden_comment(entry: MemoryEntry) -> Iterator[Hit]:
    """A long HTML comment: no rendered view shows it, every model reads it."""
    for match in _COMMENT.finditer(entry.content):
        if len(match[1].strip()) >= HIDDEN_COMMENT_CHARS:
            yield Hit(span=match.span(), parts={"count": len(match[1].strip())})


@memory_rule("encoded-block", Severity.WARNING)
def encoded_block(entry: MemoryEntry) -> Iterator[Hit]:
    """A block of base64: whatever it says, a reader does not see it."""
    # Of most texts no word is long enough for a piece of a block.
    if max(map(len, entry.content.split()), default=0) < _BASE64_PIECE:
        return
    for match in _BASE64.finditer(entry.content):
        packed = "".join(match[0].split())
        mixed = any(c.islower() for c in packed) and any(c.isupper() for c in packed)
        if len(packed) >= BASE64_CHARS and mixed and any(c.isdigit() for c in packed):
            yield Hit(span=match.span(), parts={"count": len(packed)})


@memory_rule("blank-run", Severity.WARNING)
def blank_run(entry: MemoryEntry) -> Iterator[Hit]:
    """A run of blanks long enough to push the rest out of sight."""
    if _SOME_BLANKS.search(entry.content) is None:
        return
    for match in _BLANKS.finditer(entry.content):
        yield Hit(span=match.span(), parts={"count": match[0].count("\n") or len(match[0])})
