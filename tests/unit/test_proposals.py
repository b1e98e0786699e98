"""Spec §14: proposals wait as plain files, and become memories only when a person says so; one undo takes it back."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.disk.files import FileImage, digest_of
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.index_mending import days_written_out
from memtui.memory.review.proposal_file import BadProposal, dump, load
from memtui.memory.review.proposals import Evidence, Inbox, Origin, Proposal, ProposedText
from memtui.store import MemoryStore

NOW = 1_780_000_000.0
SAID = Evidence("/t/session.jsonl", 12, "always run make check", before="what now?", after="ok")
WHY = Origin("extraction", reason="the person said so", evidence=(SAID,), by="rules", session="s1")
BODY = "Run `make check` before a push. It takes two minutes and saves an hour."


def opened(root: Path, **more: object) -> MemoryManager:
    return MemoryManager.open(root, "claude", clock=lambda: NOW, **more)  # type: ignore[arg-type]


@pytest.fixture
def manager(tmp_path: Path) -> MemoryManager:
    made = opened(tmp_path / "memory")
    made.save_memory("a", "A", "about a", "project", "The first text of a, see [[b]].")
    made.save_memory("b", "B", "about b", "feedback", "The first text of b, see [[a]].")
    made.save_memory("c", "C", "about c", "user", "See [[b]] for what the person likes.")
    return made


@pytest.fixture
def inbox(manager: MemoryManager) -> Inbox:
    return Inbox(manager)


def tree(root: Path, *, inbox: bool = True) -> dict[str, bytes]:
    """Memories, index, old versions and proposals, with their bytes."""
    kept = (".memtui/history/", *((".memtui/inbox/",) if inbox else ()))
    found = {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }
    return {
        rel: data for rel, data in found.items() if not rel.startswith(".memtui/") or rel.startswith(kept)
    }


def five(inbox: Inbox) -> list[Proposal]:
    """One of every kind, none of which touches another's memories."""
    manager = inbox._manager
    for slug in ("d", "e", "f"):
        manager.save_memory(
            slug, slug.upper(), f"about {slug}", "project", f"The text of {slug}, long enough."
        )
    fixed = (manager.root / "e.md").read_bytes().replace(b"long enough", b"as it should be")
    made = [
        inbox.propose_save("new", "New", "about it", "user", BODY, WHY),
        inbox.propose_save("a", "A", "about a", "project", "The second text of a.", WHY),
        inbox.propose_merge(["c"], "both", "Both", "all of it", "user", "One text for both.", WHY),
        inbox.propose_forget(["d"], WHY),
        inbox.propose_fix({"e": fixed}, WHY),
    ]
    assert [proposal.kind for proposal in made] == ["create", "update", "merge", "forget", "fix"]
    assert [inbox.add(proposal) for proposal in made] == [True] * 5
    return made


# -- the file ----------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@given(TEXTS, TEXTS, TEXTS, st.integers(0, 10**9))
def test_every_character_of_a_proposal_survives_its_file(
    text: str, reason: str, quote: str, line: int
) -> None:
    proposal = Proposal(
        "create", (ProposedText("x", text),), reason, (Evidence("t", line, quote),), "dream", "m", "s", NOW
    )
    assert load(f"{proposal.id}.json", dump(proposal)) == proposal


def test_the_file_is_read_by_a_person_and_obeyed_by_no_terminal() -> None:
    proposal = Proposal("create", (ProposedText("x", "one\n\x1b[2Jtwo 二\u202e\n"),), at=NOW)
    text = dump(proposal).decode()
    assert '"one\\n",\n' in text
    assert "二" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert json.loads(text)["memories"][0]["text"] == ["one\n", "\x1b[2Jtwo 二\u202e\n"]


def changed(proposal: Proposal, **values: object) -> bytes:
    return json.dumps({**json.loads(dump(proposal)), **values}).encode()


