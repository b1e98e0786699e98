"""What the commands of ``team`` share: the sync of the session's directory, its state as JSON, and the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.cli.wording_team import TeamWording, team_words
from memtui.memory.errors import Refused, UsageError
from memtui.memory.wording.saying import Say
from memtui.team.opening import team_of

if TYPE_CHECKING:
    from memtui.memory.errors import MemtuiError
    from memtui.memory.managing.manager import MemoryManager
    from memtui.team.results import Arrival, Blocked, TeamStatus
    from memtui.team.sync import TeamSync
    from memtui.team.vet import Held

OID_SHOWN = 8
"""Digits of a blob's name that lists show; `accept` takes them as ``NAME@DIGITS``."""


def sync_of(session: Session, manager: MemoryManager) -> TeamSync:
    """What shares the session's directory."""
    world = session.world
    return team_of(manager, world.state_dir, world.environ, session.config())


def required(session: Session, sync: TeamSync) -> TeamSync:
    """The same, if it is shared and may be.

    Raises:
        UsageError: it is not set up.
        Refused: team memory is switched off.
    """
    if not sync.configured:
        raise UsageError(
            "this directory is not shared",
            where=str(session.memory_dir()),
            todo="Begin with 'memtui team init REMOTE'",
        )
    session.require_team()
    return sync


def changing(session: Session, *, create: bool = False) -> MemoryManager:
    """The memories of the directory, for a command that shares or takes something.

    Args:
        session: the session.
        create: whether the directory need not be there yet.

    Raises:
        Refused: nobody would hear of it, or nothing may be changed.
    """
    manager = session.changer(create=create)
    if manager.hindrance is not None:
        raise manager.hindrance
    if manager.read_only:
        raise Refused(
            "opened read-only",
            where=str(manager.root),
            todo="Open it without --read-only to change it",
        )
    return manager


def say_of(session: Session) -> TeamWording:
    """The sentences, in the session's language."""
    return team_words(session.lang())


def waits(status: TeamStatus) -> bool:
    """Whether something waits for the person."""
    return bool(status.arrivals or status.held or status.blocked or status.clashes)


def exit_code(status: TeamStatus) -> int:
    """4 if the last sync did not come to its end, 1 if something waits for the person, else 0."""
    if status.last_error is not None:
        return status.last_error.exit_code
    return 1 if waits(status) else 0


def found(arrivals: tuple[Arrival, ...], named: str) -> Arrival:
    """The arrival that a person means: ``deploy``, ``team/deploy``, ``deploy.md``, or ``deploy@1a2b3c4d`` for one text of it.

    Raises:
        UsageError: there is none, or it is another text by now.
    """
    name, _, digits = named.partition("@")
    slug = f"team/{name.removeprefix('team/').removesuffix('.md')}"
    meant = next((each for each in arrivals if each.slug == slug), None)
    if meant is None:
        raise UsageError(
            Say("nothing of {name!r} waits", name=name), todo="'memtui team status' lists what arrived"
        )
    if digits and not meant.oid.startswith(digits):
        raise Refused(
            "others changed it again since you saw it",
            where=slug,
            todo=Say("Look at it: 'memtui team show {slug}'", slug=slug),
        )
    return meant


def status_json(status: TeamStatus) -> Json:
    """How things stand; times are Unix seconds, or null."""
    error = status.last_error
    return {
        "configured": status.configured,
        "remote": status.remote,
        "branch": status.branch,
        "ahead": status.ahead,
        "behind": status.behind,
        "last_sync": status.last_sync,
        "last_error": None if error is None else {"code": error.code, **failed_json(error)},
        "arrivals": [arrival_json(each) for each in status.arrivals],
        "held": [held_json(each) for each in status.held],
        "blocked": [blocked_json(each) for each in status.blocked],
        "clashes": status.clashes,
        "unsaved": status.unsaved,
        "unreadable": list(status.left),
    }


def failed_json(error: MemtuiError) -> Json:
    """What went wrong."""
    return {"what": error.what, "where": error.where, "todo": error.todo}


def arrival_json(each: Arrival) -> Json:
    """A change by others; ``oid`` is empty for a deletion."""
    return {
        "slug": each.slug,
        "oid": each.oid,
        "kind": each.kind,
        "author": each.author,
        "when": each.when,
        "commit": each.commit,
    }


def held_json(each: Held) -> Json:
    """Something that does not become a memory."""
    return {
        "oid": each.oid,
        "code": each.code,
        **blocked_json(each),
    }


def blocked_json(each: Blocked | Held) -> Json:
    """What the guard has to say of a file: of one of ours that is not shared, or of one that is held back."""
    return {
        "path": f"team/{each.rel}",
        "rule": each.rule,
        "line": each.line,
        "fingerprint": each.fingerprint,
    }
