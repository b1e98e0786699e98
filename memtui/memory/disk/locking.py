"""The lock of a memory directory: who changes it keeps other memtui processes and threads out meanwhile (reliability §1)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import READ_FLAGS, Disk, refused
from memtui.memory.disk.images import shut
from memtui.memory.disk.opened import OpenedFolder
from memtui.memory.disk.own_folder import make_own_folder, make_root
from memtui.memory.errors import Busy

if TYPE_CHECKING:
    from filelock import FileLock

LOCK_SECONDS = 5.0
"""How long a change waits for another memtui process (reliability §1)."""

_MAKING_LOCK = threading.Lock()


class LockedFolder(OpenedFolder):
    """A folder with a lock. Making one creates nothing."""

    def __init__(self, root: Path, disk: Disk) -> None:
        super().__init__(root, disk)
        self._lock_path = os.path.join(self._path, OWN_FOLDER, "lock")  # noqa: PTH118  -- surrogates, no object needed
        self._lock: FileLock | None = None

    @contextmanager
    def lock(self, timeout: float = LOCK_SECONDS) -> Iterator[None]:
        """Keep other memtui processes and threads from changing the directory; re-entrant within a thread.

        Makes the directory and its ``.memtui/`` where they are missing: whoever locks is about to change something.

        Args:
            timeout: how long to wait, seconds; 0 tries once.

        Raises:
            Busy: somebody else holds it.
            Refused: ``.memtui/`` could not be made or locked.
        """
        import filelock  # noqa: PLC0415 – a quarter of what it takes to list a directory, which locks nothing

        where = f"{OWN_FOLDER}/lock"
        lock = self._file_lock()
        try:
            if not lock.is_locked:
                self.make_own_folder()
            lock.acquire(timeout=timeout)
        except filelock.Timeout:
            raise _busy(self._path) from None
        except OSError as error:
            raise refused(error, "could not lock the directory", where) from error
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Keep other memtui processes from changing the directory while somebody looks; waits for nobody, makes nothing.

        Several may look at once. Where there is no lock yet, or none can be had, everybody may look. The lock is that
        of `lock`, taken without the library: loading it takes longer than to read a small directory.

        Raises:
            Busy: somebody is changing it.
        """
        try:
            handle = self.disk.open(self._lock_path, READ_FLAGS)
        except OSError:
            yield
            return
        try:
            try:
                self.disk.share_lock(handle)
            except BlockingIOError:
                raise _busy(self._path) from None
            except OSError:  # a file system without locks
                pass
            yield
        finally:
            shut(self.disk, handle)

    def _file_lock(self) -> FileLock:
        """The one lock of this folder: a second one in the same process would wait for the first."""
        from filelock import FileLock  # noqa: PLC0415 – as above

        with _MAKING_LOCK:
            if self._lock is None:
                self._lock = FileLock(self._lock_path, mode=0o600)
            return self._lock

    def make_own_folder(self) -> None:
        """Make the directory and its ``.memtui/`` with what is always in it; raises ``OSError`` or `Refused`."""
        if not self.exists():
            make_root(self.disk, self.root)
        make_own_folder(self.disk, self.fresh_root().fd)


def _busy(directory: str) -> Busy:
    return Busy(
        "another memtui is changing this directory", where=directory, todo="Try again when it is done"
    )
