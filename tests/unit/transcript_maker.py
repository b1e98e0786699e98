"""Makes transcripts in the shapes that the released client 2.1.328 writes, learned by running it."""

from __future__ import annotations

import json
import os
import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memtui.memory.document.timestamps import format_moment

START = 1_780_000_000.0


def index_text(names: Sequence[str]) -> str:
    return "\n".join(f"- [{name.title()}]({name}.md) — what {name} is about" for name in names)


CUT = (
    "\n\n> WARNING: MEMORY.md is 250 lines (limit: 200). Only part of it was loaded: 50 of 250 lines were cut off, starting"
    ' at line 201 ("- [T200](t200.md) — x"). Keep index entries to one line under ~200 chars; move detail into topic files.'
)


@dataclass
class Transcript:
    """One session's transcript, line by line."""

    memory: Path
    session: str = "11111111-2222-4333-8444-555555555555"
    cwd: str = "/home/ada/project"
    now: float = START
    agent: str = ""
    version: str = "2.1.328"
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    lines: list[bytes] = field(default_factory=list)
    _calls: int = 0

    def raw(self, data: bytes) -> Transcript:
        self.lines.append(data)
        return self

    def put(self, kind: str, **rest: Any) -> Transcript:
        """A line as the client writes it; its clock goes on by a second."""
        self.now += 1
        value = {
            "parentUuid": None,
            "isSidechain": bool(self.agent),
            **({"agentId": self.agent} if self.agent else {}),
            "type": kind,
            **rest,
            "uuid": str(uuid.UUID(int=self.chance.getrandbits(128))),
            "timestamp": format_moment(self.now),
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": "main",
        }
        return self.raw(
            json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        )

    def bare(self, kind: str, **rest: Any) -> Transcript:
        """A line of the client's own bookkeeping."""
        value = {"type": kind, **rest, "sessionId": self.session}
        return self.raw(json.dumps(value, separators=(",", ":")).encode())

    def typed(self, text: str | list[Any], **rest: Any) -> Transcript:
        given = {"origin": {"kind": "human"}, "promptSource": "typed", **rest}
        return self.put("user", message={"role": "user", "content": text}, **given)

    def user(self, text: str | list[Any], **rest: Any) -> Transcript:
        return self.put("user", message={"role": "user", "content": text}, **rest)

    def says(self, text: str) -> Transcript:
        return self._block({"type": "text", "text": text})

    def _block(self, block: Mapping[str, Any]) -> Transcript:
        message = {
            "id": "msg_made",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [block],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 0},
        }
        return self.put(
            "assistant", message=message, requestRef=str(uuid.UUID(int=self.chance.getrandbits(128)))
        )

    def attach(self, kind: str, **rest: Any) -> Transcript:
        return self.put("attachment", attachment={"type": kind, **rest})

    def context(self) -> Transcript:
        """What every session of this client begins with."""
        return self.attach(
            "session_context", context={"gitStatus": "Current branch: main\n\nStatus:\n(clean)"}
        )

    def loads(self, text: str, path: str = "MEMORY.md", kind: str = "AutoMem") -> Transcript:
        files = [
            {"path": "/home/ada/project/CLAUDE.md", "type": "Project", "content": "Use tabs.\n- [X](x.md)"},
            {"path": str(self.memory / path), "type": kind, "content": text},
        ]
        return self.attach("instructions", files=files)

    def calls(self, tool: str, **given: Any) -> str:
        """A call without its result; gives its id."""
        self._calls += 1
        call = f"toolu_{self.agent}{self.session[:8]}{self._calls:06}"
        self._block({"type": "tool_use", "id": call, "name": tool, "input": given})
        return call

    def answers(
        self, call: str, text: str = "done", *, failed: bool = False, result: Any = None
    ) -> Transcript:
        block = {
            "tool_use_id": call,
            "type": "tool_result",
            "content": text,
            **({"is_error": True} if failed else {}),
        }
        rest = {} if self.agent else {"toolUseResult": result if result is not None else text}
        return self.put("user", message={"role": "user", "content": [block]}, **rest)

    def does(self, tool: str, *, failed: bool = False, **given: Any) -> Transcript:
        """A call and its result."""
        return self.answers(self.calls(tool, **given), failed=failed)

    def reads(self, rel: str, *, failed: bool = False) -> Transcript:
        return self.does("Read", file_path=str(self.memory / rel), failed=failed)

    def writes(self, rel: str, *, failed: bool = False) -> Transcript:
        return self.does("Write", file_path=str(self.memory / rel), content="text", failed=failed)

    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def save(self, folder: Path) -> Path:
        """Write it where the client would, below a project's folder."""
        path = folder / f"{self.session}.jsonl"
        if self.agent:
            path = folder / self.session / "subagents" / f"agent-{self.agent}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        os.utime(path, (self.now, self.now))
        return path


def make_many(folder: Path, memory: Path, sessions: int, total_bytes: int, names: Sequence[str]) -> None:
    """Transcripts of a busy project: most bytes are tool results, as in real ones; every tenth session has a subagent."""
    chance = random.Random(7)
    words = [f"word{n}" for n in range(500)]
    code = " ".join(chance.choice(words) for _ in range(40_000))
    each = total_bytes // sessions
    for number in range(sessions):
        made = Transcript(
            memory,
            session=str(uuid.UUID(int=chance.getrandbits(128))),
            now=START + number * 3600,
            chance=random.Random(number),
        )
        shown = names[: 150 + number % 50]
        made.typed(f"please look at {chance.choice(words)}").context()
        made.loads(index_text(shown) + (CUT if number % 7 == 0 else ""))
        size = sum(map(len, made.lines))
        while size < each:
            start = chance.randrange(len(code) - 60_000)
            kind = chance.randrange(100)
            before = len(made.lines)
            if kind < 40:
                result = code[start : start + chance.choice([300, 2_000, 8_000])]
                call = made.calls("Read", file_path=f"/home/ada/project/src/{chance.choice(words)}.py")
                made.answers(call, result, result={"type": "text", "file": {"content": result}})
            elif kind < 60:
                call = made.calls(
                    "Bash", command=f"grep -rn {chance.choice(words)} src", description="search"
                )
                text = code[start : start + 3_000]
                made.answers(call, text, result={"stdout": text, "stderr": ""})
            elif kind < 75:
                made.does(
                    "Edit",
                    file_path="/home/ada/project/a.py",
                    old_string=code[start : start + 400],
                    new_string="x",
                )
            elif kind < 85:
                made.says(code[start : start + 600])
            elif kind < 88:
                made.typed(code[start : start + 200])
            elif kind < 90:
                made.reads(f"{chance.choice(shown)}.md")
            elif kind < 91:
                made.writes(f"{chance.choice(shown)}.md").says("Saved to memory.")
            elif kind < 92:
                made.says(f'<cc-memory filenames="{chance.choice(shown)}.md">As you prefer.</cc-memory>')
            elif kind < 96:
                made.bare(
                    "api-request-blob", message={"role": "user", "content": code[start : start + 20_000]}
                )
            elif kind < 99:
                made.attach("hook_success", content=code[start : start + 300])
            else:
                made.typed("remember that we use pnpm").says("Saved to memory.")
            size += sum(map(len, made.lines[before:]))
        made.save(folder)
        if number % 10 == 0:
            agent = Transcript(
                memory,
                session=made.session,
                agent=f"a{number:08}",
                now=made.now,
                chance=random.Random(-number - 1),
            )
            agent.user("look around").loads(index_text(shown)).reads(f"{shown[0]}.md").says("done").save(
                folder
            )
