"""What loading, following and publishing cost (design §7). ``rows()`` measures; nothing here is a test.

Every figure is the best of several runs, since other work on the machine only ever adds to it. The yardstick reads
each file the plain way, ``os.open``, ``os.read`` with a buffer of 64 KiB, ``os.close``: a buffer of a megabyte would
make it five times slower, and the goal five times easier.
"""

from __future__ import annotations

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from memtui.memory.directory.scan import Directory
from memtui.store import MemoryStore, Snapshot

Row = tuple[str, str, str, bool]

_BUFFER = 1 << 16


@contextmanager
def directory_of(count: int) -> Iterator[Path]:
    """A directory of memories with sizes as in real ones: median 2.1 KB, 90 % under 6.1 KB."""
    pick = random.Random(count)
    line = "Integration tests must hit a real database, because mocks hid a broken migration last quarter.\n"
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for number in range(count):
            size = min(int(pick.lognormvariate(7.65, 0.83)), 60_000)
            nested = number % 2 == 0
            kind = pick.choice(["project", "feedback", "reference", "user"])
            shape = f"metadata:\n  node_type: memory\n  type: {kind}\n" if nested else f"type: {kind}\n"
            body = line * (size // len(line) + 1)
            (root / f"memory-{number}.md").write_text(
                f"---\nname: Memory {number}\ndescription: what was learned about {number}\n{shape}---\n\n{body[:size]}\n"
            )
        yield root


def best_of(
    times: int, *runs: Callable[[], object], before: Callable[[], object] = lambda: None
) -> list[float]:
    """Shortest of several runs of each, seconds; taken in turns, so that all of them meet the same machine."""
    best = [float("inf")] * len(runs)
    for _ in range(times):
        for at, run in enumerate(runs):
            before()
            start = time.perf_counter()
            run()
            best[at] = min(best[at], time.perf_counter() - start)
    return best


def _load(root: Path) -> None:
    directory = Directory(root)
    directory.refresh()
    assert directory.entries


def _read_plainly(paths: list[str]) -> None:
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        os.read(fd, _BUFFER)
        os.close(fd)


def _forget_pages(paths: list[str]) -> None:
    """Have the system drop the files' content from its cache; needs no rights, but their inodes stay cached."""
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def _loading() -> Iterator[Row]:
    with directory_of(10_000) as root:
        with os.scandir(root) as found:
            paths = [entry.path for entry in found]
        plain, ours = best_of(7, lambda: _read_plainly(paths), lambda: _load(root))
        yield _ratio("load 10,000 files, pages in the system's cache", ours, plain, 2.5, "os.read")
        if hasattr(os, "posix_fadvise"):
            os.sync()  # only what is on the disk can be forgotten
            cold, from_disk = best_of(
                3, lambda: _read_plainly(paths), lambda: _load(root), before=lambda: _forget_pages(paths)
            )
            yield _ratio("load 10,000 files, pages on the disk only", from_disk, cold, 2.5, "os.read")
        directory = Directory(root)
        directory.refresh()
        (again,) = best_of(5, directory.refresh)
        yield "look at 10,000 unchanged files", "-", f"{again * 1e3:.0f} ms", True
        with directory_of(100_000) as large:
            ten, hundred = best_of(3, lambda: _load(root), lambda: _load(large))
        yield _ratio("load 100,000 files", hundred, ten, 12, "10,000")


def _ratio(name: str, ours: float, other: float, goal: float, what: str) -> Row:
    ratio = ours / other
    measured = f"{ratio:.2f} × ({ours * 1e3:,.0f} ms to {other * 1e3:,.0f} ms)"
    return name, f"≤ {goal:g} × {what}", measured, ratio <= goal


def _one_change(count: int) -> float:
    """Seconds from the hint to the new snapshot, median of 200."""
    with directory_of(count) as root:
        store = MemoryStore(Directory(root))
        store.refresh()
        found = []
        for number in range(200):
            path = root / f"memory-{number * 5}.md"
            path.write_text(path.read_text() + f"One more line, {number}.\n")
            start = time.perf_counter()
            snapshot = store.refresh([path.name])
            found.append(time.perf_counter() - start)
            assert snapshot.changes.changed == {path.stem}
        return sorted(found)[len(found) // 2]


def _changing() -> Iterator[Row]:
    small, large = (min(_one_change(count) for _ in range(3)) for count in (1_000, 10_000))
    yield "one of 10,000 files changed → snapshot", "≤ 5 ms", f"{large * 1e3:.2f} ms", large <= 0.005
    ratio = large / small
    measured = f"{ratio:.2f} × ({large * 1e3:.2f} ms to {small * 1e3:.2f} ms)"
    yield "the same at 10,000 and at 1,000", "≤ 1.5 ×", measured, ratio <= 1.5


def _following() -> Iterator[Row]:
    """From the end of a write to the published snapshot, with the real watcher and 1,000 memories."""
    with directory_of(1_000) as root:
        store, stop, arrived = MemoryStore(Directory(root)), threading.Event(), threading.Event()
        stamps: list[float] = []

        def publish(snapshot: Snapshot) -> None:
            if snapshot.changes or snapshot.watch.mode == "events":
                stamps.append(time.perf_counter())
                arrived.set()

        store.refresh()
        thread = threading.Thread(target=store.watch, args=(stop, publish))
        thread.start()
        arrived.wait(10)
        delays = []
        for number in range(200):
            arrived.clear()
            path = root / f"memory-{number}.md"
            path.write_text(path.read_text() + "One more line.\n")
            start = time.perf_counter()
            arrived.wait(10)
            delays.append(stamps[-1] - start)
            stop.wait(0.01 + 0.001 * (number % 17))
        stop.set()
        thread.join()
        delays.sort()
        middle, late = delays[len(delays) // 2], delays[len(delays) * 95 // 100]
        measured = f"p50 {middle * 1e3:.0f} ms, p95 {late * 1e3:.0f} ms"
        yield "write on disk → snapshot", "p95 ≤ 60 ms (≤ 80 to paint)", measured, late <= 0.06


def rows() -> list[Row]:
    """Name, goal, figure, and whether the goal is met."""
    return [*_loading(), *_changing(), *_following()]


if __name__ == "__main__":
    for name, goal, measured, ok in chain(_loading(), _changing(), _following()):
        print(f"{'ok ' if ok else 'NO '} {name:50} {goal:28} {measured}", flush=True)
