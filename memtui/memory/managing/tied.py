"""Undo and redo of a move between two directories: both halves or neither, in an order in which nothing is ever lost.

Each directory has its own journal. The halves of a move carry the same random key (`Tie`), which is what makes them
one change: a journal that merely names another directory moves nothing there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Folder
from memtui.memory.errors import Conflict, MemtuiError, Refused, sentence_of
from memtui.memory.managing.results import ChangeResult
from memtui.memory.saving.journal import stacks_of
from memtui.memory.saving.ledger import Ledger
from memtui.memory.saving.records import Record, Tie
from memtui.memory.wording.saying import Say, plain

if TYPE_CHECKING:
    from memtui.memory.managing.committing import Committer, Verb


@contextmanager
def holding(*managers: Committer, create: bool = False) -> Iterator[None]:
    """Hold several directories for a change, always in the same order, so that two movers never wait for each other.

    Args:
        managers: of the directories.
        create: whether one that is not there is made.

    Raises:
        Refused: one of them cannot be changed, or is being changed by somebody else.
    """
    with ExitStack() as stack:
        for manager in sorted(managers, key=lambda manager: manager.folder.real_path()):
            stack.enter_context(manager.writing(create=create))
        yield


def replay_both(here: Committer, record: Record, verb: Verb, only: int | None) -> ChangeResult | None:
    """Undo or redo a half of a move together with its other half.

    Args:
        here: the directory of this half.
        record: this half: the change to undo, or the undo to redo.
        verb: which.
        only: number of the record that a person was shown here; None for whatever is last.

    Returns:
        What was done here, with ``elsewhere`` set; None where the other half never came about or is so already, so
        that this one is to be done alone.

    Raises:
        Conflict: one side has gone on since. Nothing was changed in either.
        Refused: the other directory is gone or cannot be changed. Nothing was changed in either.
    """
    tie = record.tie
    if tie is None or not _belongs(tie, here, verb):
        return None
    folder = _folder_of(tie, here)
    there = type(here).open(
        folder.root,
        clock=here.clock,
        lang=here.lang,
        directory=Directory(folder.root, folder=folder, clock=here.clock),
        actor=here.actor,
        session_id=here.session_id,
    )
    there.reload()
    there.journal.door = here.journal.door
    with holding(here, there):
        other = there.undoable() if verb == "undo" else there.redoable()
        if other is None or other.tie is None or other.tie.key != tie.key:
            raise _gone_on(there.root, verb)
        # What leaves a directory leaves it last: the memory is in one of the two at every instant.
        arriving_first = "left" if verb == "undo" else "arrived"
        first, second = (here, there) if tie.half == arriving_first else (there, here)
        results = {id(first): _half(first, verb, only if first is here else other.id)}
        try:
            results[id(second)] = _half(second, verb, only if second is here else other.id)
        except MemtuiError as error:
            try:
                first.recover()
                first.replay_half("redo" if verb == "undo" else "undo")
            except MemtuiError:
                raise in_both(first.root, second.root, error) from error
            raise
    return replace(results[id(here)], elsewhere=str(there.root))


def in_both(arrived: Path, stays: Path, why: MemtuiError) -> Refused:
    """What is told where a memory arrived and could neither leave nor be taken back: nothing is lost, but it is there twice."""
    return Refused(
        Say(
            "the memory has arrived in {arrived} and could neither leave {stays} nor be taken back, so it is in both",
            arrived=arrived,
            stays=stays,
        ),
        where=str(stays),
        todo=Say("{why}. Then forget the one that is too many", why=why.sentence),
    )


def _half(manager: Committer, verb: Verb, only: int | None) -> ChangeResult:
    """One half; a conflict names the directory, for the person may be looking at the other."""
    try:
        return manager.replay_half(verb, only)
    except Conflict as error:
        where = str(manager.root / error.where) if error.where else str(manager.root)
        raise Conflict(
            error.what,
            where=where,
            todo=Say("Nothing was changed on either side. {todo}", todo=plain(error.todo)),
            base=error.base,
            mine=error.mine,
            theirs=error.theirs,
        ) from error


def _belongs(tie: Tie, here: Committer, verb: Verb) -> bool:
    """Whether the other half is to be replayed, too.

    Raises:
        Conflict: it cannot be, because other changes were made on top of it.
        Refused: its directory is gone, and with it the only other place of the memory.
    """
    folder = _folder_of(tie, here)
    if not folder.exists():
        if tie.half == "arrived" and verb == "undo":
            raise Refused(
                "the directory that this was moved from is gone, so it cannot be put back",
                where=tie.other,
                todo="Forget the memory if it is not wanted here: that can be undone",
            )
        return False
    try:
        records = Ledger(folder).records()
        halves = [record.tie for record in records if record.tie and _is_other_half(record, tie)]
        if not halves or here.folder.is_same_as(folder) or not _is_meant(halves[-1], here):
            return False
    except (OSError, MemtuiError) as error:
        raise Refused(
            "the journal of the other half of this move cannot be read",
            where=tie.other,
            todo=sentence_of(error),
        ) from error
    standing, undone = stacks_of(record for record in records if record.is_done)
    stands, taken_back = (_place(stack, tie) for stack in (standing, undone))
    if verb == "undo" and stands is None:
        return False  # a crash between the halves, or somebody undid that one before there was a tie to heed
    if verb == "redo" and stands is not None:
        return False
    if (stands if verb == "undo" else taken_back) != 0:
        raise _gone_on(Path(tie.other), verb)
    return True


def _folder_of(half: Tie, here: Committer) -> Folder:
    """The directory that a half names as the other one, through the door of this one."""
    return Folder(Path(half.other), here.folder.disk)


def _is_meant(half: Tie, here: Committer) -> bool:
    """Whether the other half names this directory, or one that is no more: this one under its old name.

    A copy of the directory, which another one stands beside, is none of the other half's business.
    """
    named = _folder_of(half, here)
    return not named.exists() or here.folder.is_same_as(named)


def _is_other_half(record: Record, tie: Tie) -> bool:
    return record.tie is not None and record.tie.key == tie.key and record.tie.half != tie.half


def _place(stack: Iterable[Record], tie: Tie) -> int | None:
    """How many changes were made since the other half; None if it is not among them."""
    places = [place for place, record in enumerate(reversed(list(stack))) if _is_other_half(record, tie)]
    return places[0] if places else None


def _gone_on(other: Path, verb: Verb) -> Conflict:
    gone_on = Say("the other half of this move can no longer be undone: other changes were made there since")
    if verb == "redo":
        gone_on = Say(
            "the other half of this move can no longer be redone: other changes were made there since"
        )
    return Conflict(
        gone_on,
        where=str(other),
        todo=Say(
            "Nothing was changed. Take those back first ({command}), or move the memory by hand: "
            "memtui move SLUG --to DIR",
            command=f"memtui {verb} --dir {other}",
        ),
    )
