"""The index against the directory, memories against each other, and their fixes (spec §6 findings, §9, §10; needs 1-3, 11, 18)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.memory.checks.findings import Checker, Finding
from memtui.memory.checks.findings_between import STALE_DAYS
from memtui.memory.conventions import CLAUDE, LIBRARY, Convention
from memtui.memory.directory.scan import Directory
from memtui.memory.document import frontmatter
from memtui.memory.index.entrypoint import load_entrypoint
from memtui.memory.index.rotation import is_notice
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.types import Severity

NOW = 1_790_000_000.0
DAY = 86_400.0


class Store:
    """One directory and its checker."""

    def __init__(self, root: Path, convention: Convention = CLAUDE, project: Path | None = None) -> None:
        self.root = root
        self.now = NOW
        self.directory = Directory(root, convention=convention, clock=lambda: self.now)
        self.checker = Checker(self.directory, project_root=project, clock=lambda: self.now)

    def memory(
        self, slug: str, body: str = "", *, days: float = 1.0, name: str = "", extra: str = ""
    ) -> None:
        path = self.root / f"{slug}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = body or f"All there is to know about {slug}, in a few words."
        title = name or slug
        path.write_text(
            f"---\nname: {title}\ndescription: all about {title}\ntype: user\n{extra}---\n\n{text}\n"
        )
        os.utime(path, (NOW - days * DAY, NOW - days * DAY))

    def index(self, text: str) -> None:
        (self.root / "MEMORY.md").write_bytes(text.encode())

    def check(self) -> tuple[Finding, ...]:
        self.directory.refresh()
        return self.checker.update(None)

    def found(self, rule: str) -> list[Finding]:
        return [finding for finding in self.check() if finding.rule == rule]

    def apply(self, finding: Finding) -> str:
        """Carry a fix out as the manager does, and give the index as it is then."""
        assert finding.fix is not None
        for edit in finding.fix.plan():
            path = self.root / edit.rel
            assert (path.read_bytes() if path.exists() else None) == edit.before
            if edit.after is None:
                path.unlink()
            else:
                path.write_bytes(edit.after)
        index = self.root / "MEMORY.md"
        return index.read_text() if index.exists() else ""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


# -- limits -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", [CLAUDE, LIBRARY], ids=lambda c: c.name)
def test_needs_1_over_a_limit_says_exactly_what_does_not_load_and_offers_to_fit(
    tmp_path: Path, convention: Convention
) -> None:
    store = Store(tmp_path, convention)
    for number in range(205):
        store.memory(f"m{number:03}", f"{number * 7919} " * (number % 40 + 5), days=300 - number)
    store.index("# T\n" + "".join(f"- [M](m{n:03}.md) — d\n" for n in range(205)))
    before = store.check()
    (over,) = (f for f in before if f.rule == "index-over-limit")
    assert over.severity is Severity.ERROR
    assert over.path == "MEMORY.md"
    assert "206 of 200 lines" in over.message
    assert "the end is not loaded (memories named only there: 6)" in over.message
    assert [f.slug for f in before if f.rule == "not-loaded"] == [f"m{n:03}" for n in range(199, 205)]
    fitted = store.apply(over)
    assert load_entrypoint(fitted, convention.unit).bound is None
    assert "m204.md" in fitted, "the newest stay"
    assert "m000.md" not in fitted
    assert is_notice(fitted.splitlines()[-1])
    after = {f.rule for f in store.check()}
    assert not after & {"index-over-limit", "not-loaded"}
    assert "orphan" not in after, "the notice announces what rotated out"
    store.memory("brand-new", days=0)
    store.directory.refresh()
    changed = store.checker.update(store.directory.take_changes())
    assert [f.slug for f in changed if f.rule == "orphan"] == ["brand-new"]


def test_needs_2_the_size_limit_binds_first_and_long_lines_are_named(store: Store) -> None:
    for number in range(20):
        store.memory(f"m{number}")
    store.index("".join(f"- [M](m{n}.md) — {'字' * 1300}\n" for n in range(20)))
    (over,) = store.found("index-over-limit")
    assert "20 of 200 lines" in over.message
    assert " of 25,000 UTF-16 units: " in over.message
    assert len(store.found("long-line")) == 20


def test_spec_6_near_a_limit(store: Store) -> None:
    store.memory("a")
    store.index("- [A](a.md)\n" + "- x\n" * 160)
    (near,) = store.found("index-near-limit")
    assert near.severity is Severity.NOTE
    assert not store.found("index-over-limit")
    store.index("- [A](a.md)\n" + "- x\n" * 100)
    assert not store.found("index-near-limit")


# -- lines and files ------------------------------------------------------------------------------------------------------


def test_needs_3_orphan_and_its_fix(store: Store) -> None:
    store.memory("a")
    store.memory("sub/b")
    store.index("# T\n- [A](a.md) — x\n")
    (orphan,) = store.found("orphan")
    assert (orphan.slug, orphan.path, orphan.severity) == ("sub/b", "sub/b.md", Severity.WARNING)
    assert store.apply(orphan) == "# T\n- [A](a.md) — x\n- [sub/b](sub/b.md) — all about sub/b\n"
    assert not store.found("orphan")


@pytest.mark.parametrize(
    "line",
    [
        "- ~~[A](a.md)~~ — RESOLVED",
        "| [A](a.md) | x |",
        "See [a.md](a.md).",
        "## Topic (see [a.md](a.md))",
        "- [memory/a.md](memory/a.md)",
        "- [A](./a.md#part) -- x",
        "```\n- [A](a.md)\n```",
    ],
)
def test_needs_3_every_form_of_line_leads_to_its_file(store: Store, line: str) -> None:
    store.memory("a")
    store.index(f"# T\n{line}\n")
    assert [f.rule for f in store.check() if f.severity is not Severity.NOTE] == []


def test_needs_3_an_absolute_path_into_the_directory_is_a_line(store: Store) -> None:
    store.memory("a")
    store.index(f"- [A]({store.root}/a.md) — x\n")
    assert {f.rule for f in store.check()} == set()


def test_needs_3_lines_in_comments_lead_nowhere(store: Store) -> None:
    store.memory("a")
    store.index("<!-- - [A](a.md) -->\n- [A thing](x.txt)\n")
    assert len(store.found("orphan")) == 1
    assert not store.found("dangling-line")


def test_needs_3_hub_files_make_no_orphans(store: Store) -> None:
    store.memory("hub", "[one](sub/one.md) and [[two]] and [three](memory/three.md) belong here")
    store.memory("sub/one", "beside it lies [four](four.md)")
    store.memory("two")
    store.memory("three")
    store.memory("sub/four")
    store.memory("alone", "[hub](hub.md) is linked from here")
    store.index("- [Hub](hub.md)\n")
    assert [f.slug for f in store.found("orphan")] == ["alone"]
    through = {f.slug: f.message for f in store.found("only-through-link")}
    assert set(through) == {"sub/one", "two", "three", "sub/four"}
    assert "sub/one.md" in through["sub/four"]


def test_spec_6_no_index_at_all(store: Store) -> None:
    store.memory("a", name="Letter A")
    store.memory("b")
    (missing,) = store.found("missing-index")
    assert not store.found("orphan"), "one finding says it"
    made = store.apply(missing)
    assert sorted(made.splitlines()) == [
        "- [Letter A](a.md) — all about Letter A",
        "- [b](b.md) — all about b",
    ]


def test_an_index_that_cannot_be_read_is_not_taken_for_missing(store: Store) -> None:
    store.memory("a")
    (store.root / "MEMORY.md").mkdir()
    assert [f.rule for f in store.check()] == ["index-unreadable"]
    (store.root / "MEMORY.md").rmdir()
    store.directory.refresh()
    assert [f.rule for f in store.checker.update(store.directory.take_changes())] == ["missing-index"]


def test_needs_3_dangling_line_and_its_fix(store: Store) -> None:
    store.memory("a")
    text = "# T\n- [A](a.md)\n- [Gone](gone.md) — x\nSee [lost](lost.md).\n"
    store.index(text)
    own, prose = store.found("dangling-line")
    assert (own.line, own.slug, prose.line, prose.fix) == (3, None, 4, None)
    assert store.apply(own) == text.replace("- [Gone](gone.md) — x\n", "")


def test_a_fix_asks_again_what_is_there(store: Store) -> None:
    store.memory("a")
    store.index("- [A](a.md)\n- [Late](late.md)\n")
    (dangling,) = store.found("dangling-line")
    store.memory("late")
    assert dangling.fix is not None
    assert dangling.fix.plan() == (), "the file came in the meantime"


def test_spec_6_files_that_are_no_memories_are_there_all_the_same(store: Store) -> None:
    store.memory("a")
    (store.root / "logs").mkdir()
    (store.root / "logs" / "day.md").write_text("log")
    store.index("- [A](a.md)\n- [Log](logs/day.md)\n- [Self](MEMORY.md)\n```\n- [Example](file.md)\n```\n")
    assert not store.found("dangling-line")


def test_spec_6_duplicate_lines_and_their_fix(store: Store) -> None:
    store.memory("a")
    store.index("- [A](a.md) — 1\n- [A](./a.md) — 2\n- [A](a.md) — 3\nSee [a](a.md).\n")
    (double,) = store.found("duplicate-line")
    assert double.line == 2
    assert store.apply(double) == "- [A](a.md) — 3\nSee [a](a.md).\n"
    assert not store.found("duplicate-line")


def test_spec_6_equal_lines_become_one(store: Store) -> None:
    store.memory("a")
    store.index("- [A](a.md)\n- [A](a.md)\n")
    (double,) = store.found("duplicate-line")
    assert store.apply(double) == "- [A](a.md)\n"


def test_spec_6_links_out_of_the_directory(store: Store) -> None:
    store.memory("a")
    store.index(
        "- [A](a.md)\n- [Up](../CLAUDE.md)\n- [Abs](/etc/notes.md)\n- [Home](~/x.md)\n- [Web](https://e.org/x.md)\n"
    )
    assert [f.line for f in store.found("link-outside")] == [2, 3, 4]
    assert not store.found("dangling-line")


def test_spec_6_prose_stored_in_the_index(store: Store) -> None:
    store.memory("a")
    head = "# Memory\n\nNewest last.\n\n- [A](a.md) — a hook that may well be rather long\n"
    store.index(head)
    assert not store.found("prose-in-index")
    store.index(
        head + "\n" + "The database moved to Frankfurt and nobody wrote it down anywhere else.\n" * 10
    )
    (prose,) = store.found("prose-in-index")
    assert (prose.severity, prose.line) == (Severity.NOTE, 3)


def test_needs_18_conflict_markers_in_the_index(store: Store) -> None:
    store.memory("a")
    store.index("- [A](a.md)\r\n<<<<<<< mine\r\n- x\r\n=======\r\n- y\r\n>>>>>>> theirs\r\n")
    (conflict,) = store.found("index-conflict-markers")
    assert (conflict.line, conflict.severity, conflict.fix) == (2, Severity.ERROR, None)


def test_lines_that_lead_to_an_old_version(tmp_path: Path) -> None:
    store = Store(tmp_path, LIBRARY)
    store.memory("a")
    store.memory("a_v1", "The old words about a.", extra="status: historical\nsuperseded_by: a\n")
    store.memory("b_v3", "A live memory that is called so.")
    store.index("- [Old](a_v1.md) — x\n- [B](b_v3.md)\n")
    (old,) = store.found("old-version-line")
    assert old.line == 1
    assert store.apply(old) == "- [Old](a.md) — x\n- [B](b_v3.md)\n"


# -- memories among each other ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copy",
    [
        "a (conflicted copy)",
        "a (Ada's conflicted copy 2026-01-02)",
        "a.sync-conflict-20260102-120000-ABCDEFG",
        "a (SFConflict ada@example.org 2026-01-02)",
        "a（冲突副本）".replace("（", " (").replace("）", ")"),
        "a 2",
        "a (1)",
        "a copy",
        "a 副本",
    ],
)
def test_needs_18_sync_copies(store: Store, copy: str) -> None:
    store.memory("a", "The same words in both of them, and enough.", name="same")
    store.memory(copy, "The same words in both of them, and enough.", name="same")
    store.index(f"- [A](a.md)\n- [Copy](<{copy}.md>)\n")
    (found,) = store.found("sync-copy")
    assert found.slug == copy
    assert "a.md" in found.message
    assert store.apply(found) == "- [A](a.md)\n"
    assert not (store.root / f"{copy}.md").exists(), "an equal copy may go"
    store.memory(copy, "The same words in both of them, and enough!", name="other")
    (differs,) = store.found("sync-copy")
    assert differs.fix is None, "what differs needs a person"


@pytest.mark.parametrize("slug", ["python 3", "release (2)", "merge conflict", "step copy", "a_v2"])
def test_needs_18_ordinary_names_are_no_copies(store: Store, slug: str) -> None:
    store.memory("python", "Everything here runs under CPython.")
    store.memory("release", "Nothing is merged in the last week.")
    store.memory("merge", "Merges are done by the author only.")
    store.memory("step", "Each night is one step of the pipeline.")
    store.memory(slug, "Quite another subject, with words of its own.")
    assert not store.found("sync-copy")


def test_needs_18_a_copy_of_the_index(store: Store) -> None:
    store.memory("MEMORY (conflicted copy)", "- [A](a.md)")
    assert len(store.found("sync-copy")) == 1


def test_spec_9_duplicates_are_told_at_both(store: Store) -> None:
    text = (
        "The integration tests hit a real database, since mocks hid a migration that failed in production. "
    )
    store.memory("first", text * 2, name="Tests and the database")
    store.memory("second", text * 2 + "Really.", name="A wholly different title here")
    store.memory("third", "The telescope is booked twice a year by the postdoc, in March and in October.")
    assert {f.slug for f in store.found("duplicate")} == {"first", "second"}
    store.memory("second", "Spectra are given in vacuum nanometres, plots excepted.")
    assert not store.found("duplicate")


def test_spec_9_alike_in_name_and_description_only(store: Store) -> None:
    store.memory("first", "The integration tests hit a real database.", name="How we test the database here")
    store.memory(
        "second", "Quite another body, about rollbacks and charts.", name="How we test the database here"
    )
    assert {f.slug for f in store.found("same-title")} == {"first", "second"}


def test_spec_9_many_alike_are_told_once_each(store: Store) -> None:
    for number, word in enumerate(
        ("a", "an", "any", "our", "its", "one", "next", "first", "last", "long", "short", "full")
    ):
        store.memory(
            f"m{number:02}",
            f"The night shift checks the dome, the guider and the cooler before the {word} run.",
        )
    findings = store.found("duplicate")
    assert len(findings) == 12
    assert all("alike in all: 11" in f.message for f in findings)


def test_names_that_collide(store: Store) -> None:
    store.memory("notes")
    store.memory("Notes")
    if len(list(store.root.glob("*otes.md"))) < 2:
        pytest.skip("this file system folds case")
    assert len(store.found("slug-collision")) == 1


def test_a_memory_that_is_the_index_where_case_is_folded(store: Store) -> None:
    store.index("- [a](a.md)\n- [m](memory.md)\n- [n](sub/memory.md)\n")
    store.memory("a")
    if (store.root / "memory.md").exists():
        pytest.skip("this file system folds case")
    assert not store.found("slug-collision")
    store.memory("memory")
    store.memory("sub/memory")
    (found,) = store.found("slug-collision")
    assert found.path == "memory.md"
    assert "MEMORY.md" in found.message


def test_wiki_links_to_nothing_are_a_note(store: Store) -> None:
    store.memory("a", "See [[b]] and [[not written yet]] and `[[ -f x ]]`.")
    store.memory("b")
    (found,) = store.found("dangling-link")
    assert found.severity is Severity.NOTE
    assert "not written yet" in found.message
    assert found.span is not None
    store.memory("not-written-yet")
    assert not store.found("dangling-link")


def test_a_misspelt_wiki_link_is_mended_and_the_memory_keeps_its_age(store: Store) -> None:
    store.memory("a", "See [[orders-ownr]], again [[orders-ownr|its owner]], and [[not written yet]].")
    store.memory("orders-owner")
    fixes = [(each.message, each.fix) for each in store.found("dangling-link")]
    assert [fix is not None for _, fix in fixes] == [True, True, False]
    path = store.root / "a.md"
    os.utime(path, ns=(int(NOW) * 10**9, int(NOW) * 10**9))
    before = path.read_bytes()
    MemoryManager.open(store.root, "claude").apply_all([fix for _, fix in fixes if fix is not None])
    assert path.read_bytes() == before.replace(b"orders-ownr", b"orders-owner")
    assert path.stat().st_mtime_ns == int(NOW) * 10**9


def test_needs_9_stale_from_the_day_it_ranks_with_superseded_ones(store: Store) -> None:
    assert 0.5 ** (STALE_DAYS / 30) <= 0.01 < 0.5 ** ((STALE_DAYS - 1) / 30)
    store.memory("a", days=STALE_DAYS - 0.5)
    assert not store.found("stale")
    store.now = NOW + DAY
    changes = store.directory.take_changes()
    stale = [f for f in store.checker.update(changes) if f.rule == "stale"]
    assert [f.slug for f in stale] == ["a"], "a day later, though nothing changed"


def test_a_date_in_the_future_is_a_finding_and_one_in_the_header_can_be_mended(store: Store) -> None:
    store.memory("soon", days=-0.9)  # clocks and time zones differ
    store.memory("touched", days=-300)
    store.memory("dated", extra="modified: 2099-01-01T00:00:00.000Z\n")
    path = store.root / "dated.md"
    found = {f.slug: f for f in store.found("future-date")}
    assert sorted(slug for slug in found if slug) == ["dated", "touched"]
    assert found["touched"].fix is None
    assert found["touched"].message == "Its date lies ahead of today (days: 300)"
    fix = found["dated"].fix
    assert fix is not None
    [edit] = fix.plan()
    assert edit.after is not None
    assert frontmatter.read(edit.after).modified == pytest.approx(store.now, abs=0.001)
    assert edit.after.replace(b"modified: ", b"").count(b"2099") == 0
    assert frontmatter.read(edit.after).body == frontmatter.read(path.read_bytes()).body


def test_spec_10_a_broken_claim_is_a_finding(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "main.py").write_text("def start_up():\n    pass\n")
    root = tmp_path / "memory"
    root.mkdir()
    store = Store(root, project=project)
    store.memory("a", "Start at `src/main.py`, and settings are read in `src/gone.py`.")
    (broken,) = store.found("broken-claim")
    assert "src/gone.py" in broken.message
    assert broken.span is not None
    (project / "src" / "gone.py").write_text("")
    assert not store.found("broken-claim")
    assert not [
        f for f in Checker(store.directory, clock=lambda: NOW).update(None) if f.rule == "broken-claim"
    ]


def test_a_line_that_only_shows_a_link_names_nothing(store: Store) -> None:
    store.memory("a")
    store.index("- [a](a.md)\nprose <!-- [old](old.md) --> more\n- write `[old](old.md)` like this\n")
    assert not store.found("dangling-line")
    store.index("- [a](a.md)\nprose [old](old.md) more\n")
    assert len(store.found("dangling-line")) == 1
