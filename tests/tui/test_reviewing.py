"""Deciding on what waits, without a screen: what each decision would do, that it does exactly that, and the way back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.review.proposals import Broken, Origin, Proposal
from memtui.memory.review.unreviewed import OthersChange, Unreviewed
from memtui.memory.review.visits import Seen, Visits
from memtui.tui import reviewing
from memtui.tui.editing import Editing, editing, saving
from memtui.tui.reviewing import Item

from .waiting import Waiting, full


@pytest.fixture
def waits(tmp_path: Path) -> Waiting:
    return full(tmp_path / "lab")


def behind(waits: Waiting) -> Unreviewed:
    return Unreviewed(waits.manager(), Visits(waits.state, waits.memory))


def everything(waits: Waiting) -> list[Item]:
    found = reviewing.read_inbox(waits.inbox())
    return [*found.proposals, *behind(waits).changes(), *found.broken]


def named(waits: Waiting, slug: str) -> Proposal:
    return next(each for each in waits.inbox().pending() if slug in each.slugs)


def test_accepting_all_and_undo_restores_every_byte(tmp_path: Path) -> None:
    waits = Waiting(tmp_path / "lab")
    for number in range(20):
        waits.write(f"m{number}", f"The text of memory {number}, as it was.")
    inbox = waits.inbox()
    for number in range(60):
        body = f"What was said about {number}, and is worth keeping."
        waits.add(
            inbox.propose_save(f"m{number}", f"M{number}", "about it", "project", body, Origin("extraction"))
        )
    before, manager = waits.tree(), waits.manager()
    decision = reviewing.plan_acceptance(manager, waits.inbox().pending())
    assert waits.tree() == before
    result = reviewing.carry_out(manager, None, decision, lambda _: None)
    assert len(result.slugs) == 60
    assert waits.inbox().pending() == ()
    manager.undo()
    assert waits.tree() == before
    assert len(waits.inbox().pending()) == 60


def test_rejecting_all_takes_proposals_and_files_out_and_reverts_the_others_in_two_steps(
    waits: Waiting,
) -> None:
    before, manager = waits.tree(), waits.manager()
    items = everything(waits)
    assert [type(item) for item in items] == [Proposal] * 4 + [OthersChange] * 2 + [Broken]
    decision = reviewing.plan_rejection(manager, behind(waits), items)
    assert (decision.steps, decision.left) == (2, ())
    assert decision.taken_out == ("squash", "tests", "old-plan", "release, deploy", "notes.json")
    reviewing.carry_out(manager, behind(waits), decision, lambda _: None)
    after = waits.tree()
    assert b"Four spaces" in after["style.md"]
    assert "cache.md" not in after
    assert everything(waits) == []
    manager.undo()
    manager.undo()
    assert waits.tree() == before


def test_what_cannot_be_decided_so_is_left_and_said(waits: Waiting) -> None:
    waits.write("tests", "What somebody else made of it meanwhile.")
    decision = reviewing.plan_acceptance(waits.manager(), everything(waits))
    assert decision.accepting is not None
    assert [name for name, _ in decision.left] == ["notes.json", "tests"]
    assert isinstance(decision.left[1][1], Conflict)
    alone = reviewing.plan_acceptance(waits.manager(), [named(waits, "tests")])
    assert (alone.edits, [name for name, _ in alone.left]) == ((), ["tests"])


def test_keeping_is_told_so_that_it_can_be_taken_back(waits: Waiting) -> None:
    before = waits.tree()
    told: list[Mapping[str, Seen | None]] = []
    unreviewed = behind(waits)
    found = unreviewed.changes()
    decision = reviewing.plan_acceptance(waits.manager(), found)
    result = reviewing.carry_out(waits.manager(), unreviewed, decision, told.append)
    assert (result.slugs, result.record_id) == (("cache", "style"), 0)
    assert behind(waits).changes() == ()
    assert waits.tree() == before
    unreviewed.put_back(told[0])
    assert behind(waits).changes() == found


def test_a_file_that_was_altered_after_it_was_shown_is_refused(waits: Waiting) -> None:
    manager, proposal = waits.manager(), named(waits, "squash")
    looked = reviewing.look(manager, proposal)
    path = waits.memory / proposal.rel
    values = json.loads(path.read_text("utf-8"))
    values["memories"][0]["text"] = ["---\nname: Evil\n---\n\nevil\n"]
    path.write_text(json.dumps(values), "utf-8")
    before = waits.tree()
    with pytest.raises(Conflict):
        waits.inbox().accept(proposal.id, shown=looked.accepting)
    with pytest.raises(UsageError):
        waits.inbox().accept(proposal.id)
    assert waits.tree() == before
    assert [each.code for each in reviewing.read_inbox(waits.inbox()).broken] == ["altered", "unreadable"]


def test_looking_shows_what_would_be_written_and_nothing_of_memtuis_own(waits: Waiting) -> None:
    manager = waits.manager()
    looked = [reviewing.look(manager, item) for item in everything(waits)]
    assert [[edit.rel for edit in each.edits] for each in looked] == [
        ["squash.md", "MEMORY.md"],
        ["tests.md"],
        ["old-plan.md", "MEMORY.md"],
        ["release.md", "deploy.md", "MEMORY.md"],
        ["cache.md"],
        ["style.md"],
        [],
    ]
    assert looked[-1].raw == '{"not": "a proposal"}\n'
    assert [bool(each.checks) for each in looked] == [True, True, False, True, False, False, False]


def test_a_proposal_whose_memory_changed_is_edited_on_what_stands_there_now(waits: Waiting) -> None:
    proposal = named(waits, "tests")
    theirs = waits.write("tests", "Integration tests run against a real database.\nThey take two minutes.")
    manager = waits.manager()
    assert isinstance(reviewing.look(manager, proposal).error, Conflict)
    start = reviewing.begin_edit(manager, proposal)
    assert start.entry is not None
    assert "PostgreSQL 16" in start.typed.content
    assert "They take two minutes." in start.typed.content
    result = reviewing.accepting(start)(manager, editing(start.entry), start.typed)
    assert result.archived == ("tests_v1",)
    assert b"PostgreSQL 16" in waits.tree()["tests.md"]
    assert proposal not in waits.inbox().pending()
    manager.undo()
    assert waits.tree()["tests.md"] == theirs
    assert proposal in waits.inbox().pending()


def test_what_was_decided_about_an_edited_proposal_stands_whatever_is_written_meanwhile(
    waits: Waiting,
) -> None:
    proposal = named(waits, "tests")
    manager = waits.manager()
    start = reviewing.begin_edit(manager, proposal)
    assert start.entry is not None
    work = editing(start.entry)
    theirs = waits.write("tests", "Nobody tests anything.")
    accept = reviewing.accepting(start)
    with pytest.raises(Conflict):
        saving(work, start.typed, attempt=accept)(manager)
    with pytest.raises(Conflict):
        saving(work, start.typed, attempt=accept, standing="both")(manager)
    assert waits.tree()["tests.md"] == theirs
    result = saving(work, start.typed, attempt=accept, standing="mine")(manager)
    assert b"PostgreSQL 16" in waits.tree()["tests.md"]
    assert "Nobody tests anything." in manager.get(result.archived[0]).content
    assert proposal not in waits.inbox().pending()


def test_a_proposal_whose_memory_is_gone_is_edited_into_a_new_one(waits: Waiting) -> None:
    proposal = named(waits, "tests")
    (waits.memory / "tests.md").unlink()
    manager = waits.manager()
    start = reviewing.begin_edit(manager, proposal)
    assert start.entry is None
    reviewing.accepting(start)(manager, Editing(), start.typed)
    assert b"PostgreSQL 16" in waits.tree()["tests.md"]


def test_an_edited_text_keeps_the_header_it_was_proposed_with_and_may_get_another_name(
    waits: Waiting,
) -> None:
    inbox = waits.inbox()
    made = inbox.propose_save(
        "tone", "Tone", "how reviews sound", "feedback", "Reviews are short.", Origin("dream")
    )
    text = (made.main.text or "").replace("type: feedback", "type: feedback\nweight: 7 # theirs")
    (proposal,) = waits.add(
        Proposal("create", (type(made.main)("tone", text),), reason="why", source="dream", at=made.at)
    )
    manager = waits.manager()
    start = reviewing.begin_edit(manager, proposal)
    draft = replace(start.typed, slug="review-tone", content="Reviews are short and kind.")
    reviewing.accepting(start)(manager, Editing(), draft)
    written = waits.tree()["review-tone.md"].decode()
    assert "weight: 7 # theirs\n" in written
    assert "short and kind" in written
    assert "tone.md" not in waits.tree()


def test_merging_into_another_memory_begins_with_both_texts_and_takes_the_proposal_out(
    waits: Waiting,
) -> None:
    proposal, manager = named(waits, "squash"), waits.manager()
    start = reviewing.begin_merge(manager, proposal, "style")
    assert start.entry is not None
    assert "Two spaces" in start.typed.content
    assert "Always squash" in start.typed.content
    reviewing.accepting(start)(manager, editing(start.entry), start.typed)
    tree = waits.tree()
    assert b"Always squash" in tree["style.md"]
    assert "squash.md" not in tree
    assert proposal not in waits.inbox().pending()


def test_a_file_that_is_not_utf8_is_not_merged_into(waits: Waiting) -> None:
    (waits.memory / "style.md").write_bytes(b"---\nname: Style\ntype: user\n---\n\nFour sp\xffces.\n")
    with pytest.raises(Refused, match="not UTF-8"):
        reviewing.begin_merge(waits.manager(), named(waits, "squash"), "style")
