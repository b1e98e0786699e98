"""Reliability §3: the app opens a stranger's directory, says what is wrong with it, and acts on nothing of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from textual.pilot import Pilot

from memtui.config import load_config
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Evidence, Inbox, Origin
from tests.hostile.corpora import ALL, INVISIBLE, poison, unsafe
from tests.hostile.forging import DEAD, MEMORY, PAYLOAD, change, put_object, tree, write_journal
from tests.tui.conftest import app_of, notices, running, screen_text, until
from tests.tui.making import NOW

SCREENS = {
    "c": "ChecksScreen",
    "a": "ActivityScreen",
    "r": "ReviewScreen",
    "l": "LogScreen",
    "P": "PreviewScreen",
    "h": "HistoryScreen",
}
"""By the key that leads to it."""


def shows(pilot: Pilot[None], screen: str) -> bool:
    return type(pilot.app.screen).__name__ == screen


async def showing(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, and look at what the screen shows after each."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        shown = screen_text(pilot) + "".join(notices(pilot))
        assert not unsafe(shown), (key, unsafe(shown))


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


async def test_every_screen_on_a_poisoned_directory_shows_only_what_can_be_seen(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    manager = MemoryManager.open(root, clock=lambda: NOW - 3e6, actor="x\x1b[2J", session_id=ALL)
    for body in ("one text of it", "another text of it"):
        manager.save_memory("old", "Old", "about old", "user", f"{body} {ALL}")
    inbox = Inbox(manager)
    why = Origin("extraction", ALL, (Evidence("/t/s.jsonl", 3, ALL, before=ALL, after=ALL),), by="rules")
    inbox.add(inbox.propose_save("new", "New", INVISIBLE.replace("\u2028", ""), "user", ALL, why))
    poison(root)
    async with running(root, size=(160, 48), logging=True) as pilot:
        await showing(
            pilot,
            *[
                "j",
                "j",
                "j",
                "G",
                "g",
                "]",
                "enter",
                "]",
                "escape",
                "s",
                "slash",
                "O",
                "W",
                "N",
                "E",
                "D",
                "enter",
                "escape",
                "D",
                "escape",
                "e",
                "escape",
                "p",
                "P",
                "escape",
            ],
        )
        await showing(pilot, *["j", "question_mark", "escape", "n", "escape", "d", "escape"])
        for key, screen in SCREENS.items():
            await showing(pilot, "escape", "escape")
            if key == "h":
                await showing(pilot, "slash", *"old", "enter", "g")
            await pilot.press(key)
            await until(pilot, partial(shows, pilot, screen))
            await showing(pilot, *["j", "enter", "j", "escape", "2", "j", "enter", "escape", "3", "j", "tab"])
            for _ in range(4):
                if not shows(pilot, "BrowseScreen"):
                    await showing(pilot, "escape")
            await until(pilot, partial(shows, pilot, "BrowseScreen"))
        assert app_of(pilot).is_running
