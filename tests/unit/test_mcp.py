"""``memtui mcp`` as a process: the protocol over stdio, with the SDK's own client on the other side."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, Implementation, TextContent

from memtui.claude.paths import store_folder
from memtui.memory.managing.manager import MemoryManager
from tests.children import killed_at_the_end

SAVE = {
    "slug": "tea",
    "name": "Tea",
    "description": "what to drink",
    "memory_type": "user",
    "content": "Tea, never coffee, in the morning.",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "project"


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8", "CLAUDE_CODE_SESSION_ID": "session-7"}


@asynccontextmanager
async def served(project: Path, *more: str) -> AsyncIterator[ClientSession]:
    how = StdioServerParameters(
        command=sys.executable,
        args=["-m", "memtui", "mcp", *more],
        env=environment(project.parent),
        cwd=project,
    )
    about = Implementation(name="some-client\x1b[2J", version="1")
    async with stdio_client(how) as (read, write), ClientSession(read, write, client_info=about) as session:
        await session.initialize()
        yield session


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_the_store_is_that_of_the_project_it_is_started_in(project: Path) -> None:
    store = store_folder(project.parent / ".claude" / "projects", project) / "memory"
    async with served(project) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert tools["save_memory"].input_schema["required"] == list(SAVE)
        hints = {name: tool.annotations.read_only_hint for name, tool in tools.items() if tool.annotations}
        assert hints["save_memory"] is False
        assert hints["list_memories"] is True
        assert not store.exists()
        saved = await session.call_tool("save_memory", SAVE)
        assert not saved.is_error
        assert text(saved).startswith("✅ Saved memory `tea`.")
        assert "- tea (user): Tea — what to drink" in text(await session.call_tool("list_memories", {}))
        wrong = await session.call_tool("save_memory", {"slug": "x"})
        assert wrong.is_error
    manager = MemoryManager.open(store)
    assert [entry.slug for entry in manager.entries()] == ["tea"]
    assert [(each.actor, each.door) for each in manager.activity()] == [("some-client␛[2J", "mcp")]
    rows = manager.audit.rows()
    assert [(row.status, row.actor, row.session_id) for row in reversed(rows)] == [
        ("created", "some-client␛[2J", "session-7"),
        ("error", "some-client␛[2J", "session-7"),
    ]


async def test_calls_at_once_are_made_one_after_the_other(project: Path, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    async with served(project, "-d", str(tmp_path / "memory")) as session, anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(session.call_tool, "save_memory", {**SAVE, "slug": f"m{number}"})
    manager = MemoryManager.open(tmp_path / "memory")
    assert {entry.slug for entry in manager.entries()} == {f"m{number}" for number in range(8)}
    assert len(manager.audit.rows()) == 8


def test_stdout_carries_nothing_but_the_protocol(project: Path) -> None:
    """Garbage is answered in the protocol too, and the end of stdin is the end."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        },
    }
    done = subprocess.run(
        [sys.executable, "-m", "memtui", "mcp"],
        input=f"not json\n{json.dumps(hello)}\n",
        cwd=project,
        env=environment(project.parent),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert [answer["result"]["serverInfo"]["name"] for answer in answers if answer.get("id") == 1] == [
        "memtui"
    ]
    assert not (project.parent / ".claude").exists()


def test_every_request_is_answered_whatever_halves_of_characters_it_holds(project: Path) -> None:
    """A lone surrogate is valid in JSON and nowhere else; the SDK drops such a line in silence."""

    def called(tool: str, **arguments: object) -> dict[str, object]:
        return {"method": "tools/call", "params": {"name": tool, "arguments": arguments}}

    half = "\ud83d"
    requests: list[dict[str, object]] = [
        {
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": f"x{half}", "version": "1"},
            },
        },
        called("save_memory", **{**SAVE, "content": f"Tea {half} and {half}\ude00, never coffee."}),
        called("save_memory", **{**SAVE, "slug": f"tea{half}"}),
        called("recall_memories", query=f"tea {half}"),
        called("list_memories", **{half: 1}),
        called(f"nothing{half}"),
        {"method": f"nothing{half}"},
        {"method": "tools/call", "params": [1]},
    ]
    with (
        subprocess.Popen(
            [sys.executable, "-m", "memtui", "mcp"],
            cwd=project,
            env=environment(project.parent),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
        killed_at_the_end(process),
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for number, request in enumerate(requests):
            print(json.dumps({"jsonrpc": "2.0", "id": number, **request}), file=process.stdin, flush=True)
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
    assert [answer["id"] for answer in answers] == list(range(len(requests)))
    texts = [answer["result"]["content"][0]["text"] for answer in answers[1:6]]
    assert texts[0].startswith("✅ Saved memory `tea`.")
    assert "slug 'tea\ufffd' is not kebab-case" in texts[1]
    assert "Tea \ufffd and 😀, never coffee." in texts[2]
    assert texts[3:] == ["The tool takes no parameter \ufffd.", "There is no tool nothing\ufffd."]
    assert [answer["error"]["code"] for answer in answers[6:]] == [-32601, -32600]


@pytest.mark.parametrize(
    ("command", "extra", "package"), [("mcp", "mcp", "mcp"), ("serve", "web", "textual_serve")]
)
def test_without_the_extra_it_says_how_to_install_it(
    project: Path, command: str, extra: str, package: str
) -> None:
    code = (
        f"import sys\nsys.modules[{package!r}] = None\n"
        f"from memtui.__main__ import main\nsys.exit(main([{command!r}, '-d', '.']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env=environment(project.parent),
        capture_output=True,
        text=True,
        input="",
        check=False,
    )
    assert (done.returncode, done.stdout) == (4, "")
    assert f"pip install 'memtui[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
