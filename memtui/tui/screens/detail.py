"""Detail: one memory on a screen of its own, with the ways to its history and its findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from memtui.memory.types import MemoryEntry
from memtui.tui.actions.registry import Situation, bindings_for
from memtui.tui.messages import (
    ChangeDone,
    Failed,
    LinkFollowed,
    SnapshotArrived,
    Undoable,
)
from memtui.tui.present import parts
from memtui.tui.present.blocks import Block
from memtui.tui.present.lines import Line
from memtui.tui.screens.changing import Changing
from memtui.tui.screens.copying import Copying
from memtui.tui.screens.doors import Doors
from memtui.tui.screens.memory_screen import MemoryScreen
from memtui.tui.screens.moving import Moving
from memtui.tui.screens.reading import Reading
from memtui.tui.screens.scoping import Scoping
from memtui.tui.screens.transferring import Transferring
from memtui.tui.setting import Setting
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import Bar
from memtui.tui.widgets.click_bar import ClickBar
from memtui.tui.widgets.detail import DetailPane
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.browse import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.store import Snapshot


class DetailScreen(Doors, Scoping, Transferring, Changing, Copying, Reading, Moving, MemoryScreen):
    """A memory to read; changes on disk show, and links go on from here."""

    PLACE = "detail"
    DEFAULT_CSS = """
    DetailScreen { background: $background; }
    DetailScreen #tabs { background: $panel; }
    DetailScreen #bottom { height: 1; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("detail")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "TextView"

    def __init__(
        self,
        setting: Setting,
        snapshot: Snapshot,
        entry: MemoryEntry,
        *,
        undoable: Undoable,
        rows: Callable[[], Sequence[MemoryEntry]],
        seen: Callable[[MemoryEntry], None],
    ) -> None:
        """Prepare the screen.

        Args:
            setting: the world.
            snapshot: the directory as it is now.
            entry: the memory to begin with.
            undoable: what undo and redo would do now.
            rows: gives the list that one can go on in.
            seen: told of each memory that is shown, so that the list's cursor follows.
        """
        super().__init__(setting)
        self._snapshot = snapshot
        self._entry: MemoryEntry | None = entry
        self._rel = entry.rel
        self._undoable = undoable
        self._list_rows = rows
        self._tell = seen
        self._wanted: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Top line, where one can go, the text, keys."""
        yield Bar(id="header")
        yield ClickBar(id="tabs")
        yield DetailPane(self._setting.lang, id="detail-pane", classes="pane")
        with Horizontal(id="bottom"):
            yield KeyBar("detail", id="keys")

    def on_mount(self) -> None:
        """Fill everything in."""
        self._show()

    @property
    def memory(self) -> MemoryEntry | None:
        """What is read; None once it is gone."""
        return self._entry

    @property
    def moving_pane(self) -> DetailPane:
        """The text."""
        return self.detail

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        entry, snapshot = self._entry, self._snapshot
        return Situation(
            selected=entry is not None,
            active=entry is not None and entry.is_active,
            read_only=self._setting.read_only,
            missing=snapshot is not None and snapshot.missing,
            creatable=snapshot is not None and not snapshot.occupied,
            busy=self._busy,
            undo=self._undoable.undo,
            redo=self._undoable.redo,
            total=len(snapshot.entries) if snapshot else 0,
            followed=bool(self._trail),
            others=self._setting.machine is not None,
            team=self._setting.team or any(each.scope == "team" for each in self.chosen),
        )

    # --- what arrives ---

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """The directory has changed."""
        self._snapshot = message.snapshot
        entries = message.snapshot.entries
        # After a change one looks at what it made; else at the same file, also when it comes back.
        wanted = [e for slug in self._wanted for e in entries if e.slug == slug and e.is_active]
        here = next((e for e in entries if e.rel == self._rel), None)
        self._entry = here or next(iter(wanted), None)
        if self._entry is not None:
            self._rel = self._entry.rel
        self.look_again()
        self._show()

    def on_undoable(self, message: Undoable) -> None:
        """Undo or redo would do something else now."""
        self._undoable = message
        self.show_keys()

    def on_change_done(self, message: ChangeDone) -> None:
        """A change is on disk; the list's screen says so."""
        self._busy = False
        self._wanted = message.result.slugs
        self.show_keys()

    def on_failed(self, message: Failed) -> None:
        """Something was refused; the list's screen says what."""
        del message
        self._busy = False
        self.show_keys()

    # --- drawing ---

    def _show(self) -> None:
        snapshot, setting = self._snapshot, self._setting
        if snapshot is None:
            return
        place = parts.short_path(setting.directory, setting.home)
        header = self.query_one("#header", Bar)
        header.left = parts.header_left(("memtui", setting.title, snapshot.convention.name, place))
        self.show_memory()
        if self._entry is None:
            say = voice_of(self.app).with_keys(words(self.speaks), NAMED_KEYS)
            lines = (((say.gone, "strong"),), ((say.gone_hint, "dim"),))
            self.query_one(TextView).show([Block(line) for line in lines], key="gone")
        self.query_one("#tabs", ClickBar).left = self._tabs()
        self.show_keys()

    def _tabs(self) -> Line:
        say, entry, snapshot = words(self.speaks), self._entry, self._snapshot
        if entry is None or snapshot is None:
            return ()
        found = sum(finding.path == entry.rel for finding in snapshot.findings)
        return (
            (" ", ""),
            (f"[{say.tab_detail}]", "title-active"),
            ("  ", ""),
            (f"{say.tab_history} {self.detail.versions}", "dim=versions"),
            ("   ", ""),
            (f"{say.tab_checks} {found}", f"{'warn' if found else 'dim'}=checks"),
        )

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        self.query_one(KeyBar).situation = self.situation

    # --- moving from memory to memory ---

    def go_to(self, slug: str) -> bool:
        """Read another memory; False if there is none of that slug."""
        snapshot = self._snapshot
        if snapshot is None:
            return False
        found = [entry for entry in snapshot.entries if entry.slug == slug]
        if not found:
            return False
        self._turn_to(next((entry for entry in found if entry.is_active), found[0]))
        return True

    def _turn_to(self, entry: MemoryEntry) -> None:
        self._entry, self._rel, self._wanted = entry, entry.rel, ()
        self._tell(entry)
        self._show()
        self.detail.focus_text()

    def do_next_memory(self) -> None:
        """The next memory of the list."""
        self._step(1)

    def do_previous_memory(self) -> None:
        """The one before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        rows = self._list_rows()
        at = next((n for n, entry in enumerate(rows) if entry.rel == self._rel), None)
        if at is not None and 0 <= at + step < len(rows):
            self._turn_to(rows[at + step])

    def do_follow(self) -> None:
        """Go to the memory of the link gone to; without one, to the first link."""
        if self.detail.link is not None:
            self.post_message(LinkFollowed(self.detail.link))
        else:
            self.do_next_link()

    def do_close_detail(self) -> None:
        """Back to the list."""
        self.stop_looking_elsewhere()
        self.dismiss(None)
