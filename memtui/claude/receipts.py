"""What a transcript proves about a memory directory: loaded, read, recalled, cited, written, said to be saved (spec §16).

Measured with the released client 2.1.328: ``instructions`` attachments hold the index exactly as it reached the model;
a call and its result are two lines; a subagent has a file of its own; ``memory_saved`` tells what the client saved in
the background. A session whose client wrote no such attachments is *unknown*, which is a state, not "not loaded".
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from memtui.claude.naming import Store, cited_name, named_in, storable
from memtui.claude.receipt_values import Claim, Event, EventKind, Receipt
from memtui.claude.said_saved import says_saved
from memtui.claude.transcripts import Line, for_the_client_alone
from memtui.claude.turns import said
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.index.lines import parse_index

SAVE_TOOL = "mcp__memtui__save_memory"
"""What the save tool is called in a transcript when memtui serves it over MCP (measured)."""

_WRITERS: Mapping[str, str] = {
    "Write": "file_path",
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
}
_LOOKERS = frozenset({"Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "TodoWrite", "ToolSearch"})
_DELEGATES = frozenset({"Agent", "Task", "Workflow", "SendMessage"})
_ELSEWHERE = re.compile(r"[Mm]emor|MEMOR|CLAUDE(?:\.local)?\.md|\.claude/|AGENTS\.md|记忆|記憶")
_WARNING = re.compile(r"\n\n> WARNING: MEMORY\.md is [^\n]*\Z")
_CITATION = re.compile(r"<cc[-_]?memory\s+filenames=[\"']([^\"'>]{1,4000})[\"']", re.IGNORECASE)
_ESCAPED_ASCII = re.compile(rb"\\u00[2-7]")
_SPEAKS_OF_MEMORY = (
    *(b"emor", b"EMOR", b"\xe8\xae\xb0", b"\xe8\xa8\x98"),  # memory, 记, 記
    *(b"\\u8bb0", b"\\u8BB0", b"\\u8a18", b"\\u8A18"),
    *(b"CLAUDE.", b".claude", b"AGENTS.md"),
    *(f'"{name}"'.encode() for name in sorted(_DELEGATES)),
)
"""One of these stands in every line that claims to have saved, or may have written, a memory."""
_ADDED = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_MOST_PENDING = 500


def _may_speak_of_memory(data: bytes) -> bool:
    for mark in _SPEAKS_OF_MEMORY:  # noqa: SIM110  -- a generator costs more than the search; this runs for every line
        if mark in data:
            return True
    return False


@dataclass(slots=True)
class ScanState:
    """What a reading that goes on later has to know of the lines before.

    Attributes:
        pending: calls without a result yet: what they would be, by the call's id.
        turn: line on which the turn began.
        quiet: whether the turn wrote, or may have written, so that what it says is no false claim.
    """

    pending: dict[str, tuple[EventKind, str, str]] = field(default_factory=dict)
    turn: int = 0
    quiet: bool = False

    def dump(self) -> str:
        """As JSON."""
        return json.dumps([self.pending, self.turn, self.quiet], ensure_ascii=True)

    @classmethod
    def load(cls, text: str) -> ScanState:
        """Back from JSON; what is no state of ours is an empty one."""
        try:
            pending, turn, quiet = json.loads(text)
            return cls(
                {str(key): (a, str(b), str(c)) for key, (a, b, c) in pending.items()}, int(turn), bool(quiet)
            )
        except (ValueError, TypeError, AttributeError):
            return cls()


@dataclass(slots=True)
class Scan:
    """Goes through the lines of one transcript and keeps what they prove.

    Attributes:
        store: the directory it is about.
        state: from the reading before.
        agent: whose transcript it is; empty for the session's own.
        receipts: loads found.
        events: uses found.
        claims: lines that say "saved", with the line their turn began on.
        quieted: lines on which turns began that wrote after all.
        started: earliest time seen, Unix seconds.
        last: latest time seen.
        session: id that the lines name; empty where none does.
        cwd: working directory of the session.
        version: of the client.
        tells: whether the client wrote down what it loaded.
    """

    store: Store
    state: ScanState = field(default_factory=ScanState)
    agent: str = ""
    receipts: list[Receipt] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    claims: list[tuple[int, Claim]] = field(default_factory=list)
    quieted: set[int] = field(default_factory=set)
    started: float | None = None
    last: float | None = None
    session: str = ""
    cwd: str = ""
    version: str = ""
    tells: bool = False
    _marks: tuple[bytes, ...] | None = None

    def __post_init__(self) -> None:
        self._marks = self.store.marks()

    def wanted(self, data: bytes) -> bool:
        """Whether a line may matter, by its bytes: a look that costs little, and lets nothing pass that matters.

        JSON may spell an ASCII letter as an escape, which no program does; such a line is always parsed.
        """
        if for_the_client_alone(data):
            return False
        if b'"attachment"' in data and (
            b'"instructions"' in data
            or b'"session_context"' in data
            or b'"relevant_memories"' in data
            or (b'"file"' in data and self._names(data))
        ):
            return True
        if b'"user"' in data and (self.state.pending or b'"tool_result"' not in data):
            return True
        if b'"assistant"' in data and (
            self._names(data) or _may_speak_of_memory(data) or b".md" in data or b"[[" in data
        ):
            return True
        return b'"memory_saved"' in data or (b"\\u00" in data and _ESCAPED_ASCII.search(data) is not None)

    def _names(self, data: bytes) -> bool:
        if self._marks is None:
            return True
        for mark in self._marks:  # noqa: SIM110  -- a generator costs more than the search; this runs for every line
            if mark in data:
                return True
        return False

    def take(self, line: Line) -> None:
        """Note what a line proves."""
        value = line.value
        kind = value.get("type")
        if kind == "attachment":
            self._attachment(line, value.get("attachment"))
        elif kind == "assistant":
            self._assistant(line)
        elif kind == "user":
            self._user(line)
        elif kind == "system" and value.get("subtype") == "memory_saved":
            paths = value.get("writtenPaths")
            for path in paths if isinstance(paths, list) else ():
                self._event(line, "saved", self.store.rel(path), _key(line))
            self._quiet()

    def _session(self, line: Line) -> None:
        at = line.at
        if at is not None:
            self.started = at if self.started is None else min(self.started, at)
            self.last = at if self.last is None else max(self.last, at)
        cwd, version, session = (line.value.get(name) for name in ("cwd", "version", "sessionId"))
        if not self.session and isinstance(session, str):
            self.session = storable(session)
        if not self.cwd and isinstance(cwd, str):
            self.cwd = storable(cwd)
        if isinstance(version, str):
            self.version = storable(version)

    def _beside(self, line: Line) -> bool:
        """Whether a subagent's line stands in the main transcript, as older clients wrote them."""
        return not self.agent and line.value.get("isSidechain") is True

    def _quiet(self) -> None:
        self.state.quiet = True
        self.quieted.add(self.state.turn)

    def _event(self, line: Line, kind: EventKind, rel: str | None, key: str) -> None:
        if rel is not None:
            self._session(line)
            self.events.append(Event(kind, rel, line.at, line.number, storable(key)))

    # ------------------------------------------------------------------ what the client put in

    def _attachment(self, line: Line, attachment: object) -> None:
        if not isinstance(attachment, dict):
            return
        kind = attachment.get("type")
        if kind in ("instructions", "session_context"):
            self.tells = True
            self._session(line)
        if kind == "instructions":
            self._instructions(line, attachment.get("files"))
        elif kind == "relevant_memories":
            for number, path in enumerate(_paths(attachment.get("memories"))):
                self._event(line, "recalled", self.store.rel(path), f"{_key(line)}/{number}")
        elif kind == "file":
            self._event(line, "read", self.store.rel(attachment.get("filename")), _key(line))

    def _instructions(self, line: Line, files: object) -> None:
        rels: dict[str, None] = {}
        cut = loaded = False
        for number, file in enumerate(files if isinstance(files, list) else ()):
            rel = self.store.rel(file.get("path")) if isinstance(file, dict) else None
            content = file.get("content") if isinstance(file, dict) else None
            if rel is None or not isinstance(content, str):
                continue
            folder, name = posixpath.split(rel)
            if name != INDEX_NAME:  # a memory that the client pins, whole
                self._event(line, "recalled", rel, f"{_key(line)}/{number}")
                continue
            loaded = True
            text, cuts = _WARNING.subn("", content)
            cut = cut or cuts > 0
            rels.update(dict.fromkeys(_named_in(text, folder)))
        if loaded:
            self.receipts.append(Receipt(line.at, cut, tuple(rels), line.number, _key(line)))

    # ------------------------------------------------------------------ what was said and done

    def _assistant(self, line: Line) -> None:
        message = line.value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for number, block in enumerate(blocks):
            if not isinstance(block, dict):
                continue
            if block.get("type") == "text" and isinstance(block.get("text"), str):
                self._text(line, block["text"], f"{_key(line)}/{number}")
            elif block.get("type") == "tool_use":
                self._call(block, f"{_key(line)}/{number}")

    def _text(self, line: Line, text: str, key: str) -> None:
        cited: dict[str, int] = {}
        for found in _CITATION.finditer(text):
            for name in map(cited_name, found[1].split(",")):
                if name:
                    cited.setdefault(name, found.start())
        for at, name in named_in(text, self.store.files):
            cited.setdefault(name, at)
        for name, at in cited.items():
            self._event(line, "cited", storable(name), f"{key}/{at}")
        if not self.state.quiet and not self._beside(line) and says_saved(text):
            self._session(line)
            self.claims.append((self.state.turn, Claim(line.at, line.number)))

    def _call(self, block: Mapping[str, Any], key: str) -> None:
        name, given, call = block.get("name"), block.get("input"), block.get("id")
        if not isinstance(name, str) or not isinstance(given, dict):
            return
        effect: tuple[EventKind, str] | None = None
        if name == "Read":
            rel = self.store.rel(given.get("file_path"))
            effect = ("read", rel) if rel else None
        elif name in _WRITERS:
            rel = self.store.rel(given.get(_WRITERS[name]))
            effect = ("written", rel) if rel else None
        elif name == SAVE_TOOL and isinstance(given.get("slug"), str):
            effect = ("written", storable(f"{given['slug']}.md"))
        if effect is not None and isinstance(call, str) and call:
            self.state.pending[storable(call)] = (*effect, storable(key))
            if len(self.state.pending) > _MOST_PENDING:
                del self.state.pending[next(iter(self.state.pending))]
        elif name not in _LOOKERS and (name in _DELEGATES or _ELSEWHERE.search(_where(name, given))):
            self._quiet()

    def _user(self, line: Line) -> None:
        message = line.value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        results = _results(content)
        if not results:
            if not said(content)[1]:
                self._boundary(line, content)
            return
        for call, failed in results:
            effect = self.state.pending.pop(storable(call), None)
            if effect is None or failed:
                continue
            self._event(line, effect[0], effect[1], effect[2])
            if effect[0] == "written":
                self._quiet()

    def _boundary(self, line: Line, content: object) -> None:
        """Begin a turn where somebody speaks; what the client adds to what was said begins none."""
        value = line.value
        added = any(value.get(flag) is True for flag in _ADDED)
        if added or self._beside(line) or b'"tool_result"' in line.data:
            return
        self._session(line)
        self.state.turn = line.number
        origin = value.get("origin")
        other = isinstance(origin, dict) and origin.get("kind") not in (None, "human")
        self.state.quiet = other or said(content)[0].lstrip().startswith("<task-notification")
        self.state.pending.clear()


