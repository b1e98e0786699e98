"""Spec §15, dream: always a plan of proposals, one at a time, due by time and sessions, applied only when asked and undone as one."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Formatter

import pytest

from memtui.agent.dream import DREAM_LOCK, dream, dreaming, plan_dream
from memtui.agent.dream_gate import DREAM_STATE, DreamState, Gate, dream_state
from memtui.agent.dream_words import dream_words
from memtui.claude.hooks import HookInput, HookWorld
from memtui.cli.behind import dream_words as dream_arguments
from memtui.cli.dream_words import dream_cli_words
from memtui.cli.hook_run import _dream_behind
from memtui.cli.log_words import log_words
from memtui.cli.model_words import model_words
from memtui.config import Config
from memtui.memory.errors import Busy, Refused
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox
from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences
from tests.children import killed_at_the_end
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
from memtui.memory.managing.manager import MemoryManager
with dreaming(MemoryManager.open(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_of_two_dreams_at_once_one_runs_and_a_killed_one_blocks_nobody(cli: Cli) -> None:
    with (
        subprocess.Popen(
            [sys.executable, "-c", HOLD, os.fspath(cli.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other,
        killed_at_the_end(other),
    ):
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
        (NOW, 5, False),
    ],
)
def test_a_dream_is_due_by_time_and_by_sessions(last: float | None, sessions: int, due: bool) -> None:
    assert Gate().is_open(NOW, last, sessions) is due


def test_a_person_sets_the_gate_and_nothing_is_a_setting_too() -> None:
    assert Gate.of(Config()) == Gate(24, 5)
    set_up = Gate.of(Config(dream_hours=0, dream_sessions=0))
    assert set_up == Gate(0, 0)
    assert set_up.is_open(NOW, NOW, 0)
    week = Gate.of(Config(dream_hours=168))
    assert [week.is_open(NOW, NOW - days * DAY, 5) for days in (6.99, 7)] == [False, True]


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
    assert dream_state(manager(cli).folder).last == cli.now
    cli.now += DAY
    assert cli("dream", "--auto", "--json").json == {
        "due": False,
        "proposals": [],
        "applied": None,
        "tokens": {"input": 0, "output": 0},
    }
    (cli.home / "config.toml").write_text("dream_hours = 48\ndream_sessions = 0\n")
    assert "hours 24 of 48" in cli("dream", "--auto").err
    cli.now += DAY
    assert "all known" in cli("dream", "--auto").err


@pytest.mark.parametrize("text", ["", "[]", '{"last": "x"}', '{"last": NaN}', '{"last": true}', "[" * 4_000])
def test_a_state_that_is_none_counts_as_no_dream(cli: Cli, text: str) -> None:
    (cli.memory / ".memtui").mkdir()
    (cli.memory / DREAM_STATE).write_text(text)
    assert dream_state(manager(cli).folder) == DreamState()
    assert cli("dream").code == 0
    assert dream_state(manager(cli).folder).last == cli.now


def test_a_memory_that_is_a_link_is_left_out_of_the_plan(cli: Cli) -> None:
    (cli.memory / "linked.md").symlink_to("freeze.md")
    planned = plan_dream(manager(cli))
    assert all(len(each.texts) == len(set(each.slugs)) for each in planned.proposals)
    assert cli("dream", "--apply").code == 0
    assert (cli.memory / "linked.md").is_symlink()


# -- in the background --------------------------------------------------------------------------------------------------


def sessions(cli: Cli, count: int) -> Path:
    """So many sessions of the project, written to just now; the last one's transcript."""
    path = cli.memory
    for number in range(count):
        path = cli.memory.parent / f"s{number}.jsonl"
        path.write_text("{}\n")
        os.utime(path, (cli.now, cli.now))
    return path


def configured(cli: Cli, text: str) -> None:
    (cli.home / "config.toml").write_text(text)


def rows(cli: Cli) -> list[tuple[str, str, str]]:
    with sqlite3.connect(manager(cli).audit.path) as db:
        return db.execute("SELECT tool_name, status, detail FROM agent_audit_log ORDER BY id").fetchall()


def test_what_became_of_a_dream_stands_in_the_audit_log(cli: Cli) -> None:
    for flags in ([], [], ["--apply"]):
        assert cli("dream", *flags).code == 0
    assert rows(cli) == [
        ("dream", "proposed", "2 of 2 new; by rules"),
        ("dream", "nothing", "0 of 2 new; by rules"),
        ("dream", "applied", "0 of 2 new; by rules; 2 applied, 0 left"),
    ]


