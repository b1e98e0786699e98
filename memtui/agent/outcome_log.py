"""What work in the background came to, as a row of the audit log: there is nobody to tell it to."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.memory.audit import AuditRow
from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.errors import MemtuiError
from memtui.memory.secrets.guard import redact
from memtui.memory.text import one_line

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager

MAX_DETAIL = 200
"""Characters of a detail (ours)."""


def failure_detail(error: MemtuiError) -> str:
    """What went wrong as the detail of a row: one line, without secrets."""
    return one_line(redact(str(error)))[:MAX_DETAIL]


def note_outcome(
    manager: MemoryManager,
    tool: str,
    status: str,
    *,
    actor: str,
    elapsed_ms: float = 0.0,
    session: str | None = None,
    detail: str = "",
) -> None:
    """Add a row; nothing where the directory may not be changed or is not there, and never an error.

    Args:
        manager: of the directory.
        tool: what was done, such as ``dream``.
        status: what came of it.
        actor: who did it.
        elapsed_ms: milliseconds that it took.
        session: the agent's session, if it was about one.
        detail: figures and names, never a text of somebody.
    """
    if manager.read_only or not manager.folder.exists():
        return
    row = AuditRow(manager.clock(), tool, status, elapsed_ms, None, actor, session, detail[:MAX_DETAIL])
    with suppress(MemtuiError):  # what was found is safe, and there is nobody to tell
        if manager.folder.stamp(OWN_FOLDER) is None:
            with manager.folder.lock():
                pass
        manager.audit.add(row)
