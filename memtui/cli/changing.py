"""The commands that change memories: ``save forget restore undo redo``. Each change can be taken back."""

from __future__ import annotations

import sys
from io import BufferedIOBase
from pathlib import Path
from typing import cast

import click

from memtui.agent.save_tool import SaveMemoryTool
from memtui.cli.complete import complete_slug, complete_version
from memtui.cli.session import Session, directory_options, json_option, pass_session
from memtui.cli.shapes import change_json
from memtui.memory.errors import Conflict, UsageError
from memtui.memory.files import MAX_FILE_BYTES
from memtui.memory.manager import MemoryManager
from memtui.memory.records import Pending
from memtui.memory.results import ChangeResult
from memtui.memory.types import MemoryType

_PENDING: dict[Pending, str] = {
    "archive": "the old version could not be put in its place yet",
    "index": "the index could not be brought up to date",
    "trash": "the file has left its place, but could not be put into the trash yet",
    "journal": "the journal could not be brought up to date",
}


@click.command("save")
@click.argument("slug", shell_complete=complete_slug)
@click.argument("source", metavar="[-]", required=False)
@click.option("--name", help="Title.")
@click.option("--description", help="One line that decides when the memory is loaded.")
@click.option("--type", "memory_type", metavar="|".join(MemoryType), help="Kind of memory.")
@click.option("--content", help="The text itself.")
@click.option(
    "--file", "file", type=click.Path(path_type=Path, readable=False), help="Take the text from this file."
)
@json_option
@directory_options
@pass_session
def save_command(
    session: Session,
    *,
    slug: str,
    source: str | None,
    name: str | None,
    description: str | None,
    memory_type: str | None,
    content: str | None,
    file: Path | None,
    as_json: bool,
) -> int:
    """Save a memory, new or as a new version.

    Prints what an agent's save_memory tool would. The text comes from --content, from --file, or from stdin with a final '-'. What is not given stays as it is in
    a memory that exists; a new one needs everything. The old version of a memory is kept.
    """
    text = _content(session, source, content, file)
    manager = session.manager()
    entry = manager.directory.get(slug)
    given: dict[str, str | None] = {
        "slug": slug,
        "name": name,
        "description": description,
        "memory_type": memory_type,
        "content": text,
    }
    tool = SaveMemoryTool(manager)
    if entry is not None and entry.is_active and None in given.values():
        changes = {key: value for key, value in given.items() if value is not None and key != "slug"}
        answer = tool.edit(slug, changes, based_on=entry.digest)
    else:
        missing = [key for key, value in given.items() if value is None]
        if missing:
            options = {"memory_type": "--type", "content": "--content, --file or -"}
            names = ", ".join(options.get(key, f"--{key}") for key in missing)
            raise UsageError(f"a new memory needs {names}", where=slug, todo="See 'memtui save --help'")
        answer = tool.run(given)
    if isinstance(answer.error, Conflict):
        raise answer.error
    if answer.error is not None:
        session.out.note(answer.text)
        if as_json:
            session.out.json({"text": answer.text, "is_error": True})
        return answer.error.exit_code
    if as_json:
        change = change_json(answer.result) if answer.result else {}
        outcome = answer.result.outcome if answer.result else None
        session.out.json({"text": answer.text, "is_error": False, "outcome": outcome, **change})
    else:
        session.out.lines(answer.text)
    return 0


def _content(session: Session, source: str | None, content: str | None, file: Path | None) -> str | None:
    """The text from the one place that was named; None if none was.

    Raises:
        UsageError: several places, or one that gives no text.
    """
    if source not in (None, "-"):
        raise UsageError(
            f"unexpected argument {source!r}", todo="Give the text with --content, --file or a final '-'"
        )
    named = [
        option
        for option, value in (("--content", content), ("--file", file), ("-", source))
        if value is not None
    ]
    if len(named) > 1:
        raise UsageError(f"the text comes from {' and '.join(named)}", todo="Give it once")
    if source == "-" or file == Path("-"):
        if sys.stdin is None:
            raise UsageError("stdin is closed", todo="Give the text with --content or --file")
        return _decoded(_read(cast("BufferedIOBase", sys.stdin.buffer)), "stdin")
    if file is None:
        return content
    path = session.path(file)
    if not path.is_file():
        what = "this is not a regular file" if path.exists() else "there is no such file"
        raise UsageError(what, where=str(file), todo="Name a text file, or '-' for stdin")
    try:
        with path.open("rb") as stream:
            return _decoded(_read(stream), str(file))
    except OSError as error:
        raise UsageError(f"could not read the text: {error.strerror}", where=str(file)) from error