MEMORY = {"slug": "x", "based_on": None, "text": ["x"]}


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "run"},
        {"source": "me"},
        {"format": 2},
        {"at": -1},
        {"at": True},
        {"at": 1e300},
        {"memories": []},
        {"memories": [MEMORY, MEMORY]},
        {"memories": [{**MEMORY, "slug": "../x"}]},
        {"memories": [{**MEMORY, "slug": "/etc/x"}]},
        {"memories": [{**MEMORY, "slug": ".memtui/history/x"}]},
        {"memories": [{**MEMORY, "slug": "sub/.git/x"}]},
        {"memories": [{**MEMORY, "slug": "MEMORY"}]},
        {"memories": [{**MEMORY, "slug": "logs/x"}]},
        {"memories": [{**MEMORY, "slug": ""}]},
        {"memories": [{**MEMORY, "slug": "a\0b"}]},
        {"memories": [{**MEMORY, "text": None}]},
        {"memories": [{**MEMORY, "text": "x"}]},
        {"memories": [{**MEMORY, "text": [1]}]},
        {"memories": [{**MEMORY, "based_on": "f" * 64}]},
        {"memories": [{**MEMORY, "based_on": "../../x"}]},
        {"evidence": [{"transcript": "t", "line": -1, "quote": "", "before": "", "after": ""}]},
        {"evidence": {}},
        {"reason": 7},
        {"reason": "x" * 30_000},
        {"by": None},
    ],
)
def test_a_field_of_the_wrong_kind_makes_it_no_proposal(values: dict[str, object]) -> None:
    proposal = Proposal("create", (ProposedText("x", "x"),), at=NOW)
    assert load(f"{proposal.id}.json", changed(proposal)) == proposal
    with pytest.raises(BadProposal) as caught:
        load(f"{proposal.id}.json", changed(proposal, **values))
    assert caught.value.code == "unreadable"


def test_who_was_shown_a_proposal_and_names_it_gets_that_one_or_none() -> None:
    proposal = Proposal("create", (ProposedText("x", "a harmless text"),), at=NOW)
    baited = changed(proposal, memories=[{**MEMORY, "text": ["an evil text"]}])
    with pytest.raises(BadProposal) as caught:
        load(f"{proposal.id}.json", baited)
    assert caught.value.code == "altered"


def test_the_same_words_have_the_same_key_whenever_and_however_they_are_set() -> None:
    def text(body: str, modified: str) -> str:
        return f"---\nname: N\ntype: user\nmodified: {modified}\n---\n\n{body}\n"

    one = Proposal("create", (ProposedText("x", text("Say it  once.", "2026-01-01T00:00:00Z")),))
    two = Proposal("create", (ProposedText("x", text("say it\nonce.", "2026-05-05T00:00:00Z")),))
    other = Proposal("create", (ProposedText("x", text("Say it twice.", "2026-01-01T00:00:00Z")),))
    assert one.key == two.key != other.key
    assert one.id != two.id


# -- the inbox ---------------------------------------------------------------------------------------------------------


def test_looking_at_an_inbox_that_is_not_there_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nname: A\n---\n\nx\n")
    box = Inbox(opened(tmp_path))
    assert (box.pending(), box.broken(), box.rejected()) == ((), (), ())
    assert not (tmp_path / ".memtui").exists()


def test_a_proposal_waits_as_a_file_and_changes_nothing_else(manager: MemoryManager, inbox: Inbox) -> None:
    before, reminder = tree(manager.root), manager.build_system_reminder()
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    assert tree(manager.root) == before
    assert inbox.add(proposal)
    assert tree(manager.root, inbox=False) == before
    assert inbox.pending() == (proposal,) == Inbox(opened(manager.root)).pending()
    again = opened(manager.root)
    assert again.build_system_reminder() == reminder
    assert BODY not in reminder
    assert [entry.slug for entry in again.entries()] == [entry.slug for entry in manager.entries()]
    assert MemoryStore(again.directory, clock=lambda: NOW).refresh().inbox_count == 1


