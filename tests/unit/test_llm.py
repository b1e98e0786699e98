"""The door to a model against a real server on loopback: every failure of reliability §5 is one sentence, in time."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import anthropic  # noqa: F401  -- loading it is part of the first deadline; here that is not what is measured
import pytest

from memtui.agent.llm import (
    AnthropicModel,
    Kind,
    Message,
    ModelFailed,
    Question,
    Tool,
    ToolCall,
    Usage,
    assistant,
    tool_results,
    user,
)
from memtui.agent.llm_settings import DEFAULT_MODEL, DEFAULT_URL, Access, access_from, check_url
from memtui.config import Config, ConfigError, load_config, parse_config
from memtui.memory.secrets.guard import find_secrets, secret_hash
from tests import messages_server as ways
from tests.messages_server import KEY, DeafServer, MessagesServer
from tests.unit.secret_makers import made

LONG = 60.0
"""A deadline that is never reached: what ends before it ended for another reason."""
SAVE = Tool("save", "Save it.", {"type": "object", "properties": {"slug": {"type": "string"}}})


def ask(server: MessagesServer, *, deadline: float = LONG, pause: float = 0.001) -> str:
    return AnthropicModel(server.access(), pause=pause).ask(Question([user("hello")]), deadline=deadline).text


def failed(server: MessagesServer, *, deadline: float = LONG) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        ask(server, deadline=deadline)
    return caught.value


# --- answers ---------------------------------------------------------------------------------------------------------


def test_an_answer_with_what_it_cost() -> None:
    with MessagesServer() as server:
        server.say("fine", tokens=(120, 8))
        answer = AnthropicModel(server.access()).ask(Question([user("hello")], "Be short.", max_tokens=50))
    assert (answer.text, answer.tool_calls, answer.stop_reason) == ("fine", (), "end_turn")
    assert answer.usage == Usage(120, 8)
    [asked] = server.asked
    assert asked.path == "/v1/messages"
    assert asked.key == KEY
    assert asked.body == {
        "model": DEFAULT_MODEL,
        "max_tokens": 50,
        "stream": True,
        "system": "Be short.",
        "messages": [{"role": "user", "content": "hello"}],
    }


def test_what_a_cache_held_counts_as_sent() -> None:
    with MessagesServer() as server:
        made = ways.message("ok")
        made["usage"] = {
            "input_tokens": 10,
            "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": 2,
            "output_tokens": 5,
        }
        server.play(ways.made(made))
        assert AnthropicModel(server.access()).ask(Question([user("x")])).usage == Usage(42, 5)
    assert Usage(1, 2) + Usage(10, 20) == Usage(11, 22)


def test_a_loop_with_tools() -> None:
    with MessagesServer() as server:
        server.play(
            ways.calls("I save it.", ways.tool_use("save", {"slug": "a"}, "toolu_9")), ways.text("done")
        )
        model = AnthropicModel(server.access())
        messages = [user("remember a")]
        first = model.ask(Question(messages, tools=[SAVE]))
        assert first.text == "I save it."
        assert first.stop_reason == "tool_use"
        assert first.tool_calls == (ToolCall("toolu_9", "save", {"slug": "a"}),)
        messages += [assistant(first), tool_results([(first.tool_calls[0], "saved")], failed=["toolu_9"])]
        assert model.ask(Question(messages, tools=[SAVE])).text == "done"
    assert server.asked[1].body["tools"] == [
        {"name": "save", "description": "Save it.", "input_schema": dict(SAVE.input_schema)}
    ]
    assert server.asked[1].body["messages"] == [
        {"role": "user", "content": "remember a"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I save it."},
                {"type": "tool_use", "id": "toolu_9", "name": "save", "input": {"slug": "a"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_9", "content": "saved", "is_error": True}
            ],
        },
    ]


def test_a_cut_answer_says_that_it_is_cut() -> None:
    with MessagesServer() as server:
        server.say("half of", stop="max_tokens")
        assert AnthropicModel(server.access()).ask(Question([user("x")])).stop_reason == "max_tokens"


def test_one_model_is_asked_from_several_threads() -> None:
    with MessagesServer() as server:
        model, texts = AnthropicModel(server.access()), []
        threads = [
            threading.Thread(target=lambda: texts.append(model.ask(Question([user("x")])).text))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert texts == ["ok"] * 8


# --- failures ----------------------------------------------------------------------------------------------------------

WRONG_SHAPES = {
    "a list": ["a"],
    "a text": "a",
    "null": None,
    "no content": {**ways.message("x"), "content": None},
    "content that is a text": {**ways.message("x"), "content": "x"},
    "a block that is a text": ways.message() | {"content": ["x"]},
    "a text block without text": ways.message({"type": "text"}),
    "a call without input": ways.message({"type": "tool_use", "id": "1", "name": "save"}),
    "a call whose input is a text": ways.message(
        {"type": "tool_use", "id": "1", "name": "save", "input": "{}"}
    ),
    "another type": {**ways.message("x"), "type": "completion"},
    "another role": {**ways.message("x"), "role": "user"},
    "no reason to stop": ways.message("x", stop=None),
    "an unknown reason to stop": ways.message("x", stop="whim"),
}


@pytest.mark.parametrize("shape", WRONG_SHAPES)
def test_a_wrong_shape_is_no_answer_and_is_not_asked_for_again(shape: str) -> None:
    with MessagesServer() as server:
        server.play(ways.made(WRONG_SHAPES[shape]))
        assert failed(server).kind == "garbage"
    assert len(server.asked) == 1


GARBAGE = {
    "html": (ways.html(), "a page"),
    "half of the JSON": (ways.half_json(), "not JSON"),
    "nothing": (ways.raw(b""), "not JSON"),
    "bytes": (ways.raw(b"\xff\xfe\x00"), "not JSON"),
    "deep": (ways.raw(b"[" * 100_000), "not JSON"),
    "endless": (ways.endless(), "longer than 16,777,216 bytes"),
    "packed": (ways.raw(b"x", headers=[("content-encoding", "gzip")]), "packed"),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_with_status_200_is_no_answer(name: str) -> None:
    play, says = GARBAGE[name]
    with MessagesServer() as server:
        server.play(play)
        failure = failed(server)
    assert failure.kind == "garbage"
    assert says in failure.what
    assert failure.where == server.url
    assert len(server.asked) == 1


ERRORS: dict[str, tuple[ways.Play, Kind, int]] = {
    "401": (ways.status(401, "authentication_error"), "refused key", 1),
    "403": (ways.status(403, "permission_error"), "refused key", 1),
    "400": (ways.status(400, "invalid_request_error"), "bad request", 1),
    "404": (ways.status(404, "not_found_error"), "bad request", 1),
    "413": (ways.status(413, "request_too_large"), "bad request", 1),
    "429": (ways.status(429, "rate_limit_error"), "overloaded", 4),
    "500": (ways.status(500), "overloaded", 4),
    "503 in HTML": (ways.raw(b"<html>", code=503, kind="text/html"), "overloaded", 4),
    "529": (ways.status(529, "overloaded_error"), "overloaded", 4),
    "closed": (ways.closed(), "unreachable", 4),
    "cut": (ways.cut(), "unreachable", 4),
    "an error with status 200": (
        ways.made({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
        "overloaded",
        4,
    ),
    "refusal": (ways.made(ways.message("No.", stop="refusal")), "refusal", 1),
}


@pytest.mark.parametrize("name", ERRORS)
def test_each_error_has_its_kind_and_only_what_may_pass_is_tried_again(name: str) -> None:
    play, kind, tries = ERRORS[name]
    with MessagesServer() as server:
        server.play(play)
        failure = failed(server)
    assert failure.kind == kind
    assert len(server.asked) == tries
    assert failure.said("zh") != failure.said("en")


def test_what_passes_is_tried_until_it_has_passed() -> None:
    with MessagesServer() as server:
        server.play(
            ways.status(529), ways.closed(), ways.status(429, retry_after="0.01"), ways.text("at last")
        )
        assert ask(server) == "at last"
    assert len(server.asked) == 4


def test_a_wait_that_ends_behind_the_deadline_is_not_begun() -> None:
    with MessagesServer() as server:
        server.play(ways.status(429, "rate_limit_error", retry_after="120"))
        assert failed(server, deadline=LONG).kind == "overloaded"
    assert len(server.asked) == 1


@pytest.mark.parametrize("header", ["soon", "nan", "inf", "-5", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_wait_that_is_none_is_not_kept(header: str) -> None:
    with MessagesServer() as server:
        server.play(ways.status(429, retry_after=header), ways.text("ok"))
        assert ask(server) == "ok"


def test_a_redirect_is_not_followed() -> None:
    with MessagesServer() as elsewhere, MessagesServer() as server:
        server.play(ways.redirect(f"{elsewhere.url}/v1/messages"))
        failure = failed(server)
    assert failure.kind == "address"
    assert elsewhere.asked == []
    assert len(server.asked) == 1


@pytest.mark.parametrize("play", [ways.hang(), ways.drip()], ids=["hang", "drip"])
def test_the_deadline_holds_for_all_of_it_and_the_connection_ends(play: ways.Play) -> None:
    with MessagesServer() as server:
        server.play(play)
        assert failed(server, deadline=0.3).kind == "timeout"
        if server.asked:
            server.wait_done()


def test_the_deadline_holds_for_a_connection_that_is_not_taken() -> None:
    with DeafServer() as deaf, pytest.raises(ModelFailed) as caught:
        AnthropicModel(deaf.access()).ask(Question([user("x")]), deadline=0.3)
    assert caught.value.kind == "timeout"
    assert "within 0.3 s" in caught.value.what


def test_what_failed_last_is_said_when_the_time_is_over() -> None:
    for deadline in (0.5, 2.0, 8.0, 32.0):  # as long as this machine needs for a first try
        with MessagesServer() as server:
            server.play(ways.status(529, said="too many of you"), ways.hang())
            failure = failed(server, deadline=deadline)
        if len(server.asked) == 2:
            break
    assert failure.kind == "overloaded"
    assert "too many of you" in failure.what


def test_it_is_called_off_from_another_thread_and_the_connection_ends() -> None:
    cancel = threading.Event()
    failures: list[ModelFailed] = []
    with MessagesServer() as server:
        server.play(ways.hang())

        def run() -> None:
            try:
                AnthropicModel(server.access()).ask(Question([user("x")]), deadline=LONG, cancel=cancel)
            except ModelFailed as failure:
                failures.append(failure)

        thread = threading.Thread(target=run)
        thread.start()
        server.wait_asked()
        cancel.set()
        thread.join(LONG / 2)
        assert not thread.is_alive()
        server.wait_done()
    assert failures[0].kind == "cancelled"


def test_what_was_called_off_before_is_not_begun() -> None:
    cancel = threading.Event()
    cancel.set()
    with MessagesServer() as server:
        with pytest.raises(ModelFailed) as caught:
            AnthropicModel(server.access()).ask(Question([user("x")]), cancel=cancel)
        assert server.asked == []
    assert caught.value.kind == "cancelled"


def test_a_port_where_nobody_listens() -> None:
    with MessagesServer() as server:
        access = server.access()
    with pytest.raises(ModelFailed) as caught:
        AnthropicModel(access, pause=0.001).ask(Question([user("x")]), deadline=LONG)
    assert caught.value.kind == "unreachable"


def test_what_the_service_says_is_shown_without_controls_or_keys() -> None:
    with MessagesServer() as server:
        server.play(ways.status(401, said=f"bad \x1b[2J key {KEY}\nof yours " + "x" * 5000))
        failure = failed(server)
    assert "bad ␛[2J key … of yours xxx" in failure.what
    assert KEY not in str(failure)
    assert len(failure.what) < 400


# --- keys, addresses, models -----------------------------------------------------------------------------------------


def test_without_a_key_nothing_is_sent() -> None:
    with MessagesServer() as server:
        with pytest.raises(ModelFailed) as caught:
            AnthropicModel(Access(url=server.url)).ask(Question([user("x")]))
        assert server.asked == []
    assert caught.value.kind == "no key"
    assert "ANTHROPIC_API_KEY" in caught.value.todo


@pytest.mark.parametrize("key", ["a\nb", "ключ", "a b", "a\x00"])
def test_a_key_that_is_none_is_not_sent_and_not_shown(key: str) -> None:
    with MessagesServer() as server:
        with pytest.raises(ModelFailed) as caught:
            AnthropicModel(Access(url=server.url, api_key=key)).ask(Question([user("x")]))
        assert server.asked == []
    assert caught.value.kind == "refused key"
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://[2001:db8::1]",
        "ftp://example.com",
        "example.com",
        "https://",
        "https://user@example.com",
        "https://user:word@127.0.0.1",
        "https://example.com?x=1",
        "https://example.com#x",
        "https://exa mple.com",
        "https://example.com:port",
        "https://[::1",
        "https://example.com\n.org",
        "",
    ],
)
def test_an_address_that_a_key_may_not_go_to(url: str) -> None:
    with pytest.raises(ModelFailed) as caught:
        check_url(url)
    assert caught.value.kind == "address"


@pytest.mark.parametrize(
    "url",
    [
        DEFAULT_URL,
        "https://example.com:8443/anthropic",
        "http://localhost:8080",
        "http://127.0.0.1:1",
        "http://127.1.2.3",
        "http://[::1]:80",
    ],
)
def test_an_address_that_it_may_go_to(url: str) -> None:
    check_url(url)


def test_the_environment_goes_before_the_configuration() -> None:
    config = Config(
        model="m-file", base_url="https://file.example/", api_key="k-file", sources={"base_url": "c.toml"}
    )
    assert access_from({}, Config()) == Access(DEFAULT_MODEL, DEFAULT_URL)
    assert access_from({}, config) == Access("m-file", "https://file.example", "k-file", "", "c.toml")
    environ = {
        "MEMTUI_MODEL": "m-env",
        "ANTHROPIC_BASE_URL": "https://env.example",
        "ANTHROPIC_AUTH_TOKEN": "t-env",
    }
    assert access_from(environ, config) == Access(
        "m-env", "https://env.example", "", "t-env", "ANTHROPIC_BASE_URL"
    )
    both = access_from({**environ, "ANTHROPIC_API_KEY": "k-env"}, config)
    assert (both.api_key, both.auth_token) == ("k-env", "")


def test_another_host_than_the_usual_one_is_told_of() -> None:
    assert Access().foreign_host == ""
    assert Access(url="https://proxy.example:444/x").foreign_host == "proxy.example:444"


def test_a_token_travels_as_one() -> None:
    with MessagesServer() as server:
        AnthropicModel(Access(url=server.url, auth_token="t-1")).ask(Question([user("x")]))  # noqa: S106  -- made up
    assert server.asked[0].headers["authorization"] == "Bearer t-1"


@pytest.mark.parametrize(
    "line",
    [
        "base_url = 'https://evil.example'",
        "api_key = 'k'",
        "model = 'm'",
        "use_model = true",
        "auto_dream = true",
        "dream_hours = 0",
        "dream_sessions = 0",
    ],
)
def test_a_directory_cannot_say_where_a_question_goes_or_what_it_costs(tmp_path: Path, line: str) -> None:
    own = tmp_path / ".memtui"
    own.mkdir()
    (own / "config.toml").write_text(f"entries = 3\n{line}\n")
    user_file = tmp_path / "user.toml"
    user_file.write_text("model = 'mine'\n")
    config = load_config(user_file, tmp_path)
    assert (config.model, config.base_url, config.api_key, config.use_model) == ("mine", None, None, None)
    assert (config.auto_dream, config.dream_hours, config.dream_sessions) == (None, None, None)
    assert config.problem is not None
    assert "your own configuration file only" in str(config.problem)


def test_a_key_in_the_configuration_is_never_shown() -> None:
    config = parse_config(b"api_key = 'hush-hush'\n", "c.toml")
    assert config.api_key == "hush-hush"
    assert "hush-hush" not in repr(config)
    assert "hush-hush" not in repr(access_from({}, config))
    with pytest.raises(ConfigError) as caught:
        parse_config(b"api_key = ['hush-hush']\n", "c.toml")
    assert "hush-hush" not in str(caught.value)


# --- what is sent ------------------------------------------------------------------------------------------------------


def test_no_secret_leaves_in_any_part_of_a_question() -> None:
    rng = Random(5)
    secrets = [*made(rng, "github-token"), *made(rng, "github-token")][:7]
    system, said, tool, argument, result, key, nested = secrets
    messages = [
        user(f"the token {said}"),
        Message(
            "assistant",
            (
                {"type": "text", "text": "I see"},
                {
                    "type": "tool_use",
                    "id": "toolu_1",
                    "name": "save",
                    "input": {"a": [argument], key: {"b": nested}},
                },
            ),
        ),
        tool_results([(ToolCall("toolu_1", "save", {}), f"saved {result}")]),
    ]
    with MessagesServer() as server:
        model = AnthropicModel(server.access())
        tools = [Tool("save", f"like {tool}", {"type": "object"})]
        question = Question(messages, f"remember {system}", tools)
        model.ask(question)
        planned = model.request(question)
    [asked] = server.asked
    sent = json.dumps(asked.body)
    assert [secret for secret in secrets if secret in sent] == []
    assert not find_secrets(sent)
    assert sent.count("[secret github-token ") == 7
    model = AnthropicModel(server.access(), allowed={secret_hash(said)})
    let_through = json.dumps(model.request(question).body)
    assert [secret for secret in secrets if secret in let_through] == [said]
    assert asked.body["messages"][1]["content"][1]["id"] == "toolu_1"
    assert planned.body == asked.body
    assert planned.url == f"{server.url}/v1/messages"
    assert planned.redacted == 7


def test_half_a_character_is_sent_as_one_that_is_none() -> None:
    with MessagesServer() as server:
        AnthropicModel(server.access()).ask(Question([user("half \ud83d, whole 😀, 记忆")]))
    assert server.asked[0].body["messages"][0]["content"] == "half \ufffd, whole 😀, 记忆"


def test_a_dry_run_needs_no_key_and_loads_no_library() -> None:
    code = (
        "import sys\n"
        "from memtui.agent.llm import AnthropicModel, Question, user\n"
        "from memtui.config import Config\n"
        "model = AnthropicModel.from_settings({}, Config())\n"
        "assert model.request(Question([user('x')])).body['messages']\n"
        "sys.exit('anthropic' in sys.modules or 'httpx2' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
