"""Claude Code's settings files, read tolerantly: what they say of auto memory, and what is wrong with them (spec §15).

Which files count, which wins and what makes the client drop a file were measured against the released client 2.1.328.
A setting that has no effect is a `SettingsProblem`, never an exception and never passed over in silence.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

from memtui.claude.paths import (
    CONFIG,
    DIRECTORY,
    DISABLE,
    OVERRIDE,
    REMOTE,
    REMOTE_MEMORY,
    SIMPLE,
    usable_folder,
)
from memtui.memory.types import Lang
from memtui.memory.wording.saying import Say, plain, system_said

Scope = Literal["managed", "local", "project", "user"]

ENABLED = "autoMemoryEnabled"
ENVIRONMENT = "env"

MAX_SETTINGS_BYTES = 1 << 21
"""Longest settings file that the client reads, bytes (measured)."""
_MAX_DROP_INS = 200

_VARIABLES = (DISABLE, SIMPLE, REMOTE, REMOTE_MEMORY, OVERRIDE, CONFIG)
_PROJECT_MAY_SET = frozenset([DISABLE])
"""Of those, what a project's own ``env`` can set (measured: the others are passed over there)."""

ProblemCode = Literal[
    "unreadable",
    "not_a_file",
    "too_large",
    "not_json",
    "not_an_object",
    "wrong_type",
    "wrong_type_file",
    "bad_folder",
    "untrusted",
    "bad_variable",
    "relative_variable",
    "neither",
]
_KINDS: Mapping[str, tuple[type, str]] = {
    DIRECTORY: (str, Say("a text in quotes")),
    ENABLED: (bool, Say("true or false")),
    ENVIRONMENT: (dict, Say("an object of texts")),
}


class SettingsProblem(NamedTuple):
    """A setting, or a whole file, that does not do what somebody may think it does.

    Attributes:
        where: the file; None for a variable of the process.
        code: what is wrong with it.
        key: the setting it is about; empty if it is the whole file.
        detail: what the system or the parser said, or the value that cannot be used.
        scope: whose file it is.
    """

    where: Path | None
    code: ProblemCode
    key: str = ""
    detail: str = ""
    scope: Scope = "user"

    @property
    def what(self) -> str:
        """What is wrong, in English."""
        return self.said("en")[0]

    @property
    def todo(self) -> str:
        """What to do about it, in English."""
        return self.said("en")[1]

    def said(self, lang: Lang) -> tuple[str, str]:
        """What is wrong and what to do, each a sentence without its full stop."""
        from memtui.claude.wording import words  # noqa: PLC0415 – a hook that nobody listens to reads the settings too

        what, todo = words(lang).settings[self.code]
        if self.code == "not_json" and self.scope == "managed":
            todo = words(lang).managed_todo
        detail = self.detail.said(lang) if isinstance(self.detail, Say) else self.detail
        parts = {"key": self.key, "detail": detail}
        return what.format(**parts), todo.format(**parts)


def _json_reason(error: json.JSONDecodeError) -> Say:
    what = plain(error.msg)
    return Say("{what} (at line {line}, column {column})", what=what, line=error.lineno, column=error.colno)


class Value(NamedTuple):
    """One setting as one file has it.

    Attributes:
        value: the value; of the type the setting has.
        where: the file.
        scope: whose file it is.
    """

    value: object
    where: Path
    scope: Scope

    @property
    def trusted(self) -> bool:
        """Whether the file is believed where a setting names a folder.

        A project's own files are not: they may come with a stranger's repository. (The released client follows them
        in ``-p`` runs all the same.)
        """
        return self.scope in {"managed", "user"}


class SettingsFile(NamedTuple):
    """One settings file that the client would take.

    Attributes:
        path: the file.
        scope: whose it is.
        values: the settings that memtui knows, each of the right type.
    """

    path: Path
    scope: Scope
    values: Mapping[str, object]


