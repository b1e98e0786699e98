"""``memtui team``: two people who share through a bare repository on this disk, with real git."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.children import killed_at_the_end
from tests.unit.cli_support import Cli


class Two:
    """Two people, each with a memory directory and a home of their own, and a remote."""

    def __init__(self, tmp: Path) -> None:
        self.remote = tmp / "team.git"
        subprocess.run(["git", "init", "-q", "--bare", self.remote], check=True)
        self.ada, self.bob = (self.person(tmp / name) for name in ("ada", "bob"))

    def person(self, folder: Path) -> Cli:
        made = Cli(folder, environ={"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"})
        made.environ["HOME"] = str(made.home)
        # A name keeps git from looking into the user's own files.
        (made.home / ".gitconfig").write_text(f"[user]\n\tname = {folder.name}\n\temail = x@example.org\n")
        assert made("team", "init", str(self.remote)).code == 0
        return made

    def share(self, cli: Cli, name: str, body: str) -> None:
        cli.memory_file(f"team/{name}", body, days_old=1)
        assert cli("team", "sync").code in {0, 1}


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def secret(seed: str) -> str:
    return "gh" + "p_" + hashlib.sha256(seed.encode()).hexdigest()[:36]


def test_a_directory_that_is_not_shared_says_how_to_begin(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    done = cli("team", "status")
    assert (done.code, done.out) == (0, "")
    assert "memtui team init REMOTE" in done.err
    assert cli("team", "status", "--json").json["configured"] is False
    for words in (["sync"], ["log"], ["accept", "--all"], ["resolve"], ["leave"], ["watch"]):
        refused = cli("team", *words)
        assert refused.code == 2, words
        assert "this directory is not shared" in refused.err
    assert not (cli.home / "state" / "team").exists()


def test_what_would_go_out_is_told_before_anything_is_set_up(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.memory_file("own", "Mine alone.", days_old=1)
    assert "nothing lies below team/ yet" in cli("team", "init", "x.git", "--dry-run").out
    cli.memory_file("team/a", "Deploys happen on Tuesdays.", days_old=1)
    cli.memory_file("team/b", f"The token is {secret('d')}.", days_old=1)
    told = cli("team", "init", "x.git", "--dry-run")
    assert (told.code, told.out) == (0, "would share 1 memory: team/a\n")
    assert "team/b.md is not shared: the secret guard found github-token" in told.err
    shown = cli("team", "init", "x.git", "--dry-run", "--json").json
    assert (shown["would_share"], [each["path"] for each in shown["blocked"]]) == (["team/a"], ["team/b.md"])
    assert cli("team", "init", "ext::sh", "--dry-run").code == 4
    assert not (cli.home / "state" / "team").exists()


def test_what_one_shares_waits_for_the_other_and_is_accepted_as_shown(two: Two) -> None:
    two.share(two.ada, "deploys", "Deploys happen on Tuesdays, after lunch.")
    assert two.ada("team", "sync").out == "nothing new\n"
    arrived = two.bob("team", "sync")
    assert arrived.code == 1
    named = arrived.out.split()[0]
    assert named.startswith("team/deploys@")
    assert "1 change by others waits" in arrived.err
    assert not (two.bob.memory / "team").exists()
    shown = two.bob("team", "show", "deploys")
    assert "+Deploys happen on Tuesdays, after lunch." in shown.out
    assert two.bob("team", "accept", "deploys@0000000").code == 4
    assert two.bob("team", "accept", "deploys.md@").code == 0
    assert (two.bob.memory / "team" / "deploys.md").read_bytes() == (
        two.ada.memory / "team" / "deploys.md"
    ).read_bytes()
    assert "](team/deploys.md)" in (two.bob.memory / "MEMORY.md").read_text()
    assert two.bob("team", "status").code == 0
    assert two.bob("undo").code == 0
    assert not (two.bob.memory / "team" / "deploys.md").exists()


def test_all_that_arrived_is_shown_and_asked_for_and_what_is_declined_comes_back_as_another_text(
    two: Two,
) -> None:
    two.share(two.ada, "a", "The first one says this.")
    two.share(two.ada, "b", "The second one says that.")
    two.bob("team", "sync")
    two.bob.tty = True
    no = two.bob("team", "accept", "--all", stdin="n\n")
    assert "Take these 2 changes?" in no.err
    assert "The first one says this." in no.out
    assert not (two.bob.memory / "team").exists()
    two.bob.tty = False
    assert two.bob("team", "accept", "--all").code == 4
    assert two.bob("team", "accept", "--all", "--yes", "--json").json["accepted"] == ["team/a", "team/b"]
    assert two.bob("team", "accept").code == 2
    assert two.bob("team", "accept", "nope").code == 2
    two.share(two.ada, "a", "The second text of a.")
    two.bob("team", "sync")
    assert two.bob("team", "decline", "a").code == 0
    assert two.bob("team", "status").code == 0
    assert two.bob("team", "decline", "--undo").code == 2
    assert two.bob("team", "decline", "--undo", "b").code == 2
    assert two.bob("team", "decline", "--undo", "a").out == "waits again: team/a\n"
    assert two.bob("team", "status").code == 1
    assert two.bob("team", "decline", "--all").code == 0
    assert two.bob("team", "decline", "--undo", "--all", "--json").json == {"waits_again": ["team/a"]}
    assert two.bob("team", "decline", "--undo", "--all").err == "nothing was declined\n"
    assert two.bob("team", "decline", "a").code == 0
    two.share(two.ada, "a", "The third text of a.")
    assert two.bob("team", "sync").code == 1


def test_what_both_changed_is_counted_once_and_is_no_arrival_besides(two: Two) -> None:
    two.share(two.ada, "a", "Deploys happen on Tuesdays.")
    two.bob("team", "sync")
    two.bob("team", "accept", "a")
    two.share(two.ada, "a", "Deploys happen on Mondays.")
    two.share(two.ada, "b", "Something that only Ada wrote about.")
    two.bob(
        "save",
        "team/a",
        "--name",
        "a",
        "--description",
        "d",
        "--type",
        "project",
        "--content",
        "Fridays it is.",
    )
    for command in ("sync", "status"):
        told = two.bob("team", command)
        assert told.code == 1
        assert "1 change by others waits" in told.err
        assert "1 memory was changed on both sides" in told.err
        assert [line.split("@")[0] for line in told.out.splitlines() if "@" in line] == ["team/b"]
    two.bob("team", "accept", "b")
    told = two.bob("team", "status")
    assert "by others" not in told.err
    assert "1 memory was changed on both sides" in told.err


@pytest.mark.parametrize("side", ["ours", "merged"])
def test_what_both_changed_is_decided_and_everybody_gets_it(two: Two, side: str, tmp_path: Path) -> None:
    two.share(two.ada, "a", "Deploys happen on Tuesdays.")
    two.bob("team", "sync")
    two.bob("team", "accept", "a")
    two.share(two.ada, "a", "Deploys happen on Mondays.")
    two.share(two.bob, "a", "Deploys happen on Fridays.")
    waits = two.bob("team", "resolve", "--json")
    assert waits.code == 1
    [clash] = waits.json["clashes"]
    assert (clash["slug"], clash["shared"]) == ("team/a", "theirs")
    assert "Fridays" in clash["ours"]
    assert "Mondays" in clash["theirs"]
    shown = two.bob("team", "resolve", "a")
    assert shown.code == 1
    assert "+Deploys happen on Fridays." in shown.out
    left = two.bob("team", "accept", "--all", "--yes", "--json")
    assert (left.code, left.json) == (1, {"accepted": [], "left": [], "undecided": ["team/a"]})
    assert "team/a: left, since you and others changed it" in two.bob("team", "accept", "--all", "--yes").err
    assert two.bob("team", "resolve", "a", "--both").code == 2
    text = tmp_path / "merged.md"
    text.write_text(clash["ours"].replace("Fridays", "any day"))
    words = ["--merged", str(text)] if side == "merged" else [f"--{side}"]
    assert two.bob("team", "resolve", "a", *words).code == 0
    assert two.bob("team", "resolve", "--json").json == {"clashes": []}
    two.bob("team", "sync")
    two.ada("team", "sync")
    two.ada("team", "accept", "--all", "--yes")
    day = {"ours": "Fridays", "merged": "any day"}[side]
    for person in (two.ada, two.bob):
        assert day in (person.memory / "team" / "a.md").read_text()


def test_two_new_memories_of_one_name_are_told_and_made_one(two: Two) -> None:
    two.share(two.ada, "a", "Deploys happen on Mondays.")
    two.share(two.bob, "a", "The office has plants that want water.")
    [clash] = two.bob("team", "resolve", "--json").json["clashes"]
    assert (clash["slug"], clash["other"], clash["kind"]) == ("team/a", "team/a-2", "same-name")
    listed = two.bob("team", "resolve")
    assert "two new memories of this name, yours is team/a-2" in listed.out
    assert "team resolve team/a --both" in listed.err
    done = two.bob("team", "resolve", "a-2", "--ours")
    assert (done.code, done.out) == (0, "team/a: yours is what everybody gets\n")
    assert "plants" in (two.bob.memory / "team" / "a.md").read_text()
    assert not (two.bob.memory / "team" / "a-2.md").exists()


def test_a_memory_deleted_here_and_changed_there_is_decided_too(two: Two) -> None:
    two.share(two.ada, "a", "Deploys happen on Tuesdays.")
    two.bob("team", "sync")
    two.bob("team", "accept", "a")
    two.share(two.ada, "a", "Deploys happen on Mondays.")
    (two.bob.memory / "team" / "a.md").unlink()
    two.bob("team", "sync")
    [clash] = two.bob("team", "resolve", "--json").json["clashes"]
    assert clash["ours"] is None
    assert "you deleted it, others changed it" in two.bob("team", "resolve").out
    assert two.bob("team", "resolve", "a", "--ours").code == 0
    two.bob("team", "sync")
    assert two.ada("team", "sync").code == 1
    two.ada("team", "accept", "--all", "--yes")
    assert not (two.ada.memory / "team" / "a.md").exists()


def test_a_secret_is_kept_back_and_its_value_is_printed_nowhere(two: Two) -> None:
    value = secret("x")
    two.ada.memory_file("team/a", f"The token is {value}.", days_old=1)
    done = two.ada("team", "sync")
    assert done.code == 1
    assert "team/a.md is not shared: the secret guard found github-token in line 7" in done.err
    status = two.ada("team", "status", "--json")
    assert status.json["blocked"][0]["rule"] == "github-token"
    assert value not in done.out + done.err + status.out


def test_without_the_remote_everything_is_kept_and_shared_later(two: Two) -> None:
    away = two.remote.rename(two.remote.with_name("away"))
    two.ada.memory_file("team/a", "Deploys happen on Tuesdays.", days_old=1)
    done = two.ada("team", "sync")
    assert done.code == 4
    assert done.err.startswith("memtui: ")
    report = two.ada("team", "sync", "--json")
    assert (report.code, report.json["offline"], report.json["pushed"]) == (4, True, False)
    assert report.json["status"]["last_error"]["todo"]
    away.rename(two.remote)
    assert two.ada("team", "sync").out == "shared what was waiting\n"


def test_the_log_says_who_changed_what_and_the_gate_and_leaving_end_it(two: Two) -> None:
    two.share(two.ada, "a", "Deploys happen on Tuesdays.")
    said = two.bob("team", "sync", "--lang", "zh")
    assert "有 1 处他人的改动待接受" in said.err
    assert "新增" in said.out
    [entry] = two.ada("team", "log", "--json").json
    assert (entry["author"], list(entry["changes"])) == ("ada", ["team/a.md"])
    assert "add a" in two.ada("team", "log").out
    two.ada.environ["TEAMMEM"] = "0"
    assert two.ada("team", "sync").code == 4
    assert two.ada("team", "status").code == 0
    del two.ada.environ["TEAMMEM"]
    assert two.ada("team", "leave").code == 0
    assert two.ada("team", "sync").code == 2
    assert (two.ada.memory / "team" / "a.md").exists()


def test_watch_tells_one_line_for_each_thing_and_ends_with_ctrl_c(two: Two) -> None:
    two.share(two.ada, "a", "Deploys happen on Tuesdays.")
    environ = {
        **two.bob.environ,
        "XDG_STATE_HOME": str(two.bob.home / "state"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    state = two.bob.home / "state" / "memtui"
    state.mkdir()
    (two.bob.home / "state" / "team").rename(state / "team")
    with (
        subprocess.Popen(
            [sys.executable, "-m", "memtui", "team", "watch", "--json", "-d", str(two.bob.memory)],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Whoever runs the tests in the background may have taken the signal away.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  -- no threads here
        ) as process,
        killed_at_the_end(process),
    ):
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert (first["kind"], first["slugs"]) == ("arrived", ["team/a"])
        (two.bob.memory / "team").mkdir()
        (two.bob.memory / "team" / "b.md").write_text("---\nname: B\ndescription: b\ntype: user\n---\n\nB.\n")
        second = json.loads(process.stdout.readline())
        assert (second["kind"], second["slugs"]) == ("shared", ["team/b"])
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
