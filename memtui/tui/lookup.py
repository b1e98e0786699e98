"""Looks up in the project what memories name, for the marks in the detail; runs in a thread."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.types import Clock

if TYPE_CHECKING:
    from memtui.memory.checks.claims import ProjectIndex

_FRESH_SECONDS = 60.0
"""How long one look at the project's files serves."""


class ClaimLookup:
    """Says of what a text names whether it is there. One thread at a time."""

    def __init__(self, project_root: Path, memory_dir: Path, *, monotonic: Clock = time.monotonic) -> None:
        self._root = project_root
        self._skip = memory_dir  # what one memory names is not there because another one names it
        self._monotonic = monotonic
        self._index: ProjectIndex | None = None
        self._looked = 0.0

    def __call__(self, content: str) -> Mapping[str, bool]:
        """What is known of the claims of a text, by the words they are made with."""
        from memtui.memory.checks.claims import ProjectIndex, extract_claims, verify_claims  # noqa: PLC0415 – behind the first paint

        claims = extract_claims(content)
        if not claims:
            return {}
        now = self._monotonic()
        if self._index is None or now - self._looked > _FRESH_SECONDS:
            self._index, self._looked = (
                ProjectIndex(self._root, clock=self._monotonic, skip=[self._skip]),
                now,
            )
        verdicts = verify_claims(claims, self._index)
        return {verdict.claim.text: verdict.found for verdict in verdicts if verdict.found is not None}