class Settings(NamedTuple):
    """All settings files of one place, the one that wins first.

    Attributes:
        files: those that are there and can be used.
        problems: what is wrong with them and with those that cannot.
    """

    files: tuple[SettingsFile, ...] = ()
    problems: tuple[SettingsProblem, ...] = ()

    def values(self, key: str) -> Iterator[Value]:
        """What each file says of a setting, the one that wins first."""
        for file in self.files:
            if key in file.values:
                yield Value(file.values[key], file.path, file.scope)

    @property
    def enabled(self) -> Value | None:
        """``autoMemoryEnabled`` of the file that wins: managed, local, project, user (measured); None if unset."""
        return next(self.values(ENABLED), None)

    def directory(self, home: Path) -> tuple[Path, Value] | None:
        """The folder that ``autoMemoryDirectory`` of a trusted file names; None if none does.

        A value that is no folder (see `usable_folder`) in the file that wins hides those behind it (measured).
        """
        for value in self.values(DIRECTORY):
            if value.trusted:
                path = usable_folder(str(value.value), home)
                return (path, value) if path is not None else None
        return None

    def variable(self, name: str) -> Value | None:
        """An environment variable that a settings file's ``env`` sets; None if none may.

        It wins over the variable of the process (measured).
        """
        for value in self.values(ENVIRONMENT):
            block = value.value
            if isinstance(block, dict) and name in block and (value.trusted or name in _PROJECT_MAY_SET):
                return Value(variable_text(block[name]), value.where, value.scope)
        return None

    def environment(self, environ: Mapping[str, str]) -> Mapping[str, str]:
        """The variables that bear on memory as the client has them: those of the process, and over them ``env``."""
        own = {name: environ[name] for name in _VARIABLES if name in environ}
        named = {name: value for name in _VARIABLES if (value := self.variable(name)) is not None}
        return {**own, **{name: str(value.value) for name, value in named.items()}}

    def untrusted_directories(self, home: Path) -> tuple[tuple[Path, Value], ...]:
        """Folders that a project's own settings name, which memtui does not follow."""
        named = ((usable_folder(str(value.value), home), value) for value in self.values(DIRECTORY))
        return tuple((path, value) for path, value in named if path is not None and not value.trusted)


class ManagedPlaces(NamedTuple):
    """Where an organisation's settings lie.

    Attributes:
        file: ``managed-settings.json``.
        folder: files in it come after that one, in the order of their names; a later one wins (measured).
    """

    file: Path
    folder: Path

    @classmethod
    def below(cls, folder: Path) -> ManagedPlaces:
        """The usual names in a folder."""
        return cls(folder / "managed-settings.json", folder / "managed-settings.d")


def managed_places(platform: str) -> ManagedPlaces:
    """Where managed settings lie on a platform.

    Args:
        platform: as ``sys.platform`` names it.
    """
    if platform == "darwin":
        return ManagedPlaces.below(Path("/Library/Application Support/ClaudeCode"))
    if platform == "win32":
        return ManagedPlaces.below(Path("C:/Program Files/ClaudeCode"))
    return ManagedPlaces.below(Path("/etc/claude-code"))


def read_settings(
    *, config: Path, cwd: Path, root: Path | None = None, managed: ManagedPlaces | None = None
) -> Settings:
    """Read every settings file that counts in a place.

    Args:
        config: Claude Code's configuration folder.
        cwd: the directory the client is started in; its own ``.claude`` holds the project's settings (measured: not
            that of a folder above it).
        root: the main checkout; its ``settings.local.json`` counts in all of the repository and its work trees, and
            wins over that of ``cwd`` (measured).
        managed: where an organisation's settings lie; None to leave them out.
    """
    reader = _Reader()
    if managed is not None:
        for path in (*reversed(reader.drop_ins(managed.folder)), managed.file):
            reader.take(path, "managed")
    here = cwd / ".claude"
    local = [folder / ".claude" / "settings.local.json" for folder in (root, cwd) if folder is not None]
    for path in dict.fromkeys(local):
        reader.take(path, "local")
    user = config / "settings.json"
    if not _same_place(here / "settings.json", user):
        reader.take(here / "settings.json", "project")
    reader.take(user, "user")
    return Settings(tuple(reader.files), tuple(reader.problems))


