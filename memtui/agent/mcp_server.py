"""``memtui mcp``: the memory tools over the Model Context Protocol, on stdin and stdout.

While it serves, the SDK points file descriptor 1 at stderr, so that whatever else writes to stdout cannot come between
the protocol's lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.agent.memory_tools import MemoryTools
from memtui.agent.tool_wording import tool_words
from memtui.memory.errors import MissingExtra
from memtui.memory.text import for_prompt, visible

if TYPE_CHECKING:
    from mcp.server import Server

SERVER_NAME = "memtui"
_MAX_CLIENT_NAME = 60


def serve_stdio(tools: MemoryTools, version: str) -> None:
    """Serve until the client closes stdin.

    Args:
        tools: what is served.
        version: memtui's, for the client to show.

    Raises:
        Refused: the extra that this needs is not installed.
    """
    try:
        import anyio  # noqa: PLC0415  -- an extra, and slow to load
        from mcp.server.stdio import stdio_server  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtra("mcp", error) from None
    server = make_server(tools, version)

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


def make_server(tools: MemoryTools, version: str) -> Server[Any]:
    """The protocol's server over the tools; see ``serve_stdio``."""
    import anyio  # noqa: PLC0415
    import mcp_types as types  # noqa: PLC0415
    from mcp.server import Server, ServerRequestContext  # noqa: PLC0415

    one_at_a_time = anyio.Lock()

    async def list_tools(
        _context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.input_schema,
                    annotations=types.ToolAnnotations(
                        read_only_hint=tool.reads_only, destructive_hint=False, open_world_hint=False
                    ),
                )
                for tool in tools.tools()
            ]
        )

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        # Not beside another call, and not broken off half way (spec §12): whoever cancels waits for the disk.
        async with one_at_a_time:
            _name_actor(tools, context.session.client_params)
            with anyio.CancelScope(shield=True):
                answer = await anyio.to_thread.run_sync(tools.call, params.name, params.arguments or {})
        return types.CallToolResult(content=[types.TextContent(text=answer.text)], is_error=answer.is_error)

    return Server(
        SERVER_NAME,
        version=version,
        instructions=tool_words(tools.manager.lang).server,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _name_actor(tools: MemoryTools, client: Any) -> None:  # noqa: ANN401  -- a type of the extra
    """Let journal and audit log say which client called, as it names itself."""
    name = client.client_info.name if client is not None else ""
    if shown := for_prompt(visible(name)).strip()[:_MAX_CLIENT_NAME]:
        tools.manager.actor = shown
