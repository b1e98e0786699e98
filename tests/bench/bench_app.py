"""What is felt in the running app (design §7): the start, a key, a change on disk, and the memory it takes.

Everything runs in a pseudo-terminal that answers as one of today does, and is timed by the bytes that come back.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from memtui.memory.conventions import LIBRARY
from memtui.memory.index.editing import entry_line
from memtui.memory.index.rotation import rotate
from tests.bench.bench_dedup import corpus, percentile, usual_lengths
from tests.bench.terminal import COLUMNS, LINES, Cost, Terminal

Row = tuple[str, str, str, bool]

_MEMTUI = (sys.executable, "-c", "import sys; from memtui.__main__ import main; sys.exit(main(sys.argv[1:]))")
"""What the installed ``memtui`` command runs."""
_EMPTY = (sys.executable, "-c", "from textual.app import App; App().run()")
_FLOOR_CODE = """
from textual.app import App
from textual.widgets import Static

class Floor(App):
    def compose(self):
        yield Static("-")

    def on_key(self, event):
        self.query_one(Static).update(event.key)

Floor().run()
"""
_FLOOR = (sys.executable, "-c", _FLOOR_CODE)
"""The least that a Textual app can do about a key: show which one it was."""
_PASS = (sys.executable, "-c", "pass")

_WORDS = ("database", "orbit/", "schedule the", "metrics 2", "type:feed", "日志监控", "object.")
"""What is typed into the filter, a key at a time."""
_NEWEST = "watched-by-the-bench"
_DAY = 86_400
_DATED = re.compile("昨天|明天")


@dataclass(frozen=True, slots=True)
class Place:
    """A memory directory, and a home and a working directory with nothing in them."""

    memories: Path
    home: Path
    count: int

    @property
    def environ(self) -> dict[str, str]:
        """A small environment, the same for all that is compared."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),  # of a checkout that is not the one installed
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }

    def run(self, command: Sequence[str], *arguments: str) -> Terminal:
        """Start a program in a terminal here."""
        return Terminal((*command, *arguments), self.environ, self.home)

    def open(self) -> Terminal:
        """Start memtui on the memories."""
        return self.run(_MEMTUI, str(self.memories))

    def checked(self) -> Callable[[str], bool]:
        """Whether a screen tells that all was read and checked."""
        pattern = re.compile(rf"{self.count:,} memories[^,]{{0,5}}[\d,]+ findings?")
        return lambda text: pattern.search(text) is not None


def _kilobytes(text: str) -> str:
    """As much of a text as has so many bytes as the whole has characters."""
    return text[: len(text) * len(text) // max(1, len(text.encode()))]


@contextmanager
def place_with(count: int) -> Iterator[Place]:
    """Memories of a median of 2 KB, English, Chinese and mixed, over half a year; one is newer than the rest.

    The index is as full as one may be. One in ten memories says "yesterday", as the texts drawn do all over.
    """
    pick = random.Random(count)
    with tempfile.TemporaryDirectory() as name:
        place = Place(Path(name) / "memory", Path(name) / "home", count)
        place.memories.mkdir()
        place.home.mkdir()
        now = time.time()
        lines: list[str] = []
        modified: dict[str, float] = {}
        for number, (made, long) in enumerate(corpus(pick, count, usual_lengths(pick)).items()):
            slug = made if number else _NEWEST
            text = _kilobytes(_DATED.sub("那天", long) if number % 10 else long)
            kind = pick.choice(["project", "feedback", "reference", "user"])
            when = now - pick.uniform(1, 180) * _DAY if number else now - 60
            shape = f"metadata:\n  node_type: memory\n  type: {kind}\n" if number % 2 else f"type: {kind}\n"
            title, description = f"Memory {number}", f"what was learned about {text[:60].split(chr(10))[0]!r}"
            path = place.memories / f"{slug}.md"
            path.write_text(
                f'---\nname: {title}\ndescription: "{description.replace(chr(34), "")}"\n{shape}---\n\n{text}\n',
                "utf-8",
            )
            os.utime(path, (when, when))
            modified[path.name] = when
            if number < 400:  # twice as many as an index may have
                lines.append(entry_line(path.name, title, description, kind, LIBRARY))
        index = rotate("".join(f"{line}\n" for line in lines), modified)
        (place.memories / "MEMORY.md").write_text(index.text, "utf-8")
        os.sync()
        yield place


def alternating(times: int, *runs: Callable[[], float]) -> list[float]:
    """Medians of the seconds that some things take, each done in turn, so that noise meets all alike."""
    found: list[list[float]] = [[] for _ in runs]
    for turn in range(times + 1):
        for run, seconds in zip(runs, found, strict=True):
            spent = run()
            if turn:  # the first one warms the caches
                seconds.append(spent)
    return [median(seconds) for seconds in found]


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.0f} ms" if seconds >= 0.1 else f"{seconds * 1e3:.1f} ms"


