"""What one transcript can prove about a memory directory, as values (spec §16); `receipts` finds them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

EventKind = Literal["read", "recalled", "cited", "written", "saved"]
"""``saved``: the client says that it saved in the background, which leaves no call in the transcript."""


class LoadState(StrEnum):
    """What a session got of the index."""

    WHOLE = "whole"
    CUT = "cut"
    NONE = "none"
    """The client wrote down what it loaded, and the index was not among it."""
    UNKNOWN = "unknown"
    """The transcript does not tell: an older client."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """One load of the index.

    Attributes:
        at: Unix seconds, None where the line does not say.
        cut: whether only a part of it was loaded.
        rels: the files that the loaded text names, below the memory directory.
        line: of the transcript, counts from 1.
        key: the client's name for it, the same in every copy of the line.
    """

    at: float | None
    cut: bool
    rels: tuple[str, ...]
    line: int
    key: str


@dataclass(frozen=True, slots=True)
class Event:
    """One use of a memory.

    Attributes:
        kind: what was done.
        rel: the file below the memory directory; of a citation, the name that was cited.
        at: Unix seconds, None where the line does not say.
        line: of the transcript, counts from 1.
        key: the client's name for it, the same in every copy of the line.
    """

    kind: EventKind
    rel: str
    at: float | None
    line: int
    key: str


@dataclass(frozen=True, slots=True)
class Claim:
    """An assistant said that it saved a memory, and its turn wrote none.

    Attributes:
        at: Unix seconds, None where the line does not say.
        line: of the transcript, counts from 1; what was said stands there.
        agent: the subagent that said it; empty for the main one.
    """

    at: float | None
    line: int
    agent: str = ""
