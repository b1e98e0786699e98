"""How the checks and the preview look: small and large, dark and light, ASCII, Chinese, all clear and empty."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from .conftest import Write, until
from .making import NOW
from .test_snapshots import LARGE, SMALL, Compare, app_on, loaded


@pytest.fixture
def store(tmp_path: Path, memory: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with something of everything, seen from where its path is short and always the same."""
    monkeypatch.chdir(tmp_path)
    write("converter", name="Converter", description="What the AD converter does", kind="project",
          content="The converter is maybe broken; ask Sunniva before use.\nIt sits in rack 3.", days=1)  # fmt: skip
    write(
        "role",
        name="用户角色",
        description="天体物理学博士后",
        content="研究恒星演化与双星系统，偏好用 Julia 做拟合。",
        days=3,
    )
    write("seeds", name="Seeds", description="Every run has one", kind="feedback",
          content="Every run takes its seed from the command line.\n\n**Why:** two figures could not be made again.", days=12)  # fmt: skip
    write(
        "dashboards",
        name="Dashboards",
        description="Where the graphs are",
        kind="reference",
        content="- latency\n- error rate",
        days=45,
    )
    write(
        "scratch",
        name="Scratch",
        description="Quota on the cluster",
        kind="project",
        content="Ten terabytes, cleared in March.",
        days=400,
    )
    (memory / "MEMORY.md").write_text(
        "# Memories\n\n- [Converter](converter.md) — rack 3\n- [用户角色](role.md) — 天体物理学博士后\n"
        "- [Gone](gone.md) — was here once\n- [Seeds](seeds.md) — pass `--seed`\n- [Scratch](scratch.md) — quota\n",
        encoding="utf-8",
    )  # fmt: skip
    os.utime(memory / "MEMORY.md", (NOW, NOW))
    return Path("astro-lab/memory")


def after(*keys: str) -> Callable[[Pilot[None]], object]:
    """Press keys one after the other, each when what the one before asked for is there."""

    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
            await until(pilot, lambda: all(w.is_finished or w.group == "watch" for w in pilot.app.workers))
            await pilot.pause()
        await pilot.wait_for_scheduled_animations()

    return run


def test_checks_80x24(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store), terminal_size=SMALL, run_before=after("c"))


def test_checks_160x48(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store), terminal_size=LARGE, run_before=after("c", "j"))


def test_checks_light_120x30(snap_compare: Compare, store: Path) -> None:
    app = app_on(store, theme="textual-light")
    assert snap_compare(app, terminal_size=(120, 30), run_before=after("c", "G"))


def test_checks_ascii_100x30(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store, ascii_mode=True), terminal_size=(100, 30), run_before=after("c"))


def test_checks_chinese_120x30(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store, lang="zh"), terminal_size=(120, 30), run_before=after("c"))


def test_fix_100x30(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store), terminal_size=(100, 30), run_before=after("c", "x"))


def test_all_clear_80x24(
    snap_compare: Compare, tmp_path: Path, memory: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("fine", name="Fine", description="all well", content="The telescope is closed in July.")
    (memory / "MEMORY.md").write_text("- [Fine](fine.md) — all well (type: user)\n", encoding="utf-8")
    assert snap_compare(app_on(Path("astro-lab/memory")), terminal_size=SMALL, run_before=after("c"))


def test_preview_80x24(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store), terminal_size=SMALL, run_before=after("P"))


def test_preview_why_80x24(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store), terminal_size=SMALL, run_before=after("P", "b", "b", "w"))


def test_preview_as_of_160x48(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(
        app_on(store), terminal_size=LARGE, run_before=after("P", "shift+right", "b", "b", "b", "minus")
    )


def test_preview_index_light_120x30(snap_compare: Compare, store: Path) -> None:
    app = app_on(store, theme="textual-light")
    assert snap_compare(app, terminal_size=(120, 30), run_before=after("P", "2"))


def test_preview_prompt_ascii_120x30(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store, ascii_mode=True), terminal_size=(120, 30), run_before=after("P", "3"))


def test_preview_chinese_100x30(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store, lang="zh"), terminal_size=(100, 30), run_before=after("P", "4"))


def test_preview_save_80x24(snap_compare: Compare, store: Path) -> None:
    assert snap_compare(app_on(store), terminal_size=SMALL, run_before=after("P", "s"))


def test_preview_empty_80x24(snap_compare: Compare, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory.parent.parent)
    assert snap_compare(app_on(Path("astro-lab/memory")), terminal_size=SMALL, run_before=after("P"))
