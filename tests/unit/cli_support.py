"""Runs the command line in this process, in a world of its own: clock, home, environment and app launcher are given."""

import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any
from unittest.mock import patch

from memtui.claude.paths import store_folder
from memtui.cli.front import run
from memtui.cli.session import World
from memtui.launching import Launch

NOW = 1_780_000_000.0
DAY = 86_400.0


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal(io.TextIOWrapper):
    """A standard stream in memory, which may claim to be a terminal."""

    def __init__(self, tty: bool, data: bytes = b"") -> None:
        self.bytes = io.BytesIO(data)
        self.tty = tty
        super().__init__(self.bytes, encoding="utf-8", newline="", write_through=True)

    def isatty(self) -> bool:
        return self.tty

    def text(self) -> str:
        return self.bytes.getvalue().decode("utf-8", "surrogateescape")


@dataclass
class Cli:
    """A project with a memory directory, and the command line over it."""

    tmp: Path
    environ: dict[str, str] = field(default_factory=dict)
    launched: list[dict[str, Any]] = field(default_factory=list)
    now: float = NOW
    launch_code: int = 0
    behind: list[list[str]] = field(default_factory=list)
    tty: bool = False
    zone: tzinfo = UTC

    def __post_init__(self) -> None:
        self.home = self.tmp / "home"
        self.project = self.tmp / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        self.memory = store_folder(self.home / ".claude" / "projects", self.project) / "memory"
        self.memory.mkdir(parents=True, exist_ok=True)

    def write(self, rel: str, text: str, *, days_old: float = 0.0) -> Path:
        """A file of the memory directory."""
        path = self.memory / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        then = self.now - days_old * DAY
        os.utime(path, (then, then))
        return path

    def memory_file(self, slug: str, body: str = "A body of some length.", **fields: Any) -> Path:
        """A usual memory; ``days_old`` and header fields as keywords."""
        days_old = fields.pop("days_old", 0.0)
        header = {"name": slug.title(), "description": f"about {slug}", "type": "project", **fields}
        lines = "".join(f"{key}: {value}\n" for key, value in header.items())
        return self.write(f"{slug}.md", f"---\n{lines}---\n\n{body}\n", days_old=days_old)

    def __call__(self, *argv: str, stdin: str | bytes = b"", cwd: Path | None = None) -> Done:
        """Run one command line."""
        data = stdin.encode() if isinstance(stdin, str) else stdin

        def launch(asked: Launch) -> int:
            self.launched.append(asked._asdict())
            return self.launch_code

        world = World(
            environ=self.environ,
            home=self.home,
            cwd=cwd or self.project,
            clock=lambda: self.now,
            config_file=self.home / "config.toml",
            state_dir=self.home / "state",
            launch=launch,
            behind=lambda words: self.behind.append(list(words)),
            zone=self.zone,
        )
        out, err = Terminal(self.tty), Terminal(self.tty)
        with (
            patch("sys.stdin", Terminal(self.tty, data)),
            patch("sys.stdout", out),
            patch("sys.stderr", err),
        ):
            code = run(argv, world)
        return Done(code, out.text(), err.text())

    def files(self) -> Mapping[str, bytes]:
        """Every file of the memory directory that is not memtui's own, with its bytes."""
        return {
            path.relative_to(self.memory).as_posix(): path.read_bytes()
            for path in sorted(self.memory.rglob("*"))
            if path.is_file() and ".memtui" not in path.parts
        }
