"""Opens the app on a directory: the one place where store, manager and app are put together."""

from __future__ import annotations

import gc
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.choices import ChoicesFile
from memtui.config import NOTHING_SET, Config, team_on
from memtui.launching import Launch
from memtui.memory.conventions import CONVENTIONS, Convention
from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.types import Clock, Lang
from memtui.team.joined import is_joined
from memtui.tui.app import MemtuiApp
from memtui.tui.app_lookups import UsageReading
from memtui.tui.app_threads import Opened
from memtui.tui.courtesy import Courtesy
from memtui.tui.given import logging_of, model_of, teaming, usage_reading
from memtui.tui.leaving import leaving_in_order
from memtui.tui.lookup import ClaimLookup
from memtui.tui.machine import Machine, nothing_set
from memtui.tui.present.parts import directory_title
from memtui.tui.setting import never, no_model

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel
    from memtui.claude.stores import Store
    from memtui.memory.managing.manager import MemoryManager
    from memtui.tui.teaming import Teaming

_SWITCH_SECONDS = 0.001
"""Longest that one thread keeps the others waiting (ours: a fifth of Python's own, so that a key is not felt)."""


def _allowed() -> None:
    """No refusal."""


def make_app(
    memory_dir: Path,
    *,
    convention: Convention | str | None = None,
    lang: Lang = "en",
    clock: Clock = time.time,
    ascii_mode: bool = False,
    read_only: bool = False,
    home: Path | None = None,
    project_root: Path | None = None,
    title: str = "",
    editor: Sequence[str] = (),
    loaded: Callable[[], None] | None = None,
    config: Config = NOTHING_SET,
    team: bool = False,
    team_off: Callable[[], Refused | None] = _allowed,
    off: str = "",
    greeting: str = "",
    report: Callable[[BaseException], Path | None] | None = None,
    usage: UsageReading | None = None,
    state: Callable[[], Path] | None = None,
    choices: Path | None = None,
    machine: Machine | None = None,
    start: str = "",
    model: Callable[[], AnthropicModel | None] = no_model,
    logging: Callable[[], bool] = never,
    zone: tzinfo | None = None,
    sharing: Callable[[MemoryManager], Teaming] | None = None,
    joined: bool = False,
) -> MemtuiApp:
    """An app on a memory directory; nothing is read before it runs.

    Args:
        memory_dir: the directory; it need not exist.
        convention: ``library`` or ``claude``; detected when None.
        lang: language of what goes into a prompt.
        clock: gives the time, Unix seconds.
        ascii_mode: draw with ASCII only.
        read_only: switch changes off.
        home: the home folder, for short paths.
        project_root: where what memories name is looked up.
        title: what to call the directory; from its path when empty.
        editor: the person's own editor, as a command to which a file is added.
        loaded: called when what stays has come; see ``MemtuiApp``.
        config: what the person has set.
        team: whether new memories may be the team's.
        team_off: what one is refused with at the moment it is to be made, if it is; what was shared since the start
            counts.
        off: why the client loads nothing of the directory; empty if it does, or if that is not known.
        greeting: what to say first; empty for nothing.
        report: writes down an error of memtui's own, and gives where.
        usage: reads what is new in the transcripts; see `usage_reading`.
        state: names the state folder, where it is kept what the person has seen of the directory; None to keep nothing,
            and to find nothing that others changed.
        choices: the folder where what a person chooses in the app is kept for the next run; None to keep nothing.
        machine: where the other stores are looked for.
        start: slug of the memory to begin on.
        model: gives the model that may be asked; None where none is set up.
        logging: says whether the daily log is switched on.
        zone: the zone whose days count; None for the system's own.
        sharing: makes what shares the directory with a team, of its manager; None to share nothing.
        joined: whether it is shared, so that it is synced from the start.
    """
    courtesy = Courtesy(time.monotonic, time.sleep)
    wanted = CONVENTIONS[convention] if isinstance(convention, str) else convention

    def opening() -> Opened:
        # Loaded behind the first paint; see ``MemtuiApp``.
        from memtui.memory.checks.findings import Checker  # noqa: PLC0415
        from memtui.memory.directory.scan import Directory  # noqa: PLC0415
        from memtui.memory.live.checker import MAX_DUPLICATES  # noqa: PLC0415
        from memtui.memory.managing.manager import MemoryManager  # noqa: PLC0415
        from memtui.memory.secrets.allowed import AllowedSecrets  # noqa: PLC0415
        from memtui.store import MemoryStore  # noqa: PLC0415

        allowed = AllowedSecrets(state() if state is not None else None)
        directory = Directory(memory_dir, convention=wanted, clock=clock)
        checker = Checker(
            directory,
            project_root=project_root,
            clock=clock,
            lang=lang,
            breathe=courtesy.breathe,
            allowed=allowed,
        )
        manager = MemoryManager.open(
            memory_dir,
            clock=clock,
            lang=lang,
            directory=directory,
            read_only=read_only,
            project_root=project_root,
        )
        manager.journal.door = "app"
        manager.hindrance = config.problem
        manager.planner.team_off = team_off
        manager.allowed_secrets = allowed
        manager.best_match = checker.duplicates.best
        manager.matches = partial(checker.duplicates.matches, limit=MAX_DUPLICATES, wait=False)
        unreviewed = None
        if state is not None:
            from memtui.memory.review.unreviewed import Unreviewed  # noqa: PLC0415
            from memtui.memory.review.visits import Visits  # noqa: PLC0415

            unreviewed = Unreviewed(manager, Visits(state(), memory_dir))
        store = MemoryStore(directory, checker=checker, reviewer=unreviewed, clock=clock)
        store.at_keys = courtesy.is_at_keys
        return Opened(
            store, manager, unreviewed, partial(sharing, manager) if sharing is not None else None, joined
        )

    return MemtuiApp(
        memory_dir,
        opening,
        clock=clock,
        lang=lang,
        ascii_mode=ascii_mode or bool(config.ascii),
        read_only=read_only,
        title=title or directory_title(memory_dir),
        home=home,
        editor=editor,
        loaded=loaded,
        lookup=ClaimLookup(project_root, memory_dir) if project_root else None,
        config=config,
        team=team,
        off=off,
        greeting=greeting,
        report=report,
        usage=usage,
        choices=ChoicesFile(choices, read_only=read_only) if choices is not None else None,
        machine=machine,
        start=start,
        at_keys=courtesy.noticed,
        breathe=courtesy.breathe,
        model=model,
        logging=logging,
        zone=zone,
    )


