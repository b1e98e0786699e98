"""What was accepted and is undone is nobody else's business."""

from __future__ import annotations

import pytest

from memtui.team.git import Git
from memtui.team.resolving import Side, decide, decisions, undecided
from memtui.team.sync import TeamSync
from tests.team.making import DEPLOY, memory, share, take, waiting
from tests.team.world import Machine, environment


@pytest.mark.parametrize("what", ["new", "changed", "deleted"])
def test_an_accepted_change_that_is_undone_waits_again_and_takes_nothing_back_for_others(
    ada: Machine, bob: Machine, what: str
) -> None:
    for name in ("deploy", "other"):
        ada.write(f"{name}.md", memory(name, name))
    share(ada, *([bob] if what != "new" else []))
    if what == "changed":
        ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    elif what == "deleted":
        ada.manager().forget("team/deploy")
    before, shared = bob.team(), ada.team()
    share(ada)
    sync = bob.sync()
    sync.accept([each for each in sync.sync().status.arrivals if each.rel == "deploy.md"])
    assert bob.team().get("deploy.md") == ada.team().get("deploy.md")
    assert bob.sync().sync().committed == ()
    bob.manager().undo()
    assert bob.team() == before
    waits = ("deploy.md", what)
    assert waits in waiting(bob), "known at once, without a sync"
    report = bob.sync().sync()
    assert (report.committed, report.pushed) == ((), False)
    assert waits in waiting(bob)
    take(ada)
    assert ada.team() == shared
    bob.manager().redo()
    assert waits not in waiting(bob)
    assert bob.sync().sync().committed == ()
    bob.manager().undo()
    assert waits in waiting(bob)
    assert take(bob)
    assert ada.team() == bob.team() == shared


