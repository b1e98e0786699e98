"""What the history has worked out for it in threads: what two versions differ in, its rows, and who wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.memory.errors import MemtuiError
from memtui.memory.managing.authors import Author, authors_of
from memtui.memory.types import MemoryEntry
from memtui.memory.versions.history import Version
from memtui.tui.messages import Tell
from memtui.tui.present import history as present_history
from memtui.tui.present.diff_lines import Prepared, prepare
from memtui.tui.present.history import Compared
from memtui.tui.reading_past import read_header
from memtui.tui.wording.history import HistoryWords

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager


@dataclass
class VersionsCompared(Message):
    """Two versions have been compared.

    Attributes:
        key: digests of the two.
        found: the difference.
    """

    key: tuple[str, str]
    found: Compared


@dataclass
class RowsLaid(Message):
    """A difference is ready to be shown.

    Attributes:
        key: what it is about, and how it is laid out.
        rows: its rows.
    """

    key: object
    rows: Prepared


@dataclass
class AuthorsKnown(Message):
    """It is known who wrote the versions.

    Attributes:
        authors: who, by the version's path.
    """

    authors: Mapping[str, Author]


def tell_authors(tell: Tell, manager: MemoryManager, versions: tuple[Version, ...]) -> None:
    """Find out who wrote the versions; takes as long as the journal is."""
    with suppress(MemtuiError):  # of a journal that cannot be read, the activity tells
        tell(AuthorsKnown(authors_of(versions, manager.activity())))


def tell_difference(
    tell: Tell,
    key: tuple[str, str],
    old: MemoryEntry | None,
    new: MemoryEntry,
    manager: MemoryManager | None,
    words: HistoryWords,
) -> None:
    """Compare two versions, headers included; takes as long as they are.

    Args:
        tell: takes the answer.
        key: digests of the two, given back with it.
        old: the one before; None for the first version.
        new: the one after.
        manager: reads the headers; None leaves them out.
        words: sentences of the screen.
    """
    headers = (read_header(old, manager), read_header(new, manager))
    tell(VersionsCompared(key, present_history.compared(old, new, words, headers)))


def tell_rows(
    tell: Tell, key: object, found: Compared, words: HistoryWords, *, beside: bool, whole: bool
) -> None:
    """Lay a difference out, unified or side by side, whole or its changes only."""
    tell(RowsLaid(key, prepare(present_history.diff_rows(found, words, beside=beside, whole=whole))))
