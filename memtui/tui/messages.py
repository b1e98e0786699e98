"""What panes and workers tell the screen. Those that only say "this is how it is now" supersede one another.

Each is made without ``__eq__`` and ``__repr__``, which nobody asks for and which take time at start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.memory.errors import MemtuiError
from memtui.memory.types import MemoryEntry

if TYPE_CHECKING:
    from memtui.claude.usage_report import UsageReport
    from memtui.memory.live.drafts import SavedDraft
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult
    from memtui.memory.relevance.selecting import Selection
    from memtui.store import Snapshot
    from memtui.team.news import News
    from memtui.team.results import TeamStatus
    from memtui.tui.related import Related

Tell = Callable[[Message], object]
"""Posts a message. A thread is given it and does not ask its screen for the app: the screen may be closed by then."""


@dataclass(eq=False, repr=False)
class FirstPainted(Message):
    """Something stands on the screen; what takes time may begin."""


@dataclass(eq=False, repr=False)
class SnapshotArrived(Message):
    """The directory as it is now, from the watching thread."""

    snapshot: Snapshot

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, SnapshotArrived)


@dataclass(eq=False, repr=False)
class UsageKnown(Message):
    """What transcripts prove of the use of the memories, from the thread that reads them."""

    report: UsageReport

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, UsageKnown)


@dataclass(eq=False, repr=False)
class UsageProgress(Message):
    """How far the transcripts are read, per cent; told for large ones only."""

    percent: int

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, UsageProgress)


@dataclass(eq=False, repr=False)
class Undoable(Message):
    """What ``z`` and ``Z`` would do now: labels of the journal's records, None if nothing."""

    undo: str | None
    redo: str | None

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, Undoable)


@dataclass(eq=False, repr=False)
class CursorMoved(Message):
    """The list's cursor stands on another memory, or on another text of it."""

    entry: MemoryEntry | None

    def can_replace(self, message: Message) -> bool:
        """While the key is held down only the last place matters."""
        return isinstance(message, CursorMoved)


@dataclass(eq=False, repr=False)
class RowOpened(Message):
    """Somebody wants to read the memory under the cursor."""

    entry: MemoryEntry | None


@dataclass(eq=False, repr=False)
class FilterTyped(Message):
    """The filter's text has changed."""

    text: str

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, FilterTyped)


@dataclass(eq=False, repr=False)
class SortWanted(Message):
    """A column's title was clicked.

    Attributes:
        order: id of the order it stands for.
    """

    order: str


@dataclass(eq=False, repr=False)
class LinkFollowed(Message):
    """A link to another memory was followed."""

    target: str


@dataclass(eq=False, repr=False)
class ActionWanted(Message):
    """Somebody wants an action of the registry done: it was clicked, or a widget has its key."""

    action_id: str


@dataclass(eq=False, repr=False)
class ChangeDone(Message):
    """A change is on disk.

    Attributes:
        result: what it did.
        verb: what was done, for the notice; empty where the screen that wanted it tells of it itself.
    """

    result: ChangeResult
    verb: str


@dataclass(eq=False, repr=False)
class Recovered(Message):
    """What a crash had interrupted is finished or taken back; a sentence for each thing done."""

    sentences: tuple[str, ...]


@dataclass(eq=False, repr=False)
class DraftsKnown(Message):
    """Which texts were typed and not saved, newest first.

    Attributes:
        found: the texts.
        tell: whether it is the first look, of which a person is told.
    """

    found: tuple[SavedDraft, ...]
    tell: bool = False


@dataclass(eq=False, repr=False)
class ThemeKept(Message):
    """Somebody has decided for a theme.

    Attributes:
        name: of the theme.
    """

    name: str


@dataclass(eq=False, repr=False)
class DraftsChanged(Message):
    """A text that was not saved has gone; the app has a look at what is left."""


@dataclass(eq=False, repr=False)
class Failed(Message):
    """Something was refused or went wrong, and the app goes on."""

    error: MemtuiError


@dataclass(eq=False, repr=False)
class Faulted(Message):
    """A thread made a mistake and goes on.

    Attributes:
        error: what it was.
    """

    error: Exception


@dataclass(eq=False, repr=False)
class ChangeWanted(Message):
    """A screen wants something changed on disk; the app lets a thread do it.

    Attributes:
        verb: what will have been done, for the notice; empty where the screen itself tells of it.
        do: the change.
    """

    verb: str
    do: Callable[[MemoryManager], ChangeResult]


@dataclass(eq=False, repr=False)
class TeamKnown(Message):
    """How the sharing with the team stands, from the thread that syncs.

    Attributes:
        status: it.
        syncing: whether it is being synced.
    """

    status: TeamStatus
    syncing: bool = False

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, TeamKnown)


@dataclass(eq=False, repr=False)
class TeamTold(Message):
    """What a sync brought, each thing once.

    Attributes:
        news: it.
    """

    news: tuple[News, ...]


@dataclass(eq=False, repr=False)
class ClaimsWanted(Message):
    """Somebody reads a memory: what it names, and what it has to do with others, shall be looked up."""

    entry: MemoryEntry

    def can_replace(self, message: Message) -> bool:
        """Only the memory read now counts."""
        return isinstance(message, ClaimsWanted)


@dataclass(eq=False, repr=False)
class SeenWanted(Message):
    """Somebody reads a memory: it shall be looked up whether other stores hold it too. None: nobody reads any more."""

    entry: MemoryEntry | None

    def can_replace(self, message: Message) -> bool:
        """Only the memory read now counts."""
        return isinstance(message, SeenWanted)


@dataclass(eq=False, repr=False)
class SeenKnown(Message):
    """It is known which other stores hold a memory.

    Attributes:
        entry: the memory.
        sentence: what is said of it; empty where none does.
    """

    entry: MemoryEntry
    sentence: str


@dataclass(eq=False, repr=False)
class ClaimsChecked(Message):
    """What a memory names, and what it has to do with others, has been looked up.

    Attributes:
        entry: the memory.
        found: by the words in the text, whether it is there.
        related: what the memory has to do with others; None where the directory was not read yet.
    """

    entry: MemoryEntry
    found: Mapping[str, bool]
    related: Related | None = None


@dataclass(eq=False, repr=False)
class QueryTyped(Message):
    """The question's text has changed."""

    text: str

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, QueryTyped)


@dataclass(eq=False, repr=False)
class SelectionMade(Message):
    """It was worked out which memories go with a question.

    Attributes:
        selection: the answer, with the question in it.
        asked: whether a model was asked.
    """

    selection: Selection
    asked: bool
