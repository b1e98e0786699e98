"""Live checks of a draft (spec §§8–11, design §3 "Edit / new")."""

from __future__ import annotations

import random
import string
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.conventions import CLAUDE, LIBRARY
from memtui.memory.directory.scan import Directory
from memtui.memory.document.draft import Draft, changed, draft_of
from memtui.memory.doubles.dedup import compare_with_all
from memtui.memory.doubles.likeness import Match
from memtui.memory.doubles.shared import SharedDuplicates
from memtui.memory.index.editing import entry_line
from memtui.memory.live.checker import LiveChecker
from memtui.memory.live.report import LiveReport, Surroundings
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.secrets.guard import secret_hash
from memtui.memory.types import ACTIVE, MemoryEntry, MemoryType, Severity
from tests.unit.secret_makers import TEMPLATES, drawn

NOW = 1_800_000_000.0


def entry(slug: str, *, content: str = "Text of it.\n", days: float = 0) -> MemoryEntry:
    when = NOW - days * 86_400
    return MemoryEntry(
        slug,
        slug,
        f"about {slug}",
        MemoryType.USER,
        when,
        content,
        Path(f"/m/{slug}.md"),
        ACTIVE,
        when,
        "user",
    )


def no_matches(content: str, exclude: str | None) -> tuple[Match, ...]:
    del content, exclude
    return ()


def check(
    draft: Draft,
    entries: tuple[MemoryEntry, ...] = (),
    *,
    editing: MemoryEntry | None = None,
    index: str = "",
    convention: object = LIBRARY,
    project: Path | None = None,
    taken: int = 5,
) -> LiveReport:
    def matches(content: str, exclude: str | None) -> list[Match]:
        return compare_with_all(content, {e.slug: e.content for e in entries if e.slug != exclude})

    checker = LiveChecker(
        matches, editing=editing, clock=lambda: NOW, lang="en", taken=taken, project_root=project
    )
    assert convention in (LIBRARY, CLAUDE)
    return checker.check(draft, Surroundings(entries, index, CLAUDE if convention is CLAUDE else LIBRARY))


def rules(report: LiveReport) -> list[str]:
    return [found.rule for found in report.findings]


GOOD = Draft(
    "release-freeze",
    "Release freeze",
    "When nothing merges",
    "project",
    "Nothing merges after the tag is cut.",
)


def test_a_good_draft_has_nothing_to_say_against_it_and_can_be_saved() -> None:
    report = check(GOOD)
    assert report.findings == report.blocking == ()
    assert (report.index.lines, report.index.loaded, report.index.dropped) == (1, True, ())


def test_spec_8_quality_words_are_named_with_their_places_in_both_languages() -> None:
    for text, word in (
        ("We may probably freeze on the day.", "probably"),
        ("我们大概会在发布前冻结合并。", "大概"),
    ):
        report = check(replace(GOOD, content=text))
        [found] = [f for f in report.findings if f.span is not None and text[slice(*f.span)] == word]
        assert found.severity is not Severity.ERROR
        assert found.where == "content"
        assert report.blocking == ()


def test_spec_9_a_duplicate_is_named_with_its_percentage_and_the_edited_memory_is_not_its_own() -> None:
    text = "Integration tests use a real database and never mocks, because mocks hid a broken migration last spring.\n"
    twin, other = (
        entry("tests", content=text),
        entry("role", content="Works on stellar evolution in Heidelberg.\n"),
    )
    report = check(replace(GOOD, content=text), (twin, other))
    [found] = [f for f in report.findings if f.rule == "duplicate"]
    assert found.parts == {"other": "tests", "percent": 100}
    assert report.duplicates[0].slug == "tests"
    assert "duplicate" not in rules(check(draft_of(twin), (twin, other), editing=twin))


def test_reliability_4_a_secret_is_told_by_rule_and_fingerprint_never_by_value() -> None:
    value = "glp" + "at-" + "".join(random.Random(4).choices(string.ascii_letters + string.digits, k=20))
    report = check(replace(GOOD, content=f"Deploys with {value} on Fridays.", description=f"token {value}"))
    found = [f for f in report.findings if f.rule == "secret"]
    assert [f.where for f in found] == ["description", "content"]
    assert found[1].span is not None
    assert f"Deploys with {value}"[slice(*found[1].span)] == value
    assert value not in repr([f.parts for f in found])
    assert report.blocking == ()