@lru_cache(maxsize=64)
def _named_in(text: str, folder: str) -> tuple[str, ...]:
    """The files that a loaded index names. Indexes change little from session to session, so lines are remembered."""
    lines = text.split("\n")
    alone = not any(mark in text for mark in ("```", "~~~", "<!--")) and not any(
        line.count("`") % 2 for line in lines
    )
    named = [name for line in lines for name in _named_on(line)] if alone else _named(text)
    rels = (posixpath.normpath(posixpath.join(folder, name)) for name in named)
    return tuple(dict.fromkeys(storable(rel) for rel in rels if not rel.startswith(("../", "/"))))


@lru_cache(maxsize=4096)
def _named_on(line: str) -> tuple[str, ...]:
    return _named(line) if "](" in line else ()


def _named(text: str) -> tuple[str, ...]:
    return tuple(entry.link.candidates[-1] for entry in parse_index(text).entries)


def _paths(memories: object) -> Iterator[object]:
    for memory in memories if isinstance(memories, list) else ():
        if isinstance(memory, dict):
            yield memory.get("path")


def _results(content: object) -> list[tuple[str, bool]]:
    """The calls that a user line answers, each with whether it failed."""
    return [
        (block["tool_use_id"], block.get("is_error") is True)
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict)
        and block.get("type") == "tool_result"
        and isinstance(block.get("tool_use_id"), str)
    ]


def _where(name: str, given: Mapping[str, Any]) -> str:
    """What of a call tells where it writes: the path of a writing tool, else all that it was given."""
    if name in _WRITERS:
        return str(given.get(_WRITERS[name], ""))
    return f"{name} {json.dumps(given, ensure_ascii=False)[:20_000]}"


def _key(line: Line) -> str:
    """A line's own name; where the client gave none, its place has to do."""
    uuid = line.value.get("uuid")
    return storable(uuid) if isinstance(uuid, str) and uuid else f"line {line.number}"
