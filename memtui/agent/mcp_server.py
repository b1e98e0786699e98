"""``memtui mcp``: the memory tools over the Model Context Protocol, on stdin and stdout.

While it serves, the SDK points file descriptor 1 at stderr, so that whatever else writes to stdout cannot come between
the protocol's lines.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

from memtui.agent.memory_tools import MemoryTools
from memtui.agent.tool_wording import tool_words
from memtui.memory.errors import MissingExtra
from memtui.memory.text import for_prompt, sendable, visible

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.server import Server
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage

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
            heard = AnsweringStream(read, write, tool_words(tools.manager.lang).no_request)
            await server.run(heard, write, server.create_initialization_options())

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
        return types.CallToolResult(
            content=[types.TextContent(text=sendable(answer.text))], is_error=answer.is_error
        )

    return Server(
        SERVER_NAME,
        version=version,
        instructions=tool_words(tools.manager.lang).server,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


class AnsweringStream:
    """What a client sends, with nothing passed over in silence that waits for an answer.

    The SDK drops a line that it cannot read (measured of 2.3.0), a lone surrogate in JSON (half of an
    emoji that was cut) being such a thing, and the model waits in vain. Here such a line is read with U+FFFD in its
    place; a request that still is none is answered with an error, as long as it has an ``id``.

    Args:
        read: from the SDK: messages, and an exception for each line that it could not read.
        write: takes the answers.
        no_request: what such an error says.
    """

    def __init__(
        self,
        read: ReadStream[SessionMessage | Exception],
        write: WriteStream[SessionMessage],
        no_request: str,
    ) -> None:
        self._read = read
        self._write = write
        self._no_request = no_request

    def __getattr__(self, name: str) -> object:
        return getattr(self._read, name)  # the SDK asks for ``last_context``

    async def receive(self) -> SessionMessage | Exception:
        """The next message, or why there is none."""
        got = await self._read.receive()
        return await self._mended(got) if isinstance(got, Exception) else got

    async def aclose(self) -> None:
        """Take no more."""
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        got = await self._read.__anext__()
        return await self._mended(got) if isinstance(got, Exception) else got

    async def __aenter__(self) -> Self:
        await self._read.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._read.__aexit__(kind, error, trace)

    async def _mended(self, wrong: Exception) -> SessionMessage | Exception:
        import mcp_types as types  # noqa: PLC0415  -- an extra
        from mcp.shared.message import SessionMessage  # noqa: PLC0415

        value = _message_in(wrong)
        try:
            text = sendable(json.dumps(value, ensure_ascii=False))
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
        except (ValueError, RecursionError):
            number = value.get("id") if "method" in value else None
        if isinstance(number, str | int):
            error = types.ErrorData(code=types.INVALID_REQUEST, message=self._no_request)
            number = sendable(number) if isinstance(number, str) else number
            await self._write.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=error)))
        return wrong


def _message_in(wrong: Exception) -> dict[str, Any]:
    """The message that the SDK could not read; empty if the line was no JSON object."""
    from pydantic import ValidationError  # noqa: PLC0415  -- the extra's

    given = [error["input"] for error in wrong.errors()] if isinstance(wrong, ValidationError) else []
    try:
        given = [json.loads(each) if isinstance(each, str) else each for each in given[:1]] + given[1:]
    except (ValueError, RecursionError):
        return {}
    return next((each for each in given if isinstance(each, dict) and "jsonrpc" in each), {})


def _name_actor(tools: MemoryTools, client: Any) -> None:  # noqa: ANN401  -- a type of the extra
    """Let journal and audit log say which client called, as it names itself."""
    name = client.client_info.name if client is not None else ""
    if shown := for_prompt(visible(name)).strip()[:_MAX_CLIENT_NAME]:
        tools.manager.actor = shown
