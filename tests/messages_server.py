"""A server on loopback that speaks the Messages API, and fails in every way that reliability §5 names.

    with MessagesServer() as server:
        server.say('["a"]')                       # the next answer; answers are given in order, the last one again
        server.play(status(529), text("ok"))      # several
        model = AnthropicModel(server.access(), pause=0.01)

Answers are streams of events, as the API sends them to those who ask for one; to others they come whole. What was asked
is in ``server.asked``. Nothing sleeps: what hangs, hangs until the other side leaves or the server ends.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from memtui.agent.llm_settings import Access

KEY = "a-key-for-loopback"
PATIENCE = 20.0
"""Longest time that a test waits for something that must happen, seconds."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def key(self) -> str:
        return self.headers.get("x-api-key", "") or self.headers.get("authorization", "").removeprefix(
            "Bearer "
        )


Play = Callable[["_Handler"], None]
"""What the server does with one request."""


def message(
    *content: Any, stop: str | None = "end_turn", tokens: tuple[int, int] = (11, 7)
) -> dict[str, Any]:
    """A message as the API gives it; a text stands for its block."""
    blocks = [{"type": "text", "text": each} if isinstance(each, str) else each for each in content]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


def tool_use(name: str, arguments: Mapping[str, Any], call_id: str = "toolu_1") -> dict[str, Any]:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": dict(arguments)}


def raw(
    body: bytes, *, code: int = 200, kind: str = "application/json", headers: Sequence[tuple[str, str]] = ()
) -> Play:
    """Any answer."""

    def play(handler: _Handler) -> None:
        handler.send_response(code)
        handler.send_header("content-type", kind)
        handler.send_header("content-length", str(len(body)))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return play


def made(value: object) -> Play:
    """Any JSON with status 200, whole: the way of a gateway that knows no streams."""
    return raw(json.dumps(value).encode())


def text(said: str, **options: Any) -> Play:
    """An answer of one text."""
    return streamed(message(said, **options))


def calls(*blocks: Any) -> Play:
    """An answer that calls tools; texts may stand among the calls."""
    return streamed(message(*blocks, stop="tool_use"))


# --- streams -------------------------------------------------------------------------------------------------------------


def events_of(whole: Mapping[str, Any], piece: int = 5) -> list[dict[str, Any]]:
    """The events that tell a message, in the API's order; texts and inputs in pieces of so many characters."""
    usage = whole["usage"]
    events: list[dict[str, Any]] = [
        {
            "type": "message_start",
            "message": {
                **whole,
                "content": [],
                "stop_reason": None,
                "usage": {**usage, "output_tokens": 1},
            },
        }
    ]
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            start, key, kind, said = {**block, "text": ""}, "text", "text_delta", block["text"]
        else:
            start, key, kind = {**block, "input": {}}, "partial_json", "input_json_delta"
            said = json.dumps(block["input"])
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        if not index:
            events.append({"type": "ping"})
        events += [
            {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": kind, key: said[at : at + piece]},
            }
            for at in range(0, len(said), piece)
        ]
        events.append({"type": "content_block_stop", "index": index})
    return [
        *events,
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": usage["output_tokens"]},
        },
        {"type": "message_stop"},
    ]


def on_the_wire(event: Mapping[str, Any]) -> bytes:
    """An event as it travels."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def stream(*parts: Mapping[str, Any] | bytes, then: Play | None = None, size: int = 37) -> Play:
    """Events, and bytes as they are, as a stream that arrives in small pieces, whose bounds are those of no event.

    Args:
        parts: what is sent.
        then: what follows in the same answer; its proper end if None.
        size: bytes of a piece.
    """

    def play(handler: _Handler) -> None:
        body = b"".join(part if isinstance(part, bytes) else on_the_wire(part) for part in parts)
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream; charset=utf-8")
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for start in range(0, len(body), size):
            handler.chunk(body[start : start + size])
        if then is None:
            handler.wfile.write(b"0\r\n\r\n")
        else:
            then(handler)

    return play


def streamed(whole: Mapping[str, Any], *, then: Play | None = None) -> Play:
    """A message as a stream of events; whole where no stream was asked for, as the API does."""
    events = stream(*events_of(whole), then=then)

    def play(handler: _Handler) -> None:
        answer = events if handler.server.home.asked[-1].body.get("stream") else made(whole)
        answer(handler)

    return play


def leave(_handler: _Handler) -> None:
    """The connection ends, and the answer does not."""


def over_and_over(piece: bytes, *, pause: float = 0.0) -> Play:
    """The same piece for ever, with a pause in seconds after each."""

    def play(handler: _Handler) -> None:
        while not handler.server.ended.wait(pause):
            handler.chunk(piece)

    return play


# --- failures ------------------------------------------------------------------------------------------------------------


def status(code: int, kind: str = "api_error", said: str = "it is said so", **headers: str) -> Play:
    """An error of the API."""
    body = json.dumps({"type": "error", "error": {"type": kind, "message": said}}).encode()
    return raw(body, code=code, headers=[(name.replace("_", "-"), value) for name, value in headers.items()])


def html() -> Play:
    """The page of a hotel's network, with status 200."""
    return raw(b"<!DOCTYPE html><html><body>Log in</body></html>", kind="text/html")


