"""Spec §11: one catalogue a language with the same parts, and how the language is chosen."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import memtui
from memtui.memory.types import MemoryType
from memtui.memory.wording import Wording, wording


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("field", Wording.names())
def test_both_catalogues_say_it_with_the_same_parts(field: str) -> None:
    zh, en = getattr(wording("zh"), field), getattr(wording("en"), field)
    assert zh.strip()
    assert en.strip()
    assert zh.startswith("\n") == en.startswith("\n") == zh.endswith("\n") == en.endswith("\n") is False
    assert placeholders(zh) == placeholders(en)
    assert "" not in placeholders(zh)


@pytest.mark.parametrize("field", [name for name in Wording.names() if name != "reminder_title"])
def test_english_is_english_and_chinese_is_chinese(field: str) -> None:
    assert not any("\u4e00" <= c <= "\u9fff" for c in getattr(wording("en"), field))
    zh = getattr(wording("zh"), field)
    assert any("\u4e00" <= c <= "\u9fff" for c in zh) or field == "list_separator"


def test_first_seed_labels() -> None:
    types = [*MemoryType, None]
    assert [wording("zh").type_label(t) for t in types] == ["[偏好]", "[反馈]", "[项目]", "[参考]", "[未知]"]
    assert [wording("en").type_label(t) for t in types] == [
        "[Preference]",
        "[Feedback]",
        "[Project]",
        "[Reference]",
        "[Unknown]",
    ]
    assert wording("zh").updated.format(slug="new-slug") == "[已更新→new-slug]"
    assert wording("en").updated.format(slug="new-slug") == "[updated→new-slug]"


def test_first_seed_marks_of_the_save_result() -> None:
    for lang in ("zh", "en"):
        words = wording(lang)
        assert words.saved.startswith("✅")
        assert words.updated_memory.startswith("🔄")
        assert words.overlap.startswith("💡")
        assert "≥70%" in words.overlap
        warnings = (words.quality_too_short, words.quality_transient, words.quality_vague, words.quality_code)
        assert all(text.startswith("⚠️") for text in warnings)


def test_every_sentence_there_is_is_said_somewhere() -> None:
    """A field of a catalogue is read by its name, stands in quotes, or begins as a name that is put together."""
    sources = [path.read_text(encoding="utf-8") for path in Path(memtui.__file__).parent.rglob("*.py")]
    said = {name for text in sources for name in re.findall(r"(?<=[.\"'])\w+", text)}
    heads = tuple(head for text in sources for head in re.findall(r"getattr\([^,]+, f[\"'](\w+_)\{", text))
    assert len(heads) > 5
    fields = [
        field.target.id
        for text in sources
        for made in re.findall(r"^class \w*Word(?:s|ing)\(Sentences\):\n(?:    .*\n|\n)+", text, re.MULTILINE)
        for field in ast.walk(ast.parse(made))
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    ]
    assert len(fields) > 500
    assert [name for name in fields if name not in said and not name.startswith(heads)] == []
