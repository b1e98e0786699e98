"""Objects, trees and packs as git has them; the remote is real."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.team.failures import TeamError
from memtui.team.git import Git
from memtui.team.objectreader import READ_AT_ONCE
from memtui.team.objects import (
    FOLDER,
    Entry,
    GitObject,
    Person,
    blob_oid,
    format_commit,
    format_tree,
    oid_of,
    pack,
    parse_tree,
    tree_objects,
)
from memtui.team.repo import ANONYMOUS, KEPT, MAX_DEPTH, Repo, Talk
from tests.team.world import environment

ONE, TWO = b"- one\n", b"- two\n"
FILE_ONE, FILE_TWO = Entry("100644", blob_oid(ONE)), Entry("100644", blob_oid(TWO))


def commit(repo: Repo, leaves: dict[str, Entry], parents: list[str] | None = None, message: str = "x") -> str:
    return repo.commit(leaves, parents or [], 1e9, message, [ONE, TWO])


def git_says(repo: Repo, *words: str) -> str:
    done = subprocess.run(
        ["git", f"--git-dir={repo.path}", *words], check=True, capture_output=True, env=environment(repo.path)
    )
    return done.stdout.decode("utf-8", "surrogateescape")


def test_git_finds_nothing_wrong_with_what_is_written(repo: Repo) -> None:
    leaves = {"a.md": FILE_ONE, "b/c.md": FILE_TWO, "b.md": FILE_TWO, "b/d/e.md": FILE_ONE, "b0": FILE_ONE}
    made = commit(repo, leaves)
    repo.point({"refs/heads/main": made})
    assert git_says(repo, "fsck", "--strict", "--full") == ""
    assert repo.tree(made) == leaves
    listed = git_says(repo, "ls-tree", "-r", "--name-only", made).splitlines()
    assert listed == ["a.md", "b.md", "b/c.md", "b/d/e.md", "b0"]
    assert Repo(Git(environment(repo.path)), repo.path).tree(made) == leaves


NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8)
RAW = st.binary(min_size=1, max_size=6).filter(lambda name: b"/" not in name and b"\0" not in name)


@given(
    st.lists(
        st.one_of(NAMES, RAW.map(lambda raw: raw.decode("utf-8", "surrogateescape"))), unique=True, max_size=8
    )
)
def test_a_tree_reads_as_it_was_written_whatever_its_names(names: list[str]) -> None:
    children = [
        (
            name,
            Entry(FOLDER if len(name) % 2 else "100644", blob_oid(name.encode("utf-8", "surrogateescape"))),
        )
        for name in names
    ]
    assert sorted(parse_tree(format_tree(children), digits=40)) == sorted(children)


@pytest.mark.parametrize("data", [b"x", b"100644 a", b"100644 a\0short", b"100644 \0" + b"x" * 20])
def test_what_is_no_tree_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_tree(data, digits=40)


def test_a_file_where_a_folder_has_to_be_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a$"):
        tree_objects({"a": FILE_ONE, "a/b.md": FILE_TWO})


@settings(max_examples=20, deadline=None)
@given(st.lists(st.binary(max_size=5_000), max_size=5))
def test_a_pack_is_one_that_git_reads(datas: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = Repo(Git(environment(Path(folder))), Path(folder) / "r.git")
        repo.make()
        repo.write(GitObject("blob", data) for data in datas)
        assert repo.blobs(map(blob_oid, datas), most=1 << 20) == {blob_oid(data): data for data in datas}


def test_a_large_object_has_a_header_of_several_bytes() -> None:
    assert pack([GitObject("blob", b"x" * 5_000)])[12:15] == bytes(
        [0xB0 | 5_000 & 15, 0x80 | 5_000 >> 4 & 127, 5_000 >> 11]
    )


def test_sha256_is_understood(tmp_path: Path, git: Git) -> None:
    repo = Repo(git, tmp_path / "r.git")
    repo.make("sha256")
    again = Repo(git, repo.path)
    assert again.algorithm == "sha256"
    entry = Entry("100644", blob_oid(ONE, "sha256"))
    made = again.commit({"a/b.md": entry}, [], 1e9, "x", [ONE])
    assert len(made) == 64
    assert Repo(git, repo.path).tree(made) == {"a/b.md": entry}
    assert git_says(again, "cat-file", "-p", f"{made}:a/b.md") == "- one\n"


def test_what_is_not_opened_stays_as_it_is(repo: Repo) -> None:
    deep = "/".join(["d"] * (MAX_DEPTH + 2))
    empty = oid_of(GitObject("tree", b""))
    repo.write([GitObject("tree", b"")])
    leaves = {
        "a.md": FILE_ONE,
        f"{deep}/x.md": FILE_TWO,
        "empty": Entry(FOLDER, empty),
        "sub": Entry("160000", "1" * 40),
    }
    made = commit(repo, leaves)
    found = Repo(Git(environment(repo.path)), repo.path).tree(made)
    cut = "/".join(["d"] * (MAX_DEPTH + 1))
    assert set(found) == {"a.md", cut, "empty", "sub"}
    assert found[cut].is_folder
    again = commit(repo, {**found, "b.md": FILE_TWO}, [made])
    assert git_says(repo, "ls-tree", "-r", "--name-only", again).splitlines() == [
        "a.md",
        "b.md",
        f"{deep}/x.md",
        "sub",
    ]
    assert git_says(repo, "ls-tree", "--name-only", again, "empty") == "empty\n"


def test_a_tree_that_unfolds_without_end_is_left_closed(repo: Repo) -> None:
    """Ten folders that each name the one below ten times: a tree of ten objects and ten thousand million files."""
    below = GitObject("blob", ONE)
    mode = "100644"
    for _ in range(10):
        below = GitObject("tree", format_tree((f"f{n}", Entry(mode, oid_of(below))) for n in range(10)))
        mode = FOLDER
        repo.write([GitObject("blob", ONE), below])
    bomb = Entry(FOLDER, oid_of(below))
    made = commit(repo, {"a.md": FILE_ONE, "z": bomb})
    found = Repo(Git(environment(repo.path)), repo.path).tree(made)
    assert found["a.md"] == FILE_ONE
    assert len(found) <= 25_001
    again = commit(repo, {**found, "a.md": FILE_TWO}, [made])
    assert git_says(repo, "rev-parse", f"{again}:z").strip() == bomb.oid


def test_what_is_shared_comes_back_and_others_are_never_overwritten(
    repo: Repo, remote: Repo, talk: Talk
) -> None:
    assert repo.look(talk) is None
    assert repo.fetch(talk) is None
    first = commit(repo, {"a.md": FILE_ONE})
    repo.push(talk, first)
    assert repo.look(talk) == repo.fetch(talk) == first
    other = commit(remote, {"a.md": FILE_TWO}, [first])
    remote.point({"refs/heads/main": other})
    mine = commit(repo, {"b.md": FILE_ONE}, [first])
    with pytest.raises(TeamError) as caught:
        repo.push(talk, mine)
    assert caught.value.code == "rejected"
    assert remote.ref("refs/heads/main") == other
    assert repo.fetch(talk) == other
    assert repo.merge_base(mine, other) == first
    assert repo.ahead_behind(mine, other) == (1, 1)
    assert repo.ahead_behind(mine, None) == (2, 0)
    assert repo.ahead_behind(None, other) == (0, 2)
    unrelated = commit(repo, {"c.md": FILE_ONE})
    assert repo.merge_base(unrelated, other) is None


def test_a_remote_that_is_gone_is_told(repo: Repo, remote: Repo, talk: Talk) -> None:
    remote.path.rename(remote.path.with_name("elsewhere"))
    for ask in (repo.fetch, repo.look):
        with pytest.raises(TeamError) as caught:
            ask(talk)
        assert caught.value.code == "gone"
        assert caught.value.where == str(remote.path)


def test_a_remotes_own_rules_are_told_apart_from_a_race(repo: Repo, remote: Repo, talk: Talk) -> None:
    hook = remote.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'main is protected' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(TeamError) as caught:
        repo.push(talk, commit(repo, {"a.md": FILE_ONE}))
    assert caught.value.code == "declined"


def test_the_log_tells_who_changed_what_whatever_is_written_there(repo: Repo) -> None:
    first = commit(repo, {"a.md": FILE_ONE, "b\n.md": FILE_ONE})
    second = commit(repo, {"a.md": FILE_TWO}, [first], "two\n\nmore")
    tree = oid_of(tree_objects({"a.md": FILE_TWO})[-1])
    forged = GitObject(
        "commit", format_commit(tree, [second], Person("A\x01\x02da\n<x>", "e"), 5e9, ":100644\0x\x1b[31m")
    )
    repo.write([forged])
    log = repo.log(oid_of(forged), 10)
    assert [each.commit for each in log] == [oid_of(forged), second, first]
    assert [each.changes for each in log] == [
        {},
        {"a.md": FILE_TWO.oid, "b\n.md": None},
        {"a.md": FILE_ONE.oid, "b\n.md": FILE_ONE.oid},
    ]
    assert log[1].subject == "two"
    assert repo.log(None, 10) == []


def test_who_commits_is_who_the_user_is_to_git(tmp_path: Path, repo: Repo) -> None:
    assert repo.person() == ANONYMOUS
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n")
    assert Repo(Git(environment(tmp_path)), repo.path).person() == Person("Ada Lovelace", "ada@example.org")
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ4"
    (tmp_path / ".gitconfig").write_text(f"[user]\n\tname = Ada\n\temail = {secret}\n")
    assert Repo(Git(environment(tmp_path)), repo.path).person() == ANONYMOUS


def test_a_pruned_repository_holds_what_is_referred_to_and_no_more(repo: Repo) -> None:
    kept = commit(repo, {"a.md": FILE_ONE})
    repo.write([GitObject("blob", b"stays"), GitObject("blob", b"goes")])
    repo.point({"refs/heads/main": kept})
    repo.prune([blob_oid(b"stays")])
    sizes = repo.sizes([kept, FILE_ONE.oid, FILE_TWO.oid, blob_oid(b"stays"), blob_oid(b"goes")])
    assert set(sizes) == {kept, FILE_ONE.oid, blob_oid(b"stays")}
    away = commit(repo, {"a.md": FILE_TWO}, [kept])
    repo.point({"refs/heads/main": away})
    git_says(repo, "repack", "-a", "-d", "-q")
    repo.point({"refs/heads/main": kept})
    repo.prune([])
    assert set(repo.sizes([away, FILE_TWO.oid, kept])) == {kept}, "nor in a pack"
    assert git_says(repo, "rev-parse", KEPT)


def test_more_than_fits_into_one_answer_is_read_in_several_and_a_huge_one_not_at_all(repo: Repo) -> None:
    blobs = [bytes([number]) * (1 << 20) for number in range(20)]
    huge = b"h" * (READ_AT_ONCE + 1)
    repo.write(GitObject("blob", data) for data in (*blobs, huge))
    oids = [blob_oid(data) for data in (*blobs, huge)]
    found = repo.blobs(["1" * 40, *oids], most=1 << 20)
    assert found == {blob_oid(data): data for data in blobs}
    assert repo.sizes(["1" * 40, *oids]) == {blob_oid(data): len(data) for data in (*blobs, huge)}


def test_many_loose_objects_are_put_together_and_none_is_lost(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.team.objectstore._MANY_LOOSE", 2)
    blobs = [f"{number}".encode() for number in range(900)]
    for start in range(0, 900, 90):
        repo.write(GitObject("blob", data) for data in blobs[start : start + 90])
    made = commit(repo, {f"m{blob_oid(data)}.md": Entry("100644", blob_oid(data)) for data in blobs[:700]})
    repo.point({"refs/heads/main": made})
    repo.tidy()
    assert len(list((repo.path / "objects").glob("??/*"))) == 202  # and the two of `commit`
    assert len(repo.sizes(map(blob_oid, blobs))) == len(blobs)


def test_what_a_killed_git_left_is_cleared(repo: Repo) -> None:
    (repo.path / "refs/heads").mkdir(parents=True, exist_ok=True)
    left = [
        repo.path / "refs/heads/main.lock",
        repo.path / "packed-refs.lock",
        repo.path / "objects/pack/tmp_pack_x",
    ]
    for each in left:
        each.parent.mkdir(exist_ok=True)
        each.touch()
    repo.clear_leftovers()
    assert not any(each.exists() for each in left)
    repo.point({"refs/heads/main": commit(repo, {"a.md": FILE_ONE})})


def test_a_repository_is_made_whole_and_a_damaged_one_is_kept(tmp_path: Path, git: Git) -> None:
    repo = Repo(git, tmp_path / "state" / "repo.git")
    half = repo.path.with_name("repo.git.part")
    half.mkdir(parents=True)
    (half / "junk").touch()
    repo.make()
    assert repo.exists()
    assert not half.exists()
    assert not list((repo.path / "hooks").glob("*")) if (repo.path / "hooks").exists() else True
    (repo.path / "HEAD").unlink()
    assert not repo.exists()
    repo.make()
    assert repo.exists()
    assert (repo.path.with_name("repo.git.damaged-1") / "objects").is_dir()


def test_a_commit_that_is_not_there_is_an_error(repo: Repo) -> None:
    with pytest.raises(TeamError):
        repo.tree("1" * 40)
    assert not repo.have(["1" * 40])
    assert not repo.have(["HEAD; rm -rf x"])
    assert repo.have([])


@pytest.mark.parametrize(
    "name", ["..", ".", ".git", ".GIT", "a\\b", "git~1", "con", "a\x1b[31m", "\u202egp.md"]
)
def test_odd_names_of_others_come_through_and_go_back_unchanged(
    repo: Repo, remote: Repo, talk: Talk, name: str
) -> None:
    """They are held back by the vetting; refusing the fetch would refuse all that others share."""
    tip = commit(remote, {name: FILE_ONE, "a.md": FILE_ONE})
    remote.point({"refs/heads/main": tip})
    assert repo.fetch(talk) == tip
    mine = commit(repo, {**repo.tree(tip), "b.md": FILE_TWO}, [tip])
    repo.push(talk, mine)
    assert remote.tree(mine) == {name: FILE_ONE, "a.md": FILE_ONE, "b.md": FILE_TWO}
