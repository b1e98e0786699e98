"""Wiki links: how real files write them (claude-code facts), and spec §5 repointing on merge and rename."""

from pathlib import Path

import pytest

from memtui.memory.disk.files import Folder
from memtui.memory.document.entries import look
from memtui.memory.document.links import LinkResolver, may_link, repoint, wiki_links
from memtui.memory.types import ACTIVE, Historical, MemoryEntry


def entry(slug: str, name: str = "", content: str = "", *, old: bool = False) -> MemoryEntry:
    status = Historical("x") if old else ACTIVE
    return MemoryEntry(slug, name or slug, "", None, 0.0, content, Path(f"/m/{slug}.md"), status, 0.0)


def targets(text: str) -> list[str]:
    return [link.target for link in wiki_links(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[release-freeze]].", ["release-freeze"]),
        ("[[a|the alias]] and [[b#heading]] and [[c#h|x]]", ["a", "b", "c"]),
        ("[[用户 角色]]", ["用户 角色"]),
        ("if [[ -f x ]]; then", []),
        ("`[[a]]` and ``[[b]]``", []),
        ("```sh\n[[a]]\n```\n[[b]]", ["b"]),
        ("~~~\n[[a]]\nno end", []),
        ("[[]] [[|x]] [[a\nb]] [a](b)", []),
        ("a ` lone tick [[a]]", ["a"]),
    ],
)
def test_links_are_found_as_written_and_code_is_left_alone(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


def test_a_link_resolves_by_stem_then_title_then_folded_then_without_prefix() -> None:
    resolver = LinkResolver(
        [entry("feedback_testing"), entry("sub/notes"), entry("x1", "Release Freeze"), entry("old", old=True)]
    )
    assert resolver.resolve("feedback_testing") == "feedback_testing"
    assert resolver.resolve("feedback_testing.md") == "feedback_testing"
    assert resolver.resolve("notes") == "sub/notes"
    assert resolver.resolve("sub/notes") == "sub/notes"
    assert resolver.resolve("release freeze") == "x1"
    assert resolver.resolve("feedback-testing") == "feedback_testing"
    assert resolver.resolve("testing") == "feedback_testing"
    assert resolver.resolve("old") is None
    assert resolver.resolve("nowhere") is None


def test_spec_5_repointing_changes_the_target_and_nothing_else() -> None:
    resolver = LinkResolver([entry("a"), entry("b")])
    text = "x [[a|Alias]] y [[A#top]] `[[a]]` [[b]]\r\n"
    assert repoint(text, resolver, {"a": "c"}) == "x [[c|Alias]] y [[c#top]] `[[a]]` [[b]]\r\n"


@pytest.mark.parametrize("text", ["no link", "one [ only", "[[there]]", "in a row: [[", "[ [apart]]", ""])
def test_a_memory_may_link_where_two_brackets_stand(tmp_path: Path, text: str) -> None:
    """Told from its bytes and from a text alike, and never no of a memory that links."""
    (tmp_path / "a.md").write_text(f"---\nname: a\n---\n\n{text}\n", "utf-8")
    known = look(Folder(tmp_path), "a.md", lambda: 0.0)
    assert known is not None
    assert may_link(known.entry) == may_link(entry("a", content=text)) == ("[[" in text)
    assert may_link(known.entry) >= bool([*wiki_links(known.entry.content)])
