"""Real processes killed, or failed, at real system calls by ``strace`` (reliability §6)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from memtui.memory.conventions import CLAUDE
from memtui.memory.managing.manager import MemoryManager
from tests.crash.faults import Tree, is_leftover, tree, visible

CALLS = (
    "write",
    "fsync",
    "fchmod",
    "mkdirat,mkdir",
    "linkat",
    "renameat,rename",
    "renameat2",
    "unlinkat,unlink",
)
KILL = ("signal=KILL", "")
"""What happens, and how often: ``+`` for at each further call too."""
ERRORS = tuple(
    (f"error={name}", often)
    for name in ("ENOSPC", "EIO", "EDQUOT", "EROFS", "EACCES", "EMFILE", "EINTR")
    for often in ("", "+")
    if (name, often)
    != ("EINTR", "+")  # Python makes an interrupted call again, for as long as it is interrupted
)
MOST_CALLS = 40
OLD = "The first text, which has to stay somewhere whatever happens."
NEW = "The second text, which takes its place, or does not."


def why_not() -> str | None:
    """Why it cannot be done here; None if it can."""
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    tried = subprocess.run(
        [strace, "-f", "-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=1", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return None if tried.returncode == 0 else f"ptrace is not allowed here: {tried.stderr.strip()[:200]}"


def prepared(root: Path) -> None:
    root.mkdir()
    manager = MemoryManager.open(root, CLAUDE)
    manager.save_memory("a", "A", "about a", "project", OLD)
    manager.save_memory("b", "B", "about b", "project", "What nobody touches.")


def saved(root: Path, home: Path, call: str, fault: str, when: str) -> tuple[int, bool]:
    """``memtui save`` with a fault at its so many-th call of a kind; its exit code, and whether the fault struck."""
    log = home / "log"
    done = subprocess.run(
        [
            *("strace", "-f", "-o", str(log), "-e", f"trace={call}"),
            *("-e", f"inject={call}:{fault}:when={when}"),
            *(sys.executable, "-m", "memtui", "save", "a", "--content", NEW, "--dir", str(root)),
        ],
        env={**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    said = log.read_text(errors="replace")
    return done.returncode, "INJECTED" in said or "killed by SIGKILL" in said


def judged(root: Path, before: Tree, code: int, what: str) -> Iterator[str]:
    """What is wrong with a directory in which a save was cut off or failed."""
    manager = MemoryManager.open(root, CLAUDE)
    manager.recover()
    files = tree(root)
    text = (root / "a.md").read_text()
    whole = "\n".join(data.decode(errors="replace") for data in files.values())
    if OLD not in whole:
        yield f"{what}: the old text is lost"
    if OLD not in text and NEW not in text:
        yield f"{what}: a.md is torn: {text!r}"
    if code == 0 and NEW not in text:
        yield f"{what}: was said to be saved, but is not"
    if visible(files).get("b.md") != before["b.md"]:
        yield f"{what}: b.md was touched"
    if any(map(is_leftover, files)):
        yield f"{what}: temporary files are left"
    if manager.recover() or tree(root) != files:
        yield f"{what}: the second recovery did something"


def proof(place: Path, long: bool) -> Iterator[str]:
    """Kill ``memtui save`` at every call of every kind; if long, fail each with each error too."""
    reason = why_not()
    if reason is not None:
        print(f"skipped: {reason}", flush=True)
        return
    template, root, home = place / "template", place / "run", place / "home"
    home.mkdir()
    prepared(template)
    before = tree(template)
    for fault, often in (KILL, *ERRORS) if long else (KILL,):
        for call in CALLS:
            runs = 0
            for at in range(1, MOST_CALLS + 1):
                shutil.copytree(template, root)
                code, struck = saved(root, home, call, fault, f"{at}{often}")
                what = f"{fault} at {call} number {at}{often}"
                yield from judged(root, before, code, what)
                shutil.rmtree(root)
                if not struck:
                    break
                runs += 1
            print(f"{fault} at {call}{' and from then on' if often else ''}: {runs} runs", flush=True)
