"""Edit or write a memory: fields, text, and beside them what there is to say about it, at every key."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static, TextArea
from textual.worker import get_current_worker

from memtui.memory.drafts import Drafts, SavedDraft
from memtui.memory.errors import Conflict
from memtui.memory.livecheck import Draft, LiveChecker, LiveReport, Surroundings, draft_of
from memtui.memory.merging import merge_texts
from memtui.memory.reminder import DEFAULT_REMINDER_ENTRIES
from memtui.memory.types import MemoryEntry, Severity
from memtui.tui import present_edit as show
from memtui.tui.actions import Situation, bindings_for
from memtui.tui.editing import Editing, editing, is_typed, saving, theirs_of
from memtui.tui.messages import ChangeDone, ChangeWanted, Failed, SnapshotArrived
from memtui.tui.present import header_left, label
from memtui.tui.present_conflict import Conflicting, Decision
from memtui.tui.screens.base import ActionScreen
from memtui.tui.screens.choice import DraftScreen, LeaveScreen
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.draft_keeping import DraftKeeping
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.editor import Editor, Mark
from memtui.tui.widgets.fields import TextField, TypeField
from memtui.tui.widgets.finding_list import FindingList
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.edit import words

if TYPE_CHECKING:
    from memtui.memory.manager import MemoryManager
    from memtui.store import Snapshot


@dataclass
class Reported(Message):
    """What there is to say about one state of the draft, from the checking thread."""

    report: LiveReport
    serial: int
    marks: dict[int, list[Mark]]

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, Reported)


class EditScreen(DraftKeeping, ActionScreen[str]):
    """Edits one memory, or writes a new one; gives the slug that was saved, or None."""

    PLACE = "edit"
    DEFAULT_CSS = """
    EditScreen { background: $background; }
    EditScreen #edit-body { height: 1fr; }
    EditScreen #edit-left { width: 3fr; height: 1fr; }
    EditScreen #edit-right { width: 2fr; max-width: 64; }
    EditScreen #edit-twin { width: 2fr; display: none; }
    EditScreen.-beside #edit-twin { display: block; }
    EditScreen.-two.-beside #edit-right { display: none; }
    EditScreen .field { height: 1; }
    EditScreen .field-label { width: 13; padding: 0 1; color: $foreground 55%; }
    EditScreen .field Input { width: 1fr; height: 1; border: none; padding: 0; background: $background; }
    EditScreen .field Input:focus { background: $boost; border: none; }
    EditScreen #banner { height: 1; display: none; background: $warning 30%; padding: 0 1; }
    EditScreen.-outdated #banner { display: block; }
    EditScreen.-narrow #edit-body { layout: vertical; }
    EditScreen.-narrow #edit-left { width: 100%; height: 1fr; }
    EditScreen.-narrow #edit-right { width: 100%; max-width: 100%; height: 8; }
    EditScreen.-narrow #edit-twin { width: 100%; height: 1fr; }
    EditScreen.-narrow.-beside #edit-right { display: none; }
    EditScreen.-short #edit-right { display: none; }
    EditScreen Editor, EditScreen LineView {
        scrollbar-background: $background; scrollbar-background-hover: $background; scrollbar-background-active: $background;
        scrollbar-color: $foreground 20%; scrollbar-color-hover: $foreground 35%; scrollbar-color-active: $primary;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("edit")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two"), (120, "-three")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = ""

    def __init__(
        self,
        setting: Setting,
        manager: MemoryManager,
        snapshot: Snapshot,
        entry: MemoryEntry | None = None,
        *,
        typed: Draft | None = None,
        absorbs: tuple[str, ...] = (),
    ) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            manager: makes the changes; asked here for duplicates only.
            snapshot: the directory as it is now.
            entry: the memory to edit; None writes a new one.
            typed: what was made of it elsewhere, to be saved at once; with ``absorbs``, to go on with.
            absorbs: slugs of the memories that a save merges into it.
        """
        super().__init__()
        self._setting = setting
        self._words = words(setting.lang)
        self._manager = manager
        self._snapshot = snapshot
        self._work = replace(editing(entry) if entry is not None else Editing(), absorbs=absorbs)
        self._drafts = Drafts(manager.folder, setting.clock)
        self._handed = typed
        self._last = typed or self._work.start
        self._report: LiveReport | None = None
        self._serial = 0
        self._named_by_hand = False
        self._saving = False
        self._theirs: MemoryEntry | None = None
        self._outdated = False
        self._twin: str | None = None
        self._draft_timer: Timer | None = None
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
        )

    # --- layout ---

    def compose(self) -> ComposeResult:
        """Fields and text; findings beside; the double where it is wanted; keys."""
        said = self._words
        yield Bar(id="header")
        yield Static(id="banner", markup=False)
        with Horizontal(id="edit-body"):
            with Vertical(id="edit-left"):
                with Horizontal(classes="field"):
                    yield Static(Content(said.name), classes="field-label")
                    yield TextField(placeholder=said.name_hint, id="name")
                with Horizontal(classes="field"):
                    yield Static(Content(said.description), classes="field-label")
                    yield TextField(placeholder=said.description_hint, id="description")
                with Horizontal(classes="field"):
                    yield Static(Content(said.type), classes="field-label")
                    yield TypeField(id="type")
                with Horizontal(classes="field"):
                    yield Static(Content(said.slug), classes="field-label")
                    yield TextField(id="slug")
                with Pane(id="text-pane", classes="pane"):
                    yield PaneTitle(id="text-title")
                    yield Editor(id="content")
            with Pane(id="edit-right", classes="pane"):
                yield PaneTitle(id="checks-title")
                yield FindingList(id="findings")
            with Pane(id="edit-twin", classes="pane"):
                yield PaneTitle(id="twin-title")
                yield TextView(id="twin")
        with Horizontal(id="bottom"):
            yield KeyBar("edit", id="keys")

    def on_mount(self) -> None:
        """Fill in the fields, and look for unsaved text of the last time."""
        self._fill(self._handed or self._work.start)
        self.query_one("#checks-title", PaneTitle).show(self._words.checks, self._words.checking)
        self._show_slug()
        self.query_one("#name" if self._work.entry is None else "#content").focus()
        if self._handed is not None:
            self._keep_draft()
            if not self._work.absorbs:
                self.call_after_refresh(self._save)
        else:
            self.look_for_drafts()

    # --- the fields ---

    @property
    def draft(self) -> Draft:
        """The fields as they stand."""
        slug = self._work.slug
        if slug is None:
            slug = self.query_one("#slug", TextField).value
        return Draft(
            slug,
            self.query_one("#name", TextField).value,
            self.query_one("#description", TextField).value,
            self.query_one("#type", TypeField).value,
            self.query_one(Editor).text,
        )

    @property
    def last_draft(self) -> Draft:
        """The fields as they stood at the last key, also when they are gone from the screen."""
        return self._last

    @property
    def unsaved(self) -> bool:
        """Whether something was typed that is in no memory yet."""
        work = self._work
        return bool(work.absorbs) or is_typed(self._last, work.start, new=work.base is None)

    def _fill(self, draft: Draft) -> None:
        """Put a draft into the fields; in the text as one step that can be taken back."""
        editor = self.query_one(Editor)
        if self._serial:
            editor.replace_all(draft.content)
        else:
            editor.load_text(draft.content)
        self.query_one("#name", TextField).put(draft.name)
        self.query_one("#description", TextField).put(draft.description)
        self.query_one("#type", TypeField).put(draft.type_text)
        self.query_one("#slug", TextField).put(draft.slug)
        self._last = self.draft
        self._check()

    def _show_slug(self) -> None:
        field = self.query_one("#slug", TextField)
        slug = self._work.slug
        field.disabled = slug is not None
        if slug is not None:
            field.put(slug)

    @on(Input.Changed)
    def _field_typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.id == "slug":
            self._named_by_hand = bool(event.value)
        self._typed()

    @on(Input.Submitted)
    def _field_done(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    @on(TypeField.Changed)
    def _type_chosen(self, event: TypeField.Changed) -> None:
        event.stop()
        self._typed()

    @on(TextArea.Changed)
    def _text_typed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._typed()

    def _typed(self) -> None:
        draft = self.draft
        if draft == self._last:  # as after the text was put in that the edit begins with
            return
        self._last = draft
        self._check()
        self.draft_changed()
        self._show_frame()

    # --- checks ---

    def _check(self) -> None:
        """Let a thread say what there is to say about the fields as they stand."""
        self._serial += 1
        snapshot = self._snapshot
        around = Surroundings(snapshot.entries, snapshot.index_text, snapshot.convention)
        name_it = self._work.entry is None and not self._named_by_hand
        self.run_worker(
            partial(self._checked, self._live, self.draft, around, self._serial, name_it=name_it),
            thread=True,
            exclusive=True,
            group="live",
        )

    def _checked(
        self, live: LiveChecker, draft: Draft, around: Surroundings, serial: int, *, name_it: bool
    ) -> None:
        worker = get_current_worker()
        for claims in (True,) if live.claims_ready else (False, True):
            if worker.is_cancelled:
                return
            report = live.check(draft, around, claims=claims, name_it=name_it)
            self.post_message(Reported(report, serial, show.marks_of(report)))

    def on_reported(self, message: Reported) -> None:
        """Show what there is to say."""
        if message.serial != self._serial:
            return
        report = self._report = message.report
        if self._work.entry is None and not self._named_by_hand:
            self.query_one("#slug", TextField).put(report.draft.slug)
            self._last = self.draft
        self.query_one(Editor).mark(message.marks)
        self.query_one(FindingList).show(show.finding_rows(report, self._words, self._setting.lang))
        self.query_one("#checks-title", PaneTitle).show(
            self._words.checks, show.counts_text(report, self._words)
        )
        self._show_twin()
        self._show_frame()

    @property
    def report(self) -> LiveReport | None:
        """The newest report."""
        return self._report

    # --- drawing ---

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        return Situation(
            selected=True,
            active=True,
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            busy=self._saving,
            total=len(self._snapshot.entries),
            away=True,
            unsaved=self.unsaved,
            twin=bool(self._report and self._report.duplicates),
            outdated=self._outdated,
        )

    def _show_frame(self) -> None:
        said, work = self._words, self._work
        if work.entry is None:
            title = said.title_new
        else:
            name = label(work.entry.name)
            others = ", ".join(map(label, work.absorbs))
            title = (said.title_absorb if others else said.title_edit).format(name=name, other=others)
        header = self.query_one("#header", Bar)
        header.left = header_left(("memtui", title, self._setting.title))
        header.right = ((f"{said.unsaved} ", "warn"),) if self.unsaved else ()
        lines = self.query_one(Editor).document.line_count
        self.query_one("#text-title", PaneTitle).show(said.text, f"{lines:,}")
        self._show_keys()

    def _show_keys(self) -> None:
        keys = self.query_one(KeyBar)
        keys.situation = self.situation
        keys.place = "edit_checks" if self.query_one(FindingList).has_focus else "edit"

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self._show_keys()

    def _show_twin(self) -> None:
        if not self.has_class("-beside"):
            return
        report = self._report
        match = report.duplicates[0] if report and report.duplicates else None
        if match is None:
            self.remove_class("-beside")
            return
        self._twin = match.slug
        entry = self._entry_of(match.slug)
        if entry is None:
            return
        from memtui.tui.blocks import source_blocks  # noqa: PLC0415 – needed beside a double only
        from memtui.tui.present import source_lines  # noqa: PLC0415

        title = self._words.twin.format(name=label(entry.name), percent=round(100 * match.bigrams))
        self.query_one("#twin-title", PaneTitle).show(title, "")
        view = self.query_one("#twin", TextView)
        view.show(source_blocks(source_lines(entry.content.strip("\r\n"))), key=entry.slug)

    def _entry_of(self, slug: str) -> MemoryEntry | None:
        return next((e for e in self._snapshot.entries if e.slug == slug and e.is_active), None)

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; perhaps the memory that is edited."""
        self._snapshot = message.snapshot
        self._look_below()
        self._check()

    def _look_below(self) -> None:
        """Notice that somebody changed the file; take the new text where nothing was typed."""
        base, slug = self._work.base, self._work.slug
        if base is None or slug is None or self._saving:
            return
        entry = self._entry_of(slug)
        digest = entry.digest if entry is not None else None
        if entry is not None and digest != base.digest and not self.unsaved:
            self._rebase(entry)
            self._fill(draft_of(entry))
            self.say(self._words.taken_over, severity="information")
            return
        self._theirs = entry
        self._outdated = digest != base.digest
        self.set_class(self._outdated, "-outdated")
        text = self._words.changed_below if entry is not None else self._words.gone_below
        self.query_one("#banner", Static).update(Content(text))
        self._show_frame()

    def _rebase(self, entry: MemoryEntry | None) -> None:
        self._work = self._work.on_what_stands(entry)
        self._live = self._checker()
        self._outdated = False
        self._named_by_hand = entry is None  # what is written anew keeps its name
        self.remove_class("-outdated")
        self._show_slug()

    def on_change_done(self, message: ChangeDone) -> None:
        """Saved: the draft is not needed any more."""
        if not self._saving:
            return
        self._saving = False
        self.drop_draft()
        self.dismiss(message.result.slugs[0] if message.result.slugs else None)

    def on_failed(self, message: Failed) -> None:
        """Not saved: the text is still here, and what stands in the way is shown."""
        if not self._saving:
            return
        self._saving = False
        self._show_keys()
        error = message.error
        if isinstance(error, Conflict) and self._work.entry is not None:
            self._resolve(theirs_of(error, self._work.entry))

    # --- actions ---

    def do_save(self) -> None:
        """Save."""
        report = self._report
        if report is not None and report.draft == self.draft:
            wrong = next((f for f in report.findings if f.severity is Severity.ERROR), None)
            if wrong is not None:
                self.say(show.finding_text(wrong, self._words, self._setting.lang))
                self._go_to(wrong.where, wrong.span)
                return
        self._save()

    def _save(self) -> None:
        self._keep_draft()
        self._saving = True
        self._show_keys()
        verb = self._words.merged if self._work.absorbs else self._words.saved
        self.post_message(ChangeWanted(verb, saving(self._work, self.draft)))

    def do_compare(self) -> None:
        """Mine, theirs and merged."""
        self._resolve(self._theirs)

    def _resolve(self, theirs: MemoryEntry | None) -> None:
        texts = Conflicting(self._work.start, self.draft, draft_of(theirs) if theirs is not None else None)

        def decided(decision: Decision | None) -> None:
            if decision is None:
                return
            self._rebase(theirs)
            if decision.side == "mine":
                self._save()
                return
            self._fill(decision.draft)
            self.draft_changed()
            done = self._words.theirs_done if decision.side == "theirs" else self._words.together_done
            self.say(done, severity="information")

        self.app.push_screen(ConflictScreen(texts, self._setting.lang), decided)

    def do_next_problem(self) -> None:
        """To the next marked word."""
        self._step(1)

    def do_previous_problem(self) -> None:
        """To the marked word before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        report, editor = self._report, self.query_one(Editor)
        spans = sorted({f.span for f in report.findings if f.where == "content" and f.span}) if report else []
        if not spans:
            self.say(self._words.no_problem, severity="information")
            return
        document = editor.lines_of_text
        chosen = tuple(sorted(map(document.index_of, editor.selection)))
        place = bisect_left(spans, (chosen[0], 0))
        if step < 0:
            place -= 1
        elif place < len(spans) and spans[place] == chosen:
            place += 1
        span = spans[place % len(spans)]
        self._go_to("content", span)

    def _go_to(self, where: str, span: tuple[int, int] | None) -> None:
        widget = self.query_one(f"#{where}")
        widget.focus()
        if span is None:
            return
        if isinstance(widget, Editor):
            widget.select_span(*span)
        elif isinstance(widget, TextField):
            widget.cursor_position = span[1]

    def on_finding_list_chosen(self, message: FindingList.Chosen) -> None:
        """Go where a finding stands."""
        if message.row.where is not None:
            self._go_to(message.row.where, message.row.span)

    def do_finding_down(self) -> None:
        """The next row of the list."""
        self.query_one(FindingList).move(1)

    def do_finding_up(self) -> None:
        """The row before."""
        self.query_one(FindingList).move(-1)

    def do_go_to_finding(self) -> None:
        """Into the text."""
        self.query_one(FindingList).choose()

    def do_to_checks(self) -> None:
        """To the list, or back to the text."""
        findings = self.query_one(FindingList)
        if findings.has_focus:
            self.query_one(Editor).focus()
        else:
            self.remove_class("-beside")
            findings.focus()

    def do_beside(self) -> None:
        """Show or hide the double."""
        self.toggle_class("-beside")
        self._show_twin()

    def do_merge_into(self) -> None:
        """Go on in the double, with both texts."""
        match = self._report.duplicates[0] if self._report and self._report.duplicates else None
        entry = self._entry_of(match.slug) if match is not None else None
        if entry is None:
            return
        mine, work = self.draft, self._work
        absorbed = (work.slug,) if work.slug is not None else ()
        self._work = replace(editing(entry), key=work.key, absorbs=(*work.absorbs, *absorbed))
        self._live = self._checker()
        self._named_by_hand = False
        self._outdated = False
        self.remove_class("-outdated", "-beside")
        both = merge_texts(None, entry.content, mine.content)
        self._fill(replace(draft_of(entry), content=both.text))
        self._show_slug()
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

    # --- drafts ---

    @property
    def slugs(self) -> list[str]:
        """The memories in force."""
        return [entry.slug for entry in self._snapshot.entries if entry.is_active]

    def offer(self, found: tuple[SavedDraft, ...]) -> None:
        """Ask what to do with unsaved text of the last time."""
        said, newest = self._words, found[0]
        age = show.age_text(newest.at, self._setting.clock(), said)
        name = label(newest.draft.name) or label(newest.draft.slug) or said.title_new
        lines = [said.draft_line.format(name=name, age=age, chars=f"{len(newest.draft.content):,}")]
        if newest.base is not None and self._work.entry is None:
            lines.append(said.draft_renamed.format(slug=label(newest.base.draft.slug)))
        if len(found) > 1:
            lines.append(said.draft_more.format(count=len(found) - 1))

        def answered(answer: str | None) -> None:
            if answer == "take_draft":
                self._take_up(newest, age)
            elif answer == "drop_draft":
                self.drop_draft(newest.key)

        self.app.push_screen(DraftScreen(said.draft_title, lines), answered)

    def _take_up(self, found: SavedDraft, age: str) -> None:
        entry = self._work.entry
        self._work = replace(self._work, key=found.key)
        if entry is not None and found.base is not None:
            self._work = replace(self._work, base=found.base)
        draft = found.draft if entry is not None else replace(found.draft, slug="")
        self._fill(draft)
        self._look_below()
        self._show_frame()
        self.say(self._words.draft_taken.format(age=age), severity="information")
