"""Claude Code's hooks: what a session is told when it starts, and what is noted when it ends (spec §11, §15).

Measured with the released client 2.1.328: what SessionStart answers reaches the model's first request as a system
message; a text of 10,000 UTF-16 units arrives whole, one of 10,001 is put into a file. A resumed session still holds
what earlier starts said, so only what changed since is told then; after a compaction nothing is left of it, and all is
told again. The client loads ``MEMORY.md`` by itself, so nothing of it is repeated.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.claude.foreign import is_nameable, named_path
from memtui.claude.hook_wording import hook_words
from memtui.claude.paths import main_checkout, project_memory_dir, settings_at
from memtui.claude.settings import ManagedPlaces, Settings
from memtui.claude.switch import auto_memory_state
from memtui.memory.conventions import MAX_ENTRYPOINT_BYTES, MAX_ENTRYPOINT_LINES
from memtui.memory.errors import UsageError
from memtui.memory.types import Clock, Lang, MemoryEntry

if TYPE_CHECKING:
    from memtui.memory.directory.scan import Directory
    from memtui.memory.disk.files import Folder

EVENTS: Mapping[str, str] = {"session-start": "SessionStart", "session-end": "SessionEnd", "stop": "Stop"}
"""The hooks that memtui answers: the command's word, and the client's name of the event."""
MAX_CONTEXT_UNITS = 10_000
"""Longest text that reaches the model whole, UTF-16 units (documented; measured: 10,001 is spilled to a file)."""
MAX_INPUT_BYTES = 8 << 20
"""Most that is read of what the client says; Stop repeats the model's whole last answer."""
MAX_NAMES = 20
"""Memories that are named as not loaded; the others are counted (ours)."""
CLAIM_SECONDS = 0.2
"""How long paths and symbols that memories name are looked up; what was not found by then is unknown (ours)."""
CLAIM_FILES = 10_000
"""Files of the project that are listed for it (ours)."""
ANSWER_SLACK = 2.0
"""Seconds by which the time of a session's last answer may be told too late (ours).

The client tells how long it is ago in whole seconds, rounded either way (measured), counted before our process starts.
A memory that is told twice costs a few words; one that is written with the answer and never told is lost to the model.
"""


class HookInput(NamedTuple):
    """What the client tells a hook on stdin.

    Attributes:
        session_id: the session; empty if not told.
        transcript_path: its transcript; empty if not told.
        cwd: the directory it works in.
        source: of SessionStart: ``startup``, ``resume``, ``clear`` or ``compact``.
        idle: of a resumed session: seconds since its last answer; None if not told.
    """

    session_id: str
    transcript_path: str
    cwd: Path
    source: str = ""
    idle: float | None = None


def parse_input(data: bytes) -> HookInput:
    """Read what the client says.

    Raises:
        UsageError: it is no JSON object, or names no directory.
    """
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError("the hook was told nothing that is a JSON object", where="stdin")

    def text(key: str) -> str:
        value = found.get(key)
        return value if isinstance(value, str) and is_nameable(value) else ""

    cwd = named_path(found.get("cwd"))
    if cwd is None:
        raise UsageError("the hook was told no directory that the session works in", where="stdin")
    told = found.get("seconds_since_last_response")
    idle = float(told) if isinstance(told, int | float) and 0 <= told < 1e12 else None
    return HookInput(text("session_id"), text("transcript_path"), cwd, text("source"), idle)


class HookWorld(NamedTuple):
    """What the hooks take from the process they run in.

    Attributes:
        environ: environment variables.
        home: the user's home directory.
        clock: gives the time, Unix seconds.
        config_file: the user's configuration file.
        managed: where an organisation's settings of Claude Code lie; None to leave them out.
        state_dir: names the user's state folder, where the list of allowed secrets is kept; None where nothing is.
    """

    environ: Mapping[str, str]
    home: Path
    clock: Clock
    config_file: Path
    managed: ManagedPlaces | None = None
    state_dir: Callable[[], Path] | None = None

    def settings(self, cwd: Path) -> Settings:
        """Claude Code's settings in a directory."""
        return settings_at(cwd, environ=self.environ, home=self.home, managed=self.managed)


