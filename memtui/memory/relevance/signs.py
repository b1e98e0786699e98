"""Which letters stand beside each other in a text, as bits: where two of a word never meet, it need not be looked for. Pure.

A text of two kilobytes holds about five hundred different pairs. Of letters, digits and the signs most often looked for
each pair, and each alone, has a bit of its own, which is the whole answer then; other signs share theirs.
Of what is not ASCII, each character has a bit, which it shares with every 1,024th other.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

_OWN = b"abcdefghijklmnopqrstuvwxyz0123456789 ./:"
"""Bytes that are a class of their own."""
_ALL = 64
"""Classes of bytes: those, and what the others share."""
_HIGH = _ALL - 1
"""The class of all bytes of what is not ASCII."""
_SHARED = range(len(_OWN), _HIGH)
_CLASSES = bytes(
    _HIGH if byte > 127 else _OWN.index(byte) if byte in _OWN else _SHARED[byte % len(_SHARED)]
    for byte in range(256)
)
_GO_ON = bytes(range(0x80, 0xC0))
"""Bytes that a character goes on with: of one that is not ASCII the first is enough."""
_BYTE = 256
_LITTLE = sys.byteorder == "little"
_CHARACTERS = 1_024
_DIGITS = bytes.maketrans(b"\0\1", b"01")
_NO_CHARACTERS = bytes(_CHARACTERS // 8)
_OF_CHARACTERS = _ALL * _ALL + _ALL
"""Where the bits of characters begin: before them are those of pairs, and of single bytes."""
_SIGN_BYTES = (_OF_CHARACTERS + _CHARACTERS) // 8


def sign(text: bytes) -> bytes:
    """The bits of a folded text in UTF-8; any two texts have as many."""
    coded = b"\n%b\n" % text  # every byte of it is the first of a pair, and the second of one
    view = memoryview(coded.translate(_CLASSES, _GO_ON))
    pairs = bytearray(_ALL * _BYTE)
    for start in (0, 1):  # neighbours as one number, from the first byte on and from the second
        for pair in set(view[start : start + (len(view) - start & ~1)].cast("H")):
            pairs[pair] = 1
    parts = [pairs[at : at + _ALL] for at in range(0, len(pairs), _BYTE)]
    letters = bytes([1 in part for part in parts])
    bits = _packed(b"".join([*parts, letters]))
    if text.isascii():
        return bits + _NO_CHARACTERS
    characters = bytearray(_CHARACTERS)
    for character in set(text.decode("utf-8", "surrogatepass")):
        if character > "\x7f":
            characters[ord(character) % _CHARACTERS] = 1
    return bits + _packed(characters)


def _packed(flags: bytes | bytearray) -> bytes:
    return int(flags.translate(_DIGITS), 2).to_bytes(len(flags) // 8, "big")


class Bit(NamedTuple):
    """One bit of a sign: in which byte, and where there."""

    byte: int
    mask: int


def _bit(bit: int) -> Bit:
    return Bit(bit // 8, 0x80 >> bit % 8)


def bits_of(word: bytes) -> list[Bit]:
    """The bits that the sign of every text has in which a folded word stands."""
    if len(word) == 1:
        return [_bit(_ALL * _ALL + _CLASSES[word[0]])]
    coded = word.translate(_CLASSES)
    bits = [
        _bit((second * _ALL + first) if _LITTLE else (first * _ALL + second))
        for first, second in pairwise(coded)
        if _HIGH not in (first, second)
    ]
    if not word.isascii():
        characters = word.decode("utf-8", "surrogatepass")
        bits += [_bit(_OF_CHARACTERS + ord(each) % _CHARACTERS) for each in characters if each > "\x7f"]
    return list(dict.fromkeys(bits))


def is_whole_answer(word: bytes) -> bool:
    """Whether a word stands in every text whose sign has its bits."""
    return len(word) <= 2 and all(byte in _OWN for byte in word)


class Signs:
    """The signs of many texts, side by side: one bit of ten thousand is read in a tenth of a millisecond."""

    def __init__(self) -> None:
        self._rows = bytearray()
        self._adding = threading.Lock()

    def __len__(self) -> int:
        return len(self._rows) // _SIGN_BYTES

    def add(self, text: bytes) -> int:
        """Take a text's sign; gives its place. Threads may do so at once."""
        made = sign(text)
        with self._adding:
            place = len(self)
            self._rows += made
        return place

    def have(self, bit: Bit, places: Iterable[int]) -> list[int]:
        """Of each place whether its sign has the bit."""
        column, mask = self._rows[bit.byte :: _SIGN_BYTES], bit.mask
        return [column[place] & mask for place in places]
