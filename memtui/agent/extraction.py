"""Extraction: what in a conversation is worth keeping, proposed to a person (spec §14; seed, ``extraction.rs``).

With a model, a sub-agent reads the conversation. It has ``read_file``, ``grep``, ``glob`` and ``save_memory``, no other
tool, and a few rounds. Without one, rules find the plain cases. Either way only what a person typed counts as their
word, nothing is proposed twice, and the outcome stands in the audit log.

This knows no transcript: whoever calls gives the turns, and moves their cursor when `Outcome.done` says so. A process
that is killed in between does it again, and what was proposed before is not proposed again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from memtui.agent.extraction_words import extraction_words
from memtui.agent.llm import Message, Model, Tool, ToolCall, Usage, assistant, tool_results, user
from memtui.agent.llm_failed import ModelFailed
from memtui.agent.offering import Draft, Offered, Offering, shared_terms
from memtui.agent.project_tools import ProjectTools, ToolText
from memtui.agent.rules_extractor import extract
from memtui.agent.save_tool import TOOL_NAME, checked_parameters, save_memory_tool
from memtui.agent.tracker import DEFAULT_CONFIG, ExtractionConfig, SkipReason
from memtui.memory.audit import AuditRow
from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.dedup import build_manifest_preview
from memtui.memory.errors import MemtuiError, UsageError
from memtui.memory.manager import MemoryManager
from memtui.memory.proposals import Proposal
from memtui.memory.saying import system_said
from memtui.memory.secrets import redact
from memtui.memory.text import for_prompt, one_line, visible
from memtui.memory.wording import wording

AUDIT_TOOL = "extract_memory"
"""Name of an extraction in the audit log."""
SECONDS = 120.0
"""Time for all rounds of the sub-agent (ours)."""
MAX_TOKENS = 4_096
"""Tokens of one answer (ours)."""
MAX_CALLS = 16
"""Tool calls of one round that are run (ours)."""
MAX_TYPED = 4_000
"""Characters of one turn of the person that the model sees (ours)."""
MAX_ASSISTANT = 1_200
"""Characters of one turn of the assistant that the model sees (ours)."""
MAX_CONVERSATION = 120_000
"""Characters of the conversation that the model sees (ours; about 30,000 tokens). The assistant's words give way first."""
MAX_LISTED = 300
"""Memories in the manifest (ours)."""

_MAX_DETAIL = 200
_PASSING = frozenset(
    {"no key", "refused key", "address", "overloaded", "unreachable", "timeout", "cancelled"}
)
"""Kinds of failure after which another try may go better."""


