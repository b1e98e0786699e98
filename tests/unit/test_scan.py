"""The list of memories in a folder: what counts, in what order, at what cost (spec §3, §5; reliability §1, §2)."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.memory.conventions import CLAUDE, LIBRARY
from memtui.memory.disk import Disk
from memtui.memory.files import Folder
from memtui.memory.scan import Changes, Directory, kind_of, read_entry, slug_of
from memtui.memory.types import ACTIVE, Historical, MemoryEntry, MemoryType, Severity

NOW = 1_790_000_000.0
DAY = 86_400.0


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


def text(
    name: str = "A", *, type_: str = "user", body: str = "Something worth remembering.", extra: str = ""
) -> str:
    return f"---\nname: {name}\ndescription: about {name}\ntype: {type_}\n{extra}---\n\n{body}\n"


def write(root: Path, rel: str, data: str | bytes, *, days: float | None = 1.0) -> Path:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    if days is not None:
        os.utime(path, (NOW - days * DAY, NOW - days * DAY))
    return path


def opened(root: Path, **kwargs: object) -> Directory:
    directory = Directory(root, clock=lambda: NOW, **kwargs)  # type: ignore[arg-type]
    directory.refresh()
    return directory


def slugs(directory: Directory) -> list[str]:
    return [entry.slug for entry in directory.entries]


def old_wall() -> int:
    """A system clock far ahead of every file: nothing is too young to trust its stamp."""
    return 1 << 62


# -- what counts -------------------------------------------------------------------------------------------------------


def test_spec_5_index_dot_files_logs_and_other_endings_are_not_memories(tmp_path: Path) -> None:
    for rel in (
        "a.md",
        "sub/b.md",
        "sub/logs/c.md",
        "team/d.md",
        "node_modules/e.md",
        "记忆.md",
        "memory.md",
    ):
        write(tmp_path, rel, text())
    for rel in (
        "MEMORY.md",
        "team/MEMORY.md",
        ".hidden.md",
        ".git/x.md",
        "sub/.x/y.md",
        "logs/2026/l.md",
        "n.txt",
        "u.MD",
        ".memtui/trash/t.md",
        ".memtui/inbox/i.md",
    ):
        write(tmp_path, rel, text())
    assert sorted(slugs(opened(tmp_path))) == sorted(
        ["a", "sub/b", "sub/logs/c", "team/d", "node_modules/e", "记忆", "memory"]
    )


@pytest.mark.parametrize(
    ("rel", "kind"),
    [
        ("a.md", "memory"),
        ("sub/a.md", "memory"),
        ("sub/logs/a.md", "memory"),
        (".memtui/history/a_v1.md", "memory"),
        (".memtui/history/sub/a_v1.md", "memory"),
        ("MEMORY.md", "index"),
        ("team/MEMORY.md", "none"),
        ("logs", "none"),
        ("logs/2026/01/x.md", "none"),
        ("logs.md", "memory"),
        (".a.md", "none"),
        ("sub/.a.md", "none"),
        (".memtui/lock", "none"),
        (".memtui/inbox/p.md", "none"),
        (".memtui/history/.a_v1.md", "none"),
        (".memtui", "other"),
        (".memtui/history", "other"),
        ("sub", "other"),
        ("notes.txt", "other"),
        ("", "other"),
        ("../x.md", "none"),
        ("/x.md", "none"),
        ("sub/../x.md", "none"),
        ("a//b.md", "none"),
        ("a\0.md", "none"),
    ],
)
def test_spec_5_a_path_tells_what_it_stands_for(rel: str, kind: str) -> None:
    assert kind_of(rel) == kind


def test_every_path_a_full_look_lists_is_one_that_a_hint_accepts(tmp_path: Path) -> None:
    for rel in (
        "a.md",
        "sub/b.md",
        "logs/no.md",
        "sub/logs/c.md",
        ".d/no.md",
        ".memtui/history/logs/e_v1.md",
    ):
        write(tmp_path, rel, text())
    folder = Folder(tmp_path)
    listed = {rel for rel, _ in folder.walk()} | {rel for rel, _ in folder.walk_history()}
    assert {rel for rel in listed if kind_of(rel) == "memory"} == listed
    hinted = opened(tmp_path)
    for rel in listed:
        (tmp_path / rel).unlink()
    hinted.refresh(listed)
    assert hinted.entries == ()


def test_spec_3_an_entry_has_every_field_of_the_file(tmp_path: Path) -> None:
    data = (
        "---\nname: Real database\ndescription: no mocks\nmetadata:\n  node_type: memory\n  type: feedback\n"
        "  originSessionId: 0f-1\n  modified: 2026-09-01T00:00:00Z\n---\n\nUse it.\n"
    )
    path = write(tmp_path, "sub/db.md", data, days=3)
    entry = opened(tmp_path).get("sub/db")
    assert entry is not None
    assert (entry.slug, entry.rel, entry.path) == ("sub/db", "sub/db.md", path)
    assert (entry.name, entry.description, entry.content) == ("Real database", "no mocks", "Use it.\n")
    assert (entry.memory_type, entry.type_text, entry.origin) == (MemoryType.FEEDBACK, "feedback", "0f-1")
    assert (entry.mtime, entry.modified) == (NOW - 3 * DAY, 1_788_220_800.0)
    assert (entry.status, entry.scope, entry.body_line, entry.size) == (ACTIVE, "private", 11, len(data))
    assert entry.digest == Folder(tmp_path).read("sub/db.md").digest


def test_spec_3_effective_time_is_frontmatter_then_mtime_and_the_future_counts_as_now(tmp_path: Path) -> None:
    write(tmp_path, "mtime.md", text(), days=5)
    write(tmp_path, "front.md", text(extra="modified: 2026-09-01T00:00:00Z\n"), days=5)
    write(tmp_path, "odd.md", text(extra="modified: soon\n"), days=6)
    write(tmp_path, "future.md", text(extra="modified: 2099-01-01T00:00:00Z\n"), days=7)
    write(tmp_path, "touched-in-future.md", text(), days=-9)
    found = {entry.slug: entry.modified for entry in opened(tmp_path).entries}
    assert found == {
        "mtime": NOW - 5 * DAY,
        "front": 1_788_220_800.0,
        "odd": NOW - 6 * DAY,
        "future": NOW,
        "touched-in-future": NOW,
    }


def test_spec_5_historical_by_status_or_by_place_never_by_name(tmp_path: Path) -> None:
    write(tmp_path, "plan_v3.md", text())
    write(tmp_path, "plan_v1.md", text(extra="status: historical\nsuperseded_by: plan\n"))
    write(tmp_path, "odd.md", text(extra="status: superseded\n"))
    write(tmp_path, ".memtui/history/plan_v2.md", text())
    write(tmp_path, ".memtui/history/sub/x_v1.md", text(extra="superseded_by: sub/x\n"))
    found = {entry.slug: entry.status for entry in opened(tmp_path).entries}
    assert found == {
        "plan_v3": ACTIVE,
        "odd": ACTIVE,
        "plan_v1": Historical("plan"),
        "plan_v2": Historical(None),
        "sub/x_v1": Historical("sub/x"),
    }


def test_an_archive_and_a_live_memory_of_one_slug_are_both_listed_and_the_live_one_is_found(
    tmp_path: Path,
) -> None:
    live = write(tmp_path, "a_v1.md", text("live"))
    aside = write(tmp_path, ".memtui/history/a_v1.md", text("archive"))
    directory = opened(tmp_path)
    assert [(e.slug, e.path, e.aside) for e in directory.entries] == [
        ("a_v1", live, False),
        ("a_v1", aside, True),
    ]
    found, by_path = directory.get("a_v1"), directory.get_rel(".memtui/history/a_v1.md")
    assert (found and found.name, by_path and by_path.name) == ("live", "archive")
    live.unlink()
    directory.refresh(["a_v1.md"])
    left = directory.get("a_v1")
    assert left is not None
    assert left.name == "archive"


def test_scope_is_team_below_team_only(tmp_path: Path) -> None:
    for rel in ("a.md", "team/b.md", "teams/c.md", "sub/team/d.md", ".memtui/history/team/b_v1.md"):
        write(tmp_path, rel, text())
    scopes = {entry.rel: entry.scope for entry in opened(tmp_path).entries}
    assert scopes == {
        "a.md": "private",
        "team/b.md": "team",
        "teams/c.md": "private",
        "sub/team/d.md": "private",
        ".memtui/history/team/b_v1.md": "team",
    }


def test_spec_3_unknown_and_missing_types_are_kept_as_written(tmp_path: Path) -> None:
    write(tmp_path, "odd.md", text(type_="Decision"))
    write(tmp_path, "none.md", "just text\n")
    directory = opened(tmp_path)
    odd, none = directory.get("odd"), directory.get("none")
    assert odd is not None
    assert none is not None
    assert (odd.memory_type, odd.type_text) == (None, "Decision")
    assert (none.memory_type, none.type_text, none.name, none.description) == (None, None, "none", "")


# -- files that cannot be read -----------------------------------------------------------------------------------------


def test_spec_4_a_file_that_cannot_be_read_is_an_entry_with_its_problem(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    root = tmp_path / "memory"
    root.mkdir()
    write(root, "good.md", text())
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    write(root, "folder.md/inner.md", text("inner"))
    (root / "huge.md").touch()
    os.truncate(root / "huge.md", 1 << 40)
    (root / "passwd.md").symlink_to("/etc/passwd")
    (root / "dangling.md").symlink_to("nowhere.md")
    (root / "loop.md").symlink_to("loop.md")
    write(root, "latin.md", text("caf").encode() + b"\xe9\n")
    os.close(os.open(os.fsencode(root) + b"/odd\xff.md", os.O_CREAT | os.O_WRONLY))
    directory = opened(root)
    problems = {
        e.slug: {p.code for p in e.problems if p.severity is Severity.ERROR} for e in directory.entries
    }
    assert problems["pipe"] == problems["folder"] == {"not-regular"}
    assert problems["huge"] == {"too-large"}
    assert problems["passwd"] == {"outside"}
    assert "odd\udcff" in problems
    assert problems["good"] == problems["folder.md/inner"] == set()
    assert "latin" in problems
    passwd = directory.get("passwd")
    assert passwd is not None
    assert (passwd.name, passwd.content, passwd.digest) == ("passwd", "", "")
    assert all(problem.message for entry in directory.entries for problem in entry.problems)


def test_a_link_inside_the_folder_reads_as_its_target(tmp_path: Path) -> None:
    write(tmp_path, "sub/real.md", text("Real"))
    (tmp_path / "link.md").symlink_to("sub/real.md")
    names = {entry.slug: entry.name for entry in opened(tmp_path).entries}
    assert names == {"sub/real": "Real", "link": "Real"}


def test_read_entry_reads_one_file_and_says_when_there_is_none(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.md", text("One"))
    entry = read_entry(Folder(tmp_path), "sub/a.md", lambda: NOW)
    assert entry == opened(tmp_path).get("sub/a")
    with pytest.raises(FileNotFoundError):
        read_entry(Folder(tmp_path), "b.md", lambda: NOW)


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


def test_many_threads_may_look_and_read_at_once(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path, f"m{number}.md", text())
    directory = opened(tmp_path)
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        pick = random.Random(seed)
        try:
            for _ in range(40):
                rel = f"m{pick.randrange(40)}.md"
                write(tmp_path, rel, text(f"n{pick.randrange(9)}"), days=pick.random())
                directory.refresh([rel] if pick.random() < 0.8 else None)
                assert len(directory.entries) >= 30
                directory.take_changes()
        except BaseException as error:  # noqa: BLE001  -- carried to the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    directory.refresh()
    assert directory.entries == opened(tmp_path).entries


# -- the whole against a fresh look ------------------------------------------------------------------------------------

RELS = [
    "a.md",
    "b.md",
    "MEMORY.md",
    "sub/a.md",
    "sub/deep/c.md",
    ".memtui/history/a_v1.md",
    "a_v1.md",
    "x.md/y.md",
]
TEXTS = [
    text("one"),
    text("two", extra="modified: 2099-01-01T00:00:00Z\n"),
    text("old", extra="status: historical\n"),
    "",
    "no header",
    "---\nname: torn",
    text("n", extra="metadata:\n  type: user\n"),
]
WRITES = st.tuples(st.just("write"), st.sampled_from(RELS), st.sampled_from(TEXTS), st.integers(-3, 99))
REMOVES = st.tuples(
    st.just("remove"), st.sampled_from([*RELS, "sub", "sub/deep", "x.md", ".memtui"]), st.just(""), st.just(0)
)
MOVES = st.tuples(st.just("move"), st.sampled_from(RELS), st.sampled_from(RELS), st.just(0))
LOOKS = st.tuples(st.sampled_from(["hints", "full"]), st.just(""), st.just(""), st.just(0))


def _act(root: Path, what: str, rel: str, value: str, days: int) -> set[str]:
    """Do one thing as somebody would, and name the paths a watcher would."""
    path = root / rel
    try:
        if what == "write":
            made = {
                str(p.relative_to(root))
                for p in path.parents
                if p != root and root in p.parents and not p.exists()
            }
            write(root, rel, value, days=days)
            return {rel, *made}
        if what == "remove" and path.is_dir():
            shutil.rmtree(path)
        elif what == "remove":
            path.unlink()
        else:
            path.rename(root / value)
            return {rel, value}
    except OSError:
        return set()
    return {rel}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WRITES | REMOVES | MOVES | LOOKS, max_size=14))
def test_hints_and_full_looks_end_equal_to_a_fresh_look(steps: list[tuple[str, str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        directory = opened(root, convention=LIBRARY)
        seen: dict[str, MemoryEntry] = {}
        hints: set[str] = set()

        def compare(look_at: set[str] | None) -> None:
            directory.refresh(look_at)
            fresh = opened(root, convention=LIBRARY)
            assert directory.entries == fresh.entries
            assert list(directory.entries) == sorted(directory.entries, key=order)
            assert directory.index_data == fresh.index_data
            assert directory.shapes == fresh.shapes
            assert directory._below == fresh._below
            assert directory._future == fresh._future
            after = {entry.rel: entry for entry in directory.entries}
            changes = directory.take_changes()
            was, now = {slug_of(rel) for rel in seen}, {slug_of(rel) for rel in after}
            assert changes.added == now - was
            assert changes.removed == was - now
            different = {rel for rel in seen.keys() | after.keys() if seen.get(rel) != after.get(rel)}
            assert changes.changed == {slug_of(rel) for rel in different} & was & now
            seen.clear()
            seen.update(after)
            hints.clear()

        for what, rel, value, days in steps:
            if what == "hints":
                compare(set(hints))
            elif what == "full":
                compare(None)
            else:
                hints |= _act(root, what, rel, value, days)
        compare(set(hints))
        compare(None)


def test_a_bulk_is_placed_like_single_files(tmp_path: Path) -> None:
    pick = random.Random(7)
    directory = opened(tmp_path)
    for _ in range(4):
        touched = []
        for number in pick.sample(range(300), 150):
            rel = f"m{number}.md"
            if (tmp_path / rel).exists() and pick.random() < 0.3:
                (tmp_path / rel).unlink()
            else:
                write(tmp_path, rel, text(f"n{pick.random()}"), days=pick.random() * 50)
            touched.append(rel)
        directory.refresh(touched)
        assert directory.entries == opened(tmp_path).entries
        assert list(directory.entries) == sorted(directory.entries, key=order)
