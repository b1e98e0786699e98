"""Spec §14 and the seed: the settings, the tracker across processes, and the rules to skip."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.agent.tracker import MAX_SESSIONS, ExtractionConfig, ExtractionTracker, SessionState, skip_reason

NOW = 1_780_000_000.0


def tracker(state: Path, session: str = "s") -> ExtractionTracker:
    return ExtractionTracker(state, session, lambda: NOW)


def test_what_is_not_set_has_the_defaults_of_the_seed() -> None:
    config = ExtractionConfig.from_environ({})
    assert (config.enabled, config.throttle_turns, config.max_steps, config.review) == (False, 3, 3, True)
    assert config.problems == ()


def test_the_variables_are_read_whatever_case_and_spaces() -> None:
    config = ExtractionConfig.from_environ(
        {
            "EXTRACT_MEMORY_ENABLED": " TRUE ",
            "EXTRACT_MEMORY_THROTTLE_TURNS": "0",
            "EXTRACT_MEMORY_MAX_STEPS": " 7",
            "EXTRACT_MEMORY_REVIEW": "No",
        }
    )
    assert config == ExtractionConfig(enabled=True, throttle_turns=0, max_steps=7, review=False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EXTRACT_MEMORY_ENABLED", "maybe"),
        ("EXTRACT_MEMORY_THROTTLE_TURNS", "-1"),
        ("EXTRACT_MEMORY_THROTTLE_TURNS", "1e3"),
        ("EXTRACT_MEMORY_MAX_STEPS", "0"),
        ("EXTRACT_MEMORY_MAX_STEPS", "99999999999999"),
        ("EXTRACT_MEMORY_MAX_STEPS", "٣"),
        ("EXTRACT_MEMORY_REVIEW", "\x1b[31mno"),
    ],
)
def test_garbage_keeps_the_default_and_is_named(name: str, value: str) -> None:
    config = ExtractionConfig.from_environ({name: value})
    [problem] = config.problems
    assert name in problem
    assert "\x1b" not in problem
    assert problem.said("zh") != str(problem)
    assert config == ExtractionConfig(problems=config.problems)


@pytest.mark.parametrize(
    ("enabled", "turns", "wrote", "reason"),
    [
        (False, 9, False, "disabled"),
        (False, 0, True, "disabled"),
        (True, 2, True, "throttled"),
        (True, 2, False, "throttled"),
        (True, 3, True, "main agent saved"),
        (True, 3, False, None),
    ],
)
def test_the_first_rule_that_holds_says_why_to_skip(
    enabled: bool, turns: int, wrote: bool, reason: str | None
) -> None:
    assert skip_reason(ExtractionConfig(enabled=enabled), SessionState(turns, wrote)) == reason


def test_turns_and_the_flag_outlive_the_tracker_and_are_the_sessions_own(tmp_path: Path) -> None:
    tracker(tmp_path).see_turns(3)
    tracker(tmp_path).mark_main_agent_wrote()
    assert tracker(tmp_path).state == SessionState(3, main_agent_wrote=True)
    assert tracker(tmp_path, "other").state == SessionState()
    assert (
        tracker(tmp_path).see_turns(5)
        == tracker(tmp_path).see_turns(5)
        == SessionState(5, main_agent_wrote=True)
    )
    tracker(tmp_path).reset()
    assert tracker(tmp_path).state == SessionState()


def test_looking_makes_nothing(tmp_path: Path) -> None:
    assert tracker(tmp_path).skip(ExtractionConfig(enabled=True)) == "throttled"
    assert list(tmp_path.iterdir()) == []


def test_two_processes_lose_neither_the_turns_nor_the_flag(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from memtui.agent.tracker import ExtractionTracker\n"
        f"for n in range(200): ExtractionTracker(Path(sys.argv[1]), str(n), lambda: {NOW})."
    )
    parts = ("see_turns(3)", "mark_main_agent_wrote()")
    running = [subprocess.Popen([sys.executable, "-c", code + part, str(tmp_path)]) for part in parts]
    assert [each.wait() for each in running] == [0, 0]
    found = {tracker(tmp_path, str(number)).state for number in range(200)}
    assert found == {SessionState(3, main_agent_wrote=True)}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'{"turns": -1, "main_agent_wrote": true}',
        b'{"turns": true, "main_agent_wrote": 1}',
        b"[" * 5000,
    ],
)
def test_a_damaged_record_is_none_and_is_written_anew(tmp_path: Path, data: bytes) -> None:
    tracker(tmp_path).see_turns(1)
    [path] = tmp_path.rglob("*.json")
    path.write_bytes(data)
    path.with_suffix(".part").write_bytes(b"left by a killed writer")
    assert tracker(tmp_path).state == SessionState()
    assert tracker(tmp_path).see_turns(1) == SessionState(1)
    assert json.loads(path.read_bytes()) == {"turns": 1, "main_agent_wrote": False}


def test_old_and_surplus_sessions_are_forgotten(tmp_path: Path) -> None:
    tracker(tmp_path, "first").see_turns(1)
    folder = next(tmp_path.rglob("*.json")).parent
    for number in range(MAX_SESSIONS + 5):
        path = folder / f"{number:04}.json"
        path.write_bytes(b"{}")
        then = NOW - (40 * 86_400 if number < 3 else 100 + number)
        os.utime(path, (then, then))
    tracker(tmp_path, "new").see_turns(1)
    left = {path.name for path in folder.glob("*.json")}
    assert len(left) == MAX_SESSIONS
    assert "0000.json" not in left
    assert f"{MAX_SESSIONS + 4:04}.json" not in left  # the one not written for the longest time
    assert "0003.json" in left
    assert tracker(tmp_path, "new").state.turns == 1
