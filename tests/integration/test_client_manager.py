"""Against the released client: after every kind of change it lists exactly the active memories, and loads our index.

Spec §2 (versions out of its sight), §3 (effective time), §6 (what a reader gets).
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.memory.index.entrypoint import truncate_entrypoint
from memtui.memory.managing.manager import MemoryManager
from tests.integration import client as released

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(released.binary() is None, reason=f"{released.VARIABLE} names no client"),
]

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC).timestamp()
TEXTS = {
    "release-freeze": (
        "Release freeze",
        "no merges after the 5th",
        "project",
        "Merges stop on the 5th.\n\n---\n\nReally.",
    ),
    "用户角色": ("用户角色", "天体物理学博士后: 研究恒星演化", "user", "默认使用天体物理学术语。"),
    "test-policy": (
        "Test policy",
        "real database, `never` a mock # 1",
        "feedback",
        "See [[release-freeze]].",
    ),
    "dashboards": ("Dashboards 📈", "'quoted' and \"double\"", "reference", "https://example.org/board"),
    "twin": ("Twin", "yes", "project", "Merges stop on the 5th of May."),
}


@pytest.fixture
def manager(tmp_path: Path) -> MemoryManager:
    root = tmp_path / "memory"
    root.mkdir()
    clock = iter(NOW + minute * 60 for minute in range(10_000))
    made = MemoryManager.open(root, "claude", clock=lambda: next(clock))
    (root / "feedback_flat_v3.md").write_text(
        "---\nname: Flat\ndescription: Rule: run twice\ntype: feedback\n---\nb\n"
    )
    (root / "sub").mkdir()
    (root / "sub" / "deep.md").write_text(
        "---\nname: Deep\ndescription: d\nmetadata: \n  type: user\n---\nb\n"
    )
    made.reload()
    for slug, (name, description, kind, content) in TEXTS.items():
        made.save_memory(slug, name, description, kind, content)
    return made


def agree(manager: MemoryManager) -> None:
    """The client and we say the same of every memory, and of the index."""
    theirs = {
        memory["name"]: (memory["description"], memory["type"], memory["modified_ms"])
        for memory in released.list_memories(manager.root)
        if memory["name"] != "MEMORY.md"
    }
    again = MemoryManager.open(manager.root, "claude")
    ours = {
        entry.rel: (
            entry.description,
            entry.memory_type and str(entry.memory_type),
            pytest.approx(entry.modified * 1000, abs=1),
        )
        for entry in again.entries()
        if entry.is_active
    }
    assert theirs == ours
    loaded = released.loaded_index(manager.root)
    expected = truncate_entrypoint(again.directory.index_text, "utf16")
    assert (loaded or "").startswith(expected)


def test_after_saves_updates_forgets_merges_renames_restores_and_undo(manager: MemoryManager) -> None:
    manager.save_memory(
        "release-freeze", "Release freeze", "no merges after the 7th", "project", "Now the 7th."
    )
    agree(manager)
    manager.forget("dashboards")
    manager.merge(["twin"], "release-freeze", "Release freeze", "when merges stop", "project", "On the 7th.")
    agree(manager)
    manager.restore("release-freeze", 1)
    manager.rename("test-policy", "policy")
    manager.edit_memory("sub/deep", memory_type="reference")
    manager.still_true("用户角色")
    agree(manager)
    while manager.undoable():
        manager.undo()
    agree(manager)
    assert {e.slug for e in manager.entries() if e.is_active} == {"feedback_flat_v3", "sub/deep"}


@pytest.mark.parametrize(
    "description",
    [
        "short",
        "a description of ordinary length " * 5,
        "天体物理学博士后" * 20,
        "天体 物理 " * 30,
        "🚀🌟" * 40,
        "🚀 🌟 " * 40,
    ],
)
def test_over_the_limits_in_every_script(manager: MemoryManager, description: str) -> None:
    """201 lines and more: the client loads exactly what ``truncate_entrypoint`` says."""
    lines = [f"- [Memory {n}](m{n}.md) — {description.strip()}" for n in range(230)]
    (manager.root / "MEMORY.md").write_text("# Index\n\n" + "\n".join(lines) + "\n")
    agree(manager)
