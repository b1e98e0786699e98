"""Keeps what is typed over a crash: written beside the memories about once a second, by a thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from memtui.memory.drafts import Base, Drafts, SavedDraft
from memtui.memory.errors import MemtuiError
from memtui.memory.livecheck import Draft
from memtui.memory.text import visible
from memtui.tui.editing import Editing
from memtui.tui.messages import Failed
from memtui.tui.setting import Setting
from memtui.tui.wording.edit import EditWords

WRITE_AFTER = 1.0
"""Seconds from a key to the draft on disk (ours): the most that a crash can cost."""


@dataclass
class DraftsFound(Message):
    """Unsaved text of the last time, newest first."""

    found: tuple[SavedDraft, ...]


class DraftKeeping(Screen[str]):
    """Mixed into the editor."""

    _drafts: Drafts
    _work: Editing
    _setting: Setting
    _words: EditWords
    _draft_timer: Timer | None
    _draft_serial = 0
    _draft_failed = False

    @property
    def draft(self) -> Draft:
        """The fields as they stand."""
        raise NotImplementedError

    @property
    def last_draft(self) -> Draft:
        """The same at the last key, also when they are gone from the screen."""
        raise NotImplementedError

    @property
    def unsaved(self) -> bool:
        """Whether something was typed that is in no memory yet."""
        raise NotImplementedError

    @property
    def slugs(self) -> list[str]:
        """The memories in force."""
        raise NotImplementedError

    def offer(self, found: tuple[SavedDraft, ...]) -> None:
        """Ask what to do with unsaved text."""
        raise NotImplementedError

    # --- looking ---

    def look_for_drafts(self) -> None:
        """Let a thread look for unsaved text that belongs here."""
        if not self._setting.read_only:
            self.run_worker(self._find_drafts, thread=True, group="drafts")

    def _find_drafts(self) -> None:
        start, slug = self._work.start, self._work.slug
        if slug is not None:
            found = tuple(d for d in self._drafts.of(slug) if d.draft != start)
        else:
            found = self._drafts.of_none(self.slugs)
        if found:
            self.post_message(DraftsFound(found))

    def on_drafts_found(self, message: DraftsFound) -> None:
        """Offer it."""
        self.offer(message.found)

    # --- writing ---

    def draft_changed(self) -> None:
        """Something was typed: it shall be on disk soon."""
        if self._draft_timer is None and not self._setting.read_only:
            self._draft_timer = self.set_timer(WRITE_AFTER, self._keep_draft)

    def _keep_draft(self) -> None:
        """Let a thread write the draft as it stands."""
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        if self._setting.read_only or not self.unsaved:
            return
        self._draft_serial += 1
        write = partial(self._write_draft, self._work.key, self.draft, self._work.base, self._draft_serial)
        self.run_worker(write, thread=True, group="drafts")

    def _write_draft(self, key: str, draft: Draft, base: Base | None, serial: int) -> None:
        try:
            self._drafts.put(key, draft, base, serial=serial)
        except (OSError, MemtuiError) as error:
            if not self._draft_failed:  # told once; the text itself is still on the screen
                self._draft_failed = True
                why = visible(str(error))
                self.post_message(Failed(MemtuiError(self._words.draft_lost.format(why=why))))

    def drop_draft(self, key: str | None = None) -> None:
        """Let a thread remove a draft: this one's if no other is named."""
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        self.app.run_worker(partial(self._remove_draft, key or self._work.key), thread=True, group="drafts")

    def _remove_draft(self, key: str) -> None:
        try:
            self._drafts.drop(key)
        except OSError:
            return  # it is offered once more, which loses nothing

    def on_unmount(self) -> None:
        """The app ends while something is unsaved: it goes to disk now."""
        if self._draft_timer is not None and not self._setting.read_only and self.unsaved:
            self._draft_serial += 1
            self._write_draft(self._work.key, self.last_draft, self._work.base, self._draft_serial)
