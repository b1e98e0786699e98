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
print(json.dumps({
    "took": took, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "read": report.read,
    "sessions": len(report.sessions), "rss": after.ru_maxrss,
}))
"""


def measure(sessions: int, total_bytes: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first reading of a made project, and the next start's."""
    with tempfile.TemporaryDirectory(prefix="receipts-") as name:
        home = Path(name)
        folder = home / ".claude" / "projects" / "-home-ada-project"
        memory = folder / "memory"
        memory.mkdir(parents=True)
        make_many(folder, memory, sessions, total_bytes, [f"topic-{n}" for n in range(200)])
        argv = [sys.executable, "-c", _SCAN, str(home), str(memory), str(home / "state")]
        first, second = (
            json.loads(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)
            for _ in range(2)
        )
        return first, second


def rows(*, quick: bool) -> Iterator[Row]:
    """The rows of the table; without a goal of the design, for it names none."""
    sessions, size = (200, 100_000_000) if quick else (2_000, 1_000_000_000)
    first, second = measure(sessions, size)
    what = f"receipts of {sessions:,} transcripts, {size / 1e9:.1f} GB"
    yield (
        f"{what}: first reading",
        "-",
        f"{first['took']:.1f} s, {first['read'] / 1e6 / first['cpu']:.0f} MB a second of processor",
        True,
    )
    yield (
        "… memory (RSS)",
        "bounded, whatever the size",
        f"{first['rss'] / 1024:.0f} MB, the interpreter among them",
        first["rss"] < 64 << 10,
    )
    yield (
        "… the next start, nothing new",
        "reads nothing",
        f"{second['took'] * 1000:.0f} ms, {second['read']} bytes",
        second["read"] == 0,
    )
