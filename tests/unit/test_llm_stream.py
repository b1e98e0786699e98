"""Answers as streams of events, over a real connection: half of one is none, whatever it says of itself."""

import threading
from typing import Any

import anthropic  # noqa: F401  -- loading it is part of the first deadline; here that is not what is measured
import pytest

from memtui.agent.llm import Answer, AnthropicModel, Kind, ModelFailed, Question, ToolCall, Usage, user
from tests import messages_server as ways
from tests.messages_server import MessagesServer, Play, events_of, leave, message, over_and_over, stream

LONG = 60.0
"""A deadline that is never reached: what ends before it ended for another reason."""


def ask(play: Play, *, deadline: float = LONG) -> tuple[Answer, int]:
    """The answer, and how often it was asked for."""
    with MessagesServer() as server:
        server.play(play)
        model = AnthropicModel(server.access(), pause=0.001)
        return model.ask(Question([user("hello")]), deadline=deadline), len(server.asked)


def failed(play: Play, *, deadline: float = LONG) -> tuple[ModelFailed, int]:
    with MessagesServer() as server:
        server.play(play)
        model = AnthropicModel(server.access(), pause=0.001)
        with pytest.raises(ModelFailed) as caught:
            model.ask(Question([user("hello")]), deadline=deadline)
        return caught.value, len(server.asked)


WHOLE = message(
    "I save it: 记忆 😀.", ways.tool_use("save", {"slug": "记忆", "tags": [1, {"a": "b"}]}), stop="tool_use"
)
EVENTS = events_of(WHOLE)
START, BLOCK, *_ = EVENTS


def without(kind: str) -> list[dict[str, Any]]:
    return [event for event in EVENTS if event["type"] != kind]


def changed(number: int, **values: Any) -> list[dict[str, Any]]:
    return [*EVENTS[:number], {**EVENTS[number], **values}, *EVENTS[number + 1 :]]


def call_of(partial_json: str, stop: str = "tool_use") -> list[dict[str, Any]]:
    """A stream whose one call has this as its input."""
    events = events_of(message(ways.tool_use("save", {}), stop=stop))
    delta = {"type": "input_json_delta", "partial_json": partial_json}
    return [
        {**event, "delta": delta} if event["type"] == "content_block_delta" else event for event in events
    ]


# --- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 37, 100_000])
def test_an_answer_is_the_same_however_its_bytes_arrive(size: int) -> None:
    answer, asked = ask(stream(*EVENTS, size=size))
    assert answer.text == "I save it: 记忆 😀."
    assert answer.tool_calls == (ToolCall("toolu_1", "save", {"slug": "记忆", "tags": [1, {"a": "b"}]}),)
    assert (answer.stop_reason, answer.usage, answer.content, asked) == (
        "tool_use",
        Usage(11, 7),
        tuple(WHOLE["content"]),
        1,
    )


def test_an_answer_that_comes_whole_though_a_stream_was_asked_for_is_the_same() -> None:
    assert ask(ways.made(WHOLE)) == ask(stream(*EVENTS))


def test_events_and_pieces_that_nobody_knows_are_passed_over() -> None:
    known = events_of(message("fine"))
    strange = [
        {"type": "weather", "index": 0},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "glow_delta", "glow": 3}},
    ]
    noise = b": a remark\n\nid: 7\nretry: 3\nevent: ping\n\n"
    assert ask(stream(*known[:2], noise, *strange, *known[2:]))[0].text == "fine"


def test_a_block_of_another_kind_goes_back_as_it_came() -> None:
    thinking = [
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "thinking", "thinking": "", "signature": ""},
        },
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "."}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s=="}},
        {"type": "content_block_stop", "index": 0},
    ]
    start, *rest, delta, stop = events_of(message("fine"))
    answer, _ = ask(stream(start, *thinking, *({**each, "index": 1} for each in rest), delta, stop))
    assert answer.text == "fine"
    assert answer.content == (
        {"type": "thinking", "thinking": "Hm.", "signature": "s=="},
        {"type": "text", "text": "fine"},
    )


def test_what_is_held_open_after_its_end_is_not_waited_for() -> None:
    assert ask(ways.streamed(message("fine"), then=ways.hang()))[0].text == "fine"


def test_a_call_without_input_has_an_empty_one() -> None:
    assert ask(stream(*call_of("")))[0].tool_calls == (ToolCall("toolu_1", "save", {}),)


def test_a_call_that_was_cut_at_the_limit_says_so_and_has_no_half_input() -> None:
    answer, _ = ask(stream(*call_of('{"slug": "a", "content": "half of', stop="max_tokens")))
    assert (answer.stop_reason, answer.tool_calls) == ("max_tokens", (ToolCall("toolu_1", "save", {}),))


# --- failures ----------------------------------------------------------------------------------------------------------

