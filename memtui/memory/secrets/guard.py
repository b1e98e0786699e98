"""The secret guard: what in a text is a secret, and the text without them (spec §15, reliability §4).

Saving warns, team memory and sync refuse, prompts redact: all of them ask here. A finding tells rule, place and
fingerprint. The value itself is in none of these objects, so it can reach no message, log or traceback through them;
whoever needs it cuts it out of the text they have.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container
from typing import NamedTuple

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.allowed import FINGERPRINT
from memtui.memory.secrets.engine import Candidate, claims, long_words
from memtui.memory.secrets.known import PUBLISHED
from memtui.memory.secrets.rules import RULES
from memtui.memory.secrets.unmask import unmasked
from memtui.memory.secrets.wrapped import Budget, unpacked

DEPTH = 3
"""So many packings around each other are undone (ours)."""
_UNPACKED = 4
"""What is unpacked in all may be so many times as long as its text (ours): zipped text could be a thousand times."""
_MARK = lazy_pattern(r"\[secret [a-z0-9-]{1,40} [0-9a-f]{12}\]")
_ORDER = {rule_id: number for number, rule_id in enumerate(RULES)}


class SecretFinding(NamedTuple):
    """One secret in a text, without its value.

    Attributes:
        rule: id of the rule, a key of ``RULES``.
        provider: who gives out such secrets, or ``generic``.
        start: first character of the value.
        end: one past its last character.
        line: 1-based line on which it starts.
        fingerprint: first characters of ``secret_hash`` of the value, to tell one secret from another.
    """

    rule: str
    provider: str
    start: int
    end: int
    line: int
    fingerprint: str


def secret_hash(value: str) -> str:
    """SHA-256 of a value, hex: the key of the allow-list."""
    from hashlib import sha256  # noqa: PLC0415 – OpenSSL takes long to load, and most texts hold no secret

    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


def find_secrets(text: str, *, allowed: Container[str] = frozenset()) -> tuple[SecretFinding, ...]:
    """The secrets in a text, in order, none overlapping another; where two rules meet, the more specific one has it.

    Args:
        text: any text: a file with its header, a name, a title. At most linear time, whatever it is.
        allowed: hashes (``secret_hash``) of values that are known and let through.
    """
    found = sorted(_distinct(_candidates(text, DEPTH, Budget(_UNPACKED * len(text))), text))
    findings: list[SecretFinding] = []
    line, at = 1, 0
    for start, end, rule_id in found:
        key = secret_hash(text[start:end])
        if key in allowed or key[:FINGERPRINT] in PUBLISHED:
            continue
        line, at = line + text.count("\n", at, start), start
        rule = RULES[rule_id]
        findings.append(SecretFinding(rule.id, rule.provider, start, end, line, key[:FINGERPRINT]))
    return tuple(findings)


def redact(text: str, *, allowed: Container[str] = frozenset()) -> str:
    """A text with every secret replaced by its rule and fingerprint: ``[secret github-token 0a1b2c3d4e5f]``.

    Every other place where a found value stands goes too, also where no rule would know it. What is returned has no
    findings any more.
    """
    while found := find_secrets(text, allowed=allowed):
        pieces, at, marks = [], 0, {}
        for finding in found:
            mark = f"[secret {finding.rule} {finding.fingerprint}]"
            marks[text[finding.start : finding.end]] = mark
            pieces += [text[at : finding.start], mark]
            at = finding.end
        text = _without("".join((*pieces, text[at:])), marks)
    return text


def _without(text: str, marks: dict[str, str]) -> str:
    """Replace values wherever they stand outside marks; the longest first, since one may hold another."""
    # One pass whatever the number of values: a pattern of thousands of alternatives would take each of them everywhere.
    width = min(map(len, marks))
    heads: dict[str, list[str]] = {}
    for value in sorted(marks, key=len, reverse=True):
        heads.setdefault(value[:width], []).append(value)
    pieces: list[str] = []
    at = copied = 0
    while at + width <= len(text):
        if text[at] == "[" and (mark := _MARK.match(text, at)):
            at = mark.end()
            continue
        for value in heads.get(text[at : at + width], ()):
            if text.startswith(value, at):
                pieces += [text[copied:at], marks[value]]
                at = copied = at + len(value)
                break
        else:
            at += 1
    return "".join((*pieces, text[copied:]))


def _distinct(candidates: list[Candidate], text: str) -> list[Candidate]:
    """Those that keep their place when the more specific ones had theirs; marks of ``redact`` are never touched."""
    starts: list[int] = []
    ends: list[int] = []
    kept: list[Candidate] = []
    marks = (
        [(*match.span(), "") for match in _MARK.finditer(text)] if candidates and "[secret " in text else []
    )
    for candidate in (*marks, *sorted(candidates, key=lambda each: (_ORDER[each[2]], each[0], -each[1]))):
        start, end, rule_id = candidate
        place = bisect_left(starts, start)
        if (place and ends[place - 1] > start) or (place < len(starts) and starts[place] < end):
            continue
        starts.insert(place, start)
        ends.insert(place, end)
        if rule_id:
            kept.append(candidate)
    return kept


def _candidates(text: str, depth: int, budget: Budget) -> list[Candidate]:
    """What the rules claim in a text, in what it says unmasked, and in what is packed in that; in no order."""
    words = long_words(text)
    found = claims(text, words)
    reading = unmasked(text)
    if reading is not None:
        text, words = reading.text, long_words(reading.text)
        found += [(*reading.span(start, end), rule_id) for start, end, rule_id in claims(text, words)]
    if not depth:
        return found
    for packed in unpacked(text, words):
        rule_id = _strongest(packed.text, depth - 1, budget) if budget.take(packed.text) else None
        if rule_id is not None:
            span = (packed.start, packed.end)
            found.append((*(span if reading is None else reading.span(*span)), rule_id))
    return found


def _strongest(text: str, depth: int, budget: Budget) -> str | None:
    """The most specific rule that finds something in a text taken out of its packing."""
    found = _candidates(text, depth, budget)
    return min((rule_id for _, _, rule_id in found), key=_ORDER.__getitem__, default=None)
