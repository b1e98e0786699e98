"""What reading all transcripts of a project costs: the first time, and at each later start."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.unit.transcript_maker import make_many

Row = tuple[str, str, str, bool]

_SCAN = """
import json, resource, sys, time
from pathlib import Path
from memtui.claude.usage import UsageReader
home, memory, state = map(Path, sys.argv[1:4])
usage = lambda: resource.getrusage(resource.RUSAGE_SELF)
before = usage()
reader = UsageReader(memory, environ={}, home=home, state_dir=state)
began = time.perf_counter()
report = reader.update()
took = time.perf_counter() - began
after = usage()
# Not ru_maxrss, which a process inherits from the one that started it.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({
    "took": took, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "read": report.read,
    "sessions": len(report.sessions), "rss": peak,
}))
"""


_CANCEL = """
import json, sys, threading, time
from pathlib import Path
from memtui.claude.usage import UsageReader
home, memory, state = map(Path, sys.argv[1:4])
reader = UsageReader(memory, environ={}, home=home, state_dir=state)
cancel, at = threading.Event(), []
def progress(done, total):
    if done > total / 10 and not at:
        at.append((time.perf_counter(), time.process_time()))
        cancel.set()
report = reader.update(progress, cancel)
wall, cpu = at[0]
print(json.dumps({
    "took": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "read": report.read, "unread": report.unread,
}))
"""


def measure(sessions: int, total_bytes: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Breaking off a reading of a made project, the first reading in one go, and the next start's."""
    with tempfile.TemporaryDirectory(prefix="receipts-") as name:
        home = Path(name)
        folder = home / ".claude" / "projects" / "-home-ada-project"
        memory = folder / "memory"
        memory.mkdir(parents=True)
        make_many(folder, memory, sessions, total_bytes, [f"topic-{n}" for n in range(200)])

        def told(code: str, state: str) -> dict[str, Any]:
            argv = [sys.executable, "-c", code, str(home), str(memory), str(home / state)]
            done = subprocess.run(argv, capture_output=True, text=True, check=True)
            found: dict[str, Any] = json.loads(done.stdout)
            return found

        return told(_CANCEL, "broken-off"), told(_SCAN, "state"), told(_SCAN, "state")


def rows(*, quick: bool) -> Iterator[Row]:
    """The rows of the table; without a goal of the design, for it names none."""
    sessions, size = (200, 100_000_000) if quick else (2_000, 1_000_000_000)
    broken_off, first, second = measure(sessions, size)
    what = f"receipts of {sessions:,} transcripts, {size / 1e9:.1f} GB"
    yield (
        f"{what}: first reading",
        "-",
        f"{first['read'] / 1e6 / first['cpu']:.0f} MB a second of CPU; {first['took']:.1f} s by the wall",
        True,
    )
    yield (
        "… memory (RSS)",
        "bounded, whatever the size",
        f"{first['rss'] / 1024:.0f} MB, the interpreter among them",
        first["rss"] < 64 << 10,
    )
    yield (
        "… cancelled after a tenth",
        "stops at once, keeps what was read",
        f"{broken_off['cpu'] * 1000:.0f} ms of CPU, {broken_off['took'] * 1000:.0f} ms by the wall",
        broken_off["unread"] > 0,
    )
    yield (
        "… the next start, nothing new",
        "reads nothing",
        f"{second['read']} bytes, {second['cpu'] * 1000:.0f} ms of CPU, {second['took'] * 1000:.0f} ms by the wall",
        second["read"] == 0,
    )
