"""The experiment behind ``memtui.memory.doubles.likeness``: which measure confirms that a bigram hit is a duplicate.

Run with ``python -m tests.bench.choose_confirmation``. Pairs that should be told apart: two unrelated memories of one
language and 0.05–20 KB. Pairs that should be found: a memory and a small edit of it, if the bigrams find it at all.
For each measure: the error rates at each threshold, for the hardest languages and lengths.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

from memtui.memory.doubles.dedup import THRESHOLD, jaccard_similarity
from memtui.memory.doubles.shingles import jaccard, words
from tests.bench.memory_texts import EDIT_KINDS, LANGUAGES, Language, edited, memory, short_memory

Measure = Callable[[str], set[str]]
SIZES = ((20, 80), (80, 400), (400, 2_000), (2_000, 5_000), (5_000, 10_000), (10_000, 20_000))
CUTS = (0.2, 0.3, 0.4, 0.5)


def char_grams(length: int) -> Measure:
    """The set of runs of so many characters, blanks folded."""

    def grams(text: str) -> set[str]:
        folded = " ".join(text.lower().split())
        return {folded[i : i + length] for i in range(max(1, len(folded) - length + 1))}

    return grams


def word_grams(length: int) -> Measure:
    """The set of runs of so many words."""

    def grams(text: str) -> set[str]:
        found = words(text)
        return {" ".join(found[i : i + length]) for i in range(max(1, len(found) - length + 1))}

    return grams


MEASURES: dict[str, Measure] = {
    "3 characters": char_grams(3),
    "4 characters": char_grams(4),
    "5 characters": char_grams(5),
    "7 characters": char_grams(7),
    "1 word": word_grams(1),
    "2 words": word_grams(2),
    "3 words": word_grams(3),
}


def draw(rng: random.Random, language: Language, least: int, most: int) -> str:
    """A memory of a length in between."""
    return short_memory(rng, language) if most <= 80 else memory(rng, language, rng.randint(least, most))


def unrelated(rng: random.Random, language: Language, least: int, most: int) -> list[tuple[str, str]]:
    """Pairs that should be told apart."""
    texts = [draw(rng, language, least, most) for _ in range(25)]
    return list(combinations(texts, 2))


def near_identical(rng: random.Random, language: Language, least: int, most: int) -> list[tuple[str, str]]:
    """Pairs that should be found: those of small edits that the bigrams find."""
    found = []
    for _ in range(400 if most <= 400 else 60):
        text = draw(rng, language, least, most)
        copy = edited(rng, text, language, rng.choice(EDIT_KINDS))
        if jaccard_similarity(text, copy) >= THRESHOLD:
            found.append((text, copy))
    return found


def values(measure: Measure, pairs: list[tuple[str, str]]) -> list[float]:
    """The measure's similarity of each pair."""
    known: dict[str, set[str]] = {}
    for text in {text for pair in pairs for text in pair}:
        known[text] = measure(text)
    return [jaccard(known[one], known[other]) for one, other in pairs]


def main() -> None:
    """Print the tables."""
    rng = random.Random(20_240)
    groups = [(language, *size) for language in LANGUAGES for size in SIZES]
    apart = {group: unrelated(rng, *group) for group in groups}
    alike = {group: near_identical(rng, *group) for group in groups}
    print("Unrelated pairs that reach 0.70 by bigrams alone:")
    for group, pairs in apart.items():
        share = sum(jaccard_similarity(*pair) >= THRESHOLD for pair in pairs) / len(pairs)
        if share:
            print(f"  {group[0]} {group[1]:,}–{group[2]:,} characters: {share:.0%}")
    print("\nmeasure        highest of unrelated   wrongly confirmed / missed, worst group, at")
    print(" " * 37 + "".join(f"{cut:^17}" for cut in CUTS))
    for name, measure in MEASURES.items():
        low = {group: values(measure, pairs) for group, pairs in apart.items()}
        high = {group: values(measure, pairs) for group, pairs in alike.items()}
        cells = ""
        for cut in CUTS:
            wrong = max(sum(value >= cut for value in found) / len(found) for found in low.values())
            missed = max(sum(value < cut for value in found) / len(found) for found in high.values())
            cells += f"{wrong:7.1%} /{missed:6.1%}  "
        print(f"{name:15}{max(map(max, low.values())):^22.2f}{cells}")
    print(
        f"\n{sum(map(len, apart.values())):,} unrelated pairs, {sum(map(len, alike.values())):,} near-identical ones"
    )


if __name__ == "__main__":
    main()