def session_start_answer(given: HookInput, world: HookWorld) -> str:
    """The JSON with which a session's start is answered; empty if there is nothing to tell.

    Nothing is told where auto memory is off, and where the project has no store or no memories.

    Raises:
        Busy: a change is under way (seed: putting a prompt together never waits).
        MemtuiError: the store or the settings cannot be read.
        OSError: the same.
    """
    context = session_start_context(given, world)
    if not context:
        return ""
    answer = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}}
    return json.dumps(answer) + "\n"


def session_start_context(given: HookInput, world: HookWorld) -> str:
    """The text for the session, at most `MAX_CONTEXT_UNITS` long; see `session_start_answer`."""
    os.stat(given.cwd)  # noqa: PTH116  -- a directory that is gone is said, not taken for a project without memories
    settings = world.settings(given.cwd)
    if not auto_memory_state(world.environ, settings).on:
        return ""
    store = project_memory_dir(given.cwd, environ=world.environ, home=world.home, settings=settings)
    if not store.exists:
        return ""
    from memtui.memory.disk.files import Folder  # noqa: PLC0415  -- most projects have no store, and wait for nothing

    folder = Folder(store.path)
    with folder.undisturbed():
        return _context(given, world, folder)


def _context(given: HookInput, world: HookWorld, folder: Folder) -> str:
    from memtui.config import choose_lang, load_config  # noqa: PLC0415
    from memtui.memory.directory.scan import Directory  # noqa: PLC0415
    from memtui.memory.reminder import DEFAULT_REMINDER_ENTRIES, remindable  # noqa: PLC0415

    config = load_config(world.config_file, folder.root)
    lang = choose_lang(None, world.environ, config)
    directory = Directory(folder.root, convention=config.house, folder=folder, clock=world.clock)
    directory.refresh()
    entries = [entry for entry in directory.entries if remindable(entry)]
    most = DEFAULT_REMINDER_ENTRIES if config.entries is None else config.entries
    since = _told_until(given, world.clock())
    wanted = entries if since is None else [entry for entry in entries if entry.mtime > since]
    told = _Telling(
        directory, len(entries), lang, world.clock(), since is not None, world.state_dir and world.state_dir()
    )
    return told.text(wanted[:most], main_checkout(given.cwd))


def _told_until(given: HookInput, now: float) -> float | None:
    """Up to when a session knows its memories, Unix seconds; None if it has been told nothing yet."""
    if given.source != "resume":
        return None
    answered = [] if given.idle is None else [now - given.idle]
    with contextlib.suppress(OSError):  # it is not before the answer that it ends with, and not rounded
        answered.append(os.stat(given.transcript_path).st_mtime)  # noqa: PTH116  -- maybe empty
    return min(answered) - ANSWER_SLACK if answered else None


