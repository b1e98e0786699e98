"""Work that goes on behind a hook or the app: memtui in a process of its own, which outlives who started it.

Hooks load this in the client's time, so what only some people need is loaded where it is needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.agent.dream_gate import Gate
    from memtui.memory.disk.files import Folder

_NICENESS = 10
"""How far it steps back for what somebody waits for."""


def start_behind(words: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start memtui in a process of its own; waits for nothing of it.

    Args:
        words: its arguments.
        environ: its environment.

    Raises:
        OSError: it cannot be started.
    """
    import subprocess  # noqa: PLC0415  -- most people have it switched off

    from memtui.claude.hook_commands import own_program  # noqa: PLC0415  -- as above

    process = subprocess.Popen(  # noqa: S603  -- our own program
        [*own_program(sys.argv[0], sys.executable), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=dict(environ),
        start_new_session=True,
    )
    with suppress(OSError):  # it may be over by now, or niceness nothing that is known here
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)


def dream_words(memory_dir: Path, project: Path | None) -> list[str]:
    """The arguments of a dream that nobody asked for; it looks at its gate again, once no other one can run.

    Args:
        memory_dir: the memories.
        project: the project that they talk about; None if that is not known.
    """
    named = [] if project is None else ["--project", str(project)]
    return ["dream", "--auto", "--background", "--dir", str(memory_dir), *named]


def wants_dream(folder: Folder, gate: Gate, transcripts: Iterable[Path], now: float) -> bool:
    """Whether a directory is due for a dream.

    Args:
        folder: the directory.
        gate: what has to have come since the last.
        transcripts: the folders of its project's transcripts.
        now: Unix seconds.
    """
    from memtui.agent.dream_gate import dream_state  # noqa: PLC0415  -- most people have it switched off

    last = dream_state(folder).last
    return gate.waited(now, last) and gate.is_open(now, last, sessions_since(transcripts, last))


def sessions_since(transcripts: Iterable[Path], last: float | None) -> int:
    """How many sessions were written to since a time; those of subagents do not count.

    Args:
        transcripts: the folders of a project's transcripts.
        last: Unix seconds; None for ever.
    """
    from memtui.claude.folders import transcripts_in  # noqa: PLC0415  -- as above

    found = {
        file.session
        for folder in transcripts
        for file in transcripts_in(folder, agents=False)
        if not file.agent and (last is None or file.mtime > last)
    }
    return len(found)
