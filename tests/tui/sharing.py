"""Two people who share memories through a bare repository on this disk, with real git: the one at the screen, and Bob."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from memtui.memory.managing.manager import MemoryManager
from memtui.team.git import Git
from memtui.team.sync import TeamSync

from .making import DAY, NOW

REMOTE = "git@git.example.org:memories.git"
"""The remote; a stand-in for ssh serves it from a folder, so that its address looks the same everywhere."""


def _local_ssh(server: Path) -> Path:
    """A command that does for git what ssh does, on this machine: run the last argument where the repository lies."""
    command = server / "ssh"
    if not command.exists():
        server.mkdir(parents=True, exist_ok=True)
        command.write_text(
            f'#!/bin/sh\n[ "$1" = -G ] && exit 0\nfor last; do :; done\ncd \'{server}\' && exec sh -c "$last"\n'
        )
        command.chmod(0o755)
    return command


class Person:
    """Somebody with a memory directory, a state folder and a name."""

    def __init__(self, name: str, home: Path, memory: Path, server: Path, now: float) -> None:
        self.start = self.now = now
        self.home, self.memory, self.state = home, memory, home / "state"
        home.mkdir(parents=True, exist_ok=True)
        (home / ".gitconfig").write_text(f"[user]\n\tname = {name}\n\temail = {name.lower()}@example.org\n")
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_SSH_COMMAND": str(_local_ssh(server)),
        }
        self.manager = MemoryManager.open(memory, clock=lambda: self.now)
        self.sync = TeamSync(self.manager, self.state, Git(self.environ), wall=lambda: now + DAY)

    def write(
        self, name: str, body: str, *, title: str = "", description: str = "", kind: str = "project"
    ) -> None:
        """Write a memory of the team, as an agent does."""
        path = self.memory / "team" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = f"name: {title or name}\ndescription: {description or f'about {name}'}\ntype: {kind}\n"
        path.write_text(f"---\n{header}---\n\n{body}\n", encoding="utf-8")
        os.utime(path, (self.now, self.now))

    def remove(self, name: str) -> None:
        (self.memory / "team" / f"{name}.md").unlink()

    def share(self, days: float) -> None:
        """Sync, so many days ago, and take whatever came."""
        self.now = self.start - days * DAY
        report = self.sync.sync()
        if report.status.arrivals:
            self.sync.accept(report.status.arrivals)


class Shared:
    """A remote and two people.

    Attributes:
        server: the folder that the remote lies in.
        now: the time.
        ada: who sits at the screen.
        bob: the other one.
    """

    def __init__(self, root: Path, memory: Path, now: float = NOW) -> None:
        """Set up both, and share.

        Args:
            root: folder for the server and the homes.
            memory: the memory directory of who sits at the screen.
            now: the time at which they do.
        """
        self.now = now
        self.server = root / "server"
        subprocess.run(["git", "init", "-q", "--bare", str(self.server / "memories.git")], check=True)
        self.ada = Person("Ada", root / "home-ada", memory, self.server, now)
        self.bob = Person("Bob", root / "home-bob", root / "home-bob" / "memory", self.server, now)
        self.bob.memory.mkdir()
        for person in (self.ada, self.bob):
            person.sync.init(REMOTE, cwd=root)

    def push_raw(self, days: float) -> None:
        """Push what memtui would not: a secret and a link, as somebody with git alone can."""
        work = self.bob.home / "work"
        then = f"{self.now - days * DAY:.0f} +0000"
        environ = {**self.bob.environ, "GIT_AUTHOR_DATE": then, "GIT_COMMITTER_DATE": then}

        def git(*words: str, where: Path) -> None:
            subprocess.run(["git", *words], cwd=where, env=environ, check=True, capture_output=True)

        git("clone", "-q", "-b", "main", REMOTE, str(work), where=self.bob.home)
        header = "---\nname: Staging\ndescription: how to get in\ntype: reference\n---\n"
        (work / "staging.md").write_text(f"{header}\nThe key is {made_secret('s')}.\n")
        (work / "hosts.md").symlink_to("/etc/hosts")
        git("add", "-A", where=work)
        git("commit", "-q", "-m", "Add staging", where=work)
        git("push", "-q", "origin", "HEAD:main", where=work)

    def lose(self) -> None:
        """Have the remote be out of reach."""
        self.server.rename(self.server.with_name("away"))


def busy(root: Path, memory: Path, now: float = NOW) -> Shared:
    """Everything that there can be: arrivals of each kind, a clash, something held back, something not shared."""
    shared = Shared(root, memory, now)
    ada, bob = shared.ada, shared.bob
    ada.write(
        "deploys", "Deploys happen on Tuesdays.\n\n**Why:** the support team is there.", title="Deploys"
    )
    ada.write("reviews", "Two people read every change.", title="Reviews")
    ada.write("old-sprint", "Sprint 12 ends in March.", title="Sprint 12")
    ada.share(days=9)
    bob.share(days=8)
    bob.write(
        "deploys",
        "Deploys happen on Tuesdays and Thursdays.\n\n**Why:** the support team is there.",
        title="Deploys",
    )
    bob.write("reviews", "Two people read every change, one of them from another team.", title="Reviews")
    bob.write("on-call", "升级路径：先找值班的人，再找 Robin。\x1b[2J", title="On call", kind="reference")
    bob.remove("old-sprint")
    bob.share(days=1)
    shared.push_raw(days=0.5)
    ada.now = now - 0.25 * DAY
    ada.write(
        "deploys", "Deploys happen on Wednesdays.\n\n**Why:** the support team is there.", title="Deploys"
    )
    ada.write("vpn", f"The VPN needs {made_secret('v')}.", title="VPN")
    ada.sync.sync()
    return shared


def made_secret(seed: str) -> str:
    """What the guard takes for a token of GitHub; made up when it is needed, so that none stands in the repository."""
    letters = hashlib.sha256(seed.encode()).hexdigest()
    return "gh" + "p_" + letters[:36]
