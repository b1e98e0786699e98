"""How the review looks: small and large, light, ASCII, Chinese; empty, broken, without fit, and before many decisions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.launch import make_app

from . import waiting
from .making import NOW
from .test_checks_preview_snapshots import after
from .test_snapshots import LARGE, SMALL, Compare

MEDIUM = (120, 30)


@pytest.fixture
def waits(tmp_path: Path) -> Iterator[waiting.Waiting]:
    yield waiting.full(tmp_path / "lab")
    shutil.rmtree(tmp_path / "lab", ignore_errors=True)


def app_on(
    waits: waiting.Waiting,
    *,
    theme: str = "textual-dark",
    ascii_mode: bool = False,
    lang: Lang = "en",
    read_only: bool = False,
) -> MemtuiApp:
    app = make_app(
        waits.memory,
        clock=lambda: NOW,
        ascii_mode=ascii_mode,
        lang=lang,
        read_only=read_only,
        home=waits.memory.parents[1],
        state=lambda: waits.state,
    )
    app.theme = theme
    return app


def test_review_80x24(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits), terminal_size=SMALL, run_before=after("r", "j"))


def test_review_read_80x24(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits), terminal_size=SMALL, run_before=after("r", "j", "enter"))


def test_review_160x48(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits), terminal_size=LARGE, run_before=after("r", "j", "space"))


def test_review_light_120x30(snap_compare: Compare, waits: waiting.Waiting) -> None:
    keys = ("r", *["j"] * 5)
    assert snap_compare(app_on(waits, theme="textual-light"), terminal_size=MEDIUM, run_before=after(*keys))


def test_review_ascii_120x30(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits, ascii_mode=True), terminal_size=MEDIUM, run_before=after("r", "j"))


def test_review_chinese_120x30(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits, lang="zh"), terminal_size=MEDIUM, run_before=after("r", "j"))


def test_review_without_fit_120x30(snap_compare: Compare, waits: waiting.Waiting) -> None:
    waits.write("tests", f"{waiting.TESTS}\nThey take two minutes.")
    assert snap_compare(app_on(waits), terminal_size=MEDIUM, run_before=after("r", "j"))


def test_review_broken_120x30(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits), terminal_size=MEDIUM, run_before=after("r", "G"))


def test_review_accept_all_120x36(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits), terminal_size=(120, 36), run_before=after("r", "A"))


def test_review_merge_into_80x24(snap_compare: Compare, waits: waiting.Waiting) -> None:
    assert snap_compare(app_on(waits), terminal_size=SMALL, run_before=after("r", "m"))


def test_review_empty_80x24(snap_compare: Compare, tmp_path: Path) -> None:
    waits = waiting.Waiting(tmp_path / "lab")
    waits.write("tests", waiting.TESTS)
    assert snap_compare(app_on(waits, read_only=True), terminal_size=SMALL, run_before=after("r"))