def test_spec_10_claims_are_looked_up_and_a_missing_one_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "fit.py").write_text("def fit_orbit():\n    pass\n", "utf-8")
    draft = replace(GOOD, content="See `src/fit.py` and `src/gone.py` for it.")
    report = check(draft, project=tmp_path)
    assert {v.claim.text: v.found for v in report.claims} == {"src/fit.py": True, "src/gone.py": False}
    [broken] = [f for f in report.findings if f.rule == "broken-claim"]
    assert broken.span is not None
    assert draft.content[slice(*broken.span)] == "src/gone.py"
    assert "src/gone.py" in report.place.block


def test_claims_can_wait_until_the_project_is_read(tmp_path: Path) -> None:
    checker = LiveChecker(
        no_matches, editing=None, clock=lambda: NOW, lang="en", taken=5, project_root=tmp_path
    )
    around = Surroundings((), "", LIBRARY)
    assert not checker.claims_ready
    assert checker.check(GOOD, around, claims=False).claims_pending
    assert not checker.check(GOOD, around).claims_pending
    assert checker.claims_ready


def test_spec_5_a_slug_is_checked_as_typed_and_a_free_one_is_proposed() -> None:
    there = (entry("release-freeze"),)
    report = check(replace(GOOD, slug="Release-Freeze"), there)
    [found] = [f for f in report.findings if f.rule == "slug"]
    assert found.severity is Severity.ERROR
    assert found.parts["free"] == "release-freeze-2"
    assert report.proposed == "release-freeze-2"
    assert report.blocking == (found,)
    assert check(replace(GOOD, name="发布冻结")).proposed == "发布冻结"
    # a memory that is there keeps its name, whatever it is
    odd = entry("Odd_Name")
    assert check(draft_of(odd), (odd,), editing=odd).blocking == ()


def test_a_long_name_gets_a_number_within_the_limit() -> None:
    name = "word " * 40
    first = check(replace(GOOD, name=name)).proposed
    second = check(replace(GOOD, name=name), (entry(first),)).proposed
    assert len(first) <= 100
    assert second != first
    assert second.endswith("-2")


def test_fields_that_a_save_would_refuse_are_errors_and_come_first() -> None:
    report = check(Draft("x", "  ", "", "zebra", ""))
    assert [(f.rule, f.where) for f in report.findings if f.severity is Severity.ERROR] == [
        ("field", "name"),
        ("field", "description"),
        ("field", "type"),
        ("field", "content"),
    ]
    assert report.findings[0].severity is Severity.ERROR


def test_spec_6_a_full_index_says_what_would_rotate_out_or_not_be_loaded() -> None:
    olds = tuple(entry(f"m{n:03}", days=n) for n in range(210))
    lines = [entry_line(e.rel, e.name, e.description, "user", LIBRARY) for e in olds[:200]]
    full = "".join(f"{line}\n" for line in lines)
    report = check(GOOD, olds, index=full)
    assert report.index.loaded
    assert report.index.dropped[0] == "m199.md"
    assert "index-rotates" in rules(report)
    lost = check(GOOD, olds, index=full, convention=CLAUDE)
    assert not lost.index.loaded
    assert "index-lost" in rules(lost)
    # a save that changes nothing of the line leaves it alone
    kept = check(replace(draft_of(olds[3]), content="Another text."), olds, editing=olds[3], index=full)
    assert kept.index.dropped == ()


def test_spec_11_place_in_the_reminder_and_whom_it_pushes_out() -> None:
    olds = tuple(entry(f"m{n}", days=n) for n in range(8))
    new = check(GOOD, olds).place
    assert (new.rank, new.total, new.within, new.pushed_out) == (1, 9, True, "m4")
    assert "Release freeze" in new.block
    same = check(draft_of(olds[6]), olds, editing=olds[6]).place
    assert (same.rank, same.total, same.within, same.pushed_out) == (7, 8, False, None)
    edited = check(replace(draft_of(olds[6]), content="More."), olds, editing=olds[6]).place
    assert (edited.rank, edited.pushed_out) == (1, "m4")
    inside = check(replace(draft_of(olds[2]), content="More."), olds, editing=olds[2]).place
    assert (inside.rank, inside.pushed_out) == (1, None)