def test_two_accepted_changes_undone_one_after_the_other_wait_as_one(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    for word in ("look", "think"):
        ada.write("deploy.md", DEPLOY.replace("wait", word))
        share(ada, bob)
    bob.manager().undo()
    bob.manager().undo()
    assert bob.team() == {"deploy.md": DEPLOY.encode()}
    assert bob.sync().sync().committed == ()
    assert waiting(bob) == [("deploy.md", "changed")]
    take(bob)
    assert bob.team() == ada.team()


def test_what_a_person_wrote_after_accepting_is_taken_back_for_all_and_what_was_accepted_is_not(
    ada: Machine, bob: Machine
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada, bob)
    theirs = ada.team()
    bob.manager().edit_memory("team/deploy", content="- quite new\n")
    share(bob, ada)
    for _ in range(2):
        bob.manager().undo()
    assert bob.team() == {"deploy.md": DEPLOY.encode()}
    share(bob, ada)
    assert ada.team() == theirs
    assert waiting(bob) == [("deploy.md", "changed")]


def test_writing_the_text_of_before_by_hand_is_a_change_like_any_other(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada, bob)
    bob.write("deploy.md", DEPLOY)
    share(bob, ada)
    assert ada.team() == {"deploy.md": DEPLOY.encode()}


def test_an_edit_after_the_undo_is_joined_with_what_was_undone(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada, bob)
    bob.manager().undo()
    bob.sync().sync()
    bob.write("deploy.md", DEPLOY + "- and tell\n")
    share(bob, ada)
    assert ada.team() == {"deploy.md": (DEPLOY.replace("wait", "look") + "- and tell\n").encode()}


def test_an_undone_arrival_of_several_waits_again_and_deletes_nothing_for_others(
    ada: Machine, bob: Machine
) -> None:
    for name in ("one", "two"):
        ada.write(f"{name}.md", memory(name, name))
    (bob.memory / "team").rmdir()
    share(ada, bob)
    bob.manager().undo()
    assert not (bob.memory / "team").exists()
    assert bob.sync().sync().committed == ()
    assert waiting(bob) == [("one.md", "new"), ("two.md", "new")]
    assert take(bob) == ("one.md", "two.md")
    assert bob.sync().sync().committed == ()


def test_without_review_an_undo_lasts_until_others_change_it_again(ada: Machine, bob: Machine) -> None:
    def follow() -> tuple[str, ...]:
        manager = bob.manager()
        sync = TeamSync(manager, bob.root / "state", Git(environment(bob.root)), review=False)
        return sync.sync().applied

    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    share(ada)
    assert follow() == ("deploy.md",)
    bob.manager().undo()
    assert (follow(), follow(), bob.team()) == ((), (), {"deploy.md": DEPLOY.encode()})
    take(ada)
    assert ada.team() == {"deploy.md": DEPLOY.replace("wait", "look").encode()}
    ada.write("deploy.md", DEPLOY.replace("wait", "think"))
    share(ada)
    assert follow() == ("deploy.md",)
    assert bob.team() == ada.team()


def decided(machine: Machine, side: Side, text: str | None = None) -> None:
    (decision,) = decisions(machine.sync(), machine.manager())
    decide(machine.sync(), machine.manager(), decision, side, text)


@pytest.mark.parametrize("first", ["ours", "theirs"])
@pytest.mark.parametrize("then", ["ours", "theirs", "merged"])
def test_a_decision_undone_step_by_step_is_one_decision_again_and_can_be_made(
    ada: Machine, bob: Machine, first: Side, then: str
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", theirs := DEPLOY.replace("run make", "run just"))
    bob.write("deploy.md", ours := DEPLOY.replace("run make", "run nix"))
    share(ada)
    bob.sync().sync()
    decided(bob, first)
    for _ in range(2):
        bob.manager().undo()
    assert bob.team() == {"deploy.md": ours.encode()}
    status, waits = bob.sync().status(), decisions(bob.sync(), bob.manager())
    assert undecided(status.arrivals, waits) == status.arrivals, "it is no arrival besides"
    (decision,) = waits
    assert (decision.ours, decision.theirs) == (ours.encode(), theirs.encode())
    merged = DEPLOY.replace("run make", "run both") if then == "merged" else None
    decided(bob, "theirs" if then == "theirs" else "ours", merged)
    assert decisions(bob.sync(), bob.manager()) == ()
    assert bob.sync().status().arrivals == ()
    share(bob, ada)
    wanted = {"ours": ours, "theirs": theirs, "merged": merged or ""}[then].encode()
    assert bob.team() == ada.team() == {"deploy.md": wanted}


def test_what_was_undone_and_changed_by_others_since_is_decided_about_their_newest_text(
    ada: Machine, bob: Machine
) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("run make", "run just"))
    bob.write("deploy.md", ours := DEPLOY.replace("run make", "run nix"))
    share(ada)
    bob.sync().sync()
    decided(bob, "ours")
    for _ in range(2):
        bob.manager().undo()
    ada.write("deploy.md", newest := DEPLOY.replace("run make", "run justly"))
    share(ada)
    bob.sync().sync()
    (decision,) = decisions(bob.sync(), bob.manager())
    assert decision.theirs == newest.encode()
    decided(bob, "ours")
    share(bob, ada)
    assert bob.team() == ada.team() == {"deploy.md": ours.encode()}


def test_two_memories_of_one_name_whose_decision_is_undone_are_one_decision_again(
    ada: Machine, bob: Machine
) -> None:
    ada.write("deploy.md", memory("deploy", "run just"))
    bob.write("deploy.md", ours := memory("deploy", "run nix", "and look"))
    share(ada)
    bob.sync().sync()
    decided(bob, "ours")
    for _ in range(2):
        bob.manager().undo()
    assert bob.team() == {"deploy.md": ours.encode()}
    status, waits = bob.sync().status(), decisions(bob.sync(), bob.manager())
    assert undecided(status.arrivals, waits) == status.arrivals
    assert len(waits) == 1
    decided(bob, "ours")
    share(bob, ada)
    assert bob.team() == ada.team()
    assert b"run nix" in bob.team()["deploy.md"]
