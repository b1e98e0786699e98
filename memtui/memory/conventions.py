"""The two houses' habits, as one small value object (spec §2): ``library`` (first seed) and ``claude`` (second)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Literal, NamedTuple

INDEX_NAME = "MEMORY.md"
OWN_FOLDER = ".memtui"
HISTORY_FOLDER = ".memtui/history"
TRASH_FOLDER = ".memtui/trash"
INBOX_FOLDER = ".memtui/inbox"
LOG_FOLDER = "logs"
TEAM_PREFIX = "team/"
"""What the slugs and paths of a team's memories begin with (spec §15)."""

MAX_ENTRYPOINT_LINES = 200
"""Lines of the index that a reader gets (both seeds)."""
MAX_ENTRYPOINT_BYTES = 25_000
"""Size of the index that a reader gets, in the convention's own unit (both seeds)."""

SizeUnit = Literal["bytes", "utf16"]


class Convention(NamedTuple):
    """Where a directory follows one house or the other.

    Attributes:
        name: ``library`` or ``claude``.
        history_folder: folder of archived versions, relative to the memory directory; empty for "beside".
        type_in_index: whether an index line ends in ``(type: user)``.
        nested: whether a new file's frontmatter holds ``type`` under ``metadata``, with a ``modified``.
        unit: what the index's size limit counts: UTF-8 bytes, or UTF-16 code units (measured).
        rotates: whether entry lines of the oldest memories leave an index over its limit without being asked.
    """

    name: Literal["library", "claude"]
    history_folder: str
    type_in_index: bool
    nested: bool
    unit: SizeUnit
    rotates: bool

    def archive_rel(self, slug: str, number: int) -> str:
        """Path, relative to the memory directory, of version ``number`` of ``slug``."""
        name = f"{slug}_v{number}.md"
        # What stands in `team/` is the team's; old versions stay on this machine, whatever the habit.
        folder = HISTORY_FOLDER if slug.startswith(TEAM_PREFIX) else self.history_folder
        return f"{folder}/{name}" if folder else name


LIBRARY = Convention("library", "", type_in_index=True, nested=False, unit="bytes", rotates=True)
CLAUDE = Convention("claude", HISTORY_FOLDER, type_in_index=False, nested=True, unit="utf16", rotates=False)
CONVENTIONS = {"library": LIBRARY, "claude": CLAUDE}


def is_claude_path(directory: PurePath) -> bool:
    """Whether a path is one of the places where Claude Code keeps memories.

    ``…/projects/<project>/memory`` and ``…/agent-memory*/<agent>`` (spec §2).
    """
    parts = directory.parts
    if len(parts) >= 3 and parts[-1] == "memory" and parts[-3] == "projects":
        return True
    return len(parts) >= 2 and parts[-2].startswith("agent-memory")


def detect(directory: PurePath, shapes: Iterable[bool | None]) -> Convention:
    """The convention a directory follows (spec §2).

    Args:
        directory: its resolved path.
        shapes: for each file read, True if its type is nested under ``metadata``, False if flat, None if it has
            no type.
    """
    if is_claude_path(directory):
        return CLAUDE
    nested = flat = 0
    for shape in shapes:
        if shape is not None:
            nested += shape
            flat += not shape
    return CLAUDE if nested > flat else LIBRARY
