"""Rendered Markdown and coloured source (design §3 Detail): fast, harmless, nothing of the text lost."""

from __future__ import annotations

import textwrap
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.text import visible
from memtui.tui.present import markdown, parts
from memtui.tui.present.blocks import Block, layout, source_blocks, wiki_target
from memtui.tui.present.lines import plain, width
from memtui.tui.present.markdown import render
from memtui.tui.present.markdown_simple import tokens_of

from .making import HOSTILE


def shown(source: str, cells: int = 40) -> str:
    return "\n".join(plain(line).rstrip() for line in layout(render(textwrap.dedent(source)), cells))


def roles(blocks: list[Block]) -> set[tuple[str, str]]:
    return {(text, role) for block in blocks for text, role in block.line if role}


def test_headings_paragraphs_and_emphasis() -> None:
    assert shown("# Rule\nUse a *real* **database**.\nReally.\n") == "Rule\n\nUse a real database. Really."
    assert roles(render("a *b* **c** `d` ~~e~~\n# f")) == {
        ("b", "emphasis"),
        ("c", "strong"),
        ("d", "code"),
        ("e", "dim"),
        ("f", "heading"),
    }


def test_why_and_how_to_apply_keep_their_lines() -> None:
    assert (
        shown("Rule.\n\n**Why:** burned\n**How to apply:** always")
        == "Rule.\n\nWhy: burned\nHow to apply: always"
    )


def test_lists_nest_and_continue_under_their_text() -> None:
    source = """\
        - one
        - two is longer than the line is wide
          - nested
        - three

        3. third
        4. fourth
        """
    assert shown(source, 20) == textwrap.dedent("""\
        • one
        • two is longer than
          the line is wide
          • nested
        • three

        3. third
        4. fourth""")


def test_quotes_code_and_tables() -> None:
    source = """\
        > quoted

        ```python
        def f():
        \tpass
        ```

        | a | bb |
        |---|----|
        | x | 我们 |
        """
    assert shown(source) == "▎ quoted\n\n  def f():\n      pass\n\na  bb\n───────\nx  我们"


def test_wiki_links_can_be_followed_and_show_their_alias() -> None:
    blocks = render("see [[role-and-background]], [[a#part|alias]] and [text](other-note.md)")
    assert roles(blocks) == {
        ("role-and-background", "link=role-and-background"),
        ("alias", "link=a"),
        ("text", "link=other-note"),
    }
    assert wiki_target("a#b|c") == "a"


def test_a_link_out_shows_its_address() -> None:
    assert shown("[bank](https://evil.example)", 60) == "bank (https://evil.example)"


def test_claims_get_their_marks() -> None:
    known = {"conftest.py": True, "--use-db": False}
    blocks = render("`conftest.py` and `--use-db` and `x`", known.get)
    assert plain(blocks[0].line) == "conftest.py ✓ and --use-db ✗ and x"


def test_html_is_text() -> None:
    assert shown("<b>bold</b> text\n\n<script>x</script>\n") == "<b>bold</b> text\n\n<script>x</script>"


@pytest.mark.parametrize("cells", [4, 20, 80])
def test_hostile_text_is_harmless_in_both_views(cells: int) -> None:
    source = f"# {HOSTILE}\n\n- {HOSTILE}\n\n```\n{HOSTILE}\n```\n\n> {HOSTILE}\n\n`{HOSTILE}` [{HOSTILE}]({HOSTILE}.md)\n"
    for blocks in (render(source), source_blocks(parts.source_lines(source))):
        for line in layout(blocks, cells):
            assert visible(plain(line)) == plain(line)


@given(st.text(alphabet=st.sampled_from("ab \n#*-_`>|[]()!1.~<\\\t我\x1b"), max_size=120), st.integers(2, 30))
def test_any_text_can_be_rendered_and_fits(source: str, cells: int) -> None:
    for blocks in (render(source), source_blocks(parts.source_lines(source))):
        for line in layout(blocks, cells):
            assert visible(plain(line)) == plain(line)
            if cells > 25:
                assert width(line) <= max(cells, 60)


def test_source_view_keeps_every_character() -> None:
    source = "# head\n**Why:** `x` and [[link]]\n```\ncode\n```\n"
    lines = parts.source_lines(source)
    assert [plain(block.line) for block in source_blocks(lines)] == lines
    assert ("[[link]]", "link=link") in roles(source_blocks(lines))


_PIECES = (
    "word",
    "Two *words*",
    "中文。",
    "　中",
    "'q' (a) & b",
    "&amp; z",
    "- item",
    "- `c` d",
    "- **b** c",
    "- 300 x",
    "- - x",
    "- [ ] t",
    "- a  ",
    "- ",
    "* x",
    "+ x",
    "# H",
    "## Head `x`",
    "# t #",
    "#",
    "**Why:** x",
    "__x__",
    "[[link]] a",
    "[x]: y",
    "`code` b",
    "`a_b*c<d&amp;`",
    "x `\\` y",
    "x ` y ` z",
    "a ``b`` c",
    "a `b",
    "`<a` b>",
    "c `[x](y)`",
    "`` ` ``",
    "",
    "",
    "",
    "1. x",
    "12 a",
    "3) x",
    "> q",
    "```",
    "  b",
    "a  ",
    "a\\",
    "---",
    "===",
    "a | b",
    "| - |",
    "<b>",
    "a\tb",
    "\x00",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=8))
def test_what_is_taken_apart_without_the_parser_is_drawn_as_with_it(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    with mock.patch.object(markdown, "tokens_of", return_value=None):
        parsed = render(text)
    assert render(text) == parsed


def test_a_memory_as_most_are_written_needs_no_parser() -> None:
    text = "# Rule\n\nUse a real `db`.\n**Why:** it broke.\n\n- one `x`\n- two\n\n中文，一行。\n"
    assert tokens_of(text, markdown._PARSER) is not None
