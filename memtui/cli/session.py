"""What a command works on: the world it was started in, the directory it is about, the settings in force."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.claude.paths import (
    Candidate,
    main_checkout,
    memory_candidates,
    project_memory_dir,
    project_of,
    settings_at,
)
from memtui.cli.output import Output
from memtui.cli.places import refuse_everything, refuse_unreadable, same_folder
from memtui.cli.wording import CliWording, words
from memtui.config import Config, ConfigError, choose_lang, load_config, team_on
from memtui.memory.conventions import CONVENTIONS, INDEX_NAME, Convention
from memtui.memory.errors import Refused, UsageError
from memtui.memory.types import Clock, Lang
from memtui.memory.wording.saying import Say, joined, said

if TYPE_CHECKING:
    from datetime import tzinfo

    from memtui.claude.settings import ManagedPlaces, Settings
    from memtui.claude.survey import Survey
    from memtui.claude.switch import Switch
    from memtui.launching import Launch
    from memtui.memory.directory.scan import Directory
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.secrets.allowed import AllowedSecrets


class World(NamedTuple):
    """Everything a command takes from the process it runs in.

    Attributes:
        environ: environment variables.
        home: the user's home directory.
        cwd: the working directory.
        clock: gives the time.
        config_file: the user's configuration file.
        state_dir: the user's state folder for memtui.
        launch: opens the app and returns its exit code; handed in, since the command line knows no screen.
        managed: gives where an organisation's settings of Claude Code lie; None to leave them out.
        behind: starts memtui on such arguments in a process of its own; None where that is not to be.
        zone: the zone whose days count; None for the system's own.
        reports: gives the folder for reports of memtui's own errors; None to let them through.
    """

    environ: Mapping[str, str]
    home: Path
    cwd: Path
    clock: Clock
    config_file: Path
    state_dir: Path
    launch: Callable[[Launch], int]
    managed: Callable[[], ManagedPlaces] | None = None
    behind: Callable[[Sequence[str]], None] | None = None
    zone: tzinfo | None = None
    reports: Callable[[], Path] | None = None


@dataclass(
    slots=True, eq=False, repr=False
)  # nobody compares or prints one, and a start waits for each method
class Session:
    """One run of a command.

    Attributes:
        world: where it runs.
        out: where it writes.
        directory: ``--dir``.
        convention: ``--convention``.
        lang_option: ``--lang``.
        project: ``--project``.
        ascii_mode: ``--ascii``.
        read_only: ``--read-only``.
        as_json: ``--json``; None until a command's options were read.
        shared_secrets: ``--allow-secret``.
        creating: whether a store that is not there yet is about to be made.
    """

    world: World
    out: Output
    directory: Path | None = None
    convention: str | None = None
    lang_option: Lang | None = None
    project: Path | None = None
    ascii_mode: bool = False
    read_only: bool = False
    as_json: bool | None = None
    creating: bool = False
    shared_secrets: tuple[str, ...] = ()
    _config: Config | None = None
    _candidates: tuple[Candidate, ...] | None = None
    _pointed: bool = False
    _manager: MemoryManager | None = None

    def path(self, given: Path) -> Path:
        """A path as a person gave it, absolute; ``~/`` is the home, for no shell replaces it in ``--dir=~/x``."""
        home = given.parts[:1] == ("~",)
        return self.world.home.joinpath(*given.parts[1:]) if home else self.world.cwd / given

    def memory_dir(self) -> Path:
        """The directory the command is about: ``--dir``, or the store of the current project.

        Raises:
            UsageError: it is not there, or it is all of the disk. Without ``--dir`` the message says where it was
                looked for; a store that is about to be made need not be there.
            Refused: it may not be read.
        """
        if self.directory is not None:
            return self._named_dir(self.path(self.directory))
        found = self.candidates()
        refuse_unreadable(found[0].path)
        if found[0].exists or self.creating:
            return found[0].path
        looked = joined(
            (Say("\n  {path}  ({rule})", path=place.path, rule=place.rule) for place in found), ""
        )
        todo = Say(
            "Name a directory with --dir, or try 'memtui demo'. If the project was renamed or moved, 'memtui adopt' "
            "takes over its old store. Looked for:{looked}",
            looked=looked,
        )
        other = self.survey().stand_in
        if other is not None:
            todo = Say(
                "Name a directory with --dir. There are memories in:\n  {other}\n"
                "'memtui where' says more. Looked for:{looked}",
                other=other.path,
                looked=looked,
            )
        raise UsageError("this project has no memories yet", todo=todo)

    def _named_dir(self, where: Path) -> Path:
        refuse_unreadable(where)
        if where.is_dir():
            refuse_everything(where, self.world.home)
            self._point_to_store(where)
            return where
        if where.exists():
            raise UsageError(
                "this is not a directory",
                where=str(where),
                todo="Name a memory directory, or try 'memtui demo'",
            )
        todo = "Name a memory directory, or try 'memtui demo'"
        if self.creating:
            import shlex  # noqa: PLC0415 – on the way to an error only

            todo = Say("Make it with: mkdir -p {path}", path=shlex.quote(str(where)))
        raise UsageError("there is no such directory", where=str(where), todo=todo)

    def _point_to_store(self, where: Path) -> None:
        """Say it, once, when somebody names a project whose memories lie elsewhere."""
        if self._pointed or not (where / ".git").exists() or (where / INDEX_NAME).exists():
            return
        self._pointed = True
        store = project_memory_dir(where, environ=self.world.environ, home=self.world.home)
        if store.exists:
            self.out.note(self.words().own_folder.format(store=store.path))

    def stdin_is_tty(self) -> bool:
        """Whether there is somebody to ask."""
        return sys.stdin is not None and sys.stdin.isatty()

    def candidates(self) -> tuple[Candidate, ...]:
        """Where the current project's memories may lie."""
        if self._candidates is None:
            world = self.world
            self._candidates = memory_candidates(
                world.cwd,
                environ=world.environ,
                home=world.home,
                settings=self._client_settings(world.cwd),
            )
        return self._candidates

    def _client_settings(self, cwd: Path) -> Settings:
        """Claude Code's settings files that count in a directory."""
        world = self.world
        managed = world.managed() if world.managed else None
        return settings_at(cwd, environ=world.environ, home=world.home, managed=managed)

    def survey(self, cwd: Path | None = None) -> Survey:
        """Every place where the memories of a directory's project may lie, with what is in it.

        Args:
            cwd: the directory; the working directory when None.
        """
        from memtui.claude.survey import survey  # noqa: PLC0415  -- only where somebody asks, or nothing is found

        world = self.world
        managed = world.managed() if world.managed else None
        return survey(cwd or world.cwd, environ=world.environ, home=world.home, managed=managed)

    def switched_off(self, root: Path | None, directory: Path | None = None) -> Switch | None:
        """What keeps Claude Code from loading a directory; None if nothing does, or if it is no store of a project.

        Args:
            root: the project that the directory belongs to; None if that is not known.
            directory: which; that of the command when None.
        """
        world = self.world
        cwd = world.cwd if directory is None and self.directory is None else root
        if cwd is None:
            return None
        from memtui.claude.switch import auto_memory_state  # noqa: PLC0415  -- only the app asks

        settings = self._client_settings(cwd)
        switch = auto_memory_state(world.environ, settings)
        if switch.on:
            return None
        store = project_memory_dir(cwd, environ=world.environ, home=world.home, settings=settings)
        return switch if same_folder(directory or self.memory_dir(), store.path) else None

    def config(self) -> Config:
        """The settings in force for the directory."""
        if self._config is None:
            self._config = load_config(self.world.config_file, self.memory_dir())
            if self._config.problem is not None:
                self.out.error(
                    self.words().config_ignored.format(problem=self._config.problem.said(self.lang()))
                )
        return self._config

    def lang(self) -> Lang:
        """The language of messages and prompts."""
        return choose_lang(self.lang_option, self.world.environ, self.config())

    def own_lang(self) -> Lang:
        """The language where no directory has a say."""
        return choose_lang(self.lang_option, self.world.environ, load_config(self.world.config_file, None))

    def spoken(self, argv: Sequence[str]) -> Lang:
        """The language for what went wrong, as far as it is known: the settings themselves may be what did.

        Args:
            argv: the command line, which may not have been understood.
        """
        named = self.lang_option or _named_lang(argv)
        try:
            known = self._config or load_config(self.world.config_file, None)
        except ConfigError:
            known = Config()
        try:
            return choose_lang(named, self.world.environ, known)
        except ConfigError:
            return "en"

    def words(self) -> CliWording:
        """The sentences of the command line, in the language of messages."""
        return words(self.lang())

    def house(self) -> Convention | None:
        """The convention asked for; None to detect it."""
        return CONVENTIONS[self.convention] if self.convention else self.config().house

    def project_root(self) -> Path | None:
        """Where the paths and symbols that memories name are looked up; None if that is not known.

        ``--project``; for the current project's store its checkout; else the project a store's name leads to.

        Raises:
            UsageError: ``--project`` is not a directory.
        """
        if self.project is not None:
            root = self.path(self.project)
            if not root.is_dir():
                raise UsageError(
                    "there is no such directory", where=str(root), todo="Name the project's root"
                )
            return root
        if self.directory is None:
            return main_checkout(self.world.cwd)
        return project_of(self.memory_dir(), cwd=self.world.cwd)

    def read(self) -> Directory:
        """What the directory holds now."""
        from memtui.memory.directory.scan import Directory  # noqa: PLC0415  -- the app loads it behind its first paint

        directory = Directory(self.memory_dir(), convention=self.house(), clock=self.world.clock)
        directory.refresh()
        return directory

    def manager(self) -> MemoryManager:
        """The memories of the directory."""
        where, root = self.memory_dir(), self.project_root()
        self._manager = self.opened(where, self.config(), project_root=root, house=self.house())
        return self._manager

    def opened(
        self,
        where: Path,
        config: Config,
        *,
        project_root: Path | None,
        house: Convention | None = None,
        lang: Lang | None = None,
    ) -> MemoryManager:
        """The memories of any directory, with what the person has set and lets through.

        Args:
            where: the directory.
            config: the settings in force there.
            project_root: where the paths and symbols that memories name are looked up.
            house: the convention it follows; what the settings say when None.
            lang: language of messages and prompts; that of the command when None.
        """
        from memtui.memory.managing.manager import MemoryManager  # noqa: PLC0415  -- half of the start-up time, and `list` needs none

        manager = MemoryManager.open(
            where,
            house or config.house,
            clock=self.world.clock,
            lang=lang or self.lang(),
            project_root=project_root,
            read_only=self.read_only,
        )
        manager.journal.door = "command"
        manager.hindrance = config.problem
        manager.planner.team_off = lambda: None if self._team_on(where, config) else self._team_is_off(where)
        manager.allowed_secrets = self.allowed_secrets()
        manager.shared_secrets = frozenset(self.shared_secrets)
        return manager

    def allowed_secrets(self) -> AllowedSecrets:
        """The person's list of secrets that are let through."""
        from memtui.memory.secrets.allowed import AllowedSecrets  # noqa: PLC0415  -- as above

        return AllowedSecrets(self.world.state_dir)

    def team_on(self) -> bool:
        """Whether new memories may be the team's."""
        return self._team_on(self.memory_dir(), self.config())

    def _team_on(self, where: Path, config: Config) -> bool:
        from memtui.team.joined import is_joined  # noqa: PLC0415  -- as above

        return team_on(self.world.environ, config, joined=is_joined(self.world.state_dir, where))

    def _team_is_off(self, where: Path) -> Refused:
        from memtui.memory.document.scopes import team_is_off  # noqa: PLC0415  -- as above

        return team_is_off(where, self.world.config_file)

    def require_team(self, *, joins: bool = False) -> None:
        """See that new memories may be the team's.

        Args:
            joins: whether the directory is about to be shared, so that only a setting that says no counts.

        Raises:
            Refused: they may not.
        """
        if not (team_on(self.world.environ, self.config(), joined=True) if joins else self.team_on()):
            raise self._team_is_off(self.memory_dir())

    def warn(self) -> None:
        """Say what is wrong with the journal, if the command had to do with it."""
        for sentence in self._manager.journal.warnings() if self._manager else ():
            self.out.error(said(sentence, self.lang()))

    def changer(self, *, create: bool = False) -> MemoryManager:
        """The same for a command that changes something.

        Args:
            create: whether the store of a project that has none yet is made by the change.

        Raises:
            Refused: nobody would hear what was done.
        """
        self.out.require()
        self.creating = create
        return self.manager()


def _named_lang(argv: Sequence[str]) -> Lang | None:
    """What ``--lang`` says on a command line that was not understood."""
    given = [two for one, two in pairwise(argv) if one == "--lang"]
    given += [word.removeprefix("--lang=") for word in argv if word.startswith("--lang=")]
    return "zh" if "zh" in given else "en" if "en" in given else None