class _Telling(NamedTuple):
    """What a session is told of one directory.

    Attributes:
        directory: the memories as read.
        total: how many of them could be told.
        lang: language of the text.
        now: Unix seconds.
        resumed: whether the session was told before.
        state: the user's state folder; None where nothing is kept.
    """

    directory: Directory
    total: int
    lang: Lang
    now: float
    resumed: bool
    state: Path | None

    def text(self, wanted: Sequence[MemoryEntry], project: Path) -> str:
        """The reminder of as many as fit, in their order, with the facts around it."""
        from memtui.memory.secrets.allowed import AllowedSecrets  # noqa: PLC0415
        from memtui.memory.secrets.guard import redact  # noqa: PLC0415

        allowed = AllowedSecrets(self.state)
        broken = _broken_claims(wanted, project, self.directory.root)
        chosen = self._fitting(wanted, broken, allowed)
        while True:
            text = redact(self._around(chosen), allowed=allowed)
            if _units(text) <= MAX_CONTEXT_UNITS:
                return text
            if not chosen:
                return ""
            chosen.pop()

    def _fitting(
        self,
        wanted: Sequence[MemoryEntry],
        broken: Mapping[str, Sequence[str]],
        allowed: Container[str],
    ) -> list[str]:
        """The blocks of as many memories as fit, in their order."""
        from memtui.memory.reminder import reminder_block  # noqa: PLC0415

        blocks = [
            reminder_block(e, now=self.now, lang=self.lang, broken=broken.get(e.slug, ()), allowed=allowed)
            for e in wanted
        ]
        if not blocks:
            return []
        left = MAX_CONTEXT_UNITS - _units(self._around(blocks[:1])) + _units(blocks[0])
        chosen = []
        for block in blocks:
            size = _units(block)
            if size <= left:
                chosen.append(block)
                left -= size + len("\n\n")
        return chosen

    def _around(self, chosen: Sequence[str]) -> str:
        from memtui.memory.reminder import framed  # noqa: PLC0415
        from memtui.memory.text import for_prompt, visible  # noqa: PLC0415
        from memtui.memory.wording import wording  # noqa: PLC0415

        say = hook_words(self.lang)
        parts: list[str] = []
        if chosen:
            counted = {"total": self.total, "shown": len(chosen)}
            if self.resumed:
                template = say.resumed_one if len(chosen) == 1 else say.resumed
            else:
                template = say.started_one if self.total == 1 else say.started
            parts.append(template.format(folder=for_prompt(visible(str(self.directory.root))), **counted))
            # The session need not have the tool that the reminder's own last line names.
            footer = wording(self.lang).memory_drift_caveat
            parts.append(framed(chosen, lang=self.lang, footer=footer))
        if self.total and not self.resumed:
            parts += self._not_loaded()
        return "\n\n".join(parts)

    def _not_loaded(self) -> list[str]:
        """A sentence for the memories that the client's own cut of the index leaves out; none if it is whole."""
        data = self.directory.index_data or b""
        if data.count(b"\n") < MAX_ENTRYPOINT_LINES and len(data) <= MAX_ENTRYPOINT_BYTES:
            return []  # it is shorter still when it is measured: stripped, and in units of at least a byte
        from memtui.memory.index.entrypoint import load_entrypoint  # noqa: PLC0415
        from memtui.memory.text import for_prompt, one_line, visible  # noqa: PLC0415

        lost = load_entrypoint(self.directory.index_text, self.directory.convention.unit).lost
        there = [rel for rel in lost if self.directory.get_rel(rel) is not None]
        if not there:
            return []
        say = hook_words(self.lang)
        names = say.separator.join(one_line(for_prompt(visible(rel)))[:200] for rel in there[:MAX_NAMES])
        if len(there) > MAX_NAMES:
            names = say.more.format(names=names, count=len(there) - MAX_NAMES)
        template = say.cut_one if len(there) == 1 else say.cut
        return [template.format(count=len(there), names=names)]


def _units(text: str) -> int:
    """Length in UTF-16 units, as the client measures."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _broken_claims(
    entries: Iterable[MemoryEntry], project: Path, memories: Path
) -> dict[str, tuple[str, ...]]:
    """By slug, what memories name and the project does not have, as far as a short look can tell (spec §10)."""
    import time  # noqa: PLC0415

    from memtui.memory.checks.claims import ProjectIndex, extract_claims, verify_claims  # noqa: PLC0415
    from memtui.memory.checks.project_index import Budget  # noqa: PLC0415

    named = {entry.slug: extract_claims(entry.content) for entry in entries}
    if not any(named.values()):
        return {}
    budget = Budget(files=CLAIM_FILES, total_bytes=4 << 20, seconds=CLAIM_SECONDS)
    index = ProjectIndex(project, clock=time.monotonic, skip=[memories], budget=budget)
    missing = {
        slug: tuple(verdict.claim.text for verdict in verify_claims(claims, index) if verdict.found is False)
        for slug, claims in named.items()
    }
    return {slug: claims for slug, claims in missing.items() if claims}


def note_session(given: HookInput, event: str, world: HookWorld, state_dir: Path) -> None:
    """Put a session in the queue of those to be read for memories; nothing else is done in the client's time.

    Where auto memory is off, nothing is noted.

    Args:
        given: what the client said.
        event: the client's name of the event.
        world: the process.
        state_dir: the user's state folder for memtui.

    Raises:
        UsageError: the client named no session or no transcript.
        OSError: the folder cannot be written.
    """
    from memtui.claude.queue import MAX_FIELD, Queue, Queued  # noqa: PLC0415  -- a session's start needs none

    session, transcript, cwd = given.session_id, given.transcript_path, str(given.cwd)
    if not (session and transcript) or max(map(len, (session, transcript, cwd))) > MAX_FIELD:
        raise UsageError("the hook was told no session and transcript to note", where="stdin")
    settings = world.settings(given.cwd)
    if auto_memory_state(world.environ, settings).on:
        Queue(state_dir).enqueue(Queued(session, transcript, cwd, event, world.clock()))
