"""The daily logs as rows and texts. Pure."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from memtui.memory.age import SECONDS_PER_DAY, memory_age_label
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.lines import Line, spread
from memtui.tui.present.parts import CURSOR, ELLIPSIS
from memtui.tui.wording.log import LogWords

if TYPE_CHECKING:
    from memtui.agent.daily_log import LogDay

_TIME_CELLS = 7


def day_row(day: dt.date, cells: int, *, cursor: bool, today: dt.date, lang: Lang) -> Line:
    """A day as a line: its date, and how long ago it was."""
    age = memory_age_label(0.0, (today - day).days * SECONDS_PER_DAY, lang)
    head: Line = ((f"{CURSOR if cursor else ' '} ", "cursor-sign"), (day.isoformat(), "name"))
    return spread(head, ((age, "dim"), (" ", "")), cells, ELLIPSIS)


def empty_lines(*, reading: bool, switched_on: bool, settings: str = "", say: LogWords) -> list[str]:
    """What the list says where no day has a log.

    Args:
        reading: whether that is not known yet.
        switched_on: whether a line may be written.
        settings: path of the person's own settings, fit to be shown; empty if nobody knows.
        say: sentences.
    """
    if reading:
        return [say.reading]
    if switched_on:
        return [say.empty, "", say.empty_write, say.empty_agents]
    hint = say.off_hint_file.format(path=settings) if settings else say.off_hint
    return [say.empty, "", say.off, hint, "", say.empty_agents]


def day_title(read: LogDay | None, say: LogWords) -> tuple[str, str]:
    """Title of the text, and how many entries it has."""
    if read is None:
        return "", ""
    count = len(read.lines)
    return read.day.isoformat(), (say.entries_one if count == 1 else say.entries).format(n=count)


def day_blocks(read: LogDay, lang: Lang, say: LogWords) -> list[Block]:
    """The text of a day, the times beside the entries."""
    blocks = [Block(((visible(read.rel), "dim"),)), BLANK]
    if read.problem is not None:
        told = visible(read.problem.said(lang), keep_newlines=True).split("\n")
        return [*blocks, Block(((say.trouble, "bad"),)), *(Block(((line, ""),)) for line in told)]
    rest = ((" " * _TIME_CELLS, ""),)
    for entry in read.lines:
        first = ((f"{visible(entry.time):<{_TIME_CELLS}}", "accent"),)
        for line in entry.text.split("\n"):
            shown = visible(line.removesuffix("\r").expandtabs(4))
            blocks.append(Block(((shown, ""),) if shown else (), first, rest))
            first = rest
    return blocks
