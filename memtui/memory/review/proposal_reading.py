"""What lies in the inbox, and what was decided of what lay there; read, and never believed or changed."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.disk.calls import refused
from memtui.memory.disk.files import Stamp, Unreadable
from memtui.memory.errors import Refused, UsageError
from memtui.memory.review.proposal_file import MAX_PROPOSAL_BYTES, BadProposal, Proposal, key_of, load
from memtui.memory.review.proposal_plans import Pending
from memtui.memory.saving.journal import stacks_of
from memtui.memory.saving.record_lines import in_inbox
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager

_MOST_REJECTED = 200  # looked through by who is about to propose something (ours)
_LEAST_OF_ID = 4  # characters of an id that name a proposal
_NO_FOLDER = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_OWN_FAULT = frozenset(
    {"not-regular", "too-large", "outside", "permission"}
)  # of the file, not of the moment

Decision = Literal["accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Broken:
    """A file in the inbox that is no proposal. It is listed and left alone.

    Attributes:
        name: of the file.
        code: why, as in `BadProposal`.
        removable: whether `Inbox.reject` takes it out; any other name is for a person to remove by hand.
    """

    name: str
    code: str
    removable: bool


@dataclass(frozen=True, slots=True)
class Rejected:
    """A proposal that a person did not want.

    Attributes:
        proposal: it.
        at: when that was, Unix seconds.
    """

    proposal: Proposal
    at: float


class InboxReader:
    """The proposals for one directory, for who only looks.

    Who looks again with the same reader has only those files read that are not as they were; what is decided is
    checked against the bytes on disk anyway.
    """

    def __init__(self, manager: MemoryManager) -> None:
        self._manager = manager
        self._known: dict[str, tuple[Stamp, Pending]] = {}

    def pending(self) -> tuple[Proposal, ...]:
        """The proposals that wait, oldest first."""
        return tuple(each.proposal for each in self._read()[0])

    def broken(self) -> tuple[Broken, ...]:
        """The files that are no proposals, by name."""
        return self._read()[1]

    def all(self) -> tuple[tuple[Proposal, ...], tuple[Broken, ...]]:
        """The proposals that wait, oldest first, and the files that are none, by name; each file is read once."""
        waiting, broken = self._read()
        return tuple(each.proposal for each in waiting), broken

    def get(self, named: str) -> Proposal:
        """The proposal that a person means: its id, the beginning of one, or a slug that one alone is about.

        Raises:
            UsageError: there is none, or several.
        """
        return self._find(named).proposal

    def rejected(self) -> tuple[Rejected, ...]:
        """The last 200 proposals that were rejected, newest first: what not to come back with."""
        found: list[Rejected] = []
        for (at, decision), name, before in self._taken_out():
            if len(found) >= _MOST_REJECTED:
                break
            if decision != "rejected" or before is None:
                continue
            try:
                found.append(Rejected(load(name, self._manager.journal.object(before)), at))
            except (BadProposal, Refused):
                continue
        return tuple(found)

    # -- within ----------------------------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        """The files in the inbox that may be proposals, by name."""
        return [name for name, at in self._listed() if at.is_regular and in_inbox(f"{INBOX_FOLDER}/{name}")]

    def _listed(self) -> list[tuple[str, Stamp]]:
        """What lies in the inbox, by name, and as what."""
        try:
            return self._manager.folder.listed(INBOX_FOLDER)
        except OSError as error:
            if error.errno in _NO_FOLDER:
                return []
            raise refused(error, "could not read", INBOX_FOLDER) from error

    def _read(self) -> tuple[tuple[Pending, ...], tuple[Broken, ...]]:
        waiting: list[Pending] = []
        broken: list[Broken] = []
        for name, stamp in self._listed():
            plain, fits = stamp.is_regular, in_inbox(f"{INBOX_FOLDER}/{name}")
            code = "not-regular" if not plain else "unreadable"
            if plain and fits:
                try:
                    waiting.append(self._load(name, stamp))
                    continue
                except FileNotFoundError:
                    continue
                except BadProposal as error:
                    code = error.code
                except Unreadable as error:
                    if (
                        error.code not in _OWN_FAULT
                    ):  # who decides must not take another proposal for this one
                        raise
                    code = error.code
            broken.append(Broken(name, code, removable=plain and fits and code != "too-large"))
        self._known = {
            name: held for each in waiting if (held := self._known.get(name := f"{each.proposal.id}.json"))
        }
        waiting.sort(key=lambda each: (each.proposal.at, each.proposal.id))
        return tuple(waiting), tuple(broken)

    def _load(self, name: str, stamp: Stamp) -> Pending:
        """The proposal in a file, read if it is not as it was."""
        rel = f"{INBOX_FOLDER}/{name}"
        held = self._known.get(name)
        if held is not None and held[0] == stamp:
            return held[1]
        image = self._manager.folder.read(rel, MAX_PROPOSAL_BYTES)
        found = Pending(load(name, image.data), image.data)
        self._known[name] = image.stamp, found
        return found

    def _find(self, named: str) -> Pending:
        return self._find_all([named])[0]

    def _find_all(self, named: Iterable[str]) -> list[Pending]:
        names = list(named)
        if len(names) == 1 and (found := self._exactly(names[0])) is not None:
            return [found]
        waiting = self._read()[0]
        by_id = {each.proposal.id: each for each in waiting}
        return [by_id.get(name) or _meant(name, waiting) for name in names]

    def _exactly(self, named: str) -> Pending | None:
        """The proposal with that whole id, read by itself; None for any other name, and where its file is not good."""
        name = f"{named}.json"
        if not in_inbox(f"{INBOX_FOLDER}/{name}"):
            return None
        try:
            data = self._manager.folder.read(f"{INBOX_FOLDER}/{name}", MAX_PROPOSAL_BYTES).data
            return Pending(load(name, data), data)
        except (BadProposal, FileNotFoundError, Unreadable):
            return None

    @staticmethod
    def _one_of(named: str, waiting: Sequence[Pending]) -> Pending:
        """The proposal that a name stands for among these; raises as `get`."""
        by_id = {each.proposal.id: each for each in waiting}
        return by_id.get(named) or _meant(named, waiting)

    def _decided(self) -> set[str]:
        return {
            key for _, name, _ in self._taken_out() if (key := key_of(f"{INBOX_FOLDER}/{name}")) is not None
        }

    def _taken_out(self) -> Iterator[tuple[tuple[float, Decision], str, str | None]]:
        """Every proposal that a change which stands took out: when and how, its file's name, its digest; newest first."""
        journal = self._manager.journal
        for record in reversed(stacks_of(journal.records())[0]):
            out = [change for change in record.changes if in_inbox(change.rel) and change.after is None]
            decision: Decision = "rejected" if len(out) == len(record.changes) else "accepted"
            for change in out:
                yield (record.at, decision), change.rel.removeprefix(f"{INBOX_FOLDER}/"), change.before


def _meant(named: str, waiting: Sequence[Pending]) -> Pending:
    """The one proposal that a slug, or the beginning of an id, stands for."""
    fitting = [each for each in waiting if named in each.proposal.slugs]
    if not fitting and len(named) >= _LEAST_OF_ID:
        fitting = [each for each in waiting if each.proposal.id.startswith(named)]
    if not fitting:
        raise UsageError(
            Say("there is no proposal {named!r}", named=named), todo="'memtui review' lists those that wait"
        )
    if len(fitting) > 1:
        shown = ", ".join(each.proposal.id for each in fitting[:5])
        raise UsageError(
            Say("several proposals are called {named!r}", named=named), todo=Say("Name one: {ids}", ids=shown)
        )
    return fitting[0]
