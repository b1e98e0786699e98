"""What lies in the trash: forgotten files that can be taken out one by one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from memtui.memory.disk.files import Folder
from memtui.memory.saving.records import Record


@dataclass(frozen=True, slots=True)
class TrashedFile:
    """A forgotten file.

    Attributes:
        rel: where it is, below the memory directory; what ``MemoryManager.restore_trashed`` takes.
        was: where it was.
        at: when it was forgotten, Unix seconds.
        size: bytes.
        record: number of the change in the journal.
        actor: who forgot it.
        taken: whether a file stands where it was, so that it cannot go back there.
    """

    rel: str
    was: str
    at: float
    size: int
    record: int
    actor: str
    taken: bool

    @property
    def slug(self) -> str:
        """The memory it was."""
        return self.was.removesuffix(".md")


def trashed_files(
    records: Iterable[Record], folder: Folder, present: Container[str]
) -> Iterator[TrashedFile]:
    """The files that are in the trash now, in the order of ``records``; what was taken out since is left out.

    Args:
        records: changes that threw something away, ``MemoryManager.trash()``.
        folder: the memory directory.
        present: paths of the memories there are.

    Raises:
        Unreadable: the trash cannot be looked into.
    """
    for record in records:
        for rel, was in record.trashed.items():
            stamp = folder.stamp(rel)
            if stamp is not None:
                yield TrashedFile(
                    rel, was, record.at, stamp.size, record.id, record.actor, taken=was in present
                )
