"""Spec §14: sessions wait in a queue of the user's state folder: one small file each, bounded, safe at any instant."""

import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from memtui.claude.queue import MAX_DAYS, MAX_FIELD, MAX_PENDING, Queue, Queued

NOW = 1_780_000_000.0


def session(name: str, at: float = NOW, event: str = "SessionEnd") -> Queued:
    return Queued(name, f"/home/ada/.claude/projects/-p/{name}.jsonl", "/home/ada/p", event, at)


def nameless(queue: Queue) -> tuple[Queued, ...]:
    """What waits, but for the names that the queue gave."""
    return tuple(item._replace(name="") for item in queue.pending())


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return Queue(tmp_path / "state")


def files(queue: Queue) -> list[str]:
    return sorted(path.name for path in queue.folder.iterdir())


def test_looking_makes_nothing(queue: Queue) -> None:
    assert queue.pending() == ()
    assert not queue.folder.parent.exists()


def test_what_is_put_in_waits_the_oldest_first_until_it_is_done(queue: Queue) -> None:
    second = queue.enqueue(session("b", NOW + 5))
    first = queue.enqueue(session("a", NOW))
    assert nameless(queue) == (session("a", NOW), session("b", NOW + 5))
    assert [item.name for item in queue.pending()] == [first.name, second.name]
    queue.done(first)
    assert queue.pending() == (second,)
    queue.done(first)
    queue.done(second)
    assert queue.pending() == ()
    assert files(queue) == []


def test_only_the_user_can_read_it(queue: Queue) -> None:
    made = queue.enqueue(session("a"))
    assert stat.S_IMODE((queue.folder / made.name).stat().st_mode) == 0o600
    assert stat.S_IMODE(queue.folder.stat().st_mode) == 0o700


def test_a_session_waits_once_with_what_was_noted_last(queue: Queue) -> None:
    queue.enqueue(session("a", NOW, "Stop"))
    queue.enqueue(session("b", NOW + 1, "Stop"))
    queue.enqueue(session("a", NOW + 2))
    assert nameless(queue) == (session("b", NOW + 1, "Stop"), session("a", NOW + 2))
    assert len(files(queue)) == 2


def test_done_takes_no_later_note_away(queue: Queue) -> None:
    taken = queue.enqueue(session("a", NOW, "Stop"))
    later = queue.enqueue(session("a", NOW + 1))
    queue.done(taken)
    assert queue.pending() == (later,)


def test_notes_that_a_killed_writer_could_not_clear_count_once(queue: Queue) -> None:
    old = queue.enqueue(session("a", NOW, "Stop"))
    data = (queue.folder / old.name).read_bytes()
    new = queue.enqueue(session("a", NOW + 1))
    (queue.folder / old.name).write_bytes(data)  # as if it had died before it removed this one
    assert queue.pending() == (new,)
    queue.done(new)
    assert files(queue) == []


def test_what_a_killed_writer_left_goes_when_it_is_old(queue: Queue) -> None:
    queue.enqueue(session("a"))
    for name, age in ((".x.json.part", 3600), (".y.json.part", 1)):
        (queue.folder / name).write_text("{")
        os.utime(queue.folder / name, (NOW - age, NOW - age))
    queue.enqueue(session("b"))
    assert [name for name in files(queue) if name.startswith(".")] == [".y.json.part"]
    assert len(queue.pending()) == 2


def test_the_queue_is_bounded_in_number_and_age(queue: Queue) -> None:
    for number in range(MAX_PENDING + 3):
        queue.enqueue(session(f"s{number}", NOW + number))
    assert [item.session_id for item in queue.pending()] == [f"s{n}" for n in range(3, MAX_PENDING + 3)]
    queue.enqueue(session("late", NOW + 4 + MAX_DAYS * 86_400))
    assert queue.pending()[0].session_id == "s4"


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"null", b'{"session_id": 1}', b"\xff\xfe", b"[" * 70_000]
)
def test_files_that_are_no_notes_are_passed_over(queue: Queue, data: bytes) -> None:
    made = queue.enqueue(session("a"))
    (queue.folder / f"{'0' * 24}-{0:020}-abcd.json").write_bytes(data)
    (queue.folder / "notes.json").write_bytes(data)
    (queue.folder / "link.json").symlink_to(queue.folder / made.name)
    os.mkfifo(queue.folder / "pipe.json")
    (queue.folder / "folder.json").mkdir()
    assert queue.pending() == (made,)
    assert queue.enqueue(session("b", NOW + 1)) in queue.pending()


@pytest.mark.parametrize(
    "wrong", [{"session_id": ""}, {"transcript_path": ""}, {"cwd": "x" * (MAX_FIELD + 1)}, {"event": ""}]
)
def test_a_note_that_says_too_little_or_too_much_is_refused(queue: Queue, wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="needs"):
        queue.enqueue(session("a")._replace(**wrong))  # type: ignore[arg-type]
    assert not queue.folder.exists()


def test_odd_characters_come_back_as_they_were(queue: Queue) -> None:
    odd = Queued("é/..\n\udc80", "/t/\udcff.jsonl", "/t/大明 🚀", "Stop", NOW)
    queue.enqueue(odd)
    assert nameless(queue) == (odd,)


def test_a_full_disk_leaves_nothing_behind(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.enqueue(session("a"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("memtui.claude.queue.json.dump", full)
        with pytest.raises(OSError, match="No space"):
            queue.enqueue(session("b"))
    assert nameless(queue) == (session("a"),)
    assert len(files(queue)) == 1


def _writer(state: Path, number: int) -> None:
    queue = Queue(state)
    for turn in range(40):
        queue.enqueue(session(f"s{turn % 4}", NOW + turn * 10 + number))
        for item in queue.pending():
            assert item.transcript_path == f"/home/ada/.claude/projects/-p/{item.session_id}.jsonl"


def test_a_writer_killed_at_any_moment_tears_nothing(queue: Queue) -> None:
    fork = multiprocessing.get_context("fork")

    def last() -> int:
        waiting = queue.pending()
        return int(waiting[-1].session_id[1:]) if waiting else 0

    for _ in range(12):
        before = last()
        writer = fork.Process(target=_endless_writer, args=(queue.folder.parent, before + 1))
        writer.start()
        while last() <= before:  # it is in the midst of its work
            assert writer.is_alive()
        writer.kill()
        writer.join(60)
    waiting = queue.pending()
    assert [item.session_id for item in waiting] == [
        f"k{number}" for number in range(last() - len(waiting) + 1, last() + 1)
    ]
    assert {item.transcript_path for item in waiting} == {
        f"/home/ada/.claude/projects/-p/{item.session_id}.jsonl" for item in waiting
    }
    for item in waiting:
        queue.done(item)
    assert queue.pending() == ()


def _endless_writer(state: Path, first: int) -> None:
    queue = Queue(state)
    for number in range(first, 10**6):
        queue.enqueue(session(f"k{number}", NOW + number / 1000))


def test_many_at_once_lose_no_session_and_tear_no_note(queue: Queue) -> None:
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=_writer, args=(queue.folder.parent, number)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0] * 4
    assert {item.session_id: item.at for item in queue.pending()} == {
        f"s{n}": NOW + (36 + n) * 10 + 3 for n in range(4)
    }
    for item in queue.pending():
        queue.done(item)
    assert files(queue) == []
