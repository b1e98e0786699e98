"""Spec §9, design §7: the fast way to find duplicates gives the answer of comparing everything with everything."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.doubles import all_pairs
from memtui.memory.doubles.dedup import (
    DuplicateIndex,
    Match,
    PairKind,
    compare_with_all,
    pairs_by_brute_force,
)
from memtui.memory.doubles.likeness import clusters_of
from memtui.memory.doubles.shingles import bigrams, mask_numbers, masking
from memtui.memory.doubles.sketches import most_apart, sizes_alike, sketch, width_for
from memtui.memory.errors import UsageError
from tests.bench.memory_texts import EDIT_KINDS, LANGUAGES, edited, memory, short_memory

TEXT = "Integration tests must hit a real database, not mocks, since last year's migration."


def filled(
    texts: dict[str, str], kind: PairKind = "content", threshold: float | None = None
) -> DuplicateIndex:
    index = DuplicateIndex(kind, threshold)
    for slug, text in texts.items():
        index.add(slug, text)
    return index


@given(
    st.sets(st.text("abcdefgh", min_size=1, max_size=3)), st.sets(st.text("abcdefgh", min_size=1, max_size=3))
)
def test_sketches_never_rule_out_what_the_sets_have(one: set[str], other: set[str]) -> None:
    narrow, wide = sketch(one, 512), sketch(other, 1024)
    assert (narrow.bits ^ wide.at(512)).bit_count() <= len(one ^ other)
    assert sketch(one, 1024).at(512) == narrow.bits
    union = len(one | other)
    if union and one & other:
        similarity = len(one & other) / union
        assert narrow.may_be_like(wide, similarity)
        assert narrow.at_most(wide) >= similarity
        assert len(one ^ other) <= most_apart(len(one) + len(other), similarity)
        low, high = sizes_alike(len(one), similarity)
        assert low <= len(other) <= high


_KINDS: tuple[PairKind, ...] = ("content", "numbers")
NUMBERED = st.text(st.sampled_from("0123٣ab .,:/-\n测"), max_size=30)


@given(NUMBERED)
def test_masking_takes_and_puts_in_the_bigrams_that_masking_the_text_does(text: str) -> None:
    gone, come = masking(text)
    assert gone <= bigrams(text)
    assert (bigrams(text) - gone) | come == bigrams(mask_numbers(text))
    assert not come & (bigrams(text) - gone)
    assert len(come) <= len(gone)


@given(NUMBERED, NUMBERED)
def test_neither_a_language_nor_numbers_part_what_is_alike(one: str, other: str) -> None:
    texts = {"one": one, "other": other}
    for threshold in (0.05, 0.3, 0.7):
        for kind in _KINDS:
            assert list(filled(texts, kind, threshold).pairs()) == pairs_by_brute_force(
                texts, kind, threshold
            )


def test_widths_are_powers_of_two_that_grow_with_the_set_up_to_a_bound() -> None:
    widths = [width_for(members, 2) for members in range(50_000)]
    assert widths == sorted(widths)
    assert (widths[0], widths[-1]) == (512, 16_384)
    assert all(width & (width - 1) == 0 for width in set(widths))


def random_texts(rng: random.Random, count: int) -> dict[str, str]:
    """Texts of all lengths and languages, a good part of them edits of others or near the threshold."""
    texts: list[str] = ["", "a", "测"]
    while len(texts) < count:
        language = rng.choice(LANGUAGES)
        roll = rng.random()
        if roll < 0.35:
            texts.append(edited(rng, rng.choice(texts[3:] or [TEXT]), language, rng.choice(EDIT_KINDS)))
        elif roll < 0.5:
            base = rng.choice(texts[3:] or [TEXT])
            texts.append(base[: rng.randint(len(base) // 2, len(base))])
        elif roll < 0.75:
            texts.append(short_memory(rng, language))
        elif roll < 0.97:
            texts.append(memory(rng, language, rng.randint(80, 1_500)))
        else:
            texts.append(memory(rng, language, rng.randint(5_000, 15_000)))
    return {f"m{i:03}": text for i, text in enumerate(texts)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("threshold", [0.3, 0.7, 1.0])
def test_spec_9_all_pairs_are_those_of_brute_force(seed: int, threshold: float) -> None:
    texts = random_texts(random.Random(seed), 90)  # 4,005 pairs
    expected = pairs_by_brute_force(texts, threshold=threshold)
    assert expected
    index = filled(texts, threshold=threshold)
    assert list(index.pairs()) == expected
    assert index.clusters() == clusters_of(expected)


@pytest.mark.parametrize(("limit", "value"), [("_KEPT_BYTES", 0), ("_KEPT_MEMBERS", 500)])
def test_pairs_stay_exact_when_there_is_no_room_to_keep_sets(
    limit: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_pairs, limit, value)
    texts = random_texts(random.Random(11), 60)
    assert list(filled(texts).pairs()) == pairs_by_brute_force(texts)


def test_memories_with_much_shared_prose_cost_no_look_at_each_shared_part() -> None:
    rng = random.Random(1)
    shared = [memory(rng, "en", 300) for _ in range(12)]
    texts = {f"m{i}": "\n".join([*rng.sample(shared, 6), memory(rng, "en", 200)]) for i in range(200)}
    index = filled(texts)
    made = 0

    def counted(text: str) -> set[str]:
        nonlocal made
        made += 1
        return bigrams(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_pairs, "bigrams", counted)
        assert len(index.pairs()) > 3_000
    assert made == len(texts)


@pytest.mark.parametrize("seed", range(3))
def test_spec_9_the_duplicates_of_a_draft_are_those_of_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    texts = random_texts(rng, 60)
    index = filled(texts)
    hits = 0
    cuts = [text[: rng.randint(0, len(text))] for text in texts.values()]
    for draft in [*random_texts(rng, 25).values(), *cuts]:
        expected = compare_with_all(draft, texts)
        hits += bool(expected)
        assert list(index.matches(draft)) == expected
        assert index.best(draft) == (expected[0] if expected else None)
        without = compare_with_all(draft, {slug: text for slug, text in texts.items() if slug != "m007"})
        assert list(index.matches(draft, exclude="m007")) == without
    assert hits > 10


@given(st.lists(st.text("ab 一二", max_size=12), max_size=12), st.floats(0.05, 1.0))
def test_spec_9_tiny_texts_and_any_threshold_are_exact_too(contents: list[str], threshold: float) -> None:
    texts = {f"m{i}": content for i, content in enumerate(contents)}
    assert list(filled(texts, threshold=threshold).pairs()) == pairs_by_brute_force(
        texts, threshold=threshold
    )


@pytest.mark.parametrize("kind", ["numbers", "title"])
def test_spec_9_the_other_kinds_are_exact_too(kind: PairKind) -> None:
    rng = random.Random(8)
    texts = random_texts(rng, 80)
    for slug in list(texts)[10:40]:
        texts[f"{slug}-again"] = "".join(str(rng.randint(0, 9)) if c.isdigit() else c for c in texts[slug])
    expected = pairs_by_brute_force(texts, kind)
    assert expected
    assert list(filled(texts, kind).pairs()) == expected


@pytest.mark.parametrize("seed", range(3))
def test_spec_9_pairs_stay_exact_through_additions_changes_and_removals(seed: int) -> None:
    rng = random.Random(seed)
    texts = random_texts(rng, 40)
    index = filled(texts)
    index.pairs()
    pool = list(random_texts(rng, 40).values()) + list(texts.values())
    for _ in range(12):
        for _ in range(rng.randint(1, 4)):
            slug = f"m{rng.randint(0, 50):03}"
            if rng.random() < 0.4:
                texts.pop(slug, None)
                index.remove(slug)
            else:
                texts[slug] = rng.choice(pool)
                index.add(slug, texts[slug])
        assert len(index) == len(texts)
        assert list(index.pairs()) == pairs_by_brute_force(texts)


def test_adding_the_same_text_again_changes_nothing() -> None:
    index = filled({"a": TEXT, "b": TEXT})
    before = index.pairs()
    index.add("a", TEXT)
    assert index.pairs() is before
    index.remove("nothing")
    assert index.pairs() is before
    assert "a" in index
    assert "nothing" not in index


def test_an_empty_index_answers() -> None:
    index = DuplicateIndex()
    assert index.best("x") is None
    assert index.pairs() == ()
    assert index.clusters() == ()


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.1])
def test_a_threshold_out_of_bounds_is_refused(threshold: float) -> None:
    with pytest.raises(UsageError, match="threshold"):
        DuplicateIndex(threshold=threshold)


def test_of_equals_the_first_slug_is_best() -> None:
    index = filled({"b": TEXT, "a": TEXT, "c": TEXT})
    assert index.best(TEXT) == Match("a", 1.0, 1.0)
    assert index.best(TEXT, exclude="a") == Match("b", 1.0, 1.0)
    assert [match.slug for match in index.matches(TEXT, 2)] == ["a", "b"]


def test_spec_9_the_best_of_many_copies_is_that_of_brute_force() -> None:
    rng = random.Random(2)
    base = memory(rng, "en", 3_000)
    texts = {f"m{i:02}": edited(rng, base, "en", rng.choice(EDIT_KINDS)) for i in range(40)}
    index = filled(texts)
    for text in (base, edited(rng, base, "en", "words"), base[:2_800], texts["m07"]):
        for exclude in (None, "m07", "m11"):
            others = {slug: other for slug, other in texts.items() if slug != exclude}
            assert index.best(text, exclude) == compare_with_all(text, others)[0]
