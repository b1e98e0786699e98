"""``python -m tests.screenshots``: draws every screen from the demo, at a frozen time, into ``screenshots/``.

Each scene is one line of ``SCENES``. The SVG files are the same on every machine, and a test holds that they are
current; the PNG files are drawn from them with the fonts of the machine (``fonts-firacode`` and ``fonts-noto-cjk`` are
what those in the repository were drawn with). ``--only WORDS`` draws the scenes whose
name contains the words, ``--again`` draws the PNG files even where the SVG is current.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.config import Config
from memtui.demo import build_demo
from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.given import teaming, usage_reading
from memtui.tui.launch import make_app
from memtui.tui.machine import Machine
from tests.tui.sharing import busy
from tests.unit.machine import Machine as Neighbours

FOLDER = Path(__file__).parents[1] / "screenshots"
NOW = 1_790_000_000.0
"""The time that the demo's ages count from, Unix seconds."""
WIDE, USUAL, NARROW = (160, 44), (120, 36), (80, 24)
PNG_WIDTH = 1480
_FONTS = (
    "/usr/share/fonts/truetype/firacode",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
)
"""Where Debian puts the fonts; one of a later line has the signs that the earlier ones lack."""
_TEXT = re.compile(r'(<text [^>]*?textLength=")([\d.]+)("[^>]*>)([^<]*)(</text>)')
_CELL = 12.2
"""Width of a cell in the SVG that Rich writes."""
REST = "until at rest"
"""Among the keys of a scene: wait until nothing changes any more."""
_QUIET_LOOKS = 4
"""Looks in a row that must see the same picture."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture.

    Attributes:
        name: of its files.
        caption: what it shows, for the README.
        keys: pressed once everything is read and checked; ``REST`` among them waits.
        size: columns and lines.
        theme: of Textual.
        lang: language of the app.
        ascii: whether to draw with ASCII only.
        shared: whether the memories are shared with a team, in which a lot has happened.
    """

    name: str
    caption: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = USUAL
    theme: str = "textual-dark"
    lang: Lang = "en"
    ascii: bool = False
    shared: bool = False


SCENES = (
    Scene(
        "browse", "Browse: memories by score, the one under the cursor, and the reminder", ("j", "j"), WIDE
    ),
    Scene(
        "detail", "A memory by itself: score, links, index, where it comes from", ("j", "j", "D"), (120, 40)
    ),
    Scene("filter", "Filter as you type", ("slash", *"is:problem")),
    Scene("history", "History: any two versions by words", ("j", "j", "h")),
    Scene("history-beside", "… and side by side", ("j", "j", "h", "u"), WIDE),
    Scene("checks", "Checks: what is wrong, worst first", ("c",)),
    Scene("fix", "A fix shows what it changes, then asks", ("c", REST, "x")),
    Scene(
        "edit",
        "Edit: checked at every key",
        (
            "j",
            "j",
            "e",
            REST,
            "ctrl+end",
            "pagedown",
            "end",
            "enter",
            *"Maybe PC-31 goes tomorrow, see scripts/none.jl",
        ),
        (120, 40),
    ),
    Scene(
        "projects",
        "Projects: every memory store on the machine, and a search through all",
        ("o", REST, "j"),
        WIDE,
    ),
    Scene(
        "review",
        "Review: what was proposed and what agents changed, with reason, evidence, checks and difference",
        ("r", REST, "j"),
        WIDE,
    ),
    Scene("log", "Log: what was logged day by day", ("l",)),
    Scene("preview", "Preview: the reminder to the character, and why each memory is in or out", ("P",)),
    Scene("preview-index", "… what a session gets of MEMORY.md", ("P", REST, "2")),
    Scene(
        "activity", "Activity: what was done, by whom; undo takes it back", ("d", "y", REST, "v", REST, "a")
    ),
    Scene(
        "team",
        "Team: what others changed waits as a diff; what both changed, what is held back, who changed what",
        ("t", REST, "j", "j"),
        shared=True,
    ),
    Scene("help", "Help: every key, and why one cannot be used now", ("question_mark",), (120, 44)),
    Scene("forget", "A question names what will happen", ("d",)),
    Scene("palette", "Every action by its name", ("ctrl+p",)),
    Scene("theme", "A theme shows as soon as the cursor is on it", ("f9", *["j"] * 4)),
    Scene("narrow", "80 × 24: one pane at a time", ("j",), NARROW),
    Scene("light", "A light theme", ("j",), theme="textual-light"),
    Scene("ascii", "ASCII only", ("j",), ascii=True),
    Scene("chinese", "中文界面", ("j", "question_mark"), (120, 44), lang="zh"),
)
"""Every picture. A new screen adds a line."""


@contextmanager
def demo_home() -> Iterator[tuple[Path, Path, Path]]:
    """Home, memory directory and project of a copy of the demo whose paths look the same wherever it lies."""
    with tempfile.TemporaryDirectory(prefix="memtui-screens-") as name:
        home = Path(name).resolve() / "ada"
        made = build_demo(home, NOW, store="-home-ada-astro-lab")
        _neighbours(home, made.project_root, made.memory_dir.parent)
        yield home, made.memory_dir, made.project_root


