"""Ask the released Claude Code client what it makes of a memory directory.

The client runs with a throw-away home against a stub model on loopback; the directory asked about is copied, never
touched. ``MEMTUI_CLIENT`` names the client's binary.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

VARIABLE = "MEMTUI_CLIENT"
TURN_SECONDS = 90
INDEX_HEAD = "/MEMORY.md (user's auto-memory, persists across conversations):\n\n"


def binary() -> str | None:
    """The client to ask, or None where the environment names none."""
    return os.environ.get(VARIABLE) or None


def project_folder(directory: Path) -> str:
    """The name the client gives a project's folder: each UTF-16 unit outside ``[A-Za-z0-9]`` is a dash."""
    units = str(directory.resolve()).encode("utf-16-le")
    pairs = (units[i] | units[i + 1] << 8 for i in range(0, len(units), 2))
    return "".join(chr(u) if u < 128 and chr(u).isalnum() else "-" for u in pairs)


class _Model(ThreadingHTTPServer):
    """Answers every question with one word, and keeps the questions; first it makes the tool calls it was given."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        super().__init__(("127.0.0.1", 0), _Answer)


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Model

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class names it so)
        """Say nothing: the tests' output is read by people."""

    def do_GET(self) -> None:
        self._send("application/json", "{}")

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        if not self.path.split("?")[0].endswith("/messages"):
            self._send("application/json", '{"input_tokens": 1}')
            return
        question = json.loads(data)
        self.server.asked.append(question)
        block, stop = self._block(question)
        if question.get("stream"):
            events = "".join(
                f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in _answer_events(block, stop)
            )
            self._send("text/event-stream", events)
        else:
            whole = {**_MESSAGE, "content": [block], "stop_reason": stop}
            self._send("application/json", json.dumps(whole))

    def _block(self, question: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """What is answered: the next tool call where the tool is offered, else one word."""
        calls = self.server.calls
        if calls and calls[0][0] in {tool.get("name") for tool in question.get("tools", ())}:
            name, parameters = calls.pop(0)
            identity = f"toolu_{len(self.server.asked)}"
            return {"type": "tool_use", "id": identity, "name": name, "input": parameters}, "tool_use"
        return {"type": "text", "text": "Noted."}, "end_turn"

    def _send(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


_MESSAGE: dict[str, Any] = {
    "id": "msg_loopback",
    "type": "message",
    "role": "assistant",
    "model": "loopback",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def _answer_events(block: dict[str, Any], stop: str) -> Iterator[dict[str, Any]]:
    empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
    delta = (
        {"type": "text_delta", "text": block["text"]}
        if block["type"] == "text"
        else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    )
    yield {"type": "message_start", "message": _MESSAGE}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 1},
    }
    yield {"type": "message_stop"}


@dataclass(slots=True)
class Client:
    """One throw-away home with one project, and the client that is run in it."""

    path: str
    home: Path
    model: _Model = field(default_factory=_Model)

    def __enter__(self) -> Self:
        self.project.mkdir()
        (self.project / ".git").mkdir()
        threading.Thread(target=self.model.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.model.shutdown()
        self.model.server_close()

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def memory(self) -> Path:
        return self.home / ".claude" / "projects" / project_folder(self.project) / "memory"

    def install(self, directory: Path) -> None:
        """Lay a copy of a memory directory where the client looks for it."""
        shutil.rmtree(self.memory, ignore_errors=True)
        shutil.copytree(directory, self.memory, symlinks=True)

    def _environment(self) -> dict[str, str]:
        host, port = self.model.server_address[:2]
        return {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),  # what the client runs of ours is what is tested
            "ANTHROPIC_BASE_URL": f"http://{host!s}:{port}",
            "ANTHROPIC_API_KEY": "none-needed-on-loopback",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }

    def loaded_index(self) -> str | None:
        """The text of ``MEMORY.md`` that reaches the model with its warning line, or None if none does."""
        self.model.asked.clear()
        subprocess.run(
            [self.path, "-p", "hello", "--output-format", "json"],
            cwd=self.project,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=TURN_SECONDS,
        )
        texts = [text for question in self.model.asked for text in _texts(question)]
        assert texts, "the client asked the model nothing"
        for text in texts:
            if INDEX_HEAD in text:
                return _index_part(text.split(INDEX_HEAD, 1)[1])
        return None

    def list_memories(self) -> list[dict[str, Any]]:
        """What the client itself lists as memories: name, type, description, modified_ms."""
        with subprocess.Popen(
            [
                self.path,
                "-p",
                "--verbose",
                "--input-format",
                "stream-json",
                "--output-format",
                "stream-json",
            ],
            cwd=self.project,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            alarm = threading.Timer(TURN_SECONDS, process.kill)
            alarm.start()
            try:
                for number, ask in enumerate(({"subtype": "initialize"}, {"subtype": "get_memory_dialog"})):
                    line = {"type": "control_request", "request_id": str(number), "request": ask}
                    process.stdin.write(json.dumps(line) + "\n")
                process.stdin.flush()
                for text in process.stdout:
                    answer = json.loads(text).get("response") or {}
                    if answer.get("request_id") == "1":
                        memories: list[dict[str, Any]] = answer["response"]["memories"]
                        return memories
            finally:
                alarm.cancel()
                process.kill()
        message = "the client ended without a list"
        raise AssertionError(message)


def _texts(question: dict[str, Any]) -> Iterator[str]:
    for message in question.get("messages", []):
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"text": content}]
        yield from (block.get("text") or "" for block in blocks)


def _index_part(text: str) -> str:
    return text.rsplit("\n</system-reminder>", 1)[0]


@contextmanager
def client() -> Iterator[Client]:
    """A client in a fresh home; use only where ``binary()`` names one."""
    path = binary()
    assert path is not None, f"set {VARIABLE}"
    with tempfile.TemporaryDirectory(prefix="client-home-") as home, Client(path, Path(home)) as made:
        yield made


def list_memories(directory: Path) -> list[dict[str, Any]]:
    """What the client lists for a memory directory."""
    with client() as asked:
        asked.install(directory)
        return asked.list_memories()


def loaded_index(directory: Path) -> str | None:
    """What the client loads of a memory directory's index."""
    with client() as asked:
        asked.install(directory)
        return asked.loaded_index()
