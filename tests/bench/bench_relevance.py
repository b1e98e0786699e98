"""Offline relevance (design §7): what is found of our own dialogues and, where it is at hand, of a public set; speed.

``MEMTUI_RECALL_SET`` names a file of the kind of remem's ``coding_memory_recall.json``: a corpus of memories, and
queries by slice with the evidence that has to be found, or with nothing to find.
"""

from __future__ import annotations

import json
import os
import random
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from memtui.memory.relevance.ranking import RelevanceIndex
from memtui.memory.types import ACTIVE, MemoryEntry
from tests.bench.bench_dedup import SEED, corpus, percentile, usual_lengths
from tests.bench.dialogues import SHAPES, Dialogue, Shape, dialogues, entries
from tests.bench.memory_texts import LANGUAGES, sentence

Row = tuple[str, str, str, bool]
GOALS = {"turns": 0.567, "facts": 0.562}
"""Recall@5 of a published dense retriever on a public set of the same kind (design §7)."""
_BY_WORDS = {"knowledge_update", "temporal", "failure_lesson", "multi_hop", "rank_signal", "abstention"}
_COUNT = 10_000
_LIMIT = 5


def recall_rows() -> Iterator[Row]:
    """Recall@5 and right silence on our own dialogues, all of them in one directory, and each alone."""
    talks = dialogues()
    for shape in SHAPES:
        goal = GOALS[shape.split()[0]]
        for label, groups in (("together", [talks]), ("each alone", [[talk] for talk in talks])):
            held, tuned, silent = _measured(groups, shape)
            kinds = ", ".join(f"{kind} {100 * mean(values):.0f}" for kind, values in sorted(held.items()))
            found = mean(value for values in held.values() for value in values)
            seen = mean(value for values in tuned.values() for value in values)
            told = (
                f"{100 * found:.1f} % ({kinds}); the half that settings were chosen by: {100 * seen:.1f} %;"
                f" unanswerable ones told as such: {100 * mean(silent):.0f} %"
            )
            yield (
                f"recall@5, our dialogues {label}, {shape}",
                f"> {100 * goal:.1f} %",
                told,
                found > goal,
            )


def _measured(
    groups: list[list[Dialogue]], shape: Shape
) -> tuple[dict[str, list[float]], dict[str, list[float]], list[bool]]:
    """Recall by kind of question, of the half held out and of the other; and whether the unanswerable were told."""
    held: dict[str, list[float]] = defaultdict(list)
    tuned: dict[str, list[float]] = defaultdict(list)
    silent: list[bool] = []
    for group in groups:
        of = {entry.slug: (talk.number, turn) for talk in group for entry, turn in entries(talk, shape)}
        index = RelevanceIndex(entry for talk in group for entry, _ in entries(talk, shape))
        there = set(of.values())
        for talk in group:
            for question in talk.questions:
                got = {of[ranked.slug] for ranked in index.rank(question.text, _LIMIT)}
                evidence = there & {(talk.number, turn) for turn in question.evidence}
                if evidence:
                    into = held if talk.held_out else tuned
                    into[question.kind].append(len(evidence & got) / len(evidence))
                elif not question.evidence and talk.held_out:
                    silent.append(not got)
    return held, tuned, silent


def public_rows() -> Iterator[Row]:
    """Recall@5 by slice of the set that ``MEMTUI_RECALL_SET`` names; nothing without it."""
    named = os.environ.get("MEMTUI_RECALL_SET")
    if not named:
        return
    data = json.loads(Path(named).read_text("utf-8"))
    texts = {f"{memory.get('topic_key') or 'memory'}~{n}": memory for n, memory in enumerate(data["corpus"])}
    index = RelevanceIndex(
        _entry(slug, memory["title"], "", memory["content"]) for slug, memory in texts.items()
    )
    found: dict[str, list[float]] = defaultdict(list)
    for query in data["queries"]:
        got = [texts[ranked.slug]["content"] for ranked in index.rank(query["query"], _LIMIT)]
        wanted = [evidence["text_contains"] for evidence in query["evidence_refs"]]
        hits = [any(text in one for one in got) for text in wanted]
        found[query["slice"]].append(mean(hits) if wanted else float(not got))
    for name, values in found.items():
        share, lexical = mean(values), name in _BY_WORDS
        goal = "100 %" if lexical else "–"
        yield (
            f"coding memories, {name} ({len(values)})",
            goal,
            f"{100 * share:.0f} %",
            share == 1.0 or not lexical,
        )


def speed_rows(*, quick: bool) -> Iterator[Row]:
    """Time and memory at 10,000 memories."""
    rng = random.Random(SEED)
    count = _COUNT // 10 if quick else _COUNT
    told = [
        _entry(slug, sentence(rng, "en")[:60], sentence(rng, "en")[:120], text)
        for slug, text in corpus(rng, count, usual_lengths(rng)).items()
    ]
    started = time.process_time()
    index = RelevanceIndex(told)
    spent = time.process_time() - started
    shown = f"{spent:.1f} s of processor, {spent / count * 1e3:.2f} ms a memory"
    yield f"relevance: index of {count:,} memories (median 2 KB), cold", "–", shown, True
    queries = [sentence(rng, rng.choice(LANGUAGES))[:60] for _ in range(60)]
    index.rank(queries[0])
    times: list[float] = []
    for query in queries:
        started = time.process_time()
        index.rank(query, _LIMIT)
        times.append(time.process_time() - started)
    p95 = percentile(times, 0.95)
    shown = f"median {percentile(times, 0.5) * 1e3:.1f}, p95 {p95 * 1e3:.1f} ms of processor"
    yield "… a question after the first", "≤ 20 ms", shown, p95 <= 0.020
    changed = [*told[1:], _entry("new", "A new one", "", sentence(rng, "en"))]
    started = time.process_time()
    index.update(changed)
    spent = time.process_time() - started
    yield (
        "… brought up to date after one change",
        "≤ 20 ms",
        f"{spent * 1e3:.1f} ms of processor",
        spent <= 0.020,
    )
    few = told[:1_000]
    tracemalloc.start()
    index = RelevanceIndex(few)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield "… memory of the index of 1,000 of them", "–", f"{held / 1e6:.1f} MB", len(index) == len(few)


def _entry(slug: str, name: str, description: str, content: str) -> MemoryEntry:
    return MemoryEntry(slug, name, description, None, 0.0, content, Path(slug), ACTIVE, 0.0)


def rows(*, quick: bool = False) -> Iterator[Row]:
    """Name, goal, measured, whether it is met."""
    yield from recall_rows()
    yield from public_rows()
    yield from speed_rows(quick=quick)