def opening_notice(store: Store, lang: Lang) -> str:
    """Why a store is opened read-only; empty where it is not."""
    if store.read_only is None:
        return ""
    from memtui.claude.store_words import store_words  # noqa: PLC0415 – few open another store
    from memtui.tui.wording.projects import words  # noqa: PLC0415

    return words(lang).opened.format(why=store_words(lang).read_only[store.read_only])


def _collect_again() -> None:
    """Let the collector run again, and never over what stays: ten thousand memories, seen through, cost a key 0.1 s."""
    gc.freeze()
    gc.enable()


def _editor(environ: Mapping[str, str]) -> Sequence[str]:
    """The person's own editor as a command; nothing if none is set, or if it cannot be taken apart."""
    try:
        return shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "")
    except ValueError:
        return ()


def run_app(
    asked: Launch,
    *,
    reports: Callable[[], Path] | None = None,
    state: Callable[[], Path] | None = None,
    config_of: Callable[[Path], Config] = nothing_set,
    config_file: Path | None = None,
) -> int:
    """Run the app until somebody leaves it, on one store after the other; gives the exit code.

    Args:
        asked: the directory to begin with, and what holds for every one.
        reports: the folder for reports of memtui's own errors.
        state: the folder where it is kept how far transcripts were read, and what the person has seen of a directory.
        config_of: the settings in force for another store, or for this one by now.
        config_file: the person's own settings, for sentences that name the file; None if nobody knows.

    Raises:
        Crashed: an error of memtui's own ended it; ``reports`` names the folder that then gets a report.
    """

    def report(error: BaseException) -> Path | None:
        from memtui.crash import report_text, write_report  # noqa: PLC0415 – on the way to an error only

        now = asked.clock()
        return write_report(report_text(error, now), reports(), now) if reports is not None else None

    # Of the objects made while loading none is garbage; going through them took a quarter of the time to the first
    # paint, and would make later frames stutter.
    gc.disable()
    home = Path(asked.environ["HOME"]) if asked.environ.get("HOME") else None
    machine = None
    if home is not None:
        machine = Machine(
            asked.environ,
            home,
            asked.clock,
            asked.project_root,
            config_of,
            asked.lang,
            asked.read_only,
            state,
            config_file,
        )
    app = _app_on(asked, machine, report, state)
    # A key has to wait for whoever holds the interpreter: the checks of thousands of memories, in steps of this length.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        with leaving_in_order(app.leave):
            app.run()
        while (chosen := app.next_store) is not None and app.fault is None:
            gc.unfreeze()  # what the app before held can go
            there = following(asked, chosen.store, config_of)
            project = chosen.store.project
            elsewhere = replace(machine, project=project) if machine is not None else None
            app = _app_on(there, elsewhere, report, state, start=chosen.slug)
            with leaving_in_order(app.leave):
                app.run()
    finally:
        sys.setswitchinterval(interval)
        gc.enable()
    if app.fault is not None:
        from memtui.crash import Crashed  # noqa: PLC0415 – on the way to an error only

        raise Crashed(report(app.fault)) from app.fault
    return app.return_code or 0


