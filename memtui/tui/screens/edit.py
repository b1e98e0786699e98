"""Edit or write a memory: fields, text, and beside them what there is to say about it, at every key."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from memtui.memory.document.draft import Draft
from memtui.memory.document.scopes import bare, in_scope, scope_of
from memtui.memory.text import visible
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.present.parts import header_left, label
from memtui.tui.screens.draft_keeping import DraftKeeping
from memtui.tui.screens.edit_checking import EditChecking
from memtui.tui.screens.edit_saving import EditSaving
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.editor import Editor
from memtui.tui.widgets.fields import ChoiceField, TextField, TypeField
from memtui.tui.widgets.finding_list import FindingList
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.present import words as present_words


class EditScreen(DraftKeeping, EditChecking, EditSaving):
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
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("edit")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two"), (120, "-three")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = ""
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
                    yield TypeField(
                        present_words("zh").kinds if self._setting.lang == "zh" else (), id="type"
                    )
                if self.has_scope:
                    with Horizontal(classes="field"):
                        yield Static(Content(said.scope), classes="field-label")
                        yield ChoiceField({"private": said.private, "team": said.team}, id="scope")
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
        begun = self._begun
        self.fill(begun.typed or self._work.start)
        self.query_one("#checks-title", PaneTitle).show(self._words.checks, self._words.checking)
        self.show_slug()
        self.query_one("#name" if self._work.entry is None else "#content").focus()
        if begun.at is not None:
            self.call_after_refresh(self.go_to_span, "content", begun.at)
        if begun.typed is not None:
            self.keep_draft()
            if not self._work.absorbs and not begun.ask:
                self.call_after_refresh(self.save)
        elif begun.resumed is not None:
            self.take_up(begun.resumed)
        else:
            self.look_for_drafts(begun.offered)

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

    def fill(self, draft: Draft) -> None:
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
        self.show_scope()
        self._last = self.draft
        self.check()

    def show_slug(self) -> None:
        """The file name: to be typed for a new memory, fixed for one that is there."""
        field = self.query_one("#slug", TextField)
        slug = self._work.slug
        field.disabled = slug is not None
        if slug is not None:
            field.put(slug)
        for scope in self.query("#scope"):
            scope.disabled = (
                slug is not None
            )  # a memory that is there moves with all it has, see `change_scope`
        self.show_scope()

    def show_scope(self) -> None:
        """Whose the memory is, by its file name."""
        for scope in self.query("#scope").results(ChoiceField):
            scope.put(scope_of(self.draft.slug))

    @property
    def has_scope(self) -> bool:
        """Whether it is shown whose the memory is: where a team shares some, or this one is a team's."""
        entry = self._work.entry
        return self._setting.team or (entry is not None and entry.scope == "team")

    @on(Input.Changed)
    def _field_typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.id == "slug":
            self._named_by_hand = bool(bare(event.value))
            self.show_scope()
        self._typed()

    @on(Input.Submitted)
    def _field_done(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    @on(ChoiceField.Changed, "#type")
    def _type_chosen(self, event: ChoiceField.Changed) -> None:
        event.stop()
        self._typed()

    @on(ChoiceField.Changed, "#scope")
    def _scope_chosen(self, event: ChoiceField.Changed) -> None:
        event.stop()
        field = self.query_one("#slug", TextField)
        field.put(in_scope(field.value, "team" if event.value == "team" else "private"))
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
        self.check()
        self.draft_changed()
        self.show_frame()

    # --- drawing ---

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        return Situation(
            selected=True,
            active=True,
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            creatable=not self._snapshot.occupied,
            busy=self._saving,
            total=len(self._snapshot.entries),
            away=True,
            unsaved=self.unsaved,
            twin=bool(self._report and self._report.duplicates) and self._may_absorb,
            outdated=self._outdated,
        )

    @property
    def _may_absorb(self) -> bool:
        """Whether a save may merge memories: one that accepts a proposal for a memory is about that one alone."""
        return self._begun.saving is None or self._work.entry is None

    def show_frame(self) -> None:
        """Bring top line, title and keys up to date."""
        said, work = self._words, self._work
        if work.entry is None:
            title = said.title_new
        else:
            name = label(work.entry.name)
            others = ", ".join(map(visible, work.absorbs))
            title = (said.title_absorb if others else said.title_edit).format(name=name, other=others)
        header = self.query_one("#header", Bar)
        header.left = header_left(("memtui", title, self._setting.title))
        header.right = ((f"{said.unsaved} ", "warn"),) if self.unsaved else ()
        lines = self.query_one(Editor).document.line_count
        self.query_one("#text-title", PaneTitle).show(said.text, f"{lines:,}")
        self.show_keys()

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        keys = self.query_one(KeyBar)
        keys.situation = self.situation
        keys.place = "edit_checks" if self.query_one(FindingList).has_focus else "edit"

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self.show_keys()
