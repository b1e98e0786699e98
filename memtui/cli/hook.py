"""``memtui hook``: puts memtui's hooks into Claude Code's settings, takes them out, says how they stand.

The calls of the client itself come by ``hook_run``, without click; here they are for a call with more words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from memtui.claude.hook_commands import own_program
from memtui.claude.hook_settings import (
    SCOPES,
    Installed,
    Plan,
    Scope,
    carry_out,
    installed_hooks,
    is_switched_off,
    plan_install,
    plan_uninstall,
    settings_path,
)
from memtui.claude.hooks import EVENTS
from memtui.claude.queue import Queue
from memtui.cli.hook_run import run_hook
from memtui.cli.hook_words import HookCliWords, hook_cli_words
from memtui.cli.inspecting import agreed, yes_option
from memtui.cli.options import json_option, lang_option, pass_session
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.memory.errors import Refused, UsageError
from memtui.memory.versions.history import unified_diff
from memtui.memory.wording.saying import Say, joined, said


def _scope_option(command: Callable[..., int]) -> Callable[..., int]:
    return click.option(
        "--scope",
        type=click.Choice(SCOPES),
        default="user",
        show_default=True,
        help="Whose settings: yours everywhere, the project's, or yours in the project.",
    )(command)


def _words(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    words = tuple(part.strip() for part in value.split(",") if part.strip())
    for word in words:
        if word not in EVENTS:
            raise UsageError(
                Say("there is no hook {word!r}", word=word),
                todo=Say("Use some of {names}", names=joined(EVENTS, ", ")),
            )
    if not words:
        raise UsageError("no hook is named", todo=Say("Use some of {names}", names=joined(EVENTS, ", ")))
    return words


@click.group("hook")
def hook_command() -> None:
    """Tell sessions of the memories, and note their end.

    Hooks of Claude Code: one puts a reminder of the most relevant memories into each session, the others note which
    sessions are to be read for new memories.

    'memtui hook install' shows what it adds to the settings, then asks.
    """


@hook_command.command("install")
@_scope_option
@click.option(
    "--events",
    default=",".join(EVENTS),
    show_default=True,
    callback=_words,
    metavar="LIST",
    help="Which hooks, with commas between.",
)
@yes_option
@lang_option
@pass_session
def install_command(session: Session, *, scope: Scope, events: tuple[str, ...], yes: bool) -> int:
    """Put the hooks into Claude Code's settings.

    What else is there stays byte for byte, and a copy of it as it was is kept beside.
    """
    say, path = hook_cli_words(session.own_lang()), _path(session, scope)
    program = own_program(sys.argv[0], sys.executable)
    if scope == "project":
        session.out.note(say.shared.format(path=path))
    plan = plan_install(path, program, events)
    if not plan.changes:
        session.out.note(say.nothing_to_install.format(path=path))
        return 0
    if _made(session, plan, say, yes=yes):
        template = say.installed_new if plan.before is None else say.installed
        session.out.note(template.format(path=path, backup=plan.backup))
    return 0


@hook_command.command("uninstall")
@_scope_option
@yes_option
@lang_option
@pass_session
def uninstall_command(session: Session, *, scope: Scope, yes: bool) -> int:
    """Take them out again.

    What else is there stays byte for byte.
    """
    say, path = hook_cli_words(session.own_lang()), _path(session, scope)
    plan = plan_uninstall(path)
    if not plan.changes:
        session.out.note(say.nothing_to_uninstall.format(path=path))
        return 0
    if _made(session, plan, say, yes=yes):
        session.out.note((say.uninstalled_whole if plan.restores else say.uninstalled).format(path=path))
    return 0


@hook_command.command("status")
@json_option
@lang_option
@pass_session
def status_command(session: Session, *, as_json: bool) -> int:
    """Say which are where, and whether they work."""
    say, out = hook_cli_words(session.own_lang()), session.out
    waiting = len(Queue(session.world.state_dir).pending())
    rows: list[Json] = []
    for scope in SCOPES:
        path = _path(session, scope)
        try:
            hooks, off, problem = installed_hooks(path), is_switched_off(path), None
        except Refused as error:
            hooks, off, problem = (), False, error.what
        rows.append(
            {
                "scope": scope,
                "path": str(path),
                "hooks": [{"event": h.word, "command": h.command, "works": h.works} for h in hooks],
                "switched_off": off,
                "problem": problem,
            }
        )
        if not as_json:
            _print(session, say, path, hooks, problem, off=off)
    if as_json:
        out.json({"settings": rows, "waiting": waiting})
    else:
        out.note(say.waiting.format(count=waiting))
    return 0


def _print(
    session: Session,
    say: HookCliWords,
    path: Path,
    hooks: Sequence[Installed],
    problem: str | None,
    *,
    off: bool,
) -> None:
    out = session.out
    out.line(str(path), "bold")
    if problem is not None:
        out.line(f"  {said(problem, session.own_lang())}", "red")
        return
    for hook in hooks:
        out.line(f"  {hook.word}  {hook.command}")
        if not hook.works:
            out.line("  " + say.broken.format(word=hook.word, program=hook.program), "red")
    if not hooks:
        out.line(f"  {say.absent}", "dim")
    if off:
        out.line("  " + say.switched_off.format(path=path), "yellow")


def _path(session: Session, scope: Scope) -> Path:
    world = session.world
    return settings_path(scope, cwd=world.cwd, environ=world.environ, home=world.home)


def _made(session: Session, plan: Plan, say: HookCliWords, *, yes: bool) -> bool:
    """Show the change, ask, make it; whether it was made."""
    session.out.require()
    names = [str(plan.path) if data is not None else "/dev/null" for data in (plan.before, plan.after)]
    old, new = ((data or b"").decode("utf-8", "surrogateescape") for data in (plan.before, plan.after))
    session.out.diff(unified_diff(old, new, old_name=names[0], new_name=names[1]))
    question = say.ask_remove if plan.after is None else say.ask_write
    if not agreed(session, question.format(path=plan.path), yes=yes):
        return False
    carry_out(plan)
    return True


def _client_call(word: str, event: str) -> None:
    """The command by which the client's call comes, where it comes this way."""

    @hook_command.command(word, help=f"Answer the {event} hook: JSON on stdin.")
    @pass_session
    def call(session: Session) -> int:
        world = session.world
        return run_hook(
            word,
            environ=world.environ,
            home=lambda: world.home,
            clock=world.clock,
            config_file=lambda: world.config_file,
            state_dir=lambda: world.state_dir,
            reports=lambda: world.state_dir / "log",
        )


for _word, _event in EVENTS.items():
    _client_call(_word, _event)