class Said(Protocol):
    """One thing that was said, such as ``memtui.claude.turns.Turn``."""

    @property
    def kind(self) -> str:
        """``typed`` for a person's own word, ``assistant``; anything else is not looked at."""

    @property
    def text(self) -> str:
        """What was said."""

    @property
    def line(self) -> int:
        """Where in the transcript, counting from 1."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is to be read.

    Attributes:
        transcript: path of the file, for evidence.
        session: its id.
        turns: what was said, in order; only what was not read before.
    """

    transcript: str
    session: str
    turns: Sequence[Said]

    @property
    def typed(self) -> tuple[Said, ...]:
        """What the person said."""
        return tuple(turn for turn in self.turns if turn.kind == "typed")


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
            return one_line(redact(str(self.error)))[:_MAX_DETAIL]
        if self.why is not None:
            return self.why
        parts = [f"{len(self.new)} of {len(self.offered)} new", f"by {self.by or 'nobody'}"]
        if self.steps:
            parts.append(f"{self.steps} steps, {self.usage.input_tokens}+{self.usage.output_tokens} tokens")
        if self.refused:
            parts.append(f"refused: {', '.join(self.refused)}")
        return "; ".join(parts)[:_MAX_DETAIL]


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
        cancel: threading.Event | None = None,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare; nothing is read or asked.

        Args:
            manager: the memories; its language is that of the prompts, its ``project_root`` what may be read.
            config: the settings; ``enabled`` is the caller's business.
            model: who reads; the rules if None.
            model_name: what it is called in proposals.
            dry_run: whether nothing is written, the audit log included.
            cancel: set from another thread, it ends the wait for a model.
            timer: monotonic seconds.
        """
        self._manager = manager
        self._config = config
        self._model = model
        self._name = model_name if model is not None else "rules"
        self._dry_run = dry_run
        self._cancel = cancel
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

    def planned(self, conversation: Conversation) -> tuple[str, str, tuple[Tool, ...]]:
        """What a model would be sent first: the system prompt, the user's turn, and the tools."""
        run = _SubAgent(
            self._manager, self._config, conversation, Offering(self._manager, dry_run=True), self._name
        )
        return run.system, run.prompt, run.tools

    def _by_rules(self, conversation: Conversation, offering: Offering) -> Outcome:
        offered: list[Offered] = []
        say = extraction_words(self._manager.lang)
        before = ""
        for turn in conversation.turns:
            if turn.kind == "assistant":
                before = turn.text
            if turn.kind != "typed":
                continue
            for found in extract(redact(turn.text)):
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
                    before=_cut(redact(before), MAX_ASSISTANT),
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
        run = _SubAgent(self._manager, self._config, conversation, offering, self._name)
        error: MemtuiError | None = None
        try:
            run.go(model, self._timer, self._cancel)
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
        manager = self._manager
        if self._dry_run or manager.read_only or not manager.folder.exists():
            return
        row = AuditRow(
            manager.clock(),
            tool,
            status,
            elapsed_ms,
            None,
            "extraction",
            conversation.session or None,
            detail,
        )
        with suppress(MemtuiError):  # what was found is safe, and there is nobody to tell
            if manager.folder.stamp(OWN_FOLDER) is None:
                with manager.folder.lock():
                    pass
            manager.audit.add(row)


