"""What changes would do, said before they are made, so that a person can look first: nothing here writes anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.memory.checks.fix_files import Fix, OnDisk, plan_together
from memtui.memory.document import drafting
from memtui.memory.errors import Conflict, UsageError
from memtui.memory.managing.plans import Plan, plan_forget, plan_merge, plan_types
from memtui.memory.managing.reader import MemoryReader
from memtui.memory.saving.records import Edit

if TYPE_CHECKING:
    from memtui.memory.managing.scope_change import ScopePlan, ScopeVerb
    from memtui.memory.types import MemoryEntry, Scope


class Foreseeing(MemoryReader):
    """A reader that also says what a change would do now; for `MemoryManager`, which makes it."""

    def active(self, slug: str) -> MemoryEntry:
        """The memory in force of that slug, which may be changed.

        Raises:
            UsageError: there is none, it is an old version, or a link to another.
        """
        entry = self.get(slug)
        if not entry.is_readable:
            # What is changed is decided by what is known of it, and not by its file alone.
            self.directory.refresh([entry.rel])
            entry = self.get(slug)
        if not entry.is_active:
            raise UsageError("this is an old version; old versions are kept for ever", where=slug)
        self.planner.refuse_link(entry.rel)
        return entry

    def plan_forget(self, slugs: Sequence[str]) -> Plan:
        """What `forget` would do with ``slugs`` now; raises as it does."""
        return plan_forget(self.planner, [self.active(slug) for slug in dict.fromkeys(slugs)])

    def plan_types(self, slugs: Sequence[str], memory_type: str) -> Plan:
        """What `set_types` would do now, with the same ``slugs`` and ``memory_type``; raises as it does."""
        kind = drafting.checked_type(memory_type)
        return plan_types(self.planner, [self.active(slug) for slug in dict.fromkeys(slugs)], kind)

    def plan_merge(
        self,
        sources: Sequence[str],
        slug: str,
        name: str,
        description: str,
        memory_type: str,
        content: str,
    ) -> Plan:
        """What `merge` would do now.

        Args:
            sources: as for `merge`, and so are the others.
            slug: the result.
            name: its title.
            description: its description.
            memory_type: its type.
            content: its body.

        Raises:
            UsageError: as for `merge`.
        """
        fields = drafting.checked_fields(name, description, memory_type, content)
        gone = [self.active(source) for source in dict.fromkeys(sources) if source != slug]
        if not gone:
            raise UsageError("nothing to merge", where=slug, todo="Name at least one other memory")
        return plan_merge(self.planner, gone, slug, fields)

    def plan_scope(
        self,
        slugs: Sequence[str],
        scope: Scope,
        *,
        verb: ScopeVerb = "move",
        new_slugs: Mapping[str, str] | None = None,
    ) -> ScopePlan:
        """What it would do to move or copy memories to the team, or from it; those there already are left out.

        Args:
            slugs: the memories.
            scope: ``team`` or ``private``: where they go.
            verb: ``move`` or ``copy``.
            new_slugs: for some of them, what they are to be called there, with or without ``team/``.

        Raises:
            UsageError: one is not there, is an old version or a link, all are there already, or a slug is taken or not
                allowed.
            Conflict, Unreadable: a file is gone, or cannot be read.
        """
        from memtui.memory.managing.scope_change import plan_scope  # noqa: PLC0415  -- few directories have a team

        return plan_scope(self, slugs, scope, verb=verb, new_slugs=new_slugs)

    def planned(self, fixes: Iterable[Fix]) -> tuple[Edit, ...]:
        """What `apply_all` would write now: for showing it before anything is written.

        Args:
            fixes: what to carry out; each is planned on what the ones before it leave.

        Raises:
            Unreadable: a file that a fix needs cannot be read.
        """
        return plan_together(self.folder, fixes)

    def rebuilt_index(self) -> tuple[str, str]:
        """The index as it is, and as it would be if written anew from the memories."""
        self.directory.complete()
        text = self.directory.index_text
        return text, self.planner.rebuilt_index(text)

    def _not_as_shown(self, shown: Sequence[Edit], now: Sequence[Edit]) -> Conflict:
        old, new = {edit.rel: edit for edit in shown}, {edit.rel: edit for edit in now}
        rel = next(rel for rel in {**old, **new} if old.get(rel) != new.get(rel))
        was, is_now = old.get(rel), new.get(rel)
        return Conflict(
            "the directory was changed since the change was shown",
            where=str(self.root / rel),
            todo="Nothing was written; look at the change as it would be now",
            base=was.before if was else None,
            mine=was.after if was else None,
            theirs=is_now.before if is_now else OnDisk(self.folder).data(rel),
        )
