"""Design §7: many writers at once, beside others who take no lock and mind nobody; no accepted text is lost."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.disk.rare_calls import exchange
from memtui.memory.errors import Busy, Conflict
from memtui.memory.index.merge import merge_index
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Edit
from tests.crash.faults import QuietDisk, is_leftover, tree

SAVERS, SAVES, RUDE_WRITES = 8, 40, 120
FILES = ("in-place.md", "renamed.md")


def keep_as(rel: str, displaced: bytes) -> tuple[str, bytes]:
    return f".memtui/history/{rel.removesuffix('.md')}_v1.md", b"status: historical\n" + displaced


def text(who: str, number: int) -> bytes:
    return f"---\nname: {who}\n---\n{who} {number}\n".encode() + b"x" * 3000


def save(root: Path, who: int, report: Connection, lock: bool) -> None:
    """Save again and again, each time on what stands there; report what was accepted."""
    folder = Folder(root, SettlingDisk())
    journal = Journal(folder, clock=time.time, merge_index=merge_index, keep_as=keep_as)
    accepted: list[bytes] = []
    pending = 0
    for number in range(SAVES):
        rel = FILES[number % 2]
        mine = text(f"saver-{who}", number)
        while True:
            try:
                if lock:
                    with folder.lock(60):
                        outcome = change(journal, folder, rel, mine, who, number)
                else:
                    outcome = change(journal, folder, rel, mine, who, number)
            except (Conflict, Busy, FileNotFoundError):
                continue
            except Unreadable as error:
                if error.code != "unstable":
                    raise
                continue
            accepted.append(mine)
            pending += outcome
            break
    report.send((accepted, pending))
    report.close()


class SettlingDisk(QuietDisk):
    """Waits, since there is really somebody to wait for."""

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)


def change(journal: Journal, folder: Folder, rel: str, mine: bytes, who: int, number: int) -> bool:
    before = folder.read(rel).data
    index = folder.read("MEMORY.md").data
    lines = [line for line in index.splitlines(True) if not line.startswith(b"- [saver-%d]" % who)]
    lines.append(b"- [saver-%d](saver-%d.md) - %d\n" % (who, who, number))
    outcome = journal.commit(
        "save",
        [
            Edit(rel, before, mine),
            Edit(f".memtui/history/{rel[:-3]}_v1.md", None, b"status: historical\n" + before, "archive"),
            Edit("MEMORY.md", index, b"".join(lines), "index"),
        ],
        slugs=[rel[:-3]],
    )
    return outcome.index_pending


def overwrite(path: Path, data: bytes) -> None:
    with path.open("wb", buffering=0) as file:
        file.write(data[:1000])
        file.write(data[1000:])


def rename_over(path: Path, data: bytes) -> None:
    temp = path.with_suffix(".tmp")
    temp.write_bytes(data)
    temp.replace(path)


def be_rude(path: Path, who: str, report: Connection, write: Callable[[Path, bytes], None]) -> None:
    """Write without a lock; report the texts that somebody else replaced."""
    owed: list[bytes] = []
    mine = None
    for number in range(RUDE_WRITES):
        if mine is not None and path.read_bytes() != mine:
            owed.append(mine)
        mine = text(who, number)
        write(path, mine)
        wait(0.003)
    report.send((owed, 0))
    report.close()


def add_lines(path: Path, who: str, report: Connection) -> None:
    """Add lines to the index as an agent does: read, append, put in its place, no lock."""
    owed: list[bytes] = []
    for number in range(RUDE_WRITES // 4):
        line = b"- [%s](%s-%d.md)\n" % (who.encode(), who.encode(), number)
        written = path.read_bytes() + line
        displaced = put_in_place(path, written)
        # What stood there, and not yet when it read, it left out itself; all else is for the others to keep.
        owed = [known for known in owed if known in written or known not in displaced]
        owed.append(line)
        wait(0.01)
    report.send((owed, 0))
    report.close()


def put_in_place(path: Path, data: bytes) -> bytes:
    """Replace a file by a rename; returns what really stood there at that moment."""
    temp = path.with_suffix(".tmp")
    temp.write_bytes(data)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        exchange(temp.name, path.name, directory, directory)
    finally:
        os.close(directory)
    displaced = temp.read_bytes()
    temp.unlink()
    return displaced


def told(target: Callable[..., None], report: Connection, args: tuple[object, ...]) -> None:
    """Run one of the above; what it raises is reported too."""
    try:
        target(*args)
    except BaseException as error:
        report.send(repr(error))
        raise


def wait(seconds: float) -> None:
    """Give the others time; an agent does not write in a tight loop."""
    multiprocessing.get_context("fork").Event().wait(seconds)


@pytest.mark.parametrize("lock", [True, False], ids=["lock", "no-lock"])
def test_design_7_no_accepted_text_is_lost_beside_writers_without_a_lock(lock: bool, tmp_path: Path) -> None:
    assert list(race(tmp_path, lock=lock)) == []


def race(root: Path, *, lock: bool) -> Iterator[str]:
    """Let them all write at once; what was lost or is left over, and whoever failed."""
    for rel in FILES:
        (root / rel).write_bytes(text("start", 0))
    (root / "MEMORY.md").write_bytes(b"# Notes\n\nprose that stays\n")
    context = multiprocessing.get_context("fork")
    jobs: list[tuple[Callable[..., None], tuple[object, ...]]] = [
        (save, (root, who, lock)) for who in range(SAVERS)
    ]
    jobs.append((be_rude, (root / FILES[0], "rude-0", overwrite)))
    jobs.append((be_rude, (root / FILES[1], "rude-1", rename_over)))
    jobs.append((add_lines, (root / "MEMORY.md", "rude-2")))
    processes = []
    for target, args in jobs:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=told, args=(target, theirs, (*args[:2], theirs, *args[2:])))
        process.start()
        theirs.close()
        processes.append((process, ours))
    results = [ours.recv() for _, ours in processes]
    for process, _ in processes:
        process.join(60)
    yield from (f"{result} of writer {who}" for who, result in enumerate(results) if isinstance(result, str))
    yield from (
        f"writer {who} ended with {each.exitcode}"
        for who, (each, _) in enumerate(processes)
        if each.exitcode != 0
    )
    reports = [([], 0) if isinstance(result, str) else result for result in results]

    folder = Folder(root, QuietDisk())
    journal = Journal(folder, clock=time.time, merge_index=merge_index, keep_as=keep_as)
    journal.recover()
    files = tree(root)
    everything = set(files.values())
    accepted = [data for texts, _ in reports[:SAVERS] for data in texts]
    if len(accepted) != SAVERS * SAVES:
        yield f"{len(accepted)} saves were accepted, not {SAVERS * SAVES}"
    yield from (f"an accepted text is lost: {data[:40]!r}" for data in accepted if data not in everything)
    rude = [data for texts, _ in reports[SAVERS : SAVERS + 2] for data in texts]
    if len(rude) <= 10:
        yield f"only {len(rude)} rude texts were replaced, which proves nothing"
    yield from (f"a rude text is lost: {data[:40]!r}" for data in rude if data not in everything)
    index = (root / "MEMORY.md").read_bytes()
    if not index.startswith(b"# Notes\n\nprose that stays\n"):
        yield f"the prose of the index is gone: {index[:200]!r}"
    owed, _ = reports[-1]
    yield from (f"a line of the index is lost: {line!r}" for line in owed if line not in index)
    yield from (f"left over: {rel}" for rel in files if is_leftover(rel))
