"""A memory directory in which proposals of every kind wait, and which others changed since a person last looked."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Evidence, Inbox, Origin, Proposal
from memtui.memory.review.unreviewed import Unreviewed
from memtui.memory.review.visits import Visits

from .making import DAY, NOW

RELEASE = (
    "Releases are cut from `main` on Thursdays. The tag is made by hand, and the notes are written before it."
)
TESTS = "Integration tests run against a real database.\nMocks hid a broken migration last spring.\nRun `make check` first."


class Waiting:
    """Builds it; ``memory`` is the directory, ``state`` the person's state folder."""

    def __init__(self, root: Path) -> None:
        self.memory, self.state = root / "memory", root / "state"
        self.memory.mkdir(parents=True, exist_ok=True)
        self.now = NOW - 3 * DAY

    def manager(self) -> MemoryManager:
        return MemoryManager.open(self.memory, "claude", clock=lambda: self.now)

    def write(self, slug: str, body: str, *, days: float = 5) -> bytes:
        """What somebody else writes past memtui."""
        data = f"---\nname: {slug.capitalize()}\ndescription: about {slug}\ntype: project\n---\n\n{body}\n".encode()
        path = self.memory / f"{slug}.md"
        path.write_bytes(data)
        os.utime(path, (NOW - days * DAY,) * 2)
        return data

    def seen(self) -> None:
        """Take everything as seen."""
        Unreviewed(self.manager(), Visits(self.state, self.memory)).changes()

    def add(self, *proposals: Proposal) -> tuple[Proposal, ...]:
        inbox = Inbox(self.manager())
        assert [inbox.add(each) for each in proposals] == [True] * len(proposals)
        return proposals

    def inbox(self) -> Inbox:
        return Inbox(self.manager())

    def tree(self) -> dict[str, bytes]:
        """Every file that is not memtui's own but for the inbox, with its bytes."""
        return {
            rel: path.read_bytes()
            for path in sorted(self.memory.rglob("*"))
            if (
                path.is_file()
                and not (rel := path.relative_to(self.memory).as_posix()).startswith(".memtui/")
            )
            or path.parent.name == "inbox"
        }


def full(root: Path) -> Waiting:
    """One of everything."""
    made = Waiting(root)
    made.write("tests", TESTS)
    made.write("release", RELEASE, days=20)
    made.write("old-plan", "The plan of last spring, which nobody follows any more.", days=90)
    made.write("deploy", "Deploys go out on Fridays, after the stand-up of the whole team.", days=40)
    made.write("style", "Four spaces, and no tabs anywhere in the repository.")
    (made.memory / "MEMORY.md").write_text(
        "".join(
            f"- [{s.capitalize()}]({s}.md) — about {s}\n"
            for s in ("tests", "release", "old-plan", "deploy", "style")
        )
    )
    made.seen()
    said = Evidence(
        "/home/ada/.claude/projects/-home-ada-lab/7d1c.jsonl",
        212,
        "remember: we always squash before we merge",
        before="Shall I merge the branch as it is?",
        after="Understood, squashing it first.",
    )
    inbox = made.inbox()
    talk = Origin("extraction", "You asked to remember it.", (said,), by="rules", session="7d1c")
    made.now = NOW - 2 * DAY
    made.add(
        inbox.propose_save(
            "squash",
            "Squash before merging",
            "how branches are merged",
            "feedback",
            "Always squash a branch before it is merged, so that `main` reads as a list of changes.",
            talk,
        ),
        inbox.propose_save(
            "tests",
            "Tests",
            "about tests",
            "project",
            TESTS.replace("a real database", "a real PostgreSQL 16").replace(" first", " before a push"),
            Origin("extraction", "You said which database it is.", (said,), by="rules"),
        ),
    )
    made.now = NOW - DAY
    made.add(
        inbox.propose_forget(["old-plan"], Origin("dream", "Nobody has read it for 90 days.", by="rules")),
        inbox.propose_merge(
            ["deploy"],
            "release",
            "Release",
            "about release",
            "project",
            f"{RELEASE}\nDeploys go out on Fridays.",
            Origin("dream", "Both are about releases.", by="rules"),
        ),
    )
    made.write("style", "Two spaces, and no tabs anywhere in the repository.", days=0.1)
    made.write("cache", "The cache is cleared by hand after each deploy.", days=0.2)
    (made.memory / ".memtui" / "inbox" / "notes.json").write_text('{"not": "a proposal"}\n')
    return made
