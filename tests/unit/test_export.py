"""A text into a file of its own: new, private, on disk, and never over another one (issue part 2, point 6)."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.export import write_new
from memtui.memory.errors import Refused


def test_it_is_the_text_byte_for_byte_and_private(tmp_path: Path) -> None:
    text = "提醒 😀\r\nline\x1b[31m\udcff\n"
    write_new(tmp_path / "a.txt", text)
    assert (tmp_path / "a.txt").read_bytes() == text.encode("utf-8", "surrogateescape")
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling link"])
def test_nothing_is_overwritten_or_followed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.txt"
    target = tmp_path / "target.txt"
    if kind == "file":
        path.write_text("mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(target)
        if kind == "link":
            target.write_text("mine")
    with pytest.raises(Refused) as caught:
        write_new(path, "new")
    assert "already" in caught.value.what
    assert caught.value.todo == "Choose another"
    assert not target.exists() or target.read_text() == "mine"
    assert kind != "file" or path.read_text() == "mine"


def test_the_memory_directory_gets_no_new_memory_by_accident(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    (memory / "sub").mkdir(parents=True)
    (tmp_path / "way").symlink_to(memory)
    for folder in (memory, memory / "sub", tmp_path / "way", memory / "sub" / ".."):
        with pytest.raises(Refused, match="would become a memory"):
            write_new(folder / "reminder.md", "x", apart_from=memory)
    assert [path.name for path in memory.rglob("*")] == ["sub"]
    write_new(tmp_path / "reminder.md", "x", apart_from=memory)


@pytest.mark.parametrize("name", ["no/such/folder/a.txt", "nul\0byte.txt", "x" * 300])
def test_a_path_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused):
        write_new(tmp_path / name, "x")
    assert list(tmp_path.iterdir()) == []


class Full(Disk):
    """A disk that is full at a given call."""

    def __init__(self, call: str) -> None:
        self.call = call

    def write(self, fd: int, data: bytes) -> int:
        if self.call == "write":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data[:3])  # a short write is no error

    def fsync(self, fd: int) -> None:
        if self.call == "fsync":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().fsync(fd)


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_full_disk_leaves_no_half_file(tmp_path: Path, call: str) -> None:
    with pytest.raises(Refused):
        write_new(tmp_path / "a.txt", "a text", disk=Full(call))
    assert list(tmp_path.iterdir()) == []


def test_short_writes_are_continued(tmp_path: Path) -> None:
    write_new(tmp_path / "a.txt", "a longer text", disk=Full("never"))
    assert (tmp_path / "a.txt").read_text() == "a longer text"
