"""Any bytes at all for everything that reads what others wrote (reliability §3, §6).

``fuzz_one`` is a target for any fuzzer, such as atheris: ``atheris.Setup(sys.argv, fuzz_one); atheris.Fuzz()``. By itself
it is run on seeded mutations of well-formed files.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from memtui.claude.transcripts import parse_line
from memtui.memory.disk.files import Folder
from memtui.memory.document import frontmatter
from memtui.memory.index.editing import decode_index, encode_index
from memtui.memory.index.lines import parse_index
from memtui.memory.index.merge import merge_index
from memtui.memory.review.proposal_file import _FORMAT, BadProposal, _proposal, dump, load
from memtui.memory.saving.ledger import Ledger
from memtui.memory.text import visible

SEEDS: tuple[bytes, ...] = (
    b"---\nname: A\ndescription: about a\ntype: user\n---\n\nThe text, see [[b]].\n",
    b"---\nname: 'it''s'\ndescription: >-\n  folded\n  text\nmetadata:\n  type: user\n  modified: 2026-05-28\n---\nx\n",
    b'\xef\xbb\xbf---\r\nname: "a\\x1b[31m"\r\ntags: [a, b]\r\n---\r\n\r\nbody\r\n',
    b"# Notes\n\nprose\n- [A](a.md) \xe2\x80\x94 about a\n- [B](sub/b%20c.md) - b\n| [C](c.md) | d |\n",
    b'{"type":"user","uuid":"1","timestamp":"2026-05-28T00:00:00Z","message":{"role":"user","content":"hi"}}',
    b'{"t":"begin","key":"0123456789ab","id":1,"at":1.0,"label":"save a","slugs":["a"],"actor":"user","pid":1,'
    b'"kind":"do","changes":[{"rel":"a.md","role":"primary","before":null,"after":"' + b"0" * 64 + b'"}]}',
    b'{"t":"end","key":"0123456789ab","state":"done","kept":["a_v1.md"],"changes":[]}',
    json.dumps(
        {
            "format": _FORMAT,
            "kind": "create",
            "reason": "said so",
            "source": "dream",
            "by": "rules",
            "session": "s",
            "at": 1.0,
            "memories": [{"slug": "a", "based_on": None, "text": ["---\n", "name: A\n", "---\n", "x\n"]}],
            "evidence": [{"transcript": "/t", "line": 3, "before": "b", "quote": "q", "after": "a"}],
        }
    ).encode(),
)
TOKENS = (b"---\n", b"\x00", b"\xff", b"\r", b"[", b"](", b": ", b"{", b'"', b"&a", b"*a", b"!!x ", b"\xe2\x80\xae", b"\x1b]8;;",
          b"9" * 400, b"\\ud800", b"null", b"- " * 50)  # fmt: skip


def fuzz_one(data: bytes) -> None:
    """Read the bytes as each of the things they might be; only a bug raises."""
    document = frontmatter.read(data)
    assert frontmatter.read(data) == document
    try:
        edited = frontmatter.edit(data, name="N")
    except frontmatter.FrontmatterError:
        pass
    else:
        assert frontmatter.read(edited).name == "N"
        assert frontmatter.read(edited).body == document.body
    text = decode_index(data)
    assert encode_index(text) == data
    for entry in parse_index(text).entries:
        assert isinstance(entry.rel, str)
    assert merge_index(data, data, b"- [A](a.md)\n") == b"- [A](a.md)\n"
    with suppress(ValueError, RecursionError):  # as it says; the reader counts such a line as torn
        found = parse_line(data)
        assert found is None or isinstance(found, dict)
    ledger = Ledger(Folder(Path("/nowhere")))
    for line in data.split(b"\n"):
        ledger._take(line)
    try:
        load("x.json", data)
    except BadProposal as error:
        if error.code == "altered":
            proposal = _proposal(json.loads(data))
            assert load(f"{proposal.id}.json", dump(proposal)) == proposal
    shown = visible(data.decode("utf-8", "replace"))
    assert visible(shown) == shown


def mutated(dice: random.Random, seeds: Sequence[bytes] = SEEDS) -> bytes:
    """One of the seeds, a few places of it changed."""
    data = bytearray(dice.choice(seeds))
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(data) + 1)
        match dice.randrange(6):
            case 0:
                data[at:at] = dice.choice(TOKENS)
            case 1:
                del data[at : at + dice.randint(1, 20)]
            case 2 if data:
                data[at % len(data)] = dice.randrange(256)
            case 3:
                other = dice.choice(seeds)
                data[at:at] = other[dice.randrange(len(other)) :][: dice.randint(1, 60)]
            case 4:
                data[at:at] = data[at : at + dice.randint(1, 40)] * dice.randint(1, 5)
            case _:
                data = _other_value(dice, data)
    return bytes(data)


def _other_value(dice: random.Random, data: bytearray) -> bytearray:
    """JSON with one value of another kind; anything else as it is."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if not isinstance(values, dict) or not values:
        return data
    odd = cast("list[object]", [None, -1, 10**30, 1e308, "", "../x", [], {}, [[[]]], True, "a\x00b"])
    values[dice.choice(sorted(values))] = dice.choice(odd)
    return bytearray(json.dumps(values).encode())


def run(count: int, seed: int) -> Iterator[str]:
    """So many mutations; what each bug raised, with the bytes."""
    dice = random.Random(seed)
    for _ in range(count):
        data = mutated(dice)
        try:
            fuzz_one(data)
        except Exception as error:  # noqa: BLE001  -- that is what is looked for
            yield f"{error!r} for {data!r}"


def proof(place: Path, long: bool) -> Iterator[str]:
    """A hundred thousand of them, or two million."""
    del place
    count = 2_000_000 if long else 100_000
    yield from run(count, seed=7)
    print(f"{count:,} inputs", flush=True)
