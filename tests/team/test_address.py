"""Which addresses memtui shares with."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memtui.team.address import checked_address, checked_branch, shown
from memtui.team.failures import TeamError
from tests.unit.secret_makers import drawn

HERE = Path("/home/ada/project")


@pytest.mark.parametrize(
    ("text", "url", "kind"),
    [
        ("https://git.example.org/team/memory.git", "https://git.example.org/team/memory.git", "https"),
        ("https://ada@git.example.org/m.git", "https://ada@git.example.org/m.git", "https"),
        *(
            (f"https://{user}@example.org/m.git", f"https://{user}@example.org/m.git", "https")
            for user in (
                "git",
                "oauth2",
                "x-access-token",
                "deploy-bot-2024",
                "gitlab+deploy-token-123456",
                "wangxiaoming1988",
                "krzysztof.wojciechowski",
                "AdaLovelace1815",
                "ada.lovelace%40example.org",
            )
        ),
        ("ssh://git@example.org:2222/m.git", "ssh://git@example.org:2222/m.git", "ssh"),
        ("git@example.org:team/memory.git", "git@example.org:team/memory.git", "ssh"),
        ("http://127.0.0.1:8080/m.git", "http://127.0.0.1:8080/m.git", "http"),
        ("http://[::1]:8080/m.git", "http://[::1]:8080/m.git", "http"),
        ("file:///srv/m.git", "file:///srv/m.git", "file"),
        ("/srv/m.git", "/srv/m.git", "file"),
        ("../m.git", "/home/ada/project/../m.git", "file"),
        (" /srv/共享.git ", "/srv/共享.git", "file"),
    ],
)
def test_an_address_is_taken(text: str, url: str, kind: str) -> None:
    address = checked_address(text, cwd=HERE)
    assert (address.url, address.kind) == (url, kind)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-u", "--upload-pack=touch x", "ext::sh -c 'touch x'", "fd::3", "transport::address"),
        *("git://example.org/m.git", "http://example.org/m.git", "ftp://example.org/m", "javascript://x/y"),
        *(
            "ssh://-oProxyCommand=x/m",
            "ssh://-x@host/m",
            "-x@host:m",
            "host:-x",
            "ssh://host/-x",
            "ssh://host",
        ),
        *("https://", "https://[bad/m", "https://host:port/m", "a\nb", "a\x1b[31mb", "a\u202eb", "x" * 3000),
        *(
            "https://ada:pw@example.org/m.git",
            "https://ada:x@pw@example.org/m.git",
            "ada:pw@example.org:team/memory.git",
            f"https://{'t' * 40}@example.org/m.git",
            *(f"https://{drawn(random.Random(n), '{A20}')}@example.org/m.git" for n in range(5)),
            *(f"https://{drawn(random.Random(n), '{l20}')}@example.org/m.git" for n in range(5)),
            "http://127.0.0.1@evil.org/m",
        ),
    ],
)
def test_an_address_that_could_run_or_tell_something_is_refused(text: str) -> None:
    with pytest.raises(TeamError) as caught:
        checked_address(text, cwd=HERE)
    assert caught.value.code == "refused-url"
    assert "pw" not in str(caught.value)
    assert "t" * 40 not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_token_in_an_address_is_never_repeated() -> None:
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ4"
    for text in (f"https://{token}@github.com/a/b.git", f"https://github.com/a/b.git?token={token}"):
        with pytest.raises(TeamError) as caught:
            checked_address(text, cwd=HERE)
        assert token not in str(caught.value)
        assert token not in shown(text)


def test_who_signs_in_is_not_shown() -> None:
    assert checked_address("https://ada@example.org/m.git", cwd=HERE).shown == "https://example.org/m.git"
    assert checked_address("ada@example.org:m.git", cwd=HERE).shown == "example.org:m.git"
    assert checked_address("/srv/a@b/m.git", cwd=HERE).shown == "/srv/a@b/m.git"


@pytest.mark.parametrize("name", ["main", "team/memory", "v1.0", "a+b", "Übung"[1:]])
def test_a_branch_is_taken(name: str) -> None:
    assert checked_branch(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-f",
        "a..b",
        "a b",
        "a.lock",
        ".a",
        "a/",
        "/a",
        "a//b",
        "HEAD",
        "a~1",
        "a:b",
        "+a",
        "@{x}",
        "a.",
        "x" * 300,
    ],
)
def test_what_is_no_branch_is_refused(name: str) -> None:
    with pytest.raises(TeamError):
        checked_branch(name)
