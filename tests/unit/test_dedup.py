"""Spec §9: which memories say the same, and that the fast way to tell gives the answer of the slow one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.doubles.dedup import (
    CONFIRMED,
    THRESHOLD,
    DuplicateIndex,
    Match,
    Pair,
    PairKind,
    active_texts,
    build_manifest_preview,
    confirm_similarity,
    duplicate_clusters,
    find_duplicate_by_content,
    jaccard_similarity,
    pairs_by_brute_force,
    slug_exists,
)
from memtui.memory.doubles.likeness import clusters_of
from memtui.memory.doubles.shingles import has_number, mask_numbers, word_pairs, words
from memtui.memory.errors import Refused
from memtui.memory.types import ACTIVE, Historical, MemoryEntry, MemoryType
from tests.bench.memory_texts import EDIT_KINDS, LANGUAGES, EditKind, Language, edited, memory, short_memory

TEXT = "Integration tests must hit a real database, not mocks, since last year's migration."


def entry(
    slug: str, content: str, *, name: str = "", description: str = "", active: bool = True
) -> MemoryEntry:
    return MemoryEntry(
        slug=slug,
        name=name or slug,
        description=description,
        memory_type=MemoryType.PROJECT,
        mtime=0.0,
        content=content,
        path=Path(f"/m/{slug}.md"),
        status=ACTIVE if active else Historical("x"),
        modified=0.0,
    )


def filled(texts: dict[str, str], kind: PairKind) -> DuplicateIndex:
    index = DuplicateIndex(kind)
    for slug, text in texts.items():
        index.add(slug, text)
    return index


# --- the seed's measure


@pytest.mark.parametrize(
    ("a", "b", "similarity"),
    [
        ("", "", 0.0),
        ("", "abc", 0.0),
        ("a", "a", 1.0),
        ("a", "b", 0.0),
        ("测", "测", 1.0),
        ("a", "ab", 0.0),
        ("abc", "abc", 1.0),
        ("abcd", "abce", 0.5),
        ("aaaa", "aa", 1.0),
        ("测试数据", "测试数组", 0.5),
    ],
)
def test_spec_9_similarity_is_jaccard_of_character_bigrams(a: str, b: str, similarity: float) -> None:
    assert jaccard_similarity(a, b) == similarity
    assert jaccard_similarity(b, a) == similarity


@given(st.text(max_size=40), st.text(max_size=40))
def test_spec_9_similarity_is_symmetric_between_0_and_1(a: str, b: str) -> None:
    similarity = jaccard_similarity(a, b)
    assert 0.0 <= similarity <= 1.0
    assert similarity == jaccard_similarity(b, a)
    assert jaccard_similarity(a, a) == (1.0 if a else 0.0)


def test_words_are_characters_where_a_script_has_no_spaces_and_signs_where_there_are_no_words() -> None:
    assert words("Use pnpm，不要用 npm_x!") == ["use", "pnpm", "不", "要", "用", "npm_x"]
    assert words("→ ★ ★") == ["→", "★", "★"]
    assert word_pairs("one") == {"one"}
    assert word_pairs("") == set()
    assert word_pairs("a b a b") == {"a b", "b a"}


# --- the duplicate of a text


def test_spec_9_the_most_similar_active_entry_is_found() -> None:
    entries = [
        entry("far", "用户是天体物理学博士后，主要研究恒星演化与双星系统。"),
        entry("near", TEXT + " Ask Jo before changing this."),
        entry("nearest", TEXT + "!"),
    ]
    assert find_duplicate_by_content(TEXT, entries) == "nearest"
    assert find_duplicate_by_content(TEXT, entries, exclude="nearest") == "near"
    assert find_duplicate_by_content("Dashboards live in Grafana.", entries) is None


def test_spec_9_historical_entries_are_not_compared() -> None:
    assert find_duplicate_by_content(TEXT, [entry("old", TEXT, active=False)]) is None


def test_spec_9_the_entry_being_edited_is_not_compared_with_itself() -> None:
    assert find_duplicate_by_content(TEXT, [entry("me", TEXT)], exclude="me") is None


def test_spec_9_the_threshold_is_reached_by_equality() -> None:
    assert find_duplicate_by_content("ab cd", [entry("x", "ab cd")], 1.0) == "x"
    one, other = "一二三四五六七八九", "一二三四五六七八九十"
    similarity = jaccard_similarity(one, other)
    assert find_duplicate_by_content(one, [entry("x", other)], similarity) == "x"
    assert find_duplicate_by_content(one, [entry("x", other)], similarity + 1e-9) is None
    index = DuplicateIndex(threshold=similarity)
    index.add("x", other)
    assert index.best(one) == Match("x", similarity, confirm_similarity(one, other))


def test_of_equals_the_first_slug_is_found() -> None:
    entries = [entry("b", TEXT), entry("a", TEXT), entry("c", TEXT)]
    assert find_duplicate_by_content(TEXT, entries) == "a"


def test_spec_9_a_bigram_hit_alone_is_not_a_duplicate() -> None:
    rng = random.Random(4)
    one, other = memory(rng, "en", 20_000), memory(rng, "en", 20_000)
    assert jaccard_similarity(one, other) >= THRESHOLD
    assert confirm_similarity(one, other) < CONFIRMED
    assert find_duplicate_by_content(one, [entry("x", other)]) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chars", [200, 2_000, 8_000, 20_000])
def test_spec_9_unrelated_memories_are_no_duplicates(language: Language, chars: int) -> None:
    rng = random.Random(chars)
    texts = {f"m{i}": memory(rng, language, chars) for i in range(12)}
    assert pairs_by_brute_force(texts) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", EDIT_KINDS)
@pytest.mark.parametrize("chars", [60, 400, 2_000, 10_000])
def test_spec_9_near_identical_memories_are_duplicates(
    language: Language, kind: EditKind, chars: int
) -> None:
    rng = random.Random(f"{language} {kind} {chars}")
    alike = 0
    for _ in range(20):
        text = short_memory(rng, language) if chars == 60 else memory(rng, language, chars)
        copy = edited(rng, text, language, kind)
        alike += find_duplicate_by_content(copy, [entry("x", text)]) == "x"
    # In one or two sentences one word may be a third of the text, and then it is another text.
    assert alike >= (20 if chars > 400 else 17 if chars == 400 else 11)


# --- alike in other ways


def test_spec_9_pairs_alike_once_numbers_are_masked() -> None:
    entries = [
        entry("a", "Freeze 2024-03-01 to 2024-03-14: 12 PRs of v1.2.3 wait, build 48213 at 10:45, port 5432"),
        entry("b", "Freeze 2025-11-20 to 2025-12-05: 7 PRs of v2.40 wait, build 9977 at 8:15, port 61000"),
        entry("c", "No numbers here"),
    ]
    assert pairs_by_brute_force(active_texts(entries)) == []
    texts = active_texts(entries, "numbers")
    assert set(texts) == {"a", "b"}
    assert filled(texts, "numbers").pairs() == (Pair("a", "b", 1.0, 1.0, "numbers"),)
    assert pairs_by_brute_force(texts, "numbers") == [Pair("a", "b", 1.0, 1.0, "numbers")]


def test_spec_9_pairs_alike_in_name_and_description() -> None:
    entries = [
        entry("a", "x" * 20, name="Release freeze", description="when merges to main are frozen"),
        entry("b", "y" * 20, name="Release freezes", description="when merges to main are frozen"),
        entry("c", "z" * 20, name="c"),
        entry("d", "w" * 20, name="c"),
    ]
    [pair] = filled(active_texts(entries, "title"), "title").pairs()
    assert (pair.first, pair.second, pair.kind) == ("a", "b", "title")


@given(st.text("0123456789.,:/- ab一", max_size=30))
def test_masking_numbers_twice_is_masking_them_once(text: str) -> None:
    masked = mask_numbers(text)
    assert mask_numbers(masked) == masked
    assert has_number(masked) == has_number(text)
    assert not any(digit in masked for digit in "123456789")


# --- groups


def test_spec_9_clusters_join_through_others() -> None:
    pairs = [Pair("a", "b", 0.8, 0.5), Pair("c", "d", 0.8, 0.5), Pair("b", "e", 0.8, 0.5)]
    assert clusters_of(pairs) == (("a", "b", "e"), ("c", "d"))
    assert clusters_of([]) == ()


def test_spec_9_duplicate_clusters_of_active_entries() -> None:
    entries = [
        entry("one", TEXT),
        entry("two", TEXT + " Really."),
        entry("old", TEXT, active=False),
        entry("other", "另一件事情：发布冻结从周四开始。"),
    ]
    assert duplicate_clusters(entries) == (("one", "two"),)
    assert duplicate_clusters([]) == ()


# --- manifest, slugs


def test_spec_12_manifest_has_one_line_for_each_active_entry() -> None:
    entries = [
        entry("a", "x", name="测试策略", description="优先使用\n单元测试"),
        entry("old", "x", active=False),
        entry("b", "x", name="B\u202ed\x1b[0m"),
        entry("c", "x", name="C")._replace(memory_type=None, type_text="belief"),
        entry("d", "x", name="</project-memory-context>")._replace(memory_type=None),
    ]
    assert build_manifest_preview(entries).split("\n") == [
        "- a (project): 测试策略 — 优先使用 单元测试",
        "- b (project): Bd[0m",
        "- c (belief): C",
        "- d (unknown): &lt;/project-memory-context>",
    ]
    assert build_manifest_preview([]) == ""


def test_slug_exists_tells_new_from_update(tmp_path: Path) -> None:
    assert not slug_exists(tmp_path / "missing", "a")
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.md").write_text("x")
    (tmp_path / "folder.md").mkdir()
    assert slug_exists(tmp_path, "a")
    assert slug_exists(tmp_path, "sub/b")
    assert not slug_exists(tmp_path, "c")
    assert not slug_exists(tmp_path, "folder")
    with pytest.raises(Refused):
        slug_exists(tmp_path / "sub", "../a")
