"""Design §4: ``memtui demo`` opens a throw-away copy of the sample and deletes it when the person leaves."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from memtui.cli.wording import words
from memtui.memory.conventions import CLAUDE
from tests.unit.cli_support import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


class Seen(list[dict[str, Any]]):
    """What the app finds at the moment it is opened."""

    def append(self, launched: dict[str, Any]) -> None:
        memory_dir: Path = launched["memory_dir"]
        super().append({**launched, "files": sorted(path.name for path in memory_dir.glob("*.md"))})


@pytest.mark.parametrize("code", [0, 5])
def test_the_demo_is_deleted_afterwards_and_says_so(cli: Cli, code: int) -> None:
    cli.launched = Seen()
    cli.launch_code = code
    done = cli("demo", "--ascii", "--lang", "zh")
    say = words("zh")
    (launched,) = cli.launched
    assert (done.code, done.out) == (code, "")
    assert "user-role.md" in launched["files"]
    assert launched["convention"] is CLAUDE
    assert (launched["ascii_mode"], launched["lang"]) == (True, "zh")
    assert launched["project_root"].name == "astro-lab"
    assert not launched["memory_dir"].exists()
    assert not launched["project_root"].parent.exists()
    first, last = done.err.splitlines()
    assert first.startswith(say.demo_copy.partition("{path}")[0])
    assert first.endswith(say.demo_copy.partition("{path}")[2])
    assert last == say.demo_gone


def test_the_demo_knows_nothing_of_the_persons_agents_and_keeps_nothing_in_their_folders(cli: Cli) -> None:
    cli.environ["CLAUDE_CONFIG_DIR"] = str(cli.home / "claude")
    cli("demo")
    (launched,) = cli.launched
    sample = launched["project_root"].parent
    assert Path(launched["environ"]["HOME"]) == sample
    assert "CLAUDE_CONFIG_DIR" not in launched["environ"]
    assert launched["choices"] is None
    assert launched["state"].is_relative_to(sample)
    assert launched["environ"]["KAIROS"] == "1"
    assert launched["memory_dir"].is_relative_to(sample / ".claude" / "projects")


def test_the_demo_is_deleted_when_the_app_fails(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(list[dict[str, Any]]):
        def append(self, launched: dict[str, Any]) -> None:
            super().append(launched)
            raise KeyboardInterrupt

    cli.launched = Broken()
    assert cli("demo").code == 130
    assert not cli.launched[0]["memory_dir"].exists()


def test_keep_writes_the_sample_and_opens_nothing(cli: Cli) -> None:
    done = cli("demo", "--keep", "sample")
    assert done.code == 0
    assert not cli.launched
    memory = Path(done.out.strip())
    assert memory.is_relative_to(cli.project / "sample")
    assert (memory / "MEMORY.md").is_file()
    assert str(cli.project / "sample" / "astro-lab") in done.err
    assert cli("list", "--json", "-d", str(memory)).json[0]["slug"] == "feedback-seed-every-run"
    again = cli("demo", "--keep", "sample")
    assert again.code == 2
    assert "not empty" in again.err


def test_the_sample_shows_what_memtui_is_for(cli: Cli) -> None:
    memory = cli("demo", "--keep", "sample").out.strip()
    rules = {row["rule"] for row in cli("check", "--json", "-d", memory).json}
    assert {
        "duplicate",
        "stale",
        "broken-claim",
        "orphan",
        "dangling-line",
        "vague-language",
        "too-short",
    } <= rules
    assert not {"instruction-shaped", "reserved-tag", "invisible-text", "unreadable"} & rules
    assert "[Preference] 用户角色" in cli("reminder", "-d", memory).out
    assert cli("index", "-d", memory, "--json").json["bound"] is None


@pytest.mark.parametrize("leave", ["q", "kill", "closed terminal"])
def test_the_real_app_opens_on_the_sample_and_leaves_nothing_behind(tmp_path: Path, leave: str) -> None:
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
    }
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "memtui", "demo"],
        env=environ,
        dimensions=(30, 110),
        timeout=60,
        encoding="utf-8",
        use_poll=True,
    )
    terminal.expect("throw-away copy in ")
    terminal.expect("feedback-seed-every-run|Every run has a seed")
    (copy,) = tmp_path.glob("memtui-demo-*")
    assert (copy / "astro-lab" / "README.md").is_file()
    if leave == "closed terminal":
        terminal.ptyproc.fileobj.close()  # the system sends SIGHUP, and nothing can be written any more
        _, status = os.waitpid(terminal.pid, 0)
        assert os.WIFEXITED(status)  # with whatever code; nobody is there to see it
    else:
        if leave == "kill":
            terminal.kill(signal.SIGTERM)
        else:
            terminal.send(leave)
        terminal.expect_exact("\x1b[?1049l")  # the terminal is given back
        terminal.expect("has been deleted")
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == {"q": 0, "kill": 128 + signal.SIGTERM}[leave]
    assert not copy.exists()
