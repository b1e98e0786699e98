"""Who wrote a version of a memory: what the journal tells, else what its header does; what neither tells is not guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from memtui.memory.managing.planner import slug_of
from memtui.memory.saving.records import PERSON, Door, Record
from memtui.memory.text import one_line, visible
from memtui.memory.types import Lang
from memtui.memory.versions.history import Version, split_archive

UNNAMED = "mcp"
"""Who changes something by MCP and does not say what it is called."""

_SESSION_SHOWN = 8
"""Characters of a session's id that tell it from another (ours)."""
_ACCEPTED = ("accept a proposal for ", "accept ")
_COMMANDS = {"extraction": "memtui extract", "dream": "memtui dream"}
"""What memtui itself is called in the journal where it saves by itself."""
_SYNCED = "sync "
_PROPOSALS = " proposals for "


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote something.

    Attributes:
        kind: a ``person`` through memtui; a ``proposal`` that a person accepted; an ``agent`` through memtui; the
            ``team``, by sync; a ``session`` of Claude Code, which the header names; somebody ``outside`` memtui;
            ``unknown``.
        door: how it came in; empty where that was not written down.
        name: of an agent, as it calls itself.
        session: of the client, where one is known.
    """

    kind: Literal["person", "proposal", "agent", "team", "session", "outside", "unknown"]
    door: Door = ""
    name: str = ""
    session: str = ""


def doer_of(actor: str, door: Door = "", session: str | None = None) -> Author:
    """Who made a change, or a call, that is written down."""
    if actor == PERSON:
        return Author("person", door)
    if actor == UNNAMED:
        return Author("agent", "mcp", session=session or "")
    return Author("agent", door, actor, session or "")


def authors_of(versions: Sequence[Version], records: Sequence[Record]) -> Mapping[str, Author]:
    """Who wrote each version of a memory, by its path.

    A text that no change through memtui wrote came from outside; where its header names another session of Claude Code
    than the version before it, that session wrote it.

    Args:
        versions: the newest first, as `memtui.memory.versions.history.versions_of` gives them.
        records: the journal, oldest first.
    """
    written: dict[tuple[str, str], Record] = {}
    archived: dict[str, Record | None] = {}
    for record in records:
        replaced = {slug_of(each.rel): each for each in record.changes if each.role == "primary"}
        for change in record.changes:
            base = split_archive(slug_of(change.rel)) if change.role == "archive" and change.after else None
            was = replaced.get(base[0]) if base is not None else None
            if was is not None and was.before is not None:
                archived[change.rel] = written.get((was.rel, was.before))
        archived |= dict.fromkeys(record.kept)  # what somebody else wrote while memtui was writing
        if record.kind == "do":
            written |= {
                (each.rel, each.after): record for each in replaced.values() if each.after is not None
            }
    found: dict[str, Author] = {}
    for version, before in zip_longest(versions, versions[1:]):
        entry = version.entry
        known = version.current or entry.rel in archived
        record_of = written.get((entry.rel, entry.digest)) if version.current else archived.get(entry.rel)
        if record_of is not None:
            found[entry.rel] = _writer_of(record_of)
        elif entry.origin and (before is None or before.entry.origin != entry.origin):
            found[entry.rel] = Author("session", session=entry.origin)
        else:
            found[entry.rel] = Author("outside" if known and (records or len(versions) == 1) else "unknown")
    return found


def _writer_of(record: Record) -> Author:
    """Who wrote the text that a change brought: not always who brought it."""
    if record.actor != PERSON:
        return doer_of(record.actor, record.door, record.session_id)
    if record.label.startswith(_SYNCED):
        return Author("team", record.door)
    if record.label.startswith(_ACCEPTED[0]) or (
        record.label.startswith(_ACCEPTED[1]) and _PROPOSALS in record.label
    ):
        return Author("proposal", record.door)
    return Author("person", record.door)


def author_said(author: Author, lang: Lang) -> str:
    """Who it was, in a few words fit to be shown; empty where nothing is known."""
    say = _SAID[lang]
    name, session = (visible(one_line(text)) for text in (author.name, author.session[:_SESSION_SHOWN]))
    if author.kind == "person":
        return say[f"person-{author.door}"] if f"person-{author.door}" in say else say["person"]
    if author.kind == "agent":
        if not author.name:
            return say["agent"]
        return say["agent-mcp"].format(name=name) if author.door == "mcp" else _COMMANDS.get(name, name)
    return "" if author.kind == "unknown" else say[author.kind].format(session=session)


_SAID: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "person": "you",
        "person-app": "you, in memtui",
        "person-command": "you, on the command line",
        "proposal": "proposed, accepted by you",
        "agent": "an agent, by MCP",
        "agent-mcp": "{name}, by MCP",
        "team": "your team, by sync",
        "session": "session {session} of Claude Code",
        "outside": "outside memtui",
    },
    "zh": {
        "person": "你",
        "person-app": "你，在 memtui 中",
        "person-command": "你，在命令行",
        "proposal": "提议，由你接受",
        "agent": "某个代理，经 MCP",
        "agent-mcp": "{name}，经 MCP",
        "team": "团队，经同步",
        "session": "会话 {session}（Claude Code）",
        "outside": "在 memtui 之外",
    },
}