def test_a_first_proposal_makes_the_directory(tmp_path: Path) -> None:
    box = Inbox(opened(tmp_path / "memory"))
    assert box.add(box.propose_save("new", "New", "about it", "user", BODY, WHY))
    assert box.accept("new").change.slugs == ("new",)
    assert BODY in (tmp_path / "memory" / "new.md").read_text()


@pytest.mark.parametrize("kind", ["create", "update", "merge", "forget", "fix"])
def test_accepting_writes_what_was_shown_and_undo_restores_every_byte(
    manager: MemoryManager, inbox: Inbox, kind: str
) -> None:
    proposal = next(each for each in five(inbox) if each.kind == kind)
    before, records = tree(manager.root), len(manager.activity())
    shown = inbox.plan([proposal.id])
    assert tree(manager.root) == before
    inbox.accept(proposal.id, shown=shown)
    after = tree(manager.root)
    for each in proposal.texts:
        text = each.text.encode() if each.text is not None else None
        assert after.get(f"{each.slug}.md") == text
    for edit in shown.plan.edits:
        assert after.get(edit.rel) == edit.after
    assert proposal.rel not in after
    assert len(manager.activity()) == records + 1
    assert proposal not in inbox.pending()
    manager.undo()
    assert tree(manager.root) == before
    assert proposal in inbox.pending()
    manager.redo()
    assert tree(manager.root) == after


def test_accept_all_is_one_change_and_one_undo_restores_every_byte(
    manager: MemoryManager, inbox: Inbox
) -> None:
    proposals = five(inbox)
    before, records = tree(manager.root), len(manager.activity())
    done = inbox.accept_all([each.id for each in proposals])
    assert (set(done.ids), done.left) == ({each.id for each in proposals}, ())
    assert inbox.pending() == ()
    index = (manager.root / "MEMORY.md").read_text()
    assert "new.md" in index
    assert "both.md" in index
    assert "(c.md)" not in index
    assert "(d.md)" not in index
    assert len(manager.activity()) == records + 1
    manager.undo()
    assert tree(manager.root) == before
    assert set(inbox.pending()) == set(proposals)


def test_two_hundred_proposals_are_accepted_and_taken_back_at_once(
    manager: MemoryManager, inbox: Inbox
) -> None:
    (manager.root / INBOX_FOLDER).mkdir()
    for number in range(200):
        text = f"Fact number {number} is that {number * number} is its square."
        made = inbox.propose_save(f"fact-{number}", f"Fact {number}", "a square", "reference", text, WHY)
        (manager.root / made.rel).write_bytes(dump(made))
    before = tree(manager.root)
    done = inbox.accept_all([each.id for each in inbox.pending()])
    assert (len(done.ids), done.left) == (200, ())
    assert len([entry for entry in manager.entries() if entry.is_active]) == 203
    manager.undo()
    assert tree(manager.root) == before


def test_of_two_proposals_for_one_memory_the_second_waits(manager: MemoryManager, inbox: Inbox) -> None:
    one = inbox.propose_save("a", "A", "about a", "project", "The second text of a.", WHY)
    two = inbox.propose_save("a", "A", "about a", "project", "Another text of a altogether.", WHY)
    assert inbox.add(one)
    assert inbox.add(two)
    done = inbox.accept_all([one.id, two.id])
    assert (done.ids, [left.id for left in done.left]) == ((one.id,), [two.id])
    assert isinstance(done.left[0].error, Conflict)
    assert inbox.pending() == (two,)


def test_two_new_memories_whose_names_some_system_takes_for_one_are_not_both_made(inbox: Inbox) -> None:
    for slug in ("straße", "strasse"):
        assert inbox.add(inbox.propose_save(slug, slug, "a street", "user", f"How to write {slug}.", WHY))
    done = inbox.accept_all([each.id for each in inbox.pending()])
    assert (len(done.ids), len(done.left)) == (1, 1)


