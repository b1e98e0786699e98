"""What was done to a directory through memtui, as far as telling a person's own changes from others' takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.memory.document.entries import kind_of
from memtui.memory.review.visits import Seen
from memtui.memory.saving.records import PERSON, Record


class _Unknown:
    """In the place of a digest: nothing was done about it, so what was seen counts."""


_UNKNOWN = _Unknown()


class Done:
    """What was done through memtui, by the person and by others; read from the journal as far as it is new.

    Whoever takes a change back knows the text again that they knew before it: taking back a revert puts what somebody
    else wrote on the list again.
    """

    def __init__(self) -> None:
        self._count = 0
        self._last = ""
        self.mine: dict[str, str | None] = {}
        self.theirs: dict[tuple[str, str | None], Record] = {}
        # Of a file with a text: its modification time, nanoseconds since 1970.
        self.times: dict[tuple[str, str], int] = {}
        # Digest of the index that the person's last change of a memory left.
        self.indexes: dict[str, str] = {}
        self._known_before: dict[tuple[str, str], str | _Unknown | None] = {}

    def read(self, records: Sequence[Record], seen: Mapping[str, Seen]) -> set[str]:
        """Take the journal; gives the paths that its new records name.

        Args:
            records: what was done, oldest first.
            seen: what the person had seen; what they did before that is part of it.
        """
        if not (self._count <= len(records) and self._count and records[self._count - 1].key == self._last):
            # the first time, or one was ended out of turn
            self._count, self.mine, self.theirs, self._known_before = 0, {}, {}, {}
            self.times, self.indexes = {}, {}
        start = min((each.at for each in seen.values()), default=0.0) if len(records) > self._count else 0.0
        named: set[str] = set()
        for record in records[self._count :]:
            for change in record.changes:
                rel = change.rel
                # A change of the index alone has it for a primary file; what a person reviews are memories.
                if change.role != "primary" or rel.startswith(".memtui/") or kind_of(rel) != "memory":
                    continue
                named.add(rel)
                if change.before is not None and change.was_mtime_ns is not None:
                    self.times[rel, change.before] = change.was_mtime_ns
                if change.after is not None:
                    self.times[rel, change.after] = change.mtime_ns or int(record.at * 1e9)
                if record.actor != PERSON:
                    self.theirs[rel, change.after] = record
                elif record.at >= (seen[rel].at if rel in seen else start):
                    self.indexes[rel] = _index_left(record) or self.indexes.get(rel, "")
                    known = self._known_before.get((record.of_key or "", rel), change.after)
                    self._known_before[record.key, rel] = self.mine.get(rel, _UNKNOWN)
                    if isinstance(known, _Unknown):
                        self.mine.pop(rel, None)
                    else:
                        self.mine[rel] = known
        self._count, self._last = len(records), records[-1].key if records else ""
        return named


def _index_left(record: Record) -> str:
    """Digest of the index that a change left; empty if it did not change the index."""
    index_changes = (each for each in record.changes if each.role == "index" and not each.skipped)
    return next((each.after for each in index_changes if each.after is not None), "")
