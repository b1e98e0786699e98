"""Team memory on the command line: the switch, saving, listing, moving between scopes, and the guard in front of it."""

import random
from pathlib import Path

import pytest

from memtui.config import Config, team_on
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox, Origin
from memtui.memory.secrets.guard import secret_hash
from memtui.team.joined import is_joined
from memtui.team.state import StateFolder, TeamState
from tests.unit.cli_support import Cli
from tests.unit.secret_makers import TEMPLATES, drawn

TOKEN = drawn(random.Random(11), TEMPLATES["gitlab-token"][0])
HEADER = ("--name", "Deploys", "--description", "when we deploy", "--type", "project")


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path, environ={"TEAMMEM": "1"})
    made.memory_file("a", "As [[b]] says.")
    made.memory_file("b", "What [[a]] says.")
    return made


def test_saving_for_the_team_needs_the_switch_and_lists_by_scope(cli: Cli) -> None:
    cli.environ["TEAMMEM"] = "0"
    done = cli("save", "x", "--scope", "team", *HEADER, "--content", "Deploys happen on Tuesdays.")
    assert (done.code, "TEAMMEM=1" in done.err) == (4, True)
    assert cli("move", "a", "--scope", "team", "--yes").code == 4
    cli.environ["TEAMMEM"] = "1"
    assert cli("save", "x", "--scope", "team", *HEADER, "--content", "Deploys happen on Tuesdays.").code == 0
    cli.environ["TEAMMEM"] = "0"
    assert cli("save", "team/x", "--description", "when deploys are").code == 0, "what is there can be edited"
    assert [row["slug"] for row in cli("list", "--scope", "team", "--json").json] == ["team/x"]
    assert {row["slug"] for row in cli("list", "--scope", "private", "--json").json} == {"a", "b"}


def test_a_proposal_for_a_team_that_is_switched_off_is_left(cli: Cli) -> None:
    inbox = Inbox(MemoryManager.open(cli.memory))
    inbox.add(inbox.propose_save("team/x", "X", "d", "project", "Deploys are on Tuesdays.", Origin("dream")))
    cli.environ["TEAMMEM"] = "0"
    done = cli("review", "accept", "team/x")
    assert (done.code, "TEAMMEM=1" in done.err) == (4, True)
    assert not (cli.memory / "team").exists()
    cli.environ["TEAMMEM"] = "1"
    assert cli("review", "accept", "team/x").code == 0


def test_a_move_to_the_team_is_shown_first_and_undone_at_once(cli: Cli) -> None:
    before = {path: path.read_bytes() for path in cli.memory.rglob("*.md")}
    tried = cli("move", "a", "--scope", "team", "--dry-run", "--json")
    assert tried.json["memories"] == [
        {"slug": "a", "new_slug": "team/a", "versions": 0, "private_links": ["b"]}
    ]
    assert (tried.json["links_follow_in"], tried.json["done"]) == (["b"], None)
    assert {path: path.read_bytes() for path in cli.memory.rglob("*.md")} == before
    done = cli("move", "a", "--scope", "team", "--yes", "--lang", "zh")
    assert (done.code, "team/a" in done.out, "只有你有" in done.err) == (0, True, True)
    assert (cli.memory / "team/a.md").is_file()
    assert cli("undo").code == 0
    assert {path: path.read_bytes() for path in cli.memory.rglob("*.md")} == before
    assert cli("copy", "a", "--scope", "team", "--as", "c", "--yes").code == 0
    assert {row["slug"] for row in cli("list", "--json").json} == {"a", "b", "team/c"}


@pytest.mark.parametrize(
    "more", [["--to", "elsewhere"], ["--merge"], ["b", "--as", "c"], ["--as", "B!"]]
)  # fmt: skip
def test_options_that_do_not_go_together_are_refused(cli: Cli, more: list[str]) -> None:
    assert cli("move", "a", "--scope", "team", "--yes", *more).code == 2
    assert cli("move", "a", "--yes").code == 2
    assert not (cli.memory / "team").exists()


def test_a_secret_for_the_team_is_refused_unless_the_slug_is_typed(cli: Cli) -> None:
    text = ("--content", f"The deploy token is {TOKEN}.")
    refused = cli("save", "x", "--scope", "team", *HEADER, *text)
    assert refused.code == 4
    for part in ("gitlab-token", "team/x.md", secret_hash(TOKEN)[:12], "--allow-secret team/x"):
        assert part in refused.err
    assert TOKEN not in refused.err + refused.out
    assert cli("save", "x", "--scope", "team", *HEADER, *text, "--allow-secret", "team/y").code == 4
    assert cli("save", "a", *text).code == 0
    assert cli("move", "a", "--scope", "team", "--dry-run").code == 4
    moved = cli("move", "a", "--scope", "team", "--yes")
    assert (moved.code, "gitlab-token" in moved.err) == (4, True)
    assert not (cli.memory / "team").exists()
    done = cli("move", "a", "--scope", "team", "--yes", "--allow-secret", "team/a")
    assert done.code == 0
    assert TOKEN not in done.err + done.out
    rows = MemoryManager.open(cli.memory).audit.rows()
    assert ("share_secret", "override", "team/a") in [(row.tool_name, row.status, row.slug) for row in rows]


def test_a_directory_that_is_synced_has_a_team_unless_a_setting_says_otherwise(cli: Cli) -> None:
    del cli.environ["TEAMMEM"]
    state = cli.home / "state"
    assert not is_joined(state, cli.memory)
    assert cli("move", "a", "--scope", "team", "--dry-run").code == 4
    StateFolder(state, cli.memory).save(TeamState(url="https://git.test/team.git", branch="main"))
    assert is_joined(state, cli.memory)
    assert cli("move", "a", "--scope", "team", "--dry-run").code == 0
    assert not is_joined(state, cli.project)
    assert team_on({}, Config(), joined=True)
    assert not team_on({}, Config(team=False), joined=True)
    assert not team_on({"TEAMMEM": "0"}, Config(team=True), joined=True)
    assert team_on({"TEAMMEM": "on"}, Config(team=False))


def test_a_proposal_for_the_team_with_a_secret_waits_until_the_slug_is_typed(cli: Cli) -> None:
    manager = MemoryManager.open(cli.memory, clock=lambda: cli.now)
    inbox = Inbox(manager)
    text = f"The deploy token is {TOKEN}."
    inbox.add(inbox.propose_save("team/x", "X", "about x", "reference", text, Origin("extraction")))
    (waiting,) = inbox.pending()
    refused = cli("review", "accept", waiting.id)
    assert (refused.code, "gitlab-token" in refused.err, TOKEN in refused.err) == (4, True, False)
    assert cli("review", "accept", waiting.id, "--allow-secret", "team/x").code == 0
    assert (cli.memory / "team/x.md").is_file()
