"""Every sentence of an error is there in Chinese, and says the same of the same things."""

from __future__ import annotations

import ast
import copy
import errno
import os
import pickle
import string
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.config import ConfigError, parse_config
from memtui.memory.disk.calls import refused
from memtui.memory.document.frontmatter import FrontmatterError
from memtui.memory.document.yamlsafe import load_tree
from memtui.memory.errors import Conflict, MemtuiError, Refused, sentence_of
from memtui.memory.types import MemoryType
from memtui.memory.wording.errors_zh import AREAS, CATALOGUE, ERRORS_ZH, FOREIGN_ZH
from memtui.memory.wording.findings_en import RULES_EN
from memtui.memory.wording.findings_zh import RULES_ZH
from memtui.memory.wording.labels import Label, fixes_label, label_said, names
from memtui.memory.wording.recognising import written_said
from memtui.memory.wording.saying import Say, joined, plain, said, system_said
from tests.unit.sentences import find, of_memtui


def placeholders(template: str) -> list[tuple[str, str, str]]:
    return sorted(
        (name, spec or "", conversion or "")
        for _, name, spec, conversion in string.Formatter().parse(template)
        if name is not None
    )


def test_every_sentence_of_an_error_is_one_that_can_be_looked_up() -> None:
    assert of_memtui()[0].odd == []


def test_every_sentence_of_an_error_is_there_in_chinese() -> None:
    assert {text: place for text, place in of_memtui()[0].templates.items() if text not in ERRORS_ZH} == {}


def test_no_row_of_the_catalogue_is_for_a_sentence_that_nobody_says() -> None:
    assert set(ERRORS_ZH) - set(of_memtui()[0].templates) == set()


def test_a_sentence_names_the_same_things_in_both_languages() -> None:
    literal = {text for text in ERRORS_ZH if "{" not in text}
    odd = [
        text
        for text, zh in ERRORS_ZH.items()
        if text not in literal and placeholders(text) != placeholders(zh)
    ]
    assert odd == []
    assert [text for text in literal if "{" in ERRORS_ZH[text]] == []


def test_what_is_found_in_the_source_are_the_kinds_and_the_sentences_there_are() -> None:
    assert {
        "UsageError",
        "Refused",
        "Busy",
        "Conflict",
        "Unreadable",
        "FrontmatterError",
        "ConfigError",
    } <= set(of_memtui()[1])
    assert of_memtui()[1]["Unreadable"] == ["code", "what"]
    assert {
        "there is no memory {slug!r}",  # of a Say
        "Try again when it is done",  # a literal todo
        "there is no such file",  # one of two that a name may have
        "could not lock the directory",  # of what a system error is told with
        "Finished an interrupted change: {label}.",  # no error at all
    } <= set(of_memtui()[0].templates)


@pytest.mark.parametrize("kind", ["Refused", "UsageError"])
def test_a_sentence_put_together_at_the_raise_is_found_out(kind: str) -> None:
    source = f'def f(name):\n    raise {kind}(f"the file {{name}} is odd", todo="Look " + name)\n'
    assert [odd.partition(": ")[2] for odd in find({"made.py": ast.parse(source)}, of_memtui()[1]).odd] == [
        "f'the file {name} is odd'",
        "'Look ' + name",
    ]


def test_an_error_is_english_until_it_is_asked_for_another_language() -> None:
    error = Refused(Say("this is a link to {target}", target="a.md"), where="b.md", todo="Split it")
    assert str(error) == "b.md: this is a link to a.md. Split it"
    assert error.said("en") == str(error)
    assert error.said("zh") == "b.md：这是指向 a.md 的链接。请拆分"
    assert str(Refused("this is a link", where="b.md")) == "b.md: this is a link"
    assert Refused("nothing to merge").said("zh") == "没有可合并的内容"


