"""Small pictures of sets that bound, without error, how alike two sets can be.

A sketch has one bit for each of ``width`` buckets: whether an odd number of members fell in. Where the bits of two
sketches differ, at least one member is in one set and not in the other. So the number of differing bits, one XOR and
one popcount, is never more than the number of members not shared, and a pair whose sketches differ too much for a
wanted similarity cannot have it. Nothing is ever ruled out that comparing the sets would let pass.

Unlike bits that say "some member fell in", these keep telling sets apart when there are more members than buckets.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

LEAST_WIDTH = 512
MOST_WIDTH = 1 << 14
"""Bits of the widest sketch: 2 KiB."""

# A bound is only ever rounded towards looking closer.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Sketch:
    """The sketch of one set.

    Attributes:
        members: size of the set.
        width: bits of the sketch, a power of two.
        bits: the sketch as one integer.
    """

    members: int
    width: int
    bits: int

    def at(self, width: int) -> int:
        """The bits that the same set has at a width that is not larger."""
        bits, half = self.bits, self.width
        while half > width:
            half >>= 1
            bits = (bits >> half) ^ (bits & ((1 << half) - 1))
        return bits

    def apart(self, other: Sketch) -> int:
        """How many members the two sets do not share, at least."""
        width = min(self.width, other.width)
        return (self.at(width) ^ other.at(width)).bit_count()

    def at_most(self, other: Sketch) -> float:
        """The Jaccard similarity of the two sets, at most."""
        both, apart = self.members + other.members, self.apart(other)
        return (both - apart) / (both + apart) if both else 0.0

    def may_be_like(self, other: Sketch, similarity: float) -> bool:
        """Whether the two sets can have at least this Jaccard similarity (0.0 to 1.0)."""
        return self.apart(other) <= most_apart(self.members + other.members, similarity)


def sketch(members: AbstractSet[str], width: int) -> Sketch:
    """The sketch of a set.

    Buckets come from ``hash``, which Python seeds anew in each process: sketches are not for keeping.

    Args:
        members: the set.
        width: bits, a power of two.
    """
    digits = bytearray(b"0") * width
    buckets = width - 1
    for hashed in map(hash, members):
        digits[hashed & buckets] ^= 1
    digits.reverse()  # the first digit of a number is its highest
    return Sketch(len(members), width, int(digits, 2))


def width_for(members: int, factor: int) -> int:
    """The width for a set of that size: the power of two from ``factor`` bits a member up, within bounds."""
    return max(LEAST_WIDTH, min(MOST_WIDTH, 1 << max(factor * members - 1, 0).bit_length()))


def most_apart(members: int, similarity: float) -> int:
    """How many members two sets may not share and still be that similar.

    Args:
        members: of both sets together, the shared ones counted twice.
        similarity: the least Jaccard similarity wanted, 0.0 to 1.0.
    """
    return int(members * (1 - similarity) / (1 + similarity) + _ROUNDING)


def sizes_alike(members: int, similarity: float) -> tuple[int, int]:
    """The least and the largest size of a set that can be that similar (above 0.0) to one of this size."""
    return int(members * similarity + 1 - _ROUNDING), int(members / similarity + _ROUNDING)