def test_a_memory_that_was_changed_meanwhile_is_a_conflict_with_all_three_texts(
    manager: MemoryManager, inbox: Inbox
) -> None:
    base = (manager.root / "a.md").read_bytes()
    proposal = inbox.propose_save("a", "A", "about a", "project", "The second text of a.", WHY)
    inbox.add(proposal)
    theirs = base.replace(b"first", b"their")
    (manager.root / "a.md").write_bytes(theirs)
    before = tree(manager.root)
    with pytest.raises(Conflict) as caught:
        inbox.accept(proposal.id)
    assert proposal.main.text is not None
    assert (caught.value.base, caught.value.mine, caught.value.theirs) == (
        base,
        proposal.main.text.encode(),
        theirs,
    )
    assert tree(manager.root) == before
    inbox.accept(proposal.id, text=proposal.main.text, based_on=digest_of(theirs))
    assert (manager.root / "a.md").read_bytes() == proposal.main.text.encode()


@pytest.mark.parametrize("kind", ["merge", "forget", "fix"])
def test_a_source_that_was_changed_meanwhile_is_a_conflict(
    manager: MemoryManager, inbox: Inbox, kind: str
) -> None:
    proposal = next(each for each in five(inbox) if each.kind == kind)
    path = manager.root / f"{proposal.texts[-1].slug}.md"
    path.write_bytes(path.read_bytes() + b"a line of somebody else\n")
    before = tree(manager.root)
    with pytest.raises(Conflict):
        inbox.accept(proposal.id)
    assert tree(manager.root) == before


def test_a_plan_that_was_shown_is_never_carried_out_on_other_files(
    manager: MemoryManager, inbox: Inbox
) -> None:
    proposal = inbox.propose_save("a", "A", "about a", "project", "The second text of a.", WHY)
    inbox.add(proposal)
    shown = inbox.plan([proposal.id])
    (manager.root / "a.md").write_bytes(b"---\nname: A\n---\n\nchanged behind the back\n")
    before = tree(manager.root)
    with pytest.raises(Conflict):
        inbox.accept(proposal.id, shown=shown)
    assert tree(manager.root) == before


def test_a_proposal_that_was_swapped_after_it_was_shown_is_not_accepted(
    manager: MemoryManager, inbox: Inbox
) -> None:
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    inbox.add(proposal)
    shown = inbox.plan([proposal.id])
    (manager.root / proposal.rel).write_bytes(dump(replace(proposal, reason="another")))
    before = tree(manager.root)
    with pytest.raises(Conflict):
        inbox.accept(proposal.id, shown=shown)
    assert tree(manager.root) == before


def test_nothing_is_applied_twice(manager: MemoryManager, inbox: Inbox) -> None:
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    inbox.add(proposal)
    other = Inbox(opened(manager.root))
    shown, theirs = inbox.plan([proposal.id]), other.plan([proposal.id])
    inbox.accept(proposal.id, shown=shown)
    after = tree(manager.root)
    with pytest.raises(Conflict):
        other.accept(proposal.id, shown=theirs)
    with pytest.raises(UsageError):
        other.accept(proposal.id)
    assert tree(manager.root) == after


def test_an_edited_text_is_what_is_written(manager: MemoryManager, inbox: Inbox) -> None:
    proposal = inbox.propose_save("a", "A", "about a", "project", "The second text of a.", WHY)
    inbox.add(proposal)
    text = "---\nname: A\ndescription: better\ntype: project\n---\n\nAs the person has it.\n"
    before = tree(manager.root)
    inbox.accept(proposal.id, text=text)
    assert (manager.root / "a.md").read_text() == text
    assert inbox.pending() == ()
    assert not inbox.add(proposal)
    manager.undo()
    assert tree(manager.root) == before


def test_a_proposal_can_go_into_another_memory(manager: MemoryManager, inbox: Inbox) -> None:
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    inbox.add(proposal)
    before = tree(manager.root)
    text = inbox.merged_text(proposal.id, "b")
    assert "The first text of b" in text
    assert BODY in text
    inbox.accept(proposal.id, text=text, into="b", based_on=manager.get("b").digest)
    assert (manager.root / "b.md").read_text() == text
    assert not (manager.root / "new.md").exists()
    assert len(manager.versions("b")) == 2
    assert inbox.pending() == ()
    manager.undo()
    assert tree(manager.root) == before


