"""Reliability §1: a move never replaces, and one that was interrupted between its two names is finished."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.disk.moving import Mover, Taken
from tests.crash.faults import NoExchange, NoLinks, QuietDisk


@pytest.mark.parametrize("disk", [QuietDisk, NoExchange, NoLinks])
def test_a_taken_name_is_left_alone_and_the_moved_file_stays(disk: type[Disk], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine")
    (tmp_path / "b.md").write_text("theirs")
    with Mover(Folder(tmp_path, disk())) as mover, pytest.raises(Taken):
        mover.move("a.md", "b.md")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.md": "mine", "b.md": "theirs"}


@pytest.mark.parametrize("disk", [QuietDisk, NoExchange])
def test_a_move_that_stopped_with_both_names_there_is_finished(disk: type[Disk], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine")
    os.link(tmp_path / "a.md", tmp_path / "b.md")
    with Mover(Folder(tmp_path, disk())) as mover:
        mover.move("a.md", "b.md")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"b.md": "mine"}
