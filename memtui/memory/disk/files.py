"""Reading a memory directory: what is there, exactly as it stands, without following anybody out of it.

Nothing here changes the directory (reliability §3).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Container, Iterator
from pathlib import Path

from memtui.memory.conventions import HISTORY_FOLDER, INDEX_NAME, LOG_FOLDER
from memtui.memory.disk.calls import FOLDER_FLAGS, READ_FLAGS, REAL_DISK, Disk, refused
from memtui.memory.disk.images import (
    MAX_FILE_BYTES,
    FileImage,
    Stamp,
    Unreadable,
    digest_of,
    parts_of,
    shut,
    stamp_of,
)
from memtui.memory.disk.locking import LockedFolder
from memtui.memory.disk.opened import Handle
from memtui.memory.wording.saying import Say

__all__ = [
    "MAX_FILE_BYTES",
    "FileImage",
    "Folder",
    "Stamp",
    "Unreadable",
    "digest_of",
    "parts_of",
    "shut",
    "stamp_of",
]

MAX_OTHERS = 100_000
"""How many files and folders that are no memories are passed by below a root without an index (ours): a disk, a home or
a source tree that somebody named by mistake is no memory directory, and would be read for minutes."""

Skipped = Callable[[str, Unreadable], None]
"""Told of a folder, by its path below the root, and why it was not listed."""

_READ_TRIES = 4
_LINK_ERRORS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
_NOT_A_FILE = frozenset({errno.ENXIO, errno.ENODEV, errno.EISDIR})
_DENIED = frozenset({errno.EACCES, errno.EPERM})
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ESTALE})


class Folder(LockedFolder):
    """One memory directory. Making one creates nothing.

    Attributes:
        limited: whether its file system is known to have no atomic exchange, so that a file which somebody else
            replaces within the same microseconds as we do could be lost. Known after the first change.
    """

    def __init__(self, root: Path, disk: Disk = REAL_DISK) -> None:
        super().__init__(root, disk)
        self.limited = False

    # ------------------------------------------------------------------ reading

    def read(self, rel: str, limit: int = MAX_FILE_BYTES) -> FileImage:
        """A file's bytes, whole and from one moment.

        Args:
            rel: path below the root, with ``/``.
            limit: largest size that is read, bytes.

        Raises:
            FileNotFoundError: there is none.
            Unreadable: there is something, but it is not read; its ``code`` says why.
        """
        disk = self.disk
        try:
            if "/" in rel:
                fd = self._open_parts(parts_of(rel), READ_FLAGS)
            else:
                handle = self._handle or self._open_root()
                fd = disk.open(rel, READ_FLAGS, dir_fd=handle.fd)
        except OSError as error:
            fd = self._open_again(rel, error)
        except ValueError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), rel) from None
        try:
            return self.read_open(fd, rel, limit)
        except OSError as error:
            raise self._unreadable(error, rel) from error
        finally:
            shut(disk, fd)

    def read_open(self, fd: int, rel: str, limit: int) -> FileImage:
        """The same for a file that is open; raises ``OSError`` too."""
        disk = self.disk
        before = disk.fstat(fd)
        for _ in range(_READ_TRIES):
            if not stat.S_ISREG(before.st_mode):
                raise Unreadable(
                    "not-regular",
                    "this is not a regular file, so it is not read",
                    where=rel,
                    todo="Move it out of the memory directory",
                )
            size = before.st_size
            if size > limit:
                raise Unreadable(
                    "too-large",
                    Say(
                        "the file is {size:,} bytes, more than the {limit:,} that are read",
                        size=size,
                        limit=limit,
                    ),
                    where=rel,
                    todo="Split it, or keep it outside the memory directory",
                )
            data = disk.pread(fd, size + 1, 0)
            after = disk.fstat(fd)
            if (
                len(data) == size
                and after.st_ctime_ns == before.st_ctime_ns
                and after.st_mtime_ns == before.st_mtime_ns
                and after.st_size == size
            ):
                return FileImage(
                    data,
                    Stamp(after.st_ino, size, after.st_mtime_ns, after.st_ctime_ns, after.st_mode),
                )
            before = after
        raise Unreadable(
            "unstable", "somebody is writing this file right now", where=rel, todo="Try again in a moment"
        )

    def stamp(self, rel: str) -> Stamp | None:
        """The state of a file, following a link inside the directory as `read` does; None if it is gone.

        A link that leads out of the directory, or nowhere, gives the state of the link itself.

        Raises:
            Unreadable: the system will not tell.
        """
        try:
            info = self._lstat(rel)
            if not stat.S_ISLNK(info.st_mode):
                return stamp_of(info)
        except OSError as error:
            if error.errno not in _LINK_ERRORS and error.errno not in _GONE:
                raise self._unreadable(error, rel) from error
            if error.errno not in _LINK_ERRORS:
                return None
            info = None
        except ValueError:
            return None
        try:
            return stamp_of(self._lstat(self.resolve(rel)))
        except (OSError, Unreadable):
            return stamp_of(info) if info is not None else None

    def _lstat(self, rel: str) -> os.stat_result:
        parts = parts_of(rel)
        if len(parts) == 1:
            handle = self.fresh_root()
            return self.disk.lstat(rel, dir_fd=handle.fd)
        fd = self._open_parts(parts[:-1], FOLDER_FLAGS)
        try:
            return self.disk.lstat(parts[-1], dir_fd=fd)
        finally:
            shut(self.disk, fd)

    def resolve(self, rel: str) -> str:
        """Where a path inside the directory leads once links are followed, as a path below the root.

        Raises:
            FileNotFoundError: it leads nowhere.
            Unreadable: ``outside``, it leaves the directory.
        """
        parts_of(rel)
        try:
            root = self.disk.realpath(self._path)
            target = self.disk.realpath(f"{root}/{rel}")
        except OSError as error:
            raise self._unreadable(error, rel) from error
        if target == root or not target.startswith(root.rstrip("/") + "/"):
            raise Unreadable(
                "outside",
                "this link leads out of the memory directory, so it is not read",
                where=rel,
                todo="Put the file itself there, or remove the link",
            )
        return target[len(root.rstrip("/")) + 1 :]

    # ------------------------------------------------------------------ listing

    def walk(self) -> Iterator[tuple[str, Stamp]]:
        """Every file that may be a memory, and the indexes, with their states; in no order.

        Names ending in ``.md`` below the root, through folders but not through links to folders; no dot-files, no
        dot-folders, no ``logs/`` at the top (all of it measured on the released client, which does list
        ``sub/logs/x.md``). Something else that is called ``x.md`` is listed too, so that it can be reported.
        A root that is not there lists nothing.

        Raises:
            Unreadable: a folder could not be listed, so that what is missing from the list may well be there; or
                ``too-large``, there is far too much else for a memory directory.
        """
        return ((rel, stamp) for rel, stamp in self._walk("", None) if stamp is not None)

    def walk_history(self) -> Iterator[tuple[str, Stamp]]:
        """The same below ``.memtui/history/``."""
        return ((rel, stamp) for rel, stamp in self._walk(HISTORY_FOLDER, None) if stamp is not None)

    def walk_again(
        self, known: Container[str], *, history: bool = False, skipped: Skipped | None = None
    ) -> Iterator[tuple[str, Stamp | None]]:
        """The same as `walk` or `walk_history`, without the state of plain files that are not known yet.

        Whoever goes on to read those learns their state then, and asking twice takes a fifth of the time.

        Args:
            known: the files whose state is wanted, beside that of the index and of all that is no plain file.
            history: whether to list ``.memtui/history/``.
            skipped: told of folders below that nobody here may look into, and which are passed by.
        """
        return self._walk(HISTORY_FOLDER if history else "", known, skipped)

    def _walk(
        self, start: str, known: Container[str] | None, skipped: Skipped | None = None
    ) -> Iterator[tuple[str, Stamp | None]]:
        pending = [start]
        others = 0
        while pending:
            folder = pending.pop()
            prefix = f"{folder}/" if folder else ""
            try:
                found, count = self._list(folder, prefix, pending, known)
            except OSError as error:
                if error.errno in _GONE or (folder != start and error.errno in _LINK_ERRORS):
                    continue
                if folder != start and error.errno in _DENIED:
                    if skipped is not None and isinstance(why := self._unreadable(error, folder), Unreadable):
                        skipped(folder, why)
                    continue
                raise self._unreadable(error, folder or self._path) from error
            others += count - len(found)
            if others > MAX_OTHERS and self.stamp(INDEX_NAME) is None:
                raise Unreadable(
                    "too-large",
                    Say(
                        "more than {most:,} files that are no memories are in here, so this is no memory directory",
                        most=MAX_OTHERS,
                    ),
                    where=self._path,
                    todo=Say(
                        "Name the directory itself; one that holds a {name} is read whole", name=INDEX_NAME
                    ),
                )
            yield from found

    def _list(
        self, folder: str, prefix: str, pending: list[str], known: Container[str] | None
    ) -> tuple[list[tuple[str, Stamp | None]], int]:
        """What a folder holds of memories, and how many names in all."""
        disk = self.disk
        found: list[tuple[str, Stamp | None]] = []
        count = 0
        handle: Handle | None = None
        if folder:
            fd = self._open_parts(folder.split("/"), FOLDER_FLAGS)
        else:
            handle = self.fresh_root()
            # A listing moves the descriptor's position, so it gets its own.
            fd = disk.open(".", FOLDER_FLAGS, dir_fd=handle.fd)
        try:
            for entry in disk.scandir(fd):
                count += 1
                name = entry.name
                if name[0] == ".":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if name != LOG_FOLDER or folder:
                        pending.append(prefix + name)
                    if not name.endswith(".md"):
                        continue
                elif not name.endswith(".md"):
                    continue
                elif (
                    known is not None
                    and name != INDEX_NAME
                    and prefix + name not in known
                    and entry.is_file(follow_symlinks=False)
                ):
                    found.append((prefix + name, None))
                    continue
                try:
                    info = disk.lstat(name, dir_fd=fd)
                except FileNotFoundError:
                    continue
                if stat.S_ISLNK(info.st_mode):
                    followed = self.stamp(prefix + name)
                    if followed is not None:
                        found.append((prefix + name, followed))
                else:
                    found.append((prefix + name, stamp_of(info)))
        finally:
            shut(disk, fd)
        return found, count

    # ------------------------------------------------------------------ what could not be opened

    def _open_again(self, rel: str, error: OSError) -> int:
        """Second try for a file that did not open: through a link, or in a directory that was made anew."""
        try:
            if error.errno == errno.ENOENT:
                known = self._handle
                if known is None or self.fresh_root() is known:
                    raise error
                return self._open_parts(parts_of(rel), READ_FLAGS)
            if error.errno in _LINK_ERRORS:
                return self._open_parts(parts_of(self.resolve(rel)), READ_FLAGS)
        except OSError as second:
            raise self._unreadable(second, rel) from second
        raise self._unreadable(error, rel) from error

    def _unreadable(self, error: OSError, rel: str) -> FileNotFoundError | Unreadable:
        code = error.errno or 0
        if code in _GONE:
            return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), rel)
        saying = refused(error, "could not read", rel)
        if code in _LINK_ERRORS:
            kind = "outside"
        elif code in _DENIED:
            kind = "permission"
        elif code in _NOT_A_FILE:
            kind = "not-regular"
        elif code == errno.EAGAIN:
            kind = "unstable"
        else:
            kind = "io"
        return Unreadable(kind, saying.what, where=rel, todo=saying.todo)
