"""Spec §15, the daily log: by local date, appended in one piece beside others, never rewritten, read back by day."""

import datetime as dt
import errno
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.agent.daily_log import (
    MAX_LOG_BYTES,
    MAX_TEXT_BYTES,
    DailyLog,
    entry_bytes,
    log_lines,
    log_rel,
    logging_on,
)
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.errors import Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from tests.unit.cli_support import Cli

AT = dt.datetime(2026, 3, 5, 23, 30, tzinfo=dt.UTC).timestamp()
TOKYO = dt.timezone(dt.timedelta(hours=9))


def log_at(root: Path, at: float = AT, zone: dt.tzinfo = dt.UTC) -> tuple[DailyLog, MemoryManager]:
    manager = MemoryManager.open(root, clock=lambda: at)
    return DailyLog(manager.folder, clock=lambda: at, zone=zone), manager


def test_a_line_goes_to_the_local_day_of_its_writing(tmp_path: Path) -> None:
    for zone in (dt.UTC, TOKYO):
        log, manager = log_at(tmp_path, zone=zone)
        log.append(manager, "chose Orion")
    assert (tmp_path / "logs/2026/03/2026-03-05.md").read_bytes() == b"- 23:30 chose Orion\n"
    assert (tmp_path / "logs/2026/03/2026-03-06.md").read_bytes() == b"- 08:30 chose Orion\n"
    assert log.days() == (dt.date(2026, 3, 6), dt.date(2026, 3, 5))


def test_the_day_is_that_of_the_moment_of_writing_not_of_the_call(tmp_path: Path) -> None:
    times = iter([AT, AT + 3600.0])  # midnight passes while somebody else holds the directory
    manager = MemoryManager.open(tmp_path, clock=lambda: AT)
    log = DailyLog(manager.folder, clock=lambda: next(times), zone=dt.UTC)
    assert log.append(manager, "late").day == dt.date(2026, 3, 6)


def test_what_stands_there_stays_to_the_byte_and_a_torn_line_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / log_rel(dt.date(2026, 3, 5))
    path.parent.mkdir(parents=True)
    theirs = b"# notes\r\n- [09:00] by an agent \xff\n- torn off in the mid"
    path.write_bytes(theirs)
    inode = path.stat().st_ino
    log, manager = log_at(tmp_path)
    log.append(manager, "mine")
    assert path.read_bytes() == theirs + b"\n- 23:30 mine\n"
    assert path.stat().st_ino == inode
    assert [(line.line, line.time, line.text) for line in log.read(dt.date(2026, 3, 5)).lines] == [
        (1, "", "# notes"),
        (2, "09:00", "by an agent \udcff"),
        (3, "", "torn off in the mid"),
        (4, "23:30", "mine"),
    ]


def test_no_further_line_of_a_text_passes_for_another_entry(tmp_path: Path) -> None:
    log, manager = log_at(tmp_path)
    log.append(manager, "first\r\n- 01:00 forged\n\n# heading\n")
    day = log.read(dt.date(2026, 3, 5))
    assert day.text == "- 23:30 first\n  - 01:00 forged\n\n  # heading\n"
    assert [line.time for line in day.lines] == ["23:30", ""]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\x85\u2028\u2029"), min_size=1)))
def test_entries_come_back_in_order(texts: list[str]) -> None:
    kept = [text.strip() for text in texts if text.strip()]
    moment = dt.datetime(2026, 3, 5, 9, 5, tzinfo=dt.UTC)
    written = b"".join(entry_bytes(text, moment) for text in kept).decode()
    assert [(line.time, line.text) for line in log_lines(written)] == [("09:05", text) for text in kept]


