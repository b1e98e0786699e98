"""What waits in the sample for its person: proposals, what an agent did since her last visit, and the daily logs.

Nothing of it is made up: the proposals are what extraction finds in the sample's transcripts and a dream in its memories.
"""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from memtui.agent.conversation import Conversation
from memtui.agent.daily_log import log_rel
from memtui.agent.dream import plan_dream
from memtui.agent.extraction import Extractor
from memtui.claude.turns import turns
from memtui.memory.age import SECONDS_PER_DAY
from memtui.memory.conventions import HISTORY_FOLDER
from memtui.memory.document.frontmatter import edit, read
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox
from memtui.memory.review.visits import Seen, Visits

_LISTENED_DAYS, _DREAMT_DAYS = 0.2, 0.1
_STEP_MS = 17
"""What a call took, for the log of calls."""


def propose(memory: Path, project: Path, now: float) -> None:
    """Put into the inbox what extraction and a dream find.

    Args:
        memory: the sample's memory directory; its transcripts stand beside it.
        project: what its memories are about.
        now: Unix seconds.
    """
    listened, dreamt = (now - days * SECONDS_PER_DAY for days in (_LISTENED_DAYS, _DREAMT_DAYS))
    manager = MemoryManager.open(memory, clock=lambda: listened, project_root=project)
    steps = count()
    extractor = Extractor(manager, timer=lambda: next(steps) * _STEP_MS / 1000)
    for path in sorted(memory.parent.glob("*.jsonl")):
        talk = Conversation(str(path), path.stem, tuple(turns(path)))
        if Extractor(manager, dry_run=True).run(talk).proposals:
            extractor.run(talk)
    manager = MemoryManager.open(memory, clock=lambda: dreamt, project_root=project)
    inbox = Inbox(manager)
    for proposal in plan_dream(manager, zone=UTC, monotonic=lambda: 0.0).proposals:
        inbox.add(proposal)


def log_days(text: str, memory: Path, now: float) -> None:
    """Write the daily logs.

    Args:
        text: the sample's ``logs.toml``.
        memory: its memory directory.
        now: Unix seconds.
    """
    for day in tomllib.loads(text)["day"]:
        date = datetime.fromtimestamp(now - day["days"] * SECONDS_PER_DAY, UTC).date()
        path = memory / log_rel(date)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(day["text"], encoding="utf-8")


def visit(memory: Path, state: Path, at: float) -> None:
    """Keep in a state folder that the person saw the memories at a moment: what is younger stands as others' since then.

    Args:
        memory: the sample's memory directory.
        state: the folder.
        at: Unix seconds.
    """
    manager = MemoryManager.open(memory, clock=lambda: at)
    seen: dict[str, Seen] = {}
    for entry in manager.entries():
        if not entry.is_active or not isinstance(entry.data, bytes):
            continue
        data = entry.data if entry.mtime <= at else _before(memory, entry.slug)
        if data is not None:
            seen[entry.rel] = Seen.of(data, at)
    Visits(state, memory).save(seen)


def _before(memory: Path, slug: str) -> bytes | None:
    """A memory as it was before its last change; None where it is new."""
    kept = sorted((memory / HISTORY_FOLDER).glob(f"{slug}_v*.md"))
    if not kept:
        return None
    data = kept[-1].read_bytes()
    return edit(data, status=None, superseded_by=None) if read(data).status_text is not None else data