class _SubAgent:
    """One run of the sub-agent: what it is told, what it may do, what it did."""

    def __init__(
        self,
        manager: MemoryManager,
        config: ExtractionConfig,
        conversation: Conversation,
        offering: Offering,
        name: str,
    ) -> None:
        self._manager, self._config, self._conversation = manager, config, conversation
        self._offering, self._name = offering, name
        self._say = extraction_words(manager.lang)
        self._project = ProjectTools(manager.project_root, manager.lang)
        self.offered: list[Offered] = []
        self.refused: list[str] = []
        self.steps = 0
        self.usage = Usage()

    @property
    def system(self) -> str:
        """The system prompt."""
        return f"{self._say.system}\n\n{wording(self._manager.lang).what_not_to_save}"

    @property
    def prompt(self) -> str:
        """Manifest, conversation and task."""
        say = self._say
        active = [entry for entry in self._manager.entries() if entry.is_active][:MAX_LISTED]
        listed = for_prompt(redact(build_manifest_preview(active)))
        return "\n\n".join(
            (
                say.manifest.format(manifest=listed) if listed else say.no_manifest,
                say.conversation.format(conversation=self._told()),
                say.task.format(steps=self._config.max_steps),
            )
        )

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Exactly four."""
        save = save_memory_tool(self._manager.lang)
        schema = dict(save["input_schema"])
        line = {"type": "integer", "description": self._say.save_line}
        schema["properties"] = {**schema["properties"], "line": line}
        return (*self._project.tools(), Tool(TOOL_NAME, save["description"], schema))

    def go(self, model: Model, timer: Callable[[], float], cancel: threading.Event | None) -> None:
        """Ask, run what it calls, and ask again, ``max_steps`` times at most.

        Raises:
            ModelFailed: there is no answer.
        """
        end = timer() + SECONDS
        messages: list[Message] = [user(self.prompt)]
        while self.steps < self._config.max_steps:
            answer = model.ask(
                messages,
                system=self.system,
                tools=self.tools,
                max_tokens=MAX_TOKENS,
                deadline=max(0.001, end - timer()),
                cancel=cancel,
            )
            self.steps += 1
            self.usage += answer.usage
            if not answer.tool_calls:
                return
            whole = answer.stop_reason not in {"max_tokens", "model_context_window_exceeded"}
            results: list[tuple[ToolCall, str]] = []
            failed: list[str] = []
            for number, call in enumerate(answer.tool_calls):
                done = self._call(call, number, whole=whole)
                results.append((call, done.text))
                if done.failed:
                    failed.append(call.id)
                if done.refused:
                    self.refused.append(one_line(visible(call.name))[:60])
            messages += [assistant(answer), tool_results(results, failed=failed)]

    def _call(self, call: ToolCall, number: int, *, whole: bool) -> ToolText:
        say = self._say
        if number >= MAX_CALLS:
            return ToolText(say.too_many, failed=True)
        if not whole:
            return ToolText(say.cut_off, failed=True)
        try:
            if call.name == TOOL_NAME:
                return self._save(call.input)
            found = self._project.call(call.name, call.input)
        except UsageError as error:
            return ToolText(for_prompt(error.said(self._manager.lang)), failed=True)
        except OSError as error:
            return ToolText(
                say.unreadable.format(reason=system_said(error).said(self._manager.lang)), failed=True
            )
        if found is None:
            name = for_prompt(visible(one_line(call.name)))[:60]
            return ToolText(say.unknown_tool.format(name=name), failed=True, refused=True)
        return found

    def _save(self, given: Mapping[str, Any]) -> ToolText:
        say, words = self._say, wording(self._manager.lang)
        fields = checked_parameters({key: value for key, value in given.items() if key != "line"}, words)
        turn = self._rests_on(
            given.get("line"), " ".join(fields[key] for key in ("name", "description", "content"))
        )
        if turn is None:
            return ToolText(say.not_said, failed=True)
        draft = Draft(
            fields["name"],
            fields["description"],
            fields["memory_type"],
            fields["content"],
            self._conversation.transcript,
            turn.line,
            turn.text,
            by=self._name,
            slug=fields["slug"],
        )
        done = self._offering.offer(draft)
        self.offered.append(done)
        match done.status:
            case "secret":
                return ToolText(say.sensitive.format(rule=done.rule), failed=True)
            case "known":
                return ToolText(say.known.format(slug=for_prompt(visible(done.slug))))
            case "repeated":
                return ToolText(say.known_proposal)
            case "saved":
                return ToolText(words.saved.format(slug=for_prompt(visible(done.slug))))
            case _:
                return ToolText(say.proposed.format(slug=for_prompt(visible(done.slug))))

    def _rests_on(self, line: object, text: str) -> Said | None:
        """The person's turn that a memory rests on: the one it names, else the one with most words of it; None for none."""
        typed = self._conversation.typed
        for turn in typed:
            if turn.line == line:
                return turn
        best = max(typed, key=lambda turn: shared_terms(turn.text, text), default=None)
        return best if best is not None and shared_terms(best.text, text) else None

    def _told(self) -> str:
        """The conversation as the model sees it. Secrets go before anything is cut, so that no half of one is left."""
        turns = [turn for turn in self._conversation.turns if turn.kind in {"typed", "assistant"}]
        lines: dict[int, str] = {}
        left = MAX_CONVERSATION
        for kind, head, most in (
            ("typed", self._say.user, MAX_TYPED),
            ("assistant", self._say.assistant, MAX_ASSISTANT),
        ):
            for place in reversed(range(len(turns))):
                if turns[place].kind != kind:
                    continue
                text = f"{head.format(line=turns[place].line)}{_cut(for_prompt(redact(turns[place].text)), most)}"
                if len(text) > left:
                    break
                left -= len(text)
                lines[place] = text
        return "\n\n".join(lines[place] for place in sorted(lines))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
