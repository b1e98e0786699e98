"""Which folder is it? Every place where a project's memories may lie, the one in force first, and what is odd (spec §15).

Clients of other versions, of another configuration folder or from before a project was moved leave stores behind that
nobody sees any more; here they are found, with what is in them and with what transcripts prove of them.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from memtui.claude.evidence import Evidence, evidence_in
from memtui.claude.folders import work_trees
from memtui.claude.foreign import leads_to_folder
from memtui.claude.paths import (
    DIRECTORY,
    MAX_SLUG_UNITS,
    OVERRIDE,
    config_dir,
    main_checkout,
    memory_candidates,
    project_of,
    project_slug,
    projects_dir,
    settings_at,
    store_folder,
    work_tree,
)
from memtui.claude.settings import ManagedPlaces, Settings, SettingsProblem
from memtui.claude.switch import Switch, auto_memory_state, variable_problems
from memtui.claude.wording import words
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk.files import Folder
from memtui.memory.errors import MemtuiError
from memtui.memory.types import Lang

Kind = Literal[
    "override",
    "setting",
    "project",
    "untrusted",
    "worktree",
    "working_directory",
    "form",
    "long",
    "config",
    "moved",
    "alike",
    "used",
    "agent",
]
WarningCode = Literal["unseen", "shared", "used_elsewhere"]

_MAX_COUNTED = 100_000
_MAX_NAMES = 20_000
_MAX_FOUND = 20
_AGENT_FOLDERS = ("agent-memory", "agent-memory-local")


@dataclass(frozen=True, slots=True)
class Place:
    """One folder that may hold memories of the project.

    Attributes:
        path: the memory directory.
        kind: which rule names it.
        name: the project, folder or agent that the rule is about.
        where: the settings file or configuration folder that the rule is about.
        in_force: whether the client uses it here.
        exists: whether it is a directory now.
        memories: how many memory files are in it, old versions beside them included; None if it cannot be read.
        changed: when one of its files last changed, Unix seconds; None if there is none.
        used: whether a session was proved to load its index; None if no session looked at has told what it loaded.
        used_at: when one last did, Unix seconds.
    """

    path: Path
    kind: Kind
    name: str = ""
    where: Path | None = None
    in_force: bool = False
    exists: bool = False
    memories: int | None = 0
    changed: float | None = None
    used: bool | None = None
    used_at: float | None = None

    def rule(self, lang: Lang = "en") -> str:
        """What names it, for a person."""
        return words(lang).rules[self.kind].format(name=self.name, where=self.where)


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that makes people lose sight of memories.

    Attributes:
        code: what it is.
        place: the memory directory it is about.
        memories: how many memories are concerned.
        others: other projects concerned.
    """

    code: WarningCode
    place: Place
    memories: int = 0
    others: tuple[Path, ...] = ()

    def said(self, lang: Lang) -> str:
        """The same as a sentence, without its full stop."""
        say = words(lang).warnings
        template = say["unseen_one"] if self.code == "unseen" and self.memories == 1 else say[self.code]
        return template.format(
            path=self.place.path, memories=self.memories, others=", ".join(map(str, self.others))
        )


@dataclass(frozen=True, slots=True)
class Survey:
    """All there is to know of where a project's memories are.

    Attributes:
        cwd: the directory that was asked about.
        root: the project it belongs to: its main checkout.
        places: the folders, the one in force first.
        switch: whether the client uses auto memory here.
        problems: settings and variables that do not do what somebody may think they do.
        oddities: what makes people lose sight of memories.
    """

    cwd: Path
    root: Path
    places: tuple[Place, ...]
    switch: Switch
    problems: tuple[SettingsProblem, ...]
    oddities: tuple[Oddity, ...]

    @property
    def in_force(self) -> Place:
        """The folder that the client uses here."""
        return self.places[0]

    @property
    def stand_in(self) -> Place | None:
        """The folder to look at instead where the one in force is not there; None if no other holds memories.

        The one that a session was last seen to use; else the first that the order of rules gives.
        """
        others = [place for place in self.places[1:] if place.kind != "agent" and place.memories]
        proved = [place for place in others if place.used_at is not None]
        return max(proved, key=lambda place: place.used_at or 0.0) if proved else next(iter(others), None)


