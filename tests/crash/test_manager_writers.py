"""Design §7: 8 writers × 100 saves through the manager, beside an editor and an agent that take no lock.

Every accepted save is a version (or the text in force), and no index line is torn or doubled.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path

from memtui.memory.conventions import CLAUDE
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Folder
from memtui.memory.errors import Busy
from memtui.memory.index.lines import parse_index
from memtui.memory.managing.manager import MemoryManager
from tests.crash.faults import is_leftover, tree
from tests.crash.test_writers import SettlingDisk, overwrite, rename_over, wait

WRITERS, SAVES = 8, 100
SHARED = ("shared-one", "shared-two")


def manager(root: Path) -> MemoryManager:
    directory = Directory(root, convention=CLAUDE, folder=Folder(root, SettlingDisk()))
    directory.refresh()
    made = MemoryManager.open(root, directory=directory)
    made.lock_seconds = 60
    return made


def said(who: str, number: int) -> str:
    return f"Number {number} of what {who} has to say, at some length, so that nobody takes it for a passing remark."


def save(root: Path, who: int, report: Connection) -> None:
    mine = manager(root)
    accepted = []
    for number in range(SAVES):
        slug = SHARED[number % 2] if number % 3 else f"own-{who}"
        text = said(f"writer-{who}", number)
        try:
            mine.save_memory(slug, slug, f"by {who}", "project", text)
        except Busy:
            continue
        accepted.append(text)
    report.send(accepted)
    report.close()


def be_rude(path: Path, report: Connection, *, rename: bool) -> None:
    """An agent rewrites a memory without asking; what somebody else then replaced must be kept."""
    owed: list[bytes] = []
    mine = None
    for number in range(100):
        if mine is not None and path.exists() and path.read_bytes() != mine:
            owed.append(said("rude", number - 1).encode() + path.name.encode())
        mine = (
            b"---\nname: rude\ndescription: d\ntype: user\n---\n"
            + said("rude", number).encode()
            + path.name.encode()
        )
        (rename_over if rename else overwrite)(path, mine)
        wait(0.01)
    report.send(owed)
    report.close()


def test_design_7_every_accepted_save_is_kept_and_no_index_is_torn(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Mine\n\nprose that stays\n")
    first = manager(root)
    for slug in SHARED:
        first.save_memory(slug, slug, "by all", "project", "The text before anybody wrote.")
    context = multiprocessing.get_context("fork")
    running = []
    for number in range(WRITERS + 2):
        ours, theirs = context.Pipe(duplex=False)
        if number < WRITERS:
            process = context.Process(target=save, args=(root, number, theirs))
        else:
            rude = number - WRITERS
            process = context.Process(
                target=be_rude, args=(root / f"{SHARED[rude]}.md", theirs), kwargs={"rename": bool(rude)}
            )
        process.start()
        theirs.close()
        running.append((process, ours))
    results = [ours.recv() for _, ours in running]
    for process, _ in running:
        process.join(10)
        assert process.exitcode == 0

    last = manager(root)
    last.journal.recover()
    last.reload()
    files = tree(root)
    everything = b"\n".join(files.values())
    accepted = [text for texts in results[:WRITERS] for text in texts]
    assert len(accepted) == WRITERS * SAVES
    assert [text for text in accepted if text.encode() not in everything] == []
    owed = [text for texts in results[WRITERS:] for text in texts]
    assert owed  # how many depends on whose turn the machine gives
    assert [text for text in owed if text not in everything] == []
    assert not any(map(is_leftover, files))
    index = (root / "MEMORY.md").read_text()
    assert index.startswith("# Mine\n\nprose that stays\n")
    named = [entry.rel for entry in parse_index(index).entries]
    assert sorted(named) == sorted(
        [*(f"own-{n}.md" for n in range(WRITERS)), *(f"{slug}.md" for slug in SHARED)]
    )
    own = [v.entry.content.strip() for v in last.versions("own-0")]
    assert set(own) == {said("writer-0", n) for n in range(0, SAVES, 3)}
