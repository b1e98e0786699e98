"""Against the released client: the store memtui finds for a place is the one the client says it uses there (spec §15).

And the sample of ``memtui demo`` is a store to the client as it is to us.
"""

import json
import re
import subprocess
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from memtui.claude.paths import MAX_SLUG_UNITS, project_memory_dir
from memtui.demo import build_demo
from memtui.memory.directory.scan import Directory
from memtui.memory.index.entrypoint import truncate_entrypoint
from tests.integration import client as released

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(released.binary() is None, reason=f"{released.VARIABLE} names no client"),
]


@pytest.fixture
def client() -> Iterator[released.Client]:
    with released.client() as made:
        yield made


def git(*words: str, at: Path) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *names, *words], cwd=at, check=True, capture_output=True)


def told(client: released.Client, cwd: Path, more: Mapping[str, str]) -> Path:
    """The memory folder that the client names to its model when it runs in ``cwd``."""
    client.model.asked.clear()
    subprocess.run(
        [client.path, "-p", "hello"],
        cwd=cwd,
        env={**client._environment(), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=released.TURN_SECONDS,
    )
    (found,) = set(re.findall(r"memory at `([^`]+)/`", json.dumps(client.model.asked, ensure_ascii=False)))
    return Path(found)


def ours(client: released.Client, cwd: Path, more: Mapping[str, str]) -> Path:
    return project_memory_dir(cwd, environ=more, home=client.home).path


def test_the_client_and_we_agree_on_the_store(client: released.Client) -> None:
    repo = client.home / "repo.x"
    repo.mkdir()
    git("init", "-q", at=repo)
    git("commit", "-q", "--allow-empty", "-m", "first", at=repo)
    git("worktree", "add", "-q", str(client.home / "tree"), at=repo)
    git("clone", "-q", "--bare", str(repo), str(client.home / "bare.git"), at=client.home)
    git("worktree", "add", "-q", str(client.home / "bare-tree"), at=client.home / "bare.git")
    for folder in (
        "repo.x/sub/deep",
        "tree/in",
        "plain/a",
        "大明 🚀",
        "thief",
        unicodedata.normalize("NFD", "é"),
    ):
        (client.home / folder).mkdir(parents=True, exist_ok=True)
    (client.home / "link").symlink_to(repo)
    (client.home / "thief" / ".git").write_text(f"gitdir: {repo}/.git/worktrees/tree\n")
    places = ["repo.x/sub/deep", "tree/in", "bare-tree", "plain/a", "大明 🚀", "thief", "link"]
    for place in places:
        assert told(client, client.home / place, {}) == ours(client, client.home / place, {}), place
    decomposed = client.home / unicodedata.normalize("NFD", "é")
    theirs = told(client, decomposed, {})
    theirs.mkdir(parents=True, exist_ok=True)
    assert theirs == ours(client, decomposed, {})


def test_the_client_and_we_agree_on_variables_and_settings(client: released.Client) -> None:
    cwd = client.project
    for more in (
        {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": f"{client.home}/x/../over/"},
        {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "~/over"},
        {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "over"},
        {"CLAUDE_CONFIG_DIR": f"{client.home}/cfg"},
        {"CLAUDE_CODE_REMOTE_MEMORY_DIR": f"{client.home}/rem", "CLAUDE_CONFIG_DIR": f"{client.home}/cfg"},
    ):
        assert told(client, cwd, more) == ours(client, cwd, more), more
    settings = client.home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    for value in ("~/mine", f"{client.home}/mine/../yours/", "relative", "~", "/"):
        settings.write_text(json.dumps({"autoMemoryDirectory": value}))
        assert told(client, cwd, {}) == ours(client, cwd, {}), value


def test_a_long_path_is_found_by_its_first_200_units(client: released.Client) -> None:
    cwd = client.home.joinpath(*(f"{'长name' * 10}{n}" for n in range(5)))
    cwd.mkdir(parents=True)
    theirs = told(client, cwd, {})
    theirs.mkdir(parents=True, exist_ok=True)
    assert len(theirs.parent.name) > MAX_SLUG_UNITS
    assert theirs == ours(client, cwd, {})


def test_the_sample_is_a_store_to_the_client_as_it_is_to_us(client: released.Client, tmp_path: Path) -> None:
    made = build_demo(tmp_path / "demo", 1_780_000_000.0)
    directory = Directory(made.memory_dir, clock=lambda: 1_780_000_000.0)
    directory.refresh()
    client.install(made.memory_dir)
    assert client.loaded_index() == truncate_entrypoint(directory.index_text, "utf16")
    theirs = {
        Path(row["path"]).relative_to(client.memory).as_posix(): (
            row["description"],
            row["type"],
            row["modified_ms"],
        )
        for row in client.list_memories()
        if not row["path"].endswith("/MEMORY.md")
    }
    assert theirs == {
        entry.rel: (entry.description, entry.type_text, pytest.approx(entry.modified * 1000, abs=1))
        for entry in directory.entries
        if entry.is_active
    }
