"""The team screen, and the sync behind the app, with a real repository; drawing is tested as the pure functions it is."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.pilot import Pilot

from memtui.config import Config
from memtui.memory.errors import Refused
from memtui.team.failures import TeamError
from memtui.team.news import News
from memtui.team.repo import LogEntry
from memtui.team.resolving import Decision
from memtui.team.results import Arrival, Blocked, Preview, TeamStatus
from memtui.team.vet import Held
from memtui.tui.given import teaming
from memtui.tui.launch import make_app
from memtui.tui.notices_team import team_notice
from memtui.tui.present import team as present_team
from memtui.tui.present.blocks import Block
from memtui.tui.present.lines import plain, width
from memtui.tui.present.team import TeamLoaded
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.team import TeamScreen
from memtui.tui.screens.team_joining import JoinScreen
from memtui.tui.screens.typed import TypedScreen
from memtui.tui.voice import PLAIN, Voice
from memtui.tui.widgets.editor import Editor
from memtui.tui.widgets.fields import TextField
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.team import EN

from .conftest import Write, app_of, browse, notices, screen_text, until
from .making import DAY, HOSTILE, NOW
from .sharing import REMOTE, Person, Shared, busy, made_secret


@asynccontextmanager
async def at_screen(person: Person, *, shared: bool = True) -> AsyncIterator[Pilot[None]]:
    """The app as somebody sees it who shares, with the first sync over."""
    config = Config(team_poll_seconds=86_400)
    app = make_app(
        person.memory,
        clock=lambda: NOW,
        config=config,
        joined=shared,
        sharing=teaming(environ=person.environ, config=config, state=lambda: person.state, read_only=False),
    )
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        if shared:
            await until(pilot, lambda: app.team is not None and app.team._synced)
        yield pilot
    assert not app.faults


async def on_team(pilot: Pilot[None], *keys: str) -> TeamScreen:
    """Open the team screen, and press more keys once all is read."""
    await until(pilot, lambda: app_of(pilot).snapshot is not None)
    await pilot.press("t")
    await until(pilot, lambda: isinstance(pilot.app.screen, TeamScreen))
    screen = pilot.app.screen
    assert isinstance(screen, TeamScreen)
    await until(pilot, lambda: screen._loaded is not None)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    return screen


async def test_what_arrived_is_accepted_declined_and_taken_back(tmp_path: Path, memory: Path) -> None:
    shared = busy(tmp_path, memory)
    async with at_screen(shared.ada) as pilot:
        assert "team ↓4" in screen_text(pilot).split("\n")[0]
        [note] = notices(pilot)
        assert "Others changed deploys, old-sprint, on-call, and 1 more" in note
        assert "Not shared: vpn" in note
        await on_team(pilot, "j")
        await until(pilot, lambda: "升级路径" in screen_text(pilot))
        assert not (memory / "team" / "on-call.md").exists()
        assert "\x1b" not in screen_text(pilot)
        await pilot.press("a")
        await until(pilot, (memory / "team" / "on-call.md").exists)
        await until(pilot, lambda: any("Accepted: team/on-call" in note for note in notices(pilot)))
        await until(pilot, lambda: "[1 Arrived 2]" in screen_text(pilot))
        await pilot.press("x")
        await until(pilot, lambda: "[1 Arrived 1]" in screen_text(pilot))
        await pilot.press("z")
        await until(pilot, lambda: "[1 Arrived 2]" in screen_text(pilot))
        assert any("Waits again: team/" in note for note in notices(pilot))
        await pilot.press("z")
        await until(pilot, lambda: not (memory / "team" / "on-call.md").exists())


async def test_what_both_changed_is_chosen_between_three_texts_and_shared(
    tmp_path: Path, memory: Path
) -> None:
    shared = busy(tmp_path, memory)
    async with at_screen(shared.ada) as pilot:
        screen = await on_team(pilot, "2")
        await until(pilot, lambda: "Wednesdays" in screen_text(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConflictScreen))
        await until(pilot, lambda: "One place was changed on both sides" in screen_text(pilot))
        assert "What you choose is what everybody gets" in screen_text(pilot)
        await pilot.press("m")
        await until(pilot, lambda: "[2 Both changed]" in screen_text(pilot))
        assert "Wednesdays" in (memory / "team" / "deploys.md").read_text()
        team = app_of(pilot).team
        assert team is not None
        await until(pilot, lambda: not team._sync.status().ahead and not team.syncing)
        assert screen._loaded is not None
    shared.bob.share(days=0)
    assert "Wednesdays" in (shared.bob.memory / "team" / "deploys.md").read_text()


async def test_what_both_changed_is_edited_as_one_text_before_anybody_gets_it(
    tmp_path: Path, memory: Path
) -> None:
    shared = busy(tmp_path, memory)
    here = memory / "team" / "deploys.md"
    async with at_screen(shared.ada) as pilot:
        await on_team(pilot, "2")
        await until(pilot, lambda: "Wednesdays" in screen_text(pilot))
        before = here.read_text()
        await pilot.press("enter")
        await until(pilot, lambda: "One place was changed on both sides" in screen_text(pilot))
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        screen = pilot.app.screen
        assert isinstance(screen, EditScreen)
        assert "Wednesdays" in screen.draft.content  # both wordings, for a person to choose from
        assert len(screen.draft.content.splitlines()) > 1
        assert here.read_text() == before
        screen.query_one(Editor).text = "Deploys go out on Mondays, as both of us now say.\n"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, TeamScreen))
        await until(pilot, lambda: "[2 Both changed]" in screen_text(pilot))
        assert "Mondays" in here.read_text()
        team = app_of(pilot).team
        assert team is not None
        await until(pilot, lambda: not team._sync.status().ahead and not team.syncing)
    shared.bob.share(days=0)
    assert "Mondays" in (shared.bob.memory / "team" / "deploys.md").read_text()


async def test_out_of_reach_it_says_so_once_and_shares_when_asked_again(tmp_path: Path, memory: Path) -> None:
    shared = Shared(tmp_path, memory)
    shared.ada.write("deploys", "Deploys happen on Tuesdays.")
    away = shared.server.rename(tmp_path / "away")
    async with at_screen(shared.ada) as pilot:
        await until(pilot, lambda: "team offline ↑1" in screen_text(pilot).split("\n")[0])
        assert len(notices(pilot)) == 1
        away.rename(shared.server)
        await on_team(pilot, "S")
        await until(pilot, lambda: "nothing to send · synced just now" in screen_text(pilot))
        shared.ada.write(
            "reviews", "Two people read every change."
        )  # seen by the watch, and shared after a pause
        team = app_of(pilot).team
        assert team is not None
        await until(pilot, lambda: len(team._sync.log()) == 2)
        await until(pilot, lambda: not team.syncing and not team._sync.status().ahead)
    shared.bob.share(days=0)
    assert {path.name for path in (shared.bob.memory / "team").iterdir()} == {"deploys.md", "reviews.md"}


async def test_where_nothing_is_shared_it_says_how_to_begin_and_where_it_is_off_so_too(
    tmp_path: Path, memory: Path, write: Write
) -> None:
    write("a")
    person = Person("Ada", tmp_path / "ada", memory, tmp_path / "server", NOW)
    async with at_screen(person, shared=False) as pilot:
        await on_team(pilot)
        assert "i shares this directory" in screen_text(pilot)
        await pilot.press("S")
        await until(pilot, lambda: any("these memories are not shared" in note for note in notices(pilot)))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, TeamScreen))
    person.environ["TEAMMEM"] = "0"
    async with at_screen(person, shared=False) as pilot:
        await until(pilot, lambda: app_of(pilot).snapshot is not None)
        await pilot.press("t")
        await until(pilot, lambda: "Team memory is switched off." in screen_text(pilot))


async def test_a_directory_is_shared_from_the_screen_once_it_was_shown_what_goes_out(
    tmp_path: Path, memory: Path
) -> None:
    shared = Shared(tmp_path, memory)
    person = Person("Eve", tmp_path / "eve", tmp_path / "eve" / "memory", shared.server, NOW)
    person.write("deploys", "Deploys happen on Tuesdays.")
    person.write("vpn", f"The VPN needs {made_secret('v')}.")
    async with at_screen(person, shared=False) as pilot:
        await on_team(pilot, "i")
        await until(pilot, lambda: "Shares 1 memory: deploys" in screen_text(pilot))
        assert "Stays here: vpn" in screen_text(pilot)
        await pilot.press(*"ext::sh", "enter")
        await until(pilot, lambda: "not one that memtui shares with" in screen_text(pilot))
        assert not person.sync.configured
        assert not browse(pilot).setting.team
        screen = pilot.app.screen
        assert isinstance(screen, JoinScreen)
        screen.query_one("#join-remote", TextField).value = REMOTE
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TeamScreen))
        await until(pilot, lambda: person.sync.configured and not person.sync.status().ahead)
        await until(pilot, lambda: "nothing to send · synced just now" in screen_text(pilot))
        assert browse(pilot).setting.team, "memories can go to the team at once"
    shared.bob.share(days=0)
    assert [path.name for path in (shared.bob.memory / "team").iterdir()] == ["deploys.md"]


async def test_asking_a_remote_is_given_up_by_escape_and_once_more_leaves(
    tmp_path: Path, memory: Path
) -> None:
    person = Person("Eve", tmp_path / "eve", memory, tmp_path / "server", NOW)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        async with at_screen(person, shared=False) as pilot:
            await on_team(pilot, "i")
            screen = pilot.app.screen
            assert isinstance(screen, JoinScreen)
            address = f"http://127.0.0.1:{silent.getsockname()[1]}/team.git"
            screen.query_one("#join-remote", TextField).value = address
            await pilot.press("enter")
            await until(pilot, lambda: "asking the remote" in screen_text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: "stopped before it was done" in screen_text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, TeamScreen))
    assert not person.sync.configured


async def test_what_is_held_for_a_secret_is_let_through_by_its_name(tmp_path: Path, memory: Path) -> None:
    shared = busy(tmp_path, memory)
    async with at_screen(shared.ada) as pilot:
        screen = await on_team(pilot, "3", "j", "j")
        await until(
            pilot, lambda: isinstance(screen._list.cursor, Held) and "r lets it through" in screen_text(pilot)
        )
        assert screen._list.cursor.rel == "staging.md"  # type: ignore[union-attr]
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, TypedScreen))
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, TypedScreen)
        await pilot.press(*"team/staging", "enter")
        await until(pilot, lambda: any("Let through" in note for note in notices(pilot)))
        await until(pilot, lambda: "1 Arrived 4" in screen_text(pilot))
    assert [row.status for row in shared.ada.manager.audit.rows() if row.slug == "team/staging"] == [
        "released"
    ]


# The pure part


def test_what_would_go_out_names_twelve_and_counts_the_rest_and_shows_nothing_odd() -> None:
    rels = tuple(f"m{number:02}.md" for number in range(14))
    blocked = (Blocked(f"{HOSTILE}.md", "pem", 3, "f"),)
    lines = present_team.preview_lines(Preview(rels, blocked, ("l.md",)), "en", EN)
    assert lines[0].startswith("Shares 14 memories: m00, m01, ")
    assert lines[0].endswith("m11, and 2 more")
    assert "\x1b" not in "".join(lines)
    assert lines[2] == "Stays here: l.md (cannot be read, or is a link)"
    assert present_team.preview_lines(Preview(()), "en", EN) == [EN.preview_none]


def test_two_memories_that_met_are_told_by_both_names() -> None:
    pair = Decision("team/a", "", (), "both", b"1", b"2", NOW, "same-name", "team/a-2")
    assert present_team.clash_said(pair, EN) == "two new ones of this name, yours is a-2"
    renamed = Decision("team/a", "", (), "both", b"1", b"2", NOW, "both-renamed", "team/b")
    assert present_team.clash_said(renamed, EN) == "both renamed it, yours is b"


def status(**more: object) -> TeamStatus:
    return TeamStatus(configured=True, remote="host:x", branch="main", **more)  # type: ignore[arg-type]


ARRIVAL = Arrival("a.md", "1", "changed", "Bob", NOW - DAY)


@pytest.mark.parametrize(
    ("state", "mark"),
    [
        (None, ""),
        (TeamStatus(configured=False), ""),
        (status(), "team"),
        (status(ahead=2, arrivals=(ARRIVAL,)), "team ↑2 ↓1"),
        (status(unsaved=2, blocked=(Blocked("b.md", "pem", 1, "f"),)), "team ↑1"),
        (status(last_error=TeamError("offline"), ahead=1), "team offline ↑1"),
        (status(last_error=TeamError("blocked")), "team !"),
    ],
)
def test_the_top_line_says_how_the_team_stands(state: TeamStatus | None, mark: str) -> None:
    assert plain(present_team.team_mark(state, EN)) == mark


def test_an_arrival_that_clashes_is_listed_where_it_is_decided() -> None:
    clash = Decision("team/a", "", (ARRIVAL,), "theirs", b"1", b"2", NOW)
    other = Arrival("b.md", "2", "new", "Bob", NOW)
    loaded = TeamLoaded(status(arrivals=(ARRIVAL, other)), (clash,))
    assert present_team.items_of(loaded, "arrived") == (other,)
    assert present_team.items_of(loaded, "clashes") == (clash,)
    assert "2 Both changed 1" in plain(present_team.tabs_line(loaded, "arrived", EN))


@pytest.mark.parametrize("cells", [20, 50, 120])
def test_hostile_names_reach_no_row_and_fit(cells: int) -> None:
    items: list[present_team.Item] = [
        Arrival(f"{HOSTILE}.md", "1", "new", HOSTILE, NOW),
        Decision(f"team/{HOSTILE}", "", (), "ours", b"", None, NOW),
        Held(f"{HOSTILE}\udcff", "1", "secret", "pem", 3, "f"),
        Blocked(f"{HOSTILE}.md", "pem", 0, "f"),
        LogEntry("c" * 40, HOSTILE, NOW, HOSTILE, {HOSTILE: None}),
    ]
    for item in items:
        row = present_team.item_row(item, cells, cursor=True, now=NOW, lang="en", words=EN)
        assert width(row) <= cells
        shown = plain(row)
        if isinstance(item, Held | Blocked | LogEntry):
            blocks = present_team.item_blocks(item, now=NOW, lang="en", words=EN)
            shown += "".join(plain(block.line) for block in blocks)
        assert not {"\x1b", "\x07", "\u202e", "\udcff"} & set(shown)


def test_an_author_of_any_length_leaves_room_for_what_it_is() -> None:
    """Whoever makes a commit writes what they like for a name."""
    author = "x" * 300
    items: list[present_team.Item] = [
        Arrival("deploy.md", "1", "new", author, NOW),
        LogEntry("c" * 40, author, NOW, "memtui: deploy", {}),
    ]
    for item in items:
        row = present_team.item_row(item, 80, cursor=False, now=NOW, lang="en", words=EN)
        assert "just now" in plain(row)
        assert "deploy" in plain(row)
        assert plain(row).endswith("x… ")
        assert width(row) == 80


def test_what_is_merged_keeps_the_rest_of_theirs() -> None:
    base = "---\nname: A\ndescription: d\ntype: user\nowner: bob\n---\n\n"
    decision = Decision("team/a", "", (), "theirs", f"{base}mine\n".encode(), f"{base}theirs\n".encode())
    sides = present_team.sides_of(decision)
    assert sides is not None
    text = present_team.merged_text(decision, sides[0])
    assert text == f"{base}mine\n"
    assert present_team.sides_of(Decision("a", "", (), "ours", b"x", None)) is None
    assert present_team.sides_of(Decision("a", "", (), "ours", b"x\xff", b"y")) is None


def test_a_notice_names_three_and_counts_the_rest_and_tells_errors() -> None:
    slugs = tuple(f"team/m{n}" for n in range(5))
    notice = team_notice((News("arrived", slugs), News("shared", slugs)), PLAIN)
    assert notice == ("Team", "Others changed m0, m1, m2, and 2 more\nt shows it", "information")
    assert team_notice((News("shared", slugs), News("applied", slugs)), PLAIN) is None
    told = team_notice((News("failed", (), Refused("no", todo="do")),), Voice("zh"))
    assert told is not None
    assert told[1:] == ("no\ndo\n按 t 查看", "warning")


async def test_a_text_that_came_out_of_sight_is_there_when_its_pane_comes_back() -> None:
    """A view that was asked for its width while its pane was hidden kept none, and stayed empty when it was shown."""

    class Two(App[None]):
        def compose(self) -> ComposeResult:
            with Vertical(id="pane"):
                yield TextView(id="view")

    async with Two().run_test(size=(40, 10)) as pilot:
        view, pane = pilot.app.query_one(TextView), pilot.app.query_one("#pane")
        await pilot.pause()
        pane.display = False
        await pilot.pause()
        view._room_for = None
        view.show((Block((("text", ""),)),), key=1)
        pane.display = True
        await pilot.pause()
        assert [plain(line) for line in view.lines] == ["text"]
