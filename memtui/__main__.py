"""``memtui`` and ``python -m memtui``: gathers what the process offers, and hands it on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from memtui.cli.app import run
from memtui.cli.session import World
from memtui.config import CONFIG_NAME, Config
from memtui.memory.conventions import Convention
from memtui.memory.types import Clock, Lang


def _config_folder() -> Path:
    """Where the person's settings lie: what ``platformdirs`` says.

    It takes as long to load as a small directory to list, so the usual case on Linux is answered here by the same rule
    (XDG Base Directory Specification; a relative path counts as none).
    """
    named, home = os.environ.get("XDG_CONFIG_HOME", ""), os.environ.get("HOME", "")
    if sys.platform.startswith("linux") and (named.startswith("/") or home.startswith("/")):
        return (Path(named) if named.startswith("/") else Path(home) / ".config") / "memtui"
    import platformdirs  # noqa: PLC0415 – see above

    return platformdirs.user_config_path("memtui", appauthor=False)


def _log_folder() -> Path:
    """Where reports of memtui's own errors go."""
    import platformdirs  # noqa: PLC0415 – on the way to an error only

    return platformdirs.user_log_path("memtui", appauthor=False)


def _launch(
    memory_dir: Path,
    *,
    convention: Convention | None,
    lang: Lang,
    clock: Clock,
    ascii_mode: bool,
    read_only: bool,
    environ: Mapping[str, str],
    project_root: Path | None,
    config: Config,
) -> int:
    from memtui.tui.launch import run_app  # noqa: PLC0415  -- textual takes longer to import than a command to run

    return run_app(
        memory_dir,
        convention=convention,
        lang=lang,
        clock=clock,
        ascii_mode=ascii_mode,
        read_only=read_only,
        environ=environ,
        project_root=project_root,
        config=config,
        reports=_log_folder,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run memtui on the arguments of the process, or on those given; returns the exit code."""
    try:
        cwd = Path.cwd()
    except FileNotFoundError:  # somebody removed it; whoever names a directory does not need it
        cwd = Path("/")
    world = World(
        environ=os.environ,
        home=Path.home(),
        cwd=cwd,
        clock=time.time,
        config_file=_config_folder() / CONFIG_NAME,
        launch=_launch,
    )
    return run(sys.argv[1:] if argv is None else argv, world)


if __name__ == "__main__":
    sys.exit(main())
