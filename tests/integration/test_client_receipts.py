"""Spec §16: receipts read from the released client's own transcript say what reached the model in that very session."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.claude.receipt_values import LoadState
from memtui.claude.turns import turns
from memtui.claude.usage import UsageReader
from memtui.claude.usage_report import SessionReceipt, UsageReport
from memtui.memory.index.lines import parse_index
from tests.integration.client import TURN_SECONDS, VARIABLE, Client, binary, client

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(binary() is None, reason=f"{VARIABLE} does not name a Claude Code client"),
]


@pytest.fixture
def asked() -> Iterator[Client]:
    with client() as made:
        yield made


def report(asked: Client, state: Path) -> UsageReport:
    reader = UsageReader(asked.memory, environ={}, home=asked.home, state_dir=state, cwd=asked.project)
    try:
        return reader.update()
    finally:
        reader.close()


def newest(asked: Client, state: Path) -> SessionReceipt:
    return report(asked, state).sessions[0]


def test_whole_cut_and_none_are_what_reached_the_model(asked: Client, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    state = tmp_path / "state"
    for count, expected in ((3, LoadState.WHOLE), (230, LoadState.CUT), (0, LoadState.NONE)):
        (folder / "MEMORY.md").write_text("".join(f"- [T{n}](t{n}.md) — about {n}\n" for n in range(count)))
        asked.install(folder)
        reached = asked.loaded_index()
        receipt = newest(asked, state)
        assert receipt.state is expected
        body = (reached or "").split("\n\n> WARNING: ")[0]
        assert receipt.loaded == {entry.rel for entry in parse_index(body).entries}
        assert len(receipt.loaded) == min(count, 200)
        assert receipt.cwd == str(asked.project)
        assert not receipt.gone
    known = report(asked, state)
    assert (known.of("t1.md").loaded, known.of("t199.md").loaded) == (2, 1)
    assert known.of("t229.md", since=0.0).cut == 1
    assert (known.read, known.skipped, len(known.sessions)) == (0, 0, 3)


def test_reads_and_writes_of_the_client_are_counted_when_they_worked(asked: Client, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [A](a.md) — what a says\n")
    (folder / "a.md").write_text("---\nname: a\ndescription: d\ntype: user\n---\n\nTea in the morning.\n")
    asked.install(folder)
    asked.model.calls += [
        ("Read", {"file_path": str(asked.memory / "a.md")}),
        ("Read", {"file_path": str(asked.memory / "none.md")}),
        ("Edit", {"file_path": str(asked.memory / "a.md"), "old_string": "not there", "new_string": "x"}),
        ("Write", {"file_path": str(asked.memory / "b.md"), "content": "Coffee at noon.\n"}),
    ]
    subprocess.run(
        [asked.path, "-p", "hello", "--permission-mode", "acceptEdits"],
        cwd=asked.project,
        env=asked._environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=TURN_SECONDS,
    )
    assert asked.model.calls == []
    assert (asked.memory / "b.md").exists()
    known = report(asked, tmp_path / "state")
    (session,) = known.sessions
    assert [(use.kind, use.rel) for use in session.uses] == [("read", "a.md"), ("written", "b.md")]
    assert (known.of("a.md").reads, known.of("a.md").writes, known.of("none.md").uses) == (1, 0, 0)
    (writer,) = known.of("b.md").written_by
    assert (writer.session, writer.agent, writer.background) == (session.session, "", False)


def test_what_was_typed_is_the_only_word_of_the_user(asked: Client, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [A](a.md) — remember the moon\n")
    asked.install(folder)
    asked.loaded_index()
    (transcript,) = asked.memory.parent.glob("*.jsonl")
    said = list(turns(transcript))
    assert [turn.text for turn in said if turn.kind == "typed"] == ["hello"]
    assert [turn.text for turn in said if turn.kind == "assistant"] == ["Noted."]
    assert not any("moon" in turn.text for turn in said)
