"""Every problem that reading finds has its Chinese sentence, and findings in Chinese hold no English one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memtui.memory
from memtui.memory.checks.findings import Checker
from memtui.memory.conventions import CLAUDE
from memtui.memory.directory.scan import Directory
from memtui.memory.document.frontmatter import read
from memtui.memory.types import Lang
from memtui.memory.wording.problems import problem_message
from memtui.memory.wording.problems_zh import PROBLEMS_ZH

NOT_OF_READING = {"not-written", "invalid-text", "invalid"}  # said when writing or editing only
ODD = {
    "a": b"---\nname: n\nname: m\ndescription: a b #12 c\ntype: user\n---\n\ntext enough to stand here\n",
    "b": b"---\nname: [x]\ndescription: *alias\n---\n\ntext enough to stand here",
    "c": b"---\nname: n\n\nopen header\n",
    "d": b"---\nname: n\nmodified: someday\n---\n\n---\nname: x\n---\n\x00\r\n",
    "e": "---\nname: n\n---\n".encode("utf-16"),
    "f": b"",
    "g": b"no header at all, and \xff\xfe in it\n",
    "h": b"---\ndescription: >\n  x\n'na'me: y\n---\n\ntext enough to stand here\n",
}


def codes_in_source() -> set[str]:
    """What the reading modules call their problems, taken from their text."""
    folder = Path(memtui.memory.__file__).parent
    text = "".join(
        (folder / name).read_text(encoding="utf-8")
        for name in ("document/oddities.py", "document/yamlsafe.py", "disk/files.py")
    )
    found = set(re.findall(r"(?:Problem|Unreadable)\(\s*\"([a-z0-9-]+)\"", text))
    return (
        found
        | set(re.findall(r"code=\"([a-z0-9-]+)\"", text))
        | set(re.findall(r"kind = \"([a-z-]+)\"", text))
    )


def test_every_problem_of_reading_has_a_chinese_sentence() -> None:
    codes = codes_in_source() - NOT_OF_READING
    assert len(codes) > 25
    assert codes <= set(PROBLEMS_ZH)


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_a_problem_is_said_in_both_languages(data: bytes) -> None:
    problems = read(data).problems
    assert problems
    for problem in problems:
        assert problem_message(problem.code, problem.message, "en") == problem.message
        chinese = problem_message(problem.code, problem.message, "zh")
        assert re.search("[\u4e00-\u9fff]", chinese)
        assert "{" not in chinese
        assert "…" not in chinese


def test_the_key_is_named() -> None:
    said = {p.code: problem_message(p.code, p.message, "zh") for p in read(ODD["a"]).problems}
    assert said["duplicate-key"] == "键“name”出现了两次；以最后一个为准"
    assert said["hash-in-value"].startswith("“description”中")


def test_a_code_without_a_sentence_is_said_in_english() -> None:
    assert problem_message("brand-new", "Something new", "zh") == "Something new"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_findings_speak_one_language(tmp_path: Path, lang: Lang) -> None:
    for name, data in ODD.items():
        (tmp_path / f"{name}.md").write_bytes(data)
    (tmp_path / "dir.md").mkdir()
    (tmp_path / "MEMORY.md").mkdir()
    directory = Directory(tmp_path, convention=CLAUDE)
    directory.refresh()
    found = Checker(directory, lang=lang).update(None)
    about = [f for f in found if f.rule in {"unreadable", "misread", "oddity", "index-unreadable"}]
    assert len(about) >= 10
    for finding in about:
        words = re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]{2,}){2,}", finding.message)
        assert (lang == "en") == bool(words), finding.message
