"""What sharing did, in the audit log: which memories, by which rule; never a word of them."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from memtui.memory.audit import AuditRow
from memtui.memory.errors import MemtuiError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.wording.labels import names
from memtui.team.applying import Doings
from memtui.team.state import TeamState

_MAX_TOLD = 2_000


class Notes:
    """Writes to the audit log of one directory; where it cannot be written, sharing goes on."""

    def __init__(self, manager: MemoryManager) -> None:
        """Name the directory.

        Args:
            manager: of the memory directory.
        """
        self._manager = manager

    def noted(self, state: TeamState, doings: Doings) -> TeamState:
        """Write what was done to the audit log; what is blocked is written once, not at every sync."""
        for clash in doings.clashes:
            self.write("clash", clash.rel, clash.kind)
        if len(doings.applied) == 1:
            self.write("applied", doings.applied[0], "")
        elif doings.applied:
            self.write("applied", "", names([rel.removesuffix(".md") for rel in doings.applied]))
        if doings.squashed:
            self.write("squashed", "", "")
        now = {f"{each.rel}\0{each.rule}\0{each.fingerprint}" for each in doings.blocked.values()}
        for each in doings.blocked.values():
            if f"{each.rel}\0{each.rule}\0{each.fingerprint}" not in state.told:
                self.write("blocked", each.rel, f"{each.rule}:{each.line} {each.fingerprint}".strip())
        return replace(state, told=frozenset(sorted(now)[:_MAX_TOLD]))

    def write(self, status: str, rel: str, detail: str) -> None:
        """Add a row.

        Args:
            status: what was done.
            rel: the file it was about, below ``team/``, as it may be shown; empty for several or none.
            detail: one short line.
        """
        manager = self._manager
        if manager.read_only or manager.hindrance is not None:
            return
        slug = f"team/{rel.removesuffix('.md')}" if rel else None
        row = AuditRow(
            manager.clock(), "team_sync", status, 0.0, slug, manager.actor, manager.session_id, detail
        )
        with contextlib.suppress(MemtuiError, OSError):
            manager.folder.make_own_folder()
            manager.audit.add(row)
