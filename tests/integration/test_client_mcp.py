"""Against the released client: a model's call of ``save_memory`` over MCP writes the memory and is answered in full."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.memory.managing.manager import MemoryManager
from tests.integration import client as released

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(released.binary() is None, reason=f"{released.VARIABLE} names no client"),
]


def test_a_models_call_saves_and_is_answered_with_warning_hint_and_manifest(tmp_path: Path) -> None:
    with released.client() as client:
        client.memory.mkdir(parents=True)
        (client.memory / "tea.md").write_text(
            "---\nname: Tea\ndescription: what to drink\ntype: user\n---\n\nMaybe tea, never coffee, in the morning.\n"
        )
        servers = tmp_path / "mcp.json"
        program = {"command": sys.executable, "args": ["-m", "memtui", "mcp"]}
        servers.write_text(json.dumps({"mcpServers": {"memtui": program}}))
        client.model.calls.append(
            (
                "mcp__memtui__save_memory",
                {
                    "slug": "morning",
                    "name": "Morning",
                    "description": "what the morning needs",
                    "memory_type": "user",
                    "content": "Maybe tea, never coffee, in the morning!",
                },
            )
        )
        environ = {**client._environment(), "ENABLE_TOOL_SEARCH": "false", "MCP_CONNECTION_NONBLOCKING": "0"}
        subprocess.run(
            [
                client.path,
                "-p",
                "hello",
                "--mcp-config",
                str(servers),
                "--allowedTools",
                "mcp__memtui__save_memory",
            ],
            cwd=client.project,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=released.TURN_SECONDS,
        )
        assert client.model.calls == []
        answers = [
            block
            for question in client.model.asked
            for message in question["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
            if block.get("type") == "tool_result"
        ]
        told = json.dumps(answers[0]["content"], ensure_ascii=False)
        assert "✅ Saved memory `morning`." in told
        assert "⚠️ Vague wording “Maybe”" in told or "⚠️ Vague wording “maybe”" in told
        assert "💡 Overlaps ≥70% with `tea`" in told
        assert "- tea (user): Tea — what to drink" in told
        manager = MemoryManager.open(client.memory)
        assert manager.get("morning").content.strip() == "Maybe tea, never coffee, in the morning!"
        assert "](morning.md) — what the morning needs" in (client.memory / "MEMORY.md").read_text()
        (row,) = manager.audit.rows()
        assert (row.tool_name, row.status, row.slug, row.actor) == (
            "save_memory",
            "created",
            "morning",
            "claude-code",
        )
