"""The commands that open the app, and what helps a shell: ``memtui [DIR]``, ``demo``, ``completion``."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from memtui.cli.arguments import NAMED_PATH
from memtui.cli.commands import COMPLETE_VARIABLE
from memtui.cli.opening import launch, open_directory
from memtui.cli.options import (
    ascii_option,
    directory_options,
    lang_option,
    pass_session,
    project_option,
    read_only_option,
)
from memtui.cli.session import Session, World
from memtui.cli.wording import words
from memtui.memory.conventions import CLAUDE
from memtui.memory.errors import Refused
from memtui.memory.wording.saying import Say, system_said

_LOGGING = "KAIROS"
_AGENTS = ("CLAUDE_", "CODEX_", "QWEN_")
"""How the environment variables begin that say where agents keep what is theirs."""


@click.command("open", hidden=True)
@click.argument("directory", metavar="[DIR]", required=False, type=NAMED_PATH)
@ascii_option
@project_option
@directory_options
@pass_session
def open_command(session: Session, *, directory: Path | None) -> int:
    """Open the app on a memory directory."""
    return open_directory(session, directory)


@click.command("demo")
@click.option(
    "--keep",
    type=NAMED_PATH,
    metavar="DIR",
    help="Write the sample to this new or empty folder and keep it there; the app is not opened.",
)
@ascii_option
@lang_option
@read_only_option
@pass_session
def demo_command(session: Session, *, keep: Path | None) -> int:
    """Try memtui on a sample project's memories.

    It is a throw-away copy in a temporary folder, which is deleted when you leave.
    """
    from memtui.demo import build_demo  # noqa: PLC0415 – the app waits for this module

    world, out, say = session.world, session.out, words(session.own_lang())
    if keep is not None:
        made = build_demo(session.path(keep), world.clock())
        out.line(str(made.memory_dir))
        out.note(say.demo_kept.format(project=made.project_root, memory=made.memory_dir))
        return 0
    try:
        folder = tempfile.TemporaryDirectory(prefix="memtui-demo-", ignore_cleanup_errors=True)
    except OSError as error:
        raise Refused(
            Say("no temporary folder for the demo: {reason}", reason=system_said(error)),
            todo="Use 'memtui demo --keep DIR'",
        ) from error
    with _ending_in_order(), folder as path:
        made = build_demo(Path(path), world.clock())
        session.directory, session.convention = made.memory_dir, CLAUDE.name
        session.world = _by_itself(world, Path(path))
        out.note(say.demo_copy.format(path=path))
        out.flush()
        code = launch(session, keeping=False, state=made.state_dir)
    out.note(say.demo_gone)
    return code


def _by_itself(world: World, home: Path) -> World:
    """The world of the sample: its own home, and nothing of the person's agents."""
    own = {name: value for name, value in world.environ.items() if not name.startswith(_AGENTS)}
    return world._replace(environ={**own, "HOME": str(home), _LOGGING: "1"}, home=home)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let a closed terminal and a plain ``kill`` end the demo like any other leaving, so that its copy goes too."""

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGHUP, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_COMPLETION_HELP = """Print a completion script for your shell.

\b
bash:  memtui completion bash > ~/.local/share/bash-completion/completions/memtui
zsh:   memtui completion zsh > "${fpath[1]}/_memtui"
fish:  memtui completion fish > ~/.config/fish/completions/memtui.fish
"""


@click.command("completion", help=_COMPLETION_HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print a completion script."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415 – only when a shell asks

    kind = get_completion_class(shell)
    session = context.find_object(Session)
    if kind is not None and session is not None:
        session.out.lines(kind(context.find_root().command, {}, "memtui", COMPLETE_VARIABLE).source())
