"""The secret guard: what in a text is a secret, and the text without them (spec §15, reliability §4).

Saving warns, team memory and sync refuse, prompts redact: all of them ask here. A finding tells rule, place and
fingerprint. The value itself is in none of these objects, so it can reach no message, log or traceback through them;
whoever needs it cuts it out of the text they have.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from memtui.memory.allowed import FINGERPRINT
from memtui.memory.lazy import lazy_pattern
from memtui.memory.secret_rules import MIN_TOKEN, RULES, Rule
from memtui.memory.secret_values import unwrap_base64

NESTED = 3
"""How deep one claim is looked for inside another that was turned down (ours); it bounds the work on hostile texts."""
_WRAPPED = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9+/_-]{23,65536}={0,2}")
_MARK = lazy_pattern(r"\[secret [a-z0-9-]{1,40} [0-9a-f]{12}\]")
_TOKENS = tuple(rule for rule in RULES.values() if rule.where == "token")
_TEXTS = tuple(rule for rule in RULES.values() if rule.where == "text")
_TOKEN_HINTS = [(hint, rule) for rule in _TOKENS for hint in rule.hints]
_TEXT_HINTS = [(hint, rule) for rule in _TEXTS for hint in rule.hints]
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
    found = sorted(_distinct(_candidates(text, wrapped=True), text))
    findings: list[SecretFinding] = []
    line, at = 1, 0
    for start, end, rule_id in found:
        key = secret_hash(text[start:end])
        if key in allowed:
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


Candidate = tuple[int, int, str]


def _distinct(candidates: list[Candidate], text: str) -> list[Candidate]:
    """Those that keep their place when the more specific ones had theirs; marks of ``redact`` are never touched."""
    starts: list[int] = []
    ends: list[int] = []
    kept: list[Candidate] = []
    marks = (
        [(*match.span(), "") for match in _MARK.finditer(text)] if candidates and "[secret " in text else []
    )
    for candidate in (*marks, *sorted(candidates, key=lambda c: (_ORDER[c[2]], c))):
        start, end, rule_id = candidate
        place = bisect_left(starts, start)
        if (place and ends[place - 1] > start) or (place < len(starts) and starts[place] < end):
            continue
        starts.insert(place, start)
        ends.insert(place, end)
        if rule_id:
            kept.append(candidate)
    return kept


def _candidates(text: str, *, wrapped: bool) -> list[Candidate]:
    """What the rules claim, in no order. Most texts end after two cheap looks: long words, and telling names."""
    found: list[Candidate] = []
    lowered = text.lower()
    if len(lowered) != len(text):  # İ is the one letter that grows
        lowered = text.replace("İ", "I").lower()
    for rule in _hinted(_TEXT_HINTS, lowered):
        found += _at_hints(rule, text, lowered)
    words = [word for word in text.split() if len(word) >= MIN_TOKEN]
    if not words:
        return found
    dense = "\n".join(words)
    for rule in _hinted(_TOKEN_HINTS, dense):
        if not rule.floating:
            found += _at_hints(rule, text, text)
        elif rule.compiled.search(dense):
            found += _spans(rule, rule.compiled.finditer(text))
    if wrapped:
        found += _unwrapped(text, words)
    return found


def _hinted(hints: Sequence[tuple[str, Rule]], text: str) -> Iterable[Rule]:
    """The rules of which a hint stands in a text, in their order."""
    if text.isascii():
        return {rule.id: rule for hint, rule in hints if hint in text}.values()
    # An ASCII hint is found much sooner among the letters that are ASCII, and there it must be.
    letters = text.encode("ascii", "ignore").decode("ascii")
    likely = [(hint, rule) for hint, rule in hints if hint in letters or not hint.isascii()]
    return {rule.id: rule for hint, rule in likely if hint in text}.values()


def _at_hints(rule: Rule, text: str, haystack: str) -> Iterator[Candidate]:
    """Try a rule wherever a hint of it stands."""
    pattern, check = rule.compiled, rule.check
    for hint in rule.hints:
        at, depth, until = haystack.find(hint), 0, 0
        while at >= 0:
            after = at + len(hint)
            match = pattern.match(text, at)
            if match:
                span = check(match)
                if span:
                    yield (*span, rule.id)
                    after = span[1]
                # ``token=token=…``: a hint within what was turned down may begin a secret, but not for ever.
                depth = depth + 1 if at < until else 0
                until = match.end()
                after = max(after, until) if depth >= NESTED else after
            at = haystack.find(hint, after)


def _spans(rule: Rule, matches: Iterator[re.Match[str]]) -> Iterator[Candidate]:
    for match in matches:
        span = rule.check(match)
        if span:
            yield (*span, rule.id)


def _unwrapped(text: str, words: list[str]) -> Iterator[Candidate]:
    """What stands in a word that is base64 or percent-encoded: the whole wrapping is the value then."""
    at = 0
    for word in words:
        at = text.find(word, at)
        if "%" in word:
            rule_id = _strongest(unquote(word)) if "%3A" in word.upper() or "%2F" in word.upper() else None
            if rule_id:
                yield at, at + len(word), rule_id
        for match in _WRAPPED.finditer(word):
            rule_id = _strongest(unwrap_base64(match[0]) or "")
            if rule_id:
                yield at + match.start(), at + match.end(), rule_id
        at += len(word)


def _strongest(text: str) -> str | None:
    """The most specific rule that finds something in a text taken out of its wrapping."""
    found = _candidates(text, wrapped=False) if text else []
    return min((rule_id for _, _, rule_id in found), key=_ORDER.__getitem__, default=None)
