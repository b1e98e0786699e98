"""What the screens share that show one memory's text: its links, the way back along them, its looks."""

from __future__ import annotations

import asyncio
from functools import partial

from textual.timer import Timer

from memtui.memory.types import MemoryEntry
from memtui.tui.messages import ClaimsChecked, ClaimsWanted, LinkFollowed, SeenKnown, SeenWanted, UsageKnown
from memtui.tui.present import parts
from memtui.tui.screens.memory_screen import MemoryScreen
from memtui.tui.setting import Setting
from memtui.tui.widgets.detail import DetailPane
from memtui.tui.wording.browse import words

CLAIMS_AFTER = 0.15
"""Seconds a memory is looked at before what it names and who links to it is looked up."""
ELSEWHERE_AFTER = 0.8
"""Seconds that it is looked at further before all other stores are read for the same (ours)."""
_TRAIL = 100
"""Memories that the way back goes through at most."""


class Reading(MemoryScreen):
    """Mixed into the screens with a ``DetailPane``."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._claims: ClaimsChecked | None = None
        self._elsewhere: SeenKnown | None = None
        self._looking_elsewhere = False
        self._rest: Timer | None = None
        self._asked: MemoryEntry | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._trail: list[str] = []
        self._source = False
        self._shown: MemoryEntry | None = None

    @property
    def shown(self) -> MemoryEntry | None:
        """The memory that is shown now, whichever one shall be."""
        return self._shown

    @property
    def detail(self) -> DetailPane:
        """The pane with the text."""
        return self.query_one(DetailPane)

    def show_memory(self) -> None:
        """Show the memory, and have looked up what is not known of it."""
        snapshot, entry = self._snapshot, self.memory
        self._shown = entry
        known = self._claims if self.is_looked_up else None
        related = known.related if known else None
        if related is not None and self._elsewhere is not None and self._elsewhere.entry is entry:
            related = related._replace(seen=self._elsewhere.sentence)
        self.detail.show(
            entry,
            snapshot.entries if snapshot else (),
            snapshot.findings if snapshot else (),
            now=self._setting.clock(),
            found=known.found if known else {},
            related=related,
            source=self._source,
        )
        if entry is not None and entry is not self._asked:
            self._asked = entry
            if self._elsewhere is None or self._elsewhere.entry is not entry:
                self.stop_looking_elsewhere()
            if self._pause is not None:
                self._pause.cancel()
            # A timer of Textual's is a task: one would begin and end at every key.
            loop = asyncio.get_running_loop()
            self._pause = loop.call_later(CLAIMS_AFTER, self.post_message, ClaimsWanted(entry))

    @property
    def is_looked_up(self) -> bool:
        """Whether what the memory names, and who links to it, is known."""
        return self._claims is not None and self._claims.entry is self.memory

    def look_again(self) -> None:
        """What was looked up may be otherwise now."""
        self._asked = None

    def on_claims_checked(self, message: ClaimsChecked) -> None:
        """What the memory names, and what it has to do with others, has been looked up."""
        self._claims = message
        self.show_memory()
        if (
            self._setting.machine is not None
            and self.is_looked_up
            and message.entry.is_active
            and (self._elsewhere is None or self._elsewhere.entry is not message.entry)
        ):
            self.stop_looking_elsewhere()
            self._rest = self.set_timer(ELSEWHERE_AFTER, partial(self._look_elsewhere, message.entry))

    def _look_elsewhere(self, entry: MemoryEntry) -> None:
        if entry is self.memory:
            self._looking_elsewhere = True
            self.post_message(SeenWanted(entry))

    def stop_looking_elsewhere(self) -> None:
        """The memory is left: whoever looks for it in other stores need not go on."""
        if self._rest is not None:
            self._rest.stop()
            self._rest = None
        if self._looking_elsewhere:
            self._looking_elsewhere = False
            self.post_message(SeenWanted(None))

    def on_seen_known(self, message: SeenKnown) -> None:
        """It is known which other stores hold a memory."""
        if message.entry is self.memory:
            self._elsewhere, self._looking_elsewhere = message, False
            self.show_memory()

    def on_usage_known(self, message: UsageKnown) -> None:
        """It is known how memories were used: look this one up again."""
        del message
        self.look_again()
        self.show_memory()

    # --- links ---

    def do_next_link(self) -> None:
        """To the next link of the memory."""
        self._link(1)

    def do_previous_link(self) -> None:
        """To the link before."""
        self._link(-1)

    def _link(self, step: int) -> None:
        if self.detail.next_link(step):
            self.detail.focus_text()
        else:
            self.say(words(self.speaks).no_links)

    def on_link_followed(self, message: LinkFollowed) -> None:
        """Go to the memory a link means, and remember the way back."""
        from memtui.memory.document.links import LinkResolver  # noqa: PLC0415 – loaded behind the first paint

        snapshot, entry = self._snapshot, self.memory
        there = snapshot is not None and any(e.slug == message.target for e in snapshot.entries)
        slug = message.target
        if not there and snapshot is not None:
            slug = LinkResolver(snapshot.entries).resolve(message.target) or slug
        if not self.go_to(slug):
            self.say(words(self.speaks).link_nowhere.format(target=parts.label(message.target)))
        elif entry is not None and entry.slug != slug:
            self._trail = [*self._trail[-_TRAIL:], entry.slug]
            self.show_keys()

    def do_link_back(self) -> None:
        """To the memory that a followed link stood in."""
        while self._trail:
            if self.go_to(self._trail.pop()):
                break
        self.show_keys()

    def do_source_view(self) -> None:
        """Show the text as it stands in the file, or rendered."""
        self._source = not self._source
        self.show_memory()
