"""Design §4: which directory a command is about, how the app opens, what help, usage errors and completion say."""

from pathlib import Path

import click
import pytest

from memtui.claude.paths import store_folder
from memtui.cli.app import cli as group
from memtui.guide import TOPICS, page
from memtui.memory.conventions import CLAUDE, LIBRARY
from tests.unit.cli_support import Cli

COMMANDS = [name for name in group.list_commands(click.Context(group)) if name != "open"]
"""All that a person names; ``open`` stands for a directory in a command's place."""


def command(name: str) -> click.Command:
    found = group.get_command(click.Context(group), name)
    assert found is not None
    return found


GROUPS = {name for name in COMMANDS if isinstance(command(name), click.Group)}
NO_DATA = {"completion", "demo", "reminder", "hook", "mcp", "serve", "guide"}
"""What prints a text, or nothing, or for a program."""


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


def test_without_a_command_the_app_opens_on_the_current_projects_store(cli: Cli) -> None:
    assert cli().code == 0
    (launched,) = cli.launched
    assert launched["memory_dir"] == cli.memory
    assert (launched["convention"], launched["lang"]) == (None, "en")
    assert (launched["ascii_mode"], launched["read_only"]) == (False, False)
    assert launched["clock"]() == cli.now
    assert launched["environ"] is cli.environ
    assert launched["project_root"] == cli.project


def test_the_project_is_found_from_the_directory_or_named(cli: Cli, tmp_path: Path) -> None:
    cli("-d", str(cli.memory), cwd=tmp_path)
    cli(str(cli.memory), "--project", "project", cwd=tmp_path)
    (tmp_path / "notes").mkdir()
    cli("notes", cwd=tmp_path)
    assert [launched["project_root"] for launched in cli.launched] == [cli.project, cli.project, None]
    done = cli("check", "--project", "nowhere")
    assert (done.code, done.out) == (2, "")
    assert "there is no such directory" in done.err


def test_the_apps_exit_code_is_the_commands(cli: Cli) -> None:
    cli.launch_code = 3
    assert cli().code == 3


@pytest.mark.parametrize("way", ["word", "path", "option", "dot"])
def test_a_first_word_that_is_no_command_is_a_directory(cli: Cli, way: str) -> None:
    other = cli.project / "notes"
    other.mkdir()
    words = {
        "word": ["notes"],
        "path": [str(other)],
        "option": ["-d", "notes"],
        "dot": ["./notes", "--read-only", "--ascii", "--convention", "library", "--lang", "zh"],
    }[way]
    assert cli(*words).code == 0
    launched = cli.launched[0]
    assert launched["memory_dir"].resolve() == other
    if way == "dot":
        assert (launched["read_only"], launched["ascii_mode"]) == (True, True)
        assert (launched["convention"], launched["lang"]) == (LIBRARY, "zh")


def test_a_tilde_is_the_home(cli: Cli) -> None:
    (cli.home / "notes").mkdir()
    (cli.home / "notes" / "a.md").write_text("---\nname: A\n---\n\nbody\n")
    assert cli("list", "--dir=~/notes").err == f"1 of 1 memory · library · {cli.home / 'notes'}\n"
    cli("~/notes")
    assert cli.launched[0]["memory_dir"] == cli.home / "notes"


def test_a_project_folder_points_to_its_store(cli: Cli, tmp_path: Path) -> None:
    (cli.project / ".git").mkdir()
    done = cli("list", "-d", "project", cwd=tmp_path)
    assert done.err.startswith(f"this is a project's own folder; its memories are in {cli.memory}\n")
    assert done.err.count("own folder") == 1
    (cli.project / "MEMORY.md").write_text("- [A](a.md) — x\n")
    assert "own folder" not in cli("list", "-d", "project", cwd=tmp_path).err


def test_options_before_a_directory_count_too(cli: Cli) -> None:
    assert cli("--read-only", "--ascii", str(cli.memory)).code == 0
    assert (cli.launched[0]["read_only"], cli.launched[0]["ascii_mode"]) == (True, True)


