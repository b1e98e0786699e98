"""The ``memtui`` command: finds the subcommand, runs it, and turns whatever goes wrong into a sentence and a code.

Exit codes: 0 fine, 1 findings, 2 usage, 3 conflict, 4 refused; 130 after Ctrl-C, 141 when the reader of stdout left.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from memtui import __version__
from memtui.cli.options import ascii_option, directory_options
from memtui.cli.output import Output, standard_streams
from memtui.cli.session import Session, World
from memtui.cli.shapes import error_json
from memtui.memory.errors import Conflict, MemtuiError, Refused, UsageError
from memtui.memory.saying import Say, joined, plain, system_said
from memtui.memory.types import Lang

INTERRUPTED = 130
READER_LEFT = 141

_COMMANDS: Mapping[str, str] = {
    "list": "listing:list_command",
    "show": "reading:show_command",
    "save": "changing:save_command",
    "forget": "changing:forget_command",
    "restore": "changing:restore_command",
    "history": "reading:history_command",
    "diff": "reading:diff_command",
    "undo": "changing:undo_command",
    "redo": "changing:redo_command",
    "check": "inspecting:check_command",
    "index": "inspecting:index_command",
    "review": "review:review_command",
    "receipts": "receipts:receipts_command",
    "reminder": "reading:reminder_command",
    "select": "selecting:select_command",
    "extract": "extracting:extract_command",
    "hook": "hook:hook_command",
    "secrets": "scanning_secrets:secrets_command",
    "projects": "projects:projects_command",
    "copy": "transferring:copy_command",
    "move": "transferring:move_command",
    "adopt": "transferring:adopt_command",
    "dream": "dreaming:dream_command",
    "log": "logging_day:log_command",
    "team": "team:team_command",
    "mcp": "serving:mcp_command",
    "where": "locating:where_command",
    "serve": "serving:serve_command",
    "demo": "starting:demo_command",
    "guide": "guiding:guide_command",
    "completion": "starting:completion_command",
    "open": "starting:open_command",
}


class _Commands(click.Group):
    """Loads a subcommand when it is called for; a first word that is none is a directory to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  -- click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  -- click's signature
        home = _COMMANDS.get(cmd_name)
        if home is None:
            return None
        module, name = home.split(":")
        command: click.Command = getattr(importlib.import_module(f"memtui.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if not word:
            raise UsageError("the name of the directory is empty", todo="Is a variable not set?")
        if word in _COMMANDS or word.startswith("-"):
            return super().resolve_command(ctx, args)
        session = ctx.find_object(Session)
        there = session is not None and session.path(Path(word)).is_dir()
        if there or "/" in word or word in {".", "..", "~"}:
            return "open", self.get_command(ctx, "open"), args
        import difflib  # noqa: PLC0415 – on the way to an error only

        near = difflib.get_close_matches(word, [name for name in _COMMANDS if name != "open"], n=1)
        hint = Say("Did you mean {near!r}?", near=near[0]) if near else "'memtui --help' lists the commands"
        raise UsageError(Say("there is no command or directory {word!r}", word=word), todo=hint)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[DIR] | COMMAND [ARGS]...",
    epilog="Exit codes: 0 fine, 1 findings, 2 usage, 3 conflict, 4 refused. Data goes to stdout, all else to stderr.",
)
@ascii_option
@directory_options
@click.version_option(__version__, prog_name="memtui")
@click.pass_context
def cli(context: click.Context) -> int:
    """See, curate and trust the memory files of coding agents.

    Without a command, open the app on DIR, or on the memories of the project you are in.
    """
    if context.invoked_subcommand is None:
        command = cli.get_command(context, "open")
        if command is not None:
            code: int = context.invoke(command, directory=None)
            return code
    return 0


def run(argv: Sequence[str], world: World) -> int:
    """Run one command line.

    Args:
        argv: the arguments, without the program's name.
        world: what the command takes from the process.

    Returns:
        The exit code.
    """
    with standard_streams(world.environ) as out:
        return _run(argv, Session(world, out))


def _run(argv: Sequence[str], session: Session) -> int:
    out = session.out
    try:
        code = _dispatch(argv, session)
        session.warn()
        out.flush()
    except MemtuiError as error:
        _answer_json(argv, session, error)
        return _failed(out, error, session.spoken(argv))
    except KeyboardInterrupt:
        return _quietly(out, "", INTERRUPTED)
    except BrokenPipeError:
        return _quietly(out, "", READER_LEFT)
    except OSError as error:
        where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        refused = Refused(system_said(error), where=where)
        _answer_json(argv, session, refused)
        return _failed(out, refused, session.spoken(argv))
    return code


def _dispatch(argv: Sequence[str], session: Session) -> int:
    environ = session.world.environ
    if "_MEMTUI_COMPLETE" in environ:
        from click.shell_completion import shell_complete  # noqa: PLC0415  -- only when a shell asks

        return shell_complete(
            cli, {"obj": session}, "memtui", "_MEMTUI_COMPLETE", environ["_MEMTUI_COMPLETE"]
        )
    try:
        with cli.make_context("memtui", list(argv), obj=session) as context:
            result: Any = cli.invoke(context)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        text, help_for = _sentence(error)
        _answer_json(argv, session, UsageError(text, todo=help_for))
        lang = session.spoken(argv)
        if lang == "zh":
            from memtui.cli.usage_zh import usage_said  # noqa: PLC0415  -- only on the way to an error

            text = plain(usage_said(text))
        session.out.error(joined((text, help_for), " ").said(lang).rstrip())
        return UsageError.exit_code
    return result if isinstance(result, int) else 0


def _sentence(error: click.ClickException) -> tuple[Say, Say]:
    """What click has to say, with a full stop, and where there is help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    text = error.format_message()
    text += "" if text.endswith((".", "?", "!")) else "."
    return plain(text), Say("See '{command} --help'.", command=context.command_path) if context else Say("")


def _answer_json(argv: Sequence[str], session: Session, error: MemtuiError) -> None:
    """Say on stdout too what went wrong, where JSON was asked for."""
    wanted = "--json" in argv if session.as_json is None else session.as_json
    if not wanted or session.out.closed:
        return
    try:
        session.out.json(error_json(error))
        session.out.flush()
    except (OSError, MemtuiError):
        session.out.abandon()


def _failed(out: Output, error: MemtuiError, lang: Lang) -> int:
    text = error.said(lang)
    if isinstance(error, Conflict):
        text += _what_they_did(error, lang)
    return _quietly(out, text, error.exit_code)


def _what_they_did(error: Conflict, lang: Lang) -> str:
    """The difference somebody else made, for a person who must now choose."""
    from memtui.memory.history import unified_diff  # noqa: PLC0415  -- only on the way to an error

    old, new = ((data or b"").decode("utf-8", "surrogateescape") for data in (error.base, error.theirs))
    was, is_now = Say("as it was").said(lang), Say("as it is now").said(lang)
    diff = unified_diff(old, new, old_name=was, new_name=is_now)
    return f"\n{diff}".rstrip("\n") if diff else ""


def _quietly(out: Output, text: str, code: int) -> int:
    """Say what happened, if anybody still listens."""
    try:
        if text:
            out.error(text)
        out.flush()
    except (OSError, MemtuiError):
        out.abandon()
    return code