def _spread(values: Sequence[float]) -> str:
    shown = [f"{value * 1e3:.1f}" for value in (median(values), percentile(values, 0.95), max(values))]
    return f"median {shown[0]}, p95 {shown[1]}, most {shown[2]} ms"


# -- the start -----------------------------------------------------------------------------------------------------


def start_rows(*, quick: bool = False) -> Iterator[Row]:
    """From exec to the first paint, against an empty Textual app."""
    listed: list[float] = []
    with place_with(1_000) as place:

        def empty() -> float:
            with place.run(_EMPTY) as terminal:
                return terminal.until(lambda text: len(text) >= COLUMNS * LINES) - terminal.started

        def ours() -> float:
            with place.open() as terminal:
                painted = terminal.until(lambda text: len(text) >= COLUMNS * LINES and "Reading" in text)
                there = terminal.until(lambda text: "1,000 memories" in text)
                listed.append(there - terminal.started)
                return painted - terminal.started

        bare, first = alternating(3 if quick else 11, empty, ours)
    ratio = first / bare
    shown = f"{ratio:.2f} × ({_milliseconds(first)} to {_milliseconds(bare)})"
    yield "exec → first paint, 1,000 memories", "≤ 1.3 × an empty Textual app", shown, ratio <= 1.3
    there = median(listed[1:])
    yield (
        "exec → the 1,000 memories listed",
        "–",
        f"{there / bare:.2f} × an empty app ({_milliseconds(there)})",
        True,
    )


def command_rows(*, quick: bool = False) -> Iterator[Row]:
    """A command and the client's hooks, from exec to their end."""
    with place_with(40) as place:
        told = {"session_id": "s", "transcript_path": "/t/s.jsonl", "cwd": str(place.home)}
        # The hook finds the memories of its directory; this is the client's own way to name others.
        environ = {**place.environ, "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": str(place.memories)}

        def timed(*command: str) -> float:
            start = time.perf_counter()
            done = subprocess.run(
                command,
                env=environ,
                cwd=place.home,
                input=json.dumps(told).encode(),
                capture_output=True,
                check=True,
            )
            spent = time.perf_counter() - start
            if command[-1] == "session-start" and b"[PROJECT MEMORY]" not in done.stdout:
                raise RuntimeError(done.stderr.decode())
            return spent

        bare, listing, starting, ending = alternating(
            5 if quick else 21,
            lambda: timed(*_PASS),
            lambda: timed(*_MEMTUI, "list", "-d", str(place.memories)),
            lambda: timed(*_MEMTUI, "hook", "session-start"),
            lambda: timed(*_MEMTUI, "hook", "session-end"),
        )
    for what, spent in (
        ("`memtui list`, 40 memories", listing),
        ("`memtui hook session-start`, 40 memories", starting),
        ("`memtui hook session-end`", ending),
    ):
        goal = "≤ 8 × `python -c pass`" + (", as for the hook" if spent is listing else "")
        shown = f"{spent / bare:.1f} × ({_milliseconds(spent)} to {_milliseconds(bare)})"
        yield what, goal, shown, spent / bare <= 8


# -- in the running app --------------------------------------------------------------------------------------------


def _floor(place: Place, keys: int) -> list[Cost]:
    with place.run(_FLOOR) as terminal:
        terminal.settle(0.5)
        return [terminal.press(b"ab"[turn % 2 : turn % 2 + 1]) for turn in range(keys)]


