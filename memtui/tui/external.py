"""A memory in the person's own editor: a copy goes out, and what comes back is taken as typed."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from textual.app import App, SuspendNotSupported

from memtui.memory.document import frontmatter
from memtui.memory.document.draft import Draft
from memtui.memory.types import MemoryType
from memtui.memory.wording.saying import system_said

_TAKEN = frozenset({"name", "description", "type"})


class EditorFailed(Exception):
    """The editor could not be run, or ended with an error; the text says why."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What an editor left.

    Attributes:
        draft: the fields, in the shape they went out; equal to those if nothing was changed.
        ignored: keys of the header that somebody added or changed and that are not taken.
    """

    draft: Draft
    ignored: tuple[str, ...]


def outgoing(draft: Draft) -> bytes:
    """The copy: name, description and type as a header, then the text, to the byte."""
    head = frontmatter.compose(
        name=draft.name,
        description=draft.description,
        memory_type=draft.type_text or "",
        body="",
        nested=False,
    )
    return head.rstrip(b"\n") + b"\n\n" + draft.content.encode("utf-8", "surrogateescape").lstrip(b"\r\n")


def incoming(sent: bytes, got: bytes, draft: Draft) -> Returned:
    """What came back as fields; where nothing was changed, exactly those that went out."""
    if got == sent:
        return Returned(draft, ())
    before, doc = frontmatter.read(sent), frontmatter.read(got)
    same_text = doc.body == before.body
    kind = doc.type_text or ""
    return Returned(
        replace(
            draft,
            name=draft.name if doc.name == before.name else doc.name or "",
            description=draft.description if doc.description == before.description else doc.description or "",
            type_text=draft.type_text
            if doc.type_text == before.type_text
            else str(MemoryType.parse(kind) or kind),
            content=draft.content if same_text else doc.body,
        ),
        tuple(key for key, line in _other_lines(got) if (key, line) not in _other_lines(sent)),
    )


def _other_lines(data: bytes) -> list[tuple[str, str]]:
    """The lines of a header that hold a key that is not taken, each with its key."""
    head = data.decode("utf-8", "replace").split("\n---", 1)[0].splitlines()[1:]
    lines = [
        (line.partition(":")[0], line)
        for line in head
        if ":" in line and not line[:1].isspace() and line[:1] != "#"
    ]
    return [(key, line) for key, line in lines if key not in _TAKEN]


def edit_outside(app: App[object], command: Sequence[str], draft: Draft) -> Returned:
    """Leave the screen to an editor until it ends.

    Args:
        app: gives the terminal away meanwhile.
        command: the editor; the file is added.
        draft: what goes out.

    Raises:
        EditorFailed: it could not be run, or ended with an error, or there is no terminal to give away. The text is
            as it was.
    """
    sent = outgoing(draft)
    name = draft.slug.rpartition("/")[2][:60] or "memory"
    with tempfile.TemporaryDirectory(prefix="memtui-") as folder:
        path = Path(folder) / f"{name}.md"
        path.write_bytes(sent)
        try:
            with app.suspend():
                code = _run([*command, str(path)])
        except SuspendNotSupported as error:
            raise EditorFailed("") from error
        if isinstance(code, OSError):
            raise EditorFailed(system_said(code)) from code
        try:
            got = path.read_bytes()
        except OSError as error:
            raise EditorFailed(system_said(error)) from error
    if code and got == sent:
        raise EditorFailed(str(code))
    return incoming(sent, got, draft)


def _run(command: Sequence[str]) -> int | OSError:
    """What a command ended with. Nothing is raised, for then the terminal would never be taken back."""
    try:
        return subprocess.run(command, check=False).returncode  # noqa: S603  -- the person's own choice, from their environment
    except OSError as error:
        return error
