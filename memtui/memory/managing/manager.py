"""``MemoryManager``: every change to a memory directory goes through here (seed, ``mod.rs``).

A change is planned (``planner``) as edits on bytes just read, under the directory's lock, and handed to the journal,
which makes it atomic, durable and undoable (``committing``). What is only looked at stands in ``reader``,
what a change would do in ``foreseeing``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memtui.memory.checks.fix_files import Fix
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.document import drafting
from memtui.memory.document.scopes import scope_of
from memtui.memory.document.slugs import check_new_slug
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.committing import Committer
from memtui.memory.managing.planner import slug_of
from memtui.memory.managing.plans import Plan
from memtui.memory.managing.results import ChangeResult, SaveOutcome, SaveResult
from memtui.memory.quality import quality_findings
from memtui.memory.saving.records import Edit, Record, Tie
from memtui.memory.versions.history import pick_version
from memtui.memory.wording.labels import fixes_label

_SAVE_TRIES = 10
"""How often a save that names no base starts again when somebody changes the file under it (ours)."""


class MemoryManager(Committer):
    """The memories of one directory: read, save, forget, restore, merge, undo, and the reminder made from them.

    ``MemoryManager(library_dir)`` is the seed's: memories live in ``library_dir/memory``, which is created.
    ``MemoryManager.open(memory_dir)`` takes any memory directory and creates nothing until the first change.
    """

    # -- changing --------------------------------------------------------------------------------------------------

    def save_memory(
        self,
        slug: str,
        name: str,
        description: str,
        memory_type: str,
        content: str,
        *,
        based_on: str | None = None,
    ) -> SaveResult:
        """Save a memory: a new one, or a new version of one that is there (the old one is archived, for ever).

        Args:
            slug: file name without ``.md``; strict rules for a new one, any existing one is taken.
            name: title.
            description: one line that decides when the memory is loaded.
            memory_type: one of the four.
            content: Markdown body.
            based_on: digest of the version this text was made from; empty if there was no file; None to save whatever
                stands there.

        Raises:
            UsageError: a field is wrong. Nothing was changed.
            Conflict: the file is not ``based_on`` any more. Nothing was changed; the texts are in the exception.
            Refused: the disk or the directory does not allow it, or the lock is held. Nothing was changed.
        """
        fields = drafting.checked_fields(name, description, memory_type, content)
        return self._save(slug, fields, based_on)

    def edit_memory(
        self,
        slug: str,
        *,
        name: str | None = None,
        description: str | None = None,
        memory_type: str | None = None,
        content: str | None = None,
        based_on: str | None = None,
    ) -> SaveResult:
        """Save some fields of a memory that is there; the others stay as they are written, odd ones included.

        Args:
            slug: the memory.
            name: title; this and the next three stay as they are where they are None.
            description: one line that decides when the memory is loaded.
            memory_type: one of the four.
            content: Markdown body.
            based_on: as for ``save_memory``.

        Raises:
            UsageError: there is no such memory, or a field is wrong. Nothing was changed.
            Conflict, Refused: as for ``save_memory``; also refused is a header that cannot be edited safely.
        """
        fields = drafting.checked_fields(name, description, memory_type, content)
        self.active(slug)
        return self._save(slug, fields, based_on)

    def _save(self, slug: str, fields: drafting.Fields, based_on: str | None) -> SaveResult:
        from memtui.memory.secrets.guard import find_secrets  # noqa: PLC0415  -- reading needs none of its rules

        with self.writing(create=fields.is_whole):
            rel = self.planner.rel_to_save(slug)
            made, outcome = self._saved(slug, rel, fields, based_on)
        content = fields.content if fields.content is not None else self.get(slug).content
        given = (fields.name, fields.description, fields.content)
        return SaveResult(
            made.label,
            made.slugs,
            made.archived,
            made.kept,
            made.pending,
            record_id=made.record_id,
            slug=slug,
            outcome=outcome,
            quality=quality_findings(content),
            duplicate=self.best_match(content, slug),
            secrets=tuple(
                found
                for text in given
                if text is not None
                for found in find_secrets(text, allowed=self.allowed_secrets)
            ),
        )

    def _saved(
        self, slug: str, rel: str, fields: drafting.Fields, based_on: str | None
    ) -> tuple[ChangeResult, SaveOutcome]:
        """Save on what stands there; whoever named no base gets what an agent wrote meanwhile archived, not a conflict."""
        tries_left = _SAVE_TRIES
        while True:
            image = self.planner.image(rel)
            if image is None and not fields.is_whole:
                self._check_base(
                    rel, image, based_on, b""
                )  # it was deleted after it was found: no new memory
            after = self.planner.saved(slug, image, fields)
            self._check_base(rel, image, based_on, after)
            if image is not None and image.data == after:
                return ChangeResult(f"save {slug}", (slug,)), "unchanged"
            edits = self.planner.save(slug, image, after)
            try:
                made = self._commit(f"{'update' if image else 'create'} {slug}", edits, (slug,))
            except Conflict:
                tries_left -= 1
                if based_on is not None or not tries_left:
                    raise
                continue
            return made, "updated" if image else "created"

    def set_types(self, slugs: Sequence[str], memory_type: str) -> ChangeResult:
        """Save memories again under another type, all in one change; those that have it already stay as they are.

        Args:
            slugs: the memories.
            memory_type: one of the four.

        Raises:
            UsageError: the type is not one of the four, or a memory is not there or is an old version.
        """
        with self.writing():
            return self._carried_out(self.plan_types(slugs, memory_type))

    def still_true(self, slug: str) -> ChangeResult:
        """Confirm a memory: brings its effective time up to now and changes nothing else; no version is made.

        Args:
            slug: the memory.

        Raises:
            UsageError: there is no such memory, or it is an old version.
        """
        entry = self.active(slug)
        with self.writing():
            return self._commit(f"confirm {slug}", self.planner.still_true(entry), (slug,))

    def forget(self, *slugs: str) -> ChangeResult:
        """Forget memories: files to ``.memtui/trash/``, index lines out. Their old versions stay; undo brings all back.

        Args:
            slugs: the memories; one that is named twice counts once.

        Raises:
            UsageError: one is not there, or is an old version, which is kept for ever.
        """
        with self.writing():
            return self._carried_out(self.plan_forget(slugs))

    def restore(self, slug: str, version: int | str) -> ChangeResult:
        """Make an old version the current one; the one in force is archived first.

        Args:
            slug: the memory.
            version: its number or id, as ``versions`` gives it.

        Raises:
            UsageError: there is no such version.
        """
        chosen = pick_version(slug, str(version), self.versions(slug))
        label = f"restore {slug} to version {chosen.id}"
        if chosen.current:
            return ChangeResult(label, (slug,))
        with self.writing():
            return self._commit(label, self.planner.restore(slug, chosen.entry), (slug,))

    def trash(self) -> list[Record]:
        """The changes whose forgotten files are in the trash, newest first."""
        return [record for record in reversed(self.journal.records()) if record.trashed]

    def restore_trashed(self, trash_rel: str) -> ChangeResult:
        """Bring one forgotten memory back from the trash, with its index line.

        Args:
            trash_rel: its file in the trash, a path below the memory directory, as the records of ``trash`` name it.

        Raises:
            UsageError: the trash holds no such file, or a memory of that name is there again.
        """
        rel = next((r.trashed[trash_rel] for r in self.trash() if trash_rel in r.trashed), None)
        if rel is None:
            raise UsageError("there is no such file in the trash", where=trash_rel)
        slug = slug_of(rel)
        with self.writing():
            return self._commit(
                f"take {slug} out of the trash", self.planner.untrash(trash_rel, rel), (slug,)
            )

    def rename(self, slug: str, new_slug: str) -> ChangeResult:
        """Give a memory another slug; index lines and wiki links follow, and its history stays with it.

        Args:
            slug: the memory.
            new_slug: what it shall be; one of the other scope moves it there, see `plan_scope`.

        Raises:
            UsageError: the new slug is not allowed or taken.
        """
        entry = self.active(slug)
        if scope_of(new_slug) != entry.scope:
            with self.writing():
                crossing = self.plan_scope([slug], scope_of(new_slug), new_slugs={slug: new_slug})
                return self._carried_out(crossing.plan)
        check_new_slug(new_slug, (e.slug for e in self.entries() if not e.aside and e.slug != slug))
        with self.writing():
            edits = self.planner.rename(entry, new_slug)
            return self._commit(f"rename {slug} to {new_slug}", edits, (slug, new_slug))

    def merge(
        self,
        sources: Sequence[str],
        slug: str,
        name: str,
        description: str,
        memory_type: str,
        content: str,
    ) -> ChangeResult:
        """Merge memories into one: the sources become old versions of it, index lines and wiki links point to it.

        Args:
            sources: the memories that are merged.
            slug: the result: one of the sources, another memory, or new.
            name: its title.
            description: one line that decides when it is loaded.
            memory_type: one of the four.
            content: its Markdown body.

        Raises:
            UsageError: there is no source beside the result, or a field is wrong.
        """
        with self.writing():
            return self._carried_out(self.plan_merge(sources, slug, name, description, memory_type, content))

    def carry_out(self, plan: Plan, *, tie: Tie | None = None, create: bool = False) -> ChangeResult:
        """Make a change exactly as it was planned, and shown; the index is merged with what others wrote meanwhile.

        Args:
            plan: the change.
            tie: what joins it to a change in another directory, so that both are undone together.
            create: whether a directory that is not there is made.

        Raises:
            Conflict: a file was changed since. Nothing was written.
        """
        with self.writing(create=create):
            return self._carried_out(plan, tie)

    def _carried_out(self, plan: Plan, tie: Tie | None = None) -> ChangeResult:
        return replace(self._commit(plan.label, plan.edits, plan.slugs, tie), dangling=plan.dangling)

    def apply(self, fix: Fix) -> ChangeResult:
        """Carry out the fix of a finding, planned on what is on disk now."""
        return self.apply_all((fix,))

    def apply_all(self, fixes: Sequence[Fix], *, shown: Sequence[Edit] | None = None) -> ChangeResult:
        """Carry out several fixes as one change, which one undo takes back.

        Args:
            fixes: what to carry out; each is planned on what the ones before it leave.
            shown: what a person saw and agreed to, from `planned`; None if nobody looked.

        Raises:
            Conflict: the fixes would write something else by now than was shown. Nothing was written.
            Refused: some memories could not be read when the fixes were found, so that there may be others.
        """
        with self.writing():
            if self.directory.complete(files=False):
                raise Refused(
                    "some of the memories could not be read when they were checked",
                    where=str(self.root),
                    todo="Nothing was written; check again, they can be read now",
                )
            edits = self.planned(fixes)
            if shown is not None and tuple(shown) != edits:
                raise self._not_as_shown(shown, edits)
            labels = dict.fromkeys(fix.label for fix in fixes)
            label = fixes_label(tuple(labels), len(fixes))
            slugs = sorted({slug_of(edit.rel) for edit in edits if edit.rel != INDEX_NAME})
            return self._commit(label, edits, tuple(slugs))

    def rebuild_index(self) -> ChangeResult:
        """Write the index anew from the memories; ``rebuilt_index`` shows what that changes."""
        with self.writing():
            return self._commit("rebuild the index", self.planner.rebuild_index(), ())

    def undo(self, only: int | None = None) -> ChangeResult:
        """Take back the last change, byte for byte; of a move between directories, both halves.

        Args:
            only: number of the record a person was shown; None takes back whatever is last.

        Raises:
            UsageError: there is nothing to undo.
            Conflict: somebody changed one of the files since, or the last change is not ``only``; nothing was written.
                Or the other half of a move cannot be taken back; the message says what to do.
        """
        return self._replay("undo", only)

    def redo(self, only: int | None = None) -> ChangeResult:
        """Make the change again that was undone last.

        Args:
            only: number of the record a person was shown; None makes again whatever was undone last.

        Raises:
            UsageError: there is nothing to redo.
            Conflict: somebody changed one of the files since, or the last undo is not ``only``; nothing was written.
        """
        return self._replay("redo", only)
