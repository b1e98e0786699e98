"""The command as a process: exit codes, streams, pipes, terminals, disks that are full and folders that are locked."""

import ctypes
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from memtui.cli.output import cells
from tests.children import killed_at_the_end

BODY = "Deploys happen on Tuesdays, after the stand-up."
HEADER = ["--name", "Deploys", "--description", "when we deploy", "--type", "project"]
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u200b\U000e0041"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "projects" / "-x" / "memory"
    path.mkdir(parents=True)
    (path / "deploys.md").write_text(f"---\nname: Deploys\ndescription: d\ntype: project\n---\n\n{BODY}\n")
    (path / "MEMORY.md").write_text("- [Deploys](deploys.md) — d\n")
    return path


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", **more}


def memtui(
    *argv: str, cwd: Path, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memtui", *argv],
        cwd=cwd,
        input=stdin,
        env=env or environment(cwd),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memtui" not in path.parts
    }


def test_the_installed_command_runs(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("memtui")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith("memtui, version ")


def test_save_from_a_pipe_then_list_then_undo(tmp_path: Path, memory: Path) -> None:
    before = snapshot(memory)
    done = memtui(
        "save", "tea", *HEADER, "-d", str(memory), "-", cwd=tmp_path, stdin="Tea, never coffee. 不喝咖啡。\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("✅")
    done = memtui("list", "--json", "-d", str(memory), cwd=tmp_path)
    assert {row["slug"] for row in json.loads(done.stdout)} == {"deploys", "tea"}
    done = memtui("undo", "-d", str(memory), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "undone: create tea; 'memtui redo' makes it again\n")
    assert snapshot(memory) == before


def test_exit_codes_are_the_documented_ones(tmp_path: Path, memory: Path) -> None:
    at = ["-d", str(memory)]
    assert memtui("check", *at, cwd=tmp_path).returncode == 0
    (memory / "lost.md").write_text(
        "---\nname: Lost\ndescription: d\ntype: user\n---\n\nNobody links to this one here.\n"
    )
    assert memtui("check", *at, cwd=tmp_path).returncode == 1
    assert memtui("show", "nope", *at, cwd=tmp_path).returncode == 2
    assert memtui("list", "--nope", cwd=tmp_path).returncode == 2
    assert memtui("check", "--fix", "orphan", *at, cwd=tmp_path).returncode == 4
    memtui("save", "deploys", "--content", "On Wednesdays now, at noon sharp.", *at, cwd=tmp_path)
    (memory / "deploys.md").write_text("somebody else was here\n")
    assert memtui("undo", *at, cwd=tmp_path).returncode == 3


def test_every_failure_is_a_sentence_and_never_a_traceback(tmp_path: Path, memory: Path) -> None:
    (tmp_path / "file").write_text("x")
    for argv in (
        ["list", "-d", "nowhere"],
        ["list", "-d", "file"],
        ["nowhere"],
        ["save", "../x", *HEADER, "--content", BODY, "-d", str(memory)],
        ["save", "x\x01y", *HEADER, "--content", BODY, "-d", str(memory)],
        ["save", "x", *HEADER, "--file", "/dev/null", "-d", str(memory)],
        ["save", "x", *HEADER, "--file", str(memory), "-d", str(memory)],
        ["restore", "deploys", "1", "-d", str(memory)],
        ["diff", "deploys", "a", "b", "-d", str(memory)],
        ["demo", "--keep", str(memory)],
        ["completion", "tcsh"],
        ["show", "a" * 5000, "-d", str(memory)],
    ):
        before = snapshot(tmp_path)
        done = memtui(*argv, cwd=tmp_path)
        assert done.returncode == 2, argv
        assert done.stdout == "", argv
        assert "Traceback" not in done.stderr, argv
        assert done.stderr.strip(), argv
        assert snapshot(tmp_path) == before, argv


def test_a_reader_who_leaves_early_is_met_in_silence(tmp_path: Path, memory: Path) -> None:
    for number in range(300):
        (memory / f"m{number}.md").write_text(f"---\nname: {'x' * 300}\n---\n\nbody {number}\n")
    with (
        subprocess.Popen(
            [sys.executable, "-m", "memtui", "list", "--json", "-d", str(memory)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        ) as process,
        killed_at_the_end(process),
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 141


def test_ctrl_c_leaves_with_130_and_no_traceback(tmp_path: Path, memory: Path) -> None:
    with (
        subprocess.Popen(
            [sys.executable, "-m", "memtui", "save", "x", *HEADER, "-d", str(memory), "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
            # Whoever runs the tests in the background may have taken the signal away.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  -- no threads here
        ) as process,
        killed_at_the_end(process),
    ):
        assert process.stdin is not None
        assert process.stderr is not None
        # More than a pipe holds: once it is written, the other side has begun to read.
        process.stdin.write(b"x" * 200_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b""
    assert set(snapshot(memory)) == {"deploys.md", "MEMORY.md"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_stdout_is_said(tmp_path: Path, memory: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memtui", "list", "-d", str(memory)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
            check=False,
        )
    assert done.returncode == 4
    assert (
        done.stderr.decode() == "memtui: stdout: the output could not be written: No space left on device\n"
    )


def test_a_full_disk_changes_nothing_and_is_said(small_disk: Path, tmp_path: Path, memory: Path) -> None:
    target = small_disk / "memory"
    try:
        shutil.copytree(memory, target)
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as stream:
            try:
                while True:
                    stream.write(b"x" * 4096)
            except OSError:
                pass
        before = snapshot(target)
        for argv in (
            ["save", "deploys", "--content", "Wednesdays. " * 1000],
            ["save", "new", *HEADER, "--content", "Something else. " * 1000],
        ):
            done = memtui(*argv, "-d", str(target), cwd=tmp_path)
            assert done.returncode == 4
            assert "full" in done.stderr
            assert "Traceback" not in done.stderr
            assert snapshot(target) == before
        filler.unlink()
        done = memtui(
            "save", "deploys", "--content", "Wednesdays from now on.", "-d", str(target), cwd=tmp_path
        )
        assert done.returncode == 0
    finally:
        subprocess.run(["umount", small_disk], check=True)


def without_privileges() -> None:
    """Let the program about to run obey permission bits, even if it is root's: it loses the right to override them."""
    libc = ctypes.CDLL(None)
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH; see linux/capability.h
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def unprivileged(*argv: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memtui", *argv],
        preexec_fn=without_privileges if os.geteuid() == 0 else None,
        env=environment(cwd),
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


linux_or_not_root = pytest.mark.skipif(
    os.geteuid() == 0 and not sys.platform.startswith("linux"), reason="root obeys no permission bits"
)


@linux_or_not_root
def test_a_directory_that_may_not_be_written(tmp_path: Path, memory: Path) -> None:
    memory.chmod(0o555)
    before = snapshot(memory)
    assert unprivileged("list", "-d", str(memory), cwd=tmp_path).returncode == 0
    for argv in (
        ["save", "new", *HEADER, "--content", BODY],
        ["forget", "deploys"],
        ["index", "--rebuild", "-y"],
    ):
        done = unprivileged(*argv, "-d", str(memory), cwd=tmp_path)
        if argv[0] != "index":
            assert done.returncode == 4, done.stderr
            assert "permission" in done.stderr
        assert "Traceback" not in done.stderr
    memory.chmod(0o755)
    assert snapshot(memory) == before
    assert not (memory / ".memtui").exists()


@linux_or_not_root
def test_a_directory_that_may_not_be_listed(tmp_path: Path, memory: Path) -> None:
    memory.chmod(0o000)
    try:
        for argv in (["list"], ["check"], ["index"], ["reminder"], ["save", "x", *HEADER, "--content", BODY]):
            done = unprivileged(*argv, "-d", str(memory), cwd=tmp_path)
            assert done.returncode in {2, 4}, done.stderr
            assert "permission" in done.stderr.lower()
            assert (done.stdout, "Traceback" in done.stderr) == ("", False)
            assert f"memtui: {memory}: permission denied" in done.stderr
    finally:
        memory.chmod(0o755)


@linux_or_not_root
def test_a_folder_above_that_may_not_be_entered_is_the_one_that_is_named(
    tmp_path: Path, memory: Path
) -> None:
    above = memory.parent
    above.chmod(0o600)
    try:
        for argv in (["list", "-d", str(memory)], ["list", "-d", f"{memory}/nowhere"]):
            done = unprivileged(*argv, cwd=tmp_path)
            assert done.returncode == 4
            assert f"memtui: {above}: permission denied" in done.stderr
    finally:
        above.chmod(0o755)


@linux_or_not_root
def test_the_own_store_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    config = tmp_path / ".claude"
    (config / "projects").mkdir(parents=True)
    config.chmod(0o000)
    try:
        done = unprivileged("list", cwd=tmp_path)
        assert done.returncode == 4
        assert f"memtui: {config}: permission denied" in done.stderr
    finally:
        config.chmod(0o755)


@linux_or_not_root
def test_a_file_that_may_not_be_read_is_listed_with_its_problem(tmp_path: Path, memory: Path) -> None:
    (memory / "deploys.md").chmod(0o000)
    done = unprivileged("list", "--json", "-d", str(memory), cwd=tmp_path)
    assert done.returncode == 0
    (row,) = json.loads(done.stdout)
    assert [problem["severity"] for problem in row["problems"]] == ["error"]
    assert "permission" in row["problems"][0]["message"]
    assert unprivileged("show", "deploys", "-d", str(memory), cwd=tmp_path).returncode == 0
    for argv in (
        ["show", "deploys", "--raw"],
        ["save", "deploys", "--content", BODY, *HEADER],
        ["forget", "deploys"],
    ):
        done = unprivileged(*argv, "-d", str(memory), cwd=tmp_path)
        assert done.returncode == 4, (argv, done.stdout, done.stderr)
        assert "permission" in done.stderr
    (memory / "text.md").write_text("x")
    (memory / "text.md").chmod(0o000)
    done = unprivileged(
        "save", "x", *HEADER, "--file", str(memory / "text.md"), "-d", str(memory), cwd=tmp_path
    )
    assert done.returncode == 2
    assert "Permission denied" in done.stderr


def in_a_terminal(*argv: str, env: Mapping[str, str], answer: bytes = b"") -> bytes:
    """What a command writes to a terminal, both streams."""
    ours, theirs = pty.openpty()
    if answer:
        os.write(ours, answer)
    with (
        subprocess.Popen(
            [sys.executable, "-m", "memtui", *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=env,
            close_fds=True,
        ) as process,
        killed_at_the_end(process),
    ):
        os.close(theirs)
        parts: list[bytes] = []

        def read() -> None:
            try:
                while part := os.read(ours, 65536):
                    parts.append(part)
            except OSError:  # Linux says EIO when the other side is closed
                pass

        reader = threading.Thread(target=read)
        reader.start()
        process.wait(timeout=60)
        reader.join(timeout=10)
    os.close(ours)
    return b"".join(parts)


@pytest.mark.parametrize(
    "argv",
    [
        ["list", "--all"],
        ["list", "--json"],
        ["show", "bad"],
        ["show", "bad", "--raw"],
        ["show", "bad", "--content"],
        ["history", "bad"],
        ["diff", "bad", "--raw"],
        ["index"],
        ["index", "--loaded"],
        ["index", "--rebuild"],
        ["check"],
        ["reminder"],
        ["show", HOSTILE],
        ["save", "bad", "--content", f"Again {HOSTILE} and again"],
        [f"./{HOSTILE}"],
    ],
)
def test_no_escape_of_a_memory_reaches_a_terminal(tmp_path: Path, memory: Path, argv: list[str]) -> None:
    (memory / "bad.md").write_text(
        f"---\nname: a{HOSTILE}\ndescription: b{HOSTILE}\ntype: c{HOSTILE}\n---\n\nbody {HOSTILE}\n"
    )
    (memory / "MEMORY.md").write_text(f"- [t{HOSTILE}](bad.md) — x{HOSTILE}\n")
    (memory / f"n{HOSTILE}.md").write_text("---\nname: n\n---\n\nbody\n")
    history = memory / ".memtui" / "history"
    history.mkdir(parents=True)
    (history / "bad_v1.md").write_text(
        f"---\nname: v{HOSTILE}\nstatus: historical\nsuperseded_by: bad\n---\n\nold {HOSTILE}\n"
    )
    out = in_a_terminal(
        *argv, "-d", str(memory), env=environment(tmp_path, TERM="xterm", NO_COLOR="1"), answer=b"n\n"
    )
    assert out.strip()
    text = out.decode()
    for char in HOSTILE:
        if not char.isprintable():
            assert char not in text, f"{char!r} in {text!r}"


def test_colour_on_a_terminal_only_and_never_with_no_color(tmp_path: Path, memory: Path) -> None:
    argv = ["list", "-d", str(memory)]
    assert b"\x1b[31mHOT\x1b[0m" in in_a_terminal(*argv, env=environment(tmp_path, TERM="xterm"))
    assert b"\x1b" not in in_a_terminal(*argv, env=environment(tmp_path, TERM="xterm", NO_COLOR="1"))
    assert b"\x1b" not in in_a_terminal(*argv, env=environment(tmp_path, TERM="dumb"))
    assert "\x1b" not in memtui(*argv, cwd=tmp_path).stdout


def test_rows_fit_a_narrow_terminal(tmp_path: Path, memory: Path) -> None:
    (memory / "long.md").write_text(
        "---\nname: 名字很长的一条记忆\ndescription: " + "说明" * 80 + "\ntype: user\n---\n\nbody\n"
    )
    out = in_a_terminal(
        "list", "-d", str(memory), env=environment(tmp_path, TERM="xterm", NO_COLOR="1", COLUMNS="80")
    )
    rows = [line for line in out.decode().splitlines() if line.startswith("HOT")]
    assert max(map(cells, rows)) <= 80
    assert any(row.endswith("…") for row in rows)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_a_stdout_that_cannot_write_every_character_still_gets_the_rest(
    tmp_path: Path, memory: Path, encoding: str
) -> None:
    (memory / "zh.md").write_text("---\nname: 中文 🚀\n---\n\n正文\n")
    done = subprocess.run(
        [sys.executable, "-m", "memtui", "list", "-d", str(memory)],
        env=environment(tmp_path, PYTHONIOENCODING=encoding),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"zh" in done.stdout
    assert b"deploys" in done.stdout


def test_a_working_directory_that_is_gone(tmp_path: Path, memory: Path) -> None:
    gone = tmp_path / "gone"
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m memtui list -d {memory}"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", script], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "deploys" in done.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("list -d memory >&-", 4),
        ("list --json -d memory >&-", 4),
        ("show nope --json -d memory >&-", 2),
        ("forget deploys -d memory >&-", 4),
        ("check --fix orphan -y -d memory >&-", 4),
        ("list -d memory 2>&-", 0),
        ("show nope -d memory >&- 2>&-", 2),
        ("save x --name a --description b --type user - -d memory <&-", 2),
        ("check --fix orphan -d memory <&-", 4),
    ],
)
def test_streams_that_the_caller_closed(tmp_path: Path, memory: Path, words: str, code: int) -> None:
    (tmp_path / "memory").symlink_to(memory)
    (memory / "lost.md").write_text(
        "---\nname: Lost\ndescription: d\ntype: user\n---\n\nNobody links to this one here.\n"
    )
    script = f"{sys.executable} -m memtui {words}"
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert {"deploys.md", "lost.md", "MEMORY.md"} == set(snapshot(memory))
    assert "lost" not in (memory / "MEMORY.md").read_text()
    if ">&-" in words and code == 4:
        assert done.stderr.splitlines()[-1] == "memtui: stdout: it is closed, so there is nowhere to print to"


def test_the_users_configuration_folder_is_the_platforms(tmp_path: Path, memory: Path) -> None:
    (tmp_path / "xdg" / "memtui").mkdir(parents=True)
    (tmp_path / "xdg" / "memtui" / "config.toml").write_text("lang = 'zh'\n")
    done = memtui(
        "list",
        "-d",
        str(memory),
        cwd=tmp_path,
        env=environment(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "xdg")),
    )
    assert "今天" in done.stdout


@pytest.mark.parametrize("words", [(), ("store",), ("open",), ("demo",)])
def test_the_app_is_refused_without_a_terminal_instead_of_waiting_for_keys_for_ever(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "store").mkdir()
    done = memtui(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "memtui: the app needs a terminal, to draw on (stderr) and to read keys from (stdin). "
        "Scripts use commands, such as 'memtui list'; 'memtui --help' names them all"
    )
    assert list(tmp_path.rglob("*")) == [tmp_path / "store"]
