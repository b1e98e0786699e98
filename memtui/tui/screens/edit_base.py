"""What the parts of the editor share: what is edited, what was typed, and what the screen can be asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.memory.document.draft import Draft
from memtui.memory.live.checker import LiveChecker
from memtui.memory.live.drafts import Drafts, SavedDraft
from memtui.memory.live.report import LiveReport
from memtui.memory.reminder import DEFAULT_REMINDER_ENTRIES
from memtui.memory.types import MemoryEntry
from memtui.tui.editing import Attempt, Editing, Standing, editing, is_typed
from memtui.tui.screens.base import ActionScreen
from memtui.tui.setting import Setting
from memtui.tui.wording.edit import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.store import Snapshot


@dataclass(frozen=True, slots=True)
class Begun:
    """What an edit starts with.

    Attributes:
        entry: the memory to edit; None writes a new one.
        typed: what was made of it elsewhere, to be saved at once; with ``absorbs``, to go on with.
        absorbs: slugs of the memories that a save merges into it.
        at: start and end of what is selected in the text at first.
        offered: texts of the last time that were not saved, to be asked about, newest first.
        resumed: the one of them to go on with, without asking.
        ask: whether what was typed elsewhere waits for somebody to save it.
        saving: saves the edit; None saves the memory.
        verb: what will have been done then, for the notice; empty for the usual words.
    """

    entry: MemoryEntry | None = None
    typed: Draft | None = None
    absorbs: tuple[str, ...] = ()
    at: tuple[int, int] | None = None
    offered: tuple[SavedDraft, ...] = ()
    resumed: SavedDraft | None = None
    ask: bool = False
    saving: Attempt | None = None
    verb: str = ""


class EditBase(ActionScreen[str]):
    """One edit of one memory; its parts are mixed into the screen."""

    def __init__(self, setting: Setting, manager: MemoryManager, snapshot: Snapshot, begun: Begun) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            manager: makes the changes; asked here for duplicates only.
            snapshot: the directory as it is now.
            begun: what is edited, and where it starts.
        """
        super().__init__()
        self._setting = setting
        self._words = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        self._manager = manager
        self._snapshot = snapshot
        self._begun = begun
        entry = begun.entry
        self._work = replace(editing(entry) if entry is not None else Editing(), absorbs=begun.absorbs)
        self._drafts = Drafts(manager.folder, setting.clock)
        self._last = begun.typed or self._work.start
        self._report: LiveReport | None = None
        self._serial = 0
        self._named_by_hand = False
        self._saving = False
        self._outdated = False
        self._standing: Standing = "asked"
        self._live = self._checker()

    def _checker(self) -> LiveChecker:
        manager = self._manager
        return LiveChecker(
            manager.matches,
            editing=self._work.entry,
            clock=self._setting.clock,
            lang=self._setting.lang,
            taken=DEFAULT_REMINDER_ENTRIES,
            project_root=manager.project_root,
            skip=[manager.root],
            allowed=manager.allowed_secrets,
            absorbs=self._work.absorbs,
        )

    # --- what is edited ---

    @property
    def draft(self) -> Draft:
        """The fields as they stand."""
        raise NotImplementedError

    @property
    def last_draft(self) -> Draft:
        """The fields as they stood at the last key, also when they are gone from the screen."""
        return self._last

    @property
    def unsaved(self) -> bool:
        """Whether something was typed that is in no memory yet."""
        work = self._work
        return bool(work.absorbs) or work.gone or is_typed(self._last, work.start, new=work.base is None)

    @property
    def slugs(self) -> list[str]:
        """The memories in force."""
        return [entry.slug for entry in self._snapshot.entries if entry.is_active]

    def _entry_of(self, slug: str) -> MemoryEntry | None:
        return next((e for e in self._snapshot.entries if e.slug == slug and e.is_active), None)

    # --- what the other parts do ---

    def fill(self, draft: Draft) -> None:
        """Put a draft into the fields."""
        raise NotImplementedError

    def show_slug(self) -> None:
        """Bring the field of the file name up to date."""
        raise NotImplementedError

    def show_frame(self) -> None:
        """Bring top line, title and keys up to date."""
        raise NotImplementedError

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        raise NotImplementedError

    def check(self) -> None:
        """Have said what there is to say about the fields as they stand."""
        raise NotImplementedError

    def go_to_span(self, where: str, span: tuple[int, int] | None) -> None:
        """Put the focus on a field, and the cursor on a part of it."""
        raise NotImplementedError

    def look_below(self) -> None:
        """Notice that somebody changed the file."""
        raise NotImplementedError

    def save(self) -> None:
        """Save the fields as they stand."""
        raise NotImplementedError

    def draft_changed(self) -> None:
        """Something was typed: it shall be on disk soon."""
        raise NotImplementedError

    def keep_draft(self) -> None:
        """Have the draft written as it stands."""
        raise NotImplementedError

    def drop_draft(self, key: str | None = None) -> None:
        """Have a draft removed: this one's if no other is named."""
        raise NotImplementedError
