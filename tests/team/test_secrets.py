"""No secret leaves by sync, and none that arrives becomes a memory; its value is in nothing that we write."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import pytest

from memtui.memory.secrets.guard import secret_hash
from memtui.team.git import USUAL, Call, Done, Git
from memtui.team.guard import OutgoingGuard
from memtui.team.objects import Entry, blob_oid
from memtui.team.repo import Repo
from memtui.team.results import SyncReport
from tests.crash.faults import Died
from tests.team.making import DEPLOY, memory, share, take
from tests.team.world import Machine, environment

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ4"
WRAPPED = base64.b64encode(f"https://ada:{TOKEN}@example.org".encode()).decode()
QUOTED = quote(f"https://ada:{TOKEN}@example.org/x", safe="")

PLACES = {
    "body": {"leak.md": memory("leak", f"use {TOKEN} here")},
    "header": {"leak.md": memory("leak", "x", description=f"token {TOKEN}")},
    "unknown field": {"leak.md": memory("leak", "x").replace("type:", f"api_key: {TOKEN}\ntype:")},
    "base64": {"leak.md": memory("leak", f"key {WRAPPED}")},
    "percent": {"leak.md": memory("leak", f"see {QUOTED}")},
    "name": {f"{TOKEN}.md": memory("leak", "x")},
    "folder": {f"{TOKEN}/leak.md": memory("leak", "x")},
}


def allowing(one: Machine, *values: str) -> SyncReport:
    """A sync of somebody whose list lets these values through."""
    manager = one.manager()
    manager.allowed_secrets = frozenset(map(secret_hash, values))
    return one.sharing(manager).sync()


def objects_of(repository: Path) -> list[bytes]:
    """Every object of a repository, whether anything refers to it or not."""
    words = ["git", f"--git-dir={repository}", "cat-file", "--batch-all-objects", "--batch"]
    return [subprocess.run(words, check=True, capture_output=True, env=environment(repository)).stdout]


def assert_nowhere(one: Machine, remote: Repo, report: SyncReport | None = None) -> None:
    """The value is neither on the remote, nor in git's storage here, nor in anything that tells of it."""
    marks = [TOKEN.encode(), WRAPPED.encode(), QUOTED.encode()]
    state = one.root / "state"
    repository = next(state.glob("team/*/repo.git"))
    found = objects_of(remote.path) + objects_of(repository)
    found += [path.read_bytes() for path in state.glob("team/*/state.json")]
    found += [path.read_bytes() for path in one.memory.glob(".memtui/*.db")]
    if report is not None:
        told = report.status.last_error
        found += [
            repr((report.status.held, report.status.clashes, report.committed)).encode(),
            str(told).encode(),
        ]
    assert not [mark for data in found for mark in marks if mark in data]


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_in_a_memory_is_not_shared_and_all_else_is(ada: Machine, remote: Repo, place: str) -> None:
    ada.write("deploy.md", DEPLOY)
    for rel, text in PLACES[place].items():
        ada.write(rel, text)
    report = ada.sync().sync()
    assert report.status.last_error is None
    assert report.committed == ("deploy.md",)
    (blocked,) = report.status.blocked
    assert (blocked.rule, len(blocked.fingerprint)) == ("github-token", 12)
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]
    assert_nowhere(ada, remote, report)
    rows = [(row.status, row.slug) for row in ada.manager().audit.rows()]
    assert rows == [("blocked", f"team/{blocked.rel.removesuffix('.md')}")]
    ada.sync().sync()
    assert len(ada.manager().audit.rows()) == 1, "the same is not written at every sync"
    for rel in PLACES[place]:
        (ada.memory / "team" / rel).unlink()
    assert ada.sync().sync().status.blocked == ()


def test_what_a_url_signs_in_with_is_a_secret_however_it_is_coded(ada: Machine, remote: Repo) -> None:
    coded = base64.b64encode(TOKEN.encode()).decode()
    ada.write("deploy.md", DEPLOY)
    ada.write("leak.md", memory("leak", f"clone https://ada:{coded}@example.org/x.git"))
    (blocked,) = ada.sync().sync().status.blocked
    assert (blocked.rel, blocked.line) == ("leak.md", 7)
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]
    assert not [data for data in objects_of(remote.path) if coded.encode() in data]


