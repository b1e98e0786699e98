"""Design §7: any sequence of changes, outside writers and crashes loses nothing; ``python -m tests.proof machine`` runs many."""

from hypothesis import HealthCheck, settings

from tests.proof.machine import ManagerMachine

TestManager = ManagerMachine.TestCase
TestManager.settings = settings(
    max_examples=8,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
