"""The man page says what the commands say, for every command; ``python -m tests.readme`` writes it anew."""

from __future__ import annotations

import re

import click

from memtui.cli.app import cli
from tests.manual import PAGE, man_page


def commands(command: click.Command, context: click.Context) -> list[click.Context]:
    found = [context]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                found += commands(below, click.Context(below, info_name=name, parent=context))
    return found


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == man_page(), "run: python -m tests.readme"


def test_no_line_is_taken_for_a_request_that_is_none() -> None:
    requests = {line.split()[0] for line in man_page().splitlines() if line.startswith((".", "'"))}
    assert requests <= {".TH", ".SH", ".SS", ".B", ".br", ".PP", ".TP", ".nf", ".fi"}


def test_every_command_and_option_says_what_it_does_in_sentences() -> None:
    contexts = commands(cli, click.Context(cli, info_name="memtui"))
    assert len(contexts) > 50
    wrong = []
    for context in contexts:
        said = [context.command.get_short_help_str(200)]
        said += [
            re.sub(r"\s+\[default.*\]\Z", "", option.help or "")
            for option in context.command.get_params(context)
            if isinstance(option, click.Option) and not option.hidden
        ]
        wrong += [(context.command_path, text) for text in said if not re.fullmatch(r"[^a-z\s].*[.?)]", text)]
    assert wrong == []
