"""Who wrote a version: what the journal tells, else the header; and never more than is known."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memtui.agent.memory_tools import MemoryTools
from memtui.memory.managing.authors import Author, author_said, authors_of, doer_of
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox, Origin
from memtui.memory.saving.record_lines import begin_line, begun
from memtui.memory.saving.records import Door, Record
from memtui.memory.types import Lang
from tests.unit.cli_support import NOW, Cli

SESSION, LATER = "0d52c8f6-3b7e-4a91-9f04-c6e81a7d2b35", "5b1f0c3e-8a44-4d0b-9c1e-3f6b2f8d7a10"


class Store:
    """A memory with a past, in a directory of Claude Code."""

    def __init__(self, root: Path) -> None:
        self.root = root / "memory"
        self.root.mkdir(parents=True)

    def outside(self, text: str, *, session: str = "") -> None:
        origin = f"  originSessionId: {session}\n" if session else ""
        (self.root / "a.md").write_text(
            f"---\nname: A\ndescription: about a\nmetadata:\n  node_type: memory\n  type: user\n{origin}---\n\n{text}\n"
        )

    def open(self, door: Door = "", actor: str = "user") -> MemoryManager:
        manager = MemoryManager.open(self.root, "claude", clock=lambda: NOW, actor=actor)
        manager.journal.door = door
        return manager

    def save(self, text: str, door: Door = "", actor: str = "user") -> None:
        self.open(door, actor).save_memory("a", "A", "about a", "user", text)

    def said(self, lang: Lang = "en") -> list[str]:
        """Who wrote each version, the newest first."""
        manager = self.open()
        versions = manager.versions("a")
        authors = authors_of(versions, manager.activity())
        return [author_said(authors[version.entry.rel], lang) for version in versions]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_each_version_says_who_wrote_it_though_the_header_names_the_first_session_in_all(
    store: Store,
) -> None:
    store.outside("The first text of a.", session=SESSION)
    store.save("The second text of a, in the app.", "app")
    store.save("The third text of a, by a command.", "command")
    store.save("The fourth text of a, by a model.", "mcp", "claude-code")
    store.outside("The fifth text of a, by an editor, in place of the fourth.", session=SESSION)
    store.save("The sixth text of a, by a model without a name.", "mcp", "mcp")
    store.save("The seventh text of a, in the app.", "app")
    store.outside("The eighth text of a, by another session, in place of the seventh.", session=LATER)
    store.save("The ninth text of a, with an older memtui.")
    assert store.said() == [
        "you",
        "session 5b1f0c3e of Claude Code",
        "an agent, by MCP",
        "outside memtui",
        "you, on the command line",
        "you, in memtui",
        "session 0d52c8f6 of Claude Code",
    ]
    assert store.said("zh")[4:] == ["你，在命令行", "你，在 memtui 中", "会话 0d52c8f6（Claude Code）"]


def test_what_was_undone_and_done_again_is_whose_it_was(store: Store) -> None:
    store.outside("The first text of a.")
    store.save("The second text of a, by a model.", "mcp", "claude-code")
    store.open("app").undo()
    assert store.said() == ["outside memtui"]
    store.open("command").redo()
    assert store.said() == ["claude-code, by MCP", "outside memtui"]
    assert [record.door for record in store.open().activity()] == ["mcp", "app", "command"]


def test_a_proposal_is_the_words_of_who_proposed_it(store: Store) -> None:
    store.outside("The first text of a.")
    inbox = Inbox(store.open("app"))
    proposal = inbox.propose_save(
        "a", "A", "about a", "user", "The proposed text of a.", Origin("dream", "why")
    )
    inbox.add(proposal)
    inbox.accept(proposal.id)
    assert store.said()[0] == "proposed, accepted by you"


def test_of_a_memory_without_versions_there_is_nobody(store: Store) -> None:
    assert authors_of((), store.open().activity()) == {}


def test_where_the_journal_is_gone_nothing_is_guessed(store: Store) -> None:
    store.outside("The first text of a.", session=SESSION)
    store.save("The second text of a.", "app")
    store.save("The third text of a.", "app")
    shutil.rmtree(store.root / ".memtui/journal", ignore_errors=True)
    for path in (store.root / ".memtui").glob("journal*"):
        path.unlink()
    assert store.said() == ["", "", "session 0d52c8f6 of Claude Code"]


def test_the_tool_by_which_a_model_saves_leaves_its_name(store: Store) -> None:
    text = "What a model was told to remember."
    asked = {"slug": "a", "name": "A", "description": "about a", "memory_type": "user", "content": text}
    MemoryTools(store.open("mcp", "claude-code")).call("save_memory", asked)
    assert store.said() == ["claude-code, by MCP"]


@pytest.mark.parametrize(
    ("author", "said"),
    [
        (doer_of("user"), "you"),
        (doer_of("extraction"), "memtui extract"),
        (doer_of("dream", "command"), "memtui dream"),
        (doer_of("my-agent"), "my-agent"),
        (doer_of("mcp"), "an agent, by MCP"),
        (doer_of("a\x1b[2J\nb", "mcp"), "a␛[2J b, by MCP"),
        (Author("session", session="\x1b[2J"), "session ␛[2J of Claude Code"),
        (Author("unknown"), ""),
        (Author("team"), "your team, by sync"),
    ],
)
def test_who_it_was_is_said_in_a_few_words_fit_to_be_shown(author: Author, said: str) -> None:
    assert author_said(author, "en") == said


@pytest.mark.parametrize(("written", "door"), [("app", "app"), ("", ""), ("a window", "")])
def test_a_door_comes_back_from_the_journal_if_it_is_one(written: str, door: str) -> None:
    record = Record(1, NOW, "save a", ("a",), "user", None, "do", None, key="0" * 12, door="command")
    line = begin_line(record)
    assert begun(json.loads(line)) == record
    assert begun(json.loads(line.replace(b'"command"', json.dumps(written).encode()))).door == door


def test_the_command_names_who_wrote_each_version(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.memory_file("a", "The first text of a, which is long enough to be one.")
    assert cli("save", "a", "--name", "A", "--description", "about a", "--type", "user", "--content", "The second text of a.").code == 0  # fmt: skip
    assert "you, on the command line" in cli("history", "a").out.splitlines()[0]
    assert "outside memtui" in cli("history", "a").out.splitlines()[1]
    rows = cli("history", "a", "--json").json
    assert rows[0]["written_by"] == {"kind": "person", "door": "command", "name": "", "session": ""}
    assert rows[1]["written_by"]["kind"] == "outside"
