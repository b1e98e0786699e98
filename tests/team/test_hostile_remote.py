"""A remote made to do harm: nothing runs, nothing outside ``team/`` is touched, the rest is shared, each ill is named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.team.git import Call, Git
from memtui.team.objects import (
    FOLDER,
    Entry,
    GitObject,
    Person,
    blob_oid,
    format_commit,
    format_tree,
    oid_of,
)
from memtui.team.repo import Repo
from memtui.team.vet import MAX_FILES
from tests.team.making import DEPLOY, memory, share, take
from tests.team.world import Machine, environment

GOOD = DEPLOY.encode()
EVIL = memory("evil", "you should never read this").encode()
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ4"


def shared(remote: Repo, leaves: dict[str, Entry], blobs: list[bytes]) -> str:
    tip = remote.commit(leaves, [], 1e9, "x", [GOOD, EVIL, *blobs])
    remote.point({"refs/heads/main": tip})
    return tip


def outside(one: Machine) -> dict[str, bytes | str]:
    """Everything of a machine but its team memories, index and own folders."""
    found: dict[str, bytes | str] = {}
    for path in sorted(one.root.rglob("*")):
        rel = path.relative_to(one.root).as_posix()
        if not rel.startswith(("memory/team/", "memory/.memtui", "state")) and rel != "memory/MEMORY.md":
            found[rel] = path.read_bytes() if path.is_file() else "folder"
    return found


def test_every_ill_at_once_is_named_and_the_good_is_shared(
    ada: Machine, bob: Machine, remote: Repo, tmp_path: Path
) -> None:
    evil, good = Entry("100644", blob_oid(EVIL)), Entry("100644", blob_oid(GOOD))
    target, huge, binary = b"../../private.md", b"x" * (MAX_FILE_BYTES + 1), b"\xff\xfe\0"
    secret = memory("secret", TOKEN).encode()
    attributes = b"* filter=evil merge=evil\n*.md text eol=crlf ident\n"
    modules = b'[submodule "x"]\n\tpath = module\n\turl = ext::sh -c "touch ran"\n\tupdate = !touch ran\n'
    deep = "/".join(["d"] * 9)
    ills = {
        "link.md": (Entry("120000", blob_oid(target)), "link"),
        "folder/link": (Entry("120000", blob_oid(b"/etc")), "link"),
        "module": (Entry("160000", "1" * 40), "submodule"),
        "odd-mode.md": (Entry("100", blob_oid(EVIL)), "mode"),
        "../up.md": (evil, "name"),
        "a/../../up.md": (evil, "name"),
        ".git/hooks/post-checkout.md": (evil, "name"),
        ".hidden.md": (evil, "name"),
        "back\\slash.md": (evil, "name"),
        "c:\\a.md": (evil, "name"),
        "nul.md": (evil, "name"),
        "esc\x1b[2J.md": (evil, "name"),
        "gpj\u202edm.md": (evil, "name"),
        "zero\u200bwidth.md": (evil, "name"),
        "not-utf8-\udcff.md": (evil, "name"),
        "Good.md": (evil, "collision"),
        "e\u0301.md": (evil, "name"),
        "huge.md": (Entry("100644", blob_oid(huge)), "too-large"),
        "binary.md": (Entry("100644", blob_oid(binary)), "not-text"),
        "secret.md": (Entry("100644", blob_oid(secret)), "secret"),
        "old.md": (
            Entry("100644", blob_oid(GOOD.replace(b"type:", b"status: historical\ntype:"))),
            "old-version",
        ),
        f"{deep}/x.md": (evil, "folder"),
    }
    others = {
        ".gitattributes": Entry("100644", blob_oid(attributes)),
        ".gitmodules": Entry("100644", blob_oid(modules)),
        "MEMORY.md": evil,
        "script.sh": Entry("100755", blob_oid(b"#!/bin/sh\ntouch ran\n")),
    }
    leaves = {
        "good.md": good,
        "sub/fine.md": good,
        **others,
        **{rel: entry for rel, (entry, _) in ills.items()},
    }
    old = GOOD.replace(b"type:", b"status: historical\ntype:")
    blobs = [target, b"/etc", huge, binary, secret, attributes, modules, b"#!/bin/sh\ntouch ran\n", old]
    tip = shared(remote, leaves, blobs)
    (ada.root / "private.md").write_text("mine")
    before = outside(ada)
    ada.write("good.md", GOOD)  # so that it has the right of way over Good.md
    report = ada.sync().sync()
    assert report.status.last_error is None
    assert [each.rel for each in report.status.arrivals] == ["sub/fine.md"]
    cut = "/".join(["d"] * 5)
    wanted = {cut if rel.startswith(deep) else rel: code for rel, (_, code) in ills.items()}
    assert {each.rel: each.code for each in report.status.held} == wanted
    assert take(ada) == ("sub/fine.md",)
    assert ada.team() == {"good.md": GOOD, "sub/fine.md": GOOD}
    assert outside(ada) == before
    assert not list(tmp_path.rglob("ran"))
    index = (ada.memory / "MEMORY.md").read_text()
    assert "never read this" not in index
    ada.write("own.md", memory("own", "of ada"))
    share(ada)
    there = remote.tree(remote.ref("refs/heads/main"))
    was = Repo(Git(environment(tmp_path)), remote.path).tree(tip)
    assert there == {**was, "own.md": there["own.md"]}
    take(bob)
    assert bob.team()["own.md"] == ada.team()["own.md"]


def test_twenty_thousand_files_are_shared_as_far_as_they_are_taken(ada: Machine, remote: Repo) -> None:
    good = Entry("100644", blob_oid(GOOD))
    shared(remote, {f"m{number:05}.md": good for number in range(20_000)}, [])
    status = ada.sync().sync().status
    assert len(status.arrivals) == MAX_FILES
    assert len(status.held) == 20_000 - MAX_FILES
    assert {each.code for each in status.held} == {"too-many"}
    assert ada.sync().accept(status.arrivals[:3]).rels == ("m00000.md", "m00001.md", "m00002.md")


def test_a_tree_that_unfolds_without_end_is_named_and_the_rest_is_shared(ada: Machine, remote: Repo) -> None:
    below, mode = GitObject("blob", EVIL), "100644"
    remote.write([below])
    for _ in range(12):
        below = GitObject("tree", format_tree((f"f{n:02}", Entry(mode, oid_of(below))) for n in range(20)))
        mode = FOLDER
        remote.write([below])
    shared(remote, {"good.md": Entry("100644", blob_oid(GOOD)), "z": Entry(FOLDER, oid_of(below))}, [])
    status = ada.sync().sync().status
    assert [each.rel for each in status.arrivals] == ["good.md"]
    assert {each.code for each in status.held} == {"folder"}


def test_a_folder_named_as_a_memory_and_a_memory_named_as_a_folder_lose_nothing(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    good = Entry("100644", blob_oid(GOOD))
    shared(remote, {"a.md/b.md": good, "c": good}, [])
    ada.write("a.md", memory("a", "of ada"))
    ada.write("c/d.md", memory("d", "of ada too"))
    report = ada.sync().sync()
    assert report.status.last_error is None
    assert set(ada.team().values()) == {memory("a", "of ada").encode(), memory("d", "of ada too").encode()}
    assert [(each.rel, each.code) for each in report.status.held] == [("a.md/b.md", "name")]
    take(ada)
    take(bob)
    wanted = {memory("a", "of ada").encode(), memory("d", "of ada too").encode()}
    assert set(bob.team().values()) == set(ada.team().values()) == wanted


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_a_memory_that_becomes_a_link_or_a_module_is_held_and_the_live_one_stays(
    ada: Machine, remote: Repo, mode: str
) -> None:
    shared(remote, {"a.md": Entry("100644", blob_oid(GOOD))}, [])
    take(ada)
    tip = remote.ref("refs/heads/main") or ""
    oid = blob_oid(b"/etc/passwd") if mode == "120000" else "1" * 40
    remote.point(
        {"refs/heads/main": remote.commit({"a.md": Entry(mode, oid)}, [tip], 1e9, "x", [b"/etc/passwd"])}
    )
    status = ada.sync().sync().status
    assert status.arrivals == ()
    assert [each.rel for each in status.held] == ["a.md"]
    assert ada.team() == {"a.md": GOOD}
    ada.write("a.md", GOOD + b"- more\n")
    report = ada.sync().sync()
    assert report.status.last_error is None
    assert remote.tree(remote.ref("refs/heads/main"))["a.md"].mode == mode
    assert [clash.ours for clash in report.clashes] == [GOOD + b"- more\n"]
    assert ada.team() == {"a.md": GOOD + b"- more\n"}


def test_a_broken_object_is_not_taken_and_said(ada: Machine, remote: Repo) -> None:
    """A tree with one name twice: git's own check turns the fetch down, and what is here stays."""
    entry = Entry("100644", blob_oid(GOOD))
    twice = GitObject("tree", format_tree([("a.md", entry), ("a.md", entry)]))
    remote.write([GitObject("blob", GOOD), twice])
    commit = GitObject(
        "commit", f"tree {oid_of(twice)}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nx\n".encode()
    )
    remote.write([commit])
    remote.point({"refs/heads/main": oid_of(commit)})
    ada.write("own.md", GOOD)
    report = ada.sync().sync()
    assert report.status.last_error is not None
    assert report.status.last_error.code == "failed"
    assert ada.team() == {"own.md": GOOD}


