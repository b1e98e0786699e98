"""The real app in a real terminal: no escape from a memory gets out (reliability §3 and §6, design §6)."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pexpect
import pyte
import pytest

_RUN = (
    "import os, sys; from pathlib import Path; from memtui.tui.launch import run_app; from memtui.launching import Launch;"
    "sys.exit(run_app(Launch(memory_dir=Path(sys.argv[1]), environ=os.environ, ascii_mode=len(sys.argv) > 2)))"
)
_POINTER = re.compile(rb"\x1b\]22;[a-z-]*(?:\x07|\x1b\\)")
"""The shape of the mouse pointer, which Textual sets: the only OSC there may be."""
_BAD = (b"\x1b]", b"\x1b[31;5m", b"\x1bc", b"\x1b#8", b"\x1bP", b"\x1b_", b"\x1b^", b"\x1bX")

PAYLOAD = (
    "\x1b]52;c;T1dORUQ=\x07\x1b]0;OWNED-TITLE\x07\x1b]8;;http://evil.example/OWNED\x1b\\link\x1b]8;;\x1b\\"
    "\x1b[31;5mOWNED-SGR\x1bc\x1b#8\x1bPOWNED-DCS\x1b\\\x9b31m\x9d0;OWNED-C1\x9c\u202eOWNED-BIDI\u2066\u200b\x00\x08\x7f"
    "[/][@click=app.exit]x[/][link=http://evil.example/OWNED]y[/link]"
)


def _quoted(text: str) -> str:
    """A YAML string in which every character is an escape: no control stands in the file, but one comes out of it."""
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    folder = tmp_path / "x\x1b]0;OWNED-DIR\x07" / "memory"
    folder.mkdir(parents=True)
    body = f"# {PAYLOAD}\n\n- {PAYLOAD}\n\n[[{PAYLOAD[:20]}]] `{PAYLOAD}`\n\n```\n{PAYLOAD}\n```\n"
    (folder / "a.md").write_text(
        f"---\nname: {_quoted(PAYLOAD)}\ndescription: {_quoted(PAYLOAD)}\ntype: {_quoted(PAYLOAD)}\n---\n\n{body}",
        encoding="utf-8",
    )
    (folder / "raw.md").write_text(
        f"---\nname: {PAYLOAD}\ndescription: {PAYLOAD}\n---\n{PAYLOAD}\n", encoding="utf-8"
    )
    (folder / "\x1b]0;OWNED-FILE\x07.md").write_text(PAYLOAD, encoding="utf-8")
    (folder / "long.md").write_text(f"{PAYLOAD}\n" * 400, encoding="utf-8")
    (folder / "MEMORY.md").write_text(f"- [{PAYLOAD}](a.md) — {PAYLOAD}\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\x1b[31m.md")).write_bytes(
        b"\xff\xfe\x1b]52;c;T1dORUQ=\x07"
    )
    return folder


class Terminal:
    """The app in a pty, with everything it wrote and the screen that results."""

    def __init__(self, folder: Path, *arguments: str, size: tuple[int, int] = (120, 40)) -> None:
        width, height = size
        self.written = b""
        self._screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self._screen)
        self._child = pexpect.spawn(
            sys.executable,
            ["-c", _RUN, str(folder), *arguments],
            dimensions=(height, width),
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "HOME": str(folder.parent),
            },
            timeout=30,
            use_poll=True,
        )

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def _take(self) -> bool:
        """Take what comes next onto the screen, less than a paint of all of it; False once nothing more comes."""
        try:
            data = self._child.read_nonblocking(4096, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.written += data
        self._stream.feed(data)
        return True

    def read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._take():
            pass

    def until(self, words: str, seconds: float = 60) -> None:
        """Wait until words stand on the screen, be it for one paint."""
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} did not appear:\n{self.text}"
            assert self._take(), f"the app ended before {words!r} appeared:\n{self.text}"

    def press(self, keys: str) -> None:
        self._child.send(keys)
        self.read(0.3)

    def leave(self) -> None:
        self._child.send("\x11")  # ctrl+q leaves from every screen
        self.read(1)
        end = time.monotonic() + 60
        while self._child.isalive():
            assert time.monotonic() < end, "the app did not end"
            self.read(0.2)
        assert self._child.exitstatus == 0


@pytest.mark.parametrize("arguments", [(), ("--ascii",)])
def test_no_escape_from_a_memory_reaches_the_terminal(hostile: Path, arguments: tuple[str, ...]) -> None:
    terminal = Terminal(hostile, *arguments)
    terminal.until("5 memories")
    for keys in ("j", "j", "j", "j", "\r", "]", "\x04", "\x04", "\x1b", "p", "p", "s", "H", "d"):
        terminal.press(keys)
    terminal.until("Forget")
    terminal.press("n")
    terminal.press("g")
    terminal.press("d")
    terminal.press("y")
    terminal.until("Forgotten")
    terminal.press("]")
    terminal.press("\r")
    terminal.press("\x1b")
    terminal.press("/OWNED")
    terminal.press("\r")
    terminal.press("?")
    terminal.press("\x1b")
    terminal.press("\x10")
    terminal.press("\x1b")
    terminal.read(1)
    terminal.leave()
    written = _POINTER.sub(b"", terminal.written)
    assert b"OWNED" in written, "the payload was on the screen"
    for bad in _BAD:
        assert bad not in written
    assert not re.search(rb"\x1b[^\x1b]{0,12}OWNED-(TITLE|DCS|C1|FILE|DIR)", written)
    text = written.decode("utf-8", "surrogateescape")
    for char in "\x07\x08\x00\x7f\x9b\x9c\x9d\u202e\u2066\u200b\u2028":
        assert char not in text, f"U+{ord(char):04X} got out"
    assert not re.search("[\udc80-\udcff]", text), "bytes that are no UTF-8 got out"


def test_a_change_on_disk_reaches_the_screen(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, size=(80, 24))
    terminal.until("No memories here yet.")
    (tmp_path / "new.md").write_text("---\nname: Brand new\n---\nText.\n", encoding="utf-8")
    terminal.until("Brand new")
    terminal.leave()


def test_no_colour_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "a.md").write_text("---\nname: A memory\n---\nText.\n", encoding="utf-8")
    terminal = Terminal(tmp_path, size=(80, 24))
    terminal.until("A memory")
    assert "HOT" in terminal.text
    assert "▸" in terminal.text
    terminal.leave()
    colours = re.findall(rb"\x1b\[[0-9;]*?(?:38|48);2;(\d+);(\d+);(\d+)", terminal.written)
    assert all(red == green == blue for red, green, blue in colours)


def test_ascii_mode_draws_with_ascii(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\nname: A memory\ndescription: é → 我\n---\n- item\n", encoding="utf-8"
    )
    terminal = Terminal(tmp_path, "--ascii", size=(110, 24))
    terminal.until("A memory")
    terminal.press("?")
    terminal.press("\x1b")
    terminal.press("d")
    terminal.read(0.5)
    signs = {char for char in terminal.text if not char.isascii() and not char.isalpha()}
    assert signs == set()
    terminal.press("n")
    terminal.leave()
