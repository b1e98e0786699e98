"""Reliability §4: no change puts a secret into the team's memories, unless a person lets it through; its value is told nowhere."""

import random
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.checks.findings import Checker
from memtui.memory.errors import UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox, Origin
from memtui.memory.saving.records import Edit
from memtui.memory.secrets.allowed import ALLOWED_NAME, AllowedSecrets
from memtui.memory.secrets.guard import redact, secret_hash
from memtui.memory.secrets.team_guard import SecretBlocked, entering
from memtui.tui.present.decision import decision_blocks
from memtui.tui.present.lines import plain
from memtui.tui.reviewing import plan_acceptance
from memtui.tui.wording.review import words
from tests.unit.secret_makers import TEMPLATES, drawn

NOW = 1_790_000_000.0


@pytest.fixture
def token() -> str:
    return drawn(random.Random(7), TEMPLATES["gitlab-token"][0])


@pytest.fixture
def manager(tmp_path: Path) -> MemoryManager:
    root = tmp_path / "memory"
    root.mkdir()
    return MemoryManager.open(root, "claude", clock=lambda: NOW)


def save(manager: MemoryManager, slug: str, text: str) -> None:
    manager.save_memory(slug, f"Name of {slug}", f"about {slug}", "reference", text)


def blocked(act: Callable[[], object], token: str, *, line: int | None = None) -> SecretBlocked:
    with pytest.raises(SecretBlocked) as caught:
        act()
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value.leaks)
    assert token not in told
    (leak,) = caught.value.leaks
    assert (leak.rule, leak.fingerprint) == ("gitlab-token", secret_hash(token)[:12])
    assert line is None or leak.line == line
    for part in (leak.rule, leak.rel, leak.fingerprint, f"--allow-secret {leak.slug}"):
        assert part in caught.value.said("en")
        assert part in caught.value.said("zh")
    return caught.value


def test_no_way_leads_a_secret_into_the_teams_memories(manager: MemoryManager, token: str) -> None:
    words = f"The deploy token is {token}, ask Ada."
    save(manager, "a", words)
    save(manager, "team/x", "Nothing odd.")
    save(manager, "team/y", "Nothing odd here either.")
    before = {path: path.read_bytes() for path in manager.root.rglob("*.md")}
    blocked(lambda: save(manager, "team/new", words), token, line=10)
    blocked(lambda: manager.edit_memory("team/x", content=words), token)
    blocked(lambda: manager.edit_memory("team/x", description=f"uses {token}"), token, line=3)
    blocked(lambda: manager.merge(["a"], "team/x", "Both", "both", "reference", words), token)
    blocked(lambda: manager.rename("a", "team/a"), token)
    for verb in ("move", "copy"):
        plan = manager.plan_scope(["a"], "team", verb=verb)
        assert [leak.rel for leak in plan.leaks] == ["team/a.md"]
        blocked(lambda plan=plan: manager.carry_out(plan.plan), token)  # type: ignore[misc]
    inbox = Inbox(manager)
    proposal = inbox.propose_save("team/y", "Y", "y", "reference", words, Origin("extraction"))
    inbox.add(proposal)
    blocked(lambda: inbox.accept(proposal.id), token)
    assert {path: path.read_bytes() for path in manager.root.rglob("*.md")} == before


def test_one_secret_stands_in_the_way_of_no_other_proposal(manager: MemoryManager, token: str) -> None:
    inbox = Inbox(manager)
    for slug, text in (("a", "Deploys run on Monday."), ("team/b", token), ("c", "Tests need Redis.")):
        inbox.add(inbox.propose_save(slug, slug, "d", "project", text, Origin("extraction")))
    ids = {each.main.slug: each.id for each in inbox.pending()}
    done = inbox.accept_all(list(ids.values()))
    assert set(done.ids) == {ids["a"], ids["c"]}
    ((left, error),) = done.left
    assert left == ids["team/b"]
    blocked(lambda: inbox.accept(ids["team/b"]), token)
    assert isinstance(error, SecretBlocked)
    assert [each.main.slug for each in inbox.pending()] == ["team/b"]
    decision = plan_acceptance(manager, inbox.pending())
    assert decision.accepting is None
    shown = "".join(plain(block.line) for block in decision_blocks(decision, "en", words("en")))
    assert "this would give the team a secret (gitlab-token in team/b.md, line " in shown
    assert "accept this one alone and type its name" in shown
    assert token not in shown
    assert "--allow-secret" not in shown
    with manager.sharing_secrets(["team/b"]):
        assert inbox.accept_all([ids["team/b"]]).left == ()


def test_what_comes_back_is_looked_at_too_but_undo_is_exact(manager: MemoryManager, token: str) -> None:
    with manager.sharing_secrets(["team/x"]):
        save(manager, "team/x", f"token {token}")
    save(manager, "team/x", "Cleaned up now.")
    blocked(lambda: manager.restore("team/x", 1), token)
    manager.forget("team/x")
    manager.undo()
    manager.undo()
    assert token in manager.get("team/x").content
    manager.forget("team/x")
    record = manager.trash()[0]
    blocked(lambda: manager.restore_trashed(next(iter(record.trashed))), token)


