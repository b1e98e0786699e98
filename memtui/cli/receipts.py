"""``receipts``: what each session loaded of the memories, read, cited and wrote; and the use of one memory for ``show``."""

from __future__ import annotations

import click

from memtui.claude.receipt_values import LoadState
from memtui.claude.usage import UsageReader
from memtui.claude.usage_report import SessionReceipt, Usage, UsageReport
from memtui.claude.usage_words import (
    counted,
    kind_word,
    megabytes,
    memory_word,
    notes,
    state_word,
    usage_line,
    usage_words,
    uses_line,
)
from memtui.cli.complete import complete_slug
from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.output import Style
from memtui.cli.session import Session
from memtui.cli.shapes import Json, path_below
from memtui.memory.age import memory_age_label
from memtui.memory.errors import UsageError
from memtui.memory.types import MemoryEntry
from memtui.memory.wording.saying import Say

SHOW_SECONDS = 1.0
"""How long ``show`` reads transcripts; what is left, the next call reads (ours)."""

_SAID_BYTES = 50_000_000
_ID_CHARACTERS = 8
_STATE_STYLES: dict[LoadState, Style] = {
    LoadState.WHOLE: "green",
    LoadState.CUT: "yellow",
    LoadState.NONE: "red",
    LoadState.UNKNOWN: "dim",
}


def read_usage(session: Session, *, seconds: float | None = None) -> UsageReport:
    """What the transcripts of the directory prove.

    Args:
        session: the command's.
        seconds: longest time to read; without, all is read, and a person is told where that takes long.
    """
    world, told = session.world, False

    def progress(_done: int, total: int) -> None:
        nonlocal told
        if not told and seconds is None and total > _SAID_BYTES:
            told = True
            session.out.note(usage_words(session.lang()).reading.format(size=megabytes(total)))

    reader = UsageReader(
        session.memory_dir(),
        environ=world.environ,
        home=world.home,
        state_dir=world.state_dir,
        cwd=session.project_root() or world.cwd,
    )
    try:
        return reader.update(progress, seconds=seconds)
    finally:
        reader.close()


def usage_of(session: Session, entry: MemoryEntry) -> tuple[Usage, UsageReport] | None:
    """The use of one memory as far as it can be told at once; None where there are no transcripts."""
    report = read_usage(session, seconds=SHOW_SECONDS)
    if not report.sessions and not report.transcripts:
        return None
    return report.of(path_below(session.memory_dir(), entry.path), entry.modified), report


def usage_json(usage: Usage, report: UsageReport) -> Json:
    """The use of one memory; times are Unix seconds or null. ``complete`` is false while transcripts are left to read."""
    return {
        "loaded": usage.loaded,
        "cut": usage.cut,
        "reads": usage.reads,
        "recalls": usage.recalls,
        "citations": usage.citations,
        "writes": usage.writes,
        "last_used": usage.last_used,
        "last_loaded": usage.last_loaded,
        "last_session": usage.last_session or None,
        "written_by": [
            {"at": by.at, "session": by.session, "agent": by.agent or None, "background": by.background}
            for by in usage.written_by
        ],
        "sessions": len(report.sessions),
        "complete": not report.unread,
    }


def session_json(receipt: SessionReceipt) -> Json:
    """One session; ``state`` is ``whole``, ``cut``, ``none`` or ``unknown``."""
    return {
        "session": receipt.session,
        "state": receipt.state.value,
        "started": receipt.started,
        "last": receipt.last,
        "cwd": receipt.cwd,
        "version": receipt.version,
        "loads": receipt.loads,
        "entries": len(receipt.loaded),
        "reads": receipt.count("read"),
        "recalls": receipt.count("recalled"),
        "citations": receipt.count("cited"),
        "writes": receipt.count("written", "saved"),
        "claims": [
            {"at": claim.at, "line": claim.line, "agent": claim.agent or None} for claim in receipt.claims
        ],
        "skipped": receipt.skipped,
        "transcript": receipt.transcript,
        "gone": receipt.gone,
    }


def _whole_json(receipt: SessionReceipt) -> Json:
    uses = [
        {"kind": use.kind, "path": use.rel, "at": use.at, "agent": use.agent or None} for use in receipt.uses
    ]
    return {**session_json(receipt), "loaded": sorted(receipt.loaded), "uses": uses}


