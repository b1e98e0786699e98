"""A command that meets an error of memtui's own ends as the manual says: code 70, and a report without any memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.cli.front import run
from memtui.cli.session import World
from memtui.launching import Launch
from tests.unit.cli_support import NOW


def faulty(tmp_path: Path, reports: Callable[[], Path] | None) -> World:
    memory = tmp_path / "memory"
    memory.mkdir()
    (memory / "a.md").write_text("---\nname: a\n---\n\nPrivate words.\n", "utf-8")

    def launch(asked: Launch) -> int:
        raise KeyError((asked.memory_dir / "a.md").read_text("utf-8"))

    return World(
        environ={"HOME": str(tmp_path), "LANG": "C.UTF-8"},
        home=tmp_path,
        cwd=tmp_path,
        clock=lambda: NOW,
        config_file=tmp_path / "config.toml",
        state_dir=tmp_path / "state",
        launch=launch,
        reports=reports,
    )


def test_an_error_of_its_own_is_told_with_70_and_a_report_instead_of_a_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It once ended with 1, which means findings, and with lines of source on the terminal."""
    code = run([str(tmp_path / "memory")], faulty(tmp_path, lambda: tmp_path / "log"))
    out, err = capfd.readouterr()
    assert (code, out) == (70, "")
    (report,) = (tmp_path / "log").iterdir()
    assert str(report) in err
    assert "Traceback" not in err
    assert "Private" not in err + report.read_text("utf-8")
    assert "KeyError" in report.read_text("utf-8")


def test_a_report_that_cannot_be_written_is_said_and_no_reason_for_another_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    world = faulty(tmp_path, lambda: tmp_path / "memory" / "a.md")  # no folder
    assert run([str(tmp_path / "memory")], world) == 70
    assert "No report could be written" in capfd.readouterr().err


def test_where_nobody_wants_reports_the_error_itself_comes_through(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        run([str(tmp_path / "memory")], faulty(tmp_path, None))
