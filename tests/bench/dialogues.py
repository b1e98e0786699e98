"""Our own dialogues with questions, to measure relevance on: everyday talk of two people over months, made up by us.

The files hold, a line each: ``== LANGUAGE NAME, NAME`` begins a dialogue; ``@ DATE`` a session; ``NUMBER SPEAKER TEXT``
is a turn, with the fact that it tells after ``>>`` if any; ``q KIND QUESTION = NUMBERS`` a question and the turns that
answer it; ``n QUESTION`` one that nothing answers. A speaker is the name or its first letter. The questions were written
before anything was tuned; the settings are chosen by those about the first half of the dialogues, the other half is
what gets reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal

from memtui.memory.types import ACTIVE, MemoryEntry

Shape = Literal["turns by id", "turns by speaker", "facts by id", "facts by name"]
SHAPES: tuple[Shape, ...] = ("turns by id", "turns by speaker", "facts by id", "facts by name")
"""How a dialogue becomes memories: a turn or a fact each; named by its number and dated by ``modified`` alone, or named
by who speaks (a fact: by itself) with the date in the description."""

_FILES = ("dialogues_en_1.txt", "dialogues_zh.txt", "dialogues_en_2.txt")
_SECONDS_A_TURN = 40


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said.

    Attributes:
        number: 1-based in the dialogue.
        speaker: name.
        day: of the session.
        text: what was said.
        fact: what it tells, in one sentence; empty if nothing worth keeping.
    """

    number: int
    speaker: str
    day: date
    text: str
    fact: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something asked about one dialogue.

    Attributes:
        kind: ``single``, ``multi``, ``temporal``, ``open`` or ``none``.
        text: the question.
        evidence: numbers of the turns that answer it; none for what cannot be answered.
    """

    kind: str
    text: str
    evidence: tuple[int, ...]


@dataclass(slots=True)
class Dialogue:
    """Two people talking over months.

    Attributes:
        number: 1-based over all files.
        language: ``en`` or ``zh``.
        held_out: whether it belongs to the half that no setting was chosen by.
        turns: what was said.
        questions: what is asked about it.
    """

    number: int
    language: str
    held_out: bool
    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def dialogues() -> list[Dialogue]:
    """All of them."""
    found: list[Dialogue] = []
    names: list[str] = []
    day = date.min
    for line in (line for name in _FILES for line in _lines(name)):
        mark, _, rest = line.partition(" ")
        if mark == "==":
            language, _, people = rest.partition(" ")
            names = people.split(", ")
            found.append(Dialogue(len(found) + 1, language, held_out=False))
        elif mark == "@":
            day = date.fromisoformat(rest)
        elif mark == "q":
            kind, _, rest = rest.partition(" ")
            text, _, numbers = rest.rpartition(" = ")
            found[-1].questions.append(Question(kind, text, tuple(map(int, numbers.split()))))
        elif mark == "n":
            found[-1].questions.append(Question("none", rest, ()))
        else:
            who, _, rest = rest.partition(" ")
            text, _, fact = rest.partition(" >> ")
            speaker = next(name for name in names if name == who or name[0] == who)
            found[-1].turns.append(Turn(int(mark), speaker, day, text, fact))
    for one in found:
        one.held_out = one.number in _held_out(found)
    return found


def _held_out(found: list[Dialogue]) -> set[int]:
    """The later half of each language's dialogues."""
    chosen: set[int] = set()
    for language in ("en", "zh"):
        numbers = [one.number for one in found if one.language == language]
        chosen |= set(numbers[len(numbers) // 2 :])
    return chosen


def _lines(name: str) -> list[str]:
    return (Path(__file__).parent / name).read_text("utf-8").splitlines()


def entries(dialogue: Dialogue, shape: Shape) -> Iterator[tuple[MemoryEntry, int]]:
    """The memories that one dialogue becomes, each with the number of its turn."""
    for turn in dialogue.turns:
        facts = shape.startswith("facts")
        if facts and not turn.fact:
            continue
        text = turn.fact if facts else f"{turn.speaker}: {turn.text}"
        begin = datetime(turn.day.year, turn.day.month, turn.day.day, 18, tzinfo=UTC)
        time = (begin + timedelta(seconds=_SECONDS_A_TURN * turn.number)).timestamp()
        slug = f"d{dialogue.number}-{turn.number}"
        name, description, modified = slug, "", time
        if not shape.endswith("id"):
            name = turn.fact if facts else turn.speaker
            description = f"{turn.day.day} {turn.day:%B %Y}"
            modified = 0.0
        yield (
            MemoryEntry(slug, name, description, None, modified, text, Path(slug), ACTIVE, modified),
            turn.number,
        )
