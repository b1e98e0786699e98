"""What there is to say about a draft while it is typed: asked in a thread, listed, marked, and a double beside."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.worker import get_current_worker

from memtui.memory.document.draft import Draft
from memtui.memory.live.checker import LiveChecker
from memtui.memory.live.report import LiveReport, Surroundings
from memtui.tui.present import edit as present_edit
from memtui.tui.present.parts import label
from memtui.tui.screens.edit_base import EditBase
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.editor import Editor, Mark
from memtui.tui.widgets.fields import TextField
from memtui.tui.widgets.finding_list import FindingList
from memtui.tui.widgets.text_view import TextView
from memtui.tui.widgets.wrapping import TextDocument


@dataclass
class Reported(Message):
    """What there is to say about one state of the draft, from the checking thread."""

    report: LiveReport
    serial: int
    marks: dict[int, list[Mark]]

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, Reported)


class EditChecking(EditBase):
    """Mixed into the editor."""

    def check(self) -> None:
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
            description="checks of a draft",  # else Textual writes out the whole draft, at every key
        )

    def _checked(
        self, live: LiveChecker, draft: Draft, around: Surroundings, serial: int, *, name_it: bool
    ) -> None:
        worker = get_current_worker()
        for claims in (True,) if live.claims_ready else (False, True):
            if worker.is_cancelled:
                return
            report = live.check(draft, around, claims=claims, name_it=name_it)
            self.post_message(Reported(report, serial, _marks(report)))

    def on_reported(self, message: Reported) -> None:
        """Show what there is to say."""
        if message.serial != self._serial:
            return
        report = self._report = message.report
        if self._work.entry is None and not self._named_by_hand:
            self.query_one("#slug", TextField).put(report.draft.slug)
            self._last = self.draft
        self.query_one(Editor).mark(message.marks)
        self.query_one(FindingList).show(present_edit.finding_rows(report, self._words, self._setting.lang))
        self.query_one("#checks-title", PaneTitle).show(
            self._words.checks, present_edit.counts_text(report, self._words)
        )
        self._show_twin()
        self.show_frame()

    @property
    def report(self) -> LiveReport | None:
        """The newest report."""
        return self._report

    def _show_twin(self) -> None:
        if not self.has_class("-beside"):
            return
        report = self._report
        match = report.duplicates[0] if report and report.duplicates else None
        if match is None:
            self.remove_class("-beside")
            return
        entry = self._entry_of(match.slug)
        if entry is None:
            return
        from memtui.tui.present.blocks import source_blocks  # noqa: PLC0415 – needed beside a double only
        from memtui.tui.present.parts import source_lines  # noqa: PLC0415

        title = self._words.twin.format(name=label(entry.name), percent=round(100 * match.bigrams))
        self.query_one("#twin-title", PaneTitle).show(title, "")
        view = self.query_one("#twin", TextView)
        view.show(source_blocks(source_lines(entry.content.strip("\r\n"))), key=entry.slug)

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
        self.go_to_span("content", span)

    def go_to_span(self, where: str, span: tuple[int, int] | None) -> None:
        """Put the focus on a field, and the cursor on a part of it."""
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
            self.go_to_span(message.row.where, message.row.span)

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


def _marks(report: LiveReport) -> dict[int, list[Mark]]:
    """The words to underline in the text, by row; worked out in the thread of the checks, as the text may be long."""
    document = TextDocument(report.draft.content)
    marks: dict[int, list[Mark]] = {}
    for span, role in present_edit.marked(report):
        for row, start, end in document.rows_of([span]):
            if start < end:
                marks.setdefault(row, []).append((start, end, role))
    return marks