def survey(
    cwd: Path, *, environ: Mapping[str, str], home: Path, managed: ManagedPlaces | None = None
) -> Survey:
    """Find every place where the memories of a directory's project may lie.

    Reads settings files, folder names and the beginnings of the newest transcripts; changes nothing, runs nothing.

    Args:
        cwd: the directory the client is started in; it need not exist.
        environ: the environment it is started in.
        home: the user's home directory.
        managed: where an organisation's settings lie; None to leave them out.
    """
    settings = settings_at(cwd, environ=environ, home=home, managed=managed)
    look = _Look(Path(os.path.realpath(cwd)), home, environ, settings)
    look.chain()
    look.other_names()
    look.other_bases()
    look.left_behind()
    look.agents()
    evidence = evidence_in(look.transcript_folders())
    for path in evidence.loaded:
        look.add(path, "used")
    places = tuple(_filled(place, evidence) for place in look.found.values())
    return Survey(
        look.cwd,
        look.root,
        places,
        auto_memory_state(environ, settings),
        (*variable_problems(environ, settings), *settings.problems),
        tuple(_oddities(places, look, evidence)),
    )


@dataclass(slots=True)
class _Look:
    """Gathers places; the first rule that names a folder is the one it is shown with."""

    cwd: Path
    home: Path
    environ: Mapping[str, str]
    settings: Settings
    root: Path = field(init=False)
    base: Path = field(init=False)
    bases: tuple[Path, ...] = field(init=False)
    own: tuple[tuple[Kind, Path], ...] = field(init=False)
    found: dict[str, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root = main_checkout(self.cwd)
        tree = work_tree(self.cwd) or self.root
        seen = self.settings.environment(self.environ)
        self.base = self.cwd / projects_dir(seen, self.home)
        configs = [
            self.cwd / config_dir(seen, self.home),
            self.cwd / config_dir(self.environ, self.home),
            self.home / ".claude",
            self.home / ".config" / "claude",
            *_children(self.home, lambda name: name.startswith(".claude")),
        ]
        self.bases = tuple(dict.fromkeys(config / "projects" for config in configs))
        own: dict[Path, Kind] = {self.root: "project"}
        own.setdefault(tree, "worktree")
        own.setdefault(self.cwd, "working_directory")
        self.own = tuple((kind, path) for path, kind in own.items())

    def add(self, path: Path, kind: Kind, name: str = "", where: Path | None = None) -> None:
        """Note a folder, unless it was named before."""
        self.found.setdefault(os.path.realpath(path), Place(path, kind, name, where, in_force=not self.found))

    def chain(self) -> None:
        """The places that the client's own rules name, in their order; then what a project's own settings name."""
        named = self.settings.directory(self.home)
        for place in memory_candidates(
            self.cwd, environ=self.environ, home=self.home, settings=self.settings
        ):
            if place.rule == OVERRIDE:
                self.add(place.path, "override")
            elif named is not None and place.rule.startswith(DIRECTORY):
                self.add(place.path, "setting", where=named[1].where)
            else:
                self.add(place.path, "project", str(self.root))
        for path, value in self.settings.untrusted_directories(self.home):
            self.add(path, "untrusted", where=value.where)

    def other_names(self) -> None:
        """Folders of the same project by names that clients differ in."""
        for kind, project in self.own[1:]:
            self.add(store_folder(self.base, project) / "memory", kind, str(project))
        for tree in islice(work_trees(self.root), _MAX_FOUND):
            self._if_there(store_folder(self.base, tree) / "memory", "worktree", str(tree))
        for kind, project in self.own:
            text = str(project)
            for written in (unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)):
                slug = project_slug(written)
                if len(slug) <= MAX_SLUG_UNITS:
                    self._if_there(self.base / slug / "memory", "form", text)
                    continue
                for folder in _children(self.base, _begins(slug[:MAX_SLUG_UNITS])):
                    self._if_there(folder / "memory", "long" if kind == "project" else kind, text)

    def other_bases(self) -> None:
        """The same project in other configuration folders."""
        for base in self.bases:
            for _, project in self.own:
                self._if_there(
                    store_folder(base, project) / "memory", "config", str(project), where=base.parent
                )

    def left_behind(self) -> None:
        """Stores of projects of the same name that are no longer there: this one may have been moved."""
        end = f"-{project_slug(self.root.name)}"
        for folder in _children(self.base, lambda name: name.endswith(end)):
            memory = folder / "memory"
            if os.path.realpath(memory) in self.found or not _is_dir(memory):
                continue
            ran_in = evidence_in([folder]).ran_in
            owners = [path for path in ran_in if project_slug(str(path)) == folder.name]
            if owners:
                if not any(map(_is_dir, owners)):
                    self.add(memory, "moved", str(max(owners, key=lambda path: ran_in[path])))
            elif project_of(memory) is None:
                self.add(memory, "alike", folder.name)

    def agents(self) -> None:
        """Memories of subagents: of the person's own, and of the project's."""
        tops = [self.bases[0].parent, *(project / ".claude" for _, project in self.own)]
        for top in dict.fromkeys(tops):
            for name in _AGENT_FOLDERS:
                for folder in _children(top / name, lambda child: not child.startswith(".")):
                    self._if_there(folder, "agent", folder.name)

    def transcript_folders(self) -> list[Path]:
        """Where sessions in this project, and those that used its stores, left their transcripts."""
        folders = [
            store_folder(base, project)
            for base in dict.fromkeys([self.base, *self.bases])
            for _, project in self.own
        ]
        stores = [place.path.parent for place in self.found.values() if place.path.parent.parent == self.base]
        return list(dict.fromkeys([*folders, *stores]))

    def _if_there(self, path: Path, kind: Kind, name: str, where: Path | None = None) -> None:
        if _is_dir(path):
            self.add(path, kind, name, where)


