"""What came back from a model's service: an answer, or what it says went wrong. Nothing of the SDK is in here."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, get_args

from memtui.agent.llm import Answer, StopReason, ToolCall, Usage
from memtui.agent.llm_failed import ModelFailed
from memtui.memory.secrets.guard import redact
from memtui.memory.text import one_line, visible
from memtui.memory.wording.saying import Say, plain

if TYPE_CHECKING:
    from memtui.agent.llm_settings import Access

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Status of what may pass, so that it is worth another try."""
_REASON_CHARS = 300
_STOPS = frozenset(get_args(StopReason))
_ERROR_STATUS = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Types of errors of the Messages API, which may come with status 200 too."""
OTHER_SHAPE = Say("it has another shape than an answer")


# --- what came back ------------------------------------------------------------------------------------------------------


def parse_answer(data: bytes, access: Access) -> Answer:
    """A body with status 200 as an answer.

    Args:
        data: the body.
        access: whom it is from.

    Raises:
        ModelFailed: it is none, or the model refused.
    """
    try:
        made = json.loads(data)
    except (ValueError, RecursionError):
        if data.lstrip()[:1] == b"<":
            raise garbage(access, Say("it is a page, not an answer")) from None
        raise garbage(access, Say("it is not JSON")) from None
    return made_answer(made, access)


def made_answer(made: object, access: Access) -> Answer:
    """A message of the Messages API as an answer, whether it came whole or in events.

    Args:
        made: the message; anything, for nobody has looked at it yet.
        access: whom it is from.

    Raises:
        ModelFailed: it is none, or the model refused.
    """
    if isinstance(made, dict) and made.get("type") == "error":
        raise told_error(made, access)
    if not isinstance(made, dict) or made.get("type") != "message" or made.get("role") != "assistant":
        raise garbage(access, OTHER_SHAPE)
    if made.get("stop_reason") == "refusal":
        raise ModelFailed("refusal", "the model declined to answer", where=access.model)
    blocks = made.get("content")
    if not isinstance(blocks, list) or not all(map(_is_block, blocks)):
        raise garbage(access, OTHER_SHAPE)
    if made.get("stop_reason") not in _STOPS:
        raise garbage(access, Say("it ends without saying why"))
    calls = tuple(
        ToolCall(block["id"], block["name"], block["input"])
        for block in blocks
        if block["type"] == "tool_use"
    )
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    return Answer(text, calls, made["stop_reason"], _usage(made.get("usage")), tuple(blocks))


def _is_block(block: object) -> bool:
    if not isinstance(block, dict):
        return False
    match block.get("type"):
        case "text":
            return isinstance(block.get("text"), str)
        case "tool_use":
            named = isinstance(block.get("id"), str) and isinstance(block.get("name"), str)
            return named and isinstance(block.get("input"), dict)
        case kind:
            return isinstance(kind, str)


def _usage(given: object) -> Usage:
    """What was counted; 0 for what was not told."""
    if not isinstance(given, dict):
        return Usage()

    def count(key: str) -> int:
        value = given.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    cached = count("cache_creation_input_tokens") + count("cache_read_input_tokens")
    return Usage(count("input_tokens") + cached, count("output_tokens"))


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that the service asks to wait; 0 where it asks for nothing that can be understood."""
    given = headers.get("retry-after", "")
    try:
        seconds = float(given)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(given).timestamp() - time.time()
        except (ValueError, OverflowError, TypeError):
            return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


# --- failures ------------------------------------------------------------------------------------------------------------


def _shown(text: str, access: Access) -> Say:
    """Somebody else's words on one line, without the key or any other secret."""
    for key in (access.api_key, access.auth_token):
        text = text.replace(key, "…") if key else text
    text = visible(one_line(redact(text[: 4 * _REASON_CHARS])))
    return plain(text[:_REASON_CHARS] + "…" if len(text) > _REASON_CHARS else text)


def _reason(access: Access, body: object) -> Say:
    """What the service says about its own error."""
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    if not isinstance(message, str) or not message.strip():
        return Say("no reason given")
    return _shown(message, access)


def status_failed(access: Access, status: int, body: object) -> ModelFailed:
    """An error by its status and what the service says of it."""
    where, reason = access.url, _reason(access, body)
    if 300 <= status < 400:
        return ModelFailed(
            "address",
            "the model's service sends to another address, which is not followed",
            where=where,
            todo="Correct the address",
        )
    if status in {401, 403}:
        return ModelFailed(
            "refused key",
            Say(
                "the model's service does not take the key ({status}: {reason})", status=status, reason=reason
            ),
            where=where,
            todo="Check the key",
        )
    if status == 404:
        return ModelFailed(
            "bad request",
            Say("the model {model!r} is not known there ({reason})", model=access.model, reason=reason),
            where=where,
            todo="Check the setting 'model', MEMTUI_MODEL and the address",
        )
    if status in AGAIN or status >= 500:
        return ModelFailed(
            "overloaded",
            Say("the model's service is busy or broken ({status}: {reason})", status=status, reason=reason),
            where=where,
            todo="Try again later",
        )
    return ModelFailed(
        "bad request",
        Say(
            "the model's service does not take the question ({status}: {reason})",
            status=status,
            reason=reason,
        ),
        where=where,
    )


def told_error(made: Mapping[str, Any], access: Access) -> ModelFailed:
    """An error that came with status 200, as the answer or in the middle of a stream."""
    error = made.get("error")
    status = _ERROR_STATUS.get(str(error.get("type")), 400) if isinstance(error, dict) else 400
    return status_failed(access, status, made)


def connection_failed(access: Access, error: Exception) -> ModelFailed:
    """No connection, or one that ended."""
    cause = error.__cause__ or error
    return ModelFailed(
        "unreachable",
        Say("there is no connection to the model's service ({reason})", reason=_shown(str(cause), access)),
        where=access.url,
        todo="Check the network and the address",
    )


def cut_off(access: Access) -> ModelFailed:
    """A stream that ended before the answer did."""
    return ModelFailed(
        "unreachable",
        "the connection ended in the middle of the answer",
        where=access.url,
        todo="Try again later",
    )


def garbage(access: Access, why: Say) -> ModelFailed:
    """Something came back that is no answer."""
    return ModelFailed(
        "garbage",
        Say("what came back is no answer: {why}", why=why),
        where=access.url,
        todo="Check the address",
    )


def broken(access: Access, error: Exception) -> ModelFailed:
    """Anything else that went wrong on the way."""
    return ModelFailed(
        "garbage",
        Say("the exchange with the model failed ({reason})", reason=_shown(str(error), access)),
        where=access.url,
    )


def timeout(access: Access, deadline: float) -> ModelFailed:
    """The time is over, in seconds."""
    return ModelFailed(
        "timeout",
        Say("the model did not answer within {seconds:g} s", seconds=deadline),
        where=access.url,
        todo="Try again later",
    )


def cancelled() -> ModelFailed:
    """Somebody called it off."""
    return ModelFailed("cancelled", "the question to the model was called off")