def test_the_index_is_shared_by_nobody_and_taken_from_nobody(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    line = f"- [Key](key.md) - {TOKEN}\n"
    (ada.memory / "MEMORY.md").write_text(line)
    ada.write("MEMORY.md", line)
    report = ada.sync().sync()
    assert (report.committed, report.status.blocked) == (("deploy.md",), ())
    assert_nowhere(ada, remote, report)
    tip = remote.ref("refs/heads/main") or ""
    leaves = {**remote.tree(tip), "MEMORY.md": Entry("100644", blob_oid(line.encode()))}
    remote.point({"refs/heads/main": remote.commit(leaves, [tip], 1e9, "x", [line.encode()])})
    assert take(bob) == ("deploy.md",)
    assert not [
        path for path in bob.memory.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param(memory("vault", TOKEN).encode("utf-16-le"), id="utf-16"),
        pytest.param(memory("vault", f"{TOKEN[:9]}\u200b{TOKEN[9:]}").encode(), id="unseen character"),
        pytest.param(memory("vault", "x", description=f'"\\x67\\u0068{TOKEN[2:]}"').encode(), id="escapes"),
    ],
)
def test_no_coding_takes_a_secret_past_the_guard(ada: Machine, remote: Repo, hidden: bytes) -> None:
    ada.write("deploy.md", DEPLOY)
    ada.write("vault.md", hidden)
    assert [each.rule for each in ada.sync().sync().status.blocked] == ["github-token"]
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]
    assert not [data for data in objects_of(remote.path) if hidden in data]


def test_what_was_shared_before_stays_as_it_was_when_a_secret_comes_in_and_goes_on_when_it_leaves(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY + f"- {TOKEN}\n")
    report = ada.sync().sync()
    assert [(each.rel, each.line) for each in report.status.blocked] == [("deploy.md", 9)]
    bob.write("deploy.md", DEPLOY.replace("what it is about", "how to deploy"))
    share(bob)
    shown = ada.sync().sync().status.arrivals
    assert ada.sync().accept(shown).left == shown, "what is written here is not lost to an arrival"
    ada.write("deploy.md", DEPLOY + "- in the vault\n")
    share(ada, bob)
    take(ada)
    assert ada.team() == bob.team()
    assert (
        ada.team()["deploy.md"]
        == memory("deploy", "run make", "then wait", "in the vault", description="how to deploy").encode()
    )
    assert_nowhere(ada, remote)


