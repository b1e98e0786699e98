"""Memories, and what two machines do with them."""

from __future__ import annotations

from tests.team.world import Machine


def memory(name: str, *lines: str, description: str = "what it is about") -> str:
    body = "".join(f"- {line}\n" for line in lines)
    return f"---\nname: {name}\ndescription: {description}\ntype: project\n---\n\n{body}"


DEPLOY = memory("deploy", "run make", "then wait")


def share(one: Machine, *others: Machine) -> None:
    """Sync one, then have the others take all of it."""
    assert one.sync().sync().status.last_error is None
    for other in others:
        take(other)


def take(one: Machine) -> tuple[str, ...]:
    sync = one.sync()
    return sync.accept(sync.sync().status.arrivals).rels


def waiting(one: Machine) -> list[tuple[str, str]]:
    return [(each.rel, each.kind) for each in one.sync().status().arrivals]
