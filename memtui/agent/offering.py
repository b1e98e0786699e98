"""What extraction found, on its way to a person: compared with what is there and what was offered before, then proposed.

Nothing is offered twice: not what a memory says already, not what waits in the inbox, and not what was turned down. So
an extraction that was killed may simply run again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memtui.memory.document import frontmatter
from memtui.memory.document.scopes import scope_of
from memtui.memory.document.slugs import propose_slug
from memtui.memory.doubles.dedup import compare_with_all
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.relevance.english import STOP_WORDS, stem
from memtui.memory.review.proposals import Evidence, Inbox, Origin, Proposal
from memtui.memory.secrets.guard import find_secrets, redact
from memtui.memory.text import for_prompt

MAX_QUOTE = 2_000
"""Longest quoted passage, characters (ours)."""

_WORD = re.compile(r"[A-Za-z0-9]+(?:[.'_-][A-Za-z0-9]+)*|[\u3400-\u9fff]")
_NOT = frozenset(
    {
        "not",
        "never",
        "no",
        "don't",
        "dont",
        "without",
        "instead",
        "stop",
        "avoid",
        "always",
        "except",
        "不",
        "别",
        "勿",
        "非",
        "没",
        "无",
    }
)
_LEAST_TERMS = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory that somebody may want.

    Attributes:
        name: title.
        description: one line.
        memory_type: one of the four.
        content: the body.
        transcript: path of the file in which it was said.
        line: 1-based line there.
        quote: what was said.
        by: the model or rule that found it.
        reason: why it is offered, for a person.
        slug: what it is to be called; empty to choose one.
        before: what was said just before; may be empty.
    """

    name: str
    description: str
    memory_type: str
    content: str
    transcript: str
    line: int
    quote: str
    by: str
    reason: str = ""
    slug: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Offered:
    """What became of a draft.

    Attributes:
        status: ``proposed``; ``saved`` where nobody reviews; ``known``: a memory says it; ``repeated``: it was proposed
            before; ``secret``: it holds one.
        slug: the memory it is about.
        proposal: what was proposed, or would be.
        rule: of the secret.
    """

    status: Literal["proposed", "saved", "known", "repeated", "secret"]
    slug: str = ""
    proposal: Proposal | None = None
    rule: str = ""


class Offering:
    """The way of drafts into one directory."""

    def __init__(
        self, manager: MemoryManager, *, review: bool = True, dry_run: bool = False, session: str = ""
    ) -> None:
        """Name the directory.

        Args:
            manager: the memories.
            review: whether a person decides; otherwise drafts are saved at once.
            dry_run: whether nothing is written.
            session: the conversation that the drafts come from.
        """
        self._manager = manager
        self._inbox = Inbox(manager)
        self._review = review
        self._dry_run = dry_run
        self._session = session
        self._made: dict[str, str] = {}

    def offer(self, draft: Draft) -> Offered:
        """Propose or save a draft, unless that was done before.

        Raises:
            UsageError: a field is wrong.
            Refused, Conflict: as for ``Inbox.add`` and ``MemoryManager.save_memory``.
        """
        for text in (draft.name, draft.description, draft.content, draft.slug):
            for found in find_secrets(text, allowed=self._manager.allowed_secrets):
                return Offered("secret", rule=found.rule)
        known = self._known(draft)
        if known is not None:
            return Offered("known", known)
        if self._repeated(draft):
            return Offered("repeated")
        slug = self._slug(draft)
        proposal = self._inbox.propose_save(
            slug, draft.name, draft.description, draft.memory_type, draft.content, self._origin(draft)
        )
        self._made[proposal.id] = draft.content
        if self._dry_run:
            return Offered("proposed" if self._review else "saved", slug, proposal)
        if not self._review and scope_of(slug) == "private":  # nothing reaches a team that nobody looked at
            saved = self._manager.save_memory(
                slug, draft.name, draft.description, draft.memory_type, draft.content
            )
            return Offered("known" if saved.outcome == "unchanged" else "saved", slug, proposal)
        return Offered("proposed" if self._inbox.add(proposal) else "repeated", slug, proposal)

    def _origin(self, draft: Draft) -> Origin:
        evidence = Evidence(
            draft.transcript,
            draft.line,
            redact(draft.quote, allowed=self._manager.allowed_secrets)[:MAX_QUOTE],
            before=redact(draft.before, allowed=self._manager.allowed_secrets)[:MAX_QUOTE],
        )
        return Origin("extraction", draft.reason, (evidence,), by=draft.by, session=self._session)

    def _slug(self, draft: Draft) -> str:
        """The memory that a draft is for: the one it names, the one that it says anew, or a new one."""
        if draft.slug:
            return draft.slug
        match = self._manager.best_match(draft.content, None)
        if match is not None and _negations(draft.content) == _negations(
            self._manager.get(match.slug).content
        ):
            return match.slug
        taken = {entry.slug for entry in self._manager.entries()}
        waiting = {slug for proposal in self._inbox.pending() for slug in proposal.slugs}
        return propose_slug(draft.name.rstrip("…"), taken | waiting)

    def _known(self, draft: Draft) -> str | None:
        """The memory that says a draft already."""
        terms, negations = _terms(draft.content), _negations(draft.content)
        for entry in self._manager.entries():
            if not entry.is_active or (
                draft.slug and entry.slug == draft.slug and entry.content.strip() != draft.content.strip()
            ):
                continue
            there = f"{entry.name}\n{entry.description}\n{entry.content}"
            if entry.content.strip() == draft.content.strip():
                return entry.slug
            if len(terms) >= _LEAST_TERMS and terms <= _terms(there) and negations <= _negations(there):
                return entry.slug
        return None

    def _repeated(self, draft: Draft) -> bool:
        """Whether it waits, or was turned down."""
        offered = {**self._made}
        for proposal in (*self._inbox.pending(), *(each.proposal for each in self._inbox.rejected())):
            if proposal.main.text is not None:
                offered[proposal.id] = frontmatter.read(
                    proposal.main.text.encode("utf-8", "surrogatepass")
                ).body
        return any(
            _terms(offered[match.slug]) == _terms(draft.content)
            and _negations(offered[match.slug]) == _negations(draft.content)
            for match in compare_with_all(draft.content, offered)
        )


def _terms(text: str) -> frozenset[str]:
    words = (word.lower() for word in _WORD.findall(for_prompt(text).replace("\u2019", "'")))
    return frozenset(stem(word) for word in words if word not in STOP_WORDS) - {"why", "how", "appli"}


def _negations(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text.replace("\u2019", "'"))) & _NOT


def shared_terms(one: str, other: str) -> int:
    """How many words that mean something two texts have in common."""
    return len(_terms(one) & _terms(other))
