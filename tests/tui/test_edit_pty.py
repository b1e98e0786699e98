"""The editor in a real terminal: drafts outlive ``kill -9``, and a person's own editor is given the terminal."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.live.drafts import DRAFTS_FOLDER

from .test_pty import Terminal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "lab" / "memory"
    made.mkdir(parents=True)
    (made / "role.md").write_text(
        "---\nname: Role\ndescription: who\ntype: user\ntags: [kept]\n---\n\nWorks on stars in Heidelberg.\n",
        "utf-8",
    )
    return made


def wait(terminal: Terminal, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, terminal.text
        terminal.read(0.1)


def test_what_was_typed_is_there_after_kill_9_is_told_and_a_key_goes_on_with_it(folder: Path) -> None:
    first = Terminal(folder)
    first.until("1 memor")
    first.press("e")
    first.until("Checks")
    first.press("Typed before the crash. ")
    drafts = folder / DRAFTS_FOLDER

    def kept() -> list[str]:
        return [json.loads(path.read_text("ascii"))["draft"]["content"] for path in drafts.glob("[!.]*.json")]

    wait(first, lambda: ["Typed before the crash." in text for text in kept()] == [True])
    os.kill(first._child.pid, signal.SIGKILL)
    first.read(0.5)
    assert len(kept()) == 1
    assert "Typed" not in (folder / "role.md").read_text("utf-8")
    second = Terminal(folder)
    second.until("1 memor")
    second.until("goes on with it")
    second.press("U")
    second.until("Typed before the crash.")
    second.press("\x13")
    wait(second, lambda: "Typed before the crash." in (folder / "role.md").read_text("utf-8"))
    wait(second, lambda: not any(drafts.glob("[!.]*.json")))
    second.leave()


@pytest.mark.parametrize("changes", [True, False], ids=["changed", "unchanged"])
def test_ones_own_editor_gets_the_terminal_and_what_it_leaves_is_saved(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: bool
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys; from pathlib import Path; p = Path(sys.argv[-1]); t = p.read_text('utf-8')\n"
        "print('OTHER-EDITOR', flush=True)\n"
        f"if {changes}: p.write_text(t.replace('name: Role', 'name: Duty') + 'From outside.\\n', 'utf-8')\n",
        "utf-8",
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    before = (folder / "role.md").read_bytes()
    terminal = Terminal(folder)
    terminal.until("1 memor")
    terminal.press("E")
    wait(terminal, lambda: b"OTHER-EDITOR" in terminal.written)
    if changes:
        wait(terminal, lambda: "From outside." in (folder / "role.md").read_text("utf-8"))
        saved = (folder / "role.md").read_text("utf-8")
        assert "name: Duty" in saved
        assert "tags: [kept]" in saved
        terminal.until("Saved")
    else:
        terminal.until("Nothing was changed")
        assert (folder / "role.md").read_bytes() == before
        assert not (folder / ".memtui").exists()
    terminal.leave()


def test_an_editor_that_cannot_be_run_gives_the_terminal_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "/nowhere/editor")
    terminal = Terminal(folder)
    terminal.until("1 memor")
    terminal.press("E")
    terminal.until("No such file or directory")
    terminal.leave()
