"""What a person has set: one TOML file of their own, and one that goes with a memory directory.

The directory's file (``.memtui/config.toml``) wins over the user's; the command line wins over both. Only settings
that are used exist, and an unknown key is an error: a misspelt setting that does nothing is worse than none.
Which settings there are says ``settings_schema``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from memtui.memory.conventions import CONVENTIONS, OWN_FOLDER, Convention
from memtui.memory.errors import UsageError
from memtui.memory.types import Lang
from memtui.memory.wording.saying import Say, plain, system_said

if TYPE_CHECKING:
    from memtui.preferences import Density  # the hooks need neither it nor what it loads

CONFIG_NAME = "config.toml"
MAX_CONFIG_BYTES = 64 << 10

TEAM_GATE = "TEAMMEM"
"""Environment variable that switches team memory on or off."""
_YES, _NO = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})


class ConfigError(UsageError):
    """A configuration file that cannot be used. The message names file, key and what to write instead."""


_UNTOLD = ("api_key", "sources")  # no key reaches a report or a log by way of a ``repr``


class Config(NamedTuple):
    """Settings; None where nothing is set.

    Attributes:
        convention: which house's habits a directory follows; detected where not set.
        lang: language of messages and prompts.
        theme: name of the app's theme; only the app knows which there are.
        ascii: whether the app draws with ASCII only.
        density: lines a memory takes in the list, ``compact`` one, ``comfortable`` two.
        columns: what the list shows beside the name.
        entries: most memories that a reminder takes.
        keys: by action, the keys it has instead of its own; only the app knows which actions there are.
        model: name of the model that is asked.
        use_model: whether it is asked without being called for each time.
        base_url: address of the model's service.
        api_key: what the service is used with.
        daily_log: whether the daily log may be written; ``KAIROS`` goes first.
        auto_dream: whether dreams that nobody asked for run in the background.
        dream_hours: hours between two of them.
        dream_sessions: sessions that must have come between them.
        team: whether a team shares memories of this directory; ``TEAMMEM`` goes first.
        team_save: whether a model's ``save_memory`` may write to the team's memories.
        team_review: whether what the team shares waits until it is accepted.
        team_poll_seconds: seconds between two looks at the team's remote while something watches.
        sources: by setting (``keys.undo`` for a key), the file that it is from; for messages.
        problem: why the directory's own file is ignored. It may be a stranger's, so it keeps nobody from looking;
            changes wait until it is mended, for it may say how they are to be made.
    """

    convention: Literal["library", "claude"] | None = None
    lang: Lang | None = None
    theme: str | None = None
    ascii: bool | None = None
    density: Density | None = None
    columns: tuple[str, ...] | None = None
    entries: int | None = None
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    model: str | None = None
    use_model: bool | None = None
    base_url: str | None = None
    api_key: str | None = None
    daily_log: bool | None = None
    auto_dream: bool | None = None
    team: bool | None = None
    team_save: bool | None = None
    dream_hours: int | None = None
    dream_sessions: int | None = None
    team_review: bool | None = None
    team_poll_seconds: int | None = None
    sources: Mapping[str, str] = MappingProxyType({})
    problem: ConfigError | None = None

    def __eq__(self, other: object) -> bool:
        """Whether the same is set, wherever it stands."""
        return isinstance(other, Config) and self._settings() == other._settings()

    def __hash__(self) -> int:
        return hash(self._settings())

    def _settings(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._fields if name not in ("sources", "problem"))

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields if name not in _UNTOLD)
        return f"Config({told})"

    @property
    def house(self) -> Convention | None:
        """The convention as a value."""
        return CONVENTIONS[self.convention] if self.convention else None


NOTHING_SET = Config()

_TOML_PLACE = r"(?s)(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)"


def parse_config(data: bytes, where: str) -> Config:
    """Read one configuration file.

    Args:
        data: its bytes.
        where: its path, for messages.

    Raises:
        ConfigError: it is not TOML, has an unknown key, or a value that the key cannot have.
    """
    # Most people have no file, and the app waits for this.
    import tomllib  # noqa: PLC0415

    from memtui.settings_schema import ROWS, WrongValueError, listed  # noqa: PLC0415

    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            Say("this is not TOML: {reason}", reason=_toml_reason(error)),
            where=where,
            todo="Correct or remove the file",
        ) from None
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for key, value in table.items():
        row = ROWS.get(key)
        if row is None:
            import difflib  # noqa: PLC0415 – on the way to an error only

            near = difflib.get_close_matches(key, ROWS, n=1, cutoff=0.5)
            todo = (
                Say("Did you mean {near!r}?", near=near[0])
                if near
                else Say("Known settings are {names}", names=listed(ROWS))
            )
            raise ConfigError(Say("unknown setting {key!r}", key=key), where=where, todo=todo)
        try:
            made = row.read(value)
        except WrongValueError as error:
            what = Say("{key} cannot be {value!r}", key=key, value=value)
            if row.secret:
                what = Say("{key} cannot be used as it is written", key=key)
            raise ConfigError(what, where=where, todo=error.args[0]) from None
        values[key] = made
        sources[key] = where
        if isinstance(made, dict):
            sources.update({f"{key}.{name}": where for name in made})
    return Config(**values, sources=sources)  # type: ignore[arg-type]


def _toml_reason(error: Exception) -> Say:
    """What the parser says, and where."""
    import re  # noqa: PLC0415 – on the way to an error only

    place = re.fullmatch(_TOML_PLACE, str(error))
    if place is None:
        return plain(str(error))
    what = plain(place["what"])
    return Say(
        "{what} (at line {line}, column {column})", what=what, line=place["line"], column=place["column"]
    )


def load_config(user_file: Path | None, memory_dir: Path | None) -> Config:
    """The settings in force for a directory; files that are not there set nothing.

    Args:
        user_file: the user's configuration file.
        memory_dir: the memory directory whose ``.memtui/config.toml`` is read on top; where that cannot be used, the
            `problem` says why.

    Raises:
        ConfigError: the user's file cannot be read or used.
    """
    config = Config()
    if user_file is not None:
        # The user's own file may be a link out of its folder, as dotfile managers make them.
        config = _over(config, _read(user_file, user_file.read_bytes))
    if memory_dir is not None:
        path = memory_dir / OWN_FOLDER / CONFIG_NAME
        try:
            config = _over(config, _not_own(_read(path, lambda: _read_inside(memory_dir)), path))
        except ConfigError as error:
            config = config._replace(problem=error)
    return config


def _not_own(config: Config, path: Path) -> Config:
    """A directory's settings, which may come with somebody else's files: not what a key does, or where a question goes.

    Raises:
        ConfigError: they try to.
    """
    if not config.sources:
        return config
    from memtui.settings_schema import SETTINGS  # noqa: PLC0415  -- as above

    for row in SETTINGS:
        if row.own and row.key.strip("[]") in config.sources:
            raise ConfigError(
                Say("{key} is taken from your own configuration file only", key=row.key),
                where=str(path),
                todo="Move it there, or remove it",
            )
    return config


def _read_inside(memory_dir: Path) -> bytes:
    """A directory's own file, by the door that follows no link out of it."""
    rel = f"{OWN_FOLDER}/{CONFIG_NAME}"
    (memory_dir / rel).lstat()  # most have none, and the door to the disk takes long to load
    from memtui.memory.disk.files import Folder, Unreadable  # noqa: PLC0415

    try:
        return Folder(memory_dir).read(rel, MAX_CONFIG_BYTES).data
    except Unreadable as error:
        raise ConfigError(
            error.what, where=str(memory_dir / rel), todo="Correct or remove the file"
        ) from error


