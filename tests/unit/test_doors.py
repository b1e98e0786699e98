"""One door to the disk (guide, "The floors"): what touches files, and which files, is known module by module.

Faults reach what goes through `Disk`. A memory directory is touched by nothing else; other places are, by those named
here. The test reads the source: any name of ``os`` counts unless it is known to touch no file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import memtui

PACKAGE = Path(memtui.__file__).parent

DOOR = {"memory/disk/calls.py", "memory/disk/rare_calls.py"}
ELSEWHERE = {
    "memory/secrets/allowed.py": "the person's list in the state folder",
    "memory/checks/project_index.py": "the project that memories name",
    "memory/review/visits.py": "the state folder, read",
    "watching.py": "what the system says of its mounts",
}
"""Floors of the memories that touch something, and what; never a memory directory."""
ABOVE = {
    "agent/tracker.py": "the state folder",
    "claude/adoption.py": "Claude Code's folders",
    "claude/evidence.py": "Claude Code's folders",
    "claude/folders.py": "Claude Code's folders",
    "claude/foreign.py": "other tools' rule files",
    "claude/hook_commands.py": "the hooks' scripts",
    "claude/hook_settings.py": "Claude Code's settings",
    "claude/hooks.py": "the project's folder",
    "claude/naming.py": "the project's folder",
    "claude/paths.py": "Claude Code's folders",
    "claude/queue.py": "the state folder",
    "claude/reading_state.py": "the state folder",
    "claude/settings.py": "Claude Code's settings",
    "claude/store_search.py": "Claude Code's folders",
    "claude/store_summary.py": "Claude Code's folders",
    "claude/stores.py": "Claude Code's folders",
    "claude/survey.py": "Claude Code's folders",
    "claude/usage.py": "Claude Code's folders",
    "claude/usage_index.py": "the state folder",
    "cli/changing.py": "a file that a person names",
    "cli/commands.py": "what a person names",
    "cli/extracting.py": "the state folder",
    "cli/hook_run.py": "the person's configuration",
    "cli/locating.py": "what a person names",
    "cli/opening.py": "what a person names",
    "cli/output.py": "the terminal",
    "cli/places.py": "what a person names",
    "cli/projects.py": "what a person names",
    "cli/scanning_secrets.py": "what a person names",
    "cli/session.py": "what a person names",
    "cli/starting.py": "a throw-away folder for the demo",
    "crash.py": "the state folder",
    "demo/__init__.py": "the sample",
    "demo/sessions.py": "the sample",
    "demo/waiting.py": "the sample",
    "guide/__init__.py": "the guide's own pages",
    "scanning.py": "any file a person names",
    "team/git.py": "git's pipes",
    "team/joined.py": "the state folder",
    "team/objectreader.py": "the state folder",
    "team/objectstore.py": "the state folder",
    "team/state.py": "the state folder",
    "tui/external.py": "a file for the person's editor",
    "tui/screens/projects.py": "links in the paths of stores",
    "tui/screens/transferring.py": "links in the paths of stores",
    "web.py": "a text in memory",
}
"""Modules above that touch files, and which."""

HARMLESS = {
    *("DirEntry", "PathLike", "stat_result", "terminal_size", "devnull", "environ", "pathsep", "sep", "path"),
    *("defpath", "PRIO_PROCESS", "_exit", "cpu_count", "fsdecode", "fsencode", "fspath", "get_terminal_size"),
    *("getegid", "geteuid", "getpgid", "getpid", "getuid", "kill", "killpg", "set_blocking", "setpriority"),
    *("strerror", "urandom", "waitpid", "WNOHANG"),
}
"""Names of ``os`` that touch no file. Flags, ``O_…``, are none either."""
HARMLESS_PATH = {
    "basename",
    "commonpath",
    "dirname",
    "isabs",
    "join",
    "normpath",
    "relpath",
    "samestat",
    "split",
}
"""Names of ``os.path`` that only look at the text of a path; ``relpath`` asks for the working directory at most."""
ONLY_A_PATH_HAS = {
    *("chmod", "glob", "hardlink_to", "is_dir", "is_file", "is_mount", "is_symlink", "iterdir", "owner"),
    *("read_bytes", "read_text", "readlink", "rglob", "samefile", "symlink_to", "write_bytes", "write_text"),
}
"""Methods of ``Path`` that nothing else has; of ``DirEntry`` those that tell what a listing told."""
A_PATH_HAS_TOO = {
    "exists",
    "lstat",
    "mkdir",
    "open",
    "rename",
    "resolve",
    "rmdir",
    "stat",
    "touch",
    "unlink",
    "walk",
}
NO_PATHS = {
    *(
        "MemoryManager",
        "disk",
        "folder",
        "_folder",
        "named",
        "planner",
        "resolver",
        "_resolver",
        "self",
        "_there",
    ),
    *("type(here)", "writer"),
}
"""What stands before such a name in the floors of the memories and is no ``Path``."""
MODULES = {"ctypes", "fcntl", "fileinput", "glob", "io", "mmap", "os", "posix", "shutil", "tempfile"}
"""Modules that touch files, or whose names would escape this test."""


def touching(source: str, *, strictly: bool) -> Iterator[str]:
    """What in a module's source touches files.

    Args:
        source: the text of the module.
        strictly: also what a ``Path`` has in common with others, by what stands before it.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            before = ast.unparse(node.value)
            if before == "os" and node.attr not in HARMLESS and not node.attr.startswith("O_"):
                yield f"os.{node.attr}"
            elif before == "os.path" and node.attr not in HARMLESS_PATH:
                yield f"os.path.{node.attr}"
        elif isinstance(node, ast.Call):
            yield from _called(node, strictly=strictly)
        elif isinstance(node, ast.Import):
            # `import os` is seen above, name by name.
            yield from (f"import {each.name}" for each in node.names if _root(each.name) in MODULES - {"os"})
            yield from (f"import {each.name} as" for each in node.names if each.asname and each.name == "os")
        elif isinstance(node, ast.ImportFrom) and _root(node.module or "") in MODULES:
            yield from (f"from {node.module} {each.name}" for each in node.names if each.name not in HARMLESS)


