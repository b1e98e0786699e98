"""What an app is given that loads nothing before it is asked: the model, the daily log's switch, team and transcripts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.config import Config, team_on
from memtui.tui.app_lookups import UsageReading

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel
    from memtui.claude.usage import UsageReader
    from memtui.claude.usage_report import UsageReport
    from memtui.memory.managing.manager import MemoryManager
    from memtui.tui.teaming import Teaming


def logging_of(environ: Mapping[str, str], config: Callable[[], Config]) -> Callable[[], bool]:
    """Says whether a person switched the daily log on by now; nothing is loaded before somebody asks.

    Args:
        environ: environment variables.
        config: the settings in force when it is asked.
    """

    def is_on() -> bool:
        from memtui.agent.daily_log import logging_on  # noqa: PLC0415 – who looks at the log asks

        return logging_on(environ, config().daily_log)

    return is_on


def model_of(
    environ: Mapping[str, str], config: Config, state: Callable[[], Path] | None = None
) -> Callable[[], AnthropicModel | None]:
    """Gives the model that a person set up; nothing is loaded before somebody wants it."""

    def make() -> AnthropicModel | None:
        from memtui.agent.llm import AnthropicModel  # noqa: PLC0415 – few ask a model
        from memtui.memory.secrets.allowed import AllowedSecrets  # noqa: PLC0415 – as above

        allowed = AllowedSecrets(state() if state is not None else None)
        model = AnthropicModel.from_settings(environ, config, allowed=allowed)
        return model if model.access.has_key else None

    return make


def teaming(
    *,
    environ: Mapping[str, str],
    config: Config,
    state: Callable[[], Path],
    read_only: bool,
    cwd: Path | None = None,
) -> Callable[[MemoryManager], Teaming]:
    """Makes what shares a directory with a team; nothing is loaded or run before it is called.

    Args:
        environ: environment variables.
        config: what the person has set.
        state: names the state folder, where it is kept what is shared with whom.
        read_only: whether changes are switched off.
        cwd: what a relative path of a remote is below; None for the memory directory.
    """

    def make(manager: MemoryManager) -> Teaming:
        # Loaded behind the first paint.
        from memtui.team.opening import team_of  # noqa: PLC0415
        from memtui.team.pacing import POLL_SECONDS  # noqa: PLC0415
        from memtui.tui.teaming import Teaming  # noqa: PLC0415

        return Teaming(
            team_of(manager, state(), environ, config),
            manager,
            poll=float(config.team_poll_seconds or POLL_SECONDS),
            on=team_on(environ, config, joined=True),
            read_only=read_only,
            cwd=cwd,
        )

    return make


def usage_reading(
    memory_dir: Path,
    *,
    environ: Mapping[str, str],
    home: Path,
    state: Callable[[], Path] | None,
    cwd: Path | None,
) -> UsageReading:
    """Reads what is new in the transcripts at each call, until the event is set; nothing is loaded before the first.

    The progress is told as bytes read and bytes there are to read.

    Args:
        memory_dir: the directory.
        environ: environment variables.
        home: the home folder.
        state: names the state folder, where it is kept how far they were read; None to keep nothing.
        cwd: a directory whose project is preferred, should the store's name fit several.
    """
    readers: list[UsageReader] = []

    def read(cancel: threading.Event, progress: Callable[[int, int], None]) -> UsageReport:
        from memtui.claude.usage import UsageReader  # noqa: PLC0415 – loaded behind the first paint

        if not readers:
            folder = state() if state is not None else None
            readers.append(UsageReader(memory_dir, environ=environ, home=home, state_dir=folder, cwd=cwd))
        return readers[0].update(progress, cancel)

    return read
