"""What click says of a command line is said in Chinese where the command line speaks Chinese."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli_support import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


SAID = [
    (["list", "--bogus"], "没有选项 '--bogus'。"),
    (["show"], "缺少参数 'SLUG'。"),
    (["show", "a", "b", "c"], "多余的参数：b c。"),
    (["list", "--sort"], "选项 '--sort' 需要一个值。"),
    (["list", "--sort", "zzz"], "'--sort' 的值无效：'zzz' 不是"),
    (["reminder", "--max", "x"], "'--max' 的值无效：'x' 不是有效的整数。"),
    (["--dir", "", "list"], "'-d' / '--dir' 的值无效：名称为空。是否有变量没有设置？"),
]


@pytest.mark.parametrize(("words", "says"), SAID)
def test_a_command_line_that_is_not_understood_is_told_in_chinese(
    cli: Cli, words: list[str], says: str
) -> None:
    done = cli("--lang", "zh", *words)
    assert done.code == 2
    assert done.err.startswith(f"memtui: {says}")
    assert "参见 'memtui" in done.err or words[1:] == ["--sort"]


def test_the_language_is_taken_from_a_line_that_was_not_understood(cli: Cli) -> None:
    assert "没有选项" in cli("list", "--lang", "zh", "--bogus").err
    assert "没有选项" in cli("list", "--lang=zh", "--bogus").err
    assert "No such option" in cli("list", "--lang", "en", "--bogus").err
    assert "No such option" in cli("list", "--bogus").err


def test_json_stays_english(cli: Cli) -> None:
    done = cli("--lang", "zh", "show", "nosuch", "--json")
    assert done.code == 2
    assert done.json["error"]["what"] == "there is no memory 'nosuch'"
    assert "没有名为 'nosuch' 的记忆" in done.err
