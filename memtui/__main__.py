"""``memtui`` and ``python -m memtui``: gathers what the process offers, and hands it on."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.claude.settings import ManagedPlaces
    from memtui.launching import Launch


def _xdg_folder(variable: str, below_home: str) -> Path | None:
    """A folder of the person's on Linux; None where ``platformdirs`` has to be asked.

    It takes as long to load as a small directory to list, so the usual case is answered here by the same rule
    (XDG Base Directory Specification; a relative path counts as none).
    """
    named, home = os.environ.get(variable, ""), os.environ.get("HOME", "")
    if not sys.platform.startswith("linux") or not (named.startswith("/") or home.startswith("/")):
        return None
    return (Path(named) if named.startswith("/") else Path(home) / below_home) / "memtui"


def _config_file() -> Path:
    """The person's settings: where ``platformdirs`` says."""
    from memtui.config import CONFIG_NAME  # noqa: PLC0415 – half of the hooks need no settings

    folder = _xdg_folder("XDG_CONFIG_HOME", ".config")
    if folder is None:
        import platformdirs  # noqa: PLC0415 – see above

        folder = platformdirs.user_config_path("memtui", appauthor=False)
    return folder / CONFIG_NAME


def _state_folder() -> Path:
    """What memtui remembers of a person's work: where ``platformdirs`` says."""
    folder = _xdg_folder("XDG_STATE_HOME", ".local/state")
    if folder is None:
        import platformdirs  # noqa: PLC0415 – see above

        folder = platformdirs.user_state_path("memtui", appauthor=False)
    return folder


def _log_folder() -> Path:
    """Where reports of memtui's own errors go."""
    import platformdirs  # noqa: PLC0415 – on the way to an error only

    return platformdirs.user_log_path("memtui", appauthor=False)


def _managed_places() -> ManagedPlaces:
    """Where an organisation's settings of Claude Code lie."""
    from memtui.claude.settings import managed_places  # noqa: PLC0415 – whoever names a directory needs none

    return managed_places(sys.platform)


def _refuse_without_terminal() -> None:
    """Refuse to draw where nobody sees it, and to wait for keys that nobody can press: a script would hang for ever.

    Textual reads stdin and draws on stderr; another driver, as that of a browser, has ways of its own.

    Raises:
        UsageError: one of them is no terminal.
    """
    ends = (sys.__stdin__, sys.__stderr__)
    if "TEXTUAL_DRIVER" in os.environ or all(end is not None and end.isatty() for end in ends):
        return
    from memtui.memory.errors import UsageError  # noqa: PLC0415 – on the way to an error only

    raise UsageError(
        "the app needs a terminal, to draw on (stderr) and to read keys from (stdin)",
        todo="Scripts use commands, such as 'memtui list'; 'memtui --help' names them all",
    )


def _launch(asked: Launch) -> int:
    _refuse_without_terminal()
    gc.disable()  # of what is loaded at start nothing is garbage; `run_app` lets it run again
    from memtui.config import load_config  # noqa: PLC0415  -- the command line has loaded it by now
    from memtui.tui.launch import run_app  # noqa: PLC0415  -- textual takes longer to import than a command to run

    own = asked.state
    return run_app(
        asked,
        reports=_log_folder,
        state=(lambda: own) if own is not None else _state_folder if asked.choices is not None else None,
        config_of=lambda directory: load_config(_config_file(), directory),
        config_file=_config_file(),
    )


def _behind(words: Sequence[str]) -> None:
    """Start memtui in a process of its own."""
    from memtui.cli.behind import start_behind  # noqa: PLC0415 – rarely needed

    start_behind(words, os.environ)


def main(argv: Sequence[str] | None = None) -> int:
    """Run memtui on the arguments of the process, or on those given; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    # The cyclic collector would go through all that is loaded several times, at the end too; none of it is garbage.
    gc.disable()
    if words[:1] == ["hook"]:
        from memtui.cli.hook_run import is_hook, run_hook  # noqa: PLC0415 – the client waits: no command line is loaded

        if is_hook(words):
            run_hook(
                words[1],
                environ=os.environ,
                home=Path.home,
                clock=time.time,
                config_file=_config_file,
                state_dir=_state_folder,
                reports=_log_folder,
            )
            os._exit(0)  # all is written, and taking the interpreter apart would keep the client waiting
    from memtui.cli.front import run  # noqa: PLC0415 – what is loaded here is loaded in the collector's absence
    from memtui.cli.session import World  # noqa: PLC0415 – as above

    gc.freeze()
    gc.enable()
    try:
        cwd = Path.cwd()
    except FileNotFoundError:  # somebody removed it; whoever names a directory does not need it
        cwd = Path("/")
    world = World(
        environ=os.environ,
        home=Path.home(),
        cwd=cwd,
        clock=time.time,
        config_file=_config_file(),
        state_dir=_state_folder(),
        launch=_launch,
        managed=_managed_places,
        behind=_behind,
        reports=_log_folder,
    )
    return run(words, world)


if __name__ == "__main__":
    sys.exit(main())
