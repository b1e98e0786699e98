"""Every memory directory on the machine: Claude Code's, its subagents', and those of agents that keep memories alike.

Listing is cheap: folder names, and the client's own list of projects. What is in a store is ``store_summary``'s
business. Nothing here changes anything.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from memtui.claude.foreign import head_of, leads_to_folder, named_path
from memtui.claude.paths import MAX_SLUG_UNITS, config_dir, main_checkout, memory_candidates, project_slug

StoreKind = Literal[
    "project",
    "agent",
    "agent-project",
    "agent-local",
    "qwen",
    "qwen-pinned",
    "openclaw",
    "codex",
    "gemini",
    "letta",
    "basic-memory",
]

MAX_STORES = 10_000
"""How many stores are listed (ours)."""
_MAX_STATE_BYTES = 64 << 20  # the client's own file grows with every project
_MAX_PROJECTS = 10_000


@dataclass(frozen=True, slots=True)
class Store:
    """One memory directory.

    Attributes:
        path: the directory.
        kind: whose it is, and which of its places.
        slug: the name of the project's folder, or of the agent.
        project: the project it belongs to, where the place or the client's own list tells; more in a summary.
        transcripts: the folder with the project's transcripts, if there is one.
        read_only: why memtui does not change it: ``format``, the files are another program's own; or ``permission``.
    """

    path: Path
    kind: StoreKind
    slug: str
    project: Path | None = None
    transcripts: Path | None = None
    read_only: Literal["format", "permission"] | None = None

    @property
    def writable(self) -> bool:
        """Whether memtui may change it."""
        return self.read_only is None


@dataclass(frozen=True, slots=True)
class ClientState:
    """What the client keeps about projects in ``.claude.json`` (measured on 2.1.328).

    Attributes:
        projects: directories it was started in.
        repositories: by ``owner/name`` in lower case, the checkouts of a repository on GitHub, latest first.
    """

    projects: tuple[Path, ...] = ()
    repositories: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)


def find_stores(*, environ: Mapping[str, str], home: Path, cwd: Path | None = None) -> tuple[Store, ...]:
    """Every store on the machine, each once, in the order of kinds and names; at most 10,000.

    Args:
        environ: environment variables.
        home: the user's home directory.
        cwd: a directory whose project's store is listed wherever a setting puts it.
    """
    known = known_projects(environ=environ, home=home, cwd=cwd)
    found: dict[str, Store] = {}
    for store in _candidates(environ, home, cwd, known):
        if len(found) >= MAX_STORES:
            break
        if _is_folder(store.path):
            found.setdefault(os.path.realpath(store.path), store)
    return tuple(found.values())


def known_projects(*, environ: Mapping[str, str], home: Path, cwd: Path | None = None) -> tuple[Path, ...]:
    """The main checkouts of all projects that the client's own list or the current directory name."""
    state = client_state(environ=environ, home=home)
    named = ([cwd] if cwd is not None else []) + [*state.projects]
    for paths in state.repositories.values():
        named += paths
    return tuple(dict.fromkeys(_checkout(path) for path in named[:_MAX_PROJECTS]))


def client_state(*, environ: Mapping[str, str], home: Path) -> ClientState:
    """What ``.claude.json`` of each configuration folder says; empty where there is none or it makes no sense."""
    projects: list[Path] = []
    repositories: dict[str, tuple[Path, ...]] = {}
    named = environ.get("CLAUDE_CONFIG_DIR")
    for file in dict.fromkeys([*([Path(named) / ".claude.json"] if named else []), home / ".claude.json"]):
        data = _json(file)
        projects += _absolute(data.get("projects"))
        listed = data.get("githubRepoPaths")
        for name, paths in listed.items() if isinstance(listed, dict) else ():
            repositories[name.lower()] = (*repositories.get(name.lower(), ()), *_absolute(paths))
    return ClientState(tuple(dict.fromkeys(projects)), repositories)


def _absolute(values: object) -> list[Path]:
    """The absolute paths among the items of a list, or the keys of a mapping."""
    if not isinstance(values, list | dict):
        return []
    return [path for path in map(named_path, values) if path is not None]


def _checkout(path: Path) -> Path:
    """The main checkout of a project that is there; the path itself of one that is gone."""
    try:
        return main_checkout(path) if path.is_dir() else path
    except OSError:
        return path


# ------------------------------------------------------------------ places


def _candidates(
    environ: Mapping[str, str], home: Path, cwd: Path | None, known: Sequence[Path]
) -> Iterator[Store]:
    named = {project_slug(str(project))[:MAX_SLUG_UNITS]: project for project in reversed(known)}
    if cwd is not None:
        here = memory_candidates(cwd, environ=environ, home=home)[0]
        if here.path.parent.parent.name != "projects":  # a setting names it; the others are found below
            project = main_checkout(cwd)
            yield _ours("project", here.path, project_slug(str(project)), project)
    configs = tuple(dict.fromkeys([config_dir(environ, home), home / ".claude"]))
    remote = environ.get("CLAUDE_CODE_REMOTE_MEMORY_DIR")
    for base in dict.fromkeys([*([Path(remote)] if remote else []), *configs]):
        for folder in _folders(base / "projects"):
            yield _ours(
                "project",
                folder / "memory",
                folder.name,
                named.get(folder.name[:MAX_SLUG_UNITS]),
                folder,
            )
    for config in configs:
        for folder in _folders(config / "agent-memory"):
            yield _ours("agent", folder, folder.name, None)
    for project in known:
        for folder in _folders(project / ".claude" / "agent-memory"):
            yield _ours("agent-project", folder, folder.name, project)
        for folder in _folders(project / ".claude" / "agent-memory-local"):
            yield _ours("agent-local", folder, folder.name, project)
    for folder in _folders(home / ".qwen" / "projects"):
        project_of_it = named.get(folder.name[:MAX_SLUG_UNITS])
        yield _ours("qwen", folder / "memory", folder.name, project_of_it)
        yield _ours("qwen-pinned", folder / "pinned", folder.name, project_of_it)
    yield from _others(environ, home)


def _others(environ: Mapping[str, str], home: Path) -> Iterator[Store]:
    """Folders of plain Markdown that other agents keep, at their default places."""
    codex = Path(environ.get("CODEX_HOME") or home / ".codex")
    workspace = home / ".openclaw" / "workspace"
    yield Store(workspace / "memory", "openclaw", "workspace", workspace, read_only="format")
    yield Store(codex / "memories", "codex", "memories", read_only="format")
    for folder in _folders(home / ".gemini" / "tmp"):
        yield Store(folder / "memory", "gemini", folder.name, read_only="format")
    for folder in _folders(home / ".letta" / "agents"):
        yield Store(folder / "memory", "letta", folder.name, read_only="format")
    yield Store(home / "basic-memory", "basic-memory", "main", read_only="format")


def _ours(
    kind: StoreKind, path: Path, slug: str, project: Path | None, transcripts: Path | None = None
) -> Store:
    refused = _is_folder(path) and not os.access(path, os.W_OK | os.X_OK)
    return Store(path, kind, slug, project, transcripts, "permission" if refused else None)


# ------------------------------------------------------------------ looking


def _folders(path: Path) -> list[Path]:
    """The folders in a folder, by name; none where it is not there or may not be read."""
    try:
        with os.scandir(path) as children:
            names = [child.name for child in children if child.name[0] != "." and leads_to_folder(child)]
    except OSError:
        return []
    return [path / name for name in sorted(names)]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(head_of(path, _MAX_STATE_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
