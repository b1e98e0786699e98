"""``save_memory``: the one tool a model gets for writing memories (spec §12, seed ``tools/memory.rs``)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from memtui.agent.tool_schema import object_schema
from memtui.memory.audit import AuditRow
from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.document.scopes import bare, scope_of
from memtui.memory.doubles.dedup import build_manifest_preview
from memtui.memory.errors import Busy, Conflict, MemtuiError, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.results import SaveResult
from memtui.memory.quality import CodePattern, QualityCheck, TooShort, TransientState, VagueLanguage
from memtui.memory.secrets.team_guard import SecretBlocked
from memtui.memory.text import for_prompt, visible
from memtui.memory.types import Lang, MemoryType
from memtui.memory.wording import Wording, wording
from memtui.memory.wording.saying import joined, plain, said

TOOL_NAME = "save_memory"
PARAMETERS = ("slug", "name", "description", "memory_type", "content")


def save_memory_tool(lang: Lang = "en") -> dict[str, Any]:
    """The tool's definition in the Messages API's format."""
    words = wording(lang)
    text = {"type": "string"}
    properties: dict[str, dict[str, object]] = {
        "slug": {**text, "description": words.save_slug},
        "name": {**text, "description": words.save_name},
        "description": {**text, "description": words.save_memory_description},
        "memory_type": {**text, "enum": [str(kind) for kind in MemoryType], "description": words.save_type},
        "content": {**text, "description": words.save_content},
    }
    return {
        "name": TOOL_NAME,
        "description": f"{words.save_description}\n\n{words.what_not_to_save}",
        "input_schema": object_schema(properties, *PARAMETERS),
    }


SAVE_MEMORY_TOOL = save_memory_tool()
"""The save tool's definition in the Messages API's format, in English; ``save_memory_tool("zh")`` gives the Chinese one."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the model gets back.

    Attributes:
        text: the message.
        is_error: whether nothing was saved.
        result: what the save did; None on error.
        error: what was wrong; None on success.
    """

    text: str
    is_error: bool = False
    result: SaveResult | None = None
    error: MemtuiError | None = None


class ParameterError(UsageError):
    """A parameter of the call is wrong; the message is ready for the model."""


class SaveMemoryTool:
    """The tool over one manager.

    Attributes:
        is_concurrency_safe: a write never runs beside other tools.
        interrupt_behavior: a write to disk is not broken off half way.
    """

    is_concurrency_safe: ClassVar[bool] = False
    interrupt_behavior: ClassVar[Literal["Block"]] = "Block"

    def __init__(
        self, manager: MemoryManager, timer: Callable[[], float] = time.perf_counter, *, team: bool = False
    ) -> None:
        """Put the tool over a manager.

        Args:
            manager: the memories.
            timer: seconds, for the audit log.
            team: whether it may write to the team's memories: what a model saves is private unless somebody said so.
        """
        self.manager = manager
        self.timer = timer
        self.team = team

    def run(self, parameters: Mapping[str, object], *, based_on: str | None = None) -> ToolResult:
        """Check the parameters, save, and tell the model what happened; never raises for a call gone wrong.

        Every call, good or bad, leaves a row in the audit log.

        Args:
            parameters: the five of the tool.
            based_on: digest of the version that the parameters were made from, where the caller read one; a memory
                that is another by now is a conflict then.
        """

        def save(words: Wording) -> SaveResult:
            fields = checked_parameters(parameters, words)
            if scope_of(fields["slug"]) == "team" and not self.team:
                raise ParameterError(words.error_team.format(slug=_shown(bare(fields["slug"]))), where="slug")
            return self.manager.save_memory(**fields, based_on=based_on)

        return self._answered(save, parameters)

    def edit(self, slug: str, changes: Mapping[str, str], *, based_on: str | None = None) -> ToolResult:
        """The same for a person who changes some fields of a memory that is there; the others stay as written."""

        def save(_: Wording) -> SaveResult:
            return self.manager.edit_memory(slug, **changes, based_on=based_on)

        return self._answered(save, {"slug": slug})

    def _answered(self, save: Callable[[Wording], SaveResult], parameters: object) -> ToolResult:
        started = self.timer()
        words = wording(self.manager.lang)
        given = parameters.get("slug") if isinstance(parameters, Mapping) else None
        slug = visible(given) if isinstance(given, str) else None
        try:
            answer = self._told(save(words), words)
        except MemtuiError as error:
            answer = ToolResult(_error_text(error, slug or "", self.manager.lang), is_error=True, error=error)
        return self._logged(answer, slug, (self.timer() - started) * 1000)

    def _told(self, result: SaveResult, words: Wording) -> ToolResult:
        from memtui.memory.secrets.guard import redact  # noqa: PLC0415  -- looking at memories needs none of its rules

        self.manager.mark_main_agent_wrote()
        manifest = redact(
            build_manifest_preview(self.manager.entries()), allowed=self.manager.allowed_secrets
        )
        count = sum(entry.is_active for entry in self.manager.entries())
        lines = [*_result_lines(result, words), ""]
        lines += (
            [words.manifest_heading.format(count=count), for_prompt(manifest)]
            if manifest
            else [words.manifest_empty]
        )
        return ToolResult("\n".join(lines), result=result)

    def _logged(self, answer: ToolResult, slug: str | None, elapsed_ms: float) -> ToolResult:
        if self.manager.read_only or not self.manager.folder.exists():
            return answer  # a refused call makes no directory
        status = (
            answer.result.outcome
            if answer.result
            else "conflict"
            if isinstance(answer.error, Conflict)
            else "error"
        )
        detail = answer.error.what if answer.error else "" if answer.result is None else answer.result.label
        row = AuditRow(
            self.manager.clock(),
            TOOL_NAME,
            status,
            elapsed_ms,
            slug,
            self.manager.actor,
            self.manager.session_id,
            detail,
        )
        try:
            if self.manager.folder.stamp(OWN_FOLDER) is None:
                with self.manager.folder.lock():  # the first change to a directory, if only a refused one
                    pass
            self.manager.audit.add(row)
        except MemtuiError as error:  # the memory is saved; that the log is not must be said, not raised
            return ToolResult(
                f"{answer.text}\n\n⚠️ {error.said(self.manager.lang)}",
                answer.is_error,
                answer.result,
                answer.error,
            )
        return answer


def run_save_memory(
    manager: MemoryManager,
    parameters: Mapping[str, object],
    *,
    based_on: str | None = None,
    team: bool = False,
) -> ToolResult:
    """Answer one call of the save tool, and note that the main agent wrote. Never raises for a call gone wrong.

    Args:
        manager: the memories.
        parameters: what the model gave; checked as the tool's definition says.
        based_on: digest of the version that was read before, hex; empty if there was none; None saves whatever is there.
        team: whether the call may write to the team's memories.

    Returns:
        What to tell the model, and whether it is an error.
    """
    return SaveMemoryTool(manager, team=team).run(parameters, based_on=based_on)


def checked_parameters(parameters: object, words: Wording) -> dict[str, str]:
    """The five parameters, all strings and none empty.

    Raises:
        ParameterError: one is missing, unknown, no string, empty, or not one of the four types. The message names it.
    """
    if not isinstance(parameters, Mapping):
        raise ParameterError(words.error_missing.format(parameter=PARAMETERS[0]), where=PARAMETERS[0])
    for name in parameters:
        if name not in PARAMETERS:
            raise ParameterError(words.error_unknown.format(parameter=for_prompt(str(name))), where=str(name))
    fields: dict[str, str] = {}
    for name in PARAMETERS:
        if name not in parameters:
            raise ParameterError(words.error_missing.format(parameter=name), where=name)
        value = parameters[name]
        if not isinstance(value, str):
            raise ParameterError(
                words.error_not_text.format(parameter=name, kind=_json_type(value)), where=name
            )
        if not value.strip():
            raise ParameterError(words.error_empty.format(parameter=name), where=name)
        fields[name] = value
    if MemoryType.parse(fields["memory_type"]) is None:
        value = for_prompt(fields["memory_type"])
        raise ParameterError(words.error_type.format(value=value), where="memory_type")
    return fields


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "array" if isinstance(value, list) else "object"


def _error_text(error: MemtuiError, slug: str, lang: Lang) -> str:
    words = wording(lang)
    match error:
        case ParameterError():
            return error.what
        case Conflict():
            return words.error_conflict.format(slug=_shown(slug))
        case Busy():
            return words.error_busy
        case SecretBlocked():  # what helps a person past it is no business of the model's
            leak = error.leaks[0]
            return words.error_leak.format(rule=leak.rule, line=leak.line, fingerprint=leak.fingerprint)
        case Refused():
            return words.error_refused.format(reason=for_prompt(error.said(lang)))
        case UsageError() if error.where == "slug":
            reason = joined([plain(part) for part in (error.what, error.todo) if part], ". ").said(lang)
            return words.error_slug.format(reason=for_prompt(reason))
        case _:
            return for_prompt(said(error.what, lang))


def _shown(name: str) -> str:
    """A file's name in a sentence for the model: on one line, its odd characters visible, nothing it could obey."""
    return for_prompt(visible(name))


