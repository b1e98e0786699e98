"""The detail pane: one memory with its facts, what was found about it, and its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from memtui.memory.types import Lang, MemoryEntry, Severity
from memtui.tui.facts import by_path
from memtui.tui.present import parts
from memtui.tui.present.blocks import BLANK, Block, source_blocks
from memtui.tui.related import Related
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import Pane, PaneTitle
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.browse import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding

MAX_RENDERED_CHARS = 16_384
"""Longer texts are shown as source: reading them is scanning, and rendering would be felt."""

_MOST_DRAWN = 50
"""Texts that are kept as drawn (ours)."""


class DetailPane(Pane):
    """A title, and everything about one memory as one text."""

    def __init__(self, lang: Lang, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id, classes=classes)
        self._lang: Lang = lang
        self._title = PaneTitle()
        self._text = TextView(id="detail-text")
        self._shown: object = None
        self._count = 1
        self._drawn: dict[object, tuple[MemoryEntry, Sequence[Block]]] = {}
        self._counted: Sequence[MemoryEntry] = ()
        self._related: list[MemoryEntry] = []
        self._related_rels: set[str] = set()

    def compose(self) -> ComposeResult:
        """Title and text."""
        yield self._title
        yield self._text

    def show(
        self,
        entry: MemoryEntry | None,
        entries: Sequence[MemoryEntry],
        findings: Iterable[Finding],
        *,
        now: float,
        found: Mapping[str, bool],
        related: Related | None = None,
        source: bool = False,
    ) -> None:
        """Show a memory, or nothing.

        Args:
            entry: the memory.
            entries: all, to count its versions.
            findings: of the whole directory.
            now: Unix seconds.
            found: what is known of the things it names, by the words in its text.
            related: what it has to do with others; None while that is worked out.
            source: whether to show the text as it stands in the file.
        """
        title = self._title
        if entry is None:
            title.show("")
            self._text.show((), key=None)
            self._shown = None
            return
        own = by_path(findings).get(entry.rel, ())
        state = (entry, own, int(now // 60), len(entries), dict(found), related, source)
        if state == self._shown:
            return
        self._shown = state
        versions = self._versions(entry, entries)
        say = voice_of(self.app).with_keys(words(self._lang), NAMED_KEYS)
        self._count = versions
        name, note = parts.detail_title(entry, versions, self._lang)
        title.show(name, f"{say.source}{parts.DOT}{note}" if source else note)
        lines = parts.detail_facts(entry, now=now, lang=self._lang)
        if not own:  # the findings say the same, and more
            odd = [p for p in entry.problems if p.severity is not Severity.NOTE]
            lines += [parts.problem_line(problem, self._lang) for problem in odd]
        lines += parts.finding_lines(own, lang=self._lang)
        blocks = [Block(line) for line in lines]
        from memtui.tui.present.detail import about_blocks  # noqa: PLC0415 – no memory is shown before the first paint

        about = about_blocks(entry, related, versions=versions, now=now, say=say)
        body = self._body(entry, found, source=source)
        self._text.show([*blocks, BLANK, *body, *about], key=(entry.slug, entry.aside))

    @property
    def versions(self) -> int:
        """How many versions the memory has that is shown."""
        return self._count

    def _versions(self, entry: MemoryEntry, entries: Sequence[MemoryEntry]) -> int:
        from memtui.memory.versions.history import split_archive, versions_of  # noqa: PLC0415 – loaded behind the first paint

        if entries is not self._counted:
            # Of the memories in force only those matter that some archive is named after.
            past = [old for old in entries if not old.is_active]
            named = {found[0] for old in past if (found := split_archive(old.slug))}
            self._counted = entries
            self._related = [*(e for e in entries if e.is_active and e.slug in named), *past] if past else []
            self._related_rels = {e.rel for e in self._related}
        known = self._related if entry.rel in self._related_rels else [entry, *self._related]
        return len(versions_of(entry.slug, known))

    def _body(self, entry: MemoryEntry, found: Mapping[str, bool], *, source: bool) -> Sequence[Block]:
        # The same text is shown again as soon as it is known who links to it, and when one comes back to it.
        state = (entry.rel, source, *found.items())
        held = self._drawn.get(state)
        if held is None or held[0] is not entry:
            if len(self._drawn) >= _MOST_DRAWN:
                del self._drawn[next(iter(self._drawn))]
            held = self._drawn[state] = (entry, self._draw(entry.content, found, source=source))
        return held[1]

    def _draw(self, text: str, found: Mapping[str, bool], *, source: bool) -> Sequence[Block]:
        if source or len(text) > MAX_RENDERED_CHARS:
            return source_blocks(parts.source_lines(text.strip("\r\n")), found.get)
        from memtui.tui.present.markdown import render  # noqa: PLC0415 – the parser loads after the first paint

        return render(text, found.get)

    # --- moving ---

    def focus_text(self) -> None:
        """Put the focus into the text."""
        self._text.focus()

    @property
    def link(self) -> str | None:
        """Target of the link gone to."""
        return self._text.link

    def next_link(self, step: int) -> bool:
        """Go to another link; False if there is none."""
        return self._text.next_link(step)

    def move(self, lines: int) -> None:
        """Scroll by lines."""
        self._text.move(lines)

    def move_page(self, pages: int) -> None:
        """Scroll by a screenful."""
        self._text.move_page(pages)

    def move_to_end(self, *, last: bool) -> None:
        """Scroll to an end."""
        self._text.move_to_end(last=last)
