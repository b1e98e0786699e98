"""The team memories on disk, as far as they may be shared: what was changed here since it was last taken in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memtui.memory.directory.scan import SETTLE_SECONDS
from memtui.memory.disk.files import Unreadable
from memtui.memory.document.entries import is_torn
from memtui.memory.errors import MemtuiError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.secrets.guard import redact
from memtui.memory.types import Clock, MemoryEntry
from memtui.team.objects import blob_oid
from memtui.team.results import Blocked
from memtui.team.vet import is_memory, sane, secret_in

TEAM_FOLDER = "team"


@dataclass(frozen=True, slots=True)
class Live:
    """The live files, by path below ``team/``.

    Attributes:
        oids: what each is, as git names it; a file that is left or blocked is as it was last taken in.
        data: contents of those that were changed here and may be shared.
        blocked: those that may not.
        left: those that cannot be read, are half written or are links, as they may be shown.
        there: what stands on disk, whatever may be done with it.
        gone: whether the folder of several memories is gone as a whole. That is an undone arrival or a slip of the hand,
            more likely than a wish to delete for everybody: they are offered again, and nobody loses them.
    """

    oids: Mapping[str, str]
    data: Mapping[str, bytes]
    blocked: tuple[Blocked, ...]
    left: tuple[str, ...]
    there: Mapping[str, str]
    gone: bool = False


class LiveFiles:
    """Looks at the team memories of one directory."""

    def __init__(self, manager: MemoryManager, *, wall: Clock) -> None:
        """Name the directory.

        Args:
            manager: of the memory directory.
            wall: the time that the system stamps files with, Unix seconds.
        """
        self._manager = manager
        self._wall = wall

    def look(self, seen: Mapping[str, str], algorithm: str) -> Live | None:
        """What is there now; None where the whole directory is gone, such as one on a disk that is not mounted.

        Args:
            seen: what was last taken in.
            algorithm: of the repository.

        Raises:
            Unreadable: the directory cannot be listed.
        """
        manager = self._manager
        manager.reload()
        entries = {
            entry.rel.removeprefix(f"{TEAM_FOLDER}/"): entry
            for entry in manager.entries()
            if entry.scope == "team" and not entry.aside
        }
        if len(entries.keys() & seen.keys()) < len(seen):
            if not manager.folder.exists():
                return None
            if len(seen) > 1 and manager.folder.stamp(TEAM_FOLDER) is None:
                return Live({}, {}, (), (), {}, gone=True)
        oids = dict(seen)
        there: dict[str, str] = {}
        data: dict[str, bytes] = {}
        blocked: list[Blocked] = []
        left: list[str] = []
        for rel, entry in sorted(entries.items()):
            if not is_memory(rel):
                continue
            if not entry.is_active:
                continue  # an old version of before they were kept aside
            if not isinstance(entry.data, bytes) or self._is_half_written(entry, rel in seen):
                left.append(rel)
                continue
            oid = there[rel] = blob_oid(entry.data, algorithm)
            if oid == seen.get(rel):
                continue
            if self._is_link(entry):
                left.append(rel)
                continue
            why = self._why_blocked(rel, entry.data)
            if why is not None:
                blocked.append(why)
                continue
            oids[rel], data[rel] = oid, entry.data
        for rel in seen.keys() - entries.keys():
            if self._has_gone(rel):
                del oids[rel]
        return Live(oids, data, tuple(blocked), tuple(map(redact, left)), there)

    def _has_gone(self, rel: str) -> bool:
        """Whether a file that was not listed is not there at a second look either."""
        try:
            return self._manager.folder.stamp(f"{TEAM_FOLDER}/{rel}") is None
        except Unreadable:
            return False

    def _is_half_written(self, entry: MemoryEntry, known: bool) -> bool:
        return known and is_torn(entry) and 0 <= self._wall() - entry.mtime < SETTLE_SECONDS

    def _is_link(self, entry: MemoryEntry) -> bool:
        try:
            return self._manager.folder.resolve(entry.rel) != entry.rel
        except (FileNotFoundError, MemtuiError):
            return True

    def _why_blocked(self, rel: str, data: bytes) -> Blocked | None:
        if not sane(rel):
            return Blocked(redact(rel), "name", 0, "")
        secret = secret_in(rel, data, allowed=self._manager.allowed_secrets)
        if secret is None:
            return None  # a text that is no UTF-8 is shared as it is; who gets it decides
        finding, line = secret
        return Blocked(redact(rel), finding.rule, line, finding.fingerprint)
