"""Spec §15, dream with a model: logs distilled and contradictions merged, as proposals only, each on lines that were shown."""

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox
from tests.messages_server import MessagesServer, calls, status, tool_use
from tests.unit.cli_support import Cli

LOG = "logs/2026/05/2026-05-27.md"


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer() as made:
        yield made


@pytest.fixture
def cli(tmp_path: Path, server: MessagesServer) -> Cli:
    made = Cli(tmp_path, environ=dict(server.environ()))
    made.memory_file("deploys", "Deploys happen on Tuesdays, after the stand-up.", days_old=9)
    made.memory_file("deploy-day", "Since the audit deploys happen on Mondays.", days_old=2)
    made.write(LOG, "- 09:00 the observing run starts next Thursday\n- 10:00 lunch was late\n")
    return made


def save(**other: Any) -> dict[str, Any]:
    return {
        "slug": "observing-run",
        "name": "Observing run",
        "description": "when the observing run starts",
        "memory_type": "project",
        "content": "The observing run starts on 2026-06-04.",
        "reason": "the log says when it starts",
        "evidence": [{"path": LOG, "line": 1}],
        **other,
    }


MERGE = save(
    slug="deploy-day",
    name="Deploy day",
    description="when we deploy",
    content="Deploys happen on Mondays, since the audit.",
    sources=["deploys"],
    reason="they contradict each other; the newer one holds",
    evidence=[{"path": "deploys.md", "line": 7}, {"path": "deploy-day.md", "line": 7}],
)


def pending(cli: Cli) -> list[Any]:
    return sorted(
        Inbox(MemoryManager.open(cli.memory, clock=lambda: cli.now)).pending(), key=lambda p: p.kind
    )


def test_logs_are_distilled_and_contradictions_merged_as_proposals_only(
    cli: Cli, server: MessagesServer
) -> None:
    server.play(
        calls("I see.", tool_use("propose_save", save()), tool_use("propose_merge", MERGE, "toolu_2"))
    )
    before = cli.files()
    done = cli("dream", "--model")
    assert done.code == 0, done.err
    assert cli.files() == before
    create, merge = pending(cli)
    assert (create.kind, create.slugs, create.source, create.by) == (
        "create",
        ("observing-run",),
        "dream",
        "model",
    )
    assert [(each.transcript, each.line, each.quote) for each in create.evidence] == [
        (LOG, 1, "- 09:00 the observing run starts next Thursday")
    ]
    assert (merge.kind, merge.slugs) == ("merge", ("deploy-day", "deploys"))
    sent = json.dumps(server.asked[0].body)
    assert f"{LOG}:1: - 09:00 the observing run starts on 2026-06-04" in sent
    assert "deploys.md:7: Deploys happen on Tuesdays, after the stand-up." in sent
    assert {tool["name"] for tool in server.asked[0].body["tools"]} == {
        "propose_save",
        "propose_merge",
        "propose_forget",
    }


@pytest.mark.parametrize(
    "call",
    [
        tool_use("propose_save", save(evidence=[])),
        tool_use("propose_save", save(evidence=[{"path": LOG, "line": 3}])),
        tool_use("propose_save", save(evidence=[{"path": "/etc/passwd", "line": 1}])),
        tool_use("propose_save", save(evidence="all of it")),
        tool_use("propose_save", save(slug="../../evil")),
        tool_use("propose_save", save(memory_type="secret")),
        tool_use("propose_save", save(content="")),
        tool_use("propose_save", save(slug=["x"])),
        tool_use("propose_forget", save(slug="not-there")),
        tool_use("propose_merge", {**MERGE, "sources": ["deploy-day"]}),
        tool_use("propose_merge", {**MERGE, "sources": [3]}),
        tool_use("run_shell", save()),
    ],
)
def test_a_call_that_cannot_be_made_good_is_dropped(
    cli: Cli, server: MessagesServer, call: dict[str, Any]
) -> None:
    server.play(calls(call))
    assert cli("dream", "--model").code == 0
    assert pending(cli) == []


def test_where_the_model_fails_the_rules_stand_alone(cli: Cli, server: MessagesServer) -> None:
    cli.memory_file("freeze", "The freeze starts next Thursday.", days_old=1)
    server.play(status(401, "authentication_error"))
    done = cli("dream", "--model")
    assert done.code == 0
    assert "401" in done.err
    assert [each.slugs for each in pending(cli)] == [("freeze",)]


def test_logs_of_days_before_the_last_dream_are_not_sent_again(cli: Cli, server: MessagesServer) -> None:
    server.play(calls(tool_use("propose_save", save())))
    cli("dream", "--model")
    cli.now += 2 * 86_400
    cli.write("logs/2026/05/2026-05-29.md", "- 09:00 a newer line\n")
    cli("dream", "--model")
    sent = json.dumps(server.asked[-1].body)
    assert "a newer line" in sent
    assert "lunch was late" not in sent


@pytest.mark.parametrize("flags", [[], ["--model"]], ids=["nobody asked", "a model that failed"])
def test_logs_that_no_model_has_read_are_sent_however_many_dreams_came_between(
    cli: Cli, server: MessagesServer, flags: list[str]
) -> None:
    server.play(*([status(401, "authentication_error")] if flags else []), calls())
    cli("dream", *flags)
    cli.now += 2 * 86_400
    cli("dream", "--model")
    assert "lunch was late" in json.dumps(server.asked[-1].body)


def test_a_dry_run_prints_what_would_be_sent_and_sends_nothing(cli: Cli, server: MessagesServer) -> None:
    planned = cli("dream", "--dry-run", "--model")
    assert (planned.code, server.asked, pending(cli)) == (0, [], [])
    assert not (cli.memory / ".memtui").exists()
    assert "nothing was sent or written" in planned.err
    cli("dream", "--model")
    assert planned.json == {
        "url": f"{server.url}/v1/messages",
        "body": server.asked[0].body,
        "redacted": 0,
    }


def test_a_dry_run_with_nothing_to_show_would_send_nothing(tmp_path: Path, server: MessagesServer) -> None:
    done = Cli(tmp_path, environ=dict(server.environ()))("dream", "--dry-run", "--model")
    assert (done.code, done.out) == (0, "")
    assert "would be sent nothing" in done.err


def test_a_setting_asks_the_model_and_what_it_costs_and_where_it_is_are_told(
    cli: Cli, server: MessagesServer
) -> None:
    (cli.home / "config.toml").write_text("use_model = true\n")
    assert cli("dream", "--offline").code == 0
    assert server.asked == []
    done = cli("dream")
    assert len(server.asked) == 1
    assert f"the model claude-sonnet-5-5 at {server.url.removeprefix('http://')} is asked" in done.err
    assert "tokens: 11 of what was asked, 7 of the answers" in done.err
    assert cli("dream", "--json").json["tokens"] == {"input": 11, "output": 7}
    del cli.environ["ANTHROPIC_API_KEY"]
    assert cli("dream").code == 0
    assert len(server.asked) == 2


def test_a_secret_in_a_log_is_not_sent(cli: Cli, server: MessagesServer) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    cli.write(LOG, f"- 09:00 the token is {token}\n")
    server.say("nothing")
    cli("dream", "--model")
    assert token not in json.dumps(server.asked[0].body)
    assert len(server.asked) == 1


def test_nobody_is_asked_without_being_called_for(cli: Cli, server: MessagesServer) -> None:
    assert cli("dream").code == 0
    assert server.asked == []
    assert dt.datetime.fromtimestamp(cli.now, dt.UTC).date() == dt.date(2026, 5, 28)
