"""``select``: which memories go with a question, chosen offline or by a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from memtui.cli.complete import complete_slug
from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.output import Style
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.memory.errors import UsageError
from memtui.memory.relevance.selecting import DEFAULT_MAX_ENTRIES, Chosen, Selection, SelectionContext
from memtui.memory.relevance.told import by_said, count_said, relevance_said, selection_words, tokens_said
from memtui.memory.reminder import estimate_tokens

if TYPE_CHECKING:
    from memtui.agent.llm import AnthropicModel


@click.command("select")
@click.argument("query", nargs=-1)
@click.option(
    "--model/--offline",
    "ask",
    default=None,
    help="Ask the model, which costs tokens; or do not.  [default: the setting 'use_model', else offline]",
)
@click.option(
    "--max",
    "limit",
    type=click.IntRange(min=0),
    default=DEFAULT_MAX_ENTRIES,
    show_default=True,
    metavar="N",
    help="Most memories.",
)
@click.option(
    "--recent-tool",
    "tools",
    multiple=True,
    metavar="TOOL",
    help="A tool in use: plain notes on it rank lower, warnings do not. May be given again.",
)
@click.option(
    "--surfaced",
    multiple=True,
    metavar="SLUG",
    shell_complete=complete_slug,
    help="A memory that was shown already. May be given again.",
)
@click.option("--dry-run", is_flag=True, help="Print what a model would be sent, and send nothing.")
@json_option
@directory_options
@pass_session
def select_command(
    session: Session,
    *,
    query: tuple[str, ...],
    ask: bool | None,
    limit: int,
    tools: tuple[str, ...],
    surfaced: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Choose the memories that go with QUERY.

    Not more than --max: by a model with --model, else by what the memories say; without QUERY, those of highest score.
    Where a model fails, the offline choice stands in, and a notice says so.
    """
    if dry_run and ask is False:
        raise UsageError("--dry-run and --offline exclude each other", todo="Give one")
    manager, now = session.manager(), session.world.clock()
    context = SelectionContext(" ".join(query), surfaced, tools, limit)
    if dry_run:
        _dry_run(session, context)
        return
    model = _model(session) if _asks(session, ask) else None
    if model is None:
        selection = manager.selection(context)
    else:
        from memtui.agent.selection import select  # noqa: PLC0415  -- most selections ask nobody

        if model.access.foreign_host:  # wherever a key goes that is not the usual place, it is said
            say = selection_words(session.lang())
            session.out.note(say.asked.format(model=model.name, host=model.access.foreign_host))
        selection = select(manager.entries(), context, now=now, lang=session.lang(), model=model)
    _print(session, selection, as_json=as_json)


def _asks(session: Session, ask: bool | None) -> bool:
    """Whether the model is asked: on demand; by the setting only where there is a key, so that it costs nobody by surprise."""
    if ask is not None:
        return ask
    return bool(session.config().use_model) and _model(session).access.has_key


def _model(session: Session) -> AnthropicModel:
    from memtui.agent.llm import AnthropicModel  # noqa: PLC0415  -- most selections ask nobody

    return AnthropicModel.from_settings(
        session.world.environ, session.config(), allowed=session.allowed_secrets()
    )


def _dry_run(session: Session, context: SelectionContext) -> None:
    from memtui.agent.selection import planned_request  # noqa: PLC0415  -- as above

    say = selection_words(session.lang())
    request = planned_request(
        session.manager().entries(),
        context,
        _model(session),
        now=session.world.clock(),
        lang=session.lang(),
    )
    if request is None:
        session.out.note(say.dry_nothing)
        return
    session.out.json({"url": request.url, "body": request.body, "redacted": request.redacted})
    text = json.dumps(request.body, ensure_ascii=False)
    session.out.note(say.dry.format(tokens=f"{estimate_tokens(text):,}"))


def _print(session: Session, selection: Selection, *, as_json: bool) -> None:
    out, lang = session.out, session.lang()
    if selection.notice:
        out.error(selection.notice.said(lang))
    if as_json:
        out.json([selected_json(chosen, selection) for chosen in selection.chosen])
    else:
        rows: list[list[tuple[str, Style | None]]] = [
            [
                (chosen.entry.slug, "bold"),
                (f"{chosen.score.score:.2f}", "cyan"),
                (relevance_said(chosen.relevance, chosen.tool, lang) or by_said(selection.by, lang), None),
            ]
            for chosen in selection.chosen
        ]
        out.table(rows)
    told = [count_said(selection, lang), tokens_said(selection, lang)]
    out.note(" · ".join(filter(None, told)))


def selected_json(chosen: Chosen, selection: Selection) -> Json:
    """One memory that was chosen.

    ``score`` is the effective score. The first of ``reasons`` has ``kind`` ``all``, ``model``, ``relevance`` or
    ``recency``: who chose; ``relevance`` is its relevance score, null where it shares nothing with the question. After it
    come those of kind ``word`` with ``term``, ``found``, ``how``, ``field`` and ``score``, and of kind ``tool`` with
    ``tool``, which makes it rank lower.
    """
    ranked = chosen.relevance
    reasons: list[Json] = [{"kind": selection.by, "relevance": ranked.score if ranked else None}]
    reasons += [
        {
            "kind": "word",
            "term": reason.term,
            "found": reason.found,
            "how": reason.how,
            "field": reason.field,
            "score": reason.score,
        }
        for reason in (ranked.reasons if ranked else ())
    ]
    if chosen.tool:
        reasons.append({"kind": "tool", "tool": chosen.tool})
    return {"slug": chosen.entry.slug, "score": chosen.score.score, "reasons": reasons}
