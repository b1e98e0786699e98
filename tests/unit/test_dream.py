"""Spec §15, dream: always a plan of proposals, one at a time, due by time and sessions, applied only when asked and undone as one."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from string import Formatter

import pytest

from memtui.agent.dream import DREAM_LOCK, DREAM_STATE, dream, dream_due, last_dream, plan_dream
from memtui.agent.dream_words import dream_words
from memtui.cli.dream_words import dream_cli_words
from memtui.cli.log_words import log_words
from memtui.memory.errors import Busy, Refused
from memtui.memory.manager import MemoryManager
from memtui.memory.proposals import Inbox
from memtui.memory.types import Lang
from tests.unit.cli_support import NOW, Cli

DAY = 86_400.0
LONG = (
    "The grid of models is computed on the cluster with the pinned compiler, since another one changed the last digits "
    "of the mass loss, and nobody could say which of both was right. Runs are compared against the stored reference."
)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """A merge and a rewrite to be found, and a memory to be left alone; as of 2026-05-28, a Thursday."""
    made = Cli(tmp_path)
    made.memory_file("grid", LONG, days_old=2)
    made.memory_file("old-grid", f"{LONG}\nAsk Ada.", days_old=9)
    made.memory_file("freeze", "The freeze starts next Thursday.", days_old=1)
    made.memory_file("plain", "Dashboards are in Grafana, folder pipelines.")
    made.write(
        "MEMORY.md",
        "".join(f"- [{s}]({s}.md) — about {s}\n" for s in ("grid", "old-grid", "freeze", "plain")),
    )
    return made


def manager(cli: Cli) -> MemoryManager:
    return MemoryManager.open(cli.memory, clock=lambda: cli.now)


def waiting(cli: Cli) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.kind, each.slugs) for each in Inbox(manager(cli)).pending()]


FOUND = [("fix", ("freeze",)), ("merge", ("grid", "old-grid"))]


def test_a_dream_proposes_and_changes_nothing(cli: Cli) -> None:
    before = cli.files()
    done = cli("dream")
    assert done.code == 0
    assert "2 found, 2 new in the inbox" in done.err
    assert "-The freeze starts next Thursday.\n+The freeze starts on 2026-06-04.\n" in done.out
    assert cli.files() == before
    assert sorted(waiting(cli)) == FOUND
    proposal = Inbox(manager(cli)).get("freeze")
    assert (proposal.source, proposal.by) == ("dream", "relative-date")
    assert [(each.transcript, each.line) for each in proposal.evidence] == [("freeze.md", 7)]


def test_the_same_dream_again_adds_nothing(cli: Cli) -> None:
    cli("dream")
    cli.now += 3_600
    assert "2 found, all known" in cli("dream").err
    assert len(waiting(cli)) == 2


def test_what_was_rejected_is_not_proposed_or_applied_again(cli: Cli) -> None:
    cli("dream")
    Inbox(manager(cli)).reject("freeze")
    cli("dream", "--apply")
    assert waiting(cli) == []
    assert b"next Thursday" in cli.files()["freeze.md"]
    assert "old-grid.md" not in cli.files()


@pytest.mark.parametrize("flags", [[], ["--read-only"]])
def test_a_dry_run_leaves_no_trace(cli: Cli, flags: list[str]) -> None:
    done = cli("dream", "--dry-run", *flags)
    assert done.code == 0
    assert "would propose 2" in done.err
    assert "merge grid, old-grid" in done.out
    assert not (cli.memory / ".memtui").exists()


def test_read_only_refuses_to_dream(cli: Cli) -> None:
    done = cli("dream", "--read-only")
    assert done.code == 4
    assert "read-only" in done.err
    assert not (cli.memory / ".memtui").exists()


def test_applying_is_one_change_that_one_undo_takes_back(cli: Cli) -> None:
    before = cli.files()
    done = cli("dream", "--apply")
    assert done.code == 0
    assert "applied 2" in done.err
    after = cli.files()
    assert b"The freeze starts on 2026-06-04." in after["freeze.md"]
    assert "old-grid.md" not in after
    assert b"Ask Ada." in after["grid.md"]
    assert b"old-grid" not in after["MEMORY.md"]
    assert len(manager(cli).activity()) == 1
    assert cli("undo").code == 0
    assert cli.files() == before
    assert sorted(waiting(cli)) == FOUND


def test_json_tells_each_proposal_with_its_evidence(cli: Cli) -> None:
    found = cli("dream", "--json").json
    assert found["due"] is True
    assert found["applied"] is None
    one = next(each for each in found["proposals"] if each["rule"] == "relative-date")
    assert (one["kind"], one["slugs"], one["new"]) == ("fix", ["freeze"], True)
    assert one["evidence"] == [{"path": "freeze.md", "line": 7, "quote": "The freeze starts next Thursday."}]
    assert one["id"] == Inbox(manager(cli)).get("freeze").id
    assert len(cli("dream", "--apply", "--json").json["applied"]) == 2


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.memory_file("plain", "Dashboards are in Grafana, folder pipelines.")
    assert cli("dream").err == "nothing to put in order\n"
    assert cli("dream", "--lang", "zh").err == "没有需要整理的内容\n"


def test_a_hostile_memory_is_made_visible(cli: Cli) -> None:
    cli.memory_file("evil", "\x1b]52;c;QUJD\x07 It starts next Thursday. \u202e", days_old=1)
    out = cli("dream", "--dry-run").out
    cli.tty = True
    out += cli("dream", "--dry-run").out
    assert "evil" in out
    assert "\x1b]52" not in cli("dream", "--dry-run").out


def test_two_options_that_contradict_are_a_usage_error(cli: Cli) -> None:
    assert cli("dream", "--dry-run", "--apply").code == 2


# -- one at a time --------------------------------------------------------------------------------------------------------

HOLD = """
import sys
from pathlib import Path
from memtui.agent.dream import dreaming
from memtui.memory.manager import MemoryManager
with dreaming(MemoryManager.open(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_of_two_dreams_at_once_one_runs_and_a_killed_one_blocks_nobody(cli: Cli) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, os.fspath(cli.memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        done = cli("dream")
        assert done.code == 4
        assert "another dream of this directory is running" in done.err
        assert waiting(cli) == []
        with pytest.raises(Busy):
            dream(manager(cli))
        other.kill()
        other.wait()
        assert cli("dream").code == 0
    assert sorted(waiting(cli)) == FOUND


def test_a_link_in_the_place_of_the_lock_is_not_followed(cli: Cli, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")
    (cli.memory / ".memtui").mkdir()
    (cli.memory / DREAM_LOCK).symlink_to(theirs)
    with pytest.raises(Refused):
        dream(manager(cli))
    assert theirs.read_text() == "theirs"


# -- when -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "sessions", "due"),
    [
        (None, 5, True),
        (None, 4, False),
        (NOW - DAY, 5, True),
        (NOW - DAY + 1, 5, False),
        (NOW - 9 * DAY, 4, False),
        (NOW + 1, 5, True),
    ],
)
def test_a_dream_is_due_by_time_and_by_sessions(last: float | None, sessions: int, due: bool) -> None:
    assert dream_due(NOW, last, sessions) is due


def test_the_gate_counts_the_projects_sessions_since_the_last_dream(cli: Cli) -> None:
    def session(name: str) -> None:
        path = cli.memory.parent / f"{name}.jsonl"
        path.write_text("{}\n")
        os.utime(path, (cli.now, cli.now))

    for number in range(4):
        session(f"s{number}")
    assert "sessions since the last dream 4 of 5" in cli("dream", "--auto").err
    assert waiting(cli) == []
    session("s4")
    assert "2 new in the inbox" in cli("dream", "--auto").err
    assert last_dream(manager(cli).folder) == cli.now
    cli.now += DAY
    assert cli("dream", "--auto", "--json").json == {"due": False, "proposals": [], "applied": None}
    (cli.home / "config.toml").write_text("dream_hours = 48\ndream_sessions = 0\n")
    assert "hours 24 of 48" in cli("dream", "--auto").err
    cli.now += DAY
    assert "all known" in cli("dream", "--auto").err


@pytest.mark.parametrize("text", ["", "[]", '{"last": "x"}', '{"last": NaN}', '{"last": true}', "[" * 4_000])
def test_a_state_that_is_none_counts_as_no_dream(cli: Cli, text: str) -> None:
    (cli.memory / ".memtui").mkdir()
    (cli.memory / DREAM_STATE).write_text(text)
    assert last_dream(manager(cli).folder) is None
    assert cli("dream").code == 0
    assert last_dream(manager(cli).folder) == cli.now


def test_a_memory_that_is_a_link_is_left_out_of_the_plan(cli: Cli) -> None:
    (cli.memory / "linked.md").symlink_to("freeze.md")
    planned = plan_dream(manager(cli))
    assert all(len(each.texts) == len(set(each.slugs)) for each in planned.proposals)
    assert cli("dream", "--apply").code == 0
    assert (cli.memory / "linked.md").is_symlink()


# -- words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("catalogue", [dream_words, dream_cli_words, log_words])
def test_both_languages_say_it_with_the_same_parts(catalogue: Callable[[Lang], tuple[object, ...]]) -> None:
    def parts(text: str) -> list[str]:
        return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)

    for en, zh in zip(catalogue("en"), catalogue("zh"), strict=True):
        if isinstance(en, dict):
            assert isinstance(zh, dict)
            assert en.keys() == zh.keys()
        else:
            assert isinstance(en, str)
            assert isinstance(zh, str)
            assert parts(en) == parts(zh)
