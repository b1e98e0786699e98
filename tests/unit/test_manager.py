"""Spec §5: save, versions, forget, restore, merge, rename, undo and redo, conflicts, in both conventions."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.errors import Busy, Conflict, MemtuiError, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.quality import TooShort
from tests.unit.conftest import DAY, NOW, Clock

Open = Callable[..., MemoryManager]
BOTH = pytest.mark.parametrize("convention", ["library", "claude"])


def tree(root: Path) -> dict[str, bytes]:
    """Every file below ``root`` but our own bookkeeping; archives and trash count."""
    return {
        rel: path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and (
            not (rel := path.relative_to(root).as_posix()).startswith(".memtui/")
            or rel.startswith(".memtui/history/")
        )
    }


def save(
    manager: MemoryManager,
    slug: str = "release-freeze",
    content: str = "No merges after the 5th.",
    **more: str,
) -> None:
    fields = {"name": "Release freeze", "description": "when merges stop", "memory_type": "project", **more}
    manager.save_memory(slug, content=content, **fields)


def test_spec_5_a_new_memory_of_a_library(open_manager: Open) -> None:
    manager = open_manager("library")
    result = manager.save_memory(
        "user-role", "用户角色", "天体物理学博士后", "user", "研究恒星演化与双星系统。"
    )
    assert result.outcome == "created"
    assert (manager.root / "user-role.md").read_text() == (
        "---\nname: 用户角色\ndescription: 天体物理学博士后\ntype: user\nstatus: active\n---\n\n研究恒星演化与双星系统。\n"
    )
    assert (
        manager.root / "MEMORY.md"
    ).read_text() == "- [用户角色](user-role.md) — 天体物理学博士后 (type: user)\n"


def test_spec_5_a_new_memory_of_a_claude_store(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    text = (manager.root / "release-freeze.md").read_text()
    assert text.startswith(
        "---\nname: Release freeze\ndescription: when merges stop\nmetadata:\n  node_type: memory\n"
    )
    assert "  type: project\n" in text
    assert (
        manager.root / "MEMORY.md"
    ).read_text() == "- [Release freeze](release-freeze.md) — when merges stop\n"
    assert manager.get("release-freeze").modified == NOW


def test_spec_2_a_claude_store_of_flat_files_gets_a_flat_one(open_manager: Open) -> None:
    manager = open_manager("claude")
    for n in range(3):
        (manager.root / f"f{n}.md").write_text(
            f"---\nname: f{n}\ndescription: d\ntype: user\n---\nbody {n}\n"
        )
    manager.reload()
    save(manager)
    assert "\ntype: project\n" in (manager.root / "release-freeze.md").read_text()


@BOTH
def test_spec_5_an_update_archives_the_version_in_force_for_ever(
    open_manager: Open, clock: Clock, convention: str
) -> None:
    manager = open_manager(convention)
    for n in range(3):
        save(manager, content=f"No merges after day {n}.")
        clock.forward(1)
    manager.reload()
    assert [v.id for v in manager.versions("release-freeze")] == ["current", "2", "1"]
    assert [v.entry.content.strip() for v in manager.versions("release-freeze")] == [
        "No merges after day 2.", "No merges after day 1.", "No merges after day 0.",
    ]  # fmt: skip
    archive = manager.versions("release-freeze")[1].entry
    assert archive.superseded_by == "release-freeze"
    place = manager.root if convention == "library" else manager.root / ".memtui/history"
    assert archive.path == place / "release-freeze_v2.md"
    assert [e.slug for e in manager.entries() if e.is_active] == ["release-freeze"]


def test_spec_5_the_archive_keeps_its_age(open_manager: Open) -> None:
    manager = open_manager("library")
    save(manager)
    os.utime(manager.root / "release-freeze.md", (NOW - 40 * DAY, NOW - 40 * DAY))
    manager.reload()
    save(manager, content="Something else altogether.")
    assert manager.versions("release-freeze")[1].entry.mtime == NOW - 40 * DAY


@BOTH
def test_spec_4_saving_without_a_change_alters_nothing(open_manager: Open, convention: str) -> None:
    manager = open_manager(convention)
    save(manager)
    before = tree(manager.root)
    entry = manager.get("release-freeze")
    result = manager.save_memory(
        entry.slug, entry.name, entry.description, "project", entry.content, based_on=entry.digest
    )
    assert result.outcome == "unchanged"
    assert result.record_id == 0
    assert tree(manager.root) == before


def test_spec_4_editing_one_field_alters_one_line(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude")
    raw = (
        b"\xef\xbb\xbf---\r\n# mine\r\nname: 'A name'\r\ndescription: old words\r\nmetadata: \r\n  type: user\r\n"
        b"custom: [1, 2]\r\n---\r\n\r\nBody line\r\n\r\n---\r\nmore"
    )
    (manager.root / "odd_Name.md").write_bytes(raw)
    (manager.root / "MEMORY.md").write_bytes(b"# Mine\r\n- ~~[A](odd_Name.md)~~ hand-written\r\n")
    manager.reload()
    entry = manager.get("odd_Name")
    manager.save_memory("odd_Name", entry.name, "new words", "user", entry.content)
    assert (manager.root / "odd_Name.md").read_bytes() == raw.replace(b"old words", b"new words")


def test_measured_a_hand_written_index_line_stays_when_only_the_body_changes(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    (manager.root / "MEMORY.md").write_text("# Mine\n- [Freeze!](release-freeze.md) — my own words\nprose\n")
    save(manager, content="No merges after the 7th.")
    assert (
        manager.root / "MEMORY.md"
    ).read_text() == "# Mine\n- [Freeze!](release-freeze.md) — my own words\nprose\n"
    save(manager, content="No merges after the 7th.", description="the new date")
    assert (manager.root / "MEMORY.md").read_text() == (
        "# Mine\n- [Release freeze](release-freeze.md) — the new date\nprose\n"
    )


@BOTH
def test_second_seed_forget_removes_memory_and_index_line_and_undo_brings_both_back(
    open_manager: Open, convention: str
) -> None:
    manager = open_manager(convention)
    save(manager)
    save(manager, "other", "See [[release-freeze]] for the date.", name="Other")
    before = tree(manager.root)
    result = manager.forget("release-freeze")
    assert result.dangling == ("other",)
    assert not (manager.root / "release-freeze.md").exists()
    assert "release-freeze" not in (manager.root / "MEMORY.md").read_text()
    assert [p.read_bytes() for p in (manager.root / ".memtui/trash").iterdir()] == [
        before["release-freeze.md"]
    ]
    assert manager.undo().label.startswith("forget")
    assert tree(manager.root) == before
    assert manager.get("release-freeze").is_active
    manager.redo()
    assert not (manager.root / "release-freeze.md").exists()


@BOTH
def test_spec_5_restore_makes_an_old_version_current_and_archives_the_one_in_force(
    open_manager: Open, clock: Clock, convention: str
) -> None:
    manager = open_manager(convention)
    save(manager, content="first text of it")
    clock.forward(1)
    save(manager, content="second text of it")
    clock.forward(1)
    manager.restore("release-freeze", 1)
    assert manager.get("release-freeze").content.strip() == "first text of it"
    assert manager.get("release-freeze").is_active
    assert [v.id for v in manager.versions("release-freeze")] == ["current", "2", "1"]
    text = (manager.root / "release-freeze.md").read_text()
    assert "historical" not in text
    assert "superseded_by" not in text


def test_spec_5_a_forgotten_memory_can_be_restored_from_the_trash_later(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    before = tree(manager.root)
    manager.forget("release-freeze")
    save(manager, "other", "Another thing entirely.", name="Other")
    record = manager.trash()[0]
    manager.restore_trashed(next(iter(record.trashed)))
    assert tree(manager.root)["release-freeze.md"] == before["release-freeze.md"]
    assert "(release-freeze.md)" in (manager.root / "MEMORY.md").read_text()


@BOTH
def test_spec_5_merge_makes_the_sources_old_versions_and_repoints_links(
    open_manager: Open, clock: Clock, convention: str
) -> None:
    manager = open_manager(convention)
    for slug in ("freeze-a", "freeze-b", "linker"):
        save(manager, slug, f"Text of {slug}; see [[freeze-a]] and [[freeze-b|the other]].", name=slug)
        clock.forward(1)
    linker_age = manager.get("linker").mtime
    before = tree(manager.root)
    manager.merge(["freeze-a", "freeze-b"], "freeze-a", "Freeze", "both", "project", "One text.")
    active = {e.slug for e in manager.entries() if e.is_active}
    assert active == {"freeze-a", "linker"}
    assert "[[freeze-a]] and [[freeze-a|the other]]" in manager.get("linker").content
    assert manager.get("linker").mtime == linker_age
    assert {v.entry.slug for v in manager.versions("freeze-a")} == {"freeze-a", "freeze-a_v1", "freeze-b_v1"}
    index = (manager.root / "MEMORY.md").read_text()
    assert "freeze-b.md" not in index
    assert index.count("](freeze-a.md)") == 1
    manager.undo()
    assert tree(manager.root) == before
    manager.redo()
    assert {e.slug for e in manager.entries() if e.is_active} == {"freeze-a", "linker"}


@BOTH
def test_spec_5_rename_takes_links_index_and_history_along(open_manager: Open, convention: str) -> None:
    manager = open_manager(convention)
    save(manager, content="first text of it")
    save(manager, content="second text of it")
    save(manager, "linker", "See [[release-freeze]].", name="Linker")
    before = tree(manager.root)
    manager.rename("release-freeze", "merge-freeze")
    assert manager.get("merge-freeze").content.strip() == "second text of it"
    assert "[[merge-freeze]]" in manager.get("linker").content
    assert "](merge-freeze.md)" in (manager.root / "MEMORY.md").read_text()
    assert "](release-freeze.md)" not in (manager.root / "MEMORY.md").read_text()
    assert [v.entry.content.strip() for v in manager.versions("merge-freeze")].count("first text of it") == 1
    with pytest.raises(UsageError):
        manager.rename("linker", "merge-freeze")
    manager.undo()
    assert tree(manager.root) == before


def test_spec_5_still_true_stamps_modified_and_nothing_else(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude")
    save(manager)
    before = (manager.root / "release-freeze.md").read_text()
    clock.forward(40)
    manager.still_true("release-freeze")
    assert manager.get("release-freeze").modified == clock.now
    after = (manager.root / "release-freeze.md").read_text()
    assert len(set(before.splitlines()) ^ set(after.splitlines())) == 2
    assert len(manager.versions("release-freeze")) == 1
    (manager.root / "flat.md").write_text("---\nname: flat\ndescription: d\ntype: user\n---\nb\n")
    os.utime(manager.root / "flat.md", (NOW - 90 * DAY, NOW - 90 * DAY))
    manager.reload()
    raw = (manager.root / "flat.md").read_bytes()
    manager.still_true("flat")
    assert (manager.root / "flat.md").read_bytes() == raw
    assert manager.get("flat").mtime == clock.now
    manager.undo()
    assert manager.get("flat").mtime == NOW - 90 * DAY


@BOTH
def test_spec_5_undo_and_redo_hold_across_restarts_byte_for_byte(open_manager: Open, convention: str) -> None:
    manager = open_manager(convention)
    states = [tree(manager.root)]
    save(manager, content="first text of it")
    states.append(tree(manager.root))
    save(manager, content="second text of it")
    states.append(tree(manager.root))
    manager.edit_memory("release-freeze", memory_type="reference")
    states.append(tree(manager.root))
    manager.forget("release-freeze")
    states.append(tree(manager.root))
    for state in reversed(states[:-1]):
        again = open_manager(convention)
        assert again.undoable() is not None
        again.undo()
        assert tree(again.root) == state
    assert open_manager(convention).undoable() is None
    for state in states[1:]:
        again = open_manager(convention)
        again.redo()
        assert tree(again.root) == state
    with pytest.raises(UsageError, match="nothing to redo"):
        open_manager(convention).redo()


def test_spec_5_undo_is_refused_when_somebody_else_changed_the_file_since(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    path = manager.root / "release-freeze.md"
    path.write_text(path.read_text() + "an agent's line\n")
    before = tree(manager.root)
    with pytest.raises(Conflict) as caught:
        manager.undo()
    assert caught.value.theirs is not None
    assert b"an agent's line" in caught.value.theirs
    assert tree(manager.root) == before


def test_spec_5_a_save_based_on_another_version_is_a_conflict_with_all_three_texts(
    open_manager: Open,
) -> None:
    manager = open_manager("claude")
    save(manager)
    entry = manager.get("release-freeze")
    path = manager.root / "release-freeze.md"
    path.write_text(path.read_text().replace("5th", "6th"))
    before = tree(manager.root)
    with pytest.raises(Conflict) as caught:
        manager.save_memory(
            entry.slug, entry.name, entry.description, "project", "mine", based_on=entry.digest
        )
    error = caught.value
    assert error.exit_code == 3
    assert error.base is not None
    assert b"5th" in error.base
    assert error.mine is not None
    assert b"mine" in error.mine
    assert error.theirs is not None
    assert b"6th" in error.theirs
    assert tree(manager.root) == before


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"slug": "../up"}, "slug"), ({"slug": "Not Good"}, "slug"), ({"memory_type": "wish"}, "memory_type"),
        ({"name": "  "}, "name"), ({"description": ""}, "description"), ({"content": "\n \n"}, "content"),
        ({"content": "x" * (1 << 20)}, "content"),
    ],
)  # fmt: skip
def test_spec_12_bad_input_names_the_field_and_changes_nothing(
    open_manager: Open, change: dict[str, str], where: str
) -> None:
    manager = open_manager("claude")
    good = {
        "slug": "a",
        "name": "A",
        "description": "d",
        "memory_type": "user",
        "content": "a text that is long enough",
    }
    with pytest.raises(UsageError) as caught:
        manager.save_memory(**{**good, **change})
    assert caught.value.where == where
    assert caught.value.exit_code == 2
    assert tree(manager.root) == {}


def test_spec_5_an_old_version_can_neither_be_forgotten_nor_saved_over(open_manager: Open) -> None:
    manager = open_manager("library")
    save(manager, content="first text of it")
    save(manager, content="second text of it")
    with pytest.raises(UsageError, match="kept for ever"):
        manager.forget("release-freeze_v1")
    with pytest.raises(UsageError, match="old version of 'release-freeze'"):
        save(manager, "release-freeze_v1")


def test_spec_2_a_live_file_named_like_a_version_is_live_and_its_number_is_taken(open_manager: Open) -> None:
    manager = open_manager("library")
    save(manager, content="first text of it")
    (manager.root / "release-freeze_v1.md").write_text(
        "---\nname: live\ndescription: d\ntype: user\n---\nalive\n"
    )
    manager.reload()
    save(manager, content="second text of it")
    assert manager.get("release-freeze_v1").is_active
    assert [v.entry.slug for v in manager.versions("release-freeze")] == [
        "release-freeze",
        "release-freeze_v2",
    ]


def test_spec_5_looking_leaves_no_trace(open_manager: Open) -> None:
    manager = open_manager("claude")
    (manager.root / "a.md").write_text("---\nname: a\ndescription: d\ntype: user\n---\nb\n")
    manager.reload()
    manager.entries()
    manager.build_system_reminder()
    manager.undoable()
    manager.activity()
    manager.audit.rows()
    with manager.try_lock() as held:
        assert held
    assert [p.name for p in manager.root.iterdir()] == ["a.md"]


def test_spec_11_loading_never_blocks_when_the_lock_is_held(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    other = open_manager("claude")
    with other.folder.lock(), manager.try_lock() as held:
        assert not held
    with manager.try_lock() as held:
        assert held


def test_a_read_only_manager_refuses_every_change(open_manager: Open) -> None:
    save(open_manager("claude"))
    manager = open_manager("claude", read_only=True)
    with pytest.raises(Refused, match="read-only"):
        save(manager, content="another text")
    with pytest.raises(Refused, match="read-only"):
        manager.undo()


def test_a_missing_directory_says_so(tmp_path: Path, clock: Clock) -> None:
    manager = MemoryManager.open(tmp_path / "gone", clock=clock)
    assert manager.entries() == ()
    with pytest.raises(Refused, match="no such directory"):
        manager.forget("a")
    with pytest.raises(Refused, match="no such directory"):
        manager.rebuild_index()
    assert not (tmp_path / "gone").exists()
    save(manager)
    assert (tmp_path / "gone" / "release-freeze.md").exists()


def test_an_unknown_slug_suggests_the_nearest(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    with pytest.raises(UsageError, match="Did you mean 'release-freeze'"):
        manager.get("release-freez")


def test_seed_the_constructor_makes_the_memory_folder(tmp_path: Path, clock: Clock) -> None:
    manager = MemoryManager(tmp_path / "library", clock=clock, lang="zh")
    save(manager)
    assert (tmp_path / "library" / "memory" / "release-freeze.md").exists()
    assert "[项目] Release freeze: when merges stop" in manager.build_system_reminder()


def test_save_reports_quality_and_the_duplicate(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager, content="Integration tests must hit a real database, never a mock.")
    result = manager.save_memory(
        "twin", "Twin", "d", "feedback", "Integration tests must hit a real database, never mocks."
    )
    assert result.duplicate is not None
    assert result.duplicate.slug == "release-freeze"
    short = manager.save_memory("short", "Short", "d", "user", "tiny")
    assert [finding.check for finding in short.quality] == [TooShort(4)]


def test_a_header_that_cannot_be_edited_is_written_anew_and_kept_as_it_was(open_manager: Open) -> None:
    manager = open_manager("library")
    broken = b"---\nname: a\nno end of header\n"
    (manager.root / "a.md").write_bytes(broken)
    manager.reload()
    save(manager, "a", "A new and proper text.")
    assert (manager.root / ".memtui/history/a_v1.md").read_bytes() == broken
    assert [v.id for v in manager.versions("a")] == ["current", "1"]


def test_busy_directory_is_told_apart(open_manager: Open, clock: Clock) -> None:
    manager, other = open_manager("claude"), open_manager("claude")
    save(manager)
    manager.lock_seconds = 0.05
    with other.folder.lock(), pytest.raises(Busy):
        save(manager, content="another text")


def test_spec_6_a_library_index_over_its_limit_rotates_the_oldest_out(
    open_manager: Open, clock: Clock
) -> None:
    manager = open_manager("library")
    lines = [f"- [M{n}](m{n}.md) — d (type: user)" for n in range(200)]
    for n in range(200):
        path = manager.root / f"m{n}.md"
        path.write_text(f"---\nname: M{n}\ndescription: d\ntype: user\n---\ntext of {n}\n")
        os.utime(path, (NOW - n * DAY, NOW - n * DAY))
    (manager.root / "MEMORY.md").write_text("\n".join(lines) + "\n")
    manager.reload()
    save(manager)
    index = (manager.root / "MEMORY.md").read_text()
    assert "](release-freeze.md)" in index
    assert "](m199.md)" not in index
    assert "](m0.md)" in index
    assert len(index.splitlines()) <= 200


def test_spec_10_a_broken_claim_is_a_line_in_the_reminder(open_manager: Open, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    (project / "tests" / "conftest.py").write_text("def fixture(): ...\n")
    manager = open_manager("claude", project_root=project)
    save(manager, content="Fixtures are in `tests/conftest.py`, the slow ones in `tests/slow_fixtures.py`.")
    assert manager.broken_claims(manager.entries()) == {"release-freeze": ("tests/slow_fixtures.py",)}
    marked = [line for line in manager.build_system_reminder().splitlines() if "✗" in line]
    assert len(marked) == 1
    assert "tests/slow_fixtures.py" in marked[0]
    assert "conftest" not in marked[0]


@pytest.mark.parametrize(
    "raw",
    [
        "---\nname: 用户\u3000角色\ndescription: a  b\u00a0c\ntype: user\n---\n\nbody text of this one\n",
        "---\nname: |\n  two\n  lines\ndescription: >-\n  folded\n  text\nmetadata:\n  type: user\n---\nbody\n",
        "---\ndescription: no name here\ntype: user\n---\n\nbody\n",
        "---\nname: ''\ndescription:   spaced   # comment\ntype: user\n---\nbody",
        "no header at all\n",
        "---\nname: n\ntype: Preference\n---\nbody\n",
    ],
)
def test_spec_4_saving_fields_as_they_were_read_alters_no_byte(open_manager: Open, raw: str) -> None:
    manager = open_manager("claude")
    (manager.root / "odd.md").write_text(raw)
    (manager.root / "MEMORY.md").write_text("- [Mine](odd.md) — by hand\n")
    manager.reload()
    before = tree(manager.root)
    entry = manager.get("odd")
    if entry.name != "odd" and entry.description and entry.memory_type:
        same = manager.save_memory(
            "odd", entry.name, entry.description, str(entry.memory_type), entry.content
        )
        assert same.outcome == "unchanged"
    assert manager.edit_memory("odd", content=entry.content).outcome == "unchanged"
    assert tree(manager.root) == before


def test_spec_3_one_field_of_a_memory_with_an_unknown_type_can_be_edited(open_manager: Open) -> None:
    manager = open_manager("claude")
    raw = "---\nname: n\ntype: Preference\n---\nbody of it\n"
    (manager.root / "odd.md").write_text(raw)
    (manager.root / "plain.md").write_text("Plain file, no header\n")
    manager.reload()
    manager.edit_memory("odd", description="now with words")
    assert (manager.root / "odd.md").read_text() == raw.replace(
        "name: n\n", "name: n\ndescription: now with words\n"
    )
    manager.edit_memory("plain", description="a plain one")
    assert manager.get("plain").description == "a plain one"
    assert manager.get("plain").content.strip() == "Plain file, no header"


def test_spec_4_an_edit_that_cannot_be_made_safely_is_refused(open_manager: Open) -> None:
    manager = open_manager("claude")
    broken = b"---\nname: a\nno end of header\n"
    (manager.root / "a.md").write_bytes(broken)
    manager.reload()
    with pytest.raises(MemtuiError):
        manager.edit_memory("a", description="new words")
    assert tree(manager.root) == {"a.md": broken}


def test_a_memory_is_not_changed_through_a_link_to_it(open_manager: Open) -> None:
    manager = open_manager("claude")
    save(manager)
    (manager.root / "link.md").symlink_to("release-freeze.md")
    manager.reload()
    before = tree(manager.root)
    for change in (
        lambda: save(manager, "link", "through the link"),
        lambda: manager.still_true("link"),
        lambda: manager.rename("link", "other"),
        lambda: manager.forget("link"),
    ):
        with pytest.raises(UsageError, match="link to 'release-freeze'"):
            change()
    assert tree(manager.root) == before


def test_half_a_character_is_a_usage_error_that_names_the_field(open_manager: Open) -> None:
    manager = open_manager("claude")
    for field in ("name", "description", "content"):
        with pytest.raises(UsageError, match="half a character") as caught:
            save(manager, **{"content": "a text of some length", field: "x\ud83d"})
        assert caught.value.where == field


def test_spec_6_in_a_claude_directory_nothing_rotates_without_being_asked(open_manager: Open) -> None:
    manager = open_manager("claude")
    lines = [f"- [M{n}](m{n}.md) — d" for n in range(260)]
    (manager.root / "MEMORY.md").write_text("\n".join(lines) + "\n")
    save(manager)
    assert (manager.root / "MEMORY.md").read_text().splitlines() == [
        *lines,
        "- [Release freeze](release-freeze.md) — when merges stop",
    ]
