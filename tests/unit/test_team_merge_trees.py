from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.document.slugs import collision_key
from memtui.team.merge import MergedTree, merge_trees

Tree = dict[str, bytes]

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa"


def memory(name: str, body: str = WORDS) -> bytes:
    return f"---\nname: {name}\ndescription: about {name}\ntype: project\n---\n\n{body}\n".encode()


def kinds(merged: MergedTree) -> list[tuple[str, str, str | None]]:
    return [(clash.rel, clash.kind, clash.other) for clash in merged.clashes]


PATHS = st.sampled_from(["a.md", "b.md", "B.md", "c-2.md", "c.md", "MEMORY.md", "x/a.md", "x", "notes.txt"])
TEXTS = st.builds(
    memory,
    st.sampled_from(["A", "B", "C"]),
    st.lists(st.sampled_from(["one", "two", "three", "", WORDS]), max_size=4).map("\n".join),
)


def possible(tree: Tree) -> Tree:
    """Without files that stand where another's folder is: no tree has both."""
    return {rel: data for rel, data in tree.items() if not any(o.startswith(f"{rel}/") for o in tree)}


TREES = st.dictionaries(PATHS, TEXTS, max_size=5).map(possible)


@given(TREES, TREES)
def test_a_side_that_changed_nothing_gets_the_other(base: Tree, side: Tree) -> None:
    for ours, theirs in ((base, side), (side, base), (side, side)):
        merged = merge_trees(base, ours, theirs)
        assert (merged.files, merged.clashes, merged.moved) == (side, (), {})


@given(TREES, TREES, TREES)
def test_trees_lose_nothing_whoever_merges(base: Tree, ours: Tree, theirs: Tree) -> None:
    merged = merge_trees(base, ours, theirs)
    assert merged == merge_trees(base, ours, theirs)
    assert possible(dict(merged.files)) == merged.files
    kept = b"".join(merged.files.values()) + b"".join(
        data for clash in merged.clashes for data in (clash.ours, clash.theirs) if data is not None
    )
    known = {line for data in (kept, *base.values()) for line in data.split(b"\n")}
    assert {line for side in (ours, theirs) for data in side.values() for line in data.split(b"\n")} <= known
    # Each side's own names stay where they are, unless a person is told, or both sides changed them.
    other = merge_trees(base, theirs, ours)
    if not merged.clashes and not other.clashes and not merged.moved and not other.moved:
        assert merged.files == other.files


def test_an_edit_follows_a_renamed_file() -> None:
    base = {"old.md": memory("Deploys")}
    renamed = {"new.md": memory("Deploys", f"{WORDS}\nmore")}
    edited = {"old.md": memory("Deployments")}
    for ours, theirs in ((renamed, edited), (edited, renamed)):
        merged = merge_trees(base, ours, theirs)
        assert merged.clashes == ()
        assert list(merged.files) == ["new.md"]
        assert b"name: Deployments" in merged.files["new.md"]
        assert b"\nmore\n" in merged.files["new.md"]
    assert merge_trees(base, edited, renamed).moved == {"old.md": "new.md"}


def test_a_file_is_not_taken_for_another_that_came_when_it_went() -> None:
    base = {"old.md": memory("Deploys")}
    ours = {"other.md": memory("Cats", "they sleep all day long")}
    merged = merge_trees(base, ours, {"old.md": memory("Deploys", f"{WORDS}\nmore")})
    assert sorted(merged.files) == ["old.md", "other.md"]
    assert kinds(merged) == [("old.md", "deleted-edited", None)]


def test_a_file_renamed_on_both_sides_stands_under_both_names() -> None:
    base = {"old.md": memory("Deploys")}
    ours, theirs = {"mine.md": memory("Deploys")}, {"yours.md": memory("Deploys", f"{WORDS}\nmore")}
    merged = merge_trees(base, ours, theirs)
    assert merged.files == {**ours, **theirs}
    assert kinds(merged) == [("yours.md", "both-renamed", "mine.md")]
    assert merge_trees(base, theirs, theirs).files == theirs


def test_a_file_renamed_here_and_deleted_there_stays_and_is_told() -> None:
    base = {"old.md": memory("Deploys")}
    ours = {"new.md": memory("Deploys")}
    for one, other in ((ours, {}), ({}, ours)):
        merged = merge_trees(base, one, other)
        assert merged.files == ours
        assert kinds(merged) == [("new.md", "deleted-edited", None)]


def test_of_two_new_memories_of_one_name_ours_gets_another() -> None:
    ours, theirs = (
        {"deploy.md": memory("Deploys by hand")},
        {"deploy.md": memory("Deploys by robot", "other")},
    )
    merged = merge_trees({}, {**ours, "deploy-2.md": memory("Two")}, theirs)
    assert merged.files["deploy.md"] == theirs["deploy.md"]
    assert merged.files["deploy-3.md"] == ours["deploy.md"]
    assert kinds(merged) == [("deploy.md", "same-name", "deploy-3.md")]
    assert merged.moved == {"deploy.md": "deploy-3.md"}
    same = merge_trees({}, ours, {"deploy.md": memory("Deploys by hand", f"{WORDS}\nmore")})
    assert list(same.files) == ["deploy.md"]
    assert same.clashes == ()


def test_names_that_are_one_on_some_file_systems_are_one_here() -> None:
    ours, theirs = {"deploy.md": memory("Mine", "mine")}, {"Deploy.md": memory("Yours", "yours")}
    merged = merge_trees({}, ours, theirs)
    assert sorted(merged.files) == ["Deploy.md", "deploy-2.md"]
    assert len({collision_key(rel) for rel in merged.files}) == 2


def test_a_file_where_they_have_a_folder_goes_elsewhere() -> None:
    merged = merge_trees({}, {"x/a.md": memory("A"), "y": b"y"}, {"x": b"x", "y/b.md": memory("B")})
    assert sorted(merged.files) == ["x", "x-a.md", "y-2", "y/b.md"]


def test_a_renamed_file_does_not_push_out_a_new_one_of_theirs() -> None:
    base = {"old.md": memory("Deploys")}
    ours = {"new.md": memory("Deploys")}
    theirs = {"old.md": memory("Deploys", f"{WORDS}\nmore"), "new.md": memory("Cats", "they sleep")}
    merged = merge_trees(base, ours, theirs)
    assert merged.files["new.md"] == theirs["new.md"]
    assert merged.files["new-2.md"] == theirs["old.md"]
    assert merged.moved == {"new.md": "new-2.md"}
