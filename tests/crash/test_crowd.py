"""Many verifications at once through a small pool: each gets its own right verdict, and the machine stays bounded."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN
from tests.crash.conftest import GOOD, WRONG, Left

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(1200)]

POLICY = Policy(container=ContainerPolicy(pool_size=4))
CALLERS = int(os.environ.get("CROWD", "24"))  # CROWD=500 was run by hand: docs/threat-model.md


class Watch:
    """The most containers and threads that were seen at one time."""

    def __init__(self, run_id: str) -> None:
        self.containers = self.threads = 0
        self._run_id = run_id
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        engine = Engine()
        while not self._over.wait(0.2):
            there = sum(labels[RUN] == self._run_id for _, labels in engine.labelled(RUN))
            self.containers = max(self.containers, there)
            self.threads = max(self.threads, threading.active_count())
        engine.close()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()


def test_a_crowd(image: str, judge: DisposableProcess, sample: Sample, left: Left) -> None:
    """Every verdict is right; containers and our own threads do not grow with the crowd; nothing is left."""
    before = threading.active_count()
    watch = Watch("crowd")
    started = time.monotonic()
    with DockerSandbox(POLICY, image, run_id="crowd") as sandbox, ThreadPoolExecutor(CALLERS) as crowd:
        gate = Verifier(sandbox, judge, POLICY)
        sources = [(GOOD, WRONG)[number % 4 == 3] for number in range(CALLERS)]
        verdicts = list(
            crowd.map(lambda source: gate.verify(VerifyRequest(source, sample, quick=True)).verdict, sources)
        )
        gate.close()
    watch.stop()
    seconds = time.monotonic() - started
    print(f"{CALLERS} verdicts in {seconds:.0f} s; at most {watch.containers} containers, {watch.threads} threads")  # noqa: T201
    assert verdicts == [Outcome.FAIL if source is WRONG else Outcome.PASS for source in sources]
    assert watch.containers <= 24  # 8 at work, 5 waiting to be used, and those on their way in and out
    assert watch.threads <= before + 2 * CALLERS + 8  # each caller's own, and one that its verdict has beside it
    assert threading.active_count() <= before + 1, "threads of verdicts that are over"
    assert left("crowd") == set()