def _neighbours(home: Path, project: Path, store: Path) -> None:
    """What else there is on the machine: stores of other projects, of a subagent and of another agent."""
    machine = Neighbours.__new__(Neighbours)
    machine.home, machine.projects = home, home / ".claude" / "projects"
    machine.session(project, slug=store.name)
    shop = home / "webshop"
    (shop / ".git").mkdir(parents=True)
    texts = {
        "prices": "Prices are kept in cents.",
        "till": "The till closes at six.",
        "returns": "Goods come back within 30 days.",
    }
    for name, project_dir, memories, days in (
        ("-home-ada-webshop", shop, texts, 12.0),
        ("-home-ada-thesis", home / "thesis", {"chapters": "Chapter three is done."}, 240.0),
    ):
        machine.fill(machine.projects / name / "memory", memories, days=days, now=NOW)
        machine.session(project_dir, slug=name)
    machine.fill(
        home / ".claude" / "agent-memory" / "reviewer", {"tone": "Reviews are short."}, days=3, now=NOW
    )
    machine.fill(home / ".codex" / "memories", {"raw": "What another agent keeps."}, days=20, now=NOW)


async def draw(scene: Scene, home: Path, memories: Path, project: Path) -> str:
    """A scene as SVG."""
    state = home / ".local" / "state" / "memtui"
    config = Config(theme=scene.theme, ascii=scene.ascii)
    sharing = None
    if scene.shared:
        ada = busy(home.parent, memories, NOW).ada
        sharing = teaming(environ=ada.environ, config=config, state=lambda: ada.state, read_only=False)
    app = make_app(
        memories,
        lang=scene.lang,
        clock=lambda: NOW,
        home=home,
        project_root=project,
        config=config,
        sharing=sharing,
        joined=scene.shared,
        machine=Machine({}, home, lambda: NOW, project, lang=scene.lang),
        usage=usage_reading(memories, environ={}, home=home, state=None, cwd=project),
        state=lambda: state,
        logging=lambda: True,
        zone=UTC,
    )
    async with app.run_test(size=scene.size) as pilot:
        await _until_read(app, pilot)
        for key in scene.keys:
            if key == REST:
                await at_rest(app, pilot)
            else:
                await pilot.press(key)
                await pilot.pause()
        return await at_rest(app, pilot)


async def _until_read(app: MemtuiApp, pilot: Pilot[Any]) -> None:
    while app.snapshot is None or app.snapshot.findings_pending:
        await pilot.pause(0.02)


async def at_rest(app: MemtuiApp, pilot: Pilot[Any]) -> str:
    """The picture once nothing changes any more: lookups and comparisons end after the last key."""
    for field in app.screen.query(Input):
        field.cursor_blink = False  # the palette's: a picture is the same at any moment
    seen, times = "", 0
    while times < _QUIET_LOOKS:
        await pilot.pause(0.1)
        now = _cells_wide(app.export_screenshot(title="memtui"))
        times = times + 1 if now == seen else 0
        seen = now
    return seen


def _cells_wide(svg: str) -> str:
    """The picture with every text as wide as its cells: Rich counts a wide character as one."""

    def wide(found: re.Match[str]) -> str:
        head, _, middle, text, tail = found.groups()
        cells = cell_len(html.unescape(text))
        return f"{head}{round(cells * _CELL, 1):g}{middle}{text}{tail}"

    return _TEXT.sub(wide, svg)


def drawn(scenes: tuple[Scene, ...]) -> Iterator[tuple[Scene, str]]:
    """The scenes with their pictures; each on a copy of the demo of its own."""
    for scene in scenes:
        with demo_home() as (home, memories, project):
            yield scene, asyncio.run(draw(scene, home, memories, project))


def png(svg: str) -> bytes:
    """A picture as PNG, drawn with this machine's fonts."""
    import resvg_py  # noqa: PLC0415 – the test that compares pictures needs none

    fonts = [
        str(file)
        for place in map(Path, _FONTS)
        for file in (sorted(place.glob("*.ttf")) if place.is_dir() else [place])
        if file.exists()
    ]
    made: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=PNG_WIDTH,
        monospace_family="Fira Code",
        skip_system_fonts=bool(fonts),
        font_files=fonts,
    )
    return made


def readme_block() -> str:
    """The pictures in the README: the first one shown, links to the others."""
    first, *others = SCENES
    lines = [f"![{first.caption}](screenshots/{first.name}.png)", ""]
    links = ", ".join(f"[{scene.caption}](screenshots/{scene.name}.png)" for scene in others)
    return "\n".join([*lines, f"More screens: {links}.", ""])


def main(arguments: list[str]) -> int:
    """Draw the scenes asked for, and remove pictures of scenes that are no more."""
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="scenes whose name contains this")
    parser.add_argument("--again", action="store_true", help="draw every PNG, as with other fonts")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    for scene, svg in drawn(tuple(scene for scene in SCENES if options.only in scene.name)):
        path = FOLDER / f"{scene.name}.svg"
        new = not path.exists() or path.read_text(encoding="utf-8") != svg
        if new or options.again or not path.with_suffix(".png").exists():
            path.write_text(svg, encoding="utf-8")
            path.with_suffix(".png").write_bytes(png(svg))
        print(f"{path.name}: {'written' if new else 'current'}")
    names = {scene.name for scene in SCENES}
    for path in FOLDER.iterdir():
        if path.suffix in {".svg", ".png"} and path.stem not in names:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
