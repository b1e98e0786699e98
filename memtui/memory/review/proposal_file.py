"""A proposal, and the one file it is kept in: what it would write, why, and where that was said (spec §14).

The file is JSON that a person can read: texts stand line by line, and what no terminal shows is escaped. It may come from
a cloned repository, so nothing in it is believed: every field is checked for kind and size, memories are named by
slugs that lead to memories and nowhere else, and the name of the file must follow from what it would write. Who was
shown a proposal and names it later gets that very one, or a refusal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.disk.files import MAX_FILE_BYTES, Unreadable, digest_of, parts_of
from memtui.memory.document.entries import kind_of
from memtui.memory.document.frontmatter import read
from memtui.memory.errors import UsageError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.text import visible

ProposalKind = Literal["create", "update", "merge", "forget", "fix"]
Source = Literal["extraction", "dream", "sync", "rules"]

MAX_PROPOSAL_BYTES = MAX_FILE_BYTES
"""Largest file of a proposal, bytes (ours): it must fit the journal's limit for a file, so that it can come back."""
MAX_MEMORIES = 100
"""So many memories one proposal may be about (ours)."""
MAX_EVIDENCE = 50
"""So many passages one proposal may rest on (ours)."""
MAX_WORDS = 20_000
"""Longest reason or quoted passage, characters (ours)."""

_FORMAT = 1
_SHORT = 4_096  # characters of a path or a name
_KEY_DIGITS, _EXACT_DIGITS = 12, 8
_ID = lazy_pattern(rf"[0-9a-f]{{{_KEY_DIGITS}}}-[0-9a-f]{{{_EXACT_DIGITS}}}\Z")
_DIGEST = lazy_pattern(r"[0-9a-f]{64}\Z")
_HIDDEN = lazy_pattern("[^\n\\x20-\\x7e]")
_END_OF_TIME = 253_402_300_800.0  # the year 10000


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that a proposal rests on.

    Attributes:
        transcript: path of the file it stands in.
        line: 1-based line there; 0 if nobody knows.
        quote: the passage, as it was said.
        before: what was said just before it; may be empty.
        after: what was said just after it; may be empty.
    """

    transcript: str
    line: int
    quote: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class ProposedText:
    """What a proposal does to one memory.

    Attributes:
        slug: the memory.
        text: its whole file as it would be, every character of it; None if it would leave.
        based_on: digest of the file's bytes when the proposal was made; None where there was no file.
    """

    slug: str
    text: str | None
    based_on: str | None = None


@dataclass(frozen=True)
class Proposal:
    """A change that somebody proposes and nobody has agreed to.

    Attributes:
        kind: what it is. ``create`` and ``update`` write one memory; of a ``merge`` the first is the result and the
            others become old versions of it; ``forget`` names those that go; a ``fix`` writes one or several.
        texts: what it does to which memory.
        reason: why, for a person.
        evidence: where that was said.
        source: what made it.
        by: model or rule that made it; may be empty.
        session: the conversation it comes from; may be empty.
        at: when it was made, Unix seconds.
    """

    kind: ProposalKind
    texts: tuple[ProposedText, ...]
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    source: Source = "extraction"
    by: str = ""
    session: str = ""
    at: float = 0.0

    @property
    def slugs(self) -> tuple[str, ...]:
        """The memories it is about."""
        return tuple(each.slug for each in self.texts)

    @property
    def main(self) -> ProposedText:
        """The memory it is about first."""
        return self.texts[0]

    @cached_property
    def key(self) -> str:
        """What it says, as a name: the same whenever it is proposed, whatever memory of then it was made from."""
        said = [self.kind, [[each.slug, _essence(each.text)] for each in self.texts]]
        return _hash(said)[:_KEY_DIGITS]

    @cached_property
    def id(self) -> str:
        """Its name: ``key``, and a part that changes with every character it would write."""
        exact = [self.kind, [[each.slug, each.text, each.based_on] for each in self.texts]]
        return f"{self.key}-{_hash(exact)[:_EXACT_DIGITS]}"

    @property
    def rel(self) -> str:
        """Its file, below the memory directory."""
        return f"{INBOX_FOLDER}/{self.id}.json"


class BadProposal(ValueError):
    """A file is no proposal, or not one that is obeyed.

    Attributes:
        code: ``unreadable`` (no JSON of ours, or a field is wrong), ``altered`` (its name does not follow from what
            it says), ``too-large`` or ``not-regular``.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def key_of(rel: str) -> str | None:
    """What the proposal said that a path of the inbox stood for; None if it is not the name of one."""
    name = rel.removeprefix(f"{INBOX_FOLDER}/").removesuffix(".json")
    return name[:_KEY_DIGITS] if rel == f"{INBOX_FOLDER}/{name}.json" and _ID.match(name) else None


