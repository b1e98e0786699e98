"""What the world does to sharing: each time a sentence and a way on, local work goes on, and nothing is lost."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from memtui.memory.disk.files import digest_of
from memtui.memory.managing.manager import MemoryManager
from memtui.team.address import checked_address
from memtui.team.failures import TeamError
from memtui.team.git import Git
from memtui.team.repo import Repo
from memtui.team.state import StateFolder
from memtui.team.sync import TeamSync
from tests.team.making import DEPLOY, memory, share, take
from tests.team.serving import serving
from tests.team.world import Machine, environment


def sync_with(one: Machine, git: Git | None = None, *, seconds: float = 60.0) -> TeamSync:
    return TeamSync(
        one.manager(),
        one.root / "state",
        git or Git(environment(one.root)),
        seconds=seconds,
        sleep=lambda _: None,
    )


def told(one: Machine, code: str, *, sync: TeamSync | None = None) -> None:
    """A sync that fails with this code says what to do, keeps the change, and lets work go on."""
    one.write("deploy.md", DEPLOY)
    report = (sync or one.sync()).sync()
    error = report.status.last_error
    assert error is not None
    assert error.code == code
    assert error.todo
    assert not report.pushed
    manager = one.manager()
    manager.save_memory(
        "local-work", "Local work", "goes on", "project", "It is saved as ever, whatever the remote does."
    )
    assert manager.get("local-work").is_active
    assert one.team()["deploy.md"] == DEPLOY.encode()


def test_without_git(ada: Machine, bob: Machine, tmp_path: Path) -> None:
    told(ada, "no-git", sync=sync_with(ada, Git({"PATH": str(tmp_path), "HOME": str(tmp_path)})))
    status = sync_with(ada, Git({"PATH": str(tmp_path)})).status()
    assert status.last_error is not None
    assert status.last_error.code == "no-git"
    assert ada.sync().sync().pushed
    assert take(bob) == ("deploy.md",)


def server(status: int) -> AbstractContextManager[str]:
    """A server on this machine that answers everything with one status."""

    def answer(asked: BaseHTTPRequestHandler) -> None:
        asked.send_response(status)
        asked.send_header("WWW-Authenticate", 'Basic realm="x"')
        asked.send_header("Location", "http://127.0.0.1:1/elsewhere")
        asked.send_header("Content-Length", "0")
        asked.end_headers()

    return serving(answer, "team.git")


def redirected(one: Machine, url: str) -> None:
    """Let the state of a machine name another remote, as if the one it had had changed its manners."""
    folder = StateFolder(one.root / "state", one.memory)
    state = folder.load()
    folder.save(
        type(state)(
            **{**{name: getattr(state, name) for name in ("branch", "head", "tip", "seen")}, "url": url}
        )
    )


@pytest.mark.parametrize(
    ("status", "code"), [(401, "auth"), (403, "auth"), (404, "gone"), (500, "offline"), (301, "gone")]
)
def test_a_server_that_says_no(ada: Machine, status: int, code: str) -> None:
    with server(status) as url:
        with pytest.raises(TeamError) as caught:
            ada.sync().init(url, cwd=ada.root)
        assert caught.value.code == code
        redirected(ada, url)
        told(ada, code)
        assert ada.sync().status().ahead == 1


def test_a_server_that_never_answers_and_one_that_is_not_there(ada: Machine) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/team.git"
        redirected(ada, url)
        told(ada, "timeout", sync=sync_with(ada, seconds=1.0))
    told(ada, "offline")


def test_a_server_in_the_network_that_refuses_ssh(ada: Machine) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    redirected(ada, f"ssh://git@127.0.0.1:{port}/team.git")
    ada.write("deploy.md", DEPLOY)
    error = ada.sync().sync().status.last_error
    assert error is not None
    assert error.code in {"offline", "failed"}, "failed where there is no ssh"


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """No file may become larger, as on a disk that is full: writing says so."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk(ada: Machine, bob: Machine, remote: Repo) -> None:
    big = memory("big", *(digest_of(b"%d" % number) for number in range(3_000)))
    ada.write("big.md", big)
    sync = ada.sync()
    with small_files(20_000):
        error = sync.sync().status.last_error
    assert error is not None
    assert error.code == "disk-full"
    assert error.todo
    assert remote.ref("refs/heads/main") is None
    assert ada.sync().sync().pushed
    assert take(bob) == ("big.md",)


