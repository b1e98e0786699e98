"""``where``: which folder holds a project's memories, which others hold some, and whether the client uses them."""

from __future__ import annotations

import os
from pathlib import Path

import click

from memtui.claude.paths import project_of
from memtui.claude.survey import Place, Survey
from memtui.cli.arguments import NAMED_PATH
from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.session import Session
from memtui.cli.shapes import place_json
from memtui.cli.wording import CliWording, counted, words
from memtui.memory.age import memory_age_label
from memtui.memory.types import Lang
from memtui.memory.wording.saying import Say


@click.command("where")
@click.argument("path", required=False, type=NAMED_PATH)
@json_option
@directory_options
@pass_session
def where_command(session: Session, *, path: Path | None, as_json: bool) -> int:
    """Say which folder holds a project's memories.

    PATH is a directory of a project, or a store; --dir or the working directory when left out. Every other place that may hold
    memories of the project is listed too, with what is in it and whether a transcript proves that it was loaded.
    """
    lang = session.own_lang()
    say, out = words(lang), session.out
    given = path or session.directory
    asked = session.world.cwd if given is None else _directory(Path(os.path.realpath(session.path(given))))
    if not asked.is_dir():
        out.note(say.where_gone.format(path=asked))
    found = session.survey(asked)
    if as_json:
        out.json([place_json(found, place) for place in found.places])
    else:
        _print(session, found, say, lang)
    for oddity in found.oddities:
        out.error(oddity.said(lang))
    if any(place.kind in {"moved", "alike"} and place.memories for place in found.places):
        out.note(say.where_adopt)
    for problem in found.problems:
        what, todo = problem.said(lang)
        told = Say("{what}. {todo}", what=what, todo=todo)
        if problem.where:
            told = Say("{where}: {what}. {todo}", where=problem.where, what=what, todo=todo)
        out.error(told.said(lang))
    return 0


def _directory(given: Path) -> Path:
    """The directory that is asked about: a store stands for its project, a file for the folder it is in."""
    project = project_of(given)
    if project is not None:
        return project
    return given.parent if given.is_file() else given


def _print(session: Session, found: Survey, say: CliWording, lang: Lang) -> None:
    out = session.out
    out.line(say.where_project.format(project=found.root), "bold")
    switch = found.switch
    state = say.auto_memory_on if switch.on else say.auto_memory_off
    out.line(state.format(rule=switch.said(lang)), None if switch.on else "yellow")
    for place in found.places:
        out.line()
        out.line(str(place.path), "green" if place.in_force else None)
        mark = f"{say.where_in_force} · " if place.in_force else ""
        out.line(f"  {mark}{place.rule(lang)}")
        out.line(f"  {_state(place, say, session.world.clock(), lang)}", "dim")


def _state(place: Place, say: CliWording, now: float, lang: Lang) -> str:
    if not place.exists:
        return say.where_missing
    if place.memories is None:
        return say.where_unread
    template = counted(place.memories, say.where_memories_one, say.where_memories)
    parts = [template.format(count=place.memories)]
    if place.changed is not None:
        parts.append(say.where_changed.format(age=memory_age_label(place.changed, now, lang)))
    if place.used_at is not None:
        parts.append(say.where_used.format(age=memory_age_label(place.used_at, now, lang)))
    return " · ".join(parts)
