"""What the checks have to say about a proposed text before it is a memory: the same as while it is typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.document import frontmatter
from memtui.memory.document.draft import Draft
from memtui.memory.index.editing import has_entry
from memtui.memory.live.checker import LiveChecker
from memtui.memory.live.report import LiveReport, Surroundings
from memtui.memory.review.proposal_file import Proposal

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager

_OF_INDEX = frozenset({"index-lost", "index-rotates"})


def draft_from(slug: str, text: str) -> Draft:
    """The fields of a whole file that is not on disk."""
    doc = frontmatter.read(text.encode("utf-8", "surrogateescape"))
    return Draft(slug, doc.name or "", doc.description or "", doc.type_text or "", doc.body.strip("\n"))


def check_texts(manager: MemoryManager, proposal: Proposal) -> dict[str, LiveReport]:
    """The report on every text that a proposal would write, by slug.

    The memory itself, and those that a merge takes in, are no duplicates of the result.
    """
    directory = manager.directory
    around = Surroundings(manager.entries(), directory.index_text, directory.convention)
    leaving = {each.slug for each in proposal.texts}
    reports: dict[str, LiveReport] = {}
    for each in proposal.texts:
        if each.text is None:
            continue
        draft = draft_from(each.slug, each.text)
        checker = LiveChecker(
            lambda text, exclude: [m for m in manager.matches(text, exclude) if m.slug not in leaving],
            editing=directory.get(each.slug),
            clock=manager.clock,
            lang=manager.lang,
            taken=0,
            project_root=manager.project_root,
            skip=[manager.root],
            allowed=manager.allowed_secrets,
        )
        report = checker.check(draft, around)
        if proposal.kind == "fix" and not has_entry(directory.index_text, f"{each.slug}.md"):
            # A fix as it was proposed makes no line where there is none, so none can be lost.
            kept = tuple(found for found in report.findings if found.rule not in _OF_INDEX)
            report = replace(report, findings=kept)
        reports[each.slug] = report
    return reports
