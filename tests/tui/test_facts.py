"""What the findings say about each memory (design §3, the list): counted right, and taken apart once a check."""

from __future__ import annotations

from pathlib import Path

from memtui.memory.checks.findings import Finding
from memtui.memory.conventions import CLAUDE, LIBRARY
from memtui.memory.directory.scan import Directory
from memtui.memory.types import MemoryEntry, Problem, Severity
from memtui.store import MemoryStore
from memtui.tui.facts import BROKEN_RULE, Facts, by_path, gather, missing_things, unloaded
from tests.tui.making import make


def finding(rule: str, path: str, severity: Severity, span: tuple[int, int] | None = None) -> Finding:
    return Finding(rule, severity, path.removesuffix(".md"), path, None, span, "m", "w", None)


FOUND = (
    finding("unreadable", "a.md", Severity.ERROR),
    finding(BROKEN_RULE, "b.md", Severity.WARNING, (4, 8)),
    finding("stale", "a.md", Severity.NOTE),
    finding(BROKEN_RULE, "b.md", Severity.WARNING, (0, 3)),
    finding("stale", "c.md", Severity.NOTE),
)


def entry(slug: str, *problems: Problem) -> MemoryEntry:
    return make(slug, content="src/main.py", problems=problems)


def test_worst_finding_things_missing_and_flags_are_told_of_each_memory() -> None:
    assert gather(FOUND, [entry("a"), entry("b"), entry("d")]) == {
        "a.md": Facts(Severity.ERROR, 0, frozenset({"problem", "stale"})),
        "b.md": Facts(Severity.WARNING, 2, frozenset({"problem", "broken"})),
        "c.md": Facts(Severity.NOTE, 0, frozenset({"stale"})),
    }


def test_problems_of_reading_and_marks_are_laid_over_the_findings_and_leave_them_as_they_were() -> None:
    plain = dict(gather(FOUND, []))
    bad = Problem("x", "m", severity=Severity.ERROR)
    odd = Problem("y", "m", severity=Severity.NOTE)
    laid = gather(FOUND, [entry("c", bad), entry("d", odd)], frozenset({"c.md", "e.md"}))
    assert laid["c.md"] == Facts(Severity.ERROR, 0, frozenset({"stale", "problem", "broken", "marked"}))
    assert laid["d.md"] == Facts(Severity.NOTE, 0, frozenset())
    assert laid["e.md"] == Facts(None, 0, frozenset({"marked"}))
    assert laid["b.md"] == plain["b.md"]
    assert gather(FOUND, []) == plain


def test_findings_are_grouped_by_file_in_their_order_whatever_holds_them() -> None:
    assert by_path(FOUND)["a.md"] == (FOUND[0], FOUND[2])
    held = list(FOUND)
    assert by_path(held)["a.md"] == (FOUND[0], FOUND[2])
    held.append(finding("secret", "a.md", Severity.WARNING))
    assert by_path(held)["a.md"][-1].rule == "secret"
    assert by_path(FOUND[1:])["a.md"] == (FOUND[2],)


def test_missing_things_are_the_words_in_the_text() -> None:
    assert missing_things(FOUND, [entry("b"), entry("c")]) == {"b": ("main", "src")}


def test_what_no_session_hears_of_is_what_stands_behind_the_cut_or_in_no_line(tmp_path: Path) -> None:
    for name in ("told", "behind", "nowhere"):
        (tmp_path / f"{name}.md").write_text(f"---\nname: {name}\n---\nText\n", "utf-8")
    lines = ["- [T](told.md) — told", *(["- filler"] * 200), "- [B](behind.md) — behind"]
    (tmp_path / "MEMORY.md").write_text("\n".join(lines) + "\n", "utf-8")
    snapshot = MemoryStore(Directory(tmp_path, convention=CLAUDE)).refresh()
    assert unloaded(snapshot) == {"behind.md", "nowhere.md"}
    (tmp_path / "MEMORY.md").unlink()
    assert len(unloaded(MemoryStore(Directory(tmp_path, convention=CLAUDE)).refresh())) == 3
    assert not unloaded(MemoryStore(Directory(tmp_path, convention=LIBRARY)).refresh())
