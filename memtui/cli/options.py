"""The options that commands share: remembered in the `Session` instead of being handed to each command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from memtui.cli.arguments import NAMED_PATH
from memtui.cli.session import Session
from memtui.memory.conventions import CONVENTIONS

F = TypeVar("F", bound=Callable[..., Any])


def _remember(name: str) -> Callable[[click.Context, click.Parameter, object], object]:
    def callback(context: click.Context, _parameter: click.Parameter, value: object) -> object:
        session = context.find_object(Session)
        # What was not given after the command may have been given before it.
        if session is not None and value not in (None, False):
            setattr(session, name, value)
        return value

    return callback


def _option(*names: str, into: str, **how: Any) -> Callable[[F], F]:  # noqa: ANN401 – click's own options, passed on
    """An option whose value goes ``into`` an attribute of the session."""
    return click.option(*names, expose_value=False, callback=_remember(into), **how)


lang_option = _option(
    "--lang",
    into="lang_option",
    type=click.Choice(["zh", "en"]),
    help="Language of messages and prompts.",
)

project_option = _option(
    "--project",
    into="project",
    type=NAMED_PATH,
    help="Project whose files the memories talk about.  [default: found from the directory]",
)

share_option = _option(
    "--allow-secret",
    "shared_secrets",
    into="shared_secrets",
    multiple=True,
    metavar="SLUG",
    help="Let the team get the secret in this memory; its slug has to be typed. The audit log says so.",
)
"""For what may write to the team's memories."""

read_only_option = _option("--read-only", into="read_only", is_flag=True, help="Refuse every change.")

ascii_option = _option("--ascii", into="ascii_mode", is_flag=True, help="Draw the app with ASCII only.")
"""For every way into the app."""

_convention_option = _option(
    "--convention",
    into="convention",
    type=click.Choice(list(CONVENTIONS)),
    help="Habits the directory follows; detected otherwise.",
)

_dir_option = _option(
    "-d",
    "--dir",
    into="directory",
    type=NAMED_PATH,
    help="Memory directory.  [default: the current project's]",
)


def directory_options(command: F) -> F:
    """What every command takes, and ``memtui`` in front of one: ``--dir``, ``--convention``, ``--lang``, ``--read-only``."""
    return _dir_option(_convention_option(lang_option(read_only_option(command))))


def _remember_json(context: click.Context, _parameter: click.Parameter, value: bool) -> bool:
    session = context.find_object(Session)
    if session is not None:
        session.as_json = value
    return value


unasked_option = click.option("-y", "--yes", is_flag=True, expose_value=False, hidden=True)
"""For commands that change something and ask nothing: scripts may say yes to all of them alike."""
json_option = click.option(
    "--json", "as_json", is_flag=True, is_eager=True, callback=_remember_json, help="Print JSON."
)

pass_session = click.make_pass_decorator(Session)
