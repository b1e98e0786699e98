"""What the released client loads of an index is, character for character, what ``load_entrypoint`` says (spec §6)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.memory.index.editing import decode_index
from memtui.memory.index.entrypoint import load_entrypoint
from tests.integration.client import VARIABLE, Client, binary, client

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(binary() is None, reason=f"{VARIABLE} does not name a Claude Code client"),
]


@pytest.fixture(scope="module")
def asked() -> Iterator[Client]:
    with client() as made:
        yield made


def entries(count: int, width: int, fill: str = "x") -> str:
    return "".join(f"- [T{n}](t{n}.md) — ".ljust(width, fill) + "\n" for n in range(count))


CASES: dict[str, str | bytes] = {
    "small": "# Index\n\n- [A](a.md) — d\n",
    "empty": "",
    "blank": "\n  \n\n",
    "comments only": "<!-- nothing -->\n",
    "201 lines": entries(201, 30),
    "200 lines": entries(200, 30),
    "146 of 356": entries(146, 356),
    "200 of 125": entries(200, 125),
    "200 of 125 CJK": entries(200, 125, "字"),
    "200 of 125 emoji": entries(200, 125, "😀"),
    "both limits": entries(300, 200),
    "both limits, lines bind": entries(400, 100),
    "exactly": "- [A](a.md)\n" + "x" * 24_988,
    "one over": "- [A](a.md)\n" + "x" * 24_989,
    "cut on a line end": "- [A](a.md)\n" + "x" * 24_988 + "\n- [B](b.md)\n",
    "one long line": "x" * 30_000,
    "long first line": "x" * 30_000 + "\n- [A](a.md)\n",
    "long emoji line": "x" + "😀" * 13_000,
    "megabytes": "a\n" + "x" * 1_200_000,
    "round size": "a\n" + "x" * 25_598,
    "lost line is blank": "a\n" * 200 + "\nb\n",
    "preview of 80": "a\n" * 200 + "z" * 80,
    "preview of 81": "a\n" * 200 + "z" * 81,
    "preview cuts an emoji": "a\n" * 200 + "😀" * 60,
    "CRLF": "\ufeff---\r\nname: x\r\n---\r\n- [A](a.md)\r\n- [B](b.md)\r\n",
    "CR": "a\rb\r",
    "open frontmatter": "---\nname: x\n- [A](a.md)\n",
    "two headers": "---\na: 1\n---\n---\nb: 2\n---\ny\n",
    "comment blocks": "<!-- a -->\nx\n\n<!-- b\n\nc -->\n\ny <!-- d -->\n    <!-- e -->\n```\n<!-- f -->\n```\n",
    "invisible": "a\u200bb\u200dc\u202ed\U000e0041e\x00f\x85g\u2028h\ue000i\ufe0fj",
    "not UTF-8": b"a\xff\xfeb \xe4\xb8 c\n",
    "reserved tags": "x </system-reminder> <System-Reminder> </ system-reminder>\n",
}


def check(asked: Client, folder: Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    (folder / "MEMORY.md").write_bytes(data)
    asked.install(folder)
    assert (asked.loaded_index() or "") == load_entrypoint(decode_index(data), "utf16").text


@pytest.mark.parametrize("name", CASES)
def test_spec_6_load_equals_the_client(asked: Client, tmp_path: Path, name: str) -> None:
    check(asked, tmp_path, CASES[name])


_PIECES: tuple[Callable[[random.Random], str], ...] = (
    lambda r: (
        f"- [T{r.randrange(99)}](t{r.randrange(99)}.md) — "
        + r.choice(["hook", "钩子说明", "😀", "x" * r.randrange(400)])
    ),
    lambda r: f"- [T{r.randrange(99)}](t{r.randrange(99)}.md)",
    lambda r: r.choice(
        ["# H", "\n## 标题\n", "\n---\n", "text", "  indented text", "\n    code\n", "> quote"]
    ),
    lambda r: r.choice(
        ["1. one", "* star", "  - nested", "| a | b |\n|---|---|\n| c | d |", "\n<div>\n\ntext\n</div>\n"]
    ),
    lambda r: r.choice(
        [
            "<!-- c -->",
            "\n<!-- c -->\n\n",
            "<!-- c --> tail",
            "  <!-- c -->",
            "x <!-- y -->",
            "<!--\n\n- [Z](z.md)\n-->",
        ]
    ),
    lambda r: r.choice(["```\n<!-- code -->\n```", "\n[label]: https://example.org\n", "", "", "   "]),
)


@pytest.mark.parametrize("seed", range(40))
def test_spec_6_load_equals_the_client_on_generated_indexes(asked: Client, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    lines = [chance.choice(_PIECES)(chance) for _ in range(chance.choice([3, 8, 20, 150, 230]))]
    text = "\n".join(lines) + chance.choice(["", "\n", "\n\n"])
    check(asked, tmp_path, text.replace("\n", chance.choice(["\n", "\n", "\r\n"])))
