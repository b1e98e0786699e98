"""The commands that change memories: ``save forget restore undo redo``. Each change can be taken back."""

from __future__ import annotations

import sys
from io import BufferedIOBase
from pathlib import Path
from typing import cast

import click

from memtui.agent.save_tool import SaveMemoryTool
from memtui.cli.arguments import NAMED_PATH
from memtui.cli.complete import complete_slug, complete_version
from memtui.cli.options import directory_options, json_option, pass_session, share_option, unasked_option
from memtui.cli.session import Session
from memtui.cli.shapes import change_json, error_json
from memtui.cli.wording import CliWording, counted
from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.document.scopes import SCOPES, in_scope, scope_of
from memtui.memory.errors import Conflict, UsageError
from memtui.memory.managing.results import ChangeResult
from memtui.memory.saving.records import Pending, Record
from memtui.memory.secrets.team_guard import SecretBlocked
from memtui.memory.types import MemoryType, Scope
from memtui.memory.wording.labels import label_said
from memtui.memory.wording.saying import Say, joined, system_said


def _pending(say: CliWording) -> dict[Pending, str]:
    return {
        "archive": say.pending_archive,
        "index": say.pending_index,
        "trash": say.pending_trash,
        "journal": say.pending_journal,
    }


@click.command("save")
@click.argument("slug", shell_complete=complete_slug)
@click.argument("source", metavar="[-]", required=False)
@click.option("--name", help="Title.")
@click.option("--description", help="One line that decides when the memory is loaded.")
@click.option("--type", "memory_type", metavar="|".join(MemoryType), help="Kind of memory.")
@click.option("--content", help="The text itself.")
@click.option("--file", "file", type=NAMED_PATH, help="Take the text from this file.")
@click.option("--scope", type=click.Choice(SCOPES), help="Whose it is; 'team' puts team/ before SLUG.")
@share_option
@unasked_option
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
    scope: Scope | None,
    as_json: bool,
) -> int:
    """Save a memory, new or as a new version.

    Prints what an agent's save_memory tool would. The text comes from --content, from --file, or from stdin with a final '-'. What is not given stays as it is in
    a memory that exists; a new one needs everything. The old version of a memory is kept.
    """
    slug = in_scope(slug, scope) if scope is not None else slug
    text = text_of(session, source, content, file)
    manager = session.changer(create=True)
    is_first = not manager.folder.exists()
    entry = manager.directory.get(slug)
    given: dict[str, str | None] = {
        "slug": slug,
        "name": name,
        "description": description,
        "memory_type": memory_type,
        "content": text,
    }
    if entry is None and scope_of(slug) == "team":
        session.require_team()
    tool = SaveMemoryTool(manager, team=True)
    if entry is not None and entry.is_active and None in given.values():
        changes = {key: value for key, value in given.items() if value is not None and key != "slug"}
        answer = tool.edit(slug, changes, based_on=entry.digest)
    else:
        missing = [key for key, value in given.items() if value is None]
        if missing:
            options = {"memory_type": "--type", "content": Say("--content, --file or -")}
            names = joined((options.get(key, f"--{key}") for key in missing), ", ")
            what = Say("a new memory needs {names}", names=names)
            if entry is not None:
                what = Say(
                    "there is an old version of that name, and a memory in its place needs {names}",
                    names=names,
                )
            raise UsageError(what, where=slug, todo="See 'memtui save --help'")
        answer = tool.run(given)
    if isinstance(answer.error, Conflict | SecretBlocked):
        raise answer.error
    if answer.error is not None:
        session.out.note(answer.text)
        if as_json:
            session.out.json({"text": answer.text, "is_error": True, **error_json(answer.error)})
        return answer.error.exit_code
    if is_first:
        session.out.note(session.words().made_directory.format(path=manager.root))
    if as_json:
        change = change_json(answer.result) if answer.result else {}
        outcome = answer.result.outcome if answer.result else None
        session.out.json({"text": answer.text, "is_error": False, "outcome": outcome, **change})
    else:
        session.out.lines(answer.text)
    return 0