def test_what_was_rejected_is_remembered_and_not_proposed_again(manager: MemoryManager, inbox: Inbox) -> None:
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    assert inbox.add(proposal)
    assert not inbox.add(proposal)
    before = tree(manager.root)
    inbox.reject(proposal.id, reason="not\nso")
    assert inbox.pending() == ()
    assert manager.activity()[-1].label == "reject a proposal for new: not so"
    fresh = Inbox(opened(manager.root))
    assert [(each.proposal, each.at) for each in fresh.rejected()] == [(proposal, NOW)]
    assert not fresh.add(replace(proposal, at=NOW + 5, reason="again"))
    assert fresh.add(inbox.propose_save("new", "New", "about it", "user", "Something else altogether.", WHY))
    fresh.reject("new")
    manager.undo()
    manager.undo()
    assert inbox.pending()[:1] == (proposal,)
    assert before.items() <= tree(manager.root).items()
    assert inbox.rejected() == ()


def test_what_was_accepted_is_not_proposed_again_and_waits_again_after_an_undo(
    manager: MemoryManager, inbox: Inbox
) -> None:
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    inbox.add(proposal)
    inbox.accept("new")
    manager.forget("new")
    assert not inbox.add(proposal)
    assert inbox.rejected() == ()
    manager.undo()
    manager.undo()
    assert inbox.pending() == (proposal,)


def test_what_is_so_already_is_not_proposed(manager: MemoryManager, inbox: Inbox) -> None:
    entry = manager.get("a")
    same = inbox.propose_save("a", entry.name, entry.description, "project", entry.content, WHY)
    assert not inbox.add(same)
    assert inbox.pending() == ()


def test_a_proposal_is_named_by_the_beginning_of_its_id_or_by_its_slug(inbox: Inbox) -> None:
    one = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    two = inbox.propose_save("new", "New", "about it", "user", "Something else altogether.", WHY)
    inbox.add(one)
    assert inbox.get("new") == inbox.get(one.id[:6]) == one
    inbox.add(two)
    with pytest.raises(UsageError, match="several proposals"):
        inbox.get("new")
    with pytest.raises(UsageError, match="no proposal"):
        inbox.get("")


def test_a_proposal_by_a_model_that_runs_wild_is_refused(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.memory.review.proposing.MAX_PENDING", 2)
    for number in range(2):
        inbox.add(inbox.propose_save(f"n{number}", "N", "d", "user", f"text number {number}", WHY))
    with pytest.raises(Refused, match="2 proposals wait"):
        inbox.add(inbox.propose_save("n3", "N", "d", "user", "text number 3", WHY))
    huge = Proposal("create", (ProposedText("x", "x" * (1 << 20)),), at=NOW)
    with pytest.raises(UsageError, match="too large"):
        inbox.add(huge)


# -- hostile files -----------------------------------------------------------------------------------------------------


def test_files_that_are_no_proposals_are_listed_and_left_alone(manager: MemoryManager, inbox: Inbox) -> None:
    good = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    inbox.add(good)
    folder = manager.root / INBOX_FOLDER
    (folder / "1.json").write_text("{}")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "notes.txt").write_text("a note")
    (folder / "large.json").write_bytes(b" " * ((1 << 20) + 1))
    (folder / f"{good.id[:-1]}{'0' if good.id[-1] != '0' else '1'}.json").write_bytes(dump(good))
    os.mkfifo(folder / "fifo.json")
    (folder / "link.json").symlink_to(manager.root / good.rel)
    (folder / "folder.json").mkdir()
    (folder / ".hidden").write_text("x")
    before = {path.name for path in folder.iterdir()}
    assert inbox.pending() == (good,)
    found = {each.name: (each.code, each.removable) for each in inbox.broken()}
    altered = next(name for name in found if name.startswith(good.id[:-1]))
    assert found == {
        "1.json": ("unreadable", True),
        "deep.json": ("unreadable", True),
        "notes.txt": ("unreadable", False),
        "large.json": ("too-large", False),
        altered: ("altered", True),
        "fifo.json": ("not-regular", False),
        "link.json": ("not-regular", False),
        "folder.json": ("not-regular", False),
    }
    assert {path.name for path in folder.iterdir()} == before
    with pytest.raises(UsageError):
        inbox.accept("1.json")
    inbox.reject("1.json", "deep.json")
    assert {path.name for path in folder.iterdir()} == before - {"1.json", "deep.json"}
    manager.undo()
    assert {path.name for path in folder.iterdir()} == before


