"""A git of its own settings, and a bare repository on disk that plays the remote."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.team.address import checked_address
from memtui.team.git import Git
from memtui.team.repo import Repo, Talk
from tests.team.world import Machine, environment, machine


@pytest.fixture
def git(tmp_path: Path) -> Git:
    return Git(environment(tmp_path))


@pytest.fixture
def remote(tmp_path: Path, git: Git) -> Repo:
    """A remote; what a test commits to it may be as odd as it likes."""
    made = Repo(git, tmp_path / "remote.git")
    made.make()
    return made


@pytest.fixture
def talk(tmp_path: Path, remote: Repo) -> Talk:
    return Talk(checked_address(str(remote.path), cwd=tmp_path), "main")


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Repo:
    made = Repo(git, tmp_path / "state" / "repo.git")
    made.make()
    return made


@pytest.fixture
def ada(tmp_path: Path, remote: Repo) -> Machine:
    """One who shares through the remote."""
    made = machine(tmp_path / "ada")
    made.sync().init(str(remote.path), cwd=tmp_path)
    return made


@pytest.fixture
def bob(tmp_path: Path, remote: Repo) -> Machine:
    """Another one."""
    made = machine(tmp_path / "bob")
    made.sync().init(str(remote.path), cwd=tmp_path)
    return made
