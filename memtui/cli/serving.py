"""The commands that serve something until they are ended: ``mcp`` for a model, ``serve`` for a browser."""

from __future__ import annotations

import shlex
import signal
import sys

import click

from memtui import __version__
from memtui.claude.hook_commands import own_program
from memtui.cli.hook_words import hook_cli_words
from memtui.cli.options import ascii_option, directory_options, pass_session, project_option
from memtui.cli.session import Session
from memtui.memory.managing.authors import UNNAMED


@click.command("mcp")
@project_option
@directory_options
@pass_session
def mcp_command(session: Session) -> int:
    """Serve the memories to a model, by MCP over stdio.

    The tools save_memory, list_memories and recall_memories, on the memories of the project that it is started in.
    Set it up with: claude mcp add memtui -- memtui mcp

    Needs the extra: pip install 'memtui[mcp]'
    """
    from memtui.agent.mcp_server import serve_stdio  # noqa: PLC0415  -- slow to load
    from memtui.agent.memory_tools import MemoryTools  # noqa: PLC0415

    manager = session.changer(create=True)
    manager.actor, manager.journal.door = UNNAMED, "mcp"
    manager.session_id = session.world.environ.get("CLAUDE_CODE_SESSION_ID") or None
    team = bool(session.config().team_save) and session.team_on()
    serve_stdio(MemoryTools(manager, team=team), __version__)
    return 0


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="Port.  [default: a free one]")
@click.option("--host", default="127.0.0.1", show_default=True, help="A loopback address; no other is taken.")
@ascii_option
@project_option
@directory_options
@pass_session
def serve_command(session: Session, *, port: int, host: str) -> int:
    """Serve the app to a browser on this machine.

    Prints an address that nobody can guess; whoever opens it uses the app as you. Ctrl-C ends it, with exit code 0.

    Needs the extra: pip install 'memtui[web]'
    """
    from memtui.web import loopback_host, serve  # noqa: PLC0415  -- slow to load

    address = loopback_host(host)
    out = session.out
    out.require()
    say = hook_cli_words(session.lang())

    def tell(where: str) -> None:
        out.line(where)
        out.note(say.serving)
        out.flush()

    serve(_app_command(session), host=address, port=port, tell=tell)
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # all is done, and a second Ctrl-C has nothing left to break off
    return 0


def _app_command(session: Session) -> str:
    """The shell command that opens the app as asked for."""
    words = [*own_program(sys.argv[0], sys.executable), str(session.memory_dir())]
    house, project = session.house(), session.project_root()
    if house is not None:
        words += ["--convention", house.name]
    if project is not None:
        words += ["--project", str(project)]
    words += ["--lang", session.lang()]
    words += ["--ascii"] * session.ascii_mode + ["--read-only"] * session.read_only
    return shlex.join(words)