def _read(stream: BufferedIOBase) -> bytes:
    """All of a stream, or a little more than is allowed.

    In small steps, for one large read starts again without a look at Ctrl-C when that comes in the middle.
    """
    data = bytearray()
    while len(data) <= MAX_FILE_BYTES and (part := stream.read1(1 << 16)):
        data += part
    return bytes(data)


def _decoded(data: bytes, where: str) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(f"the text is longer than {MAX_FILE_BYTES:,} bytes", where=where, todo="Split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the text is not UTF-8 (byte {error.start + 1:,})", where=where, todo="Convert it first"
        ) from None


@click.command("forget")
@click.argument("slugs", nargs=-1, required=True, shell_complete=complete_slug)
@json_option
@directory_options
@pass_session
def forget_command(session: Session, *, slugs: tuple[str, ...], as_json: bool) -> None:
    """Move memories to the trash.

    Their lines leave the index. 'memtui undo' brings both back.
    """
    change = session.manager().forget(*slugs)
    _tell(
        session,
        change,
        f"forgot {_named(change)}; 'memtui undo' brings {'it' if len(slugs) == 1 else 'them'} back",
        as_json,
    )


@click.command("restore")
@click.argument("slug", shell_complete=complete_slug)
@click.argument("version", shell_complete=complete_version)
@json_option
@directory_options
@pass_session
def restore_command(session: Session, *, slug: str, version: str, as_json: bool) -> None:
    """Make an old version the current one.

    The one in force is kept as a version.
    """
    change = session.manager().restore(slug, version)
    if change.record_id:
        kept = f"; what stood there is {change.archived[0]}" if change.archived else ""
        done = f"restored version {version} of {slug}{kept}"
    else:
        done = f"version {version} is the current one of {slug}; nothing to do"
    _tell(session, change, done, as_json)


@click.command("undo")
@click.option("--dry-run", is_flag=True, help="Only say what would be taken back.")
@json_option
@directory_options
@pass_session
def undo_command(session: Session, *, dry_run: bool, as_json: bool) -> None:
    """Take back the last change made through memtui."""
    manager = session.manager()
    record = manager.undoable()
    if dry_run:
        _would(session, "undo", record.label if record else None, as_json=as_json)
        return
    change = manager.undo()
    again = manager.redoable()
    _tell(
        session,
        change,
        f"undone: {again.label if again else change.label}; 'memtui redo' makes it again",
        as_json,
    )
    _next(session, manager, as_json)


@click.command("redo")
@click.option("--dry-run", is_flag=True, help="Only say what would be made again.")
@json_option
@directory_options
@pass_session
def redo_command(session: Session, *, dry_run: bool, as_json: bool) -> None:
    """Make the change again that was undone last."""
    manager = session.manager()
    record = manager.redoable()
    if dry_run:
        _would(session, "redo", record.label if record else None, as_json=as_json)
        return
    change = manager.redo()
    _tell(
        session,
        change,
        f"made again: {record.label if record else change.label}; 'memtui undo' takes it back",
        as_json,
    )


def _would(session: Session, verb: str, label: str | None, *, as_json: bool) -> None:
    if label is None:
        raise UsageError(f"there is nothing to {verb}", where=str(session.memory_dir()))
    if as_json:
        session.out.json({"label": label})
    else:
        session.out.line(f"would {verb}: {label}")


def _next(session: Session, manager: MemoryManager, as_json: bool) -> None:
    record = manager.undoable()
    if record is not None and not as_json:
        session.out.note(f"next to undo: {record.label}")


def _named(change: ChangeResult) -> str:
    return ", ".join(change.slugs)


def _tell(session: Session, change: ChangeResult, done: str, as_json: bool) -> None:
    """Print what a change did, and what the person should know about it."""
    out = session.out
    if as_json:
        out.json(change_json(change))
    else:
        out.line(done)
    for rel in change.kept:
        out.note(f"somebody else wrote at the same moment; their version was kept as {rel}")
    if change.dangling:
        out.note(f"wiki links now point to nothing in: {', '.join(change.dangling)}")
    for part in change.pending:
        out.note(f"{_PENDING[part]}; the next change does it")