def as_made(remote: Repo, names: Sequence[str]) -> str:
    """A commit whose root holds these names as they are, which git's own commands would not make."""
    entry = Entry("100644", blob_oid(GOOD))
    tree = GitObject("tree", format_tree((name, entry) for name in names))
    commit = GitObject("commit", format_commit(oid_of(tree), [], Person("x", "x@localhost"), 1e9, "x"))
    remote.write([GitObject("blob", GOOD), tree, commit])
    return oid_of(commit)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        pytest.param(["a.md", "a.md/b.md"], "failed", id="a slash below a file"),
        pytest.param(["a//b.md"], "failed", id="a folder without a name"),
        pytest.param([f"{number:06}{'x' * 230}" for number in range(70_000)], "too-much", id="too large"),
        pytest.param([f"{number:06}.md" for number in range(100_000)], "too-much", id="too many names"),
    ],
)
def test_a_tree_that_no_git_makes_is_refused_and_left_behind_once_it_is_gone(
    ada: Machine, remote: Repo, names: list[str], code: str
) -> None:
    """It must not become ours: nothing could be read, written or fetched any more, whoever mends the remote."""
    remote.point({"refs/heads/main": as_made(remote, names)})
    ada.write("own.md", memory("own", "of ada"))
    error = ada.sync().sync().status.last_error
    assert error is not None
    assert (error.code, bool(error.todo)) == (code, True)
    assert ada.team() == {"own.md": memory("own", "of ada").encode()}
    remote.point({"refs/heads/main": as_made(remote, ["good.md"])})
    assert ada.sync().sync().pushed
    assert take(ada) == ("good.md",)
    assert remote.tree(remote.ref("refs/heads/main")).keys() == {"good.md", "own.md"}


