"""A watched directory under far more change than any person makes (reliability §2): the end equals a fresh look."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from memtui.memory.directory.scan import Directory
from memtui.snapshot import Snapshot
from memtui.store import MemoryStore
from memtui.watching import BIG_BATCH
from tests.integration.test_watching import Follower, equal_to_fresh, text, write

ODD = (
    "b\udcff.md",
    "\N{RIGHT-TO-LEFT OVERRIDE}x.md",
    "e\u0301.md",
    "\N{PILE OF POO}.md",
    "a\nb.md",
    " .md",
    "con.md",
    "x.md/y.md",
)
MOST_GROWTH = 16 << 20
"""How much larger the process may be at the end than after a tenth of the changes, bytes (ours)."""


class LastOnly(Follower):
    """Keeps the newest snapshot and no other."""

    def _publish(self, snapshot: Snapshot) -> None:
        with self._news:
            self.seen[:] = [snapshot]
            self._news.notify_all()


def change(root: Path, dice: random.Random, number: int) -> None:
    """One change as somebody might make it, or one that fails."""
    rel = dice.choice(("", "", "sub/", "sub/deep/")) + f"m{dice.randrange(60)}.md"
    try:
        match dice.randrange(400):
            case 0:
                shutil.rmtree(root)
            case 1:
                root.rename(root.with_name("aside"))
                root.mkdir()
                shutil.rmtree(root.with_name("aside"))
            case 2:
                for burst in range(BIG_BATCH + 50):  # more at once than hints are looked at singly
                    write(root, f"burst{burst}.md", text(f"burst {number}"))
                for path in root.glob("burst*.md"):
                    path.unlink()
            case 3 | 4 | 5 | 6:
                shutil.rmtree(root / dice.choice(("sub", "sub/deep", "x.md")))
            case odd if odd < 30:
                path = root / dice.choice(ODD)
                if path.is_file() and dice.random() < 0.7:
                    path.unlink()
                else:
                    write(root, str(path.relative_to(root)), text("odd"))
            case remove if remove < 120:
                (root / rel).unlink()
            case swap if swap < 200:
                write(root, f".t{number}", text(f"r{number}")).rename(root / rel)
            case torn if torn < 240:
                write(root, rel, text(f"t{number}")[: dice.randrange(40)])
            case move if move < 280:
                (root / rel).rename(root / f"m{dice.randrange(60)}.md")
            case index if index < 300:
                write(root, "MEMORY.md", f"- [M](m{dice.randrange(60)}.md) - {number}\n")
            case _:
                write(root, rel, text(f"w{number}"))
    except OSError:
        pass


def soak(root: Path, operations: int, seed: int, patience: float) -> tuple[int, int]:
    """Make so many changes under a watch, and wait until what it shows equals a fresh look.

    Returns:
        Size of the process after a tenth of them, and at the end, bytes.
    """
    root.mkdir()
    store = MemoryStore(Directory(root))
    store.refresh()
    follower = LastOnly(store)
    dice = random.Random(seed)
    tenth = 0
    try:
        for number in range(operations):
            change(root, dice, number)
            if number == operations // 10:
                tenth = size()
        for name in ODD:  # one that is not UTF-8 keeps the system's events off for as long as it is there
            path = root / name
            if path.is_file():
                path.unlink()
        write(root, "m1.md", text("the end"))
        follower.until(equal_to_fresh(root), patience)
        return tenth, size()
    finally:
        follower.end()


def size() -> int:
    """Memory that the process holds now, bytes; the most it ever held where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def proof(place: Path, long: bool) -> Iterator[str]:
    """A hundred thousand changes; ten thousand without ``--long``."""
    operations = 100_000 if long else 10_000
    try:
        tenth, end = soak(place / "memory", operations, seed=11, patience=600)
    except AssertionError as error:
        yield str(error)
        return
    print(f"{operations:,} changes; {tenth >> 20} MB after a tenth, {end >> 20} MB at the end", flush=True)
    if end - tenth > MOST_GROWTH:
        yield f"memory grew by {(end - tenth) >> 20} MB"
