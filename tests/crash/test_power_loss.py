"""Design §7: a power cut at any moment of any change loses nothing durable and nothing acknowledged (reliability §1, §6).

A few hundred states here; ``python -m tests.proof power`` goes through all.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from tests.crash.faults import Run, Tree, tree, violations, visible
from tests.proof.power import LimitedRecorder, Recorder, states
from tests.proof.power_cases import CASES, Case, left_behind

MANY = {"merge", "rename", "undo of a merge", "to the team", "accept all", "move"}
AT_LENGTH = {
    "back from the team",
    "edit",
    "types",
    "out of the trash",
    "propose",
    "accept",
    "reject",
    "copy",
    "adopt",
}
"""Left to ``python -m tests.proof power``: they change files as others here do."""


@pytest.mark.parametrize("name", [name for name in CASES if name not in AT_LENGTH])
def test_design_7_a_power_cut_leaves_a_change_made_or_not(name: str, tmp_path: Path) -> None:
    every = 12 if name in MANY else 2
    judged = list(left_behind(CASES[name], tmp_path, most=16, every=every, go_on=9))
    assert len(judged) > 10
    wrong = [line for _, lines in judged for line in lines]
    assert not wrong, "\n".join([f"{len(wrong)} in {len(judged)} states", *wrong[:10]])


def test_design_7_nor_does_it_where_the_file_system_cannot_exchange(tmp_path: Path) -> None:
    judged = list(left_behind(CASES["forget"], tmp_path, most=64, recorder=LimitedRecorder, every=2))
    assert not [line for _, lines in judged for line in lines]


def in_place(root: Path, disk: Disk) -> None:
    folder = disk.open(str(root), os.O_RDONLY | os.O_DIRECTORY)
    fd = disk.open("a.md", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, dir_fd=folder)
    disk.write(fd, b"a text that is quite new")
    disk.close(fd)
    disk.close(folder)


def by_rename(root: Path, disk: Disk, *, sync: bool = False, sync_folder: bool = False) -> None:
    folder = disk.open(str(root), os.O_RDONLY | os.O_DIRECTORY)
    fd = disk.open("a.md.tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, dir_fd=folder)
    disk.write(fd, b"a text that is quite new")
    if sync:
        disk.fsync(fd)
    disk.close(fd)
    disk.rename("a.md.tmp", "a.md", from_fd=folder, to_fd=folder)
    if sync_folder:
        disk.fsync(folder)
    disk.close(folder)


@pytest.mark.parametrize(
    ("write", "fails"),
    [
        (in_place, {"I1 a.md is torn", "I2 the bytes of a.md", "was said to be made"}),
        (by_rename, {"I1 a.md is torn", "I2 the bytes of a.md", "was said to be made"}),
        (
            lambda root, disk: by_rename(root, disk, sync=True),
            {"I2 the bytes of a.md", "was said to be made"},
        ),
        (
            lambda root, disk: by_rename(root, disk, sync_folder=True),
            {"I1 a.md is torn", "I2 the bytes of a.md", "was said to be made"},
        ),
        (lambda root, disk: by_rename(root, disk, sync=True, sync_folder=True), {"I2 the bytes of a.md"}),
    ],
)
def test_reliability_6_naive_writers_fail_the_same_check(
    write: Callable[[Path, Disk], None], fails: set[str], tmp_path: Path
) -> None:
    """The control: a check that such writers pass would prove nothing."""

    def prepare(root: Path) -> None:
        root.mkdir()
        (root / "a.md").write_bytes(b"the old text")

    def judge(run: Run, done: Tree) -> list[str]:
        return violations(run, visible(done), ())

    case = Case(prepare, write, lambda _root, _disk: (), judge, lambda _: None)
    wrong = [line for _, lines in left_behind(case, tmp_path, most=64) for line in lines]
    known = {"I1 a.md is torn", "I2 the bytes of a.md", "was said to be made"}
    assert {what for what in known if any(what in line for line in wrong)} == fails


def test_what_may_be_lost_is_what_was_not_synced(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    disk = Recorder(root)
    by_rename(root, disk)

    def left(recorded: Recorder) -> set[tuple[tuple[str, bytes], ...]]:
        found = set()
        for number, state in enumerate(states(recorded.recording, most=64)):
            state.build(tmp_path / str(number))
            found.add(tuple(sorted(tree(tmp_path / str(number)).items())))
        return found

    new = b"a text that is quite new"
    bytes_left = (b"", new[:12], bytes(24), new)
    assert left(disk) == {
        (),
        *(((name, data),) for name in ("a.md", "a.md.tmp") for data in bytes_left),
    }


def test_names_of_one_file_stay_together_and_what_is_in_a_lost_folder_is_lost(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.md").write_bytes(b"old")
    disk = Recorder(root)
    folder = disk.open(str(root), os.O_RDONLY | os.O_DIRECTORY)
    disk.mkdir("sub", dir_fd=folder)
    below = disk.open("sub", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    disk.link("a.md", "b.md", from_fd=folder, to_fd=below)
    disk.fsync(below)
    seen = set()
    for number, state in enumerate(states(disk.recording, most=64)):
        place = tmp_path / str(number)
        state.build(place)
        seen.add(tuple(sorted(tree(place))))
        if (place / "sub/b.md").exists():
            assert (place / "sub/b.md").samefile(place / "a.md")
    assert seen == {("a.md",), ("a.md", "sub/b.md")}