def variable_text(value: object) -> str:
    """A variable's text; JSON's other plain values are written as the client writes them (measured)."""
    return value if isinstance(value, str) else json.dumps(value)


def _same_place(one: Path, two: Path) -> bool:
    """Whether two names are one file: in the home, the project's settings are the user's."""
    return os.path.realpath(one) == os.path.realpath(two)


class _Reader:
    """Reads files one after the other, the one that wins first."""

    def __init__(self) -> None:
        self.files: list[SettingsFile] = []
        self.problems: list[SettingsProblem] = []

    def drop_ins(self, folder: Path) -> list[Path]:
        """The files of a drop-in folder, in the order of their names."""
        try:
            with os.scandir(folder) as children:
                names = sorted(
                    child.name
                    for child in children
                    if child.name.endswith(".json") and not child.name.startswith(".")
                )
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self.problems.append(
                SettingsProblem(folder, "unreadable", detail=system_said(error), scope="managed")
            )
            return []
        return [folder / name for name in names[:_MAX_DROP_INS]]

    def take(self, path: Path, scope: Scope) -> None:
        """Read one file; one that is not there is no problem."""

        def wrong(code: ProblemCode, key: str = "", detail: str = "") -> None:
            self.problems.append(SettingsProblem(path, code, key, detail, scope))

        try:
            data = _bytes(path)
        except (FileNotFoundError, NotADirectoryError):
            return
        except _OddFileError as error:
            wrong(error.code)
            return
        except OSError as error:
            wrong("unreadable", detail=system_said(error))
            return
        if not data.strip():  # the client takes an empty file for one that sets nothing (measured)
            return
        try:
            found = json.loads(data.decode("utf-8-sig", "replace"), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            wrong("not_json", detail=_json_reason(error) if isinstance(error, json.JSONDecodeError) else "")
            return
        if not isinstance(found, dict):
            wrong("not_an_object")
            return
        values: dict[str, object] = {}
        whole = True
        for key, (kind, expected) in _KINDS.items():
            if key not in found:
                continue
            if isinstance(found[key], kind):
                values[key] = found[key]
            else:
                wrong("wrong_type" if scope == "managed" else "wrong_type_file", key, expected)
                whole = False
        # One wrong value makes the client drop a person's whole file, but only the value in a managed one (measured).
        if whole or scope == "managed":
            self.files.append(SettingsFile(path, scope, values))
            self._question_directory(path, scope, values.get(DIRECTORY))

    def _question_directory(self, path: Path, scope: Scope, named: object) -> None:
        if not isinstance(named, str):
            return
        if usable_folder(named, Path("/home")) is None:
            self.problems.append(SettingsProblem(path, "bad_folder", DIRECTORY, named, scope))
        elif scope in {"project", "local"}:
            self.problems.append(SettingsProblem(path, "untrusted", DIRECTORY, named, scope))


class _OddFileError(Exception):
    """Something that is no file to read settings from."""

    def __init__(self, code: ProblemCode) -> None:
        super().__init__(code)
        self.code: ProblemCode = code


def _bytes(path: Path) -> bytes:
    """A regular file's bytes; opening never waits, not even for a pipe that nobody writes to."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _OddFileError("not_a_file")
        with os.fdopen(handle, "rb", closefd=False) as stream:
            data = stream.read(MAX_SETTINGS_BYTES + 1)
    finally:
        os.close(handle)
    if len(data) > MAX_SETTINGS_BYTES:
        raise _OddFileError("too_large")
    return data


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is no JSON"
    raise ValueError(message)
