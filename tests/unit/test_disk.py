"""The calls to the disk where systems differ: what is asked of each, and what stands in where it has none (reliability §1)."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memtui.memory.disk import rare_calls
from memtui.memory.disk.calls import Disk

LINUX = sys.platform.startswith("linux")


@pytest.fixture
def two(tmp_path: Path) -> Iterator[int]:
    """A folder of two files, opened."""
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    fd = os.open(tmp_path, os.O_RDONLY)
    yield fd
    os.close(fd)


def read(fd: int, name: str) -> bytes:
    handle = os.open(name, os.O_RDONLY, dir_fd=fd)
    try:
        return os.read(handle, 9)
    finally:
        os.close(handle)


@pytest.mark.parametrize(
    ("code", "syncs"), [(fcntl.F_GETFD, 0), (999_999, 1)], ids=["offered", "not offered by this file system"]
)
def test_macos_is_asked_for_what_it_calls_a_full_sync(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, syncs: int
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", code, raising=False)
    monkeypatch.setattr(os, "fsync", synced.append)
    fd = os.open(tmp_path, os.O_RDONLY)
    Disk().fsync(fd)
    os.close(fd)
    assert synced == [fd] * syncs
    with pytest.raises(OSError, match="Bad file descriptor"):
        Disk().fsync(fd)


def test_who_writes_to_a_file_is_unknown_where_the_system_does_not_tell(
    monkeypatch: pytest.MonkeyPatch, two: int
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert Disk().writers(two) is None


@pytest.mark.skipif(not LINUX, reason="leases are Linux's")
def test_a_file_that_somebody_writes_to_has_a_writer(tmp_path: Path, two: int) -> None:
    looking = os.open("a", os.O_RDONLY, dir_fd=two)
    if Disk().writers(looking) is None:
        pytest.skip("this file system has no leases")
    writing = os.open(tmp_path / "a", os.O_WRONLY)
    assert Disk().writers(looking) is True
    os.close(writing)
    assert Disk().writers(looking) is False
    os.close(looking)


def test_a_pause_ends() -> None:
    Disk().pause(0.0)


@pytest.mark.skipif(not LINUX, reason="the system call is Linux's")
def test_where_the_c_library_is_older_than_the_call_the_system_is_asked(
    monkeypatch: pytest.MonkeyPatch, two: int
) -> None:
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace(syscall=syscall))
    rename, no_replace, exchange = rare_calls._find_rename()
    monkeypatch.setattr(rare_calls, "_RENAME", rename)
    assert (no_replace, exchange) == (1, 2)
    rare_calls.exchange("a", "b", two, two)
    assert (read(two, "a"), read(two, "b")) == (b"b", b"a")
    with pytest.raises(FileExistsError):
        rare_calls.rename_noreplace("a", "b", two, two)
    rare_calls.rename_noreplace("a", "c", two, two)
    assert sorted(os.listdir(two)) == ["b", "c"]


def test_a_machine_whose_number_of_the_call_is_not_known_has_none(
    monkeypatch: pytest.MonkeyPatch, two: int
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace())
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    found = rare_calls._find_rename()
    assert found == (None, 1, 2)
    monkeypatch.setattr(rare_calls, "_RENAME", found[0])
    for call in (rare_calls.exchange, rare_calls.rename_noreplace):
        with pytest.raises(OSError, match="not implemented") as caught:
            call("a", "b", two, two)
        assert caught.value.errno == errno.ENOSYS
    assert (read(two, "a"), read(two, "b")) == (b"a", b"b")


@pytest.mark.parametrize("offers", [True, False])
def test_macos_has_a_call_and_flags_of_its_own(monkeypatch: pytest.MonkeyPatch, offers: bool) -> None:
    call: Any = SimpleNamespace(argtypes=None)
    library = SimpleNamespace(renameatx_np=call) if offers else SimpleNamespace()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: library)
    found, no_replace, exchange = rare_calls._find_rename()
    assert found is (call if offers else None)
    assert (no_replace, exchange) == (4, 2)  # RENAME_EXCL and RENAME_SWAP of <sys/stdio.h>
    assert not offers or len(call.argtypes or ()) == 5
    assert rare_calls._find_sync_range() is None


def test_an_interrupted_call_is_made_again_and_another_error_is_raised(
    monkeypatch: pytest.MonkeyPatch, two: int
) -> None:
    codes = iter([errno.EINTR, errno.EINTR, 0, errno.EXDEV])

    def rename(*_: object) -> int:
        code = next(codes)
        ctypes.set_errno(code)
        return -1 if code else 0

    monkeypatch.setattr(rare_calls, "_RENAME", rename)
    rare_calls.exchange("a", "b", two, two)
    with pytest.raises(OSError, match="cross-device") as caught:
        rare_calls.exchange("a", "b", two, two)
    assert (caught.value.filename, caught.value.filename2) == ("a", "b")


@pytest.mark.parametrize("offers", [True, False])
def test_a_system_may_begin_to_write_a_file_out(
    monkeypatch: pytest.MonkeyPatch, two: int, offers: bool
) -> None:
    asked: list[tuple[int, ...]] = []

    def begin(*words: int) -> int:
        asked.append(words)
        return 0

    offered: Callable[..., int] | None = begin if offers else None
    monkeypatch.setattr(rare_calls, "_SYNC_RANGE", offered)
    Disk().start_sync(two)
    assert asked == ([(two, 0, 0, 2)] if offers else [])
