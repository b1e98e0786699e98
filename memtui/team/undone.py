"""Tells which changes by others were accepted here and undone since: such an undo is nobody's business but ours.

An accepted change is a change of this machine like any other, so that undo takes it back. The file then differs from
what was shared last, as after an edit; shared as one, it would take the change back for everybody, and delete for all
what one person had only looked at. The journal knows better: what it took back waits to be accepted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memtui.memory.disk.files import digest_of
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Record
from memtui.team.live import TEAM_FOLDER, Live
from memtui.team.state import Taken, TeamState

MOST_KEPT = 8
"""So many accepted changes of one memory are remembered, the last ones (ours); each may be undone in turn."""


def with_taken(
    accepted: Mapping[str, tuple[Taken, ...]], taken: Mapping[str, Taken]
) -> dict[str, tuple[Taken, ...]]:
    """What was accepted so far, and more of it; what changes nothing needs no undo."""
    new = {
        rel: (*(old for old in accepted.get(rel, ()) if old != each), each)[-MOST_KEPT:]
        for rel, each in taken.items()
        if each.before != each.after
    }
    return {**accepted, **new}


def undone(
    state: TeamState,
    live: Live,
    journal: Callable[[], Journal],
    read: Callable[[Iterable[str]], Mapping[str, bytes]],
) -> dict[str, str]:
    """The files that an undo put back to what stood there before a change by others, each with what was accepted last.

    Args:
        state: what is known.
        live: the files as they are.
        journal: of the directory; asked only where there may be one.
        read: gives contents of blobs.

    Raises:
        Refused: the journal cannot be read.
    """
    found: dict[str, Taken] = {}
    for rel, taken in state.accepted.items():
        now = live.oids.get(rel, "")
        if now != state.seen.get(rel, ""):
            fitting = [each for each in taken if each.before == now]
            if fitting:
                found[rel] = fitting[-1]
    if not found:
        return {}
    texts = read({each.after for each in found.values() if each.after})
    gone = _taken_back(journal().records())
    back: dict[str, str] = {}
    for rel, each in found.items():
        if (each.before and rel not in live.data) or (each.after and each.after not in texts):
            continue
        before = digest_of(live.data[rel]) if each.before else None
        after = digest_of(texts[each.after]) if each.after else None
        if gone.get((f"{TEAM_FOLDER}/{rel}", before, after)):
            back[rel] = state.accepted[rel][-1].after
    return back


def _taken_back(records: Iterable[Record]) -> dict[tuple[str, str | None, str | None], bool]:
    """By file, and digests of what stood there and what took its place: whether the last such change is undone now."""
    first: dict[str, str] = {}
    stands: dict[str, bool] = {}
    last: dict[tuple[str, str | None, str | None], str] = {}
    for record in records:
        origin = first.get(record.of_key or "", record.of_key or "") if record.kind != "do" else record.key
        first[record.key] = origin
        stands[origin] = record.kind != "undo"
        if record.kind == "do":
            for change in record.changes:
                if change.role == "primary" and not change.skipped:
                    last[change.rel, change.before, change.after] = record.key
    return {what: not stands[key] for what, key in last.items()}
