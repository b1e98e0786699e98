"""Reliability §3: what lies under ``.memtui/drafts/`` may be a stranger's; it is offered as text, or left out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.disk.files import Folder
from memtui.memory.document.draft import Draft
from memtui.memory.errors import UsageError
from memtui.memory.live.drafts import DRAFTS_FOLDER, Drafts
from memtui.memory.managing.manager import MemoryManager

FIELDS = {"slug": "a", "name": "A", "description": "d", "type_text": "user", "content": "x"}


def drafts(root: Path) -> Drafts:
    return Drafts(Folder(root), lambda: 1.8e9)


def forge(root: Path, name: str = "k.json", **values: Any) -> Path:
    path = root / DRAFTS_FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format": 1, "at": 1.0, "base": None, "draft": FIELDS, **values}))
    return path


def test_a_draft_of_somebody_is_offered(tmp_path: Path) -> None:
    forge(tmp_path)
    assert [found.draft for found in drafts(tmp_path).all()] == [Draft("a", "A", "d", "user", "x")]


@pytest.mark.parametrize(
    "values",
    [
        {"at": 1e300},
        {"at": float("nan")},
        {"at": float("inf")},
        {"at": -1},
        {"at": "1"},
        {"draft": {**FIELDS, "slug": 7}},
        {"draft": {**FIELDS, "content": ["x"]}},
        {"draft": {**FIELDS, "name": "x" * 200_000}},
        {"draft": []},
        {"base": {"digest": "x" * 65, "draft": FIELDS}},
        {"base": {"digest": {}, "draft": FIELDS}},
        {"base": [1]},
    ],
)
def test_values_that_no_typing_gives_are_left_out(values: dict[str, Any], tmp_path: Path) -> None:
    forge(tmp_path, **values)
    assert drafts(tmp_path).all() == ()


@pytest.mark.parametrize(
    "name", ["\x1b[31m.json", "\u202e.json", "..json", " .json", f"{'x' * 100}.json", "k.json.md"]
)
def test_names_that_no_draft_has_are_left_out(name: str, tmp_path: Path) -> None:
    forge(tmp_path, name)
    assert drafts(tmp_path).all() == ()


@pytest.mark.parametrize("kind", ["fifo", "folder", "outside", "file-for-folder", "link-for-folder"])
def test_what_is_no_file_of_ours_is_left_out_at_once(kind: str, tmp_path: Path) -> None:
    root = tmp_path / "memory"
    path = forge(root)
    outside = tmp_path / "outside"
    if kind == "outside":
        path.rename(outside)
        path.symlink_to(outside)
    elif kind == "fifo":
        path.unlink()
        os.mkfifo(path)
    elif kind == "folder":
        path.unlink()
        path.mkdir()
    elif kind == "link-for-folder":
        path.parent.rename(outside)
        path.parent.symlink_to(outside)
    else:
        path.unlink()
        path.parent.rmdir()
        path.parent.write_text("x")
    assert drafts(root).all() == ()


def test_thousands_of_drafts_do_not_hide_the_newest(tmp_path: Path) -> None:
    for number in range(300):
        os.utime(forge(tmp_path, f"{number:04}.json"), (1, 1))
    drafts(tmp_path).put("zz", Draft("mine", "", "", "", "typed"), None, serial=1)
    found = drafts(tmp_path).all()
    assert len(found) == 200
    assert found[0].draft.content == "typed"


@pytest.mark.parametrize(
    "slug", ["../out", ".git/hooks/x", ".memtui/config", "a/../../b", "/etc/x", "x\0y", ".x"]
)
def test_the_slug_of_a_draft_is_checked_like_any_other_when_it_is_saved(slug: str, tmp_path: Path) -> None:
    root = tmp_path / "memory"
    forge(root, draft={**FIELDS, "slug": slug})
    (found,) = drafts(root).all()
    manager = MemoryManager.open(root, clock=lambda: 1.8e9)
    with pytest.raises(UsageError):
        manager.save_memory(found.draft.slug, "A", "about a", "user", "A body of some length.")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory"]