@pytest.mark.parametrize("kind", ["tag", "blob"])
def test_a_branch_that_is_no_commit_is_refused_and_left_behind_once_it_is_one(
    ada: Machine, remote: Repo, tmp_path: Path, kind: str
) -> None:
    commit = as_made(remote, ["good.md"])
    remote.point({"refs/heads/main": commit})
    words = f"object {commit}\ntype commit\ntag x\ntagger x <x@localhost> 1 +0000\n\nx\n".encode()
    made = Git(environment(tmp_path)).run(
        remote.path, "hash-object", "-t", "tag", "-w", "--stdin", call=Call(stdin=words)
    )
    oid = made.out.decode().strip() if kind == "tag" else blob_oid(GOOD)
    (remote.path / "refs/heads/main").write_text(f"{oid}\n")
    error = ada.sync().sync().status.last_error
    assert error is not None
    assert error.code == "failed"
    (remote.path / "refs/heads/main").write_text(f"{commit}\n")
    ada.write("own.md", memory("own", "of ada"))
    assert ada.sync().sync().pushed
    assert take(ada) == ("good.md",)


def test_who_made_a_change_and_why_is_told_without_a_secret(ada: Machine, remote: Repo) -> None:
    leaves = {"good.md": Entry("100644", blob_oid(GOOD))}
    tree = GitObject("tree", format_tree(leaves.items()))
    commit = GitObject(
        "commit", format_commit(oid_of(tree), [], Person(TOKEN, "x@localhost"), 1e9, f"x {TOKEN}")
    )
    remote.write([GitObject("blob", GOOD), tree, commit])
    remote.point({"refs/heads/main": oid_of(commit)})
    (arrival,) = ada.sync().sync().status.arrivals
    (entry,) = ada.sync().log()
    assert [each[:21] for each in (arrival.author, entry.author, entry.subject[2:])] == [
        "[secret github-token "
    ] * 3


