"""A disk that is really full, at every stage of a sync: a sentence and a way on, work goes on, and room heals it."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from memtui.memory.errors import Refused
from memtui.team.failures import TeamError
from memtui.team.git import Git
from memtui.team.repo import Repo
from memtui.team.results import SyncReport
from tests.team.making import DEPLOY, memory, share, take
from tests.team.world import Machine, environment, machine

SPARE = (0, 12_288, 16_384, 20_480)
"""Bytes that are left: for no object, for the commit but not the state, for both but not what is fetched, or its reference."""


class Filled:
    """Ada and Bob share, with one folder of Ada's or the remote on the small disk; a filler takes its room and gives it back."""

    def __init__(self, tmp: Path, disk: Path, what: str) -> None:
        self.disk, self.filler = disk, disk / "filler"
        remote = (disk if what == "remote" else tmp) / "remote.git"
        Repo(Git(environment(tmp)), remote).make()
        self.ada, self.bob = machine(tmp / "ada"), machine(tmp / "bob")
        if what != "remote":
            shutil.rmtree(self.ada.root / what, ignore_errors=True)
            (disk / what / "team").mkdir(parents=True)
            (self.ada.root / what).symlink_to(disk / what)
        for one in (self.ada, self.bob):
            one.sync().init(str(remote), cwd=tmp)
        self.ada.write("a.md", DEPLOY)
        share(self.ada, self.bob)

    def fill(self, number: int, spare: int) -> None:
        """Let both change something, Bob share it, and leave so much room."""
        self.bob.write(f"b{number}.md", memory("b", *(f"line {n} {n * 77 + number}" for n in range(300))))
        share(self.bob)
        self.ada.write("a.md", memory("a", *(f"mine {n} {n * 91 + number}" for n in range(200))))
        room = os.statvfs(self.disk)
        self.filler.write_bytes(b"f" * max(0, room.f_bavail * room.f_frsize - spare))

    def free(self) -> None:
        """Make room again; after one sync and what came is taken, both have the same."""
        self.filler.unlink()
        share(self.ada)
        take(self.ada)
        take(self.bob)
        assert self.ada.team() == self.bob.team()


def says_full(report: SyncReport) -> bool:
    error = report.status.last_error
    if error is None:
        return False
    assert error.code == "disk-full", error
    assert error.todo
    return True


def works_on(one: Machine, number: int) -> None:
    one.manager().save_memory("local", "Local", f"goes on {number}", "project", f"It is saved, {number}.")


def test_where_the_shared_history_lies(tmp_path: Path, small_disk: Path) -> None:
    filled = Filled(tmp_path, small_disk, "state")
    ada, full = filled.ada, 0
    for number, spare in enumerate(SPARE):
        filled.fill(number, spare)
        mine = ada.team()["a.md"]
        report = ada.sync().sync()
        full += says_full(report)
        assert ada.team()["a.md"] == mine
        assert ada.sync().status().configured
        with suppress(TeamError):
            ada.sync().accept(report.status.arrivals)
        works_on(ada, number)
        filled.free()
    assert full >= 2


def test_where_the_memories_lie(tmp_path: Path, small_disk: Path) -> None:
    filled = Filled(tmp_path, small_disk, "memory")
    filled.fill(0, 0)
    report = filled.ada.sync().sync()
    assert (report.pushed, report.status.last_error) == (True, None), "what is ours can still go out"
    (arrival,) = report.status.arrivals
    with pytest.raises(Refused, match="the disk is full"):
        filled.ada.sync().accept([arrival])
    assert filled.ada.sync().status().arrivals == (arrival,)
    assert sorted(filled.ada.team()) == ["a.md"]
    filled.free()


def test_where_the_remote_lies(tmp_path: Path, small_disk: Path) -> None:
    filled = Filled(tmp_path, small_disk, "remote")
    full = 0
    for number, spare in enumerate((0, 20_480)):
        filled.fill(number, spare)
        report = filled.ada.sync().sync()
        full += says_full(report)
        assert report.committed == ("a.md",)
        if report.status.last_error is not None:
            assert "remote.git" in report.status.last_error.where
            assert report.status.ahead
        works_on(filled.ada, number)
        filled.free()
    assert full >= 1
