"""The tools that a model gets over MCP: ``save_memory`` for writing, and reading ones. Knows nothing of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memtui.agent.save_tool import TOOL_NAME, ToolResult, run_save_memory, save_memory_tool
from memtui.agent.tool_schema import object_schema
from memtui.agent.tool_wording import tool_words
from memtui.memory.age import memory_freshness_text
from memtui.memory.doubles.dedup import build_manifest_preview
from memtui.memory.errors import MemtuiError, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.relevance.ranking import Ranked, RelevanceIndex
from memtui.memory.secrets.guard import redact
from memtui.memory.text import for_prompt, visible
from memtui.memory.types import Lang, MemoryEntry
from memtui.memory.wording import wording

LIST_NAME = "list_memories"
RECALL_NAME = "recall_memories"
MAX_RECALLED = 5
"""Memories that one answer reads out (spec §13)."""
MAX_BODY_CHARS = 4_000
"""Characters of a memory's text that are read out; it says where the rest is (ours)."""
MAX_LISTED = 300
"""Memories that one answer lists; older ones are counted (ours): a client cuts what is far longer."""


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """One tool as a model is told of it.

    Attributes:
        name: its name.
        description: when to use it.
        input_schema: JSON Schema of its parameters.
        reads_only: whether it changes nothing.
    """

    name: str
    description: str
    input_schema: dict[str, Any]
    reads_only: bool


class MemoryTools:
    """The tools over one directory.

    Attributes:
        manager: the memories.
    """

    def __init__(self, manager: MemoryManager, *, team: bool = False) -> None:
        """Put the tools over a directory.

        Args:
            manager: the memories.
            team: whether ``save_memory`` may write to the team's.
        """
        self.manager = manager
        self._index = RelevanceIndex()
        self._calls: dict[str, Callable[[Mapping[str, object]], ToolResult]] = {
            TOOL_NAME: lambda parameters: run_save_memory(self.manager, parameters, team=team),
            LIST_NAME: self._listed,
            RECALL_NAME: self._recalled,
        }

    def tools(self) -> tuple[MemoryTool, ...]:
        """The tools, in the language of the manager."""
        lang = self.manager.lang
        say = tool_words(lang)
        save = save_memory_tool(lang)
        query = {"query": {"type": "string", "description": say.recall_query}}
        return (
            MemoryTool(TOOL_NAME, save["description"], save["input_schema"], reads_only=False),
            MemoryTool(LIST_NAME, say.list_description, object_schema({}), reads_only=True),
            MemoryTool(RECALL_NAME, say.recall_description, object_schema(query, "query"), reads_only=True),
        )

    def call(self, name: str, parameters: Mapping[str, object]) -> ToolResult:
        """Run a tool on the memories as they are now; never raises for a call gone wrong.

        Args:
            name: the tool's name.
            parameters: what it was called with.
        """
        say = tool_words(self.manager.lang)
        run = self._calls.get(name)
        if run is None:
            return _error(say.unknown_tool.format(name=_shown(name)), UsageError("no such tool", where=name))
        try:
            self.manager.reload()
            return run(parameters)
        except MemtuiError as error:
            return _error(say.unreadable.format(reason=for_prompt(error.said(self.manager.lang))), error)

    def _listed(self, parameters: Mapping[str, object]) -> ToolResult:
        lang = self.manager.lang
        if parameters:
            return _no_parameter(next(iter(parameters)), lang)
        words, say = wording(lang), tool_words(lang)
        active = [entry for entry in self.manager.entries() if entry.is_active]
        if not active:
            return ToolResult(words.manifest_empty)
        lines = [words.manifest_heading.format(count=len(active))]
        lines.append(for_prompt(self._redacted(build_manifest_preview(active[:MAX_LISTED]))))
        if len(active) > MAX_LISTED:
            lines.append(say.more.format(count=len(active) - MAX_LISTED))
        return ToolResult("\n".join(lines))

    def _recalled(self, parameters: Mapping[str, object]) -> ToolResult:
        """The memories that a question is about, best first; only those that are in force and could be read."""
        lang = self.manager.lang
        say = tool_words(lang)
        if unknown := [name for name in parameters if name != "query"]:
            return _no_parameter(unknown[0], lang)
        query = parameters.get("query")
        if not isinstance(query, str) or not query.strip():
            return _error(say.no_query, UsageError("no query", where="query"))
        active = {
            entry.slug: entry for entry in self.manager.entries() if entry.is_active and entry.is_readable
        }
        self._index.update(active.values())
        found = self._index.rank(query, MAX_RECALLED)
        if not found:
            return ToolResult(say.nothing_relevant)
        told = [self._read_out(active[ranked.slug], ranked) for ranked in found]
        return ToolResult("\n\n".join((say.recalled.format(count=len(told)), *told)))

    def _redacted(self, text: str) -> str:
        return redact(text, allowed=self.manager.allowed_secrets)

    def _read_out(self, entry: MemoryEntry, ranked: Ranked) -> str:
        lang, now = self.manager.lang, self.manager.clock()
        say = tool_words(lang)
        words = ", ".join(dict.fromkeys(reason.term or reason.found for reason in ranked.reasons))
        text = self._redacted(entry.content).strip()
        lines = [
            self._redacted(build_manifest_preview([entry])),
            say.because.format(words=self._redacted(words)),
            memory_freshness_text(entry.modified, now, lang),
            text[:MAX_BODY_CHARS],
            say.cut.format(count=MAX_BODY_CHARS, path=entry.rel) if len(text) > MAX_BODY_CHARS else "",
        ]
        return for_prompt("\n".join(line for line in lines if line))


def _no_parameter(name: str, lang: Lang) -> ToolResult:
    text = tool_words(lang).no_parameters.format(parameter=_shown(name))
    return _error(text, UsageError("no such parameter", where=name))


def _error(text: str, error: MemtuiError) -> ToolResult:
    return ToolResult(text, is_error=True, error=error)


def _shown(name: str) -> str:
    return for_prompt(visible(name))[:200]
