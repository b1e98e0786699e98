"""``dream``: what would put a memory directory in order, as proposals in the inbox for a person to decide (spec §15).

A dream only ever adds proposals, each a file of its own that is whole or not there. One that is killed loses none and
makes none twice: the next dream finds the same and adds what is missing. Two never run at once; the lock is the
system's, which lets go of it when the process dies. Applying a dream without review has to be asked for, and is one
change that one undo takes back.
"""

from __future__ import annotations

import datetime as dt
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memtui.agent.dream_gate import DREAM_STATE, DreamState, dream_state
from memtui.agent.dream_model import asked_for, planned_question
from memtui.agent.dream_rules import suggestions
from memtui.agent.dream_suggestion import DreamInput, Suggestion, whole_file
from memtui.agent.llm import Usage
from memtui.agent.outcome_log import failure_detail, note_outcome
from memtui.memory.checks.claims import ProjectIndex
from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import refused
from memtui.memory.disk.writing import Writer
from memtui.memory.errors import Busy, MemtuiError, Refused
from memtui.memory.review.proposals import Accepted, Evidence, Inbox, Origin, Proposal
from memtui.memory.types import Clock

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel, Model, Request
    from memtui.memory.managing.manager import MemoryManager

DREAM_LOCK = f"{OWN_FOLDER}/dream.lock"
AUDIT_TOOL = "dream"
"""Name of a dream in the audit log."""


@dataclass(frozen=True, slots=True)
class Dreamed:
    """What a dream did.

    Attributes:
        proposals: all that it found, in the order of the rules.
        suggestions: what each was made from, in the same order.
        before: the whole file that stood, when it was found, where the first memory of each is; in the same order.
        added: ids of those that are new in the inbox.
        failure: why the model had nothing to say; None if it was not asked, or answered.
        usage: what the model cost, in tokens.
        by: who looked: ``rules``, and the model's name where it was asked.
        accepted: what applying them did; None if nobody asked for it, or there was nothing to apply.
    """

    proposals: tuple[Proposal, ...]
    suggestions: tuple[Suggestion, ...]
    before: tuple[bytes, ...]
    added: tuple[str, ...] = ()
    accepted: Accepted | None = None
    failure: MemtuiError | None = None
    usage: Usage = field(default_factory=Usage)
    by: str = "rules"

    @property
    def summary(self) -> str:
        """One line for the audit log: figures and names, never a text of somebody."""
        parts = [f"{len(self.added)} of {len(self.proposals)} new", f"by {self.by}"]
        if self.usage != Usage():
            parts.append(f"{self.usage.input_tokens}+{self.usage.output_tokens} tokens")
        if self.accepted is not None:
            parts.append(f"{len(self.accepted.ids)} applied, {len(self.accepted.left)} left")
        if self.failure is not None:
            parts.append(f"the model failed: {failure_detail(self.failure)}")
        return "; ".join(parts)


# -- one at a time -------------------------------------------------------------------------------------------------------


def _keep(manager: MemoryManager, state: DreamState) -> None:
    try:
        with manager.writing(), Writer(manager.folder) as writer:
            writer.replace(DREAM_STATE, state.data())
    except OSError as error:
        raise refused(error, "could not save", DREAM_STATE) from error


@contextmanager
def dreaming(manager: MemoryManager) -> Iterator[None]:
    """Keep every other dream of the directory out; the system lets go of it when the process dies.

    Raises:
        Busy: another dream is running.
        Refused: the directory may not be changed, or something else stands in the lock's place.
    """
    import filelock  # noqa: PLC0415  -- who only plans locks nothing

    with manager.writing():
        folder = manager.folder
        try:
            folder.make_own_folder()
            stamp = folder.stamp(DREAM_LOCK)
        except OSError as error:
            raise refused(error, "could not lock the directory", DREAM_LOCK) from error
        with Writer(folder) as writer:
            info = writer.lstat(DREAM_LOCK)
        if stamp is not None and (info is None or not stat.S_ISREG(info.st_mode)):
            raise Refused("the lock is not a regular file", where=DREAM_LOCK, todo="Remove it and try again")
    lock = filelock.FileLock(folder.root / DREAM_LOCK, mode=0o600, is_singleton=False)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise Busy(
            "another dream of this directory is running",
            where=str(folder.root),
            todo="Try again when it is done",
        ) from None
    except OSError as error:
        raise refused(error, "could not lock the directory", DREAM_LOCK) from error
    try:
        yield
    finally:
        lock.release()


# -- what -----------------------------------------------------------------------------------------------------------------


