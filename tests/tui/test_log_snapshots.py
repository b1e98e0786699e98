"""How the daily log looks: small and large, light, ASCII, Chinese; empty, and while a line is typed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.launch import make_app

from .making import NOW
from .test_checks_preview_snapshots import after
from .test_log import logged
from .test_snapshots import LARGE, SMALL, Compare


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "lab" / "memory"
    made.mkdir(parents=True)
    (made / "a.md").write_text("---\nname: A\ndescription: about a\ntype: user\n---\n\nText of a.\n", "utf-8")
    logged(
        made, 0, "- 07:30 Started the grid\n- 07:55 Task 17 ran out of memory\n  started again with 8 GB\n"
    )
    logged(made, 1, "# Yesterday\n- 16:30 The report was read, 十二点意见\n")
    logged(made, 40, "- 09:00 Long ago\n")
    yield made
    shutil.rmtree(tmp_path / "lab", ignore_errors=True)


def app_on(
    lab: Path,
    *,
    theme: str = "textual-dark",
    ascii_mode: bool = False,
    lang: Lang = "en",
    logging: bool = True,
) -> MemtuiApp:
    app = make_app(
        lab,
        clock=lambda: NOW,
        ascii_mode=ascii_mode,
        lang=lang,
        home=lab.parents[1],
        logging=lambda: logging,
        zone=UTC,
    )
    app.theme = theme
    return app


def test_log_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("l"))


def test_log_light_160x48(snap_compare: Compare, lab: Path) -> None:
    keys = ("l", "j", "enter")
    assert snap_compare(app_on(lab, theme="textual-light"), terminal_size=LARGE, run_before=after(*keys))


def test_log_ascii_60x20(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab, ascii_mode=True), terminal_size=(60, 20), run_before=after("l"))


def test_log_line_chinese_80x24(snap_compare: Compare, lab: Path) -> None:
    keys = ("l", "n", *"grid 4")
    assert snap_compare(app_on(lab, lang="zh"), terminal_size=SMALL, run_before=after(*keys))


def test_log_empty_80x24(snap_compare: Compare, lab: Path) -> None:
    shutil.rmtree(lab / "logs")
    assert snap_compare(app_on(lab, logging=False), terminal_size=SMALL, run_before=after("l"))
