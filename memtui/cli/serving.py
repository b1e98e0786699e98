"""The commands that serve something until they are ended: ``mcp`` for a model, ``serve`` for a browser."""

from __future__ import annotations

import click

from memtui import __version__
from memtui.cli.session import Session, directory_options, pass_session, project_option


@click.command("mcp")
@project_option
@directory_options
@pass_session
def mcp_command(session: Session) -> int:
    """Serve the memories to a model, by MCP over stdio.

    The tools save_memory and list_memories, on the memories of the project that it is started in. Set it up with:
    claude mcp add memtui -- memtui mcp

    Needs the extra: pip install 'memtui[mcp]'
    """
    from memtui.agent.mcp_server import serve_stdio  # noqa: PLC0415  -- slow to load
    from memtui.agent.memory_tools import MemoryTools  # noqa: PLC0415

    manager = session.changer(create=True)
    manager.actor = "mcp"
    manager.session_id = session.world.environ.get("CLAUDE_CODE_SESSION_ID") or None
    serve_stdio(MemoryTools(manager), __version__)
    return 0
