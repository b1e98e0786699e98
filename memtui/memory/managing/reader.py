"""An opened memory directory, looked at: its memories, their versions, what can be undone, and the reminder."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from memtui.memory.audit import AuditLog
from memtui.memory.conventions import CONVENTIONS, INBOX_FOLDER, LIBRARY, OWN_FOLDER, Convention
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Folder
from memtui.memory.disk.locking import LOCK_SECONDS
from memtui.memory.disk.own_folder import make_root
from memtui.memory.doubles.dedup import Match, compare_with_all
from memtui.memory.errors import Busy, MemtuiError, Refused, UsageError
from memtui.memory.index.merge import merge_index
from memtui.memory.managing.planner import Planner, slug_of
from memtui.memory.reminder import DEFAULT_REMINDER_ENTRIES, build_reminder, remindable
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Record
from memtui.memory.types import Clock, Lang, MemoryEntry
from memtui.memory.versions.history import Version, owner_of, versions_of
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.memory.relevance.selecting import Chooser, Selection, SelectionContext

LOCK_FILE = f"{OWN_FOLDER}/lock"

BestMatch = Callable[[str, str | None], Match | None]
"""Finds the active memory most like a text, the given slug left out."""
Matches = Callable[[str, str | None], Sequence[Match]]
"""Finds the active memories like a text, the given slug left out, most similar first."""


class MemoryReader:
    """What can be known of one directory without changing it; ``MemoryManager`` is the one that changes it.

    Attributes:
        hindrance: what every change is refused with, such as settings of the directory that cannot be read; reading
            goes on. None usually.
        shared_secrets: slugs that a person typed, to say that the team shall get the secrets in these memories.
        allowed_secrets: hashes of values that the secret guard lets through; see ``memory.secrets.allowed``.
    """

    def __init__(self, library_dir: str | Path, *, clock: Clock = time.time, lang: Lang = "en") -> None:
        """Open the memories of a library, ``library_dir/memory``, which is made where it is missing (seed).

        Args:
            library_dir: the library; it is also where the paths and symbols that memories name are looked up.
            clock: gives the time, Unix seconds.
            lang: language of reminders and results.
        """
        root = Path(library_dir) / "memory"
        folder = Folder(root)
        make_root(folder.disk, root)
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
    ) -> Self:
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
        self.allowed_secrets: Container[str] = frozenset()
        self.shared_secrets: frozenset[str] = frozenset()
        self.best_match: BestMatch = self._compare_with_all
        self.matches: Matches = self._all_like
        self.audit = AuditLog(self.folder.root, self.folder.disk)
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
                Say("there is no memory {slug!r}", slug=slug),
                where=str(self.root),
                todo=self._did_you_mean(slug),
            )
        return entry

    def _did_you_mean(self, slug: str) -> Say:
        import difflib  # noqa: PLC0415  -- only on the way to an error

        near = difflib.get_close_matches(slug, [e.slug for e in self.entries() if e.is_active], n=1)
        return (
            Say("Did you mean {near!r}?", near=near[0])
            if near
            else Say("'memtui list' shows those there are")
        )

    def versions(self, slug: str) -> tuple[Version, ...]:
        """The version in force, then the old ones, newest first; also of a memory that was forgotten. At least one.

        Args:
            slug: the memory.

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
                Say("this is an old version of {owner!r}", owner=owner),
                where=slug,
                todo=Say("'memtui history {owner}' lists it", owner=owner),
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

    def build_system_reminder_from(self, selected: Sequence[MemoryEntry]) -> str:
        """The block with the given memories, in the given order; secrets are replaced by their rule and fingerprint.

        Args:
            selected: what to inject.
        """
        return build_reminder(
            selected,
            now=self.clock(),
            lang=self.lang,
            broken=self.broken_claims(selected),
            allowed=self.allowed_secrets,
        )

    def broken_claims(self, entries: Iterable[MemoryEntry]) -> dict[str, tuple[str, ...]]:
        """By slug, the paths, symbols and flags that the memories ``entries`` name and the project does not have (spec §10).

        Empty where no project is known. Looks at the project's files, read-only and within a budget.
        """
        if self.project_root is None:
            return {}
        from memtui.memory.checks.claims import ProjectIndex, extract_claims, verify_claims  # noqa: PLC0415  -- rarely needed

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

    # -- selection -------------------------------------------------------------------------------------------------

    def selection(self, context: SelectionContext, chooser: Chooser | None = None) -> Selection:
        """Which memories go with a question, and why (spec §13); never raises.

        Args:
            context: the question, what was shown already, tools in use, and how many are wanted.
            chooser: a model to ask, as `memtui.agent.selection.ModelChooser` makes one; without, and where it fails,
                what the memories say decides.
        """
        from memtui.memory.relevance.selecting import select_memories  # noqa: PLC0415  -- rarely needed, and it ranks

        return select_memories(self.entries(), context, now=self.clock(), lang=self.lang, chooser=chooser)

    def select_relevant_memories(
        self, context: SelectionContext, chooser: Chooser | None = None
    ) -> tuple[MemoryEntry, ...]:
        """The memories of `selection` for a ``context`` and a ``chooser``, fit for ``build_system_reminder_from``."""
        return self.selection(context, chooser).entries

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

    def _keep_as(self, rel: str, displaced: bytes) -> tuple[str, bytes]:
        """Where the journal keeps bytes that somebody wrote in the instant before ours replaced them."""
        if rel.startswith(f"{INBOX_FOLDER}/"):
            return rel, displaced  # a proposal that was written to while it was decided on waits again
        slug = slug_of(rel)
        return self.planner.archive_of(slug, displaced, slug)

    def _all_like(self, content: str, exclude: str | None) -> Sequence[Match]:
        texts = {e.slug: e.content for e in self.entries() if e.is_active and e.slug != exclude}
        return compare_with_all(content, texts)

    def _compare_with_all(self, content: str, exclude: str | None) -> Match | None:
        found = self._all_like(content, exclude)
        return found[0] if found else None
