"""Git is run alone: nothing of the caller's surroundings, of a repository or of a remote makes it run anything else."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from memtui.team.address import Address
from memtui.team.failures import CODES, TeamError, cleaned, code_of
from memtui.team.git import Call, Git
from memtui.team.objects import Entry, blob_oid
from memtui.team.repo import Repo, Talk
from tests.team.world import environment

PLAIN = b"- one\n"


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_without_git_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(TeamError) as caught:
        Git({"PATH": str(tmp_path)}).run(None, "version")
    assert caught.value.code == "no-git"


def test_a_git_beside_the_caller_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "git", "touch ran")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TeamError) as caught:
        Git({"PATH": "."}).run(None, "version")
    assert caught.value.code == "no-git"
    assert not (tmp_path / "ran").exists()


def test_what_names_a_repository_or_a_program_is_dropped_and_what_signs_in_is_kept() -> None:
    kept = {
        "GIT_SSH_COMMAND": "ssh -i key",
        "SSH_AUTH_SOCK": "/s",
        "GIT_ASKPASS": "/usr/bin/ask",
        "HOME": "/home/ada",
    }
    dropped = {
        *(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        ),
        *(
            "GIT_CONFIG_PARAMETERS",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_KEY_0",
            "GIT_EXEC_PATH",
            "GIT_TEMPLATE_DIR",
        ),
        *(
            "GIT_EXTERNAL_DIFF",
            "GIT_PROXY_COMMAND",
            "GIT_TRACE",
            "GIT_TRACE_CURL",
            "GIT_NAMESPACE",
            "SSH_ASKPASS",
        ),
    }
    environ = Git({**kept, **dict.fromkeys(dropped, "x")}).environ
    assert {name: environ[name] for name in kept} == kept
    assert not dropped & environ.keys()
    assert environ["GIT_TERMINAL_PROMPT"] == "0"
    assert Git({}).environ["GIT_ASKPASS"] == ""


def test_nothing_of_a_repository_runs(tmp_path: Path, repo: Repo, remote: Repo, talk: Talk) -> None:
    """Hooks, filters, watchers and programs that a forged configuration names, here and at the remote's files."""
    ran = tmp_path / "ran"
    evil = script(tmp_path / "evil", f"touch {ran}")
    for made in (repo, remote):
        (made.path / "hooks").mkdir(exist_ok=True)
    for name in ("reference-transaction", "pre-push", "post-checkout", "pre-auto-gc", "post-merge"):
        script(repo.path / "hooks" / name, f"touch {ran}")
    with (repo.path / "config").open("a") as config:
        config.write(
            f"[core]\n\tfsmonitor = {evil}\n\tsshCommand = {evil}\n\thooksPath = {repo.path}/hooks\n"
            f"\tgitProxy = {evil}\n\taskPass = {evil}\n\tpager = {evil}\n\teditor = {evil}\n"
            f'[credential]\n\thelper = "!{evil}"\n[diff]\n\texternal = {evil}\n[gpg]\n\tprogram = {evil}\n'
            f'[commit]\n\tgpgSign = true\n[push]\n\tgpgSign = true\n[filter "x"]\n\tclean = {evil}\n\tsmudge = {evil}\n'
            f'[uploadpack]\n\tpackObjectsHook = {evil}\n[alias]\n\tfetch = !{evil}\n[url "ext::{evil} "]\n\tinsteadOf = zz:\n'
        )
    attributes, modules = (
        b"* filter=x diff=x merge=x\n",
        b'[submodule "a"]\n\tpath = a\n\turl = ext::sh -c x\n\tupdate = !x\n',
    )
    leaves = {
        "a.md": Entry("100644", blob_oid(PLAIN)),
        ".gitattributes": Entry("100644", blob_oid(attributes)),
        ".gitmodules": Entry("100644", blob_oid(modules)),
        "a": Entry("160000", "1" * 40),
    }
    remote.point({"refs/heads/main": remote.commit(leaves, [], 1e9, "x", [PLAIN, attributes, modules])})
    tip = repo.fetch(talk)
    assert tip is not None
    assert repo.tree(tip) == leaves
    ours = repo.commit({**leaves, "b.md": Entry("100644", blob_oid(PLAIN))}, [tip], 1e9, "y")
    repo.push(talk, ours)
    repo.log(ours, 5)
    assert not ran.exists()


@pytest.mark.parametrize("url", ["ext::touch {}", "fd::0", "git://127.0.0.1:1/x", "http://127.0.0.1:1/x"])
def test_a_transport_that_runs_something_or_is_open_is_not_allowed_however_it_is_named(
    tmp_path: Path, repo: Repo, url: str
) -> None:
    """Even an address that got past the check, as one that a user's ``insteadOf`` makes of another."""
    with pytest.raises(TeamError) as caught:
        repo.fetch(Talk(Address(url.format(tmp_path / "ran"), "file"), "main"))
    assert caught.value.code == "refused-url"
    assert not (tmp_path / "ran").exists()


