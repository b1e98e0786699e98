"""The field's libraries beside ours, on the same texts in the same run: those that are installed.

``pip install python-frontmatter rapidfuzz datasketch rank-bm25 bm25s detect-secrets`` installs them all. They answer
neighbouring questions rather than the same one, and each row says which; none is a dependency of memtui but the first,
which its tests use as well.
"""

from __future__ import annotations

import importlib
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from memtui.memory.document.frontmatter import parse_frontmatter
from memtui.memory.doubles.dedup import pairs_by_brute_force
from memtui.memory.relevance.ranking import RelevanceIndex
from memtui.memory.secrets.guard import find_secrets
from tests.bench.bench_dedup import SEED, corpus, filled, usual_lengths
from tests.bench.dialogues import SHAPES, dialogues, entries
from tests.unit.benign_memories import samples

Row = tuple[str, str, str, bool]
_LIMIT = 5
_WORD = re.compile(r"\w+")


def rows(*, quick: bool) -> Iterator[Row]:
    """A row for each peer, ours first."""
    texts = corpus(random.Random(SEED), 1_000 if quick else 10_000, usual_lengths(random.Random(SEED)))
    yield from _headers(list(texts.values())[:1_000])
    yield from _duplicates(texts)
    yield from _relevance()
    yield from _questions(texts)
    yield from _secrets()


