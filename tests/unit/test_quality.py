"""Spec §8: the quality gate, which warns and never refuses."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.quality import (
    ALSO_ENGLISH,
    CODE_PATTERNS,
    TRANSIENT_WORDS,
    VAGUE_WORDS,
    Accept,
    CodePattern,
    QualityCheck,
    QualityFinding,
    TooShort,
    TransientState,
    VagueLanguage,
    check_content_quality,
    quality_findings,
)

PLAIN = "用户偏好单元测试。 The user prefers unit tests. "


def marked(content: str) -> list[tuple[str, str]]:
    """What is found: the gate, and the characters it would underline."""
    return [(type(f.check).__name__, content[f.start : f.end]) for f in quality_findings(content)]


def words_of(content: str) -> list[str]:
    return [text for _, text in marked(content)]


# --- the four gates


def test_spec_8_the_lists_are_the_seeds() -> None:
    assert (len(TRANSIENT_WORDS), len(VAGUE_WORDS), len(CODE_PATTERNS)) == (11, 8, 12)


@pytest.mark.parametrize("content", [PLAIN, "0123456789", "一二三四五六七八九十", "  a b c d e f g h i j  "])
def test_spec_8_accept(content: str) -> None:
    assert check_content_quality(content) == Accept()
    assert quality_findings(content) == ()


@pytest.mark.parametrize(
    ("content", "n"), [("", 0), (" \n\t　", 0), ("short", 5), ("012345678", 9), ("一二 三四\n五六七八九", 9)]
)
def test_spec_8_too_short_counts_non_space_characters(content: str, n: int) -> None:
    assert check_content_quality(content) == TooShort(n)
    assert quality_findings(content) == (QualityFinding(TooShort(n), 0, len(content)),)


@pytest.mark.parametrize("word", TRANSIENT_WORDS)
def test_spec_8_each_transient_word(word: str) -> None:
    content = f"{PLAIN}{word} {PLAIN}"
    assert check_content_quality(content) == TransientState()
    assert marked(content) == [("TransientState", word)]


@pytest.mark.parametrize("word", VAGUE_WORDS)
def test_spec_8_each_vague_word(word: str) -> None:
    content = f"{PLAIN}{word} {PLAIN}"
    assert check_content_quality(content) == VagueLanguage(word)
    assert marked(content) == [("VagueLanguage", word)]


@pytest.mark.parametrize("pattern", CODE_PATTERNS)
def test_spec_8_each_code_pattern(pattern: str) -> None:
    content = f"{PLAIN}\n{pattern}x {PLAIN}"
    assert check_content_quality(content) == CodePattern()
    assert marked(content) == [("CodePattern", pattern.rstrip())]


@pytest.mark.parametrize(
    ("content", "check"),
    [
        ("maybe fn x", TooShort(8)),
        ("fn main() is perhaps what I am working on", TransientState()),
        ("fn main() is perhaps what I like", VagueLanguage("perhaps")),
        ("Probably, or maybe not, in the end", VagueLanguage("probably")),
    ],
)
def test_spec_8_the_first_gate_wins_then_the_first_word(content: str, check: QualityCheck) -> None:
    assert check_content_quality(content) == check


# --- words


def test_spec_8_latin_words_match_whatever_their_case() -> None:
    assert marked("CURRENTLY the Right Now of MayBe") == [
        ("TransientState", "CURRENTLY"),
        ("TransientState", "Right Now"),
        ("VagueLanguage", "MayBe"),
    ]
    assert check_content_quality("It is PERHAPS so, who knows") == VagueLanguage("perhaps")


@pytest.mark.parametrize(
    "content",
    [
        "concurrently running jobs",
        "the maybes of this world",
        "networking on a train",
        "éperhapsé is no word at all",
        "the field in_progress, the flag for_now, maybe_none",
        "improbably enough, this is fine",
        "fight nowhere, right nowhere",
    ],
)
def test_spec_8_latin_words_match_on_word_boundaries_only(content: str) -> None:
    assert quality_findings(content) == ()


def test_spec_8_a_latin_word_between_cjk_characters_is_a_word() -> None:
    assert words_of("用户currently在写论文，我maybe会去看") == ["currently", "maybe"]


def test_spec_8_cjk_words_match_as_substrings() -> None:
    assert words_of("这个方案可能行得通，有暂时的限制") == ["可能", "暂时"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("用户目前正在做恒星演化的研究工作", ["目前正在"]),
        ("用户现在正在进行恒星演化的研究", ["现在正在"]),
        ("用户正在进行恒星演化的研究工作吧", ["正在进行"]),
        ("正在做正在做正在做正在做", ["正在做"] * 4),
    ],
)
def test_spec_8_overlapping_words_are_reported_once(content: str, words: list[str]) -> None:
    assert words_of(content) == words


def test_spec_8_a_phrase_may_be_wrapped_but_not_cross_an_empty_line() -> None:
    assert words_of("What we do right\n  now is this, at  the\r\nmoment.") == [
        "right\n  now",
        "at  the\r\nmoment",
    ]
    assert words_of("This is all right\n\nnow for something else") == []


def test_spec_8_findings_come_in_the_order_of_the_text_with_spans_in_characters() -> None:
    content = "😀 fn main, maybe 暂时 perhaps"
    assert quality_findings(content) == (
        QualityFinding(CodePattern(), 2, 4),
        QualityFinding(VagueLanguage("maybe"), 11, 16),
        QualityFinding(TransientState(), 17, 19),
        QualityFinding(VagueLanguage("perhaps"), 20, 27),
    )


def test_spans_hold_where_lower_case_is_longer_than_upper_case() -> None:
    assert words_of("İİİİİİİİİİ maybe İİİ") == ["maybe"]


# --- what is silent


@pytest.mark.parametrize(
    "content",
    [
        "Call the flag `maybe` in code",
        "Call the flag ``maybe ` perhaps`` in code",
        "A block follows:\n```\nmaybe currently\n```\n",
        "A block follows:\n~~~ text\nmaybe ``` currently\n~~~",
        "A block that never ends:\n```python\nmaybe\n\n暂时",
        "See https://example.org/maybe/perhaps?right=currently for it",
        'The user says "maybe" when she means no',
        "The user says “maybe” when she means no",
        "The user says 'maybe later' when she means no",
        "The user says ‘maybe it’s so’ when she means no",
        "用户说「可能」的时候意思是不行",
        "用户说『也许』的时候意思是不行",
        "用户说“大概”的时候意思是不行",
        '用户说"或许"的时候意思是不行',
        "Der Nutzer sagt «maybe» und meint nein",
        'A quotation "that is wrapped\nand maybe long" ends here',
    ],
)
def test_spec_8_words_in_code_urls_and_quotations_are_silent(content: str) -> None:
    assert quality_findings(content) == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("“可能”可能是口头禅，记下来", ["可能"]),
        ("`code` maybe `code`", ["maybe"]),
        ('"said" maybe "said"', ["maybe"]),
        ("don't say it's maybe the user's", ["maybe"]),
        ('A 5" disk is maybe too small, or 3" is', ["maybe"]),
        ('An "unclosed quotation maybe\n\nends with its "paragraph', ["maybe"]),
        ("An unclosed `span is maybe none", ["maybe"]),
        ("```\ncode\n```\nmaybe after it\n", ["maybe"]),
        ("See (https://example.org/a) maybe", ["maybe"]),
        ("看https://example.org/a。可能在那里说明", ["可能"]),
        ("不要说“这样，可能以后就不这样说了", ["可能"]),
        ("» maybe « it is", ["maybe"]),
        ("`` ` `` maybe ` x", ["maybe"]),
    ],
)
def test_spec_8_words_beside_them_are_not(content: str, words: list[str]) -> None:
    assert words_of(content) == words


# --- code


@pytest.mark.parametrize(
    "content",
    [
        "This class of errors is one to avoid",
        "The function of the liver, a const worry, the def jam label",
        "A first class seat and a function room",
        "Fn keys, Struct, IMPL and PUB are in capitals",
        "autofn x, substruct y, republicpub, gpub z",
    ],
)
def test_spec_8_prose_is_no_code(content: str) -> None:
    assert quality_findings(content) == ()


def test_spec_8_code_patterns_are_case_sensitive_and_start_a_word() -> None:
    assert words_of("Fn x, autofn x, Struct y, substruct y, republicpub z") == []
    assert words_of("使用fn main即可，注意大小写") == ["fn"]


@pytest.mark.parametrize("pattern", sorted(ALSO_ENGLISH))
def test_spec_8_patterns_that_are_english_count_at_the_start_of_a_line_or_in_code(pattern: str) -> None:
    word = pattern.rstrip()
    assert words_of(f"this {pattern}of things is prose") == []
    assert words_of(f"some text first\n  {pattern}Foo") == [word]
    assert words_of(f"\t{pattern}FooBarBaz") == [word]
    assert words_of(f"as in `export {pattern}Foo`, you see") == [word]
    assert words_of(f"some text\n```\nexport {pattern}Foo\n```") == [word]
    assert words_of(f'he said "a {pattern}act" to us') == []


@given(st.text(alphabet="`\"'“”「」\n ~maybe fn暂时可能xhttps:/", max_size=60))
def test_any_text_gives_spans_inside_it_in_order(content: str) -> None:
    found = quality_findings(content)
    assert all(0 <= f.start <= f.end <= len(content) for f in found)
    assert [f.start for f in found] == sorted(f.start for f in found)
    first = check_content_quality(content)
    assert (first == Accept()) == (found == ())
    assert first == Accept() or first in [f.check for f in found]


@pytest.mark.parametrize(
    "piece",
    ["“", '"', "`", "``` ", "'", 'maybe "', "\n```", "「", "a`b``", "https://", "\n \n", "for ", "“ 」"],
)
def test_hostile_text_of_the_largest_size_does_not_hang(piece: str) -> None:
    """In time that grew with the square of the text, each of these would take minutes."""
    content = "maybe " + piece * (500_000 // len(piece))
    assert QualityFinding(VagueLanguage("maybe"), 0, 5) in quality_findings(content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("评估了失败的可能性", []),
        ("这不可能发生，请尽可能缩短事务", []),
        ("这可能会失败，有可能超时，可能不行", ["可能", "可能", "可能"]),
        ("先讲大概念，大概率不用改", []),
        ("大概三天，大概要重启", ["大概", "大概"]),
        ("暂时性的网络错误要重试", []),
        ("暂时不改", ["暂时"]),
        ("合同或许可证过期，也许可证已更新", []),
        ("或许可以，也许可行", ["或许", "也许"]),
        ("Ticket states are: open, in progress, done", []),
        ("States: open / in progress / done", []),
        ("States (todo|in progress|done) show as colours", []),
        ("States are: open, done, in progress.", []),
        ("工单状态：待办、in progress、完成", []),
        ("The migration is in progress, so wait", ["in progress"]),
        ("Open work, in progress", ["in progress"]),
        ("Note: in progress now", ["in progress"]),
        ('Rules taken from "the red book" and from "A Guide to Rust"', []),
        ('import x from "react"', ['from "']),
        ('export * from "./a/b.js" for all', ['from "']),
    ],
)
def test_what_only_looks_like_a_listed_word_is_silent(content: str, words: list[str]) -> None:
    found = [f for f in quality_findings(content) if not isinstance(f.check, TooShort)]
    assert [content[f.start : f.end] for f in found] == words


_PIECES = [
    "maybe",
    "currently ",
    "可能",
    '"',
    "'",
    "“",
    "”",
    "`",
    "``",
    "see https://a.b/maybe",
    " ",
    "word ",
    "\n",
    ", ",
    "import os ",
]


@given(
    st.lists(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=8).map("".join), min_size=1, max_size=4)
)
def test_a_paragraph_says_the_same_wherever_it_stands(paragraphs: list[str]) -> None:
    # A fence that a paragraph opens makes code of those after it, which say nothing then.
    whole = [each for each in paragraphs if "\n\n" not in each and not re.search("\n {0,3}```", each)]
    paragraphs = [f"a{paragraph.strip()}." for paragraph in whole] or ["a"]
    alone = [hit for each in paragraphs for hit in marked(each) if hit[0] != "TooShort"]
    together = [hit for hit in marked("\n\n".join(paragraphs)) if hit[0] != "TooShort"]
    assert together == alone
