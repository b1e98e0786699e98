"""Against the released client: what an installed hook says reaches the model, and a session's end reaches the queue."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.claude.hooks import MAX_CONTEXT_UNITS, HookInput, HookWorld, session_start_context
from memtui.claude.queue import Queue
from memtui.memory.index.entrypoint import measure
from tests.integration import client as released

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(released.binary() is None, reason=f"{released.VARIABLE} names no client"),
]


@pytest.fixture
def client() -> Iterator[released.Client]:
    with released.client() as made:
        yield made


def install(client: released.Client) -> None:
    """Put the hooks in with our own command, as a person does."""
    subprocess.run(
        [sys.executable, "-m", "memtui", "hook", "install", "--yes"],
        cwd=client.project,
        env=client._environment(),
        check=True,
        capture_output=True,
    )


def memory(client: released.Client, slug: str, body: str = "A body.", description: str = "about it") -> Path:
    client.memory.mkdir(parents=True, exist_ok=True)
    path = client.memory / f"{slug}.md"
    path.write_text(f"---\nname: {slug}\ndescription: {description}\ntype: project\n---\n\n{body}\n")
    return path


def turn(client: released.Client, *more: str) -> tuple[dict[str, object], str]:
    """One turn: what the client says of it, and the text of all that its model's first request says."""
    client.model.asked.clear()
    done = subprocess.run(
        [client.path, "-p", "hello", "--output-format", "json", *more],
        cwd=client.project,
        env=client._environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=released.TURN_SECONDS,
    )
    return json.loads(done.stdout), "\n".join(released._texts(client.model.asked[0]))


def context(client: released.Client, source: str, idle: float | None = None) -> str:
    world = HookWorld({}, client.home, lambda: client.memory.stat().st_mtime, client.home / "none.toml")
    return session_start_context(HookInput("s", "", client.project, source, idle), world)


def test_what_the_hook_says_reaches_the_first_request_and_the_end_reaches_the_queue(
    client: released.Client,
) -> None:
    freeze = memory(client, "freeze", "Merges stop on the 5th: 界🚀.")
    yesterday = freeze.stat().st_mtime - 86_400  # what is written along with an answer is told again
    os.utime(freeze, (yesterday, yesterday))
    (client.memory / "MEMORY.md").write_text("- [Freeze](freeze.md) — about it\n")
    install(client)
    answer, text = turn(client)
    told = context(client, "startup")
    assert "Merges stop on the 5th" in told
    assert told in text
    assert text.count("- [Freeze](freeze.md)") == 1
    queue = Queue(client.home / ".local" / "state" / "memtui")
    (item,) = queue.pending()
    assert (item.session_id, item.event) == (answer["session_id"], "SessionEnd")
    assert Path(item.cwd) == client.project
    assert Path(item.transcript_path).is_file()
    # Resumed, it still has what it was told, and gets what is new.
    memory(client, "board", "The board is at the usual place.")
    _, text = turn(client, "--resume", str(answer["session_id"]))
    assert text.count("Merges stop on the 5th") == 1
    assert f"One of the 2 memories in {client.memory} changed since the last answer" in text
    assert "The board is at the usual place." in text
    assert len(queue.pending()) == 1


@pytest.mark.parametrize("char", ["a", "🚀"])
def test_the_longest_text_arrives_whole(client: released.Client, char: str) -> None:
    (client.home / ".config" / "memtui").mkdir(parents=True)
    (client.home / ".config" / "memtui" / "config.toml").write_text("entries = 1000\n")
    for number in range(60):
        memory(client, f"m{number:02}", f"{char * 150}\n" * 3, char * 100)
    install(client)
    _, text = turn(client)
    start = text.index(f"{client.memory} holds 60 memories")
    told = text[start : text.index("</project-memory-context>")]
    assert MAX_CONTEXT_UNITS - 1_500 < measure(told, "utf16") <= MAX_CONTEXT_UNITS
    assert "[Project] m" in told


def test_uninstalled_hooks_say_nothing(client: released.Client) -> None:
    memory(client, "freeze")
    install(client)
    subprocess.run(
        [sys.executable, "-m", "memtui", "hook", "uninstall", "--yes"],
        cwd=client.project,
        env=client._environment(),
        check=True,
        capture_output=True,
    )
    _, text = turn(client)
    assert "project-memory-context" not in text
    assert not (client.home / ".claude" / "settings.json").exists()
