"""Putting memtui's hooks into a settings file of Claude Code, and taking them out again.

A settings file is a person's own: only the lines that are ours come and go, a link stays a link, and nobody else's
change is overwritten. Ours are known by the mark at the end of their command, which a shell takes for a comment.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memtui.claude.hook_commands import MARK
from memtui.claude.hook_edit import our_commands, parsed, with_hooks, without_hooks
from memtui.claude.hooks import EVENTS
from memtui.claude.paths import config_dir
from memtui.memory.disk.calls import refused
from memtui.memory.errors import Conflict, Refused

BACKUP_SUFFIX = ".before-memtui"
MAX_SETTINGS_BYTES = 8 << 20

Scope = Literal["user", "project", "local"]
SCOPES: tuple[Scope, ...] = ("user", "project", "local")


def settings_path(scope: Scope, *, cwd: Path, environ: Mapping[str, str], home: Path) -> Path:
    """The settings file of a scope.

    The client takes a project's settings from the directory that it is started in (measured), which is the top of the
    repository for most: so that is meant, or ``cwd`` outside of one.
    """
    if scope == "user":
        return config_dir(environ, home) / "settings.json"
    here = Path(os.path.realpath(cwd))
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    return top / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")


@dataclass(frozen=True, slots=True)
class Installed:
    """One hook of ours that stands in a settings file.

    Attributes:
        word: which one, a key of ``EVENTS``.
        command: the shell command.
        program: the program it runs.
        works: whether that program is there.
    """

    word: str
    command: str
    program: str
    works: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """A change of a settings file, to be looked at first.

    Attributes:
        path: the file, as named.
        before: its bytes; None if it is not there.
        after: the bytes it gets; None if it goes.
        restores: whether ``after`` is what stood there before the hooks came; the copy of it goes then.
        backs_up: whether the bytes of before are kept beside. A copy from before the hooks came is not overwritten
            with one that has them.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    restores: bool = False
    backs_up: bool = True

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def backup(self) -> Path:
        """Where the bytes of before are kept."""
        return backup_of(self.path)


def backup_of(path: Path) -> Path:
    """Where a settings file is kept as it was before the hooks came."""
    return path.with_name(path.name + BACKUP_SUFFIX)


def installed_hooks(path: Path) -> tuple[Installed, ...]:
    """The hooks of ours in a settings file.

    Raises:
        Refused: the file cannot be read or is no plain JSON.
    """
    data = _read(path)
    if data is None or not data.strip():
        return ()
    _, root = parsed(data, path)
    found = []
    for word, event in EVENTS.items():
        for command in our_commands(root, event):
            program = _program_of(str(command.value))
            found.append(Installed(word, str(command.value), program, os.access(program, os.X_OK)))
    return tuple(found)


def is_switched_off(path: Path) -> bool:
    """Whether a settings file switches all hooks off.

    Raises:
        Refused: the file cannot be read or is no plain JSON.
    """
    data = _read(path)
    return bool(data and data.strip()) and parsed(data or b"", path)[1].value.get("disableAllHooks") is True


def _program_of(command: str) -> str:
    try:
        return shlex.split(command)[0]
    except (ValueError, IndexError):
        return ""


def plan_install(path: Path, program: Sequence[str], words: Sequence[str]) -> Plan:
    """What it takes that a settings file has these hooks, once each, with this program.

    Raises:
        Refused: the file cannot be read, is no plain JSON, or has something else where hooks belong.
    """
    before = _read(path)
    after = with_hooks(before, path, program, words)
    return Plan(path, before, after, backs_up=not installed_hooks(path) or not backup_of(path).exists())


def plan_uninstall(path: Path) -> Plan:
    """What it takes that a settings file has no hook of ours.

    Where nothing else was changed since they came, that is the file as it was then; else only they go.

    Raises:
        Refused: the file cannot be read or is no plain JSON.
    """
    before = _read(path)
    ours = installed_hooks(path)
    if before is None or not ours:
        return Plan(path, before, before)
    words = list(dict.fromkeys(hook.word for hook in ours))
    for was in (_quietly_read(backup_of(path)), None):
        with contextlib.suppress(Refused, ValueError):
            program = shlex.split(ours[0].command.strip().removesuffix(MARK))[:-2]
            if with_hooks(was, path, program, words) == before:
                return Plan(path, before, was, restores=True, backs_up=False)
    return Plan(path, before, without_hooks(before, path), backs_up=not backup_of(path).exists())


def carry_out(plan: Plan) -> None:
    """Make the change: the bytes of before are kept beside, and nothing is replaced that is not what was planned on.

    Raises:
        Conflict: somebody else changed the file meanwhile; nothing was written.
        Refused: the system said no; nothing was changed.
    """
    if not plan.changes:
        return
    target = Path(os.path.realpath(plan.path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if plan.before is not None and plan.backs_up:
            copy = _write_new(plan.path.with_name(f"{temporary.name}.bak"), plan.before, _mode(target))
            copy.replace(plan.backup)
        if plan.after is not None:
            _write_new(temporary, plan.after, _mode(target))
        _still(plan, target)
        if plan.after is None:
            target.unlink()
        elif plan.before is None:
            os.link(temporary, target)  # fails where somebody made it meanwhile
        else:
            temporary.replace(target)
        _sync_folder(target.parent)
        if plan.restores:
            plan.backup.unlink(missing_ok=True)
    except FileExistsError:
        raise _changed(plan, _quietly_read(target)) from None
    except OSError as error:
        raise refused(error, "could not write the settings", str(plan.path)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _still(plan: Plan, target: Path) -> None:
    now = _read(target)
    if now != plan.before:
        raise _changed(plan, now)


def _changed(plan: Plan, now: bytes | None) -> Conflict:
    return Conflict(
        "the settings were changed by somebody else meanwhile",
        where=str(plan.path),
        todo="Nothing was written; run the command again",
        base=plan.before,
        mine=plan.after,
        theirs=now,
    )


def _mode(target: Path) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        return 0o600


def _write_new(path: Path, data: bytes, mode: int) -> Path:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return path


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(path: Path) -> bytes | None:
    """A settings file's bytes; None if there is none. Opening never waits."""
    where = str(path)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused(error, "could not read the settings", where) from error
    try:
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Refused("this is not a regular file", where=where, todo="Look at what stands there")
            data = stream.read(MAX_SETTINGS_BYTES + 1)
    except OSError as error:
        raise refused(error, "could not read the settings", where) from error
    if len(data) > MAX_SETTINGS_BYTES:
        raise Refused("the settings are too long to be read", where=where)
    return data


def _quietly_read(path: Path) -> bytes | None:
    try:
        return _read(path)
    except Refused:
        return None


__all__ = [
    "BACKUP_SUFFIX",
    "SCOPES",
    "Installed",
    "Plan",
    "Scope",
    "backup_of",
    "carry_out",
    "installed_hooks",
    "is_switched_off",
    "plan_install",
    "plan_uninstall",
    "settings_path",
]
