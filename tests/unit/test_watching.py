"""What is known without a watcher: file systems that tell nothing, paths that do not concern us (reliability §2)."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memtui.memory.disk.files import Folder
from memtui.watching import (
    PATIENCE,
    RESCAN_FRONT,
    FolderWatch,
    Look,
    concerns,
    file_system_of,
    gives_events,
)

MOUNTS = """\
24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
25 24 0:21 / /proc rw - proc proc rw
30 24 0:44 / /mnt/c rw,noatime - 9p drvfs rw,aname=drvfs;path=C:\\
31 24 0:45 / /home/ada rw - nfs4 server:/ada rw
32 31 0:46 / /home/ada/local\\040disk rw master:3 propagate_from:2 - xfs /dev/sdb1 rw
33 24 0:47 / /covered rw - ext4 /dev/sdc1 rw
34 24 0:48 / /covered rw - fuse.sshfs host: rw
torn line
35 24
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/bob/memory", "ext4"),
        ("/", "ext4"),
        ("/mnt/c", "9p"),
        ("/mnt/c/Users/ada", "9p"),
        ("/mnt/cd", "ext4"),
        ("/home/ada/.claude/projects/x/memory", "nfs4"),
        ("/home/ada/local disk/memory", "xfs"),
        ("/home/ada/local\\040disk/memory", "nfs4"),
        ("/covered/x", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_path_is_that_of_the_last_deepest_mount(path: str, kind: str) -> None:
    assert file_system_of(path, MOUNTS) == kind


def test_without_mountinfo_nothing_is_known_and_events_are_tried() -> None:
    assert file_system_of("/x", "") == ""
    assert gives_events("")


@pytest.mark.parametrize(
    ("kind", "events"),
    [
        *(
            (kind, False)
            for kind in ("nfs", "nfs4", "cifs", "smb3", "9p", "drvfs", "fuse", "fuse.sshfs", "virtiofs")
        ),
        *(
            (kind, True)
            for kind in ("ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuseblk", "apfs", "zfs", "nfsd")
        ),
    ],
)
def test_reliability_2_network_and_9p_mounts_give_no_events(kind: str, *, events: bool) -> None:
    assert gives_events(kind) is events


@pytest.mark.parametrize(
    ("rel", "ours"),
    [
        ("a.md", True),
        ("sub", True),
        ("node_modules/a.md", True),
        ("MEMORY.md", True),
        (".memtui", True),
        (".memtui/history/a_v1.md", True),
        (".memtui/inbox", True),
        (".memtui/inbox/1.json", True),
        (".memtui/inboxes", False),
        (".memtui/objects/ab", False),
        (".memtui/lock", False),
        (".git/index", False),
        (".a.123.part", False),
        ("logs/2026/01/x.md", False),
        ("", True),
    ],
)
def test_which_paths_can_change_what_is_shown(rel: str, *, ours: bool) -> None:
    assert concerns(rel) is ours


def test_a_network_drive_is_polled_and_the_state_names_it(tmp_path: Path) -> None:
    stop, looks = threading.Event(), list[Look]()
    watch = FolderWatch(
        Folder(tmp_path),
        stop,
        in_front=lambda: True,
        unsettled=lambda: len(looks) == 1,
        mountinfo=lambda: f"31 24 0:45 / {tmp_path} rw - nfs4 server:/ada rw\n",
    )
    for look in watch.looks():
        looks.append(look)
        if len(looks) == 3:
            stop.set()
    assert [look.hints for look in looks] == [None, frozenset(), None], (
        "what is unsettled is looked at sooner"
    )
    assert {look.state.mode for look in looks} == {"polling"}
    assert "nfs4" in looks[0].state.message


def test_full_looks_come_rarely_in_the_background_and_where_they_cost_much(tmp_path: Path) -> None:
    watch = FolderWatch(Folder(tmp_path), threading.Event(), in_front=lambda: False, unsettled=lambda: False)
    assert watch._pause(3.0, 60.0) == 60.0
    watch._in_front = lambda: True
    assert watch._pause(3.0, 60.0) == 3.0
    watch._cost = 0.7
    assert watch._pause(3.0, 60.0) == pytest.approx(14.0)


@pytest.mark.parametrize("at_keys", [False, True])
def test_a_full_look_beside_events_waits_for_somebody_at_the_keys_but_not_forever(
    tmp_path: Path, *, at_keys: bool
) -> None:
    now, stop, full = 0.0, threading.Event(), list[float]()

    def unsettled() -> bool:  # asked each time the watch looks up and nothing has come
        nonlocal now
        now += 3.0
        return False

    watch = FolderWatch(
        Folder(tmp_path),
        stop,
        in_front=lambda: True,
        unsettled=unsettled,
        at_keys=lambda: at_keys,
        mountinfo=lambda: "",
        tick=lambda: now,
    )
    for look in watch.looks():
        if look.hints is None:
            full.append(now)
        if len(full) == 2:
            stop.set()
    waited = full[1] - full[0]
    least = RESCAN_FRONT + (PATIENCE if at_keys else 0)
    assert least <= waited <= least + 6.0