def text_of(session: Session, source: str | None, content: str | None, file: Path | None) -> str | None:
    """The text from the one place that was named; None if none was.

    Raises:
        UsageError: several places, or one that gives no text.
    """
    if source not in (None, "-"):
        raise UsageError(
            Say("unexpected argument {source!r}", source=source),
            todo="Give the text with --content, --file or a final '-'",
        )
    named = [
        option
        for option, value in (("--content", content), ("--file", file), ("-", source))
        if value is not None
    ]
    if len(named) > 1:
        raise UsageError(
            Say("the text comes from {places}", places=joined(named, " and ")), todo="Give it once"
        )
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
        raise UsageError(
            Say("could not read the text: {reason}", reason=system_said(error)), where=str(file)
        ) from error


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
        raise UsageError(
            Say("the text is longer than {most:,} bytes", most=MAX_FILE_BYTES), where=where, todo="Split it"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            Say("the text is not UTF-8 (byte {byte:,})", byte=error.start + 1),
            where=where,
            todo="Convert it first",
        ) from None


@click.command("forget")
@click.argument("slugs", nargs=-1, required=True, shell_complete=complete_slug)
@unasked_option
@json_option
@directory_options
@pass_session
def forget_command(session: Session, *, slugs: tuple[str, ...], as_json: bool) -> None:
    """Move memories to the trash.

    Their lines leave the index. 'memtui undo' brings both back.
    """
    change = session.changer().forget(*slugs)
    say = session.words()
    done = counted(len(change.slugs), say.forgot_one, say.forgot)
    tell_change(session, change, done.format(slugs=say.list_separator.join(change.slugs)), as_json)


@click.command("restore")
@click.argument("slug", shell_complete=complete_slug)
@click.argument("version", shell_complete=complete_version)
@share_option
@unasked_option
@json_option
@directory_options
@pass_session
def restore_command(session: Session, *, slug: str, version: str, as_json: bool) -> None:
    """Make an old version the current one.

    The one in force is kept as a version.
    """
    change = session.changer().restore(slug, version)
    say = session.words()
    done = say.restored if change.record_id else say.restored_nothing
    if change.record_id and change.archived:
        done = say.restored_kept
    archive = change.archived[0] if change.archived else ""
    tell_change(session, change, done.format(version=version, slug=slug, archive=archive), as_json)


@click.command("undo")
@click.option("--dry-run", is_flag=True, help="Only say what would be taken back.")
@unasked_option
@json_option
@directory_options
@pass_session
def undo_command(session: Session, *, dry_run: bool, as_json: bool) -> None:
    """Take back the last change made through memtui."""
    manager, say = session.manager() if dry_run else session.changer(), session.words()
    record = manager.undoable()
    if dry_run:
        _would(session, Say("undo"), say.would_undo, record, as_json=as_json)
        return
    change = manager.undo()
    again = manager.redoable()
    tell_change(session, change, say.undone.format(label=_label(session, again or change)), as_json)
    following = manager.undoable()
    if following is not None and not as_json:
        session.out.note(say.next_to_undo.format(label=_label(session, following)))


@click.command("redo")
@click.option("--dry-run", is_flag=True, help="Only say what would be made again.")
@unasked_option
@json_option
@directory_options
@pass_session
def redo_command(session: Session, *, dry_run: bool, as_json: bool) -> None:
    """Make the change again that was undone last."""
    manager, say = session.manager() if dry_run else session.changer(), session.words()
    record = manager.redoable()
    if dry_run:
        _would(session, Say("redo"), say.would_redo, record, as_json=as_json)
        return
    change = manager.redo()
    tell_change(session, change, say.redone.format(label=_label(session, record or change)), as_json)


def _would(session: Session, verb: str, template: str, record: Record | None, *, as_json: bool) -> None:
    if record is None:
        raise UsageError(Say("there is nothing to {verb}", verb=verb), where=str(session.memory_dir()))
    if as_json:
        session.out.json({"label": record.label})
    else:
        session.out.line(template.format(label=_label(session, record)))


def _label(session: Session, done: Record | ChangeResult) -> str:
    """What was done, in the language of messages."""
    return label_said(done.label, done.slugs, session.lang())


def tell_change(session: Session, change: ChangeResult, done: str, as_json: bool) -> None:
    """Print what a change did, and what the person should know about it."""
    out, say = session.out, session.words()
    if as_json:
        out.json(change_json(change))
    else:
        out.line(done)
    for rel in change.kept:
        out.note(say.kept.format(rel=rel))
    if change.elsewhere:
        from memtui.cli.wording_stores import transfer_words  # noqa: PLC0415  -- moves are rare

        out.note(transfer_words(session.lang()).also_undone.format(path=change.elsewhere))
    if change.dangling:
        out.note(say.dangling.format(slugs=say.list_separator.join(change.dangling)))
    for part in change.pending:
        out.note(_pending(say)[part])
