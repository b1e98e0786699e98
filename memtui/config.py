"""What a person has set: one TOML file of their own, and one that goes with a memory directory.

The directory's file (``.memtui/config.toml``) wins over the user's; the command line wins over both. Only settings
that are used exist, and an unknown key is an error: a misspelt setting that does nothing is worse than none.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal

from memtui.memory.conventions import CONVENTIONS, OWN_FOLDER, Convention
from memtui.memory.errors import UsageError
from memtui.memory.files import Folder, Unreadable
from memtui.memory.types import Lang

CONFIG_NAME = "config.toml"
MAX_CONFIG_BYTES = 64 << 10


class ConfigError(UsageError):
    """A configuration file that cannot be used. The message names file, key and what to write instead."""


@dataclass(frozen=True, slots=True)
class Config:
    """Settings; None where nothing is set.

    Attributes:
        convention: which house's habits a directory follows; detected where not set.
        lang: language of messages and prompts.
    """

    convention: Literal["library", "claude"] | None = None
    lang: Lang | None = None

    @property
    def house(self) -> Convention | None:
        """The convention as a value."""
        return CONVENTIONS[self.convention] if self.convention else None


KEYS: Mapping[str, tuple[str, ...]] = {"convention": tuple(CONVENTIONS), "lang": ("zh", "en")}
"""Every setting with the values it may have."""


def parse_config(data: bytes, where: str) -> Config:
    """Read one configuration file.

    Args:
        data: its bytes.
        where: its path, for messages.

    Raises:
        ConfigError: it is not TOML, has an unknown key, or a value that the key cannot have.
    """
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            f"this is not TOML: {error}", where=where, todo="Correct or remove the file"
        ) from None
    for key, value in table.items():
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.5)
            todo = f"Did you mean {near[0]!r}?" if near else f"Known settings are {_listed(KEYS)}"
            raise ConfigError(f"unknown setting {key!r}", where=where, todo=todo)
        if value not in KEYS[key]:
            raise ConfigError(f"{key} cannot be {value!r}", where=where, todo=f"Use {_listed(KEYS[key])}")
    return Config(**table)


def _listed(names: Mapping[str, object] | tuple[str, ...]) -> str:
    return " or ".join(repr(name) for name in names)


def load_config(user_file: Path | None, memory_dir: Path | None) -> Config:
    """The settings in force for a directory; files that are not there set nothing.

    Args:
        user_file: the user's configuration file.
        memory_dir: the memory directory whose ``.memtui/config.toml`` is read on top.

    Raises:
        ConfigError: a file cannot be read or used.
    """
    config = Config()
    if user_file is not None:
        # The user's own file may be a link out of its folder, as dotfile managers make them.
        config = _over(config, _read(user_file, user_file.read_bytes))
    if memory_dir is not None:
        rel = f"{OWN_FOLDER}/{CONFIG_NAME}"
        folder = Folder(memory_dir)
        config = _over(config, _read(memory_dir / rel, lambda: folder.read(rel, MAX_CONFIG_BYTES).data))
    return config


def _read(path: Path, read: Callable[[], bytes]) -> Config:
    try:
        data = read()
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except Unreadable as error:
        raise ConfigError(error.what, where=str(path), todo="Correct or remove the file") from error
    except OSError as error:
        what = f"the configuration cannot be read: {error.strerror or error}"
        raise ConfigError(what, where=str(path), todo="Correct or remove the file") from error
    return parse_config(data, str(path))


def _over(below: Config, above: Config) -> Config:
    """``above`` where it says something, else ``below``."""
    given = {field.name: getattr(above, field.name) for field in fields(Config)}
    return replace(below, **{name: value for name, value in given.items() if value is not None})


def choose_lang(option: Lang | None, environ: Mapping[str, str], config: Config) -> Lang:
    """The language of messages and prompts (spec §11).

    The option, else ``MEMTUI_LANG``, else the configuration, else the locale: ``zh*`` is Chinese, all other English.

    Raises:
        ConfigError: ``MEMTUI_LANG`` is set to something else than ``zh`` or ``en``.
    """
    if option is not None:
        return option
    named = environ.get("MEMTUI_LANG", "")
    if named:
        if named not in ("zh", "en"):
            raise ConfigError(f"no such language: {named!r}", where="MEMTUI_LANG", todo="Use 'zh' or 'en'")
        return "zh" if named == "zh" else "en"
    if config.lang is not None:
        return config.lang
    locale = next((environ[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(key)), "")
    return "zh" if locale.lower().startswith("zh") else "en"