def _read(path: Path, read: Callable[[], bytes]) -> Config:
    try:
        data = read()
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except OSError as error:
        what = Say("the configuration cannot be read: {reason}", reason=system_said(error))
        raise ConfigError(what, where=str(path), todo="Correct or remove the file") from error
    return parse_config(data, str(path))


def _over(below: Config, above: Config) -> Config:
    """``above`` where it says something, else ``below``."""
    given = above._asdict()
    given["keys"] = above.keys or below.keys
    given["sources"] = {**below.sources, **above.sources}
    return below._replace(**{name: value for name, value in given.items() if value is not None})


def team_on(environ: Mapping[str, str], config: Config, *, joined: bool = False) -> bool:
    """Whether new memories of a directory may be the team's: ``TEAMMEM`` if it says so, else the setting, else no.

    Args:
        environ: environment variables; of ``TEAMMEM`` 1, true, yes, on and their contraries count, anything else does not.
        config: the settings.
        joined: whether the directory is synced with a team's remote, which counts where no setting says otherwise.
    """
    said = environ.get(TEAM_GATE, "").strip().lower()
    if said in _YES | _NO:
        return said in _YES
    return joined if config.team is None else config.team


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
            raise ConfigError(
                Say("no such language: {named!r}", named=named), where="MEMTUI_LANG", todo="Use 'zh' or 'en'"
            )
        return "zh" if named == "zh" else "en"
    if config.lang is not None:
        return config.lang
    locale = next((environ[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(key)), "")
    return "zh" if locale.lower().startswith("zh") else "en"
