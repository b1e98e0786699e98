"""History: the versions of one memory, what differs between any two, and the way back to one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from memtui.memory.managing.authors import Author
from memtui.memory.versions.history import Version, versions_of
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.messages import ChangeDone, SnapshotArrived
from memtui.tui.present import history as present_history
from memtui.tui.present import parts
from memtui.tui.present.blocks import Block, source_blocks
from memtui.tui.present.history import Compared
from memtui.tui.present.lines import Line
from memtui.tui.screens.history_reading import (
    AuthorsKnown,
    RowsLaid,
    VersionsCompared,
    tell_authors,
    tell_difference,
    tell_rows,
)
from memtui.tui.screens.moving import Movable
from memtui.tui.screens.past_screen import PastScreen
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.detail import MAX_RENDERED_CHARS
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.row_list import RowList
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording import diff as diff_wording
from memtui.tui.wording.history import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.store import Snapshot


class HistoryScreen(PastScreen):
    """The versions of one memory beside what differs between two of them."""

    PLACE = "history"
    DEFAULT_CSS = """
    HistoryScreen #versions-pane { width: 36%; min-width: 42; max-width: 60; }
    HistoryScreen #diff-pane { width: 1fr; }
    HistoryScreen #version-text { display: none; }
    HistoryScreen.-reading #version-text { display: block; }
    HistoryScreen.-reading #diff { display: none; }
    HistoryScreen.-narrow #body { layout: vertical; }
    HistoryScreen.-narrow #versions-pane { width: 100%; max-width: 100%; height: 9; }
    HistoryScreen.-narrow #diff-pane { width: 100%; height: 1fr; }
    HistoryScreen.-narrow.-reading #versions-pane { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("history")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "#versions"

    def __init__(self, setting: Setting, snapshot: Snapshot, slug: str, at: str | None = None) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
            slug: the memory.
            at: path of the version to begin at; None for the newest.
        """
        super().__init__(setting, snapshot)
        self._slug = slug
        self._at = at
        self._words = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        self._versions: tuple[Version, ...] = ()
        self._mark: str | None = None
        self._beside = False
        self._whole = False
        self._wanted: tuple[str, str] | None = None
        self._found: Compared | None = None
        self._authors: Mapping[str, Author] = {}

    def compose(self) -> ComposeResult:
        """Top line; versions beside their difference; keys."""
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Pane(id="versions-pane", classes="pane"):
                yield PaneTitle(id="versions-title")
                yield RowList[Version](self._draw, lambda version: version.entry.rel, id="versions")
            with Pane(id="diff-pane", classes="pane"):
                yield PaneTitle(id="diff-title")
                yield DiffView(self._setting.lang, signs=self.signs, id="diff")
                yield TextView(id="version-text")
        with Horizontal(id="bottom"):
            yield KeyBar("history", id="keys")

    def on_mount(self) -> None:
        """Fill everything in."""
        self.show_header()
        self._show()
        if self._at is not None:
            places = [version.entry.rel for version in self._versions]
            if self._at in places:
                self._list.move_to(places.index(self._at))

    @property
    def _list(self) -> RowList[Version]:
        return cast("RowList[Version]", self.query_one("#versions", RowList))

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        version = self._list.cursor
        return Situation(
            selected=version is not None,
            active=version is not None and version.current,
            read_only=self._setting.read_only,
            missing=self._snapshot.missing,
            busy=self._busy,
            undo=self._undoable.undo,
            redo=self._undoable.redo,
            total=len(self._versions),
            away=True,
        )

    @property
    def moving_pane(self) -> Movable:
        """The list where it has the focus, else the text."""
        return self._list if self._list.has_focus else self._text

    @property
    def _text(self) -> DiffView | TextView:
        return self.query_one(TextView) if self.has_class("-reading") else self.query_one(DiffView)

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed; perhaps there is another version."""
        if message.snapshot.generation > self._snapshot.generation:
            self._snapshot = message.snapshot
            self._show()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk; the new version in force is what one wants to see."""
        self._busy = False
        if self._slug in message.result.slugs:
            self._mark = None
            self._list.move_to(0)
            self._show_authors()  # the files were seen to change before the journal had it to the end
        self.show_keys()

    def on_row_list_moved(self) -> None:
        """Compare what the cursor is on now."""
        self._show_difference()
        self.show_keys()

    def on_row_list_opened(self) -> None:
        """Read the version that was clicked."""
        self.perform("read_version")

    def on_versions_compared(self, message: VersionsCompared) -> None:
        """Show the difference, if it is still wanted."""
        if message.key == self._wanted:
            self._found = message.found
            self._draw_difference()

    # --- drawing ---

    def _draw(self, version: Version, cells: int, cursor: bool) -> Line:
        return present_history.version_row(
            version,
            cells,
            author=self._authors.get(version.entry.rel),
            marked=version.entry.rel == self._mark,
            cursor=cursor,
            now=self._setting.clock(),
            lang=self._setting.lang,
            words=self._words,
        )

    def _show_authors(self) -> None:
        if (manager := self.main.manager) is not None:
            ask = partial(tell_authors, self.post_message, manager, self._versions)
            self.run_worker(ask, thread=True, group="authors", exclusive=True)

    def on_authors_known(self, message: AuthorsKnown) -> None:
        """Say who wrote what."""
        self._authors = message.authors
        self._list.refresh()

    def _show(self) -> None:
        self._versions = versions_of(self._slug, self._snapshot.entries)
        self._show_authors()
        self.query_one("#versions-title", PaneTitle).show(
            *present_history.title(self._slug, self._versions, self._words)
        )
        self._list.show(self._versions, empty=(self._words.none, self._words.none_hint))
        self._fit_list()
        self._show_difference()
        self.show_keys()

    def _fit_list(self) -> None:
        """Above the difference, the list takes no more lines than it has rows."""
        most = 4 if self.has_class("-short") else 9
        height = min(most, max(3, len(self._versions) + 1)) if self.has_class("-narrow") else None
        self.query_one("#versions-pane", Pane).styles.height = height

    def on_resize(self) -> None:
        """One above the other or beside each other."""
        self.call_after_refresh(self._fit_list)

    @property
    def _pair(self) -> tuple[Version | None, Version | None]:
        return present_history.chosen(self._versions, self._list.cursor, self._mark)

    def _show_difference(self) -> None:
        old, new = self._pair
        if new is None:
            self._wanted = self._found = None
            self.query_one("#diff-title", PaneTitle).show("")
            self.query_one(DiffView).show((), key=None, empty=())
            return
        if self.has_class("-reading"):
            self._show_reading()
        key = (old.entry.digest if old else "", new.entry.digest)
        if key == self._wanted:
            self._draw_difference()
            return
        self._wanted, self._found = key, None
        self._draw_title()
        self.run_worker(
            partial(
                tell_difference,
                self.post_message,
                key,
                old.entry if old else None,
                new.entry,
                self.main.manager,
                self._words,
            ),
            thread=True,
            group="compare",
            exclusive=True,
        )

    def _draw_title(self) -> None:
        old, new = self._pair
        cursor = self._list.cursor
        if new is None or cursor is None:
            return
        said = diff_wording.words(self._setting.lang)
        title = (
            (self._words.text_of.format(version=present_history.version_name(cursor, self._words)), "")
            if self.has_class("-reading")
            else present_history.diff_title(old, new, self._found, self._words, said)
        )
        self.query_one("#diff-title", PaneTitle).show(*title)

    def _draw_difference(self) -> None:
        self._draw_title()
        if self._found is not None:
            whole = self._whole or self._pair[0] is None  # the only version is shown by itself
            key = (self._wanted, self._beside, whole)
            lay = partial(
                tell_rows, self.post_message, key, self._found, self._words, beside=self._beside, whole=whole
            )
            self.run_worker(lay, thread=True, group="lay", exclusive=True)

    def on_rows_laid(self, message: RowsLaid) -> None:
        """Show the rows, if they are still wanted."""
        if message.key == (self._wanted, self._beside, self._whole or self._pair[0] is None):
            self.query_one(DiffView).show(message.rows, key=message.key)

    def _show_reading(self) -> None:
        version = self._list.cursor
        if version is None:
            return
        text = version.entry.content
        if len(text) > MAX_RENDERED_CHARS:
            blocks = source_blocks(parts.source_lines(text.strip("\r\n")))
        else:
            from memtui.tui.present.markdown import render  # noqa: PLC0415 – the parser loads when it is needed

            blocks = render(text, lambda _: None)
        head = [Block(((parts.label(version.entry.name), "strong"),))]
        if version.entry.description:
            head.append(Block(((parts.label(version.entry.description), "description"),)))
        self.query_one(TextView).show([*head, Block(), *blocks], key=version.entry.digest)

    # --- actions ---

    def do_page_down(self) -> None:
        """A screenful of the text, whichever pane one is in: versions are few."""
        self._text.move_page(1)

    def do_page_up(self) -> None:
        """A screenful back."""
        self._text.move_page(-1)

    def do_mark_version(self) -> None:
        """Compare with the cursor's version from now on, or with the one before again."""
        version = self._list.cursor
        if version is None:
            return
        rel = version.entry.rel
        self._mark = None if rel == self._mark else rel
        self._list.refresh()
        self._show_difference()

    def do_diff_layout(self) -> None:
        """Unified or side by side."""
        self._beside = not self._beside
        self._draw_difference()

    def do_equal_lines(self) -> None:
        """Everything, or changes only."""
        self._whole = not self._whole
        self._draw_difference()

    def do_next_change(self) -> None:
        """To the next change."""
        self.query_one(DiffView).next_change(1)

    def do_previous_change(self) -> None:
        """To the change before."""
        self.query_one(DiffView).next_change(-1)

    def do_read_version(self) -> None:
        """The version by itself."""
        self.add_class("-reading")
        self._show_reading()
        self._draw_title()
        self.call_after_refresh(self.query_one(TextView).focus)

    def do_other_side(self) -> None:
        """To the other pane."""
        (self._text if self._list.has_focus else self._list).focus()

    def do_restore_version(self) -> None:
        """Ask, then make the version the one in force."""
        from memtui.tui.screens.confirm import ConfirmScreen  # noqa: PLC0415 – loaded when asked for

        version, said = self._list.cursor, self._words
        if version is None:
            return
        slug, number = self._slug, version.id
        question, lines = present_history.restore_question(
            slug, version, self._versions, self._snapshot.entries, said
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(said.restored, lambda manager: manager.restore(slug, number))

        self.app.push_screen(ConfirmScreen(question, lines, yes=said.restore, no=said.cancel), answered)

    def do_activity(self) -> None:
        """What was done, on a screen of its own."""
        from memtui.tui.screens.activity import ActivityScreen  # noqa: PLC0415 – loaded when asked for

        self.app.push_screen(ActivityScreen(self._setting, self._snapshot))

    def do_back_from_history(self) -> None:
        """Leave the text, then the screen."""
        if self.has_class("-reading"):
            self.remove_class("-reading")
            self._draw_title()
            self._list.focus()
        elif not self._list.has_focus:
            self._list.focus()
        else:
            self.dismiss(None)

    def do_close_history(self) -> None:
        """Leave."""
        self.dismiss(None)