def test_a_full_disk_at_the_state(ada: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    sync = ada.sync()
    with small_files(100):
        error = sync.sync().status.last_error
    assert error is not None
    assert error.code == "disk-full"
    assert not list((ada.root / "state").rglob("*.part"))
    assert ada.sync().sync().pushed


def test_a_state_folder_that_cannot_be_written(ada: Machine, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sync = TeamSync(ada.manager(), tmp_path / "file" / "state", Git(environment(ada.root)))
    with pytest.raises(TeamError) as caught:
        sync.init(str(tmp_path / "remote.git"), cwd=tmp_path)
    assert caught.value.code == "denied"


def test_a_memory_directory_that_is_read_only_still_sends_and_shows(ada: Machine, bob: Machine) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada)
    manager = MemoryManager.open(bob.memory, "claude", read_only=True)
    sync = TeamSync(manager, bob.root / "state", Git(environment(bob.root)))
    report = sync.sync()
    assert [each.rel for each in report.status.arrivals] == ["deploy.md"]
    assert report.status.last_error is None
    assert bob.team() == {}
    assert not (bob.memory / ".memtui").exists()


def test_a_remote_that_moved(ada: Machine, bob: Machine, remote: Repo, tmp_path: Path) -> None:
    ada.write("deploy.md", DEPLOY)
    share(ada, bob)
    moved = remote.path.with_name("moved.git")
    remote.path.rename(moved)
    ada.write("deploy.md", DEPLOY + "- more\n")
    report = ada.sync().sync()
    assert report.offline
    assert report.status.last_error is not None
    assert report.status.last_error.code == "gone"
    for one in (ada, bob):
        one.sync().init(str(moved), cwd=tmp_path)
    share(ada, bob)
    assert ada.team() == bob.team() == {"deploy.md": (DEPLOY + "- more\n").encode()}


def test_a_whole_sync_has_an_end_whatever_single_calls_take(ada: Machine) -> None:
    """The clock of the sync runs ahead; so does whatever it would still ask the remote."""
    ada.write("deploy.md", DEPLOY)
    times = iter(range(0, 10_000_000, 100_000))
    sync = TeamSync(
        ada.manager(), ada.root / "state", Git(environment(ada.root)), clock=lambda: float(next(times))
    )
    error = sync.sync().status.last_error
    assert error is not None
    assert error.code == "timeout"
    assert ada.sync().sync().pushed


def test_what_went_wrong_is_known_to_the_next_process_and_goes_once_it_works(
    ada: Machine, remote: Repo
) -> None:
    away = remote.path.with_name("away")
    remote.path.rename(away)
    ada.write("deploy.md", DEPLOY)
    ada.sync().sync()
    error = ada.sync().status().last_error
    assert error is not None
    assert (error.code, error.said("zh") != str(error)) == ("gone", True)
    away.rename(remote.path)
    ada.sync().sync()
    assert ada.sync().status().last_error is None


def test_an_address_of_before_is_checked_again(ada: Machine) -> None:
    """Whoever can write the state can do anything else as the user too; a slip of the hand is told all the same."""
    redirected(ada, "ext::sh -c 'touch ran'")
    with pytest.raises(TeamError) as caught:
        ada.sync().sync()
    assert caught.value.code == "refused-url"
    assert not list(ada.root.rglob("ran"))
    assert checked_address("/x", cwd=ada.root).kind == "file"
