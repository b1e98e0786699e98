"""Review (design §3, spec §14): proposals and others' changes, decided on one by one or together, and taken back."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.memory.errors import Refused
from memtui.memory.review.proposals import Broken, Evidence, Origin, Proposal, ProposedText
from memtui.memory.review.unreviewed import OthersChange
from memtui.memory.saving.records import Edit
from memtui.memory.text import visible
from memtui.memory.versions.diffrows import Pair, Row
from memtui.tui.conditions import Conditions
from memtui.tui.present import review as present_review
from memtui.tui.present import review_item
from memtui.tui.present.blocks import layout
from memtui.tui.present.decision import decision_blocks
from memtui.tui.present.lines import plain, width
from memtui.tui.present.review import Group
from memtui.tui.reviewing import Decision, Item, Looked, Waiting
from memtui.tui.screens.bulk import BulkScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.review import ReviewScreen
from memtui.tui.screens.target import TargetScreen
from memtui.tui.screens.typed import TypedScreen
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.wording import edit as edit_wording
from memtui.tui.wording.review import EN, ZH

from . import waiting
from .conftest import app_of, browse, cursor, notices, rows, running, screen_text, until
from .making import DAY, HOSTILE, NOW
from .sharing import made_secret
from .waiting import Waiting as Waits

# --- what it says, without a screen ----------------------------------------------------------------------------------


def proposal(slug: str, *, reason: str = "", source: str = "extraction", at: float = 0.0) -> Proposal:
    text = ProposedText(slug, f"---\nname: {slug}\n---\n\nText.\n")
    return Proposal("create", (text,), reason=reason, source=source, at=NOW - at * DAY)  # type: ignore[arg-type]


def change(slug: str, *, base: bytes | None = b"a\n", now: bytes | None = b"b\n") -> OthersChange:
    kind = "new" if base is None else "deleted" if now is None else "edited"
    return OthersChange(kind, slug, f"{slug}.md", base, now, NOW - DAY)  # type: ignore[arg-type]


ITEMS: list[Item] = [
    proposal("b", reason="You said so", at=2),
    proposal("a", at=1),
    proposal("c", source="dream", at=3),
    change("d"),
    change("e", base=None),
    Broken("x.json", "altered", removable=True),
]


def test_what_was_decided_at_once_is_told_as_a_number_that_leaves_room_for_the_key() -> None:
    one = present_review.done_text("Accepted", ("a", "b", "c"), EN)
    assert one == "Accepted a, b… · z undoes it"
    assert present_review.done_text("Accepted", ("a", "b", "c"), EN, items=74) == "Accepted 74 · z undoes it"


def listed(query: str = "", order: present_review.Order = "oldest") -> list[str]:
    made = present_review.rows(ITEMS, present_review.parse(query), order)
    return [
        f"# {row.name} {row.count}" if isinstance(row, Group) else "/".join(present_review.slugs_of(row))
        for row in made
    ]


@pytest.mark.parametrize(
    ("query", "order", "expected"),
    [
        ("", "oldest", ["# extraction 2", "b", "a", "# dream 1", "c", "# others 2", "d", "e", "# broken 1", "x.json"]),
        ("source:extr", "newest", ["# extraction 2", "a", "b"]),
        ("source:extraction", "name", ["# extraction 2", "a", "b"]),
        ("kind:new,edited", "oldest", ["# others 2", "d", "e"]),
        ("-kind:create -source:others", "oldest", ["# broken 1", "x.json"]),
        ("SAID", "oldest", ["# extraction 1", "b"]),
        ("kind:nothing", "oldest", []),
    ],
)  # fmt: skip
def test_what_waits_stands_in_groups_in_an_order_and_narrows(
    query: str, order: present_review.Order, expected: list[str]
) -> None:
    assert listed(query, order) == expected


def test_an_empty_list_says_why_it_is_empty_and_what_fills_it() -> None:
    lines = present_review.empty_lines(Waiting(), 0, Conditions(), "en", EN)
    assert lines[0] == "Nothing waits for you."
    assert [
        word for word in ("memtui extract", "memtui dream", "memtui hook") if word not in " ".join(lines)
    ] == []
    assert present_review.empty_lines(None, 0, Conditions(), "en", EN) == ["reading…"]
    trouble = Waiting(trouble=Refused("could not read", where="inbox"))
    assert present_review.empty_lines(trouble, 0, Conditions(), "en", EN) == [
        EN.trouble,
        "inbox: could not read",
    ]
    odd = present_review.empty_lines(Waiting(), 3, present_review.parse("kind:zzz"), "en", EN)
    assert odd[1].startswith("kind: knows no zzz; there are create, update")


def test_hostile_text_is_shown_and_obeyed_nowhere() -> None:
    said = Evidence(HOSTILE, 3, f"{HOSTILE}\n{HOSTILE}", before=HOSTILE, after="")
    text = ProposedText("a", HOSTILE)
    item = Proposal("create", (text,), reason=HOSTILE, evidence=(said,), by=HOSTILE, session=HOSTILE, at=NOW)
    looked = Looked(
        item, error=Refused(HOSTILE, where=HOSTILE), edits=(Edit("a.md", None, HOSTILE.encode()),)
    )
    for words in (EN, ZH):
        edit_words = edit_wording.words("en")
        blocks = review_item.lead_blocks(
            looked, now=NOW, home=None, lang="en", say=words, edit_words=edit_words
        )
        blocks += review_item.lead_blocks(
            looked, now=NOW, home=None, lang="en", say=words, edit_words=edit_words, folded=True
        )
        lines = [plain(line) for line in layout(blocks, 60)]
        row = present_review.item_row(item, 80, cursor=True, marked=True, now=NOW, lang="en", say=words)
        left = Decision(left=((HOSTILE, Refused(HOSTILE)),))
        lines += [plain(row), *(plain(line) for line in layout(decision_blocks(left, "en", words), 60))]
        assert all(visible(line) == line for line in lines)
        assert width(row) == 80


@pytest.mark.parametrize("view", review_item.VIEWS)
def test_a_change_is_shown_by_what_differs_whole_or_as_the_new_text(view: review_item.View) -> None:
    old = "".join(f"line {n}\n" for n in range(12))
    edits = (Edit("a.md", old.encode(), old.replace("line 6", "line six").encode()),)
    made = review_item.change_rows(edits, view, EN)
    shown = [(row.kind, row.text) for row in made if isinstance(row, Row)]
    assert shown[0] == ("heading", "Changed: a.md")
    expected = {"changes": 10, "all": 13, "new": 12}[view]
    assert len(shown) - 1 == expected
    assert (("removed", "line 6") in shown) == (view != "new")
    beside = review_item.change_rows(edits, view, EN, beside=True)
    assert all(isinstance(row, Pair) for row in beside)


# --- on the screen ---------------------------------------------------------------------------------------------------


async def opened(pilot: Pilot[None], text: str) -> ReviewScreen:
    await pilot.press("r")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen) and text in screen_text(pilot))
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


def shown(screen: ReviewScreen) -> str:
    return "\n".join(map(plain, screen.query_one(DiffView).lines))


def lists(screen: ReviewScreen, slug: str) -> bool:
    return any(slug in present_review.slugs_of(item) for item in screen.listed)


def told(pilot: Pilot[None], text: str) -> bool:
    return any(text in note for note in notices(pilot))


def at(screen: ReviewScreen) -> str:
    return "/".join(present_review.slugs_of(screen.item)) if screen.item is not None else ""


async def test_one_decision_after_the_other_by_keys_alone_and_all_of_it_taken_back(tmp_path: Path) -> None:
    waits = waiting.full(tmp_path / "lab")
    before = waits.tree()
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        await until(pilot, lambda: "7 to review" in screen_text(pilot))
        screen = await opened(pilot, "New: squash.md")
        assert "> remember: we always squash before we merge" in shown(screen)
        screen._on_screen = (
            None  # as before it was shown: who goes on meanwhile does not accept it by coming back
        )
        await pilot.press("a", "j")
        await until(pilot, lambda: "a real PostgreSQL 16" in shown(screen))
        await pilot.press("k")
        await until(pilot, lambda: "New: squash.md" in shown(screen))
        assert waits.tree() == before
        await pilot.press("a")
        await until(pilot, lambda: "a real PostgreSQL 16" in shown(screen))
        assert "Always squash" in (waits.memory / "squash.md").read_text()
        await pilot.press("x", "x")
        await until(pilot, lambda: len(waits.inbox().pending()) == 1)
        assert at(screen) == "release/deploy"
        await pilot.press("j")
        await until(pilot, lambda: "New: cache.md" in shown(screen))
        await pilot.press("a", "x")  # keep what is new, revert what was edited
        await until(pilot, lambda: b"Four spaces" in waits.tree()["style.md"])
        await until(pilot, lambda: at(screen) == "notes.json")
        await pilot.press("a")
        await until(pilot, lambda: any("this file is no proposal" in note for note in notices(pilot)))
        await pilot.press("x")
        await until(pilot, lambda: not (waits.memory / ".memtui/inbox/notes.json").exists())
        for slug in ("notes.json", "style", "old-plan", "tests"):
            await pilot.press("z")
            await until(pilot, partial(lists, screen, slug))
        await pilot.press("z")
        await until(pilot, lambda: "squash.md" not in waits.tree())
        assert waits.tree() == before


async def test_a_proposal_with_what_is_no_secret_is_accepted_by_its_name_and_the_audit_log_says_so(
    tmp_path: Path,
) -> None:
    waits = Waits(tmp_path / "lab")
    text = f"---\nname: Key\ndescription: d\ntype: project\n---\n\nSet {made_secret('r')}.\n"
    waits.add(Proposal("create", (ProposedText("team/key", text),), at=NOW - DAY))
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        await opened(pilot, "New: team/key.md")
        for answer in ("escape", "enter"):
            await pilot.press("a")
            await until(pilot, lambda: isinstance(pilot.app.screen, TypedScreen))
            assert not notices(pilot), "the question says it"
            assert not (waits.memory / "team/key.md").exists()
            await pilot.press(*"team/key", answer)
            await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await until(pilot, (waits.memory / "team/key.md").exists)
        await until(pilot, lambda: "Accepted team/key" in screen_text(pilot))
    assert [(row.status, row.slug) for row in waits.manager().audit.rows()] == [("override", "team/key")]


async def test_on_a_small_screen_most_of_it_is_the_text_that_one_decides_on(tmp_path: Path) -> None:
    waits = Waits(tmp_path / "lab")
    lines = "".join(f"Line {n} of what is proposed.\n" for n in range(40))
    text = f"---\nname: Long\ndescription: d\ntype: project\n---\n\n{lines}"
    said = Evidence("/t.jsonl", 3, "remember all of it\nand this", before="Shall I?", after="I will.")
    reason = "Because it was said.\nTwice, and\nat some length."
    waits.add(
        Proposal("create", (ProposedText("long", text),), reason=reason, evidence=(said, said), at=NOW - DAY)
    )
    async with running(waits.memory, state=waits.state, size=(80, 24)) as pilot:
        screen = await opened(pilot, "New: long.md")
        view = screen.query_one(DiffView)

        def seen() -> int:
            return sum(" + " in line for line in screen_text(pilot).split("\n"))

        assert seen() >= 12
        folded = shown(screen)
        assert "Because it was said. Twice, and at some length." in folded
        assert "> +1 remember all of it and this" in folded
        assert "Shall I?" not in folded
        await pilot.press("w")
        await until(pilot, lambda: "Shall I?" in shown(screen))
        assert "/t.jsonl, line 3" in shown(screen)
        await pilot.press("w")
        await until(pilot, lambda: shown(screen) == folded)
        await pilot.press("slash", *"nothing")
        await until(pilot, lambda: "The filter leaves nothing." in screen_text(pilot))
        assert not view.is_on_screen
        await pilot.press("escape")
        await until(pilot, lambda: seen() >= 12)
        assert screen.query_one("#items").has_focus


async def test_where_there_is_room_reasons_are_shown_in_full_until_one_folds_them(tmp_path: Path) -> None:
    waits = waiting.full(tmp_path / "lab")
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        screen = await opened(pilot, "New: squash.md")
        assert "Shall I merge the branch as it is?" in shown(screen)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Shall I merge" not in shown(screen))
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "Shall I merge" in shown(screen))
        await pilot.press("w")
        await until(pilot, lambda: "Shall I merge" not in shown(screen))


async def test_what_was_kept_is_put_back_by_undo(tmp_path: Path) -> None:
    waits = waiting.full(tmp_path / "lab")
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        screen = await opened(pilot, "New: squash.md")
        await pilot.press("slash", *"kind:new", "enter")
        await until(pilot, lambda: at(screen) == "cache")
        await pilot.press("a")
        await until(pilot, lambda: "Kept cache" in screen_text(pilot))
        await until(pilot, lambda: app_of(pilot).snapshot.to_review == 6)  # type: ignore[union-attr]
        await pilot.press("z")
        await until(pilot, lambda: at(screen) == "cache")
        assert "On the list again cache" in screen_text(pilot)


async def test_all_listed_is_accepted_after_a_summary_and_one_undo_restores_every_byte(
    tmp_path: Path,
) -> None:
    waits = waiting.full(tmp_path / "lab")
    before = waits.tree()
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        await opened(pilot, "New: squash.md")
        await pilot.press("slash", *"-source:others", "enter", "A")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, BulkScreen) and "one step" in screen_text(pilot)
        )
        text = screen_text(pilot)
        assert "Accept 5?" in text
        assert "notes.json  .memtui/inbox/notes.json: this file is no proposal" in text
        assert "squash.md  +9 −0" in text
        await pilot.press("y")
        await until(pilot, lambda: not waits.inbox().pending())
        assert "old-plan.md" not in waits.tree()
        await pilot.press("z")
        await until(pilot, lambda: "proposals that wait for review again: 4" in screen_text(pilot))
        await pilot.press("y")
        await until(pilot, lambda: len(waits.inbox().pending()) == 4)
        assert waits.tree() == before


async def test_a_proposal_that_fits_no_more_says_so_and_is_edited_on_what_stands_there(
    tmp_path: Path,
) -> None:
    waits = waiting.full(tmp_path / "lab")
    waits.write("tests", f"{waiting.TESTS}\nThey take two minutes.", days=1)
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        screen = await opened(pilot, "New: squash.md")
        await pilot.press("j")
        await until(pilot, lambda: "It cannot be accepted now" in shown(screen))
        await pilot.press("a")
        await until(
            pilot, lambda: any("does not fit what stands there now" in note for note in notices(pilot))
        )
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        text = (waits.memory / "tests.md").read_text()
        assert "PostgreSQL 16" in text
        assert "They take two minutes." in text
        assert "tests" not in [slug for each in waits.inbox().pending() for slug in each.slugs]


async def test_a_memory_is_chosen_to_merge_into(tmp_path: Path) -> None:
    waits = waiting.full(tmp_path / "lab")
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        await opened(pilot, "New: squash.md")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(pilot.app.screen, TargetScreen))
        await pilot.press(*"sty", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        assert "Edit · Style" in screen_text(pilot)
        assert "Always squash" in screen_text(pilot)


async def test_a_read_only_view_shows_everything_and_decides_nothing(tmp_path: Path) -> None:
    waits = waiting.full(tmp_path / "lab")
    before = waits.tree()
    async with running(waits.memory, state=waits.state, read_only=True, size=(120, 40)) as pilot:
        await opened(pilot, "New: squash.md")
        for key, said in (("a", "Accept or keep"), ("x", "Reject or revert"), ("X", "Reject all listed")):
            await pilot.press(key)
            await until(pilot, partial(told, pilot, f"{said}: this is a read-only view"))
    assert waits.tree() == before


async def test_nothing_waits_and_looking_leaves_no_trace(tmp_path: Path) -> None:
    waits = waiting.Waiting(tmp_path / "lab")
    waits.write("tests", waiting.TESTS)
    before = sorted(waits.memory.rglob("*"))
    async with running(waits.memory, state=waits.state, size=(80, 24)) as pilot:
        assert "to review" not in screen_text(pilot)
        await opened(pilot, "Nothing waits for you.")
        await pilot.press("q")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ReviewScreen))
    assert sorted(waits.memory.rglob("*")) == before


async def test_what_an_agent_writes_while_one_looks_is_counted_marked_and_filtered(tmp_path: Path) -> None:
    waits = waiting.Waiting(tmp_path / "lab")
    waits.write("tests", waiting.TESTS)
    waits.write("style", "Four spaces, and no tabs anywhere.")
    async with running(waits.memory, state=waits.state, size=(120, 40)) as pilot:
        await until(pilot, waits.state.exists)
        waits.write("style", "Two spaces, and no tabs anywhere.", days=0)
        waits.add(waits.inbox().propose_forget(["tests"], Origin("dream", "why")))
        await until(pilot, lambda: "2 to review" in screen_text(pilot))
        await pilot.press("slash", *"is:unrev", "enter")
        await until(pilot, lambda: rows(pilot) == ["style"])
        assert cursor(pilot) == "style"
        line = next(line for line in screen_text(pilot).split("\n") if "pr Style" in line)
        assert " ? " in line
        assert browse(pilot).is_current