def test_what_the_team_has_already_keeps_nobody_from_mending_the_rest(
    manager: MemoryManager, token: str
) -> None:
    other = drawn(random.Random(8), TEMPLATES["gitlab-token"][0])
    with manager.sharing_secrets(["team/x"]):
        save(manager, "team/x", f"token {token}")
    done = manager.edit_memory("team/x", description="says it better")
    assert done.outcome == "updated"
    assert manager.edit_memory("team/x", content=f"New words, token {token}").secrets
    manager.rename("team/x", "team/z")
    blocked(lambda: manager.edit_memory("team/z", content=f"{token} and {other}"), other)


def test_the_slug_has_to_be_typed_and_the_audit_log_says_so(manager: MemoryManager, token: str) -> None:
    with manager.sharing_secrets(["team/other"]):
        blocked(lambda: save(manager, "team/x", f"token {token}"), token)
    assert manager.audit.rows() == []
    with manager.sharing_secrets(["team/x"]):
        save(manager, "team/x", f"token {token}")
    (row,) = manager.audit.rows()
    assert (row.tool_name, row.status, row.slug) == ("share_secret", "override", "team/x")
    assert "gitlab-token" in row.detail
    assert token not in row.detail
    blocked(lambda: save(manager, "team/y", f"token {token}"), token)


def test_private_memories_are_warned_about_as_ever(manager: MemoryManager, token: str) -> None:
    assert manager.save_memory("a", "A", "a", "user", f"token {token}").secrets


@pytest.mark.parametrize(
    "coding", ["utf-8", "utf-16", "utf-16-le", "utf-32-be", "false mark", "escapes", "unseen"]
)
def test_no_coding_hides_a_secret(token: str, coding: str) -> None:
    words = f"first\n{token}\n"
    if coding == "escapes":
        data = f"first\n\\x{ord(token[0]):02x}\\u{ord(token[1]):04X}{token[2:]}\n".encode()
    elif coding == "unseen":
        data = "\u2060\u00ad".join(words.splitlines(keepends=True)[1]).join(["first\n", ""]).encode()
    else:
        data = b"\xff\xfe" + words.encode() if coding == "false mark" else words.encode(coding)
    (leak,) = entering([Edit("team/a.md", None, data)])
    assert (leak.rule, leak.line) == ("gitlab-token", 2)


def test_the_name_of_a_file_is_looked_at_too() -> None:
    name = drawn(random.Random(5), TEMPLATES["age-key"][0])
    (leak,) = entering([Edit(f"team/{name}.md", None, b"nothing")])
    assert (leak.rule, leak.line) == ("age-key", 0)
    assert entering([Edit(f"{name}.md", None, b"nothing")]) == ()


def test_a_value_that_is_allowed_is_let_through_everywhere(
    tmp_path: Path, manager: MemoryManager, token: str
) -> None:
    allowed = AllowedSecrets(tmp_path / "state")
    manager.allowed_secrets = allowed
    checker = Checker(manager.directory, clock=lambda: NOW, allowed=allowed)
    blocked(lambda: save(manager, "team/x", f"token {token}"), token)
    assert not (tmp_path / "state").exists(), "looking makes nothing"
    assert allowed.allow(secret_hash(token), "gitlab-token", NOW)
    assert not allowed.allow(secret_hash(token), "gitlab-token", NOW)
    save(manager, "team/x", f"token {token}")
    assert manager.save_memory("a", "A", "a", "user", f"token {token}").secrets == ()
    assert [finding.rule for finding in checker.update(None)].count("secret") == 0
    assert redact(f"token {token}", allowed=allowed) == f"token {token}"
    path = tmp_path / "state" / ALLOWED_NAME
    assert path.stat().st_mode & 0o777 == 0o600
    assert token not in path.read_text()


def test_the_list_is_read_again_when_another_process_changed_it(tmp_path: Path) -> None:
    one, other = AllowedSecrets(tmp_path), AllowedSecrets(tmp_path)
    keys = [secret_hash(word) for word in ("one", "two")]
    for key in keys:
        other.allow(key, "key-field", NOW)
    assert all(key in one for key in keys)
    assert other.disallow(keys[0][:12]).rule == "key-field"
    assert [row.key for row in one.rows()] == keys[1:]
    with pytest.raises(UsageError, match="Allowed are: " + keys[1][:12]):
        one.disallow(keys[0][:12])
    with pytest.raises(UsageError):
        one.disallow("")


def test_a_list_that_is_not_as_we_write_it_allows_what_can_be_read_and_says_so(tmp_path: Path) -> None:
    allowed, key = AllowedSecrets(tmp_path), secret_hash("x")
    path = tmp_path / ALLOWED_NAME
    path.write_text(f"# mine\n\nnonsense\n{key}")
    assert key in allowed
    assert allowed.problem is not None
    assert "line 3" in allowed.problem
    allowed.allow(secret_hash("y"), "key-field", NOW)
    assert secret_hash("y") in allowed
    assert path.read_text().startswith(f"# mine\n\nnonsense\n{key}\n")
    path.unlink()
    path.mkdir()
    assert key not in allowed
    assert allowed.problem is not None
    assert AllowedSecrets(None).rows() == ()
