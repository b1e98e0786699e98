"""The man page, made from the commands: ``python -m tests.readme`` writes it, and a test holds that it is current."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from memtui import __version__
from memtui.cli.app import cli
from memtui.guide import TOPICS
from tests.readme import README

PAGE = README.parent / "memtui" / "guide" / "memtui.1"
_SHARED = ("--dir", "--convention", "--lang", "--read-only", "--help", "--ascii", "--json")
"""Options that every command, or many, take; they are told once."""
_FILES = (
    (
        "<memory>/.memtui/",
        "history, trash, journal, inbox and audit log of a memory directory; it ignores itself for git",
    ),
    ("~/.config/memtui/config.toml", "settings; see memtui guide settings"),
    (
        "~/.local/state/memtui/",
        "what you last saw of a directory, how far transcripts were read, choices made in the app",
    ),
    ("~/.local/state/memtui/log/", "reports of memtui's own errors; they hold no memory"),
)
_ENVIRONMENT = (
    ("NO_COLOR", "no colours, in the app too"),
    ("VISUAL, EDITOR", "the editor that E opens in the app"),
    ("CLAUDE_CONFIG_DIR", "where Claude Code keeps its projects, instead of ~/.claude"),
    (
        "ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL",
        "key and address of the model, for the commands that may ask one",
    ),
    ("MEMTUI_LANG", "zh or en: the language, where --lang says none"),
    ("KAIROS", "1 switches the daily log on"),
    ("TEAMMEM", "1 switches the team's memories on"),
    ("EXTRACT_MEMORY_ENABLED", "true lets the hooks extract in the background"),
)


def released() -> str:
    """The day of the newest release, from the changelog."""
    found = re.search(
        r"^## \[\d[^]]*\] - (\S+)$", (README.parent / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    return found[1] if found else ""


def man_page() -> str:
    """The whole page, as roff."""
    root = click.Context(cli, info_name="memtui", help_option_names=["-h", "--help"])
    lines = [f'.TH MEMTUI 1 "{released()}" "memtui {__version__}" "User commands"', ".SH NAME"]
    lines += [rf"memtui \- {_text('see, curate and trust the memory that coding agents keep in files')}"]
    lines += [".SH SYNOPSIS", r".B memtui", r"[\fIoptions\fR] [\fIDIR\fR]", ".br", ".B memtui"]
    lines += [r"\fIcommand\fR [\fIoptions\fR] [\fIarguments\fR]", ".SH DESCRIPTION"]
    lines += _prose(cli.help or "")
    lines += [
        ".SH OPTIONS",
        "Every command takes these; --json those that print data, --ascii those that open the app.",
    ]
    lines += _options(cli, root, shared=True)
    lines += [".SH COMMANDS"]
    for name in cli.list_commands(root):
        command = cli.get_command(root, name)
        if command is not None and not command.hidden:
            lines += _command(command, click.Context(command, info_name=name, parent=root))
    lines += [".SH EXIT STATUS"]
    for code, meaning in (
        ("0", "fine"),
        ("1", "findings"),
        ("2", "the command was not understood"),
        ("3", "somebody else changed the file; nothing was written"),
        ("4", "refused: disk, permission, lock, --read-only; nothing was changed"),
        ("70", "an error of memtui's own; a report was written"),
        ("130", "broken off with Ctrl-C"),
    ):
        lines += [".TP", _bold(code), _text(meaning)]
    for title, rows in (("FILES", _FILES), ("ENVIRONMENT", _ENVIRONMENT)):
        lines += [f".SH {title}"]
        for name, meaning in rows:
            lines += [".TP", _bold(name), _text(meaning)]
    lines += [
        ".SH SEE ALSO",
        _text("The manual is part of the program: memtui guide TOPIC prints a page of it."),
    ]
    for name, topic in TOPICS.items():
        lines += [".TP", _bold(f"memtui guide {name}"), _text(topic.en)]
    return "\n".join(lines) + "\n"


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """A command, and the commands below it."""
    usage = " ".join(command.collect_usage_pieces(context)).removeprefix("[OPTIONS]").strip()
    yield ".SS " + _bold(context.command_path) + (f" {_text(usage)}" if usage else "")
    yield from _prose(command.help or "")
    yield from _options(command, context, shared=False)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _command(below, click.Context(below, info_name=name, parent=context))


def _options(command: click.Command, context: click.Context, *, shared: bool) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is None or (not shared and any(name in _SHARED for name in parameter.opts)):
            continue
        yield ".TP"
        yield _bold(record[0])
        yield _text(record[1])


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; one that click is told to leave as it is keeps its lines."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        lines = [line.strip() for line in paragraph.splitlines()]
        if number:
            yield ".PP"
        if lines[0] == "\b":
            yield ".nf"
            yield from map(_text, lines[1:])
            yield ".fi"
        else:
            yield _text(" ".join(lines))


def _bold(text: str) -> str:
    return rf"\fB{_text(text)}\fR"


def _text(text: str) -> str:
    """A text as roff takes it for what it is."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("…", "...")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def renew_page() -> bool:
    """Write the page anew; whether it was another one."""
    text = man_page()
    if PAGE.read_text("utf-8") == text:
        return False
    PAGE.write_text(text, encoding="utf-8")
    return True
