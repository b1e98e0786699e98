"""What both sides changed: nothing of it is lost, and it waits until a person has chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memtui.memory.errors import UsageError
from memtui.memory.managing.authors import author_said, authors_of
from memtui.memory.review.proposals import Inbox
from memtui.team.repo import Repo
from memtui.team.resolving import Side, decide, decisions, undecided
from tests.team.making import DEPLOY, memory, share, take
from tests.team.world import Machine


def both_edit(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("run make", "run just"))
    bob.write("deploy.md", DEPLOY.replace("run make", "run nix"))
    share(ada)


def test_where_both_changed_a_line_theirs_stands_and_ours_is_proposed(ada: Machine, bob: Machine) -> None:
    both_edit(ada, bob)
    report = bob.sync().sync()
    assert [(clash.rel, clash.kind) for clash in report.clashes] == [("deploy.md", "both-changed")]
    assert report.status.clashes == 1
    assert bob.team()["deploy.md"] == DEPLOY.replace("run make", "run nix").encode(), (
        "until it is accepted, ours is live"
    )
    assert Inbox(bob.manager()).pending() == ()
    take(bob)
    assert bob.team() == ada.team()
    (proposal,) = Inbox(bob.manager()).pending()
    assert (proposal.source, proposal.main.slug) == ("sync", "team/deploy")
    assert proposal.main.text == DEPLOY.replace("run make", "run nix")
    assert proposal.evidence[0].quote == DEPLOY.replace("run make", "run just")
    assert bob.sync().status().clashes == 1
    Inbox(bob.manager()).accept(proposal.id)
    share(bob, ada)
    assert ada.team() == bob.team() == {"deploy.md": DEPLOY.replace("run make", "run nix").encode()}


def test_what_arrived_is_the_teams_in_the_history_and_ours_the_persons(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    bob.sync().sync()
    take(bob)
    manager = bob.manager()
    manager.save_memory("team/deploy", "Deploy", "how", "project", "Deploy with `nix build`, not with make.")
    versions = manager.versions("team/deploy")
    said = [author_said(each, "en") for each in authors_of(versions, manager.activity()).values()]
    assert said == ["you", "your team, by sync"]


def test_a_clash_goes_with_what_the_person_writes_on_and_is_over_once_both_say_the_same(
    ada: Machine, bob: Machine
) -> None:
    both_edit(ada, bob)
    bob.sync().sync()
    bob.write("deploy.md", DEPLOY.replace("run make", "run nix build"))
    bob.sync().sync()
    assert bob.sync().status().clashes == 1
    bob.write("deploy.md", ada.team()["deploy.md"])
    report = bob.sync().sync()
    assert (report.status.clashes, report.status.arrivals) == (0, ())
    assert Inbox(bob.manager()).pending() == ()


def test_a_clash_is_over_when_the_other_text_is_declined(ada: Machine, bob: Machine) -> None:
    both_edit(ada, bob)
    sync = bob.sync()
    sync.decline(sync.sync().status.arrivals)
    assert bob.sync().status().clashes == 0


def test_a_text_that_was_joined_stays_in_the_history_whoever_writes_over_it(
    ada: Machine, bob: Machine, remote: Repo
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("run make", "run just"))
    share(ada)
    bob.sync().sync()
    written = DEPLOY.replace("run make", "run nix")
    bob.write("deploy.md", written)
    share(bob)
    bob.write("deploy.md", "- quite another text\n")
    share(bob)
    tip = remote.ref("refs/heads/main") or ""
    assert written.encode() in remote.blobs(remote.outgoing(tip, None), most=1 << 20).values()


def test_a_clash_waits_for_room_in_the_inbox(
    ada: Machine, bob: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_edit(ada, bob)
    with monkeypatch.context() as full:
        full.setattr("memtui.memory.review.proposing.MAX_PENDING", 0)
        take(bob)
    assert Inbox(bob.manager()).pending() == ()
    assert bob.sync().status().clashes == 1
    bob.sync().sync()
    assert [each.source for each in Inbox(bob.manager()).pending()] == ["sync"]
    assert bob.sync().status().clashes == 1


def test_a_text_that_no_proposal_can_hold_is_in_an_old_version(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("run make", "run just"))
    bob.write("deploy.md", DEPLOY.encode().replace(b"run make", b"run \xff"))
    share(ada)
    take(bob)
    assert bob.team() == ada.team()
    assert Inbox(bob.manager()).pending() == ()
    assert bob.sync().status().clashes == 0
    old = [entry for entry in bob.manager().entries() if not entry.is_active]
    assert ["run \udcff" in entry.content for entry in old] == [True]


@pytest.mark.parametrize("who_deletes", ["ada", "bob"])
def test_an_edit_stands_against_a_deletion_and_the_deletion_is_proposed(
    ada: Machine, bob: Machine, who_deletes: str
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    deletes, edits = (ada, bob) if who_deletes == "ada" else (bob, ada)
    deletes.manager().forget("team/deploy")
    edits.write("deploy.md", DEPLOY + "- more\n")
    share(ada)
    assert [clash.kind for clash in bob.sync().sync().clashes] == ["deleted-edited"]
    for one in (bob, ada, bob):
        take(one)
    assert ada.team() == bob.team() == {"deploy.md": (DEPLOY + "- more\n").encode()}
    (proposal,) = Inbox(bob.manager()).pending()
    assert (proposal.kind, proposal.slugs) == ("forget", ("team/deploy",))


def test_of_two_new_memories_of_one_name_both_are_kept(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    bob.write("deploy.md", memory("rollout", "quite another thing", description="ships"))
    share(ada)
    assert [clash.kind for clash in bob.sync().sync().clashes] == ["same-name"]
    for one in (bob, ada):
        take(one)
    assert set(ada.team().values()) == {
        DEPLOY.encode(),
        memory("rollout", "quite another thing", description="ships").encode(),
    }
    assert ada.team() == bob.team()


ROLLOUT = memory("rollout", "quite another thing", description="ships")
MINE, THEIRS = ROLLOUT.encode(), DEPLOY.encode()


def one_name(ada: Machine, bob: Machine) -> None:
    """Both make a memory of one name, ada first."""
    ada.write("deploy.md", DEPLOY)
    bob.write("deploy.md", ROLLOUT)
    share(ada)
    bob.sync().sync()


def both_rename(ada: Machine, bob: Machine) -> None:
    """Both give a memory another name, ada first."""
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    for one, name, more in ((ada, "ship", "of ada"), (bob, "release", "of bob")):
        (one.memory / "team/deploy.md").unlink()
        one.write(f"{name}.md", f"{DEPLOY}- {more}\n")
    share(ada)
    bob.sync().sync()


Clash = Callable[[Machine, Machine], None]
OUTCOMES = [
    (one_name, "ours", {"deploy.md": MINE}),
    (one_name, "theirs", {"deploy.md": THEIRS}),
    (one_name, "both", {"deploy.md": THEIRS, "deploy-2.md": MINE}),
    (both_rename, "ours", {"release.md": f"{DEPLOY}- of bob\n".encode()}),
    (both_rename, "theirs", {"ship.md": f"{DEPLOY}- of ada\n".encode()}),
    (
        both_rename,
        "both",
        {"release.md": f"{DEPLOY}- of bob\n".encode(), "ship.md": f"{DEPLOY}- of ada\n".encode()},
    ),
]


@pytest.mark.parametrize("proposed", [False, True], ids=["at once", "from the inbox"])
@pytest.mark.parametrize(("clash", "side", "left"), OUTCOMES)
def test_two_memories_that_met_wait_to_be_decided_and_everybody_gets_what_was_chosen(
    ada: Machine, bob: Machine, clash: Clash, side: Side, left: dict[str, bytes], proposed: bool
) -> None:
    clash(ada, bob)
    assert bob.sync().status().clashes == 1
    if proposed:
        take(bob)
        (proposal,) = Inbox(bob.manager()).pending()
        assert (proposal.source, proposal.kind) == ("sync", "merge")
        assert {proposal.main.text, proposal.evidence[0].quote} == {
            text.decode() for text in bob.team().values()
        }
    manager = bob.manager()
    sync = bob.sharing(manager)
    (decision,) = decisions(sync, manager)
    assert (bool(decision.arrivals), decision.shared) == (not proposed, "both")
    assert {decision.ours, decision.theirs} == set(OUTCOMES[5 if clash is both_rename else 2][2].values())
    decide(sync, manager, decision, side)
    assert decisions(bob.sync(), bob.manager()) == ()
    share(bob, ada)
    assert ada.team() == bob.team() == left
    assert bob.sync().status().clashes == 0
    if side != "both":
        bob.manager().undo()
        assert len(bob.team()) == 2


@pytest.mark.parametrize(("clash", "kept"), [(one_name, "deploy.md"), (both_rename, "release.md")])
def test_two_memories_are_made_one_with_a_text_out_of_both(
    ada: Machine, bob: Machine, clash: Clash, kept: str
) -> None:
    clash(ada, bob)
    manager = bob.manager()
    sync = bob.sharing(manager)
    text = memory("one", "out of both")
    decide(sync, manager, decisions(sync, manager)[0], "ours", text)
    assert bob.team() == {kept: text.encode()}


def test_whoever_takes_one_of_the_two_has_the_other_wait_with_the_decision(
    ada: Machine, bob: Machine
) -> None:
    one_name(ada, bob)
    sync = bob.sync()
    first, second = sync.status().arrivals
    assert undecided((first, second), decisions(sync, bob.manager())) == (first, second)
    sync.accept([second])
    assert bob.team() == {"deploy.md": THEIRS}
    assert Inbox(bob.manager()).pending() == ()
    manager = bob.manager()
    (decision,) = decisions(bob.sync(), manager)
    assert (decision.arrivals, decision.ours, decision.theirs) == ((first,), MINE, THEIRS)
    decide(bob.sharing(manager), manager, decision, "ours")
    assert bob.team() == {"deploy.md": MINE}


def test_declining_one_of_the_two_is_a_decision(ada: Machine, bob: Machine) -> None:
    one_name(ada, bob)
    sync = bob.sync()
    sync.decline([each for each in sync.status().arrivals if each.rel == "deploy.md"])
    assert bob.sync().status().clashes == 0
    take(bob)
    assert Inbox(bob.manager()).pending() == ()


def test_a_pair_that_somebody_else_made_one_is_over(ada: Machine, bob: Machine) -> None:
    one_name(ada, bob)
    share(bob, ada)
    ada.manager().forget("team/deploy-2")
    share(ada)
    take(bob)
    assert bob.sync().status().clashes == 0
    assert Inbox(bob.manager()).pending() == ()


def test_one_memory_cannot_stay_two(ada: Machine, bob: Machine) -> None:
    both_edit(ada, bob)
    bob.sync().sync()
    manager = bob.manager()
    sync = bob.sharing(manager)
    with pytest.raises(UsageError):
        decide(sync, manager, decisions(sync, manager)[0], "both")
    assert bob.team() != ada.team()
