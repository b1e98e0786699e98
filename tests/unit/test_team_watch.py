"""When a watch syncs, what it tells, and that it stops: no clock, no git; ``test_cli_team`` has both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from memtui.memory.errors import Busy, MemtuiError, Refused
from memtui.team.failures import TeamError
from memtui.team.merge import TeamClash
from memtui.team.news import News, news_of
from memtui.team.pacing import DEBOUNCE_SECONDS, LONGEST_POLL_SECONDS, MOST_SECONDS, Pace
from memtui.team.results import Arrival, Blocked, SyncReport, TeamStatus
from memtui.team.vet import Held
from memtui.team.watch import BUSY_SECONDS, TeamWatch

FINE = TeamStatus(configured=True)
OFFLINE = replace(FINE, last_error=TeamError("offline"))


# Pace


def test_a_sync_is_due_at_first_and_then_after_the_pause() -> None:
    pace = Pace(60)
    assert pace.wait(5.0) == 0.0
    pace.begun()
    pace.ended(10.0, reached=True)
    assert pace.wait(10.0) == 60.0
    assert pace.wait(70.0) == 0.0
    pace.asked(20.0)
    assert pace.wait(20.0) == 0.0


def test_a_change_waits_until_it_is_quiet_and_not_for_ever() -> None:
    pace = Pace(600)
    pace.begun()
    pace.ended(0.0, reached=True)
    pace.changed(10.0)
    assert pace.wait(10.0) == DEBOUNCE_SECONDS
    for second in range(11, 40):
        pace.changed(float(second))
    assert pace.wait(39.0) == 0.0
    assert pace.wait(10.0 + MOST_SECONDS - 1) == 1.0
    pace.begun()
    assert pace.wait(40.0) == 560.0
    pace.changed(41.0)  # while the sync goes on
    pace.ended(42.0, reached=True)
    assert pace.wait(42.0) == DEBOUNCE_SECONDS - 1


def test_a_remote_that_fails_is_tried_less_often_until_it_works() -> None:
    pace, waits = Pace(60), []
    for _ in range(8):
        pace.begun()
        pace.ended(0.0, reached=False)
        waits.append(pace.wait(0.0))
    assert waits[:4] == [60, 120, 240, 480]
    assert waits[-1] == LONGEST_POLL_SECONDS
    pace.ended(0.0, reached=True)
    assert pace.wait(0.0) == 60
    slow = Pace(3600)
    slow.ended(0.0, reached=False)
    assert slow.wait(0.0) == 3600


# What a watch does


class Script:
    """Syncs as it is told; each answer is a report, or an error to raise."""

    def __init__(self, *answers: SyncReport | MemtuiError) -> None:
        self.answers = list(answers)
        self.now = 100.0
        self.calls: list[float] = []
        self.during: Callable[[Callable[[], bool]], None] = lambda _: None

    def sync(self, *, cancelled: Callable[[], bool] | None = None) -> SyncReport:
        assert cancelled is not None
        self.calls.append(self.now)
        self.during(cancelled)
        answer = self.answers.pop(0)
        if isinstance(answer, MemtuiError):
            raise answer
        return answer


def watching(script: Script) -> list[SyncReport | MemtuiError]:
    """Run a watch; whenever it would wait, its clock goes on instead, until there is no answer left."""
    told: list[SyncReport | MemtuiError] = []
    watch = TeamWatch(script, told.append, clock=lambda: script.now)

    class Jumping(threading.Condition):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout is not None
            script.now += timeout
            if not script.answers:
                watch._stopped = True
            return False

    watch._news = Jumping()
    watch.run()
    return told


def test_a_watch_goes_on_offline_and_after_errors() -> None:
    script = Script(SyncReport(FINE), SyncReport(OFFLINE), Refused("no"), Busy("busy"), SyncReport(FINE))
    told = watching(script)
    assert [type(each) for each in told] == [SyncReport, SyncReport, Refused, Busy, SyncReport]
    gaps = [after - before for before, after in zip(script.calls, script.calls[1:], strict=False)]
    assert gaps == [60, 60, 120, BUSY_SECONDS]


def test_a_watch_that_is_stopped_gives_up_the_sync_and_tells_nothing_more() -> None:
    script = Script(SyncReport(FINE), SyncReport(FINE))
    told: list[SyncReport | MemtuiError] = []
    watch = TeamWatch(script, told.append, clock=lambda: script.now)
    seen: list[bool] = []

    def during(cancelled: Callable[[], bool]) -> None:
        seen.append(cancelled())
        watch.stop()
        seen.append(cancelled())

    script.during = during
    watch.run()
    assert (seen, told) == ([False, True], [])


def test_what_is_asked_for_and_what_changed_wakes_a_watch_that_waits() -> None:
    script = Script(SyncReport(FINE), SyncReport(FINE))
    came = threading.Semaphore(0)
    watch = TeamWatch(script, lambda _: came.release(), poll=86_400)
    thread = threading.Thread(target=watch.run)
    thread.start()
    assert came.acquire(timeout=60)
    watch.now()
    assert came.acquire(timeout=60)
    watch.stop()
    thread.join(60)
    assert not thread.is_alive()


# News


def arrival(name: str, oid: str = "1") -> Arrival:
    return Arrival(f"{name}.md", oid, "changed")


def test_what_waits_is_news_once_and_again_when_it_is_another_text() -> None:
    first = replace(
        FINE,
        arrivals=(arrival("a"),),
        held=(Held("h.md", "2", "link"),),
        blocked=(Blocked("b.md", "pem", 1, "f"),),
    )
    assert news_of(None, SyncReport(first)) == (
        News("arrived", ("team/a",)),
        News("held", ("team/h",)),
        News("blocked", ("team/b",)),
    )
    assert news_of(first, SyncReport(first)) == ()
    again = replace(first, arrivals=(arrival("a", "3"), arrival("c")))
    assert news_of(first, SyncReport(again)) == (News("arrived", ("team/a", "team/c")),)


def test_an_error_is_news_once_and_so_is_its_end() -> None:
    offline = SyncReport(OFFLINE, committed=("a.md",), offline=True)
    assert news_of(FINE, offline) == (News("waits", ("team/a",)), News("failed", (), OFFLINE.last_error))
    assert news_of(OFFLINE, SyncReport(OFFLINE, offline=True)) == ()
    other = replace(FINE, last_error=TeamError("auth"))
    assert [each.kind for each in news_of(OFFLINE, SyncReport(other))] == ["failed"]
    back = SyncReport(FINE, pushed=True)
    assert [each.kind for each in news_of(OFFLINE, back)] == ["reached", "shared"]


def test_what_a_sync_did_is_news() -> None:
    clash = TeamClash("c.md", "both-changed", None, b"1", b"2")
    done = SyncReport(
        FINE,
        committed=("a.md",),
        pushed=True,
        applied=("d.md",),
        clashes=(clash,),
        squashed=True,
        rewritten=True,
    )
    assert news_of(FINE, done) == (
        News("shared", ("team/a",)),
        News("applied", ("team/d",)),
        News("clash", ("team/c",)),
        News("squashed"),
        News("rewritten"),
    )
