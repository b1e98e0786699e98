"""Preview: the exact texts that are injected, what decides them, and why each memory is in or out."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from memtui.memory.age import SECONDS_PER_DAY
from memtui.memory.reminder import DEFAULT_REMINDER_ENTRIES, remindable
from memtui.memory.text import visible
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.facts import missing_things
from memtui.tui.messages import SnapshotArrived
from memtui.tui.present import parts
from memtui.tui.present import preview as present_preview
from memtui.tui.present import selection as present_selection
from memtui.tui.present.lines import Line
from memtui.tui.present.preview import BUDGETS, MAX_DAYS, MODES, ROWS, Known, Mode, Preview, Wish
from memtui.tui.screens.moving import Movable, Moving
from memtui.tui.screens.preview_query import Asking
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.click_bar import ClickBar
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.query_line import QueryLine
from memtui.tui.widgets.rows_view import RowsView
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.preview import words
from memtui.tui.wording.selection import words as asked_words

if TYPE_CHECKING:
    from memtui.store import Snapshot

_FILES: dict[Mode, str] = {
    "reminder": "reminder.txt",
    "index": "index-load.md",
    "prompt": "system-prompt.txt",
    "compaction": "after-compaction.md",
}


class PreviewScreen(Moving, Asking):
    """One of four texts, what it costs, and the memories it is made of."""

    PLACE = "preview"
    DEFAULT_CSS = """
    PreviewScreen { background: $background; }
    PreviewScreen #tabs, PreviewScreen #controls { background: $panel; }
    PreviewScreen #note { background: $background; }
    PreviewScreen #query { display: none; padding: 0 1; }
    PreviewScreen.-query #query { display: block; }
    PreviewScreen #text-pane { width: 1fr; }
    PreviewScreen #why-pane { width: 40%; min-width: 44; max-width: 66; }
    PreviewScreen.-narrow #why-pane { display: none; width: 100%; max-width: 100%; }
    PreviewScreen.-narrow.-why #why-pane { display: block; }
    PreviewScreen.-narrow.-why #text-pane { display: none; }
    PreviewScreen.-short #note { display: none; }
    PreviewScreen RowsView { padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("preview")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "#preview-text"

    def __init__(self, setting: Setting, snapshot: Snapshot, mode: Mode = "reminder") -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
            mode: the text to begin with.
        """
        super().__init__(setting)
        self._setting = setting
        self._snapshot = snapshot
        self._wish = Wish(mode, setting.entries, lang=setting.lang)
        self._preview = present_preview.preview(self._wish, self._known())

    def compose(self) -> ComposeResult:
        """Top line and texts to choose from; the text beside its memories; what can be turned, and keys."""
        yield Bar(id="header")
        yield ClickBar(id="tabs")
        yield QueryLine(id="query")
        yield Bar(id="note")
        with Horizontal(id="body"):
            with Pane(id="text-pane", classes="pane"):
                yield PaneTitle(id="text-title")
                yield TextView(id="preview-text")
            with Pane(id="why-pane", classes="pane"):
                yield PaneTitle(id="why-title")
                yield RowsView(id="why")
        yield ClickBar(id="controls")
        with Horizontal(id="bottom"):
            yield KeyBar("preview", id="keys")

    def on_mount(self) -> None:
        """Fill everything in."""
        self._show()

    def on_resize(self) -> None:
        """The line of controls says more where there is room."""
        self.call_after_refresh(self.show_frame)

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        return Situation(
            read_only=self._setting.read_only,
            total=len(self._snapshot.entries),
            text=bool(self._preview.text),
            asked=bool(self._question.strip()),
            model=self._model is not None,
        )

    @property
    def preview(self) -> Preview:
        """What is shown."""
        return self._preview

    @property
    def moving_pane(self) -> Movable:
        """The list of memories where it has the focus, else the text."""
        why = self.query_one(RowsView)
        return why if why.has_focus else self.query_one(TextView)

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed: so do the texts."""
        if message.snapshot.generation > self._snapshot.generation:
            self._snapshot = message.snapshot
            self.remake()
            self.choose_again()

    # --- drawing ---

    def _known(self) -> Known:
        snapshot = self._snapshot
        choices = self._choices if self.reminds else None
        picked = choices.shown.entries if choices is not None else None
        wanted = picked or [*islice(filter(remindable, snapshot.entries), self._wish.entries)]
        return Known(
            snapshot.entries,
            snapshot.index_text,
            snapshot.convention.unit,
            missing_things(snapshot.findings, wanted),
            self._setting.clock() + self._wish.days * SECONDS_PER_DAY,
            self._setting.off,
            picked,
            self.allowed,
        )

    def remake(self) -> None:
        """Make the text anew."""
        self._preview = present_preview.preview(self._wish, self._known())
        self._show()

    def _turn(self, wish: Wish) -> None:
        if wish != self._wish:
            more = wish.entries != self._wish.entries
            self._wish = wish
            self.remake()
            if more:
                self.choose_again()

    def _show(self) -> None:
        shown, lang = self._preview, self._setting.lang
        blocks = present_preview.text_blocks(shown, lang)
        self.query_one(TextView).show(blocks, key=self._wish.mode)
        rows, choices, known = self.query_one(RowsView), self._choices, shown.known
        if choices is not None and self.reminds:
            taken = {entry.slug for entry in shown.chosen.entries}
            rows.show(
                len(choices.rows),
                ROWS,
                lambda row, cells: present_selection.row_lines(choices, row, taken, known.now, lang, cells),
            )
        else:
            rows.show(
                len(known.entries),
                ROWS,
                lambda row, cells: present_preview.verdict(shown, row, lang, cells),
            )
        self.show_frame()

    def show_frame(self) -> None:
        """Show what stands around the text."""
        shown, setting, lang = self._preview, self._setting, self._setting.lang
        say = words(lang)
        place = parts.short_path(setting.directory, setting.home)
        header = self.query_one("#header", Bar)
        header.left = parts.header_left(("memtui", setting.title, self._snapshot.convention.name, place))
        header.right = (
            (say.why_count.format(inside=shown.inside, total=shown.total), "count"),
            (" ", ""),
        )
        self.query_one("#tabs", Bar).left = present_preview.tabs(self._wish.mode, lang)
        self.query_one("#note", Bar).left = self._note()
        self.query_one("#text-title", PaneTitle).show(
            present_preview.mode_title(self._wish.mode, lang), present_preview.cost(shown, lang)
        )
        self.query_one("#why-title", PaneTitle).show(self._why_title())
        controls = self.query_one("#controls", Bar)
        line = present_preview.controls(self._wish, len(shown.text), lang, self.size.width)
        index = self._snapshot.index
        if self._wish.mode in {"index", "compaction"}:
            controls.left = parts.index_gauges(
                index.lines,
                index.max_lines,
                index.size,
                index.max_size,
                cells=60,
                exists=index.exists,
                lang=self._setting.lang,
            )
            controls.right = (*line, (" ", ""))
        else:
            controls.left, controls.right = line, ()
        self.query_one(KeyBar).situation = self.situation

    def _note(self) -> Line:
        """What the text is; of a question, who goes with it, or that a model is asked."""
        lang, model = self._setting.lang, self._model
        if not self.reminds or not self._question.strip():
            pending = self._snapshot.findings_pending
            return present_preview.mode_note(self._wish.mode, lang, pending=pending)
        if self.asking and model is not None:
            host = model.access.foreign_host or "api.anthropic.com"
            text = asked_words(lang).asking.format(model=visible(model.name), host=visible(host))
            return ((f" {text}", "warn"),)
        return ((f" {present_selection.note(self._choices, lang)}", "dim"),)

    def _why_title(self) -> str:
        lang = self._setting.lang
        if not self.reminds or not self._question.strip():
            return words(lang).why
        return present_selection.title(self._choices, self._model.name if self._model else "", lang)

    # --- actions: which text ---

    def do_preview_reminder(self) -> None:
        """The reminder."""
        self._turn(replace(self._wish, mode="reminder"))

    def do_preview_index(self) -> None:
        """What loads of the index."""
        self._turn(replace(self._wish, mode="index"))

    def do_preview_prompt(self) -> None:
        """The whole system prompt."""
        self._turn(replace(self._wish, mode="prompt"))

    def do_preview_compaction(self) -> None:
        """What is left after a compaction."""
        self._turn(replace(self._wish, mode="compaction"))

    def do_next_text(self) -> None:
        """The next text."""
        self._turn(replace(self._wish, mode=MODES[(MODES.index(self._wish.mode) + 1) % len(MODES)]))

    def do_previous_text(self) -> None:
        """The text before."""
        self._turn(replace(self._wish, mode=MODES[MODES.index(self._wish.mode) - 1]))

    def do_why(self) -> None:
        """To the list of memories, or back to the text."""
        why, text = self.query_one(RowsView), self.query_one(TextView)
        to_text = why.has_focus
        self.set_class(not to_text, "-why")
        self.call_after_refresh((text if to_text else why).focus)

    # --- actions: what is in it ---

    def _turn_reminder(self, wish: Wish) -> None:
        if self._wish.mode in {"index", "compaction"}:
            self.say(words(self._setting.lang).only_reminder)
        else:
            self._turn(wish)

    def do_more(self) -> None:
        """One entry more."""
        most = max(DEFAULT_REMINDER_ENTRIES, self._preview.total)
        self._turn_reminder(replace(self._wish, entries=min(most, self._wish.entries + 1)))

    def do_fewer(self) -> None:
        """One entry fewer."""
        self._turn_reminder(replace(self._wish, entries=max(0, self._wish.entries - 1)))

    def do_next_budget(self) -> None:
        """The next budget."""
        self._turn_reminder(
            replace(self._wish, budget=BUDGETS[(BUDGETS.index(self._wish.budget) + 1) % len(BUDGETS)])
        )

    def do_previous_budget(self) -> None:
        """The budget before."""
        self._turn_reminder(replace(self._wish, budget=BUDGETS[BUDGETS.index(self._wish.budget) - 1]))

    def _look_ahead(self, days: int) -> None:
        self._turn_reminder(replace(self._wish, days=max(0, min(MAX_DAYS, self._wish.days + days))))

    def do_later(self) -> None:
        """As of a day later."""
        self._look_ahead(1)

    def do_earlier(self) -> None:
        """As of a day earlier."""
        self._look_ahead(-1)

    def do_month_later(self) -> None:
        """As of thirty days later."""
        self._look_ahead(30)

    def do_month_earlier(self) -> None:
        """As of thirty days earlier."""
        self._look_ahead(-30)

    def do_today(self) -> None:
        """As of today."""
        self._turn_reminder(replace(self._wish, days=0))

    def do_prompt_language(self) -> None:
        """The other language of the text."""
        self._turn(replace(self._wish, lang="en" if self._wish.lang == "zh" else "zh"))

    # --- actions: taking it along ---

    def do_copy_text(self) -> None:
        """Put the text into the clipboard."""
        text = self._preview.text
        # What was not UTF-8 in the file can be copied no more than it can be typed.
        self.app.copy_to_clipboard(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        self.say(words(self._setting.lang).copied.format(chars=len(text)), severity="information")

    def do_save_text(self) -> None:
        """Ask for a path, and write a new file there."""
        from memtui.tui.screens.save_text import SaveTextScreen  # noqa: PLC0415 – loaded when asked for, not at start

        screen = SaveTextScreen(self._setting, self._preview.file_text, _FILES[self._wish.mode])
        self.app.push_screen(screen, self._saved)

    def _saved(self, path: str | None) -> None:
        if path is not None:
            self.say(path, title=words(self._setting.lang).saved, severity="information")

    def do_close(self) -> None:
        """Back to where one was; first call off what a model is asked."""
        if not self.call_off():
            self.dismiss(None)