def test_a_link_to_nothing_is_a_note_at_its_place() -> None:
    draft = replace(GOOD, content="Goes with [[role]] and [[nobody]].")
    report = check(draft, (entry("role"),))
    [found] = [f for f in report.findings if f.rule == "dangling-link"]
    assert found.span is not None
    assert "nobody" in draft.content[slice(*found.span)]


def test_a_draft_of_a_memory_as_read_is_no_change() -> None:
    there = entry("role")
    assert not changed(draft_of(there), there)
    assert changed(replace(draft_of(there), content=there.content + " "), there)


# --- the shared index ---


def directory(root: Path, texts: dict[str, str]) -> Directory:
    for slug, text in texts.items():
        (root / f"{slug}.md").write_text(f"---\nname: {slug}\ntype: user\n---\n\n{text}\n", "utf-8")
    made = Directory(root, clock=lambda: NOW)
    made.refresh()
    return made


LONG = "The release is cut on Thursdays and nothing merges until the tag has been checked by two people. "


def test_spec_9_the_shared_index_follows_the_directory_and_answers_as_brute_force(tmp_path: Path) -> None:
    made = directory(
        tmp_path, {"a": LONG, "b": LONG + "Twice.", "c": "Something else entirely, about stars."}
    )
    shared = SharedDuplicates(made)
    texts = {e.slug: e.content for e in made.entries}
    assert list(shared.matches(LONG)) == compare_with_all(LONG, texts)
    assert shared.best(LONG, "a") == compare_with_all(LONG, {s: t for s, t in texts.items() if s != "a"})[0]
    (tmp_path / "b.md").unlink()
    made.refresh()
    assert [match.slug for match in shared.matches(LONG)] == ["a"]
    assert shared.pairs() == ()


def test_a_question_is_answered_while_pairs_are_worked_out(tmp_path: Path) -> None:
    made = directory(tmp_path, {"a": LONG, "b": LONG + "Twice."})
    shared = SharedDuplicates(made)
    shared.pairs()
    (tmp_path / "c.md").write_text(LONG, "utf-8")
    made.refresh()
    answers: list[int] = []
    with shared._changing:  # as while another thread works out the pairs
        asker = threading.Thread(target=lambda: answers.append(len(shared.matches(LONG, wait=False))))
        asker.start()
        asker.join(10)
        assert answers == [2]
    assert len(shared.matches(LONG)) == 3


def test_what_is_taken_in_late_takes_the_place_of_nothing_newer(tmp_path: Path) -> None:
    made = directory(tmp_path, {"a": LONG, "b": "Something else entirely, about stars."})
    shared, early = SharedDuplicates(made), SharedDuplicates(made)
    old = made.get_rel("a.md")
    assert old is not None
    early.take_in(old)
    assert [match.slug for match in early.matches(LONG)] == ["a"]
    (tmp_path / "a.md").write_text("Nothing of the kind any more.", "utf-8")
    made.refresh()
    assert shared.matches(LONG) == ()
    shared.take_in(old)  # by whoever still looks at the directory as it was
    early.take_in(old)
    assert shared.matches(LONG) == early.matches(LONG) == ()


def test_the_repr_of_the_surroundings_names_no_memory() -> None:
    """Textual writes out what a worker is made of: ten thousand memories took a quarter of a second at each key."""
    around = Surroundings((entry("said-in-it"),) * 1_000, "- [said](said-in-it.md)\n", LIBRARY)
    assert "said-in-it" not in repr(around)
    assert len(repr(around)) < 1_000


