"""``MemoryManager``: every change to a memory directory goes through here (seed, ``mod.rs``).

A change is planned (``planner``) as edits on bytes just read, under the directory's lock, and handed to the journal,
which makes it atomic, durable and undoable.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory import drafting
from memtui.memory.audit import AuditLog
from memtui.memory.conventions import CONVENTIONS, INDEX_NAME, LIBRARY, OWN_FOLDER, Convention
from memtui.memory.dedup import Match, compare_with_all
from memtui.memory.errors import Busy, Conflict, MemtuiError, Refused, UsageError
from memtui.memory.files import LOCK_SECONDS, FileImage, Folder
from memtui.memory.fix_files import OnDisk, plan_together
from memtui.memory.history import Version, owner_of, pick_version, versions_of
from memtui.memory.index_merge import merge_index
from memtui.memory.journal import Edit, Journal, Outcome, Record
from memtui.memory.planner import Planner, slug_of
from memtui.memory.plans import Plan, plan_forget, plan_merge, plan_types
from memtui.memory.quality import quality_findings
from memtui.memory.reminder import build_reminder, remindable
from memtui.memory.results import ChangeResult, SaveOutcome, SaveResult
from memtui.memory.scan import Directory
from memtui.memory.slugs import check_new_slug
from memtui.memory.types import Clock, Lang, MemoryEntry

if TYPE_CHECKING:
    from memtui.memory.findings import Fix  # a save need not load every check

DEFAULT_REMINDER_ENTRIES = 5
"""Memories in a reminder unless told otherwise (seed)."""

_SAVE_TRIES = 10
"""How often a save that names no base starts again when somebody changes the file under it (ours)."""
LOCK_FILE = f"{OWN_FOLDER}/lock"

BestMatch = Callable[[str, str | None], Match | None]
"""Finds the active memory most like a text, the given slug left out."""
Matches = Callable[[str, str | None], Sequence[Match]]
"""Finds the active memories like a text, the given slug left out, most similar first."""


class MemoryManager:
    """The memories of one directory: read, save, forget, restore, merge, undo, and the reminder made from them.

    ``MemoryManager(library_dir)`` is the seed's: memories live in ``library_dir/memory``, which is created.
    ``MemoryManager.open(memory_dir)`` takes any memory directory and creates nothing until the first change.

    Attributes:
        hindrance: what every change is refused with, such as settings of the directory that cannot be read; reading
            goes on. None usually.
    """

    def __init__(self, library_dir: str | Path, *, clock: Clock = time.time, lang: Lang = "en") -> None:
        root = Path(library_dir) / "memory"
        folder = Folder(root)
        root.mkdir(parents=True, exist_ok=True)
        self._attach(Directory(root, convention=LIBRARY, folder=folder, clock=clock), clock=clock, lang=lang)
        self.project_root: Path | None = Path(library_dir)
        self.reload()

    @classmethod
    def open(
        cls,
        memory_dir: str | Path,
        convention: Convention | str | None = None,
        *,
        clock: Clock = time.time,
        lang: Lang = "en",
        directory: Directory | None = None,
        read_only: bool = False,
        actor: str = "user",
        session_id: str | None = None,
        project_root: Path | None = None,
    ) -> MemoryManager:
        """Open a memory directory.

        Args:
            memory_dir: the directory.
            convention: ``library`` or ``claude``; detected when None.
            clock: gives the time.
            lang: language of reminders and results.
            directory: a ``Directory`` to share, e.g. the store's; one is made and read when None.
            read_only: refuse every change.
            actor: who makes the changes, for journal and audit log.
            session_id: the agent session, for journal and audit log.
            project_root: where the paths and symbols that memories name are looked up.
        """
        manager = cls.__new__(cls)
        wanted = CONVENTIONS[convention] if isinstance(convention, str) else convention
        made = directory or Directory(Path(memory_dir), convention=wanted, clock=clock)
        manager._attach(  # noqa: SLF001  -- a second constructor
            made, clock=clock, lang=lang, read_only=read_only, actor=actor, session_id=session_id
        )
        manager.project_root = project_root
        if directory is None:
            manager.reload()
        return manager

    def _attach(
        self,
        directory: Directory,
        *,
        clock: Clock,
        lang: Lang,
        read_only: bool = False,
        actor: str = "user",
        session_id: str | None = None,
    ) -> None:
        self.directory = directory
        self.folder = directory.folder
        self.clock = clock
        self.lang: Lang = lang
        self.read_only = read_only
        self.actor = actor
        self.session_id = session_id
        self.main_agent_wrote = False
        self.lock_seconds = LOCK_SECONDS
        self.hindrance: MemtuiError | None = None
        self.best_match: BestMatch = self._compare_with_all
        self.matches: Matches = self._all_like
        self.audit = AuditLog(self.folder.root)
        self.planner = Planner(directory, self.folder, clock, lang)
        self.journal = Journal(
            self.folder,
            clock=clock,
            merge_index=merge_index,
            keep_as=self._keep_as,
        )
        self._mutex = threading.RLock()

    # -- reading ---------------------------------------------------------------------------------------------------

    @property
    def root(self) -> Path:
        """The memory directory."""
        return self.folder.root

    @property
    def convention(self) -> Convention:
        """The convention the directory follows."""
        return self.directory.convention

    def reload(self) -> None:
        """Look at the directory again; only files that changed are read."""
        self.directory.refresh()

    def entries(self) -> tuple[MemoryEntry, ...]:
        """All memories, active ones first, then newest first."""
        return self.directory.entries

    def get(self, slug: str) -> MemoryEntry:
        """The memory of that slug.

        Raises:
            UsageError: there is none.
        """
        entry = self.directory.get(slug)
        if entry is None:
            raise UsageError(
                f"there is no memory {slug!r}", where=str(self.root), todo=self._did_you_mean(slug)
            )
        return entry

    def _did_you_mean(self, slug: str) -> str:
        import difflib  # noqa: PLC0415  -- only on the way to an error

        near = difflib.get_close_matches(slug, [e.slug for e in self.entries() if e.is_active], n=1)
        return f"Did you mean {near[0]!r}?" if near else "'memtui list' shows those there are"

    def versions(self, slug: str) -> tuple[Version, ...]:
        """The version in force, then the old ones, newest first; also of a memory that was forgotten. At least one.

        Raises:
            UsageError: nothing of that name was ever here, or it is itself an old version of another memory.
        """
        found = versions_of(slug, self.entries())
        if found:
            return found
        entry = self.get(slug)
        owner = owner_of(entry)
        if owner is not None:
            raise UsageError(
                f"this is an old version of {owner!r}", where=slug, todo=f"'memtui history {owner}' lists it"
            )
        return (Version(slug, entry),)

    def undoable(self) -> Record | None:
        """The change that ``undo`` would take back."""
        return self.journal.undoable()

    def redoable(self) -> Record | None:
        """The change that ``redo`` would make again."""
        return self.journal.redoable()

    def recover(self) -> tuple[str, ...]:
        """Finish or take back what a crash interrupted; a sentence for each thing done. Nothing to do changes nothing.

        Raises:
            Refused: the system said no; the next change tries again.
            MemtuiError: there is a `hindrance`.
        """
        if self.hindrance is not None:
            raise self.hindrance
        if self.read_only or self.folder.stamp(OWN_FOLDER) is None:
            return ()
        done = self.journal.recover()
        if done:
            self.directory.refresh()
        return done

    def activity(self) -> list[Record]:
        """All changes made through memtui, oldest first."""
        return self.journal.records()

    # -- reminder --------------------------------------------------------------------------------------------------

    def build_system_reminder(self, max_entries: int = DEFAULT_REMINDER_ENTRIES) -> str:
        """The block for a system prompt with the ``max_entries`` most recent memories in force that can be read; empty if none."""
        newest = [entry for entry in self.entries() if remindable(entry)][: max(0, max_entries)]
        return self.build_system_reminder_from(newest)

    def build_system_reminder_from(
        self, selected: Sequence[MemoryEntry], broken: Mapping[str, Sequence[str]] | None = None
    ) -> str:
        """The block with the given memories, in the given order.

        Args:
            selected: what to inject.
            broken: by slug, what a memory names and the project no longer has; looked up when None.
        """
        if broken is None:
            broken = self.broken_claims(selected)
        return build_reminder(selected, now=self.clock(), lang=self.lang, broken=broken)

    def broken_claims(self, entries: Iterable[MemoryEntry]) -> dict[str, tuple[str, ...]]:
        """By slug, the paths, symbols and flags that memories name and the project does not have (spec §10).

        Empty where no project is known. Looks at the project's files, read-only and within a budget.
        """
        if self.project_root is None:
            return {}
        from memtui.memory.claims import ProjectIndex, extract_claims, verify_claims  # noqa: PLC0415  -- rarely needed

        project = ProjectIndex(self.project_root, clock=time.monotonic, skip=[self.root])
        missing = {
            entry.slug: tuple(
                verdict.claim.text
                for verdict in verify_claims(extract_claims(entry.content), project)
                if verdict.found is False
            )
            for entry in entries
        }
        return {slug: claims for slug, claims in missing.items() if claims}

    @contextmanager
    def try_lock(self) -> Iterator[bool]:
        """Hold the manager without waiting: False if a change is under way, here or in another process.

        Putting a prompt together never blocks (seed): who gets False leaves the memory section out.
        """
        if not self._mutex.acquire(blocking=False):
            yield False
            return
        try:
            if self.folder.stamp(LOCK_FILE) is None:
                yield True
                return
            try:
                lock = self.folder.lock(timeout=0)
                lock.__enter__()
            except (Busy, Refused):
                yield False
                return
            try:
                yield True
            finally:
                lock.__exit__(None, None, None)
        finally:
            self._mutex.release()

    def mark_main_agent_wrote(self) -> None:
        """Note that the main agent saved in this session, so that nothing is extracted from it a second time."""
        self.main_agent_wrote = True

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
            based_on: digest of the version this text was made from; None to save whatever stands there.

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

        Raises:
            UsageError: there is no such memory, or a field is wrong. Nothing was changed.
            Conflict, Refused: as for ``save_memory``; also refused is a header that cannot be edited safely.
        """
        fields = drafting.checked_fields(name, description, memory_type, content)
        self._active(slug)
        return self._save(slug, fields, based_on)

    def _save(self, slug: str, fields: drafting.Fields, based_on: str | None) -> SaveResult:
        from memtui.memory.secrets import find_secrets  # noqa: PLC0415  -- reading needs none of its rules

        with self._writing(create=fields.is_whole):
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
            secrets=tuple(found for text in given if text is not None for found in find_secrets(text)),
        )

    def _saved(
        self, slug: str, rel: str, fields: drafting.Fields, based_on: str | None
    ) -> tuple[ChangeResult, SaveOutcome]:
        """Save on what stands there; whoever named no base gets what an agent wrote meanwhile archived, not a conflict."""
        for tries_left in reversed(range(_SAVE_TRIES)):
            image = self.planner.image(rel)
            after = self.planner.saved(slug, image, fields)
            self._check_base(rel, image, based_on, after)
            if image is not None and image.data == after:
                return ChangeResult(f"save {slug}", (slug,)), "unchanged"
            edits = self.planner.save(slug, image, after)
            try:
                made = self._commit(f"{'update' if image else 'create'} {slug}", edits, (slug,))
            except Conflict:
                if based_on is not None or not tries_left:
                    raise
                continue
            return made, "updated" if image else "created"
        raise AssertionError  # the last try either returned or raised

    def set_type(self, slug: str, memory_type: str) -> SaveResult:
        """Save a memory again under another type."""
        return self.edit_memory(slug, memory_type=memory_type, based_on=self.get(slug).digest)

    def set_types(self, slugs: Sequence[str], memory_type: str) -> ChangeResult:
        """Save memories again under another type, all in one change; those that have it already stay as they are.

        Raises:
            UsageError: the type is not one of the four, or a memory is not there or is an old version.
        """
        with self._writing():
            return self._carried_out(self.plan_types(slugs, memory_type))

    def still_true(self, slug: str) -> ChangeResult:
        """Confirm a memory: brings its effective time up to now and changes nothing else; no version is made."""
        entry = self._active(slug)
        with self._writing():
            return self._commit(f"confirm {slug}", self.planner.still_true(entry), (slug,))

    def forget(self, *slugs: str) -> ChangeResult:
        """Forget memories: files to ``.memtui/trash/``, index lines out. Their old versions stay; undo brings all back.

        Raises:
            UsageError: one is not there, or is an old version, which is kept for ever.
        """
        with self._writing():
            return self._carried_out(self.plan_forget(slugs))

    def restore(self, slug: str, version: int | str) -> ChangeResult:
        """Make an old version the current one; the one in force is archived first.

        Raises:
            UsageError: there is no such version.
        """
        chosen = pick_version(slug, str(version), self.versions(slug))
        label = f"restore {slug} to version {chosen.id}"
        if chosen.current:
            return ChangeResult(label, (slug,))
        with self._writing():
            return self._commit(label, self.planner.restore(slug, chosen.entry), (slug,))

    def trash(self) -> list[Record]:
        """The changes whose forgotten files are in the trash, newest first."""
        return [record for record in reversed(self.journal.records()) if record.trashed]

    def restore_trashed(self, trash_rel: str) -> ChangeResult:
        """Bring one forgotten memory back from the trash, with its index line.

        Raises:
            UsageError: the trash holds no such file, or a memory of that name is there again.
        """
        rel = next((r.trashed[trash_rel] for r in self.trash() if trash_rel in r.trashed), None)
        if rel is None:
            raise UsageError("there is no such file in the trash", where=trash_rel)
        slug = slug_of(rel)
        with self._writing():
            return self._commit(
                f"take {slug} out of the trash", self.planner.untrash(trash_rel, rel), (slug,)
            )

    def rename(self, slug: str, new_slug: str) -> ChangeResult:
        """Give a memory another slug; index lines and wiki links follow, and its history stays with it.

        Raises:
            UsageError: the new slug is not allowed or taken.
        """
        entry = self._active(slug)
        check_new_slug(new_slug, (e.slug for e in self.entries() if not e.aside and e.slug != slug))
        with self._writing():
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

        ``slug`` may be one of the sources, another memory, or new.

        Raises:
            UsageError: there is no source beside the result, or a field is wrong.
        """
        with self._writing():
            return self._carried_out(self.plan_merge(sources, slug, name, description, memory_type, content))

    # -- changes that are shown before they are made --

    def plan_forget(self, slugs: Sequence[str]) -> Plan:
        """What `forget` would do now; raises as it does."""
        return plan_forget(self.planner, [self._active(slug) for slug in dict.fromkeys(slugs)])

    def plan_types(self, slugs: Sequence[str], memory_type: str) -> Plan:
        """What `set_types` would do now; raises as it does."""
        kind = drafting.checked_type(memory_type)
        return plan_types(self.planner, [self._active(slug) for slug in dict.fromkeys(slugs)], kind)

    def plan_merge(
        self,
        sources: Sequence[str],
        slug: str,
        name: str,
        description: str,
        memory_type: str,
        content: str,
    ) -> Plan:
        """What `merge` would do now; raises as it does."""
        fields = drafting.checked_fields(name, description, memory_type, content)
        gone = [self._active(source) for source in dict.fromkeys(sources) if source != slug]
        if not gone:
            raise UsageError("nothing to merge", where=slug, todo="Name at least one other memory")
        return plan_merge(self.planner, gone, slug, fields)

    def carry_out(self, plan: Plan) -> ChangeResult:
        """Make a change exactly as it was planned, and shown; the index is merged with what others wrote meanwhile.

        Raises:
            Conflict: a file was changed since. Nothing was written.
        """
        with self._writing():
            return self._carried_out(plan)

    def _carried_out(self, plan: Plan) -> ChangeResult:
        return replace(self._commit(plan.label, plan.edits, plan.slugs), dangling=plan.dangling)

    def apply(self, fix: Fix) -> ChangeResult:
        """Carry out the fix of a finding, planned on what is on disk now."""
        return self.apply_all((fix,))

    def planned(self, fixes: Iterable[Fix]) -> tuple[Edit, ...]:
        """What `apply_all` would write now: for showing it before anything is written.

        Raises:
            Unreadable: a file that a fix needs cannot be read.
        """
        return plan_together(self.folder, fixes)

    def apply_all(self, fixes: Sequence[Fix], *, shown: Sequence[Edit] | None = None) -> ChangeResult:
        """Carry out several fixes as one change, which one undo takes back.

        Args:
            fixes: what to carry out; each is planned on what the ones before it leave.
            shown: what a person saw and agreed to, from `planned`; None if nobody looked.

        Raises:
            Conflict: the fixes would write something else by now than was shown. Nothing was written.
        """
        with self._writing():
            edits = self.planned(fixes)
            if shown is not None and tuple(shown) != edits:
                raise self._not_as_shown(shown, edits)
            labels = dict.fromkeys(fix.label for fix in fixes)
            label = ", ".join(labels) + (f" (× {len(fixes)})" if len(fixes) > 1 else "")
            slugs = sorted({slug_of(edit.rel) for edit in edits if edit.rel != INDEX_NAME})
            return self._commit(label, edits, tuple(slugs))

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

    def rebuilt_index(self) -> tuple[str, str]:
        """The index as it is, and as it would be if written anew from the memories."""
        text = self.directory.index_text
        return text, self.planner.rebuilt_index(text)

    def rebuild_index(self) -> ChangeResult:
        """Write the index anew from the memories; ``rebuilt_index`` shows what that changes."""
        with self._writing():
            edits = [replace(edit, role="primary") for edit in self.planner.rebuild_index()]
            return self._commit("rebuild the index", edits, ())

    def undo(self, only: int | None = None) -> ChangeResult:
        """Take back the last change, byte for byte.

        Args:
            only: number of the record a person was shown; None takes back whatever is last.

        Raises:
            UsageError: there is nothing to undo.
            Conflict: somebody changed one of the files since, or the last change is not ``only``; nothing was written.
        """
        return self._replay(self.journal.undoable, self.journal.undo, "undo", only)

    def redo(self, only: int | None = None) -> ChangeResult:
        """Make the change again that was undone last.

        Args:
            only: number of the record a person was shown; None makes again whatever was undone last.

        Raises:
            UsageError: there is nothing to redo.
            Conflict: somebody changed one of the files since, or the last undo is not ``only``; nothing was written.
        """
        return self._replay(self.journal.redoable, self.journal.redo, "redo", only)

    # -- the machinery ---------------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self, *, create: bool = False) -> Iterator[None]:
        """Hold the directory for a change; the journal deals with leftovers of one that died first."""
        if self.hindrance is not None:
            raise self.hindrance
        if self.read_only:
            raise Refused(
                "opened read-only", where=str(self.root), todo="Open it without --read-only to change it"
            )
        if not create and not self.folder.exists():
            raise Refused(
                "there is no such directory", where=str(self.root), todo="Save a first memory in it"
            )
        with self._mutex, self.folder.lock(self.lock_seconds):
            yield

    def _commit(self, label: str, edits: Sequence[Edit], slugs: Sequence[str]) -> ChangeResult:
        live = [edit for edit in edits if edit.before != edit.after or edit.mtime_ns is not None]
        if not live:
            return ChangeResult(label, tuple(slugs))
        outcome = self.journal.commit(label, live, slugs=slugs, actor=self.actor, session_id=self.session_id)
        return self._result(outcome)

    def _replay(
        self, which: Callable[[], Record | None], play: Callable[[], Outcome], verb: str, only: int | None
    ) -> ChangeResult:
        if which() is None:
            wrong = " ".join(self.journal.warnings())
            raise UsageError(f"there is nothing to {verb}", where=str(self.root), todo=wrong)
        with self._writing():
            now = which()
            if only is not None and (now is None or now.id != only):
                raise Conflict(
                    f"another change was made meanwhile, which {verb} would act on now",
                    where=str(self.root),
                    todo="Look at what was done, then try again",
                )
            return self._result(play())

    def _result(self, outcome: Outcome) -> ChangeResult:
        record = outcome.record
        self.directory.refresh({*record.rels, *outcome.kept, INDEX_NAME})
        archived = tuple(slug_of(rel) for rel in record.archived)
        return ChangeResult(
            record.label, record.slugs, archived, outcome.kept, outcome.pending, (), record.id
        )

    def _active(self, slug: str) -> MemoryEntry:
        entry = self.get(slug)
        if not entry.is_active:
            raise UsageError("this is an old version; old versions are kept for ever", where=slug)
        self.planner.refuse_link(entry.rel)
        return entry

    def _check_base(self, rel: str, image: FileImage | None, based_on: str | None, after: bytes) -> None:
        if based_on is None or (image is not None and image.digest == based_on):
            return
        theirs = image.data if image else None
        if theirs == after:
            return
        raise Conflict(
            "the file was changed by somebody else while you edited it" if image else "the file is gone",
            where=str(self.root / rel),
            todo="Nothing was written; compare the texts and save again",
            base=self._remembered(based_on),
            mine=after,
            theirs=theirs,
        )

    def _remembered(self, digest: str) -> bytes | None:
        try:
            return self.journal.object(digest)
        except Refused:
            return None

    def _keep_as(self, rel: str, displaced: bytes) -> tuple[str, bytes]:
        """Where the journal keeps bytes that somebody wrote in the instant before ours replaced them."""
        slug = slug_of(rel)
        return self.planner.archive_of(slug, displaced, slug)

    def _all_like(self, content: str, exclude: str | None) -> Sequence[Match]:
        texts = {e.slug: e.content for e in self.entries() if e.is_active and e.slug != exclude}
        return compare_with_all(content, texts)

    def _compare_with_all(self, content: str, exclude: str | None) -> Match | None:
        found = self._all_like(content, exclude)
        return found[0] if found else None
