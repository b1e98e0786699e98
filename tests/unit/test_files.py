"""Reliability §1, §3: reading a memory directory follows nobody out of it, waits for nobody and changes nothing."""

from __future__ import annotations

import errno
import os
import socket
import stat
import threading
from pathlib import Path

import pytest

from memtui.memory.disk.calls import REAL_DISK, Disk
from memtui.memory.disk.files import MAX_FILE_BYTES, Folder, Unreadable
from memtui.memory.errors import Busy, Refused


def names(folder: Path) -> list[str]:
    """Names in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())


def code_of(folder: Folder, rel: str) -> str:
    with pytest.raises(Unreadable) as caught:
        folder.read(rel)
    assert caught.value.what
    return caught.value.code


def test_spec_5_looking_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a")
    os.utime(tmp_path / "a.md", ns=(10**18, 10**18))
    folder = Folder(tmp_path)
    assert folder.exists()
    assert folder.read("a.md").data == b"a"
    assert [rel for rel, _ in folder.walk()] == ["a.md"]
    assert list(folder.walk_history()) == []
    assert folder.stamp("a.md") == folder.read("a.md").stamp
    assert names(tmp_path) == ["a.md"]
    assert (tmp_path / "a.md").stat().st_mtime_ns == 10**18


def test_a_missing_directory_is_empty_not_an_error(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "none")
    assert not folder.exists()
    assert list(folder.walk()) == []
    assert folder.stamp("a.md") is None
    with pytest.raises(FileNotFoundError):
        folder.read("a.md")
    assert not (tmp_path / "none").exists()


def test_bytes_come_back_exactly_at_any_size_up_to_the_cap(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for size in (0, 1, 4095, 4096, 65_537, MAX_FILE_BYTES):
        data = os.urandom(size)
        (tmp_path / "a.md").write_bytes(data)
        image = folder.read("a.md")
        assert image.data == data
        assert image.stamp.size == size
        assert stat.S_IMODE(image.stamp.mode) == stat.S_IMODE((tmp_path / "a.md").stat().st_mode)


def test_reliability_3_too_large_and_sparse_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(1 << 40)
    folder = Folder(tmp_path)
    assert code_of(folder, "a.md") == "too-large"
    assert code_of(folder, "huge.md") == "too-large"
    assert len(folder.read("a.md", limit=2 * MAX_FILE_BYTES).data) == MAX_FILE_BYTES + 1


def test_reliability_3_what_is_no_file_is_listed_and_never_blocks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "folder.md" / "inside.md").write_bytes(b"i")
    (tmp_path / "null.md").symlink_to("/dev/zero")
    folder = Folder(tmp_path)
    here = os.open(tmp_path, os.O_RDONLY)
    server = socket.socket(socket.AF_UNIX)
    try:
        server.bind(f"/proc/self/fd/{here}/sock.md")
        assert code_of(folder, "sock.md") == "not-regular"
        assert code_of(folder, "pipe.md") == "not-regular"
        assert code_of(folder, "folder.md") == "not-regular"
        assert code_of(folder, "null.md") == "outside"
        found = dict(folder.walk())
    finally:
        server.close()
        os.close(here)
    assert set(found) == {"sock.md", "pipe.md", "folder.md", "null.md", "folder.md/inside.md"}
    assert [rel for rel, stamp in found.items() if stamp.is_regular] == ["folder.md/inside.md"]


def test_reliability_3_links_are_followed_inside_only(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "b.md").write_bytes(b"b")
    (tmp_path / "secret.md").write_bytes(b"secret")
    (tmp_path / "memory-2").mkdir()
    (tmp_path / "memory-2" / "c.md").write_bytes(b"next door")
    links: dict[str, str | Path] = {
        "relative.md": "sub/b.md",
        "absolute.md": root / "sub" / "b.md",
        "chain.md": "relative.md",
        "updown.md": "sub/../sub/b.md",
        "out.md": "../secret.md",
        "etc.md": "/etc/passwd",
        "prefix.md": tmp_path / "memory-2" / "c.md",
        "loop.md": "loop.md",
        "nowhere.md": "missing.md",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    (root / "linked").symlink_to("sub")
    (root / "away").symlink_to(tmp_path)
    folder = Folder(root)
    for name in ("relative.md", "absolute.md", "chain.md", "updown.md", "linked/b.md"):
        assert folder.read(name).data == b"b", name
        assert folder.stamp(name) == folder.stamp("sub/b.md")
    for name in ("out.md", "etc.md", "prefix.md", "away/secret.md"):
        assert code_of(folder, name) == "outside", name
    for name in ("loop.md", "nowhere.md"):
        with pytest.raises((FileNotFoundError, Unreadable)):
            folder.read(name)
    listed = dict(folder.walk())
    assert set(listed) == {*links, "sub/b.md"}
    assert listed["relative.md"].is_regular
    assert stat.S_ISLNK(listed["out.md"].mode)


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_bytes(b"a")
    (tmp_path / "real" / "l.md").symlink_to("a.md")
    (tmp_path / "alias").symlink_to("real")
    folder = Folder(tmp_path / "alias")
    assert folder.read("a.md").data == b"a"
    assert folder.read("l.md").data == b"a"
    assert {rel for rel, _ in folder.walk()} == {"a.md", "l.md"}


@pytest.mark.parametrize(
    "rel",
    ["", ".", "..", "/etc/passwd", "../x.md", "a/../../x.md", "a//b.md", "a/./b.md", "x\0.md", "s/x\0.md"],
)
def test_reliability_3_a_path_that_leaves_is_refused(rel: str, tmp_path: Path) -> None:
    root = tmp_path / "memory"
    (root / "a").mkdir(parents=True)
    (tmp_path / "x.md").write_bytes(b"x")
    with pytest.raises((FileNotFoundError, Unreadable)):
        Folder(root).read(rel)


def test_reliability_3_names_that_are_not_utf_8_are_opened_by_their_entry(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        fd = os.open(raw, os.O_CREAT | os.O_WRONLY)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    os.write(fd, b"x")
    os.close(fd)
    folder = Folder(tmp_path)
    ((rel, stamp),) = folder.walk()
    assert folder.read(rel).data == b"x"
    assert folder.stamp(rel) == stamp


def test_spec_5_what_is_listed(tmp_path: Path) -> None:
    for rel in (
        "MEMORY.md", "a.md", "标题.md", "sub/deep/c.md", ".hidden.md", ".git/x.md", "logs/2026/x.md",
        "sub/logs/kept.md", "b.txt", "c.MD", ".memtui/history/a_v1.md", ".memtui/history/sub/c_v1.md",
        ".memtui/inbox/p.md",
    ):  # fmt: skip
        (tmp_path / rel).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / rel).write_bytes(b"x")
    folder = Folder(tmp_path)
    assert {rel for rel, _ in folder.walk()} == {
        "MEMORY.md", "a.md", "标题.md", "sub/deep/c.md", "sub/logs/kept.md",
    }  # fmt: skip
    assert {rel for rel, _ in folder.walk_history()} == {
        ".memtui/history/a_v1.md",
        ".memtui/history/sub/c_v1.md",
    }


def test_a_directory_removed_and_made_again_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    (root / "a.md").write_bytes(b"old")
    folder = Folder(root)
    assert folder.read("a.md").data == b"old"
    root.rename(tmp_path / "away")
    assert list(folder.walk()) == []
    root.mkdir()
    (root / "b.md").write_bytes(b"new")
    assert folder.read("b.md").data == b"new"
    assert [rel for rel, _ in folder.walk()] == ["b.md"]


def test_reliability_1_a_file_that_keeps_changing_is_unstable(tmp_path: Path) -> None:
    class Restless(Disk):
        def pread(self, fd: int, size: int, offset: int) -> bytes:
            with (tmp_path / "a.md").open("ab") as file:
                file.write(b"more")
            return super().pread(fd, size, offset)

    (tmp_path / "a.md").write_bytes(b"x")
    assert code_of(Folder(tmp_path, Restless()), "a.md") == "unstable"


def test_reliability_1_a_file_that_changes_once_is_read_again(tmp_path: Path) -> None:
    class Once(Disk):
        done = False

        def pread(self, fd: int, size: int, offset: int) -> bytes:
            if not self.done:
                self.done = True
                (tmp_path / "a.md").write_bytes(b"a longer text")
            return super().pread(fd, size, offset)

    (tmp_path / "a.md").write_bytes(b"x")
    assert Folder(tmp_path, Once()).read("a.md").data == b"a longer text"


@pytest.mark.parametrize(
    ("number", "code"), [(errno.EACCES, "permission"), (errno.EIO, "io"), (errno.EMFILE, "io")]
)
def test_a_failing_system_is_told_apart_from_a_missing_file(number: int, code: str, tmp_path: Path) -> None:
    class Failing(Disk):
        failing = False

        def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            if self.failing:
                raise OSError(number, os.strerror(number), path)
            return super().open(path, flags, mode, dir_fd=dir_fd)

    (tmp_path / "a.md").write_bytes(b"x")
    disk = Failing()
    folder = Folder(tmp_path, disk)
    folder.read("a.md")
    disk.failing = True
    assert code_of(folder, "a.md") == code
    with pytest.raises(Unreadable):
        list(folder.walk())


def test_spec_5_the_lock_excludes_other_threads_and_is_reentrant(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    refused: list[BaseException] = []

    def try_it() -> None:
        try:
            with Folder(tmp_path).lock(timeout=0.0):
                pass
        except Busy as error:
            refused.append(error)

    with folder.lock(), folder.lock():
        other = threading.Thread(target=try_it)
        other.start()
        other.join()
    assert len(refused) == 1
    try_it()
    assert len(refused) == 1
    own = tmp_path / ".memtui"
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert (own / ".gitignore").read_text() == "*\n"


def test_reliability_3_a_planted_own_folder_or_lock_is_not_followed(tmp_path: Path) -> None:
    root, target = tmp_path / "memory", tmp_path / "target"
    root.mkdir()
    target.mkdir()
    (root / ".memtui").symlink_to(target)
    with pytest.raises(Refused), Folder(root).lock():
        pass
    assert names(target) == []
    (root / ".memtui").unlink()
    (root / ".memtui").mkdir()
    (target / "victim").write_bytes(b"keep me")
    (root / ".memtui" / "lock").symlink_to(target / "victim")
    with pytest.raises(Refused), Folder(root).lock():
        pass
    assert (target / "victim").read_bytes() == b"keep me"


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_bytes(b"x")
    (tmp_path / "l.md").symlink_to("sub/a.md")
    os.mkfifo(tmp_path / "p.md")
    before = len(names(Path("/proc/self/fd")))
    folder = Folder(tmp_path, REAL_DISK)
    for _ in range(20):
        list(folder.walk())
        folder.read("sub/a.md")
        folder.read("l.md")
        code_of(folder, "p.md")
        with folder.lock():
            pass
    del folder
    assert len(names(Path("/proc/self/fd"))) <= before + 1


def test_what_holds_far_too_much_else_is_no_memory_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.memory.disk.files.MAX_OTHERS", 50)
    for folder in range(10):
        (tmp_path / f"d{folder}").mkdir()
        for number in range(10):
            (tmp_path / f"d{folder}" / f"{number}.txt").touch()
    (tmp_path / "a.md").touch()
    with pytest.raises(Unreadable, match="no memory directory") as caught:
        list(Folder(tmp_path).walk())
    assert (caught.value.code, caught.value.where) == ("too-large", str(tmp_path))
    (tmp_path / "MEMORY.md").touch()
    assert {rel for rel, _ in Folder(tmp_path).walk()} == {"a.md", "MEMORY.md"}


def test_memories_are_never_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.memory.disk.files.MAX_OTHERS", 50)
    for number in range(100):
        (tmp_path / f"{number}.md").touch()
    assert len(list(Folder(tmp_path).walk())) == 100
