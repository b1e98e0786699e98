"""Copying, moving and adopting memories between two directories: what arrives, what leaves, and undo of both."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from memtui.memory.document import frontmatter
from memtui.memory.document.scopes import team_is_off
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.transfer import (
    TransferPlan,
    carry_out_transfer,
    plan_adoption,
    plan_copy,
    plan_move,
)
from tests.crash.faults import Tree, tree, visible
from tests.unit import secret_makers

NOW = 1_780_000_000.0
DAY = 86_400.0


def opened(root: Path, convention: str = "claude", now: float = NOW) -> MemoryManager:
    return MemoryManager.open(root, convention, clock=lambda: now)


@pytest.fixture
def a(tmp_path: Path) -> MemoryManager:
    """Three memories; ``style`` has one old version and links to one that moves along and to one that does not."""
    manager = opened(tmp_path / "a", now=NOW - 10 * DAY)
    manager.folder.root.mkdir()
    manager.save_memory(
        "style", "Style", "how code looks", "feedback", "Four spaces, said in the first version."
    )
    manager.save_memory(
        "tools", "Tools", "what is used", "reference", "The linter is called often, see [[style]]."
    )
    manager.save_memory("local", "Local", "only here", "project", "A fact of this project, see [[style]].")
    text = "Four spaces. See [[tools]], [[local]] and [[never-was]]."
    manager.save_memory("style", "Style", "how code looks", "feedback", text)
    return opened(tmp_path / "a")


@pytest.fixture
def b(tmp_path: Path) -> MemoryManager:
    manager = opened(tmp_path / "b")
    manager.folder.root.mkdir()
    manager.save_memory(
        "other", "Other", "of the other project", "project", "Something quite different stands here."
    )
    return opened(tmp_path / "b")


def files(manager: MemoryManager) -> Tree:
    return visible(tree(manager.root))


def test_a_copy_brings_text_age_history_and_index_line_and_leaves_the_source_untouched(
    a: MemoryManager, b: MemoryManager
) -> None:
    before, whole = files(a), tree(a.root)
    result = carry_out_transfer(plan_copy(a, b, ["style"]), a, b)

    assert tree(a.root) == whole
    entry, origin = opened(b.root).get("style"), a.get("style")
    assert (entry.content, entry.modified, entry.mtime) == (origin.content, origin.modified, origin.mtime)
    assert entry.digest == origin.digest
    old = [version.entry for version in opened(b.root).versions("style") if not version.current]
    assert [(e.slug, e.content.strip()) for e in old] == [
        ("style_v1", "Four spaces, said in the first version.")
    ]
    assert "- [Style](style.md) — how code looks" in files(b)["MEMORY.md"].decode().splitlines()
    assert result.left is None
    assert result.arrived.elsewhere == ""

    b.undo()
    assert "style.md" not in files(b)
    assert "style" not in files(b)["MEMORY.md"].decode()
    assert files(a) == before


def test_a_copy_to_a_directory_that_is_not_there_makes_it(a: MemoryManager, tmp_path: Path) -> None:
    target = opened(tmp_path / "new" / "memory")
    carry_out_transfer(plan_copy(a, target, ["tools"]), a, target)
    assert files(target)["tools.md"] == files(a)["tools.md"]


def test_a_plan_writes_nothing_and_tells_links_that_lead_nowhere_there(
    a: MemoryManager, b: MemoryManager
) -> None:
    before = tree(a.root), tree(b.root)
    plan = plan_move(a, b, ["style", "tools"])
    assert (tree(a.root), tree(b.root)) == before
    style, tools = plan.passages
    assert (style.slug, style.new_slug, style.fate, style.versions) == ("style", "style", "new", 1)
    assert style.dangling == ("local", "never-was")
    assert tools.dangling == ()
    assert plan.leaving is not None
    assert plan.leaving.dangling == ("local",)


def test_a_move_takes_memory_history_and_index_line_out_of_the_source(
    a: MemoryManager, b: MemoryManager
) -> None:
    result = carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    left, arrived = files(a), files(b)
    assert "style.md" not in left
    assert ".memtui/history/style_v1.md" not in left
    assert "style.md" not in left["MEMORY.md"].decode()
    assert {"style.md", ".memtui/history/style_v1.md"} <= arrived.keys()
    assert result.left is not None
    assert (result.arrived.elsewhere, result.left.elsewhere) == (str(a.root), str(b.root))


@pytest.mark.parametrize("side", ["source", "target"])
def test_undo_of_a_move_on_either_side_puts_both_back_exactly_and_redo_makes_it_again(
    a: MemoryManager, b: MemoryManager, side: str
) -> None:
    before = files(a), files(b)
    carry_out_transfer(plan_move(a, b, ["style", "tools"]), a, b)
    after = files(a), files(b)

    manager = opened((a if side == "source" else b).root)
    other = b if side == "source" else a
    result = manager.undo()
    assert (files(a), files(b)) == before
    assert result.elsewhere == str(other.root)
    result = opened(other.root).redo()
    assert result.elsewhere == str(manager.root)
    gone, arrived = files(a), files(b)
    assert {rel: data for rel, data in gone.items() if "trash" not in rel} == {
        rel: data for rel, data in after[0].items() if "trash" not in rel
    }
    assert {rel: data for rel, data in arrived.items() if "trash" not in rel} == after[1]
    opened(b.root).undo()
    assert {rel: data for rel, data in files(a).items() if "trash" not in rel} == before[0]


def test_undo_of_a_move_is_refused_with_what_to_do_when_the_other_side_went_on(
    a: MemoryManager, b: MemoryManager
) -> None:
    carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    opened(a.root).save_memory(
        "later", "Later", "made since", "project", "Something that came after the move."
    )
    before = files(a), files(b)
    with pytest.raises(Conflict, match="other changes were made there since") as caught:
        opened(b.root).undo()
    assert caught.value.where == str(a.root)
    assert f"memtui undo --dir {a.root}" in caught.value.todo
    assert (files(a), files(b)) == before

    opened(a.root).undo()
    opened(b.root).undo()
    assert {"style.md", ".memtui/history/style_v1.md"} <= files(a).keys()


def test_undo_of_a_move_changes_neither_side_when_somebody_edited_what_arrived(
    a: MemoryManager, b: MemoryManager
) -> None:
    carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    path = b.root / "style.md"
    path.write_bytes(path.read_bytes() + b"an agent wrote on\n")
    before = files(b)
    with pytest.raises(Conflict, match="somebody else has changed this file") as caught:
        opened(a.root).undo()
    assert caught.value.where == str(path)
    assert files(b) == before
    assert "style.md" not in files(a)


def test_a_move_whose_source_is_gone_is_not_undone_into_nothing(a: MemoryManager, b: MemoryManager) -> None:
    carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    a.root.rename(a.root.parent / "elsewhere")
    with pytest.raises(Refused, match="moved from is gone"):
        opened(b.root).undo()
    assert "style.md" in files(b)


def test_a_copied_directory_undoes_its_half_alone_and_a_renamed_one_both(
    a: MemoryManager, b: MemoryManager
) -> None:
    carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    twin = b.root.parent / "twin"
    shutil.copytree(b.root, twin)
    before = files(a), files(b)
    opened(twin).undo()
    assert (files(a), files(b)) == before
    assert not (twin / "style.md").exists()

    renamed = b.root.rename(b.root.parent / "renamed")
    opened(renamed).undo()
    assert "style.md" in files(a)
    assert not (renamed / "style.md").exists()


def test_a_journal_that_names_another_directory_does_nothing_there_without_the_other_half(
    a: MemoryManager, b: MemoryManager
) -> None:
    carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    journal = b.root / ".memtui" / "journal.jsonl"
    victim = opened(b.root.parent / "victim")
    victim.root.mkdir()
    victim.save_memory(
        "mine", "Mine", "of nobody else", "project", "It has nothing to do with the move at all."
    )
    before = tree(victim.root)
    journal.write_bytes(journal.read_bytes().replace(str(a.root).encode(), str(victim.root).encode()))
    opened(b.root).undo()
    assert tree(victim.root) == before


def test_a_taken_slug_is_a_clash_until_it_gets_another_or_is_merged(
    a: MemoryManager, b: MemoryManager
) -> None:
    b.save_memory("style", "House style", "of b", "feedback", "Tabs are what this project uses everywhere.")
    plan = plan_move(a, b, ["style"])
    (clash,) = plan.clashes
    assert (clash.slug, clash.taken_by, clash.mergeable, clash.proposed) == (
        "style",
        "style",
        True,
        "style-2",
    )
    before = files(a), files(b)
    with pytest.raises(UsageError, match="'style' already"):
        carry_out_transfer(plan, a, b)
    assert (files(a), files(b)) == before

    renamed = plan_copy(a, b, ["style", "tools"], new_slugs={"style": "style-2"})
    assert renamed.clashes == ()
    carry_out_transfer(renamed, a, b)
    there = opened(b.root)
    assert there.get("style-2").content == a.get("style").content
    assert "see [[style-2]]" in there.get("tools").content
    assert [v.id for v in there.versions("style-2")] == ["current", "1"]


def test_a_merge_keeps_every_line_and_every_version_of_both(a: MemoryManager, b: MemoryManager) -> None:
    b.save_memory("style", "House style", "of b", "feedback", "Tabs are what this project uses everywhere.")
    plan = plan_move(a, b, ["style"], merge=["style"])
    assert [(p.fate, p.versions) for p in plan.passages] == [("merged", 1)]
    carry_out_transfer(plan, a, b)
    there = opened(b.root)
    text = there.get("style").content
    assert "Tabs are what" in text
    assert "Four spaces. See [[tools]]" in text
    assert there.get("style").name == "House style"
    old = {v.entry.content.strip() for v in there.versions("style") if not v.current}
    assert old == {
        "Tabs are what this project uses everywhere.",
        "Four spaces. See [[tools]], [[local]] and [[never-was]].",
        "Four spaces, said in the first version.",
    }


def test_what_is_there_word_for_word_only_leaves(a: MemoryManager, b: MemoryManager) -> None:
    carry_out_transfer(plan_copy(a, b, ["style"]), a, b)
    plan = plan_move(opened(a.root), opened(b.root), ["style"])
    assert [(p.fate, p.versions) for p in plan.passages] == [("same", 0)]
    assert plan.arriving.edits == ()
    before = files(b)
    carry_out_transfer(plan, opened(a.root), opened(b.root))
    assert files(b) == before
    assert "style.md" not in files(a)
    opened(a.root).undo()
    assert "style.md" in files(a)
    assert files(b) == before


def test_the_header_takes_the_shape_of_the_target_and_keeps_age_and_words(
    a: MemoryManager, tmp_path: Path
) -> None:
    flat = opened(tmp_path / "flat", "library")
    carry_out_transfer(plan_copy(a, flat, ["tools"]), a, flat)
    document = frontmatter.read((flat.root / "tools.md").read_bytes())
    assert (document.nested, document.status_text, document.type_text) == (False, "active", "reference")
    assert opened(flat.root, "library").get("tools").modified == a.get("tools").modified
    assert b"- [Tools](tools.md) \xe2\x80\x94 what is used (type: reference)" in files(flat)["MEMORY.md"]

    back = opened(tmp_path / "back")
    carry_out_transfer(plan_copy(opened(flat.root, "library"), back, ["tools"]), opened(flat.root), back)
    assert frontmatter.read((back.root / "tools.md").read_bytes()).nested is True
    assert opened(back.root).get("tools").content == a.get("tools").content


def test_a_header_with_unknown_keys_keeps_its_shape(a: MemoryManager, tmp_path: Path) -> None:
    path = a.root / "tools.md"
    path.write_bytes(path.read_bytes().replace(b"metadata:", b"owner: ada\nmetadata:"))
    flat = opened(tmp_path / "flat", "library")
    source = opened(a.root)
    carry_out_transfer(plan_copy(source, flat, ["tools"]), source, flat)
    assert (flat.root / "tools.md").read_bytes() == path.read_bytes()


def test_a_hand_written_index_line_travels(a: MemoryManager, b: MemoryManager) -> None:
    path = a.root / "MEMORY.md"
    path.write_text(
        path.read_text().replace("[Tools](tools.md) — what is used", "[Our tools](tools.md) — by hand")
    )
    source = opened(a.root)
    carry_out_transfer(plan_copy(source, b, ["tools"]), source, b)
    assert "- [Our tools](tools.md) — by hand" in files(b)["MEMORY.md"].decode().splitlines()


def test_secrets_are_told_of_and_what_says_the_same_is_named(a: MemoryManager, b: MemoryManager) -> None:
    (token, *_) = secret_makers.made(random.Random(1), "github-token")
    text = f"The linter is called often, see [[style]]. {token}"
    a.save_memory("keys", "Keys", "how to get in", "reference", text)
    b.save_memory("lint", "Lint", "a linter", "reference", "The linter is called often, see [[style]].")
    (keys,) = plan_copy(a, b, ["keys"]).passages
    (tools,) = plan_copy(a, b, ["tools"]).passages
    assert [secret.rule for secret in keys.secrets] == ["github-token"]
    assert tools.secrets == ()
    assert tools.alike is not None
    assert tools.alike.slug == "lint"


def test_a_move_to_itself_an_old_version_and_an_unknown_slug_are_refused(
    a: MemoryManager, b: MemoryManager
) -> None:
    link = b.root.parent / "link"
    link.symlink_to(a.root)
    for target in (a, opened(link)):
        with pytest.raises(UsageError, match="the same directory"):
            plan_move(a, target, ["style"])
    with pytest.raises(UsageError, match="an old version"):
        plan_copy(a, b, ["style_v1"])
    with pytest.raises(UsageError, match="no memory 'nope'"):
        plan_copy(a, b, ["nope"])


def test_a_move_of_what_changed_since_it_was_shown_writes_nothing(a: MemoryManager, b: MemoryManager) -> None:
    plan = plan_move(a, b, ["style"])
    path = a.root / "style.md"
    path.write_bytes(path.read_bytes() + b"more\n")
    before = files(a), files(b)
    with pytest.raises(Conflict, match="changed since the change was shown"):
        carry_out_transfer(plan, a, b)
    assert (files(a), files(b)) == before


def test_a_move_out_of_a_directory_that_is_read_only_writes_nothing(
    a: MemoryManager, b: MemoryManager
) -> None:
    source = MemoryManager.open(a.root, "claude", clock=lambda: NOW, read_only=True)
    before = files(b)
    with pytest.raises(Refused, match="read-only"):
        carry_out_transfer(plan_move(source, b, ["style"]), source, b)
    assert files(b) == before


def test_adoption_takes_everything_over_in_one_step_and_leaves_the_old_store_alone(
    a: MemoryManager, tmp_path: Path
) -> None:
    a.forget("tools")
    a.save_memory("passing", "Passing", "here today", "project", "It is forgotten again in a moment.")
    a.save_memory("passing", "Passing", "here today", "project", "Its first version is kept for ever.")
    a.forget("passing")
    index = a.root / "MEMORY.md"
    index.write_text(f"# What we know\n\n{index.read_text()}\nSome prose.\n")
    old, new = opened(a.root), opened(tmp_path / "renamed")
    whole = tree(a.root)
    result = carry_out_transfer(plan_adoption(old, new), old, new)
    assert tree(a.root) == whole
    assert set(result.arrived.slugs) == {"style", "local"}
    got = files(new)
    assert got["MEMORY.md"] == index.read_bytes()
    assert got["style.md"] == files(a)["style.md"]
    assert {".memtui/history/style_v1.md", ".memtui/history/passing_v1.md"} <= got.keys()
    opened(new.root).undo()
    assert files(new) == {}


def test_adoption_into_a_store_with_memories_of_its_own_adds_to_its_index(
    a: MemoryManager, b: MemoryManager
) -> None:
    before = files(b)["MEMORY.md"].decode()
    carry_out_transfer(plan_adoption(a, b), a, b)
    text = files(b)["MEMORY.md"].decode()
    assert text.startswith(before)
    assert {e.slug for e in opened(b.root).entries() if e.is_active} == {"style", "tools", "local", "other"}
    assert all(f"]({slug}.md)" in text for slug in ("style", "tools", "local"))


def test_an_empty_store_cannot_be_adopted(b: MemoryManager, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no memories in force"):
        plan_adoption(opened(tmp_path / "nothing"), b)


def test_a_version_out_of_the_trash_comes_back_without_an_index_line(
    a: MemoryManager, b: MemoryManager
) -> None:
    carry_out_transfer(plan_move(a, b, ["style"]), a, b)
    manager = opened(a.root)
    (record,) = [record for record in manager.trash() if record.tie is not None]
    rel = next(trash for trash, was in record.trashed.items() if "_v1" in was)
    before = files(a)["MEMORY.md"]
    manager.restore_trashed(rel)
    assert ".memtui/history/style_v1.md" in files(a)
    assert files(a)["MEMORY.md"] == before


def test_what_is_proposed_for_several_clashes_can_be_taken_together(tmp_path: Path) -> None:
    a, b = opened(tmp_path / "a"), opened(tmp_path / "b")
    for root, slugs in ((a.root, ("x/tea", "y/tea", "tea-2")), (b.root, ("x/tea", "y/tea", "tea"))):
        for slug in slugs:
            (root / slug).parent.mkdir(parents=True, exist_ok=True)
            text = f"---\nname: {slug}\ndescription: d\ntype: project\n---\n{root.name} says {slug}\n"
            (root / f"{slug}.md").write_text(text)
    a, b = opened(a.root), opened(b.root)
    plan = plan_adoption(a, b)
    proposed = {clash.slug: clash.proposed for clash in plan.clashes}
    assert sorted(proposed) == ["x/tea", "y/tea"]
    assert sorted(proposed.values()) == ["tea-3", "tea-4"]
    again = plan_adoption(a, b, new_slugs=proposed)
    assert again.clashes == ()
    assert {passage.new_slug for passage in again.passages} == {"tea-2", "tea-3", "tea-4"}


# -- how much work it is ------------------------------------------------------------------------------------------------


def store_of(root: Path, count: int, prefix: str) -> MemoryManager:
    """So many memories that have nothing in common, each second one with an old version, each with two links."""
    (root / ".memtui" / "history").mkdir(parents=True)
    lines = []
    for at in range(count):
        rng = random.Random(f"{prefix}{at}")
        words = " ".join("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(12))
        header = f"---\nname: {prefix}-{at}\ndescription: d\nmetadata:\n  type: project\n---\n\n"
        text = f"{header}{words} [[{prefix}-{(at + 1) % count}]] [[nowhere]]\n"
        (root / f"{prefix}-{at}.md").write_text(text)
        if at % 2:
            (root / ".memtui" / "history" / f"{prefix}-{at}_v1.md").write_text(f"{header}{words[:40]}\n")
        lines.append(f"- [{prefix}-{at}]({prefix}-{at}.md) — d\n")
    (root / "MEMORY.md").write_text("".join(lines))
    return opened(root)


def calls_of_an_adoption(tmp_path: Path, count: int, mine: str, *, merge: bool) -> int:
    """Python functions called while an adoption of so many memories is planned."""
    old, new = store_of(tmp_path / f"old-{count}", count, "was"), opened(tmp_path / f"new-{count}")
    if mine:
        new = store_of(tmp_path / f"new-{count}", count, mine)
    merged = [f"was-{at}" for at in range(count)] if merge else []
    calls = 0

    def count_calls(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count_calls)
    try:
        plan = plan_adoption(old, new, merge=merged)
    finally:
        sys.setprofile(before)
    assert len(plan.passages) + len(plan.clashes) == count
    return calls


@pytest.mark.parametrize(
    ("mine", "merge"), [("", False), ("other", False), ("was", True), ("wAS", False)], ids=str
)
def test_a_memory_more_is_as_much_work_in_a_large_adoption_as_in_a_small_one(
    tmp_path: Path, mine: str, merge: bool
) -> None:
    small, middle, large = (
        calls_of_an_adoption(tmp_path, count, mine, merge=merge) for count in (8, 40, 136)
    )
    assert (large - middle) / 96 < 1.25 * (middle - small) / 32


@pytest.mark.parametrize("plan", [plan_copy, plan_move])
def test_a_memory_of_the_team_goes_to_another_store_only_where_new_ones_are_switched_on(
    a: MemoryManager, b: MemoryManager, plan: Callable[..., TransferPlan]
) -> None:
    a.save_memory("team/rules", "Rules", "of all of us", "project", "Reviews take a day at most.")
    b.planner.team_off = lambda: team_is_off(b.root)
    before = files(b)
    for named in ({}, {"local": "team/local"}):
        with pytest.raises(Refused, match="team memory is switched off"):
            plan(a, b, ["local", "team/rules"] if not named else ["local"], new_slugs=named)
    assert files(b) == before
    plan(a, b, ["local"])
    b.planner.team_off = lambda: None
    assert plan(a, b, ["team/rules"]).slugs == ("team/rules",)
    carry_out_transfer(plan(a, b, ["team/rules"]), a, b)
    b.planner.team_off = lambda: team_is_off(b.root)
    a.save_memory("team/rules", "Rules", "of all of us", "project", "Reviews take an hour at most.")
    assert plan(a, b, ["team/rules"], merge=["team/rules"]).slugs == ("team/rules",), (
        "it is the team's there already"
    )
