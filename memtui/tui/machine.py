"""The other stores of the machine, as the screens ask for them; every method reads files, and runs in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.config import NOTHING_SET, Config, team_on
from memtui.memory.types import Clock, Lang, MemoryEntry

if TYPE_CHECKING:
    from memtui.claude.adoption import AdoptionCandidate
    from memtui.claude.store_search import StoreHit
    from memtui.claude.store_summary import Cancel, Remembered, StoreSummary
    from memtui.claude.stores import Store
    from memtui.memory.errors import Refused
    from memtui.memory.managing.manager import MemoryManager


def nothing_set(_: Path) -> Config:
    """Settings of a directory where nobody asks for them."""
    return NOTHING_SET


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # as for a command's session
class Machine:
    """Where the other stores are looked for.

    Attributes:
        environ: environment variables.
        home: the user's home directory.
        clock: gives the time, Unix seconds.
        project: the current project's checkout, if one is known.
        config_of: the settings in force for a memory directory.
        lang: language of what is written by a change.
        read_only: whether no store may be changed.
        state: names the state folder, where the list of allowed secrets is kept; None where nothing is.
        config_file: the person's own settings, for sentences that name the file; None if nobody knows.
    """

    environ: Mapping[str, str]
    home: Path
    clock: Clock
    project: Path | None = None
    config_of: Callable[[Path], Config] = nothing_set
    lang: Lang = "en"
    read_only: bool = False
    state: Callable[[], Path] | None = None
    config_file: Path | None = None
    _remembered: list[Remembered] = field(default_factory=list, repr=False, compare=False)

    def stores(self) -> tuple[Store, ...]:
        """Every store."""
        from memtui.claude.stores import find_stores  # noqa: PLC0415 – loaded when somebody looks for stores

        return find_stores(environ=self.environ, home=self.home, cwd=self.project)

    def projects_of(self, store: Store) -> tuple[Path, ...]:
        """Whose a store is."""
        from memtui.claude.store_summary import projects_of_store  # noqa: PLC0415 – as above

        return projects_of_store(store)

    def summary(self, store: Store, cancel: Cancel) -> StoreSummary:
        """What is in a store; files that have not changed since the last call, of this app or one before, are not read."""
        from memtui.claude.store_summary import Remembered, summarise  # noqa: PLC0415 – as above

        if not self._remembered:
            self._remembered.append(Remembered())
        return summarise(
            store,
            now=self.clock(),
            home=self.home,
            cancel=cancel,
            allowed=self._allowed(),
            remembered=self._remembered[0],
        )

    def _allowed(self) -> Container[str]:
        from memtui.memory.secrets.allowed import AllowedSecrets  # noqa: PLC0415 – as above

        return AllowedSecrets(self.state() if self.state is not None else None)

    def search(self, stores: Sequence[Store], query: str, cancel: Cancel) -> Iterator[StoreHit]:
        """The memories of all stores that hold some words."""
        from memtui.claude.store_search import search_stores  # noqa: PLC0415 – as above

        return search_stores(stores, query, now=self.clock(), cancel=cancel)

    def seen(self, entry: MemoryEntry, cancel: Cancel) -> str:
        """In which other stores a memory stands too, as a sentence; empty where in none, and after a cancel."""
        from memtui.claude.seen_words import named, seen_line  # noqa: PLC0415 – as above
        from memtui.claude.store_search import seen_elsewhere  # noqa: PLC0415

        found = named(seen_elsewhere(entry, self.stores(), now=self.clock(), cancel=cancel), self.home)
        return "" if cancel() else seen_line(found, self.lang)

    def candidates(self, summaries: Sequence[StoreSummary]) -> tuple[AdoptionCandidate, ...]:
        """Stores that the current project may have had under another name."""
        if self.project is None:
            return ()
        from memtui.claude.adoption import adoption_candidates  # noqa: PLC0415 – as above
        from memtui.claude.paths import project_slug, projects_dir  # noqa: PLC0415
        from memtui.claude.stores import client_state  # noqa: PLC0415

        return adoption_candidates(
            self.project,
            summaries,
            state=client_state(environ=self.environ, home=self.home),
            transcripts=projects_dir(self.environ, self.home) / project_slug(str(self.project)),
            now=self.clock(),
            monotonic=time.monotonic,
        )

    def _team_off(self, where: Path, config: Config) -> Refused | None:
        """What a new memory of the team is refused with in another store, as it would be there."""
        from memtui.memory.document.scopes import team_is_off  # noqa: PLC0415 – on the way to an error only
        from memtui.team.joined import is_joined  # noqa: PLC0415 – as above

        joined = self.state is not None and is_joined(self.state(), where)
        return None if team_on(self.environ, config, joined=joined) else team_is_off(where, self.config_file)

    def manager(self, store: Store, *, read_only: bool = False) -> MemoryManager:
        """A store opened for a change, or to be read from.

        Args:
            store: which.
            read_only: whether it is only read from.
        """
        from memtui.memory.managing.manager import MemoryManager  # noqa: PLC0415 – as above

        config = self.config_of(store.path)
        manager = MemoryManager.open(
            store.path,
            config.house,
            clock=self.clock,
            lang=self.lang,
            read_only=read_only or self.read_only or not store.writable,
            project_root=store.project,
        )
        manager.journal.door = "app"
        manager.planner.team_off = partial(self._team_off, store.path, config)
        manager.hindrance = config.problem
        manager.allowed_secrets = self._allowed()
        return manager
