"""Everything an editor shows again after a keystroke (spec: edit form; design §7), with 10,000 memories around it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from memtui.memory.checks.claims import ProjectIndex, extract_claims, verify_claims
from memtui.memory.checks.findings import RULES
from memtui.memory.conventions import LIBRARY
from memtui.memory.doubles.dedup import DuplicateIndex
from memtui.memory.index.editing import entry_line, with_entry
from memtui.memory.index.entrypoint import report
from memtui.memory.quality import quality_findings
from memtui.memory.reminder import reminder_block
from memtui.memory.types import ACTIVE, MemoryEntry, MemoryType
from tests.bench.bench_dedup import COUNT, SEED, corpus, even_lengths, keystrokes, percentile

Row = tuple[str, str, str, bool]
_NOW = 1_800_000_000.0
_PROJECT = Path(__file__).parents[2]
"""What claims are looked up in: this project."""


def _checks(duplicates: DuplicateIndex) -> dict[str, Callable[[MemoryEntry, str | None], object]]:
    """What is worked out again after a key, by what to call it: from the draft, and whose edit it is."""
    project = ProjectIndex(_PROJECT, clock=time.monotonic)
    lines = (
        entry_line(f"m{n:05}.md", f"Memory {n}", "what was learned", "user", LIBRARY) for n in range(190)
    )
    index = "".join(f"{line}\n" for line in lines)
    return {
        "quality": lambda draft, _: quality_findings(draft.content),
        "duplicates": lambda draft, slug: duplicates.best(draft.content, exclude=slug),
        "claims": lambda draft, _: verify_claims(extract_claims(draft.content), project),
        "rules": lambda draft, _: [list(rule.memory(draft)) for rule in RULES.values() if rule.memory],
        "index": lambda draft, _: report(
            with_entry(index, draft.rel, draft.name, draft.description, "user", LIBRARY), LIBRARY
        ),
        "reminder": lambda draft, _: reminder_block(draft, now=_NOW, lang="en"),
    }


def rows(*, quick: bool = False) -> Iterator[Row]:
    """All live checks together."""
    rng = random.Random(SEED)
    texts = corpus(rng, COUNT // 10 if quick else COUNT, even_lengths(rng))
    duplicates = DuplicateIndex()
    for slug, text in texts.items():
        duplicates.add(slug, text)
    duplicates.pairs()
    kind, path = MemoryType.USER, Path("draft.md")
    blank = MemoryEntry("draft", "A draft", "being typed", kind, _NOW, "", path, ACTIVE, _NOW)
    checks = _checks(duplicates)
    spent: dict[str, list[float]] = {name: [] for name in checks}
    for typed, edited in keystrokes(rng, texts):
        draft = blank._replace(data=typed)
        for name, check in checks.items():
            start = time.perf_counter()
            check(draft, edited)
            spent[name].append(time.perf_counter() - start)
    total = [sum(each) for each in zip(*spent.values(), strict=True)]
    late = percentile(total, 0.95)
    parts = ", ".join(f"{name} {percentile(values, 0.95) * 1e3:.1f}" for name, values in spent.items())
    shown = f"median {percentile(total, 0.5) * 1e3:.1f}, p95 {late * 1e3:.1f} ms (p95 of {parts})"
    yield f"all live checks after a keystroke, {len(texts):,} memories", "p95 ≤ 10 ms", shown, late <= 0.01
