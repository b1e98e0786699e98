"""Values that everybody knows, because a manual prints them: no secrets, whatever their form.

The keys of Azure's and Cosmos DB's emulators, Stripe's and Google's test keys, the accounts of Hardhat and Anvil, the
tokens of RFC 6749, 6750 and 5849, and passwords that stand in books. Only fingerprints stand here.
"""

from __future__ import annotations

_TEXT = (
    "0011cc25eb43 00cf4c781dc3 02f7ce3c263f 03b970ed8171 095101cf732c 0b5dd075ccdd 0e9d220616f0"
    " 1021ad463a16 12d8d9ea56a1 1c3d6188abe6 293257ab6495 2cafc0970149 2f5b5a29ea30 3543c50b0cb9"
    " 465d9ad5d552 48486e1514e8 53f5da0aaa93 60a09e435786 649e1f5c769e 6598ec97c37d 6c96130f130a"
    " 731fa294d036 78314b11be2e 7abdae32d3c9 8335c5533482 877bb551b01c 87cbebfeebc0 897424aa34b2"
    " 8d567eb88aff 94aefb8be78b a064b502e61d aa28c9af739f aa6547439583 b8e148545b13 bb9b1163338b"
    " bc1a50966c9e bdfeaef44475 c16f2cc79792 c4bbcb1fbec9 ca7459e2b267 cb87c87e4a13 cf4d418ed3de"
    " d05f6bb1aa2e e21b597ba6b9 e4da07ad2000 e9974c507d2a f2d6ca165150 f5e95c995463 f7d838701b86"
)
PUBLISHED = frozenset(_TEXT.split())
"""First twelve characters of ``secret_hash`` of each."""
