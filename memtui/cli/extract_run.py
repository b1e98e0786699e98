"""One call of ``extract``: transcripts (``claude``) meet who reads them (``agent``), and what came of it is kept.

Proposals are written first, the cursor after: what is killed in between is read again, and nothing is proposed twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agent.tracker import ExtractionConfig, ExtractionTracker, SkipReason
from memtui.claude.naming import Store
from memtui.claude.reading_state import CursorStore
from memtui.claude.receipts import Scan
from memtui.claude.transcripts import Cursor, TranscriptReader, for_the_client_alone
from memtui.claude.turns import Turn, turn_of
from memtui.cli.extract_words import ExtractWords, extract_words
from memtui.cli.session import Session
from memtui.cli.shapes import Json

if TYPE_CHECKING:
    from memtui.agent.conversation import Conversation
    from memtui.agent.extraction import Extractor, Outcome
    from memtui.agent.llm import AnthropicModel, Usage
    from memtui.memory.managing.manager import MemoryManager


@dataclass(frozen=True, slots=True)
class _Read:
    """One transcript as far as it is new."""

    path: Path
    conversation: Conversation
    cursor: Cursor
    main_agent_wrote: bool


@dataclass(slots=True)
class Run:
    """What one call of the command does, and what came of it.

    Attributes:
        session: where it runs.
        config: the rules of skipping.
        model: who reads; the rules if None.
        dry_run: whether nothing is written.
        automatic: whether a hook started it, so that the rules of skipping hold.
        results: by transcript, what came of each so far.
        dropped: transcripts that can never be read, whose notes are taken out of the queue.
        requests: with a dry run and a model, what it would be sent.
    """

    session: Session
    config: ExtractionConfig
    model: AnthropicModel | None
    dry_run: bool
    automatic: bool
    results: list[tuple[Path, Outcome]] = field(default_factory=list)
    dropped: set[Path] = field(default_factory=set)
    requests: list[Json] = field(default_factory=list)

    @property
    def say(self) -> ExtractWords:
        """The command's sentences."""
        return extract_words(self.session.own_lang())

    @property
    def usage(self) -> Usage:
        """What the model cost so far."""
        from memtui.agent.llm import Usage  # noqa: PLC0415  -- slow to load

        return sum((outcome.usage for _, outcome in self.results), Usage())

    def read(self, manager: MemoryManager, path: Path) -> bool:
        """Read one transcript; whether it need not be read again.

        Raises:
            FileNotFoundError: it is gone.
            MemtuiError, OSError: it cannot be read, or the outcome cannot be kept.
        """
        world = self.session.world
        cursors = CursorStore(world.state_dir, manager.root)
        found = _new_in(path, cursors.get(path), manager, world.home)
        tracker = ExtractionTracker(world.state_dir, found.conversation.session, world.clock)
        if self.automatic:
            tracker.see_turns(len(found.conversation.typed))
            if found.main_agent_wrote:
                tracker.mark_main_agent_wrote()
            why = tracker.skip(self.config)
            if why is not None:
                self._skipped(path, why)
                if why == "main agent saved":
                    cursors.put(path, found.cursor)
                    tracker.reset()
                return True
        extractor = self._extractor(manager)
        if self.dry_run and self.model is not None:
            self._plan(extractor, found.conversation)
            return False
        outcome = extractor.run(found.conversation)
        self.results.append((path, outcome))
        if outcome.done and not self.dry_run:
            cursors.put(path, found.cursor)
            tracker.reset()
        return outcome.done

    def _skipped(self, path: Path, why: SkipReason) -> None:
        from memtui.agent.extraction import Outcome  # noqa: PLC0415  -- slow to load

        self.results.append((path, Outcome("skipped", why=why)))

    def _extractor(self, manager: MemoryManager) -> Extractor:
        from memtui.agent.extraction import Extractor  # noqa: PLC0415  -- slow to load

        return Extractor(
            manager,
            config=self.config,
            model=self.model,
            model_name=self.model.name if self.model else "",
            dry_run=self.dry_run,
        )

    def _plan(self, extractor: Extractor, conversation: Conversation) -> None:
        if self.model is None or not conversation.typed:
            return
        request = self.model.request(extractor.planned(conversation))
        self.requests.append({"url": request.url, "body": request.body, "redacted": request.redacted})


def _new_in(path: Path, since: Cursor | None, manager: MemoryManager, home: Path) -> _Read:
    from memtui.agent.conversation import Conversation  # noqa: PLC0415  -- slow to load

    reader = TranscriptReader(path, since, lambda data: not for_the_client_alone(data))
    scan = Scan(Store.of(manager.root, home))
    turns: list[Turn] = []
    session = ""
    for line in reader:
        scan.take(line)
        turn = turn_of(line)
        if turn is not None:
            session = session or turn.session
            if turn.kind in {"typed", "assistant"}:
                turns.append(turn)
    wrote = any(event.kind in {"written", "saved"} for event in scan.events)
    return _Read(path, Conversation(str(path), session or path.stem, tuple(turns)), reader.cursor, wrote)
