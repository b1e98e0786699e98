"""What stands packed in a text: base64, base32, hexadecimal and zipped text, of which the whole is the secret then."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memtui.memory.lazy import lazy_pattern

MIN_PACKED = 24
"""No secret fits into less base64, in characters."""
_MOST = 1 << 16
"""So much of one packing is unpacked, in characters (ours)."""
_LINE = lazy_pattern(r".{0,16}?[A-Za-z0-9+/]{40,}(?:\\n.*)?")  # lines of packed text are no shorter
_BASE64 = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9+/_-]{23,65536}={0,2}")
_NEXT_LINE = r"[ \t]{0,4}(?:\r?\n|\\n)[ \t>#*]{0,16}"
_BLOCK = lazy_pattern(
    rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{40,512}}+(?:{_NEXT_LINE}[A-Za-z0-9+/]{{40,512}}+)*+"
    rf"(?:{_NEXT_LINE}[A-Za-z0-9+/]{{1,39}}+(?![A-Za-z0-9+/ ]))?+={{0,2}}+"
)
_BETWEEN = lazy_pattern(r"\\n|[\s>#*]+")
_HEX = lazy_pattern(r"(?:[0-9A-Fa-f]{2}){16,}")
_SPACED_HEX = lazy_pattern(
    r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}(?:[ :-]|, ?|\r?\n)){15,8192}(?:0x|\\x)?[0-9A-Fa-f]{2}(?![0-9A-Za-z])"
)
_SOME_HEX = lazy_pattern(
    r"[2-7][0-9A-Fa-f][ :,\n-]{1,2}(?:0x|\\x)?[2-7][0-9A-Fa-f][ :,\n-]{1,2}(?:0x|\\x)?[2-7][0-9A-Fa-f][ :,\n-]"
)
_BASE32 = lazy_pattern(r"[A-Z2-7]{32,}=*")
_ZIPPED = b"\x1f\x8b"
_CONTROLS = lazy_pattern(r"[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\U0010ffff]")


class Packed(NamedTuple):
    """Text that was packed.

    Attributes:
        start: first character of the packing.
        end: one past its last character.
        text: what it says.
    """

    start: int
    end: int
    text: str


class Budget:
    """How much may still be unpacked, in characters: what was packed often, or zipped, costs no more than its text."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, text: str) -> bool:
        """Whether a text may still be looked into."""
        self.left -= len(text)
        return self.left >= 0


def unpacked(text: str, words: Iterable[str]) -> Iterator[Packed]:
    """What is packed in a text and says something readable. Linear time.

    Args:
        text: any text.
        words: its words in order, at least those of ``MIN_PACKED`` characters.
    """
    at = long = 0
    for word in words:
        found = _BASE64.search(word) if len(word) >= MIN_PACKED else None
        if found is None:
            continue
        at = text.find(word, at)
        long += _LINE.fullmatch(word) is not None
        while found is not None:
            yield from _in_run(found[0], at + found.start())
            found = _BASE64.search(word, found.end())
        at += len(word)
    if long > 1 or (long and "\\n" in text):
        for match in _BLOCK.finditer(text):
            said = _base64_text(_BETWEEN.sub("", match[0]))
            if said:
                yield Packed(*match.span(), said)
    # Most texts end here, and sooner by their letters in ASCII alone.
    if _SOME_HEX.search(text if text.isascii() else text.encode("ascii", "ignore").decode("ascii")):
        for match in _SPACED_HEX.finditer(text):
            said = _readable(_hex(match[0]))
            if said:
                yield Packed(*match.span(), said)


def _hex(text: str) -> bytes:
    digits = text.replace("0x", "").replace("\\x", "")
    return bytes.fromhex("".join(char for char in digits if char in "0123456789abcdefABCDEF"))


def _in_run(run: str, at: int) -> Iterator[Packed]:
    """A run of the letters of base64, which are those of base32 and hexadecimal, too."""
    said = _readable(bytes.fromhex(run)) if _HEX.fullmatch(run) else None
    if said is None and _BASE32.fullmatch(run):
        said = _base32_text(run)
    if said is None:
        said = _base64_text(run)
    end = at + len(run)
    if said is None and "/" in run:  # the end of a path
        run = run[run.rindex("/") + 1 :]
        said = _base64_text(run) if len(run) >= MIN_PACKED else None
    if said:
        yield Packed(end - len(run), end, said)


def _base32_text(text: str) -> str | None:
    bare = text.rstrip("=")[:_MOST]
    bare = bare[: len(bare) - len(bare) % 8] if len(bare) % 8 in {1, 3, 6} else bare
    return _readable(base64.b32decode(bare + "=" * (-len(bare) % 8)))


def _base64_text(text: str) -> str | None:
    packed = text.rstrip("=")[:_MOST].translate({0x2D: "+", 0x5F: "/"})
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    head = packed[:64]
    if not _begins_well(binascii.a2b_base64(head + "=" * (-len(head) % 4))):
        return None
    return _readable(binascii.a2b_base64(packed + "=" * (-len(packed) % 4)))


def _begins_well(data: bytes) -> bool:
    """Whether bytes may be text, or zipped: nearly all packed bytes are neither, and most are pictures and digests."""
    return (
        data.startswith(_ZIPPED)
        or data.count(0) >= len(data) // 2 - 1
        or not any(b < 9 or 13 < b < 32 for b in data)
    )


def _readable(data: bytes) -> str | None:
    """Bytes as text, if they are: UTF-8 without controls, UTF-16 as PowerShell packs it, and either of them zipped."""
    if data.startswith(_ZIPPED):
        try:
            data = zlib.decompressobj(31).decompress(data, _MOST)
        except zlib.error:
            return None
    if len(data) >= 8 and not any(data[1::2]):
        data = data[::2]
    try:
        said = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if _CONTROLS.search(said) else said
