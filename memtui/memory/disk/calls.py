"""Every system call that touches a memory directory, one method each.

Fault tests subclass `Disk` and fail or stop at the k-th call, so nothing else in ``memtui.memory`` may call ``os``
for a file of the directory. Paths are relative to an open folder (``dir_fd``) wherever the system allows it: a path
that somebody swaps for a link while we work then leads nowhere.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import time

from memtui.memory.errors import Refused
from memtui.memory.wording.saying import Say, plain, system_said

DirFd = int | None

READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
"""For a file that may be anything: follows no link, waits for nobody, becomes nobody's terminal."""
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
APPEND_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What a system or file system answers to a kind of rename it does not know."""


class Disk:
    """The system calls, as they are. Every method raises ``OSError`` and nothing else."""

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: DirFd = None) -> int:
        """``openat``."""
        return os.open(path, flags, mode, dir_fd=dir_fd)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        """``pread``."""
        return os.pread(fd, size, offset)

    def write(self, fd: int, data: bytes) -> int:
        """``write``: may write less than asked."""
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """``fsync``; on macOS what that promises is called ``F_FULLFSYNC``."""
        if sys.platform == "darwin":
            try:
                fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
            except OSError as error:
                if error.errno not in UNSUPPORTED | {errno.ENOTTY}:
                    raise
            else:
                return
        os.fsync(fd)

    def start_sync(self, fd: int) -> None:
        """Let the system begin to write a file out, so that the `fsync` of several waits once and not for each."""
        from memtui.memory.disk import rare_calls  # noqa: PLC0415 – only where something is written, see there

        rare_calls.start_sync(fd)

    def close(self, fd: int) -> None:
        """``close``."""
        os.close(fd)

    def fstat(self, fd: int) -> os.stat_result:
        """``fstat``."""
        return os.fstat(fd)

    def lstat(self, path: str, *, dir_fd: DirFd = None) -> os.stat_result:
        """``fstatat`` without following a link."""
        return os.stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def stat(self, path: str) -> os.stat_result:
        """``stat``, following links: for the root only, which may be one."""
        return os.stat(path)  # noqa: PTH116  -- the system call itself

    def realpath(self, path: str) -> str:
        """The path without links."""
        return os.path.realpath(path)

    def scandir(self, fd: int) -> list[os.DirEntry[str]]:
        """``getdents``: everything in an open folder, in no order."""
        with os.scandir(fd) as entries:
            return list(entries)

    def mkdir(self, path: str, mode: int = 0o777, *, dir_fd: DirFd = None) -> None:
        """``mkdirat``."""
        os.mkdir(path, mode, dir_fd=dir_fd)

    def rmdir(self, path: str, *, dir_fd: DirFd = None) -> None:
        """``unlinkat`` of an empty folder."""
        os.rmdir(path, dir_fd=dir_fd)

    def unlink(self, path: str, *, dir_fd: DirFd = None) -> None:
        """``unlinkat``."""
        os.unlink(path, dir_fd=dir_fd)

    def link(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        """``linkat``: never replaces, never follows."""
        os.link(old, new, src_dir_fd=from_fd, dst_dir_fd=to_fd, follow_symlinks=False)

    def rename(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        """``renameat``: replaces what is there."""
        os.rename(old, new, src_dir_fd=from_fd, dst_dir_fd=to_fd)

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        """Rename that fails with ``EEXIST`` where the new name is taken, or with one of `UNSUPPORTED`."""
        from memtui.memory.disk import rare_calls  # noqa: PLC0415 – only where something is written, see there

        rare_calls.rename_noreplace(old, new, from_fd, to_fd)

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        """Two names change places in one step, or it fails with one of `UNSUPPORTED`."""
        from memtui.memory.disk import rare_calls  # noqa: PLC0415 – only where something is written, see there

        rare_calls.exchange(one, other, from_fd, to_fd)

    def utime(self, fd: int, mtime_ns: int) -> None:
        """``futimens``: access and modification time, nanoseconds since 1970."""
        os.utime(fd, ns=(mtime_ns, mtime_ns))

    def fchmod(self, fd: int, mode: int) -> None:
        """``fchmod``."""
        os.fchmod(fd, mode)

    def fchown(self, fd: int, uid: int, gid: int) -> None:
        """``fchown``."""
        os.fchown(fd, uid, gid)

    def writers(self, fd: int) -> bool | None:
        """Whether somebody holds this file open for writing; None where the system does not tell.

        A read lease is granted only on a file that nobody has open for writing (fcntl(2), Linux). Its break signal
        is turned to one that is ignored by default, since the usual one would end the process.
        """
        if not sys.platform.startswith("linux"):
            return None
        import signal  # noqa: PLC0415 – as above

        try:
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            return True if error.errno == errno.EAGAIN else None
        return False

    def share_lock(self, fd: int) -> None:
        """``flock``, shared, without waiting: ``EWOULDBLOCK`` where somebody else holds it alone."""
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def pause(self, seconds: float) -> None:
        """Wait for somebody else to get on; never more than a few milliseconds at a time."""
        time.sleep(seconds)


REAL_DISK = Disk()

_SAYINGS: dict[int, tuple[Say, Say]] = {
    errno.ENOSPC: (Say("the disk is full"), Say("Make room on it and try again")),
    errno.EDQUOT: (Say("your disk quota is used up"), Say("Make room and try again")),
    errno.EROFS: (Say("the file system is read-only"), Say("Mount it writable, or work on a copy")),
    errno.EACCES: (Say("permission was denied"), Say("Check the owner and mode of the file and its folder")),
    errno.EPERM: (
        Say("the system does not allow it"),
        Say("Check the owner, mode and attributes of the file"),
    ),
    errno.EIO: (
        Say("the disk reported an error"),
        Say("Check the disk and the system's log before you go on"),
    ),
    errno.EMFILE: (Say("this process has too many files open"), Say("Close something, or raise `ulimit -n`")),
    errno.ENFILE: (Say("the system has too many files open"), Say("Close something and try again")),
    errno.EINTR: (Say("the system call was interrupted"), Say("Try again")),
    errno.ENAMETOOLONG: (Say("the file name is too long"), Say("Choose a shorter slug")),
    errno.ELOOP: (
        Say("a link stands where a folder or file should be"),
        Say("Replace the link by what it points to"),
    ),
    errno.ENOTDIR: (Say("a file or link stands where a folder should be"), Say("Move it out of the way")),
    errno.ENOENT: (Say("the folder or file has gone"), Say("Look again, it may have been moved")),
}


def _saying(error: OSError) -> tuple[Say, Say]:
    code = error.errno or 0
    bare = OSError(code, os.strerror(code)) if code else error  # without the name of a file
    return _SAYINGS.get(code, (system_said(bare), Say("")))


def refused(error: OSError, doing: str, where: str) -> Refused:
    """A system's error as one that a person can act on.

    Args:
        error: what the system said.
        doing: what could not be done, as in "could not save".
        where: the file or folder it is about.
    """
    what, todo = _saying(error)
    return Refused(Say("{doing}: {what}", doing=plain(doing), what=what), where=where, todo=todo)
