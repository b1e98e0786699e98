"""Spec §14, §5: what others changed since a person last looked, to keep or revert; looking leaves no trace in the directory."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path

import pytest

from memtui.memory.directory.changes import Changes
from memtui.memory.disk.files import digest_of
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.unreviewed import Unreviewed
from memtui.memory.review.visits import Seen, Visits


class Place:
    """A directory that a person and somebody else change in turns, with a clock that goes on."""

    def __init__(self, tmp: Path) -> None:
        self.root, self.state, self.now = tmp / "memory", tmp / "state", 1_780_000_000.0
        self.root.mkdir()

    def clock(self) -> float:
        self.now += 1.0
        return self.now

    def manager(self, actor: str = "user") -> MemoryManager:
        return MemoryManager.open(self.root, "claude", clock=self.clock, actor=actor)

    def behind(self) -> Unreviewed:
        return Unreviewed(self.manager(), Visits(self.state, self.root))

    def seen(self) -> list[tuple[str, str, bytes | None]]:
        return [(each.kind, each.slug, each.base) for each in self.behind().changes()]

    def write(self, slug: str, body: str) -> bytes:
        """What somebody else writes past memtui."""
        data = f"---\nname: {slug}\ndescription: about {slug}\ntype: project\n---\n\n{body}\n".encode()
        (self.root / f"{slug}.md").write_bytes(data)
        return data

    def tree(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and not path.relative_to(self.root).as_posix().startswith(".memtui/")
        }


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    for slug in ("a", "b"):
        made.write(slug, f"the first text of {slug}")
    (made.root / "MEMORY.md").write_text("- [a](a.md) — by hand\n- [b](b.md) — about b\n")
    return made


def test_the_first_look_takes_everything_as_seen_and_leaves_no_trace_in_the_directory(place: Place) -> None:
    before = {path: path.stat().st_mtime_ns for path in place.root.rglob("*")}
    assert place.seen() == []
    assert place.seen() == []
    assert {path: path.stat().st_mtime_ns for path in place.root.rglob("*")} == before
    assert [path.stat().st_mode & 0o077 for path in (place.state / "visits").iterdir()] == [0]


def test_an_empty_file_that_stood_there_is_not_new(place: Place) -> None:
    (place.root / "empty.md").write_bytes(b"")
    assert place.seen() == []
    assert place.seen() == []
    (place.root / "empty.md").write_bytes(b"no longer empty")
    assert place.seen() == [("edited", "empty", b"")]


def test_what_others_did_is_listed_with_what_was_last_seen_until_it_is_settled(place: Place) -> None:
    place.seen()
    base = (place.root / "a.md").read_bytes()
    gone = (place.root / "b.md").read_bytes()
    place.write("a", "an agent's text of a")
    (place.root / "b.md").unlink()
    place.write("c", "an agent's own memory")
    expected = [("edited", "a", base), ("deleted", "b", gone), ("new", "c", None)]
    assert place.seen() == expected
    assert place.seen() == expected


def test_what_the_person_did_through_memtui_is_not_listed(place: Place) -> None:
    place.seen()
    manager = place.manager()
    manager.save_memory("a", "A", "about a", "project", "the person's text of a")
    manager.save_memory("new", "New", "about it", "project", "the person's new memory")
    manager.forget("b")
    assert place.seen() == []
    manager.undo()
    assert place.seen() == []


@pytest.mark.parametrize("actor", ["user", "claude"])
def test_a_change_of_the_index_alone_is_no_memory_that_somebody_deleted(place: Place, actor: str) -> None:
    place.write("unlisted", "no line leads here")
    behind = place.behind()
    behind.changes()
    manager = place.manager(actor)
    manager.rebuild_index()
    assert b"(unlisted.md)" in (place.root / "MEMORY.md").read_bytes()
    assert (behind.update(None), place.seen()) == ((), [])
    manager.undo()
    assert (behind.update(None), place.seen()) == ((), [])


def test_what_an_agent_did_through_memtui_is_listed_with_its_name(place: Place) -> None:
    place.seen()
    place.manager("claude").save_memory("a", "A", "about a", "project", "the agent's text of a")
    (change,) = place.behind().changes()
    assert (change.kind, change.slug, change.by) == ("edited", "a", "claude")


def test_an_edit_after_the_persons_own_is_compared_with_theirs(place: Place) -> None:
    place.seen()
    place.manager().save_memory("a", "A", "about a", "project", "the person's text of a")
    own = (place.root / "a.md").read_bytes()
    place.write("a", "an agent's text of a")
    assert place.seen() == [("edited", "a", own)]


def test_going_back_to_an_older_text_of_the_persons_is_a_change_too(place: Place) -> None:
    manager = place.manager()
    manager.save_memory("a", "A", "about a", "project", "the person's first text of a")
    older = (place.root / "a.md").read_bytes()
    manager.save_memory("a", "A", "about a", "project", "the person's second text of a")
    own = (place.root / "a.md").read_bytes()
    place.seen()
    (place.root / "a.md").write_bytes(older)
    assert place.seen() == [("edited", "a", own)]


def test_keeping_settles_what_was_shown_and_nothing_newer(place: Place) -> None:
    place.seen()
    place.write("a", "an agent's text of a")
    place.write("b", "an agent's text of b")
    behind = place.behind()
    shown = behind.get(["a"])
    newer = place.write("a", "a later text of a")
    before = place.tree()
    behind.keep(shown)
    assert place.tree() == before
    assert [(kind, slug) for kind, slug, _ in place.seen()] == [("edited", "a"), ("edited", "b")]
    behind = place.behind()
    behind.keep(behind.changes())
    assert place.seen() == []
    assert (place.root / "a.md").read_bytes() == newer


def test_reverting_brings_back_what_was_last_seen_and_undo_takes_that_back(place: Place) -> None:
    place.seen()
    first = place.tree()
    place.write("a", "an agent's text of a")
    (place.root / "b.md").unlink()
    (place.root / "MEMORY.md").write_text("- [a](a.md) — by hand\n- [c](c.md) — an agent's\n")
    place.write("c", "an agent's own memory")
    theirs = place.tree()
    behind = place.behind()
    plan = behind.plan_revert(behind.changes())
    assert place.tree() == theirs
    behind.revert(plan)
    now = place.tree()
    assert (now["a.md"], now["b.md"]) == (first["a.md"], first["b.md"])
    assert "c.md" not in now
    index = now["MEMORY.md"].decode()
    assert "- [a](a.md) — by hand\n" in index
    assert "(b.md)" in index
    assert "c.md" not in index
    assert place.seen() == []
    manager = place.manager()
    assert "an agent's text of a" in manager.versions("a")[1].entry.content
    manager.undo()
    assert place.tree() == theirs


def test_reverting_an_edit_makes_no_index_line_where_there_was_none(place: Place) -> None:
    (place.root / "MEMORY.md").write_text("- [b](b.md) — about b\n")
    place.seen()
    place.write("a", "an agent's text of a")
    behind = place.behind()
    behind.revert(behind.plan_revert(behind.changes()))
    assert place.tree()["MEMORY.md"] == b"- [b](b.md) \xe2\x80\x94 about b\n"


def test_what_was_changed_again_after_it_was_shown_is_not_reverted(place: Place) -> None:
    place.seen()
    place.write("a", "an agent's text of a")
    behind = place.behind()
    plan = behind.plan_revert(behind.changes())
    newer = place.write("a", "a later text of a")
    with pytest.raises(Conflict):
        behind.revert(plan)
    assert (place.root / "a.md").read_bytes() == newer


def test_a_text_that_was_too_large_to_keep_is_not_made_up(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.memory.review.visits.MAX_KEPT_BYTES", 10)
    place.seen()
    place.write("a", "an agent's text of a")
    behind = place.behind()
    (change,) = behind.changes()
    assert (change.kind, change.base, change.revertible) == ("edited", None, False)
    with pytest.raises(Refused, match="not known any more"):
        behind.plan_revert([change])


def test_nobody_changed_it_is_said(place: Place) -> None:
    place.seen()
    with pytest.raises(UsageError, match="nobody else changed"):
        place.behind().get(["a"])


@pytest.mark.parametrize(
    "data", [b"", b"rubbish", zlib.compress(b"[]"), b"memtui seen 2\n" + bytes(7) + b"\x08{}"]
)
def test_a_state_file_that_cannot_be_used_is_begun_anew(place: Place, data: bytes) -> None:
    place.seen()
    (path,) = (place.state / "visits").iterdir()
    path.write_bytes(data)
    assert place.seen() == []
    place.write("a", "an agent's text of a")
    assert len(place.seen()) == 1


def test_a_state_folder_that_cannot_be_made_is_said(place: Place) -> None:
    place.state.write_text("a file")
    with pytest.raises(Refused, match="could not keep what you have seen"):
        place.behind().changes()


def test_a_further_look_costs_what_has_changed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        place.write(f"m{number}", "as it was")
    behind = place.behind()
    behind.changes()
    manager = behind._manager
    looked: list[int] = []

    def counted(data: bytes) -> str:
        looked.append(len(data))
        return digest_of(data)

    monkeypatch.setattr("memtui.memory.review.unreviewed.digest_of", counted)
    place.write("m3", "by an agent")
    manager.directory.refresh(["m3.md"])
    found = behind.update(Changes(changed=frozenset({"m3"})))
    assert [(each.kind, each.slug) for each in found] == [("edited", "m3")]
    assert len(looked) == 1
    assert behind.update(Changes()) is found
    manager.save_memory("m3", "M", "about it", "project", "by the person")
    assert behind.update(Changes(changed=frozenset({"m3"}))) == ()


def test_a_kept_change_can_be_put_back_and_keeping_elsewhere_is_noticed(place: Place) -> None:
    place.seen()
    place.write("a", "an agent's text of a")
    behind, other = place.behind(), place.behind()
    found = behind.changes()
    outdated = [behind.is_outdated]
    before = other.keep(other.changes())
    outdated.append(behind.is_outdated)
    assert outdated == [False, True]
    assert behind.update(Changes()) == ()
    behind.put_back(before)
    assert behind.update(Changes()) == found


def test_taking_back_a_revert_puts_the_change_on_the_list_again(place: Place) -> None:
    place.seen()
    base = (place.root / "a.md").read_bytes()
    place.write("a", "an agent's text of a")
    expected = place.seen()
    behind = place.behind()
    behind.revert(behind.plan_revert(behind.changes()))
    assert place.seen() == []
    manager = place.manager()
    manager.undo()
    assert place.seen() == expected == [("edited", "a", base)]
    manager.redo()
    assert place.seen() == []


# -- what a revert brings back beside the text -------------------------------------------------------------------------

LONG_AGO = 1_758_400_000 * 10**9  # some 250 days before the clock of a `Place`


@pytest.mark.parametrize(
    "index", ["", "- [A](a.md) — by hand\n* ~~[Freeze](freeze.md)~~: over\n\n- [b](b.md) — about b\n"]
)
@pytest.mark.parametrize("line_goes", [True, False])
@pytest.mark.parametrize("kept", [True, False])
def test_a_deleted_memory_comes_back_with_its_age_and_its_line(
    place: Place, index: str, line_goes: bool, kept: bool
) -> None:
    data = place.write("freeze", "the release freeze")
    os.utime(place.root / "freeze.md", ns=(LONG_AGO, LONG_AGO))
    (place.root / "MEMORY.md").write_text(index)
    if kept:  # it was new, and a person said that it may stay
        (place.root / "freeze.md").rename(place.state.parent / "aside")
        place.seen()
        (place.state.parent / "aside").rename(place.root / "freeze.md")
        behind = place.behind()
        behind.keep(behind.get(["freeze"]))
    place.seen()
    (place.root / "freeze.md").unlink()
    if line_goes:
        (place.root / "MEMORY.md").write_text(index.replace("* ~~[Freeze](freeze.md)~~: over\n", ""))
    behind = place.behind()
    behind.revert(behind.plan_revert(behind.changes()))
    tree = place.tree()
    assert (tree["freeze.md"], tree["MEMORY.md"].decode()) == (data, index)
    assert abs((place.root / "freeze.md").stat().st_mtime_ns - LONG_AGO) < 1_000
    assert place.seen() == []


def test_what_the_person_wrote_comes_back_with_the_age_and_line_it_had_then(place: Place) -> None:
    place.seen()
    place.manager().save_memory("c", "C", "about c", "project", "the person's own text")
    line = place.tree()["MEMORY.md"]
    then = place.manager().get("c").modified
    (place.root / "c.md").unlink()
    (place.root / "MEMORY.md").write_text("- [a](a.md) — by hand\n- [b](b.md) — about b\n")
    place.now += 400 * 86_400
    behind = place.behind()
    behind.revert(behind.plan_revert(behind.changes()))
    assert place.tree()["MEMORY.md"] == line
    assert place.manager().get("c").modified == then


def test_reverting_an_edit_brings_back_the_age(place: Place) -> None:
    os.utime(place.root / "a.md", ns=(LONG_AGO, LONG_AGO))
    place.seen()
    place.write("a", "an agent's text of a")
    behind = place.behind()
    behind.revert(behind.plan_revert(behind.changes()))
    assert abs((place.root / "a.md").stat().st_mtime_ns - LONG_AGO) < 1_000


def test_what_was_seen_can_be_read_without_its_texts(place: Place) -> None:
    visits = Visits(place.state, place.root)
    visits.save({"a.md": Seen.of(b"one", 1.0, mtime_ns=5), "b.md": Seen.of(b"two", 2.0)})
    whole, bare = visits.load(), visits.load(texts=False)
    assert whole is not None
    assert bare is not None
    assert {rel: seen.data for rel, seen in whole.items()} == {"a.md": b"one", "b.md": b"two"}
    assert {rel: seen.data for rel, seen in bare.items()} == {"a.md": None, "b.md": None}
    assert [(seen.digest, seen.at, seen.mtime_ns) for seen in bare.values()] == [
        (seen.digest, seen.at, seen.mtime_ns) for seen in whole.values()
    ]


def test_what_was_seen_before_times_were_kept_is_still_known(place: Place) -> None:
    place.seen()
    visits = Visits(place.state, place.root)
    (path,) = (place.state / "visits").iterdir()
    data = path.read_bytes()
    start = len(b"memtui seen 2\n") + 8
    end = start + int.from_bytes(data[start - 8 : start])
    values = json.loads(zlib.decompress(data[start:end]))
    values["seen"] = {rel: value[:3] for rel, value in values["seen"].items()}
    head = zlib.compress(json.dumps(values).encode())
    path.write_bytes(data[: start - 8] + len(head).to_bytes(8) + head + data[end:])
    seen = visits.load()
    assert seen is not None
    assert [(each.mtime_ns, each.stood, each.data is not None) for each in seen.values()] == [
        (None, None, True)
    ] * 2
