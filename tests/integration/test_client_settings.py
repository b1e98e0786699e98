"""Against the released client: settings and switches mean to memtui what they mean to it (spec §15).

Each row lays files down, runs one turn, and compares two things with what memtui says of the same place: whether the
first request carries the index, and which folder the client names to its model.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from memtui.claude.evidence import evidence_in
from memtui.claude.paths import project_memory_dir, settings_at
from memtui.claude.settings import MAX_SETTINGS_BYTES, ManagedPlaces
from memtui.claude.survey import survey
from memtui.claude.switch import auto_memory_state
from tests.integration import client as released
from tests.integration.test_client_paths import git

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(released.binary() is None, reason=f"{released.VARIABLE} names no client"),
]

PROOF = "- [Proof](proof.md) — it was loaded"
ON, OFF = {"autoMemoryEnabled": True}, {"autoMemoryEnabled": False}
DISABLE, SIMPLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "CLAUDE_CODE_SIMPLE"
REMOTE, REMOTE_DIR = "CLAUDE_CODE_REMOTE", "CLAUDE_CODE_REMOTE_MEMORY_DIR"
OVERRIDE = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
USER, OWN, LOCAL = (
    ".claude/settings.json",
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
)


@pytest.fixture
def client() -> Iterator[released.Client]:
    with released.client() as made:
        yield made


def put(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, bytes):
        path.write_bytes(value)
    else:
        path.write_text(value if isinstance(value, str) else json.dumps(value))


def run(client: released.Client, cwd: Path, more: Mapping[str, str], before: Sequence[str] = ()) -> str:
    """One turn; what the model was asked, as text."""
    client.model.asked.clear()
    subprocess.run(
        [*before, client.path, "-p", "hello"],
        cwd=cwd,
        env={**client._environment(), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=released.TURN_SECONDS,
    )
    return json.dumps(client.model.asked, ensure_ascii=False)


def agree(
    client: released.Client,
    cwd: Path,
    more: Mapping[str, str] | None = None,
    *,
    managed: ManagedPlaces | None = None,
    before: Sequence[str] = (),
) -> bool:
    """Compare memtui with the client; gives whether auto memory is on."""
    more = more or {}
    settings = settings_at(cwd, environ=more, home=client.home, managed=managed)
    switch = auto_memory_state(more, settings)
    ours = project_memory_dir(cwd, environ=more, home=client.home, settings=settings)
    if ours.path.is_relative_to(client.home):
        put(ours.path / "MEMORY.md", PROOF)
    asked = run(client, cwd, more, before)
    told = set(re.findall(r"memory at `([^`]+)/`", asked))
    assert told == ({str(ours.path)} if switch.on else set())
    if ours.path.is_relative_to(client.home):
        assert (PROOF in asked) is switch.on
    return switch.on


@pytest.mark.parametrize(
    ("files", "more", "on"),
    [
        ({}, {}, True),
        ({}, {DISABLE: "1"}, False),
        ({}, {DISABLE: "Yes"}, False),
        ({}, {DISABLE: "2"}, True),
        ({USER: OFF}, {DISABLE: ""}, False),
        ({USER: OFF}, {DISABLE: "0"}, True),
        ({USER: OFF}, {DISABLE: "off"}, True),
        ({}, {SIMPLE: "1"}, False),
        ({}, {SIMPLE: "0"}, True),
        ({}, {SIMPLE: "1", DISABLE: "0"}, False),
        ({}, {REMOTE: "1"}, False),
        ({}, {REMOTE: "1", DISABLE: "0"}, True),
        ({}, {REMOTE: "1", REMOTE_DIR: "{home}/.claude"}, True),
        ({USER: OFF}, {REMOTE: "1", REMOTE_DIR: "{home}/.claude"}, False),
        ({USER: ON, OWN: OFF}, {}, False),
        ({USER: OFF, OWN: ON}, {}, True),
        ({OWN: ON, LOCAL: OFF}, {}, False),
        ({USER: {"env": {DISABLE: "1"}}}, {DISABLE: "0"}, False),
        ({USER: {"env": {DISABLE: 1}}}, {}, False),
        ({OWN: {"env": {DISABLE: ""}}}, {DISABLE: "1"}, True),
        ({OWN: {"env": {SIMPLE: "1", REMOTE: "1", OVERRIDE: "/stranger"}}}, {}, True),
        ({USER: {"env": {OVERRIDE: "/mine"}}}, {OVERRIDE: "/process"}, True),
    ],
)
def test_the_switches(
    client: released.Client, files: dict[str, object], more: dict[str, str], on: bool
) -> None:
    for name, value in files.items():
        put(client.home / name, value)
    given = {name: text.format(home=client.home) for name, text in more.items()}
    assert agree(client, client.project, given) is on


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ('{"autoMemoryEnabled": false, "nonsense": 3}', False),
        ('\ufeff{"autoMemoryEnabled": false}', False),
        (b'{"autoMemoryEnabled": false, "x": "\xff"}', False),
        ('{"autoMemoryEnabled": false, "autoMemoryDirectory": "relative"}', False),
        ('{"autoMemoryEnabled": false, "autoMemoryDirectory": 3}', True),
        ('{"autoMemoryEnabled": "false"}', True),
        ('{"autoMemoryEnabled": false,}', True),
        ('{"autoMemoryEnabled": false, "x": NaN}', True),
        ('{"autoMemoryEnabled": false, "env": 3}', True),
        ('{"autoMemoryDirectory": "~/"}', True),
        ('{"autoMemoryDirectory": "~/.."}', True),
        ("[1]", True),
        ("", True),
    ],
)
def test_odd_settings_files(client: released.Client, text: object, on: bool) -> None:
    put(client.home / USER, text)
    assert agree(client, client.project) is on


@pytest.mark.parametrize(("more", "on"), [(0, False), (1, True)])
def test_the_size_of_a_settings_file(client: released.Client, more: int, on: bool) -> None:
    room = MAX_SETTINGS_BYTES - len(json.dumps({**OFF, "x": ""}))
    put(client.home / USER, {**OFF, "x": "a" * (room + more)})
    assert agree(client, client.project) is on


def test_which_folders_settings_count(client: released.Client) -> None:
    shutil.rmtree(client.project / ".git")
    git("init", "-q", at=client.project)
    git("commit", "-q", "--allow-empty", "-m", "first", at=client.project)
    git("worktree", "add", "-q", str(client.home / "tree"), at=client.project)
    below, in_tree = client.project / "sub", client.home / "tree" / "in"
    below.mkdir()
    in_tree.mkdir()
    put(client.project / ".claude" / "settings.json", OFF)
    assert agree(client, below)
    put(client.home / "tree" / ".claude" / "settings.local.json", OFF)
    assert agree(client, in_tree)
    put(client.project / ".claude" / "settings.local.json", ON)
    put(below / ".claude" / "settings.local.json", OFF)
    assert agree(client, below)
    put(client.project / ".claude" / "settings.local.json", OFF)
    assert not agree(client, in_tree)


def test_in_the_home_the_persons_settings_count_once(client: released.Client) -> None:
    put(client.home / USER, {"autoMemoryDirectory": "~/mine"})
    assert agree(client, client.home)
    put(client.home / ".claude" / "settings.local.json", OFF)
    assert not agree(client, client.home)


def test_a_transcript_of_the_client_proves_what_it_loaded(client: released.Client) -> None:
    put(client.memory / "MEMORY.md", PROOF)
    run(client, client.project, {})
    assert list(evidence_in([client.memory.parent]).loaded) == [client.memory]
    found = survey(client.project, environ={}, home=client.home)
    assert found.in_force.used is True
    assert found.oddities == ()


def _own_mounts() -> bool:
    """Whether a process may have mounts of its own, so that it can be shown another ``/etc``."""
    tool = shutil.which("unshare")
    return (
        tool is not None
        and subprocess.run([tool, "-m", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not _own_mounts(), reason="an organisation's settings need mounts of one's own")
@pytest.mark.parametrize(
    ("managed", "files", "on"),
    [
        ({"managed-settings.json": ON}, {LOCAL: OFF}, True),
        ({"managed-settings.json": ON, "managed-settings.d/10.json": OFF}, {}, False),
        ({"managed-settings.d/10.json": OFF, "managed-settings.d/9.json": ON}, {}, True),
        ({"managed-settings.d/.10.json": OFF, "managed-settings.d/20.txt": OFF}, {}, True),
        (
            {"managed-settings.json": {"autoMemoryEnabled": "x", "autoMemoryDirectory": "/theirs"}},
            {USER: {"autoMemoryDirectory": "/mine"}},
            True,
        ),
        (
            {"managed-settings.json": {"autoMemoryDirectory": "relative"}},
            {USER: {"autoMemoryDirectory": "/mine"}},
            True,
        ),
        ({"managed-settings.json": {"env": {DISABLE: "0"}}}, {USER: {"env": {DISABLE: "1"}}}, True),
    ],
)
def test_an_organisations_settings(
    client: released.Client, managed: dict[str, object], files: dict[str, object], on: bool
) -> None:
    for name, value in files.items():
        put(client.home / name, value)
    with tempfile.TemporaryDirectory(prefix="client-etc-") as folder:
        etc = Path(folder)
        for child in Path("/etc").iterdir():  # the client still needs the machine's certificates and names
            if os.access(child, os.R_OK) and child.is_file():
                shutil.copy(child, etc / child.name)
        for name, value in managed.items():
            put(etc / "claude-code" / name, value)
        before = ["unshare", "-m", "sh", "-c", f'mount --bind {etc} /etc && exec "$@"', "sh"]
        places = ManagedPlaces.below(etc / "claude-code")
        assert agree(client, client.project, managed=places, before=before) is on
