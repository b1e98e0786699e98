"""``memtui team watch``: sync all the time, one line for each thing that happens."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.cli.team_shared import changing, failed_json, required, say_of, sync_of
from memtui.memory.errors import Busy, MemtuiError
from memtui.team.local import LocalChanges
from memtui.team.news import News, news_of
from memtui.team.pacing import POLL_SECONDS
from memtui.team.results import SyncReport, TeamStatus
from memtui.team.watch import TeamWatch

if TYPE_CHECKING:
    from memtui.memory.directory.scan import Directory
    from memtui.snapshot import Snapshot

_LOOK_UP = 0.5
"""Seconds after which the one who prints looks up, so that Ctrl-C is heard on every system."""

Told = queue.SimpleQueue["SyncReport | Exception | None"]


@click.command("watch")
@json_option
@directory_options
@pass_session
def watch_command(session: Session, *, as_json: bool) -> int:
    """Sync until Ctrl-C: two seconds after a change here, and every minute (team_poll_seconds in the settings).

    One line for each thing that happens, with --json one object a line. Without a network it goes on, and shares what was changed once there is one.
    """
    manager = changing(session)
    sync = required(session, sync_of(session, manager))
    told: Told = queue.SimpleQueue()
    watch = TeamWatch(sync, told.put, poll=float(session.config().team_poll_seconds or POLL_SECONDS))
    stop = threading.Event()
    threads = [
        threading.Thread(target=_then_nothing(watch.run, told), name="memtui-team", daemon=True),
        threading.Thread(
            target=_then_nothing(lambda: _follow(session.read(), stop, watch.changed), told), daemon=True
        ),
    ]
    if not as_json:
        session.out.note(say_of(session).watching)
    for thread in threads:
        thread.start()
    try:
        _print(session, told, threads, as_json=as_json)
    except KeyboardInterrupt:
        return 0
    finally:
        stop.set()
        watch.stop()
        with suppress(KeyboardInterrupt):
            threads[0].join()
    return 0


def _then_nothing(run: Callable[[], None], told: Told) -> Callable[[], None]:
    """Have whoever prints know when a thread is over: there is nothing to wait for then."""

    def whole() -> None:
        try:
            run()
        except Exception as error:  # noqa: BLE001  -- whoever prints raises it
            told.put(error)
        finally:
            told.put(None)

    return whole


def _follow(directory: Directory, stop: threading.Event, changed: Callable[[], None]) -> None:
    from memtui.store import MemoryStore  # noqa: PLC0415  -- only where somebody watches

    local = LocalChanges()

    def publish(snapshot: Snapshot) -> None:
        if local.seen(snapshot):
            changed()

    MemoryStore(directory).watch(stop, publish)


def _print(session: Session, told: Told, threads: list[threading.Thread], *, as_json: bool) -> None:
    before: TeamStatus | None = None
    while True:
        try:
            item = told.get(timeout=_LOOK_UP)
        except queue.Empty:
            continue
        if item is None:
            if not all(thread.is_alive() for thread in threads):
                return
            continue
        if isinstance(item, Busy):
            continue
        if not isinstance(item, SyncReport | MemtuiError):
            raise item
        news = (News("failed", (), item),) if isinstance(item, MemtuiError) else news_of(before, item)
        if isinstance(item, SyncReport):
            before = item.status
        for each in news:
            if as_json:
                session.out.exact(json.dumps(_news_json(session, each)) + "\n")
            else:
                session.out.line(f"{_time(session)}  {_sentence(session, each)}")
        session.out.flush()


def _time(session: Session) -> str:
    import datetime as dt  # noqa: PLC0415  -- only where something happens

    return dt.datetime.fromtimestamp(session.world.clock(), session.world.zone).strftime("%H:%M:%S")


def _sentence(session: Session, news: News) -> str:
    say = say_of(session)
    slugs = session.words().list_separator.join(news.slugs)
    if news.kind == "shared" and not news.slugs:
        return say.shared_waiting
    if news.error is not None:
        return news.error.said(session.lang())
    template: str = getattr(say, f"news_{news.kind}")
    return template.format(slugs=slugs)


def _news_json(session: Session, news: News) -> Json:
    """One thing that happened; ``at`` is in Unix seconds."""
    error = failed_json(news.error) if news.error is not None else None
    return {"at": session.world.clock(), "kind": news.kind, "slugs": list(news.slugs), "error": error}
