"""Spec §11: one catalogue a language with the same parts, and how the language is chosen."""

from string import Formatter

import pytest

from memtui.memory.types import MemoryType
from memtui.memory.wording import Wording, wording


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("field", Wording._fields)
def test_both_catalogues_say_it_with_the_same_parts(field: str) -> None:
    zh, en = getattr(wording("zh"), field), getattr(wording("en"), field)
    assert zh.strip()
    assert en.strip()
    assert zh.startswith("\n") == en.startswith("\n") == zh.endswith("\n") == en.endswith("\n") is False
    assert placeholders(zh) == placeholders(en)
    assert "" not in placeholders(zh)


@pytest.mark.parametrize("field", [name for name in Wording._fields if name != "reminder_title"])
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