def _root(module: str) -> str:
    return module.partition(".")[0]


def _called(node: ast.Call, *, strictly: bool) -> Iterator[str]:
    called = node.func
    if isinstance(called, ast.Name) and called.id == "open":
        yield "open"
    if not isinstance(called, ast.Attribute):
        return
    before = ast.unparse(called.value)
    told = called.attr in {"is_dir", "is_file"} and any(
        each.arg == "follow_symlinks" for each in node.keywords
    )
    certain = called.attr in ONLY_A_PATH_HAS and not told
    likely = called.attr in A_PATH_HAS_TOO and before.rpartition(".")[2] not in NO_PATHS
    if certain or (strictly and likely):
        yield f"{before}.{called.attr}"


def _is_floor(rel: str) -> bool:
    return rel.startswith("memory/") or rel in {"watching.py", "snapshot.py", "store.py"}


def test_a_memory_directory_is_touched_through_its_door_alone_and_who_touches_other_files_is_known() -> None:
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        rel = path.relative_to(PACKAGE).as_posix()
        if names := set(touching(path.read_text("utf-8"), strictly=_is_floor(rel))):
            found[rel] = names
    known = DOOR | ELSEWHERE.keys() | ABOVE.keys()
    assert {rel: names for rel, names in found.items() if rel not in known} == {}
    assert known - found.keys() == set(), "these touch nothing any more"


@pytest.mark.parametrize(
    "source",
    [
        "os.stat(x)",
        "os.path.exists(x)",
        "call(os.remove)",
        "open(x)",
        "Path(x).read_text()",
        "path.is_dir()",
        "self.path.open('rb')",
        "entry.stat(follow_symlinks=False)",
        "import shutil",
        "import os as system",
        "from os import scandir",
        "from os.path import realpath",
        "from tempfile import mkstemp",
    ],
)
def test_what_touches_a_file_is_seen(source: str) -> None:
    assert list(touching(source, strictly=True))


@pytest.mark.parametrize(
    "source",
    [
        "os.fspath(x)",
        "os.path.join(a, b)",
        "os.O_RDONLY | os.O_CLOEXEC",
        "self.folder.disk.open(x)",
        "text.replace('a', 'b')",
        "entry.is_dir(follow_symlinks=False)",
        "import os",
        "from os import PathLike",
    ],
)
def test_what_touches_none_is_not(source: str) -> None:
    assert not list(touching(source, strictly=True))
