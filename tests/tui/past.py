"""A directory with a past, made by the real manager: versions, a merge, forgotten files, an undo, calls."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.memory.audit import AuditRow
from memtui.memory.managing.manager import MemoryManager

from .making import DAY, NOW


class Past:
    """Makes a directory's past; every change at a time of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = NOW
        self.manager = MemoryManager.open(root, "library", clock=lambda: self.now)

    def save(
        self, slug: str, text: str, *, days: float, name: str = "", description: str = "", kind: str = "user"
    ) -> None:
        """Save a memory so many days ago."""
        self.now = NOW - days * DAY
        self.manager.save_memory(slug, name or slug, description or f"about {slug}", kind, text)
        os.utime(self.root / f"{slug}.md", (self.now, self.now))
        self.manager.reload()

    def at(self, days: float) -> MemoryManager:
        """The manager, so many days ago."""
        self.now = NOW - days * DAY
        return self.manager


def versions(root: Path) -> Past:
    """One memory with three versions, and another with one."""
    past = Past(root)
    past.save(
        "tests",
        "Integration tests may mock the API client.\n\n**Why:** the staging server is slow.\nSee `tests/api`.",
        days=40,
        name="Integration tests",
        description="Mocks are fine for the API client",
    )
    past.save(
        "tests",
        "Integration tests use a real database, not mocks.\n\n**Why:** mocked tests passed.\nSee `tests/db`.",
        days=12,
        name="Integration tests hit a real database",
        description="No mocks",
        kind="feedback",
    )
    past.save(
        "tests",
        "Integration tests use a **real** database, not mocks.\n\n**Why:** mocked tests passed while the migration of last quarter failed.\nSee `tests/db`.",
        days=2,
        name="Integration tests hit a real database",
        description="No mocks",
        kind="feedback",
    )
    past.save("role", "偏好用 Julia 做拟合，图表用 Makie。", days=30, name="用户角色")
    return past


def busy(root: Path) -> Past:
    """The same with two memories forgotten at once, a change that was undone, and two calls."""
    past = versions(root)
    past.save("freeze", "Until the tag is cut.", days=3, name="Release freeze", kind="project")
    past.save("graphs", "- latency", days=3, name="Dashboards", kind="reference")
    past.at(0.5).still_true("role")
    past.at(0.4).undo()
    past.at(0.1).forget("freeze", "graphs")
    audit = past.manager.audit
    audit.add(
        AuditRow(
            NOW - 7200, "save_memory", "updated", 12.3, "tests", "agent", "7f3c2a10-1111", "update tests"
        )
    )
    audit.add(
        AuditRow(NOW - 60, "save_memory", "error", 0.8, "Bad Slug", "agent", None, "the slug is not allowed")
    )
    return past