def test_a_dream_that_fails_stands_there_too(cli: Cli) -> None:
    (cli.memory / ".memtui" / "inbox").mkdir(parents=True)
    (cli.memory / DREAM_STATE).mkdir()
    assert cli("dream").code == 4
    assert [row[:2] for row in rows(cli)] == [("dream", "error")]
    assert sorted(waiting(cli)) == FOUND


def test_whether_it_is_due_is_asked_again_once_no_other_one_can_run(cli: Cli) -> None:
    assert dream(manager(cli), due=lambda: False) is None
    assert waiting(cli) == []
    assert not manager(cli).audit.path.exists()


@pytest.mark.parametrize(
    ("config", "count", "flags", "starts"),
    [
        ("auto_dream = true\n", 5, [], True),
        ("auto_dream = true\n", 4, [], False),
        ("auto_dream = true\n", 5, ["--read-only"], False),
        ("auto_dream = false\n", 5, [], False),
        ("", 5, [], False),
    ],
)
def test_opening_the_app_starts_a_dream_behind_it_where_that_is_wished_and_due(
    cli: Cli, config: str, count: int, flags: list[str], starts: bool
) -> None:
    sessions(cli, count)
    configured(cli, config)
    assert cli(*flags).code == 0
    assert cli.behind == ([dream_arguments(cli.memory, cli.project)] if starts else [])
    assert len(cli.launched) == 1


def test_where_a_dream_begins_behind_the_app_another_one_is_not_waited_for(cli: Cli) -> None:
    sessions(cli, 5)
    configured(cli, "auto_dream = true\n")
    cli()
    [words] = cli.behind
    with dreaming(manager(cli)):
        done = cli(*words)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert waiting(cli) == []
    assert cli(*words).code == 0
    assert sorted(waiting(cli)) == FOUND
    assert "not due yet" in cli(*words).err


@pytest.mark.parametrize(
    ("config", "count", "starts"),
    [
        ("auto_dream = true\n", 5, True),
        ("auto_dream = true\n", 4, False),
        ("auto_dream = true\ndream_sessions = 4\n", 4, True),
        ("auto_dream = false\n", 5, False),
        (None, 5, False),
    ],
)
def test_a_hook_starts_a_dream_where_that_is_wished_and_due(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, config: str | None, count: int, starts: bool
) -> None:
    started: list[Sequence[str]] = []
    monkeypatch.setattr("memtui.cli.behind.start_behind", lambda words, _environ: started.append(words))
    below = cli.project / "src"
    below.mkdir()
    (cli.project / ".git").mkdir()
    given = HookInput("s4", str(sessions(cli, count)), below, "")
    if config is not None:
        configured(cli, config)
    world = HookWorld({}, cli.home, lambda: cli.now, cli.home / "config.toml")
    _dream_behind(given, world)
    assert started == ([dream_arguments(cli.memory, cli.project)] if starts else [])
    if starts:
        assert cli(*started[0]).code == 0
        assert sorted(waiting(cli)) == FOUND
        _dream_behind(given, world)
        assert len(started) == 1


def test_a_store_that_a_setting_names_counts_the_sessions_of_its_project(cli: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    cli.memory.rename(elsewhere)
    cli.environ["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = str(elsewhere)
    sessions(cli, 4)
    assert "sessions since the last dream 4 of 5" in cli("dream", "--auto").err
    named = ("--dir", str(elsewhere), "--project", str(cli.project))
    assert "sessions since the last dream 4 of 5" in cli("dream", "--auto", *named).err
    assert "sessions since the last dream 0 of 5" in cli("dream", "--auto", *named[:2], cwd=tmp_path).err


# -- words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("catalogue", [dream_words, dream_cli_words, log_words, model_words])
def test_both_languages_say_it_with_the_same_parts(catalogue: Callable[[Lang], Sentences]) -> None:
    def parts(text: str) -> list[str]:
        return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)

    for name in catalogue("en").names():
        en, zh = getattr(catalogue("en"), name), getattr(catalogue("zh"), name)
        if isinstance(en, dict):
            assert isinstance(zh, dict)
            assert en.keys() == zh.keys()
        else:
            assert isinstance(en, str)
            assert isinstance(zh, str)
            assert parts(en) == parts(zh)