NO_ANSWER: dict[str, tuple[Play, str]] = {
    "an event that is no JSON": (stream(START, b"event: ping2\ndata: {half\n\n"), "not JSON"),
    "an event that is a list": (stream(START, b"event: message_delta\ndata: []\n\n"), "another shape"),
    "an event that is no text": (stream(START, b"event: x\ndata: \xff\xfe\n\n"), "not JSON"),
    "a deep event": (stream(START, b"data: " + b"[" * 100_000 + b"\n\n", size=4096), "not JSON"),
    "no beginning": (stream(*EVENTS[1:]), "order"),
    "two beginnings": (stream(START, *EVENTS), "order"),
    "a block left out": (stream(*changed(1, index=1)), "order"),
    "a piece of no block": (stream(*changed(3, index=4)), "order"),
    "a piece of a block whose number is a text": (stream(*changed(3, index="0")), "order"),
    "blocks without an end": (stream(*without("content_block_stop")), "order"),
    "an end of no block": (stream(START, {"type": "content_block_stop", "index": 0}), "order"),
    "no reason to stop": (stream(*without("message_delta")), "without saying why"),
    "an unknown reason to stop": (ways.text("x", stop="whim"), "without saying why"),
    "a beginning without a message": (stream(*changed(0, message=None)), "another shape"),
    "a message of another role": (
        stream(*changed(0, message={**START["message"], "role": "user"})),
        "another shape",
    ),
    "a block that is a text": (stream(*changed(1, content_block="x")), "another shape"),
    "a piece that is a number": (
        stream(*changed(3, delta={"type": "text_delta", "text": 5})),
        "another shape",
    ),
    "a piece that is none": (stream(*changed(3, delta=None)), "another shape"),
    "half of an input": (stream(*call_of('{"slug": "a", "content": "half of')), "not JSON"),
    "an input that is a list": (stream(*call_of("[1]")), "another shape"),
    "endless events": (
        stream(START, BLOCK, then=over_and_over(ways.on_the_wire(EVENTS[3]) * 10_000)),
        "longer than 16,777,216 bytes",
    ),
    "an endless event": (
        stream(START, BLOCK, b"data: ", then=over_and_over(b"x" * (1 << 20))),
        "longer than 16,777,216 bytes",
    ),
}


@pytest.mark.parametrize("name", NO_ANSWER)
def test_a_stream_that_makes_no_answer_is_none_and_is_not_asked_for_again(name: str) -> None:
    play, says = NO_ANSWER[name]
    failure, asked = failed(play)
    assert (failure.kind, asked) == ("garbage", 1)
    assert says in failure.what


ERRORS: dict[str, tuple[Play, Kind, int]] = {
    "it ends in the middle": (ways.cut_stream(), "unreachable", 4),
    "it ends before anything": (stream(), "unreachable", 4),
    "it ends before its last event": (stream(*without("message_stop")), "unreachable", 4),
    "the connection ends": (stream(*EVENTS[:4], then=leave), "unreachable", 4),
    "the connection ends within an event": (
        stream(*EVENTS[:4], ways.on_the_wire(EVENTS[4])[:-9], then=leave),
        "unreachable",
        4,
    ),
    "overloaded": (ways.stream_error("overloaded_error"), "overloaded", 4),
    "limited": (ways.stream_error("rate_limit_error"), "overloaded", 4),
    "a bad question": (ways.stream_error("invalid_request_error"), "bad request", 1),
    "a key that is not taken": (ways.stream_error("authentication_error"), "refused key", 1),
    "an error of no shape": (stream(START, {"type": "error", "error": "x"}), "bad request", 1),
    "refusal": (ways.text("No.", stop="refusal"), "refusal", 1),
}


@pytest.mark.parametrize("name", ERRORS)
def test_each_failure_of_a_stream_has_its_kind_and_only_what_may_pass_is_tried_again(name: str) -> None:
    play, kind, tries = ERRORS[name]
    failure, asked = failed(play)
    assert (failure.kind, asked) == (kind, tries)
    assert failure.said("zh") != failure.said("en")


def test_a_stream_that_fails_once_is_asked_for_anew_and_nothing_of_it_is_left() -> None:
    with MessagesServer() as server:
        server.play(ways.cut_stream(), ways.stream_error("overloaded_error"), ways.text("from the start"))
        answer = AnthropicModel(server.access(), pause=0.001).ask(Question([user("x")]), deadline=LONG)
    assert answer.text == "from the start"
    assert len(server.asked) == 3


def test_what_an_error_in_a_stream_says_is_shown_without_controls_or_keys() -> None:
    failure, _ = failed(ways.stream_error("authentication_error", f"bad \x1b[2J key {ways.KEY}\nof yours"))
    assert "bad ␛[2J key … of yours" in failure.what


@pytest.mark.parametrize(
    "then",
    [
        ways.hang(),
        over_and_over(ways.on_the_wire({"type": "ping"}), pause=0.02),
        over_and_over(ways.on_the_wire(EVENTS[3]), pause=0.02),
    ],
    ids=["silence", "pings", "a slow drip of pieces"],
)
def test_the_deadline_holds_within_a_stream_and_the_connection_ends(then: Play) -> None:
    with MessagesServer() as server:
        server.play(stream(*EVENTS[:4], then=then))
        with pytest.raises(ModelFailed) as caught:
            AnthropicModel(server.access()).ask(Question([user("x")]), deadline=0.3)
        if server.asked:
            server.wait_done()
    assert caught.value.kind == "timeout"


def test_a_stream_is_called_off_from_another_thread_and_the_connection_ends() -> None:
    cancel = threading.Event()
    with MessagesServer() as server:

        def call_off(handler: Any) -> None:
            cancel.set()
            handler.until_they_leave()

        server.play(stream(*EVENTS[:4], then=call_off))
        with pytest.raises(ModelFailed) as caught:
            AnthropicModel(server.access()).ask(Question([user("x")]), deadline=LONG, cancel=cancel)
        server.wait_done()
    assert caught.value.kind == "cancelled"