def test_a_call_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path, git: Git) -> None:
    pid = tmp_path / "pid"
    alias = f"alias.wait=!sleep 600 & echo $! > {pid}; wait"
    with pytest.raises(TeamError) as caught:
        git.run(None, "-c", alias, "wait", call=Call(seconds=1.0))
    assert caught.value.code == "timeout"
    assert not _lives(int(pid.read_text()))


def test_a_call_is_ended_when_whoever_waits_gives_up(tmp_path: Path, git: Git) -> None:
    pid = tmp_path / "pid"
    alias = f"alias.wait=!trap '' TERM; echo $$ > {pid}; sleep 600"
    with pytest.raises(TeamError) as caught:
        git.run(
            None, "-c", alias, "wait", call=Call(cancelled=lambda: pid.exists() and bool(pid.read_text()))
        )
    assert caught.value.code == "cancelled"
    assert not _lives(int(pid.read_text()))


def test_what_a_call_leaves_running_does_not_hold_it_up(git: Git) -> None:
    """As a connection that ssh keeps open does: it has the pipe, and the call is over."""
    done = git.run(None, "-c", "alias.leave=!sleep 600 & echo $!", "leave", call=Call(seconds=60.0))
    os.kill(int(done.out), 9)


def test_an_endless_answer_is_cut(git: Git) -> None:
    with pytest.raises(TeamError) as caught:
        git.run(None, "-c", "alias.pour=!yes", "pour", call=Call(most=1 << 20))
    assert caught.value.code == "failed"


def test_much_goes_in_and_out_at_once(repo: Repo) -> None:
    blobs = [f"{number}\n".encode() * 200 for number in range(500)]
    leaves = {f"m{number}.md": Entry("100644", blob_oid(data)) for number, data in enumerate(blobs)}
    commit = repo.commit(leaves, [], 1e9, "many", blobs)
    assert repo.tree(commit) == leaves
    again = Repo(Git(environment(repo.path)), repo.path)
    assert again.tree(commit) == leaves
    assert set(again.blobs((entry.oid for entry in leaves.values()), most=1 << 20).values()) == set(blobs)


def test_an_address_with_a_dash_stays_an_address(tmp_path: Path, repo: Repo) -> None:
    with pytest.raises(TeamError):
        repo.fetch(Talk(Address(f"--upload-pack=touch {tmp_path}/ran", "file"), "main"))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("fatal: unable to access 'https://x/': Could not resolve host: x", "offline"),
        (
            "ssh: connect to host x port 22: Connection refused\r\nfatal: Could not read from remote repository.",
            "offline",
        ),
        ("fatal: unable to access 'https://x/': Failed to connect to x port 443", "offline"),
        ("fatal: Authentication failed for 'https://x/'", "auth"),
        ("fatal: could not read Username for 'https://x': terminal prompts disabled", "auth"),
        ("git@x: Permission denied (publickey).\r\nfatal: Could not read from remote repository.", "auth"),
        ("fatal: unable to access 'https://x/': The requested URL returned error: 403", "auth"),
        ("Host key verification failed.", "auth"),
        ("fatal: '/x' does not appear to be a git repository", "gone"),
        ("ERROR: Repository not found.\nfatal: Could not read from remote repository.", "gone"),
        ("fatal: repository 'https://x/' not found", "gone"),
        ("fatal: couldn't find remote ref refs/heads/main", "gone"),
        ("fatal: unable to update url base from redirection", "gone"),
        ("error: unable to write file: No space left on device", "disk-full"),
        ("fatal: sha1 file 'objects/pack/tmp_idx_x' write error. Out of diskspace", "disk-full"),
        ("error: cannot update ref 'refs/memtui/tip': couldn't write '/x/tip.lock'", "disk-full"),
        ("error: insufficient permission for adding an object to repository database ./objects", "denied"),
        ("fatal: transport 'ext' not allowed", "refused-url"),
        ("! refs/heads/a:refs/heads/main [remote rejected] (pre-receive hook declined)", "declined"),
        ("! a:b [remote rejected] (failed to update ref)", "rejected"),
        ("error: unknown option `no-write-fetch-head'\nusage: git fetch [<options>]", "old-git"),
        ("fatal: something new", "failed"),
    ],
)
def test_what_git_says_is_understood(words: str, code: str) -> None:
    assert code_of(words) == code


def test_what_git_says_is_fit_to_be_shown() -> None:
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ4"
    said = cleaned(f"warning\nfatal: unable to access 'https://ada:p@{token}@x/y': \x1b[31mno\x07 {token}\n")
    assert token not in said
    assert "ada" not in said
    assert "\x1b" not in said
    assert "https://x/y" in said
    assert len(cleaned("fatal: " + "x" * 9_000)) < 400


def test_every_failure_has_a_sentence_and_a_way_on_in_both_languages() -> None:
    for code in CODES:
        error = TeamError(code, where="x")
        assert error.todo
        assert error.said("zh") != str(error)
        assert TeamError(code, detail="fatal: no").said("zh") != str(TeamError(code, detail="fatal: no"))


def _lives(pid: int) -> bool:
    """Whether a process is still there once it had a moment to be cleared away by whoever inherits it."""
    for _ in range(200):
        said = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True
        )
        if said.stdout.strip()[:1] in {"", "Z"}:
            return False
        time.sleep(0.02)
    return True
