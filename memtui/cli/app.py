"""The ``memtui`` command as click reads it: finds the subcommand and runs it, and says what was typed wrongly."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import click

from memtui import __version__
from memtui.cli.commands import COMMANDS, COMPLETE_VARIABLE, is_directory
from memtui.cli.ending import answer_json
from memtui.cli.options import ascii_option, directory_options
from memtui.cli.session import Session
from memtui.memory.errors import UsageError
from memtui.memory.wording.saying import Say, joined, plain


class _Commands(click.Group):
    """Loads a subcommand when it is called for; a first word that is none is a directory to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  -- click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  -- click's signature
        home = COMMANDS.get(cmd_name)
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
        if word in COMMANDS or word.startswith("-"):
            return super().resolve_command(ctx, args)
        session = ctx.find_object(Session)
        if session is not None and is_directory(word, session):
            return "open", self.get_command(ctx, "open"), args
        import difflib  # noqa: PLC0415 – on the way to an error only

        near = difflib.get_close_matches(word, [name for name in COMMANDS if name != "open"], n=1)
        hint = Say("Did you mean {near!r}?", near=near[0]) if near else "'memtui --help' lists the commands"
        raise UsageError(Say("there is no command or directory {word!r}", word=word), todo=hint)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="[DIR] | COMMAND [ARGS]...",
    epilog="Exit codes: 0 fine, 1 findings, 2 usage, 3 conflict, 4 refused, 70 a fault of memtui. "
    "Data goes to stdout, all else to stderr.",
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


def dispatch(argv: Sequence[str], session: Session) -> int:
    """Read a command line and do what it says; gives the exit code.

    Raises:
        MemtuiError: it was refused.
        KeyboardInterrupt: somebody broke it off.
    """
    environ = session.world.environ
    if COMPLETE_VARIABLE in environ:
        from click.shell_completion import shell_complete  # noqa: PLC0415  -- only when a shell asks

        return shell_complete(cli, {"obj": session}, "memtui", COMPLETE_VARIABLE, environ[COMPLETE_VARIABLE])
    try:
        with cli.make_context("memtui", list(argv), obj=session) as context:
            result: Any = cli.invoke(context)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        text, help_for = _sentence(error)
        answer_json(argv, session, UsageError(text, todo=help_for))
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