def test_writers_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    log, manager = log_at(tmp_path)
    log.append(manager, "before")
    path = tmp_path / log_rel(dt.date(2026, 3, 5))

    def agent(name: str) -> None:
        for number in range(50):  # takes no lock, as agents do
            with path.open("ab", buffering=0) as stream:
                stream.write(f"- {name} {number}\n".encode())

    def ours(number: int) -> None:
        mine, held = log_at(tmp_path)
        for step in range(20):
            mine.append(held, f"ours {number} {step}")

    threads = [threading.Thread(target=agent, args=(f"agent{n}",)) for n in range(2)]
    threads += [threading.Thread(target=ours, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = path.read_text().splitlines()
    wanted = {"- 23:30 before"} | {f"- agent{n} {i}" for n in range(2) for i in range(50)}
    wanted |= {f"- 23:30 ours {n} {i}" for n in range(2) for i in range(20)}
    assert len([line for line in lines if line]) == len(wanted)
    assert set(filter(None, lines)) == wanted


@pytest.mark.parametrize("text", ["", "  \n\t", "x" * MAX_TEXT_BYTES, "no \udcff text"])
def test_a_text_that_is_none_writes_nothing_at_all(tmp_path: Path, text: str) -> None:
    log, manager = log_at(tmp_path / "store")
    with pytest.raises(UsageError):
        log.append(manager, text)
    assert not (tmp_path / "store").exists()


def test_a_full_day_takes_no_more(tmp_path: Path) -> None:
    path = tmp_path / log_rel(dt.date(2026, 3, 5))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * (MAX_LOG_BYTES - 15) + b"\n")
    log, manager = log_at(tmp_path)
    log.append(manager, "12345")
    assert path.stat().st_size == MAX_LOG_BYTES
    with pytest.raises(Refused, match="full"):
        log.append(manager, "1")
    assert path.stat().st_size == MAX_LOG_BYTES


def test_a_link_or_pipe_in_the_place_of_a_log_is_not_written_to(tmp_path: Path) -> None:
    store, other = tmp_path / "store", tmp_path / "other.md"
    other.write_text("theirs\n")
    path = store / log_rel(dt.date(2026, 3, 5))
    path.parent.mkdir(parents=True)
    path.symlink_to(other)
    log, manager = log_at(store)
    with pytest.raises(Refused):
        log.append(manager, "out")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(Unreadable):
        log.append(manager, "out")
    assert log.days() == ()
    problem = log.read(dt.date(2026, 3, 5)).problem
    assert isinstance(problem, Unreadable)
    assert problem.code == "not-regular"
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to(tmp_path)
    with pytest.raises(Refused):
        log.append(manager, "out")
    assert other.read_text() == "theirs\n"
    assert sorted(child.name for child in tmp_path.iterdir()) == ["other.md", "store"]


class FailingDisk(Disk):
    """Writes half of the entry, and then the disk is full."""

    full = False

    def write(self, fd: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if data.startswith(b"- 23:30 second"):
            self.full = True
            return super().write(fd, data[:5])
        return super().write(fd, data)


def test_a_full_disk_is_told_and_the_next_entry_is_whole(tmp_path: Path) -> None:
    disk = FailingDisk()
    directory = Directory(tmp_path, folder=Folder(tmp_path, disk), clock=lambda: AT)
    manager = MemoryManager.open(tmp_path, clock=lambda: AT, directory=directory)
    log = DailyLog(manager.folder, clock=lambda: AT, zone=dt.UTC)
    log.append(manager, "first")
    with pytest.raises(Refused, match="the disk is full"):
        log.append(manager, "second")
    disk.full = False
    log.append(manager, "third")
    assert log.read(dt.date(2026, 3, 5)).text == "- 23:30 first\n- 23:\n- 23:30 third\n"


def test_only_files_named_like_their_day_are_logs(tmp_path: Path) -> None:
    for rel in (
        "2026/03/2026-03-05.md",
        "2026/03/2026-04-05.md",
        "2026/03/notes.md",
        "2026/02/2026-02-30.md",
        "2025/12/2025-12-31.md",
        "2026-03-01.md",
    ):
        path = tmp_path / "logs" / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("- x\n")
    log, _ = log_at(tmp_path)
    assert log.days() == (dt.date(2026, 3, 5), dt.date(2025, 12, 31))


@pytest.mark.parametrize(
    ("variable", "setting", "on"),
    [
        (None, None, False),
        ("1", None, True),
        ("TRUE", False, True),
        ("0", True, False),
        ("", True, True),
        ("maybe", None, False),
    ],
)
def test_the_gate(variable: str | None, setting: bool | None, on: bool) -> None:
    environ = {} if variable is None else {"KAIROS": variable}
    assert logging_on(environ, setting) is on


# -- the command ----------------------------------------------------------------------------------------------------------

DAY_FILE = "logs/2026/05/2026-05-28.md"  # the day of NOW


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path, environ={"KAIROS": "1"})


def test_the_command_appends_and_prints_the_day(cli: Cli) -> None:
    done = cli("log", "chose", "Orion")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("logged at 20:26 in ")
    assert cli("log", "-", stdin="from stdin\nand more").code == 0
    assert cli.files()[DAY_FILE] == b"- 20:26 chose Orion\n- 20:26 from stdin\n  and more\n"
    wanted = "- 20:26 chose Orion\n- 20:26 from stdin\n  and more\n"
    assert cli("log").out == wanted
    assert cli("log", "--show").out == wanted
    assert cli("log", "--show", "2026-05-28").out == wanted
    assert cli("list", "--json").json == []


def test_the_command_prints_the_last_days(cli: Cli) -> None:
    for days_old in (9, 2, 0):
        cli.now -= days_old * 86_400.0
        cli("log", f"{days_old} days ago")
        cli.now += days_old * 86_400.0
    assert cli("log", "--days", "2").out == (
        "2026-05-26\n- 20:26 2 days ago\n2026-05-28\n- 20:26 0 days ago\n"
    )
    found = cli("log", "--days", "9", "--json").json
    assert [day["date"] for day in found] == ["2026-05-19", "2026-05-26", "2026-05-28"]
    assert found[2] == {
        "date": "2026-05-28",
        "path": DAY_FILE,
        "lines": [{"line": 1, "time": "20:26", "text": "0 days ago"}],
        "problem": None,
    }


def test_nothing_is_written_while_the_gate_is_shut(cli: Cli) -> None:
    cli.environ.clear()
    done = cli("log", "x y z")
    assert done.code == 4
    assert "switched off" in done.err
    assert "KAIROS=1" in done.err
    assert cli.files() == {}
    assert not (cli.memory / ".memtui").exists()
    (cli.home / "config.toml").write_text("daily_log = true\n")
    assert cli("log", "x y z").code == 0


def test_read_only_refuses_a_line_and_shows_the_day(cli: Cli) -> None:
    cli("log", "there")
    before = cli.files()
    done = cli("--read-only", "log", "more")
    assert done.code == 4
    assert "read-only" in done.err
    assert cli.files() == before
    assert cli("--read-only", "log", "--show").out == "- 20:26 there\n"


@pytest.mark.parametrize(
    "argv",
    [["--show", "2026-02-30"], ["--days", "0"], ["text", "--show"], ["--show", "2026-05-28", "--days", "2"]],
)
def test_a_wrong_call_is_a_usage_error(cli: Cli, argv: list[str]) -> None:
    assert cli("log", *argv).code == 2
    assert cli.files() == {}


def test_a_hostile_log_is_made_visible(cli: Cli) -> None:
    cli.write(DAY_FILE, "- 09:00 \x1b]52;c;AAAA\x07 \u202eevil\n")
    for tty in (False, True):
        cli.tty = tty
        out = cli("log").out
        assert "\x1b]" not in out
        assert "\x07" not in out
        assert "\u202e" not in out
        assert "evil" in out


def test_a_secret_is_told_by_its_rule_and_never_shown(cli: Cli) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = cli("log", f"the token is {token}")
    assert done.code == 0
    assert "looks like a secret" in done.err
    assert token not in done.err + done.out


def test_the_command_speaks_chinese(cli: Cli) -> None:
    assert cli("log", "选定猎户座", "--lang", "zh").err.startswith("已于 20:26 记入 ")
    cli.environ.clear()
    assert "日志" in cli("log", "x", "--lang", "zh").err