def redirect(to: str) -> Play:
    """Go elsewhere."""
    return raw(b"", code=307, headers=[("location", to)])


def cut() -> Play:
    """Half of an answer, and the end of the connection."""

    def play(handler: _Handler) -> None:
        body = json.dumps(message("a whole answer")).encode()
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2])

    return play


def half_json() -> Play:
    """Half of an answer that says of itself that it is whole."""
    body = json.dumps(message("a whole answer")).encode()
    return raw(body[: len(body) // 2])


def cut_stream() -> Play:
    """A stream of events that ends in the middle, as if that were its end."""
    return stream(*events_of(message("a whole answer"))[:4])


def stream_error(kind: str, said: str = "it is said so") -> Play:
    """A stream that begins well and then says what went wrong."""
    error = {"type": "error", "error": {"type": kind, "message": said}}
    return stream(*events_of(message("a whole answer"))[:4], error)


def closed() -> Play:
    """No answer at all: the connection ends."""

    def play(handler: _Handler) -> None:
        handler.connection.shutdown(socket.SHUT_RDWR)

    return play


def hang() -> Play:
    """Nothing, until the other side leaves."""

    return _Handler.until_they_leave


def drip() -> Play:
    """A byte now and then, always soon enough for a time limit on each read, for ever."""

    def play(handler: _Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        while not handler.server.ended.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return play


def endless() -> Play:
    """More than anybody can keep."""

    def play(handler: _Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        while not handler.server.ended.is_set():
            handler.wfile.write(b" " * (1 << 20))

    return play


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, home: MessagesServer) -> None:
        self.home = home
        self.ended = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The other side left: that is what is tested."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  -- the standard library's name
        pass

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        body = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        play = self.server.home.take(Asked(self.path, headers, body))
        self.close_connection = True
        try:
            play(self)
        finally:
            self.server.home.left()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def until_they_leave(self) -> None:
        """Nothing more, until then."""
        with suppress(OSError):
            while self.connection.recv(1024):
                pass


class MessagesServer:
    """The server; a context manager."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._plays: list[Play] = [text("ok")]
        self._change = threading.Condition()
        self._done = 0
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def access(self, **options: Any) -> Access:
        """How it is reached."""
        return Access(url=self.url, api_key=KEY, **options)

    def environ(self) -> dict[str, str]:
        """The same as environment variables."""
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.url}

    def play(self, *plays: Play) -> None:
        """What it does with the next requests; the last one again and again."""
        with self._change:
            self._plays = list(plays)

    def say(self, said: str, **options: Any) -> None:
        """Answer with a text."""
        self.play(text(said, **options))

    def take(self, asked: Asked) -> Play:
        with self._change:
            self.asked.append(asked)
            self._change.notify_all()
            return self._plays.pop(0) if len(self._plays) > 1 else self._plays[0]

    def left(self) -> None:
        with self._change:
            self._done += 1
            self._change.notify_all()

    def wait_asked(self, count: int = 1) -> None:
        """Wait until so many requests have come."""
        with self._change:
            assert self._change.wait_for(lambda: len(self.asked) >= count, PATIENCE)

    def wait_done(self, count: int = 1) -> None:
        """Wait until so many requests are over, answered or given up."""
        with self._change:
            assert self._change.wait_for(lambda: self._done >= count, PATIENCE)


class DeafServer:
    """A port whose queue is full: who connects to it waits."""

    def __enter__(self) -> Self:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(0)
        self._waiting = []
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(self._socket.getsockname())
            self._waiting.append(one)
        return self

    def __exit__(self, *_: object) -> None:
        for one in (*self._waiting, self._socket):
            one.close()

    def access(self) -> Access:
        return Access(url=f"http://127.0.0.1:{self._socket.getsockname()[1]}", api_key=KEY)
