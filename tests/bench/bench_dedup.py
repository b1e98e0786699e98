"""Design §7: live checks after a keystroke, and all duplicate pairs, at 10,000 memories. Run with ``-m``."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Iterator, Sequence

from memtui.memory.doubles.dedup import DuplicateIndex, compare_with_all, pairs_by_brute_force
from memtui.memory.quality import quality_findings
from tests.bench.memory_texts import EDIT_KINDS, LANGUAGES, Language, edited, memory

Row = tuple[str, str, str, bool]
COUNT = 10_000
SEED = 20_240
_SHARES = (0.6, 0.25, 0.15)  # of English, Chinese and mixed memories
_EDITED = 0.03  # of the memories are small edits of others


def corpus(rng: random.Random, count: int, lengths: Iterator[int]) -> dict[str, str]:
    """Memories by slug, some of them edits of others."""
    texts: list[tuple[str, Language]] = []
    for length in lengths:
        if len(texts) == count:
            break
        if len(texts) > 50 and rng.random() < _EDITED:
            text, language = rng.choice(texts)
            text = edited(rng, text, language, rng.choice(EDIT_KINDS))
        else:
            [language] = rng.choices(LANGUAGES, _SHARES)
            text = memory(rng, language, length)
        texts.append((text, language))
    return {f"m{number:05}": text for number, (text, _) in enumerate(texts)}


def even_lengths(rng: random.Random) -> Iterator[int]:
    """400 to 10,000 characters, evenly."""
    while True:
        yield rng.randint(400, 10_000)


def usual_lengths(rng: random.Random) -> Iterator[int]:
    """Around a median of 2,000 characters, as real memories have: few long ones."""
    while True:
        yield int(min(40_000, max(200, rng.lognormvariate(7.6, 0.7))))


def filled(texts: dict[str, str]) -> DuplicateIndex:
    """An index of the texts."""
    index = DuplicateIndex()
    for slug, text in texts.items():
        index.add(slug, text)
    return index


def keystrokes(rng: random.Random, texts: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    """Drafts as they are typed, one in five keys seen: three new ones from nothing, three memories being edited."""
    for language in LANGUAGES:
        whole = memory(rng, language, 3_000)
        for end in range(1, len(whole), 15):
            yield whole[:end], None
    for slug in rng.sample(sorted(texts), 3):
        text = texts[slug]
        at = rng.randint(0, len(text))
        typed = memory(rng, "en", 400)
        for end in range(1, len(typed), 5):
            yield text[:at] + typed[:end] + text[at:], slug


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def live_rows() -> Iterator[Row]:
    """Live checks, on memories of 400 to 10,000 characters."""
    rng = random.Random(SEED)
    texts = corpus(rng, COUNT, even_lengths(rng))
    index = filled(texts)
    index.pairs()
    spent: list[float] = []
    cpu: list[float] = []
    drafts = list(keystrokes(rng, texts))
    for draft, slug in drafts:
        started, started_cpu = time.perf_counter(), time.process_time()
        quality_findings(draft)
        index.best(draft, exclude=slug)
        spent.append(time.perf_counter() - started)
        cpu.append(time.process_time() - started_cpu)
    p95 = percentile(spent, 0.95)
    typical = f"median {percentile(spent, 0.5) * 1e3:.1f}, p95 {p95 * 1e3:.1f} ms"
    typical += f" ({percentile(cpu, 0.95) * 1e3:.1f} ms of processor)"
    yield "quality and duplicates after a keystroke, 10,000 memories", "p95 ≤ 10 ms", typical, p95 <= 0.010
    brute, fast, same = 0.0, 0.0, True
    near = [(edited(rng, texts[slug], "en", "words"), None) for slug in rng.sample(sorted(texts), 3)]
    for draft, slug in [*rng.sample(drafts, 3), *near]:
        started = time.perf_counter()
        expected = compare_with_all(draft, {s: text for s, text in texts.items() if s != slug})
        middle = time.perf_counter()
        found = index.matches(draft, exclude=slug)
        brute, fast = brute + middle - started, fast + time.perf_counter() - middle
        same &= list(found) == expected
    yield (
        "… against comparing with each memory",
        "≥ 100 × faster",
        f"{brute / fast:,.0f} ×",
        brute >= 100 * fast,
    )
    yield "… same answer, draft by draft", "same", "same" if same else "DIFFERENT", same


def pair_rows() -> Iterator[Row]:
    """All pairs, on memories of a median of 2,000 characters."""
    rng = random.Random(SEED)
    texts = corpus(rng, COUNT, usual_lengths(rng))
    started, started_cpu = time.perf_counter(), time.process_time()
    index = filled(texts)
    found = index.pairs()
    spent, cpu = time.perf_counter() - started, time.process_time() - started_cpu
    shown = f"{spent:.1f} s ({cpu:.1f} s of processor), {len(found):,} pairs"
    yield "all duplicate pairs of 10,000 (median 2 KB), cold", "≤ 8 s", shown, spent <= 8
    few = dict(list(texts.items())[:1_500])
    same = pairs_by_brute_force(few) == list(filled(few).pairs())
    yield "… same pairs as brute force, first 1,500 of them", "same", "same" if same else "DIFFERENT", same
    slugs = rng.sample(sorted(texts), 20)
    started = time.perf_counter()
    for slug in slugs:
        index.add(slug, edited(rng, texts[slug], "en", "sentence"))
        index.pairs()
    each = (time.perf_counter() - started) / len(slugs)
    yield "… brought up to date after one change", "≤ 5 ms", f"{each * 1e3:.1f} ms", each <= 0.005
    few = dict(list(texts.items())[:500])
    started = time.perf_counter()
    filled(few).pairs()
    spent = time.perf_counter() - started
    yield (
        "all duplicate pairs of 500, cold",
        "not noticeable (≤ 0.3 s)",
        f"{spent * 1e3:.0f} ms",
        spent <= 0.3,
    )
    del index, found
    tracemalloc.start()
    index = filled(texts)
    index.pairs()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    shown = f"{held / 1e6:.1f} MB, {held / COUNT:,.0f} bytes a memory"
    yield "memory of the index of 10,000", "≤ 3,000 bytes a memory", shown, held <= 3_000 * COUNT


def rows() -> list[Row]:
    """Name, goal, measured, whether it is met."""
    return [*live_rows(), *pair_rows()]


def main() -> None:
    """Print the rows."""
    for name, goal, measured, met in rows():
        print(f"{'ok ' if met else 'NO '} {name:62} {goal:26} {measured}")


if __name__ == "__main__":
    main()