def test_a_sentence_within_a_sentence_is_said_in_the_same_language() -> None:
    error = refused(OSError(errno.ENOSPC, "No space left on device", "x"), "could not save", "a.md")
    assert error.said("zh") == "a.md：无法保存：磁盘已满。请腾出空间后重试"
    inner = Say(
        "An interrupted change still waits for its archives or index ({failure}): {label}.",
        failure=error.sentence,
        label=Label.of("forget a, b", ("a", "b")),
    )
    assert inner.said("zh") == (
        "中断的改动仍在等待归档或索引（a.md：无法保存：磁盘已满。请腾出空间后重试）：遗忘 a, b。"
    )


def test_what_comes_from_a_file_is_never_translated() -> None:
    error = Refused(Say("this is a link to {target}", target="none"), where="undo")
    assert error.said("zh") == "undo：这是指向 none 的链接"
    assert label_said("forget undo", ("undo",), "zh") == "遗忘 undo"


def test_braces_and_quotes_in_a_value_stay_as_they_are() -> None:
    text = "{0!r} {slug} }{"
    assert Say("there is no memory {slug!r}", slug=text) == f"there is no memory {text!r}"
    assert Say("there is no memory {slug!r}", slug=text).said("zh") == f"没有名为 {text!r} 的记忆"
    assert plain(text).said("zh") == text


def test_the_systems_words_are_known_by_the_errors_name() -> None:
    names_of_errors = [name for name in FOREIGN_ZH if hasattr(errno, name)]
    assert len(names_of_errors) > 30
    for name in names_of_errors:
        number = getattr(errno, name)
        text = system_said(OSError(number, os.strerror(number)))
        assert text == os.strerror(number)
        assert text.said("zh") == FOREIGN_ZH[errno.errorcode[number]]
    assert system_said(OSError("odd")).said("zh") == "odd"


def test_what_a_parser_says_is_said_in_chinese_where_it_is_known() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(b"lang = \n", "c.toml")
    assert caught.value.said("zh") == "c.toml：这不是 TOML：无效的值（第 1 行，第 8 列）。请修正或删除此文件"
    assert (
        str(caught.value)
        == "c.toml: this is not TOML: Invalid value (at line 1, column 8). Correct or remove the file"
    )
    with pytest.raises(FrontmatterError) as odd:
        load_tree("a: b: c")
    assert odd.value.said("zh") == "头部不是有效的 YAML（此处不允许有映射的值）"


def test_any_error_has_a_sentence() -> None:
    assert sentence_of(Conflict("the file is gone", where="a.md")).said("zh") == "a.md：文件已不存在"
    assert sentence_of(OSError(errno.EROFS, "Read-only file system")).said("zh") == "只读文件系统"
    assert sentence_of(ValueError("x")).said("zh") == "x"


def test_a_copy_of_a_sentence_is_a_sentence() -> None:
    made = joined([Say("slug is empty"), Say("Try {free!r}", free="a{b}")], ". ")
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):  # noqa: S301  -- our own
        assert again == made
        assert again.said("zh") == "slug 为空。可改用 'a{b}'"
    assert said(made, "en") == str(made)


