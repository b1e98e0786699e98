"""How the screens look, as named pictures: two sizes, dark and light, ASCII, Chinese, and the states without memories."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import pytest
from textual.pilot import Pilot

from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.launch import make_app
from memtui.tui.screens.bulk import BulkScreen
from memtui.tui.screens.reading import Reading

from .conftest import Write, until
from .making import NOW

SMALL, LARGE = (80, 24), (160, 48)


class Compare(Protocol):
    """What pytest-textual-snapshot gives."""

    def __call__(
        self,
        app: MemtuiApp,
        press: Iterable[str] = (),
        terminal_size: tuple[int, int] = (80, 24),
        run_before: Callable[[Pilot[None]], object] | None = None,
    ) -> bool: ...


@pytest.fixture
def lab(tmp_path: Path, memory: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small believable directory, seen from where its path is short and always the same."""
    monkeypatch.chdir(tmp_path)
    write(
        "integration-tests",
        name="Integration tests must hit a real database",
        description="No mocks in integration tests; the migration of last quarter broke behind them",
        kind="feedback",
        content="Integration tests use a **real** database, not mocks.\n\n**Why:** mocked tests passed while the migration failed.\n"
        "**How to apply:** start it with `make db`, see [[数据发布清单]] and `tests/db/conftest.py`.",
    )
    write(
        "role",
        name="用户角色",
        description="天体物理学博士后，研究恒星演化与双星系统",
        content="偏好用 Julia 做拟合。",
        days=3,
    )
    write(
        "release-freeze",
        name="Release freeze",
        description="Nothing merges after Thursday",
        kind="project",
        content="Until the tag is cut.",
        days=12,
    )
    write(
        "checklist",
        name="数据发布清单",
        description="发布前要核对的七项",
        kind="project",
        content="1. 元数据\n2. 许可证\n3. 校验和",
        days=20,
    )
    write(
        "dashboards",
        name="Dashboards",
        description="Where the graphs are",
        kind="reference",
        content="- latency\n- error rate",
        days=45,
    )
    (memory / "MEMORY.md").write_text(
        "# Memories\n\n"
        + "".join(
            f"- [{name}]({slug}.md) — x (type: {kind})\n"
            for slug, name, kind in (
                ("integration-tests", "Integration tests must hit a real database", "feedback"),
                ("role", "用户角色", "user"),
                ("release-freeze", "Release freeze", "project"),
                ("checklist", "数据发布清单", "project"),
            )
        ),
        encoding="utf-8",
    )
    os.utime(memory / "MEMORY.md", (NOW, NOW))
    return Path("astro-lab/memory")


def app_on(
    folder: Path,
    *,
    theme: str = "textual-dark",
    ascii_mode: bool = False,
    read_only: bool = False,
    lang: Lang = "en",
) -> MemtuiApp:
    app = make_app(folder, clock=lambda: NOW, ascii_mode=ascii_mode, read_only=read_only, lang=lang)
    app.theme = theme
    return app


async def loaded(pilot: Pilot[None]) -> None:
    app = pilot.app
    assert isinstance(app, MemtuiApp)
    await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)


def after(*keys: str) -> Callable[[Pilot[None]], object]:
    """Wait until everything is read and checked, then press keys."""

    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await until(pilot, lambda: settled(pilot))
        await pilot.wait_for_scheduled_animations()

    return run


def settled(pilot: Pilot[None]) -> bool:
    """Whether threads have told what the screens asked them."""
    for screen in pilot.app.screen_stack:
        if isinstance(screen, BulkScreen) and screen.plan is None:
            return False
        if isinstance(screen, Reading) and screen.memory is not None and not screen.is_looked_up:
            return False
    return True


def test_browse_dark_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after())


def test_browse_dark_100x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=(100, 30), run_before=after("j"))


def test_browse_dark_160x48(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=LARGE, run_before=after())


def test_browse_light_160x48(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(
        app_on(lab, theme="textual-light"), terminal_size=LARGE, run_before=after("j", "space")
    )


def test_browse_ascii_120x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab, ascii_mode=True), terminal_size=(120, 30), run_before=after())


def test_reading_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("enter", "right_square_bracket"))


def test_reminder_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("p"))


def test_filter_120x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=(120, 30), run_before=after("slash", *"type:p"))


def test_filter_finds_nothing_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("slash", *"type:zebra"))


def test_sort_by_size_120x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=(120, 30), run_before=after("s", "s", "s", "s"))


def test_forget_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("G", "k", "d"))


def test_forget_many_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("space", "space", "d"))


def test_merge_light_160x48(snap_compare: Compare, lab: Path) -> None:
    app = app_on(lab, theme="textual-light")
    assert snap_compare(app, terminal_size=LARGE, run_before=after("A", "m"))


def test_type_ascii_120x30(snap_compare: Compare, lab: Path) -> None:
    app = app_on(lab, ascii_mode=True)
    assert snap_compare(app, terminal_size=(120, 30), run_before=after("A", "T"))


def test_browse_zh_120x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(
        app_on(lab, lang="zh"), terminal_size=(120, 30), run_before=after("slash", *"类:x 档")
    )


def test_comfortable_100x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=(100, 30), run_before=after("full_stop", "j"))


def test_columns_120x30(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=(120, 30), run_before=after("C", "j", "j", "space"))


def test_copy_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("y"))


def test_detail_80x24(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=SMALL, run_before=after("enter"))


def test_detail_160x48(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=LARGE, run_before=after("D"))


def test_detail_light_zh_100x30(snap_compare: Compare, lab: Path) -> None:
    app = app_on(lab, theme="textual-light", lang="zh")
    assert snap_compare(app, terminal_size=(100, 30), run_before=after("D", "M"))


def test_a_file_80x24(snap_compare: Compare, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory.parent.parent)
    (memory / "notes.md").write_text("x", encoding="utf-8")
    app = app_on(Path("astro-lab/memory/notes.md"))
    assert snap_compare(app, terminal_size=SMALL, run_before=after())


def test_help_100x48(snap_compare: Compare, lab: Path) -> None:
    assert snap_compare(app_on(lab), terminal_size=(100, 48), run_before=after("question_mark"))


def test_empty_80x24(snap_compare: Compare, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory.parent.parent)
    assert snap_compare(app_on(Path("astro-lab/memory")), terminal_size=SMALL, run_before=after())


def test_missing_100x30(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert snap_compare(app_on(Path("gone/memory")), terminal_size=(100, 30), run_before=after())


def test_broken_files_120x30(snap_compare: Compare, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory.parent.parent)
    (memory / "bytes.md").write_bytes(b"---\nname: Odd bytes\ntype: user\n---\n\xff\xfe text\n")
    (memory / "unclosed.md").write_bytes(b"---\nname: The header never ends\n\ntext\n")
    (memory / "[b] \x1b[31mred.md").write_text(
        "[/] [@click=app.exit]x[/]\x1b]52;c;eA==\x07\n", encoding="utf-8"
    )
    (memory / "link.md").symlink_to("/etc/passwd")
    for path in memory.iterdir():
        os.utime(path, (NOW, NOW), follow_symlinks=False)
    assert snap_compare(
        app_on(Path("astro-lab/memory"), read_only=True), terminal_size=(120, 30), run_before=after()
    )
