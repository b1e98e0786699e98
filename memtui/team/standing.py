"""How things stand, as far as this machine knows without asking the remote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.errors import MemtuiError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox
from memtui.team.address import shown
from memtui.team.arriving import Waiting
from memtui.team.failures import TeamError
from memtui.team.results import Blocked, TeamStatus
from memtui.team.sharing import Sharing
from memtui.team.state import OpenClash, TeamState


def standing(
    manager: MemoryManager, sharing: Sharing, state: TeamState, blocked: Mapping[str, Blocked]
) -> TeamStatus:
    """How things stand.

    Args:
        manager: of the memory directory.
        sharing: the steps on this machine.
        state: what is known.
        blocked: what the sync just now did not share.

    Raises:
        Unreadable: the memory directory cannot be listed.
    """
    if not state.url:
        return TeamStatus(configured=False, rebuilt=state.rebuilt)
    in_inbox = _in_inbox(manager)
    status = TeamStatus(
        configured=True,
        remote=shown(state.url),
        branch=state.branch,
        last_sync=state.last_sync,
        last_error=state.last_error,
        clashes=len(state.clashes) + in_inbox,
        declined=tuple(sorted(state.declined)),
    )
    live = sharing.look(state)
    try:
        if sharing.repo.exists():
            if live is not None and not live.gone:
                state = sharing.foreseen(state, live)
            waiting = sharing.waiting(state)
            ahead, behind = sharing.repo.ahead_behind(state.head, state.tip)
            status = replace(
                status,
                ahead=ahead,
                behind=behind,
                arrivals=sharing.with_authors(state, waiting.arrivals),
                held=waiting.held,
                clashes=len(_decidable(state, waiting)) + in_inbox,
            )
    except TeamError as error:
        status = replace(status, last_error=error)
    if live is None or live.gone:
        return replace(status, blocked=tuple(blocked.values()))
    found = {**blocked, **{each.rel: each for each in live.blocked}}
    rels = {*live.oids, *state.seen}
    return replace(
        status,
        blocked=tuple(found[rel] for rel in sorted(found)),
        unsaved=sum(live.oids.get(rel) != state.seen.get(rel) for rel in rels) + len(live.blocked),
        left=live.left,
    )


def _decidable(state: TeamState, waiting: Waiting) -> list[OpenClash]:
    """The clashes that a person can decide: one whose other text is held back waits until that is let through."""
    arriving, held = {each.rel for each in waiting.arrivals}, {each.rel for each in waiting.held}
    return [
        each
        for each in state.clashes
        if each.rel not in held or each.rel in arriving or each.other in arriving
    ]


def _in_inbox(manager: MemoryManager) -> int:
    if manager.folder.stamp(INBOX_FOLDER) is None:
        return 0
    try:
        return sum(each.source == "sync" for each in Inbox(manager).pending())
    except MemtuiError:
        return 0