def _moves(terminal: Terminal, keys: int) -> list[Cost]:
    return [terminal.press(key) for key in [b"j"] * keys + [b"k"] * (keys // 2)]


def _moves_meanwhile(terminal: Terminal, keys: int) -> list[float]:
    """Seconds to the first frame after a key, while the app does not come to rest."""
    delays = []
    for _ in range(keys):
        terminal.forget()
        start = time.perf_counter()
        terminal.type(b"j")
        delays.append(terminal.frame() - start)
        time.sleep(0.2)
        terminal.drain()
    return delays


def _typing(terminal: Terminal, times: int) -> list[Cost]:
    costs: list[Cost] = []
    for _ in range(times):
        for word in _WORDS:
            terminal.press(b"/")
            costs += [terminal.press(letter.encode()) for letter in word]
            terminal.press(b"\x1b")
            terminal.settle(0.2)
    return costs


def _key_row(what: str, costs: Sequence[Cost], floor: Sequence[Cost]) -> Row:
    wall, cpu = percentile([cost.wall for cost in costs], 0.95), mean(cost.cpu for cost in costs)
    bare = median(cost.wall for cost in floor), mean(cost.cpu for cost in floor)
    shown = (
        f"first frame: median {median(cost.first for cost in costs) * 1e3:.1f} ms; settled: "
        f"{_spread([cost.wall for cost in costs])}; CPU: mean {cpu * 1e3:.1f}, "
        f"most {max(cost.cpu for cost in costs) * 1e3:.1f} ms. "
        f"Textual alone: {bare[0] * 1e3:.1f} ms, CPU {bare[1] * 1e3:.1f} ms"
    )
    return what, "settled p95 ≤ 16 ms, CPU ≤ 5 ms", shown, wall <= 0.016 and cpu <= 0.005


def _follow(terminal: Terminal, place: Place, writes: int) -> list[float]:
    """From the end of a write to the frame that shows it; half of the writes replace the file, half write into it."""
    path, pick = place.memories / f"{_NEWEST}.md", random.Random(1)
    head = f"---\nname: Watched\ndescription: changes while it is looked at\ntype: project\n---\n\n"  # noqa: F541
    delays = []
    for turn in range(writes):
        mark = f"Written {turn:05} times."
        aim = path if turn % 2 else path.with_name(f".{_NEWEST}.new")
        terminal.settle(0.1 + pick.random() * 0.1)
        terminal.forget()
        aim.write_text(f"{head}{mark}\n", "utf-8")
        if aim != path:
            aim.replace(path)
        start = time.perf_counter()
        delays.append(terminal.until(lambda text, mark=mark: mark in text) - start)  # type: ignore[misc]
    return delays


def _follow_row(place: Place, delays: Sequence[float]) -> Row:
    late = percentile(delays, 0.95)
    return f"write on disk → painted, {place.count:,} memories", "p95 ≤ 80 ms", _spread(delays), late <= 0.08


def app_rows(*, quick: bool = False) -> Iterator[Row]:
    """Keys, changes on disk and memory in the app on 10,000 memories."""
    with place_with(10_000) as place:
        with place.run(_EMPTY) as terminal:
            terminal.settle(0.5)
            empty = terminal.resident
        with place.open() as terminal:
            listed = terminal.until(lambda text: "10,000 memories" in text) - terminal.started
            yield "exec → 10,000 memories listed", "–", _milliseconds(listed), True
            floor = _floor(place, 20 if quick else 60)
            early = _moves_meanwhile(terminal, 15 if quick else 40)
            yield "cursor move while 10,000 are being checked", "–", f"first frame: {_spread(early)}", True
            checked = terminal.until(place.checked(), 600) - terminal.started
            shown = f"{_milliseconds(checked)} ({terminal.cpu:.1f} s of processor)"
            yield "exec → 10,000 memories checked", "–", shown, True
            terminal.settle(0.5)
            yield _resident_row("memory (RSS) at 10,000, findings there", terminal, empty)
            yield _key_row("cursor move at 10,000", _moves(terminal, 20 if quick else 100), floor)
            first, *typed = _typing(terminal, 1 if quick else 3)
            what, goal, shown, met = _key_row("filter as you type at 10,000", typed, floor)
            yield what, goal, f"{shown}; very first key {_milliseconds(first.wall)}", met
            yield _resident_row("… after filtering", terminal, empty)
            yield _follow_row(place, _follow(terminal, place, 20 if quick else 100))
    with place_with(1_000) as place, place.open() as terminal:
        terminal.until(place.checked())
        yield _follow_row(place, _follow(terminal, place, 20 if quick else 100))


def _resident_row(what: str, terminal: Terminal, empty: int) -> Row:
    held = terminal.resident
    return (
        what,
        "≤ 150 MB",
        f"{held / 1e6:.0f} MB (an empty Textual app: {empty / 1e6:.0f} MB)",
        held <= 150e6,
    )
