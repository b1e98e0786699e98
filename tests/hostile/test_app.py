"""Reliability §3: the app opens a stranger's directory, says what is wrong with it, and acts on nothing of it."""

from __future__ import annotations

from pathlib import Path

from memtui.config import load_config
from tests.hostile.forging import DEAD, MEMORY, PAYLOAD, change, put_object, tree, write_journal
from tests.tui.conftest import notices, running, screen_text, until


def cloned(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    (root / "a.md").write_bytes(MEMORY)
    return root


async def test_a_forged_journal_is_told_when_the_app_opens(tmp_path: Path) -> None:
    root = cloned(tmp_path)
    put_object(root, MEMORY)
    changes = [
        change(root, "a.md", "primary", b"old\n", MEMORY, 1),
        change(root, ".git/hooks/post-commit", "archive", None, PAYLOAD, 2),
    ]
    write_journal(root, changes, "open", more={"pid": DEAD})
    was = tree(root)
    async with running(root) as pilot:
        await until(pilot, lambda: any("files that are not memories" in note for note in notices(pilot)))
        assert "Something worth knowing" in screen_text(pilot)
        await pilot.press("u")
        await pilot.press("ctrl+r")
        await pilot.pause()
    assert tree(root) == was


async def test_settings_that_cannot_be_used_are_told_and_changes_refused(tmp_path: Path) -> None:
    root = cloned(tmp_path)
    (root / ".memtui").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "config.toml").write_text("lang = 'zh'")
    config = load_config(None, root)
    assert config.lang is None
    async with running(root, config=config) as pilot:
        await until(pilot, lambda: any("config.toml" in note for note in notices(pilot)))
        assert "Something worth knowing" in screen_text(pilot)
    assert (root / "a.md").read_bytes() == MEMORY
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["config.toml"]
