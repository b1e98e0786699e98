"""What sharing does on each machine, step by step; the remote is a real repository, changes come from real syncs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from memtui.memory.errors import Busy, UsageError
from memtui.memory.review.proposals import Inbox
from memtui.memory.saving.records import Edit
from memtui.team.failures import TeamError
from memtui.team.git import USUAL, Call, Done, Git
from memtui.team.objects import Entry, blob_oid
from memtui.team.repo import Repo
from memtui.team.results import Arrival
from memtui.team.state import StateFolder
from memtui.team.sync import TeamSync
from tests.team.making import DEPLOY, memory, share, take, waiting
from tests.team.world import Machine, environment, machine

# -- the usual way -------------------------------------------------------------------------------------------------


def test_a_memory_comes_to_another_machine_once_it_is_accepted(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    report = ada.sync().sync()
    assert (report.committed, report.pushed, report.offline) == (("deploy.md",), True, False)
    sync = bob.sync()
    status = sync.sync().status
    assert [(each.rel, each.kind, each.author) for each in status.arrivals] == [
        ("deploy.md", "new", "memtui")
    ]
    assert bob.team() == {}
    assert bob.manager().entries() == ()
    assert sync.content(status.arrivals[0].oid) == DEPLOY.encode()
    assert sync.accept(status.arrivals).rels == ("deploy.md",)
    assert bob.team() == {"deploy.md": DEPLOY.encode()}
    assert "](team/deploy.md)" in (bob.memory / "MEMORY.md").read_text()
    assert [(record.label, record.slugs) for record in bob.manager().activity()] == [
        ("sync team/deploy", ("team/deploy",))
    ]
    assert bob.sync().status().arrivals == ()
    quiet = bob.sync().sync()
    assert (quiet.committed, quiet.pushed, quiet.fetched, quiet.applied) == ((), False, 0, ())


def test_a_change_and_a_deletion_come_too_and_nothing_of_before_is_lost(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada, bob)
    assert bob.team() == ada.team()
    assert [each.slug for each in bob.manager().entries() if not each.is_active] == ["team/deploy_v1"]
    ada.manager().forget("team/deploy")
    share(ada)
    assert bob.sync().sync().status.arrivals[0].kind == "deleted"
    assert take(bob) == ("deploy.md",)
    assert bob.team() == {}
    assert "deploy" not in (bob.memory / "MEMORY.md").read_text()
    assert len(bob.manager().trash()) == 1
    bob.manager().undo()
    assert list(bob.team()) == ["deploy.md"]


def test_without_review_what_others_share_is_there_at_once(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    manager = bob.manager()
    sync = TeamSync(manager, bob.root / "state", Git(environment(bob.root)), review=False)
    assert sync.sync().applied == ("deploy.md",)
    assert bob.team() == ada.team()


def test_different_fields_and_lines_of_two_join_without_asking(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("what it is about", "how to deploy"))
    bob.write("deploy.md", DEPLOY + "- and tell\n")
    share(ada, bob)
    take(ada)
    assert (
        ada.team()
        == bob.team()
        == {
            "deploy.md": memory(
                "deploy", "run make", "then wait", "and tell", description="how to deploy"
            ).encode()
        }
    )
    assert Inbox(bob.manager()).pending() == ()


# -- what a person decides -----------------------------------------------------------------------------------------


def test_what_is_declined_is_not_shown_again_until_it_is_another_one(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada)
    sync = bob.sync()
    sync.decline(sync.sync().status.arrivals)
    assert bob.sync().sync().status.arrivals == ()
    assert bob.team() == {"deploy.md": DEPLOY.encode()}
    assert take(ada) == ()
    bob.sync().reconsider(["deploy.md"])
    assert waiting(bob) == [("deploy.md", "changed")]
    sync.decline(bob.sync().status().arrivals)
    ada.write("deploy.md", DEPLOY.replace("wait", "run"))
    share(ada)
    bob.sync().sync()
    assert waiting(bob) == [("deploy.md", "changed")]


def test_a_declined_deletion_keeps_the_memory_here_and_a_later_edit_shares_it_again(
    ada: Machine, bob: Machine
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.manager().forget("team/deploy")
    share(ada)
    sync = bob.sync()
    sync.decline(sync.sync().status.arrivals)
    assert bob.sync().sync().committed == ()
    bob.write("deploy.md", DEPLOY + "- still so\n")
    share(bob)
    assert take(ada) == ("deploy.md",)
    assert ada.team() == bob.team()


def test_only_what_was_shown_is_applied(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    shown = bob.sync().sync().status.arrivals
    ada.write("deploy.md", DEPLOY + "- more\n")
    share(ada)
    bob.sync().sync()
    applied = bob.sync().accept(shown)
    assert (applied.rels, [each.rel for each in applied.left]) == ((), ["deploy.md"])
    forged = Arrival("../../x.md", blob_oid(b"x"), "new")
    assert bob.sync().accept([forged]).left == (forged,)
    assert bob.team() == {}


def test_what_is_written_while_a_person_looks_is_joined_and_shown_anew(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("what it is about", "how to deploy"))
    share(ada)
    shown = bob.sync().sync().status.arrivals
    bob.write("deploy.md", DEPLOY + "- of bob\n")
    assert bob.sync().accept(shown).left == shown
    assert bob.team() == {"deploy.md": (DEPLOY + "- of bob\n").encode()}
    take(bob)
    assert (
        bob.team()["deploy.md"]
        == memory("deploy", "run make", "then wait", "of bob", description="how to deploy").encode()
    )


def test_what_is_written_in_the_instant_of_applying_is_not_lost(
    ada: Machine, bob: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada)
    manager = bob.manager()
    sync = bob.sharing(manager)
    shown = sync.sync().status.arrivals
    plan_index = manager.planner.index_edit

    def meddle(change: Callable[[str], str]) -> list[Edit]:
        bob.write("deploy.md", DEPLOY + "- of bob\n")
        return plan_index(change)

    monkeypatch.setattr(manager.planner, "index_edit", meddle)
    assert sync.accept(shown).left == shown
    assert bob.team() == {"deploy.md": (DEPLOY + "- of bob\n").encode()}
    take(bob)
    assert bob.team() == {"deploy.md": (DEPLOY.replace("wait", "look") + "- of bob\n").encode()}


# -- the remote ----------------------------------------------------------------------------------------------------


def test_offline_the_commit_waits_and_goes_out_later(ada: Machine, bob: Machine, remote: Repo) -> None:
    away = remote.path.with_name("away")
    remote.path.rename(away)
    ada.write("deploy.md", DEPLOY)
    report = ada.sync().sync()
    assert (report.offline, report.pushed, report.committed) == (True, False, ("deploy.md",))
    assert report.status.last_error is not None
    assert (report.status.last_error.code, report.status.ahead, report.status.unsaved) == ("gone", 1, 0)
    again = ada.sync().status()
    assert again.last_error is not None
    assert str(remote.path) not in ada.team()
    away.rename(remote.path)
    assert ada.sync().sync().status.last_error is None
    assert take(bob) == ("deploy.md",)


class Meddling(Git):
    """Others push in the instant before we do."""

    def __init__(self, environ: dict[str, str], other: Sequence[Machine]) -> None:
        super().__init__(environ)
        self.others = list(other)
        self.tries = 0

    def run(
        self, repository: Path | None, *words: str, call: Call = USUAL, fine: Sequence[int] = (0,)
    ) -> Done:
        if words[0] == "push":
            self.tries += 1
            if self.others:
                other = self.others.pop()
                other.write(f"n{self.tries}.md", memory(f"n{self.tries}", f"line {self.tries}"))
                other.sync().sync()
        return super().run(repository, *words, call=call, fine=fine)


def test_whoever_is_faster_is_joined_and_never_overwritten(ada: Machine, bob: Machine) -> None:
    bob.write("deploy.md", DEPLOY)
    git = Meddling(environment(bob.root), [ada, ada])
    assert bob.sync(git).sync().pushed
    assert git.tries == 3
    take(ada)
    assert sorted(ada.team()) == ["deploy.md", "n1.md", "n2.md"]


def test_an_endless_race_is_given_up_with_a_sentence(ada: Machine, bob: Machine) -> None:
    bob.write("deploy.md", DEPLOY)
    report = bob.sync(Meddling(environment(bob.root), [ada] * 20)).sync()
    assert report.status.last_error is not None
    assert report.status.last_error.code == "rejected"
    assert not report.offline
    assert bob.sync().sync().pushed


def test_a_history_that_was_written_anew_is_followed_and_nothing_taken_out_there_comes_back(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    ada.write("purged.md", memory("purged", "to be taken out of the history"))
    share(ada, bob)
    bob.write("own.md", memory("own", "not shared yet"))
    entry = Entry("100644", blob_oid(DEPLOY.encode()))
    remote.point({"refs/heads/main": remote.commit({"deploy.md": entry}, [], 1e9, "anew", [DEPLOY.encode()])})
    report = bob.sync().sync()
    assert report.rewritten
    assert report.pushed
    tip = remote.ref("refs/heads/main")
    assert sorted(remote.tree(tip)) == ["deploy.md", "own.md"]
    contents = remote.blobs(remote.outgoing(tip or "", None), most=1 << 20).values()
    assert not any(b"to be taken out" in data for data in contents)
    assert [(each.rel, each.kind) for each in report.status.arrivals] == [("purged.md", "deleted")]
    assert "purged.md" in bob.team()


def test_a_history_that_was_written_anew_with_what_is_ours_needs_nothing_of_us(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    away = remote.path.with_name("away")
    remote.path.rename(away)
    bob.write("own.md", memory("own", "ours"))
    bob.sync().sync()
    away.rename(remote.path)
    texts = {"deploy.md": DEPLOY.encode(), "own.md": memory("own", "ours").encode()}
    leaves = {rel: Entry("100644", blob_oid(text)) for rel, text in texts.items()}
    tip = remote.commit(leaves, [], 1e9, "anew", texts.values())
    remote.point({"refs/heads/main": tip})
    report = bob.sync().sync()
    assert (report.rewritten, report.pushed, report.status.arrivals) == (True, False, ())
    assert remote.ref("refs/heads/main") == tip
    assert bob.team() == texts


@pytest.mark.parametrize("own", [True, False])
def test_a_history_that_was_rolled_back_is_not_put_back(
    ada: Machine, bob: Machine, remote: Repo, *, own: bool
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    first = remote.ref("refs/heads/main")
    ada.write("oops.md", memory("oops", "sent by mistake"))
    share(ada, bob)
    remote.point({"refs/heads/main": first})
    if own:
        bob.write("own.md", memory("own", "not shared yet"))
    report = bob.sync().sync()
    assert (report.rewritten, report.pushed) == (True, own)
    assert ("oops.md", "deleted") in waiting(bob)
    assert sorted(remote.tree(remote.ref("refs/heads/main"))) == (
        ["deploy.md", "own.md"] if own else ["deploy.md"]
    )


def test_a_branch_that_was_removed_is_not_made_anew_without_a_word(
    ada: Machine, tmp_path: Path, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    remote.point({"refs/heads/main": None})
    report = ada.sync().sync()
    assert report.status.last_error is not None
    assert report.status.last_error.code == "gone"
    assert remote.ref("refs/heads/main") is None
    ada.sync().init(str(remote.path), cwd=tmp_path)
    assert ada.sync().sync().pushed
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]


def test_another_remote_begins_anew_and_loses_nothing(
    ada: Machine, bob: Machine, tmp_path: Path, git: Git
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    second = Repo(git, tmp_path / "second.git")
    second.make()
    for one in (ada, bob):
        one.sync().init(str(second.path), cwd=tmp_path)
    bob.write("deploy.md", DEPLOY + "- more\n")
    for one in (ada, bob, ada, bob):
        take(one)
    assert ada.team() == bob.team()
    assert (DEPLOY + "- more\n").encode() in ada.team().values()


def test_what_is_not_ours_in_the_tree_stays_as_it_is(ada: Machine, remote: Repo) -> None:
    picture, attributes = b"\x89PNG\r\n\x1a\n\0", b"* text=auto\n"
    leaves = {
        "logo.png": Entry("100644", blob_oid(picture)),
        ".gitattributes": Entry("100644", blob_oid(attributes)),
        "MEMORY.md": Entry("100644", blob_oid(b"- of others\n")),
        "run.md": Entry("100755", blob_oid(DEPLOY.encode())),
        "link.md": Entry("120000", blob_oid(b"/etc/passwd")),
        "module": Entry("160000", "1" * 40),
    }
    blobs = [picture, attributes, b"- of others\n", DEPLOY.encode(), b"/etc/passwd"]
    remote.point({"refs/heads/main": remote.commit(leaves, [], 1e9, "x", blobs)})
    assert take(ada) == ("run.md",)
    ada.write("deploy.md", memory("other", "of ada"))
    ada.write("run.md", DEPLOY + "- more\n")
    share(ada)
    there = remote.tree(remote.ref("refs/heads/main"))
    assert {rel: there[rel] for rel in leaves if rel != "run.md"} == {
        rel: leaves[rel] for rel in leaves if rel != "run.md"
    }
    assert there["run.md"].mode == "100755"
    assert sorted(ada.team()) == ["deploy.md", "run.md"]


# -- what stands on disk -------------------------------------------------------------------------------------------


def test_a_directory_or_folder_that_is_gone_as_a_whole_deletes_nothing_for_others(
    ada: Machine, bob: Machine
) -> None:
    for name in ("one", "two"):
        ada.write(f"{name}.md", memory(name, name))
    share(ada, bob)
    (bob.memory / "team").rename(bob.root / "slip")
    assert bob.sync().sync().committed == ()
    assert waiting(bob) == [("one.md", "new"), ("two.md", "new")], "they are offered again"
    (bob.root / "slip").rename(bob.memory / "team")
    assert bob.sync().sync().committed == ()
    assert waiting(bob) == []
    bob.memory.rename(bob.root / "unmounted")
    assert bob.sync().sync().committed == ()
    (bob.root / "unmounted").rename(bob.memory)
    (bob.memory / "team/one.md").unlink()
    assert bob.sync().sync().committed == ("one.md",)


def test_a_link_shares_nothing_private_and_what_cannot_be_read_stays_shared(
    ada: Machine, remote: Repo
) -> None:
    (ada.memory / "private.md").write_text(memory("private", "nobody's business"))
    (ada.memory / "team/leak.md").symlink_to("../private.md")
    ada.write("deploy.md", DEPLOY)
    report = ada.sync().sync()
    assert report.committed == ("deploy.md",)
    assert report.status.left == ("leak.md",)
    (ada.memory / "team/deploy.md").unlink()
    (ada.memory / "team/deploy.md").mkdir()
    report = ada.sync().sync()
    assert (report.committed, report.status.left) == ((), ("deploy.md", "leak.md"))
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]


def test_a_name_that_not_every_system_has_is_not_shared_and_is_named(ada: Machine, remote: Repo) -> None:
    ada.write("con.md", DEPLOY)
    ada.write("a\u202eb.md", DEPLOY)
    report = ada.sync().sync()
    assert [(each.rel, each.rule) for each in report.status.blocked] == [
        ("a\u202eb.md", "name"),
        ("con.md", "name"),
    ]
    assert remote.ref("refs/heads/main") is None


def test_something_in_the_way_leaves_the_arrival_waiting(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    (bob.memory / "team/deploy.md").mkdir()
    sync = bob.sync()
    shown = sync.sync().status.arrivals
    assert sync.accept(shown).left == shown
    (bob.memory / "team/deploy.md").rmdir()
    assert bob.sync().accept(shown).rels == ("deploy.md",)


def test_the_seeds_own_convention_shares_alike_and_no_old_version(
    tmp_path: Path, ada: Machine, remote: Repo
) -> None:
    eve = machine(tmp_path / "eve", convention="library")
    eve.sync().init(str(remote.path), cwd=tmp_path)
    ada.write("deploy.md", DEPLOY)
    share(ada, eve)
    eve.write(
        "deploy_v7.md",
        DEPLOY.replace("type: project", "type: project\nstatus: historical\nsuperseded_by: team/deploy"),
    )
    manager = eve.manager()
    manager.edit_memory("team/deploy", content="- quite new\n")
    share(eve, ada)
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]
    assert ada.team()["deploy.md"] == eve.team()["deploy.md"]


# -- what is known of it -------------------------------------------------------------------------------------------


def test_a_directory_that_is_not_shared_says_so(tmp_path: Path) -> None:
    one = machine(tmp_path / "one")
    assert not one.sync().status().configured
    assert one.sync().log() == []
    for ask in (one.sync().sync, lambda: one.sync().accept([]), lambda: one.sync().decline([])):
        with pytest.raises(UsageError):
            ask()
    assert not (one.root / "state").exists()


def test_a_remote_that_cannot_be_asked_is_not_set_up(tmp_path: Path) -> None:
    one = machine(tmp_path / "one")
    with pytest.raises(TeamError) as caught:
        one.sync().init("nowhere.git", cwd=tmp_path)
    assert caught.value.code == "gone"
    assert not one.sync().configured


def test_leaving_keeps_the_memories(ada: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    ada.sync().leave()
    assert not ada.sync().configured
    assert list(ada.team()) == ["deploy.md"]


def state_file(one: Machine) -> Path:
    return StateFolder(one.root / "state", one.memory).path / "state.json"


@pytest.mark.parametrize(
    "garbage", [b"", b"{", b"[]", b'{"format": 1}', b"\xff\0", b'{"format": 9}', b"[" * 100_000]
)
def test_a_damaged_state_is_told_and_sharing_again_loses_nothing(
    ada: Machine, bob: Machine, tmp_path: Path, remote: Repo, garbage: bytes
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    bob.write("deploy.md", DEPLOY + "- more\n")
    state_file(bob).write_bytes(garbage)
    status = bob.sync().status()
    assert (status.configured, status.rebuilt) == (False, True)
    bob.sync().init(str(remote.path), cwd=tmp_path)
    for one in (bob, ada, bob):
        take(one)
    assert ada.team() == bob.team()
    assert (DEPLOY + "- more\n").encode() in ada.team().values()


def test_a_damaged_repository_is_begun_anew(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    repository = state_file(bob).parent / "repo.git"
    for each in list((repository / "objects").rglob("*")):
        if each.is_file():
            each.unlink()
    bob.write("deploy.md", DEPLOY + "- more\n")
    for one in (bob, ada, bob):
        take(one)
    assert ada.team() == bob.team()
    assert (DEPLOY + "- more\n").encode() in ada.team().values()


def test_whoever_decides_does_not_wait_for_a_sync_that_waits_for_the_network(
    ada: Machine, bob: Machine
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    shown = bob.sync().sync().status.arrivals
    folder = StateFolder(bob.root / "state", bob.memory, sleep=lambda _: None)
    with folder.held("sync"):
        with pytest.raises(Busy):
            bob.sync().sync()
        assert bob.sync().accept(shown).rels == ("deploy.md",)
        assert bob.sync().status().arrivals == ()
    with folder.held(), pytest.raises(Busy):
        bob.sync().accept(shown)


def test_what_a_killed_git_left_is_cleared_and_what_a_fetch_just_writes_is_not(
    ada: Machine, bob: Machine
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    shown = bob.sync().sync().status.arrivals
    folder = StateFolder(bob.root / "state", bob.memory, sleep=lambda _: None)
    written = [
        folder.path / "repo.git" / rel for rel in ("objects/pack/tmp_pack_x", "refs/memtui/fetched.lock")
    ]
    for each in written:
        each.parent.mkdir(exist_ok=True)
        each.touch()
    with folder.held("sync"):
        bob.sync().decline(shown)
        assert all(each.exists() for each in written)
    bob.sync().reconsider(["deploy.md"])
    assert not any(each.exists() for each in written)


def test_who_did_what_is_in_the_log_and_in_the_audit_log(ada: Machine, bob: Machine) -> None:
    (ada.root / ".gitconfig").write_text("[user]\n\tname = Ada L\n\temail = ada@example.org\n")
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    (entry,) = bob.sync().log()
    assert (entry.author, entry.subject, list(entry.changes)) == (
        "Ada L",
        "memtui: add deploy",
        ["deploy.md"],
    )
    assert [(row.tool_name, row.status, row.slug) for row in bob.manager().audit.rows()] == [
        ("team_sync", "applied", "team/deploy")
    ]


def test_what_the_user_set_for_other_repositories_changes_nothing(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    (ada.root / ".gitconfig").write_text(
        "[safe]\n\tbareRepository = explicit\n[gc]\n\tauto = 1\n[fetch]\n\tprune = true\n\twriteCommitGraph = true\n"
        "[push]\n\tdefault = matching\n\tfollowTags = true\n[commit]\n\tgpgSign = true\n"
        "[core]\n\tautocrlf = true\n\teol = crlf\n\tignoreCase = true\n\tabbrev = 4\n[color]\n\tui = always\n"
        "[log]\n\tshowSignature = true\n[transfer]\n\tunpackLimit = 1\n[i18n]\n\tcommitEncoding = latin1\n"
        "[diff]\n\trenames = copies\n[merge]\n\tff = only\n[pull]\n\trebase = true\n"
    )
    texts = {"ü.md": memory("ü", "one").encode(), "crlf.md": DEPLOY.replace("\n", "\r\n").encode()}
    for rel, text in texts.items():
        ada.write(rel, text)
    share(ada, bob)
    assert bob.team() == texts
    assert ada.sync().log()[0].subject == "memtui: add crlf, ü"
    bob.write("ü.md", memory("ü", "two"))
    share(bob, ada)
    assert ada.team() == bob.team()


def test_the_projects_own_repository_is_never_touched(ada: Machine) -> None:
    own = ada.root / ".git"
    own.mkdir()
    (own / "config").write_text("[core]\n\tfsmonitor = touch ran\n")
    forged = ada.memory / ".memtui/team/repo.git"
    forged.mkdir(parents=True)
    (forged / "config").write_text("[core]\n\tsshCommand = touch ran\n\tfsmonitor = touch ran\n")
    before = {path: path.read_bytes() for path in (*own.rglob("*"), *forged.rglob("*")) if path.is_file()}
    ada.write("deploy.md", DEPLOY)
    share(ada)
    assert {
        path: path.read_bytes() for path in (*own.rglob("*"), *forged.rglob("*")) if path.is_file()
    } == before
    assert not list(ada.root.rglob("ran"))


def test_a_sync_that_is_cancelled_leaves_all_as_it_was_and_says_so(ada: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    report = ada.sync().sync(cancelled=lambda: True)
    assert report.status.last_error is not None
    assert report.status.last_error.code == "cancelled"
    assert report.status.ahead == 1
    with contextlib.suppress(TeamError):
        ada.sync().sync()
    assert ada.sync().status().ahead == 0


def test_a_look_at_what_has_not_changed_reads_no_tree_and_no_text_again(ada: Machine, remote: Repo) -> None:
    leaves = {f"m{number}.md": Entry("100644", blob_oid(DEPLOY.encode())) for number in range(5)}
    remote.point({"refs/heads/main": remote.commit(leaves, [], 1e9, "x", [DEPLOY.encode()])})
    asked: list[bytes] = []

    class Listening(Git):
        def run(
            self, repository: Path | None, *words: str, call: Call = USUAL, fine: Sequence[int] = (0,)
        ) -> Done:
            asked.append(call.stdin)
            return super().run(repository, *words, call=call, fine=fine)

    sync = ada.sync(Listening(environment(ada.root)))
    before = sync.sync().status.arrivals
    assert len(before) == 5
    known = b"\n".join(asked)
    assert b"^{tree}" in known
    assert blob_oid(DEPLOY.encode()).encode() in known
    asked.clear()
    assert sync.status().arrivals == before
    assert sync.sync().status.arrivals == before
    assert b"^{tree}" not in b"\n".join(asked)
    assert blob_oid(DEPLOY.encode()).encode() not in b"\n".join(asked)
    sync.decline(before[:1])
    assert sync.status().arrivals == before[1:]
