"""The fixes of one index work together: it is shortened with room to spare, filled no further, and says what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.checks.fix_files import plan_together
from memtui.memory.conventions import CLAUDE
from memtui.memory.index.editing import decode_index
from memtui.memory.index.entrypoint import load_entrypoint
from memtui.memory.index.lines import parse_index
from memtui.memory.index.rotation import noticed, renumbered, rotate
from memtui.memory.index.tally import accept_sentence, fix_sentences, tally
from memtui.memory.saving.records import Edit
from memtui.tui import facts
from tests.unit.test_findings_index import Store
from tests.unit.test_fixing import Open, memory


def numbers(text: str) -> list[int]:
    return [said for line in text.splitlines() if (said := noticed(line)) is not None]


PROSE = "- note\n" * 160


def lines(count: int) -> str:
    return PROSE + "".join(f"- [M](m{n:02}.md) — d\n" for n in range(count))


@pytest.fixture
def crowded(tmp_path: Path) -> Store:
    """60 memories, the higher their number the older; 52 with a line behind 160 other ones, and a line without a memory."""
    store = Store(tmp_path)
    for number in range(60):
        body = "See [[m55]]." if number == 3 else ""
        store.memory(f"m{number:02}", body or f"Fact {number * 7919} and no other.", days=1 + number)
    store.index(lines(52) + "- [Gone](gone.md) — x\n")
    return store


def shortened(store: Store) -> str:
    (over,) = store.found("index-over-limit")
    return store.apply(over)


def test_shortening_leaves_room_keeps_what_scores_best_and_says_what_it_does(crowded: Store) -> None:
    (over,) = crowded.found("index-over-limit")
    assert over.fix is not None
    edits = over.fix.plan()
    text = decode_index(edits[0].after)
    loaded = load_entrypoint(text, CLAUDE.unit)
    assert (loaded.lines_total, loaded.bound) == (180, None), "ninety per cent of 200 lines"
    assert {entry.rel for entry in parse_index(text).entries} == {f"m{n:02}.md" for n in range(19)}
    assert numbers(text) == [60 - 19]
    assert fix_sentences("index-over-limit", edits, CLAUDE.unit, "en") == (
        "19 stay listed, 34 leave. What leaves is still found by search, by selection and through links; no file goes.",
    )


def test_what_others_link_to_counts_a_half_life_younger(crowded: Store) -> None:
    crowded.memory("m03", "See [[m40]].", days=4)
    named = {entry.rel for entry in parse_index(shortened(crowded)).entries}
    assert {"m17.md", "m40.md"} <= named
    assert "m18.md" not in named, "its place went to the linked one"


def test_orphans_get_their_lines_as_far_as_there_is_room_the_best_scores_first(crowded: Store) -> None:
    assert [f.fix for f in crowded.found("orphan")] == [None] * 7, "nothing more comes into a full index"
    shortened(crowded)
    for number in range(14):
        crowded.memory(f"new{number:02}", days=0.5 + number)
    found = crowded.found("orphan")
    assert [f.slug for f in found] == [f"new{n:02}" for n in range(14)]
    assert [f.slug for f in found if f.fix is None] == [f"new{n:02}" for n in range(10, 14)]
    edits = plan_together(crowded.directory.folder, [f.fix for f in found if f.fix is not None])
    text = decode_index(edits[0].after)
    assert load_entrypoint(text, CLAUDE.unit).lines_total == 190, "ninety-five per cent of 200 lines"
    assert numbers(text) == [41 + 4]
    assert fix_sentences("orphan", edits, CLAUDE.unit, "en", rest=4) == (
        "10 new lines, which load.",
        "4 do not fit and stay reported.",
    )
    assert fix_sentences("orphan", (), CLAUDE.unit, "zh", rest=1) == ("1 条放不下，仍会报告。",)


def test_a_fix_offered_before_others_took_the_room_adds_nothing(crowded: Store) -> None:
    crowded.index(lines(29))
    orphan = crowded.found("orphan")[0]
    assert orphan.fix is not None
    crowded.index(lines(29) + "- one more\n")
    assert orphan.fix.plan() == ()


def test_what_is_left_out_on_purpose_is_one_finding_with_all_names(crowded: Store) -> None:
    assert not crowded.found("unlisted"), "nothing says yet that any are left out"
    shortened(crowded)
    (told,) = crowded.found("unlisted")
    assert told.names == tuple(f"m{n:02}" for n in range(19, 60))
    assert told.message == "Older memories that no line names: 41; of these, reached through a link: 1"
    assert (told.line, told.fix) == (180, None)
    assert not crowded.found("orphan")
    crowded.memory("brand-new", days=0)
    flags = facts.gather(crowded.check(), ())
    orphans, unlisted = (
        sorted(rel for rel, known in flags.items() if flag in known.flags) for flag in ("orphan", "unlisted")
    )
    assert orphans == ["brand-new.md"] == [f.path for f in crowded.found("orphan")]
    assert unlisted == sorted(f"{slug}.md" for slug in crowded.found("unlisted")[0].names)
    assert len(unlisted) == 42


def test_an_old_line_put_back_by_hand_makes_no_orphans_of_all_the_others(crowded: Store) -> None:
    crowded.index(shortened(crowded).replace("> Older", "- [M](m59.md) — back\n> Older"))
    assert not crowded.found("orphan")


def test_a_number_that_others_made_wrong_can_be_mended(crowded: Store) -> None:
    crowded.index(shortened(crowded).replace("- [M](m00.md) — d\n", ""))
    (told,) = crowded.found("unlisted")
    assert len(told.names) == 42
    assert numbers(crowded.apply(told)) == [42]
    assert [f.fix for f in crowded.found("unlisted")] == [None]


def test_the_limit_finding_counts_memories_as_the_list_of_them_does(crowded: Store) -> None:
    found = crowded.check()
    (over,) = (f for f in found if f.rule == "index-over-limit")
    assert len([f for f in found if f.rule == "not-loaded"]) == 12, (
        "the line without a memory is none of them"
    )
    assert "(memories named only there: 12)" in over.message


def test_near_the_limit_shortening_is_offered_from_where_it_would_end(crowded: Store) -> None:
    crowded.index(lines(20))
    assert [f.fix for f in crowded.found("index-near-limit")] == [None]
    crowded.index(lines(35))
    (near,) = crowded.found("index-near-limit")
    assert load_entrypoint(crowded.apply(near), CLAUDE.unit).lines_total == 180


def test_an_index_made_for_too_many_memories_holds_those_that_score_best(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in range(25):
        store.memory(f"m{number:02}", days=number, extra="", name="n" * 1400 + str(number))
    (missing,) = store.found("missing-index")
    text = store.apply(missing)
    assert load_entrypoint(text, CLAUDE.unit).size <= 22_500, "ninety per cent of 25,000"
    count = len(parse_index(text).entries)
    assert numbers(text) == [25 - count]
    assert {entry.rel for entry in parse_index(text).entries} == {f"m{n:02}.md" for n in range(count)}


def test_lines_do_not_leave_where_that_would_make_nothing_fit() -> None:
    text = "- [A](a.md)\n" + "prose\n" * 300
    assert rotate(text, {"a.md": 1.0}, share=0.9).text == text
    assert (
        rotate("- [A](a.md)\n- [B](b.md)\n" + "prose\n" * 190, {"a.md": 1.0, "b.md": 2.0}, share=0.9).dropped
        == ()
    )


def test_the_number_follows_what_memtui_does(open_manager: Open) -> None:
    manager = open_manager("claude")
    for slug in ("one", "two", "three"):
        memory(manager.root, slug)
    path = manager.root / "MEMORY.md"

    def listing(*slugs: str) -> None:
        lines = "".join(f"- [{slug}]({slug}.md) — about {slug}\n" for slug in slugs)
        path.write_text(f"{lines}> Older memories not listed here: 9. Their files are in this folder.\n")

    listing("one")
    manager.reload()
    manager.forget("one")
    assert numbers(path.read_text()) == [2]
    manager.save_memory("four", "four", "about four", "user", "A fourth thing worth knowing later.")
    assert numbers(path.read_text()) == [2], "it got its line"
    manager.edit_memory("two", description="about two, newly")
    assert numbers(path.read_text()) == [1]
    manager.rename("two", "deux")
    assert numbers(path.read_text()) == [1]
    manager.forget("three")
    assert numbers(path.read_text()) == [], "all are listed"


def test_a_right_number_keeps_its_line_in_whatever_language() -> None:
    text = "- [A](a.md)\n> 另有 1 条较旧的记忆未在此列出，文件仍在本目录中。\n"
    assert renumbered(text, lambda: {"a.md", "b.md"}, "en") == text
    assert numbers(renumbered(text, lambda: {"a.md", "b.md", "c.md"}, "en")) == [2]


def test_new_lines_that_do_not_load_are_counted() -> None:
    before = "".join(f"- [T](t{n}.md)\n" for n in range(198))
    after = before + "".join(f"- [N](n{n}.md)\n" for n in range(5))
    made = tally(before, after, "utf16")
    assert (made.stay, made.left) == (198, ())
    assert made.unheard == ("n2.md", "n3.md", "n4.md")
    edits = [Edit("MEMORY.md", before.encode(), after.encode(), "index")]
    assert accept_sentence(edits, "utf16", "en") == (
        "5 new lines, of which 3 will not load: the index is over its limit."
    )
    assert accept_sentence([], "utf16", "en") == ""
