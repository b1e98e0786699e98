"""The list of memories in a folder: what counts, in what order, at what cost (spec §3, §5; reliability §1, §2)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memtui.memory.conventions import CLAUDE, LIBRARY
from memtui.memory.directory.changes import Changes
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.types import MemoryEntry
from tests.unit.scan_support import DAY, NOW, opened, text, write


class Counting(Disk):
    """Counts the files that are opened for their content."""

    def __init__(self) -> None:
        self.reads = 0

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        self.reads += 1
        return super().pread(fd, size, offset)


class Hand:
    """A clock that a test turns."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def slugs(directory: Directory) -> list[str]:
    return [entry.slug for entry in directory.entries]


def old_wall() -> int:
    """A system clock far ahead of every file: nothing is too young to trust its stamp."""
    return 1 << 62


# -- order -------------------------------------------------------------------------------------------------------------


def order(entry: MemoryEntry) -> tuple[bool, float, str, bool]:
    return not entry.is_active, -entry.modified, entry.slug, entry.aside


def test_entries_are_active_first_then_newest_then_by_slug_and_the_same_tuple_until_something_changes(
    tmp_path: Path,
) -> None:
    for slug, days in (("b", 2.0), ("a", 2.0), ("new", 1.0), ("old", 90.0)):
        write(tmp_path, f"{slug}.md", text(), days=days)
    write(tmp_path, "gone_v1.md", text(extra="status: historical\n"), days=0.5)
    directory = opened(tmp_path)
    before = directory.entries
    assert slugs(directory) == ["new", "a", "b", "old", "gone_v1"]
    directory.refresh()
    directory.refresh(["a.md", "nothing.md"])
    assert directory.entries is before
    write(tmp_path, "old.md", text("Old"), days=0.1)
    directory.refresh(["old.md"])
    assert slugs(directory) == ["old", "new", "a", "b", "gone_v1"]
    assert directory.entries is not before


def test_a_date_in_the_future_stands_first_until_it_is_past_and_then_takes_its_place(tmp_path: Path) -> None:
    hand = Hand()
    write(tmp_path, "soon.md", text(extra="modified: 2026-09-21T18:00:00Z\n"))  # 04:26 hours after NOW
    write(tmp_path, "zfuture.md", text(extra="modified: 2099-01-01T00:00:00Z\n"))
    write(tmp_path, "now.md", text(), days=0)
    directory = Directory(tmp_path, clock=hand)
    directory.refresh()
    assert slugs(directory) == ["now", "soon", "zfuture"] or slugs(directory)[:2] == ["soon", "zfuture"]
    for step in range(1, 8):
        hand.now = NOW + step * 3_600
        write(tmp_path, f"later{step}.md", text(), days=-step / 24)
        directory.refresh([f"later{step}.md"])
        fresh = Directory(tmp_path, clock=hand)
        fresh.refresh()
        assert directory.entries == fresh.entries
        assert list(directory.entries) == sorted(directory.entries, key=order)
        assert all(entry.modified <= hand.now for entry in directory.entries)


# -- changes -----------------------------------------------------------------------------------------------------------


def test_changes_are_named_once_and_as_one_step(tmp_path: Path) -> None:
    write(tmp_path, "keep.md", text())
    write(tmp_path, "edit.md", text())
    write(tmp_path, "drop.md", text())
    directory = opened(tmp_path)
    assert directory.take_changes() == Changes(added=frozenset({"keep", "edit", "drop"}))
    assert not directory.take_changes()
    write(tmp_path, "edit.md", text("Edited"))
    (tmp_path / "drop.md").unlink()
    write(tmp_path, "fresh.md", text())
    write(tmp_path, "MEMORY.md", "- [A](a.md)\n")
    write(tmp_path, "brief.md", text())
    directory.refresh()
    (tmp_path / "brief.md").unlink()
    directory.refresh()
    assert directory.take_changes() == Changes(
        frozenset({"fresh"}), frozenset({"edit"}), frozenset({"drop"}), index=True
    )
    write(tmp_path, "edit.md", text("Twice"))
    directory.refresh()
    write(tmp_path, "edit.md", text("Edited"))
    directory.refresh()
    assert not directory.take_changes()


