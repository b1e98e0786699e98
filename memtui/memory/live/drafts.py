"""Unsaved texts under ``.memtui/drafts/``: what was typed outlives a crash, and goes when it is saved or thrown away.

Each typing has a file of its own, so that two windows on one memory do not take each other's text. A draft is found by
the memory it was begun on; where that has been renamed or forgotten meanwhile, it is found among the new ones.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.files import Folder, Unreadable, shut
from memtui.memory.disk.writing import OWN_LIMIT, Writer
from memtui.memory.document.draft import Draft
from memtui.memory.lazy import lazy_pattern
from memtui.memory.types import Clock

DRAFTS_FOLDER = f"{OWN_FOLDER}/drafts"
_FORMAT = 1
_NAME = lazy_pattern(r"[A-Za-z0-9_-]{1,64}\.json\Z")
_MOST = 200  # drafts that are looked at, the newest (ours); each costs a read of up to 8 MiB
_SHORT = 100_000  # characters of a field of one line: far more than is ever typed
_DIGEST_CHARACTERS = 64
_END_OF_TIME = 253_402_300_800.0  # the year 10000


@dataclass(frozen=True, slots=True)
class Base:
    """What an edit began with.

    Attributes:
        digest: of the file's bytes.
        draft: its fields.
    """

    digest: str
    draft: Draft


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """One unsaved text.

    Attributes:
        key: names its file.
        at: when it was last written, Unix seconds.
        base: what the edit began with; None for a new memory.
        draft: what was typed.
        absorbs: slugs of the memories that a save merges into it.
    """

    key: str
    at: float
    base: Base | None
    draft: Draft
    absorbs: tuple[str, ...] = ()


def drafts_of(slug: str, found: Iterable[SavedDraft]) -> tuple[SavedDraft, ...]:
    """Those of edits that began on this memory, in their order."""
    return tuple(each for each in found if each.base is not None and each.base.draft.slug == slug)


def drafts_of_none(slugs: Iterable[str], found: Iterable[SavedDraft]) -> tuple[SavedDraft, ...]:
    """Those of new memories, and of those that are not among these slugs any more, in their order."""
    drafts = tuple(found)
    known = (
        set(slugs) if drafts else set()
    )  # ten thousand names are not asked for where there is nothing to ask
    return tuple(each for each in drafts if each.base is None or each.base.draft.slug not in known)


class Drafts:
    """The unsaved texts of one directory. Thread-safe; nothing is made before the first one."""

    def __init__(self, folder: Folder, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._newest: dict[str, int] = {}

    @staticmethod
    def new_key() -> str:
        """A name for the draft of one typing."""
        return os.urandom(8).hex()

    def put(
        self, key: str, draft: Draft, base: Base | None, *, serial: int, absorbs: tuple[str, ...] = ()
    ) -> None:
        """Write a draft, atomic and durable, in place of the one before of that key.

        Args:
            key: see ``new_key``.
            draft: what was typed.
            base: what the edit began with.
            serial: counts up while one types; what comes late, from a slower thread, is not written.
            absorbs: slugs of the memories that a save merges into it.

        Raises:
            OSError: the system says no.
            Refused: ``.memtui/`` is not as it should be.
        """
        with self._lock:
            if serial <= self._newest.get(key, -1):
                return
            data = {
                "format": _FORMAT,
                "at": self._clock(),
                "base": asdict(base) if base else None,
                "draft": asdict(draft),
                "absorbs": absorbs,
            }
            text = json.dumps(data)  # in ASCII, where bytes that are no UTF-8 survive as escapes
            self._folder.make_own_folder()
            with Writer(self._folder) as writer:
                writer.make_folder(DRAFTS_FOLDER)
                writer.replace(_rel(key), text.encode("ascii"))
            self._newest[key] = serial

    def drop(self, key: str) -> None:
        """Remove a draft, for good: nothing is written under that key any more.

        Raises:
            OSError: the system says no.
        """
        with self._lock:
            self._newest[key] = 1 << 62
            try:
                with Writer(self._folder) as writer:
                    writer.remove(_rel(key))
            except Unreadable as error:
                raise OSError(str(error)) from error

    def all(self) -> tuple[SavedDraft, ...]:
        """Every draft, newest first; files that are no drafts are left out."""
        try:
            fd = self._folder.open_folder(DRAFTS_FOLDER)
        except (OSError, Unreadable):
            return ()
        try:
            names = [entry.name for entry in self._folder.disk.scandir(fd)]
        except OSError:
            return ()
        finally:
            shut(self._folder.disk, fd)
        keys = [name.removesuffix(".json") for name in names if _NAME.match(name)]
        if len(keys) > _MOST:
            keys = sorted(keys, key=self._written)[-_MOST:]
        found = [draft for key in keys if (draft := self._read(key)) is not None]
        return tuple(sorted(found, key=lambda draft: (-draft.at, draft.key)))

    def of(self, slug: str) -> tuple[SavedDraft, ...]:
        """The drafts of edits that began on this memory, newest first."""
        return drafts_of(slug, self.all())

    def of_none(self, slugs: Iterable[str]) -> tuple[SavedDraft, ...]:
        """The drafts of new memories, and of those that are not among these slugs any more; newest first."""
        return drafts_of_none(slugs, self.all())

    def _written(self, key: str) -> int:
        try:
            stamp = self._folder.stamp(_rel(key))
        except Unreadable:
            return 0
        return stamp.mtime_ns if stamp else 0

    def _read(self, key: str) -> SavedDraft | None:
        try:
            data = json.loads(self._folder.read(_rel(key), OWN_LIMIT).data)
            base = data["base"]
            return SavedDraft(
                key=key,
                at=_time(data["at"]),
                base=Base(_text(base["digest"], _DIGEST_CHARACTERS), _draft(base["draft"])) if base else None,
                draft=_draft(data["draft"]),
                absorbs=_slugs(data.get("absorbs", [])),
            )
        except (OSError, Unreadable, ValueError, KeyError, TypeError, RecursionError, OverflowError):
            return None


def _time(value: object) -> float:
    if not isinstance(value, int | float) or not 0 <= value < _END_OF_TIME:
        raise ValueError
    return float(value)


def _text(value: object, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError
    return value


def _slugs(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST:
        raise ValueError
    return tuple(_text(slug, _SHORT) for slug in value)


def _draft(data: dict[str, object]) -> Draft:
    """The fields of a draft, which may be a stranger's: an offer to a person, checked like any typing when saved."""
    slug, name, description, type_text = (
        _text(data[field], _SHORT) for field in ("slug", "name", "description", "type_text")
    )
    return Draft(slug, name, description, type_text, _text(data["content"], OWN_LIMIT))


def _rel(key: str) -> str:
    return f"{DRAFTS_FOLDER}/{key}.json"