def test_an_inbox_that_is_a_link_leads_nowhere(manager: MemoryManager, inbox: Inbox, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    (elsewhere / f"{proposal.id}.json").write_bytes(dump(proposal))
    (manager.root / INBOX_FOLDER).symlink_to(elsewhere)
    assert inbox.pending() == ()
    with pytest.raises((Refused, OSError)):
        inbox.add(inbox.propose_save("other", "Other", "about it", "user", BODY, WHY))
    assert [path.name for path in elsewhere.iterdir()] == [f"{proposal.id}.json"]


def test_a_proposal_for_a_link_or_an_old_version_is_not_obeyed(manager: MemoryManager, inbox: Inbox) -> None:
    manager.save_memory("a", "A", "about a", "project", "The second text of a.")
    (manager.root / "alias.md").symlink_to("a.md")
    data = (manager.root / "a.md").read_bytes()
    aimed = [
        Proposal("update", (ProposedText("alias", "---\nname: x\n---\nx\n", digest_of(data)),), at=NOW),
        Proposal("create", (ProposedText("Not A Slug", "---\nname: x\n---\nx\n"),), at=NOW),
        Proposal("create", (ProposedText("con", "---\nname: x\n---\nx\n"),), at=NOW),
        Proposal("create", (ProposedText("old", "---\nname: x\nstatus: historical\n---\nx\n"),), at=NOW),
    ]
    before = tree(manager.root)
    manager.reload()
    for proposal in aimed:
        inbox.add(proposal)
        with pytest.raises((UsageError, Refused)):
            inbox.accept(proposal.id)
    assert tree(manager.root, inbox=False) == before


def test_read_only_means_no_proposal_either(manager: MemoryManager, inbox: Inbox) -> None:
    proposal = inbox.propose_save("new", "New", "about it", "user", BODY, WHY)
    inbox.add(proposal)
    before = tree(manager.root)
    box = Inbox(opened(manager.root, read_only=True))
    assert box.pending() == (proposal,)
    for act in (
        lambda: box.add(replace(proposal, kind="create")),
        lambda: box.accept("new"),
        lambda: box.reject("new"),
    ):
        with pytest.raises(Refused, match="read-only"):
            act()
    assert tree(manager.root) == before


def test_who_looks_again_reads_only_what_is_not_as_it_was(
    manager: MemoryManager, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for proposal in five(inbox):
        inbox.add(proposal)
    first = inbox.all()
    read: list[str] = []
    reading = manager.folder.read

    def counted(rel: str, *limit: int) -> FileImage:
        read.append(rel)
        return reading(rel, *limit)

    monkeypatch.setattr(manager.folder, "read", counted)
    assert inbox.all() == first
    assert read == []
    (path,) = [manager.root / each.rel for each in first[0] if each.kind == "create"]
    path.write_bytes(path.read_bytes().replace(b"two", b"ten"))
    waiting, broken = inbox.all()
    assert [each.code for each in broken] == ["altered"]
    assert len(waiting) == len(first[0]) - 1
    assert read == [path.relative_to(manager.root).as_posix()]


# -- what is only mended -----------------------------------------------------------------------------------------------


def written_long_ago(
    manager: MemoryManager, slug: str, description: str, body: str, *, modified: str = ""
) -> int:
    """A memory of 400 days ago, and its file's time."""
    path, then = manager.root / f"{slug}.md", int(NOW - 400 * 86_400) * 10**9
    dated = f"  modified: {modified}\n" if modified else ""
    head = (
        f"name: {slug}\ndescription: {description}\nmetadata:\n  node_type: memory\n  type: project\n{dated}"
    )
    path.write_text(f"---\n{head}---\n\n{body}\n", encoding="utf-8")
    os.utime(path, ns=(then, then))
    manager.reload()
    return then


@pytest.mark.parametrize("modified", ["", "2025-04-24T10:00:00.000Z"])
@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("", ""),
        (
            "- [Orders move](d.md) — blocked until next Thursday\n",
            "- [Orders move](d.md) — blocked until 2025-05-01\n",
        ),
        ("* ~~[Orders](d.md)~~: NOT next thursday!\n", "* ~~[Orders](d.md)~~: NOT on 2025-05-01!\n"),
        ("- [Orders](d.md) — said last week\n", "- [Orders](d.md) — said last week\n"),
        ("| [Orders](d.md) | next Thursday |\n", "| [Orders](d.md) | next Thursday |\n"),
    ],
)
def test_a_mended_memory_keeps_its_age_and_its_index_line(
    manager: MemoryManager, inbox: Inbox, line: str, mended: str, modified: str
) -> None:
    then = written_long_ago(
        manager, "d", "blocked until next Thursday", "It starts next Thursday.", modified=modified
    )
    index, memory = manager.root / "MEMORY.md", manager.root / "d.md"
    index.write_text(index.read_text(encoding="utf-8") + line, encoding="utf-8")
    was = index.read_text(encoding="utf-8"), memory.read_bytes(), memory.stat().st_mtime_ns
    age = manager.get("d").modified
    after = was[1].replace(b"until next Thursday", b"until 2025-05-01")
    after = after.replace(b"next Thursday", b"on 2025-05-01")
    inbox.add(proposal := inbox.propose_fix({"d": after}, WHY))
    shown = inbox.plan([proposal.id])
    inbox.accept(proposal.id, shown=shown)
    assert {edit.rel: edit.after for edit in shown.plan.edits}["d.md"] == memory.read_bytes() == after
    assert index.read_text(encoding="utf-8") == was[0].removesuffix(line) + mended
    manager.reload()
    assert (memory.stat().st_mtime_ns, manager.get("d").modified) == (then, age)
    manager.undo()
    assert (index.read_text(encoding="utf-8"), memory.read_bytes(), memory.stat().st_mtime_ns) == was


