"""Transcripts of the sample: what its person and her agent said and did, in the shape that Claude Code writes."""

from __future__ import annotations

import json
import os
import tomllib
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memtui.memory.age import SECONDS_PER_DAY
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.document.timestamps import format_moment

_CLIENT = "2.1.328"
_STEP_SECONDS = 24.0
_CUT = (
    "\n\n> WARNING: MEMORY.md is 241 lines (limit: 200): what stands from line 201 on was left out. Keep a memory to one"
    " line here."
)


def write_sessions(
    text: str, transcripts: Path, memory: Path, project: Path, now: float, index: Index
) -> None:
    """Write a transcript for each session.

    Args:
        text: the sessions, as the sample's ``sessions.toml`` describes them.
        transcripts: the project's folder; it is there.
        memory: its memory directory.
        project: the directory that the sessions ran in.
        now: the time that ages count from, Unix seconds.
        index: gives ``MEMORY.md`` as it was so many days ago.
    """
    for session in tomllib.loads(text)["session"]:
        made = _Transcript(session["id"], memory, project)
        for turn in session["turn"]:
            made.turn(turn, now, index)
        path = transcripts / f"{session['id']}.jsonl"
        path.write_text("".join(made.lines), encoding="utf-8")
        os.utime(path, (made.at, made.at))


Index = Callable[[float], str]


@dataclass
class _Transcript:
    session: str
    memory: Path
    project: Path
    at: float = 0.0
    client: str = _CLIENT
    lines: list[str] = field(default_factory=list)

    def turn(self, turn: Mapping[str, Any], now: float, index: Index) -> None:
        """What was loaded, said and done from one moment on."""
        self.at = now - turn["days"] * SECONDS_PER_DAY
        self.client = turn.get("client", _CLIENT)
        self._load(turn["index"], lambda: index(turn["days"]))
        for kind, *rest in turn["steps"]:
            self._step(kind, rest)

    def _load(self, how: str, text: Callable[[], str]) -> None:
        if how == "unknown":
            return
        self._attach({"type": "session_context", "context": {"gitStatus": "Current branch: main"}})
        if how == "none":
            return
        content = text() if how == "whole" else text().rpartition("\n## ")[0] + _CUT
        file = {"path": str(self.memory / INDEX_NAME), "type": "AutoMem", "content": content}
        self._attach({"type": "instructions", "files": [file]})

    def _step(self, kind: str, rest: Sequence[str]) -> None:
        match kind:
            case "ada":
                told = {"role": "user", "content": rest[0]}
                self._put("user", message=told, origin={"kind": "human"}, promptSource="typed")
            case "agent":
                self._answer({"type": "text", "text": rest[0]})
            case "cites":
                names = ",".join(f"{slug}.md" for slug in rest[:-1])
                words = f'<cc-memory filenames="{names}">{rest[-1]}</cc-memory>'
                self._answer({"type": "text", "text": words})
            case "reads" | "writes":
                for slug in rest:
                    self._use("Read" if kind == "reads" else "Edit", f"{slug}.md")
            case _:
                raise ValueError(kind)

    def _use(self, tool: str, rel: str) -> None:
        call = f"toolu_{len(self.lines):04}"
        given = {"file_path": str(self.memory / rel)}
        if tool == "Edit":
            given |= {"old_string": "", "new_string": ""}
        self._answer({"type": "tool_use", "id": call, "name": tool, "input": given})
        result = {"type": "tool_result", "tool_use_id": call, "content": "…"}
        self._put("user", message={"role": "user", "content": [result]})

    def _answer(self, block: Mapping[str, object]) -> None:
        self._put("assistant", message={"role": "assistant", "content": [block]})

    def _attach(self, attachment: Mapping[str, object]) -> None:
        self._put("attachment", attachment=attachment)

    def _put(self, kind: str, **rest: object) -> None:
        self.at += _STEP_SECONDS
        line = {
            "type": kind,
            **rest,
            "uuid": str(uuid.uuid5(uuid.UUID(self.session), str(len(self.lines)))),
            "timestamp": format_moment(self.at),
            "cwd": str(self.project),
            "sessionId": self.session,
            "version": self.client,
            "isSidechain": False,
        }
        self.lines.append(json.dumps(line, ensure_ascii=False) + "\n")


def index_then(text: str, ages: Mapping[str, float]) -> Index:
    """``MEMORY.md`` without the lines of memories that were not there yet.

    Args:
        text: as it is now.
        ages: by slug, how many days ago a memory was first written down.
    """

    def then(days: float) -> str:
        return "\n".join(_kept(text.splitlines(), ages, days))

    return then


def _kept(lines: Sequence[str], ages: Mapping[str, float], days: float) -> Iterator[str]:
    for line in lines:
        slug = line.partition("](")[2].partition(".md)")[0]
        if slug not in ages or ages[slug] >= days:
            yield line
