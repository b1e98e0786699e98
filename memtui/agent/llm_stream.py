"""A streamed answer put together: the events of the Messages API, in their order, as the message that they tell of.

The SDK does this too, but takes half for whole (2.14, measured): a stream that ends early gives a message, and the input
of a tool that stops in the middle gives an input with its last part missing. Here what is not complete is no answer.
Kinds of events and of pieces that are not known are passed over, as the API asks its readers to. Nothing of the SDK is in
here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memtui.agent.llm_answer import OTHER_SHAPE, garbage, made_answer, told_error
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.agent.llm import Answer
    from memtui.agent.llm_failed import ModelFailed
    from memtui.agent.llm_settings import Access

_PIECES = {
    "text_delta": "text",
    "input_json_delta": "partial_json",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
}
"""Kinds of pieces, and the key of each under which its text stands."""
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
"""Reasons to stop after which the input of a tool may be half of one."""


class StreamedAnswer:
    """The answer so far."""

    def __init__(self, access: Access) -> None:
        """Begin.

        Args:
            access: whom it is from.
        """
        self._access = access
        self._message: dict[str, Any] | None = None
        self._blocks: list[dict[str, Any]] = []
        self._open: dict[int, dict[str, list[str]]] = {}
        self._half_input = False

    def take(self, kind: str, data: str) -> bool:
        """Take the next event.

        Args:
            kind: its name on the wire; may be empty.
            data: its JSON.

        Returns:
            Whether the answer is complete; nothing that follows belongs to it.

        Raises:
            ModelFailed: the event is an error of the service, or none that can come here.
        """
        if not data:
            return False
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            raise garbage(self._access, Say("it is not JSON")) from None
        if not isinstance(event, dict):
            raise self._other_shape()
        match event.get("type", kind):
            case "error":
                raise told_error(event, self._access)
            case "message_start":
                self._begin(event.get("message"))
            case "content_block_start":
                self._begin_block(event.get("index"), event.get("content_block"))
            case "content_block_delta":
                self._add(event.get("index"), event.get("delta"))
            case "content_block_stop":
                self._end_block(event.get("index"))
            case "message_delta":
                self._end(event)
            case "message_stop":
                if self._message is None or self._open:
                    raise self._out_of_order()
                return True
            case _:
                pass
        return False

    def answer(self) -> Answer:
        """The complete answer.

        Raises:
            ModelFailed: it is none, or the model refused.
        """
        message = self._message
        if message is not None and self._half_input and message.get("stop_reason") not in _CUT:
            raise garbage(self._access, Say("it is not JSON"))
        return made_answer(message, self._access)

    def _begin(self, message: object) -> None:
        if self._message is not None:
            raise self._out_of_order()
        if not isinstance(message, dict):
            raise self._other_shape()
        self._message = {**message, "content": self._blocks}

    def _begin_block(self, index: object, block: object) -> None:
        if self._message is None or index != len(self._blocks):
            raise self._out_of_order()
        if not isinstance(block, dict):
            raise self._other_shape()
        self._open[len(self._blocks)] = {}
        self._blocks.append(dict(block))

    def _add(self, index: object, delta: object) -> None:
        if not isinstance(index, int) or index not in self._open:
            raise self._out_of_order()
        if not isinstance(delta, dict):
            raise self._other_shape()
        key = _PIECES.get(str(delta.get("type")))
        if key is None:
            return
        piece = delta.get(key)
        if not isinstance(piece, str):
            raise self._other_shape()
        self._open[index].setdefault(key, []).append(piece)

    def _end_block(self, index: object) -> None:
        pieces = self._open.pop(index, None) if isinstance(index, int) else None
        if pieces is None or not isinstance(index, int):
            raise self._out_of_order()
        block = self._blocks[index]
        for key, texts in pieces.items():
            text = "".join(texts)
            if key != "partial_json":
                block[key] = f"{block.get(key) or ''}{text}"
            elif text:
                try:
                    block["input"] = json.loads(text)
                except (ValueError, RecursionError):
                    self._half_input = True

    def _end(self, event: dict[str, Any]) -> None:
        message, delta, usage = self._message, event.get("delta"), event.get("usage")
        if message is None:
            raise self._out_of_order()
        if not isinstance(delta, dict):
            raise self._other_shape()
        message["stop_reason"] = delta.get("stop_reason")
        if isinstance(usage, dict) and isinstance(message.get("usage"), dict):
            # The figures are totals; what is not told again holds.
            told = {key: value for key, value in usage.items() if value is not None}
            message["usage"] = {**message["usage"], **told}

    def _other_shape(self) -> ModelFailed:
        return garbage(self._access, OTHER_SHAPE)

    def _out_of_order(self) -> ModelFailed:
        return garbage(self._access, Say("its parts come in an order that makes no answer"))