def test_english_loads_no_chinese() -> None:
    code = (
        "import sys\n"
        "from memtui.memory.errors import Refused\n"
        "from memtui.memory.wording.saying import said\n"
        "str(Refused('opened read-only', todo='Split it')); said('Split it', 'en')\n"
        "sys.exit('memtui.memory.wording.errors_zh' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


SLUGS = st.lists(st.text("abc-, {}", min_size=1, max_size=6), min_size=1, max_size=5, unique=True)


@given(SLUGS, st.sampled_from(list(MemoryType)))
def test_every_label_is_known_again_from_its_record(slugs: list[str], kind: MemoryType) -> None:
    one, shown = slugs[0], names(slugs)
    zh = shown if len(slugs) <= 3 else f"{', '.join(slugs[:3])} 等，另有 {len(slugs) - 3} 条"
    assert label_said(f"forget {shown}", slugs, "zh") == f"遗忘 {zh}"
    assert label_said(f"sync {shown}", slugs, "zh") == f"同步 {zh}"
    assert label_said(f"type {kind} for {shown}", slugs, "zh") == f"将 {zh} 的类型改为 {kind}"
    assert label_said(f"merge {shown} into new", ["new", *slugs], "zh") == f"将 {zh} 合并到 new"
    assert label_said(f"move {shown} to /d to e", slugs, "zh") == f"将 {zh} 移到 /d to e"
    assert label_said(f"rename {one} to new", [one, "new"], "zh") == f"将 {one} 重命名为 new"
    assert label_said(f"restore {one} to version 3", [one], "zh") == f"将 {one} 恢复到版本 3"
    for verb, in_zh in (("create", "新建"), ("update", "更新"), ("save", "保存")):
        assert label_said(f"{verb} {one}", [one], "zh") == f"{in_zh} {one}"
    assert label_said(f"accept a proposal for {shown}", slugs, "zh") == f"接受关于 {zh} 的提议"
    assert label_said(f"accept 7 proposals for {shown}", slugs, "zh") == f"接受 7 个关于 {zh} 的提议"
    assert label_said(f"reject a proposal for {shown}: so: 1", slugs, "zh") == f"拒绝关于 {zh} 的提议：so: 1"
    assert label_said(f"forget {shown}", slugs, "en") == f"forget {shown}"


def test_what_came_from_another_directory_may_have_another_name_here() -> None:
    slugs = ["a", "b", "c", "d"]
    label = f"copy {names(slugs)} from /a from b"
    assert label_said(label, slugs, "zh") == "从 /a from b 复制 a, b, c 等，另有 1 条"
    assert label_said("move old from /a", ["new"], "zh") == "从 /a 移来 old"
    assert label_said("adopt old from /a", ["new"], "zh") == "从 /a 接管 old"


@pytest.mark.parametrize("template", [text for text in ERRORS_ZH if len(text) > 30])
def test_a_sentence_that_was_written_down_is_known_again(template: str) -> None:
    values = {name: 7 if spec else f"<{name}>" for name, spec, _ in placeholders(template)}
    made = Say(template, **values)
    assert written_said(made, "zh") == made.said("zh")
    assert written_said(made, "en") == made


def test_what_is_no_sentence_of_the_catalogue_stands_as_it_was_written() -> None:
    for text in ("", "a: b", "做了什么", "someone wrote this", "undo it"):
        assert written_said(text, "zh") == text


def test_a_label_nobody_knows_stands_as_it_is() -> None:
    assert label_said("forget a", ("b",), "zh") == "forget a"
    assert label_said("做了什么", (), "zh") == "做了什么"
    assert label_said("", (), "zh") == ""


def test_the_label_of_fixes_is_said_in_either_language_whichever_it_was_made_in() -> None:
    english = fixes_label([RULES_EN[rule].fix for rule in ("orphan", "duplicate-line")], 5)
    chinese = fixes_label([RULES_ZH[rule].fix for rule in ("orphan", "duplicate-line")], 5)
    assert label_said(english, ("a",), "zh") == "在索引中添加一行、只保留一行 (× 5)"
    assert label_said(chinese, ("a",), "zh") == "在索引中添加一行、只保留一行 (× 5)"
    assert label_said(chinese, ("a",), "en") == english == label_said(english, ("a",), "en")


def test_no_catalogue_row_hides_another() -> None:
    assert len(CATALOGUE) == len(ERRORS_ZH) + len(FOREIGN_ZH)
    assert len(ERRORS_ZH) == sum(map(len, AREAS))


def test_an_error_can_be_raised_with_nothing_but_what_happened() -> None:
    with pytest.raises(MemtuiError, match=r"^nothing to merge$"):
        raise MemtuiError("nothing to merge")
