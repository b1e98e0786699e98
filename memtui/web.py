"""``memtui serve``: the app in a browser on this machine, for whoever has the address.

The pages and the terminal in them are textual-serve's; who may see them is decided here, before it. Measured of
version 1.1.3: it asks nobody who he is, answers under any name, and its page loads a font from another machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import ipaddress
import logging
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from memtui.memory.errors import MissingExtra, Refused, UsageError
from memtui.memory.wording.saying import Say, system_said

if TYPE_CHECKING:
    from aiohttp import web

TOKEN_BYTES = 24
"""Bytes of chance in an address: more than can be guessed."""
_GOODBYE_SECONDS = 2.0


def loopback_host(host: str) -> str:
    """The address to listen on.

    Args:
        host: an address or ``localhost``.

    Raises:
        UsageError: others than this machine could reach it.
    """
    name = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise UsageError(
            "memtui is served to this machine only",
            where=host,
            todo="Use 127.0.0.1; from elsewhere, tunnel to it: ssh -L",
        )
    return str(address)


def serve(command: str, *, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; then the apps are ended as if somebody left them, and nothing is said.

    Args:
        command: the shell command that runs the app; each visit runs one.
        host: a loopback address.
        port: where to listen; 0 for any free one.
        tell: is given the address, once it can be opened.

    Raises:
        Refused: the extra that this needs is not installed, or the port cannot be had.
    """
    try:
        import textual_serve.server  # noqa: F401, PLC0415  -- an extra
    except ModuleNotFoundError as error:
        raise MissingExtra("web", error) from None
    try:
        asyncio.run(_serve(command, host, port, tell))
    finally:
        logging.disable(logging.NOTSET)


async def _serve(command: str, host: str, port: int, tell: Callable[[str], None]) -> None:
    from aiohttp import web  # noqa: PLC0415  -- an extra

    token = secrets.token_urlsafe(TOKEN_BYTES)
    gate = Gate(token)
    app = await make_app(command, gate)
    # An access log would write the address down.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_GOODBYE_SECONDS)
    await runner.setup()
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except (OSError, OverflowError) as error:
            reason = system_said(error) if isinstance(error, OSError) else str(error)
            raise Refused(
                Say("cannot listen there: {reason}", reason=reason),
                where=f"{host}:{port}",
                todo="Choose another --port",
            ) from error
        name = f"[{host}]" if ":" in host else host
        gate.origin = f"http://{name}:{runner.addresses[0][1]}"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, over.set)
        tell(f"{gate.origin}/{token}/")
        await over.wait()
    finally:
        # What is broken off half way complains: the libraries on their loggers, an app on its way in through our stdout.
        logging.disable(logging.CRITICAL)
        with contextlib.redirect_stdout(io.StringIO()):
            await runner.cleanup()


class Gate:
    """Who may come in: whoever names the token, under the server's own name, from its own page.

    Attributes:
        token: the first part of every path.
        origin: scheme, address and port of the server; known once it listens.
    """

    def __init__(self, token: str) -> None:
        self.token = token
        self.origin = ""

    def lets_in(self, request: web.Request) -> bool:
        """Whether a request may be answered.

        A page of another site cannot know the token; should it have it, its ``Origin`` gives it away. A name that
        somebody else's name server points at this machine stands in ``Host``.
        """
        origin = self.origin
        named = f"http://{request.headers.get('Host', '')}"
        asked_by = request.headers.get("Origin", origin)
        part = request.raw_path.removeprefix("/").partition("/")[0].partition("?")[0]
        known = secrets.compare_digest(part.encode("utf-8", "replace"), self.token.encode())
        return bool(origin) and known and named == origin and asked_by == origin

    def headers(self) -> dict[str, str]:
        """What a browser is told beside every answer: to load nothing from elsewhere, and to tell nobody the address."""
        policy = (
            "default-src 'none'; script-src 'self' 'unsafe-inline'; "
            "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
            f"connect-src {self.origin} {self.origin.replace('http:', 'ws:', 1)}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cache-Control": "no-store",
        }


async def make_app(command: str, gate: Gate) -> web.Application:
    """The web application behind the gate; see ``serve``."""
    from aiohttp import web  # noqa: PLC0415  -- an extra
    from textual_serve.server import Server  # noqa: PLC0415

    visits: set[asyncio.Task[object]] = set()

    class Quiet(Server):
        """Says nothing on stdout, follows the gate's address, and ends its apps when it ends."""

        async def on_startup(self, app: web.Application) -> None:
            """Greet nobody."""

        async def on_shutdown(self, app: web.Application) -> None:  # noqa: ARG002  -- the signature is theirs
            for visit in visits:
                visit.cancel()  # which lets its app quit, and waits for it

        async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
            visit = asyncio.current_task()
            if visit is not None:
                visits.add(visit)
                visit.add_done_callback(visits.discard)
            return await super().handle_websocket(request)

        async def handle_index(self, request: web.Request) -> web.StreamResponse:
            self.public_url = gate.origin
            answer: web.StreamResponse = await super().handle_index(request)
            return answer

    @web.middleware
    async def guard(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not gate.lets_in(request):
            raise web.HTTPForbidden(text="Open the whole address that memtui printed.\n")
        return await handler(request)

    async def mark(_request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(gate.headers())

    outer = web.Application(middlewares=[guard])
    outer.on_response_prepare.append(mark)
    outer.add_subapp(f"/{gate.token}", await Quiet(_undisturbed(command), title="memtui")._make_app())  # noqa: SLF001  -- its only door
    return outer


def _undisturbed(command: str) -> str:
    """The command for the app, deaf to the Ctrl-C that a terminal sends to the server and all that it started."""
    return command if sys.platform == "win32" else f"trap '' INT; exec {command}"
