"""Spec §11 for the command line: its sentences are in both languages, with the same parts, and ``--lang`` chooses."""

from pathlib import Path
from string import Formatter

import pytest

from memtui.cli.wording import CliWording, counted, words
from memtui.cli.wording_review import ReviewWording, review_words
from memtui.cli.wording_scope import ScopeWording, scope_words
from memtui.cli.wording_secrets import SecretsWording, secrets_words
from memtui.cli.wording_stores import TransferWording, transfer_words
from memtui.cli.wording_team import TeamWording, team_words
from memtui.memory.types import Lang
from tests.unit.cli_support import Cli

CATALOGUES = {
    **dict.fromkeys(CliWording.names(), words),
    **dict.fromkeys(TransferWording.names(), transfer_words),
    **dict.fromkeys(ReviewWording.names(), review_words),
    **dict.fromkeys(TeamWording.names(), team_words),
    **dict.fromkeys(SecretsWording.names(), secrets_words),
    **dict.fromkeys(ScopeWording.names(), scope_words),
}
FIELDS = list(CATALOGUES)
LANGS: tuple[Lang, Lang] = ("en", "zh")
HEADER = ["--name", "Deploys", "--description", "when we deploy", "--type", "project"]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    for text in ("Deploys happen on Tuesdays, after lunch.", "Deploys happen on Mondays, before noon."):
        assert made("save", "deploys", *HEADER, "--content", text).code == 0
    return made


def parts(template: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(template) if name is not None})


@pytest.mark.parametrize("field", FIELDS)
def test_both_catalogues_say_it_with_the_same_parts(field: str) -> None:
    en, zh = (getattr(CATALOGUES[field](lang), field) for lang in LANGS)
    assert en.strip()
    assert zh.strip()
    assert parts(en) == parts(zh)
    assert "" not in parts(en)
    assert not any("\u4e00" <= char <= "\u9fff" for char in en)
    assert any("\u4e00" <= char <= "\u9fff" for char in zh) or field == "list_separator"


@pytest.mark.parametrize("field", [name for name in FIELDS if name.endswith("_one")])
def test_the_sentence_for_one_has_the_parts_of_the_other(field: str) -> None:
    for lang in LANGS:
        said = CATALOGUES[field](lang)
        one, many = getattr(said, field), getattr(said, field.removesuffix("_one"))
        assert set(parts(one)) <= set(parts(many))
        assert counted(1, one, many) is one
        assert counted(0, one, many) is counted(2, one, many) is many


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["list"], "共 1 条记忆，列出 1 条 · "),
        (["list", "--all"], "记忆与旧版本共 2 条，列出 2 条 · "),
        (["history", "deploys"], "共 2 个版本；"),
        (["show", "deploys", "--version", "1"], "旧版本，已由 deploys 取代"),
        (["show", "deploys"], "分数 1.00 = "),
        (["restore", "deploys", "1"], "已恢复 deploys 的版本 1；原来的内容保留为 deploys_v2"),
        (["restore", "deploys", "current"], "就是 deploys 的当前版本"),
        (["forget", "deploys"], "已遗忘 deploys；"),
        (["undo", "--dry-run"], "将撤销："),
        (["undo"], "已撤销："),
        (["index", "--rebuild"], "无需改动"),
        (["index"], "行数  1 / 200"),
        (["check"], "没有发现问题"),
        (["check", "--fix", "orphan"], "没有可修复的问题"),
        (["reminder"], "1 条记忆 · "),
        (["reminder", "--max", "0"], "没有可提醒的记忆"),
    ],
)
def test_lang_zh_is_chinese_throughout(cli: Cli, argv: list[str], says: str) -> None:
    done = cli(*argv, "--lang", "zh")
    assert done.code == 0, done
    assert says in done.out + done.err


def test_undo_tells_what_comes_next_in_chinese_and_redo_too(cli: Cli) -> None:
    assert "接下来可撤销：" in cli("undo", "--lang", "zh").err
    assert cli("redo", "--dry-run", "--lang", "zh").out.startswith("将重做：")
    assert cli("redo", "--lang", "zh").out.startswith("已重做：")


def test_the_summary_of_a_check_is_chinese(cli: Cli) -> None:
    cli.memory_file("orphan", "Nobody links here, although the coffee machine is on the third floor.")
    done = cli("check", "--rule", "orphan", "--lang", "zh")
    assert done.err == "0 个错误、1 个警告、0 个提示；用 'memtui check --fix RULE' 可修复 orphan\n"
    cli.tty = True
    asked = cli("check", "--fix", "orphan", "--lang", "zh", stdin="n\n").err
    assert "要做这处改动吗？" in asked
    assert "未作任何改动" in asked
    made = cli("check", "--fix", "orphan", "--lang", "zh", stdin="是\n")
    assert "：已完成：" in made.out
    assert "可撤销" in made.err
