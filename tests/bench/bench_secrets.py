"""What the secret guard takes for an ordinary text, and how that grows for a hostile one (reliability §3, design §7)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from memtui.memory.secrets.guard import find_secrets, redact
from tests.unit.benign_memories import samples
from tests.unit.secret_corpus import HOSTILE_PIECES
from tests.unit.secret_makers import drawn

Row = tuple[str, str, str, bool]


def _seconds(work: Callable[[str], object], text: str, rounds: int) -> float:
    """Processor time of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work(text)
        best = min(best, time.process_time() - start)
    return best


def _hostile(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]


def _tokens(count: int) -> str:
    chance = random.Random(12)
    tokens = [drawn(chance, "ghp_{A36}") for _ in range(count)]
    return "\n".join(f"password: {token[4:]} or {token}" for token in tokens)


def rows(*, quick: bool) -> Iterator[Row]:
    """Name, goal, measured, whether it is met."""
    bodies = [sample.body for sample in samples(400)]
    usual = max(
        _seconds(find_secrets, text, 20)
        for text in (
            "\n".join(bodies)[:10_000],
            "\n".join(body for body in bodies if not body.isascii())[:10_000],
        )
    )
    yield (
        "secrets of an ordinary text of 10,000 characters",
        "≤ 3 ms",
        f"{usual * 1e3:.1f} ms of processor",
        usual <= 0.003,
    )
    rounds = 1 if quick else 3
    slowest, ratio = 0.0, 0.0
    for piece in HOSTILE_PIECES:
        whole = _seconds(find_secrets, _hostile(piece, 1_000_000), rounds)
        quarter = _seconds(find_secrets, _hostile(piece, 250_000), rounds)
        slowest, ratio = max(slowest, whole), max(ratio, whole / quarter)
    yield (
        f"… of {len(HOSTILE_PIECES)} hostile ones of 1 MB, to 250 KB",
        "≤ 6 × (4 × the length)",
        f"{ratio:.1f} ×, the slowest {slowest:.1f} s of processor",
        ratio <= 6,
    )
    many, few = _seconds(redact, _tokens(10_000), rounds), _seconds(redact, _tokens(2_500), rounds)
    yield (
        "10,000 different secrets cut out of a text, to 2,500",
        "≤ 6 × (4 × the number)",
        f"{many / few:.1f} × ({many:.1f} s of processor)",
        many <= 6 * few,
    )
