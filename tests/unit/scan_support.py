"""What the tests of scanning share: memory files of a known age, and a directory looked at on a known day."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.memory.directory.scan import Directory

NOW = 1_790_000_000.0
DAY = 86_400.0


def text(
    name: str = "A", *, type_: str = "user", body: str = "Something worth remembering.", extra: str = ""
) -> str:
    return f"---\nname: {name}\ndescription: about {name}\ntype: {type_}\n{extra}---\n\n{body}\n"


def write(root: Path, rel: str, data: str | bytes, *, days: float | None = 1.0) -> Path:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    if days is not None:
        os.utime(path, (NOW - days * DAY, NOW - days * DAY))
    return path


def opened(root: Path, **kwargs: object) -> Directory:
    directory = Directory(root, clock=lambda: NOW, **kwargs)  # type: ignore[arg-type]
    directory.refresh()
    return directory