def test_options_before_a_command_count_too_and_those_behind_it_win(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    cli.memory_file("a")
    assert cli("-d", str(cli.memory), "list", cwd=tmp_path).out.count("\n") == 1
    assert cli("-d", str(cli.memory), "list", "-d", str(tmp_path / "other")).out == ""


def test_a_misspelt_command_names_the_right_one(cli: Cli) -> None:
    done = cli("lst")
    assert (done.code, done.out) == (2, "")
    assert done.err == "memtui: there is no command or directory 'lst'. Did you mean 'list'?\n"
    assert not cli.launched


def test_a_path_that_is_not_there_is_an_error(cli: Cli) -> None:
    done = cli("./nowhere")
    assert done.code == 2
    assert "there is no such directory" in done.err
    assert "memtui demo" in done.err


def test_a_file_is_no_directory(cli: Cli) -> None:
    (cli.project / "x.md").write_text("hello")
    done = cli("list", "-d", "x.md")
    assert (done.code, done.out) == (2, "")
    assert "x.md: this is not a directory" in done.err


def test_spec_15_no_store_says_where_it_looked_and_offers_the_demo(cli: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cli.environ["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = str(tmp_path / "over")
    for words in (["list"], ["undo"], ["forget", "x"]):
        done = cli(*words, cwd=elsewhere)
        assert done.code == 2
        assert str(tmp_path / "over") in done.err
        assert "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE" in done.err
        assert str(cli.home / ".claude" / "projects") in done.err
        assert "memtui demo" in done.err
    assert not cli.launched
    assert (
        cli(cwd=elsewhere).code == 0
    )  # the app says it, and can write a first one or take over an old store
    (launched,) = cli.launched
    assert launched["memory_dir"] == tmp_path / "over"
    assert str(cli.home / ".claude" / "projects") in launched["greeting"]
    assert not (tmp_path / "over").exists()


SAVE = [
    "save",
    "tea",
    "--name",
    "Tea",
    "--description",
    "d",
    "--type",
    "user",
    "--content",
    "Tea, never coffee.",
]


def test_the_first_save_makes_the_projects_store_and_says_so(cli: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    store = store_folder(cli.home / ".claude" / "projects", elsewhere) / "memory"
    for wrong in (["save", "tea"], [*SAVE, "--type", "nonsense"], [*SAVE, "--read-only"]):
        assert cli(*wrong, cwd=elsewhere).code in {2, 4}
        assert not store.parent.exists()
    done = cli(*SAVE, cwd=elsewhere)
    assert (done.code, done.err) == (0, f"made the memory directory {store}\n")
    assert (store / "tea.md").exists()
    assert cli(*SAVE, "--name", "Green tea", cwd=elsewhere).err == ""


def test_a_directory_that_was_named_is_not_made_by_a_save(cli: Cli, tmp_path: Path) -> None:
    named = tmp_path / "my notes"
    done = cli(*SAVE, "-d", str(named))
    assert done.code == 2
    assert done.err.endswith(f"there is no such directory. Make it with: mkdir -p '{named}'\n")
    assert not named.exists()


@pytest.mark.parametrize(
    "words",
    [["list", "-d", ""], ["list", "--dir="], ["", "--read-only"], ["open", ""], ["check", "--project", ""]],
)
def test_an_empty_name_is_no_directory(cli: Cli, words: list[str]) -> None:
    done = cli(*words)
    assert (done.code, done.out) == (2, "")
    assert "Is a variable not set?" in done.err
    assert not cli.launched


def test_the_whole_disk_and_the_home_are_no_memory_directories(cli: Cli) -> None:
    cli.home.mkdir(exist_ok=True)
    for words, what in (
        (["list", "-d", "/"], "this is the whole file system"),
        (["/"], "this is the whole file system"),
        (["check", "--dir=~"], "this is your home"),
    ):
        done = cli(*words)
        assert (done.code, done.out) == (2, "")
        assert what in done.err
    assert not cli.launched
    (cli.home / "MEMORY.md").write_text("- [A](a.md) — x\n")
    assert cli("list", "-d", str(cli.home)).code == 0


def test_the_rules_need_no_directory(cli: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (cli.home / "config.toml").write_text("lang = 'zh'\n")
    assert "名称冲突" in cli("check", "--rules", cwd=elsewhere).out
    assert "名称冲突" not in cli("check", "--rules", "--lang", "en", cwd=elsewhere).out


def test_what_the_parser_says_ends_with_a_full_stop(cli: Cli) -> None:
    assert cli("index", "3").err == (
        "memtui: Got unexpected extra argument (3). See 'memtui index --help'.\n"
    )
    assert ".. See" not in cli("list", "--nope").err
    assert "?. See" not in cli("list", "--al").err


def test_help_lists_every_command_and_the_exit_codes(cli: Cli) -> None:
    done = cli("--help")
    assert done.code == 0
    assert done.err == ""
    for name in COMMANDS:
        assert f"\n  {name} " in done.out
    assert "0 fine, 1 findings, 2 usage, 3 conflict, 4 refused" in done.out
    assert "..." not in done.out.partition("Commands:")[2].partition("Exit codes")[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_takes_a_directory(cli: Cli, name: str) -> None:
    done = cli(name, "-h")
    assert done.code == 0
    assert done.out.startswith("Usage: memtui ")
    if name not in {"demo", "completion", "guide", *GROUPS}:
        for option in ("-d, --dir", "--convention", "--lang"):
            assert option in done.out


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in NO_DATA | GROUPS])
def test_every_command_that_prints_data_has_json(name: str) -> None:
    assert "--json" in {option for parameter in command(name).params for option in parameter.opts}


def test_version(cli: Cli) -> None:
    assert cli("--version").out.startswith("memtui, version ")


@pytest.mark.parametrize(
    "words",
    [
        ["list", "--sort", "luck"],
        ["show"],
        ["list", "--nope"],
        ["--convention", "x", "list"],
        ["reminder", "--max", "-1"],
    ],
)
def test_usage_errors_are_one_sentence_and_code_2(cli: Cli, words: list[str]) -> None:
    done = cli(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("memtui: ")
    assert "--help'" in done.err
    assert done.err.count("\n") == 1


def test_what_a_person_typed_reaches_the_terminal_visible(cli: Cli) -> None:
    done = cli("show", "\x1b]0;x\x07")
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "\x07" not in done.err
    done = cli("list", "--sort", "\x1b[2J")
    assert "\x1b" not in done.err


def test_configuration_is_read_and_its_errors_are_named(cli: Cli) -> None:
    cli.home.mkdir(exist_ok=True)
    (cli.home / "config.toml").write_text("lang = 'zh'\nconvention = 'claude'\n")
    cli()
    assert (cli.launched[0]["lang"], cli.launched[0]["convention"]) == ("zh", CLAUDE)
    (cli.home / "config.toml").write_text("lnag = 'zh'\n")
    done = cli("list")
    assert done.code == 2
    assert "unknown setting 'lnag'. Did you mean 'lang'?" in done.err


def test_configuration_of_the_directory_wins_and_the_option_wins_over_it(cli: Cli) -> None:
    (cli.memory / ".memtui").mkdir()
    (cli.memory / ".memtui" / "config.toml").write_text("lang = 'zh'\nconvention = 'library'\n")
    cli()
    cli("--lang", "en", "--convention", "claude")
    assert [launched["lang"] for launched in cli.launched] == ["zh", "en"]
    assert [launched["convention"] for launched in cli.launched] == [LIBRARY, CLAUDE]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(cli: Cli, shell: str) -> None:
    done = cli("completion", shell)
    assert done.code == 0
    assert "_MEMTUI_COMPLETE" in done.out
    assert "memtui" in done.out


def test_completion_of_commands_and_slugs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.memory_file("alpha")
    cli.memory_file("alpine")
    cli.memory_file("beta")
    cli.memory_file("al\x1bien")
    cli.write(".memtui/history/alpha_v1.md", "---\nname: a\nstatus: historical\nsuperseded_by: alpha\n---\n")

    def ask(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        cli.environ["_MEMTUI_COMPLETE"] = "bash_complete"
        return [row.partition(",")[2] for row in cli().out.split("\n") if row]

    assert "list" in ask("memtui l")
    assert ask("memtui show al") == ["alpha", "alpine"]
    assert ask(f"memtui -d {cli.memory} forget b") == ["beta"]
    assert ask(f"memtui forget alpha -d {cli.memory} b") == ["beta"]
    assert "bash" in ask("memtui completion b")
    assert ask("memtui restore alpha ") == ["current", "1"]
    assert ask("memtui diff alpha cur") == ["current"]
    assert set(ask("memtui check --rule dangling-li")) == {"dangling-line", "dangling-link"}
    cli.memory.rename(cli.memory.with_name("gone"))
    assert ask("memtui show al") == []


def test_the_manual_is_listed_and_printed_and_a_page_that_is_not_there_names_those_that_are(cli: Cli) -> None:
    listed = cli("guide")
    assert [line.split()[0] for line in listed.out.splitlines()] == list(TOPICS)
    assert "全部命令" in cli("--lang", "zh", "guide").out
    assert cli("guide", "team").out == page("team")
    wrong = cli("guide", "teams")
    assert wrong.code == 2
    assert "'teams'" in wrong.err
    assert "commands, settings" in wrong.err
