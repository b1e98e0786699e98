"""Tells from snapshots whether the team's memories here are other ones than before."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from memtui.snapshot import Snapshot


class LocalChanges:
    """Compares each snapshot with the one before. For one thread at a time."""

    def __init__(self) -> None:
        """Begin with nothing known, so that the first snapshot is no change."""
        self._before: AbstractSet[tuple[str, str]] | None = None
        self._entries: object = None

    def seen(self, snapshot: Snapshot) -> bool:
        """Whether a memory below ``team/`` came, went or has other bytes than in the snapshot before."""
        if snapshot.entries is self._entries:
            return False
        self._entries = snapshot.entries
        now = {
            (each.slug, each.digest) for each in snapshot.entries if each.scope == "team" and not each.aside
        }
        before, self._before = self._before, now
        return before is not None and before != now
