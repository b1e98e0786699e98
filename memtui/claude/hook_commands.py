"""The commands that memtui's hooks run, and how they are known again among a person's own."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

MARK = "# memtui"
"""What every command of ours ends with."""
TIMEOUTS = {"session-start": 5, "session-end": 2, "stop": 5}
"""Seconds after which the client ends a hook; each ends itself long before (ours)."""

_OURS = re.compile(r"\bhook (session-start|session-end|stop) +# memtui\s*$")


def own_program(argv0: str, executable: str) -> tuple[str, ...]:
    """What a hook has to run, whatever the PATH is then: the command of this installation.

    Args:
        argv0: how the process was called.
        executable: the interpreter it runs in.
    """
    for script in (Path(argv0).absolute(), Path(executable).with_name("memtui")):
        if script.name == "memtui" and script.is_file() and os.access(script, os.X_OK):
            return (str(script),)
    # Without -P, `-m` would take a folder "memtui" of whatever project the hook runs in.
    return (executable, "-P", "-m", "memtui")


def hook_command(word: str, program: Sequence[str]) -> str:
    """The shell command of a hook."""
    return f"{shlex.join(program)} hook {word} {MARK}"


def is_ours(command: object) -> bool:
    """Whether a command of a settings file is a hook of memtui's."""
    return isinstance(command, str) and _OURS.search(command) is not None
