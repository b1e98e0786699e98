"""Findings of equal weight stand in the same order whichever module of rules was imported first."""

import subprocess
import sys
from types import SimpleNamespace

from memtui.memory.checks import findings_between
from memtui.memory.doubles.dedup import Pair

LIST = "from memtui.memory.checks.findings import RULES; print(*RULES)"


def test_the_order_of_rules_does_not_depend_on_what_was_imported_before() -> None:
    first = (
        "import memtui.memory.checks.findings_threats",
        "import memtui.memory.live.checker",
        "import memtui.memory.checks.findings",
    )
    orders = {
        subprocess.run(
            [sys.executable, "-c", f"{line}\n{LIST}"], capture_output=True, text=True, check=True
        ).stdout
        for line in first
    }
    assert len(orders) == 1
    assert len(orders.pop().split()) > 30


def test_a_pair_with_a_memory_that_the_look_does_not_know_yet_says_nothing() -> None:
    view = SimpleNamespace(entries={}, alike_masked=frozenset())
    pair = Pair("a", "came-meanwhile", 0.9, 0.9)
    assert not findings_between._apart(pair, view)  # type: ignore[arg-type]