def _result_lines(result: SaveResult, words: Wording) -> list[str]:
    """Status, warnings and hint, in the seed's order."""
    match result.outcome:
        case "created":
            lines = [words.saved.format(slug=_shown(result.slug))]
        case "updated":
            archive = _shown(f"{result.archived[0]}.md") if result.archived else "?"
            lines = [words.updated_memory.format(slug=_shown(result.slug), archive=archive)]
        case _:
            lines = [words.unchanged.format(slug=_shown(result.slug))]
    lines += [words.kept_external.format(archive=_shown(rel)) for rel in result.kept]
    if result.index_pending:
        lines.append(words.index_pending)
    if {"archive", "trash"}.intersection(result.pending):
        lines.append(words.rest_pending)
    lines += dict.fromkeys(_quality_line(finding.check, words) for finding in result.quality)
    lines += dict.fromkeys(
        words.sensitive.format(rule=found.rule, line=found.line, fingerprint=found.fingerprint)
        for found in result.secrets
    )
    if result.duplicate is not None:
        percent = int(result.duplicate.bigrams * 100)
        lines.append(words.overlap.format(slug=_shown(result.duplicate.slug), percent=percent))
    return lines


def _quality_line(check: QualityCheck, words: Wording) -> str:
    match check:
        case TooShort(n):
            return words.quality_too_short.format(count=n)
        case TransientState():
            return words.quality_transient
        case VagueLanguage(word):
            return words.quality_vague.format(word=word)
        case CodePattern():
            return words.quality_code
        case _:
            return ""
