"""The system calls that Python does not offer, made through ``ctypes``: for `Disk`, and nobody else.

Apart from it because ``ctypes`` takes longer to load than a small directory to read, and only changes need it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Callable

_Rename = Callable[[int, bytes, int, bytes, int], int]
_NOREPLACE, _EXCHANGE = 1, 2  # linux/fs.h
_MAC_SWAP, _MAC_EXCL = 2, 4  # sys/stdio.h
_SYSCALL_RENAMEAT2 = {"x86_64": 316, "aarch64": 276, "riscv64": 276, "ppc64le": 357, "s390x": 347}


def _find_rename() -> tuple[_Rename | None, int, int]:
    """The system's rename with flags, and its flags for "never replace" and "exchange"."""
    libc = ctypes.CDLL(None, use_errno=True)
    kinds = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    if sys.platform == "darwin":
        found = getattr(libc, "renameatx_np", None)
        if found is not None:
            found.argtypes = kinds
        return found, _MAC_EXCL, _MAC_SWAP
    found = getattr(libc, "renameat2", None)
    if found is not None:
        found.argtypes = kinds
        return found, _NOREPLACE, _EXCHANGE
    number = _SYSCALL_RENAMEAT2.get(platform.machine())
    if number is None or not sys.platform.startswith("linux"):
        return None, _NOREPLACE, _EXCHANGE
    syscall = libc.syscall

    def renameat2(from_fd: int, old: bytes, to_fd: int, new: bytes, flags: int) -> int:
        return int(syscall(number, from_fd, old, to_fd, new, flags))

    return renameat2, _NOREPLACE, _EXCHANGE


_RENAME, _FLAG_NOREPLACE, _FLAG_EXCHANGE = _find_rename()


def _rename_with(flag: int, old: str, new: str, from_fd: int, to_fd: int) -> None:
    if _RENAME is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), old)
    while _RENAME(from_fd, os.fsencode(old), to_fd, os.fsencode(new), flag) != 0:
        code = ctypes.get_errno()
        if code != errno.EINTR:
            raise OSError(code, os.strerror(code), old, None, new)


def _find_sync_range() -> Callable[[int, int, int, int], int] | None:
    found = getattr(ctypes.CDLL(None), "sync_file_range", None) if sys.platform.startswith("linux") else None
    if found is not None:
        found.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]
    return found


_SYNC_RANGE = _find_sync_range()
_RANGE_WRITE = 2  # SYNC_FILE_RANGE_WRITE


def rename_noreplace(old: str, new: str, from_fd: int, to_fd: int) -> None:
    """Rename that never replaces; raises ``OSError``."""
    _rename_with(_FLAG_NOREPLACE, old, new, from_fd, to_fd)


def exchange(one: str, other: str, from_fd: int, to_fd: int) -> None:
    """Two names change places in one step; raises ``OSError``."""
    _rename_with(_FLAG_EXCHANGE, one, other, from_fd, to_fd)


def start_sync(fd: int) -> None:
    """Let the system begin to write a file out, where it offers that."""
    if _SYNC_RANGE is not None:
        _SYNC_RANGE(fd, 0, 0, _RANGE_WRITE)
