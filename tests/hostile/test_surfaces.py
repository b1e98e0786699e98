"""Reliability §3: everything that shows or hands on what stands in a memory directory meets all that a stranger may put there."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from collections.abc import Iterator

import pytest

from memtui.agent.memory_tools import MemoryTools
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Evidence, Inbox, Origin
from tests.hostile.corpora import ALL, BREAK_OUT, INVISIBLE, PAYLOADS, TERMINAL, poison, transcript, unsafe
from tests.unit.cli_support import NOW, Cli


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    """A project whose directory holds all of it, proposals and old versions of it too."""
    top = tmp_path_factory.mktemp("poisoned")
    cli = Cli(
        top, environ={"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(top / "home")}
    )
    manager = MemoryManager.open(cli.memory, clock=lambda: NOW - 3e6, actor="x\x1b[2J", session_id=ALL)
    for text in ("one text of it", "another text of it"):
        manager.save_memory("old", "Old", "about old", "user", f"{text} {ALL}")
    why = Origin(
        "extraction", ALL, (Evidence("/t/s.jsonl", 3, ALL, before=ALL, after=ALL),), by="rules", session=ALL
    )
    inbox = Inbox(manager)
    inbox.add(inbox.propose_save("new", "New", INVISIBLE.replace("\u2028", ""), "user", ALL, why))
    inbox.add(inbox.propose_forget(["old"], why))
    (cli.memory / ".memtui/inbox/forged\x1b[2J.json").write_text(json.dumps({"reason": ALL}))
    poison(cli.memory)
    transcript(cli.memory.parent / "11111111-2222-4333-8444-555555555555.jsonl")
    yield cli
    shutil.rmtree(top)


def clean(cli: Cli, *words: str, exact: bool = False) -> str:
    """What a command says through a pipe, and that it says nothing unseen in a terminal; in a pipe neither unless ``exact``."""
    told = []
    for tty in (False, True):
        cli.tty = tty
        done = cli(*words)
        assert done.code in {0, 1, 2, 3, 4}, (words, done.err)
        assert "Traceback" not in done.err, (words, done.err)
        for text in (done.out if tty or not exact else "", done.err):
            assert not unsafe(text), (words, tty, unsafe(text))
        told.append(done.out)
    cli.tty = False
    return told[0]


WORD = TERMINAL.replace("\0", "")
"""As an argument: a process can be given no NUL."""
READS = (
    ["list", "--all"],
    ["list", WORD],
    ["check"],
    ["index"],
    ["index", "--loaded"],
    ["review"],
    ["receipts"],
    ["select", "--dry-run", f"which {INVISIBLE}"],
    ["projects"],
    ["projects", "search", "owned"],
    ["log", "--show", "2026-05-28"],
    ["log", "--days", "9"],
    ["secrets", "scan"],
    ["secrets", "allow", WORD],
    ["dream", "--dry-run"],
    ["extract", "--dry-run", "--offline"],
    ["where"],
    ["team", "status"],
    ["team", "show", WORD],
    ["copy", "terminal", "--to", f"x{WORD}", "--dry-run"],
    ["rename" + WORD],
)


@pytest.mark.parametrize(
    "words", READS, ids=lambda words: " ".join(words)[:20].encode("ascii", "replace").decode()
)
def test_no_command_shows_what_a_terminal_obeys(poisoned: Cli, words: list[str]) -> None:
    clean(poisoned, *words, exact=words[0] == "dream")  # a pipe gets the very bytes of a diff
    told = poisoned(*words, "--json")
    assert not unsafe(told.out + told.err)
    if told.out:
        json.loads(told.out)


def test_no_command_on_one_memory_does_either(poisoned: Cli) -> None:
    slugs = [row["slug"] for row in poisoned("list", "--all", "--json").json]
    assert len(slugs) > 50
    for slug in slugs[::3]:
        poisoned.tty = True
        done = poisoned("show", "--", slug)
        assert done.code in {0, 2, 3, 4}, (slug, done.err)
        assert not unsafe(done.out + done.err), slug
    for words in (["show", "--raw"], ["show", "--content"], ["history"], ["diff"], ["diff", "--raw"]):
        for slug in ("old", *PAYLOADS):
            done = poisoned(*words, slug)
            assert not unsafe(done.out + done.err), (words, slug)
    poisoned.tty = False
    for row in poisoned("review", "--json").json["proposals"]:
        clean(poisoned, "review", "show", row["id"], exact=True)


def broken_out(text: str) -> bool:
    """Whether a text for a model holds a tag of the client's, or turns to speak for somebody."""
    folded = "".join(unicodedata.normalize("NFKC", text).lower().split())
    return "system-reminder>" in folded.replace("&lt;", "") and (
        folded.count("<system-reminder") != folded.count("</system-reminder")
    )


def test_what_a_model_reads_breaks_out_of_nothing(poisoned: Cli) -> None:
    reminder = clean(poisoned, "reminder")
    folded = unicodedata.normalize("NFKC", reminder).lower()
    assert folded.count("<project-memory-context") == folded.count("</project-memory-context") == 1
    assert "\nHuman:" not in reminder
    assert not broken_out(reminder)
    start = poisoned(
        "hook", "session-start", stdin=json.dumps({"cwd": str(poisoned.project), "source": "startup"})
    )
    assert start.code == 0
    context = json.loads(start.out)["hookSpecificOutput"]["additionalContext"]
    tools = MemoryTools(MemoryManager.open(poisoned.memory, clock=lambda: NOW))
    answers = [
        tools.call("list_memories", {}).text,
        tools.call("recall_memories", {"query": "owned tag zero right obey"}).text,
        tools.call("recall_memories", {"query": ALL}).text,
        tools.call(TERMINAL, {TERMINAL: BREAK_OUT}).text,
        tools.call("save_memory", {"slug": TERMINAL, "name": ALL, "description": ALL}).text,
    ]
    for text in (context, *answers):
        assert not unsafe(text), unsafe(text)
        assert not broken_out(text), text
        assert "\nHuman:" not in text