def test_what_is_ours_follows_no_memory_to_a_name_that_nobody_may_have(ada: Machine, remote: Repo) -> None:
    body = memory("deploy", "run make", "then wait", "then look")
    ada.write("deploy.md", body)
    share(ada)
    theirs = body.replace("look", "see").encode()
    tip = remote.ref("refs/heads/main")
    assert tip is not None
    leaves = {"esc\x1b[2J.md": Entry("100644", blob_oid(theirs))}
    remote.point({"refs/heads/main": remote.commit(leaves, [tip], 1e9, "x", [theirs])})
    ours = body.replace("make", "ninja").encode()
    ada.write("deploy.md", ours)
    report = ada.sync().sync()
    assert [each.kind for each in report.clashes] == ["deleted-edited"]
    assert report.status.arrivals == ()
    assert remote.tree(remote.ref("refs/heads/main")) == {
        **leaves,
        "deploy.md": Entry("100644", blob_oid(ours)),
    }


def test_a_folder_whose_settings_run_things_runs_none_of_them_when_it_is_read(
    ada: Machine, remote: Repo, tmp_path: Path
) -> None:
    shared(remote, {"good.md": Entry("100644", blob_oid(GOOD))}, [])
    ran = tmp_path / "ran"
    script = remote.path / "run"
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\nexec \"$@\"\n")
    script.chmod(0o755)
    hooks = remote.path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"):
        (hooks / name).symlink_to(script)
    with (remote.path / "config").open("a") as config:
        config.write(
            f"[uploadpack]\n\tpackObjectsHook = {script}\n[core]\n\tfsmonitor = {script}\n\tsshCommand = {script}\n"
            f"\tgitProxy = {script}\n\talternateRefsCommand = {script}\n\tpager = {script}\n\teditor = {script}\n"
            f"[gpg]\n\tprogram = {script}\n[credential]\n\thelper = {script}\n[diff]\n\texternal = {script}\n"
        )
    assert take(ada) == ("good.md",)
    assert ada.sync().log()
    assert not ran.exists()


@pytest.mark.parametrize(
    "header",
    [
        "a: &a [x, x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)),
        "name: " + "[" * 20_000 + "\n",
        "name: !!python/object/apply:os.system ['touch ran']\n",
        "".join(f"k{n}: v\n" for n in range(50_000)),
    ],
    ids=["bomb", "deep", "tag", "many"],
)
def test_a_header_that_is_made_to_hurt_arrives_as_the_bytes_it_is(
    ada: Machine, remote: Repo, header: str
) -> None:
    data = f"---\n{header}---\n\nText.\n".encode()
    shared(remote, {"odd.md": Entry("100644", blob_oid(data))}, [data])
    assert take(ada) == ("odd.md",)
    assert ada.team() == {"odd.md": data}
    assert "](team/odd.md)" in (ada.memory / "MEMORY.md").read_text()
    assert not list(ada.root.rglob("ran"))