def test_a_secret_is_an_error_where_the_team_would_get_it(tmp_path: Path) -> None:
    token = drawn(random.Random(41), TEMPLATES["gitlab-token"][0])
    manager = MemoryManager.open(tmp_path, "claude", clock=lambda: NOW)
    text = f"The token is {token}."
    with manager.sharing_secrets(["team/x"]):
        manager.save_memory("team/x", "X", "x", "project", text)
    around = Surroundings(manager.entries(), manager.directory.index_text, manager.convention)

    def rules(slug: str, editing: str | None = None, **options: Any) -> list[tuple[str, str]]:
        checker = LiveChecker(
            no_matches,
            editing=manager.get(editing) if editing else None,
            clock=lambda: NOW,
            lang="en",
            taken=5,
            **options,
        )
        report = checker.check(Draft(slug, "Name", "about", "project", text), around)
        assert report.blocking == tuple(found for found in report.findings if found.rule == "team-secret")
        return [
            (f.rule, f.where)
            for f in report.findings
            if "secret" in f.rule and f.span == (13, 13 + len(token))
        ]

    assert rules("a") == [("secret", "content")]
    assert rules("team/a") == [("team-secret", "content")]
    assert rules("team/x", editing="team/x") == [("secret", "content")], "it was there before"
    assert rules("team/a", allowed={secret_hash(token)}) == []


def test_a_slug_is_proposed_in_the_scope_that_was_chosen(tmp_path: Path) -> None:
    manager = MemoryManager.open(tmp_path, "claude", clock=lambda: NOW)
    manager.save_memory("team/deploys", "X", "x", "project", "Something of some length.")
    around = Surroundings(manager.entries(), manager.directory.index_text, manager.convention)
    checker = LiveChecker(no_matches, editing=None, clock=lambda: NOW, lang="en", taken=5)
    for slug, wanted in (("", "deploys"), ("team/", "team/deploys-2")):
        report = checker.check(Draft(slug, "Deploys", "", "", ""), around, name_it=True)
        assert (report.draft.slug, report.proposed) == (wanted, wanted)


def test_a_merge_is_not_like_what_it_absorbs_and_counts_the_index_that_results() -> None:
    mine, other = entry("release-freeze", content=GOOD.content), entry("freeze-old", content=GOOD.content)
    index = (
        "- [Old freeze](freeze-old.md) — old\n- [Release freeze](release-freeze.md) — When nothing merges\n"
    )

    def matches(content: str, exclude: str | None) -> list[Match]:
        return compare_with_all(content, {e.slug: e.content for e in (mine, other) if e.slug != exclude})

    for absorbs, found, lines in (((), ["freeze-old"], 2), (("freeze-old",), [], 1)):
        checker = LiveChecker(matches, editing=mine, clock=lambda: NOW, lang="en", taken=5, absorbs=absorbs)
        report = checker.check(GOOD, Surroundings((mine, other), index, CLAUDE))
        assert ([match.slug for match in report.duplicates], report.index.lines) == (found, lines)


LONG_TEXT = (
    "The grid of models is computed on the cluster with the pinned compiler, since another one changed the last digits "
    "of the mass loss, and nobody could say which of both was right."
)
LATE = "周五下午不要发布，出了问题没人值班。"
LATER = f"{LATE}\n\n**原因：** 上次出事时值班的人都不在，客户等了整整两天，之后大家商量了很久才定下这条规则，谁都不想再来一次。"


@pytest.mark.parametrize(
    ("typed", "text", "found"),
    [
        (LATE, LATER, True),
        (LATE.removesuffix("。"), LATER, True),
        ("周五下午不要发布，出了问题", LATER, False),
        ("不要发布，出了问题没人值班。", LATER, False),
        ("谁都不想再来一次", LATER, False),
        ("谁都不想。", LATER, False),
        ("Ask Ada first.", f"{LONG_TEXT} Ask Ada first. Then deploy.", True),
        ("Ask Ada", f"{LONG_TEXT} Ask Ada. Then deploy.", False),
        ("Ask Ada first", f"{LONG_TEXT} Ask Ada first thing. Then deploy.", False),
        ("- Ask Ada first.", f"{LONG_TEXT}\n- Ask Ada first.", True),
    ],
)
def test_spec_9_a_sentence_that_another_memory_says_word_for_word_is_found(
    typed: str, text: str, found: bool
) -> None:
    other = entry("other", content=f"{text}\n")
    report = check(replace(GOOD, content=typed), (other,))
    said = [each for each in report.findings if each.rule == "duplicate"]
    assert [(each.parts["other"], each.parts.get("whole")) for each in said] == (
        [("other", True)] if found else []
    )
    assert [each.slug for each in report.duplicates] == (["other"] if found else [])
    assert check(replace(GOOD, slug="other", content=typed), (other,), editing=other).duplicates == ()
