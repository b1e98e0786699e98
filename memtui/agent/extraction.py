"""Extraction: what in a conversation is worth keeping, proposed to a person (spec §14; seed, ``extraction.rs``).

With a model, a sub-agent reads the conversation. It has ``read_file``, ``grep``, ``glob`` and ``save_memory``, no other
tool, and a few rounds. Without one, rules find the plain cases. Either way only what a person typed counts as their
word, nothing is proposed twice, and the outcome stands in the audit log.

This knows no transcript: whoever calls gives the turns, and moves their cursor when `Outcome.done` says so. A process
that is killed in between does it again, and what was proposed before is not proposed again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from memtui.agent.conversation import MAX_ASSISTANT, Conversation, cut
from memtui.agent.extraction_words import extraction_words
from memtui.agent.llm import Model, Question, Usage
from memtui.agent.llm_failed import ModelFailed
from memtui.agent.offering import Draft, Offered, Offering
from memtui.agent.outcome_log import MAX_DETAIL, failure_detail, note_outcome
from memtui.agent.rules_extractor import extract
from memtui.agent.sub_agent import SubAgent
from memtui.agent.tracker import DEFAULT_CONFIG, ExtractionConfig, SkipReason
from memtui.memory.errors import MemtuiError, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Proposal
from memtui.memory.secrets.guard import redact

AUDIT_TOOL = "extract_memory"
"""Name of an extraction in the audit log."""

_PASSING = frozenset(
    {"no key", "refused key", "address", "overloaded", "unreachable", "timeout", "cancelled"}
)
"""Kinds of failure after which another try may go better."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an extraction did.

    Attributes:
        status: ``extracted``; ``nothing``: there was nothing to find; ``skipped``; ``failed``.
        by: name of the model, or ``rules``; empty where nobody looked.
        offered: what became of each thing found.
        steps: rounds of the sub-agent.
        refused: tool calls that it was refused, by name.
        usage: tokens.
        why: the rule by which it was skipped.
        error: what went wrong.
    """

    status: Literal["extracted", "nothing", "skipped", "failed"]
    by: str = ""
    offered: tuple[Offered, ...] = ()
    steps: int = 0
    refused: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    why: SkipReason | None = None
    error: MemtuiError | None = None

    @property
    def new(self) -> tuple[Offered, ...]:
        """What was proposed or saved."""
        return tuple(each for each in self.offered if each.status in {"proposed", "saved"})

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """What was proposed or saved, as proposals."""
        return tuple(each.proposal for each in self.new if each.proposal is not None)

    @property
    def done(self) -> bool:
        """Whether what was read need not be read again; not where it was skipped, or where another try may go better."""
        if self.status == "failed":
            return isinstance(self.error, ModelFailed) and self.error.kind not in _PASSING
        return self.status != "skipped"

    @property
    def summary(self) -> str:
        """One line for the audit log: figures and names of tools, never a text of somebody."""
        if self.error is not None:
            return failure_detail(self.error)
        if self.why is not None:
            return self.why
        parts = [f"{len(self.new)} of {len(self.offered)} new", f"by {self.by or 'nobody'}"]
        if self.steps:
            parts.append(f"{self.steps} steps, {self.usage.input_tokens}+{self.usage.output_tokens} tokens")
        if self.refused:
            parts.append(f"refused: {', '.join(self.refused)}")
        return "; ".join(parts)[:MAX_DETAIL]


class Extractor:
    """Reads conversations for one directory."""

    def __init__(
        self,
        manager: MemoryManager,
        *,
        config: ExtractionConfig = DEFAULT_CONFIG,
        model: Model | None = None,
        model_name: str = "model",
        dry_run: bool = False,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare; nothing is read or asked.

        Args:
            manager: the memories; its language is that of the prompts, its ``project_root`` what may be read.
            config: the settings; ``enabled`` is the caller's business.
            model: who reads; the rules if None.
            model_name: what it is called in proposals.
            dry_run: whether nothing is written, the audit log included.
            timer: monotonic seconds.
        """
        self._manager = manager
        self._config = config
        self._model = model
        self._name = model_name if model is not None else "rules"
        self._dry_run = dry_run
        self._timer = timer

    def run(self, conversation: Conversation) -> Outcome:
        """Read a conversation; never raises for a model, a disk or a directory that will not: the outcome says it."""
        started = self._timer()
        offering = Offering(
            self._manager, review=self._config.review, dry_run=self._dry_run, session=conversation.session
        )
        if not conversation.typed:
            outcome = Outcome("nothing")
        elif self._model is None:
            outcome = self._by_rules(conversation, offering)
        else:
            outcome = self._by_model(self._model, conversation, offering)
        self._audit(conversation, outcome, started)
        return outcome

    def planned(self, conversation: Conversation) -> Question:
        """What a model would be asked first."""
        offering = Offering(self._manager, dry_run=True)
        return SubAgent(self._manager, self._config, conversation, offering, self._name).question()

    def _by_rules(self, conversation: Conversation, offering: Offering) -> Outcome:
        offered: list[Offered] = []
        say = extraction_words(self._manager.lang)
        before = ""
        for turn in conversation.turns:
            if turn.kind == "assistant":
                before = turn.text
            if turn.kind != "typed":
                continue
            for found in extract(redact(turn.text, allowed=self._manager.allowed_secrets)):
                draft = Draft(
                    found.name,
                    found.description,
                    str(found.memory_type),
                    found.content,
                    conversation.transcript,
                    turn.line,
                    found.quote,
                    by=f"rules: {found.rule}",
                    reason=say.by_rule.format(rule=found.rule, confidence=f"{found.confidence:.2f}"),
                    before=cut(redact(before, allowed=self._manager.allowed_secrets), MAX_ASSISTANT),
                )
                try:
                    offered.append(offering.offer(draft))
                except UsageError:
                    continue  # no memory can be made of it
                except MemtuiError as error:
                    return Outcome("failed", self._name, tuple(offered), error=error)
            before = ""
        return Outcome("extracted" if offered else "nothing", self._name, tuple(offered))

    def _by_model(self, model: Model, conversation: Conversation, offering: Offering) -> Outcome:
        run = SubAgent(self._manager, self._config, conversation, offering, self._name)
        error: MemtuiError | None = None
        try:
            run.go(model, self._timer)
        except MemtuiError as failure:
            error = failure
        for name in run.refused:
            self._row(conversation, name, "refused", 0.0, "not allowed for extraction")
        status: Literal["failed", "extracted", "nothing"] = (
            "failed" if error else "extracted" if run.offered else "nothing"
        )
        return Outcome(
            status, self._name, tuple(run.offered), run.steps, tuple(run.refused), run.usage, error=error
        )

    def _audit(self, conversation: Conversation, outcome: Outcome, started: float) -> None:
        status = "error" if outcome.status == "failed" else outcome.status
        self._row(conversation, AUDIT_TOOL, status, (self._timer() - started) * 1000, outcome.summary)

    def _row(
        self, conversation: Conversation, tool: str, status: str, elapsed_ms: float, detail: str
    ) -> None:
        if not self._dry_run:
            note_outcome(
                self._manager,
                tool,
                status,
                actor="extraction",
                elapsed_ms=elapsed_ms,
                session=conversation.session or None,
                detail=detail,
            )
