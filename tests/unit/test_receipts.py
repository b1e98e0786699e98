"""Spec §16: what a transcript proves about a memory directory, and that a cheap look at bytes misses none of it."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.claude.naming import Store, cited_name
from memtui.claude.receipts import SAVE_TOOL, Scan, ScanState
from memtui.claude.transcripts import Line, TranscriptReader
from tests.unit.transcript_maker import CUT, START, Transcript, index_text

HOME = Path("/home/ada")
MEMORY = HOME / ".claude/projects/-home-ada-project/memory"
STORE = Store((str(MEMORY),), str(HOME))


def scanned(
    made: Transcript, *, every: bool = False, store: Store = STORE, state: ScanState | None = None
) -> Scan:
    scan = Scan(store, state or ScanState(), made.agent)
    offset = 0
    for number, data in enumerate(made.lines, 1):
        if every or scan.wanted(data):
            try:
                value = json.loads(data, strict=False)
            except ValueError:
                value = None
            if isinstance(value, dict):
                scan.take(Line(number, offset, value, data))
        offset += len(data) + 1
    return scan


def made() -> Transcript:
    return Transcript(MEMORY)


def events(scan: Scan) -> list[tuple[str, str]]:
    return [(event.kind, event.rel) for event in scan.events]


def test_an_index_loaded_whole_names_what_was_loaded() -> None:
    scan = scanned(made().typed("hi").context().loads(index_text(["a", "b"])))
    (receipt,) = scan.receipts
    assert (receipt.cut, receipt.rels, receipt.line, receipt.at) == (False, ("a.md", "b.md"), 3, START + 3)
    assert scan.tells
    assert (scan.started, scan.last, scan.cwd, scan.version) == (
        START + 1,
        START + 3,
        "/home/ada/project",
        "2.1.328",
    )


def test_a_cut_index_is_told_by_its_last_line_which_names_nothing_that_was_loaded() -> None:
    (receipt,) = scanned(made().loads(index_text(["a"]) + CUT)).receipts
    assert (receipt.cut, receipt.rels) == (True, ("a.md",))
    (receipt,) = scanned(made().loads("> WARNING: MEMORY.md is old\n" + index_text(["a"]))).receipts
    assert (receipt.cut, receipt.rels) == (False, ("a.md",))


def test_links_in_fences_and_inline_code_are_read_as_the_index_reads_them() -> None:
    text = "- [A](a.md) — `x`\n- [B](sub/b.md)\n`[C](c.md)`\n- [D](memory/d.md)\n- [E](../e.md) and [F](f.md)"
    (receipt,) = scanned(made().loads(text)).receipts
    assert receipt.rels == ("a.md", "sub/b.md", "d.md", "f.md")
    (receipt,) = scanned(made().loads(text + "\n\n```\n- [G](g.md)\n```\n- [H](h.md)")).receipts
    assert receipt.rels[-1] == "h.md"


def test_a_client_that_tells_its_context_without_the_index_loaded_none() -> None:
    scan = scanned(made().typed("hi").context().says("hello"))
    assert (scan.receipts, scan.tells) == ([], True)
    assert not scanned(made().typed("hi").says("hello")).tells


def test_an_index_of_another_directory_is_no_receipt() -> None:
    other = Transcript(HOME / ".claude/projects/-home-ada-other/memory").loads(index_text(["a"]))
    assert scanned(other).receipts == []


def test_the_team_index_names_its_files_below_its_folder() -> None:
    (receipt,) = scanned(made().loads(index_text(["a"]), "team/MEMORY.md", "TeamMem")).receipts
    assert receipt.rels == ("team/a.md",)


def test_a_pinned_memory_and_one_the_client_recalls_were_put_in_by_it() -> None:
    scan = scanned(
        made()
        .loads("text", "a.md")
        .attach(
            "relevant_memories",
            memories=[{"path": str(MEMORY / "b.md"), "content": "x"}, {"path": "/etc/c.md"}, 3],
        )
    )
    assert events(scan) == [("recalled", "a.md"), ("recalled", "b.md")]
    assert scan.receipts == []


def test_reads_and_writes_count_when_they_worked() -> None:
    scan = scanned(
        made()
        .typed("go")
        .reads("a.md")
        .reads("b.md", failed=True)
        .writes("c.md")
        .writes("d.md", failed=True)
        .does("Edit", file_path=str(MEMORY / "sub/e.md"), old_string="a", new_string="b")
        .does("MultiEdit", file_path="~/.claude/projects/-home-ada-project/memory/f.md", edits=[])
        .does(SAVE_TOOL, slug="g", name="G")
        .does(SAVE_TOOL, slug="h", name="H", failed=True)
        .does("Read", file_path=str(MEMORY / "../elsewhere.md"))
        .does("Read", file_path=str(MEMORY / "notes.txt"))
        .does("Read", file_path=str(MEMORY) + "2/x.md")
    )
    assert events(scan) == [
        ("read", "a.md"),
        ("written", "c.md"),
        ("written", "sub/e.md"),
        ("written", "f.md"),
        ("written", "g.md"),
    ]


def test_a_call_and_its_result_may_lie_in_two_readings() -> None:
    first = made().typed("go")
    call = first.calls("Read", file_path=str(MEMORY / "a.md"))
    before = scanned(first)
    assert before.events == []
    state = ScanState.load(before.state.dump())
    second = made()
    second.answers(call)
    after = scanned(second, state=state)
    assert events(after) == [("read", "a.md")]
    assert after.events[0].key == f"{json.loads(first.lines[1])['uuid']}/0"


def test_a_state_that_is_none_of_ours_is_an_empty_one() -> None:
    for text in ("", "[]", "{}", "[1,2,3]", '[{"a":1},0,false]', "null", '{"a":[1]}'):
        assert ScanState.load(text) == ScanState()


def test_a_file_that_the_person_names_is_read() -> None:
    scan = scanned(made().attach("file", filename=str(MEMORY / "a.md"), content={"type": "text"}))
    assert events(scan) == [("read", "a.md")]


def test_citations_name_files_in_every_form_the_client_knows() -> None:
    scan = scanned(
        made()
        .says('Yes. <cc-memory filenames="a.md,b.md">As you like it.</cc-memory>')
        .says("<CC_MEMORY filenames='memory/c.md, ./d, ,/etc/passwd,../e.md'>So.</CC_MEMORY>")
        .says('A tag is `<cc-memory>`, and <cc-memory filenames="">')
        .typed('<cc-memory filenames="x.md">not the assistant</cc-memory>')
    )
    assert events(scan) == [("cited", "a.md"), ("cited", "b.md"), ("cited", "c.md"), ("cited", "d.md")]
    assert cited_name("a\0b") == ""


def test_a_memory_that_the_assistant_names_is_cited() -> None:
    store = replace(STORE, files=frozenset(["no-mocks.md", "orders-timeout.md", "team/rule.md", "退款.md"]))
    t = (
        made()
        .says("As orders-timeout.md says, and the memory [[no-mocks]], I raise it; [[no-mocks|again]].")
        .says("按team/rule.md与`memory/no-mocks.md`，见退款.md。")
        .says("README.md, docs/no-mocks.md, [[unknown]], my-no-mocks.md and no-mocks.mdx are none.")
        .says('[[no-mocks]] <cc-memory filenames="no-mocks.md">once</cc-memory>')
        .typed("[[no-mocks]] is not the assistant's")
    )
    assert events(scanned(t, store=store)) == [
        ("cited", "orders-timeout.md"),
        ("cited", "no-mocks.md"),
        ("cited", "team/rule.md"),
        ("cited", "no-mocks.md"),
        ("cited", "退款.md"),
        ("cited", "no-mocks.md"),
    ]
    assert events(scanned(t)) == [("cited", "no-mocks.md")]


def test_the_memories_that_may_be_named_are_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    for name in ("a.md", "MEMORY.md", "notes.txt", "team/b.md"):
        (tmp_path / name).touch()
    assert Store.of(tmp_path, tmp_path).files == {"a.md", "team/b.md"}
    assert Store.of(tmp_path / "none", tmp_path).files == frozenset()


def test_what_the_client_saved_in_the_background_is_a_write_and_no_false_claim() -> None:
    scan = scanned(
        made()
        .typed("remember tabs")
        .says("Saved to memory.")
        .put("system", subtype="memory_saved", writtenPaths=[str(MEMORY / "a.md"), "/etc/b.md"])
    )
    assert events(scan) == [("saved", "a.md")]
    assert open_claims(scan) == []


def open_claims(scan: Scan) -> list[int]:
    """The lines that claim to have saved, less those of turns that wrote after all."""
    return [claim.line for turn, claim in scan.claims if turn not in scan.quieted]


WRITING: dict[str, Callable[[Transcript], object]] = {
    "a write before": lambda t: t.writes("a.md").says("Saved to memory."),
    "a write behind": lambda t: t.says("Saved to memory.").writes("a.md"),
    "the save tool": lambda t: t.does(SAVE_TOOL, slug="a").says("Saved to memory."),
    "a shell command": lambda t: t.does("Bash", command=f"echo x >> {MEMORY}/a.md").says("Saved to memory."),
    "another server's memory": lambda t: t.does("mcp__mem0__add_memory", text="x").says("Saved to memory."),
    "a rules file": lambda t: t.does("Edit", file_path="/home/ada/project/CLAUDE.md").says(
        "I've saved it to the project memory."
    ),
    "a subagent": lambda t: t.does("Agent", prompt="save it").says("Saved to memory."),
    "an agent that is done": lambda t: t.user(
        "<task-notification>", origin={"kind": "task-notification"}
    ).says("It's saved to memory."),
}


@pytest.mark.parametrize("name", WRITING)
def test_a_turn_that_wrote_or_may_have_written_makes_no_false_claim(name: str) -> None:
    t = made().typed("remember tabs")
    WRITING[name](t)
    assert open_claims(scanned(t)) == []


LYING: dict[str, Callable[[Transcript], object]] = {
    "nothing": lambda t: t,
    "a read": lambda t: t.reads("a.md"),
    "a write that failed": lambda t: t.writes("a.md", failed=True),
    "other work": lambda t: t.does("Edit", file_path="/home/ada/project/a.py").does(
        "Bash", command="make test"
    ),
    "a write the turn before": lambda t: t.writes("a.md").typed("and remember pnpm"),
    "a look into the memory": lambda t: t.does("Grep", pattern="x", path=str(MEMORY)),
}


@pytest.mark.parametrize("name", LYING)
def test_said_saved_and_wrote_nothing_is_found_with_its_line(name: str) -> None:
    t = made().typed("remember tabs")
    LYING[name](t)
    t.says("Done: I've saved that to memory.")
    scan = scanned(t)
    assert open_claims(scan) == [len(t.lines)]
    assert scan.claims[-1][1].at == t.now


def test_what_the_client_adds_to_a_prompt_begins_no_turn() -> None:
    t = made().typed("/remember tabs").writes("a.md").user("expanded", isMeta=True).says("Saved to memory.")
    assert open_claims(scanned(t)) == []


def test_a_subagents_lines_in_the_main_transcript_change_no_turn() -> None:
    t = made().typed("go").writes("a.md").user("prompt", isSidechain=True).says("Saved to memory.")
    assert open_claims(scanned(t)) == []


def test_a_path_is_known_through_links_tildes_and_dots(tmp_path: Path) -> None:
    real = tmp_path / "real" / "memory"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    store = Store.of(tmp_path / "link", tmp_path)
    for path in (f"{real}/a.md", f"{tmp_path}/link/a.md", "~/link/a.md", f"{real}/../memory/./a.md"):
        assert store.rel(path) == "a.md"
    for other in (
        f"{real}",
        f"{real}/..",
        f"{real}x/a.md",
        "a.md",
        None,
        3,
        f"{real}/a.MD",
        f"{real}/{'a' * 3000}.md",
    ):
        assert store.rel(other) is None
    assert store.rel(f"{real}/\ud800.md") == "?.md"


def test_a_store_whose_name_has_no_plain_letters_is_looked_for_in_every_line() -> None:
    store = Store(("/记/忆",), "/home/ada")
    assert store.marks() is None
    t = Transcript(Path("/记/忆"))
    assert events(scanned(t.reads("a.md"), store=store)) == [("read", "a.md")]


# ------------------------------------------------------------------ the look at bytes

_TEXTS = st.sampled_from(
    [
        "hello",
        "Saved to memory.",
        "已保存到记忆。",
        'say "tool_result" and "assistant"',
        '<cc-memory filenames="a.md">x</cc-memory>',
        str(MEMORY / "a.md"),
        "\x1b[31m red",
        "MEMORY.md and CLAUDE.md",
        '{"type":"user"}',
    ]
)
_STEPS = st.one_of(
    st.tuples(st.just("typed"), _TEXTS),
    st.tuples(st.just("says"), _TEXTS),
    st.tuples(st.just("meta"), _TEXTS),
    st.tuples(st.just("reads"), st.sampled_from(["a.md", "b.md"])),
    st.tuples(st.just("fails"), st.sampled_from(["a.md", "b.md"])),
    st.tuples(st.just("writes"), st.sampled_from(["a.md", "sub/b.md"])),
    st.tuples(st.just("bash"), _TEXTS),
    st.tuples(st.just("edit"), st.sampled_from(["/home/ada/project/CLAUDE.md", "/home/ada/a.py"])),
    st.tuples(st.just("agent"), _TEXTS),
    st.tuples(st.just("loads"), st.sampled_from([index_text(["a"]), index_text(["a", "b"]) + CUT])),
    st.tuples(st.just("context"), st.just("")),
    st.tuples(st.just("recalls"), st.just("a.md")),
    st.tuples(st.just("file"), st.sampled_from(["a.md", "../x.md"])),
    st.tuples(st.just("hook"), _TEXTS),
    st.tuples(st.just("blob"), _TEXTS),
    st.tuples(st.just("saved"), st.just("a.md")),
    st.tuples(st.just("notified"), _TEXTS),
    st.tuples(st.just("open"), st.just("a.md")),
    st.tuples(
        st.just("junk"),
        st.sampled_from(["{", "[]", "", '{"type":"user"}', '{"type":"assistant","message":{}}']),
    ),
)


def build(steps: list[tuple[str, str]]) -> Transcript:
    t = made()
    for step, text in steps:
        if step == "typed":
            t.typed(text)
        elif step == "says":
            t.says(text)
        elif step == "meta":
            t.user(text, isMeta=True)
        elif step in ("reads", "fails"):
            t.reads(text, failed=step == "fails")
        elif step == "writes":
            t.writes(text)
        elif step == "bash":
            t.does("Bash", command=text)
        elif step == "edit":
            t.does("Edit", file_path=text)
        elif step == "agent":
            t.does("Task", prompt=text)
        elif step == "loads":
            t.loads(text)
        elif step == "context":
            t.context()
        elif step == "recalls":
            t.attach("relevant_memories", memories=[{"path": str(MEMORY / text)}])
        elif step == "file":
            t.attach("file", filename=str(MEMORY / text))
        elif step == "hook":
            t.attach("hook_success", content=text)
        elif step == "blob":
            t.bare("api-request-blob", message={"role": "assistant", "content": text})
        elif step == "saved":
            t.put("system", subtype="memory_saved", writtenPaths=[str(MEMORY / text)])
        elif step == "notified":
            t.user(text, origin={"kind": "task-notification"})
        elif step == "open":
            t.calls("Read", file_path=str(MEMORY / text))
        else:
            t.raw(text.encode())
    return t


def spelled(data: bytes, chance: random.Random) -> bytes:
    """The same JSON as another program may spell it: spaces, escapes, slashes."""
    try:
        value: Any = json.loads(data)
    except ValueError:
        return data
    if not isinstance(value, dict) or data.startswith(b'{"type":"api-request'):
        return data
    text = json.dumps(
        value, ensure_ascii=chance.random() < 0.5, separators=chance.choice([(",", ":"), (", ", ": ")])
    )
    if chance.random() < 0.3:
        text = text.replace("/", "\\/")
    if chance.random() < 0.2:
        at = chance.choice([i for i, char in enumerate(text) if char.isascii() and char.isalpha()])
        inside = text[:at].replace("\\\\", "").replace('\\"', "").count('"') % 2
        if inside and text[at - 1] != "\\" and "\\" not in text[max(0, at - 5) : at]:
            text = f"{text[:at]}\\u{ord(text[at]):04x}{text[at + 1 :]}"
    return text.encode()


@settings(max_examples=300)
@given(st.lists(_STEPS, max_size=12), st.integers(0, 2**32))
def test_the_look_at_bytes_finds_what_parsing_every_line_finds(
    steps: list[tuple[str, str]], seed: int
) -> None:
    t = build(steps)
    if seed % 3:
        chance = random.Random(seed)
        t.lines = [spelled(line, chance) for line in t.lines]
    quick, slow = scanned(t), scanned(t, every=True)
    for part in (
        "receipts",
        "events",
        "claims",
        "quieted",
        "started",
        "last",
        "cwd",
        "version",
        "session",
        "tells",
    ):
        assert getattr(quick, part) == getattr(slow, part), part


def test_most_lines_of_a_working_session_are_not_parsed(tmp_path: Path) -> None:
    t = made().typed("go").context().loads(index_text(["a"]))
    for number in range(200):
        t.does("Read", file_path=f"/home/ada/project/{number}.py").does("Bash", command="make")
    scan = Scan(STORE)
    reader = TranscriptReader(t.save(tmp_path), wanted=scan.wanted)
    assert len(list(reader)) == 3
