"""Sharing over HTTP and ssh, signed in by the user's own helpers, as git itself would."""

from __future__ import annotations

import base64
import os
import subprocess
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from memtui.team.git import Git
from memtui.team.repo import Repo
from memtui.team.sync import TeamSync
from tests.team.making import DEPLOY
from tests.team.serving import serving
from tests.team.world import Machine, environment, machine

PASSWORD = "correct horse"  # noqa: S105


def served(root: Path) -> AbstractContextManager[str]:
    """Git's own HTTP backend, behind a password."""

    def answer(asked: BaseHTTPRequestHandler) -> None:
        wanted = "Basic " + base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
        if asked.headers.get("Authorization") != wanted:
            asked.send_response(401)
            asked.send_header("WWW-Authenticate", 'Basic realm="team"')
            asked.send_header("Content-Length", "0")
            asked.end_headers()
            return
        path, _, query = asked.path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=asked.rfile.read(int(asked.headers.get("Content-Length", "0"))),
            capture_output=True,
            check=True,
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REMOTE_USER": "ada",
                "REQUEST_METHOD": asked.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": asked.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": asked.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": asked.headers.get("Git-Protocol", ""),
            },
        ).stdout
        head, _, body = done.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        asked.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            asked.send_header(name, value)
        asked.send_header("Content-Length", str(len(body)))
        asked.end_headers()
        asked.wfile.write(body)

    return serving(answer, "remote.git")


def test_over_http_with_the_users_credential_helper(tmp_path: Path, remote: Repo) -> None:
    one = machine(tmp_path / "one")
    one.write("deploy.md", DEPLOY)
    helper = f'!f() {{ echo username=ada; echo "password={PASSWORD}"; }}; f'
    (one.root / ".gitconfig").write_text(
        f'[credential]\n\thelper = "{helper.replace(chr(34), chr(92) + chr(34))}"\n'
    )
    with served(tmp_path) as url:
        one.sync().init(url, cwd=tmp_path)
        assert one.sync().sync().pushed
        assert one.sync().sync().status.last_error is None
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]
    assert not [
        path
        for path in one.root.rglob("*")
        if path.is_file() and path.name != ".gitconfig" and PASSWORD.encode() in path.read_bytes()
    ]


def shell(one: Machine, ssh: str) -> TeamSync:
    return TeamSync(one.manager(), one.root / "state", Git({**environment(one.root), "GIT_SSH_COMMAND": ssh}))


def test_over_ssh_with_the_users_own_command(tmp_path: Path, remote: Repo) -> None:
    """The command stands in for ssh: it runs what the other machine would."""
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    ssh.chmod(0o755)
    one = machine(tmp_path / "one")
    one.write("deploy.md", DEPLOY)
    shell(one, str(ssh)).init(f"ada@example.org:{remote.path}", cwd=tmp_path)
    report = shell(one, str(ssh)).sync()
    assert (report.pushed, report.status.remote) == (True, f"example.org:{remote.path}")
    assert list(remote.tree(remote.ref("refs/heads/main"))) == ["deploy.md"]
    ssh.write_text("#!/bin/sh\necho 'git@example.org: Permission denied (publickey).' >&2\nexit 255\n")
    error = shell(one, str(ssh)).sync().status.last_error
    assert error is not None
    assert error.code == "auth"
