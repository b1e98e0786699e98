"""Design §7 for real: a process that is killed, a disk that is full, and what is synced before a save is acknowledged."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.errors import Refused
from memtui.memory.index.merge import merge_index
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Edit
from tests.crash.faults import QuietDisk, is_leftover, tree

ROUNDS = 6

WRITER = """
import sys, time
from pathlib import Path
from memtui.memory.disk.files import Folder
from memtui.memory.index.merge import merge_index
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Edit
from tests.crash.faults import QuietDisk

root = Path(sys.argv[1])
folder = Folder(root, QuietDisk())
journal = Journal(folder, clock=time.time, merge_index=merge_index, keep_as=lambda rel, data: ("k_v1.md", data))
number = int(sys.argv[2])
while True:
    number += 1
    with folder.lock():
        before = folder.read("a.md").data
        index = folder.read("MEMORY.md").data
        text = b"text %d " % number + b"x" * 5000
        journal.commit("save", [
            Edit("a.md", before, text),
            Edit("a_v1.md", None, b"old " + before, "archive"),
            Edit("MEMORY.md", index, b"prose\\n- [A](a.md) - %d\\n" % number, "index"),
        ], slugs=["a"])
    print(number, flush=True)
"""


def open_journal(root: Path, disk: Disk) -> Journal:
    return Journal(
        Folder(root, disk),
        clock=time.time,
        merge_index=merge_index,
        keep_as=lambda rel, data: (f".memtui/history/{rel}_v1.md", data),
    )


def text(number: int) -> bytes:
    return b"text %d " % number + b"x" * 5000


def test_design_7_kill_9_at_any_moment_loses_no_acknowledged_version(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(text(0))
    (tmp_path / "MEMORY.md").write_bytes(b"prose\n- [A](a.md) - 0\n")
    dice = random.Random(20261130)
    acknowledged = 0
    for _ in range(ROUNDS):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(acknowledged)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        assert process.stdout is not None
        for _ in range(dice.randrange(1, 12)):
            acknowledged = int(process.stdout.readline())
        until = time.perf_counter() + dice.random() * 0.004
        while time.perf_counter() < until:
            pass
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        process.stdout.close()
        process.wait()
        acknowledged = int(rest[-1]) if rest else acknowledged

        journal = open_journal(tmp_path, QuietDisk())
        journal.recover()
        files = tree(tmp_path)
        contents = set(files.values())
        missing = [number for number in range(acknowledged + 1) if text(number) not in contents]
        assert missing == []
        assert not any(map(is_leftover, files))
        number = int(files["a.md"].split()[1])
        assert files["a.md"] == text(number)
        assert acknowledged <= number <= acknowledged + 1
        assert files["MEMORY.md"] == b"prose\n- [A](a.md) - %d\n" % number
        assert journal.recover() == ()
        acknowledged = number


def test_design_7_a_really_full_disk_refuses_and_leaves_everything_as_it_was(small_disk: Path) -> None:
    old, new = b"old " * 2000, b"new " * 3000
    (small_disk / "a.md").write_bytes(old)
    (small_disk / "MEMORY.md").write_bytes(b"- [A](a.md)\n")
    journal = open_journal(small_disk, Disk())
    journal.commit("first", [Edit("b.md", None, b"b")], slugs=[])
    edits = [
        Edit("a.md", old, new),
        Edit("a_v1.md", None, b"archived " + old, "archive"),
        Edit("MEMORY.md", b"- [A](a.md)\n", b"- [A](a.md) - new\n", "index"),
    ]
    refused = 0
    for spare in range(0, 80_000, 4096):
        filler = small_disk / "filler"
        info = os.statvfs(small_disk)
        filler.write_bytes(b"f" * max(0, info.f_bavail * info.f_frsize - spare))
        outcome = None
        with contextlib.suppress(Refused):
            outcome = journal.commit("save", edits, slugs=["a"])
        if outcome is None:
            refused += 1
            with pytest.raises(Refused, match="the disk is full"):
                journal.commit("save", edits, slugs=["a"])
            files = tree(small_disk)
            assert files["a.md"] == old
            assert files["MEMORY.md"] == b"- [A](a.md)\n"
            assert "a_v1.md" not in files
            assert not any(map(is_leftover, files))
        else:
            filler.unlink()
            journal.recover()
            files = tree(small_disk)
            assert files["a.md"] == new
            assert files["MEMORY.md"] == b"- [A](a.md) - new\n"
            assert files[outcome.record.archived[0]] == b"archived " + old
            break
        filler.unlink()
    else:
        pytest.fail("it never fitted")
    assert refused > 2


class Recorder(Disk):
    """Notes which files and folders were changed since they were last synced."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.dirty: set[int] = set()
        self.installed_dirty: list[str] = []

    def write(self, fd: int, data: bytes) -> int:
        self.dirty.add(os.fstat(fd).st_ino)
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        super().fsync(fd)
        self.dirty.discard(os.fstat(fd).st_ino)

    def _moved(self, name: str, *folders: int) -> None:
        info = os.stat(name, dir_fd=folders[-1], follow_symlinks=False)
        if info.st_ino in self.dirty:
            self.installed_dirty.append(name)
        self.dirty.update(os.fstat(folder).st_ino for folder in folders)

    def link(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().link(old, new, from_fd=from_fd, to_fd=to_fd)
        self._moved(new, to_fd)

    def rename(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().rename(old, new, from_fd=from_fd, to_fd=to_fd)
        self._moved(new, from_fd, to_fd)

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().rename_noreplace(old, new, from_fd=from_fd, to_fd=to_fd)
        self._moved(new, from_fd, to_fd)

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        for rel in (".memtui/objects", ".memtui/journal.jsonl"):
            inode = (self.root / rel).stat().st_ino
            assert inode not in self.dirty, "the commit point came before the journal was durable"
        super().exchange(one, other, from_fd=from_fd, to_fd=to_fd)
        self._moved(other, from_fd, to_fd)

    def mkdir(self, path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        super().mkdir(path, mode, dir_fd=dir_fd)
        self.dirty.add(os.fstat(dir_fd).st_ino if dir_fd is not None else 0)


def test_spec_5_everything_is_synced_before_it_is_installed_and_before_a_save_returns(tmp_path: Path) -> None:
    """I5: what is acknowledged survives a power failure."""
    disk = Recorder(tmp_path)
    journal = open_journal(tmp_path, disk)

    def inode(rel: str) -> Any:
        return (tmp_path / rel).stat().st_ino

    changes = [
        [Edit("sub/a.md", None, b"one"), Edit("MEMORY.md", None, b"- a\n", "index")],
        [
            Edit("sub/a.md", b"one", b"two"),
            Edit(".memtui/history/sub/a_v1.md", None, b"old", "archive"),
            Edit("MEMORY.md", b"- a\n", b"- a2\n", "index"),
        ],
        [Edit("sub/a.md", b"two", None, trash=True), Edit("MEMORY.md", b"- a2\n", b"", "index")],
    ]
    for number, edits in enumerate(changes):
        outcome = journal.commit("change", edits, slugs=[])
        assert not outcome.index_pending
        for path in [tmp_path, *tmp_path.rglob("*")]:
            if path.name in {".memtui", "objects"} and number:
                continue  # their last entries are removed leftovers, which may come back
            rel = str(path.relative_to(tmp_path))
            if path.is_file() or number < 2:
                assert inode(rel) not in disk.dirty, f"{rel} is not durable after change {number}"
    assert disk.installed_dirty == []
