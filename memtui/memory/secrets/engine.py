"""Where the rules of the secret guard are tried, and what they claim there.

Nearly all texts hold no secret. A rule runs only where one of its hints stands, and most hints are not even looked for: a
shorter hint within them, or the first letters of a word, says already that they cannot be there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.rules import MIN_TOKEN, RULES, Rule, Span

NESTED = 3
"""How deep one claim is looked for inside another that was turned down (ours); it bounds the work on hostile texts."""
_FIRST = 3
"""So many letters of a word are looked up, in characters (ours): most prefixes of tokens differ in them."""
_BEGINNINGS = lazy_pattern(r"(?<![A-Za-z0-9])(?=([A-Za-z0-9][!-~]{1,2}))")
# In JSON strings and in URLs a word may also begin after an escape: ``\nghp_…``, ``%3Dghp_…``.
_ESCAPED = lazy_pattern(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F]))(?=([A-Za-z0-9][!-~]{1,2}))"
)

_SHARED = (
    "key",
    "token",
    "secret",
    "pass",
    "auth",
    "cred",
    "login",
    "pat",
    "phrase",
    "cookie",
    "://",
    "32:",
    "|",
    " -",
)
"""What several hints have in common: it is looked for first."""
_IMPLIED = {"-----begin ": "key", '"username"': "key", "from-literal=": "secret"}
"""What every match of a hint holds, too."""
_RARE = 'zqxj<|[*"=:_kv3w/ybpgfc-umdlhrsnioate '
"""From the rarest to the most frequent character of notes."""
_LOOK = 3
"""So many characters beside a rare one are looked at at once (ours)."""
_HEX = lazy_pattern("[0-9a-f]{32}")
_RUN = lazy_pattern("[A-Za-z0-9_-]{25}")
_NEEDS = {
    **dict.fromkeys(("mailgun-key", "mailchimp-key", "zhipu-key", "ghost-key", "fal-key"), _HEX),
    **dict.fromkeys(("discord-token", "telegram-token", "ably-key", "ngrok-token"), _RUN),
}
"""What stands in every match of rules whose hint is one character."""
MIN_FLOATING = 36
"""No token whose hint stands within it is shorter, in characters."""

Candidate = tuple[int, int, str]
"""Start, end and rule of a claim."""
Hints = Mapping[str, Sequence[tuple[str, Rule]]]


class _Finder(NamedTuple):
    """Which of many hints stand in a text, found in one pass.

    Attributes:
        pattern: a rare character of each, with what stands beside it.
        beside: by that character: the shortest parts of hints that hold it, and those hints.
    """

    pattern: re.Pattern[str]
    beside: Mapping[str, Sequence[tuple[str, Sequence[tuple[str, Rule]]]]]

    def found(self, text: str) -> Iterable[tuple[Rule, list[str]]]:
        """The rules of which a hint stands in a text, with those hints."""
        rules: dict[str, tuple[Rule, list[str]]] = {}
        for char in set(self.pattern.findall(text)):
            for root, hints in self.beside[char]:
                if root not in text:
                    continue
                for hint, rule in hints:
                    if hint in text:
                        rules.setdefault(rule.id, (rule, []))[1].append(hint)
        return rules.values()


def _finder(hints: Iterable[tuple[str, Rule]]) -> _Finder:
    roots: dict[str, list[tuple[str, Rule]]] = defaultdict(list)
    for hint, rule in hints:
        root = _IMPLIED.get(hint) or next((root for root in _SHARED if root in hint), hint)
        roots[root].append((hint, rule))
    beside: dict[str, list[tuple[str, Sequence[tuple[str, Rule]]]]] = defaultdict(list)
    ways: dict[str, set[str]] = defaultdict(set)
    for root, longer in roots.items():
        at = min(range(len(root)), key=lambda place: _RARE.find(root[place]))
        char, after = root[at], re.escape(root[at + 1 : at + 1 + _LOOK])
        if at == len(root) - 1 and all(hint.startswith(root) and hint != root for hint, _ in longer):
            after = "[" + "".join(sorted({re.escape(hint[len(root)]) for hint, _ in longer})) + "]"
        beside[char].append((root, longer))
        before = root[max(0, at - _LOOK) : at + 1]
        ways[char].add(
            (f"(?<={re.escape(before)})" if at and (len(after) <= _LOOK or after[0] == "[") else "")
            + (f"(?={after})" if after else "")
        )
    pattern = "|".join(
        re.escape(char) + ("" if "" in way else f"(?:{'|'.join(sorted(way))})") for char, way in ways.items()
    )
    return _Finder(lazy_pattern(pattern), beside)


class _Prefilter(NamedTuple):
    """What is looked for before any rule.

    Attributes:
        around: hints of rules that need their surroundings.
        wide: the same of those not in ASCII.
        floating: hints of token rules that may stand anywhere in a word.
        first: hints that begin a word, by its first letters.
    """

    around: _Finder
    wide: _Finder
    floating: Sequence[tuple[str, Rule]]
    first: Hints


@cache
def _prefilter() -> _Prefilter:
    around = [(hint, rule) for rule in RULES.values() if rule.where == "text" for hint in rule.hints]
    tokens = [(hint, rule) for rule in RULES.values() if rule.where == "token" for hint in rule.hints]
    first: dict[str, list[tuple[str, Rule]]] = defaultdict(list)
    for hint, rule in tokens:
        if not rule.floating:
            first[hint[:_FIRST]].append((hint, rule))
    return _Prefilter(
        _finder(each for each in around if each[0].isascii()),
        _finder(each for each in around if not each[0].isascii()),
        [each for each in tokens if each[1].floating],
        first,
    )


def long_words(text: str) -> list[str]:
    """What may hold a token: the words that are long enough."""
    return [word for word in text.split() if len(word) >= MIN_TOKEN]


def claims(text: str, words: Sequence[str]) -> list[Candidate]:
    """What the rules claim in a text as it stands, in no order. At most linear time, whatever it is.

    Args:
        text: any text.
        words: ``long_words`` of it.
    """
    found: list[Candidate] = []
    lowered = _lowered(text)
    filters = _prefilter()
    # Hints in ASCII are found much sooner among the letters that are ASCII, and there they must be.
    near = filters.around.found(
        lowered if lowered.isascii() else lowered.encode("ascii", "ignore").decode("ascii")
    )
    for hinted in (near,) if lowered.isascii() else (near, filters.wide.found(lowered)):
        for rule, hints in hinted:
            found += _at_hints(rule, hints, text, lowered)
    if words:
        for rule, hints in _at_beginnings("\n".join(words)):
            found += _at_hints(rule, hints, text, text)
    dense = "\n".join([word for word in words if len(word) >= MIN_FLOATING])
    if dense:
        for rule in {rule.id: rule for hint, rule in filters.floating if hint in dense}.values():
            needed = _NEEDS.get(rule.id)
            if (needed is None or needed.search(dense)) and rule.compiled.search(dense):
                found += _spans(rule, rule.compiled.finditer(text))
    return found


def all_claims(text: str) -> list[Candidate]:
    """The same with every rule tried: what `claims` must not differ from."""
    found: list[Candidate] = []
    lowered = _lowered(text)
    for rule in RULES.values():
        if rule.floating:
            found += _spans(rule, rule.compiled.finditer(text))
        else:
            haystack = lowered if rule.where == "text" else text
            found += _at_hints(rule._replace(begins=None), rule.hints, text, haystack)
    return found


def _lowered(text: str) -> str:
    lowered = text.lower()
    return (
        lowered if len(lowered) == len(text) else text.replace("İ", "I").lower()
    )  # the one letter that grows


def _at_beginnings(dense: str) -> Iterable[tuple[Rule, list[str]]]:
    """The token rules of which a hint begins a part of a long word, with those hints."""
    first = _prefilter().first
    found: dict[str, tuple[Rule, list[str]]] = {}
    pattern = _ESCAPED if "\\" in dense or "%" in dense else _BEGINNINGS
    # Hints of two letters are looked up by the first two, which longer ones may share.
    letters = set(pattern.findall(dense))
    for beginning in letters | {each[: _FIRST - 1] for each in letters}:
        for hint, rule in first.get(beginning, ()):
            if hint in dense:
                found.setdefault(rule.id, (rule, []))[1].append(hint)
    return found.values()


def _at_hints(rule: Rule, hints: Iterable[str], text: str, haystack: str) -> Iterator[Candidate]:
    """Try a rule wherever one of its hints stands."""
    pattern, check, begins = rule.compiled, rule.check, rule.begins
    for hint in hints:
        at, depth, until = haystack.find(hint), 0, 0
        while at >= 0:
            after = at + len(hint)
            match = pattern.match(text, at) if begins is None or begins(text, at) else None
            if match:
                for start, end in _as_spans(check(match)):
                    yield start, end, rule.id
                    after = max(after, end)
                # ``token=token=…``: a hint within what was turned down may begin a secret, but not for ever.
                depth = depth + 1 if at < until else 0
                until = match.end()
                after = max(after, until) if depth >= NESTED else after
            at = haystack.find(hint, after)


def _spans(rule: Rule, matches: Iterator[re.Match[str]]) -> Iterator[Candidate]:
    for match in matches:
        for start, end in _as_spans(rule.check(match)):
            yield start, end, rule.id


def _as_spans(found: Span | list[Span] | None) -> Sequence[Span]:
    return found if isinstance(found, list) else (found,) if found else ()