def plan_dream(
    manager: MemoryManager,
    *,
    zone: dt.tzinfo | None = None,
    monotonic: Clock | None = None,
    model: Model | None = None,
) -> Dreamed:
    """What a dream would propose now; nothing is written.

    Args:
        manager: of the directory; its project is looked into where it is known, read-only and within a budget.
        zone: the zone whose days count; None for the system's own.
        monotonic: seconds for that budget; None leaves the project out.
        model: asked for what the rules cannot see; where it fails, the rules' proposals stand alone.
    """
    project = None
    if manager.project_root is not None and monotonic is not None:
        project = ProjectIndex(manager.project_root, clock=monotonic, skip=[manager.root])
    seen = DreamInput(manager.entries(), manager.clock(), zone, manager.lang, project)
    inbox = Inbox(manager)
    found = list(suggestions(seen))
    failure, usage = None, Usage()
    if model is not None:
        since = dream_state(manager.folder).logs
        try:
            more, usage = asked_for(model, manager, zone=zone, since=since, found=found)
            found += more
        except MemtuiError as error:
            failure = error
    made = [(each, _proposed(inbox, manager, each)) for each in found]
    kept = [(each, proposal) for each, proposal in made if proposal is not None]
    return Dreamed(
        tuple(proposal for _, proposal in kept),
        tuple(each for each, _ in kept),
        tuple(_before(manager, each.slugs[0]) for each, _ in kept),
        failure=failure,
        usage=usage,
        by="rules" if model is None else f"rules and {model.name}",
    )


def planned_request(
    manager: MemoryManager, model: AnthropicModel, *, zone: dt.tzinfo | None = None
) -> Request | None:
    """What `dream` would send; None where it would ask nothing, since there is nothing to show.

    Args:
        manager: of the directory.
        model: who would be asked.
        zone: as for `plan_dream`.

    Raises:
        Refused: the logs cannot be read.
    """
    question = planned_question(manager, zone=zone, since=dream_state(manager.folder).logs)
    return model.request(question) if question is not None else None


def _before(manager: MemoryManager, slug: str) -> bytes:
    entry = manager.directory.get(slug)
    return whole_file(entry) if entry is not None else b""


def _proposed(inbox: Inbox, manager: MemoryManager, made: Suggestion) -> Proposal | None:
    """A suggestion as a proposal; None where the directory does not allow it, such as a memory that is a link."""
    evidence = tuple(Evidence(each.rel, each.line, each.quote[:1_000]) for each in made.passages[:20])
    origin = Origin("dream", made.reason[:4_000], evidence, by=made.rule)
    try:
        if made.kind == "forget":
            return inbox.propose_forget(made.slugs, origin)
        if made.kind == "fix":
            return inbox.propose_fix({made.slugs[0]: made.data}, origin)
        slug, *sources = made.slugs
        header = made.header or _header(manager, slug)
        if made.kind == "save":
            return inbox.propose_save(slug, *header, made.content, origin)
        return inbox.propose_merge(sources, slug, *header, made.content, origin)
    except MemtuiError:
        return None


def _header(manager: MemoryManager, slug: str) -> tuple[str, str, str]:
    entry = manager.get(slug)
    return entry.name, entry.description, str(entry.memory_type)


def dream(
    manager: MemoryManager,
    *,
    zone: dt.tzinfo | None = None,
    monotonic: Clock | None = None,
    model: Model | None = None,
    apply: bool = False,
    due: Callable[[], bool] | None = None,
) -> Dreamed | None:
    """Dream: put what is found into the inbox, and accept it if asked for, as one change. The audit log says what came of it.

    Args:
        manager: of the directory.
        zone: as for `plan_dream`.
        monotonic: as for `plan_dream`.
        model: as for `plan_dream`.
        apply: accept the proposals of this dream without review. What a person rejected before stays rejected.
        due: whether there is to be a dream at all, asked once no other one can run; None for yes.

    Returns:
        What it did; None if it was not due.

    Raises:
        Busy: another dream is running.
        Refused: the directory may not be changed, or the disk says no. What was added by then stays in the inbox.
    """
    timer = monotonic or manager.clock
    with dreaming(manager):
        if due is not None and not due():
            return None
        started = timer()
        status, detail = "error", "it did not end"
        try:
            done = _dream(manager, zone, monotonic, model, apply=apply)
        except MemtuiError as error:
            detail = failure_detail(error)
            raise
        else:
            status = "applied" if done.accepted else "proposed" if done.added else "nothing"
            detail = done.summary
        finally:
            elapsed = (timer() - started) * 1_000
            note_outcome(manager, AUDIT_TOOL, status, actor="dream", elapsed_ms=elapsed, detail=detail)
    return done


def _dream(
    manager: MemoryManager,
    zone: dt.tzinfo | None,
    monotonic: Clock | None,
    model: Model | None,
    *,
    apply: bool,
) -> Dreamed:
    manager.reload()
    began = manager.clock()
    planned = plan_dream(manager, zone=zone, monotonic=monotonic, model=model)
    inbox = Inbox(manager)
    added = tuple(proposal.id for proposal in planned.proposals if inbox.add(proposal))
    accepted = None
    if apply:
        waiting = {proposal.key: proposal.id for proposal in inbox.pending()}
        ids = [waiting[each.key] for each in planned.proposals if each.key in waiting]
        accepted = inbox.accept_all(ids) if ids else None
    read_logs = model is not None and planned.failure is None
    logs = began if read_logs else dream_state(manager.folder).logs
    _keep(manager, DreamState(manager.clock(), logs))
    return replace(planned, added=added, accepted=accepted)