def test_a_fix_that_a_person_edited_says_something_new(manager: MemoryManager, inbox: Inbox) -> None:
    then = written_long_ago(manager, "d", "about d", "It starts next Thursday.")
    after = (manager.root / "d.md").read_bytes().replace(b"next Thursday", b"on 2025-05-01")
    inbox.add(proposal := inbox.propose_fix({"d": after}, WHY))
    inbox.accept(proposal.id, text=after.decode().replace("starts", "started"))
    assert (manager.root / "d.md").stat().st_mtime_ns > then


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (
            "Due next Friday.\nand yesterday",
            "Due on 2026-03-13.\nand 2026-03-04",
            {"next friday": "2026-03-13", "yesterday": "2026-03-04"},
        ),
        (
            "两周前迁移完成，下周四上线。",
            "2026-02-16 那一周迁移完成，2026-03-12上线。",
            {"两周前": "2026-02-16 那一周", "下周四": "2026-03-12"},
        ),
        ("yesterday\nyesterday", "2026-03-04\n2026-02-01", {}),
        ("Moved last week, see [[a]].", "Moved last week, see [[b]].", {}),
    ],
)
def test_the_days_that_a_text_was_mended_with_are_known(
    before: str, after: str, wanted: dict[str, str]
) -> None:
    assert days_written_out(before, after) == wanted
