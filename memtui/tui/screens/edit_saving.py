"""How an edit ends: saved, in conflict, merged into another memory, or left; and what changes below it meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual.content import Content
from textual.widgets import Static

from memtui.memory.document.draft import draft_of
from memtui.memory.errors import Conflict, MemtuiError
from memtui.memory.live.checker import TEAM_SECRET
from memtui.memory.managing.committing import NO_FILE
from memtui.memory.managing.merging import merge_texts
from memtui.memory.secrets.team_guard import SecretBlocked, leak_said
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.tui.editing import Standing, editing, putting_back, saving, theirs_of
from memtui.tui.messages import ChangeDone, ChangeWanted, Failed, SnapshotArrived
from memtui.tui.present import edit as present_edit
from memtui.tui.present.conflict import Conflicting, Decision, Side
from memtui.tui.screens.choice import GoneScreen, LeaveScreen
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.edit_base import EditBase
from memtui.tui.screens.letting_through import ask_to_share
from memtui.tui.widgets.editor import Editor
from memtui.tui.widgets.finding_list import FindingList


class EditSaving(EditBase):
    """Mixed into the editor."""

    _theirs: MemoryEntry | None = None
    _answered: MemtuiError | None = None
    _joined = False

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; perhaps the memory that is edited."""
        self._snapshot = message.snapshot
        self.look_below()
        self.check()

    def look_below(self) -> None:
        """Notice that somebody changed the file; take the new text where nothing was typed."""
        work, slug = self._work, self._work.slug
        if slug is None or self._saving:
            return
        entry = self._entry_of(slug)
        if entry is not None and work.gone and work.base is not None and entry.digest == work.base.digest:
            work = self._work = replace(work, gone=False)  # put back, by whomever
        outdated = (entry.digest if entry is not None else NO_FILE) != work.based_on
        if entry is not None and outdated and not self.unsaved:
            self._rebase(entry)
            self.fill(draft_of(entry))
            self.say(self._words.taken_over, severity="information")
            return
        self._theirs = entry
        self._outdated = outdated
        self.set_class(self._outdated, "-outdated")
        text = self._words.changed_below if entry is not None else self._words.gone_below
        self.query_one("#banner", Static).update(Content(text))
        self.show_frame()

    def _rebase(self, entry: MemoryEntry) -> None:
        self._work = self._work.on_what_stands(entry)
        self._live = self._checker()
        self._outdated = False
        self.remove_class("-outdated")
        self.show_slug()

    def on_change_done(self, message: ChangeDone) -> None:
        """Saved: the draft is not needed any more."""
        if not self._saving:
            return
        self._saving = False
        self.drop_draft()
        if self._joined:
            self.say(self._words.joined, severity="information")
        self.dismiss(message.result.slugs[0] if message.result.slugs else None)

    def answers(self, error: MemtuiError) -> bool:
        """Whether a person is asked what to do about it here."""
        conflict = isinstance(error, Conflict) and self._work.entry is not None
        return error is self._answered or (self._saving and (conflict or isinstance(error, SecretBlocked)))

    def on_failed(self, message: Failed) -> None:
        """Not saved: the text is still here, and what stands in the way is shown."""
        if not self._saving:
            return
        self._saving = self._joined = False
        self.show_keys()
        error = self._answered = message.error
        if isinstance(error, Conflict) and self._work.entry is not None:
            self._resolve(theirs_of(error, self._work.entry))
        elif isinstance(error, SecretBlocked):
            self._ask_to_share(leak_said(error.leaks[0]).said(self._setting.lang))

    # --- actions ---

    def do_save(self) -> None:
        """Save."""
        report = self._report
        if report is not None and report.draft == self.draft:
            wrong = next((f for f in report.blocking if f.rule != TEAM_SECRET), None)
            if wrong is not None:
                self.say(present_edit.finding_text(wrong, self._words, self._setting.lang))
                self.go_to_span(wrong.where, wrong.span)
                return
            leak = next(iter(report.blocking), None)
            if leak is not None:
                self.go_to_span(leak.where, leak.span)
                self._ask_to_share(present_edit.finding_text(leak, self._words, self._setting.lang))
                return
        self.save()

    def save(self, *, share: bool = False) -> None:
        """Have the fields saved as they stand; the draft is on disk meanwhile.

        Args:
            share: whether the team shall get the secrets in it.
        """
        self.keep_draft()
        self._saving = True
        self.show_keys()
        verb = self._begun.verb or (self._words.merged if self._work.absorbs else self._words.saved)
        do = saving(
            self._work,
            self.draft,
            share=share,
            standing=self._standing,
            attempt=self._begun.saving,
            joined=self._took_in,
        )
        self.post_message(ChangeWanted(verb, do))

    def _took_in(self) -> None:
        """What somebody else wrote meanwhile went into the text; told from the thread that saves."""
        self._joined = True

    def _ask_to_share(self, found: str) -> None:
        """A secret stands in the way: only who types the file's name gives it to the team."""
        slug = self.draft.slug

        def typed() -> None:
            if self.draft.slug == slug:
                self.save(share=True)

        ask_to_share(self.app, found, slug, self._setting.lang, typed)

    def do_compare(self) -> None:
        """Mine, theirs and merged."""
        self._resolve(self._theirs)

    def _resolve(self, theirs: MemoryEntry | None) -> None:
        if theirs is None:
            self._ask_what_becomes()
            return
        again = self._standing != "asked"
        texts = Conflicting(self._work.start, self.draft, draft_of(theirs), again=again)

        def decided(decision: Decision | None) -> None:
            if decision is None:
                return
            self._rebase(theirs)
            standings: Mapping[Side, Standing] = {"mine": "mine", "theirs": "asked", "together": "both"}
            self._standing = standings[decision.side]
            if decision.side == "mine":
                self.save()
                return
            self.fill(decision.draft)
            self.draft_changed()
            done = self._words.theirs_done if decision.side == "theirs" else self._words.together_done
            self.say(done, severity="information")

        self.app.push_screen(ConflictScreen(texts, self._words), decided)

    def _ask_what_becomes(self) -> None:
        """The file is gone: written again with what was typed, put back as it was, or left."""
        entry, said = self._work.entry, self._words
        if entry is None:
            return

        def answered(answer: str | None) -> None:
            if answer == "write_again":
                self._work = self._work.on_what_stands(None)
                self.look_below()
                self.save()
            elif answer == "put_back":
                self.post_message(ChangeWanted(said.back, putting_back(entry)))
            else:
                self._left("discard" if answer == "discard_gone" else None)

        lines = [said.gone_line.format(file=visible(entry.rel))]
        self.app.push_screen(GoneScreen(said.gone_title, lines), answered)

    def do_merge_into(self) -> None:
        """Go on in the double, with both texts."""
        match = self._report.duplicates[0] if self._report and self._report.duplicates else None
        entry = self._entry_of(match.slug) if match is not None else None
        if entry is None:
            return
        mine, work = self.draft, self._work
        there = work.slug is not None and self._entry_of(work.slug) is not None
        absorbed = (work.slug,) if work.slug is not None and there else ()
        self._work = replace(editing(entry), key=work.key, absorbs=(*work.absorbs, *absorbed))
        self._standing = "asked"
        self._live = self._checker()
        self._named_by_hand = False
        self._outdated = False
        self.remove_class("-outdated", "-beside")
        both = merge_texts(None, entry.content, mine.content)
        self.fill(replace(draft_of(entry), content=both.text))
        self.show_slug()
        self.draft_changed()
        self.query_one(Editor).focus()
        self.say(self._words.merge_ready, severity="information")

    def do_edit_help(self) -> None:
        """Every key."""
        self.do_help()

    def do_leave(self) -> None:
        """Back to the text, then out; asks where something is not saved."""
        if self.query_one(FindingList).has_focus or self.query_one("#twin").has_focus:
            self.query_one(Editor).focus()
        elif self.has_class("-beside"):
            self.remove_class("-beside")
        elif self._saving:
            return
        elif self.unsaved:
            self.app.push_screen(LeaveScreen(self._words.leave_title, [self._words.leave_line]), self._left)
        else:
            self.drop_draft()
            self.dismiss(None)

    def _left(self, answer: str | None) -> None:
        if answer == "save_and_leave":
            self.perform("save")
        elif answer == "discard":
            self.drop_draft()
            self.dismiss(None)
