"""A plan made from a look that could not see everything: it looks again, or refuses; it never takes that for gone."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.checks.findings import Checker
from memtui.memory.conventions import CLAUDE, LIBRARY, Convention
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.errors import Busy, MemtuiError, Refused
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.transfer import carry_out_transfer, plan_adoption, plan_copy, plan_move
from memtui.memory.review.proposals import Inbox
from memtui.memory.review.proposing import Origin

NOW = 1_790_000_000.0


class Blind(Disk):
    """Fails calls that are about a name: so many times, or always.

    Attributes:
        name: the name; empty for none yet.
        code: errno.
        times: how often; negative for always.
        call: which of the calls.
    """

    def __init__(self) -> None:
        self.name = ""
        self.code = errno.EIO
        self.times = -1
        self.call = "open"

    def _strike(self, call: str, name: str) -> None:
        if self.times and call == self.call and name == self.name:
            self.times -= 1
            raise OSError(self.code, os.strerror(self.code))

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        self._strike("open", path)
        return super().open(path, flags, mode, dir_fd=dir_fd)

    def unlink(self, path: str, *, dir_fd: int | None = None) -> None:
        self._strike("unlink", path)
        super().unlink(path, dir_fd=dir_fd)

    def fsync(self, fd: int) -> None:
        self._strike("fsync", self.name)
        super().fsync(fd)

    def share_lock(self, fd: int) -> None:
        self._strike("share_lock", self.name)
        super().share_lock(fd)


def opened(root: Path, disk: Disk, convention: Convention | None = CLAUDE) -> MemoryManager:
    folder = Folder(root, disk)
    directory = Directory(root, convention=convention, folder=folder, clock=lambda: NOW)
    directory.refresh()
    return MemoryManager.open(root, clock=lambda: NOW, directory=directory)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "a"
    root.mkdir()
    manager = opened(root, Disk())
    for slug, text in (("a", "see [[b]]"), ("b", "see [[a]]")):
        manager.save_memory(slug, slug.upper(), f"about {slug}", "project", f"the text of {slug}, {text}")
    manager.save_memory("a", "A", "about a", "project", "another text of a")
    (root / "sub").mkdir()
    (root / "sub" / "c.md").write_bytes((root / "b.md").read_bytes())
    return root


def blind(root: Path, name: str, times: int = -1, code: int = errno.EIO) -> MemoryManager:
    disk = Blind()
    disk.name, disk.times, disk.code = name, times, code
    return opened(root, disk)


CHANGES: dict[str, Callable[[MemoryManager], object]] = {
    "rebuild": lambda m: m.rebuild_index(),
    "rename": lambda m: m.rename("a", "better"),
    "merge": lambda m: m.merge(["a"], "both", "Both", "all of it", "project", "one text for both"),
    "to the team": lambda m: m.carry_out(m.plan_scope(["a"], "team").plan),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_takes_in_all_memories_refuses_while_one_cannot_be_read(
    root: Path, change: Callable[[MemoryManager], object]
) -> None:
    (root / "MEMORY.md").write_text("- [A](a.md) - a\n- [C](sub/c.md) - c\n")
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    with pytest.raises(Unreadable, match="disk reported an error"):
        change(blind(root, "b.md"))
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


def test_a_memory_that_can_be_read_by_now_has_its_line_in_a_rebuilt_index(root: Path) -> None:
    (root / "MEMORY.md").write_text("- [A](a.md) - a\n")
    manager = blind(root, "b.md", times=1)
    assert not manager.get("b").is_readable
    manager.rebuild_index()
    assert "- [B](b.md) — about b\n" in (root / "MEMORY.md").read_text()


def test_what_could_not_be_read_once_is_read_at_the_next_look_though_its_stamp_is_the_same(
    root: Path,
) -> None:
    for path in root.rglob("*.md"):
        os.utime(path, (NOW, NOW))
    disk = Blind()
    disk.name, disk.times = "b.md", 1
    later = NOW * 2e9  # so that no file is young
    directory = Directory(root, folder=Folder(root, disk), clock=lambda: NOW, wall=lambda: int(later))
    directory.refresh()
    unread = directory.get("b")
    assert unread is not None
    assert not unread.is_readable
    directory.refresh()
    read = directory.get("b")
    assert read is not None
    assert read.description == "about b"


def test_lines_of_a_folder_that_nobody_may_look_into_stay_in_a_rebuilt_index(root: Path) -> None:
    (root / "MEMORY.md").write_text("- [C](sub/c.md) - c\n- [Gone](gone.md) - gone\n")
    blind(root, "sub", code=errno.EACCES).rebuild_index()
    text = (root / "MEMORY.md").read_text()
    assert [rel in text for rel in ("(sub/c.md)", "(a.md)", "(gone.md)")] == [True, True, False]


def test_old_versions_that_could_not_be_listed_go_along_to_the_team_or_nothing_does(root: Path) -> None:
    refused = blind(root, "history")
    with pytest.raises(Unreadable):
        refused.plan_scope(["a"], "team")
    plan = blind(root, "history", times=1).plan_scope(["a"], "team")
    assert [crossing.versions for crossing in plan.crossings] == [1]


@pytest.mark.parametrize("planned", [plan_adoption, lambda a, b: plan_move(a, b, ["a"])])
def test_no_directory_is_taken_over_or_left_while_a_folder_of_it_is_shut(
    root: Path, planned: Callable[[MemoryManager, MemoryManager], object]
) -> None:
    target = opened(root.parent / "b", Disk())
    with pytest.raises(Unreadable, match="permission"):
        planned(blind(root, "sub", code=errno.EACCES), target)


def test_a_copy_of_one_memory_needs_no_other(root: Path) -> None:
    source, target = blind(root, "b.md"), opened(root.parent / "b", Disk())
    assert plan_copy(source, target, ["a"]).passages[0].versions == 1


def test_fixes_found_while_a_memory_could_not_be_read_are_looked_for_again(root: Path) -> None:
    (root / "MEMORY.md").write_text("- [Gone](gone.md) - gone\n")
    manager = blind(root, "b.md", times=1)
    found = Checker(manager.directory, clock=lambda: NOW).update(None)
    fixes = [finding.fix for finding in found if finding.fix is not None]
    with pytest.raises(Refused, match="could not be read") as told:
        manager.apply_all(fixes)
    assert "检查" in told.value.said("zh")
    assert (root / "MEMORY.md").read_text() == "- [Gone](gone.md) - gone\n"
    manager.apply_all(fixes)
    assert "gone.md" not in (root / "MEMORY.md").read_text()


def test_what_is_about_the_index_alone_is_made_or_not(root: Path) -> None:
    (root / "MEMORY.md").write_text("- [Gone](gone.md) - gone\n")
    manager = opened(root, Disk())
    found = Checker(manager.directory, clock=lambda: NOW).update(None)
    manager.apply_all([finding.fix for finding in found if finding.fix is not None])
    assert [change.role for change in manager.activity()[-1].changes] == ["primary"]


def test_habits_are_not_guessed_while_no_memory_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\nname: A\ndescription: d\nmetadata:\n  type: user\n---\n\nthe text of a\n"
    )
    disk = Blind()
    disk.name, disk.code = "a.md", errno.EMFILE
    manager = opened(tmp_path, disk, None)
    with pytest.raises(Unreadable, match="too many files open"):
        manager.save_memory("b", "B", "about b", "user", "the text of b")
    assert not (tmp_path / "b.md").exists()
    disk.times = 0
    manager.save_memory("b", "B", "about b", "user", "the text of b")
    assert manager.convention is CLAUDE
    assert "metadata:" in (tmp_path / "b.md").read_text()


def test_a_memory_of_unknown_age_is_not_the_oldest(root: Path) -> None:
    for path in root.rglob("*.md"):
        os.utime(path, (1.0, 1.0))
    disk = Blind()
    disk.name = "b.md"
    assert opened(root, disk, LIBRARY).directory.ages()["b.md"] == NOW


def test_a_proposal_that_cannot_be_taken_back_is_said_to_wait(root: Path) -> None:
    disk = Blind()
    box = Inbox(opened(root, disk))
    made = box.propose_save("new", "New", "about it", "user", "a new text", Origin("extraction", "said so"))
    rel = root / ".memtui" / "inbox"

    class Failing(Blind):
        def fsync(self, fd: int) -> None:
            if rel.is_dir() and any(rel.glob("[!.]*.json")):
                raise OSError(errno.EIO, os.strerror(errno.EIO))

        def unlink(self, path: str, *, dir_fd: int | None = None) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    failing = Inbox(opened(root, Failing()))
    assert failing.add(made)
    assert [each.slugs for each in failing.pending()] == [("new",)]


def test_a_memory_that_can_neither_leave_nor_come_back_is_said_to_be_in_both(root: Path) -> None:
    disk = Blind()
    target = root.parent / "b"
    target.mkdir()

    class Shut(Disk):
        """Takes what arrives, and nothing after that."""

        def rename(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
            if (target / "a.md").exists():
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            super().rename(old, new, from_fd=from_fd, to_fd=to_fd)

        def write(self, fd: int, data: bytes) -> int:
            if (target / "a.md").exists() and b'"undo"' in data:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            return super().write(fd, data)

    here, there = opened(root, disk), opened(target, Shut())
    plan = plan_move(here, there, ["a"])
    disk.name, disk.call, disk.code = "journal.jsonl", "open", errno.EROFS
    with pytest.raises(Refused, match="so it is in both") as told:
        carry_out_transfer(plan, here, there)
    assert "两处都有" in told.value.said("zh")
    assert (root / "a.md").exists()
    assert (target / "a.md").exists()


def test_whoever_only_looks_asks_the_lock_through_the_same_door(root: Path) -> None:
    disk = Blind()
    manager = opened(root, disk)
    with manager.writing():
        pass  # makes the lock
    disk.call, disk.name, disk.code = "share_lock", "lock", errno.EWOULDBLOCK
    with pytest.raises(Busy), manager.folder.undisturbed():
        pass
    disk.code = errno.ENOLCK
    with manager.folder.undisturbed():
        pass
    disk.call, disk.name, disk.code = "open", str(root / ".memtui" / "lock"), errno.EMFILE
    with manager.folder.undisturbed():
        pass


def test_an_index_that_cannot_be_read_is_not_taken_for_an_empty_one(root: Path) -> None:
    (root / "MEMORY.md").write_text("words by hand\n")
    with pytest.raises(Unreadable):
        blind(root, "MEMORY.md").rebuilt_index()
    assert blind(root, "MEMORY.md", times=1).rebuilt_index()[0] == "words by hand\n"
    with pytest.raises(Refused, match="could not be read when they were checked"):
        blind(root, "MEMORY.md", times=1).apply_all(())


def test_the_errors_are_for_people(root: Path) -> None:
    with pytest.raises(MemtuiError) as told:
        blind(root, "b.md").rebuilt_index()
    assert ["b.md" in told.value.said(lang) for lang in ("en", "zh")] == [True, True]
