"""Keeps what is typed over a crash: written beside the memories about once a second, by a thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from textual.message import Message
from textual.timer import Timer

from memtui.memory.document.draft import Draft
from memtui.memory.errors import MemtuiError, sentence_of
from memtui.memory.live.drafts import SavedDraft
from memtui.memory.text import visible
from memtui.tui.editing import Editing
from memtui.tui.messages import DraftsChanged, Failed, Tell
from memtui.tui.present import edit as present_edit
from memtui.tui.screens.choice import DraftScreen
from memtui.tui.screens.edit_base import EditBase

WRITE_AFTER = 1.0
"""Seconds from a key to the draft on disk (ours): the most that a crash can cost."""


@dataclass
class DraftsFound(Message):
    """Unsaved text of the last time, newest first."""

    found: tuple[SavedDraft, ...]


class DraftKeeping(EditBase):
    """Mixed into the editor."""

    _draft_timer: Timer | None = None
    _draft_serial = 0
    _draft_failed = False

    # --- looking ---

    def look_for_drafts(self, known: tuple[SavedDraft, ...]) -> None:
        """Offer unsaved text that belongs here: what is known of at once, before a key is typed; else a thread looks."""
        start = self._work.start
        offered = tuple(each for each in known if each.draft != start or each.absorbs)
        if offered:
            self.offer(offered)
        elif not self._setting.read_only:
            self.run_worker(self._find_drafts, thread=True, group="drafts")

    def _find_drafts(self) -> None:
        start, slug = self._work.start, self._work.slug
        if slug is not None:
            found = tuple(d for d in self._drafts.of(slug) if d.draft != start or d.absorbs)
        else:
            found = self._drafts.of_none(self.slugs)
        if found:
            self.post_message(DraftsFound(found))

    def on_drafts_found(self, message: DraftsFound) -> None:
        """Offer it; where somebody types already, only say it."""
        if self.unsaved:
            age = present_edit.age_text(message.found[0].at, self._setting.clock(), self._words)
            self.say(self._words.draft_beside.format(age=age))
        else:
            self.offer(message.found)

    # --- offering ---

    def offer(self, found: tuple[SavedDraft, ...]) -> None:
        """Ask what to do with unsaved text of the last time."""
        said, newest = self._words, found[0]
        age = present_edit.age_text(newest.at, self._setting.clock(), said)
        name = present_edit.draft_name(newest, said)
        lines = [said.draft_line.format(name=name, age=age, chars=f"{len(newest.draft.content):,}")]
        if newest.base is not None and self._work.entry is None:
            lines.append(said.draft_renamed.format(slug=visible(newest.base.draft.slug)))
        if len(found) > 1:
            lines.append(said.draft_more.format(count=len(found) - 1))

        def answered(answer: str | None) -> None:
            if answer == "take_draft":
                self.take_up(newest)
            elif answer == "drop_draft":
                self.drop_draft(newest.key)

        self.app.push_screen(DraftScreen(said.draft_title, lines), answered)

    def take_up(self, found: SavedDraft) -> None:
        """Go on with unsaved text of the last time, and with what it was going to take in."""
        entry = self._work.entry
        there = set(self.slugs)
        absorbs = tuple(slug for slug in found.absorbs if slug in there) if entry is not None else ()
        self._work = replace(self._work, key=found.key, absorbs=absorbs)
        if entry is not None and found.base is not None:
            self._work = replace(self._work, base=found.base)
        self._live = self._checker()
        draft = found.draft if entry is not None else replace(found.draft, slug="")
        self.fill(draft)
        self.look_below()
        self.show_frame()
        age = present_edit.age_text(found.at, self._setting.clock(), self._words)
        self.app.clear_notifications()  # that there is unsaved text has been told, and acted on
        self.say(self._words.draft_taken.format(age=age), severity="information")

    # --- writing ---

    def draft_changed(self) -> None:
        """Something was typed: it shall be on disk soon."""
        if self._draft_timer is None and not self._setting.read_only:
            self._draft_timer = self.set_timer(WRITE_AFTER, self.keep_draft)

    def keep_draft(self) -> None:
        """Let a thread write the draft as it stands."""
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        if self._setting.read_only or not self.unsaved:
            return
        self._draft_serial += 1
        write = partial(self._write_draft, self._work, self.draft, self._draft_serial)
        self.run_worker(write, thread=True, group="drafts")

    def _write_draft(self, work: Editing, draft: Draft, serial: int) -> None:
        try:
            self._drafts.put(work.key, draft, work.base, serial=serial, absorbs=work.absorbs)
        except (OSError, MemtuiError) as error:
            if not self._draft_failed:  # told once; the text itself is still on the screen
                self._draft_failed = True
                why = visible(sentence_of(error).said(self._setting.lang))
                self.post_message(Failed(MemtuiError(self._words.draft_lost.format(why=why))))

    def drop_draft(self, key: str | None = None) -> None:
        """Let a thread remove a draft: this one's if no other is named."""
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        # The app's, since the screen may be closed by the time it is done.
        remove = partial(self._remove_draft, key or self._work.key, self.app.post_message)
        self.app.run_worker(remove, thread=True, group="drafts")

    def _remove_draft(self, key: str, tell: Tell) -> None:
        try:
            self._drafts.drop(key)
        except OSError:
            return  # it is offered once more, which loses nothing
        tell(DraftsChanged())

    def on_unmount(self) -> None:
        """The app ends while something is unsaved: it goes to disk now."""
        if self._draft_timer is not None and not self._setting.read_only and self.unsaved:
            self._draft_serial += 1
            self._write_draft(self._work, self.last_draft, self._draft_serial)
