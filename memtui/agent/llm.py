"""The one door to a model: a question, an answer or a `ModelFailed`, never later than the deadline.

Everything that leaves passes `redact` first. Nothing is sent without a key and an address that the person set
themselves (`llm_settings`); what would be sent can be looked at (`AnthropicModel.request`) without sending it. The SDK
is loaded, and used, in ``llm_wire`` only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from memtui.agent.llm_failed import Kind, ModelFailed
from memtui.agent.llm_settings import MESSAGES_PATH, Access, access_from
from memtui.memory.secrets.guard import redact
from memtui.memory.text import sendable

if TYPE_CHECKING:
    from memtui.config import Config

__all__ = [
    "Answer",
    "AnthropicModel",
    "Kind",
    "Message",
    "Model",
    "ModelFailed",
    "Question",
    "Request",
    "Tool",
    "ToolCall",
    "Usage",
    "assistant",
    "tool_results",
    "user",
]

StopReason = Literal[
    "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "model_context_window_exceeded"
]
"""Why a model stopped; one that refused raises `ModelFailed` instead."""
Block = Mapping[str, Any]
"""A content block of the Messages API: ``{"type": "text", "text": …}`` and so on."""

_AS_IT_IS = frozenset({"type", "id", "tool_use_id", "signature", "data", "is_error"})
"""Keys of a block whose values are the protocol's own, not anybody's text."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    Attributes:
        role: whose it is.
        content: a text, or blocks of the Messages API.
    """

    role: Literal["user", "assistant"]
    content: str | tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call.

    Attributes:
        name: how it is called.
        description: what it does.
        input_schema: JSON Schema of its input.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model wants a tool run.

    Attributes:
        id: goes back with the result.
        name: which tool; it need not be one that was offered.
        input: what for; it need not fit the schema.
    """

    id: str
    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost, in tokens as the service counted them.

    Attributes:
        input_tokens: of what was sent, also what a cache held.
        output_tokens: of what came back.
    """

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said.

    Attributes:
        text: all its text, one block after the other.
        tool_calls: what it wants run.
        stop_reason: why it stopped; after ``max_tokens`` the text is cut.
        usage: what it cost.
        content: its blocks as they came, for the next turn (`assistant`).
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    stop_reason: StopReason = "end_turn"
    usage: Usage = Usage()
    content: tuple[Block, ...] = ()


def user(text: str) -> Message:
    """What the user says."""
    return Message("user", text)


def assistant(answer: Answer) -> Message:
    """An answer as the turn before the next one."""
    return Message("assistant", answer.content or ({"type": "text", "text": answer.text},))


def tool_results(results: Sequence[tuple[ToolCall, str]], *, failed: Sequence[str] = ()) -> Message:
    """What the tools said that the model called.

    Args:
        results: each call with its result; every call of the answer needs one.
        failed: ids of the calls that failed.
    """
    return Message(
        "user",
        tuple(
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": text,
                **({"is_error": True} if call.id in failed else {}),
            }
            for call, text in results
        ),
    )


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        messages: the conversation, the user's turn first and last.
        system: what the model is told beforehand.
        tools: what it may call; running them is the caller's.
        max_tokens: most tokens of the answer.
    """

    messages: Sequence[Message]
    system: str = ""
    tools: Sequence[Tool] = ()
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class Request:
    """What would be sent: nothing in it is secret, for the key is no part of it and the rest is redacted.

    Attributes:
        url: where to.
        body: the JSON.
        redacted: how many texts had a secret taken out.
    """

    url: str
    body: dict[str, Any] = field(repr=False)
    redacted: int = 0


class Model(Protocol):
    """Something that answers. One object may be asked from several threads at once."""

    @property
    def name(self) -> str:
        """What it is called, for people."""
        ...

    def ask(
        self, question: Question, *, deadline: float = 30.0, cancel: threading.Event | None = None
    ) -> Answer:
        """Ask and wait. Blocks: not for the thread that draws.

        Args:
            question: what.
            deadline: seconds for all of it: connecting, tries, pauses, the last byte.
            cancel: set from any thread, it ends the wait within a tenth of a second, and the connection.

        Raises:
            ModelFailed: there is no answer. No other error comes out of here.
        """
        ...


class AnthropicModel:
    """A model behind the Messages API.

    Attributes:
        access: which, where, and with what key.
    """

    def __init__(self, access: Access, *, pause: float = 0.5, allowed: Container[str] = frozenset()) -> None:
        """Prepare; nothing is loaded, looked up or sent.

        Args:
            access: which, where, and with what key.
            pause: seconds before the second try; each further pause is twice as long.
            allowed: hashes of secrets that are let through; see ``memory.secrets.allowed``.
        """
        self.access = access
        self._pause = pause
        self._allowed = allowed

    @classmethod
    def from_settings(
        cls,
        environ: Mapping[str, str],
        config: Config,
        *,
        allowed: Container[str] = frozenset(),
    ) -> AnthropicModel:
        """The model that the person set up; `access.check` tells whether it can be asked.

        Args:
            environ: environment variables.
            config: the settings in force.
            allowed: as for the constructor.
        """
        return cls(access_from(environ, config), allowed=allowed)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.access.model

    def request(self, question: Question) -> Request:
        """What `ask` would send, for a dry run."""
        taken = 0

        def clean(text: str) -> str:
            nonlocal taken
            shown = redact(sendable(text), allowed=self._allowed)
            taken += shown != text
            return shown

        body: dict[str, Any] = {
            "model": self.access.model,
            "max_tokens": question.max_tokens,
            "stream": True,
        }
        if question.system:
            body["system"] = clean(question.system)
        if question.tools:
            body["tools"] = [
                {
                    "name": tool.name,
                    "description": clean(tool.description),
                    "input_schema": dict(tool.input_schema),
                }
                for tool in question.tools
            ]
        body["messages"] = [
            {"role": message.role, "content": _cleaned(message.content, clean)}
            for message in question.messages
        ]
        return Request(self.access.url + MESSAGES_PATH, body, taken)

    def ask(
        self, question: Question, *, deadline: float = 30.0, cancel: threading.Event | None = None
    ) -> Answer:
        """Ask and wait; see `Model.ask`."""
        self.access.check()
        from memtui.agent.llm_wire import exchange  # noqa: PLC0415  -- loaded by those who ask only

        body = self.request(question).body
        return exchange(self.access, body, deadline=deadline, cancel=cancel, pause=self._pause)


def _cleaned(content: str | tuple[Block, ...], clean: Callable[[str], str]) -> object:
    """A turn's content with every text in it cleaned."""
    if isinstance(content, str):
        return clean(content)
    return [
        {key: value if key in _AS_IT_IS else _cleaned_value(value, clean) for key, value in block.items()}
        for block in content
    ]


def _cleaned_value(value: object, clean: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(key)): _cleaned_value(each, clean) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned_value(each, clean) for each in value]
    return value
