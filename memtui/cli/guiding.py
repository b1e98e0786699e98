"""``memtui guide [TOPIC]``: the manual's pages."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from memtui.cli.options import pass_session
from memtui.cli.session import Session
from memtui.guide import TOPICS, page
from memtui.memory.errors import UsageError
from memtui.memory.wording.saying import Say


def _complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=topic.en) for name, topic in TOPICS.items() if name.startswith(incomplete)
    ]


@click.command("guide")
@click.argument("topic", required=False, shell_complete=_complete)
@pass_session
def guide_command(session: Session, *, topic: str | None) -> int:
    """Print a page of the manual.

    In Markdown; without TOPIC, the list of pages.
    """
    if topic is None:
        width = max(map(len, TOPICS))
        for name, about in TOPICS.items():
            session.out.line(f"{name:<{width}}  {about.zh if session.own_lang() == 'zh' else about.en}")
        return 0
    if topic not in TOPICS:
        raise UsageError(
            Say("there is no page {topic!r} in the manual", topic=topic),
            todo=Say("The pages are {names}", names=", ".join(TOPICS)),
        )
    session.out.exact(page(topic))
    return 0
