"""``memtui serve``: on this machine only, for whoever has the address, with nothing loaded from elsewhere."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from memtui.memory.errors import UsageError
from memtui.web import loopback_host
from tests.unit.cli_support import Cli

ESCAPES = re.compile(rb"\x1b\[[0-9;?$]*[a-zA-Z]")


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8"}


@asynccontextmanager
async def served(cli: Cli, *more: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The running command and the address it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "memtui", "serve", *more),
        cwd=cli.project,
        env=environment(cli.home),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield process, (await process.stdout.readline()).decode().strip()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    made.memory_file("release-freeze")
    return made


async def test_only_whoever_has_the_address_comes_in(cli: Cli) -> None:
    async with served(cli) as (process, address), aiohttp.ClientSession() as browser:
        match = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/([\w-]{32})/", address)
        assert match is not None
        origin, token = match.groups()
        other = f"{origin}/{token[:-1]}{'A' if token[-1] != 'A' else 'B'}/"

        async def status(url: str, **headers: str) -> int:
            async with browser.get(url, headers=headers, allow_redirects=False) as answer:
                return answer.status

        assert await status(address) == 200
        assert await status(address, Origin=origin) == 200
        assert await status(f"{address}static/js/textual.js") == 200
        for url in (
            origin,
            f"{origin}/",
            other,
            f"{origin}/x/../{token}x/",
            f"{origin}/static/js/textual.js",
        ):
            assert await status(url) == 403, url
        assert await status(f"{origin}/?token={token}") == 403
        # A stranger's name that leads to this machine, and a stranger's page.
        port = origin.rpartition(":")[2]
        for host in (f"rebound.example:{port}", f"localhost:{port}", "127.0.0.1", ""):
            assert await status(address, Host=host) == 403, host
        for page in ("http://rebound.example", "null", f"http://localhost:{port}", "http://127.0.0.1:1"):
            assert await status(address, Origin=page) == 403, page
        for url, headers in (
            (f"{origin}/ws", {}),
            (f"{other}ws", {}),
            (f"{address}ws", {"Origin": "http://rebound.example"}),
            (f"{address}ws", {"Host": f"rebound.example:{port}"}),
        ):
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await browser.ws_connect(url, headers=headers)
            assert caught.value.status == 403
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
        assert (process.returncode, out) == (0, b"")
        assert err.startswith(b"Open this address in a browser on this machine")
        assert token.encode() not in err


async def test_the_page_loads_nothing_from_elsewhere_and_tells_nobody_its_address(cli: Cli) -> None:
    async with served(cli) as (_, address), aiohttp.ClientSession() as browser:
        async with browser.get(address) as answer:
            page = await answer.text()
            policy = answer.headers["Content-Security-Policy"]
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["Cache-Control"] == "no-store"
        origin = address[: address.index("/", 8)]
        assert f'data-session-websocket-url="{address.replace("http", "ws", 1)}ws"' in page
        named = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert named["default-src"] == "'none'"
        assert named["connect-src"] == f"{origin} {origin.replace('http', 'ws', 1)}"
        assert named["frame-ancestors"] == "'none'"
        allowed = {word for words in named.values() for word in words.split()}
        assert {word for word in allowed if "//" in word} == set(named["connect-src"].split())
        assert "*" not in allowed


async def test_the_app_runs_behind_it(cli: Cli) -> None:
    async with served(cli, "--read-only") as (process, address), aiohttp.ClientSession() as browser:
        socket_ = await browser.ws_connect(f"{address}ws?width=100&height=30")
        shown = b""
        while b"Release-Freeze" not in ESCAPES.sub(b"", shown):
            message = await socket_.receive(60)
            assert message.type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}
            if message.type == aiohttp.WSMsgType.BINARY:
                shown += message.data
        await socket_.send_json(["stdin", "q"])
        while (await socket_.receive(60)).type not in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}:
            pass
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    assert not (cli.memory / ".memtui").exists()


async def test_ctrl_c_ends_it_without_a_word_even_while_an_app_starts(cli: Cli) -> None:
    """A terminal sends the signal to the app, too."""
    async with served(cli) as (process, address), aiohttp.ClientSession() as browser:
        socket_ = await browser.ws_connect(f"{address}ws?width=100&height=30")
        os.killpg(process.pid, signal.SIGINT)
        while (await socket_.receive(60)).type not in {aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED}:
            pass
        out, err = await process.communicate()
        assert (process.returncode, out, len(err.splitlines())) == (0, b"", 1)


def test_a_port_that_is_taken_is_said(cli: Cli) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = cli("serve", "--port", str(port))
    assert (done.code, done.out) == (4, "")
    assert f"127.0.0.1:{port}: cannot listen there" in done.err


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "", "127.0.0.1.example.org"])  # noqa: S104
def test_other_machines_are_never_served(cli: Cli, host: str) -> None:
    done = cli("serve", "--host", host)
    assert (done.code, done.out) == (2, "")
    assert "to this machine only" in done.err
    with pytest.raises(UsageError):
        loopback_host(host)


@pytest.mark.parametrize(
    ("host", "address"), [("localhost", "127.0.0.1"), ("127.0.0.7", "127.0.0.7"), ("[::1]", "::1")]
)
def test_what_counts_as_this_machine(host: str, address: str) -> None:
    assert loopback_host(host) == address
