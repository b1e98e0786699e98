"""One machine's sync in a process of its own, which is killed at some call of git, or after some time."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from tests.team.world import DyingGit, Machine, World, environment


def main(argv: list[str]) -> None:
    """Sync and accept until the end comes.

    Args:
        argv: the machine's folder, its convention, its time, the call of git, whether that call does its work first,
            and the milliseconds after which the end comes in any case; 0 for never.
    """
    root, convention, now, left, after, delay = argv
    world = World.__new__(World)  # only its clock is needed
    world.now = float(now)
    machine = Machine("child", Path(root), convention, 0.0, world)
    if int(delay):
        threading.Timer(int(delay) / 1000, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
    git = DyingGit(environment(machine.root), int(left), after=after == "1", really=True)
    sync = machine.sharing(machine.manager(), git)
    sync.sync()
    sync.accept(sync.status().arrivals)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