def test_a_secret_in_a_commit_between_is_never_pushed_and_git_forgets_it(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    away = remote.path.with_name("away")
    remote.path.rename(away)
    ada.write("deploy.md", DEPLOY + f"- {TOKEN}\n")
    ada.write(f"{TOKEN}.md", memory("odd", "named by a secret"))
    assert allowing(ada, TOKEN).committed == ("deploy.md", f"{TOKEN}.md")
    ada.write("deploy.md", DEPLOY + "- in the vault\n")
    (ada.memory / f"team/{TOKEN}.md").unlink()
    assert allowing(ada, TOKEN).status.ahead == 2
    away.rename(remote.path)
    report = ada.sync().sync()
    assert (report.squashed, report.pushed, report.status.blocked) == (True, True, ())
    assert_nowhere(ada, remote, report)
    take(bob)
    assert bob.team() == ada.team() == {"deploy.md": (DEPLOY + "- in the vault\n").encode()}
    assert "squashed" in {row.status for row in ada.manager().audit.rows()}


def test_where_nothing_but_the_secret_was_to_be_shared_nothing_is(ada: Machine, remote: Repo) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    tip = remote.ref("refs/heads/main")
    away = remote.path.with_name("away")
    remote.path.rename(away)
    ada.write("leak.md", memory("leak", TOKEN))
    allowing(ada, TOKEN)
    away.rename(remote.path)
    report = ada.sync().sync()
    assert (report.squashed, report.pushed, report.status.ahead) == (True, False, 0)
    assert remote.ref("refs/heads/main") == tip
    assert [each.rel for each in report.status.blocked] == ["leak.md"]
    assert_nowhere(ada, remote, report)
    assert "leak.md" in ada.team()


def test_whoever_dies_before_git_has_forgotten_has_it_forgotten_by_the_next_sync(
    ada: Machine, remote: Repo
) -> None:
    away = remote.path.with_name("away")
    remote.path.rename(away)
    ada.write("deploy.md", DEPLOY + f"- {TOKEN}\n")
    allowing(ada, TOKEN)
    ada.write("deploy.md", DEPLOY)
    allowing(ada, TOKEN)
    away.rename(remote.path)

    class Dying(Git):
        def run(
            self, repository: Path | None, *words: str, call: Call = USUAL, fine: Sequence[int] = (0,)
        ) -> Done:
            if words[0] in {"repack", "prune"}:
                raise Died
            return super().run(repository, *words, call=call, fine=fine)

    with pytest.raises(Died):
        ada.sync(Dying(environment(ada.root))).sync()
    report = ada.sync().sync()
    assert report.pushed
    assert_nowhere(ada, remote, report)


@pytest.mark.parametrize("new", [True, False])
def test_a_secret_in_the_last_commit_is_taken_out_of_it_and_named(
    ada: Machine, bob: Machine, remote: Repo, *, new: bool
) -> None:
    ada.write("other.md", DEPLOY)
    if not new:
        ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    away = remote.path.with_name("away")
    remote.path.rename(away)
    ada.write("deploy.md", DEPLOY + f"- {TOKEN}\n")
    ada.write("fine.md", memory("fine", "nothing odd"))
    allowing(ada, TOKEN)
    away.rename(remote.path)
    report = ada.sync().sync()
    assert (report.squashed, report.pushed) == (True, True)
    assert [(each.rel, each.rule) for each in report.status.blocked] == [("deploy.md", "github-token")]
    assert_nowhere(ada, remote, report)
    take(bob)
    assert sorted(bob.team()) == (["fine.md", "other.md"] if new else ["deploy.md", "fine.md", "other.md"])
    assert ada.team()["deploy.md"] == (DEPLOY + f"- {TOKEN}\n").encode()
    again = ada.sync().sync()
    assert (again.squashed, again.pushed, len(again.status.blocked)) == (False, False, 1)


def shared_by_others(remote: Repo, files: dict[str, str]) -> None:
    leaves = {rel: Entry("100644", blob_oid(text.encode())) for rel, text in files.items()}
    tip = remote.ref("refs/heads/main")
    made = remote.commit(leaves, [tip] if tip else [], 1e9, "x", [text.encode() for text in files.values()])
    remote.point({"refs/heads/main": made})


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_that_arrives_is_held_named_and_never_passed_on(
    ada: Machine, remote: Repo, place: str
) -> None:
    shared_by_others(remote, {**PLACES[place], "deploy.md": DEPLOY})
    report = ada.sync().sync()
    assert [each.rel for each in report.status.arrivals] == ["deploy.md"]
    (held,) = report.status.held
    assert (held.code, held.rule) == ("secret", "github-token")
    assert TOKEN not in repr(report.status)
    take(ada)
    assert list(ada.team()) == ["deploy.md"]
    ada.write("deploy.md", DEPLOY + "- more\n")
    report = ada.sync().sync()
    assert report.pushed, "what is there already keeps nobody from sharing"
    assert not report.squashed


def test_ours_is_never_joined_with_a_text_that_holds_a_secret(ada: Machine, remote: Repo) -> None:
    shared_by_others(remote, {"deploy.md": DEPLOY})
    take(ada)
    leak = DEPLOY + f"- {TOKEN}\n"
    shared_by_others(remote, {"deploy.md": leak})
    ours = DEPLOY.replace("what it is about", "how to deploy")
    ada.write("deploy.md", ours)
    before = set(remote.outgoing(remote.ref("refs/heads/main") or "", None))
    report = ada.sync().sync()
    assert report.status.last_error is None
    assert [clash.ours for clash in report.clashes] == [ours.encode()]
    after = set(remote.outgoing(remote.ref("refs/heads/main") or "", None))
    sent = remote.blobs(after - before, most=1 << 20)
    assert not [data for data in sent.values() if TOKEN.encode() in data]
    assert ada.team() == {"deploy.md": ours.encode()}
    shared_by_others(remote, {"deploy.md": DEPLOY + "- in the vault\n"})
    ada.sync().sync()
    take(ada)
    assert ada.team() == {"deploy.md": (DEPLOY + "- in the vault\n").encode()}


def test_a_new_memory_beside_one_of_that_name_which_is_held_counts_as_no_decision(
    ada: Machine, remote: Repo
) -> None:
    leak = memory("leak", TOKEN).encode()
    leaves = {"deploy.md": Entry("100644", blob_oid(leak))}
    remote.point({"refs/heads/main": remote.commit(leaves, [], 1e9, "x", [leak])})
    ada.write("deploy.md", DEPLOY)
    status = ada.sync().sync().status
    assert ([each.rel for each in status.held], status.arrivals, status.clashes) == (["deploy.md"], (), 0)
    assert ada.team() == {"deploy.md": DEPLOY.encode()}
    ada.sync().release(status.held[0])
    status = ada.sync().status()
    assert ([each.rel for each in status.arrivals], status.clashes) == (["deploy.md"], 1)


def test_a_person_may_let_something_through_and_that_is_written_down(ada: Machine, remote: Repo) -> None:
    shared_by_others(remote, {"leak.md": memory("leak", TOKEN)})
    (held,) = ada.sync().sync().status.held
    ada.sync().release(held)
    assert take(ada) == ("leak.md",)
    rows = ada.manager().audit.rows()
    assert ("released", "team/leak") in [(row.status, row.slug) for row in rows]
    assert TOKEN not in repr(rows)


def test_what_the_list_allows_is_shared(ada: Machine, remote: Repo) -> None:
    ada.write("leak.md", memory("leak", TOKEN))
    assert allowing(ada, TOKEN).pushed
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["leak.md"]


def test_what_is_too_large_to_be_looked_through_is_not_sent(tmp_path: Path) -> None:
    repo = Repo(Git(environment(tmp_path)), tmp_path / "repo.git")
    repo.make()
    small, large = b"nothing odd\n", b"x" * (4 * 1024 * 1024 + 1)
    leaves = {rel: Entry("100644", blob_oid(data)) for rel, data in (("a.md", small), ("big.md", large))}
    head = repo.commit(leaves, [], 1e9, "x", [small, large])
    scan = OutgoingGuard(repo, frozenset).scan(head, None)
    assert not scan.clean
    assert scan.objects == {leaves["big.md"].oid}
    assert {rel: each.rule for rel, each in scan.blocked.items()} == {"big.md": "too-large"}