def check(proposal: Proposal) -> None:
    """See that a proposal makes sense by itself.

    Raises:
        UsageError: it does not.
    """
    try:
        kept = load(f"{proposal.id}.json", dump(proposal))
    except (BadProposal, UnicodeError) as error:
        too_large = isinstance(error, BadProposal) and error.code == "too-large"
        raise UsageError(
            "the proposal is too large" if too_large else "this is not a proposal that can be kept",
            where=", ".join(proposal.slugs[:3]),
        ) from error
    if kept != proposal:
        raise UsageError("this is not a proposal that can be kept", where=", ".join(proposal.slugs[:3]))


def dump(proposal: Proposal) -> bytes:
    """The bytes of its file."""
    values = {
        "format": _FORMAT,
        "kind": proposal.kind,
        "reason": proposal.reason,
        "source": proposal.source,
        "by": proposal.by,
        "session": proposal.session,
        "at": proposal.at,
        "memories": [
            {
                "slug": each.slug,
                "based_on": each.based_on,
                "text": None if each.text is None else each.text.splitlines(keepends=True),
            }
            for each in proposal.texts
        ],
        "evidence": [
            {
                "transcript": each.transcript,
                "line": each.line,
                "before": each.before,
                "quote": each.quote,
                "after": each.after,
            }
            for each in proposal.evidence
        ],
    }
    text = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    return _HIDDEN.sub(lambda found: _escaped(found[0]), text).encode("utf-8")


def load(name: str, data: bytes) -> Proposal:
    """The proposal that a file holds.

    Args:
        name: of the file, without its folder.
        data: its bytes.

    Raises:
        BadProposal: it is none, or its name is not that of what it says.
    """
    if len(data) > MAX_PROPOSAL_BYTES:
        raise BadProposal("too-large")
    try:
        proposal = _proposal(json.loads(data))
        named = f"{proposal.id}.json"
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        Unreadable,
    ) as error:
        raise BadProposal("unreadable") from error
    if named != name:
        raise BadProposal("altered")
    return proposal


def _proposal(values: Mapping[str, Any]) -> Proposal:
    if values["format"] != _FORMAT:
        raise ValueError
    kind, source = values["kind"], values["source"]
    if kind not in get_args(ProposalKind) or source not in get_args(Source):
        raise ValueError
    at = values["at"]
    if (
        isinstance(at, bool)
        or not isinstance(at, int | float)
        or not (math.isfinite(at) and 0 <= at < _END_OF_TIME)
    ):
        raise ValueError
    texts = tuple(_proposed(each) for each in _list(values["memories"], MAX_MEMORIES))
    _check_shape(kind, texts)
    return Proposal(
        kind=kind,
        texts=texts,
        reason=_text(values["reason"], MAX_WORDS),
        evidence=tuple(_evidence(each) for each in _list(values["evidence"], MAX_EVIDENCE)),
        source=source,
        by=_text(values["by"], _SHORT),
        session=_text(values["session"], _SHORT),
        at=float(at),
    )


def _check_shape(kind: ProposalKind, texts: Sequence[ProposedText]) -> None:
    """What a proposal of each kind must be; anything else is nobody's."""
    written = [each.text is not None for each in texts]
    known = [each.based_on is not None for each in texts]
    fits = {
        "create": written == [True] and known == [False],
        "update": written == [True] and known == [True],
        "fix": all(written) and all(known),
        "forget": not any(written) and all(known),
        "merge": len(texts) > 1 and written[0] and not any(written[1:]) and all(known[1:]),
    }
    if not texts or not fits[kind] or len({each.slug for each in texts}) != len(texts):
        raise ValueError


def _proposed(values: Mapping[str, Any]) -> ProposedText:
    slug, lines, based_on = _text(values["slug"], _SHORT), values["text"], values["based_on"]
    parts_of(slug)
    if slug.startswith(".") or kind_of(f"{slug}.md") != "memory":
        raise ValueError
    if based_on is not None and not _DIGEST.match(_text(based_on, _SHORT)):
        raise ValueError
    text = (
        None
        if lines is None
        else "".join(_text(line, MAX_FILE_BYTES) for line in _list(lines, MAX_FILE_BYTES))
    )
    return ProposedText(slug, text, based_on)


def _evidence(values: Mapping[str, Any]) -> Evidence:
    line = values["line"]
    if isinstance(line, bool) or not isinstance(line, int) or not 0 <= line < 1 << 53:
        raise ValueError
    quote, before, after = (_text(values[name], MAX_WORDS) for name in ("quote", "before", "after"))
    return Evidence(_text(values["transcript"], _SHORT), line, quote, before, after)


def _text(value: object, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError
    value.encode("utf-8")  # half a character is nothing that a file could hold
    return value


def _list(value: object, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise ValueError
    return value


def _essence(text: str | None) -> list[str] | None:
    """What a memory says, however it is set and whenever it was written."""
    if text is None:
        return None
    doc = read(text.encode("utf-8"))
    fields = (doc.name, doc.description, doc.type_text, doc.body)
    return [" ".join((field or "").casefold().split()) for field in fields]


def _hash(value: object) -> str:
    return digest_of(json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii"))


def _escaped(char: str) -> str:
    """A character that a terminal would obey or hide, as JSON writes it."""
    return char if visible(char) == char else json.dumps(char)[1:-1]
