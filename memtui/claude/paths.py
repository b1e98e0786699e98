"""Which folder holds the memories of a project, and which project a folder belongs to (spec §15).

The rules were measured against the released client 2.1.328 on Linux: what it prints as its memory folder from a
subfolder, a work tree, a submodule, a bare repository's work tree, through a link, over 200 units and under each
variable. git itself is never run: a repository could make it execute things.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.claude.foreign import head_of
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.claude.settings import ManagedPlaces, Settings

DIRECTORY = "autoMemoryDirectory"
DISABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
SIMPLE = "CLAUDE_CODE_SIMPLE"
REMOTE = "CLAUDE_CODE_REMOTE"
REMOTE_MEMORY = "CLAUDE_CODE_REMOTE_MEMORY_DIR"
OVERRIDE = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
CONFIG = "CLAUDE_CONFIG_DIR"

MAX_SLUG_UNITS = 200
"""Longest folder name the client makes of a path, in UTF-16 units; behind that it puts a hash (measured)."""

_MAX_GIT_FILE_BYTES = 4096
_MAX_VISITED = 20_000


class Candidate(NamedTuple):
    """One place where a project's memories may lie.

    Attributes:
        path: the memory directory.
        rule: what names it, for a person to read.
        exists: whether it is a directory now.
    """

    path: Path
    rule: str
    exists: bool


def project_slug(path: str) -> str:
    """The name the client gives a project: every UTF-16 unit outside ``[A-Za-z0-9]`` becomes ``-``.

    Args:
        path: the project's real path. Not shortened here: see ``MAX_SLUG_UNITS``.
    """
    return "".join(
        char if char.isascii() and char.isalnum() else "-" * (1 + (ord(char) > 0xFFFF)) for char in path
    )


def main_checkout(directory: Path) -> Path:
    """The folder a project is keyed by: the repository's main checkout, or the directory itself outside git.

    A linked work tree counts as its main checkout, provided that the repository points back at it: a lone ``.git``
    file must not lend its folder the memories of another project. A submodule is a project of its own. The work
    tree of a bare repository is keyed by that repository's folder.
    """
    tree = work_tree(directory)
    if tree is None:
        return Path(os.path.realpath(directory))
    return _main_of_worktree(tree) or tree


def work_tree(directory: Path) -> Path | None:
    """The root of the work tree that a directory is in, be it linked, a submodule or the main one; None outside git."""
    here = Path(os.path.realpath(directory))  # unlike resolve(), minds no loop of links
    for folder in (here, *here.parents):
        try:
            mode = (folder / ".git").stat().st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            return folder
    return None


def _main_of_worktree(folder: Path) -> Path | None:
    """The main checkout of a linked work tree; None if ``folder`` is none, or not one that is known there."""
    pointer = _first_line(folder / ".git")
    if pointer is None or not pointer.startswith("gitdir:"):
        return None
    git_dir = Path(os.path.realpath(folder / pointer.removeprefix("gitdir:").strip()))
    common_text = _first_line(git_dir / "commondir")
    back_text = _first_line(git_dir / "gitdir")
    if common_text is None or back_text is None:
        return None
    common = Path(os.path.realpath(git_dir / common_text))
    back = Path(os.path.realpath(git_dir / back_text))
    known = git_dir.parent == common / "worktrees" and back == folder / ".git"
    if not known:
        return None
    return common.parent if common.name == ".git" else common


def _first_line(path: Path) -> str | None:
    """First line of a small regular file, stripped; None if there is no such file."""
    data = head_of(path, _MAX_GIT_FILE_BYTES)
    if data is None:
        return None
    return os.fsdecode(data.partition(b"\n")[0].strip()).replace("\0", "")


def config_dir(environ: Mapping[str, str], home: Path) -> Path:
    """Claude Code's configuration folder: ``CLAUDE_CONFIG_DIR`` or ``~/.claude``."""
    named = environ.get(CONFIG, "")
    return Path(named) if named else home / ".claude"


def projects_dir(environ: Mapping[str, str], home: Path) -> Path:
    """The folder of all projects' stores; ``CLAUDE_CODE_REMOTE_MEMORY_DIR`` moves it alone."""
    named = environ.get(REMOTE_MEMORY, "")
    return (Path(named) if named else config_dir(environ, home)) / "projects"


def settings_at(
    cwd: Path, *, environ: Mapping[str, str], home: Path, managed: ManagedPlaces | None = None
) -> Settings:
    """Claude Code's settings files that count in a directory.

    Args:
        cwd: the directory the client is started in.
        environ: the environment it is started in.
        home: the user's home directory.
        managed: where an organisation's settings lie; None to leave them out.
    """
    from memtui.claude.settings import read_settings  # noqa: PLC0415 – whoever names a directory needs none

    config = cwd / config_dir(environ, home)
    return read_settings(config=config, cwd=cwd, root=main_checkout(cwd), managed=managed)


