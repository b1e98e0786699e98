"""Judging two texts once, without keeping them: a large directory has thousands of pairs, looked at after each change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

_MOST_PAIRS = 1 << 14  # answers that are kept before it starts again: some 4 MB of digests

Rest = ParamSpec("Rest")
Judge = Callable[Concatenate[str, str, Rest], bool]


def judged_once(judge: Judge[Rest]) -> Judge[Rest]:
    """Keep what is said of two texts, and of what else is passed, which must be hashable; the texts by their digests."""
    answers: dict[object, bool] = {}

    @wraps(judge)
    def judged(one: str, other: str, /, *rest: Rest.args, **named: Rest.kwargs) -> bool:
        key = (_digest(one), _digest(other), rest, tuple(named.items()))
        answer = answers.get(key)
        if answer is None:
            if len(answers) >= _MOST_PAIRS:
                answers.clear()
            answer = answers[key] = judge(one, other, *rest, **named)
        return answer

    return judged


def _digest(text: str) -> bytes:
    from hashlib import blake2b  # noqa: PLC0415 – OpenSSL takes long to load, and few directories have alike memories

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
