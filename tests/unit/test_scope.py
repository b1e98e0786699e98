"""Memories of the team (spec §15): their place, their dates, their section of the index, and the way there and back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.conventions import CLAUDE
from memtui.memory.document import frontmatter
from memtui.memory.document.links import LinkResolver
from memtui.memory.document.scopes import bare, in_scope, proposed_in, scope_of, team_is_off
from memtui.memory.document.slugs import check_new_slug
from memtui.memory.errors import Refused, UsageError
from memtui.memory.index.editing import crossed, rebuild, with_entry, without_entry
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox, Origin
from memtui.memory.types import Lang
from memtui.memory.versions.history import versions_of
from memtui.memory.wording.labels import label_said

NOW = 1_790_000_000.0


@pytest.fixture(params=["library", "claude"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryManager:
    root = tmp_path / "memory"
    root.mkdir()
    return MemoryManager.open(root, request.param, clock=lambda: NOW)


def save(
    manager: MemoryManager, slug: str, text: str = "Releases go out on Thursdays.", name: str = ""
) -> None:
    manager.save_memory(slug, name or slug, f"about {slug}", "project", text)


def files(manager: MemoryManager) -> dict[str, bytes]:
    root = manager.root
    found = (path for path in root.rglob("*") if path.is_file() and ".memtui" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def test_a_slug_tells_whose_it_is() -> None:
    assert [scope_of(slug) for slug in ("a", "team", "team/a", "sub/team/a")] == [
        "private", "private", "team", "private",
    ]  # fmt: skip
    assert (in_scope("a", "team"), in_scope("team/a", "team"), bare("team/a")) == ("team/a", "team/a", "a")
    assert proposed_in("team", "Release freeze", ["release-freeze", "team/x"]) == "team/release-freeze"
    assert proposed_in("team", "X", ["team/x"]) == "team/x-2"


@pytest.mark.parametrize(
    "slug", ["team/", "team/a/b", "team/A", "team/../a", "team/-a", "team/memory", "Team/a", "teams/a"]
)
def test_spec_5_a_new_memory_of_the_team_has_a_slug_as_strict_as_any(slug: str) -> None:
    with pytest.raises(UsageError):
        check_new_slug(slug)


def test_where_the_team_is_switched_off_nothing_becomes_the_teams_but_what_is_there_can_be_edited(
    manager: MemoryManager,
) -> None:
    save(manager, "team/old")
    inbox = Inbox(manager)
    for slug in ("team/new", "mine", "team/old"):
        inbox.add(
            inbox.propose_save(slug, slug, "d", "project", "Releases go out on Fridays.", Origin("dream"))
        )
    manager.planner.team_off = lambda: team_is_off(manager.root)
    for make in (
        lambda: save(manager, "team/x"),
        lambda: inbox.propose_save("team/x", "x", "d", "project", "Some text.", Origin("dream")),
        lambda: inbox.accept("team/new"),
        lambda: inbox.accept("mine", into="team/y"),
        lambda: manager.merge(["team/old"], "team/x", "x", "d", "project", "Some text."),
    ):
        before = files(manager)
        with pytest.raises(Refused, match="team memory is switched off"):
            make()
        assert files(manager) == before
    done = inbox.accept_all([each.id for each in inbox.pending()])
    assert set(done.change.slugs) == {"mine", "team/old"}
    assert [each.main.slug for each in inbox.pending()] == ["team/new"]
    assert set(files(manager)) == {
        "MEMORY.md",
        "mine.md",
        "team/old.md",
        *(each for each in files(manager) if "_" in each),
    }


def test_the_same_name_may_be_taken_once_in_each_scope() -> None:
    check_new_slug("team/a", ["a", "sub/a"])
    check_new_slug("a", ["team/a"])
    with pytest.raises(UsageError, match="Try 'team/a-2'"):
        check_new_slug("team/a", ["a", "team/a"])


def test_old_versions_of_the_team_stay_on_this_machine_and_out_of_its_folder(manager: MemoryManager) -> None:
    save(manager, "team/x")
    save(manager, "team/x", "Releases go out on Fridays.")
    assert [path.name for path in (manager.root / "team").iterdir()] == ["x.md"]
    assert (manager.root / ".memtui/history/team/x_v1.md").is_file()
    assert [version.id for version in manager.versions("team/x")] == ["current", "1"]
    manager.restore("team/x", 1)
    assert "Thursdays" in manager.get("team/x").content
    assert [entry.scope for entry in manager.entries()] == ["team"] * 3


def test_spec_5_what_is_the_teams_carries_a_date_always(manager: MemoryManager) -> None:
    save(manager, "team/x")
    assert frontmatter.read((manager.root / "team/x.md").read_bytes()).modified == NOW
    (manager.root / "team/y.md").write_text(
        "---\nname: y\ndescription: d\ntype: project\n---\n\nOld text here.\n"
    )
    manager.reload()
    manager.edit_memory("team/y", description="another")
    assert frontmatter.read((manager.root / "team/y.md").read_bytes()).modified == NOW


def test_the_teams_lines_have_a_section_and_private_ones_stay_above_it(manager: MemoryManager) -> None:
    save(manager, "a")
    before = (manager.root / "MEMORY.md").read_bytes()
    save(manager, "team/x")
    save(manager, "b")
    save(manager, "team/y")
    lines = (manager.root / "MEMORY.md").read_text().splitlines()
    assert [line.partition("](")[2].partition(")")[0] or line for line in lines] == [
        "a.md", "b.md", "", "## Team", "", "team/x.md", "team/y.md",
    ]  # fmt: skip
    manager.forget("team/x", "team/y", "b")
    assert (manager.root / "MEMORY.md").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "## Team\n\n- [T](team/t.md) — d\n"),
        ("- [A](a.md) — a", "- [A](a.md) — a\n\n## Team\n\n- [T](team/t.md) — d"),
        ("# 索引\n\n- [角色](a.md) — 天体物理学博士后\n", "# 索引\n\n- [角色](a.md) — 天体物理学博士后\n\n## 团队\n\n- [T](team/t.md) — d\n"),
        ("## Team\n", "## Team\n\n- [T](team/t.md) — d\n"),
        ("## TEAM ##\r\n\r\n- [S](team/s.md)\r\n\r\n## Rest\r\n", "## TEAM ##\r\n\r\n- [S](team/s.md)\r\n- [T](team/t.md) — d\r\n\r\n## Rest\r\n"),
        # A person's own heading over their own lines is theirs.
        ("## Team\n- [Ada](ada.md) — lead\n", "## Team\n- [Ada](ada.md) — lead\n\n## Team\n\n- [T](team/t.md) — d\n"),
        # A line of the team that stands elsewhere stays there, and makes no section.
        ("- [T](team/t.md) — old\n- [A](a.md)\n", "- [T](team/t.md) — d\n- [A](a.md)\n"),
        ("```\n## Team\n```\n", "```\n## Team\n```\n\n## Team\n\n- [T](team/t.md) — d\n"),
    ],
)  # fmt: skip
def test_where_a_line_of_the_team_goes(text: str, after: str) -> None:
    assert with_entry(text, "team/t.md", "T", "d", None, CLAUDE) == after
    assert with_entry(after, "team/t.md", "T", "d", None, CLAUDE) == after


def test_a_private_line_goes_to_the_end_unless_that_is_the_teams() -> None:
    own = "## Team\n- [Ada](ada.md) — lead\n"
    assert with_entry(own, "b.md", "B", "b", None, CLAUDE) == own + "- [B](b.md) — b\n"
    first = with_entry("", "team/t.md", "T", "d", None, CLAUDE)
    assert with_entry(first, "b.md", "B", "b", None, CLAUDE) == "- [B](b.md) — b\n\n" + first
    assert without_entry(first, "team/t.md") == ""
    kept = "## Our team\n\n- [T](team/t.md) — d\n"
    assert without_entry(kept, "team/t.md") == "## Our team\n\n"


def test_a_rebuilt_index_has_both_parts(manager: MemoryManager) -> None:
    for slug in ("a", "team/x", "b"):
        save(manager, slug)
    whole = (manager.root / "MEMORY.md").read_text()
    entries = sorted(manager.entries(), key=lambda entry: entry.slug)
    again = rebuild("", entries, manager.convention)
    assert sorted(again.splitlines()) == sorted(whole.splitlines())
    assert again.index("](b.md)") < again.index("## Team") < again.index("](team/x.md)")


def test_a_line_that_is_set_in_stays_where_it_is() -> None:
    text = "- group\n  - [A](a.md) — a\n"
    assert crossed(text, "a.md", "team/a.md") == text.replace("(a.md)", "(team/a.md)")


def test_a_wiki_link_means_the_private_memory_first(manager: MemoryManager) -> None:
    save(manager, "x")
    save(manager, "team/x")
    save(manager, "team/only")
    resolver = LinkResolver(manager.entries())
    assert [resolver.resolve(name) for name in ("x", "team/x", "only")] == ["x", "team/x", "team/only"]


def shared(manager: MemoryManager) -> dict[str, bytes]:
    """Two memories, one with an old version, and what the files were."""
    save(manager, "a", "First words of it.")
    save(manager, "a", "See also [[b]].")
    save(manager, "b", "As [[a]] says, and [[a|that]].")
    return files(manager)


def test_a_memory_goes_to_the_team_with_history_links_and_line_and_comes_back_by_one_undo(
    manager: MemoryManager,
) -> None:
    before = shared(manager)
    plan = manager.plan_scope(["a"], "team")
    assert files(manager) == before
    assert [(c.slug, c.new_slug, c.versions, c.leads_private) for c in plan.crossings] == [
        ("a", "team/a", 1, ("b",))
    ]
    assert plan.linking == ("b",)
    done = manager.carry_out(plan.plan)
    assert label_said(done.label, done.slugs, "zh") == "将 a 交给团队"
    assert manager.directory.get("a") is None
    assert [version.entry.content.strip() for version in manager.versions("team/a")] == [
        "See also [[b]].",
        "First words of it.",
    ]
    assert manager.get("b").content.strip() == "As [[team/a]] says, and [[team/a|that]]."
    index = (manager.root / "MEMORY.md").read_text()
    assert "](a.md)" not in index
    assert index.index("## Team") < index.index("](team/a.md)")
    assert frontmatter.read((manager.root / "team/a.md").read_bytes()).modified is not None
    # A private memory of the old name is a new one, and takes no history from the one that left.
    save(manager, "a", "Something else altogether.")
    assert len(manager.versions("a")) == 1
    assert len(manager.versions("team/a")) == 2
    manager.undo()
    manager.undo()
    assert files(manager) == before


def test_a_copy_leaves_the_memory_where_it_is(manager: MemoryManager) -> None:
    before = shared(manager)
    plan = manager.plan_scope(["a"], "team", verb="copy", new_slugs={"a": "c"})
    manager.carry_out(plan.plan)
    now = files(manager)
    assert {rel: data for rel, data in now.items() if rel in before and rel != "MEMORY.md"} == {
        rel: data for rel, data in before.items() if rel != "MEMORY.md"
    }
    assert [version.id for version in manager.versions("team/c")] == ["current", "1"]
    assert versions_of("a", manager.entries())[0].current
    with pytest.raises(UsageError, match="already"):
        manager.plan_scope(["a"], "team", new_slugs={"a": "c"})
    manager.undo()
    assert files(manager) == before


def test_there_and_back_again(manager: MemoryManager) -> None:
    shared(manager)
    text = manager.get("a").content
    manager.rename("a", "team/a")
    manager.rename("team/a", "a")
    assert manager.get("a").content == text
    assert manager.get("b").content.strip() == "As [[a]] says, and [[a|that]]."
    assert not list((manager.root / "team").glob("*"))
    assert "Team" not in (manager.root / "MEMORY.md").read_text()
    assert len(manager.versions("a")) == 2
    with pytest.raises(UsageError, match="private already"):
        manager.plan_scope(["a"], "private")


@pytest.mark.parametrize(("lang", "label"), [("en", "[team]"), ("zh", "[团队]")])
def test_the_reminder_says_what_is_the_teams_and_nothing_else_of_private_memories(
    manager: MemoryManager, lang: Lang, label: str
) -> None:
    manager.lang = lang
    save(manager, "x")
    private = manager.build_system_reminder()
    manager.rename("x", "team/x")
    shared_now = manager.build_system_reminder()
    assert shared_now == private.replace(" x: about x", f" x {label}: about x")
    assert shared_now != private


LINES = st.sampled_from(
    [
        "",
        "# Index",
        "## Team",
        "## 团队",
        "## Rest",
        "- [A](a.md) — a",
        "- [T](team/t.md) — t",
        "prose",
        "<!--",
        "-->",
        "```",
    ]
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n", ""]), st.booleans())
def test_no_line_of_an_index_is_lost_moved_or_changed_by_a_new_one(
    lines: list[str], last: str, team: bool
) -> None:
    end = last or "\n"
    text = end.join(lines) + (last if lines else "")
    rel = "team/new.md" if team else "new.md"
    after = with_entry(text, rel, "New", "new", None, CLAUDE)
    rest = iter(after.splitlines())
    assert all(line in rest for line in text.splitlines()), "a subsequence"
    assert after.count("](" + rel + ")") == 1
    assert with_entry(after, rel, "New", "new", None, CLAUDE) == after or "<!--" in text or "```" in text
    gone = iter(without_entry(after, rel).splitlines())
    assert all(
        line in gone
        for line in text.splitlines()
        if line.strip() and "Team" not in line and "团队" not in line
    )