def _peer(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def _named(distribution: str, module: str) -> tuple[str, Any]:
    found = _peer(module)
    return (f"{distribution} {version(distribution)}" if found else f"{distribution}", found)


def _row(what: str, shown: str) -> Row:
    return what, "–", shown, True


def _absent(name: str) -> Row:
    return _row(f"… {name}", "not installed")


def _spent(work: Callable[[], object], rounds: int = 3) -> float:
    """Seconds of processor of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def _headers(bodies: Sequence[str]) -> Iterator[Row]:
    raws = [
        f"---\nname: Memory {n}\ndescription: What it is about, {n}\nmetadata:\n  type: project\n---\n\n{body}\n"
        for n, body in enumerate(bodies)
    ]
    ours = _spent(lambda: [parse_frontmatter(raw) for raw in raws]) / len(raws)
    yield _row("peers: reading a file's header, ours", f"{ours * 1e6:.0f} µs of processor")
    name, peer = _named("python-frontmatter", "frontmatter")
    if peer is None:
        yield _absent(name)
        return
    theirs = _spent(lambda: [peer.loads(raw) for raw in raws]) / len(raws)
    yield _row(f"… {name} (all of YAML)", f"{theirs * 1e6:.0f} µs, {theirs / ours:.0f} × ours")


def _duplicates(texts: dict[str, str]) -> Iterator[Row]:
    few = dict(list(texts.items())[:500])
    exact = {(pair.first, pair.second) for pair in pairs_by_brute_force(few)}
    ours = _spent(lambda: filled(few).pairs(), 2)
    yield _row("peers: all duplicate pairs of 500, ours", f"{ours * 1e3:.0f} ms of processor, exact")
    name, fuzz = _named("rapidfuzz", "rapidfuzz.fuzz")
    if fuzz is None:
        yield _absent(name)
    else:
        spent = _spent(lambda: [fuzz.token_set_ratio(a, b) for a, b in combinations(few.values(), 2)], 1)
        shown = f"{spent * 1e3:,.0f} ms, {spent / ours:.0f} × ours"
        yield _row(f"… {name}, token_set_ratio of each two (another measure)", shown)
    name, peer = _named("datasketch", "datasketch")
    if peer is None:
        yield _absent(name)
        return
    found: set[tuple[str, str]] = set()

    def sketched() -> None:
        found.clear()
        index = peer.MinHashLSH(threshold=0.6, num_perm=128)
        for slug, text in few.items():
            sketch = peer.MinHash(num_perm=128)
            sketch.update_batch([word.encode() for word in set(_WORD.findall(text.lower()))])
            found.update((other, slug) for other in index.query(sketch))
            index.insert(slug, sketch)

    spent = _spent(sketched, 2)
    shown = f"{spent * 1e3:,.0f} ms, {spent / ours:.1f} × ours; {len(exact & found)} of {len(exact)} pairs"
    yield _row(f"… {name}, MinHashLSH of words at 0.6", shown)


def _relevance() -> Iterator[Row]:
    """Recall@5 on the half of our dialogues that no setting was chosen by, all in one heap, named by who speaks."""
    talks = dialogues()
    for shape in (SHAPES[1], SHAPES[3]):
        heap = [(entry, (talk.number, turn)) for talk in talks for entry, turn in entries(talk, shape)]
        of = {entry.slug: mark for entry, mark in heap}
        there = set(of.values())
        asked = [
            (question.text, {(talk.number, turn) for turn in question.evidence} & there)
            for talk in talks
            if talk.held_out
            for question in talk.questions
            if question.evidence
        ]
        index = RelevanceIndex(entry for entry, _ in heap)
        marks = [mark for _, mark in heap]
        words = [_WORD.findall(f"{e.name} {e.description} {e.content}".lower()) for e, _ in heap]

        def share(
            rank: Callable[[str], list[tuple[int, int]]],
            asked: list[tuple[str, set[tuple[int, int]]]] = asked,
        ) -> str:
            return (
                f"{100 * mean(len(want & set(rank(text))) / len(want) for text, want in asked if want):.1f} %"
            )

        def by_ours(
            text: str, index: RelevanceIndex = index, of: dict[str, tuple[int, int]] = of
        ) -> list[tuple[int, int]]:
            return [of[ranked.slug] for ranked in index.rank(text, _LIMIT)]

        yield _row(f"peers: recall@5, our dialogues, {shape}, ours", share(by_ours))
        for name, rank in _rankers(words, marks):
            yield _row(f"… {name}", share(rank) if rank is not None else "not installed")


def _rankers(
    words: list[list[str]], marks: list[tuple[int, int]]
) -> Iterator[tuple[str, Callable[[str], list[tuple[int, int]]] | None]]:
    name, peer = _named("rank-bm25", "rank_bm25")
    if peer is None:
        yield name, None
    else:
        plain = peer.BM25Okapi(words)
        yield (
            f"{name}, words in lower case",
            lambda text: plain.get_top_n(_WORD.findall(text.lower()), marks, _LIMIT),
        )
    name, peer = _named("bm25s", "bm25s")
    if peer is None:
        yield name, None
    else:
        sparse = peer.BM25()
        told = [" ".join(some) for some in words]
        sparse.index(peer.tokenize(told, stopwords="en", show_progress=False), show_progress=False)

        def by_sparse(text: str) -> list[tuple[int, int]]:
            tokens = peer.tokenize([text], stopwords="en", show_progress=False)
            numbers, _ = sparse.retrieve(tokens, k=_LIMIT, show_progress=False)
            return [marks[int(number)] for number in numbers[0]]

        yield f"{name}, its tokens and English stop words", by_sparse


def _questions(texts: dict[str, str]) -> Iterator[Row]:
    """A question after the first, over as many memories."""
    words = [_WORD.findall(text.lower()) for text in texts.values()]
    marks = [(0, n) for n in range(len(words))]
    asked = [" ".join(some[3:9]) for some in random.Random(SEED).sample(words, 20)]
    for name, rank in _rankers(words, marks):
        if rank is None:
            continue
        rank(asked[0])
        spent = _spent(lambda rank=rank: [rank(text) for text in asked]) / len(asked)  # type: ignore[misc]
        yield _row(
            f"peers: a question over {len(texts):,} memories, {name}", f"{spent * 1e3:.1f} ms of processor"
        )


def _secrets() -> Iterator[Row]:
    """Ordinary memories of ours, none with a secret: how many are flagged, and what a look costs."""
    made = samples(400)
    ours = _spent(lambda: [find_secrets(sample.body) for sample in made]) / len(made)
    flagged = sum(bool(find_secrets(sample.body)) for sample in made)
    yield _row(
        "peers: secrets in 400 ordinary memories, ours",
        f"{flagged} flagged, {ours * 1e6:.0f} µs of processor each",
    )
    name, peer = _named("detect-secrets", "detect_secrets")
    if peer is None:
        yield _absent(name)
        return
    settings = importlib.import_module("detect_secrets.settings")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{n}.md" for n in range(len(made))]
        for file, sample in zip(files, made, strict=True):
            file.write_text(sample.body, "utf-8")

        def scanned() -> int:
            found = peer.SecretsCollection()
            with settings.default_settings():
                for file in files:
                    found.scan_file(str(file))
            return len(found.files)

        theirs = _spent(scanned, 1) / len(made)
        yield _row(f"… {name}, its usual settings", f"{scanned()} flagged, {theirs * 1e6:,.0f} µs")
