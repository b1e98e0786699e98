"""``python -m tests.bench``: one table of how good memtui is against the goals of its design (§7).

``--only WORDS`` takes the groups and rows whose name contains the words; ``--quick`` measures less often and leaves out
what takes minutes, for a first look. Figures hold for the machine they were taken on; ratios travel further.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from memtui.watching import file_system_of
from tests.bench import (
    bench_app,
    bench_dedup,
    bench_edit,
    bench_live,
    bench_peers,
    bench_receipts,
    bench_relevance,
    bench_secrets,
    bench_store,
)

Row = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are measured together.

    Attributes:
        name: what ``--only`` finds it by.
        rows: measures; the argument says whether to be quick.
        slow: whether ``--quick`` leaves it out.
    """

    name: str
    rows: Callable[[bool], Iterable[Row]]
    slow: bool = False


GROUPS = (
    Group("start", lambda quick: bench_app.start_rows(quick=quick)),
    Group("command", lambda quick: bench_app.command_rows(quick=quick)),
    Group("store", lambda _: bench_store.rows(), slow=True),
    Group("app", lambda quick: bench_app.app_rows(quick=quick)),
    Group("edit", lambda quick: bench_edit.rows(quick=quick)),
    Group("live", lambda _: bench_live.rows(), slow=True),
    Group("dedup", lambda _: bench_dedup.rows(), slow=True),
    Group("relevance", lambda quick: bench_relevance.rows(quick=quick)),
    Group("secrets", lambda quick: bench_secrets.rows(quick=quick), slow=True),
    Group("receipts", lambda quick: bench_receipts.rows(quick=quick), slow=True),
    Group("peers", lambda quick: bench_peers.rows(quick=quick), slow=True),
)


def machine() -> str:
    """What the figures were taken on, without saying whose it is."""
    return (
        f"{os.cpu_count()} cores, {_processor()}, {platform.system()} {platform.release().split('-')[0]}, "
        f"{_file_system()}, Python {platform.python_version()}, Textual {version('textual')}, "
        f"load {os.getloadavg()[0]:.1f} at the start"
    )


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        told = ""
    names = re.findall(r"^model name\s*:\s*(.+)$", told, re.MULTILINE)
    return " ".join(names[0].split()) if names else platform.machine()


def _file_system() -> str:
    import tempfile  # noqa: PLC0415 – beside its one use

    try:
        told = Path("/proc/self/mountinfo").read_text("utf-8", "replace")
    except OSError:
        return "unknown file system"
    return file_system_of(os.path.realpath(tempfile.gettempdir()), told) or "unknown file system"


def line(row: Row) -> str:
    """A row of the Markdown table; what has no goal is neither met nor missed."""
    what, goal, measured, met = (cell.replace("|", r"\|") if isinstance(cell, str) else cell for cell in row)
    said = "" if goal in {"–", "-"} else "yes" if met else "**no**"
    return f"| {what} | {goal} | {measured} | {said} |"


def main(arguments: list[str]) -> int:
    """Measure and print; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="groups or rows whose name contains this")
    parser.add_argument(
        "--quick", action="store_true", help="a first look: fewer runs, the slow groups left out"
    )
    options = parser.parse_args(arguments)
    wanted = options.only.lower()
    chosen = [group for group in GROUPS if wanted in group.name] or list(GROUPS)
    by_group = len(chosen) < len(GROUPS)
    print(f"{machine()}{', quick' if options.quick else ''}\n")
    print("| what | goal | measured | met |\n|---|---|---|---|")
    missed = False
    for group in chosen:
        if options.quick and group.slow and not by_group:
            continue
        for row in group.rows(options.quick):
            if by_group or wanted in row[0].lower():
                print(line(row), flush=True)
                missed |= not row[3]
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