def test_a_touch_moves_the_time_and_is_a_change_but_a_new_inode_alone_is_not(tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", text(), days=5)
    directory = opened(tmp_path)
    directory.take_changes()
    os.utime(path, (NOW - DAY, NOW - DAY))
    directory.refresh()
    assert directory.take_changes() == Changes(changed=frozenset({"a"}))
    assert directory.entries[0].mtime == NOW - DAY
    write(tmp_path, ".b", text(), days=1).rename(path)
    directory.refresh()
    assert not directory.take_changes()


def test_what_becomes_of_an_archive_changes_the_slug_it_shares_with_a_live_memory(tmp_path: Path) -> None:
    write(tmp_path, "a_v1.md", text())
    directory = opened(tmp_path)
    directory.take_changes()
    aside = write(tmp_path, ".memtui/history/a_v1.md", text("archive"))
    directory.refresh()
    assert directory.take_changes() == Changes(changed=frozenset({"a_v1"}))
    aside.unlink()
    (tmp_path / "a_v1.md").unlink()
    directory.refresh()
    assert directory.take_changes() == Changes(removed=frozenset({"a_v1"}))


def test_two_steps_of_changes_join_into_one() -> None:
    def of(added: str = "", changed: str = "", removed: str = "", *, index: bool = False) -> Changes:
        return Changes(frozenset(added), frozenset(changed), frozenset(removed), index)

    joined = of("ab", "c", "de").then(of("d", "af", "bc", index=True))
    assert joined == of("a", "df", "ce", index=True)
    assert bool(of(index=True))
    assert not of()


def test_a_change_costs_one_file_read_and_a_look_at_nothing_new_reads_nothing(tmp_path: Path) -> None:
    for number in range(50):
        write(tmp_path, f"m{number}.md", text())
    disk = Counting()
    directory = opened(tmp_path, folder=Folder(tmp_path, disk), wall=old_wall)
    assert disk.reads == 50
    directory.refresh()
    assert disk.reads == 50
    write(tmp_path, "m7.md", text("New"))
    directory.refresh()
    assert disk.reads == 51
    directory.refresh(["m8.md"])
    assert disk.reads == 52


def test_a_second_write_within_one_tick_of_the_clock_is_seen_by_the_next_full_look(tmp_path: Path) -> None:
    class Frozen(Disk):
        """A file system whose clock stands still: a stamp says nothing new."""

        def fstat(self, fd: int) -> os.stat_result:
            return self._still(super().fstat(fd))

        def lstat(self, path: str, *, dir_fd: int | None = None) -> os.stat_result:
            return self._still(super().lstat(path, dir_fd=dir_fd))

        @staticmethod
        def _still(info: os.stat_result) -> os.stat_result:
            kept = list(info[:7])
            times = {"st_atime_ns": 10**18, "st_mtime_ns": 10**18, "st_ctime_ns": 10**18}
            return os.stat_result([*kept, 10**9, 10**9, 10**9], times)

    path = write(tmp_path, "a.md", text("one"))
    wall = Hand(10**18)
    directory = Directory(
        tmp_path, folder=Folder(tmp_path, Frozen()), clock=lambda: NOW, wall=lambda: int(wall.now)
    )
    directory.refresh()
    path.write_text(text("two"))
    directory.refresh()
    assert [entry.name for entry in directory.entries] == ["two"]
    wall.now = 10**18 + 5 * 10**9
    directory.refresh()
    path.write_text(text("six"))
    directory.refresh()
    assert [entry.name for entry in directory.entries] == ["two"], "old stamps are trusted"
    directory.refresh(["a.md"])
    assert [entry.name for entry in directory.entries] == ["six"], "a hint reads whatever the stamp says"


def test_a_folder_that_comes_or_goes_brings_its_files(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    directory = opened(tmp_path)
    write(tmp_path, "sub/deep/b.md", text())
    write(tmp_path, "note.txt", "no memory")
    directory.refresh(["note.txt"])
    assert slugs(directory) == ["a"]
    directory.refresh(["sub"])
    assert sorted(slugs(directory)) == ["a", "sub/deep/b"]
    (tmp_path / "sub").rename(tmp_path / "x.md")
    directory.refresh(["sub", "x.md"])
    assert sorted(slugs(directory)) == ["a", "x.md", "x.md/deep/b"] or sorted(slugs(directory)) == [
        "a",
        "x",
        "x.md/deep/b",
    ]
    shutil.rmtree(tmp_path / "x.md")
    directory.refresh(["x.md"])
    assert slugs(directory) == ["a"]
    write(tmp_path, ".memtui/history/a_v1.md", text())
    directory.refresh([".memtui"])
    assert slugs(directory) == ["a", "a_v1"]


# -- half-written and gone ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("torn", ["", "---\nname: A\ndescr"])
def test_reliability_1_the_last_good_view_of_a_half_written_file_stays_two_seconds(
    tmp_path: Path, torn: str
) -> None:
    hand = Hand()
    path = write(tmp_path, "a.md", text("Good"))
    directory = Directory(tmp_path, clock=hand)
    directory.refresh()
    directory.take_changes()
    path.write_text(torn)
    for seconds in (0.0, 1.0, 1.99):
        hand.now = NOW + seconds
        directory.refresh(["a.md"] if seconds else None, settle=2.0)
        assert (directory.entries[0].name, directory.unsettled) == ("Good", True)
        assert not directory.take_changes()
    hand.now = NOW + 2.0
    directory.refresh([], settle=2.0)
    assert (directory.entries[0].size, directory.unsettled) == (len(torn), False)
    path.write_text(text("Back"))
    directory.refresh(settle=2.0)
    assert directory.entries[0].name == "Back"


def test_a_half_written_file_that_gets_whole_is_shown_at_once_and_without_settling_every_look_counts(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, "a.md", text("Good"))
    directory = opened(tmp_path)
    path.write_text("")
    directory.refresh(settle=2.0)
    path.write_text(text("Whole"))
    directory.refresh([], settle=2.0)
    assert (directory.entries[0].name, directory.unsettled) == ("Whole", False)
    path.write_text("")
    directory.refresh()
    assert (directory.entries[0].size, directory.unsettled) == (0, False)


def test_a_look_at_one_file_that_does_not_wait_leaves_others_time_to_settle(tmp_path: Path) -> None:
    torn, gone = write(tmp_path, "torn.md", text("Good")), write(tmp_path, "gone.md", text("Here"))
    directory = opened(tmp_path)
    torn.write_text("")
    gone.unlink()
    directory.refresh(settle=2.0)
    write(tmp_path, "saved.md", text("Saved"))
    directory.refresh(["saved.md"])
    assert {entry.name for entry in directory.entries} == {"Good", "Here", "Saved"}
    directory.refresh(["gone.md"])
    assert {entry.name for entry in directory.entries} == {"Good", "Saved"}
    assert directory.unsettled


def test_reliability_1_gone_means_gone_at_two_looks(tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", text())
    directory = opened(tmp_path)
    path.unlink()
    directory.refresh(settle=2.0)
    assert (slugs(directory), directory.unsettled) == (["a"], True)
    write(tmp_path, "a.md", text("Back"))
    directory.refresh([], settle=2.0)
    assert (directory.entries[0].name, directory.unsettled) == ("Back", False)
    path.unlink()
    directory.refresh(["a.md"], settle=2.0)
    directory.refresh([], settle=2.0)
    assert (slugs(directory), directory.unsettled) == ([], False)


def test_the_index_settles_like_a_memory(tmp_path: Path) -> None:
    hand = Hand()
    path = write(tmp_path, "MEMORY.md", "- [A](a.md)\n")
    directory = Directory(tmp_path, clock=hand)
    directory.refresh()
    path.write_text("")
    directory.refresh(["MEMORY.md"], settle=2.0)
    assert directory.index_text == "- [A](a.md)\n"
    hand.now += 2.5
    directory.refresh(settle=2.0)
    emptied = directory.index_data
    assert emptied == b""
    path.write_text("- [B](b.md)\n")
    directory.refresh(["MEMORY.md"], settle=2.0)
    path.unlink()
    directory.refresh(settle=2.0)
    assert directory.index_text == "- [B](b.md)\n"
    directory.refresh(settle=2.0)
    assert directory.index_data is None
    assert directory.index_text == ""
    assert not directory.unsettled


# -- index, convention, root -------------------------------------------------------------------------------------------


def test_index_bytes_survive_as_text_and_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf# \xff\r\n- [\xe8\xae\xb0](a.md)\n"
    path = write(tmp_path, "MEMORY.md", data)
    directory = opened(tmp_path)
    assert directory.index_data == data
    assert directory.index_text.encode("utf-8", "surrogateescape") == data
    assert directory.take_changes().index
    path.unlink()
    path.mkdir()
    later = opened(tmp_path)
    assert later.index_data is None
    assert later.index_text == ""
    assert later.index_problem is not None
    assert later.index_problem.code == "not-regular"
    directory.refresh()
    assert directory.take_changes().index
    path.rmdir()
    later.take_changes()
    later.refresh()
    assert later.take_changes().index, "what was unreadable is gone"


def test_spec_2_the_convention_is_detected_once_there_is_something_to_go_by(tmp_path: Path) -> None:
    nested = "---\nname: N\nmetadata: \n  type: user\n---\n\nx\n"
    directory = opened(tmp_path)
    assert directory.convention is LIBRARY
    write(tmp_path, "n.md", nested)
    directory.refresh()
    assert (directory.convention, directory.shapes) == (CLAUDE, (1, 0))
    for number in range(3):
        write(tmp_path, f"f{number}.md", text())
    directory.refresh()
    assert (directory.convention, directory.shapes) == (CLAUDE, (1, 3)), (
        "a running program keeps its convention"
    )
    assert opened(tmp_path).convention is LIBRARY
    assert opened(tmp_path, convention=CLAUDE).convention is CLAUDE


def test_spec_2_a_store_of_claude_is_known_by_its_place_even_through_a_link(tmp_path: Path) -> None:
    root = tmp_path / "projects" / "-home-ada" / "memory"
    write(root, "a.md", text())
    (tmp_path / "short").symlink_to(root)
    assert opened(root).convention is CLAUDE
    linked = opened(tmp_path / "short")
    assert linked.convention is CLAUDE
    assert linked.entries[0].path == tmp_path / "short" / "a.md"


def test_a_missing_folder_is_empty_and_looking_makes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    directory = opened(root)
    assert (directory.missing, directory.entries, directory.index_data) == (True, (), None)
    assert not root.exists()
    write(root, "a.md", text())
    directory.refresh(["a.md"])
    assert (directory.missing, slugs(directory)) == (False, ["a"])
    before = sorted(root.iterdir())
    directory.refresh()
    assert sorted(root.iterdir()) == before
    shutil.rmtree(root)
    directory.refresh(settle=2.0)
    assert (directory.missing, slugs(directory)) == (False, ["a"])
    directory.refresh(settle=2.0)
    assert (directory.missing, slugs(directory)) == (True, [])


def test_a_folder_put_in_place_of_the_old_one_is_read_even_by_hints(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    write(root, "a.md", text("first"))
    directory = opened(root)
    root.rename(tmp_path / "old")
    write(root, "a.md", text("second"))
    directory.refresh(["a.md"])
    assert [entry.name for entry in directory.entries] == ["second"]
