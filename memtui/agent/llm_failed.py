"""What can go wrong with a model, in kinds that a caller can tell apart and sentences that a person can act on."""

from __future__ import annotations

from typing import Literal

from memtui.memory.errors import MemtuiError

Kind = Literal[
    "no key",
    "refused key",
    "address",
    "bad request",
    "overloaded",
    "unreachable",
    "timeout",
    "garbage",
    "refusal",
    "cancelled",
]


class ModelFailed(MemtuiError):
    """A model gave no answer that can be used. Nothing was changed by it.

    Attributes:
        kind: which of the ways to fail:
            ``no key`` none is set; ``refused key`` the service does not take it; ``address`` the address may not be
            used, or it sends elsewhere; ``bad request`` the service does not take what was asked, such as an unknown
            model; ``overloaded`` it is busy, broken, or limits how often; ``unreachable`` no connection; ``timeout``
            the time given was over; ``garbage`` what came back is no answer; ``refusal`` the model declined;
            ``cancelled`` somebody called it off.
    """

    exit_code = 4

    def __init__(self, kind: Kind, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what, where=where, todo=todo)
        self.kind = kind
