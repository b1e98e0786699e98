"""The secret guard on the way out: looks at every commit that a push would send, not only at the last one."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from memtui.memory.secrets.guard import find_secrets, redact
from memtui.memory.secrets.team_guard import texts_of
from memtui.team.objects import Leaves, parse_tree
from memtui.team.repo import Repo
from memtui.team.results import Blocked
from memtui.team.vet import secret_in

MAX_SCANNED = 4 << 20
"""Bytes of one object that is sent (ours); what memtui makes is smaller, so a larger one is not ours to send."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What the guard found in what would be sent.

    Attributes:
        clean: whether it found nothing.
        blocked: what it found in files of the last commit, by their paths.
        objects: the objects that hold a secret.
    """

    clean: bool
    blocked: Mapping[str, Blocked]
    objects: frozenset[str]


class OutgoingGuard:
    """Looks at what is sent; what was looked at once and was clean is not looked at again by the same one."""

    def __init__(self, repo: Repo, allowed: Callable[[], Container[str]]) -> None:
        """Set up for one repository.

        Args:
            repo: it.
            allowed: gives the hashes of values that are let through.
        """
        self._repo = repo
        self._allowed = allowed
        self._clean: set[str] = set()
        self._digits = 40
        self._known: set[str] = set()

    def scan(self, head: str, tip: str | None) -> Scan:
        """Look at every commit, tree and file that a push would send.

        Args:
            head: what is pushed.
            tip: what the remote has; None if nothing.
        """
        repo = self._repo
        oids = [oid for oid in repo.outgoing(head, tip) if oid not in self._clean]
        self._digits = len(head)
        self._known = {part for path in repo.tree(tip) for part in path.split("/")}
        kinds = repo.kinds(oids)
        contents = repo.blobs(oids, most=MAX_SCANNED)
        odd = {oid for oid in oids if not self._is_clean(kinds.get(oid, ""), contents.get(oid))}
        there = repo.tree(tip)
        leaves = {rel: entry for rel, entry in repo.tree(head).items() if there.get(rel) != entry}
        blocked = self._named(leaves, odd)
        self._clean.update(oid for oid in oids if oid not in odd)
        return Scan(not odd and not blocked, blocked, frozenset(odd))

    def _is_clean(self, kind: str, data: bytes | None) -> bool:
        if data is None:
            return False
        if kind == "tree":
            names = [name for name, _ in parse_tree(data, digits=self._digits) if name not in self._known]
            return not any(
                find_secrets(words, allowed=self._allowed()) for name in names for words in _ways(name)
            )
        return not any(find_secrets(text, allowed=self._allowed()) for text in texts_of(data))

    def _named(self, leaves: Leaves, odd: set[str]) -> dict[str, Blocked]:
        """The files of the last commit that hold a secret, with its place."""
        contents = self._repo.blobs(
            (entry.oid for entry in leaves.values() if entry.oid in odd), most=MAX_SCANNED
        )
        found: dict[str, Blocked] = {}
        for rel, entry in sorted(leaves.items()):
            secret = secret_in(rel, contents.get(entry.oid, b""), allowed=self._allowed())
            if secret is not None:
                found[rel] = Blocked(redact(rel), secret[0].rule, secret[1], secret[0].fingerprint)
            elif entry.oid in odd:
                found[rel] = Blocked(rel, "too-large", 0, "")
        return found


def _ways(name: str) -> tuple[str, str]:
    """A name as it is, and without its ending, which may hide where a secret stops."""
    return name, name.rpartition(".")[0]