@click.command("receipts")
@click.argument("slug", required=False, shell_complete=complete_slug)
@click.option("--session", "session_id", metavar="ID", help="One session, by its id or how that begins.")
@click.option(
    "--last",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Most sessions to list, newest first; 0 for all.",
)
@json_option
@directory_options
@pass_session
def receipts_command(
    session: Session, *, slug: str | None, session_id: str | None, last: int, as_json: bool
) -> None:
    """Tell what sessions loaded of the memories, and did with them.

    From Claude Code's transcripts: whether the index was loaded whole, cut or not at all; which memories were read,
    cited and written, and where it was said that something was saved, and nothing was written. With SLUG, what became
    of that memory in each session.
    """
    if slug is not None and session_id is not None:
        raise UsageError("SLUG and --session exclude each other", todo="Give one")
    entry = session.manager().get(slug) if slug is not None else None
    report = read_usage(session)
    if session_id is not None:
        _one(session, report, session_id, as_json=as_json)
        return
    shown = report.sessions[: last or None]
    if as_json:
        session.out.json(_listed_json(session, report, shown, entry))
        return
    _table(session, report, shown, entry)


def _listed_json(
    session: Session, report: UsageReport, shown: tuple[SessionReceipt, ...], entry: MemoryEntry | None
) -> Json:
    head: Json = {"store": report.store, "skipped": report.skipped, "total": len(report.sessions)}
    if entry is None:
        return {**head, "sessions": [session_json(receipt) for receipt in shown]}
    rel = path_below(session.memory_dir(), entry.path)
    return {
        **head,
        "slug": entry.slug,
        "usage": usage_json(report.of(rel, entry.modified), report),
        "sessions": [{**session_json(receipt), "memory": receipt.state_of(rel).value} for receipt in shown],
    }


def _table(
    session: Session, report: UsageReport, shown: tuple[SessionReceipt, ...], entry: MemoryEntry | None
) -> None:
    out, lang, now = session.out, session.lang(), session.world.clock()
    say = usage_words(lang)
    rel = path_below(session.memory_dir(), entry.path) if entry is not None else None
    if not report.sessions:
        out.note(say.none_found)
        return
    if entry is not None and rel is not None:
        out.line(usage_line(report.of(rel, entry.modified), report, now, lang))
    rows: list[list[tuple[str, Style | None]]] = []
    for receipt in shown:
        state = receipt.state if rel is None else receipt.state_of(rel)
        word = state_word(state, lang) if rel is None else memory_word(state, lang)
        size = counted(len(receipt.loaded), say.entries_one, say.entries) if receipt.loads else ""
        claims = [say.claim.format(line=claim.line) for claim in receipt.claims]
        done = " · ".join(part for part in (uses_line(receipt, lang, rel), *claims) if part)
        age = memory_age_label(receipt.started, now, lang) if receipt.started is not None else ""
        rows.append(
            [
                (receipt.session[:_ID_CHARACTERS], "bold"),
                (age, "dim"),
                (word, _STATE_STYLES[state]),
                (size, None),
                (done, "yellow" if claims else None),
            ]
        )
    out.table(rows)
    total = len(report.sessions)
    out.note(counted(total, say.listed_one, say.listed, shown=len(shown), total=total, store=report.store))
    for sentence in notes(report, lang):
        out.note(sentence)


def _one(session: Session, report: UsageReport, session_id: str, *, as_json: bool) -> None:
    receipt = report.session(session_id) if session_id else None
    if receipt is None:
        raise UsageError(
            Say("there is no session {session!r}, or more than one begins so", session=session_id),
            todo="'memtui receipts' lists them",
        )
    out, lang, now = session.out, session.lang(), session.world.clock()
    if as_json:
        out.json(_whole_json(receipt))
        return
    say = usage_words(lang)
    age = memory_age_label(receipt.started, now, lang) if receipt.started is not None else ""
    size = counted(len(receipt.loaded), say.entries_one, say.entries) if receipt.loads else ""
    out.line(receipt.session, "bold")
    out.line(
        " · ".join(part for part in (state_word(receipt.state, lang), size, age, receipt.cwd) if part), "dim"
    )
    out.line(f"{receipt.transcript} ({say.gone})" if receipt.gone else receipt.transcript, "dim")
    for claim in receipt.claims:
        text = say.claim.format(line=claim.line)
        out.line(
            f"! {text} {say.by_agent.format(agent=claim.agent)}" if claim.agent else f"! {text}", "yellow"
        )
    for use in receipt.uses:
        by = f" {say.by_agent.format(agent=use.agent)}" if use.agent else ""
        out.line(f"{kind_word(use.kind, lang)} {use.rel}{by}")
    for rel in sorted(receipt.loaded):
        out.line(f"{say.memory_whole} {rel}", "dim")