def _filled(place: Place, evidence: Evidence) -> Place:
    """A place with what is in it and what is known of it."""
    exists = _is_dir(place.path)
    memories, changed = _holding(place.path) if exists else (0, None)
    real = os.path.realpath(place.path)
    times = [at for path, at in evidence.loaded.items() if os.path.realpath(path) == real]
    return Place(
        place.path,
        place.kind,
        place.name,
        place.where,
        place.in_force,
        exists,
        memories,
        changed,
        bool(times) if evidence.loaded else None,
        max(times, default=None),
    )


def _holding(path: Path) -> tuple[int | None, float | None]:
    """How many memory files a folder holds, and when one of its files last changed; None if it cannot be read."""
    count, changed = 0, None
    try:
        for rel, stamp in islice(Folder(path).walk(), _MAX_COUNTED):
            count += rel != INDEX_NAME
            at = stamp.mtime_ns / 1e9
            changed = at if changed is None else max(changed, at)
    except (MemtuiError, OSError):
        return None, None
    return count, changed


def _oddities(places: Sequence[Place], look: _Look, evidence: Evidence) -> Iterator[Oddity]:
    first = places[0]
    for place in places[1:]:
        if place.memories and place.kind != "agent":
            yield Oddity("unseen", place, place.memories)
    newest = max(evidence.loaded.items(), key=lambda item: item[1], default=None)
    if newest is not None and os.path.realpath(newest[0]) != os.path.realpath(first.path):
        found = [place for place in places if os.path.realpath(place.path) == os.path.realpath(newest[0])]
        yield Oddity("used_elsewhere", found[0])
    if first.kind == "project" and (others := _sharing(look, evidence)):
        yield Oddity("shared", first, others=others)


def _sharing(look: _Look, evidence: Evidence) -> tuple[Path, ...]:
    """Other projects whose paths give the same folder: from transcripts, and from the folders beside this one."""
    slug = project_slug(unicodedata.normalize("NFC", str(look.root)))
    beside = _children(
        look.root.parent,
        lambda name: project_slug(name) == project_slug(look.root.name) and name != look.root.name,
    )
    others = {main_checkout(path) for path in (*evidence.ran_in, *beside)} - {look.root}
    return tuple(
        sorted(path for path in others if project_slug(unicodedata.normalize("NFC", str(path))) == slug)
    )


def _begins(text: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(text)


def _children(folder: Path, wanted: Callable[[str], bool]) -> list[Path]:
    """Folders in a folder whose names are wanted, in the order of their names; at most twenty."""
    try:
        with os.scandir(folder) as children:
            names = sorted(
                child.name
                for child in islice(children, _MAX_NAMES)
                if wanted(child.name) and leads_to_folder(child)
            )
    except OSError:  # not there, or it may not be read: nothing is known of it
        return []
    return [folder / name for name in names[:_MAX_FOUND]]


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
