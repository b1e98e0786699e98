"""Spec §5: slugs of new memories are strict; existing files keep their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.document.slugs import MAX_SLUG_CHARS, check_new_slug, collision_key, propose_slug
from memtui.memory.errors import UsageError


@pytest.mark.parametrize(
    "slug",
    ["release-freeze", "a", "2026-plan", "用户角色", "v3", "überblick", "notes-v2", "x" * MAX_SLUG_CHARS],
)
def test_spec_5_kebab_case_of_any_script_is_a_good_slug(slug: str) -> None:
    check_new_slug(slug)


@pytest.mark.parametrize(
    "slug",
    [
        "", "Has-Upper", "a b", "a/b", "a\\b", "../up", ".hidden", "a.b", "a\nb", "a\x1bb", "a_b", "-a", "a-", "a--b",
        "memory", "con", "lpt1", "x" * (MAX_SLUG_CHARS + 1), "记" * 67, "e\u0301t\u00e9", "\u0301a", "a\u200bb", "a\u202eb",
    ],
)  # fmt: skip
def test_spec_5_everything_else_is_refused_with_a_reason(slug: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_new_slug(slug)
    assert caught.value.exit_code == 2
    assert caught.value.where == "slug"


def test_spec_5_a_slug_equal_to_another_after_folding_is_refused() -> None:
    with pytest.raises(UsageError, match="same name as 'Straße'"):
        check_new_slug("strasse", ["Straße"])
    assert collision_key("ﬁx") == collision_key("FIX")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Integration tests: hit a *real* DB!", "integration-tests-hit-a-real-db"),
        ("用户角色 与 偏好", "用户角色-与-偏好"),
        ("  ---  ", "note"),
        ("Memory", "memory-2"),
        ("ﬁne", "fine"),
        ("¸", "ņ"),
    ],
)
def test_a_title_proposes_a_slug(name: str, slug: str) -> None:
    assert propose_slug(name) == slug


def test_a_taken_slug_is_numbered() -> None:
    assert propose_slug("Release freeze", ["release-freeze", "release-freeze-2"]) == "release-freeze-3"


@given(st.text(max_size=300), st.lists(st.text(max_size=20), max_size=5))
def test_every_title_proposes_a_slug_that_is_allowed(name: str, taken: list[str]) -> None:
    check_new_slug(propose_slug(name, taken), taken)


def test_a_taken_slug_is_seen_in_a_generator_too() -> None:
    with pytest.raises(UsageError, match="same name"):
        check_new_slug("release-freeze", (slug for slug in ["other", "release-freeze"]))