def memory_candidates(
    cwd: Path, *, environ: Mapping[str, str], home: Path, settings: Settings | None = None
) -> tuple[Candidate, ...]:
    """Every place a rule names for the project of ``cwd``, the one in force first.

    Args:
        cwd: the directory the client is started in.
        environ: the environment it is started in; what the settings' ``env`` sets wins over it (measured).
        home: the user's home directory.
        settings: the settings files that count there; read when None, without those of an organisation.
    """
    if settings is None:
        settings = settings_at(cwd, environ=environ, home=home)
    seen = settings.environment(environ)
    found: list[tuple[Path, str]] = []
    override = usable_folder(seen.get(OVERRIDE), None)
    if override is not None:
        found.append((override, OVERRIDE))
    named = settings.directory(home)
    if named is not None:
        found.append((named[0], Say("autoMemoryDirectory in {path}", path=named[1].where)))
    root = main_checkout(cwd)
    stores = cwd / projects_dir(seen, home)
    found.append((store_folder(stores, root) / "memory", Say("the project {path}", path=root)))
    return tuple(Candidate(path, rule, _is_dir(path)) for path, rule in found)


def project_memory_dir(
    cwd: Path, *, environ: Mapping[str, str], home: Path, settings: Settings | None = None
) -> Candidate:
    """Where the memories of the project of ``cwd`` are kept, whether or not the folder is there."""
    return memory_candidates(cwd, environ=environ, home=home, settings=settings)[0]


def store_folder(projects: Path, project: Path) -> Path:
    """The project's folder below ``projects``: the one that is there, or the one that would be made.

    Behind 200 units the client puts a hash that only it can compute, so such a folder is known by its beginning;
    one that is not there yet is given without the hash.
    """
    forms = _forms(str(project))
    for form in forms:
        if len(form) <= MAX_SLUG_UNITS:
            if _is_dir(projects / form):
                return projects / form
            continue
        try:
            with os.scandir(projects) as children:
                names = [child.name for child in children if child.name.startswith(form[:MAX_SLUG_UNITS])]
        except OSError:
            names = []
        if names:  # the one that holds memories, should two long paths begin alike
            return projects / min(names, key=lambda name: (not _is_dir(projects / name / "memory"), name))
    return projects / forms[0][:MAX_SLUG_UNITS]


def project_of(memory_dir: Path, *, cwd: Path | None = None) -> Path | None:
    """The project whose memories a folder ``…/projects/<slug>/memory`` holds; None if that is not certain.

    A slug cannot be turned back into a path, so folders are tried whose names fit. Reads folder names only, at
    most 20,000 of them.

    Args:
        memory_dir: the memory directory.
        cwd: a directory whose project is preferred, should several share the slug.
    """
    where = Path(os.path.realpath(memory_dir))
    if where.name != "memory" or where.parent.parent.name != "projects":
        return None
    slug = where.parent.name
    if cwd is not None:
        root = main_checkout(cwd)
        if _fits(str(root), slug):
            return root
    found: list[Path] = []
    left = _MAX_VISITED
    todo = [(Path("/"), slug)]
    while todo and left > 0 and len(found) < 2:
        folder, rest = todo.pop()
        try:
            with os.scandir(folder) as children:
                for child in children:
                    left -= 1
                    step = f"-{project_slug(child.name)}"
                    if not rest.startswith(step) or not child.is_dir(follow_symlinks=False):
                        continue
                    if rest == step:
                        found.append(folder / child.name)
                    elif rest[len(step)] == "-":
                        todo.append((folder / child.name, rest[len(step) :]))
        except OSError:  # a folder that may not be read holds no project of ours
            continue
    return found[0] if len(found) == 1 and left > 0 else None


def usable_folder(text: str | None, home: Path | None) -> Path | None:
    """A folder named in a variable or setting; None for what the client passes over (measured).

    Absolute, or ``~/…`` where a home is given; neither the root nor the home itself.
    """
    if not text or "\0" in text:
        return None
    if home is not None and text.startswith("~/"):
        if os.path.normpath(text[2:]) in {".", ".."}:
            return None
        text = f"{home}/{text[2:]}"
    path = Path(os.path.normpath(text))
    return path if path.is_absolute() and path != Path(path.anchor) else None


def _is_dir(path: Path) -> bool:
    """Whether a folder is there; not so where a folder above it may not be entered."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _forms(path: str) -> tuple[str, ...]:
    """Slugs of a path as it stands and in NFC: clients differ, so whichever folder exists is right."""
    return tuple(dict.fromkeys((project_slug(unicodedata.normalize("NFC", path)), project_slug(path))))


def _fits(path: str, slug: str) -> bool:
    return any(
        slug == form if len(form) <= MAX_SLUG_UNITS else slug.startswith(form[:MAX_SLUG_UNITS])
        for form in _forms(path)
    )
