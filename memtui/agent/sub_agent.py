"""The sub-agent that reads a conversation (spec §14; seed, ``extraction.rs``): four tools, a few rounds, nothing else.

It has ``read_file``, ``grep``, ``glob``, confined to the project, and ``save_memory``, which proposes. A tool that it was
not given is refused and noted; a memory that rests on nothing a person typed is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memtui.agent.conversation import Conversation
from memtui.agent.extraction_words import extraction_words
from memtui.agent.llm import Message, Model, Question, Tool, ToolCall, Usage, assistant, tool_results, user
from memtui.agent.offering import Draft, Offered, Offering
from memtui.agent.project_tools import ProjectTools, ToolText
from memtui.agent.save_tool import TOOL_NAME, checked_parameters, save_memory_tool
from memtui.agent.tracker import ExtractionConfig
from memtui.memory.doubles.dedup import build_manifest_preview
from memtui.memory.errors import UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.secrets.guard import redact
from memtui.memory.text import for_prompt, one_line, visible
from memtui.memory.wording import wording
from memtui.memory.wording.saying import system_said

SECONDS = 120.0
"""Time for all rounds (ours)."""
MAX_TOKENS = 4_096
"""Tokens of one answer (ours)."""
MAX_CALLS = 16
"""Tool calls of one round that are run (ours)."""
MAX_LISTED = 300
"""Memories in the manifest (ours)."""


class SubAgent:
    """One run: what the sub-agent is told, what it may do, what it did.

    Attributes:
        offered: what became of each memory that it saved.
        refused: names of the tools that it was refused.
        steps: rounds so far.
        usage: tokens so far.
    """

    def __init__(
        self,
        manager: MemoryManager,
        config: ExtractionConfig,
        conversation: Conversation,
        offering: Offering,
        name: str,
    ) -> None:
        """Prepare; nothing is read or asked.

        Args:
            manager: the memories; its language is that of the prompts, its ``project_root`` what may be read.
            config: how many rounds there are.
            conversation: what is to be read.
            offering: takes what it saves.
            name: what it is called in proposals.
        """
        self._manager, self._config, self._conversation = manager, config, conversation
        self._offering, self._name = offering, name
        self._say = extraction_words(manager.lang)
        self._project = ProjectTools(manager.project_root, manager.lang, allowed=manager.allowed_secrets)
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
        listed = for_prompt(redact(build_manifest_preview(active), allowed=self._manager.allowed_secrets))
        return "\n\n".join(
            (
                say.manifest.format(manifest=listed) if listed else say.no_manifest,
                say.conversation.format(
                    conversation=self._conversation.told(say, allowed=self._manager.allowed_secrets)
                ),
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

    def question(self, messages: Sequence[Message] = ()) -> Question:
        """What is asked next.

        Args:
            messages: the conversation with the model so far; none before its first turn.
        """
        return Question(messages or [user(self.prompt)], self.system, self.tools, MAX_TOKENS)

    def go(self, model: Model, timer: Callable[[], float]) -> None:
        """Ask, run what it calls, and ask again, ``max_steps`` times at most.

        Args:
            model: whom to ask.
            timer: monotonic seconds.

        Raises:
            ModelFailed: there is no answer.
        """
        end = timer() + SECONDS
        messages: list[Message] = [user(self.prompt)]
        while self.steps < self._config.max_steps:
            answer = model.ask(self.question(messages), deadline=max(0.001, end - timer()))
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
        text = " ".join(fields[key] for key in ("name", "description", "content"))
        turn = self._conversation.rests_on(given.get("line"), text)
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
