"""Design §4, configuration: the user's file, then the directory's; unknown keys name the nearest right one."""

import os
from pathlib import Path

import pytest

from memtui.config import Config, ConfigError, choose_lang, load_config, parse_config
from memtui.memory.conventions import CLAUDE
from memtui.settings_schema import SETTINGS


def put(folder: Path, text: str) -> Path:
    (folder / ".memtui").mkdir(parents=True, exist_ok=True)
    path = folder / ".memtui" / "config.toml"
    path.write_text(text)
    return path


def test_nothing_set_where_no_file_is(tmp_path: Path) -> None:
    assert load_config(tmp_path / "no.toml", tmp_path / "nowhere") == Config()
    assert not (tmp_path / "nowhere").exists()
    assert load_config(None, None).house is None


def test_the_directory_wins_over_the_user_setting_by_setting(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_bytes('\ufefflang = "zh"\nconvention = "library"\n'.encode())
    put(tmp_path, 'convention = "claude"')
    config = load_config(user, tmp_path)
    assert config == Config(convention="claude", lang="zh")
    assert config.house is CLAUDE


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("language = 1", "Did you mean 'lang'?"),
        ("conventoin = 'claude'", "Did you mean 'convention'?"),
        ("zzz = 1", "Known settings are 'convention', 'lang'"),
        ("ascii = 'yes'", "Use true or false"),
        ("density = 'wide'", "Use 'compact' or 'comfortable'"),
        ("columns = 'tier'", "Use a list of 'tier'"),
        ("columns = ['tier', 'colour']", "Use a list of 'tier'"),
        ("entries = -1", "Use a whole number from 0 to 1000"),
        ("entries = true", "Use a whole number from 0 to 1000"),
        ("theme = ''", "Use a name in quotes"),
        ("keys = 'x'", "Write a table: [keys]"),
        ("[keys]\nundo = 1", "For 'undo' use one key in quotes"),
        ("[keys]\nundo = []", "For 'undo' use one key in quotes"),
        ("[key]\nundo = 'u'", "Did you mean 'keys'?"),
        ("lang = 'de'", "Use 'zh' or 'en'"),
        ("lang = ['zh']", "Use 'zh' or 'en'"),
        ("convention = true", "Use 'library' or 'claude'"),
        ("[lang]\nx = 1", "Use 'zh' or 'en'"),
        ("lang = ", "this is not TOML"),
        ("lang = 'zh'\nlang = 'en'", "this is not TOML"),
    ],
)
def test_a_bad_setting_is_an_error_that_says_what_to_write(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(text.encode(), "here.toml")
    assert says in str(error.value)
    assert str(error.value).startswith("here.toml: ")
    assert error.value.exit_code == 2


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not TOML"):
        parse_config(b"\xff\xfe", "here.toml")
    with pytest.raises(ConfigError, match="not TOML"):
        parse_config(b"a = " + b"[" * 5000, "here.toml")


def test_all_settings_of_a_file() -> None:
    text = """theme = " nord "
ascii = true
density = "comfortable"
columns = ["marks", "tier"]
entries = 8
[keys]
undo = "u"
redo = ["U", "ctrl+y"]
"""
    config = parse_config(text.encode(), "here.toml")
    assert config == Config(
        theme="nord",
        ascii=True,
        density="comfortable",
        columns=("tier", "marks"),
        entries=8,
        keys={"undo": ("u",), "redo": ("U", "ctrl+y")},
    )


def test_false_is_a_value_and_wins_over_true(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text("ascii = true\nentries = 9")
    put(tmp_path, "ascii = false\nentries = 0")
    assert load_config(user, tmp_path) == Config(ascii=False, entries=0)


def test_keys_remember_their_file(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text("[keys]\nundo = 'u'\nhelp = 'f1'")
    config = load_config(user, tmp_path)
    assert config.keys == {"undo": ("u",), "help": ("f1",)}
    assert config.sources["keys.undo"] == str(user)


def test_every_setting_is_in_the_schema_and_none_besides() -> None:
    names = set(Config._fields) - {"sources", "problem"}
    assert {row.key.strip("[]") for row in SETTINGS} == names


@pytest.mark.parametrize("kind", ["pipe", "folder", "outside", "large"])
def test_a_hostile_file_in_a_directory_is_ignored_and_told(tmp_path: Path, kind: str) -> None:
    path = put(tmp_path / "memory", "")
    path.unlink()
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "outside":
            (tmp_path / "out.toml").write_text("lang = 'zh'")
            path.symlink_to(tmp_path / "out.toml")
        case _:
            path.write_text("#" * 100_000)
    (tmp_path / "user.toml").write_text("lang = 'zh'")
    config = load_config(tmp_path / "user.toml", tmp_path / "memory")
    assert config == Config(lang="zh")
    assert config.problem is not None
    assert config.problem.where == str(path)


def test_the_users_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_text("lang = 'zh'")
    (tmp_path / "user.toml").symlink_to(tmp_path / "dotfiles.toml")
    assert load_config(tmp_path / "user.toml", None).lang == "zh"


def test_a_user_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "user.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "user.toml", None)


@pytest.mark.parametrize(
    ("option", "environ", "config", "lang"),
    [
        ("en", {"MEMTUI_LANG": "zh"}, Config(lang="zh"), "en"),
        (None, {"MEMTUI_LANG": "zh", "LANG": "en_US.UTF-8"}, Config(lang="en"), "zh"),
        (None, {"LANG": "en_US.UTF-8"}, Config(lang="zh"), "zh"),
        (None, {"LANG": "zh_CN.UTF-8"}, Config(), "zh"),
        (None, {"LC_ALL": "zh_TW", "LANG": "de_DE"}, Config(), "zh"),
        (None, {"LC_ALL": "de_DE", "LANG": "zh_CN"}, Config(), "en"),
        (None, {"LC_ALL": "", "LC_MESSAGES": "ZH", "LANG": "de"}, Config(), "zh"),
        (None, {"MEMTUI_LANG": ""}, Config(), "en"),
    ],
)
def test_spec_11_language(option: str | None, environ: dict[str, str], config: Config, lang: str) -> None:
    assert choose_lang(option, environ, config) == lang  # type: ignore[arg-type]


def test_spec_11_an_unknown_language_is_an_error() -> None:
    with pytest.raises(ConfigError, match="MEMTUI_LANG: no such language: 'fr'"):
        choose_lang(None, {"MEMTUI_LANG": "fr"}, Config())


def test_a_directory_does_not_say_what_a_key_does(tmp_path: Path) -> None:
    (tmp_path / ".memtui").mkdir()
    (tmp_path / ".memtui" / "config.toml").write_text("[keys]\nforget = 'space'\n")
    config = load_config(None, tmp_path)
    assert config.keys == {}
    assert config.problem is not None
    assert "your own configuration file only" in str(config.problem)
