"""Spec §14: only what a person typed counts as the user's word. The shapes are those the released client writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.claude.transcripts import Line
from memtui.claude.turns import Turn, turn_of, turns
from tests.unit.transcript_maker import START, Transcript

MEMORY = Path("/home/ada/.claude/projects/-home-ada-project/memory")
Make = Callable[[Transcript], object]


def only(make: Make) -> Turn | None:
    made = Transcript(MEMORY)
    make(made)
    data = made.lines[-1]
    return turn_of(Line(1, 0, json.loads(data), data))


OPEN = "<pasted_content <system-reminder <ide_selection " * 40_000 + "use tabs"
"""Where each looked for its end through all of the rest, reading it took minutes."""

TYPED: dict[str, tuple[Make, str]] = {
    "typed": (lambda t: t.typed("use tabs"), "use tabs"),
    "through the SDK": (lambda t: t.user("use tabs", promptSource="sdk", turnOrigin="sdk"), "use tabs"),
    "by an older client": (lambda t: t.user("use tabs"), "use tabs"),
    "with a picture": (
        lambda t: t.typed([{"type": "text", "text": "use tabs"}, {"type": "image", "source": {}}]),
        "use tabs",
    ),
    "with a reminder behind": (
        lambda t: t.typed("use tabs\n<system-reminder>\nuse spaces\n</system-reminder>"),
        "use tabs",
    ),
    "with a reminder in a block of its own": (
        lambda t: t.typed(
            [
                {"type": "text", "text": "<system-reminder>spaces</system-reminder>"},
                {"type": "text", "text": "use tabs"},
            ]
        ),
        "use tabs",
    ),
    "with a reminder that does not end": (
        lambda t: t.typed("use tabs <SYSTEM-reminder x='1'> spaces"),
        "use tabs",
    ),
    "with pasted text": (
        lambda t: t.typed('\n<pasted_content id="1">\nuse spaces\n</pasted_content id="1">\n\n use tabs'),
        "use tabs",
    ),
    "with what the editor put in": (
        lambda t: t.typed("<ide_opened_file>The user opened a.py</ide_opened_file>use tabs"),
        "use tabs",
    ),
    "with a hook's output behind": (
        lambda t: t.typed("use tabs\n<user-prompt-submit-hook>use spaces</user-prompt-submit-hook>"),
        "use tabs",
    ),
    "while the assistant was at work": (
        lambda t: t.attach("queued_command", prompt="use tabs", commandMode="prompt"),
        "use tabs",
    ),
    "an unknown slash command": (lambda t: t.typed("/nosuch use tabs"), "/nosuch use tabs"),
    "tags without an end": (lambda t: t.typed(OPEN), OPEN),
    "with a tag that says much": (
        lambda t: t.typed(f'<pasted_content file="{"x" * 4_096}">spaces</pasted_content>use tabs'),
        "use tabs",
    ),
    "about a tag": (lambda t: t.typed("what does <div> mean?"), "what does <div> mean?"),
}


@pytest.mark.parametrize("name", TYPED)
def test_what_a_person_typed_is_theirs_without_what_was_put_in(name: str) -> None:
    make, text = TYPED[name]
    turn = only(make)
    assert turn is not None
    assert (turn.kind, turn.role, turn.text) == ("typed", "user", text)
    assert turn.stripped == (
        ("with a" in name or "with what" in name or "with pasted" in name) and "picture" not in name
    )


OTHERS: dict[str, tuple[Make, str]] = {
    "an answer": (lambda t: t.says("Done."), "assistant"),
    "a tool result": (lambda t: t.does("Read", file_path="/a"), "tool-result"),
    "a result of blocks": (
        lambda t: t.user(
            [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "x"}]}]
        ),
        "tool-result",
    ),
    "typed words beside a result": (
        lambda t: t.user(
            [{"type": "tool_result", "tool_use_id": "1", "content": "x"}, {"type": "text", "text": "y"}]
        ),
        "tool-result",
    ),
    "put in by the client": (lambda t: t.user("Do the foo", isMeta=True), "meta"),
    "only a reminder": (lambda t: t.typed("<system-reminder>remember tea</system-reminder>"), "meta"),
    "only pasted text": (
        lambda t: t.typed('<pasted_content id="7">remember tea</pasted_content id="7">'),
        "meta",
    ),
    "an interruption": (lambda t: t.user("[Request interrupted by user for tool use]"), "meta"),
    "an agent that is done": (
        lambda t: t.user("<task-notification>\n<task-id>a</task-id>", origin={"kind": "task-notification"}),
        "meta",
    ),
    "another origin": (lambda t: t.user("remember tea", origin={"kind": "plugin"}), "meta"),
    "a queued notification": (
        lambda t: t.attach("queued_command", prompt="agent done", commandMode="task-notification"),
        "meta",
    ),
    "a hook's summary": (lambda t: t.put("system", subtype="stop_hook_summary", content="stopped"), "meta"),
    "a slash command": (
        lambda t: t.user("<command-message>foo</command-message>\n<command-name>/foo</command-name>"),
        "command",
    ),
    "what it printed": (
        lambda t: t.user("<local-command-stdout>Compacted</local-command-stdout>"),
        "command",
    ),
    "the same as a system line": (
        lambda t: t.put("system", subtype="local_command", content="<command-name>/memory</command-name>"),
        "command",
    ),
    "a shell command": (lambda t: t.user("<bash-input>echo remember tea</bash-input>"), "command"),
    "what the shell printed": (
        lambda t: t.user("<bash-stdout>tea</bash-stdout>", turnOrigin="human"),
        "command",
    ),
    "a caveat": (lambda t: t.user("<local-command-caveat>…</local-command-caveat>", isMeta=True), "meta"),
    "a summary": (
        lambda t: t.user(
            "This session is being continued", isCompactSummary=True, isVisibleInTranscriptOnly=True
        ),
        "summary",
    ),
    "a summary line": (lambda t: t.bare("summary", summary="About tabs", leafUuid="x"), "summary"),
    "a subagent's prompt": (lambda t: t.user("read it", isSidechain=True), "side-chain"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_everything_else_is_context_at_most(name: str) -> None:
    make, kind = OTHERS[name]
    turn = only(make)
    assert turn is not None
    assert turn.kind == kind


@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.attach("hook_additional_context", content=["remember tea"]),
        lambda t: t.attach("hook_success", content="remember tea", stdout="remember tea"),
        lambda t: t.loads("- [A](a.md) — remember tea"),
        lambda t: t.bare("queue-operation", operation="enqueue", content="remember tea"),
        lambda t: t.bare("last-prompt", lastPrompt="remember tea"),
        lambda t: t.calls("Write", file_path="/a", content="remember tea"),
        lambda t: t.raw(b'{"type":"some-new-type","message":{"role":"user","content":"remember tea"}}'),
        lambda t: t.raw(b'{"type":"user","message":"remember tea"}'),
        lambda t: t.raw(b'{"type":"user","message":{"role":"user","content":{"a":1}}}'),
        lambda t: t.typed("  "),
    ],
)
def test_what_nobody_said_is_no_turn(make: Make) -> None:
    assert only(make) is None


def test_a_turn_says_when_where_and_on_which_line(tmp_path: Path) -> None:
    made = Transcript(MEMORY).bare("mode", mode="normal").typed("use tabs").says("Done.")
    path = made.save(tmp_path)
    typed, answer = turns(path)
    assert (typed.line, typed.offset, typed.at, typed.session, typed.cwd) == (
        2,
        len(made.lines[0]) + 1,
        START + 1,
        made.session,
        "/home/ada/project",
    )
    assert (answer.line, answer.at, answer.kind, answer.role) == (3, START + 2, "assistant", "assistant")
    assert typed.uuid == json.loads(made.lines[1])["uuid"]


def test_requests_that_repeat_the_conversation_say_nothing_again(tmp_path: Path) -> None:
    blob = {"role": "user", "content": "use tabs"}
    path = Transcript(MEMORY).typed("use tabs").bare("api-request-blob", message=blob).save(tmp_path)
    assert [turn.text for turn in turns(path)] == ["use tabs"]


def test_plain_lines_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    lines: list[Any] = [
        {"role": "system", "content": "You are helpful."},
        {"role": "user", "content": "use tabs <system-reminder>x</system-reminder>"},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
        {"role": "tool", "content": "42"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "42"}]},
        {"role": 3, "content": "no role"},
        {"role": "user", "content": "and pnpm"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert [(turn.kind, turn.text, turn.line) for turn in turns(path)] == [
        ("meta", "You are helpful.", 1),
        ("typed", "use tabs", 2),
        ("assistant", "Done.", 3),
        ("tool-result", "42", 4),
        ("tool-result", "42", 5),
        ("typed", "and pnpm", 7),
    ]


def test_a_second_reading_gives_only_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text('{"role":"user","content":"one"}')
    first = turns(path)
    assert [turn.text for turn in first] == ["one"]
    assert list(turns(path, first.reader.cursor)) == []
    with path.open("a") as stream:
        stream.write('\n{"role":"user","content":"two"}\n')
    assert [(turn.text, turn.line) for turn in turns(path, first.reader.cursor)] == [("two", 2)]


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.sampled_from(["user", "assistant", "text", "tool_result", "x"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "type",
                        "message",
                        "content",
                        "role",
                        "text",
                        "attachment",
                        "prompt",
                        "origin",
                        "kind",
                        "timestamp",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_no_shape_of_json_breaks_it(value: Any) -> None:
    if isinstance(value, dict):
        turn = turn_of(Line(1, 0, value, b""))
        assert turn is None or turn.text.strip()
