"""Reads what history and activity show, in threads: the journal, the trash, the calls, a version's header."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, TypeVar

from memtui.memory.errors import MemtuiError
from memtui.memory.managing.trash import trashed_files
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.memory.wording.saying import system_said
from memtui.tui import notices
from memtui.tui.present.activity import MOST_CALLS, Loaded, Tab
from memtui.tui.present.history import header_of

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager

T = TypeVar("T")


def read_activity(manager: MemoryManager, present: Container[str]) -> Loaded:
    """Everything the activity shows; what cannot be read is told there and stops nothing else.

    Args:
        manager: of the directory.
        present: paths of the memories there are.
    """
    troubles: dict[Tab, str] = {}

    def tried(tab: Tab, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except MemtuiError as error:
            troubles[tab] = "\n".join(part for part in notices.error_text(error, manager.lang) if part)
        except OSError as error:
            troubles[tab] = visible(system_said(error).said(manager.lang))
        return otherwise

    return Loaded(
        records=tuple(tried("changes", manager.activity, [])),
        undo=tried("changes", manager.undoable, None),
        redo=tried("changes", manager.redoable, None),
        trash=tried("trash", lambda: tuple(trashed_files(manager.trash(), manager.folder, present)), ()),
        calls=tuple(tried("calls", lambda: manager.audit.rows(MOST_CALLS), [])),
        troubles=troubles,
    )


def read_header(entry: MemoryEntry | None, manager: MemoryManager | None) -> str:
    """What stands above the body in a version's file; empty where the file is not what was read before."""
    if entry is None or manager is None:
        return ""
    try:
        image = manager.folder.read(entry.rel)
    except (MemtuiError, OSError):
        return ""
    if image.digest != entry.digest:
        return ""
    return header_of(image.data.decode("utf-8", "replace"), entry)
