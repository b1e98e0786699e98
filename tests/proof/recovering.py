"""Every change of the manager killed at every call, and its recovery killed at every call of that (reliability §6)."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.crash.faults import CHANGING, DEATH, Died, FaultyDisk, QuietDisk, sweep, tree
from tests.proof.power_cases import CASES, Case


def killed_twice(case: Case, place: Path, every: int) -> Iterator[list[str]]:
    """Kill at each so many-th call, then at each call of the recovery; judge what the next recovery leaves."""
    template, crashed, scratch = place / "template", place / "crashed", place / "scratch"
    scratch.mkdir()
    case.prepare(template)
    before = tree(template)
    shutil.copytree(template, crashed)
    case.act(crashed, QuietDisk())
    done = tree(crashed)
    at = 1
    while True:
        shutil.rmtree(crashed)
        shutil.copytree(template, crashed)
        disk = FaultyDisk(at, DEATH, QuietDisk(), CHANGING)
        with contextlib.suppress(Died):
            case.act(crashed, disk)
        if not disk.dead:
            return
        for run in sweep(crashed, scratch, case.recover, case.reopen, ((DEATH,),), counted=CHANGING):
            run.before = before
            yield [f"killed at {at}; {line}" for line in case.judge(run, done)]
        at += every


def proof(place: Path, long: bool) -> Iterator[str]:
    """Every fifth call of every change; if long, every one."""
    for name, case in CASES.items():
        here = place / name
        here.mkdir()
        count = 0
        for wrong in killed_twice(case, here, 1 if long else 5):
            count += 1
            yield from (f"{name}: {line}" for line in wrong)
        print(f"{name}: {count} runs", flush=True)
