"""Design §7: everything that is checked after a keystroke in the editor, at 10,000 memories. Run with ``-m``."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

from memtui.memory.conventions import LIBRARY
from memtui.memory.document.draft import Draft, draft_of
from memtui.memory.doubles.dedup import DuplicateIndex, compare_with_all
from memtui.memory.index.editing import entry_line
from memtui.memory.index.rotation import rotate
from memtui.memory.live.checker import MAX_DUPLICATES, LiveChecker
from memtui.memory.live.report import Surroundings
from memtui.memory.types import ACTIVE, MemoryEntry, MemoryType
from tests.bench.bench_dedup import COUNT, SEED, corpus, even_lengths, keystrokes, percentile
from tests.bench.memory_texts import LANGUAGES, memory

Row = tuple[str, str, str, bool]
_NOW = 1_800_000_000.0
_SENTENCE = re.compile(r"[^\n.。!?！？]{12,}[.。!?！？]")
_NAME = "How integration tests are run against a real database"


def _entries(texts: dict[str, str]) -> tuple[MemoryEntry, ...]:
    made = []
    for number, (slug, text) in enumerate(texts.items()):
        when = _NOW - 60 * number
        about = f"what was learned about {slug} and when it matters"
        kind = MemoryType.PROJECT
        path = Path(f"/m/{slug}.md")
        entry = MemoryEntry(slug, f"Memory {slug}", about, kind, when, text, path, ACTIVE, when, "project")
        made.append(entry._replace(data=text.encode()))  # as one that was read from a file
    return tuple(made)


def _sentences(rng: random.Random, texts: dict[str, str]) -> Iterator[str]:
    """Drafts of one to three sentences at each key: typed, put right at the start and in the middle, deleted."""
    for language in LANGUAGES:
        own, taken = memory(rng, language, 2_000), texts[rng.choice(sorted(texts))]
        for text in (own, taken):
            said = [each.strip() for each in _SENTENCE.findall(text)]
            said = [each for each in said if 20 <= len(each) <= 200][:12]
            for draft in (*said[:4], " ".join(said[4:6]), " ".join(said[6:9])):
                middle = len(draft) // 2
                yield from (draft[:end] for end in range(1, len(draft) + 1))
                yield from (said[-1][:end] + draft for end in range(1, 8))
                yield from (f"{draft[:middle]}{said[-1][:end]}{draft[middle:]}" for end in range(1, 8))
                yield from (draft[:end] for end in range(len(draft), 0, -1))


def _full_index(entries: tuple[MemoryEntry, ...]) -> str:
    lines = [entry_line(e.rel, e.name, e.description, "project", LIBRARY) for e in entries[:400]]
    return rotate("".join(f"{line}\n" for line in lines), {e.rel: e.modified for e in entries}).text


def _spread(values: list[float], cpu: list[float]) -> str:
    shown = [
        f"{value * 1e3:.1f}" for value in (percentile(values, 0.5), percentile(values, 0.95), max(values))
    ]
    busy = percentile(cpu, 0.95) * 1e3
    return f"median {shown[0]}, p95 {shown[1]}, most {shown[2]} ms ({busy:.1f} ms of processor)"


def rows() -> Iterator[Row]:
    """Name, goal, measured, whether it is met."""
    rng = random.Random(SEED)
    texts = corpus(rng, COUNT, even_lengths(rng))
    entries = _entries(texts)
    index = DuplicateIndex()
    for entry in entries:
        index.add(entry.slug, entry)
    around = Surroundings(entries, _full_index(entries), LIBRARY)
    project = Path(__file__).parent.parent.parent / "memtui"
    spent: list[float] = []
    cpu: list[float] = []
    same, compared = True, 0
    edited = entries[5]
    for editing in (None, edited):
        live = LiveChecker(
            lambda text, slug: index.matches(text, MAX_DUPLICATES, exclude=slug),
            editing=editing, clock=lambda: _NOW, lang="en", taken=5, project_root=project,
        )  # fmt: skip
        live.check(
            draft_of(edited), around
        )  # the first one reads the project, in the app before anybody types
        for draft, _ in keystrokes(rng, texts):
            fields = Draft(edited.slug, edited.name, edited.description, "project", draft)
            started, busy = time.perf_counter(), time.process_time()
            report = live.check(fields, around, name_it=editing is None)
            spent.append(time.perf_counter() - started)
            cpu.append(time.process_time() - busy)
            if len(spent) % 1_500 == 0:
                others = {
                    slug: text for slug, text in texts.items() if editing is None or slug != editing.slug
                }
                same &= list(report.duplicates) == compare_with_all(draft, others)[:MAX_DUPLICATES]
                compared += 1
    p95 = percentile(spent, 0.95)
    yield (
        "every live check after a key in the text, 10,000 memories",
        "p95 ≤ 10 ms",
        _spread(spent, cpu),
        p95 <= 0.010,
    )
    yield (
        "… duplicates as by brute force",
        "same",
        f"{'same' if same else 'DIFFERENT'} ({compared} drafts)",
        same,
    )
    spent.clear()
    cpu.clear()
    for text in _sentences(rng, texts):
        fields = Draft(edited.slug, edited.name, edited.description, "project", text)
        started, busy = time.perf_counter(), time.process_time()
        live.check(fields, around)
        spent.append(time.perf_counter() - started)
        cpu.append(time.process_time() - busy)
    p95 = percentile(spent, 0.95)
    yield (
        "… after a key in a draft of one to three sentences",
        "p95 ≤ 10 ms",
        _spread(spent, cpu),
        p95 <= 0.010,
    )
    spent.clear()
    cpu.clear()
    for _ in range(4):
        for end in range(1, len(_NAME)):
            fields = Draft(edited.slug, _NAME[:end], edited.description, "project", edited.content)
            started, busy = time.perf_counter(), time.process_time()
            live.check(fields, around)
            spent.append(time.perf_counter() - started)
            cpu.append(time.process_time() - busy)
    p95 = percentile(spent, 0.95)
    yield (
        "… after a key in the title, whose line the full index holds",
        "p95 ≤ 10 ms",
        _spread(spent, cpu),
        p95 <= 0.010,
    )


def main() -> None:
    """Print the rows."""
    for name, goal, measured, met in rows():
        print(f"{'ok ' if met else 'NO '} {name:62} {goal:26} {measured}")


if __name__ == "__main__":
    main()