def following(asked: Launch, store: Store, config_of: Callable[[Path], Config]) -> Launch:
    """What holds for a store that is opened after the first."""
    settings = config_of(store.path)
    off = asked.off_of(store.path, store.project)
    return asked._replace(
        memory_dir=store.path,
        convention=settings.house,
        read_only=asked.read_only or not store.writable,
        project_root=store.project,
        config=settings,
        off=off,
        greeting=opening_notice(store, asked.lang) or off,
    )


def _now_set(asked: Launch, machine: Machine | None) -> Config:
    """The settings in force by now, since files are edited while the app runs; those it began with where none can be read."""
    if machine is None:
        return asked.config
    try:
        return machine.config_of(asked.memory_dir)
    except MemtuiError:
        return asked.config


def _app_on(
    asked: Launch,
    machine: Machine | None,
    report: Callable[[BaseException], Path | None],
    state: Callable[[], Path] | None,
    *,
    start: str = "",
) -> MemtuiApp:
    """The app on one directory, beginning on the memory ``start``."""
    environ, project = asked.environ, asked.project_root
    home = machine.home if machine is not None else None
    usage = None
    if home is not None:
        usage = usage_reading(asked.memory_dir, environ=environ, home=home, state=state, cwd=project)

    def team() -> bool:
        shared = state is not None and is_joined(state(), asked.memory_dir)
        return team_on(environ, asked.config, joined=shared)

    def team_off() -> Refused | None:
        from memtui.memory.document.scopes import team_is_off  # noqa: PLC0415 – on the way to an error only

        return None if team() else team_is_off(asked.memory_dir, machine.config_file if machine else None)

    joined = state is not None and is_joined(state(), asked.memory_dir)
    sharing = None
    if state is not None and asked.state is None:
        sharing = teaming(
            environ=environ,
            config=asked.config,
            state=state,
            read_only=asked.read_only,
            cwd=Path.cwd(),  # where it was started: a path that a person types is meant from there
        )
    return make_app(
        asked.memory_dir,
        convention=asked.convention,
        lang=asked.lang,
        clock=asked.clock,
        ascii_mode=asked.ascii_mode,
        read_only=asked.read_only,
        home=home,
        project_root=project,
        editor=_editor(environ),
        loaded=_collect_again,
        config=asked.config,
        team=team(),
        team_off=team_off,
        off=asked.off,
        greeting=asked.greeting,
        report=report,
        usage=usage,
        choices=asked.choices,
        state=state,
        machine=machine,
        start=start,
        model=model_of(environ, asked.config, state),
        logging=logging_of(environ, lambda: _now_set(asked, machine)),
        sharing=sharing,
        joined=joined,
    )
