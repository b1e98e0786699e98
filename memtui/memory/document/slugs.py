"""Slugs: the names of memory files. Strict for new ones, indulgent to what is there (spec §5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping

from memtui.memory.conventions import TEAM_PREFIX
from memtui.memory.errors import UsageError
from memtui.memory.wording.saying import Say

MAX_SLUG_CHARS = 100
"""Characters of a new slug (spec §5)."""
MAX_SLUG_BYTES = 200
"""UTF-8 bytes of a new slug (ours): file systems stop at 255, and an old version's name is longer."""

_RESERVED = frozenset(
    ["memory", "con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in "123456789¹²³")],
)


def collision_key(slug: str) -> str:
    """What two slugs share when some file system would take them for one name (NFKC, case folded)."""
    if slug.isascii():
        return slug.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", slug).casefold())


def _is_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"


def _cut(slug: str, room_for: int = 0) -> str:
    """As much of a slug as may stand in front of ``room_for`` more ASCII characters."""
    data = slug[: MAX_SLUG_CHARS - room_for].encode("utf-8", "ignore")[: MAX_SLUG_BYTES - room_for]
    return data.decode(errors="ignore").rstrip("-")


def propose_slug(name: str, taken: Iterable[str] = ()) -> str:
    """A valid new slug for a title: words of any script joined by ``-``, numbered if it is taken."""
    return free_slug(name, {collision_key(slug) for slug in taken})


def free_slug(name: str, taken: Container[str]) -> str:
    """The same where the `collision_key` of all that is taken is known already."""
    lowered = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).lower())
    words = "".join(c if _is_word(c) else "-" for c in lowered)
    base = _cut(unicodedata.normalize("NFC", re.sub("-+", "-", words).strip("-"))) or "note"
    if unicodedata.category(base[0])[0] == "M":
        # A lone combining mark would join what stands before the name.
        base = _cut(unicodedata.normalize("NFC", f"n{base}"))
    slug, number = base, 2
    while (key := collision_key(slug)) in taken or key in _RESERVED:
        tail = f"-{number}"
        slug, number = _cut(base, room_for=len(tail)) + tail, number + 1
    return slug


def check_new_slug(slug: str, taken: Iterable[str] = ()) -> None:
    """Refuse a slug that a new memory may not have; ``team/`` may stand in front of one, no other folder.

    Args:
        slug: the proposed one.
        taken: slugs that exist. ``a`` and ``team/a`` are two.

    Raises:
        UsageError: it is empty, too long, not kebab-case, reserved, or equal to another after folding.
    """
    check_free_slug(slug, {collision_key(other): other for other in taken})


def check_free_slug(slug: str, taken: Mapping[str, str]) -> None:
    """The same where all that is taken is known by its `collision_key`."""

    def todo() -> Say:
        near = {key.removeprefix(folder) for key in taken if key.startswith(folder)}
        return Say("Try {free!r}", free=folder + free_slug(name, near))

    folder = TEAM_PREFIX if slug.startswith(TEAM_PREFIX) else ""
    name = slug.removeprefix(folder)
    if not name:
        raise UsageError(
            "slug is empty", where="slug", todo="Give a kebab-case name such as 'release-freeze'"
        )
    if len(name) > MAX_SLUG_CHARS:
        raise UsageError(
            Say(
                "slug is {count} characters long, at most {most} are allowed",
                count=len(name),
                most=MAX_SLUG_CHARS,
            ),
            where="slug",
        )
    if len(name.encode("utf-8", "surrogatepass")) > MAX_SLUG_BYTES:
        raise UsageError(
            Say("slug takes more than {most} bytes as a file name", most=MAX_SLUG_BYTES),
            where="slug",
            todo=todo(),
        )
    bad = sorted({c for c in name if c != "-" and not (_is_word(c) and c == c.lower())})
    if bad:
        shown = " ".join(repr(c) if c.isprintable() else f"U+{ord(c):04X}" for c in bad[:5])
        raise UsageError(
            Say(
                "slug {slug!r} is not kebab-case (lower-case letters, digits and '-'): {shown} not allowed",
                slug=slug,
                shown=shown,
            ),
            where="slug",
            todo=todo(),
        )
    if name.startswith("-") or name.endswith("-") or "--" in name:
        raise UsageError(Say("slug {slug!r} has a stray '-'", slug=slug), where="slug", todo=todo())
    if unicodedata.normalize("NFC", name) != name or unicodedata.category(name[0])[0] == "M":
        raise UsageError(
            Say("slug {slug!r} is not in composed form (NFC)", slug=slug), where="slug", todo=todo()
        )
    if collision_key(name) in _RESERVED:
        raise UsageError(Say("slug {slug!r} is a reserved name", slug=slug), where="slug", todo=todo())
    key = collision_key(slug)
    if key in taken:
        raise UsageError(
            Say("slug {slug!r} is the same name as {other!r} on some systems", slug=slug, other=taken[key]),
            where="slug",
            todo=todo(),
        )
