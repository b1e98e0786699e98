"""``memtui select``: who goes with a question, and what a model would cost, is sent, or did."""

import string
from pathlib import Path

import anthropic  # noqa: F401  -- loading it is part of the first deadline; here that is not what is measured
import pytest

from memtui.memory.relevance.told import SelectionWords, selection_words
from tests import messages_server as ways
from tests.messages_server import KEY, MessagesServer
from tests.unit.cli_support import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    made.memory_file("deploy-day", "Deploys happen on Tuesdays, after lunch.", days_old=10.0)
    made.memory_file("freeze", "No deploys in December.", days_old=1.0)
    for number in range(6):
        made.memory_file(f"other-{number}", f"Something else {number}.", days_old=2.0 + number)
    made.memory_file("bash-notes", "How Bash is used here.", type="reference", name="Bash", days_old=0.0)
    return made


def test_an_offline_choice_with_its_reasons(cli: Cli) -> None:
    done = cli("select", "when", "do", "deploys", "happen", "--max", "2")
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert [row[:2] for row in rows] == [["freeze", "0.98"], ["deploy-day", "0.56"]]
    assert "“deploys” in the text" in done.out
    assert done.err == "2 of 9 memories · chosen by what they say\n"


def test_as_json(cli: Cli) -> None:
    done = cli("select", "when do deploys happen", "--max", "2", "--json")
    assert [each["slug"] for each in done.json] == ["freeze", "deploy-day"]
    assert all(set(each) == {"slug", "score", "reasons"} for each in done.json)
    first, word, *_ = done.json[1]["reasons"]
    assert first["kind"] == "relevance"
    assert first["relevance"] > 0
    assert set(word) == {"kind", "term", "found", "how", "field", "score"}
    assert {reason["term"] for reason in done.json[1]["reasons"][1:]} >= {"deploys"}


def test_without_a_question_the_most_recent(cli: Cli) -> None:
    done = cli("select", "--max", "2", "--json", "--surfaced", "freeze", "--recent-tool", "Bash")
    assert [each["slug"] for each in done.json] == ["other-0", "other-1"]
    assert done.json[0]["reasons"] == [{"kind": "recency", "relevance": None}]
    every = cli("select", "--max", "9", "--json", "--recent-tool", "Bash").json
    assert every[-1]["slug"] == "bash-notes"
    assert every[-1]["reasons"] == [{"kind": "all", "relevance": None}, {"kind": "tool", "tool": "Bash"}]


def test_nothing_relevant_is_said(cli: Cli) -> None:
    done = cli("select", "quantum", "chromodynamics", "--max", "3")
    assert (done.code, done.out) == (0, "")
    assert done.err == "no memory is about that; none of 9 is chosen\n"


def test_a_model_is_asked_on_demand_only(cli: Cli) -> None:
    with MessagesServer() as server:
        cli.environ.update(server.environ())
        server.say('["other-3", "deploy-day"]', tokens=(1234, 9))
        assert cli("select", "deploys", "--max", "3").code == 0
        assert server.asked == []
        done = cli("select", "deploys", "--max", "3", "--model", "--json")
        assert [each["slug"] for each in done.json] == ["other-3", "deploy-day"]
        assert done.json[0]["reasons"] == [{"kind": "model", "relevance": None}]
        assert done.err.endswith(
            "2 of 9 memories · chosen by the model · 1,234 + 9 tokens (question + answer)\n"
        )
        assert len(server.asked) == 1
        assert f"claude-sonnet-5-5 is asked at {server.url.removeprefix('http://')}\n" in done.err


def test_a_setting_asks_it_where_there_is_a_key(cli: Cli) -> None:
    cli.home.mkdir(exist_ok=True)
    with MessagesServer() as server:
        server.say('["other-3"]')
        (cli.home / "config.toml").write_text(f"use_model = true\nbase_url = '{server.url}'\nmodel = 'm-1'\n")
        assert cli("select", "deploys", "--max", "3").code == 0
        assert server.asked == []
        cli.environ["ANTHROPIC_API_KEY"] = KEY
        assert cli("select", "deploys", "--max", "3", "--offline").code == 0
        assert server.asked == []
        assert cli("select", "deploys", "--max", "3").out.startswith("other-3 ")
        assert server.asked[0].body["model"] == "m-1"


@pytest.mark.parametrize(
    ("play", "says"),
    [
        (ways.status(401, "authentication_error", "no such key"), "does not take the key (401: no such key)"),
        (ways.html(), "it is a page, not an answer"),
        (ways.text("I cannot."), "its answer names no memory"),
    ],
    ids=["401", "html", "prose"],
)
def test_a_model_that_fails_is_told_once_and_changes_nothing(cli: Cli, play: ways.Play, says: str) -> None:
    before = cli.files()
    offline = cli("select", "when do deploys happen", "--max", "2")
    with MessagesServer() as server:
        cli.environ.update(server.environ())
        server.play(play)
        done = cli("select", "when do deploys happen", "--max", "2", "--model")
    assert (done.code, done.out) == (0, offline.out)
    assert done.err.count("The model did not choose") == 1
    assert says in done.err
    assert cli.files() == before


def test_without_a_key_it_says_how_to_set_one(cli: Cli) -> None:
    done = cli("select", "deploys", "--max", "3", "--model")
    assert done.code == 0
    assert "no key for a model is set" in done.err
    zh = cli("--lang", "zh", "select", "deploys", "--max", "3", "--model")
    assert zh.err.startswith("memtui: 模型未作选择（没有设置模型的密钥。")


def test_a_dry_run_prints_what_would_be_sent(cli: Cli) -> None:
    with MessagesServer() as server:
        server.say("[]")
        cli.environ.update(server.environ())
        done = cli("select", "deploys", "--max", "3", "--dry-run")
        assert server.asked == []
        assert cli("select", "deploys", "--max", "3", "--model").code == 0
        assert done.json == {"url": f"{server.url}/v1/messages", "body": server.asked[0].body, "redacted": 0}
    assert KEY not in done.out
    assert done.err.startswith("nothing was sent; the question has about ")
    nothing = cli("select", "deploys", "--max", "20", "--dry-run")
    assert (nothing.out, nothing.err) == ("", "nothing would be sent: all memories fit\n")
    assert cli("select", "deploys", "--dry-run", "--offline").code == 2


def test_a_directory_cannot_have_the_question_sent_elsewhere(cli: Cli) -> None:
    with MessagesServer() as server, MessagesServer() as evil:
        cli.environ.update(server.environ())
        del cli.environ["ANTHROPIC_BASE_URL"]
        cli.home.mkdir(exist_ok=True)
        (cli.home / "config.toml").write_text(f"base_url = '{server.url}'\n")
        cli.write(".memtui/config.toml", f"base_url = '{evil.url}'\nuse_model = true\n")
        done = cli("select", "deploys", "--max", "3", "--model")
        assert (len(server.asked), len(evil.asked)) == (1, 0)
    assert "use_model is taken from your own configuration file only" in done.err


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("field", SelectionWords.names())
def test_both_languages_say_it_with_the_same_parts(field: str) -> None:
    en, zh = getattr(selection_words("en"), field), getattr(selection_words("zh"), field)
    assert placeholders(en) == placeholders(zh)
    assert en != zh
