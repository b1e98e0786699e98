"""The screen for a memory that somebody changed underneath: mine, theirs and both in one; nothing is lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memtui.memory.document.draft import Draft
from memtui.memory.managing.merging import MergedDraft
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.present.conflict import (
    SIDES,
    Conflicting,
    Decision,
    Side,
    conflict_lines,
    draft_blocks,
    side_title,
)
from memtui.tui.present.parts import header_left, label
from memtui.tui.screens.base import ActionScreen
from memtui.tui.screens.moving import Moving
from memtui.tui.widgets.bar import Bar, Pane, PaneTitle
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.edit import EditWords


class ConflictScreen(Moving, ActionScreen[Decision]):
    """Shows the three texts; gives what was decided, or None for nothing."""

    PLACE = "conflict"
    DEFAULT_CSS = """
    ConflictScreen { background: $background; }
    ConflictScreen #conflict-lines { height: auto; padding: 0 1; color: $foreground 75%; }
    ConflictScreen #conflict-body { height: 1fr; }
    ConflictScreen .pane { width: 1fr; }
    ConflictScreen.-narrow .pane, ConflictScreen.-two .pane { display: none; }
    ConflictScreen.-narrow .pane.-shown, ConflictScreen.-two .pane.-shown { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("conflict")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two"), (120, "-three")]  # noqa: RUF012 – Textual's own type

    @dataclass
    class Merged(Message):
        """Both texts in one, from the thread that put them together."""

        merged: MergedDraft

    def __init__(self, texts: Conflicting, words: EditWords) -> None:
        """Prepare the screen.

        Args:
            texts: the two, and what they were made from.
            words: sentences.
        """
        super().__init__()
        self._texts = texts
        self._words = words
        self._side: Side = "mine"
        self._merged: MergedDraft | None = None

    def compose(self) -> ComposeResult:
        """What happened, and the three texts."""
        yield Bar(id="header")
        yield Static(id="conflict-lines", markup=False)
        with Horizontal(id="conflict-body"):
            for side in SIDES:
                with Pane(id=f"side-{side}", classes="pane"):
                    yield PaneTitle()
                    yield TextView()
        with Horizontal(id="bottom"):
            yield KeyBar(self.PLACE, id="keys")

    def on_mount(self) -> None:
        """Show what is known, and let a thread merge; what a notice said of it stands here."""
        self.app.clear_notifications()
        texts, said = self._texts, self._words
        self.query_one("#header", Bar).left = header_left((said.conflict_title, label(texts.mine.name)))
        for side in SIDES:
            self._pane(side).query_one(PaneTitle).show(side_title(side, said))
        self._show_text("mine", texts.mine)
        if texts.theirs is not None:
            self._show_text("theirs", texts.theirs)
        self._say_lines()
        self._go_to("mine")
        self.run_worker(self._merge, thread=True, group="merge")

    def _merge(self) -> None:
        self.post_message(self.Merged(self._texts.merged()))

    def on_conflict_screen_merged(self, message: Merged) -> None:
        """Show both texts in one."""
        self._merged = message.merged
        view = self._pane("together").query_one(TextView)
        blocks = draft_blocks(message.merged.draft, self._texts.base, self._words, message.merged.both)
        view.show(blocks, key="together")
        self._say_lines()

    def _say_lines(self) -> None:
        lines = conflict_lines(self._texts, self._merged, self._words)
        self.query_one("#conflict-lines", Static).update(Content("\n".join(lines)))

    def _pane(self, side: Side) -> Pane:
        return self.query_one(f"#side-{side}", Pane)

    def _show_text(self, side: Side, draft: Draft) -> None:
        self._pane(side).query_one(TextView).show(
            draft_blocks(draft, self._texts.base, self._words), key=side
        )

    def _go_to(self, side: Side) -> None:
        self._side = side
        for other in SIDES:
            self._pane(other).set_class(other == side, "-shown")
        self.call_after_refresh(self._pane(side).query_one(TextView).focus)

    @property
    def moving_pane(self) -> TextView:
        """The text one is in."""
        return self._pane(self._side).query_one(TextView)

    @property
    def situation(self) -> Situation:
        """Everything can be done."""
        return Situation(selected=True, text=True)

    # --- actions ---

    def _step(self, step: int) -> None:
        self._go_to(SIDES[(SIDES.index(self._side) + step) % len(SIDES)])

    def do_next_side(self) -> None:
        """The next text."""
        self._step(1)

    def do_previous_side(self) -> None:
        """The text before."""
        self._step(-1)

    def do_keep_mine(self) -> None:
        """Mine shall stand."""
        self.dismiss(Decision("mine", self._texts.mine, self._texts.theirs))

    def do_take_theirs(self) -> None:
        """Theirs shall stand."""
        if self._texts.theirs is None:
            self.say(self._words.conflict_gone)
        else:
            self.dismiss(Decision("theirs", self._texts.theirs, self._texts.theirs))

    def do_take_both(self) -> None:
        """Both in one shall stand."""
        if self._merged is not None:
            self.dismiss(Decision("together", self._merged.draft, self._texts.theirs))

    def do_close_conflict(self) -> None:
        """Decide nothing."""
        self.dismiss(None)
