"""A report about memtui's own error says where it happened and holds nothing of what it was about (issue: crash report)."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NoReturn

import pytest

from memtui.crash import MAX_FRAMES, Crashed, report_text, write_report

NOW = 1_780_000_000.0
SECRET = "sk-ant-" + "a1B2" * 6


def caught(error: BaseException) -> BaseException:
    try:
        raise error
    except type(error) as found:
        return found


def read_memory(text: str) -> NoReturn:
    held = f"/home/ada/{text}"
    raise FileNotFoundError(2, os.strerror(2), held)


def test_says_where_and_which_kind_but_no_value_message_or_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TEST_SECRET", SECRET)
    memory = f"the launch code is {SECRET}"
    try:
        try:
            read_memory(memory)
        except FileNotFoundError as error:
            raise ValueError(memory) from error
    except ValueError as error:
        text = report_text(error, NOW)
    assert "builtins.ValueError" in text
    assert "because of builtins.FileNotFoundError" in text
    assert "in read_memory" in text
    assert "read_memory(memory)" in text, "the line of source"
    assert "2026-05-28T20:26:40+00:00" in text
    for leaked in (SECRET, "launch", "/home/ada", "No such file", str(Path(__file__).parent)):
        assert leaked not in text


def test_an_endless_recursion_is_shortened() -> None:
    def again(number: int) -> int:
        return again(number + 1) + 1

    with pytest.raises(RecursionError) as error:
        again(0)
    text = report_text(error.value, NOW)
    assert " steps …" in text
    assert text.count(" in ") <= MAX_FRAMES + 5


def test_errors_that_happened_together_are_all_named() -> None:
    group = ExceptionGroup("two", [KeyError("a"), OSError("b")])
    text = report_text(caught(group), NOW)
    assert "together with builtins.KeyError" in text
    assert "together with builtins.OSError" in text


def test_an_error_that_came_of_itself_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    error = caught(ValueError("x"))
    error.__cause__ = error
    assert report_text(error, NOW).count("ValueError") == 1


def test_only_the_person_can_read_it_and_none_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "log"
    first, second = write_report("one", folder, NOW), write_report("two", folder, NOW)
    assert first is not None
    assert second is not None
    assert first.name == "crash-20260528-202640.txt"
    assert (first.read_text(), second.read_text()) == ("one", "two")
    assert stat.S_IMODE(first.stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_made_is_no_second_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert write_report("x", tmp_path / "file" / "log", NOW) is None
    assert "No report" in str(Crashed(None))


def test_the_sentence_says_where_the_report_is(tmp_path: Path) -> None:
    error = Crashed(tmp_path / "crash.txt")
    assert os.fspath(tmp_path / "crash.txt") in str(error)
    assert error.exit_code == 70
    assert "\n" not in str(error)
