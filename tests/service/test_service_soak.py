"""Many verifications, one after the other and at once: each has its end, and none leaves anything behind.

CLEANROOM_TEST_SOAK says how many, in place of some dozens; those in containers are a third of it. With -s the figures
are printed.
"""

import gc
import json
import os
import re
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from orchestrator.registry.queue.service_job import QueueLimits
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN
from orchestrator.sandbox.posture.posture import LABEL
from tests.service.conftest import CSV, listening, until
from tests.service.test_service_killed import SOURCE, Served, served  # noqa: F401 - a fixture

_MANY = int(os.environ.get("CLEANROOM_TEST_SOAK", "40"))
_IN_CONTAINERS = _MANY // 3
_CLIENTS = 4
_MEMORY_KIB = 12 * 1024
_TIMEOUT_S = 300 + 3 * _MANY


def figures(process: int) -> dict[str, int]:
    """Of a process: what it has open, its threads, and its memory in KiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = {name: int(value) for name, value in re.findall(r"^(Threads|VmRSS):\s+(\d+)", status, re.MULTILINE)}
    return found | {"open": len(list(Path(f"/proc/{process}/fd").iterdir()))}


def verify_many(address: str, secret: str, count: int) -> Sequence[str]:
    """Ask for so many verifications, a few at once, each followed to its end; their states."""
    files = {"function": ("f.py", SOURCE), "data": ("a.csv", CSV)}

    def some(number: int) -> list[str]:
        states = []
        with httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as client:
            for _ in range(number, count, _CLIENTS):
                asked = client.post("/api/v1/verifications", files=files, data={"quick": "true"}).json()["id"]
                told = client.get(f"/api/v1/jobs/{asked}/events").text
                assert told.count("event: ended") == 1
                states.append(client.get(f"/api/v1/jobs/{asked}").json()["state"])
        return states

    with ThreadPoolExecutor(_CLIENTS) as threads:
        return [state for states in threads.map(some, range(_CLIENTS)) for state in states]


def soaked(address: str, secret: str, count: int, processes: Sequence[int]) -> list[list[dict[str, int]]]:
    """The figures of the processes after each quarter of so many verifications, all of which must be done."""
    measured = []
    for _ in range(4):
        assert set(verify_many(address, secret, count // 4)) == {"done"}
        gc.collect()
        measured.append([figures(process) for process in processes])
        print(json.dumps({"verifications": count // 4 * len(measured), "processes": measured[-1]}))  # noqa: T201 - with -s
    return measured


def check_level(measured: Sequence[Sequence[dict[str, int]]]) -> None:
    """What the second half has added is next to nothing: caches are full by then, and a leak goes on."""
    for half, end in zip(measured[1], measured[-1], strict=True):
        assert end["open"] <= half["open"] + 4  # connections of the stores' pools
        assert end["Threads"] <= half["Threads"] + 4
        assert end["VmRSS"] <= half["VmRSS"] + _MEMORY_KIB


@pytest.mark.slow
@pytest.mark.timeout(_TIMEOUT_S)
def test_many_verifications_leave_nothing(tmp_path: Path) -> None:
    """No descriptor, no thread, no file and no growing memory; with the gate's fake, in this process."""
    with listening(tmp_path, queue=QueueLimits(per_hour=10**7)) as live:
        live.app.state.worker.work()
        check_level(soaked(live.address, live.token(), _MANY, [os.getpid()]))
        until(lambda: not live.connections)
        assert live.app.state.feed.followers == 0
        until(lambda: not [file for file in live.settings.state.rglob("*") if file.is_file()])


@pytest.mark.slow
@pytest.mark.timeout(_TIMEOUT_S)
@pytest.mark.docker
def test_many_verifications_in_containers_leave_nothing(served: Served) -> None:  # noqa: F811 - a fixture
    """The same of the whole service and its worker; and no container is left when it has ended."""
    served.wait_ready()
    worker = served.worker()
    secret = served.client.headers["Authorization"].removeprefix("Bearer ")
    check_level(soaked(str(served.client.base_url), secret, _IN_CONTAINERS, [served.process.pid, worker]))
    assert containers_of(worker)  # those that wait for the next job
    served.end(signal.SIGTERM)
    assert containers_of(worker) == []


def containers_of(process: int) -> list[str]:
    """The containers that the process has made, running or not."""
    engine = Engine()
    try:
        return [one for one, labels in engine.labelled(RUN) if labels[f"{LABEL}owner-pid"] == str(process)]
    finally:
        engine.close()
