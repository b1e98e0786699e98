"""The look before a change: is every file what the change was based on, and can it be made at all?"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import refused
from memtui.memory.disk.filenames import split
from memtui.memory.disk.files import MAX_FILE_BYTES, FileImage, Folder, Unreadable, digest_of
from memtui.memory.disk.writing import OWN_LIMIT, Writer
from memtui.memory.errors import Refused
from memtui.memory.saving.keeping import Step, mode_of
from memtui.memory.saving.record_lines import may_change
from memtui.memory.saving.records import Change, Edit
from memtui.memory.saving.steps import Engine
from memtui.memory.wording.saying import Say


def look(
    folder: Folder, writer: Writer, engine: Engine, edits: Sequence[Edit]
) -> tuple[list[Step], tuple[str, ...]]:
    """Look at every file of a change and refuse it where one is not as expected; nothing is written.

    Returns:
        The steps, and the folders that they will make.

    Raises:
        Conflict: a primary is not what its edit was based on.
        Refused: a file cannot be read, or the change cannot be made.
    """
    steps: list[Step] = []
    where = ""
    try:
        for edit in edits:
            where = edit.rel
            steps.append(_look_at(folder, writer, engine, edit))
        made = _missing_folders(writer, steps)
    except OSError as error:
        raise refused(error, "could not look at the file", where) from error
    modes = [step.change.was_mode for step in steps if step.change.role == "primary"]
    strictest = None
    for mode in modes:
        if mode is not None:
            strictest = mode if strictest is None else strictest & mode
    for step in steps:
        change = step.change
        if change.role == "archive" and change.mode is None:
            step.change = replace(change, mode=strictest)
    return steps, made


def _look_at(folder: Folder, writer: Writer, engine: Engine, edit: Edit) -> Step:
    if edit.after is not None and len(edit.after) > (OWN_LIMIT if edit.role == "archive" else MAX_FILE_BYTES):
        raise Refused(
            Say(
                "the text is {size:,} bytes, more than the {most:,} a memory may have",
                size=len(edit.after),
                most=MAX_FILE_BYTES,
            ),
            where=edit.rel,
            todo="Split it",
        )
    rel = _followed(folder, writer, edit)
    if not may_change(rel):
        what = (
            "this is not a file of memories"
            if rel == edit.rel
            else Say("this is a link to {rel}, which is no memory", rel=rel)
        )
        raise Refused(what, where=edit.rel, todo="Put a memory's file there, or change it by hand")
    change = Change(
        rel=rel,
        role=edit.role,
        before=None,
        after=None,
        mtime_ns=edit.mtime_ns,
        mode=edit.mode,
        trash=edit.trash,
        temp=writer.temp(rel),
    )
    step = Step(change, edit.before, edit.after)
    if edit.role != "archive":
        image = _read(engine, step)
        if image is not None:
            change = replace(change, was_mtime_ns=image.stamp.mtime_ns, was_mode=mode_of(image.stamp))
            step.owner = _owner(writer, rel)
    elif edit.after is None:
        image = None
        with suppress(Unreadable):
            image = engine.current(rel)
        if image is not None:
            change = replace(change, was_mtime_ns=image.stamp.mtime_ns, was_mode=mode_of(image.stamp))
    step.change = replace(
        change,
        before=None if edit.before is None else digest_of(edit.before),
        after=None if edit.after is None else digest_of(edit.after),
    )
    return step


def _read(engine: Engine, step: Step) -> FileImage | None:
    rel = step.change.rel
    if step.change.role == "index":
        return engine.current(rel)
    if step.before is None:
        if engine.writer.lstat(rel) is not None:
            raise engine.conflict(step)
        return None
    image = engine.current(rel)
    if image is None or image.data != step.before:
        raise engine.conflict(step)
    return image


def _followed(folder: Folder, writer: Writer, edit: Edit) -> str:
    """Where the edit's bytes are: a link inside the directory is written through, never replaced."""
    if edit.before is None:
        return edit.rel
    info = writer.lstat(edit.rel)
    if info is not None and not stat.S_ISLNK(info.st_mode):
        return edit.rel
    try:
        target = folder.resolve(edit.rel)
    except FileNotFoundError:
        return edit.rel
    if target != edit.rel and edit.after is None:
        raise Refused(
            Say("this is a link to {target}", target=target),
            where=edit.rel,
            todo="Remove the file it points to, or the link by hand",
        )
    return target


def _owner(writer: Writer, rel: str) -> tuple[int, int] | None:
    """User and group to keep where the system allows it: the user for root, the group for its members."""
    info = writer.lstat(rel)
    if info is None or (info.st_uid, info.st_gid) == (os.geteuid(), os.getegid()):
        return None
    return (info.st_uid if os.geteuid() == 0 else -1), info.st_gid


def _missing_folders(writer: Writer, steps: Sequence[Step]) -> tuple[str, ...]:
    """Folders that a change will make for its memories, outermost first."""
    missing: list[str] = []
    for step in steps:
        folder = split(step.change.rel)[0]
        if step.change.role != "primary" or step.after is None or folder.startswith(OWN_FOLDER):
            continue
        above: list[str] = []
        while folder and folder not in missing and writer.lstat(folder) is None:
            above.insert(0, folder)
            folder = split(folder)[0]
        missing += above
    return tuple(missing)
